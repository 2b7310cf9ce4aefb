//! Agendas: which numbers are still to be toggled, and in which order.

use super::wiring::Word;

/// Numbers that are to be toggled.
pub(super) trait Agenda {
    /// Whether a number can be on the agenda more often than it is to be toggled.
    const REPEATS: bool;

    /// Adds a number.
    fn add(&mut self, number: usize);

    /// Adds the numbers of a word: one bit for each.
    fn add_word(&mut self, word: usize, bits: u64);

    /// Tells listeners that a number changed that was `before` (1 or 0), and adds those that change as well.
    fn notify<const FIRST: usize>(&mut self, first: [u32; FIRST], rest: &[u32], before: u32, missing: &mut [u32]);

    /// The same for listeners that have a guard.
    fn notify_guarded(&mut self, listeners: &[u32], before: u32, missing: &mut [u32], words: &mut [Word]);

    /// Takes the next number. `at` is where to look for it: 0 at first. After `None` the agenda is empty.
    fn take(&mut self, at: &mut usize) -> Option<usize>;
}

/// Counts a part that ceased to hold (1) or began to (0). Whether all parts held before or hold now.
#[cfg_attr(not(debug_assertions), inline(always))]
fn count(missing: &mut u32, ceased: u32) -> bool {
    let before = *missing;
    let after = before.wrapping_sub(1).wrapping_add(2 * ceased);
    *missing = after;
    before.min(after) == 0
}

/// First in, first out.
///
/// It is the fastest agenda. A gate whose inputs change in different rounds may be toggled once in each of them; the
/// result is the same, because every toggle is passed on. Within a round each gate is toggled at most once, so the work
/// is bounded by the number of gates times the depth.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    items: Vec<u32>,
    tail: usize,
}

impl Agenda for Queue {
    const REPEATS: bool = true;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(&mut self, number: usize) {
        self.reserve(1);
        self.items[self.tail] = number as u32;
        self.tail += 1;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_word(&mut self, word: usize, bits: u64) {
        let mut rest = bits;
        while rest != 0 {
            self.add(word * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }

    // Whether a listener changes is hard to predict: it is always written, but counted only if it does. The count is a
    // local variable, because the processor would wait for one in memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn notify<const FIRST: usize>(&mut self, first: [u32; FIRST], rest: &[u32], before: u32, missing: &mut [u32]) {
        self.reserve(FIRST + rest.len());
        let room = &mut self.items[self.tail..];
        let mut added = 0;
        let mut tell = |listener: u32| {
            let gate = listener >> 1;
            let crossed = count(&mut missing[gate as usize], (listener ^ before) & 1);
            room[added] = gate;
            added += usize::from(crossed);
        };
        first.into_iter().for_each(&mut tell);
        rest.iter().copied().for_each(&mut tell);
        self.tail += added;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn notify_guarded(&mut self, listeners: &[u32], before: u32, missing: &mut [u32], words: &mut [Word]) {
        self.reserve(listeners.len());
        let room = &mut self.items[self.tail..];
        let mut added = 0;
        for &listener in listeners {
            let gate = listener >> 1;
            if count(&mut missing[gate as usize], (listener ^ before) & 1) {
                let word = &mut words[gate as usize / 64];
                word.ready ^= 1 << (gate % 64);
                room[added] = gate;
                added += (word.open >> (gate % 64) & 1) as usize;
            }
        }
        self.tail += added;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self, at: &mut usize) -> Option<usize> {
        if *at == self.tail {
            self.tail = 0;
            return None;
        }
        let number = self.items[*at] as usize;
        *at += 1;
        Some(number)
    }
}

impl Queue {
    /// Makes room for this many numbers and one more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reserve(&mut self, count: usize) {
        if self.tail + count >= self.items.len() {
            self.grow(count);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        self.items.resize((self.tail + count) * 2 + 64, 0);
    }
}

/// The smallest number first.
///
/// If gates are numbered after their inputs, each is toggled at most once.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorted {
    /// One bit per number.
    words: Vec<u64>,
    /// One bit for each word that may have a bit.
    summary: Vec<u64>,
}

impl Sorted {
    /// An empty agenda for numbers below `end`.
    pub(super) fn new(end: usize) -> Sorted {
        let words = end.div_ceil(64);
        Sorted { words: vec![0; words], summary: vec![0; words.div_ceil(64)] }
    }
}

impl Agenda for Sorted {
    const REPEATS: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add(&mut self, number: usize) {
        self.add_word(number / 64, 1 << (number % 64));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn add_word(&mut self, word: usize, bits: u64) {
        // Toggled twice is not toggled.
        self.words[word] ^= bits;
        self.summary[word / 64] |= u64::from(bits != 0) << (word % 64);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn notify<const FIRST: usize>(&mut self, first: [u32; FIRST], rest: &[u32], before: u32, missing: &mut [u32]) {
        for listener in first.into_iter().chain(rest.iter().copied()) {
            let gate = (listener >> 1) as usize;
            if count(&mut missing[gate], (listener ^ before) & 1) {
                self.add(gate);
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn notify_guarded(&mut self, listeners: &[u32], before: u32, missing: &mut [u32], words: &mut [Word]) {
        for &listener in listeners {
            let gate = (listener >> 1) as usize;
            if count(&mut missing[gate], (listener ^ before) & 1) {
                let word = &mut words[gate / 64];
                word.ready ^= 1 << (gate % 64);
                self.add_word(gate / 64, word.open & (1 << (gate % 64)));
            }
        }
    }

    // Gates are numbered after their inputs, so nothing is added before `at`, a word of the summary.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self, at: &mut usize) -> Option<usize> {
        loop {
            let summary = self.summary.get_mut(*at)?;
            if *summary == 0 {
                *at += 1;
                continue;
            }
            let word = *at * 64 + summary.trailing_zeros() as usize;
            let bits = &mut self.words[word];
            if *bits == 0 {
                *summary &= *summary - 1;
                continue;
            }
            let number = word * 64 + bits.trailing_zeros() as usize;
            *bits &= *bits - 1;
            return Some(number);
        }
    }
}
