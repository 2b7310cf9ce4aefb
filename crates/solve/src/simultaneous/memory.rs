//! The solver's cache of positions.

use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

use tesuji_core::{Fingerprint, Knowledge, Player};

use super::game_value::{GameValues, ValueId};

/// Bounds on what the two players can force, and the value, as payoffs of the first player of the position that the key
/// stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// By player: lower and upper bounds on what it can force when it chooses first.
    forced: [[f32; 2]; 2],
    value: ValueId,
}

const UNKNOWN: ValueId = ValueId::MAX;

/// A hasher for keys that are already hashes.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

type Key = [u64; 2];

/// Everything a solver has learned. Solvers of games of one type may share it.
#[derive(Debug, Default)]
pub struct Memory {
    known: std::collections::HashMap<Key, Known, BuildHasherDefault<KeyHasher>>,
    pub(super) values: GameValues,
}

/// The entry of a position, and from whose view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    key: Key,
    exchanged: bool,
    pub even: bool,
}

impl Memory {
    /// An empty memory.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// The most positions for which a memory never takes more than `bytes`, even while it grows: the table doubles when
    /// it is seven eighths full, and while it grows the old one still exists.
    pub fn most_within(bytes: usize) -> usize {
        // Each slot has one control byte.
        let slot = size_of::<(Key, Known)>() + 1;
        let both = bytes / slot;
        // 2·slots of the new table and half as many of the old one.
        let mut slots = 8;
        while slots + slots * 2 <= both {
            slots *= 2;
        }
        slots / 8 * 7
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// The bytes of its table: a power of two of slots, of which seven eighths can be used.
    pub fn bytes(&self) -> usize {
        (self.known.capacity() * 8).div_ceil(7) * (size_of::<(Key, Known)>() + 1)
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The first player's value of a position, if it was solved or its bounds met.
    pub fn known<G: Knowledge>(&self, game: &G, state: &G::State) -> Option<f64> {
        let (low, high) = self.bounds(game, state);
        (low == high).then_some(low)
    }

    /// Bounds on the first player's value of a position that is not over: from what was solved and forced, and from the
    /// game's hints.
    pub fn bounds<G: Knowledge>(&self, game: &G, state: &G::State) -> (f64, f64) {
        let (low, high) = bounds(game, state);
        let (least, greatest) = game.spec().payoffs;
        let total = least + greatest;
        let place = self.place(game, state);
        if let Some(known) = self.known.get(&place.key).filter(|known| known.value != UNKNOWN) {
            let value = self.values.get(known.value).value;
            let value = if place.exchanged { total - value } else { value };
            return (value, value);
        }
        let [first, second] = [0, 1].map(|side| self.forced(place, side, total));
        (low.max(first[0]), high.min(second[1]))
    }

    pub(super) fn place<G: Knowledge>(&self, game: &G, state: &G::State) -> Place {
        let Fingerprint { key, exchanged, even } = fingerprint(game, state);
        Place { key: [(key >> 64) as u64, key as u64], exchanged, even }
    }

    /// Bounds on what `side` can force, as far as known.
    pub(super) fn forced(&self, place: Place, side: usize, total: f64) -> [f64; 2] {
        let Some(known) = self.known.get(&place.key) else { return [f64::NEG_INFINITY, f64::INFINITY] };
        if place.exchanged {
            let [low, high] = known.forced[1 - side];
            [total - f64::from(high), total - f64::from(low)]
        } else {
            known.forced[side].map(f64::from)
        }
    }

    /// Records bounds on what `side` can force.
    pub(super) fn remember_forced(&mut self, place: Place, side: usize, bounds: [f64; 2], total: f64) {
        let (side, [low, high]) =
            if place.exchanged { (1 - side, [total - bounds[1], total - bounds[0]]) } else { (side, bounds) };
        let known = self
            .known
            .entry(place.key)
            .or_insert(Known { forced: [[f32::NEG_INFINITY, f32::INFINITY]; 2], value: UNKNOWN });
        let [known_low, known_high] = &mut known.forced[side];
        *known_low = known_low.max(rounded_down(low));
        *known_high = known_high.min(-rounded_down(-high));
    }

    pub(super) fn value(&mut self, place: Place, total: f64) -> Option<ValueId> {
        let id = self.known.get(&place.key)?.value;
        match () {
            () if id == UNKNOWN => None,
            () if place.exchanged => Some(self.values.intern(self.values.get(id).rest_of(total))),
            () => Some(id),
        }
    }

    pub(super) fn remember_value(&mut self, place: Place, id: ValueId, total: f64) {
        let id = if place.exchanged { self.values.intern(self.values.get(id).rest_of(total)) } else { id };
        let known = self
            .known
            .entry(place.key)
            .or_insert(Known { forced: [[f32::NEG_INFINITY, f32::INFINITY]; 2], value: UNKNOWN });
        known.value = id;
    }
}

/// The greatest single-precision number that is at most `value`.
fn rounded_down(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) > value { near.next_down() } else { near }
}

/// The game's fingerprint of a position, or a hash of the state.
pub fn fingerprint<G: Knowledge>(game: &G, state: &G::State) -> Fingerprint {
    match game.solver_hints() {
        Some(hints) => hints.fingerprint(game, state),
        None => Fingerprint { key: hash(state), exchanged: false, even: false },
    }
}

/// The game's cheap bounds on the first player's value.
#[inline]
pub fn bounds<G: Knowledge>(game: &G, state: &G::State) -> (f64, f64) {
    match game.solver_hints() {
        Some(hints) => hints.bounds(game, state),
        None => game.spec().payoffs,
    }
}

/// Appends actions of `player` that include a best one.
#[inline]
pub fn candidates<G: Knowledge>(game: &G, state: &G::State, player: Player, out: &mut Vec<G::Action>) {
    match game.solver_hints() {
        Some(hints) => hints.candidates(game, state, player, out),
        None => game.legal(state, player, out),
    }
}

/// A 128-bit hash of a state without a fingerprint of its own.
pub fn hash<S: Hash>(state: &S) -> u128 {
    let half = |start: u64| {
        let mut hasher = DefaultHasher::new();
        start.hash(&mut hasher);
        state.hash(&mut hasher);
        hasher.finish()
    };
    u128::from(half(1)) << 64 | u128::from(half(2))
}
