//! How much a question about the rules may cost.

/// Limits of the interpreter. Rules with functions or recursion can describe endless work; beyond a limit a question is
/// answered with an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most conditions looked at for one question (the legal moves of one role, the next state, …). The default,
    /// 200 million, is some ten seconds; chess needs well under a million.
    pub steps: u64,
    /// The most answers remembered for one state, over all relations. The default is 5 million, some hundred megabytes.
    pub answers: u64,
    /// The most different ground terms a sheet may ever come to. The default is 5 million.
    pub terms: usize,
    /// The deepest nesting of functions in a term. The default is 500.
    pub nesting: u16,
    /// The most calls inside each other. The default is 10,000.
    pub calls: u32,
    /// The most facts of a state. The default is 100,000.
    pub facts: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 200_000_000, answers: 5_000_000, terms: 5_000_000, nesting: 500, calls: 10_000, facts: 100_000 }
    }
}
