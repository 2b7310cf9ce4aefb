//! All moves as first (RAVE and GRAVE): the mean result of an action when its player took it *anywhere* below a node.
//!
//! RAVE (Gelly and Silver, 2007) mixes the mean of an edge with the mean of its action over all playouts through the
//! node in which the same player took it at the node or later: (1 − β)·mean + β·AMAF with β = √(K / (3N + K)), where N
//! is the number of visits of the node; the exploration term is added as usual. The value of an untried edge is its
//! AMAF mean, with n = 1 in that term; without AMAF statistics it is given by `FirstPlay`.
//!
//! GRAVE (Cazenave, 2015) takes the AMAF means from the nearest node on the path from the root that was visited more
//! than `reference` times, including the node itself; RAVE is `reference` 0. A node's statistics therefore cover all
//! actions of all players below it, legal in it or not. An action counts once per playout, however often it was taken.
//!
//! Both work in every class of game; at joint moves each mover's statistics ignore what the others did.
//!
//! In batches (`spread`) every visit of a node stands for several playouts, and both parameters count playouts.
//!
//! Most nodes are visited once or twice and their statistics never read, so a node gets statistics only after
//! `reference` / [`BEFORE_REFERENCE`] visits. Where Cazenave's node has seen 51 playouts when its statistics are first
//! read, ours has seen 41 of them; β does not depend on it.
//!
//! Each node's statistics are a small open-addressing table, stored next to those of other nodes. Actions are
//! identified by 32 bits of their hash: among some hundred actions, a collision occurs about once in a million nodes.

use super::tree::NONE;

/// How AMAF statistics are used.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rave {
    /// A node's statistics are used after more visits than this. 0: every node (RAVE).
    pub reference: u32,
    /// K, the equivalence parameter: the number of visits of a node at which β falls to 1/2.
    pub equivalence: f64,
}

/// A node gets statistics at this fraction of the visits at which they are used.
pub(super) const BEFORE_REFERENCE: u32 = 5;

impl Rave {
    /// Whether a node with this many visits keeps statistics.
    #[inline]
    pub(super) fn keeps(self, visits: u32) -> bool {
        visits >= self.reference / BEFORE_REFERENCE
    }

    /// The weight of the AMAF mean at a node with this many visits.
    #[inline]
    pub(super) fn weight(self, visits: u32) -> f64 {
        (self.equivalence / (3.0 * f64::from(visits) + self.equivalence)).sqrt()
    }
}

/// The slots of a new row; a power of two.
const LEAST_SLOTS: u32 = 16;

/// The statistics of one action below one node. A slot without visits is free.
#[derive(Clone, Copy, Default, Debug)]
struct Stat {
    key: u32,
    visits: u32,
    mean: f32,
    /// The last playout that was added.
    mark: u32,
}

/// The statistics of one node.
#[derive(Clone, Copy, Debug)]
struct Row {
    first: u32,
    slots: u32,
    used: u32,
}

/// The statistics of all nodes that have them.
#[derive(Default)]
pub(super) struct Amaf {
    stats: Vec<Stat>,
    rows: Vec<Row>,
}

impl Amaf {
    pub(super) fn clear(&mut self) {
        self.stats.clear();
        self.rows.clear();
    }

    /// A new row without statistics, or [`NONE`] if there are already `most` slots.
    pub(super) fn add_row(&mut self, most: usize) -> u32 {
        self.push_row(LEAST_SLOTS, most).map_or(NONE, |row| {
            self.rows.push(row);
            self.rows.len() as u32 - 1
        })
    }

    fn push_row(&mut self, slots: u32, most: usize) -> Option<Row> {
        let first = self.stats.len();
        let end = first + slots as usize;
        (end <= most.min(u32::MAX as usize)).then(|| {
            self.stats.resize(end, Stat::default());
            Row { first: first as u32, slots, used: 0 }
        })
    }

    /// The slot of a key in a row, or the free slot where it would go.
    #[inline]
    fn find(&self, row: Row, key: u64) -> usize {
        self.find_short(row, short(key))
    }

    #[inline]
    fn find_short(&self, row: Row, key: u32) -> usize {
        let stats = &self.stats[row.first as usize..][..row.slots as usize];
        let mask = row.slots as usize - 1;
        let mut place = key as usize & mask;
        while stats[place].visits > 0 && stats[place].key != key {
            place = (place + 1) & mask;
        }
        row.first as usize + place
    }

    /// Visits and mean share of an action by its key; zero visits if it was never seen or there is no row.
    #[inline]
    pub(super) fn get(&self, row: u32, key: u64) -> (u32, f32) {
        let Some(&row) = self.rows.get(row as usize) else { return (0, 0.0) };
        let stat = &self.stats[self.find(row, key)];
        (stat.visits, stat.mean)
    }

    /// Adds a share to an action of a row, once for each `mark`. At most `most` slots are stored in total.
    #[inline]
    pub(super) fn add(&mut self, id: u32, key: u64, share: f32, mark: u32, most: usize) {
        let row = self.rows[id as usize];
        let place = self.find(row, key);
        let stat = &mut self.stats[place];
        if stat.visits == 0 {
            return self.insert(id, Stat { key: short(key), visits: 1, mean: share, mark }, most);
        }
        if stat.mark != mark {
            stat.mark = mark;
            stat.visits += 1;
            stat.mean += (share - stat.mean) / stat.visits as f32;
        }
    }

    /// Adds several playouts in which an action of a row was taken: their number and the sum of their shares.
    #[inline]
    pub(super) fn add_many(&mut self, id: u32, key: u64, (playouts, total): (u32, f64), most: usize) {
        let row = self.rows[id as usize];
        let place = self.find(row, key);
        let stat = &mut self.stats[place];
        if stat.visits == 0 {
            let mean = (total / f64::from(playouts)) as f32;
            return self.insert(id, Stat { key: short(key), visits: playouts, mean, mark: 0 }, most);
        }
        stat.visits += playouts;
        stat.mean += (total as f32 - playouts as f32 * stat.mean) / stat.visits as f32;
    }

    #[cold]
    fn insert(&mut self, id: u32, stat: Stat, most: usize) {
        let row = self.rows[id as usize];
        if 4 * (row.used + 1) > 3 * row.slots
            && let Some(larger) = self.push_row(2 * row.slots, most)
        {
            self.rows[id as usize] = self.refill(row, larger);
        }
        let row = self.rows[id as usize];
        // The last free slot ends the probing for missing keys.
        if row.used + 1 < row.slots {
            let place = self.find_short(row, stat.key);
            self.stats[place] = stat;
            self.rows[id as usize].used += 1;
        }
    }

    /// Moves the statistics of a row to a larger one.
    fn refill(&mut self, row: Row, mut larger: Row) -> Row {
        let mask = larger.slots as usize - 1;
        for place in row.first as usize..(row.first + row.slots) as usize {
            let stat = self.stats[place];
            if stat.visits > 0 {
                let mut free = stat.key as usize & mask;
                while self.stats[larger.first as usize + free].visits > 0 {
                    free = (free + 1) & mask;
                }
                self.stats[larger.first as usize + free] = stat;
                larger.used += 1;
            }
        }
        larger
    }

    /// Copies a row to `into`; [`NONE`] for none.
    pub(super) fn copy_row(&self, row: u32, into: &mut Amaf) -> u32 {
        let Some(&row) = self.rows.get(row as usize) else { return NONE };
        let first = into.stats.len() as u32;
        let stats = &self.stats[row.first as usize..][..row.slots as usize];
        into.stats.extend(stats.iter().map(|&stat| Stat { mark: 0, ..stat }));
        into.rows.push(Row { first, ..row });
        into.rows.len() as u32 - 1
    }
}

/// The part of a key that identifies actions: its upper bits, which are mixed best.
#[inline]
fn short(key: u64) -> u32 {
    (key >> 32) as u32
}
