//! The TUBSTAP server: a strict referee for two clients, with colours swapped from match to match.
//!
//! A client loses the match if it disconnects, sends an invalid answer, plays an illegal action or reports wrong
//! damages, or thinks about a turn longer than the patience. A turn that takes longer than its time plus the margin is
//! counted and recorded, and the match continues. Time is how long the server waits for answers of the side to act, by
//! a monotonic clock.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use tesuji_arena::tubstap::{FieldsMeaning, MapGame, MapMatch};
use tesuji_arena::{Catalogue, Ending, Failure, InputError, PlayedMatch, Player};

use super::results::{ClientFigures, ServedMatch, ServerEvent, ServerResult};
use super::wire::{Wire, WireTrouble};
use crate::recorder::{Contest, Recorder, Side};
use crate::server::{Server, listen};

/// The plan of a series of matches.
#[derive(Clone)]
pub struct ServerPlan {
    /// The catalogue of games and agents, used for a store of the matches.
    pub catalogue: Catalogue,
    /// The address to listen on; `127.0.0.1` unless other machines should reach it.
    pub host: String,
    /// The port; 0 selects a free one.
    pub port: u16,
    /// The map.
    pub map: MapGame,
    /// The address that opens the game on this map.
    pub game: String,
    /// The number of matches; colours swap from match to match.
    pub matches: u64,
    /// The time for a whole turn.
    pub turn_time: Duration,
    /// How much longer a turn may take before it counts as overtime.
    pub margin: Duration,
    /// A longer turn loses the match, and so does any other late answer, for which at least five seconds are granted.
    pub patience: Duration,
    /// How long clients may take to connect.
    pub wait: Duration,
    /// The folder for records, one file per match.
    pub records: Option<PathBuf>,
    /// The file for results.
    pub store: Option<PathBuf>,
    /// The seed of the run in the store: nothing is random here, but it distinguishes runs.
    pub seed: u64,
}

/// A listening server.
pub struct TubstapServer {
    plan: ServerPlan,
    server: Server,
    connections: Receiver<TcpStream>,
}

/// A connected client.
struct Client {
    wire: Wire,
    name: String,
}

/// The minimum time for answers that need no thinking, however short the patience with turns is.
const ANSWER_TIME: Duration = Duration::from_secs(5);

/// The interval at which a server that waits for clients checks whether it should end.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The longest name: it is shown in tables and written into records.
const LONGEST_NAME: usize = 60;

impl TubstapServer {
    /// Starts listening.
    pub fn start(plan: ServerPlan) -> Result<TubstapServer, InputError> {
        let listener: TcpListener = listen(&plan.host, plan.port)?;
        let (sender, connections) = channel();
        let sender = Mutex::new(sender);
        let pass_on = move |stream| {
            if let Ok(sender) = sender.lock() {
                drop(sender.send(stream));
            }
        };
        let server =
            Server::start(listener, pass_on).map_err(|error| InputError::new(format!("cannot serve: {error}")))?;
        Ok(TubstapServer { plan, server, connections })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Runs all matches. `see` is called for each; `stop` aborts.
    pub fn run(self, stop: &AtomicBool, mut see: impl FnMut(&ServedMatch)) -> Result<ServerResult, InputError> {
        let mut hall = Hall {
            plan: &self.plan,
            connections: &self.connections,
            clients: [None, None],
            figures: [ClientFigures::default(), ClientFigures::default()],
            events: Vec::new(),
            stop,
        };
        let mut result = ServerResult {
            turn_milliseconds: self.plan.turn_time.as_secs_f64() * 1e3,
            margin_milliseconds: self.plan.margin.as_secs_f64() * 1e3,
            clients: Vec::new(),
            matches: Vec::new(),
            broken_off: None,
        };
        let mut recorder = None;
        for number in 0..self.plan.matches {
            if let Err(why) = hall.fill() {
                result.broken_off = Some(why);
                break;
            }
            if recorder.is_none()
                && let Some(path) = &self.plan.store
            {
                recorder = Some(Recorder::begin(&hall.plan.catalogue, path, &hall.contest())?);
            }
            let (played, mut shown) = hall.play(number);
            if stop.load(Ordering::Relaxed) {
                result.broken_off = Some("stopped".to_owned());
                break;
            }
            if let Some(recorder) = &mut recorder {
                recorder.add((number / 2) as u32, &played.stored)?;
            }
            if let Some(folder) = &self.plan.records {
                shown.record = Some(write_record(folder, number + 1, &played.record)?);
            }
            see(&shown);
            result.matches.push(shown);
        }
        for client in hall.clients.iter_mut().flatten() {
            drop(client.wire.send("quit\r\n"));
        }
        result.clients = hall.figures.map(ClientFigures::settled).to_vec();
        Ok(result)
    }
}

fn write_record(folder: &Path, number: u64, text: &str) -> Result<PathBuf, InputError> {
    let wrong =
        |error: std::io::Error| InputError::new(format!("cannot write a record: {error}")).in_file(folder.display());
    std::fs::create_dir_all(folder).map_err(wrong)?;
    let path = folder.join(format!("match-{number:03}.sgf"));
    std::fs::write(&path, text).map_err(wrong)?;
    Ok(path)
}

/// The state of a series of matches.
struct Hall<'a> {
    plan: &'a ServerPlan,
    connections: &'a Receiver<TcpStream>,
    clients: [Option<Client>; 2],
    figures: [ClientFigures; 2],
    events: Vec<ServerEvent>,
    stop: &'a AtomicBool,
}

/// A match as recorded.
struct Kept {
    stored: PlayedMatch,
    record: String,
}

/// The current turn, and how long its side has been waited for.
#[derive(Clone, Copy, Default)]
struct Clock {
    turn: Option<u16>,
    time: Duration,
}

/// A match that ended by a client's fault.
struct Lost {
    colour: Player,
    foul: Failure,
}

impl Hall<'_> {
    /// Waits for clients until both places are taken.
    fn fill(&mut self) -> Result<(), String> {
        let deadline = Instant::now() + self.plan.wait;
        for place in 0..2 {
            if let Some(client) = &mut self.clients[place]
                && client.wire.discard_unasked().is_err()
            {
                self.clients[place] = None;
            }
        }
        while let Some(vacant) = self.clients.iter().position(Option::is_none) {
            if self.stop.load(Ordering::Relaxed) {
                return Err("stopped".to_owned());
            }
            if Instant::now() >= deadline {
                return Err(format!("no client connected within {:?}", self.plan.wait));
            }
            let stream = match self.connections.recv_timeout(LOOK_EVERY) {
                Ok(stream) => stream,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err("the server has stopped listening".to_owned()),
            };
            let Some(client) = greet(stream, self.plan.patience.min(ANSWER_TIME)) else { continue };
            // A client that was here before gets its own place back.
            let own = |place: &usize| self.clients[*place].is_none() && self.figures[*place].name == client.name;
            let place = (0..2).find(own).unwrap_or(vacant);
            self.figures[place].name.clone_from(&client.name);
            self.clients[place] = Some(client);
        }
        Ok(())
    }

    fn contest(&self) -> Contest {
        let side = |figures: &ClientFigures| Side { label: figures.name.clone(), agent: None };
        Contest {
            title: format!("TUBSTAP over the network: {}", self.plan.game),
            name: "tubstap-server.toml".to_owned(),
            game: self.plan.game.clone(),
            sides: self.figures.iter().map(side).collect(),
            rounds: self.plan.matches.div_ceil(2),
            seconds: self.plan.turn_time.as_secs_f64(),
            seed: self.plan.seed,
        }
    }

    /// The place of the client that has a colour in match `number`.
    fn place(number: u64, colour: Player) -> usize {
        (colour.index() + number as usize) % 2
    }

    fn play(&mut self, number: u64) -> (Kept, ServedMatch) {
        let mut table = self.plan.map.start();
        self.events.clear();
        let lost = self.course(number, &mut table).err();
        if let Some(lost) = &lost {
            table.surrender(lost.colour);
        }
        for place in 0..2 {
            let deadline = self.plan.margin.max(LOOK_EVERY);
            if let Some(client) = &mut self.clients[place] {
                // The result is final: clients that do not answer are checked before the next match.
                drop(client.wire.send("gameover\r\n"));
                drop(client.wire.answer(Instant::now() + deadline));
            }
        }
        let payoffs = table.payoffs().unwrap_or_else(|| vec![0.5, 0.5]);
        let names = [0, 1].map(|colour| self.figures[Self::place(number, Player(colour))].name.clone());
        for colour in [Player(0), Player(1)] {
            let figures = &mut self.figures[Self::place(number, colour)];
            match payoffs[colour.index()] {
                payoff if payoff > 0.5 => figures.wins += 1,
                payoff if payoff < 0.5 => figures.losses += 1,
                _ => figures.draws += 1,
            }
            figures.fouls += u64::from(lost.as_ref().is_some_and(|lost| lost.colour == colour));
        }
        let steps = table.table().steps();
        let mut moves: String = self.events.iter().map(|event| format!("# {event}\n")).collect();
        moves.extend(steps.iter().map(|joint| joint.join("\t") + "\n"));
        let record = table.record(names.clone(), "").unwrap_or_else(|error| format!("; {error}\n"));
        let shown = ServedMatch {
            number: number + 1,
            players: names,
            payoffs: payoffs.clone(),
            actions: steps.len(),
            foul: lost.as_ref().map(|lost| (lost.colour.0, lost.foul.to_string())),
            events: self.events.clone(),
            record: None,
        };
        let ending = match lost {
            Some(Lost { colour, foul }) => Ending::Foul { player: colour, foul },
            None => Ending::Natural,
        };
        let seating = (number % 2) as usize;
        let decisions = Vec::new();
        let steps = steps.len() as u32;
        let stored =
            PlayedMatch { seating, payoffs, ending, steps, random: None, decisions, moves, transcripts: Vec::new() };
        (Kept { stored, record }, shown)
    }

    /// Plays to the end, or until a client loses by a fault.
    fn course(&mut self, number: u64, table: &mut MapMatch) -> Result<(), Lost> {
        let map = self.plan.map.map_line();
        let patience = self.plan.patience.max(ANSWER_TIME);
        for colour in [Player(0), Player(1)] {
            let opponent = self.figures[Self::place(number, Player(1 - colour.0))].name.clone();
            for command in [format!("opponent {opponent}"), format!("MAP {map}"), format!("Color {}", colour.0)] {
                self.ask(number, colour, &command, patience, 0)?;
            }
        }
        let mut clock = Clock::default();
        let ended = self.turns(number, table, &mut clock);
        self.settle_turn(number, clock);
        ended
    }

    fn turns(&mut self, number: u64, table: &mut MapMatch, clock: &mut Clock) -> Result<(), Lost> {
        while let Some(mover) = table.mover() {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let turn = table.turns();
            self.turn_away(turn);
            if clock.turn != Some(turn) {
                self.settle_turn(number, *clock);
                *clock = Clock { turn: Some(turn), time: Duration::ZERO };
            }
            let left = self.plan.patience.saturating_sub(clock.time);
            let begun = Instant::now();
            let said = self.ask(number, mover, "Genmove", left, turn);
            clock.time += begun.elapsed();
            let said = said?;
            let place = Self::place(number, mover);
            let actions = match table.read_fields(&said) {
                Ok(FieldsMeaning::Actions(actions)) => actions,
                Ok(FieldsMeaning::Surrender) => {
                    self.event(turn, place, "surrendered".to_owned());
                    table.surrender(mover);
                    return Ok(());
                }
                Err(error) => {
                    let shown: String = said.chars().take(80).collect();
                    self.event(turn, place, format!("played `{shown}`: {error}"));
                    return Err(Lost { colour: mover, foul: Failure::Illegal(format!("`{shown}`: {error}")) });
                }
            };
            for action in actions {
                self.tell_opponent(number, table, &action, turn)?;
            }
        }
        Ok(())
    }

    /// Plays an action and sends it to the other side.
    fn tell_opponent(&mut self, number: u64, table: &mut MapMatch, action: &str, turn: u16) -> Result<(), Lost> {
        let (Some(mover), Ok(fields)) = (table.mover(), table.fields(action)) else { return Ok(()) };
        if table.play(action).is_err() {
            return Ok(());
        }
        let other = Player(1 - mover.0);
        let begun = Instant::now();
        self.ask(number, other, &format!("play {fields}"), self.plan.patience.max(ANSWER_TIME), turn)?;
        let figures = &mut self.figures[Self::place(number, other)];
        figures.echoes += 1;
        figures.latency_milliseconds += begun.elapsed().as_secs_f64() * 1e3;
        Ok(())
    }

    /// Counts a finished turn. Red has the even turns.
    fn settle_turn(&mut self, number: u64, Clock { turn, time }: Clock) {
        let Some(turn) = turn else { return };
        let place = Self::place(number, Player((turn % 2) as u8));
        let milliseconds = time.as_secs_f64() * 1e3;
        let figures = &mut self.figures[place];
        figures.turns += 1;
        figures.mean_milliseconds += milliseconds;
        figures.greatest_milliseconds = figures.greatest_milliseconds.max(milliseconds);
        if time > self.plan.turn_time + self.plan.margin {
            figures.overtime += 1;
            self.event(turn, place, format!("took {milliseconds:.0} ms for a turn"));
        }
    }

    fn event(&mut self, turn: u16, place: usize, what: String) {
        let client = self.figures[place].name.clone();
        self.events.push(ServerEvent { turn, client, what });
    }

    /// Sends a client a request. If it does not answer, it loses the match and its place.
    fn ask(
        &mut self,
        number: u64,
        colour: Player,
        command: &str,
        patience: Duration,
        turn: u16,
    ) -> Result<String, Lost> {
        let place = Self::place(number, colour);
        let begun = Instant::now();
        let mut unasked = false;
        let said = match &mut self.clients[place] {
            Some(client) => client.wire.discard_unasked().and_then(|found| {
                unasked = found;
                client.wire.send(&format!("{command}\r\n"))?;
                client.wire.answer(begun + patience)
            }),
            None => Err(WireTrouble::Closed),
        };
        if unasked {
            self.event(turn, place, "sent a line without a request".to_owned());
        }
        said.map_err(|trouble| {
            let word = command.split(' ').next().unwrap_or(command);
            self.event(turn, place, format!("{trouble} (`{word}`)"));
            self.clients[place] = None;
            let foul = match trouble {
                WireTrouble::Late => Failure::Overtime(begun.elapsed()),
                trouble => Failure::Broken(format!("the client {trouble}")),
            };
            Lost { colour, foul }
        })
    }

    /// Refuses clients that connect while both places are taken.
    fn turn_away(&mut self, turn: u16) {
        while let Ok(stream) = self.connections.try_recv() {
            let client = stream.peer_addr().map_or("somebody".to_owned(), |address| address.to_string());
            self.events.push(ServerEvent { turn, client, what: "was refused: both places are taken".to_owned() });
        }
    }
}

/// Asks a new client for its name; `None` if it does not answer.
fn greet(stream: TcpStream, patience: Duration) -> Option<Client> {
    let mut wire = Wire::new(stream).ok()?;
    wire.send("name\r\n").ok()?;
    let name = wire.answer(Instant::now() + patience).ok()?;
    let plain = |c: char| if c.is_control() || "[]".contains(c) { ' ' } else { c };
    let name: String = name.chars().take(LONGEST_NAME).map(plain).collect();
    let name = name.trim();
    Some(Client { wire, name: if name.is_empty() { "nameless".to_owned() } else { name.to_owned() } })
}
