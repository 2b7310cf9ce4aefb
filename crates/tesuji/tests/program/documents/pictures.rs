//! The pictures that documents show are what the commands draw.

use std::fs;

use super::root;
use crate::started::{command, path, printed};

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
