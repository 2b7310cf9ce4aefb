//! Pieces of a run as they travel between machines: pairs of matches and measured decisions.
//!
//! A piece has a number. Pairs come first, by their place in the schedule; measured decisions follow. Floating-point
//! numbers travel as texts, which read back exactly.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tesuji_core::{InputError, Player, cancel, files};

use super::field::{Field, Rings};
use crate::experiment::{Experiment, Measurement, Unit};
use crate::root_exploitability::{self, Meters};
use crate::store::{StoredMatch, decisions_from_text, decisions_to_text};
use crate::{ExploitabilityDecision, engine};

/// A piece of a run that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Piece(
    /// Its number.
    pub u64,
    /// The matches of a pair, in the order of seatings.
    pub Vec<PieceMatch>,
    /// A measured decision: value, gap and seconds.
    pub Option<[String; 3]>,
);

/// A match of a piece: payoffs, foul, steps, fingerprint, moves, decisions, transcripts by seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PieceMatch(
    String,
    Option<(usize, String)>,
    u32,
    u64,
    String,
    String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")] Vec<(usize, String)>,
);

impl PieceMatch {
    fn of(row: &StoredMatch, transcripts: &[(Player, String)]) -> PieceMatch {
        let payoffs: Vec<String> = row.payoffs.iter().map(f64::to_string).collect();
        let decisions = decisions_to_text(&row.decisions);
        let transcripts = transcripts.iter().map(|(player, text)| (player.index(), text.clone())).collect();
        let (foul, moves) = (row.foul.clone(), row.moves.clone());
        PieceMatch(payoffs.join(" "), foul, row.steps, row.fingerprint, moves, decisions, transcripts)
    }

    /// The length of its texts, in bytes.
    pub fn text_bytes(&self) -> usize {
        self.4.len() + self.5.len() + self.6.iter().map(|(_, text)| text.len()).sum::<usize>()
    }

    /// What agents asked and were answered, by seat.
    pub(super) fn transcripts(&mut self) -> Vec<(usize, String)> {
        std::mem::take(&mut self.6)
    }

    /// The match as it is stored; refuses texts that cannot be read.
    pub(super) fn stored(self, unit: Unit, seating: usize, seed: u64) -> Result<StoredMatch, String> {
        let PieceMatch(payoffs, foul, steps, fingerprint, moves, decisions, _) = self;
        let numbers = payoffs.split(' ').map(|payoff| payoff.parse().ok()).collect::<Option<Vec<f64>>>();
        let lines = decisions.lines().count();
        let decisions = decisions_from_text(&decisions);
        if decisions.len() != lines {
            return Err("its decisions cannot be read".to_owned());
        }
        let payoffs = numbers.ok_or("its payoffs cannot be read")?;
        Ok(StoredMatch { unit, seating, seed, payoffs, foul, steps, fingerprint, moves, decisions })
    }
}

impl Piece {
    /// The measured decision in it.
    pub(super) fn decision(&self) -> Option<ExploitabilityDecision> {
        let [value, gap, seconds] = self.2.as_ref()?.each_ref().map(|text| text.parse().ok());
        let numbers = [value?, gap?, seconds?];
        let [value, gap, seconds] = numbers;
        numbers.iter().all(|number: &f64| number.is_finite()).then_some(ExploitabilityDecision { value, gap, seconds })
    }
}

/// The pieces of an experiment: which numbers there are, and what they stand for.
#[derive(Clone, Debug)]
pub struct Pieces {
    units: u64,
    decisions: Vec<Measurement>,
}

impl Pieces {
    /// The pieces of an experiment.
    pub fn of(experiment: &Experiment) -> Result<Pieces, InputError> {
        let decisions = root_exploitability::units(experiment, None)?;
        Ok(Pieces { units: experiment.unit_count(None), decisions })
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.units + self.decisions.len() as u64
    }

    /// How many of them are pairs of matches.
    pub fn pairs(&self) -> u64 {
        self.units
    }

    /// The pair with this number.
    pub(super) fn unit(&self, experiment: &Experiment, number: u64) -> Option<Unit> {
        (number < self.units).then(|| experiment.unit(None, number))
    }

    /// The decision with this number.
    pub(super) fn decision(&self, number: u64) -> Option<Measurement> {
        let place = usize::try_from(number.checked_sub(self.units)?).ok()?;
        self.decisions.get(place).copied()
    }
}

/// Plays pieces of an experiment on one thread, for a collector on another machine.
pub struct PiecePlayer {
    experiment: Arc<Experiment>,
    files: Option<Arc<files::FileSet>>,
    field: Field,
    pieces: Pieces,
    rings: Rings,
    meters: Meters,
}

impl PiecePlayer {
    /// A player of an experiment. If `files` are given, agents read these and no file of the machine.
    pub fn new(experiment: Arc<Experiment>, files: Option<Arc<files::FileSet>>) -> Result<PiecePlayer, InputError> {
        let field = Field::new(&experiment)?;
        let pieces = Pieces::of(&experiment)?;
        let rings = (0..field.pairings.len()).map(|_| None).collect();
        let meters = Meters::default();
        Ok(PiecePlayer { experiment, files, field, pieces, rings, meters })
    }

    /// Plays a piece; `None` if the work of this thread was [cancelled](cancel::requested) meanwhile.
    pub fn play(&mut self, number: u64) -> Result<Option<Piece>, InputError> {
        match self.files.clone() {
            Some(files) => files::with_only(files, || self.play_here(number)),
            None => self.play_here(number),
        }
    }

    fn play_here(&mut self, number: u64) -> Result<Option<Piece>, InputError> {
        if let Some(unit) = self.pieces.unit(&self.experiment, number) {
            let seed = self.experiment.seed_of(unit);
            let seatings = self.field.round(unit) as usize;
            let ring = self.field.ring(&mut self.rings, unit.pairing)?;
            let mut matches = Vec::new();
            for seating in 0..seatings {
                let played = ring.play(seating, seed, true);
                if cancel::requested() {
                    return Ok(None);
                }
                matches.push(PieceMatch::of(&StoredMatch::of(unit, seed, &played), &played.transcripts));
            }
            return Ok(Some(Piece(number, matches, None)));
        }
        let Some(decision) = self.pieces.decision(number) else {
            return Err(InputError::new(format!("this experiment has no piece {number}")));
        };
        let stop = std::sync::atomic::AtomicBool::new(false);
        let found = root_exploitability::decide(&self.experiment, &mut self.meters, decision, &stop)?;
        let texts = [found.value, found.gap, found.seconds].map(|number| number.to_string());
        Ok((!cancel::requested()).then_some(Piece(number, Vec::new(), Some(texts))))
    }
}

/// Runs the work of a thread that plays pieces: programs that agents start are kept for the thread.
pub fn on_playing_thread<T>(work: impl FnOnce() -> T) -> T {
    engine::keep_programs(work)
}
