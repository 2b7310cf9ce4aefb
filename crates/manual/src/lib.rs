//! The manual inside the program: the pages of `docs/`, as web pages with a table of contents and a search.
//!
//! The same Markdown is the source of two presentations. mdBook makes the site for the web from it (`docs/build`); this
//! crate makes pages from it when somebody asks for them, so that the lab has its manual without a further program at
//! build time, and without half a megabyte of scripts. `docs/SUMMARY.md` and `docs/ja/SUMMARY.md` list the chapters of
//! both.
//!
//! ```
//! let page = tesuji_manual::open("games/pig.html").expect("every game has a page");
//! assert!(String::from_utf8_lossy(&page.body).contains("<h1 id=\"pig\">"));
//! assert!(tesuji_manual::open("games/no-such-game.html").is_none());
//! ```

mod book;
mod render;
mod search;
mod sources;

#[cfg(test)]
mod tests;

use book::Book;

/// An answer: a page or a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The type of its contents, such as `text/html; charset=utf-8`.
    pub content_type: &'static str,
    /// The contents.
    pub body: Vec<u8>,
}

/// The page or picture at a path of the manual, such as `games/pig.html` or `pictures/dice7.svg`. The empty path and
/// `ja/` are the first pages.
pub fn open(path: &str) -> Option<Page> {
    let path = path.trim_start_matches('/');
    let path = if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    if let Some(stem) = path.strip_suffix(".html") {
        let book = Book::of(&path);
        let source = book.source_of(stem)?;
        return Some(html(render::page(&book, &source)?));
    }
    let body = sources::file(&path)?;
    Some(Page { content_type: content_type(&path)?, body })
}

/// The chapters that contain all words of a query, in English or Japanese (`ja`), as a page.
pub fn search(language: &str, query: &str) -> Page {
    let book = Book::of(if language == "ja" { "ja/" } else { "" });
    html(render::layout(&book, "", &book.words().search, &search::results(&book, query), query))
}

fn html(text: String) -> Page {
    Page { content_type: "text/html; charset=utf-8", body: text.into_bytes() }
}

fn content_type(path: &str) -> Option<&'static str> {
    match path.rsplit('.').next()? {
        "svg" => Some("image/svg+xml"),
        "png" => Some("image/png"),
        "css" => Some("text/css; charset=utf-8"),
        _ => None,
    }
}
