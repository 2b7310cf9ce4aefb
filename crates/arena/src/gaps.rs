//! What agents give away, measured as part of an experiment: decision by decision, kept in the store, gone on with after a stop.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_core::{InputError, cancel};

use crate::experiment::{Experiment, GapUnit};
use crate::run::RunPlan;
use crate::store::Store;
use crate::{GapDecision, GapMeter, GapPoint, GapReport, SolvePlan, crew, gap_seed};

/// Positions that the solver may remember: the boards of the papers take thousands.
const MOST_POSITIONS: u64 = 10_000_000;
/// Games with circles are not solved here; the tolerance is never asked for.
const TOLERANCE: f64 = 1e-9;

/// Every decision that an experiment measures, or the part that belongs to a shard.
pub(crate) fn units(experiment: &Experiment, shard: Option<(u64, u64)>) -> Result<Vec<GapUnit>, InputError> {
    let Some(plan) = &experiment.gap else { return Ok(Vec::new()) };
    let mut units = Vec::new();
    for (game, entered) in experiment.games.iter().enumerate() {
        let meter = entered.game.gap_meter()?;
        for repeat in 0..plan.repeats {
            for &playouts in &plan.playouts {
                for agent in 0..experiment.agents.len() {
                    let unit = |&player| GapUnit { game: game as u32, agent: agent as u32, playouts, player, repeat };
                    units.extend(meter.movers().iter().map(unit));
                }
            }
        }
    }
    let (index, count) = shard.unwrap_or((0, 1));
    let mine = (0u64..).zip(units).filter(|(number, _)| number % count == index);
    Ok(mine.map(|(_, unit)| unit).collect())
}

/// Measures what the store does not hold yet. `progress` hears how many decisions are there, of how many.
pub(crate) fn measure(
    experiment: &Experiment,
    store: &mut Store,
    run: i64,
    plan: RunPlan,
    stop: &AtomicBool,
    mut progress: impl FnMut(u64, u64),
) -> Result<(), InputError> {
    let all = units(experiment, plan.shard)?;
    let held: BTreeSet<GapUnit> = store.gaps(run)?.into_iter().map(|(unit, _)| unit).collect();
    let pending: Vec<GapUnit> = all.iter().copied().filter(|unit| !held.contains(unit)).collect();
    let (mut done, total) = ((all.len() - pending.len()) as u64, all.len() as u64);
    progress(done, total);
    let limits = SolvePlan { most_nodes: MOST_POSITIONS, tolerance: TOLERANCE, stop: Some(stop) };
    let decide = |meters: &mut Vec<Option<Box<dyn GapMeter>>>, unit: GapUnit| {
        let game = &experiment.games[unit.game as usize].game;
        let meter = match &mut meters[unit.game as usize] {
            Some(meter) => meter,
            slot => slot.insert(game.gap_meter()?),
        };
        let agent = &experiment.agents[unit.agent as usize].name.address;
        meter.measure(agent, unit.player, unit.playouts, gap_seed(experiment.seed, unit.player, unit.repeat), &limits)
    };
    let measured = crew::run(
        pending.len() as u64,
        plan.threads,
        stop,
        || experiment.games.iter().map(|_| None).collect::<Vec<_>>(),
        |meters, task| {
            let unit = pending[task as usize];
            match decide(meters, unit) {
                // Stopped in the middle of a solution: it is measured the next time.
                Err(_) if stop.load(Ordering::Relaxed) => None,
                Ok(_) if cancel::requested() => None,
                found => Some((unit, found)),
            }
        },
        |result| {
            if let Some((unit, found)) = result {
                store.add_gap(run, unit, found?)?;
                done += 1;
                progress(done, total);
            }
            store.settle()
        },
    );
    let committed = store.commit();
    measured.and(committed)
}

/// What the store holds of an experiment's gaps, an entry for each game and agent; and whether that is all. Times only if asked for.
pub(crate) fn reports(
    experiment: &Experiment,
    store: &Store,
    run: i64,
    timings: bool,
) -> Result<(Vec<GapReport>, bool), InputError> {
    let wanted: BTreeSet<GapUnit> = units(experiment, None)?.into_iter().collect();
    let held: Vec<(GapUnit, GapDecision)> =
        store.gaps(run)?.into_iter().filter(|(unit, _)| wanted.contains(unit)).collect();
    let mut reports: Vec<GapReport> = Vec::new();
    // Rows of one figure follow each other.
    for rows in held.chunk_by(|(one, _), (two, _)| GapUnit { repeat: 0, ..*one } == GapUnit { repeat: 0, ..*two }) {
        let (unit, first) = rows[0];
        let game = &experiment.games[unit.game as usize];
        let agent = &experiment.agents[unit.agent as usize].name;
        let decisions: Vec<GapDecision> = rows.iter().map(|(_, found)| *found).collect();
        let mut point = GapPoint::of(unit.playouts, game.game.spec().player_name(unit.player), &decisions);
        point.milliseconds = point.milliseconds.filter(|_| timings);
        match reports.last_mut() {
            Some(last) if last.game == game.label && last.agent == agent.label => last.points.push(point),
            _ => reports.push(GapReport {
                game: game.label.clone(),
                agent: agent.label.clone(),
                value: first.value,
                points: vec![point],
            }),
        }
    }
    Ok((reports, held.len() == wanted.len()))
}
