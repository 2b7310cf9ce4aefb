//! The outer form of rule sheets: words, parentheses and comments.

use tesuji_core::{ErrorKind, InputError, Source};

/// A stretch of the source, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Where it begins.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

impl Place {
    /// An error about this stretch.
    pub fn error(self, source: &Source, message: impl Into<String>) -> InputError {
        InputError::new(message).at(source, self.start as usize, (self.end - self.start) as usize)
    }
}

/// A word, or expressions in parentheses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Expression {
    /// A word.
    Word(String, Place),
    /// A list in parentheses.
    List(Vec<Expression>, Place),
}

impl Expression {
    /// Where it stands.
    pub(crate) fn place(&self) -> Place {
        match self {
            Expression::Word(_, place) | Expression::List(_, place) => *place,
        }
    }

    /// Is it this word, in whatever case?
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self, Expression::Word(text, _) if text.eq_ignore_ascii_case(word))
    }
}

/// The deepest nesting that is read: deeper than any rule sheet, shallow enough for every stack.
pub(crate) const DEEPEST_NESTING: usize = 200;

/// The longest text that is read, in bytes.
pub(crate) const LONGEST_TEXT: usize = 64 << 20;

/// Reads all expressions of a text.
pub(crate) fn read(source: &Source) -> Result<Vec<Expression>, InputError> {
    let text = source.text();
    if text.len() > LONGEST_TEXT {
        let message = format!("{}: longer than {LONGEST_TEXT} bytes", source.name());
        return Err(InputError::new(message).of_kind(ErrorKind::TooLarge));
    }
    // The lists that are open, each with the place of its parenthesis; the outermost stands for the whole text.
    let mut open: Vec<(usize, Vec<Expression>)> = vec![(0, Vec::new())];
    let mut rest = text.char_indices().peekable();
    while let Some((start, character)) = rest.next() {
        match character {
            ';' => while rest.next_if(|&(_, c)| c != '\n').is_some() {},
            '(' => {
                if open.len() > DEEPEST_NESTING {
                    let place = Place { start: start as u32, end: start as u32 + 1 };
                    return Err(
                        place.error(source, format!("more than {DEEPEST_NESTING} parentheses inside each other"))
                    );
                }
                open.push((start, Vec::new()));
            }
            ')' => {
                let place = |from: usize| Place { start: from as u32, end: start as u32 + 1 };
                let Some((from, items)) = open.pop().filter(|_| !open.is_empty()) else {
                    return Err(place(start)
                        .error(source, "a closing parenthesis without an opening one")
                        .with_help("every `)` closes a `(` before it"));
                };
                last(&mut open).push(Expression::List(items, place(from)));
            }
            c if c.is_whitespace() || c == '\u{feff}' || c == '\0' => {}
            _ => {
                let mut end = start + character.len_utf8();
                while let Some((at, c)) = rest.next_if(|&(_, c)| !(c.is_whitespace() || matches!(c, '(' | ')' | ';'))) {
                    end = at + c.len_utf8();
                }
                let place = Place { start: start as u32, end: end as u32 };
                last(&mut open).push(Expression::Word(text[start..end].to_owned(), place));
            }
        }
    }
    match open.as_slice() {
        [_] => Ok(open.swap_remove(0).1),
        [.., (from, _)] => {
            // The outermost open list begins where the trouble begins; the innermost is only the last to suffer.
            let outermost = open.get(1).map_or(*from, |(from, _)| *from);
            Err(Place { start: outermost as u32, end: outermost as u32 + 1 }
                .error(source, format!("{} parentheses are never closed; this is the first", open.len() - 1))
                .with_help("every `(` needs a `)` after it"))
        }
        [] => Ok(Vec::new()),
    }
}

fn last(open: &mut [(usize, Vec<Expression>)]) -> &mut Vec<Expression> {
    let index = open.len() - 1;
    &mut open[index].1
}
