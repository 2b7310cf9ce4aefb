//! Files of small games: trees and payoff tables.

use std::fs;

use tesuji_games::tree::Tree;

use super::{Target, catalogue, files, size, source, told};

/// Text trees with known values.
pub(super) fn trees(name: &'static str) -> Target {
    let run = |input: &[u8]| told(Tree::read("fuzz", &source("fuzz.tree", input)), |_| "a tree".to_owned());
    let words = &["max", "min", "chance", "joint", "value", "0.5", "1/2", "->", ":", "(", ")", "  ", "#"];
    Target::new(name, Box::new(run), files("data/tree", ".tree"), words)
}

/// Payoff tables, opened as the catalogue opens a user's file.
pub(super) fn matrices(name: &'static str) -> Target {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary folder: {error}"));
    let run = move |input: &[u8]| {
        let path = folder.path().join("fuzz.toml");
        fs::write(&path, input).unwrap_or_else(|error| panic!("cannot write: {error}"));
        told(catalogue().open(&format!("matrix(\"{}\")", path.display())), |game| {
            told(game.new_match(None), |table| format!("a table of {}", size(table.actors().len())))
        })
    };
    let words = &["title = ", "players = [", "actions = [", "payoffs = [", "rows", "columns", "[", "]", "1e308", "nan"];
    Target::new(name, Box::new(run), files("data/matrix", ".toml"), words)
}
