//! Takes in what other machines played of an experiment: each pair once, and only if it can be what it claims to be.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use tesuji_core::{InputError, Source};

use super::field::Field;
use super::ledger::{Ledger, pair_points};
use super::piece::{Piece, Pieces};
use super::{RunEnd, RunProgress, enter};
use crate::experiment::{Experiment, Measurement, Unit};
use crate::identity::agent_contents;
use crate::replay::{parse_moves, replay};
use crate::rounds::round_scores;
use crate::statistics::{PairOutcomes, Residual, residuals};
use crate::store::{EVENT, Store, StoredAnswer, StoredMatch, StoredRun};

/// The state of a run whose pieces are played elsewhere. The store is passed to each call: there is one writer.
pub struct Collection {
    experiment: Arc<Experiment>,
    field: Field,
    pieces: Pieces,
    run: i64,
    identity: String,
    ledger: Ledger,
    measured: BTreeSet<Measurement>,
    answers: i64,
    /// The pairs of each worker by pairing and outcome.
    outcomes: BTreeMap<String, PairOutcomes>,
    speeds: BTreeMap<String, f64>,
}

/// What became of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Taken {
    /// Pieces that were stored.
    pub accepted: u64,
    /// Pieces that were there already.
    pub repeated: u64,
}

impl Collection {
    /// Finds or adds the run of an experiment in a store, and reads what the store has of it.
    pub fn open(
        experiment: Arc<Experiment>,
        (name, text): (&str, &str),
        store: &mut Store,
    ) -> Result<Collection, InputError> {
        let contents = agent_contents(&experiment)?;
        let run = enter(&experiment, &contents, name, text, store)?;
        let known = store.runs()?.into_iter().find(|known| known.id == run);
        store.prepare_workers()?;
        match known {
            Some(known) => Collection::read(experiment, &known, store),
            None => Err(InputError::new("the run is not in its store").in_file(store.path().display())),
        }
    }

    /// What a store has of a run, for looking at it.
    pub fn read(experiment: Arc<Experiment>, run: &StoredRun, store: &Store) -> Result<Collection, InputError> {
        let (run, identity) = (run.id, run.identity.clone());
        let field = Field::new(&experiment)?;
        let pieces = Pieces::of(&experiment)?;
        let ledger = Ledger::new(&field, experiment.sprt);
        let mut collection = Collection {
            experiment,
            field,
            pieces,
            run,
            identity,
            ledger,
            measured: BTreeSet::new(),
            answers: 0,
            outcomes: BTreeMap::new(),
            speeds: BTreeMap::new(),
        };
        collection.reload(store)?;
        Ok(collection)
    }

    /// Reads what the store has, from the beginning.
    fn reload(&mut self, store: &Store) -> Result<(), InputError> {
        let answers = store.answers(self.run)?;
        self.answers = answers.last().map_or(0, |answer| answer.number);
        self.speeds = store.workers(self.run)?.into_iter().collect();
        self.outcomes.clear();
        let mut players: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
        for (place, answer) in answers.iter().enumerate() {
            players.extend(answer.pieces.iter().map(|range| (range.start, (range.end, place))));
        }
        let pairings = self.field.pairings.len() as u64;
        let player = |unit: Unit| {
            let number = u64::from(unit.pair) * pairings + u64::from(unit.pairing);
            let (_, &(end, place)) = players.range(..=number).next_back()?;
            (number < end).then(|| answers[place].worker.as_str())
        };
        let mut round: Vec<StoredMatch> = Vec::new();
        let mut counted: Vec<(Unit, f64)> = Vec::new();
        self.ledger = Ledger::of_store(&self.field, &self.experiment, store, self.run, |field, row| {
            if answers.is_empty() {
                return;
            }
            if round.first().is_some_and(|first| first.unit != row.unit) {
                round.clear();
            }
            round.push(row.clone());
            if round.len() == field.seatings[row.unit.pairing as usize].len() {
                counted.push((row.unit, points(field, row.unit.pairing, round.iter().map(|row| row.payoffs.clone()))));
                round.clear();
            }
        })?;
        for (unit, points) in counted {
            if let Some(worker) = player(unit) {
                self.outcomes.entry(worker.to_owned()).or_default().count(unit.pairing, points);
            }
        }
        let wanted: BTreeSet<Measurement> =
            (self.pieces.pairs()..self.pieces.count()).filter_map(|number| self.pieces.decision(number)).collect();
        let held = store.root_exploitability(self.run)?.into_iter().map(|(unit, _)| unit);
        self.measured = held.filter(|unit| wanted.contains(unit)).collect();
        self.ledger.progress.total =
            (0..self.pieces.pairs()).map(|number| self.field.round(self.experiment.unit(None, number))).sum();
        self.ledger.progress.to_measure = wanted.len() as u64;
        self.ledger.progress.measured = self.measured.len() as u64;
        Ok(())
    }

    /// The number of the run in its store.
    pub fn run(&self) -> i64 {
        self.run
    }

    /// The hash of all that the results depend on.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The pieces of the experiment.
    pub fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// Is this piece still to be played? Pieces after the end of a sequential test are not.
    pub fn lacks(&self, number: u64) -> bool {
        if let Some(unit) = self.pieces.unit(&self.experiment, number) {
            let seatings = self.field.seatings[unit.pairing as usize].len();
            return (0..seatings).any(|seating| !self.ledger.has(unit, seating));
        }
        self.pieces.decision(number).is_some_and(|decision| !self.measured.contains(&decision))
    }

    /// How many pieces have a smaller number than the last one that sequential tests still need; all without tests.
    pub fn end(&self) -> u64 {
        let open = self.ledger.stops.iter().any(Option::is_none);
        if open || self.pieces.count() > self.pieces.pairs() {
            return self.pieces.count();
        }
        let last = self.ledger.stops.iter().flatten().max().map_or(0, |&pair| u64::from(pair) + 1);
        (last * self.field.pairings.len() as u64).min(self.pieces.pairs())
    }

    /// How far the run is.
    pub fn progress(&self) -> &RunProgress {
        &self.ledger.progress
    }

    /// The pairings whose sequential test has ended.
    pub fn decided(&self) -> usize {
        self.ledger.stops.iter().flatten().count()
    }

    /// Adds what a worker played to the current batch of the store. An answer with anything wrong in it is refused as a
    /// whole, with the reason; an error is a failure of the store.
    pub fn take(
        &mut self,
        store: &mut Store,
        worker: &str,
        speed: f64,
        pieces: Vec<Piece>,
    ) -> Result<Result<Taken, String>, InputError> {
        let mut taken = Taken::default();
        let mut fresh = Vec::new();
        let mut seen = BTreeSet::new();
        // One pair of each answer is played through, by the rules.
        let replayed = pieces.iter().map(|piece| piece.0).min_by_key(|&number| tesuji_core::mix(number, 1));
        for piece in pieces {
            let number = piece.0;
            if number >= self.pieces.count() {
                return Ok(Err(format!("piece {number} is not part of this experiment")));
            }
            if !seen.insert(number) {
                return Ok(Err(format!("piece {number} is in it twice")));
            }
            if !self.lacks(number) {
                taken.repeated += 1;
                continue;
            }
            match self.check(piece, replayed == Some(number)) {
                Ok(checked) => fresh.push(checked),
                Err(reason) => return Ok(Err(format!("piece {number}: {reason}"))),
            }
        }
        taken.accepted = fresh.len() as u64;
        let numbers = fresh.iter().map(|(number, _)| *number);
        let pieces = ranges(numbers);
        for (number, checked) in fresh {
            self.add(store, worker, number, checked)?;
        }
        if taken.accepted > 0 {
            self.answers += 1;
            store.add_answer(self.run, &StoredAnswer { number: self.answers, worker: worker.to_owned(), pieces })?;
            let known = self.speeds.get(worker);
            if speed.is_finite() && known.is_none_or(|&known| (known - speed).abs() > SPEED_NOTED * known) {
                self.speeds.insert(worker.to_owned(), speed);
                store.set_worker(self.run, worker, speed)?;
            }
        }
        Ok(Ok(taken))
    }

    /// The rows of a piece, if it can be what it claims to be.
    fn check(&self, piece: Piece, by_the_rules: bool) -> Result<(u64, Checked), String> {
        let number = piece.0;
        let Some(unit) = self.pieces.unit(&self.experiment, number) else {
            let decision = self.pieces.decision(number).ok_or("there is no such piece")?;
            let found = piece.decision().ok_or("its numbers cannot be read")?;
            return Ok((number, Checked::Decision(decision, found)));
        };
        let seatings = self.field.seatings[unit.pairing as usize].len();
        if piece.1.len() != seatings {
            return Err(format!("it has {} matches, expected {seatings}", piece.1.len()));
        }
        let seed = self.experiment.seed_of(unit);
        let (least, most) = self.field.spec(unit.pairing).payoffs;
        let mut rows = Vec::with_capacity(seatings);
        for (seating, mut found) in piece.1.into_iter().enumerate() {
            let transcripts = found.transcripts();
            let row = found.stored(unit, seating, seed)?;
            if transcripts.iter().any(|&(seat, _)| seat >= row.payoffs.len()) {
                return Err(format!("match {seating} has a transcript of a seat that does not exist"));
            }
            self.field.check(&row).map_err(|error| error.message().to_owned())?;
            if !row.payoffs.iter().all(|payoff| (least..=most).contains(payoff)) {
                return Err(format!("the payoffs of match {seating} are out of range"));
            }
            if !row.has_own_fingerprint() {
                return Err(format!("the fingerprint of match {seating} is not that of its moves"));
            }
            if row.moves.lines().filter(|line| !line.starts_with(EVENT)).count() != row.steps as usize {
                return Err(format!("match {seating} has not as many moves as steps"));
            }
            rows.push((row, transcripts));
        }
        if by_the_rules {
            rows.iter().try_for_each(|(row, _)| self.follow(row))?;
        }
        Ok((number, Checked::Pair(unit, rows)))
    }

    /// Plays the moves of a match and compares the payoffs. A forfeited match ends in the middle.
    fn follow(&self, row: &StoredMatch) -> Result<(), String> {
        let game = &self.field.games[self.field.pairings[row.unit.pairing as usize].game];
        let source = Source::new("moves", &row.moves);
        let table = replay(game.as_ref(), &source, &parse_moves(&source), &mut |_| ());
        let table = table.map_err(|error| format!("a move of match {} is illegal: {error}", row.seating))?;
        if row.foul.is_none() && table.payoffs().as_ref() != Some(&row.payoffs) {
            return Err(format!("the moves of match {} do not lead to its payoffs", row.seating));
        }
        Ok(())
    }

    fn add(&mut self, store: &mut Store, worker: &str, number: u64, checked: Checked) -> Result<(), InputError> {
        match checked {
            Checked::Decision(decision, found) => {
                store.add_root_exploitability(self.run, decision, found)?;
                self.measured.insert(decision);
                self.ledger.progress.measured = self.measured.len() as u64;
            }
            Checked::Pair(unit, rows) => {
                debug_assert_eq!(self.pieces.unit(&self.experiment, number), Some(unit));
                let points = points(&self.field, unit.pairing, rows.iter().map(|(row, _)| row.payoffs.clone()));
                let outcomes = match self.outcomes.get_mut(worker) {
                    Some(outcomes) => outcomes,
                    None => self.outcomes.entry(worker.to_owned()).or_default(),
                };
                outcomes.count(unit.pairing, points);
                for (row, transcripts) in rows {
                    // A run that was interrupted may have one match of the pair.
                    if !self.ledger.has(unit, row.seating) {
                        store.insert(self.run, &row)?;
                        for (seat, text) in &transcripts {
                            store.add_transcript(self.run, (unit, row.seating, *seat), text)?;
                        }
                        let print = row.print();
                        let foul = row.foul.is_some();
                        self.ledger.enter(&self.field, unit, row.seating, (row.payoffs, print), foul);
                    }
                }
            }
        }
        Ok(())
    }

    /// Removes everything that a worker played, in one transaction. Returns the number of pieces, which are to be
    /// played again.
    pub fn purge(&mut self, store: &mut Store, worker: &str) -> Result<u64, InputError> {
        store.commit()?;
        let mut removed = 0;
        let purge = |store: &mut Store, removed: &mut u64| -> Result<(), InputError> {
            for answer in store.answers(self.run)?.into_iter().filter(|answer| answer.worker == worker) {
                for number in answer.pieces.into_iter().flatten() {
                    let gone = match self.pieces.unit(&self.experiment, number) {
                        Some(unit) => store.remove_pair(self.run, unit)?,
                        None => match self.pieces.decision(number) {
                            Some(decision) => store.remove_decision(self.run, decision)?,
                            None => 0,
                        },
                    };
                    *removed += u64::from(gone > 0);
                }
                store.remove_answer(self.run, answer.number)?;
            }
            store.commit()
        };
        if let Err(error) = purge(store, &mut removed) {
            store.roll_back()?;
            return Err(error);
        }
        self.reload(store)?;
        Ok(removed)
    }

    /// The workers with their speeds.
    pub fn speeds(&self) -> &BTreeMap<String, f64> {
        &self.speeds
    }

    /// How far the results of each worker deviate from those of all others.
    pub fn residuals(&self) -> Vec<(String, Residual)> {
        let (names, outcomes): (Vec<&String>, Vec<&PairOutcomes>) = self.outcomes.iter().unzip();
        names.into_iter().cloned().zip(residuals(&outcomes)).collect()
    }

    /// How the run ended.
    pub fn run_end(&self, complete: bool) -> RunEnd {
        RunEnd { run: self.run, complete, fouls: self.ledger.progress.fouls, limits: Vec::new() }
    }
}

/// A change of a worker's speed is stored if it is greater than this share.
const SPEED_NOTED: f64 = 0.02;

/// A piece whose content was checked.
enum Checked {
    /// The matches, each with its transcripts by seat.
    Pair(Unit, Vec<(StoredMatch, Vec<(usize, String)>)>),
    Decision(Measurement, crate::ExploitabilityDecision),
}

/// The points of the first agent in a pair.
fn points(field: &Field, pairing: u32, payoffs: impl Iterator<Item = Vec<f64>>) -> f64 {
    let payoffs: Vec<Vec<f64>> = payoffs.collect();
    pair_points(&round_scores(field.spec(pairing), &field.seatings[pairing as usize], &payoffs))
}

/// Numbers as ranges, in their order.
pub(crate) fn ranges(numbers: impl Iterator<Item = u64>) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => ranges.push(number..number + 1),
        }
    }
    ranges
}
