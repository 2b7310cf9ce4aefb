//! Errors about outside input: what was wrong, where, and what was expected.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A text from outside the program, with the name of its origin.
#[derive(Clone, Debug)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
}

impl Source {
    /// A text and its name: a file path, or a word such as `moves`.
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

    /// The line and column of a byte offset, both counted from 1; columns count characters.
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

/// An error in outside input: files, notation, protocols. It is shown to the user and is never a panic.
///
/// The text is for people. Programs look at the [`kind`](InputError::kind):
///
/// ```
/// use tesuji_core::{Address, Arguments, ErrorKind, Parameter};
///
/// let parameters = [Parameter::new("size", "3", "the side of the board")];
/// let address: Address = "board(sise=4)".parse()?;
/// let error = Arguments::bind(&address, &parameters).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Parameter);
/// assert_eq!(error.message(), "`board` has no parameter `sise`; did you mean `size`?");
/// # Ok::<(), tesuji_core::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct InputError(Box<Details>);

/// What an [`InputError`] is about, for callers that handle some errors in their own way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A text or value that cannot be used: against its grammar, illegal or out of range. All errors without another
    /// kind.
    #[default]
    Invalid,
    /// No game has this name.
    UnknownGame,
    /// No agent has this name.
    UnknownAgent,
    /// A parameter of an address: unknown, missing, given twice, or with a value that it does not take.
    Parameter,
    /// An agent cannot play a game, or a solver cannot solve it: it lacks a feature or a capability.
    Refused,
    /// A file that is not there or cannot be read.
    Unreadable,
    /// Work beyond a limit: a rule sheet, a file or a game that is too large.
    TooLarge,
    /// Work that the caller cancelled.
    Cancelled,
    /// A store that another program is writing to.
    Locked,
    /// A store that is damaged or lost commits.
    Damaged,
    /// A file that is not a store, or a store or run of another version.
    Incompatible,
}

#[derive(Clone, Debug)]
struct Details {
    kind: ErrorKind,
    message: String,
    help: Option<String>,
    place: Option<Place>,
}

#[derive(Clone, Debug)]
struct Place {
    source: Source,
    span: Range<usize>,
}

impl InputError {
    /// An error with a message that says what is wrong, of the kind [`ErrorKind::Invalid`].
    pub fn new(message: impl Into<String>) -> InputError {
        InputError(Box::new(Details { kind: ErrorKind::Invalid, message: message.into(), help: None, place: None }))
    }

    /// Sets the kind.
    #[must_use]
    pub fn of_kind(mut self, kind: ErrorKind) -> InputError {
        self.0.kind = kind;
        self
    }

    /// Adds help: what was expected, or what to do.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> InputError {
        self.0.help = Some(help.into());
        self
    }

    /// Adds the location: `length` bytes at byte `offset` of `source`.
    #[must_use]
    pub fn at(mut self, source: &Source, offset: usize, length: usize) -> InputError {
        let start = offset.min(source.text.len());
        let end = start + length.min(source.text.len() - start);
        self.0.place = Some(Place { source: source.clone(), span: start..end });
        self
    }

    /// Puts the name of a file before the message, for errors without an exact location.
    #[must_use]
    pub fn in_file(mut self, name: impl fmt::Display) -> InputError {
        self.0.message = format!("{name}: {}", self.0.message);
        self
    }

    /// What the error is about.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What is wrong, without the location.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What was expected, or what to do.
    pub fn help_text(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The line and column, counted from 1, if the error has a location.
    pub fn position(&self) -> Option<(usize, usize)> {
        self.0.place.as_ref().map(|place| place.source.position(place.span.start))
    }

    /// The source and the range of wrong bytes, if the error has a location.
    pub fn place(&self) -> Option<(&Source, Range<usize>)> {
        self.0.place.as_ref().map(|place| (&place.source, place.span.clone()))
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Place { source, span }) = &self.0.place {
            let (line, column) = source.position(span.start);
            write!(f, "{}:{line}:{column}: ", source.name())?;
        }
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for InputError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_lines_and_characters() {
        let source = Source::new("a.txt", "一二\n三x四");
        let error = InputError::new("bad").at(&source, source.text().find('x').unwrap(), 1);
        assert_eq!(error.to_string(), "a.txt:2:2: bad");
        let (place, span) = error.place().unwrap();
        assert_eq!((place.name(), &place.text()[span]), ("a.txt", "x"));
        let beyond = InputError::new("bad").at(&source, 999, 5);
        assert_eq!(beyond.place().unwrap().1, source.text().len()..source.text().len());
        assert_eq!(source.position(1), (1, 1), "inside a character counts as its start");
        assert_eq!(source.position(999), (2, 4));
    }
}
