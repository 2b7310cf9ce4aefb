//! `tesuji report`

use std::io::{self, IsTerminal};
use std::path::Path;

use serde_json::json;
use tesuji_arena::store::{Store, StoredRun};
use tesuji_arena::{Catalogue, InputError, Summary, html, markdown, markdown_page, stored_experiment, summarise};

use crate::arguments::ReportOptions;
use crate::output::{Output, read_text, write_text};

pub(crate) fn run(catalogue: &Catalogue, options: &ReportOptions, output: &mut Output) -> Result<(), InputError> {
    let mut summaries = Vec::new();
    for path in &options.stores {
        summaries.extend(summaries_of(catalogue, path, options.timings)?);
    }
    let text = || -> Result<String, InputError> {
        Ok(match &options.intro {
            Some(path) => markdown_page(read_text(path)?.text(), &summaries),
            None => markdown(&summaries),
        })
    };
    if let Some(path) = &options.html {
        write_text(path, &html(&summaries))?;
    }
    if let Some(path) = &options.markdown {
        write_text(path, &text()?)?;
    }
    if output.is_json() {
        summaries.iter().for_each(|summary| output.value(&json!(summary)));
    } else if options.html.is_none() && options.markdown.is_none() {
        let text = text()?;
        output.line(if io::stdout().is_terminal() { readable(&text) } else { text });
    } else {
        for path in [&options.html, &options.markdown].into_iter().flatten() {
            output.line(format!("written to {}", path.display()));
        }
    }
    Ok(())
}

/// Markdown as people read it on a terminal: without the marks that keep characters from being taken for markup.
fn readable(markdown: &str) -> String {
    let mut text = String::new();
    let mut letters = markdown.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(next)) if next.is_ascii_punctuation() => {}
            _ => text.push(letter),
        }
    }
    text.replace("&lt;", "<").replace("&amp;", "&")
}

/// The results of all runs of a store.
pub(crate) fn summaries_of(catalogue: &Catalogue, path: &Path, timings: bool) -> Result<Vec<Summary>, InputError> {
    let store = Store::read(path)?;
    let summary = |run: &StoredRun| summarise(&stored_experiment(catalogue, run)?, &store, run.id, timings);
    store.runs()?.iter().map(summary).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_no_marks_of_markdown() {
        assert_eq!(readable("| a\\|b | \\*x\\_y\\* &lt;z> &amp; C:\\d |"), "| a|b | *x_y* <z> & C:\\d |");
    }
}
