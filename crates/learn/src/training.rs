//! Training: rounds of self-play, each followed by learning from its states.
//!
//! A round plays a fixed number of matches with the network of its beginning; match *i* of a training has the seed
//! `mix(seed, i)`. Threads share the matches, and their states are put together in the order of the matches. So the
//! result depends on the seed and the number of rounds alone, not on threads.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tesuji_core::{FeatureSet, InputError, Rng, Spec, mix};

use crate::weights::Weights;
use crate::{Exploration, Lineage, Network, Samples, SelfPlay, Shape};

/// How a network is trained.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The seed of weights and matches.
    pub seed: u64,
    /// Units of the first layer.
    pub hidden: usize,
    /// Units of the second layer.
    pub second: usize,
    /// How self-play explores, and λ.
    pub exploration: Exploration,
    /// The learning rate at the beginning; it falls linearly to a twentieth.
    pub rate: f64,
    /// Matches of a round.
    pub round: usize,
    /// States of one update.
    pub batch: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 1,
            hidden: 64,
            second: 16,
            exploration: Exploration { explore: 0.05, opening: 4, lambda: 0.7 },
            rate: 0.002,
            round: 64,
            batch: 32,
        }
    }
}

impl Settings {
    /// Refuses settings with which nothing would be learned.
    pub fn check(&self) -> Result<(), InputError> {
        let Exploration { explore, opening, lambda } = self.exploration;
        let within = |name: &str, value: f64, least: f64, most: f64| match (least..=most).contains(&value) {
            true => Ok(()),
            false => {
                Err(InputError::new(format!("`{name}` cannot be {value}")).with_help(format!("{least} to {most}")))
            }
        };
        within("explore", explore, 0.0, 1.0)?;
        within("opening", f64::from(opening), 0.0, 1000.0)?;
        within("lambda", lambda, 0.0, 1.0)?;
        within("rate", self.rate, 1e-7, 1.0)?;
        within("round", self.round as f64, 1.0, 100_000.0)?;
        within("batch", self.batch as f64, 1.0, 100_000.0)
    }
}

/// A training in progress.
pub struct Training {
    pub(crate) settings: Settings,
    /// The lineage of the network, with the matches and seconds so far.
    pub(crate) lineage: Lineage,
    pub(crate) weights: Weights,
    /// The mean loss of recent rounds.
    pub(crate) recent_loss: Option<f64>,
}

/// What a round did.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Round {
    /// Matches played.
    pub matches: usize,
    /// States learned from.
    pub states: usize,
    /// The mean cross entropy of the states before they were learned.
    pub loss: f64,
}

/// Training has diverged: the weights of the last checkpoint are the last good ones.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Diverged {
    /// The mean loss of the round that diverged.
    pub loss: f64,
    /// The round's first match.
    pub matches: u64,
}

impl fmt::Display for Diverged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "training diverged after {} matches: the mean loss is {:.3}", self.matches, self.loss)
    }
}

/// A mean loss of a round above this is an explosion: 0.69 is the loss of knowing nothing.
const MOST_LOSS: f64 = 2.5;
/// The learning rate at the end, relative to the beginning.
const LAST_RATE: f64 = 0.05;
/// The share of the newest round in the recent loss.
const NEWEST: f64 = 0.05;

impl Training {
    /// A new training of a game with these facts and features. `game` is the name for the lineage: its address, or what
    /// several addresses have in common.
    pub fn new(
        game: impl Into<String>,
        spec: &Spec,
        features: FeatureSet,
        settings: Settings,
    ) -> Result<Training, InputError> {
        settings.check()?;
        let shape = Shape { inputs: features.inputs, hidden: settings.hidden, second: settings.second }.check()?;
        let most_active = features.most_active;
        let Exploration { explore, opening, lambda } = settings.exploration;
        let lineage = Lineage {
            game: game.into(),
            rules: spec.version,
            features,
            seed: settings.seed,
            matches: 0,
            seconds: 0,
            method: format!(
                "td lambda={lambda} explore={explore} opening={opening} rate={} round={} batch={}",
                settings.rate, settings.round, settings.batch
            ),
        };
        let weights = Weights::random(shape, most_active, &mut Rng::new(mix(settings.seed, u64::MAX)));
        Ok(Training { settings, lineage, weights, recent_loss: None })
    }

    /// How it trains.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Where the network comes from, so far.
    pub fn lineage(&self) -> &Lineage {
        &self.lineage
    }

    /// The number of matches so far.
    pub fn matches(&self) -> u64 {
        self.lineage.matches
    }

    /// The mean loss of recent rounds; `None` before the first.
    pub fn recent_loss(&self) -> Option<f64> {
        self.recent_loss
    }

    /// Sets the seconds of training in the lineage.
    pub fn set_seconds(&mut self, seconds: u64) {
        self.lineage.seconds = seconds;
    }

    /// The network so far.
    pub fn network(&self) -> Network {
        self.weights.network(self.lineage.clone())
    }

    /// Plays and learns one round on `threads` threads. `progress`, 0 to 1, says how much of the training is done; the
    /// learning rate depends on it. If `stop` is set, the round is abandoned and `None` is returned.
    ///
    /// # Panics
    /// If there is no game.
    pub fn round(
        &mut self,
        games: &[Box<dyn SelfPlay + '_>],
        threads: usize,
        progress: f64,
        stop: &AtomicBool,
    ) -> Result<Option<Round>, Diverged> {
        assert!(!games.is_empty(), "a training needs a game");
        let first = self.lineage.matches;
        let Some(samples) = self.play(games, threads, stop) else { return Ok(None) };
        let matches = self.settings.round;
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        Rng::new(mix(mix(self.settings.seed, u64::MAX - 1), first)).shuffle(&mut order);
        let rate = self.settings.rate * (1.0 - (1.0 - LAST_RATE) * progress.clamp(0.0, 1.0));
        let mut loss = 0.0;
        for batch in order.chunks(self.settings.batch.max(1)) {
            loss += self.weights.learn(&samples, batch, rate as f32);
        }
        let mean = loss / samples.len().max(1) as f64;
        if !mean.is_finite() || mean > MOST_LOSS || !self.weights.is_finite() {
            return Err(Diverged { loss: mean, matches: first });
        }
        self.lineage.matches += matches as u64;
        self.recent_loss = Some(self.recent_loss.map_or(mean, |recent| recent + NEWEST * (mean - recent)));
        Ok(Some(Round { matches, states: samples.len(), loss: mean }))
    }

    /// The states of a round, in the order of its matches.
    fn play(&self, games: &[Box<dyn SelfPlay + '_>], threads: usize, stop: &AtomicBool) -> Option<Samples> {
        let network = Arc::new(self.network());
        let (first, seed, count) = (self.lineage.matches, self.settings.seed, self.settings.round);
        let exploration = self.settings.exploration;
        let played: Vec<Mutex<Samples>> = (0..count).map(|_| Mutex::default()).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = played.get(place) else { break };
                let own = mix(seed, first + place as u64);
                let game = &games[(mix(own, 1) % games.len() as u64) as usize];
                let samples = game.play(&network, &exploration, own);
                *slot.lock().unwrap_or_else(PoisonError::into_inner) = samples;
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads.min(count) {
                // A thread that cannot be had leaves its matches to the others.
                drop(thread::Builder::new().name("tesuji-train".to_owned()).spawn_scoped(scope, work));
            }
            work();
        });
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut all = Samples::default();
        for slot in played {
            all.append(&slot.into_inner().unwrap_or_else(PoisonError::into_inner));
        }
        Some(all)
    }
}
