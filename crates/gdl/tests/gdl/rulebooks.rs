//! The rulebooks in prose: each reference sheet is sound and agrees with the examples of its rulebook.

use std::path::{Path, PathBuf};

use tesuji_core::Source;
use tesuji_gdl::interpreter::Limits;
use tesuji_gdl::tutor::{Examples, Verdict, tutor};

fn data(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(folder)
}

fn read(path: &Path) -> Source {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Source::new(path.display().to_string(), text)
}

/// The names of the rulebooks.
fn rulebooks() -> Vec<String> {
    let entries = std::fs::read_dir(data("rulebooks")).unwrap();
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.unwrap().file_name().to_str()?.strip_suffix(".examples").map(str::to_owned))
        .collect();
    names.sort();
    names
}

/// The reference sheet of a rulebook: beside it, or among the bundled sheets.
fn reference(name: &str) -> PathBuf {
    let own = data("rulebooks").join(format!("{name}.kif"));
    if own.exists() { own } else { data("gdl").join(format!("{name}.kif")) }
}

#[test]
fn each_reference_sheet_agrees_with_its_examples() {
    let names = rulebooks();
    assert_eq!(names.len(), 10);
    for name in names {
        let prose = read(&data("rulebooks").join(format!("{name}.md")));
        assert!(prose.text().len() > 300, "{name}: a rulebook says how the game is played");
        let examples = Examples::read(read(&data("rulebooks").join(format!("{name}.examples")))).unwrap();
        assert!(!examples.roles.is_empty(), "{name}: the examples name the roles");
        match tutor(read(&reference(&name)), &examples, Limits::default()).unwrap() {
            Verdict::Agree(agreement) => assert!(agreement.steps >= 8, "{name}: {agreement:?}"),
            Verdict::Disagree(disagreement) => panic!("{name}: {}", disagreement.text()),
            Verdict::Unsound(findings) => panic!("{name}: {}", findings[0].error),
        }
    }
}
