//! The syntax shared by map and record files: statements `KEY[value];` in any order; line breaks have no meaning.
//!
//! Semicolons separate statements but are optional: records of the original platform omit some. A value ends at the
//! first `]`; there is no way to escape one.

use std::ops::Range;

use tesuji_core::{InputError, Source};

/// Larger files are refused unread: the largest valid map has a few ten thousand characters.
const LARGEST_FILE: usize = 1 << 20;

/// A statement, with the locations of its parts in the source.
#[derive(Clone, Debug)]
pub(super) struct Statement<'a> {
    pub key: &'a str,
    pub key_at: usize,
    pub value: &'a str,
    pub value_at: usize,
}

/// Decodes a file: UTF-8 (a byte order mark is allowed), else Shift-JIS.
pub(super) fn decode(name: &str, bytes: &[u8]) -> Result<Source, InputError> {
    if bytes.len() > LARGEST_FILE {
        return Err(InputError::new(format!(
            "the file has {} bytes; no map or record needs more than {LARGEST_FILE}",
            bytes.len()
        ))
        .in_file(name));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(Source::new(name, text));
    }
    let (text, _, malformed) = encoding_rs::SHIFT_JIS.decode(bytes);
    if malformed {
        return Err(InputError::new("the text is neither UTF-8 nor Shift-JIS").in_file(name));
    }
    Ok(Source::new(name, text))
}

/// Splits a source into statements.
pub(super) fn scan(source: &Source) -> Result<Vec<Statement<'_>>, InputError> {
    let text = source.text();
    if text.len() > LARGEST_FILE {
        return Err(InputError::new("the text is too long for a map or a record").in_file(source.name()));
    }
    let mut statements = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start_matches(|c: char| c.is_whitespace() || c == ';').len();
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { return Ok(statements) };
        let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        if length == 0 {
            return Err(InputError::new(format!("unexpected `{}`", first.escape_debug()))
                .with_help("expected a statement such as `SIZEX[8];`")
                .at(source, at, first.len_utf8()));
        }
        let key = &rest[..length];
        let after = rest[length..].trim_start();
        let value_at = at + rest.len() - after.len() + 1;
        let Some(after) = after.strip_prefix('[') else {
            let shown: String = key.chars().take(20).collect();
            return Err(InputError::new(format!("expected `[` after `{shown}`"))
                .with_help("a statement looks like `SIZEX[8];`")
                .at(source, (value_at - 1).min(text.len()), 1));
        };
        let Some(end) = after.find(']') else {
            return Err(InputError::new(format!("the file ends inside `{key}[`"))
                .with_help("expected `]`; is the file cut off?")
                .at(source, at, length));
        };
        statements.push(Statement { key, key_at: at, value: &after[..end], value_at });
        at = value_at + end + 1;
    }
}

impl<'a> Statement<'a> {
    /// The trimmed parts of the value between commas, each with its location.
    pub(super) fn fields(&self) -> Vec<Field<'a>> {
        let mut fields = Vec::new();
        let mut start = 0;
        for part in self.value.split(',') {
            let text = part.trim();
            let lead = part.len() - part.trim_start().len();
            fields.push(Field { text, at: self.value_at + start + lead });
            start += part.len() + 1;
        }
        fields
    }

    /// The whole value as one number.
    pub(super) fn number(&self, source: &Source, range: Range<i64>) -> Result<i64, InputError> {
        let text = self.value.trim();
        let lead = self.value.len() - self.value.trim_start().len();
        Field { text, at: self.value_at + lead }.number(source, self.key, range)
    }

    /// An error about the statement as a whole.
    pub(super) fn wrong(&self, source: &Source, message: impl Into<String>) -> InputError {
        InputError::new(message).at(source, self.key_at, self.value_at + self.value.len() + 1 - self.key_at)
    }
}

/// One part of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl Field<'_> {
    /// Parses a number within a range; `what` names it in the error.
    pub(super) fn number(&self, source: &Source, what: &str, range: Range<i64>) -> Result<i64, InputError> {
        match self.text.parse::<i64>() {
            Ok(number) if range.contains(&number) => Ok(number),
            Ok(number) => Err(self.wrong(
                source,
                format!("{what} is {number}; expected a whole number from {} to {}", range.start, range.end - 1),
            )),
            Err(_) => {
                let shown: String = self.text.chars().take(20).collect();
                Err(self.wrong(
                    source,
                    format!(
                        "{what} is `{}`; expected a whole number from {} to {}",
                        shown.escape_debug(),
                        range.start,
                        range.end - 1
                    ),
                ))
            }
        }
    }

    /// An error about this part.
    pub(super) fn wrong(&self, source: &Source, message: impl Into<String>) -> InputError {
        InputError::new(message).at(source, self.at, self.text.len().max(1))
    }
}
