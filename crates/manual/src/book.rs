//! The table of contents: `SUMMARY.md`, as mdBook reads it.

use crate::sources;

/// A book in one language.
pub(crate) struct Book {
    /// The folder of its pages: nothing, or `ja/`.
    pub folder: &'static str,
    pub parts: Vec<Part>,
}

/// A part with its chapters.
#[derive(Default)]
pub(crate) struct Part {
    pub title: String,
    pub chapters: Vec<Chapter>,
}

/// A chapter.
pub(crate) struct Chapter {
    pub title: String,
    /// The path of its Markdown below `docs/`.
    pub path: String,
    /// How deep it is nested.
    pub depth: usize,
}

/// The texts around the pages.
pub(crate) struct Words {
    pub language: &'static str,
    pub search: String,
    pub found_nothing: &'static str,
    pub lab: &'static str,
    pub other_language: &'static str,
}

impl Book {
    /// The book that a path belongs to.
    pub(crate) fn of(path: &str) -> Book {
        let folder = if path.starts_with("ja/") { "ja/" } else { "" };
        let summary = sources::text(&format!("{folder}SUMMARY.md")).unwrap_or_default();
        let mut parts = vec![Part::default()];
        for line in summary.lines() {
            if let Some(title) = line.strip_prefix("# ") {
                // The first heading names the table of contents itself.
                let title = if parts.len() == 1 && parts[0].chapters.is_empty() { "" } else { title };
                parts.push(Part { title: title.trim().to_owned(), chapters: Vec::new() });
            } else if let Some((title, path)) = link(line) {
                let depth = (line.len() - line.trim_start().len()) / 2;
                let chapter = Chapter { title: title.to_owned(), path: format!("{folder}{path}"), depth };
                if let Some(part) = parts.last_mut() {
                    part.chapters.push(chapter);
                }
            }
        }
        parts.retain(|part| !part.chapters.is_empty());
        Book { folder, parts }
    }

    /// All chapters in their order.
    pub(crate) fn chapters(&self) -> impl Iterator<Item = &Chapter> {
        self.parts.iter().flat_map(|part| &part.chapters)
    }

    /// The Markdown of a page whose path is given without its ending. `README.md` is the index of its folder, and the
    /// first chapter that of the book.
    pub(crate) fn source_of(&self, stem: &str) -> Option<String> {
        let first = self.chapters().next().map(|chapter| chapter.path.clone());
        if stem == format!("{}index", self.folder) {
            return first;
        }
        let plain = format!("{stem}.md");
        let readme = stem.strip_suffix("index").map(|folder| format!("{folder}README.md"));
        let known = |path: &String| self.chapters().any(|chapter| chapter.path == *path);
        [Some(plain), readme].into_iter().flatten().find(known)
    }

    /// The texts around the pages.
    pub(crate) fn words(&self) -> Words {
        match self.folder {
            "ja/" => Words {
                language: "ja",
                search: "検索".to_owned(),
                found_nothing: "該当するページがありません。",
                lab: "ラボへ戻る",
                other_language: "English",
            },
            _ => Words {
                language: "en",
                search: "Search".to_owned(),
                found_nothing: "No page contains these words.",
                lab: "Back to the lab",
                other_language: "日本語",
            },
        }
    }
}

/// The title and the path of a line with a link.
fn link(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.split_once('[')?;
    let (title, rest) = rest.split_once("](")?;
    let (path, _) = rest.split_once(')')?;
    Some((title, path))
}
