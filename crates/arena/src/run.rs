//! Runs an experiment: plays the matches that its store lacks and saves each as it ends.

mod collection;
mod field;
mod ledger;
mod limits;
mod piece;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use serde::Serialize;
use tesuji_core::{ErrorKind, InputError, cancel, mix};

pub use collection::{Collection, Taken};
use field::Rings;
pub(crate) use field::{Field, seat_plans};
use ledger::Ledger;
pub(crate) use ledger::{Prefix, early_evidence, pair_points, pair_print};
pub use limits::EndedBy;
use limits::Limits;
pub use piece::{Piece, PieceMatch, PiecePlayer, Pieces, on_playing_thread};

use crate::experiment::{Experiment, Pairing, Unit};
use crate::identity::{agent_contents, agent_identities, game_identities, run_identity};
use crate::statistics::{Pairs, Tally};
use crate::store::{Store, StoredRun, fingerprint};
use crate::{Ending, PlayedMatch, crew, root_exploitability};

/// The version of this program, stored with every run.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct RunPlan {
    /// Threads to play on.
    pub threads: usize,
    /// Play only this part (index, count).
    pub shard: Option<(u64, u64)>,
}

/// The state of a run while it plays.
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
    /// Decisions whose root exploitability was measured, also in earlier sessions.
    pub measured: u64,
    /// Decisions to be measured in all.
    pub to_measure: u64,
    /// Each pairing with its finished pairs.
    pub pairings: Vec<(Pairing, Pairs)>,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct RunEnd {
    /// Its number in the store.
    pub run: i64,
    /// Was everything of its part played, or was it interrupted?
    pub complete: bool,
    /// Matches forfeited, of this run in this store.
    pub fouls: u64,
    /// The limits that ended searches, in the matches played now.
    pub limits: Vec<EndedBy>,
}

/// Plays what `store` does not hold yet. `text` and `name` are the experiment's file.
///
/// Every match is stored when it ends. A run that is stopped ends within seconds: matches that take longer are
/// cancelled, and played again the next time. A run whose agents change while it plays, such as a program that somebody
/// edits, ends with an error, and the matches since the last check are not stored.
pub fn run_experiment(
    experiment: &Experiment,
    (name, text): (&str, &str),
    store: &mut Store,
    plan: RunPlan,
    stop: &AtomicBool,
    mut progress: impl FnMut(&RunProgress),
) -> Result<RunEnd, InputError> {
    // Programs are asked for their names, which may take long.
    let contents = crew::stoppable(stop, || agent_contents(experiment))?;
    let run = enter(experiment, &contents, name, text, store)?;
    let unchanged = Unchanged { experiment, contents };
    play(&unchanged, store, run, plan, &Wanted::everything(), stop, &mut progress)
}

/// Which matches and decisions of a run are played, of those that its store lacks.
pub(crate) struct Wanted<'a> {
    pub(crate) matches: &'a (dyn Fn(Unit, u32) -> bool + Sync),
    pub(crate) decisions: u64,
}

impl Wanted<'_> {
    fn everything() -> Wanted<'static> {
        Wanted { matches: &|_, _| true, decisions: u64::MAX }
    }
}

/// An experiment with what its agents depended on when its run was entered.
pub(crate) struct Unchanged<'a> {
    pub(crate) experiment: &'a Experiment,
    pub(crate) contents: Vec<String>,
}

impl Unchanged<'_> {
    /// Refuses to continue if a file that an agent depends on has changed.
    fn check(&self) -> Result<(), InputError> {
        if self.contents.iter().all(String::is_empty) {
            return Ok(());
        }
        let now = agent_contents(self.experiment)?;
        let agents = self.experiment.agents.iter().zip(self.contents.iter().zip(&now));
        match agents.into_iter().find(|(_, (before, now))| before != now) {
            None => Ok(()),
            Some((agent, _)) => Err(InputError::new(format!(
                "`{}` has changed while it was playing: a file that it depends on is not what it was",
                agent.name.label
            ))
            .with_help(
                "matches that were played since are not stored; start again, and the changed agent gets its own run",
            )),
        }
    }

    /// Commits what is due, if the agents are still the same.
    fn settle(&self, store: &mut Store) -> Result<(), InputError> {
        if store.is_due() { self.commit(store) } else { Ok(()) }
    }

    fn commit(&self, store: &mut Store) -> Result<(), InputError> {
        match self.check() {
            Ok(()) => store.commit(),
            Err(error) => {
                store.roll_back()?;
                Err(error)
            }
        }
    }
}

/// Plays what the store lacks of a run, as far as it is wanted.
pub(crate) fn play(
    unchanged: &Unchanged<'_>,
    store: &mut Store,
    run: i64,
    plan: RunPlan,
    wanted: &Wanted<'_>,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&RunProgress),
) -> Result<RunEnd, InputError> {
    let experiment = unchanged.experiment;
    let field = Field::new(experiment)?;
    let mut ledger = Ledger::of_store(&field, experiment, store, run, |_, _| ())?;
    let mut limits = Limits::default();
    // A task is a place in the schedule. Those that are held already are marked, a bit each, so that the memory of a
    // long run stays small.
    let (round, units) = (field.longest_round(), experiment.unit_count(plan.shard));
    let place = |task: u64| (experiment.unit(plan.shard, task / round.max(1)), task % round.max(1));
    let mut held = vec![0u64; (units * round).div_ceil(64) as usize];
    for task in 0..units * round {
        let (unit, seating) = place(task);
        let exists = seating < field.round(unit);
        ledger.progress.total += u64::from(exists);
        if !exists || ledger.has(unit, seating as usize) {
            held[task as usize / 64] |= 1 << (task % 64);
        }
    }
    ledger.progress.to_measure = root_exploitability::units(experiment, plan.shard)?.len() as u64;
    progress(&ledger.progress);
    let stopped: Vec<AtomicU32> = ledger.stops.iter().map(|stop| AtomicU32::new(stop.unwrap_or(u32::MAX))).collect();
    let played = crew::run(
        units * round,
        plan.threads,
        stop,
        || (0..field.pairings.len()).map(|_| None).collect::<Rings>(),
        |rings, task| {
            if held[task as usize / 64] >> (task % 64) & 1 == 1 {
                return None;
            }
            let (unit, seating) = place(task);
            if unit.pair > stopped[unit.pairing as usize].load(Ordering::Relaxed)
                || !(wanted.matches)(unit, seating as u32)
            {
                return None;
            }
            let seed = experiment.seed_of(unit);
            let played = field.ring(rings, unit.pairing).map(|ring| ring.play(seating as usize, seed, true));
            // Searches that were cancelled did not use their budget: the match is played again the next time.
            (!cancel::requested()).then_some((unit, seed, played))
        },
        |result| {
            if let Some((unit, seed, played)) = result {
                let played: PlayedMatch = played?;
                store.add_match(run, unit, seed, &played)?;
                let pairing = unit.pairing as usize;
                limits.count(&field.pairings[pairing].agents, &field.seatings[pairing][played.seating], &played);
                let foul = matches!(played.ending, Ending::Foul { .. });
                let print = mix(fingerprint(seed, &played), played.seating as u64);
                ledger.enter(&field, unit, played.seating, (played.payoffs, print), foul);
                if let Some(last) = ledger.stops[unit.pairing as usize] {
                    stopped[unit.pairing as usize].store(last, Ordering::Relaxed);
                }
                progress(&ledger.progress);
            }
            unchanged.settle(store)
        },
    );
    let committed = unchanged.commit(store);
    played.and(committed)?;
    if !stop.load(Ordering::Relaxed) && wanted.decisions > 0 {
        root_exploitability::measure(experiment, store, run, plan, wanted.decisions, stop, &mut |done, total| {
            (ledger.progress.measured, ledger.progress.to_measure) = (done, total);
            progress(&ledger.progress);
        })?;
    }
    let fouls = ledger.progress.fouls;
    Ok(RunEnd { run, complete: !stop.load(Ordering::Relaxed), fouls, limits: limits.into_list() })
}

/// The hash of all that the results of an experiment depend on, as its games and files are now: two machines with the
/// same hash play the same matches.
pub fn experiment_identity(experiment: &Experiment) -> Result<String, InputError> {
    Ok(run_identity(experiment, &game_identities(experiment)?, &agent_contents(experiment)?))
}

/// The number of this experiment's run in the store, which is added if it is not there.
///
/// Matches that were refereed elsewhere are added to the run by [`Store::add_match`].
pub fn enter_run(experiment: &Experiment, name: &str, text: &str, store: &mut Store) -> Result<i64, InputError> {
    enter(experiment, &agent_contents(experiment)?, name, text, store)
}

fn enter(
    experiment: &Experiment,
    contents: &[String],
    name: &str,
    text: &str,
    store: &mut Store,
) -> Result<i64, InputError> {
    let games = game_identities(experiment)?;
    let run = StoredRun {
        id: 0,
        identity: run_identity(experiment, &games, contents),
        title: experiment.title.clone(),
        name: name.to_owned(),
        experiment: text.to_owned(),
        scale: format!("{:?}", experiment.scale).to_lowercase(),
        tesuji: VERSION.to_owned(),
        games: json(&games)?,
        agents: json(&agent_identities(experiment, contents, VERSION))?,
    };
    let Some(known) = store.find_run(&run.identity)? else { return store.add_run(&run) };
    if known.tesuji != VERSION {
        let message = format!("this run was started by Tesuji {}, this is {VERSION}", known.tesuji);
        return Err(InputError::new(message)
            .of_kind(ErrorKind::Incompatible)
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
