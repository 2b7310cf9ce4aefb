//! Engines against the matches of the reference prover, where these are at hand (`../shared/gdl-games`).

use std::fs;
use std::path::{Path, PathBuf};

use tesuji_core::Source;
use tesuji_gdl::interpreter::Limits;
use tesuji_gdl::{Interpreter, Sheet, Trace};

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

#[test]
fn the_interpreter_sees_what_the_reference_prover_saw() {
    let Some(folder) = folder() else { return };
    let mut names: Vec<String> = fs::read_dir(folder.join("traces"))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".trace").map(str::to_owned))
        .collect();
    names.sort();
    assert!(!names.is_empty());
    let mut wrong = Vec::new();
    for name in names {
        let started = std::time::Instant::now();
        let trace = Trace::read(&source(&folder.join(format!("traces/{name}.trace")))).unwrap();
        let checked = Sheet::read(source(&folder.join(format!("{name}.kif"))))
            .and_then(|sheet| Interpreter::new(&sheet, Limits::default()))
            .and_then(|interpreter| trace.check(&mut interpreter.referee(), usize::MAX));
        match checked {
            Ok(states) => eprintln!("{name}: {states} states agree, {:?}", started.elapsed()),
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
