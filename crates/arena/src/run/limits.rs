//! Counts which limits ended the searches of a run.

use std::collections::BTreeMap;

use crate::{Limit, PlayedMatch};

/// A limit that ended searches of an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EndedBy {
    /// The agent, as an index into the experiment's.
    pub agent: usize,
    /// The limit; the greatest of its kind if it varied.
    pub limit: Limit,
    /// The number of searches that it ended.
    pub searches: u64,
}

/// What the matches so far add up to, by agent and kind of limit.
#[derive(Default)]
pub(super) struct Limits(BTreeMap<(usize, &'static str), EndedBy>);

impl Limits {
    /// Counts the decisions of a match between `agents`, seated by `seating`.
    pub(super) fn count(&mut self, agents: &[usize], seating: &[usize], played: &PlayedMatch) {
        for decision in &played.decisions {
            let Some(limit) = decision.limit else { continue };
            let agent = agents[seating[decision.player.index()]];
            let counted = self.0.entry((agent, kind(limit))).or_insert(EndedBy { agent, limit, searches: 0 });
            counted.limit = greater(counted.limit, limit);
            counted.searches += 1;
        }
    }

    /// By agent.
    pub(super) fn into_list(self) -> Vec<EndedBy> {
        self.0.into_values().collect()
    }
}

fn kind(limit: Limit) -> &'static str {
    match limit {
        Limit::Playouts(_) => "playouts",
        Limit::Nodes(_) => "nodes",
        Limit::Time(_) => "time",
        Limit::Settings(names) => names,
    }
}

/// The greater of two limits of the same kind.
fn greater(one: Limit, two: Limit) -> Limit {
    match (one, two) {
        (Limit::Playouts(one), Limit::Playouts(two)) => Limit::Playouts(one.max(two)),
        (Limit::Nodes(one), Limit::Nodes(two)) => Limit::Nodes(one.max(two)),
        (Limit::Time(one), Limit::Time(two)) => Limit::Time(one.max(two)),
        _ => one,
    }
}
