//! Documents are true: the commands they show run, and the pictures they show are what the commands draw.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::started::{command, folder, path, printed, text};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The `tesuji …` lines of a document's `sh` blocks.
fn commands(document: &str) -> Vec<String> {
    let mut inside = false;
    let mut commands = Vec::new();
    for line in document.lines() {
        if let Some(language) = line.strip_prefix("```") {
            inside = !inside && language == "sh";
        } else if inside && line.starts_with("tesuji ") {
            commands.push(line.to_owned());
        }
    }
    commands
}

#[test]
fn the_commands_of_the_readme_run() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let commands = commands(&readme);
    assert!(commands.len() >= 6, "{commands:?}");
    let binary = Path::new(env!("CARGO_BIN_EXE_tesuji"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let folder = folder("readme");
    for command in commands {
        let output =
            Command::new("sh").args(["-c", &command]).env("PATH", &path).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
    }
}

#[test]
fn the_pictures_of_the_documents_are_what_the_commands_draw() {
    let pictures = root().join("docs/pictures");
    let list = fs::read_to_string(pictures.join("pictures.txt")).unwrap();
    let lines: Vec<(&str, &str)> = list.lines().filter_map(|line| line.split_once('\t')).collect();
    assert!(!lines.is_empty());
    for (file, arguments) in lines {
        let drawn = path(file);
        printed(&command(&["show"]).args(arguments.split('\t')).arg("--svg").arg(&drawn).output().unwrap());
        let same = fs::read_to_string(&drawn).unwrap() == fs::read_to_string(pictures.join(file)).unwrap();
        assert!(same, "docs/pictures/{file} is not what `tesuji show {arguments}` draws");
    }
}
