//! Rules made ready to run: for each rule and each set of columns that the question knows, the order in which the
//! conditions are asked and what each of them looks up, checks and binds.

mod compile;
mod once;
mod order;

use rustc_hash::FxHashMap;

use super::predicates::{Level, Predicates};
use super::rows::Value;
use crate::Symbol;

pub(super) use compile::compile;

/// What a value must look like, and the variables it binds.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Constant(Value),
    /// The value that the variable has.
    Known(u32),
    /// Any value; the variable gets it.
    Bind(u32),
    Function(Symbol, Box<[Pattern]>),
}

/// A term whose variables all have values.
#[derive(Clone, Debug)]
pub(super) enum Builder {
    Constant(Value),
    Variable(u32),
    Function(Symbol, Box<[Builder]>),
}

/// How rows are found.
#[derive(Clone, Debug)]
pub(super) enum Access {
    /// All of them.
    All,
    /// Those that the last round of a recursion brought.
    Fresh,
    /// By an index.
    Index(u32),
    /// The whole row is known.
    Exact,
}

/// One condition.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Rows of a relation that is stored.
    Rows { relation: u32, access: Access, key: Box<[Builder]>, columns: Box<[(u32, Pattern)]>, once: bool },
    /// There is no such row.
    NoRow { relation: u32, access: Access, key: Box<[Builder]>, columns: Box<[(u32, Pattern)]> },
    /// Answers of a procedure.
    Call { procedure: u32, key: Box<[Builder]>, columns: Box<[(u32, Pattern)]>, once: bool },
    /// The procedure has no such answer.
    NoAnswer { procedure: u32, key: Box<[Builder]>, columns: Box<[(u32, Pattern)]> },
    /// The terms differ.
    Distinct(Builder, Builder),
    /// The second term looks like the first.
    Same(Pattern, Builder),
    /// Never holds.
    Never,
}

/// A rule for one set of known columns.
#[derive(Clone, Debug)]
pub(super) struct RulePlan {
    /// What the known columns of the question must look like, in their order.
    pub question: Box<[Pattern]>,
    pub steps: Box<[Step]>,
    /// The other columns.
    pub answer: Box<[Builder]>,
    pub variables: u32,
}

/// A relation asked with some columns known.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub level: Level,
    pub plans: Vec<RulePlan>,
    /// How many columns an answer has.
    pub width: usize,
    /// The relation it proves.
    pub predicate: usize,
}

/// Relations found from the bottom up together.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub level: Level,
    pub relations: Vec<u32>,
    /// Rules that do not use the relations themselves, with the relation they add to.
    pub base: Vec<(u32, RulePlan)>,
    /// Rules that do: relation whose fresh rows they start from, relation they add to.
    pub rounds: Vec<(u32, u32, RulePlan)>,
}

/// A relation that is stored.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub width: usize,
    pub indexes: Vec<Box<[u32]>>,
    /// The rows that are always there.
    pub facts: Vec<Box<[Value]>>,
    /// The group that finds its other rows.
    pub whole: Option<u32>,
}

/// A sheet made ready to run.
pub(super) struct Program {
    pub stored: Vec<Stored>,
    pub procedures: Vec<Procedure>,
    pub wholes: Vec<Whole>,
    /// The relations of the state's facts, by name, number of arguments and whether they are functions.
    pub facts: FxHashMap<(Symbol, usize, bool), u32>,
    pub any_fact: Option<u32>,
    pub does: Option<u32>,
    pub init: u32,
    /// Knows the role; answers with moves.
    pub legal: u32,
    pub next: u32,
    pub terminal: u32,
    /// Knows the role; answers with values.
    pub goal: u32,
    /// What each procedure is about, for messages.
    pub predicates: Predicates,
}
