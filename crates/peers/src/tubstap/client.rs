//! The TUBSTAP client: answers the commands of a server with the actions of one of our agents.

use std::net::{TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use tesuji_arena::tubstap::{FieldsMeaning, MapGame, MapMatch};
use tesuji_arena::{Budget, Catalogue, InputError, Player, Rng, Source, mix};

use super::wire::{Wire, WireTrouble};
use crate::ggp::Log;

/// The options of a client.
#[derive(Clone)]
pub struct ClientPlan {
    /// The catalogue of agents.
    pub catalogue: Catalogue,
    /// The server's host and port.
    pub connect: String,
    /// The agent's address.
    pub agent: String,
    /// The client's name.
    pub name: String,
    /// The time for a whole turn, shared by its units.
    pub turn_time: Duration,
    /// The budget of one action, instead of its part of the turn's time.
    pub budget: Option<Budget>,
    /// The seed of the agent's randomness.
    pub seed: u64,
    /// Receives log messages.
    pub log: Log,
}

/// The results of a client.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ClientResult {
    /// Matches started.
    pub matches: u64,
    /// Matches played to their end.
    pub finished: u64,
    /// Matches won.
    pub wins: u64,
    /// Matches drawn.
    pub draws: u64,
    /// Matches lost.
    pub losses: u64,
    /// Actions made.
    pub actions: u64,
    /// The longest thinking time of a turn, in milliseconds.
    pub longest_turn_milliseconds: f64,
}

/// The interval at which a waiting client checks whether it should end.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// The time limit for connecting to a server.
const CONNECT: Duration = Duration::from_secs(10);
/// The fraction of a turn's time kept in reserve, for the network and slow clocks.
const KEPT: f64 = 0.1;
/// The minimum time of an action.
const LEAST: Duration = Duration::from_millis(5);

/// Plays all matches that a server requests, until it disconnects or `stop` is set.
pub fn play(plan: &ClientPlan, stop: &AtomicBool) -> Result<ClientResult, InputError> {
    let unreachable = |why: String| {
        InputError::new(format!("no server at {}: {why}", plan.connect))
            .with_help("expected HOST:PORT, such as 127.0.0.1:7777")
    };
    let mut addresses = plan.connect.to_socket_addrs().map_err(|error| unreachable(error.to_string()))?;
    let address = addresses.next().ok_or_else(|| unreachable("no such host".to_owned()))?;
    let stream = TcpStream::connect_timeout(&address, CONNECT).map_err(|error| unreachable(error.to_string()))?;
    let mut wire = Wire::new(stream).map_err(|error| unreachable(error.to_string()))?;
    let mut client = Client { plan, game: None, colour: None, seated: None, result: ClientResult::default() };
    while !stop.load(Ordering::Relaxed) {
        let line = match wire.line(Instant::now() + LOOK_EVERY) {
            Ok(line) => line,
            Err(WireTrouble::Late) => continue,
            Err(WireTrouble::Closed) => break,
            Err(trouble) => return Err(InputError::new(format!("the server {trouble}"))),
        };
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        if word.is_empty() {
            continue;
        }
        if word.eq_ignore_ascii_case("quit") {
            break;
        }
        let answer = client.obey(&word.to_ascii_lowercase(), rest.trim());
        let answer = answer.unwrap_or_else(|error| {
            (plan.log)(&format!("{word}: {error}"));
            String::new()
        });
        match wire.send(&format!("= {answer}\r\n\r\n")) {
            Ok(()) => {}
            Err(WireTrouble::Closed) => break,
            Err(trouble) => return Err(InputError::new(format!("the server {trouble}"))),
        }
    }
    client.finish();
    Ok(client.result)
}

struct Client<'a> {
    plan: &'a ClientPlan,
    game: Option<MapGame>,
    colour: Option<Player>,
    seated: Option<Seated>,
    result: ClientResult,
}

/// The current match.
struct Seated {
    table: MapMatch,
    /// The fields of our last action: some servers send it back.
    own: String,
    /// The current turn of the clock, and the thinking time in it.
    turn: (u16, Duration),
}

impl Client<'_> {
    fn obey(&mut self, word: &str, rest: &str) -> Result<String, InputError> {
        match word {
            "name" => return Ok(self.plan.name.clone()),
            "opponent" => (self.plan.log)(&format!("against {rest}")),
            "map" => {
                self.finish();
                self.game = Some(MapGame::read(&self.plan.catalogue, "tubstap", &Source::new("map", rest))?);
                self.sit()?;
            }
            "color" | "colour" => {
                self.colour = match rest {
                    "0" => Some(Player(0)),
                    "1" => Some(Player(1)),
                    _ => return Err(InputError::new(format!("`{rest}` is not a colour; expected 0 or 1"))),
                };
                self.sit()?;
            }
            "genmove" => return self.think(),
            "play" => self.follow(rest)?,
            "status" => {
                let seated = self.seated.as_mut();
                return Ok(seated.map_or(String::new(), |seated| seated.table.table().state_text()));
            }
            "gameover" => self.finish(),
            _ => return Err(InputError::new("unknown command")),
        }
        Ok(String::new())
    }

    /// Starts a match as soon as map and colour are known.
    fn sit(&mut self) -> Result<(), InputError> {
        let (Some(game), Some(colour)) = (&self.game, self.colour) else { return Ok(()) };
        let mut table = game.start();
        table.table().seat(colour, &self.plan.agent)?;
        let side = ["red", "blue"][colour.index()];
        (self.plan.log)(&format!("a match as {side}"));
        self.seated = Some(Seated { table, own: String::new(), turn: (u16::MAX, Duration::ZERO) });
        self.result.matches += 1;
        Ok(())
    }

    fn think(&mut self) -> Result<String, InputError> {
        let plan = self.plan;
        let (Some(seated), Some(colour)) = (&mut self.seated, self.colour) else {
            return Err(InputError::new("no map and colour are known yet"));
        };
        if seated.table.mover() != Some(colour) {
            return Err(InputError::new("it is not our turn"));
        }
        let turn = seated.table.turns();
        if seated.turn.0 != turn {
            seated.turn = (turn, Duration::ZERO);
        }
        let left = plan.turn_time.mul_f64(1.0 - KEPT).saturating_sub(seated.turn.1);
        let share = left / seated.table.waiting_units().max(1) as u32;
        let budget = plan.budget.unwrap_or(Budget::time(share.max(LEAST)));
        let mut rng = Rng::new(mix(mix(plan.seed, self.result.matches), self.result.actions));
        let begun = Instant::now();
        let action = match seated.table.table().think(colour, &budget, &mut rng) {
            Ok(decision) => decision.action,
            Err(error) => {
                // Letting a unit stay costs less than losing the match.
                (plan.log)(&format!("the agent could not decide: {error}"));
                let mut stay = seated.table.table().end_turn(colour).into_iter();
                stay.next().ok_or_else(|| InputError::new("there is nothing to do"))?
            }
        };
        seated.turn.1 += begun.elapsed();
        let milliseconds = seated.turn.1.as_secs_f64() * 1e3;
        self.result.longest_turn_milliseconds = self.result.longest_turn_milliseconds.max(milliseconds);
        let fields = seated.table.fields(&action)?;
        seated.table.play(&action)?;
        seated.own.clone_from(&fields);
        self.result.actions += 1;
        Ok(fields)
    }

    fn follow(&mut self, fields: &str) -> Result<(), InputError> {
        let colour = self.colour;
        let Some(seated) = &mut self.seated else { return Err(InputError::new("no match is played")) };
        match seated.table.read_fields(fields) {
            Ok(FieldsMeaning::Actions(actions)) => {
                for action in actions {
                    seated.table.play(&action)?;
                }
                Ok(())
            }
            Ok(FieldsMeaning::Surrender) => {
                let loser = seated.table.mover().or(colour);
                if let Some(loser) = loser {
                    seated.table.surrender(loser);
                }
                Ok(())
            }
            Err(_) if fields == seated.own => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Counts a finished match.
    fn finish(&mut self) {
        let (Some(seated), Some(colour)) = (self.seated.take(), self.colour) else { return };
        // The next match announces its own.
        (self.game, self.colour) = (None, None);
        let Some(payoffs) = seated.table.payoffs() else { return };
        self.result.finished += 1;
        match payoffs[colour.index()] {
            payoff if payoff > 0.5 => self.result.wins += 1,
            payoff if payoff < 0.5 => self.result.losses += 1,
            _ => self.result.draws += 1,
        }
        (self.plan.log)(&format!("over: {payoffs:?}"));
    }
}
