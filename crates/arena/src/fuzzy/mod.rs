//! Fuzzy evaluation of actions (paper 000, sections 6 to 8): labelled actions, and tables learned from them.
//!
//! People label actions while they look at a match ([`opponent_actions`],
//! [`Store::add_label`](crate::store::Store::add_label)), or a strong agent stands in for them ([`stand_in`]). Labels
//! are kept in the store and exchanged as CSV ([`LabelSet`]); [`LabelSet::learn`] makes the table that agents read.

mod check;
mod label;
mod plot;
mod stand_in;
mod text;
mod walk;

pub use check::LabelCheck;
pub use label::{Label, LabelCounts, LabelSet, membership_table};
pub use plot::membership_plot;
pub use stand_in::{StandInPlan, stand_in};
pub use tesuji_fuzzy::{Known, LABELS, Memberships};
pub use walk::{PlayedAction, opponent_actions};
