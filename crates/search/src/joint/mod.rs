//! Monte Carlo search for simultaneous moves of two players, where mixed strategies matter.
//!
//! * [`JointMc`]: one table of joint actions at the root, all agents of paper 004 (§3, §6.1);
//! * [`JointTree`]: a growing tree with such a table at every node (the paper's plan MSUCT, and simultaneous-move MCTS
//!   by decoupled UCT, Exp3 and regret matching), with exact solutions of small endgames;
//! * [`Cfr`]: CFR+ and Monte Carlo CFR on the game cut at a depth;
//! * [`NashMethod`]: how mixed strategies are computed in a table of estimates, including figure 3 of the paper.
//!
//! All handle games for one or two players; steps of a single player and of chance may occur anywhere. Values are
//! shares by player index. A table has a row for each action of the first player and a column for each of the second; a
//! player who does not move has one row or column.

mod sides;
mod arms;
mod figure3;
mod mixing;
mod kept;
mod symmetry;
mod joint_mc;
mod second;
mod tree;
mod selection;
mod settings;
mod value_tree;
mod joint_tree;
mod endgame;
mod cut_game;
mod cfr;

#[cfg(test)]
mod lock_step;
#[cfg(test)]
mod whole_games;
#[cfg(test)]
mod tests;

pub use cfr::{Cfr, CfrMethod};
pub use joint_mc::{JointAllocation, JointMc};
pub use joint_tree::JointTree;
pub use mixing::NashMethod;
pub use selection::JointSelection;
pub use settings::{JointBackup, TreeSettings};
pub use sides::{Draws, JointChoice};
pub use symmetry::{Image, Symmetry};
