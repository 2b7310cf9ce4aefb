//! Random texts that cannot be guessed: the ids of matches, the keys of seats, the token of the lab.

use sha2::{Digest, Sha256};

/// 32 characters that are hard to confuse.
const SIGNS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

/// A random text of that many characters, five bits each. Panics if the system has no random numbers.
pub(crate) fn random_text(signs: usize) -> String {
    let mut bytes = vec![0; signs];
    if let Err(error) = getrandom::fill(&mut bytes) {
        panic!("the system has no random numbers: {error}");
    }
    bytes.iter().map(|byte| char::from(SIGNS[usize::from(byte % 32)])).collect()
}

/// The id of a match or an analysis: 60 bits.
pub(crate) fn new_id() -> String {
    random_text(12)
}

/// The key of a seat, or a token: 160 bits.
pub(crate) fn new_key() -> String {
    random_text(32)
}

/// What is kept of a key.
pub(crate) fn digest(key: &str) -> String {
    Sha256::digest(key.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Are the texts equal? Takes equally long wherever they differ.
pub(crate) fn equal(one: &str, two: &str) -> bool {
    let (one, two) = (digest(one), digest(two));
    one.bytes().zip(two.bytes()).fold(0, |differing, (one, two)| differing | (one ^ two)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_and_are_compared_whole() {
        let (one, two) = (new_key(), new_key());
        assert_eq!(one.len(), 32);
        assert_ne!(one, two);
        assert!(equal(&one, &one) && !equal(&one, &two) && !equal(&one, &one[..31]));
    }
}
