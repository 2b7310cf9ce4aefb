//! Interned ground terms: equal terms have equal numbers.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::{Symbol, Symbols};

/// A ground term: a term without variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GroundTerm(pub u32);

impl GroundTerm {
    /// Its number, counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The ground terms created so far.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// The name and the range of the arguments.
    nodes: Vec<(Symbol, u32, u32)>,
    /// The nesting depth of functions: 0 for a constant.
    depths: Vec<u32>,
    /// Whether it was written with parentheses: distinguishes `(f)` from `f`.
    functions: Vec<bool>,
    arguments: Vec<GroundTerm>,
    /// A hash table with open addressing: the term's number plus 1. Its length is a power of two, and at most half is
    /// occupied.
    places: Vec<u32>,
}

impl Terms {
    /// The number of a constant.
    pub fn constant(&mut self, symbol: Symbol) -> GroundTerm {
        self.intern(symbol, false, &[])
    }

    /// The number of a function of terms.
    pub fn function(&mut self, symbol: Symbol, arguments: &[GroundTerm]) -> GroundTerm {
        self.intern(symbol, true, arguments)
    }

    fn intern(&mut self, symbol: Symbol, function: bool, arguments: &[GroundTerm]) -> GroundTerm {
        if self.places.len() < 2 * (self.nodes.len() + 1) {
            self.make_room();
        }
        let place = self.place(symbol, function, arguments);
        if let Some(number) = self.places[place].checked_sub(1) {
            return GroundTerm(number);
        }
        let term = GroundTerm(self.nodes.len() as u32);
        let start = self.arguments.len() as u32;
        self.arguments.extend_from_slice(arguments);
        self.nodes.push((symbol, start, self.arguments.len() as u32));
        self.functions.push(function);
        let inner = arguments.iter().map(|&argument| self.depths[argument.index()]).max();
        self.depths.push(if function { inner.unwrap_or(0) + 1 } else { 0 });
        self.places[place] = term.0 + 1;
        term
    }

    /// The slot of a term with this shape: where it is, or the free slot where it would go.
    fn place(&self, symbol: Symbol, function: bool, arguments: &[GroundTerm]) -> usize {
        let mut hasher = FxHasher::default();
        hasher.write_u64((symbol.index() as u64) << 1 | u64::from(function));
        arguments.iter().for_each(|argument| hasher.write_u32(argument.0));
        let mask = self.places.len() - 1;
        let mut place = hasher.finish() as usize & mask;
        loop {
            let Some(number) = self.places[place].checked_sub(1) else { return place };
            let term = GroundTerm(number);
            if self.name(term) == symbol && self.is_function(term) == function && self.arguments(term) == arguments {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    #[cold]
    fn make_room(&mut self) {
        self.places = vec![0; (4 * (self.nodes.len() + 1)).next_power_of_two().max(64)];
        for index in 0..self.nodes.len() {
            let term = GroundTerm(index as u32);
            let place = self.place(self.name(term), self.is_function(term), self.arguments(term));
            self.places[place] = term.0 + 1;
        }
    }

    /// The term with this shape, if it exists.
    pub fn find(&self, symbol: Symbol, function: bool, arguments: &[GroundTerm]) -> Option<GroundTerm> {
        if self.places.is_empty() {
            return None;
        }
        self.places[self.place(symbol, function, arguments)].checked_sub(1).map(GroundTerm)
    }

    /// Adds the terms that only `other` has, with the same numbers. All terms here must exist there with the same
    /// number.
    pub(crate) fn catch_up(&mut self, other: &Terms) {
        for index in self.count()..other.count() {
            let term = GroundTerm(index as u32);
            let copy = self.intern(other.name(term), other.is_function(term), other.arguments(term));
            debug_assert_eq!(copy, term);
        }
    }

    /// The name.
    pub fn name(&self, term: GroundTerm) -> Symbol {
        self.nodes[term.index()].0
    }

    /// Whether it is a function application (perhaps without arguments) rather than a constant.
    pub(crate) fn is_function(&self, term: GroundTerm) -> bool {
        self.functions[term.index()]
    }

    /// The arguments; empty for a constant.
    pub fn arguments(&self, term: GroundTerm) -> &[GroundTerm] {
        let (_, start, end) = self.nodes[term.index()];
        &self.arguments[start as usize..end as usize]
    }

    /// The nesting depth of functions: 0 for a constant, 1 for a function of constants.
    pub fn depth(&self, term: GroundTerm) -> usize {
        self.depths[term.index()] as usize
    }

    /// The number of terms.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The term as text: `x`, `(cell 1 1 x)`.
    pub fn text(&self, term: GroundTerm, symbols: &Symbols) -> String {
        let mut text = String::new();
        self.write(term, symbols, &mut text);
        text
    }

    fn write(&self, term: GroundTerm, symbols: &Symbols, text: &mut String) {
        let name = symbols.text(self.name(term));
        if !self.is_function(term) {
            text.push_str(name);
            return;
        }
        text.push('(');
        text.push_str(name);
        for &argument in self.arguments(term) {
            text.push(' ');
            self.write(argument, symbols, text);
        }
        text.push(')');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_have_equal_numbers() {
        let mut symbols = Symbols::default();
        let names: Vec<Symbol> = (0..40).map(|index| symbols.intern(&format!("n{index}"))).collect();
        let mut terms = Terms::default();
        assert_eq!(terms.find(names[0], false, &[]), None);
        let mut made = Vec::new();
        for &one in &names {
            for &other in &names {
                let (left, right) = (terms.constant(one), terms.constant(other));
                let inner = terms.function(one, &[left, right]);
                made.push((one, other, terms.function(other, &[inner, left])));
            }
        }
        let count = terms.count();
        for &(one, other, term) in &made {
            let (left, right) = (terms.constant(one), terms.constant(other));
            let inner = terms.function(one, &[left, right]);
            assert_eq!(terms.find(other, true, &[inner, left]), Some(term));
            assert_eq!(terms.function(other, &[inner, left]), term);
        }
        assert_eq!((count, terms.count()), (40 + 2 * 1600, count));
        assert_ne!(terms.function(names[0], &[]), terms.constant(names[0]));
        let mut follower = Terms::default();
        follower.constant(names[0]);
        follower.catch_up(&terms);
        assert_eq!(follower.text(made[41].2, &symbols), terms.text(made[41].2, &symbols));
        assert_eq!(terms.text(made[41].2, &symbols), "(n1 (n1 n1 n1) n1)");
    }
}
