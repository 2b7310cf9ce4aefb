//! The files that the manual is made of, inside the program.

use tesuji_bundle::Bundle;

static DOCS: Bundle = Bundle::new(include_bytes!(concat!(env!("OUT_DIR"), "/docs")));
static RESULTS: Bundle = Bundle::new(include_bytes!(concat!(env!("OUT_DIR"), "/results")));

/// Files beside `docs/` that pages include.
const ROOT: [(&str, &str); 2] = [
    ("ARCHITECTURE.md", include_str!("../../../ARCHITECTURE.md")),
    ("CONTRIBUTING.md", include_str!("../../../CONTRIBUTING.md")),
];

/// The style of the pages.
const STYLE: &str = include_str!("style.css");

/// A file of `docs/`, or the style.
pub(crate) fn file(path: &str) -> Option<Vec<u8>> {
    if path == "style.css" {
        return Some(STYLE.as_bytes().to_vec());
    }
    DOCS.get(path)
}

/// A text of `docs/`, with the files that it includes by `{{#include PATH}}`.
pub(crate) fn text(path: &str) -> Option<String> {
    let text = String::from_utf8(file(path)?).ok()?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut whole = String::with_capacity(text.len());
    for line in text.lines() {
        match line.trim().strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}")) {
            Some(included) => whole.push_str(&outside(&resolve(folder, included.trim())?)?),
            None => whole.push_str(line),
        }
        whole.push('\n');
    }
    Some(whole)
}

/// A file that is named from the top of the repository.
fn outside(path: &str) -> Option<String> {
    if let Some((_, text)) = ROOT.iter().find(|(name, _)| *name == path) {
        return Some((*text).to_owned());
    }
    let result = path.strip_prefix("experiments/results/").and_then(|path| RESULTS.text(path));
    result.or_else(|| DOCS.text(path.strip_prefix("docs/")?))
}

/// A relative path from a folder of `docs/`, as a path from the top of the repository.
fn resolve(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = ["docs"].into_iter().chain(folder.split('/').filter(|part| !part.is_empty())).collect();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()?),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// All files of `docs/`.
#[cfg(test)]
pub(crate) fn all() -> Vec<String> {
    DOCS.paths().map(str::to_owned).collect()
}
