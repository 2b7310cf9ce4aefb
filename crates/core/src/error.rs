//! Errors about outside input: what was wrong, where, and what was expected.

use std::fmt;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

/// A text that came from outside, with the name it came under.
#[derive(Clone, Debug)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
}

impl Source {
    /// A text under a name: a file's path, or a word such as `moves`.
    pub fn new(name: impl AsRef<str>, text: impl AsRef<str>) -> Source {
        Source { name: name.as_ref().into(), text: text.as_ref().into() }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Line and column of a byte offset, both from 1, columns in characters.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |index| index + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// Outside input that cannot be used. Shown to people; never a reason to panic.
#[derive(Clone, Debug)]
pub struct InputError(Box<Details>);

#[derive(Clone, Debug)]
struct Details {
    message: String,
    help: Option<String>,
    place: Option<Place>,
}

#[derive(Clone, Debug)]
struct Place {
    name: String,
    line: usize,
    column: usize,
    offset: usize,
    length: usize,
    code: NamedSource<Arc<str>>,
}

/// A diagnostic shows its source's lines; one endless line would fill the screen.
const LONGEST_SHOWN_SOURCE: usize = 64 * 1024;

impl InputError {
    /// An error that says what is wrong, in words.
    pub fn new(message: impl Into<String>) -> InputError {
        InputError(Box::new(Details { message: message.into(), help: None, place: None }))
    }

    /// Adds what was expected, or what to do.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> InputError {
        self.0.help = Some(help.into());
        self
    }

    /// Adds the place: `length` bytes at byte `offset` of `source`.
    #[must_use]
    pub fn at(mut self, source: &Source, offset: usize, length: usize) -> InputError {
        let (line, column) = source.position(offset);
        self.0.place = Some(Place {
            name: source.name.to_string(),
            line,
            column,
            offset: offset.min(source.text.len()),
            length: length.min(source.text.len().saturating_sub(offset)),
            code: NamedSource::new(source.name(), Arc::clone(&source.text)),
        });
        self
    }

    /// Puts the name of a file before the message, for errors that have no finer place.
    #[must_use]
    pub fn in_file(mut self, name: impl fmt::Display) -> InputError {
        self.0.message = format!("{name}: {}", self.0.message);
        self
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What was expected, or what to do.
    pub fn help_text(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// Line and column, from 1, if the error has a place.
    pub fn position(&self) -> Option<(usize, usize)> {
        self.0.place.as_ref().map(|place| (place.line, place.column))
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.0.place {
            write!(f, "{}:{}:{}: ", place.name, place.line, place.column)?;
        }
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for InputError {}

impl Diagnostic for InputError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        let place = self.0.place.as_ref()?;
        (place.code.inner().len() <= LONGEST_SHOWN_SOURCE).then_some(&place.code as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let place = self.0.place.as_ref()?;
        let label = LabeledSpan::new(Some("here".to_owned()), place.offset, place.length);
        Some(Box::new(std::iter::once(label)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_lines_and_characters() {
        let source = Source::new("a.txt", "一二\n三x四");
        let error = InputError::new("bad").at(&source, source.text().find('x').unwrap(), 1);
        assert_eq!(error.to_string(), "a.txt:2:2: bad");
        assert_eq!(source.position(1), (1, 1), "inside a character counts as its start");
        assert_eq!(source.position(999), (2, 4));
    }
}
