//! Chooses which gates have a guard, and the order of gates.

use rustc_hash::FxHashMap;

use super::circuit::Circuit;
use super::values::Heat;
use crate::Signal;

/// How gates are ordered, and which of them have a guard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrangement<'a> {
    /// Whether gates are ordered by level, so that each follows its inputs. Otherwise those with the same guard are
    /// adjacent.
    pub(super) by_level: bool,
    /// How often each number of the circuit changes; without it no gate has a guard.
    pub(super) heat: Option<&'a Heat>,
    /// A guard of fewer gates than this notifies them one by one.
    pub(super) fewest: usize,
}

/// The guards and the order of a circuit's gates.
pub(super) struct Guards {
    /// By gate, counted from the first: its guard; always true if it has none.
    pub(super) guards: Vec<Signal>,
    /// The gates in their new order, counted from the first.
    pub(super) order: Vec<u32>,
}

impl Guards {
    /// The guard of a gate is the part that changes most often, if it is worth it.
    pub(super) fn new(circuit: &Circuit, arrangement: Arrangement<'_>) -> Guards {
        let Arrangement { by_level, heat, fewest } = arrangement;
        let heat_of = |part: &Signal| heat.map_or(0, |heat| heat.changes[part.atom() as usize]);
        let hottest = |parts: &Vec<Signal>| {
            let guard = parts.iter().copied().max_by_key(heat_of).filter(|part| heat_of(part) > 0);
            guard.unwrap_or(Signal::TRUE)
        };
        let mut guards: Vec<Signal> = circuit.gates.iter().map(hottest).collect();
        let levels = if by_level { circuit.levels() } else { vec![0; guards.len()] };
        let mut sizes: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        for (guard, &level) in guards.iter().zip(&levels) {
            *sizes.entry((level, guard.atom())).or_default() += 1;
        }
        for (guard, &level) in guards.iter_mut().zip(&levels) {
            if sizes[&(level, guard.atom())] < fewest {
                *guard = Signal::TRUE;
            }
        }
        let mut order: Vec<u32> = (0..guards.len() as u32).collect();
        order.sort_by_key(|&gate| (levels[gate as usize], guards[gate as usize].atom(), gate));
        Guards { guards, order }
    }
}
