//! Validation of rule sheets: errors, warnings and notes about a sheet that parses.
//!
//! - Error: the sheet does something that the language forbids and that affects a match.
//! - Warning: the language forbids it, but no match depends on it, or engines cope with it.
//! - Note: possibly a mistake.
//!
//! In GDL every joint move has one next state. Two can arise only from rules that negate each other in a cycle (`p`
//! unless `q`, `q` unless `p`). Whether such a cycle closes depends on ground facts, so it is a warning for relations
//! and an error when random play reaches it.

mod form;
mod sense;
mod play;
mod engines;
#[cfg(test)]
mod tests;

use rustc_hash::{FxHashMap, FxHashSet};
use tesuji_core::InputError;

pub use engines::compare_engines;

use crate::interpreter::predicates::{Origin, Predicates, atom_of};
use crate::interpreter::{Interpreter, Limits};
use crate::symbols::keyword;
use crate::{Rule, Sheet};

/// The severity of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Possibly a mistake.
    Note,
    /// Against the language, but without effect or harmless.
    Warning,
    /// The sheet is not a valid game.
    Error,
}

impl Severity {
    /// The name of the severity.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A finding about a sheet, with its location.
#[derive(Clone, Debug)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What it is, and where.
    pub error: InputError,
}

/// How a sheet is tested by random play.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The number of random matches; 0 for none.
    pub matches: u64,
    /// Longer matches are reported.
    pub most_steps: usize,
    /// The most steps of all matches together.
    pub total_steps: usize,
    /// The seed of the random moves.
    pub seed: u64,
    /// The limits of a query.
    pub limits: Limits,
}

impl Default for Trial {
    fn default() -> Self {
        Trial { matches: 20, most_steps: 1_000, total_steps: 4_000, seed: 1, limits: Limits::default() }
    }
}

/// Validates a sheet. Findings are sorted by severity, errors first, then by their position in the text.
pub fn validate(sheet: &Sheet, trial: &Trial) -> Vec<Finding> {
    let mut inspection = Inspection::of(sheet);
    inspection.missing_keywords();
    inspection.misused_keywords();
    inspection.arities();
    inspection.goal_values();
    inspection.spellings();
    inspection.unknown_and_unused();
    inspection.levels();
    inspection.unsafe_variables();
    inspection.recursion();
    let sound = inspection.findings.iter().all(|finding| finding.severity != Severity::Error);
    match Interpreter::new(sheet, trial.limits) {
        Ok(interpreter) => inspection.play(&interpreter, trial),
        // Syntax that the interpreter refuses was reported above.
        Err(error) if sound => inspection.add(Severity::Error, error),
        Err(_) => {}
    }
    let mut findings = inspection.findings;
    findings.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.error.position()));
    findings
}

/// Whether a relation of the sheet depends on itself.
pub fn is_recursive(sheet: &Sheet) -> bool {
    Predicates::of(sheet).recursive.contains(&true)
}

/// The relations that define a game.
const ROOTS: [crate::Symbol; 6] =
    [keyword::ROLE, keyword::INIT, keyword::LEGAL, keyword::NEXT, keyword::TERMINAL, keyword::GOAL];

struct Inspection<'a> {
    sheet: &'a Sheet,
    predicates: Predicates,
    /// The relations that a match depends on.
    used: FxHashSet<usize>,
    findings: Vec<Finding>,
    /// Messages already reported at a place: a clause with `or` produces several rules, but one message is enough.
    said: FxHashSet<(u32, String)>,
}

impl<'a> Inspection<'a> {
    fn of(sheet: &'a Sheet) -> Inspection<'a> {
        let predicates = Predicates::of(sheet);
        let is_root = |origin: Origin| matches!(origin, Origin::Defined(name, ..) if ROOTS.contains(&name));
        let mut waiting: Vec<usize> =
            (0..predicates.list.len()).filter(|&index| is_root(predicates.list[index].origin)).collect();
        let mut used = FxHashSet::default();
        while let Some(index) = waiting.pop() {
            if used.insert(index) {
                let bodies = predicates.list[index].rules.iter().flat_map(|&rule| &sheet.rules[rule].body);
                let atoms = bodies.filter_map(atom_of);
                waiting.extend(atoms.filter_map(|(atom, _)| predicates.of_atom(atom)).map(|(used, _)| used));
            }
        }
        Inspection { sheet, predicates, used, findings: Vec::new(), said: FxHashSet::default() }
    }

    fn add(&mut self, severity: Severity, error: InputError) {
        self.findings.push(Finding { severity, error });
    }

    /// Adds a finding about a rule, once.
    fn at(&mut self, severity: Severity, rule: &Rule, message: String, help: &str) {
        if self.said.insert((rule.place.start, message.clone())) {
            let error = self.sheet.error(rule.place, message);
            self.add(severity, if help.is_empty() { error } else { error.with_help(help) });
        }
    }

    fn name(&self, symbol: crate::Symbol) -> &'a str {
        self.sheet.symbols.text(symbol)
    }

    /// Whether a match depends on this rule.
    fn matters(&self, rule: &Rule) -> bool {
        self.predicates.of_atom(&rule.head).is_some_and(|(index, _)| self.used.contains(&index))
    }

    /// An error if a match depends on the rule, otherwise a warning.
    fn weight(&self, rule: &Rule) -> Severity {
        if self.matters(rule) { Severity::Error } else { Severity::Warning }
    }
}

/// The first rule in which each key occurs.
type FirstSeen<K> = FxHashMap<K, usize>;
