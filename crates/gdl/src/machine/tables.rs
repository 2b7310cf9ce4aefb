//! Tables: groups of gates that depend on few facts, such as those of one line of a board, are looked up at once.
//!
//! The facts of a group, one bit each, are an index; the entry has the value of every gate of the group that others
//! read. A change of facts then costs one lookup per group, however long the chains of gates inside it are. The gates
//! that others read become inputs of the circuit that remains.

use rustc_hash::FxHashMap;

use super::circuit::Circuit;
use crate::Signal;

/// The most facts of a group: a table has an entry for each combination of them.
const MOST_FACTS: usize = 16;

/// A gate of fewer facts than this has no place in a group of its own: it would make equal lines of a board differ.
const FEWEST_FACTS: usize = 3;

/// The most gates of a group that others read: one bit each in an entry.
const MOST_READ: usize = 64;

/// A group of fewer gates than this is not worth a table.
const FEWEST_GATES: usize = 6;

/// The most entries of all tables together (8 bytes each): more do not fit into the caches of processors.
const MOST_ENTRIES: usize = 1 << 18;

/// A table with the facts of its index and the numbers of what it says.
#[derive(Clone, Debug)]
struct Table {
    /// Where its entries begin.
    first_entry: u32,
    /// By bit of an entry: the number in the circuit.
    read: Vec<u32>,
    /// The bits that no gate and no output of the circuit needs, but others read.
    silent: u64,
}

/// All tables of a circuit.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    tables: Vec<Table>,
    /// Equal tables have the same entries.
    entries: Vec<u64>,
    /// By number of a fact: where its uses begin; they end where those of the next fact begin.
    begin: Vec<u32>,
    /// The table and the bit of its index.
    uses: Vec<(u32, u32)>,
}

/// The current entries of tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Entries {
    /// By table: its index, then its entry.
    current: Vec<(u32, u64)>,
    /// One bit for each table whose index may have changed.
    changed: Vec<u64>,
}

impl Tables {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// The entries when no fact holds and nothing that was read holds either: [`settle`](Tables::settle) corrects them.
    pub(super) fn start(&self) -> Entries {
        let mut changed = vec![0; self.tables.len().div_ceil(64)];
        (0..self.tables.len()).for_each(|table| changed[table / 64] |= 1 << (table % 64));
        Entries { current: vec![(0, 0); self.tables.len()], changed }
    }

    /// Notes that a fact changed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn toggle(&self, fact: usize, entries: &mut Entries) {
        for &(table, bit) in &self.uses[self.begin[fact] as usize..self.begin[fact + 1] as usize] {
            let table = table as usize;
            entries.current[table].0 ^= bit;
            entries.changed[table / 64] |= 1 << (table % 64);
        }
    }

    /// How many tables need a fact.
    pub(super) fn uses(&self, fact: usize) -> u32 {
        self.begin.get(fact + 1).map_or(0, |end| end - self.begin[fact])
    }

    /// Looks up the tables whose facts changed. Calls `flip` for each value that changes with them, and says whether
    /// the circuit needs it. `entries` finds the entries in `values`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn settle<V>(
        &self,
        values: &mut V,
        entries: impl Fn(&mut V) -> &mut Entries,
        mut flip: impl FnMut(&mut V, usize, bool),
    ) {
        for word in 0..entries(values).changed.len() {
            let mut rest = std::mem::take(&mut entries(values).changed[word]);
            while rest != 0 {
                let table = word * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let Table { first_entry, read, silent } = &self.tables[table];
                let (index, entry) = &mut entries(values).current[table];
                let new = self.entries[(*first_entry + *index) as usize];
                let different = *entry ^ new;
                *entry = new;
                let mut loud = different & !silent;
                while loud != 0 {
                    flip(values, read[loud.trailing_zeros() as usize] as usize, true);
                    loud &= loud - 1;
                }
                let mut silent = different & silent;
                while silent != 0 {
                    flip(values, read[silent.trailing_zeros() as usize] as usize, false);
                    silent &= silent - 1;
                }
            }
        }
    }

    /// Takes gates out of a circuit whose first `facts` inputs are facts. `read` says by number what others than the
    /// circuit's own gates and outputs read. Returns the tables, the circuit that remains, and the new number of
    /// everything in it. `None` if there is no group of gates worth a table.
    pub(super) fn split(circuit: &Circuit, facts: usize, read: &[bool]) -> Option<(Tables, Circuit, Vec<u32>)> {
        let groups = Group::find(circuit, facts);
        let mut kept = vec![true; circuit.end() as usize];
        groups.iter().flat_map(|group| &group.gates).for_each(|&gate| kept[gate as usize] = false);
        circuit.keep_needed(&mut kept, read);
        let (rest, places) = circuit.part(&kept, circuit.first_gate, read, circuit.outputs.clone(), circuit.words);
        let locals: Vec<(Local, Vec<u32>)> =
            groups.iter().map(|group| Local::new(circuit, group, |gate| places[gate as usize] != 0)).collect();
        let mut known: FxHashMap<&Local, u32> = FxHashMap::default();
        let mut end = 0u32;
        for (local, read) in &locals {
            known.entry(local).or_insert_with(|| {
                end += 1 << local.facts;
                end - (1 << local.facts)
            });
            if read.len() > MOST_READ || end as usize > MOST_ENTRIES {
                return None;
            }
        }
        let mut tables = Tables { entries: vec![0; end as usize], ..Tables::default() };
        for (local, &first) in &known {
            local.tabulate(&mut tables.entries[first as usize..][..1 << local.facts]);
        }
        let mut needed = rest.uses();
        rest.outputs.iter().for_each(|(signal, _)| needed[signal.atom() as usize] += 1);
        let mut uses: Vec<(u32, u32, u32)> = Vec::new();
        for (group, (local, read)) in groups.iter().zip(&locals) {
            let number = tables.tables.len() as u32;
            uses.extend(group.facts.iter().enumerate().map(|(bit, &fact)| (fact, number, 1 << bit)));
            let read: Vec<u32> = read.iter().map(|&gate| places[gate as usize]).collect();
            let is_silent = |(bit, &number): (usize, &u32)| u64::from(needed[number as usize] == 0) << bit;
            let silent = read.iter().enumerate().map(is_silent).sum();
            tables.tables.push(Table { first_entry: known[local], read, silent });
        }
        if tables.is_empty() {
            return None;
        }
        uses.sort_unstable();
        for fact in 0..facts as u32 + 2 {
            tables.begin.push(uses.partition_point(|&(of, _, _)| of < fact) as u32);
        }
        tables.uses = uses.into_iter().map(|(_, table, bit)| (table, bit)).collect();
        Some((tables, rest, places))
    }
}

impl Entries {
    /// Makes these entries equal to others of the same tables.
    pub(super) fn copy_from(&mut self, other: &Entries) {
        self.current.copy_from_slice(&other.current);
        self.changed.copy_from_slice(&other.changed);
    }
}

/// Gates that depend on few facts.
struct Group {
    /// Ascending.
    facts: Vec<u32>,
    /// Ascending, so each after those it depends on.
    gates: Vec<u32>,
}

impl Group {
    /// Groups of gates, the largest supports first. A group grows by the gates that need the fewest more facts.
    fn find(circuit: &Circuit, facts: usize) -> Vec<Group> {
        let supports = supports(circuit, facts);
        let support = |gate: u32| supports[gate as usize].as_deref().unwrap_or(&[]);
        let mut seeds: Vec<u32> =
            (circuit.first_gate..circuit.end()).filter(|&gate| support(gate).len() >= FEWEST_FACTS).collect();
        seeds.sort_by_key(|&gate| (std::cmp::Reverse(support(gate).len()), gate));
        let mut with_fact: Vec<Vec<u32>> = vec![Vec::new(); facts + 1];
        for &gate in &seeds {
            support(gate).iter().for_each(|&fact| with_fact[fact as usize].push(gate));
        }
        let mut taken = vec![false; circuit.end() as usize];
        let mut groups = Vec::new();
        for seed in seeds {
            if taken[seed as usize] {
                continue;
            }
            let mut own = support(seed).to_vec();
            let mut near: Vec<u32> = own.iter().flat_map(|&fact| &with_fact[fact as usize]).copied().collect();
            near.retain(|&gate| !taken[gate as usize]);
            near.sort_unstable();
            near.dedup();
            let more = |own: &[u32], gate: u32| support(gate).iter().filter(|fact| !own.contains(fact)).count();
            loop {
                let fitting = near.iter().map(|&gate| (more(&own, gate), gate)).filter(|&(more, gate)| {
                    more > 0 && own.len() + more <= MOST_FACTS && 4 * more <= support(gate).len()
                });
                let Some((_, gate)) = fitting.min() else { break };
                own.extend(support(gate));
                own.sort_unstable();
                own.dedup();
            }
            near.retain(|&gate| more(&own, gate) == 0);
            near.iter().for_each(|&gate| taken[gate as usize] = true);
            if near.len() >= FEWEST_GATES {
                groups.push(Group { facts: own, gates: near });
            }
        }
        groups
    }

    /// The gates of the group and those they depend on, ascending.
    fn with_inner(&self, circuit: &Circuit) -> Vec<u32> {
        let mut all = self.gates.clone();
        let mut at = 0;
        while let Some(&gate) = all.get(at) {
            at += 1;
            for part in &circuit.gates[(gate - circuit.first_gate) as usize] {
                if part.atom() >= circuit.first_gate && !all.contains(&part.atom()) {
                    all.push(part.atom());
                }
            }
        }
        all.sort_unstable();
        all
    }
}

/// By number: the facts that it depends on, ascending; `None` if they are too many or not only facts.
fn supports(circuit: &Circuit, facts: usize) -> Vec<Option<Vec<u32>>> {
    let mut supports: Vec<Option<Vec<u32>>> = vec![None; circuit.end() as usize];
    supports[0] = Some(Vec::new());
    (1..=facts).for_each(|fact| supports[fact] = Some(vec![fact as u32]));
    for (parts, gate) in circuit.gates.iter().zip(circuit.first_gate as usize..) {
        let mut own = Some(Vec::new());
        for part in parts {
            own = own.zip(supports[part.atom() as usize].as_ref()).and_then(|(mut own, other): (Vec<u32>, _)| {
                own.extend(other);
                own.sort_unstable();
                own.dedup();
                (own.len() <= MOST_FACTS).then_some(own)
            });
        }
        supports[gate] = own;
    }
    supports
}

/// A group with numbers of its own: the constant 0, its facts, its gates by level. Groups of the same shape are equal.
#[derive(PartialEq, Eq, Hash)]
struct Local {
    facts: usize,
    gates: Vec<Vec<Signal>>,
    read: Vec<u32>,
}

impl Local {
    /// The group, and the gates that are read, in the order of the bits of an entry.
    fn new(circuit: &Circuit, group: &Group, is_read: impl Fn(u32) -> bool) -> (Local, Vec<u32>) {
        let mut number_of: FxHashMap<u32, u32> = group.facts.iter().copied().zip(1..).collect();
        number_of.insert(0, 0);
        let mut local = Local { facts: group.facts.len(), gates: Vec::new(), read: Vec::new() };
        let mut read = Vec::new();
        let mut open = group.with_inner(circuit);
        while !open.is_empty() {
            let parts_of = |gate: u32| {
                let parts = circuit.gates[(gate - circuit.first_gate) as usize].iter();
                let local = parts.map(|part| {
                    number_of.get(&part.atom()).map(|number| Signal(number << 1 | u32::from(part.is_negated())))
                });
                local.collect::<Option<Vec<Signal>>>()
            };
            let mut level: Vec<(Vec<Signal>, u32)> = Vec::new();
            let mut later = Vec::new();
            for gate in open {
                match parts_of(gate) {
                    Some(mut parts) => {
                        parts.sort_unstable();
                        level.push((parts, gate));
                    }
                    None => later.push(gate),
                }
            }
            level.sort_unstable();
            for (parts, gate) in level {
                let number = 1 + local.facts as u32 + local.gates.len() as u32;
                number_of.insert(gate, number);
                local.gates.push(parts);
                if is_read(gate) && group.gates.binary_search(&gate).is_ok() {
                    local.read.push(number);
                    read.push(gate);
                }
            }
            open = later;
        }
        (local, read)
    }

    /// Fills in the entries of the table: 64 combinations of facts at a time.
    fn tabulate(&self, entries: &mut [u64]) {
        let mut values = vec![u64::MAX; 1 + self.facts + self.gates.len()];
        for (block, entries) in entries.chunks_mut(64).enumerate() {
            for fact in 0..self.facts {
                values[1 + fact] = match PATTERNS.get(fact) {
                    Some(&pattern) => pattern,
                    None => 0u64.wrapping_sub((block >> (fact - PATTERNS.len())) as u64 & 1),
                };
            }
            for (parts, number) in self.gates.iter().zip(1 + self.facts..) {
                let value = |part: &Signal| values[part.atom() as usize] ^ 0u64.wrapping_sub(part.is_negated().into());
                values[number] = parts.iter().fold(u64::MAX, |all, part| all & value(part));
            }
            for (bit, &number) in self.read.iter().enumerate() {
                let value = values[number as usize];
                for (combination, entry) in entries.iter_mut().enumerate() {
                    *entry |= (value >> combination & 1) << bit;
                }
            }
        }
    }
}

/// The bits of the numbers below 64: pattern `i` has bit `n` set where the number `n` has bit `i`.
const PATTERNS: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Ten facts and gates of two or three parts, each after its parts.
    fn circuits() -> impl Strategy<Value = Circuit> {
        let parts = prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 2..4);
        prop::collection::vec(parts, 8..40).prop_map(|gates| {
            let mut circuit = Circuit { first_gate: 11, words: 1, ..Circuit::default() };
            for parts in gates {
                let signal = |(index, negated): (prop::sample::Index, bool)| {
                    Signal(index.index(circuit.end() as usize) as u32 * 2 + u32::from(negated))
                };
                let parts = parts.into_iter().map(signal).collect();
                circuit.gates.push(parts);
            }
            circuit
        })
    }

    /// The plain evaluation: every gate after its parts.
    fn values(circuit: &Circuit, facts: u32) -> Vec<bool> {
        let mut values: Vec<bool> = (0..circuit.first_gate).map(|fact| fact == 0 || facts >> fact & 1 == 1).collect();
        for parts in &circuit.gates {
            let all = parts.iter().all(|part| values[part.atom() as usize] != part.is_negated());
            values.push(all);
        }
        values
    }

    proptest! {
        #[test]
        fn tables_say_what_the_gates_say(circuit in circuits(), changes in prop::collection::vec(0..1u32 << 11, 1..8)) {
            let read = vec![true; circuit.end() as usize];
            let Some((tables, rest, places)) = Tables::split(&circuit, 10, &read) else { return Ok(()) };
            let mut entries = tables.start();
            let mut holds = vec![0; rest.end() as usize];
            let mut before = 0;
            for facts in changes {
                let facts = facts & !1;
                let changed = (1..=10).filter(|fact| (before ^ facts) >> fact & 1 == 1);
                changed.for_each(|fact| tables.toggle(fact, &mut entries));
                before = facts;
                tables.settle(&mut entries, |entries| entries, |_, number, _| holds[number] ^= 1);
                let values = values(&circuit, facts);
                for number in circuit.first_gate..circuit.end() {
                    let place = places[number as usize];
                    if place < rest.first_gate {
                        prop_assert_eq!(holds[place as usize] == 1, values[number as usize], "gate {}", number);
                    }
                }
            }
        }
    }
}
