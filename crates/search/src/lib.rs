//! Agents: search algorithms that choose actions for players, for any game.
//!
//! Everything here works on any [`Game`](tesuji_core::Game); no specific game is named. What a game knows about good
//! play reaches an agent through [`Knowledge`](tesuji_core::Knowledge).
//!
//! Inside a search every value is a *share*: a payoff rescaled to [0, 1] by [`Spec::normalise`](tesuji_core::Spec).
//! Values are stored and backed up by player index, never by sign or parity. So a player may act several times in a
//! row, several players may act at once, and payoffs need not have a constant sum.

mod arithmetic;
mod cold_sort;
mod expectimax;
mod final_choice;
mod mc;
mod fuzzy_judgement;
mod network_prior;
mod best_action;
mod champion;
pub mod kinds;
mod look_ahead;
mod nominate;
mod learning;
pub mod joint;
mod ismcts;
mod pace;
mod puzzle;
mod self_taught;
mod random;
mod faulty;
pub mod guided;
mod simulation;
mod standpoint;
#[cfg(test)]
mod tiny_games;
mod turns;
mod uct;

pub(crate) use tesuji_play::{Agent, Budget, Candidate, Decision, Failure, Limit, Meter, Seat, Thought, Watcher};
pub(crate) use tesuji_solve::{matrix, simultaneous};

pub use best_action::BestAction;
pub use champion::{Champion, Pupil};
pub use expectimax::{Expectimax, Pruning};
pub(crate) use faulty::{Fault, Faulty};
pub use final_choice::FinalChoice;
pub use fuzzy_judgement::FuzzyJudgement;
pub use ismcts::Ismcts;
pub(crate) use learning::LONGEST_GRAM;
pub use learning::{BatchLearner, GramHistory, Grams, Learner, Learning, Method, PlayoutSelection, StatePairs};
pub use look_ahead::{Backup, LookAhead, Standard};
pub use mc::{Allocation, Mc};
pub use network_prior::NetworkPrior;
pub use nominate::Nominate;
pub(crate) use puzzle::is_puzzle;
pub use puzzle::{Puzzle, PuzzleSettings};
pub use random::Random;
pub use self_taught::SelfTaught;
pub use simulation::{Batch, Simulation};
pub use turns::{
    Adjustment, AttackSearch, Beam, ByResult, Divided, Dlmc, Evolution, Judge, Plan, Planner, Satisficing, TurnAgent,
    TurnAllocation,
};
pub use uct::{
    FirstPlay, FirstVisit, Opponents, ParallelUct, Rave, RootHalving, Selection, Settings, TotalCount, Uct,
    WidenedNodes, Widening,
};
