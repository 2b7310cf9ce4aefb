//! Documents are true: what they show is what the program does.

mod commands;
mod generated;
mod kinds;
mod pictures;
mod plots;
mod strength;

use std::fs;
use std::path::{Path, PathBuf};

/// The top of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All Markdown files below `docs/`, as paths below it, in order.
fn pages() -> Vec<String> {
    fn collect(folder: &Path, base: &Path, pages: &mut Vec<String>) {
        let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                collect(&path, base, pages);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path.strip_prefix(base).unwrap().display().to_string());
            }
        }
    }
    let docs = root().join("docs");
    let mut pages = Vec::new();
    collect(&docs, &docs, &mut pages);
    assert!(pages.len() > 60, "{pages:?}");
    pages
}

/// The fenced blocks of a document: language, and lines.
fn blocks(document: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in document.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => open = Some((language.trim().to_owned(), String::new())),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}
