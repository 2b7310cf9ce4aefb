//! Running an experiment: what is missing is played, what is finished is kept.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use serde::Serialize;
use tesuji_core::{InputError, Spec, cancel};

use crate::Ending;
use crate::experiment::{EarlyStop, Experiment, Pairing, StopModel, Unit};
use crate::identity::{agent_contents, agent_identities, game_identities, run_identity};
use crate::rounds::round_scores;
use crate::statistics::{Pairs, SprtDecision, Tally, sprt};
use crate::store::{Store, StoredRun};
use crate::{AnyGame, crew, gaps};
use crate::{Entrant, PlayedMatch, Ring};

/// The version of this program, stored with every run.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A decision under a time budget is a foul when it takes more than twice the budget and this: machines pause.
const OVERTIME_GRACE: Duration = Duration::from_secs(1);

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct RunPlan {
    /// Threads to play on.
    pub threads: usize,
    /// Play only this part (index, count).
    pub shard: Option<(u64, u64)>,
}

/// What is known while a run goes on.
#[derive(Clone, Debug, Default)]
pub struct RunProgress {
    /// Matches finished, also in earlier sessions.
    pub done: u64,
    /// Matches in all (an early stop makes them fewer).
    pub total: u64,
    /// The first agent's tally over all pairings it leads.
    pub tally: Tally,
    /// Matches forfeited.
    pub fouls: u64,
    /// Decisions whose gap was measured, also in earlier sessions.
    pub gaps: u64,
    /// Decisions to be measured in all.
    pub gaps_total: u64,
}

/// A run after its last match.
#[derive(Clone, Debug)]
pub struct RunEnd {
    /// Its number in the store.
    pub run: i64,
    /// Was everything of its part played, or was it interrupted?
    pub complete: bool,
    /// Matches forfeited, of this run in this store.
    pub fouls: u64,
}

/// Plays what `store` does not hold yet. `text` and `name` are the experiment's file.
pub fn run_experiment(
    experiment: &Experiment,
    (name, text): (&str, &str),
    store: &mut Store,
    plan: RunPlan,
    stop: &AtomicBool,
    mut progress: impl FnMut(&RunProgress),
) -> Result<RunEnd, InputError> {
    let run = enter_run(experiment, name, text, store)?;
    let field = Field::new(experiment)?;
    let mut ledger = Ledger::new(&field, experiment.sprt);
    store.each_match(run, false, |row| {
        if row.unit.pairing < field.pairings.len() as u32 && u64::from(row.unit.pair) < experiment.pairs {
            let payoffs = row.payoffs.clone();
            ledger.enter(&field, row.unit, row.seating, payoffs, row.foul.is_some());
        }
        Ok(())
    })?;
    let pending: Vec<Unit> = experiment.units(plan.shard).filter(|&unit| !ledger.has(unit)).collect();
    let seatings = field.seatings.first().map_or(0, |seatings| seatings.len() as u64);
    ledger.progress.total = experiment.units(plan.shard).count() as u64 * seatings;
    ledger.progress.gaps_total = gaps::units(experiment, plan.shard)?.len() as u64;
    progress(&ledger.progress);
    let stopped: Vec<AtomicU32> = ledger.stops.iter().map(|stop| AtomicU32::new(stop.unwrap_or(u32::MAX))).collect();
    let played = crew::run(
        pending.len() as u64,
        plan.threads,
        stop,
        || (0..field.pairings.len()).map(|_| None).collect::<Vec<Option<Box<dyn Ring>>>>(),
        |rings, task| {
            let unit = pending[task as usize];
            if unit.pair > stopped[unit.pairing as usize].load(Ordering::Relaxed) {
                return None;
            }
            let ring = rings[unit.pairing as usize].get_or_insert_with(|| field.ring(unit.pairing));
            let seed = experiment.seed_of(unit);
            let matches: Vec<PlayedMatch> =
                (0..ring.seatings().len()).map(|seating| ring.play(seating, seed, true)).collect();
            // Searches that were cancelled did not use their budget: the pair is played again the next time.
            (!cancel::requested()).then_some((unit, seed, matches))
        },
        |result| {
            if let Some((unit, seed, matches)) = result {
                for played in &matches {
                    store.add_match(run, unit, seed, played)?;
                    let foul = played.ending != Ending::Natural;
                    ledger.enter(&field, unit, played.seating, played.payoffs.clone(), foul);
                }
                if let Some(last) = ledger.stops[unit.pairing as usize] {
                    stopped[unit.pairing as usize].store(last, Ordering::Relaxed);
                }
                progress(&ledger.progress);
            }
            store.settle()
        },
    );
    let committed = store.commit();
    played.and(committed)?;
    if !stop.load(Ordering::Relaxed) {
        gaps::measure(experiment, store, run, plan, stop, |done, total| {
            (ledger.progress.gaps, ledger.progress.gaps_total) = (done, total);
            progress(&ledger.progress);
        })?;
    }
    Ok(RunEnd { run, complete: !stop.load(Ordering::Relaxed), fouls: ledger.progress.fouls })
}

/// The run of this experiment in the store, made if it is not there. Matches that were refereed elsewhere are added to it by
/// [`Store::add_match`].
pub fn enter_run(experiment: &Experiment, name: &str, text: &str, store: &mut Store) -> Result<i64, InputError> {
    let games = game_identities(experiment)?;
    let contents = agent_contents(experiment)?;
    let run = StoredRun {
        id: 0,
        identity: run_identity(experiment, &games, &contents),
        title: experiment.title.clone(),
        name: name.to_owned(),
        experiment: text.to_owned(),
        scale: format!("{:?}", experiment.scale).to_lowercase(),
        tesuji: VERSION.to_owned(),
        games: json(&games)?,
        agents: json(&agent_identities(experiment, &contents, VERSION))?,
    };
    let Some(known) = store.find_run(&run.identity)? else { return store.add_run(&run) };
    if known.tesuji != VERSION {
        let message = format!("this run was started by Tesuji {}, this is {VERSION}", known.tesuji);
        return Err(InputError::new(message)
            .with_help("results of different versions do not mix: finish it with that version or start a new store")
            .in_file(store.path().display()));
    }
    let run = StoredRun { id: known.id, ..run };
    if run != known {
        store.set_file(&run)?;
    }
    Ok(run.id)
}

fn json(value: &impl Serialize) -> Result<String, InputError> {
    serde_json::to_string(value).map_err(|error| InputError::new(error.to_string()))
}

/// The games and pairings of an experiment.
pub(crate) struct Field {
    pub games: Vec<Arc<dyn AnyGame>>,
    pub pairings: Vec<Pairing>,
    /// The seat plans of each pairing.
    pub seatings: Vec<Vec<Vec<usize>>>,
    entrants: Vec<Entrant>,
}

impl Field {
    pub fn new(experiment: &Experiment) -> Result<Field, InputError> {
        let games = experiment.games.iter().map(|entered| Arc::clone(&entered.game)).collect();
        let pairings = experiment.pairings_in_games();
        let entrants: Vec<Entrant> = experiment
            .agents
            .iter()
            .map(|agent| Entrant {
                address: agent.name.address.clone(),
                budget: agent.budget,
                start: experiment.start,
                limit: experiment.overtime.or(agent.budget.time.map(|time| time * 2 + OVERTIME_GRACE)),
            })
            .collect();
        let mut field = Field { games, pairings, seatings: Vec::new(), entrants };
        for &pairing in &field.pairings {
            let ring = field.games[pairing.game].ring(&field.entrants_of(pairing))?;
            field.seatings.push(ring.seatings().to_vec());
        }
        Ok(field)
    }

    fn entrants_of(&self, pairing: Pairing) -> [Entrant; 2] {
        [self.entrants[pairing.first].clone(), self.entrants[pairing.second].clone()]
    }

    fn ring(&self, pairing: u32) -> Box<dyn Ring> {
        let pairing = self.pairings[pairing as usize];
        self.games[pairing.game]
            .ring(&self.entrants_of(pairing))
            .unwrap_or_else(|error| panic!("this ring was made before: {error}"))
    }

    pub fn spec(&self, pairing: u32) -> &Spec {
        self.games[self.pairings[pairing as usize].game].spec()
    }
}

/// What is known of every pair of matches, whatever order they arrive in: a few bytes a pair.
struct Ledger {
    early: Option<EarlyStop>,
    /// For each pairing, the payoffs of the matches of unfinished pairs.
    open: Vec<BTreeMap<u32, Vec<Option<Vec<f64>>>>>,
    /// For each pairing, the scores of its pairs.
    finished: Vec<Vec<PackedScores>>,
    /// For each pairing, the finished pairs from the start without a gap.
    prefix: Vec<Prefix>,
    /// The pair with which the sequential test of a pairing stopped.
    stops: Vec<Option<u32>>,
    progress: RunProgress,
}

/// The scores of a pair, two bits a match: 0, 1 or 2 half points, 3 for a match that is not there. Games have at most 32
/// seats, so every round fits.
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
#[derive(Clone, Copy, Default)]
pub(crate) struct Prefix {
    pub pairs: u32,
    points: Pairs,
    tally: Tally,
}

impl Ledger {
    fn new(field: &Field, early: Option<EarlyStop>) -> Ledger {
        let count = field.pairings.len();
        Ledger {
            early,
            open: vec![BTreeMap::new(); count],
            finished: vec![Vec::new(); count],
            prefix: vec![Prefix::default(); count],
            stops: vec![None; count],
            progress: RunProgress::default(),
        }
    }

    fn has(&self, unit: Unit) -> bool {
        let pairing = unit.pairing as usize;
        self.stops[pairing].is_some_and(|last| unit.pair > last)
            || self.finished[pairing].get(unit.pair as usize).is_some_and(|&packed| packed != PackedScores::MISSING)
    }

    fn enter(&mut self, field: &Field, unit: Unit, seating: usize, payoffs: Vec<f64>, foul: bool) {
        let pairing = unit.pairing as usize;
        let seatings = &field.seatings[pairing];
        let matches = self.open[pairing].entry(unit.pair).or_insert_with(|| vec![None; seatings.len()]);
        if let Some(slot) = matches.get_mut(seating) {
            *slot = Some(payoffs);
        }
        self.progress.done += 1;
        self.progress.fouls += u64::from(foul);
        if matches.iter().any(Option::is_none) {
            return;
        }
        let payoffs: Vec<Vec<f64>> = matches.drain(..).flatten().collect();
        self.open[pairing].remove(&unit.pair);
        let scores = round_scores(field.spec(unit.pairing), seatings, &payoffs);
        if field.pairings[pairing].first == 0 {
            scores.iter().for_each(|&score| self.progress.tally.count(score));
        }
        let place = unit.pair as usize;
        if self.finished[pairing].len() <= place {
            self.finished[pairing].resize(place + 1, PackedScores::MISSING);
        }
        self.finished[pairing][place] = PackedScores::pack(&scores);
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
            if prefix.add(&scores, early) {
                self.stops[pairing] = Some(pair);
            }
        }
    }
}

impl Prefix {
    /// Counts the next pair; `true` if the test stops with it.
    pub fn add(&mut self, scores: &[f64], early: EarlyStop) -> bool {
        self.pairs += 1;
        self.points.count(pair_points(scores));
        scores.iter().for_each(|&score| self.tally.count(score));
        let report = match early.model {
            StopModel::Trinomial => sprt(self.tally, &early.settings),
            StopModel::Pentanomial => sprt(self.points, &early.settings),
        };
        report.is_some_and(|report| report.decision != SprtDecision::Continue)
    }
}

/// The points of a round on the scale of a pair: 0 to 2.
pub(crate) fn pair_points(scores: &[f64]) -> f64 {
    if scores.is_empty() { 1.0 } else { 2.0 * scores.iter().sum::<f64>() / scores.len() as f64 }
}
