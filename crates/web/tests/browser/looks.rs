//! How the page looks: two languages, light and dark, wide and narrow; names for every control.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{NARROW, WIDE, lab_and_browser};

#[test]
fn every_page_reads_in_both_languages_on_a_desk_and_on_a_phone() {
    let Some((lab, browser)) = lab_and_browser() else { return };
    let mut tab = browser.open(&lab.address, WIDE);
    let id = tab.begin("dice7", "dice7(size=5)", 0, "random", 1);
    tab.awaited();
    let pages = [
        ("home", "#/".to_owned()),
        ("puzzles", "#/puzzles".to_owned()),
        ("puzzle", "#/puzzle/connect-four-1".to_owned()),
        ("teach", "#/teach".to_owned()),
        ("train", "#/train".to_owned()),
        ("people", "#/people/003/table1".to_owned()),
        ("setup", "#/customise".to_owned()),
        ("match", format!("#/match/{id}")),
        ("list", "#/replays".to_owned()),
        ("tables", "#/results".to_owned()),
        ("table", "#/table/003/types".to_owned()),
    ];
    // All four looks are for people who look at the pictures; two of them show every text and every colour.
    let all = [("ja", "dark"), ("en", "light"), ("ja", "light"), ("en", "dark")];
    let wanted = std::env::var("TESUJI_SCREENSHOTS").is_ok_and(|wanted| wanted == "all");
    let looks = if wanted { &all[..] } else { &all[..2] };
    for (size, name) in [(WIDE, "desk"), (NARROW, "phone")] {
        for &(language, theme) in looks {
            tab.size(size.0, size.1);
            tab.prefer("prefers-color-scheme", theme);
            tab.wait(&format!("document.documentElement.dataset.theme === '{theme}'"));
            if tab.evaluate("document.documentElement.lang") != language {
                tab.click("#language");
                tab.wait(&format!("document.documentElement.lang === '{language}'"));
            }
            for (page, hash) in &pages {
                tab.go(hash);
                tab.wait("document.querySelector('h1')");
                tab.wait(SETTLED);
                let wide = tab.evaluate("document.documentElement.scrollWidth").as_u64();
                assert!(wide <= Some(size.0.into()), "{page} in {language} on a {name} is {wide:?} wide");
                assert_eq!(tab.unnamed_controls(), Vec::<String>::new(), "{page} in {language} on a {name}");
                let japanese = tab.evaluate("/[ぁ-んァ-ヶ一-龠]/.test(document.querySelector('main').textContent)");
                assert_eq!(japanese, language == "ja", "{page} in {language}");
                if *page == "home" {
                    tab.wait("!document.querySelector('[data-play]').disabled");
                }
                tab.screenshot(&format!("{page}-{name}-{language}-{theme}"), true);
            }
        }
    }
    // The choice of a language and of a theme is remembered.
    tab.click("#language");
    tab.click("#theme");
    tab.reload();
    // Both were switched from the last look.
    let theme = if looks.last() == Some(&("en", "dark")) { "light" } else { "dark" };
    assert_eq!(tab.evaluate("document.documentElement.lang"), "ja");
    assert_eq!(tab.evaluate("document.documentElement.dataset.theme"), theme);
    tab.finish();
}

/// What was asked of the server is there: nothing says that it is loading.
pub(crate) const SETTLED: &str = "!/Loading…|読み込み中…/.test(document.querySelector('main').textContent) \
    && (!document.querySelector('#start') || !document.querySelector('#start').disabled)";

/// The file of texts, with texts that take several lines on one.
fn texts_one_a_line() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/texts.js");
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
    let texts = texts_one_a_line();
    let mut keys = BTreeSet::new();
    for line in texts.lines().take_while(|line| *line != "};").filter(|line| line.starts_with("  ")) {
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
    let texts = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("page/texts.js")).unwrap();
    let start = texts.find("export const NAMES").unwrap();
    let names = &texts[start..texts[start..].find("};").unwrap() + start];
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
    let texts = texts_one_a_line();
    let start = texts.find("export const CATALOGUE").unwrap();
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
    for line in texts[start..].lines().filter(|line| line.starts_with("  \"")) {
        let (key, _) = line.trim().split_once("\": \"").unwrap_or_else(|| panic!("{line}"));
        assert!(english.contains(key.trim_start_matches('"')), "the catalogue has no text {key}\"");
        keys += 1;
    }
    assert!(keys > 100, "{keys}");
}
