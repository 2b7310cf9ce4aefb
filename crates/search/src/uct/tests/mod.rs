//! Tests of the search: what they share.

mod batched_amaf;
mod fuzzy;
mod knowledge;
mod known_answers;
mod memory;
mod parts;
mod prior;
mod promises;
mod proofs;

use tesuji_core::Game;

use super::tree::{NONE, ROOT};
use super::{Settings, Uct};
use crate::Simulation;
use crate::tiny_games::Form;

const SEEDS: std::ops::Range<u64> = 0..5;

fn uct<G: Game + 'static>(change: impl FnOnce(&mut Settings)) -> Uct<G> {
    let mut settings = Settings::default();
    change(&mut settings);
    Uct::new(settings, Simulation::default())
}

/// A joint move of two actions each, then one of four like `form`.
fn twice(form: Form) -> Form {
    let copy = |form: &Form| match form {
        Form::Joint(counts, ends) => Form::Joint(
            counts.clone(),
            ends.iter()
                .map(|end| if let Form::Over(payoffs) = end { Form::Over(payoffs.clone()) } else { unreachable!() })
                .collect(),
        ),
        _ => unreachable!(),
    };
    Form::Joint(vec![2, 2], (0..4).map(|_| copy(&form)).collect())
}

/// Checks that every child exists, is not the root, and (without shared nodes) was not visited more often than its
/// edge.
fn check_tree<G: Game>(agent: &Uct<G>) {
    let tree = &agent.tree;
    for (id, _) in tree.nodes.iter().enumerate() {
        for &span in tree.spans(id as u32) {
            for edge in tree.edges(span) {
                if edge.child != NONE {
                    let child = &tree.nodes[edge.child as usize];
                    assert!(agent.settings.transpositions || edge.child != ROOT && child.visits <= edge.visits);
                }
            }
        }
    }
    for (&(node, _), joint) in &tree.joints {
        assert!((node as usize) < tree.nodes.len());
        assert!(joint.child == NONE || tree.nodes[joint.child as usize].visits <= joint.visits);
    }
    if let Some(table) = &tree.table {
        let mut ids: Vec<u32> = table.values().copied().collect();
        ids.sort_unstable();
        assert_eq!(ids, (0..tree.nodes.len() as u32).collect::<Vec<_>>());
    }
}
