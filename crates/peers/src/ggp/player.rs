//! The GGP player: a small HTTP server that plays one match at a time with one of our agents.
//!
//! Whatever happens, an answer is sent before the clock runs out. The agent gets the clock minus a margin. If it has
//! not finished after two thirds of the margin, its best move so far is played; if there is none, any legal move; and
//! if even the rules cannot be parsed, `nil`, for which a server plays a random move.

use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_arena::sheet::SheetGame;
use tesuji_arena::{Catalogue, InputError, Rng, Source, mix};

use super::follower::MatchFollower;
use super::http::{self, Incoming};
use super::message::Request;
use super::news::News;
use super::thinker::{Assignment, Chosen, Thinker};
use crate::server::{Server, listen};
use crate::slot::Slot;

/// Receives log messages.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// The options of a player.
#[derive(Clone)]
pub struct PlayerOptions {
    /// The catalogue of agents.
    pub catalogue: Catalogue,
    /// The address to listen on; `127.0.0.1` unless other machines should reach it.
    pub host: String,
    /// The port; 0 selects a free one.
    pub port: u16,
    /// The player's name.
    pub name: String,
    /// The agent's address.
    pub agent: String,
    /// How much of every clock is left unused; at most a third of it.
    pub margin: Duration,
    /// If the server of a match is silent for longer than its clocks plus this time, another match may replace it.
    pub silence: Duration,
    /// The seed of the agent's randomness.
    pub seed: u64,
    /// Whether it thinks ahead while it waits for the next request.
    pub ponders: bool,
    /// Receives log messages.
    pub log: Log,
}

/// The time limit of a request: rules for START can be long and the network slow.
const READ_TIME: Duration = Duration::from_secs(10);

/// A running player; it stops when it is dropped.
pub struct PlayerServer {
    server: Server,
}

impl PlayerServer {
    /// Starts the server.
    pub fn start(options: PlayerOptions) -> Result<PlayerServer, InputError> {
        let listener = listen(&options.host, options.port)?;
        let handler = RequestHandler {
            options,
            current: Mutex::new(None),
            previewed: Arc::default(),
            previewing: Arc::default(),
        };
        let server = Server::start(listener, move |stream| handler.serve(stream))
            .map_err(|error| InputError::new(format!("cannot serve: {error}")))?;
        Ok(PlayerServer { server })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }
}

/// A sheet that was announced before a match.
type Previewed = Arc<Mutex<Option<(String, SheetGame)>>>;

struct RequestHandler {
    options: PlayerOptions,
    current: Mutex<Option<Arc<Seated>>>,
    previewed: Previewed,
    /// Whether a sheet is being grounded before a match.
    previewing: Arc<AtomicBool>,
}

impl RequestHandler {
    fn log(&self, text: impl AsRef<str>) {
        (self.options.log)(text.as_ref());
    }

    fn serve(&self, mut stream: TcpStream) {
        let received = Instant::now();
        drop(stream.set_nodelay(true));
        drop(stream.set_write_timeout(Some(READ_TIME)));
        match http::read_request(&mut stream, received + READ_TIME) {
            Ok(Incoming::Options) => http::answer(&mut stream, "200 OK", ""),
            Ok(Incoming::Message(text)) => match Request::read(&text) {
                Ok(request) => {
                    let asked = shown(&request);
                    let answer = self.answer(request, received);
                    let milliseconds = received.elapsed().as_secs_f64() * 1e3;
                    self.log(format!("{asked} -> {answer} ({milliseconds:.0} ms)"));
                    http::answer(&mut stream, "200 OK", &answer);
                }
                Err(error) => {
                    self.log(format!("refused: {error}"));
                    http::answer(&mut stream, "400 Bad Request", &error.to_string());
                }
            },
            Err(error) => {
                self.log(format!("dropped: {error}"));
                http::answer(&mut stream, "400 Bad Request", "");
            }
        }
    }

    fn current(&self) -> std::sync::MutexGuard<'_, Option<Arc<Seated>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The current match, if it has this identifier. Identifiers are compared exactly, as servers do.
    fn seated(&self, id: &str) -> Option<Arc<Seated>> {
        self.current().clone().filter(|seated| seated.id == id)
    }

    fn answer(&self, request: Request, received: Instant) -> String {
        match request {
            Request::Info => {
                let lost = |seated: &Arc<Seated>| seated.is_lost(self.options.silence);
                let busy = self.current().as_ref().is_some_and(|seated| !lost(seated));
                // Species, as GGP-Base calls it: a program, not a person.
                let status = if busy { "busy" } else { "available" };
                format!("((name {}) (status {status}) (species alien))", self.options.name)
            }
            Request::Preview { rules, clock } => self.preview(rules, Duration::from_secs(clock)),
            Request::Start { id, role, rules, start_clock, play_clock } => {
                let clocks = Clocks { start: Duration::from_secs(start_clock), play: Duration::from_secs(play_clock) };
                self.start(id, role, rules, clocks, received)
            }
            Request::Play { id, moves } => match self.seated(&id) {
                Some(seated) => seated.play(News::of_moves(moves), received, &self.options),
                None => "busy".to_owned(),
            },
            Request::PlayHidden { id, learned } => match self.seated(&id) {
                Some(seated) => seated.play(News::of_learned(learned), received, &self.options),
                None => "busy".to_owned(),
            },
            Request::Stop { id, .. } | Request::StopHidden { id, .. } => self.leave(&id, "done"),
            Request::Abort { id } => self.leave(&id, "aborted"),
        }
    }

    fn leave(&self, id: &str, said: &str) -> String {
        let mut current = self.current();
        if current.as_ref().is_some_and(|seated| seated.id == id) {
            *current = None;
            return said.to_owned();
        }
        "busy".to_owned()
    }

    /// Grounds a sheet in the background, so that it is ready when a match starts.
    fn preview(&self, rules: String, clock: Duration) -> String {
        if self.current().as_ref().is_some_and(|seated| !seated.is_lost(self.options.silence)) {
            return "busy".to_owned();
        }
        // One sheet at a time: others are grounded when their match starts.
        if self.previewing.swap(true, Ordering::SeqCst) {
            return "ready".to_owned();
        }
        let catalogue = self.options.catalogue.clone();
        let (previewed, previewing, begun) =
            (Arc::clone(&self.previewed), Arc::clone(&self.previewing), Instant::now());
        let labour = move || {
            if let Ok(game) = SheetGame::open(&catalogue, Source::new("preview", &rules), &|| begun.elapsed() > clock) {
                *previewed.lock().unwrap_or_else(PoisonError::into_inner) = Some((rules, game));
            }
            previewing.store(false, Ordering::SeqCst);
        };
        drop(thread::Builder::new().name("preview".to_owned()).spawn(labour));
        "ready".to_owned()
    }

    fn start(&self, id: String, role: String, rules: String, clocks: Clocks, received: Instant) -> String {
        let seated = {
            let mut current = self.current();
            match &*current {
                // The same message twice: there is one match, and both senders get its answer.
                Some(seated) if seated.id == id && seated.role == role && !seated.has_begun() => Arc::clone(seated),
                Some(seated) if !seated.is_lost(self.options.silence) => return "busy".to_owned(),
                lost => {
                    if let Some(lost) = lost {
                        self.log(format!("{} is taken for lost", lost.id));
                    }
                    let seated = Arc::new(self.sit(id, role, rules, clocks, received));
                    *current = Some(Arc::clone(&seated));
                    seated
                }
            }
        };
        let deadline = received + clocks.start - self.options.margin.min(clocks.start / 3) / 3;
        let answer = match seated.thinker.ready.wait(deadline) {
            Some(Ok(said)) => {
                self.log(format!("{}: {said}", seated.id));
                "ready"
            }
            None => {
                self.log(format!("{}: the rules are still being prepared", seated.id));
                "ready"
            }
            Some(Err(error)) => {
                self.log(format!("{} cannot be played: {error}", seated.id));
                self.leave(&seated.id, "");
                "busy"
            }
        };
        seated.heard();
        answer.to_owned()
    }

    fn sit(&self, id: String, role: String, rules: String, clocks: Clocks, received: Instant) -> Seated {
        let previewed = self.previewed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let known = previewed.filter(|(text, _)| *text == rules).map(|(_, game)| game);
        let margin = self.options.margin.min(clocks.start / 3);
        let follower = MatchFollower::begin(self.options.catalogue.clone(), &id, &rules, &role);
        let assignment = Assignment {
            catalogue: self.options.catalogue.clone(),
            id: id.clone(),
            rules,
            role: role.clone(),
            agent: self.options.agent.clone(),
            seed: self.options.seed,
            ponders: self.options.ponders,
            start_deadline: received + clocks.start - margin,
        };
        let thinker = Thinker::begin(assignment, known);
        Seated { id, role, clocks, thinker, follower, moves: Mutex::new(Moves::default()), heard: Mutex::new(received) }
    }
}

/// A request as shown in the log, without rules.
fn shown(request: &Request) -> String {
    match request {
        Request::Start { id, role, start_clock, play_clock, .. } => {
            format!("START {id} {role} {start_clock} {play_clock}")
        }
        Request::Preview { clock, .. } => format!("PREVIEW {clock}"),
        request => request.write(),
    }
}

#[derive(Clone, Copy)]
struct Clocks {
    start: Duration,
    play: Duration,
}

/// The current match.
struct Seated {
    id: String,
    role: String,
    clocks: Clocks,
    thinker: Thinker,
    follower: MatchFollower,
    moves: Mutex<Moves>,
    /// The time of the server's last message.
    heard: Mutex<Instant>,
}

#[derive(Default)]
struct Moves {
    /// The number of moves requested.
    asked: u64,
    /// The current request: what it told, and the answer.
    pending: Option<(News, Slot<String>)>,
}

impl Seated {
    fn heard(&self) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn has_begun(&self) -> bool {
        self.moves.lock().unwrap_or_else(PoisonError::into_inner).asked > 0
    }

    /// Whether the server has been silent for so long that it must have dropped the match.
    fn is_lost(&self, silence: Duration) -> bool {
        let heard = *self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.elapsed() > self.clocks.start + self.clocks.play * 2 + silence
    }

    fn play(&self, news: News, received: Instant, options: &PlayerOptions) -> String {
        self.heard();
        let margin = options.margin.min(self.clocks.play / 3);
        let end = received + self.clocks.play;
        let (number, answer) = {
            let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((pending, answer)) = &moves.pending
                && *pending == news
                && answer.peek().is_none()
            {
                // The same request over a second connection while the first is being answered.
                let answer = answer.clone();
                drop(moves);
                return answer.wait(end).unwrap_or_else(|| "nil".to_owned());
            }
            moves.asked += 1;
            let answer = Slot::new();
            moves.pending = Some((news.clone(), answer.clone()));
            (moves.asked, answer)
        };
        let thought = self.thinker.ask(number, news.clone(), end - margin);
        let legal = self.follower.ask(news);
        let chosen = match thought.wait(end - margin / 3) {
            Some(Ok(Chosen { action, report })) => {
                if !report.is_empty() {
                    (options.log)(&format!("{}, move {number}: {action}: {report}", self.id));
                }
                action
            }
            trouble => {
                let why = match trouble {
                    Some(Err(error)) => error,
                    _ => "the agent is not done".to_owned(),
                };
                let (action, how) = self.emergency(number, &legal, end - margin / 6, options.seed);
                (options.log)(&format!("{}, move {number}: {why}; {how}", self.id));
                action
            }
        };
        answer.put(chosen.clone());
        self.heard();
        chosen
    }

    /// A fallback if the thinker has no move: its best so far, or any legal one.
    fn emergency(
        &self,
        number: u64,
        legal: &Slot<Vec<String>>,
        deadline: Instant,
        seed: u64,
    ) -> (String, &'static str) {
        if let Some(best) = self.thinker.best(number) {
            return (best, "its best so far is played");
        }
        match legal.wait(deadline) {
            Some(legal) if !legal.is_empty() => {
                let place = Rng::new(mix(mix(seed, 1), number)).below(legal.len());
                (legal[place].clone(), "a legal move is played")
            }
            _ => ("nil".to_owned(), "no legal move is known"),
        }
    }
}
