//! Full-text search over the chapters of a book.

use std::fmt::Write as _;

use crate::book::Book;
use crate::render::escape;
use crate::sources;

/// The most chapters that are listed.
const MOST: usize = 30;
/// How much of a chapter is shown around the first word that was found, in characters.
const SHOWN: usize = 160;

/// The chapters that contain all words of a query, those whose titles contain them first, as HTML.
pub(crate) fn results(book: &Book, query: &str) -> String {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let mut found: Vec<(usize, String)> = Vec::new();
    for chapter in book.chapters().filter(|_| !words.is_empty()) {
        let Some(text) = sources::text(&chapter.path) else { continue };
        let (small, title) = (text.to_lowercase(), chapter.title.to_lowercase());
        if !words.iter().all(|word| small.contains(word.as_str()) || title.contains(word.as_str())) {
            continue;
        }
        let in_title = words.iter().filter(|word| title.contains(word.as_str())).count();
        let often: usize = words.iter().map(|word| small.matches(word.as_str()).count()).sum();
        let page = chapter.path.trim_end_matches(".md");
        let page = page.strip_suffix("README").map_or(page.to_owned(), |folder| format!("{folder}index"));
        let entry = format!(
            "<li><a href=\"/help/{page}.html\">{}</a><p>{}</p></li>\n",
            escape(&chapter.title),
            escape(&around(&text, &words[0]))
        );
        found.push((1_000 * in_title + often.min(999), entry));
    }
    found.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    let mut html = format!("<h1>{}</h1>\n", escape(query));
    if found.is_empty() {
        let written = writeln!(html, "<p>{}</p>", book.words().found_nothing);
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
    }
    let list: String = found.into_iter().take(MOST).map(|(_, entry)| entry).collect();
    html + "<ul class=\"found\">\n" + &list + "</ul>\n"
}

/// The text around the first place of a word, on one line.
fn around(text: &str, word: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    // Some letters have a different number of small letters, so the place is approximate.
    let place = text.to_lowercase().find(word).map_or(0, |byte| text.to_lowercase()[..byte].chars().count());
    let start = place.saturating_sub(SHOWN / 3).min(letters.len());
    let end = (start + SHOWN).min(letters.len());
    let part: String = letters[start..end].iter().collect();
    format!("… {} …", part.split_whitespace().collect::<Vec<_>>().join(" "))
}
