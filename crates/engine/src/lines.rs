//! Reads lines from an untrusted source: of bounded length, and only complete ones.

use std::io::{BufRead, BufReader, Read};

use tesuji_core::InputError;

/// The most bytes of a line, without its line break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LongestLine(pub usize);

/// Why there is no next line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineTrouble {
    /// The other side closed the stream between two lines.
    Closed,
    /// The other side closed the stream inside a line, after this many bytes of it.
    Half(usize),
    /// The line is longer than allowed.
    TooLong(usize),
    /// The line is not UTF-8.
    NotText,
    /// Reading failed.
    Failed(String),
}

impl std::fmt::Display for LineTrouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LineTrouble::Closed => f.write_str("closed its output"),
            LineTrouble::Half(bytes) => write!(f, "closed its output after {bytes} bytes of a line"),
            LineTrouble::TooLong(most) => write!(f, "sent more than {most} bytes without a line break"),
            LineTrouble::NotText => f.write_str("sent a line that is not UTF-8"),
            LineTrouble::Failed(error) => write!(f, "cannot be read: {error}"),
        }
    }
}

impl From<LineTrouble> for InputError {
    fn from(trouble: LineTrouble) -> InputError {
        InputError::new(trouble.to_string())
    }
}

/// Reads a stream line by line. After the first error it reads nothing more.
pub struct LineReader<R> {
    reader: BufReader<R>,
    longest: LongestLine,
    buffer: Vec<u8>,
}

impl<R: Read> LineReader<R> {
    /// Lines of `reader`.
    pub fn new(reader: R, longest: LongestLine) -> LineReader<R> {
        LineReader { reader: BufReader::new(reader), longest, buffer: Vec::new() }
    }

    /// The next line without its line break, `
    /// ` or `\r
    /// `.
    pub fn next_line(&mut self) -> Result<String, LineTrouble> {
        self.buffer.clear();
        let most = self.longest.0 as u64 + 2;
        let mut limited = self.reader.by_ref().take(most);
        limited.read_until(b'\n', &mut self.buffer).map_err(|error| LineTrouble::Failed(error.to_string()))?;
        let whole = self.buffer.last() == Some(&b'\n');
        if whole {
            self.buffer.pop();
            if self.buffer.last() == Some(&b'\r') {
                self.buffer.pop();
            }
        }
        match (whole, self.buffer.len()) {
            (_, length) if length > self.longest.0 => Err(LineTrouble::TooLong(self.longest.0)),
            (true, _) => String::from_utf8(self.buffer.clone()).map_err(|_| LineTrouble::NotText),
            (false, 0) => Err(LineTrouble::Closed),
            (false, length) => Err(LineTrouble::Half(length)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(bytes: &[u8], longest: usize) -> (Vec<String>, LineTrouble) {
        let mut reader = LineReader::new(bytes, LongestLine(longest));
        let mut found = Vec::new();
        loop {
            match reader.next_line() {
                Ok(line) => found.push(line),
                Err(trouble) => return (found, trouble),
            }
        }
    }

    #[test]
    fn lines_end_in_either_way_and_trouble_is_named() {
        assert_eq!(lines(b"a\r\nbc\n\n", 9), (vec!["a".into(), "bc".into(), "".into()], LineTrouble::Closed));
        assert_eq!(lines(b"a\nbc", 9), (vec!["a".into()], LineTrouble::Half(2)));
        assert_eq!(lines(b"abcd\r\nabcde\n", 4), (vec!["abcd".into()], LineTrouble::TooLong(4)));
        assert_eq!(lines(&[b'x'; 10_000_000], 1 << 20), (vec![], LineTrouble::TooLong(1 << 20)));
        assert_eq!(lines(b"\xff\n", 9), (vec![], LineTrouble::NotText));
    }

    proptest! {
        #[test]
        fn any_bytes_are_lines_or_trouble(bytes in prop::collection::vec(any::<u8>(), 0..60), longest in 0usize..20) {
            let (found, _) = lines(&bytes, longest);
            prop_assert!(found.iter().all(|line| line.len() <= longest));
        }
    }
}
