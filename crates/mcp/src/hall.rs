//! The matches of a server: who sits where, and what happened.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tesuji_arena::{AnyGame, AnyMatch, InputError, Occupant, Player};

/// The most matches that are kept. The oldest one that is over makes room for a new one.
const MOST: usize = 256;

/// A match with its clients.
pub(crate) struct Room {
    pub game: Arc<dyn AnyGame>,
    pub table: Box<dyn AnyMatch>,
    /// By seat: the key of the client that plays it; `None` for agents.
    pub keys: Vec<Option<String>>,
    /// By seat: acts that were refused because they named no legal action.
    pub refused: Vec<u64>,
    /// By seat: refused acts since the last act that counted.
    pub in_a_row: Vec<u64>,
    /// How many acts of one decision may be refused before the seat forfeits; `None` for any number.
    pub retries: Option<u64>,
    /// Whether legal actions are withheld.
    pub withhold_legal: bool,
    /// The seat that lost because it had no retries left.
    pub forfeited: Option<Player>,
    /// The seed of chance and agents, shown when the match is over.
    pub seed: u64,
}

impl Room {
    /// The seat that a key belongs to. Without a key it is the only seat of a client.
    pub(crate) fn seat_of(&self, key: Option<&str>) -> Result<Player, InputError> {
        let seats: Vec<usize> = (0..self.keys.len()).filter(|&seat| self.keys[seat].is_some()).collect();
        let seat = match (key, &seats[..]) {
            (Some(key), _) => self.keys.iter().position(|known| known.as_deref() == Some(key)),
            (None, [only]) => Some(*only),
            (None, _) => None,
        };
        let seat = seat.ok_or_else(|| {
            InputError::new(if key.is_some() { "this key belongs to no seat of the match" } else { "a key is needed" })
                .with_help("`start_match` returns a key for each seat that a client plays")
        })?;
        Ok(Player(seat as u8))
    }

    /// Who sits at a seat, in words: `client`, or the address of the agent.
    pub(crate) fn occupant(&self, seat: usize) -> &str {
        match &self.table.seats()[seat] {
            Occupant::Agent { agent, .. } => agent,
            Occupant::Person { .. } => "client",
        }
    }

    /// Is the match over?
    pub(crate) fn over(&self) -> bool {
        self.table.ending().is_some()
    }
}

/// All matches of a server.
#[derive(Default)]
pub(crate) struct Hall {
    rooms: Mutex<BTreeMap<u64, Arc<Mutex<Room>>>>,
}

impl Hall {
    /// Adds a match; refuses it if too many are being played.
    pub(crate) fn add(&self, room: Room) -> Result<u64, InputError> {
        let mut rooms = lock(&self.rooms);
        if rooms.len() >= MOST {
            let done = rooms.iter().find(|(_, room)| room.try_lock().is_ok_and(|room| room.over()));
            let done = done.map(|(id, _)| *id);
            let done = done.ok_or_else(|| {
                InputError::new(format!("{MOST} matches are being played")).with_help("finish or resign one of them")
            })?;
            rooms.remove(&done);
        }
        let id = rooms.keys().next_back().map_or(1, |last| last + 1);
        rooms.insert(id, Arc::new(Mutex::new(room)));
        Ok(id)
    }

    /// The match with this number.
    pub(crate) fn room(&self, id: u64) -> Result<Arc<Mutex<Room>>, InputError> {
        let found = lock(&self.rooms).get(&id).cloned();
        found.ok_or_else(|| InputError::new(format!("there is no match {id}")).with_help("`list_matches` lists them"))
    }

    /// All matches, in the order of their numbers.
    pub(crate) fn rooms(&self) -> Vec<(u64, Arc<Mutex<Room>>)> {
        lock(&self.rooms).iter().map(|(id, room)| (*id, Arc::clone(room))).collect()
    }
}

/// A panic of an agent is caught where it is asked, so a poisoned lock guards a state that is whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
