//! The lab: everything that the routes share.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use tesuji_arena::{AnyGame, AnyMatch, Catalogue, InputError, LiveRecord, Occupant, Turn, resume_match};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::spawn_blocking;

use crate::addresses::Addresses;
use crate::analyses::Analyses;
use crate::cancellable::cancellable;
use crate::database::{Database, MatchRow};
use crate::error::ApiError;
use crate::experiments::Experiments;
use crate::games::Games;
use crate::labels::LabelStore;
use crate::limits::Limits;
use crate::pool::Pool;
use crate::queue_watch::QueueWatch;
use crate::reviews::Reviews;
use crate::room::{PLAYED, Room, STORED, Services};
use crate::trainings::Trainings;

/// Games and stored matches that are opened at the same time: each may take seconds and much memory.
const OPENED_AT_ONCE: usize = 2;
/// A finished match leaves memory after this many milliseconds without a request.
const FINISHED_EVICTED_AFTER: u64 = 30_000;
/// A match that waits for a person leaves memory after this many; the next request reads it from the file.
const WAITING_EVICTED_AFTER: u64 = 600_000;
/// At a restart at most this many unfinished matches resume by themselves, the last changed first.
const RESUMED_AT_START: u64 = 500;

/// Everything that the routes share.
pub(crate) struct Lab {
    /// The games and agents that the lab knows.
    pub catalogue: Catalogue,
    /// What rooms share.
    pub services: Arc<Services>,
    /// Checks the addresses in requests.
    pub addresses: Addresses,
    /// Analyses that run or have just ended.
    pub analyses: Analyses,
    /// Reviews that run or wait.
    pub reviews: Reviews,
    /// Experiments that run or wait.
    pub experiments: Experiments,
    /// Trainings of networks.
    pub trainings: Trainings,
    /// The folder of everything that the lab keeps.
    pub folder: PathBuf,
    /// Labels of actions, where `tesuji fuzzy learn` finds them.
    pub labels: LabelStore,
    /// Reads a queue of experiments on many machines, if one is watched.
    pub queue: OnceLock<QueueWatch>,
    /// Permits for WebSockets.
    pub sockets: Arc<Semaphore>,
    /// The first example of every game, opened when the catalogue is first asked for.
    pub examples: OnceLock<Vec<Arc<dyn AnyGame>>>,
    /// The names of the agents that can play a game, by its name.
    pub able: Mutex<HashMap<String, Vec<&'static str>>>,
    games: Games,
    opening: Arc<Semaphore>,
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    closing: watch::Sender<bool>,
    begun: Instant,
}

impl Lab {
    /// Opens the lab in `folder`; creates it if it does not exist.
    pub(crate) fn open(
        catalogue: Catalogue,
        folder: PathBuf,
        limits: Limits,
        threads: usize,
    ) -> Result<Arc<Lab>, InputError> {
        let uploads = folder.join("uploads");
        std::fs::create_dir_all(&uploads).map_err(|error| {
            InputError::new(format!("cannot create the lab's folder: {error}")).in_file(uploads.display())
        })?;
        let folder = folder.canonicalize().unwrap_or(folder);
        let database = Database::open(&folder.join("lab.db"))?;
        let sockets = Arc::new(Semaphore::new(limits.sockets));
        let addresses = Addresses::new(catalogue.clone(), folder.join("uploads"), limits.clone());
        let services = Arc::new(Services { database, pool: Pool::new(threads), limits, catalogue: catalogue.clone() });
        Ok(Arc::new(Lab {
            addresses,
            analyses: Analyses::default(),
            reviews: Reviews::default(),
            experiments: Experiments::new(catalogue.clone(), folder.clone(), threads),
            trainings: Trainings::new(catalogue.clone(), folder.join("uploads")),
            labels: LabelStore::new(&folder),
            queue: OnceLock::new(),
            folder,
            sockets,
            games: Games::new(catalogue.clone()),
            catalogue,
            examples: OnceLock::new(),
            able: Mutex::default(),
            opening: Arc::new(Semaphore::new(OPENED_AT_ONCE)),
            rooms: Mutex::default(),
            closing: watch::Sender::new(false),
            begun: Instant::now(),
            services,
        }))
    }

    /// The bounds of the lab.
    pub(crate) fn limits(&self) -> &Limits {
        &self.services.limits
    }

    /// Notifies when the lab closes.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }

    /// Ends searches and experiments; finished matches are saved.
    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
        self.services.pool.close();
        self.experiments.close();
        self.trainings.stop_any();
        self.analyses.stop_all();
        self.reviews.stop_all();
        self.opening.close();
        let rooms = std::mem::take(&mut *self.rooms());
        for room in rooms.values() {
            room.close(ApiError::fault("the lab is closing"));
        }
    }

    /// Is a part of the lab still referenced by a running task?
    pub(crate) fn is_held(self: &Arc<Self>) -> bool {
        Arc::strong_count(self) > 1 || Arc::strong_count(&self.services) > 1
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn milliseconds(&self) -> u64 {
        self.begun.elapsed().as_millis() as u64
    }

    /// Matches in memory.
    pub(crate) fn room_count(&self) -> usize {
        self.rooms().len()
    }

    /// Opens a game by an address of the API, beside the threads that answer requests.
    pub(crate) async fn open_game(self: &Arc<Self>, address: &str) -> Result<Arc<dyn AnyGame>, ApiError> {
        let inside = self.addresses.game(address)?;
        if let Some(game) = self.games.find(&inside) {
            return Ok(game);
        }
        let permit = self.opening_permit().await?;
        let lab = Arc::clone(self);
        let limit = Duration::from_secs(self.limits().open_seconds);
        let opened = cancellable("opening the game", limit, move || {
            // The permit is held until the work ends, also when nobody waits for it any more.
            let _permit = permit;
            let game = lab.games.open(&inside)?;
            check_size(game.as_ref(), lab.limits())?;
            Ok(game)
        });
        let opened = opened.await;
        opened.map_err(|error| error.map_text(|text| self.addresses.shown(text)))
    }

    /// Opens the game of a match of a store. Stores are written by the program, so that their addresses may name files.
    pub(crate) async fn open_stored_game(self: &Arc<Self>, address: &str) -> Result<Arc<dyn AnyGame>, ApiError> {
        if let Some(game) = self.games.find(address) {
            return Ok(game);
        }
        let _permit = self.opening_permit().await?;
        let (lab, address) = (Arc::clone(self), address.to_owned());
        blocking(move || Ok(lab.games.open(&address)?)).await
    }

    async fn opening_permit(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let permit = Arc::clone(&self.opening).acquire_owned().await;
        permit.map_err(|_| ApiError::fault("the lab is closing"))
    }

    /// The seats with addresses that build agents here.
    pub(crate) fn seats_inside(&self, seats: &[Occupant]) -> Result<Vec<Occupant>, InputError> {
        let inside = |occupant: &Occupant| match occupant {
            Occupant::Person { .. } => Ok(occupant.clone()),
            Occupant::Agent { agent, budget } => {
                Ok(Occupant::Agent { agent: self.addresses.agent(agent)?, budget: budget.clone() })
            }
        };
        seats.iter().map(inside).collect()
    }

    /// Saves a new match, with the steps made so far, and starts it.
    pub(crate) async fn add_match(
        self: &Arc<Self>,
        game: Arc<dyn AnyGame>,
        row: MatchRow,
        live: Box<dyn AnyMatch>,
    ) -> Result<Arc<Room>, ApiError> {
        self.evict_idle();
        if self.room_count() >= self.limits().matches {
            return Err(ApiError::busy("the lab has reached its limit of matches in memory")
                .with_help("wait until some end, or remove some"));
        }
        let lab = Arc::clone(self);
        blocking(move || {
            if lab.services.database.count_matches()? >= lab.limits().stored_matches {
                return Err(ApiError::busy("the lab has reached its limit of saved matches").with_help("remove some"));
            }
            let steps = live.made().to_vec();
            let room = Room::new(Arc::clone(&lab.services), game, live, row.clone())?;
            lab.services.database.add_match(&row, &steps)?;
            room.touch(lab.milliseconds());
            lab.rooms().insert(row.id, Arc::clone(&room));
            room.begin()?;
            Ok(room)
        })
        .await
    }

    /// The match of that name, read from the file if it is not in memory.
    pub(crate) async fn room(self: &Arc<Self>, id: &str) -> Result<Arc<Room>, ApiError> {
        if let Some(room) = self.find_room(id) {
            return Ok(room);
        }
        let (lab, name) = (Arc::clone(self), id.to_owned());
        let found = blocking(move || Ok(lab.services.database.find_match(&name)?)).await?;
        let Some(row) = found else { return Err(ApiError::missing(format!("there is no match `{id}`"))) };
        let game = match row.origin.as_str() {
            STORED => self.open_stored_game(&row.game).await?,
            _ => self.open_game(&row.game).await?,
        };
        let _permit = self.opening_permit().await?;
        let lab = Arc::clone(self);
        blocking(move || {
            if let Some(room) = lab.find_room(&row.id) {
                return Ok(room);
            }
            let steps = lab.services.database.steps(&row.id)?;
            let seats = match lab.seats_inside(&row.seats) {
                Ok(inside) if row.origin == PLAYED => inside,
                Err(error) if row.origin == PLAYED && !row.progress.over => return Err(error.into()),
                _ => row.seats.clone(),
            };
            let id = row.id.clone();
            let record = LiveRecord { game: row.game.clone(), seats, seed: row.seed, steps, resigned: None };
            let live = resume_match(game.as_ref(), record)?;
            let room = Room::new(Arc::clone(&lab.services), game, live, row)?;
            room.touch(lab.milliseconds());
            let mut rooms = lab.rooms();
            if let Some(other) = rooms.get(&id) {
                return Ok(Arc::clone(other));
            }
            rooms.insert(id, Arc::clone(&room));
            drop(rooms);
            room.begin()?;
            Ok(room)
        })
        .await
    }

    fn find_room(&self, id: &str) -> Option<Arc<Room>> {
        let mut rooms = self.rooms();
        let room = Arc::clone(rooms.get(id)?);
        if room.is_closed() {
            rooms.remove(id);
            return None;
        }
        room.touch(self.milliseconds());
        Some(room)
    }

    /// Removes a match for good.
    pub(crate) async fn remove(self: &Arc<Self>, room: Arc<Room>) -> Result<(), ApiError> {
        let lab = Arc::clone(self);
        blocking(move || {
            lab.services.database.remove_match(room.id())?;
            room.close(ApiError::missing("the match was removed"));
            lab.rooms().remove(room.id());
            Ok(())
        })
        .await
    }

    /// Removes idle matches from memory.
    pub(crate) fn evict_idle(&self) {
        let now = self.milliseconds();
        let mut rooms = self.rooms();
        let full = rooms.len() >= self.services.limits.matches;
        rooms.retain(|_, room| {
            let since = now.saturating_sub(room.used());
            let may_go = Arc::strong_count(room) == 1
                && match room.idle() {
                    Some(true) => since > FINISHED_EVICTED_AFTER || full,
                    Some(false) => since > WAITING_EVICTED_AFTER || (full && since > FINISHED_EVICTED_AFTER),
                    None => false,
                };
            !may_go
        });
    }

    /// Resumes the matches that were unfinished when the lab last ended.
    pub(crate) async fn resume_unfinished(self: Arc<Self>) {
        let lab = Arc::clone(&self);
        let unfinished =
            blocking(move || Ok(lab.services.database.list_matches(Some(false), 0, RESUMED_AT_START)?)).await;
        for row in unfinished.map(|(_, rows)| rows).unwrap_or_default() {
            if row.origin == PLAYED && row.seats.iter().any(|seat| matches!(seat, Occupant::Agent { .. })) {
                // If a match cannot be opened any more, the next request for it reports why.
                let taken_up = self.room(&row.id).await;
                drop(taken_up);
            }
        }
    }
}

/// Refuses a game with more actions than the lab can show, and one without any: a rule sheet whose first question is
/// beyond the interpreter's limits is over at the start.
fn check_size(game: &dyn AnyGame, limits: &Limits) -> Result<(), ApiError> {
    let table = game.new_match(None)?;
    if table.turn() == Turn::Over {
        let message = "the game is over at the start, or its rules take more work than the limits of this lab allow";
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message));
    }
    let most = table.actors().into_iter().map(|(actor, _)| table.legal(actor).len()).max().unwrap_or(0);
    if most > limits.actions {
        let message = format!("the game starts with {most} legal actions; the lab shows at most {}", limits.actions);
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, message));
    }
    Ok(())
}

/// Runs work that may block on its own thread. A panic becomes an error of this request only.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    match spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => Err(ApiError::fault(format!("the program failed: {error}"))),
        Err(_) => Err(ApiError::fault("the lab is closing")),
    }
}
