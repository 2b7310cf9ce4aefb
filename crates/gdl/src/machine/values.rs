//! The values of a circuit, kept up to date by passing on changes.
//!
//! A gate counts its parts that do not hold; it holds while that number is 0. A change of a value is passed on to the
//! gates that listen to it (`agenda`).
//!
//! A number with many listeners may guard them instead: then such a gate counts its other parts only. It is ready while
//! all of them hold, open while its guard holds, and holds while it is both. A change of the guard reaches 64 gates at
//! once and concerns those only that are ready.

use super::agenda::Agenda;
use super::leaves::Counts;
use super::tables::Entries;
use super::wiring::{Node, Wiring, Word};

/// The current values.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    /// By number, 1 or 0; then one more for listeners that fill up lists, then whatever the owner adds.
    pub(super) holds: Vec<u8>,
    /// By number: how many parts of a gate, except its guard, do not hold; for an input, whether it is not to hold.
    pub(super) missing: Vec<u32>,
    words: Vec<Word>,
    counts: Vec<Counts>,
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
            counts: wiring.initial_counts.clone(),
            outputs: wiring.initial_outputs.clone(),
            entries,
        }
    }

    /// Makes these values equal to others of the same wiring.
    pub(super) fn copy_from(&mut self, other: &Values) {
        self.holds.copy_from_slice(&other.holds);
        self.missing.copy_from_slice(&other.missing);
        self.words.copy_from_slice(&other.words);
        self.counts.copy_from_slice(&other.counts);
        self.outputs.copy_from_slice(&other.outputs);
        self.entries.copy_from(&other.entries);
    }

    /// The size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.holds.len()
            + 4 * self.missing.len()
            + size_of_val(&self.words[..])
            + 8 * self.outputs.len()
            + size_of_val(&self.counts[..])
    }

    /// Puts an input on the agenda.
    #[inline(always)]
    pub(super) fn toggle_input(&mut self, number: usize, agenda: &mut impl Agenda) {
        self.missing[number] ^= 1;
        agenda.add(number);
    }

    /// Toggles everything on the agenda and passes the changes on until nothing changes.
    #[inline(always)]
    pub(super) fn settle<A: Agenda>(&mut self, wiring: &Wiring, agenda: &mut A) {
        match (wiring.guarded.is_empty(), wiring.with_first) {
            (true, true) => self.run::<A, false, true, false>(wiring, agenda, &mut []),
            (true, false) => self.run::<A, false, false, false>(wiring, agenda, &mut []),
            (false, true) => self.run::<A, true, true, false>(wiring, agenda, &mut []),
            (false, false) => self.run::<A, true, false, false>(wiring, agenda, &mut []),
        }
    }

    /// Like `settle`, and counts.
    pub(super) fn settle_counted<A: Agenda>(&mut self, wiring: &Wiring, agenda: &mut A, heat: &mut Heat) {
        self.run::<A, true, true, true>(wiring, agenda, &mut heat.changes);
    }

    #[inline(always)]
    fn run<A: Agenda, const GUARDED: bool, const FIRST: bool, const COUNTED: bool>(
        &mut self,
        wiring: &Wiring,
        agenda: &mut A,
        changes: &mut [u32],
    ) {
        // Slices once, so that their addresses stay in registers.
        let (holds, missing) = (&mut self.holds[..], &mut self.missing[..]);
        let (words, outputs, counts) = (&mut self.words[..], &mut self.outputs[..], &mut self.counts[..]);
        let (nodes, all_listeners) = (&wiring.nodes[..], &wiring.listeners[..]);
        let mut at = 0;
        while let Some(number) = agenda.take(&mut at) {
            let before = u32::from(holds[number]);
            if A::REPEATS {
                let open = !GUARDED || words[number / 64].open >> (number % 64) & 1 == 1;
                if before == u32::from(missing[number] == 0 && open) {
                    continue;
                }
            }
            holds[number] ^= 1;
            if COUNTED {
                changes[number] = changes[number].saturating_add(1);
            }
            let [node, next] = [nodes[number], nodes[number + 1]];
            let Node { output, more_outputs, first, listeners, watchers, guarded, leaves } = node;
            outputs[output as usize / 64] ^= 1 << (output % 64);
            for &bit in &wiring.more_outputs[more_outputs as usize..next.more_outputs as usize] {
                outputs[bit as usize / 64] ^= 1 << (bit % 64);
            }
            for needing in &wiring.leaves[leaves as usize..next.leaves as usize] {
                let word = needing.word as usize;
                let holding = counts[word].change(needing.leaves, (needing.negated ^ before) & 1);
                outputs[word] = outputs[word] & !needing.leaves | holding & needing.leaves;
            }
            let rest = &all_listeners[listeners as usize..next.listeners as usize];
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
    }
}
