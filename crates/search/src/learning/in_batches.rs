//! MAST for batches of playouts: moves that paid in earlier playouts are preferred in later ones.
//!
//! A batch runs all its playouts side by side, so it cannot look an action up for each of them. It can rank the actions
//! once for all: each mover draws `draws` of its legal actions and takes the one with the best mean
//! ([`CountingPlayouts::prefer`]). With more draws playouts are greedier; one draw is a uniform playout. An action
//! never seen comes before all others.
//!
//! The mean of an action covers the playouts in which its player took it, below the leaves only. Between two decisions
//! of a match all visits are multiplied by a decay.

use rustc_hash::FxHashMap;
use tesuji_core::{CountingPlayouts, Game, Player, TakenAction};

use super::trace::choice_key;
use crate::Seat;
use crate::standpoint::Standpoint;

/// What batches of playouts have learned.
pub struct BatchLearner<G: Game> {
    draws: u32,
    decay: f64,
    /// The index in `means` of each player's action, by its key. (A map of keys is compiled once for all games.)
    places: FxHashMap<u64, usize>,
    means: Vec<Mean>,
    scores: Vec<(Player, G::Action, f32)>,
    standpoint: Option<Standpoint<G>>,
}

/// The mean share of an action.
#[derive(Clone, Copy)]
struct Mean {
    visits: f64,
    total: f64,
}

impl<G: Game> BatchLearner<G> {
    /// A learner without experience, whose playouts take the best of `draws` actions.
    pub fn new(draws: u32, decay: f64) -> BatchLearner<G> {
        let (places, means, scores) = (FxHashMap::default(), Vec::new(), Vec::new());
        BatchLearner { draws, decay, places, means, scores, standpoint: None }
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        self.places.clear();
        self.means.clear();
        self.scores.clear();
        self.standpoint = None;
    }

    /// Called when thinking begins at `seat`: what was learned earlier in the match decays, and what belongs to another
    /// match is forgotten.
    pub(crate) fn follow(&mut self, seat: &Seat<'_, G>, prepared: bool) {
        match &self.standpoint {
            Some(before) if before.leads_to(seat) => {
                if seat.history.len() > before.steps {
                    for mean in &mut self.means {
                        (mean.visits, mean.total) = (mean.visits * self.decay, mean.total * self.decay);
                    }
                }
            }
            _ => self.forget(),
        }
        self.standpoint = Some(Standpoint::of(seat, prepared));
    }

    /// Makes the next playouts prefer what paid.
    pub(crate) fn guide(&mut self, game: &G, playouts: &mut dyn CountingPlayouts<G>) {
        for ((.., score), mean) in self.scores.iter_mut().zip(&self.means) {
            *score = (mean.total / mean.visits) as f32;
        }
        playouts.prefer(game, self.draws, &self.scores);
    }

    /// Learns from counted playouts.
    pub(crate) fn observe(&mut self, game: &G, taken: &[TakenAction<G::Action>]) {
        for &TakenAction { player, action, playouts, total, .. } in taken {
            let place = *self.places.entry(choice_key(player, &action)).or_insert_with(|| {
                self.means.push(Mean { visits: 0.0, total: 0.0 });
                self.scores.push((player, action, 0.0));
                self.scores.len() - 1
            });
            let (visits, mean) = (f64::from(playouts), &mut self.means[place]);
            mean.visits += visits;
            mean.total += visits * game.spec().normalise(total / visits);
        }
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::{History, OneByOne, Rng};

    use super::*;
    use crate::tiny_games::{Nim, Written, choice, over};

    /// The playouts' choices at a node with four ends, after some batches of learning.
    fn shares(draws: u32, batches: u32) -> [f64; 4] {
        let game = Written::new(2, (0.0, 1.0), choice(0, [0.1, 0.9, 0.5, 0.3].map(|share| over([share, 1.0 - share]))));
        let (mut playouts, mut learner) = (OneByOne::default(), BatchLearner::new(draws, 0.2));
        let (mut rng, mut taken) = (Rng::new(5), Vec::new());
        for _ in 0..batches {
            taken.clear();
            learner.guide(&game, &mut playouts);
            playouts.run_counting(&game, &[game.start()], 4_000, &mut rng, &mut [0.0; 2], &mut taken);
            learner.observe(&game, &taken);
        }
        let mut shares = [0.0; 4];
        taken.iter().for_each(|taken| shares[taken.action as usize] = f64::from(taken.playouts) / 4_000.0);
        shares
    }

    #[test]
    fn later_playouts_prefer_what_paid() {
        for draws in [1, 2, 5] {
            let learned = shares(draws, 2);
            // By rank: the second action is the best, then the third, the fourth and the first.
            for (rank, action) in [1, 2, 3, 0].into_iter().enumerate() {
                let worse = |rank: usize| ((4 - rank) as f64 / 4.0).powi(draws as i32);
                let expected = worse(rank) - worse(rank + 1);
                assert!((learned[action] - expected).abs() < 0.04, "{draws} draws: {learned:?}");
            }
        }
        // Nothing is known before the first batch.
        assert!(shares(5, 1).into_iter().all(|share| (share - 0.25).abs() < 0.04));
    }

    #[test]
    fn what_was_learned_decays_and_is_forgotten_with_the_match() {
        let (game, mut history) = (Nim::new(9), History::default());
        let (mut state, mut learner) = (game.start(), BatchLearner::new(3, 0.5));
        let follow = |learner: &mut BatchLearner<Nim>, state: &<Nim as Game>::State, history: &History<u8>| {
            learner.follow(&Seat { game: &game, state, player: Player(0), history, watcher: None }, false);
        };
        follow(&mut learner, &state, &history);
        let taken =
            |playouts: u32, total: f64| [TakenAction { start: 0, player: Player(0), action: 2, playouts, total }];
        learner.observe(&game, &taken(8, 6.0));
        history.push(&[1]);
        history.push(&[2]);
        game.apply(&mut state, &[1]);
        game.apply(&mut state, &[2]);
        follow(&mut learner, &state, &history);
        learner.observe(&game, &taken(4, 0.0));
        let [Mean { visits, total }] = learner.means[..] else { panic!("one action was seen") };
        assert_eq!((visits, total), (8.0, 3.0), "four of eight visits are left, and four are new");
        follow(&mut learner, &game.start(), &History::default());
        assert!(learner.means.is_empty() && learner.places.is_empty());
    }
}
