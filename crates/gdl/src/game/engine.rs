//! What a game asks of an engine. States are sets of facts packed into words; each engine packs them in its own way.

use smallvec::SmallVec;
use tesuji_core::Rng;

use super::networked::LanePool;
use crate::lanes::Lanes;

/// The facts of a state. A handful of words lies in place, more on the heap.
pub type Facts = SmallVec<[u64; 8]>;

/// A move of a role, by a number that the engine gives it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move(pub u32);

/// Which engine runs a sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineKind {
    /// Follows the rules as they are written.
    Interpreter,
    /// Evaluates the network that grounding gives.
    Network,
}

impl EngineKind {
    /// All engines, the reference first.
    pub const ALL: [EngineKind; 2] = [EngineKind::Interpreter, EngineKind::Network];

    /// Its name for users.
    pub const fn name(self) -> &'static str {
        match self {
            EngineKind::Interpreter => "interpreter",
            EngineKind::Network => "network",
        }
    }
}

/// What holds in a state, as far as the course of a match depends on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// Is the match over?
    pub terminal: bool,
    /// How many legal moves each role has, and its first one. Unspecified where the match is over.
    pub roles: SmallVec<[(u32, Move); 2]>,
}

/// Answers questions about states. Equal questions get equal answers, whatever was asked before.
pub(crate) trait Engine: Send + Sync {
    /// Which it is.
    fn kind(&self) -> EngineKind;

    /// The first state.
    fn start(&self) -> Facts;

    /// What holds in a state.
    fn survey(&self, facts: &[u64], survey: &mut Survey);

    /// Appends the legal moves of a role, in a fixed order.
    fn legal(&self, facts: &[u64], role: usize, out: &mut Vec<Move>);

    /// The legal move of that rank in the order of [`legal`](Engine::legal).
    fn legal_at(&self, facts: &[u64], role: usize, rank: usize) -> Move;

    /// Makes the next state of one where each role does its move, and surveys it.
    fn advance(&self, facts: &mut Facts, joint: &[Move], survey: &mut Survey);

    /// What each role gets here; `None` where the rules do not say, or say two things.
    fn goals(&self, facts: &[u64], out: &mut Vec<Option<i32>>);

    /// The facts of a state as text, sorted.
    fn fact_texts(&self, facts: &[u64]) -> Vec<String>;

    /// The state of these facts. The error says which text is no fact of this game.
    fn facts_of(&self, texts: &[String]) -> Result<Facts, String>;

    /// A move as text.
    fn move_text(&self, role: usize, number: Move) -> String;

    /// Plays uniformly to the end, or until `limit` steps are made, from a state that is not over: returns the steps, or
    /// `None` if the engine knows no faster way than step by step. Draws from `rng` as step by step would.
    fn play_out(&self, _facts: &mut Facts, _rng: &mut Rng, _limit: u32) -> Option<u32> {
        None
    }

    /// Lanes, with the pool to give them back to; `None` if the engine has none.
    fn lanes(&self) -> Option<(LanePool, Lanes)> {
        None
    }
}
