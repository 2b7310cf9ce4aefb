//! Agent kinds by name: the parameters of each, as in the address `uct(playouts=2000,c=0.15)`, and how it is built for
//! a game. One file per kind; shared parameters are in `parameters`, and what kinds need of a game in `requirements`.

mod parameters;
mod random;
mod faulty;
mod guided;
mod mc;
mod look_ahead;
mod expectimax;
mod nominate;
mod uct;
mod memberships;
mod networks;
mod requirements;
mod turn_agent;
mod best_action;
mod attack_search;
mod beam;
mod dlmc;
mod satisficing;
mod evolution;
mod joint_mc;
mod joint_tree;
mod cfr;
mod ismcts;
mod puzzle;
mod self_taught;
mod ggp_champion;
#[cfg(test)]
mod tests;

use tesuji_play::{AgentKind, Preset};

pub use attack_search::AttackSearchKind;
pub use beam::BeamKind;
pub use best_action::BestActionKind;
pub use cfr::CfrKind;
pub use dlmc::DlmcKind;
pub use evolution::EvolutionKind;
pub use expectimax::ExpectimaxKind;
pub use faulty::FaultyKind;
pub use ggp_champion::GgpChampionKind;
pub use guided::GuidedKind;
pub use ismcts::IsmctsKind;
pub use joint_mc::JointMcKind;
pub use joint_tree::JointTreeKind;
pub use look_ahead::LookAheadKind;
pub use mc::McKind;
pub use nominate::NominateKind;
pub use puzzle::PuzzleKind;
pub use random::RandomKind;
pub use satisficing::SatisficingKind;
pub use self_taught::SelfTaughtKind;
pub use uct::UctKind;
