//! Scrambled names: the words of a game replaced by others, to test understanding instead of memory.
//!
//! Each word (a run of ASCII letters) is replaced letter by letter: vowels by vowels, consonants by consonants, capital
//! letters by capital letters. The replacement of a letter depends on the seed, on the length of the word and on the
//! place in it. So different words stay different, equal words stay equal, boards keep their columns, and nothing has
//! to be remembered: the same seed gives the same words in every position.
//!
//! The words of the Game Description Language keep their meaning and are not replaced.

use std::borrow::Cow;

use tesuji_core::{Rng, mix};

/// Words of the Game Description Language, which no other word becomes.
const RESERVED: [&str; 14] = [
    "base", "chance", "distinct", "does", "goal", "init", "input", "legal", "next", "not", "or", "role", "terminal",
    "true",
];

const VOWELS: &[u8] = b"aeiou";
const CONSONANTS: &[u8] = b"bcdfghjklmnpqrstvwxyz";

/// Replaces the words of a game by others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scramble {
    seed: u64,
}

impl Scramble {
    /// The replacement with this seed.
    ///
    /// ```
    /// use tesuji_models::Scramble;
    ///
    /// let scramble = Scramble::new(1);
    /// assert_ne!(scramble.text("(mark 1 1)"), "(mark 1 1)");
    /// assert_eq!(scramble.text("(mark 1 1)").len(), "(mark 1 1)".len());
    /// assert_eq!(scramble.text("legal"), "legal");
    /// ```
    pub fn new(seed: u64) -> Scramble {
        Scramble { seed }
    }

    /// A text of the game with all its words replaced.
    pub fn text(&self, text: &str) -> String {
        let mut scrambled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic()) {
            scrambled.push_str(&rest[..start]);
            rest = &rest[start..];
            let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
            scrambled.push_str(&self.word(&rest[..end]));
            rest = &rest[end..];
        }
        scrambled + rest
    }

    /// A rule sheet: its words are replaced, its comments removed.
    pub fn sheet(&self, text: &str) -> String {
        let code = text.lines().map(|line| line.split(';').next().unwrap_or_default().trim_end());
        let code: Vec<&str> = code.filter(|line| !line.is_empty()).collect();
        self.text(&code.join("\n"))
    }

    /// Rules in words: only what stands between backquotes belongs to the game.
    pub fn prose(&self, text: &str) -> String {
        let parts = text.split('`').enumerate();
        let parts = parts.map(|(place, part)| match place % 2 {
            0 => Cow::Borrowed(part),
            _ => Cow::Owned(self.text(part)),
        });
        parts.collect::<Vec<_>>().join("`")
    }

    fn word(&self, word: &str) -> String {
        let mut replaced = word.to_owned();
        if is_reserved(&replaced) {
            return replaced;
        }
        // Walking on from a reserved word keeps different words different.
        loop {
            replaced = self.substituted(&replaced);
            if !is_reserved(&replaced) {
                return replaced;
            }
        }
    }

    fn substituted(&self, word: &str) -> String {
        let letter = |(place, letter): (usize, char)| {
            let small = letter.to_ascii_lowercase() as u8;
            let letters = if VOWELS.contains(&small) && word.len() > 1 { VOWELS } else { all_or_consonants(word) };
            let Some(index) = letters.iter().position(|&other| other == small) else { return letter };
            let mut order: Vec<u8> = letters.to_vec();
            Rng::new(mix(self.seed, (word.len() as u64) << 8 | place as u64)).shuffle(&mut order);
            let new = char::from(order[index]);
            if letter.is_ascii_uppercase() { new.to_ascii_uppercase() } else { new }
        };
        word.chars().enumerate().map(letter).collect()
    }
}

/// Single letters are replaced by any letter; longer words stay words.
fn all_or_consonants(word: &str) -> &'static [u8] {
    if word.len() == 1 { b"abcdefghijklmnopqrstuvwxyz" } else { CONSONANTS }
}

fn is_reserved(word: &str) -> bool {
    RESERVED.iter().any(|reserved| word.eq_ignore_ascii_case(reserved))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn different_words_stay_different() {
        let scramble = Scramble::new(7);
        let pairs: Vec<String> =
            (b'a'..=b'z').flat_map(|a| (b'a'..=b'z').map(move |b| [a, b].map(char::from).iter().collect())).collect();
        let images: BTreeSet<String> = pairs.iter().map(|word| scramble.text(word)).collect();
        assert_eq!(images.len(), pairs.len());
        let letters: BTreeSet<String> = (b'a'..=b'z').map(|a| scramble.text(&char::from(a).to_string())).collect();
        assert_eq!(letters.len(), 26);
    }

    #[test]
    fn words_of_the_language_stay_and_are_not_reached() {
        let scramble = Scramble::new(3);
        for reserved in RESERVED {
            assert_eq!(scramble.text(reserved), reserved);
        }
        // The word that would become `or` becomes another.
        let words = (b'a'..=b'z').flat_map(|a| (b'a'..=b'z').map(move |b| [a, b].map(char::from)));
        let mut words = words.map(|word| word.iter().collect::<String>());
        let before = words.find(|word| word != "or" && scramble.substituted(word) == "or").unwrap();
        assert_ne!(scramble.text(&before), "or");
        let sheet = "(role xplayer) ; the first\n\n(<= (legal ?w (mark ?x)) (true (cell ?x b)))";
        let scrambled = scramble.sheet(sheet);
        assert!(!scrambled.contains("first") && !scrambled.contains("mark"), "{scrambled}");
        assert_eq!(scrambled.matches("legal").count(), 1);
        assert_eq!(scrambled.lines().count(), 2);
    }

    #[test]
    fn rules_in_words_keep_their_prose() {
        let scramble = Scramble::new(5);
        let prose = scramble.prose("A player marks a cell: `b1` is the middle of the top row.");
        assert!(prose.starts_with("A player marks a cell: `") && prose.ends_with("` is the middle of the top row."));
        assert!(!prose.contains("`b1`"), "{prose}");
        assert!(prose.contains(&format!("`{}`", scramble.text("b1"))));
    }
}
