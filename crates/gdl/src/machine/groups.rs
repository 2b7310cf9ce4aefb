//! Chooses the guard of each gate, and an order in which gates with the same guard are adjacent.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::plan::Plan;
use crate::Signal;

/// How often each value changed in random play.
#[derive(Clone, Debug, Default)]
pub(super) struct Heat {
    /// By number.
    pub(super) changes: Vec<u32>,
    pub(super) steps: u32,
}

/// Networks with more levels than this keep their order: few gates of one level change together. Measured on sheets of
/// Hex, whose chains unroll to some hundred levels; all others have fewer than twenty.
const MOST_LEVELS: u32 = 32;

/// Networks in which fewer values change per step keep their order: there is too little to gain. Measured between
/// Connect Five (9) and Breakthrough (13).
const FEWEST_CHANGES: u64 = 11;

/// If gates keep their order, a guard of fewer gates than this notifies them one by one.
const FEWEST_GUARDED: usize = 4;

/// Gates in groups. The gates of a group have the same guard, and none depends on another, even indirectly.
pub(super) struct Groups {
    /// By gate, counted from the first: its guard; always true if it has none.
    pub(super) guards: Vec<Signal>,
    /// The gates of each group, ascending; a gate without a guard is alone.
    members: Vec<Vec<u32>>,
    /// By gate: its group.
    group_of: Vec<u32>,
    /// By gate: its level, if gates are sorted by level. Gates of one level never notify each other, so a word of them
    /// is processed at once.
    levels: Option<Vec<u32>>,
}

impl Groups {
    /// Guards are the parts that change most often; without heat there are none.
    pub(super) fn new(plan: &Plan, heat: Option<&Heat>) -> Groups {
        let heat_of = |part: &Signal| heat.map_or(0, |heat| heat.changes[part.atom() as usize]);
        let hottest = |parts: &Vec<Signal>| {
            let guard = parts.iter().copied().max_by_key(heat_of).filter(|part| heat_of(part) > 0);
            guard.unwrap_or(Signal::TRUE)
        };
        let mut guards: Vec<Signal> = plan.gates.iter().map(hottest).collect();
        let levels = levels(plan);
        let changes: u64 = heat.map_or(0, |heat| heat.changes.iter().map(|&changes| u64::from(changes)).sum());
        let steps = heat.map_or(1, |heat| u64::from(heat.steps));
        let always = |gate: usize| plan.always[plan.first_gate as usize + gate];
        let by_level = (0..levels.len()).filter(|&gate| always(gate)).all(|gate| levels[gate] <= MOST_LEVELS)
            && changes >= FEWEST_CHANGES * steps;
        let fewest = if by_level { 1 } else { FEWEST_GUARDED };
        let mut sizes: FxHashMap<(u32, Signal), usize> = FxHashMap::default();
        for gate in (0..guards.len()).filter(|&gate| always(gate)) {
            *sizes.entry((levels[gate], guards[gate])).or_default() += 1;
        }
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut group_of = Vec::new();
        let mut known: FxHashMap<(u32, Signal), u32> = FxHashMap::default();
        for gate in 0..guards.len() {
            let key = (levels[gate], guards[gate]);
            if !always(gate) || sizes[&key] < fewest {
                guards[gate] = Signal::TRUE;
            }
            let new = members.len() as u32;
            let group = if guards[gate] == Signal::TRUE { new } else { *known.entry(key).or_insert(new) };
            if group == new {
                members.push(Vec::new());
            }
            members[group as usize].push(gate as u32);
            group_of.push(group);
        }
        Groups { guards, members, group_of, levels: by_level.then_some(levels) }
    }

    /// The order of gates: those that are always needed first, each after its inputs and with its group; otherwise by
    /// level or as before.
    pub(super) fn order(&self, plan: &Plan) -> Vec<usize> {
        let first = plan.first_gate;
        if let Some(levels) = &self.levels {
            let mut order: Vec<usize> = (0..self.guards.len()).collect();
            order.sort_by_key(|&gate| (!plan.always[first as usize + gate], levels[gate], self.guards[gate], gate));
            return order.into_iter().map(|gate| first as usize + gate).collect();
        }
        let needs = |group: usize| {
            let parts = self.members[group].iter().flat_map(|&gate| &plan.gates[gate as usize]);
            let gates = parts.map(|part| part.atom()).filter(move |&number| number >= first);
            gates.map(|number| self.group_of[(number - first) as usize])
        };
        let rank = |group: u32| {
            let gate = self.members[group as usize][0];
            Reverse((!plan.always[(first + gate) as usize], gate, group))
        };
        let mut hearers: Vec<Vec<u32>> = vec![Vec::new(); self.members.len()];
        let mut waiting = vec![0u32; self.members.len()];
        let mut free = BinaryHeap::new();
        for (group, waiting) in waiting.iter_mut().enumerate() {
            for need in needs(group) {
                hearers[need as usize].push(group as u32);
                *waiting += 1;
            }
            if *waiting == 0 {
                free.push(rank(group as u32));
            }
        }
        let mut order = Vec::with_capacity(self.guards.len());
        while let Some(Reverse((_, _, group))) = free.pop() {
            order.extend(self.members[group as usize].iter().map(|&gate| (first + gate) as usize));
            for &hearer in &hearers[group as usize] {
                waiting[hearer as usize] -= 1;
                if waiting[hearer as usize] == 0 {
                    free.push(rank(hearer));
                }
            }
        }
        order
    }
}

/// By gate: its depth.
fn levels(plan: &Plan) -> Vec<u32> {
    let mut levels: Vec<u32> = Vec::with_capacity(plan.gates.len());
    for parts in &plan.gates {
        let gates = parts.iter().filter_map(|part| part.atom().checked_sub(plan.first_gate));
        let deepest = gates.map(|gate| levels[gate as usize]).max().unwrap_or(0);
        levels.push(deepest + 1);
    }
    levels
}
