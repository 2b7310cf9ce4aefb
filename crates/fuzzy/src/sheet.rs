//! CSV in which every field has its location, so that errors can name line and column.
//!
//! Lines that begin with `#` are comments. The crate `csv` parses the fields; their locations are found by scanning the
//! text.

use csv::{ReaderBuilder, Trim};
use tesuji_core::{InputError, Source};

/// A field and its location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its text, without quotes and surrounding spaces.
    pub text: String,
    /// The first byte.
    pub(super) offset: usize,
    pub(super) length: usize,
}

impl Field {
    /// An error about this field.
    pub fn wrong(&self, source: &Source, message: impl Into<String>) -> InputError {
        InputError::new(message).at(source, self.offset, self.length)
    }
}

/// A CSV text with a header of at least one column. Every row has as many fields as the header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// The names of the columns.
    pub header: Vec<Field>,
    /// The rows.
    pub rows: Vec<Vec<Field>>,
}

impl Sheet {
    /// Parses a text. Refuses a missing header, and rows with another number of columns.
    pub fn read(source: &Source) -> Result<Sheet, InputError> {
        let text = source.text();
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .comment(Some(b'#'))
            .trim(Trim::All)
            .from_reader(text.as_bytes());
        let mut lines = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| InputError::new(format!("no CSV: {error}")).in_file(source.name()))?;
            let start = record.position().map_or(0, |position| position.byte() as usize);
            let places = places(text, start);
            let place = |index: usize| places.get(index).or(places.last()).copied().unwrap_or((start, 0));
            let fields = record.iter().enumerate().map(|(index, text)| {
                let (offset, length) = place(index);
                Field { text: text.to_owned(), offset, length }
            });
            lines.push(fields.collect::<Vec<_>>());
        }
        let mut lines = lines.into_iter();
        let header = lines
            .next()
            .ok_or_else(|| InputError::new("there is nothing here: expected a header").in_file(source.name()))?;
        let rows: Vec<Vec<Field>> = lines.collect();
        if let Some(row) = rows.iter().find(|row| row.len() != header.len()) {
            let names: Vec<&str> = header.iter().map(|field| field.text.as_str()).collect();
            let first_wrong = &row[header.len().min(row.len() - 1)];
            return Err(first_wrong
                .wrong(source, format!("{} column(s), the header has {}", row.len(), header.len()))
                .with_help(format!("the columns are {}", names.join(","))));
        }
        Ok(Sheet { header, rows })
    }
}

/// The offset and length of each field of the first record at or after `start`, by the rules of `csv`: a quote opens a
/// quoted field only as its first character; any line break outside quotes ends the record.
fn places(text: &str, start: usize) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut at = start.min(bytes.len());
    // The reader counts empty lines and comments as part of the record after them.
    loop {
        match bytes.get(at) {
            Some(b'\r' | b'\n') => at += 1,
            Some(b'#') => at += bytes[at..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - at),
            _ => break,
        }
    }
    let mut places = Vec::new();
    loop {
        let first = at;
        if bytes.get(at) == Some(&b'"') {
            at += 1;
            while at < bytes.len() && !(bytes[at] == b'"' && bytes.get(at + 1) != Some(&b'"')) {
                at += if bytes[at] == b'"' { 2 } else { 1 };
            }
        }
        while at < bytes.len() && !matches!(bytes[at], b',' | b'\r' | b'\n') {
            at += 1;
        }
        let end = at.min(bytes.len());
        places.push((first, end - first));
        if bytes.get(at) != Some(&b',') {
            return places;
        }
        at += 1;
    }
}
