//! A match in memory: one [`AnyMatch`], the searches of its agents, and the clients that watch.
//!
//! Everything here is quick except the search itself, which runs on the [`Pool`] beside the match: while an agent
//! thinks the match can be viewed, undone and resigned. A change is saved before clients are notified.

mod records;
mod rights;
mod search;
mod transcripts;
mod views;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tesuji_arena::{AnyGame, AnyMatch, Catalogue, Ending, InputError, Occupant, Player, Waiting};
use tokio::sync::watch;

use crate::database::{Database, MatchProgress, MatchRow};
use crate::error::ApiError;
use crate::limits::Limits;
use crate::pool::Pool;

pub(crate) use search::fewer_candidates;
pub(crate) use views::Position;

/// The least time between two reports of a search.
pub(crate) const THOUGHT_PAUSE: Duration = Duration::from_millis(100);

/// The origin of a match that is played here; all others were opened finished.
pub(crate) const PLAYED: &str = "play";
/// The origin of a match that comes from a store of experiments.
pub(crate) const STORED: &str = "store";

/// The services that all rooms share.
pub(crate) struct Services {
    /// The lab's file.
    pub database: Database,
    /// The threads that search.
    pub pool: Pool,
    /// The limits of the lab.
    pub limits: Limits,
    /// The games and agents that the lab knows.
    pub catalogue: Catalogue,
}

/// A match in memory.
pub(crate) struct Room {
    services: Arc<Services>,
    id: String,
    game: Arc<dyn AnyGame>,
    inner: Mutex<Inner>,
    changes: watch::Sender<u64>,
    thoughts: watch::Sender<Option<Arc<str>>>,
    /// When it was last asked for, in milliseconds since the lab began.
    used: AtomicU64,
    /// Was it closed? Can be read without the lock.
    shut: AtomicBool,
}

struct Inner {
    live: Box<dyn AnyMatch>,
    row: MatchRow,
    /// The steps that the file holds.
    saved: usize,
    revision: u64,
    search: Option<Search>,
    searches: u64,
    /// The players who agreed to the undo that somebody asked for.
    undo_agreed: BTreeSet<u8>,
    /// The view of the present position, as text.
    shown: Option<Arc<str>>,
    /// Why the room can no longer be used: the match was removed, or could not be written.
    closed: Option<ApiError>,
}

/// An agent's search.
struct Search {
    number: u64,
    player: Player,
    queued: bool,
    stop: Arc<AtomicBool>,
}

impl Room {
    /// A room for a match that has come as far as the steps that the file holds. Choices and a resignation after them
    /// are taken from `row`. [`Room::begin`] starts it.
    pub(crate) fn new(
        services: Arc<Services>,
        game: Arc<dyn AnyGame>,
        mut live: Box<dyn AnyMatch>,
        row: MatchRow,
    ) -> Result<Arc<Room>, ApiError> {
        let saved = live.made().len();
        for (player, action) in &row.progress.pending {
            live.choose(Player(*player), action)?;
        }
        if let Some(player) = row.progress.resigned {
            // After the choices, because a match that is over takes none. One that is over by the rules stays so.
            drop(live.resign(Player(player)));
        }
        let id = row.id.clone();
        let revision = first_revision();
        let inner = Inner {
            live,
            row,
            saved,
            revision,
            search: None,
            searches: 0,
            undo_agreed: BTreeSet::new(),
            shown: None,
            closed: None,
        };
        Ok(Arc::new(Room {
            services,
            id,
            game,
            inner: Mutex::new(inner),
            changes: watch::Sender::new(revision),
            thoughts: watch::Sender::new(None),
            used: AtomicU64::new(0),
            shut: AtomicBool::new(false),
        }))
    }

    /// The name of the match.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The game.
    pub(crate) fn game(&self) -> &dyn AnyGame {
        self.game.as_ref()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_open(&self) -> Result<MutexGuard<'_, Inner>, ApiError> {
        let inner = self.lock();
        match &inner.closed {
            Some(error) => Err(error.clone()),
            None => Ok(inner),
        }
    }

    /// Records the time of a request.
    pub(crate) fn touch(&self, now: u64) {
        self.used.store(now, Ordering::Relaxed);
    }

    /// The time of the last request.
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// The number of the present view.
    pub(crate) fn revision(&self) -> u64 {
        self.lock().revision
    }

    /// Notifies of every change with the new revision.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Notifies of the progress of searches, as JSON text.
    pub(crate) fn thoughts(&self) -> watch::Receiver<Option<Arc<str>>> {
        self.thoughts.subscribe()
    }

    /// Can it be removed from memory? `None`: no. `Some(true)`: yes, and the match is over.
    pub(crate) fn idle(&self) -> Option<bool> {
        let inner = self.inner.try_lock().ok()?;
        let watched = self.changes.receiver_count() + self.thoughts.receiver_count() > 0;
        (inner.search.is_none() && !watched)
            .then(|| inner.row.origin != PLAYED || inner.live.waiting() == Waiting::Nothing)
    }

    /// Was it closed by a failure or a removal?
    pub(crate) fn is_closed(&self) -> bool {
        self.shut.load(Ordering::Relaxed)
    }

    /// Is an agent searching, or waiting for a thread?
    pub(crate) fn searching(&self) -> bool {
        self.lock().search.is_some()
    }

    /// Closes it for all clients.
    pub(crate) fn close(&self, why: ApiError) {
        let mut inner = self.lock();
        self.shut(&mut inner, why);
    }

    /// Starts nature and agents.
    pub(crate) fn begin(self: &Arc<Self>) -> Result<(), ApiError> {
        let mut inner = self.lock_open()?;
        self.advance(&mut inner)
    }

    /// A person's choice.
    pub(crate) fn choose(self: &Arc<Self>, player: u8, action: &str, key: Option<&str>) -> Result<(), ApiError> {
        let mut inner = self.lock_open()?;
        inner.authorise(player, key)?;
        inner.expect(player)?;
        inner.live.choose(Player(player), action)?;
        self.advance(&mut inner)
    }

    /// The end of a person's turn.
    pub(crate) fn end_turn(self: &Arc<Self>, player: u8, key: Option<&str>) -> Result<(), ApiError> {
        let mut inner = self.lock_open()?;
        inner.authorise(player, key)?;
        inner.expect(player)?;
        inner.live.choose_end_turn(Player(player)).map_err(|error| ApiError::conflict(error.message()))?;
        self.advance(&mut inner)
    }

    /// Takes back the last choice of a person and everything after it, once all people whose choices that takes back
    /// agree. Each caller agrees for the seats whose keys it sends.
    pub(crate) fn undo(self: &Arc<Self>, keys: &[&str]) -> Result<(), ApiError> {
        let mut inner = self.lock_open()?;
        if keys.is_empty() {
            inner.authorise_any(None)?;
        }
        for key in keys {
            inner.authorise_any(Some(key))?;
        }
        if inner.row.origin != PLAYED {
            return Err(ApiError::conflict("a replay cannot be changed"));
        }
        if !inner.live.can_take_back() {
            return Err(ApiError::conflict("there is nothing to take back"));
        }
        let agreed: Vec<u8> = keys.iter().flat_map(|key| inner.seats_of_key(key)).collect();
        inner.undo_agreed.extend(agreed);
        if !inner.undo_missing().is_empty() {
            self.notify(&mut inner);
            return Ok(());
        }
        inner.live.take_back();
        inner.end_search();
        if inner.row.progress.fault.take().is_some() {
            let forgotten = self.services.database.put_failure(&self.id, None);
            forgotten.map_err(|error| self.broken(&mut inner, &error))?;
        }
        inner.saved = inner.saved.min(inner.live.made().len());
        self.advance(&mut inner)
    }

    /// A player resigns.
    pub(crate) fn resign(self: &Arc<Self>, player: u8, key: Option<&str>) -> Result<(), ApiError> {
        let mut inner = self.lock_open()?;
        inner.authorise(player, key)?;
        inner.live.resign(Player(player)).map_err(|error| ApiError::conflict(error.message()))?;
        inner.end_search();
        self.advance(&mut inner)
    }

    /// Asks the searching agent to answer at once.
    pub(crate) fn stop(self: &Arc<Self>, key: Option<&str>) -> Result<(), ApiError> {
        let inner = self.lock_open()?;
        inner.authorise_any(key)?;
        match &inner.search {
            Some(search) => search.stop.store(true, Ordering::Relaxed),
            None => return Err(ApiError::conflict("no agent is searching")),
        }
        Ok(())
    }

    /// Completes a change: nature draws, the file is written, the next agent starts its search, clients are notified.
    fn advance(self: &Arc<Self>, inner: &mut Inner) -> Result<(), ApiError> {
        inner.undo_agreed.clear();
        while inner.row.origin == PLAYED && inner.live.waiting() == Waiting::Chance {
            inner.live.draw();
        }
        self.save(inner)?;
        self.begin_search(inner);
        self.notify(inner);
        Ok(())
    }

    fn save(&self, inner: &mut Inner) -> Result<(), ApiError> {
        let live = &inner.live;
        let pending = live.pending().into_iter().map(|(player, action)| (player.0, action));
        let progress = MatchProgress {
            steps: live.made().len(),
            over: inner.row.origin != PLAYED || live.waiting() == Waiting::Nothing,
            payoffs: live.payoffs(),
            resigned: lost(live.as_ref()).map(|player| player.0),
            fault: inner.row.progress.fault.clone(),
            pending: pending.collect(),
        };
        if progress == inner.row.progress && inner.saved == progress.steps {
            return Ok(());
        }
        let steps = &live.made()[inner.saved..];
        let written = self.services.database.change_match(&self.id, &progress, inner.saved, steps);
        written.map_err(|error| self.broken(inner, &error))?;
        inner.saved = progress.steps;
        inner.row.progress = progress;
        Ok(())
    }

    /// Closes the room after a failed write: memory is ahead of the file, so the match must be read again.
    fn broken(&self, inner: &mut Inner, error: &InputError) -> ApiError {
        let error = ApiError::fault(error.to_string());
        self.shut(inner, error.clone());
        error
    }

    fn shut(&self, inner: &mut Inner, why: ApiError) {
        inner.end_search();
        inner.closed = Some(why);
        self.shut.store(true, Ordering::Relaxed);
        self.notify(inner);
    }

    fn notify(&self, inner: &mut Inner) {
        inner.revision += 1;
        inner.shown = None;
        self.changes.send_replace(inner.revision);
    }
}

impl Inner {
    /// Is the match waiting for this player?
    fn expect(&self, player: u8) -> Result<(), ApiError> {
        match self.live.waiting() {
            Waiting::Nothing => Err(ApiError::conflict("the match is over")),
            Waiting::Choices(players) if players.contains(Player(player)) => Ok(()),
            _ if self.live.has_chosen(Player(player)) => {
                Err(ApiError::conflict("you have chosen; the other players have not"))
            }
            _ => Err(ApiError::conflict("it is not your turn")),
        }
    }

    /// Would the progress of a search reveal an agent's choice to a person who chooses in the same step?
    fn would_give_away(&self) -> bool {
        let turn = self.live.turn();
        let person = |player: Player| matches!(self.live.seats()[player.index()], Occupant::Person { .. });
        turn.movers().count() > 1 && turn.movers().any(person)
    }

    fn end_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Who resigned, or lost by a failure.
fn lost(live: &dyn AnyMatch) -> Option<Player> {
    live.ending().and_then(Ending::loser)
}

/// The first revision of a room: greater than those that the same match had in memory before, so that clients never
/// take a new view for an old one. Microseconds since 1970 are below 2^53.
fn first_revision() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_micros() as u64)
}
