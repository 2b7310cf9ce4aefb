//! One truth: interpreter, network and lanes agree on random play of every rule sheet, as `tesuji gdl verify` compares
//! them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use tesuji_core::Source;
use tesuji_gdl::interpreter::Limits;
use tesuji_gdl::referee::{LaneReferee, MachineReferee, Referee, compare};
use tesuji_gdl::{Grounding, GroundingLimits, Interpreter, Network, Sheet, ground};

/// Steps of the one match of each sheet: the interpreter is slow on the largest ones.
const STEPS: usize = 25;

/// Compares the engines on every sheet of a folder; returns how many there were.
fn compare_all(folder: &Path) -> usize {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "kif"));
    paths.sort();
    for path in &paths {
        let name = path.display();
        let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        let sheet = Sheet::read(Source::new(name.to_string(), text)).unwrap();
        let interpreter = Interpreter::new(&sheet, Limits::default()).unwrap();
        let Ok(Grounding::Done(ground, _)) = ground(&sheet, &GroundingLimits::default(), &|| false) else {
            panic!("{name} does not ground")
        };
        let network = Arc::new(Network::new(&ground).unwrap_or_else(|| panic!("{name} has no network")));
        let mut engines: Vec<Box<dyn Referee + '_>> = vec![
            Box::new(interpreter.referee()),
            Box::new(LaneReferee::new(&ground, &network, &sheet.symbols)),
            Box::new(MachineReferee::new(&ground, Arc::clone(&network), &sheet.symbols)),
        ];
        compare(&mut engines, 1, STEPS, 11).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    paths.len()
}

#[test]
fn all_engines_agree_on_our_sheets() {
    assert!(compare_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/gdl")) >= 48);
}

#[test]
fn all_engines_agree_on_the_public_sheets() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/gdl-games");
    if !folder.is_dir() {
        eprintln!("skipped: no rule sheets in {}", folder.display());
        return;
    }
    assert!(compare_all(&folder) > 0);
}
