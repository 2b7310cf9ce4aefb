//! A typed line, split into words as shells do it.

use std::ffi::{OsStr, OsString};

/// A typed line as the shell would split it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The words without quotes; the last one is unfinished and may be empty.
    pub(super) words: Vec<String>,
    /// The quotation mark inside which the line ends.
    pub(super) quote: Option<char>,
}

impl Line {
    /// Words that are whole.
    pub(super) fn of(words: &[OsString]) -> Line {
        let mut words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        if words.is_empty() {
            words.push(String::new());
        }
        Line { words, quote: None }
    }

    /// A line, split at blanks that are not quoted.
    pub(super) fn read(line: &str) -> Line {
        let (mut words, mut word, mut inside, mut quote) = (Vec::new(), String::new(), false, None);
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            match (quote, letter) {
                (Some('\''), '\'') | (Some('"'), '"') => quote = None,
                (Some('"') | None, '\\') => {
                    word.extend(letters.next());
                    inside = true;
                }
                (None, '\'' | '"') => {
                    quote = Some(letter);
                    inside = true;
                }
                (None, ' ' | '\t' | '\n') => {
                    if inside {
                        words.push(std::mem::take(&mut word));
                    }
                    inside = false;
                }
                _ => {
                    word.push(letter);
                    inside = true;
                }
            }
        }
        words.push(word);
        Line { words, quote }
    }
}

/// A word as it was typed, without its quotation marks and backslashes. The last mark may be missing.
pub(super) fn unquoted(word: &OsStr) -> OsString {
    match word.to_str() {
        Some(text) => Line::read(text).words.pop().unwrap_or_default().into(),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_like_a_shell_splits_them() {
        let read = |line: &str| Line::read(line);
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(read("tesuji match tub"), Line { words: words(&["tesuji", "match", "tub"]), quote: None });
        assert_eq!(read("tesuji match "), Line { words: words(&["tesuji", "match", ""]), quote: None });
        assert_eq!(read("t 'uct(c=1, d"), Line { words: words(&["t", "uct(c=1, d"]), quote: Some('\'') });
        assert_eq!(read(r#"t "a b" uct\(pl"#), Line { words: words(&["t", "a b", "uct(pl"]), quote: None });
    }

    #[test]
    fn words_lose_their_quotation_marks() {
        for (typed, expected) in [
            ("'uct(pl", "uct(pl"),
            ("\"uct(c=1, pl", "uct(c=1, pl"),
            (r"uct\(pl", "uct(pl"),
            ("'uct'", "uct"),
            ("", ""),
        ] {
            assert_eq!(unquoted(OsStr::new(typed)), expected);
        }
    }
}
