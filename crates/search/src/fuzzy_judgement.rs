//! The fuzzy evaluation used when a search expands a node: the membership of each action, and which actions to prune.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use tesuji_core::{ActionFeatures, Game};

use tesuji_fuzzy::Memberships;

/// The most cached answers; TUBSTAP has 50,820 vectors.
const MOST_REMEMBERED: usize = 1 << 16;

/// The fuzzy evaluation of actions for one game, with a cache that does not affect results.
pub struct FuzzyJudgement<G: Game> {
    memberships: Arc<Memberships>,
    neighbours: usize,
    prune: Option<f64>,
    features: &'static dyn ActionFeatures<G>,
    vector: Vec<f64>,
    key: Vec<u64>,
    answers: FxHashMap<Box<[u64]>, f32>,
}

impl<G: Game> FuzzyJudgement<G> {
    /// An evaluation by a table over the game's action features, with k `neighbours`. Actions below `prune` are pruned.
    pub fn new(
        features: &'static dyn ActionFeatures<G>,
        memberships: Arc<Memberships>,
        neighbours: usize,
        prune: Option<f64>,
    ) -> FuzzyJudgement<G> {
        FuzzyJudgement {
            memberships,
            neighbours,
            prune,
            features,
            vector: Vec::new(),
            key: Vec::new(),
            answers: FxHashMap::default(),
        }
    }

    /// Clears `out` and writes the membership of each of `actions`, which are legal in `state`; removes those below the
    /// threshold from both. If all are below it, those with the greatest membership stay, so at least one action
    /// remains.
    pub fn judge(&mut self, game: &G, state: &G::State, actions: &mut Vec<G::Action>, out: &mut Vec<f32>) {
        out.clear();
        for &action in &*actions {
            out.push(self.membership(game, state, action));
        }
        let Some(prune) = self.prune else { return };
        let most = out.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let least = (prune as f32).min(most);
        let mut stays = out.iter().map(|&membership| membership >= least);
        actions.retain(|_| stays.next() == Some(true));
        out.retain(|&membership| membership >= least);
    }

    fn membership(&mut self, game: &G, state: &G::State, action: G::Action) -> f32 {
        self.vector.clear();
        self.features.values(game, state, action, &mut self.vector);
        self.key.clear();
        self.key.extend(self.vector.iter().map(|feature| feature.to_bits()));
        if let Some(&known) = self.answers.get(self.key.as_slice()) {
            return known;
        }
        let membership = self.memberships.of(&self.vector, self.neighbours) as f32;
        if self.answers.len() >= MOST_REMEMBERED {
            self.answers.clear();
        }
        self.answers.insert(self.key.as_slice().into(), membership);
        membership
    }
}
