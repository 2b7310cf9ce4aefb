//! Interned names: each name is a small number.

use rustc_hash::FxHashMap;

/// A name of a rule sheet. As in GGP-Base, names that differ in case are different names, except keywords.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(u32);

impl Symbol {
    /// The number of the name, counted from 0 in order of first occurrence.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The keywords of GDL, which have these numbers in every [`Symbols`].
pub mod keyword {
    use super::Symbol;

    macro_rules! keywords {
        ($($name:ident $text:literal $number:literal $summary:literal),* $(,)?) => {
            $(#[doc = $summary] pub const $name: Symbol = Symbol($number);)*
            pub(super) const ALL: &[&str] = &[$($text),*];
        };
    }

    keywords![
        ROLE "role" 0 "Who takes part.",
        INIT "init" 1 "What holds in the first state.",
        TRUE "true" 2 "What holds in the current state.",
        DOES "does" 3 "What a role does in this step.",
        LEGAL "legal" 4 "What a role may do.",
        NEXT "next" 5 "What holds in the next state.",
        TERMINAL "terminal" 6 "The match is over.",
        GOAL "goal" 7 "What a role gets.",
        DISTINCT "distinct" 8 "Two terms differ.",
        NOT "not" 9 "Negation.",
        OR "or" 10 "Disjunction.",
        AND "and" 11 "Conjunction.",
        ARROW "<=" 12 "Head from body.",
        BASE "base" 13 "A hint: what may ever hold.",
        INPUT "input" 14 "A hint: what a role may ever do.",
        SEES "sees" 15 "GDL-II: what a role perceives.",
        RANDOM "random" 16 "The role that stands for chance.",
    ];

    /// Whether it is a keyword that may not name a relation of the sheet.
    pub(crate) const fn is_reserved(symbol: Symbol) -> bool {
        symbol.0 < RANDOM.0
    }
}

/// The names of one sheet.
#[derive(Clone, Debug)]
pub struct Symbols {
    /// As first spelled.
    spellings: Vec<Box<str>>,
    /// By text.
    numbers: FxHashMap<Box<str>, Symbol>,
    /// By text in lower case; `None` if several names differ in case only.
    folded: FxHashMap<Box<str>, Option<Symbol>>,
}

impl Default for Symbols {
    fn default() -> Self {
        let mut symbols =
            Symbols { spellings: Vec::new(), numbers: FxHashMap::default(), folded: FxHashMap::default() };
        for (index, word) in keyword::ALL.iter().enumerate() {
            let symbol = symbols.intern(word);
            debug_assert_eq!(symbol.index(), index);
        }
        symbols
    }
}

impl Symbols {
    /// The number of a name; new names get the next number.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.numbers.get(text) {
            return symbol;
        }
        let folded = text.to_lowercase();
        if let Some(&symbol) = self.numbers.get(folded.as_str()).filter(|symbol| symbol.index() < keyword::ALL.len()) {
            return symbol;
        }
        let symbol = Symbol(self.spellings.len() as u32);
        self.spellings.push(text.into());
        self.numbers.insert(text.into(), symbol);
        self.folded.entry(folded.into()).and_modify(|only| *only = None).or_insert(Some(symbol));
        symbol
    }

    /// The number of a name, if it occurred.
    pub fn find(&self, text: &str) -> Option<Symbol> {
        let exact = self.numbers.get(text).copied();
        exact.or_else(|| self.folded.get(text.to_lowercase().as_str()).copied().flatten())
    }

    /// The name as first spelled.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.spellings[symbol.index()]
    }

    /// The number of names, including keywords.
    pub fn count(&self) -> usize {
        self.spellings.len()
    }
}

/// The place of a text in a list: the text itself, or else the only one that differs from it in case alone.
///
/// Moves and roles that people and servers write are looked up with it.
pub fn place_of<T: AsRef<str>>(wanted: &str, texts: &[T]) -> Option<usize> {
    let exact = texts.iter().position(|text| text.as_ref() == wanted);
    exact.or_else(|| {
        let alike = |text: &T| text.as_ref().eq_ignore_ascii_case(wanted);
        let first = texts.iter().position(alike)?;
        (!texts[first + 1..].iter().any(alike)).then_some(first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_parts_names_but_not_keywords() {
        let mut symbols = Symbols::default();
        let names = ["Mark", "mark", "cell"].map(|text| symbols.intern(text));
        assert_eq!(names.map(|name| symbols.text(name).to_owned()), ["Mark", "mark", "cell"]);
        assert_eq!(symbols.intern("TRUE"), keyword::TRUE);
        assert_eq!(symbols.find("Does"), Some(keyword::DOES));
        assert_eq!(symbols.find("mark"), Some(names[1]));
        assert_eq!(symbols.find("CELL"), Some(names[2]));
        assert_eq!(symbols.find("MARK"), None);
    }

    #[test]
    fn texts_are_found_in_another_case_only_if_that_is_clear() {
        let texts = ["Noop", "(mark 1)", "(Mark 1)"];
        assert_eq!(place_of("noop", &texts), Some(0));
        assert_eq!(place_of("(Mark 1)", &texts), Some(2));
        assert_eq!(place_of("(MARK 1)", &texts), None);
        assert_eq!(place_of("pass", &texts), None);
    }
}
