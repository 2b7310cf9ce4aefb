//! The scores of a run's matches, and what a sequential test says of them.

use std::collections::{BTreeMap, HashMap};

use tesuji_core::{InputError, mix};

use super::RunProgress;
use super::field::Field;
use crate::experiment::{EarlyStop, Experiment, StopModel, Unit};
use crate::rounds::round_scores;
use crate::statistics::{Evidence, Pairs, SprtDecision, Tally, sprt};
use crate::store::{Store, StoredMatch};

/// The payoffs and the fingerprint of a finished match.
type Finished = (Vec<f64>, u64);

/// The scores of every pair of matches, whatever order they arrive in: a few bytes a pair.
pub(super) struct Ledger {
    early: Option<EarlyStop>,
    /// For each pairing, the payoffs and fingerprints of the matches of unfinished pairs.
    open: Vec<BTreeMap<u32, Vec<Option<Finished>>>>,
    /// For each pairing, the scores of its pairs.
    finished: Vec<Vec<PackedScores>>,
    /// For each pairing with a sequential test, a fingerprint of each of its pairs.
    prints: Vec<Vec<u64>>,
    /// For each pairing, the finished pairs from the start without a gap.
    prefix: Vec<Prefix>,
    /// The pair with which the sequential test of a pairing stopped.
    pub stops: Vec<Option<u32>>,
    pub progress: RunProgress,
}

/// The scores of a pair, two bits a match: 0, 1 or 2 half points, 3 for a match that is not there. Games have at most
/// 32 seats, so every round fits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PackedScores(u64);

impl PackedScores {
    const MISSING: PackedScores = PackedScores(u64::MAX);

    fn pack(scores: &[f64]) -> PackedScores {
        let halves = scores.iter().enumerate();
        PackedScores(halves.fold(u64::MAX, |packed, (place, score)| {
            packed & !(0b11 << (2 * place)) | ((score * 2.0) as u64) << (2 * place)
        }))
    }

    fn unpack(self) -> Option<Vec<f64>> {
        let halves = (0..32).map(|place| self.0 >> (2 * place) & 0b11).take_while(|&halves| halves < 3);
        (self != PackedScores::MISSING).then(|| halves.map(|halves| halves as f64 / 2.0).collect())
    }
}

/// Finished pairs from the first on without a gap, and what they add up to.
#[derive(Clone, Default)]
pub(crate) struct Prefix {
    pub pairs: u32,
    points: Pairs,
    tally: Tally,
    /// How often each pair occurred, by its fingerprint.
    copies: HashMap<u64, u64>,
    /// The sum of their squares.
    squares: f64,
}

impl Ledger {
    pub(super) fn new(field: &Field, early: Option<EarlyStop>) -> Ledger {
        let count = field.pairings.len();
        Ledger {
            early,
            open: vec![BTreeMap::new(); count],
            finished: vec![Vec::new(); count],
            prints: vec![Vec::new(); count],
            prefix: vec![Prefix::default(); count],
            stops: vec![None; count],
            progress: RunProgress {
                pairings: field.pairings.iter().map(|pairing| (pairing.clone(), Pairs::default())).collect(),
                ..RunProgress::default()
            },
        }
    }

    /// The matches of a run that a store holds; `see` is shown each of them, without moves and decisions.
    pub(super) fn of_store(
        field: &Field,
        experiment: &Experiment,
        store: &Store,
        run: i64,
        mut see: impl FnMut(&Field, &StoredMatch),
    ) -> Result<Ledger, InputError> {
        let mut ledger = Ledger::new(field, experiment.sprt);
        store.each_match(run, false, |row| {
            field.check(&row).map_err(|error| error.in_file(store.path().display()))?;
            if u64::from(row.unit.pair) < experiment.pairs {
                see(field, &row);
                let print = row.print();
                ledger.enter(field, row.unit, row.seating, (row.payoffs, print), row.foul.is_some());
            }
            Ok(())
        })?;
        Ok(ledger)
    }

    /// Is the match there, or not needed any more?
    pub(super) fn has(&self, unit: Unit, seating: usize) -> bool {
        let pairing = unit.pairing as usize;
        let open = self.open[pairing].get(&unit.pair).and_then(|matches| matches.get(seating));
        self.stops[pairing].is_some_and(|last| unit.pair > last)
            || self.finished[pairing].get(unit.pair as usize).is_some_and(|&packed| packed != PackedScores::MISSING)
            || open.is_some_and(Option::is_some)
    }

    /// Counts a match.
    pub(super) fn enter(&mut self, field: &Field, unit: Unit, seating: usize, finished: Finished, foul: bool) {
        let pairing = unit.pairing as usize;
        let seatings = &field.seatings[pairing];
        let matches = self.open[pairing].entry(unit.pair).or_insert_with(|| vec![None; seatings.len()]);
        if let Some(slot) = matches.get_mut(seating) {
            *slot = Some(finished);
        }
        self.progress.done += 1;
        self.progress.fouls += u64::from(foul);
        if matches.iter().any(Option::is_none) {
            return;
        }
        let (payoffs, prints): (Vec<Vec<f64>>, Vec<u64>) = matches.drain(..).flatten().unzip();
        self.open[pairing].remove(&unit.pair);
        let scores = round_scores(field.spec(unit.pairing), seatings, &payoffs);
        if field.pairings[pairing].agents.first() == Some(&0) {
            scores.iter().for_each(|&score| self.progress.tally.count(score));
        }
        self.progress.pairings[pairing].1.count(pair_points(&scores));
        let place = unit.pair as usize;
        if self.finished[pairing].len() <= place {
            self.finished[pairing].resize(place + 1, PackedScores::MISSING);
        }
        self.finished[pairing][place] = PackedScores::pack(&scores);
        if self.early.is_some() {
            self.prints[pairing].resize(self.finished[pairing].len(), 0);
            self.prints[pairing][place] = pair_print(prints);
        }
        self.advance(pairing);
    }

    /// Asks the sequential test after each pair of the gapless prefix, in the pairs' own order.
    fn advance(&mut self, pairing: usize) {
        let Some(early) = self.early else { return };
        let prefix = &mut self.prefix[pairing];
        while self.stops[pairing].is_none()
            && let Some(scores) = self.finished[pairing].get(prefix.pairs as usize).and_then(|packed| packed.unpack())
        {
            let pair = prefix.pairs;
            if prefix.add(&scores, self.prints[pairing][pair as usize], early) {
                self.stops[pairing] = Some(pair);
            }
        }
    }
}

impl Prefix {
    /// Counts the next pair, which has this fingerprint; `true` if the test stops with it.
    pub(crate) fn add(&mut self, scores: &[f64], print: u64, early: EarlyStop) -> bool {
        self.pairs += 1;
        self.points.count(pair_points(scores));
        scores.iter().for_each(|&score| self.tally.count(score));
        let copies = self.copies.entry(print).or_default();
        self.squares += (2 * *copies + 1) as f64;
        *copies += 1;
        // What `duplicates` computes for a whole series.
        let effective = f64::from(self.pairs).powi(2) / self.squares;
        let evidence = early_evidence(early.model, self.points, self.tally, effective);
        sprt(evidence, &early.settings).is_some_and(|report| report.decision != SprtDecision::Continue)
    }
}

/// What a sequential test looks at: pairs, or their matches, that are worth as much as `effective` pairs.
pub(crate) fn early_evidence(model: StopModel, points: Pairs, tally: Tally, effective: f64) -> Evidence {
    // Where agents keep their seats, a pair is a single match.
    let single = tally.matches() <= points.pairs();
    match model {
        StopModel::Pentanomial if !single => Evidence::worth(points, effective),
        _ => {
            let share = effective / points.pairs().max(1) as f64;
            Evidence::worth(tally, tally.matches() as f64 * share)
        }
    }
}

/// The fingerprint of a pair, which only copies share: those whose matches are copies of its matches.
pub(crate) fn pair_print(prints: impl IntoIterator<Item = u64>) -> u64 {
    prints.into_iter().fold(0, mix)
}

/// The points of a round on the scale of a pair: 0 to 2.
pub(crate) fn pair_points(scores: &[f64]) -> f64 {
    if scores.is_empty() { 1.0 } else { 2.0 * scores.iter().sum::<f64>() / scores.len() as f64 }
}
