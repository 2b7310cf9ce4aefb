//! Data flows one way: core → games, gdl, fuzzy, learn, solve, play, engine → catalogue → arena → surfaces; search →
//! standard → programs. A dependency that points elsewhere fails here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Which crates of the workspace each crate may use. A crate that is not listed has no place yet.
const MAY_USE: &[(&str, &[&str])] = &[
    ("tesuji-bundle", &[]),
    ("tesuji-core", &[]),
    ("tesuji-games", &["tesuji-bundle", "tesuji-core"]),
    ("tesuji-gdl", &["tesuji-core"]),
    ("tesuji-fuzzy", &["tesuji-core"]),
    ("tesuji-learn", &["tesuji-core", "tesuji-solve"]),
    ("tesuji-solve", &["tesuji-core"]),
    ("tesuji-play", &["tesuji-core"]),
    ("tesuji-engine", &["tesuji-core"]),
    ("tesuji-models", &["tesuji-core", "tesuji-play"]),
    (
        "tesuji-catalogue",
        &["tesuji-core", "tesuji-games", "tesuji-gdl", "tesuji-learn", "tesuji-solve", "tesuji-play", "tesuji-engine"],
    ),
    ("tesuji-laws", &["tesuji-core", "tesuji-games", "tesuji-gdl", "tesuji-catalogue"]),
    ("tesuji-search", &["tesuji-core", "tesuji-fuzzy", "tesuji-learn", "tesuji-solve", "tesuji-play"]),
    (
        "tesuji-standard",
        &[
            "tesuji-core",
            "tesuji-games",
            "tesuji-gdl",
            "tesuji-play",
            "tesuji-models",
            "tesuji-catalogue",
            "tesuji-laws",
            "tesuji-search",
        ],
    ),
    (
        "tesuji-arena",
        &[
            "tesuji-bundle",
            "tesuji-core",
            "tesuji-fuzzy",
            "tesuji-learn",
            "tesuji-play",
            "tesuji-models",
            "tesuji-catalogue",
        ],
    ),
    ("tesuji-peers", &["tesuji-arena"]),
    ("tesuji-queue", &["tesuji-arena"]),
    ("tesuji-mcp", &["tesuji-arena"]),
    ("tesuji-manual", &["tesuji-bundle"]),
    ("tesuji-web", &["tesuji-bundle", "tesuji-arena", "tesuji-manual"]),
    ("tesuji-cli", &["tesuji-arena", "tesuji-peers", "tesuji-queue", "tesuji-mcp", "tesuji-web"]),
    ("tesuji", &["tesuji-arena", "tesuji-cli", "tesuji-standard"]),
    ("tesuji-python", &["tesuji-arena", "tesuji-standard"]),
];

/// Which crates the tests of another crate may use besides: real games and real agents.
const TESTS_MAY_USE: &[(&str, &[&str])] = &[
    ("tesuji-arena", &["tesuji-games", "tesuji-search", "tesuji-solve", "tesuji-standard"]),
    ("tesuji-cli", &["tesuji-standard"]),
    ("tesuji-peers", &["tesuji-standard"]),
    ("tesuji-queue", &["tesuji-standard"]),
    ("tesuji-mcp", &["tesuji-standard"]),
    ("tesuji-web", &["tesuji-queue", "tesuji-standard"]),
];

fn breaches(manifests: &BTreeMap<String, toml::Table>) -> Vec<String> {
    let mut breaches = Vec::new();
    for (name, manifest) in manifests {
        let Some((_, allowed)) = MAY_USE.iter().find(|(listed, _)| listed == name) else {
            breaches.push(format!(
                "`{name}` has no place in the layers: add it to MAY_USE with its sentence in ARCHITECTURE.md"
            ));
            continue;
        };
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let used = manifest.get(section).and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
            for used in used.filter(|used| used.starts_with("tesuji")) {
                let in_tests =
                    TESTS_MAY_USE.iter().find(|(listed, _)| listed == name).map_or(&[][..], |(_, also)| also);
                let allowed_in_tests = section == "dev-dependencies" && in_tests.contains(&used.as_str());
                if !allowed.contains(&used.as_str()) && !allowed_in_tests {
                    breaches.push(format!("`{name}` must not use `{used}` ({section})"));
                }
            }
        }
    }
    breaches
}

fn manifests() -> BTreeMap<String, toml::Table> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path());
    let texts = folders.filter_map(|folder| fs::read_to_string(folder.join("Cargo.toml")).ok());
    let named = texts.map(|text| {
        let manifest: toml::Table = text.parse().unwrap();
        (manifest["package"]["name"].as_str().unwrap().to_owned(), manifest)
    });
    named.collect()
}

#[test]
fn dependencies_point_one_way() {
    let manifests = manifests();
    assert!(manifests.len() >= 5, "the crates were not found: {:?}", manifests.keys());
    assert_eq!(breaches(&manifests), Vec::<String>::new());
}

#[test]
fn a_dependency_that_points_the_wrong_way_is_found() {
    let mut manifests = manifests();
    let search = manifests.get_mut("tesuji-search").unwrap();
    search["dependencies"].as_table_mut().unwrap().insert("tesuji-games".to_owned(), "1".into());
    assert_eq!(breaches(&manifests), ["`tesuji-search` must not use `tesuji-games` (dependencies)"]);
}

/// The files below a folder with one of these endings.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, found);
        } else if path
            .extension()
            .is_some_and(|ending| ["rs", "js", "toml", "py", "pyi"].iter().any(|known| ending == *known))
        {
            found.push(path);
        }
    }
}

#[test]
fn no_line_of_code_is_longer_than_120_columns() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    ["crates", "examples", "experiments", "fuzz/src"].iter().for_each(|folder| sources(&root.join(folder), &mut files));
    assert!(files.len() > 500, "only {} files", files.len());
    let mut long = Vec::new();
    // Expected output of a command is as long as it is.
    for file in files.iter().filter(|file| !file.ends_with("explain/tests.rs")) {
        let text = fs::read_to_string(file).unwrap();
        let lines = text.lines().enumerate().filter(|(_, line)| line.chars().count() > 120);
        long.extend(lines.map(|(number, _)| format!("{}:{}", file.display(), number + 1)));
    }
    assert_eq!(long, Vec::<String>::new());
}

/// What reads the clock on the wall, which can be set or jump.
const WALL_CLOCKS: [&str; 5] = ["SystemTime", "UNIX_EPOCH", "OffsetDateTime::now", "Utc::now", "Local::now"];

/// The lines of a file that read the clock on the wall.
fn wall_clocks(text: &str) -> Vec<usize> {
    let reads = |line: &str| WALL_CLOCKS.iter().any(|clock| line.contains(clock));
    text.lines().enumerate().filter(|(_, line)| reads(line)).map(|(number, _)| number + 1).collect()
}

#[test]
fn the_queue_reads_no_clock_that_can_jump() {
    assert_eq!(wall_clocks("let one = 1;\nlet now = std::time::SystemTime::now();\n"), [2]);
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../queue/src"), &mut files);
    assert!(files.len() > 10, "only {} files", files.len());
    for file in files {
        assert_eq!(wall_clocks(&fs::read_to_string(&file).unwrap()), Vec::<usize>::new(), "{}", file.display());
    }
}
