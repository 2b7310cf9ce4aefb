//! The interface of engines that run a sheet as a game. States are sets of facts packed into words; each engine packs
//! them in its own way.

use smallvec::SmallVec;
use tesuji_core::Rng;

use super::networked::LanePool;
use crate::lanes::Lanes;

/// The facts of a state. A few words are stored inline, more on the heap.
pub(crate) type Facts = SmallVec<[u64; 8]>;

/// A move of a role, numbered by the engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move(pub u32);

/// The engine that runs a sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineKind {
    /// The interpreter, which evaluates the rules as written.
    Interpreter,
    /// The network of gates compiled from the grounded rules.
    Network,
}

impl EngineKind {
    /// All engines, the reference first.
    pub const ALL: [EngineKind; 2] = [EngineKind::Interpreter, EngineKind::Network];

    /// The name shown to users.
    pub const fn name(self) -> &'static str {
        match self {
            EngineKind::Interpreter => "interpreter",
            EngineKind::Network => "network",
        }
    }
}

/// What play needs to know about a state.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Survey {
    /// Whether the match is over.
    pub terminal: bool,
    /// For each role, the number of legal moves and the first of them. Unspecified if the match is over.
    pub roles: SmallVec<[(u32, Move); 2]>,
}

/// An engine: evaluates the rules in a state. Results depend only on the arguments, not on earlier calls.
pub(crate) trait Engine: Send + Sync {
    /// The kind of the engine.
    fn kind(&self) -> EngineKind;

    /// The initial state.
    fn start(&self) -> Facts;

    /// Surveys a state.
    fn survey(&self, facts: &[u64], survey: &mut Survey);

    /// Appends the legal moves of a role, in a fixed order.
    fn legal(&self, facts: &[u64], role: usize, out: &mut Vec<Move>);

    /// The legal move at `rank` in the order of [`legal`](Engine::legal).
    fn legal_at(&self, facts: &[u64], role: usize, rank: usize) -> Move;

    /// Replaces the state by its successor when each role makes its move, and surveys it.
    fn advance(&self, facts: &mut Facts, joint: &[Move], survey: &mut Survey);

    /// The goal of each role in this state; `None` if the rules define none or several.
    fn goals(&self, facts: &[u64], out: &mut Vec<Option<i32>>);

    /// The facts of a state as text, sorted.
    fn fact_texts(&self, facts: &[u64]) -> Vec<String>;

    /// The numbers of a role's percepts in a state, ascending; none if the sheet has no percepts.
    fn percepts(&self, facts: &[u64], role: usize) -> Vec<u32>;

    /// Parses the facts of a state. The error names the text that is not a fact of this game.
    fn facts_of(&self, texts: &[String]) -> Result<Facts, String>;

    /// The text of a move.
    fn move_text(&self, role: usize, number: Move) -> String;

    /// Plays uniformly at random from a non-terminal state to the end, or for at most `limit` steps, and returns the
    /// number of steps. `None` if the engine has no faster way than step by step. Draws from `rng` exactly as playing
    /// step by step would.
    fn play_out(&self, _facts: &mut Facts, _rng: &mut Rng, _limit: u32) -> Option<u32> {
        None
    }

    /// The number of facts, if the bits of a state number them; `None` if states are packed in another way.
    fn fact_count(&self) -> Option<usize> {
        None
    }

    /// The texts of all facts by number, where [`fact_count`](Engine::fact_count) is known.
    fn all_facts(&self) -> &[String] {
        &[]
    }

    /// The number of different moves of a role, in all states together; `None` if moves are numbered as they appear.
    fn move_count(&self, _role: usize) -> Option<usize> {
        None
    }

    /// Lanes, with the pool to return them to; `None` if the engine has none.
    fn lanes(&self) -> Option<(LanePool, Lanes)> {
        None
    }
}
