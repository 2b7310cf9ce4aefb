//! Numbers in the payload of a file: small integers in few bytes, and floats.
//!
//! An integer is folded so that small amounts of either sign come first (0, -1, 1, -2, …) and written in seven bits a
//! byte, the lowest first; the highest bit of a byte says that more follow. Most weights of a network take one byte.

use tesuji_core::{InputError, Source};

/// The bytes of integers.
pub(crate) fn short_bytes<'a>(numbers: impl Iterator<Item = &'a i16>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &number in numbers {
        let mut rest = (number << 1 ^ number >> 15) as u16;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
    bytes
}

/// Reads the numbers of a payload, one after the other.
pub(crate) struct Numbers<'a> {
    rest: &'a [u8],
    source: &'a Source,
}

impl<'a> Numbers<'a> {
    pub(crate) fn new(payload: &'a [u8], source: &'a Source) -> Numbers<'a> {
        Numbers { rest: payload, source }
    }

    /// The next integers, as [`short_bytes`] writes them.
    pub(crate) fn shorts(&mut self, count: usize) -> Result<Vec<i16>, InputError> {
        // A damaged shape must not reserve more than the file can hold.
        let mut numbers = Vec::with_capacity(count.min(self.rest.len()));
        for _ in 0..count {
            let mut folded = 0u32;
            for shift in [0, 7, 14] {
                let (&byte, rest) =
                    self.rest.split_first().ok_or_else(|| self.wrong("too few numbers for this shape"))?;
                self.rest = rest;
                folded |= u32::from(byte & 0x7f) << shift;
                if byte < 0x80 {
                    break;
                }
            }
            let folded = u16::try_from(folded).map_err(|_| self.wrong("a number is too large"))?;
            numbers.push((folded >> 1) as i16 ^ -((folded & 1) as i16));
        }
        Ok(numbers)
    }

    /// The next floats.
    pub(crate) fn floats(&mut self, count: usize) -> Result<Vec<f32>, InputError> {
        let bytes = count.saturating_mul(4);
        let (these, rest) =
            self.rest.split_at_checked(bytes).ok_or_else(|| self.wrong("too few numbers for this shape"))?;
        self.rest = rest;
        Ok(these.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    /// Checks that everything was read.
    pub(crate) fn end(self) -> Result<(), InputError> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.wrong("too many numbers for this shape")) }
    }

    fn wrong(&self, message: &str) -> InputError {
        InputError::new(message).in_file(self.source.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_integer_reads_back_and_small_ones_take_one_byte() {
        let all: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let bytes = short_bytes(all.iter());
        let source = Source::new("numbers", String::new());
        let mut numbers = Numbers::new(&bytes, &source);
        assert_eq!(numbers.shorts(all.len()).unwrap(), all);
        assert!(numbers.end().is_ok());
        assert_eq!(short_bytes([-64, -1, 0, 63].iter()).len(), 4);
    }

    #[test]
    fn damaged_numbers_are_refused() {
        let source = Source::new("numbers", String::new());
        let shorts = |bytes: &[u8]| Numbers::new(bytes, &source).shorts(1).map_err(|error| error.to_string());
        assert!(shorts(&[]).unwrap_err().contains("too few"));
        assert!(shorts(&[0x80]).unwrap_err().contains("too few"));
        assert!(shorts(&[0xff, 0xff, 0x7f]).unwrap_err().contains("too large"));
        assert!(Numbers::new(&[0; 3], &source).floats(1).is_err());
        assert!(Numbers::new(&[0; 3], &source).end().is_err());
    }
}
