//! The form of network and training files: a first line with kind and version, lines of fields, a hash, and numbers in
//! base64.
//!
//! The hash covers every other byte, so a changed, shortened or extended file is noticed before any of it is used.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use tesuji_core::{InputError, Source};

/// Characters of base64 in a line.
const LINE: usize = 100;

/// The contents of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Container {
    /// What the file is, with the version of its form.
    pub kind: &'static str,
    /// Fields in order: a name without spaces, and a text of one line.
    pub fields: Vec<(String, String)>,
    pub payload: Vec<u8>,
}

impl Container {
    /// The text of the file.
    pub(crate) fn text(&self) -> String {
        let mut text = self.head();
        text.push_str(&format!("hash {}\n", self.hash()));
        let encoded = STANDARD.encode(&self.payload);
        text.reserve(encoded.len() + encoded.len() / LINE + 1);
        for start in (0..encoded.len()).step_by(LINE) {
            text.push_str(&encoded[start..encoded.len().min(start + LINE)]);
            text.push('\n');
        }
        text
    }

    /// The hash of everything else, in hexadecimal digits.
    pub(crate) fn hash(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.head());
        hash.update(&self.payload);
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn head(&self) -> String {
        let fields = self.fields.iter().map(|(name, value)| format!("{name} {value}\n"));
        format!("{}\n{}", self.kind, fields.collect::<String>())
    }

    /// Reads a file of this kind, or says why it is none.
    pub(crate) fn read(kind: &'static str, source: &Source) -> Result<Container, InputError> {
        let text = source.text();
        let wrong = |offset: usize, message: String| InputError::new(message).at(source, offset, 0);
        if text.lines().next() != Some(kind) {
            let first: String = text.lines().next().unwrap_or_default().chars().take(40).collect();
            return Err(wrong(0, format!("expected `{kind}` in the first line, found `{first}`")));
        }
        let mut offset = kind.len() + 1;
        let mut fields = Vec::new();
        loop {
            let rest = text.get(offset..).unwrap_or_default();
            let Some(line) = rest.split_inclusive('\n').next() else {
                return Err(wrong(
                    offset,
                    "the file ends before its `hash` line: it is damaged or cut short".to_owned(),
                ));
            };
            let content = line.strip_suffix('\n').unwrap_or(line);
            let Some((name, value)) = content.split_once(' ') else {
                return Err(wrong(offset, "expected a line with a name and a value".to_owned()));
            };
            offset += line.len();
            if name != "hash" {
                fields.push((name.to_owned(), value.to_owned()));
                continue;
            }
            let encoded: String = text.get(offset..).unwrap_or_default().lines().collect();
            let payload = STANDARD.decode(encoded).map_err(|_| {
                wrong(offset, "the numbers cannot be read: the file is damaged or cut short".to_owned())
            })?;
            let read = Container { kind, fields, payload };
            if read.hash() != value {
                return Err(wrong(
                    offset - line.len(),
                    "the hash differs: the file is damaged or was changed".to_owned(),
                ));
            }
            return Ok(read);
        }
    }

    /// The value of a field.
    pub(crate) fn field(&self, name: &str, source: &Source) -> Result<&str, InputError> {
        let found = self.fields.iter().find(|(field, _)| field == name);
        found
            .map(|(_, value)| value.as_str())
            .ok_or_else(|| InputError::new(format!("the field `{name}` is missing")).in_file(source.name()))
    }

    /// The value of a field that has a type.
    pub(crate) fn parsed<T: std::str::FromStr>(&self, name: &str, source: &Source) -> Result<T, InputError> {
        let value = self.field(name, source)?;
        let wrong = || InputError::new(format!("the field `{name}` cannot be `{value}`")).in_file(source.name());
        value.parse().map_err(|_| wrong())
    }
}

/// A changed file with the right hash, for tests of what lies behind that check. A text that is no file stays as it is.
pub fn rehashed(text: &str) -> String {
    let Some((head, rest)) = text.split_once("hash ") else { return text.to_owned() };
    let encoded: String = rest.lines().skip(1).collect();
    let Ok(payload) = STANDARD.decode(encoded) else { return text.to_owned() };
    let mut hash = Sha256::new();
    hash.update(head);
    hash.update(&payload);
    let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let numbers = rest.split_once('\n').map_or("", |(_, numbers)| numbers);
    format!("{head}hash {hash}\n{numbers}")
}
