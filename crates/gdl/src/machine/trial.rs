//! Random play that finds out which values change often, and which kind of machine is fastest for a network.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tesuji_core::Rng;

use super::guards::Arrangement;
use super::plan::Plan;
use super::values::{Heat, Values};
use super::{Advance, Machine, Pending, Replace, with_agenda};
use crate::Network;

/// Steps of random play, and of play with a rewritten plan; fewer if they change too many values in total.
const STEPS: u32 = 2_000;
const REWRITTEN_STEPS: u32 = 300;
const CHANGES: u64 = 1_000_000;

/// With fewer gates than this there is nothing to try: a queue is best.
const FEWEST_GATES: usize = 200;

/// Steps of a timed trial, and how often it is repeated; the shortest time counts.
const TIMED_STEPS: u32 = 500;
const TIMED_CHANGES: u64 = 50_000;
const REPETITIONS: u32 = 3;

/// What is tried: whether gates are sorted by level, and from how many gates on a part is their guard. Measured on
/// public sheets: without guards a queue is fastest for most, sorted gates for Reversi; Hex needs guards.
const CANDIDATES: [(bool, usize); 4] = [(false, usize::MAX), (false, 40), (true, 1), (true, 12)];

/// What is tried with rewritten plans.
const REWRITTEN: (bool, usize) = (false, usize::MAX);

/// With more gates than this, rewriting a plan would take too long.
const MOST_REWRITTEN: usize = 20_000;

/// The machine that is fastest for a network.
///
/// The choice depends on the processor; what the machine does, does not.
pub(super) fn best(network: &Arc<Network>, plan: &Plan) -> Machine {
    let heat = heat(network, plan, STEPS);
    let wired = |plan: &Plan, heat: &Heat, (by_level, fewest)| {
        Machine::wired(network, plan, Arrangement { by_level, heat: Some(heat), fewest })
    };
    if plan.circuit.gates.len() < FEWEST_GATES {
        return wired(plan, &heat, CANDIDATES[0]);
    }
    let others = rewritten(network, plan);
    let a_step = (total(&heat) / u64::from(heat.steps.max(1))).max(1);
    let steps = TIMED_STEPS.min((TIMED_CHANGES / a_step) as u32 + 1);
    let mut machines: Vec<Machine> = CANDIDATES.into_iter().map(|candidate| wired(plan, &heat, candidate)).collect();
    for plan in others {
        let heat = self::heat(network, &plan, REWRITTEN_STEPS);
        machines.push(wired(&plan, &heat, REWRITTEN));
    }
    let mut times = vec![Duration::MAX; machines.len()];
    for _ in 0..REPETITIONS {
        for (machine, best) in machines.iter_mut().zip(&mut times) {
            *best = (*best).min(time(machine, steps));
        }
    }
    let fastest = (0..times.len()).min_by_key(|&number| times[number]).unwrap_or(0);
    let mut machine = machines.swap_remove(fastest);
    machine.load(network.initial());
    machine
}

/// Plans with fewer changes than a given one: with leaves, and with tables or an end that is evaluated on demand. Which
/// of them is fastest, only a trial can tell.
pub(super) fn rewritten(network: &Network, plan: &Plan) -> Vec<Plan> {
    if plan.circuit.gates.len() > MOST_REWRITTEN {
        return Vec::new();
    }
    let plans = [Some(plan.clone()), plan.with_ending(), plan.with_tables(network.facts())];
    plans.into_iter().flatten().map(|plan| plan.with_leaves()).collect()
}

/// How often each value changes in random play.
pub(super) fn heat(network: &Arc<Network>, plan: &Plan, steps: u32) -> Heat {
    let mut sorted = Machine::wired(network, plan, Arrangement { by_level: true, heat: None, fewest: 1 });
    play(&mut sorted, steps, CHANGES)
}

/// The time of random matches with at least this many steps.
fn time(machine: &mut Machine, steps: u32) -> Duration {
    let initial = machine.network.initial().to_vec();
    let mut rng = Rng::new(0);
    let started = Instant::now();
    let mut made = 0;
    while made < steps {
        machine.load(&initial);
        // A match that is over at once would never end this loop.
        made += machine.play_out(steps, &mut rng).max(1);
    }
    started.elapsed()
}

fn total(heat: &Heat) -> u64 {
    heat.changes.iter().map(|&changes| u64::from(changes)).sum()
}

/// Plays at random and counts how often each value of the circuit changes.
fn play(machine: &mut Machine, most_steps: u32, most_changes: u64) -> Heat {
    let places = machine.shared.wiring.places.clone();
    let mut heat = Heat { changes: vec![0; places.len() + 1], steps: 0 };
    let initial = machine.network.initial().to_vec();
    let mut rng = Rng::new(0);
    while heat.steps < most_steps && total(&heat) < most_changes {
        go(machine, None, &initial, &mut heat);
        let mut taken = 0;
        while taken < most_steps && !machine.is_terminal() && machine.draw_joint(&mut rng) {
            let joint = std::mem::take(&mut machine.joint);
            go(machine, Some(&joint), &[], &mut heat);
            machine.joint = joint;
            taken += 1;
        }
        // A match that is over at once would never end this loop.
        heat.steps += taken.max(1);
    }
    let changes = places.iter().map(|&place| heat.changes[place as usize]).collect();
    Heat { changes, ..heat }
}

/// Makes a joint move or goes to a state, and counts.
fn go(machine: &mut Machine, joint: Option<&[usize]>, state: &[u64], heat: &mut Heat) {
    let Machine { shared, network, values, pending, facts, next, legal, .. } = machine;
    with_agenda!(pending, agenda => match joint {
        Some(joint) => {
            values.run_counted(&shared.wiring, agenda, heat, Advance { shared, network, facts, next, legal, joint });
        }
        None => {
            let new = state;
            values.run_counted(&shared.wiring, agenda, heat, Replace { shared, facts, new, legal });
        }
    });
}

/// How many different facts cost as much as a copy of all values.
pub(super) fn facts_a_copy(values: &Values, plan: &Plan, heat: Option<&Heat>) -> u32 {
    // Estimates: 32 bytes copied in a nanosecond; 10 nanoseconds for a change and 1 for each of its listeners, 6 for a
    // table.
    let copy = values.bytes() as u64 / 32 + 20;
    let Some(heat) = heat else { return u32::MAX / 4 };
    let circuit = &plan.circuit;
    let (mut cost, mut inputs) = (0, 0);
    for ((number, &changes), uses) in heat.changes.iter().enumerate().zip(circuit.uses()) {
        let uses = uses + 6 * plan.tables.uses(number);
        cost += u64::from(changes) * (10 + u64::from(uses));
        inputs += if number < circuit.first_gate as usize { u64::from(changes) } else { 0 };
    }
    let a_fact = (cost / inputs.max(1)).max(1);
    (copy / a_fact).min(u64::from(u32::MAX / 4)) as u32
}
