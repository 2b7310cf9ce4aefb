//! Scrambling: the names of a rule sheet replaced by meaningless words, one for one.

use std::collections::{BTreeSet, HashMap};

use tesuji_arena::{Rng, mix};

/// Words that mean something to the language.
const KEYWORDS: [&str; 17] = [
    "role", "init", "true", "does", "legal", "next", "terminal", "goal", "distinct", "not", "or", "and", "<=", "base",
    "input", "sees", "random",
];

/// A bijection of the names of one sheet to meaningless words. Keywords, variables and numbers keep their spelling.
#[derive(Clone, Debug)]
pub struct Scramble {
    words: HashMap<String, String>,
    names: HashMap<String, String>,
}

impl Scramble {
    /// The scrambling of the names in `rules` by a seed.
    pub fn new(rules: &str, seed: u64) -> Scramble {
        let mut names = BTreeSet::new();
        let without_comments: String =
            rules.lines().map(|line| line.split(';').next().unwrap_or("")).fold(String::new(), |mut text, line| {
                text.push_str(line);
                text.push('\n');
                text
            });
        replaced(&without_comments, |word| {
            if is_name(word) {
                names.insert(word.to_owned());
            }
            None
        });
        let mut rng = Rng::new(mix(seed, names.len() as u64));
        let (mut words, mut taken) = (HashMap::new(), names.clone());
        for name in names {
            let word = std::iter::repeat_with(|| meaningless(&mut rng)).find(|word| taken.insert(word.clone()));
            words.extend(word.map(|word| (name, word)));
        }
        let names = words.iter().map(|(name, word)| (word.clone(), name.clone())).collect();
        Scramble { words, names }
    }

    /// A text with its names scrambled. Names that the sheet does not have stay.
    pub fn scramble(&self, text: &str) -> String {
        replaced(text, |word| self.words.get(word).map(String::as_str))
    }

    /// A scrambled text with its names restored.
    pub fn restore(&self, text: &str) -> String {
        replaced(text, |word| self.names.get(word).map(String::as_str))
    }
}

fn is_name(word: &str) -> bool {
    let number = word.chars().all(|c| c.is_ascii_digit() || c == '-' || c == '+');
    !number && !word.starts_with('?') && !KEYWORDS.iter().any(|keyword| word.eq_ignore_ascii_case(keyword))
}

/// Three syllables.
fn meaningless(rng: &mut Rng) -> String {
    const CONSONANTS: &[u8] = b"bdfghjklmnprstvz";
    const VOWELS: &[u8] = b"aeiou";
    let mut word = String::new();
    for _ in 0..3 {
        word.push(char::from(CONSONANTS[rng.below(CONSONANTS.len())]));
        word.push(char::from(VOWELS[rng.below(VOWELS.len())]));
    }
    word
}

/// A text with some of its words replaced.
fn replaced<'a>(text: &str, mut by: impl FnMut(&str) -> Option<&'a str>) -> String {
    let mut out = String::new();
    let mut rest = text;
    let apart = |c: char| c.is_whitespace() || c == '(' || c == ')';
    while !rest.is_empty() {
        let end = rest.find(apart).unwrap_or(rest.len());
        let word = &rest[..end];
        out.push_str(if word.is_empty() { word } else { by(word).unwrap_or(word) });
        rest = &rest[end..];
        let end = rest.find(|c| !apart(c)).unwrap_or(rest.len());
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_one_for_one_and_come_back() {
        let rules = "(role white) ; a comment\n(<= (legal ?r (put 1 stone)) (role ?r) (TRUE (free 1)))";
        let scramble = Scramble::new(rules, 3);
        let hidden = scramble.scramble(rules);
        for name in ["white", "put", "stone", "free"] {
            assert!(!hidden.contains(name), "{hidden}");
        }
        assert!(hidden.starts_with("(role ") && hidden.contains("(TRUE (") && hidden.contains(" 1"), "{hidden}");
        assert_eq!(scramble.restore(&hidden), rules);
        assert_eq!(Scramble::new(rules, 3).scramble(rules), hidden);
        assert_ne!(Scramble::new(rules, 4).scramble(rules), hidden);
    }
}
