//! Engines against the matches of the reference prover, where these are at hand (`../shared/gdl-games`).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tesuji_core::{InputError, Source};
use tesuji_gdl::interpreter::Limits;
use tesuji_gdl::referee::{LaneReferee, MachineReferee};
use tesuji_gdl::{Grounding, GroundingLimits, Interpreter, Network, Sheet, Trace, ground};

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/gdl-games");
    if !folder.is_dir() {
        eprintln!("skipped: no rule sheets in {}", folder.display());
        return None;
    }
    Some(folder)
}

fn source(path: &Path) -> Source {
    Source::new(path.display().to_string(), String::from_utf8_lossy(&fs::read(path).unwrap()))
}

/// The names of the sheets that the prover played.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder.join("traces"))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".trace").map(str::to_owned))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    names
}

/// Checks every trace; the check returns how many states it looked at.
fn check_all(check: impl Fn(&Sheet, &Trace) -> Result<usize, InputError>) {
    let Some(folder) = folder() else { return };
    let mut wrong = Vec::new();
    for name in names(&folder) {
        let trace = Trace::read(&source(&folder.join(format!("traces/{name}.trace")))).unwrap();
        let checked = Sheet::read(source(&folder.join(format!("{name}.kif")))).and_then(|sheet| check(&sheet, &trace));
        match checked {
            Ok(states) => eprintln!("{name}: {states} states agree"),
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_interpreter_sees_what_the_reference_prover_saw() {
    check_all(|sheet, trace| trace.check(&mut Interpreter::new(sheet, Limits::default())?.referee(), usize::MAX));
}

/// Every one of these sheets has a network.
#[test]
fn network_and_lanes_see_what_the_reference_prover_saw() {
    check_all(|sheet, trace| {
        let Grounding::Done(ground, _) = ground(sheet, &GroundingLimits::default(), &|| false)? else {
            return Err(InputError::new("too large to ground"));
        };
        let network = Network::new(&ground).ok_or_else(|| InputError::new("no network"))?;
        let network = Arc::new(network);
        trace.check(&mut LaneReferee::new(&ground, &network, &sheet.symbols), usize::MAX)?;
        trace.check(&mut MachineReferee::new(&ground, network, &sheet.symbols), usize::MAX)
    });
}
