//! The values of a circuit, kept up to date by passing on changes.
//!
//! A gate counts its parts that do not hold; it holds while that number is 0. A change of a value is passed on to the
//! gates that listen to it (`agenda`).
//!
//! A number with many listeners may guard them instead: then such a gate counts its other parts only. It is ready while
//! all of them hold, open while its guard holds, and holds while it is both. A change of the guard reaches 64 gates at
//! once and concerns those only that are ready.

use super::agenda::Agenda;
use super::leaves;
use super::tables::Entries;
use super::wiring::{Node, Wiring, Word};

/// The current values.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// By number, 1 or 0; then one more for listeners that fill up lists, then whatever the owner adds.
    pub(super) holds: Vec<u8>,
    /// By number: how many parts of a gate, except its guard, do not hold.
    missing: Vec<u32>,
    words: Vec<Word>,
    planes: Vec<u64>,
    pub(super) outputs: Vec<u64>,
    pub(super) entries: Entries,
}

/// How often each number was toggled.
#[derive(Clone, Debug, Default)]
pub(super) struct Heat {
    /// By number.
    pub(super) changes: Vec<u32>,
    pub(super) steps: u32,
}

impl Values {
    /// The values when no input holds, with `spare` places after them.
    pub(super) fn new(wiring: &Wiring, entries: Entries, spare: usize) -> Values {
        let mut holds = wiring.initial_holds.clone();
        holds.resize(holds.len() + spare, 0);
        Values {
            holds,
            missing: wiring.initial_missing.clone(),
            words: wiring.initial_words.clone(),
            planes: wiring.initial_planes.clone(),
            outputs: wiring.initial_outputs.clone(),
            entries,
        }
    }

    /// Makes these values equal to others of the same wiring.
    pub(super) fn copy_from(&mut self, other: &Values) {
        self.holds.copy_from_slice(&other.holds);
        self.missing.copy_from_slice(&other.missing);
        self.words.copy_from_slice(&other.words);
        self.planes.copy_from_slice(&other.planes);
        self.outputs.copy_from_slice(&other.outputs);
        self.entries.copy_from(&other.entries);
    }

    /// The size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.holds.len()
            + 4 * self.missing.len()
            + size_of_val(&self.words[..])
            + 8 * (self.outputs.len() + self.planes.len())
    }

    /// Calls `work` with access to the values, compiled for what the wiring has.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn run<A: Agenda>(&mut self, wiring: &Wiring, agenda: &mut A, work: impl Work) {
        match (wiring.guarded.is_empty(), wiring.with_first) {
            (true, true) => work.go(&mut Run::<A, false, true, false>::new(self, wiring, agenda, &mut [])),
            (true, false) => work.go(&mut Run::<A, false, false, false>::new(self, wiring, agenda, &mut [])),
            (false, true) => work.go(&mut Run::<A, true, true, false>::new(self, wiring, agenda, &mut [])),
            (false, false) => work.go(&mut Run::<A, true, false, false>::new(self, wiring, agenda, &mut [])),
        }
    }

    /// Like `run`, and counts changes.
    pub(super) fn run_counted<A: Agenda>(&mut self, wiring: &Wiring, agenda: &mut A, heat: &mut Heat, work: impl Work) {
        work.go(&mut Run::<A, true, true, true>::new(self, wiring, agenda, &mut heat.changes));
    }
}

/// Something that changes inputs and passes the changes on.
pub(super) trait Work {
    fn go<A: Agenda, const GUARDED: bool, const FIRST: bool, const COUNTED: bool>(
        self,
        run: &mut Run<'_, A, GUARDED, FIRST, COUNTED>,
    );
}

/// Access to the values: slices, so that their addresses stay in registers.
pub(super) struct Run<'a, A, const GUARDED: bool, const FIRST: bool, const COUNTED: bool> {
    pub(super) holds: &'a mut [u8],
    missing: &'a mut [u32],
    words: &'a mut [Word],
    planes: &'a mut [u64],
    pub(super) outputs: &'a mut [u64],
    pub(super) entries: &'a mut Entries,
    wiring: &'a Wiring,
    agenda: &'a mut A,
    changes: &'a mut [u32],
}

impl<'a, A: Agenda, const GUARDED: bool, const FIRST: bool, const COUNTED: bool> Run<'a, A, GUARDED, FIRST, COUNTED> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(values: &'a mut Values, wiring: &'a Wiring, agenda: &'a mut A, changes: &'a mut [u32]) -> Self {
        Run {
            holds: &mut values.holds,
            missing: &mut values.missing,
            words: &mut values.words,
            planes: &mut values.planes,
            outputs: &mut values.outputs,
            entries: &mut values.entries,
            wiring,
            agenda,
            changes,
        }
    }

    /// Flips facts of a word, one bit each, and tells those that listen to them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn flip_facts(&mut self, word: usize, facts: u64, mut also: impl FnMut(&mut Entries, usize)) {
        let quiet = self.wiring.quiet.get(word).copied().unwrap_or(0);
        let mut rest = facts & !quiet;
        while rest != 0 {
            let number = word * 64 + rest.trailing_zeros() as usize + 1;
            rest &= rest - 1;
            self.flip(number);
            also(self.entries, number);
        }
        let mut rest = facts & quiet;
        while rest != 0 {
            let number = word * 64 + rest.trailing_zeros() as usize + 1;
            rest &= rest - 1;
            self.flip_alone(number);
            also(self.entries, number);
        }
    }

    /// Flips a value to which no gate listens.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn flip_alone(&mut self, number: usize) {
        self.holds[number] ^= 1;
        if COUNTED {
            self.changes[number] = self.changes[number].saturating_add(1);
        }
        let [node, next] = [&self.wiring.nodes[number], &self.wiring.nodes[number + 1]];
        self.outputs[node.output as usize / 64] ^= 1 << (node.output % 64);
        for &bit in &self.wiring.more_outputs[node.more_outputs as usize..next.more_outputs as usize] {
            self.outputs[bit as usize / 64] ^= 1 << (bit % 64);
        }
    }

    /// Flips a value and tells those that listen to it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn flip(&mut self, number: usize) {
        let Run { holds, missing, words, planes, outputs, wiring, agenda, changes, .. } = self;
        let before = u32::from(holds[number]);
        holds[number] ^= 1;
        if COUNTED {
            changes[number] = changes[number].saturating_add(1);
        }
        let [node, next] = [wiring.nodes[number], wiring.nodes[number + 1]];
        let Node { output, more_outputs, first, listeners, watchers, guarded, leaves } = node;
        outputs[output as usize / 64] ^= 1 << (output % 64);
        for &bit in &wiring.more_outputs[more_outputs as usize..next.more_outputs as usize] {
            outputs[bit as usize / 64] ^= 1 << (bit % 64);
        }
        for flips in &wiring.leaves[leaves as usize..next.leaves as usize] {
            planes[flips.place as usize] ^= flips.bits;
        }
        let rest = &wiring.listeners[listeners as usize..next.listeners as usize];
        if FIRST {
            agenda.notify(first, rest, before, missing);
        } else {
            agenda.notify([], rest, before, missing);
        }
        if GUARDED {
            let own = &wiring.watchers[watchers as usize..next.watchers as usize];
            agenda.notify_guarded(own, before, missing, words);
            for guarded in &wiring.guarded[guarded as usize..next.guarded as usize] {
                let word = &mut words[guarded.word as usize];
                word.open ^= guarded.gates;
                agenda.add_word(guarded.word as usize, word.ready & guarded.gates);
            }
        }
    }

    /// Combines the legal moves, which are the outputs from the word `first` on. Everything must be settled.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn read_legal(&self, first: usize, legal: &mut [u64]) {
        leaves::combine(self.planes, &self.outputs[first..first + legal.len()], legal);
    }

    /// Flips everything on the agenda and passes the changes on until nothing changes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn settle(&mut self) {
        let mut at = 0;
        while let Some(number) = self.agenda.take(&mut at) {
            if A::REPEATS {
                let open = !GUARDED || self.words[number / 64].open >> (number % 64) & 1 == 1;
                if u32::from(self.holds[number]) == u32::from(self.missing[number] == 0 && open) {
                    continue;
                }
            }
            self.flip(number);
        }
    }
}
