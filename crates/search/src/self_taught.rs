//! The agent `self-taught`: trains a network on the start clock, and looks ahead with it.
//!
//! A *lesson* is a number of rounds of self-play and TD(λ) (`tesuji_learn`) on the features that the game offers, from
//! a network that knows nothing. The look-ahead is `Expectimax` with the network at its leaves. So a rule sheet that
//! nobody has seen before can be learned in the time before its first move.
//!
//! The start clock is one lesson, whose learning rate falls to its end; thinking ahead in a match prolongs it at the
//! last rate. Without a start clock half of each decision is a lesson, at a constant rate.
//!
//! A match of self-play counts as a playout, a state learned from as a node.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_core::{Game, InputError, Knowledge, Rng, ValueFeatures};
use tesuji_learn::{Network, NetworkEvaluation, Samples, SelfPlay, Training, self_play};

use crate::champion::Pupil;
use crate::{Agent, Budget, Decision, Expectimax, Failure, Meter, Seat};

/// The agent `self-taught`.
pub struct SelfTaught<G: Game> {
    /// Looks ahead with what was learned; before a lesson its evaluation is even shares.
    search: Expectimax<G>,
    features: &'static dyn ValueFeatures<G>,
    settings: tesuji_learn::Settings,
    /// Threads of self-play.
    threads: usize,
    training: Option<Training>,
    /// Whether there was a start clock.
    prepared: bool,
}

/// How much of the training is done in a lesson, as far as the learning rate is concerned.
#[derive(Clone, Copy)]
enum Progress {
    /// From nothing to all.
    Rising,
    /// The same throughout.
    Constant(f64),
}

/// In lessons after the start clock.
const LATE: Progress = Progress::Constant(1.0);
/// In lessons of matches without a start clock: nobody knows how many will follow.
const ONLINE: Progress = Progress::Constant(0.5);

impl<G: Knowledge> SelfTaught<G> {
    /// An agent that looks ahead by `search`, whose evaluation it sets itself, and trains by `settings`, except that
    /// the seed is drawn, on this many threads. Refuses games that training does not cover.
    pub fn new(
        search: Expectimax<G>,
        settings: tesuji_learn::Settings,
        threads: usize,
        game: &G,
    ) -> Result<SelfTaught<G>, InputError> {
        self_play(game)?;
        settings.check()?;
        let features = game.value_features().ok_or_else(|| InputError::new("there are no features to learn from"))?;
        Ok(SelfTaught { search, features, settings, threads, training: None, prepared: false })
    }

    /// Trains until the budget is spent. Returns the matches played.
    fn lesson(&mut self, game: &G, budget: &Budget, progress: Progress, rng: &mut Rng) -> Result<u64, InputError> {
        let meter = Meter::start(*budget);
        let mut training = match self.training.take() {
            Some(training) => training,
            None => {
                let settings = tesuji_learn::Settings { seed: rng.bits(), ..self.settings };
                Training::new(&game.spec().name, game.spec(), self.features.set(game), settings)?
            }
        };
        let round = self.settings.round as u64;
        let (mut matches, mut states) = (0u64, 0u64);
        let late = AtomicBool::new(false);
        let table: Box<dyn SelfPlay + '_> = Box::new(Timed { table: self_play(game)?, meter: &meter, late: &late });
        let tables = [table];
        while meter.allows(matches + round - 1, states) {
            let done = match progress {
                Progress::Rising => spent(budget, &meter, matches, states),
                Progress::Constant(done) => done,
            };
            match training.round(&tables, self.threads, done, &late) {
                Ok(Some(played)) => (matches, states) = (matches + round, states + played.states as u64),
                Ok(None) => break,
                // The network of the last lesson, if there was one, goes on playing. The next lesson begins anew.
                Err(_) => return Ok(matches),
            }
        }
        if training.matches() > 0 {
            let network: Network = training.network();
            self.search.evaluation = Some(Box::new(NetworkEvaluation::new(Arc::new(network), game)?));
        }
        self.training = Some(training);
        Ok(matches)
    }
}

/// The greatest part of a limit that is spent, 0 to 1.
fn spent(budget: &Budget, meter: &Meter, matches: u64, states: u64) -> f64 {
    let part = |done: u64, limit: Option<u64>| limit.map_or(0.0, |limit| done as f64 / limit as f64);
    let time = budget.time.map_or(0.0, |time| meter.elapsed().as_secs_f64() / time.as_secs_f64());
    part(matches, budget.playouts).max(part(states, budget.nodes)).max(time)
}

/// Self-play that gives up the round when the time is over: a single match of some games takes a second.
struct Timed<'a, T> {
    table: T,
    meter: &'a Meter,
    late: &'a AtomicBool,
}

impl<T: SelfPlay> SelfPlay for Timed<'_, T> {
    fn play(&self, network: &Arc<Network>, exploration: &tesuji_learn::Exploration, seed: u64) -> Samples {
        if !self.meter.allows(0, 0) {
            self.late.store(true, Ordering::Relaxed);
            return Samples::default();
        }
        self.table.play(network, exploration, seed)
    }
}

/// The error of a lesson as an agent's failure. The game was checked when the agent was built.
fn broken(error: InputError) -> Failure {
    Failure::Broken(error.to_string())
}

impl<G: Knowledge> Agent<G> for SelfTaught<G> {
    fn begin(&mut self) {
        (self.search.evaluation, self.training, self.prepared) = (None, None, false);
    }

    fn prepare(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<(), Failure> {
        let progress = if self.training.is_some() { LATE } else { Progress::Rising };
        self.prepared = true;
        self.lesson(seat.game, budget, progress, rng).map(drop).map_err(broken)
    }

    fn choose(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        let whole = if self.search.budget.is_limited() { self.search.budget } else { *budget };
        if self.prepared || whole.playouts.is_some_and(|playouts| playouts < 2) {
            return self.search.choose(seat, &whole, rng);
        }
        let half = |limit: u64| limit / 2;
        let part = Budget {
            playouts: whole.playouts.map(half),
            nodes: whole.nodes.map(half),
            time: whole.time.map(|time| time / 2),
        };
        let matches = self.lesson(seat.game, &part, ONLINE, rng).map_err(broken)?;
        let rest = Budget {
            playouts: whole.playouts.map(|limit| limit - matches),
            nodes: whole.nodes.map(|limit| limit - half(limit)),
            time: part.time,
        };
        let own = std::mem::replace(&mut self.search.budget, rest);
        let decision = self.search.choose(seat, &rest, rng);
        self.search.budget = own;
        let mut decision = decision?;
        decision.thought.playouts += matches;
        Ok(decision)
    }
}

impl<G: Knowledge> Pupil<G> for SelfTaught<G> {
    fn has_learned(&self) -> bool {
        self.search.evaluation.is_some()
    }

    fn rematch(&mut self) {
        // The look-ahead remembers nothing from one decision to the next.
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tesuji_core::{History, Player};

    use super::*;
    use crate::Pruning;
    use crate::tiny_games::{Nim, decision_after};

    fn agent(game: &Nim) -> SelfTaught<Nim> {
        let search = Expectimax {
            evaluation: None,
            scale: 1.0,
            depth: 1,
            pruning: Pruning::Star2,
            table: 0,
            budget: Budget::default(),
            remembered: Default::default(),
        };
        let settings = tesuji_learn::Settings { round: 8, rate: 0.01, ..Default::default() };
        SelfTaught::new(search, settings, 1, game).unwrap()
    }

    fn prepare(agent: &mut SelfTaught<Nim>, game: &Nim, budget: Budget, seed: u64) {
        let (state, history) = (game.start(), History::default());
        let seat = Seat { game, state: &state, player: Player(0), history: &history, watcher: None };
        agent.prepare(seat, &budget, &mut Rng::new(seed)).unwrap();
    }

    /// The action from `stones` with one choice of look-ahead, so that only the network knows what follows.
    fn action(agent: &mut SelfTaught<Nim>, game: &Nim, seed: u64) -> (u8, u64) {
        let history = History::default();
        let decision = decision_after(game, agent, &history, 0, &Budget::playouts(100), &mut Rng::new(seed));
        (decision.action, decision.thought.playouts)
    }

    #[test]
    fn it_learns_on_the_start_clock_what_one_choice_of_look_ahead_does_not_see() {
        // Of eleven, take three: a multiple of four is lost for whoever is to move.
        let game = Nim::new(11);
        let mut agent = agent(&game);
        assert!(!agent.has_learned());
        prepare(&mut agent, &game, Budget::playouts(2_000), 1);
        assert!(agent.has_learned());
        assert_eq!(action(&mut agent, &game, 1), (3, 0), "a prepared decision is no lesson");
        agent.begin();
        assert!(!agent.has_learned(), "a new match knows nothing of the last one");
    }

    #[test]
    fn what_was_learned_depends_on_the_seed_alone() {
        let game = Nim::new(11);
        let value = |seed: u64| {
            let mut agent = agent(&game);
            prepare(&mut agent, &game, Budget::playouts(100), seed);
            let history = History::default();
            decision_after(&game, &mut agent, &history, 0, &Budget::playouts(50), &mut Rng::new(1)).value
        };
        assert_eq!(value(1), value(1));
        assert_ne!(value(1), value(2));
    }

    #[test]
    fn without_a_start_clock_decisions_are_lessons_too() {
        let game = Nim::new(11);
        let mut agent = agent(&game);
        let (_, matches) = action(&mut agent, &game, 1);
        assert_eq!(matches, 48, "half of 100, in rounds of eight");
        assert!(agent.has_learned());
    }

    #[test]
    fn a_lesson_ends_with_its_time_even_within_a_round() {
        let game = Nim::new(11);
        let mut agent = agent(&game);
        agent.settings.round = 100_000;
        prepare(&mut agent, &game, Budget::time(Duration::from_millis(5)), 1);
        assert!(!agent.has_learned(), "the round was given up");
    }

    #[test]
    fn a_rematch_keeps_what_was_learned() {
        let game = Nim::new(11);
        let mut agent = agent(&game);
        prepare(&mut agent, &game, Budget::playouts(100), 1);
        agent.rematch();
        assert!(agent.has_learned());
    }
}
