//! The texts of the page: nothing is missing in either language.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What was asked of the server is there: nothing says that it is loading.
pub(crate) const SETTLED: &str = "!/Loading…|読み込み中…/.test(document.querySelector('main').textContent) \
    && (!document.querySelector('#start') || !document.querySelector('#start').disabled)";

/// The texts of the page by their keys.
const TEXTS: [&str; 4] = ["start", "match", "learn", "results"];

/// A file of texts, with texts that take several lines on one.
fn texts_one_a_line(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("page/texts/{name}.js"));
    let texts = fs::read_to_string(file).unwrap();
    texts.replace("[\n    ", "[").replace(",\n    ", ", ").replace(",\n  ],", "],").replace(":\n    ", ": ")
}

/// All modules of the page, also those in folders.
fn scripts(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| if path.is_dir() { scripts(&path) } else { vec![path] });
    found.filter(|path| path.extension().is_some_and(|extension| extension == "js")).collect()
}

/// Every text is there in both languages, and every text that the page asks for by its whole key exists.
#[test]
fn no_text_is_missing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let texts = TEXTS.map(texts_one_a_line).concat();
    let mut keys = BTreeSet::new();
    for line in texts.lines().filter(|line| line.starts_with("  ")) {
        let (key, pair) = line.trim().split_once(": [").unwrap_or_else(|| panic!("{line}"));
        let parts = pair.strip_suffix("],").unwrap_or_else(|| panic!("{line}")).split("\", \"").count();
        assert_eq!(parts, 2, "English and Japanese: {line}");
        assert!(!pair.contains("\"\""), "an empty text: {line}");
        assert!(keys.insert(key.trim_matches('"').to_owned()), "twice: {key}");
    }
    assert!(keys.len() > 150);
    let mut asked = 0;
    for file in scripts(&folder) {
        let source = fs::read_to_string(&file).unwrap();
        for (at, _) in source.match_indices("t(\"") {
            let key = source[at + 3..].split('"').next().unwrap();
            let word_before = source[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '.');
            if !word_before {
                assert!(keys.contains(key), "{}: no text `{key}`", file.display());
                asked += 1;
            }
        }
    }
    assert!(asked > 100);
}

/// Every game, map and sheet of the catalogue has a Japanese name, and so has every unit.
#[test]
fn games_maps_and_sheets_have_japanese_names() {
    let names = texts_one_a_line("names");
    let catalogue = tesuji_standard::catalogue();
    let mut titles =
        BTreeSet::from(["infantry", "panzer", "cannon", "antiair", "fighter", "attacker"].map(str::to_owned));
    for info in catalogue.games() {
        titles.insert(info.title.to_owned());
        for parameter in &info.parameters {
            for data in &parameter.bundled {
                let title = catalogue.title(&format!("{}({}={data})", info.name, parameter.name)).unwrap();
                titles.extend(title.split(": ").map(str::to_owned));
            }
        }
    }
    let missing: Vec<&String> = titles.iter().filter(|title| !names.contains(&format!("\"{title}\": \""))).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(titles.len() > 80);
}

/// Every Japanese text of the catalogue belongs to an English text that the catalogue still has.
#[test]
fn japanese_texts_of_the_catalogue_match_its_english_ones() {
    let texts = texts_one_a_line("catalogue");
    let catalogue = tesuji_standard::catalogue();
    let mut english = BTreeSet::new();
    for info in catalogue.games() {
        english.insert(info.summary);
        english.extend(info.parameters.iter().map(|parameter| parameter.summary));
    }
    for info in catalogue.agents() {
        english.insert(info.summary);
        english.extend(info.parameters.iter().map(|parameter| parameter.summary));
    }
    let mut keys = 0;
    for line in texts.lines().filter(|line| line.starts_with("  \"")) {
        let (key, _) = line.trim().split_once("\": \"").unwrap_or_else(|| panic!("{line}"));
        assert!(english.contains(key.trim_start_matches('"')), "the catalogue has no text {key}\"");
        keys += 1;
    }
    assert!(keys > 100, "{keys}");
}
