//! Keys of positions: equal keys for positions that differ at most in a step counter.
//!
//! A feature of states counts steps if, in random playouts, it depends on the number of steps alone: at each number it
//! is active in all playouts or in none, and not the same at all numbers.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use tesuji_core::{Game, Player, Rng, Turn, ValueFeatures, mix};

/// Random playouts observed.
const PLAYOUTS: usize = 64;
/// A number of steps counts if at least this many playouts were that long.
const LEAST: usize = 8;
/// Steps observed.
const STEPS: usize = 128;
/// Feature sets with more inputs are not observed.
const MOST_INPUTS: usize = 1 << 16;

/// Makes the keys of positions.
pub(super) struct Keys<G: Game> {
    features: Option<&'static dyn ValueFeatures<G>>,
    /// By feature: whether it only counts steps.
    counts: Vec<bool>,
    active: Vec<u32>,
}

impl<G: Game> Keys<G> {
    /// Finds out which features count steps.
    pub(super) fn learn(
        game: &G,
        root: &G::State,
        player: Player,
        features: Option<&'static dyn ValueFeatures<G>>,
        rng: &mut Rng,
    ) -> Keys<G> {
        let mut keys = Keys { features, counts: Vec::new(), active: Vec::new() };
        let Some(features) = features else { return keys };
        let inputs = features.set(game).inputs;
        if inputs > MOST_INPUTS {
            keys.features = None;
            return keys;
        }
        // By number of steps: playouts observed, and in how many of them each feature was active.
        let mut observed = [0usize; STEPS];
        let mut active = vec![0u8; inputs * STEPS];
        let mut scratch = Vec::new();
        for _ in 0..PLAYOUTS {
            let mut state = root.clone();
            for step in 0..STEPS {
                if !matches!(game.turn(&state), Turn::Player(_)) {
                    break;
                }
                observed[step] += 1;
                keys.active.clear();
                features.active(game, &state, player, &mut keys.active);
                keys.active.sort_unstable();
                keys.active.dedup();
                keys.active.iter().for_each(|&feature| active[feature as usize * STEPS + step] += 1);
                let action = game.random_action(&state, player, rng, &mut scratch);
                game.apply(&mut state, &[action]);
            }
        }
        let counts_steps = |row: &[u8]| {
            let known = || row.iter().zip(&observed).filter(|(_, observed)| **observed >= LEAST);
            let fixed = known().all(|(&active, &observed)| active == 0 || usize::from(active) == observed);
            fixed && known().any(|(&active, _)| active > 0) && known().any(|(&active, _)| active == 0)
        };
        keys.counts = active.chunks_exact(STEPS).map(counts_steps).collect();
        keys
    }

    /// Whether different states have different keys.
    pub(super) fn are_exact(&self) -> bool {
        self.features.is_none()
    }

    /// From now on different states have different keys.
    pub(super) fn make_exact(&mut self) {
        self.features = None;
    }

    /// The key of a state in which a player acts.
    pub(super) fn key(&mut self, game: &G, state: &G::State, player: Player) -> u64 {
        let Some(features) = self.features else {
            let mut hasher = FxHasher::default();
            state.hash(&mut hasher);
            return mix(hasher.finish(), 0);
        };
        self.active.clear();
        features.active(game, state, player, &mut self.active);
        let counted = self.active.iter().filter(|&&feature| !self.counts[feature as usize]);
        counted.fold(0, |key: u64, &feature| key.wrapping_add(mix(u64::from(feature), 1)))
    }
}
