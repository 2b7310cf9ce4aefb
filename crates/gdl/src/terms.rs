//! Terms without variables as small numbers: equal terms have equal numbers.

use rustc_hash::FxHashMap;

use crate::{Symbol, Symbols};

/// A term without variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GroundTerm(pub u32);

impl GroundTerm {
    /// Its number, counted from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The terms met so far.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// Name and where the arguments lie.
    nodes: Vec<(Symbol, u32, u32)>,
    /// How deep functions stand inside each other: 0 for a constant.
    depths: Vec<u32>,
    /// Was it written with parentheses? Tells `(f)` from `f`.
    functions: Vec<bool>,
    arguments: Vec<GroundTerm>,
    numbers: FxHashMap<(Symbol, bool, Box<[GroundTerm]>), GroundTerm>,
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
        let key = (symbol, function, arguments.into());
        if let Some(&term) = self.numbers.get(&key) {
            return term;
        }
        let term = GroundTerm(self.nodes.len() as u32);
        let start = self.arguments.len() as u32;
        self.arguments.extend_from_slice(arguments);
        self.nodes.push((symbol, start, self.arguments.len() as u32));
        self.functions.push(function);
        let inner = arguments.iter().map(|&argument| self.depths[argument.index()]).max();
        self.depths.push(if function { inner.unwrap_or(0) + 1 } else { 0 });
        self.numbers.insert(key, term);
        term
    }

    /// The term of that shape, if it was met.
    pub fn find(&self, symbol: Symbol, function: bool, arguments: &[GroundTerm]) -> Option<GroundTerm> {
        self.numbers.get(&(symbol, function, arguments.into())).copied()
    }

    /// The name in front.
    pub fn name(&self, term: GroundTerm) -> Symbol {
        self.nodes[term.index()].0
    }

    /// Is it a function of terms (of none, perhaps), not a constant?
    pub fn is_function(&self, term: GroundTerm) -> bool {
        self.functions[term.index()]
    }

    /// What stands behind the name; empty for a constant.
    pub fn arguments(&self, term: GroundTerm) -> &[GroundTerm] {
        let (_, start, end) = self.nodes[term.index()];
        &self.arguments[start as usize..end as usize]
    }

    /// How deep functions stand inside each other: 0 for a constant, 1 for a function of constants.
    pub fn depth(&self, term: GroundTerm) -> usize {
        self.depths[term.index()] as usize
    }

    /// How many terms there are.
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
