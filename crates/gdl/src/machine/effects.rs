//! Precomputed effects of moves, for steps that a single move decides.
//!
//! In most games one role chooses while each of the others has a single move (and perhaps the role whose turn it is can
//! pass). Then a move fixes the whole joint move, and the next state can be worked out for it in advance: most facts
//! follow as they would under any move (`usual`), a few are exceptions. A step then reads the usual facts, which the
//! machine keeps up to date, and the exceptions of the move; no gate that depends on moves is ever evaluated.
//!
//! If several roles choose at once there are no effects, and the machine propagates the moves through its gates. It
//! does the same if the exceptions cost more than propagation, as in sheets of Hex that store chains of stones as
//! facts.

mod work;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::Signal;
pub(super) use work::{Gates, work_out};
use work::{Worked, placed};

/// With more conditions than this in all exceptions together, moves are propagated instead (about 64 MB).
const MOST_CONDITIONS: usize = 16_000_000;

/// If the exceptions take more words of code than this per move on average, moves are propagated instead: a step of a
/// large sheet touches about as much.
const MOST_CODE_A_MOVE: usize = 2_000;

/// What is computed and set in a step.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The range of its conditions in `code`.
    code: (u32, u32),
    /// The range of its words.
    words: (u32, u32),
}

/// The facts of one word that an entry sets.
#[derive(Clone, Copy, Debug, Default)]
struct FactWord {
    word: u32,
    /// The range of its outcomes.
    outcomes: (u32, u32),
    /// The facts that are set.
    facts: u64,
    /// Those of them that hold in any case.
    holding: u64,
}

/// The effects of all moves that decide a step.
#[derive(Clone, Debug)]
pub(crate) struct Effects {
    first_move: u32,
    /// By move: its entry; 0 for moves that decide nothing.
    entry_of: Vec<u32>,
    /// Deviations from the usual facts: when nobody decides; then, by role, whenever the role decides; then what each
    /// move adds.
    entries: Vec<Entry>,
    /// Values computed for one entry only, in runs of conjunctions with equally many parts: the number of parts, the
    /// number of conjunctions, then for each the slot of its value and the parts.
    code: Vec<u32>,
    words: Vec<FactWord>,
    /// The bit of a fact in its word, and whether it holds next.
    outcomes: Vec<(u32, Signal)>,
    /// The first slot of values computed for an entry.
    first_slot: u32,
    /// The most values computed for an entry. They follow those of the gates.
    pub(crate) slots: usize,
}

impl Effects {
    /// Whether this move decides the step.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn decides(&self, number: u32) -> bool {
        self.entry_of[(number - self.first_move) as usize] != 0
    }

    /// The same effects with signals renumbered; the values computed for an entry begin at `first_slot`.
    pub(super) fn renumbered(&self, places: &[u32], first_slot: u32) -> Effects {
        let place = |number: u32| match number.checked_sub(self.first_slot) {
            Some(slot) => Signal::of(first_slot + slot),
            None => Signal::of(places[number as usize]),
        };
        let mut code = self.code.clone();
        let mut at = 0;
        while at < code.len() {
            let (parts, count) = (code[at] as usize, code[at + 1] as usize);
            at += 2;
            for item in code[at..at + count * (parts + 1)].chunks_exact_mut(parts + 1) {
                item[0] = place(item[0]).atom();
                item[1..].iter_mut().for_each(|part| *part = placed(Signal(*part), place).0);
            }
            at += count * (parts + 1);
        }
        let outcomes = self.outcomes.iter().map(|&(fact, signal)| (fact, placed(signal, place))).collect();
        Effects { code, outcomes, first_slot, ..self.clone() }
    }

    /// Appends the words of an entry that sets these facts.
    fn set(&mut self, mut facts: Vec<(u32, Signal)>) {
        facts.sort_unstable();
        for word in facts.chunk_by(|one, other| one.0 / 64 == other.0 / 64) {
            let first = self.outcomes.len() as u32;
            let mut set = FactWord { word: word[0].0 / 64, ..FactWord::default() };
            for &(fact, signal) in word {
                set.facts |= 1 << (fact % 64);
                match signal {
                    Signal::TRUE => set.holding |= 1 << (fact % 64),
                    Signal::FALSE => {}
                    _ => self.outcomes.push((fact % 64, signal)),
                }
            }
            self.words.push(FactWord { outcomes: (first, self.outcomes.len() as u32), ..set });
        }
    }

    /// The numbers that it reads, some several times.
    pub(super) fn reads(&self) -> Vec<u32> {
        let mut reads: Vec<u32> = self.outcomes.iter().map(|(_, signal)| signal.atom()).collect();
        let mut at = 0;
        while at < self.code.len() {
            let (parts, count) = (self.code[at] as usize, self.code[at + 1] as usize);
            at += 2;
            for item in self.code[at..at + count * (parts + 1)].chunks_exact(parts + 1) {
                reads.extend(item[1..].iter().map(|&part| part >> 1));
            }
            at += count * (parts + 1);
        }
        reads.retain(|&number| number < self.first_slot);
        reads
    }

    /// Sets the next facts that differ from the usual ones when a role makes this deciding move, or when nobody decides
    /// (`None`).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn apply(&self, decided: Option<(usize, u32)>, holds: &mut [u8], next: &mut [u64]) {
        let entries = match decided {
            Some((role, number)) => [role + 1, self.entry_of[(number - self.first_move) as usize] as usize],
            None => [0, self.entries.len() - 1],
        };
        for entry in entries.map(|entry| self.entries[entry]) {
            let mut code = &self.code[entry.code.0 as usize..entry.code.1 as usize];
            while let [parts, count, rest @ ..] = code {
                let (parts, count) = (*parts as usize, *count as usize);
                let (run, rest) = rest.split_at(count * (parts + 1));
                match parts {
                    2 => evaluate::<2>(run, holds),
                    3 => evaluate::<3>(run, holds),
                    4 => evaluate::<4>(run, holds),
                    _ => {
                        for item in run.chunks_exact(parts + 1) {
                            let all = item[1..].iter().fold(1, |all, &part| all & value(holds, part));
                            holds[item[0] as usize] = all;
                        }
                    }
                }
                code = rest;
            }
            for &FactWord { word, outcomes, facts, holding } in
                &self.words[entry.words.0 as usize..entry.words.1 as usize]
            {
                let mut holding = holding;
                for &(bit, signal) in &self.outcomes[outcomes.0 as usize..outcomes.1 as usize] {
                    holding |= u64::from(value(holds, signal.0)) << (bit % 64);
                }
                let word = &mut next[word as usize];
                *word = *word & !facts | holding;
            }
        }
    }
}

/// Evaluates conjunctions of `PARTS` parts.
#[cfg_attr(not(debug_assertions), inline(always))]
fn evaluate<const PARTS: usize>(run: &[u32], holds: &mut [u8]) {
    for item in run.chunks_exact(PARTS + 1) {
        let mut all = 1;
        for part in 0..PARTS {
            all &= value(holds, item[part + 1]);
        }
        holds[item[0] as usize] = all;
    }
}

/// Whether a signal holds, as 1 or 0.
#[cfg_attr(not(debug_assertions), inline(always))]
fn value(holds: &[u8], signal: u32) -> u8 {
    holds[(signal >> 1) as usize] ^ (signal & 1) as u8
}

impl Worked {
    /// The program of all effects, and the signals of the usual facts.
    ///
    /// A gate for which `kept` is true has its value available. Of the gates created on the way (from `made` on), only
    /// these stay; others are computed when an entry needs them. `None` if the program is too long.
    pub(super) fn compile(self, gates: &mut Gates, made: u32, kept: &[bool]) -> Option<(Effects, Vec<Signal>)> {
        let Worked { usual, exceptions, entry_of, first_move } = self;
        let mut stays: FxHashMap<u32, u32> = FxHashMap::default();
        let own = (gates.first..made).chain((made..gates.end()).filter(|&number| kept[number as usize]));
        stays.extend(own.zip(gates.first..).skip((made - gates.first) as usize));
        let end = made + stays.len() as u32;
        let most = MOST_CONDITIONS.min(MOST_CODE_A_MOVE * exceptions.len());
        let mut effects = Effects {
            first_move,
            entry_of,
            entries: Vec::new(),
            code: Vec::new(),
            words: Vec::new(),
            outcomes: Vec::new(),
            first_slot: end,
            slots: 0,
        };
        for exceptions in exceptions {
            let mut needed: BTreeSet<u32> = BTreeSet::new();
            let mut open: Vec<u32> = exceptions.iter().map(|(_, signal)| signal.atom()).collect();
            while let Some(number) = open.pop() {
                if number >= gates.first && !kept[number as usize] && needed.insert(number) {
                    open.extend(gates.parts(number).iter().map(|part| part.atom()));
                }
            }
            effects.slots = effects.slots.max(needed.len());
            let slot_of: FxHashMap<u32, u32> = needed.iter().copied().zip(end..).collect();
            let place = |number: u32| match slot_of.get(&number) {
                Some(&slot) => Signal::of(slot),
                None => Signal::of(stays.get(&number).copied().unwrap_or(number)),
            };
            let (code, words) = (effects.code.len() as u32, effects.words.len() as u32);
            // Sorted by depth, then by the number of parts, in runs.
            let mut depth: FxHashMap<u32, u32> = FxHashMap::default();
            for &number in &needed {
                let deepest = gates.parts(number).iter().filter_map(|part| depth.get(&part.atom())).max();
                depth.insert(number, deepest.map_or(0, |depth| depth + 1));
            }
            let mut needed: Vec<u32> = needed.into_iter().collect();
            needed.sort_by_key(|number| (depth[number], gates.parts(*number).len(), *number));
            for run in needed.chunk_by(|one, other| {
                let key = |number: &u32| (depth[number], gates.parts(*number).len());
                key(one) == key(other)
            }) {
                effects.code.extend([gates.parts(run[0]).len() as u32, run.len() as u32]);
                for &number in run {
                    effects.code.push(slot_of[&number]);
                    effects.code.extend(gates.parts(number).iter().map(|&part| placed(part, place).0));
                }
            }
            effects.set(exceptions.iter().map(|&(fact, signal)| (fact, placed(signal, place))).collect());
            if effects.code.len() + effects.outcomes.len() > most {
                return None;
            }
            effects
                .entries
                .push(Entry { code: (code, effects.code.len() as u32), words: (words, effects.words.len() as u32) });
        }
        let place = |number: u32| Signal::of(stays.get(&number).copied().unwrap_or(number));
        let mut new: Vec<Vec<Signal>> = Vec::new();
        for number in (made..gates.end()).filter(|&number| kept[number as usize]) {
            new.push(gates.parts(number).iter().map(|&part| placed(part, place)).collect());
        }
        gates.forget_from(made);
        gates.list.extend(new);
        let usual = usual.into_iter().map(|signal| placed(signal, place)).collect();
        Some((effects, usual))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tesuji_core::Source;

    use crate::{Grounding, GroundingLimits, Machine, Network, SHEETS, Sheet, ground};

    #[test]
    fn moves_are_worked_out_where_one_role_chooses_at_a_time() {
        for (name, expected) in [
            ("tic-tac-toe", true),
            ("breakthrough", true),
            ("peg-solitaire", true),
            ("three-player-tic-tac-toe", true),
            ("pentago", true),
            ("rock-paper-scissors", false),
            ("tron-6x6", false),
        ] {
            let text = SHEETS.iter().find(|(bundled, _)| *bundled == name).unwrap().1;
            let sheet = Sheet::read(Source::new(name, text)).unwrap();
            let Ok(Grounding::Done(ground, _)) = ground(&sheet, &GroundingLimits::default(), &|| false) else {
                panic!("{name} does not ground")
            };
            let machine = Machine::new(Arc::new(Network::new(&ground).unwrap()));
            assert_eq!(machine.shared.effects.is_some(), expected, "{name}");
        }
    }
}
