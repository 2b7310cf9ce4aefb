//! Wiring: a circuit numbered for speed, with the gates that must be notified when a value changes.

use super::circuit::{Circuit, placed};
use super::guards::{Arrangement, Guards};
use super::leaves::{Flips, Leaf, Planes};
use crate::Signal;

/// The listeners that are stored with a number: most numbers have no more, so that no loop is needed whose end would be
/// hard to predict.
pub(super) const FIRST: usize = 2;

/// If a number has fewer listeners, gates that never hold take their places: this many in turn, because a processor
/// waits if it changes the same place again at once.
const FILLERS: u32 = 32;

/// Numbers without an output have a bit that nobody reads, in one of this many words, for the same reason.
const UNREAD: u32 = 16;

/// The number of missing parts of a gate that takes a place.
const NEVER: u32 = 1 << 30;

/// The state of 64 gates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    /// Whether all parts except the guard hold.
    pub(super) ready: u64,
    /// Whether the guard holds.
    pub(super) open: u64,
}

/// Gates of one word that a number guards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guarded {
    pub(super) word: u32,
    pub(super) gates: u64,
}

/// Where the lists of a number begin; they end where those of the next number begin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// The number's first output bit; a bit that nobody reads if it has none.
    pub(super) output: u32,
    pub(super) more_outputs: u32,
    pub(super) first: [u32; FIRST],
    pub(super) listeners: u32,
    pub(super) watchers: u32,
    pub(super) guarded: u32,
    pub(super) leaves: u32,
}

/// The connections of a circuit. Inputs keep their numbers, gates have new ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Wiring {
    /// By number of the circuit: the number here.
    pub(super) places: Vec<u32>,
    /// Whether the first listeners are stored with the numbers. They are not if nearly all gates have a guard or
    /// are leaves.
    pub(super) with_first: bool,
    /// By number, plus one entry.
    pub(super) nodes: Vec<Node>,
    /// One bit for each fact, from number 1 on, to which nothing listens: it may have outputs.
    pub(super) quiet: Vec<u64>,
    pub(super) more_outputs: Vec<u32>,
    /// The listeners after the first ones. A listener is a gate's number, doubled, plus 1 if it hears the negation.
    pub(super) listeners: Vec<u32>,
    /// The listeners that have a guard.
    pub(super) watchers: Vec<u32>,
    pub(super) guarded: Vec<Guarded>,
    pub(super) leaves: Vec<Flips>,
    /// The planes of leaves when no input holds.
    pub(super) initial_planes: Vec<u64>,
    pub(super) initial_missing: Vec<u32>,
    pub(super) initial_words: Vec<Word>,
    /// By number: whether it holds when no input does.
    pub(super) initial_holds: Vec<u8>,
    /// The output bits when no input holds.
    pub(super) initial_outputs: Vec<u64>,
}

impl Wiring {
    /// The connections of a circuit with the given arrangement of its gates.
    pub(super) fn new(circuit: &Circuit, arrangement: Arrangement<'_>) -> Wiring {
        let (first, end) = (circuit.first_gate as usize, circuit.end() as usize);
        let Guards { guards, order } = Guards::new(circuit, arrangement);
        let mut places: Vec<u32> = (0..end as u32).collect();
        order.iter().zip(first as u32..).for_each(|(&gate, new)| places[first + gate as usize] = new);
        let words = (end + FILLERS as usize).div_ceil(64);
        let mut wiring = Wiring {
            with_first: arrangement.heat.is_none() || arrangement.fewest > 1 && circuit.gates.len() >= first / 2,
            initial_missing: vec![0; end],
            initial_words: vec![Word::default(); words],
            initial_holds: vec![0; end + 1],
            initial_outputs: vec![0; circuit.words + UNREAD as usize],
            ..Wiring::default()
        };
        wiring.initial_holds[0] = 1;
        for input in 0..first {
            wiring.initial_missing[input] = u32::from(input != 0);
            wiring.initial_words[input / 64].open |= 1 << (input % 64);
        }
        wiring.initial_missing.resize(end + FILLERS as usize, NEVER);
        let mut lists = Lists::default();
        let levels = circuit.levels();
        let mut by_level: Vec<usize> = (0..circuit.gates.len()).collect();
        by_level.sort_by_key(|&gate| levels[gate]);
        for gate in by_level {
            let guard = guards[gate];
            let place = places[first + gate];
            let rest: Vec<Signal> =
                circuit.gates[gate].iter().filter(|&&part| part != guard).map(|&part| placed(part, &places)).collect();
            let list = if guard == Signal::TRUE { &mut lists.listeners } else { &mut lists.watchers };
            list.extend(rest.iter().map(|part| (part.atom(), place << 1 | u32::from(part.is_negated()))));
            if guard != Signal::TRUE {
                lists.guarded.push((places[guard.atom() as usize], place));
            }
            wiring.begin(place as usize, placed(guard, &places), &rest);
        }
        for &(signal, bit) in &circuit.outputs {
            let signal = placed(signal, &places);
            wiring.initial_outputs[bit / 64] |= u64::from(wiring.holds(signal)) << (bit % 64);
            lists.outputs.push((signal.atom(), bit as u32));
        }
        let own: Vec<Leaf> = circuit.leaves.iter().map(|leaf| leaf.placed(&places)).collect();
        let planes = Planes::new(&own, circuit.leaf_words.clone(), |signal| wiring.holds(signal));
        wiring.initial_planes = planes.words;
        lists.leaves = planes.flips;
        wiring.quiet = quiet(&lists, first);
        wiring.connect(lists, end as u32, circuit.words as u32);
        Wiring { places, ..wiring }
    }

    fn holds(&self, signal: Signal) -> bool {
        (self.initial_holds[signal.atom() as usize] == 1) != signal.is_negated()
    }

    /// Sets a gate to its state when no input holds. Its parts must have been set before.
    fn begin(&mut self, gate: usize, guard: Signal, rest: &[Signal]) {
        let missing = rest.iter().filter(|&&part| !self.holds(part)).count() as u32;
        let open = self.holds(guard);
        self.initial_missing[gate] = missing;
        self.initial_holds[gate] = u8::from(open && missing == 0);
        if let Some(word) = self.initial_words.get_mut(gate / 64) {
            word.open |= u64::from(open) << (gate % 64);
            word.ready |= u64::from(missing == 0) << (gate % 64);
        }
    }

    /// Builds the lists by number. `unread` is the first word of outputs that nobody reads.
    fn connect(&mut self, lists: Lists, end: u32, unread: u32) {
        let Lists { mut outputs, mut listeners, mut watchers, mut guarded, leaves } = lists;
        let mut leaves = leaves.into_iter().peekable();
        [&mut outputs, &mut listeners, &mut watchers, &mut guarded].into_iter().for_each(|list| list.sort_unstable());
        let (mut outputs, mut guarded) = (&outputs[..], &guarded[..]);
        let (mut listeners, mut watchers) = (&listeners[..], &watchers[..]);
        for number in 0..=end {
            let mut own = take(&mut outputs, number);
            let mut listening = take(&mut listeners, number);
            let first = std::array::from_fn(|place| {
                let filler = end + (number * FIRST as u32 + place as u32) % FILLERS;
                if self.with_first { listening.next() } else { None }.unwrap_or(filler << 1)
            });
            self.nodes.push(Node {
                output: own.next().unwrap_or((unread + number % UNREAD) * 64),
                first,
                ..self.lists_end()
            });
            self.more_outputs.extend(own);
            self.listeners.extend(listening);
            self.watchers.extend(take(&mut watchers, number));
            while let Some((_, flips)) = leaves.next_if(|&(of, _)| of == number) {
                self.leaves.push(flips);
            }
            let from = self.guarded.len();
            for gate in take(&mut guarded, number) {
                let bit = 1 << (gate % 64);
                match self.guarded[from..].last_mut() {
                    Some(last) if last.word == gate / 64 => last.gates |= bit,
                    _ => self.guarded.push(Guarded { word: gate / 64, gates: bit }),
                }
            }
        }
        self.nodes.push(self.lists_end());
    }

    fn lists_end(&self) -> Node {
        Node {
            output: 0,
            first: [0; FIRST],
            more_outputs: self.more_outputs.len() as u32,
            listeners: self.listeners.len() as u32,
            watchers: self.watchers.len() as u32,
            guarded: self.guarded.len() as u32,
            leaves: self.leaves.len() as u32,
        }
    }
}

/// Pairs of a number and what it notifies.
#[derive(Default)]
struct Lists {
    outputs: Vec<(u32, u32)>,
    listeners: Vec<(u32, u32)>,
    watchers: Vec<(u32, u32)>,
    guarded: Vec<(u32, u32)>,
    leaves: Vec<(u32, Flips)>,
}

/// One bit for each number from 1 to `first`, exclusive, that notifies nobody.
fn quiet(lists: &Lists, first: usize) -> Vec<u64> {
    let mut quiet = vec![u64::MAX; first.div_ceil(64)];
    let listeners = lists.listeners.iter().chain(&lists.watchers).chain(&lists.guarded).map(|&(number, _)| number);
    for number in listeners.chain(lists.leaves.iter().map(|&(number, _)| number)) {
        let place = (number as usize).wrapping_sub(1);
        if let Some(word) = quiet.get_mut(place / 64) {
            *word &= !(1 << (place % 64));
        }
    }
    quiet
}

/// Takes the pairs of a number off the front.
fn take<'a>(pairs: &mut &'a [(u32, u32)], number: u32) -> impl Iterator<Item = u32> + use<'a> {
    let (own, rest) = pairs.split_at(pairs.partition_point(|&(first, _)| first <= number));
    *pairs = rest;
    own.iter().map(|&(_, second)| second)
}
