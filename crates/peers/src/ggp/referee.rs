//! The GGP referee: matches between players over HTTP and internal agents, by the clocks and rules of general game
//! playing.
//!
//! A late or illegal move, or a player that cannot be reached, does not end the match: as on public servers, a random
//! legal move is played instead, and the event is counted and recorded. An answer counts until the clock plus the
//! margin is over; the public server waits one second longer than the play clock. Time is measured from before the
//! connection to after the answer, by a monotonic clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_arena::sheet::{SheetGame, SheetMatch};
use tesuji_arena::{Budget, Ending, InputError, PlayedMatch, Rng, mix, seatings};

use super::http;
use super::message::{Learned, Request, plain_rules, tidy};
use super::results::{GgpMatch, MatchEvent, PlayerFigures, PlayerSource, RefereeResult, Trouble};
use crate::recorder::Recorder;

/// The plan of a series of matches.
#[derive(Clone, Debug)]
pub struct RefereePlan {
    /// The text of the rule sheet.
    pub rules: String,
    /// One player for each role, or two in a single-player game.
    pub players: Vec<PlayerSource>,
    /// Seconds before the first move.
    pub start_clock: u64,
    /// Seconds for each move.
    pub play_clock: u64,
    /// The number of matches; roles rotate from match to match.
    pub matches: u64,
    /// How much later than the clock an answer may arrive.
    pub margin: Duration,
    /// The seed of all randomness here.
    pub seed: u64,
    /// The prefix of match identifiers.
    pub name: String,
}

/// Runs all matches of a plan on an opened sheet. `see` is called for each match; `stop` ends after the current step,
/// and the players of the match are informed.
pub fn referee(
    plan: &RefereePlan,
    game: &SheetGame,
    recorder: Option<&mut Recorder>,
    stop: &AtomicBool,
    mut see: impl FnMut(&GgpMatch),
) -> Result<RefereeResult, InputError> {
    referee_watched(plan, game, recorder, stop, &mut see)
}

fn referee_watched(
    plan: &RefereePlan,
    game: &SheetGame,
    mut recorder: Option<&mut Recorder>,
    stop: &AtomicBool,
    see: &mut dyn FnMut(&GgpMatch),
) -> Result<RefereeResult, InputError> {
    let roles: Vec<usize> = (0..game.roles().len()).filter(|&role| game.player(role).is_some()).collect();
    let (players, seats) = (plan.players.len(), roles.len());
    if players != seats && !(seats == 1 && players == 2) {
        let names: Vec<&str> = roles.iter().map(|&role| game.roles()[role].as_str()).collect();
        let message = format!("the sheet has {seats} role(s) to play, {players} player(s) are given");
        return Err(InputError::new(message).with_help(format!("one player for each of: {}", names.join(", "))));
    }
    for player in &plan.players {
        if let PlayerSource::Agent(address) = player {
            game.any_game().check_agent(address)?;
        }
    }
    let seatings = seatings(players, seats);
    let named = |player: &PlayerSource| PlayerFigures { player: player.to_string(), ..PlayerFigures::default() };
    let mut result = RefereeResult {
        roles: roles.iter().map(|&role| game.roles()[role].clone()).collect(),
        engine: game.engine().0.to_owned(),
        margin_milliseconds: plan.margin.as_secs_f64() * 1e3,
        figures: plan.players.iter().map(named).collect(),
        matches: Vec::new(),
    };
    for number in 0..plan.matches {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let (round, place) = (number / seatings.len() as u64, (number % seatings.len() as u64) as usize);
        let mut court = Court {
            plan,
            id: format!("{}.{}", plan.name, number + 1),
            rules: plain_rules(&plan.rules),
            seated: game.start(),
            roles: &roles,
            seating: &seatings[place],
            rng: Rng::new(mix(plan.seed, number)),
            events: Vec::new(),
            figures: &mut result.figures,
        };
        let (played, shown) = court.play(place, stop);
        if !shown.aborted
            && let Some(recorder) = &mut recorder
        {
            recorder.add(round as u32, &played)?;
        }
        see(&shown);
        result.matches.push(shown);
    }
    for figures in &mut result.figures {
        figures.mean_milliseconds /= figures.moves.max(1) as f64;
    }
    Ok(result)
}

/// The fraction of a clock that an internal agent gets: searches poll the clock only from time to time.
const INSIDE_SHARE: f64 = 0.95;

/// One match.
struct Court<'a> {
    plan: &'a RefereePlan,
    id: String,
    rules: String,
    seated: SheetMatch,
    /// The roles of players (without chance).
    roles: &'a [usize],
    /// By seat: the player.
    seating: &'a [usize],
    rng: Rng,
    events: Vec<MatchEvent>,
    figures: &'a mut Vec<PlayerFigures>,
}

/// An answer with its time.
struct Answered {
    said: Result<String, Trouble>,
    time: Duration,
}

impl Court<'_> {
    fn source(&self, seat: usize) -> &PlayerSource {
        &self.plan.players[self.seating[seat]]
    }

    fn role_name(&self, seat: usize) -> &str {
        &self.seated.game().roles()[self.roles[seat]]
    }

    fn play(&mut self, seating: usize, stop: &AtomicBool) -> (PlayedMatch, GgpMatch) {
        self.start();
        let mut last: Option<Vec<String>> = None;
        let mut steps = 0;
        let mut aborted = false;
        while !self.seated.is_over() {
            if stop.load(Ordering::Relaxed) {
                aborted = true;
                break;
            }
            let joint = self.step(steps + 1, &last);
            if let Err(error) = self.seated.advance(&joint) {
                // Each move was legal, so the rules themselves are at fault.
                self.event(steps + 1, 0, Trouble::Failed(error.to_string()), None);
                aborted = true;
                break;
            }
            last = Some(joint);
            steps += 1;
        }
        let farewells = (0..self.seating.len()).map(|seat| match aborted {
            true => Request::Abort { id: self.id.clone() }.write(),
            false => self.request(seat, steps, &last, false).write(),
        });
        self.tell_all(&farewells.collect::<Vec<_>>());
        self.verdict(seating, steps, aborted)
    }

    /// A request for a move, or the end of the match, after `steps` steps. Where moves are hidden, a player learns its
    /// own move and its percepts only.
    fn request(&self, seat: usize, steps: usize, last: &Option<Vec<String>>, more: bool) -> Request {
        let (id, role) = (self.id.clone(), self.roles[seat]);
        if !self.seated.game().hides() {
            let moves = last.clone();
            return if more { Request::Play { id, moves } } else { Request::Stop { id, moves } };
        }
        let own = last.as_ref().and_then(|joint| joint.get(role).cloned());
        let learned = Learned { turn: steps as u64, own, percepts: self.seated.percepts(role) };
        if more { Request::PlayHidden { id, learned } } else { Request::StopHidden { id, learned } }
    }

    /// Announces the match to all players and grants the start clock.
    fn start(&mut self) {
        let clock = Duration::from_secs(self.plan.start_clock);
        let requests: Vec<Option<String>> = (0..self.seating.len())
            .map(|seat| {
                let request = Request::Start {
                    id: self.id.clone(),
                    role: self.role_name(seat).to_owned(),
                    rules: self.rules.clone(),
                    start_clock: self.plan.start_clock,
                    play_clock: self.plan.play_clock,
                };
                Some(request.write())
            })
            .collect();
        let budget = Budget::time(clock.mul_f64(INSIDE_SHARE).max(Duration::from_millis(1)));
        let answers = self.ask(&requests, clock, &mut |court, seat| {
            let Some(player) = court.seated.game().player(court.roles[seat]) else { return Ok(String::new()) };
            let PlayerSource::Agent(address) = court.source(seat).clone() else { return Ok(String::new()) };
            let table = court.seated.table();
            table.seat(player, &address).map_err(|error| Trouble::Failed(error.to_string()))?;
            if clock.is_zero() {
                return Ok("ready".to_owned());
            }
            let mut rng = court.rng.clone();
            court.rng.bits();
            let table = court.seated.table();
            match table.prepare(player, &budget, &mut rng) {
                Ok(()) => Ok("ready".to_owned()),
                Err(error) => Err(Trouble::Failed(error.to_string())),
            }
        });
        for (seat, answered) in answers.into_iter().enumerate() {
            self.figures[self.seating[seat]].matches += 1;
            match answered.said {
                Ok(said) if said.eq_ignore_ascii_case("ready") => {}
                Ok(said) => {
                    let said: String = said.chars().take(60).collect();
                    self.event(0, seat, Trouble::Unready(said), None);
                }
                Err(trouble) => self.event(0, seat, trouble, None),
            }
        }
    }

    /// The joint move of one step, by role.
    fn step(&mut self, step: usize, last: &Option<Vec<String>>) -> Vec<String> {
        let clock = Duration::from_secs(self.plan.play_clock);
        let requests: Vec<Option<String>> =
            (0..self.seating.len()).map(|seat| Some(self.request(seat, step - 1, last, true).write())).collect();
        let answers = self.ask(&requests, clock, &mut |court, seat| court.think(seat, clock));
        let mut joint: Vec<String> = Vec::new();
        let mut answers = answers.into_iter().enumerate();
        for role in 0..self.seated.game().roles().len() {
            let legal = self.seated.legal(role);
            let random = |rng: &mut Rng| legal.get(rng.below(legal.len().max(1))).cloned().unwrap_or_default();
            if !self.roles.contains(&role) {
                joint.push(random(&mut self.rng));
                continue;
            }
            let Some((seat, answered)) = answers.next() else { continue };
            let figures = &mut self.figures[self.seating[seat]];
            let milliseconds = answered.time.as_secs_f64() * 1e3;
            figures.moves += 1;
            figures.mean_milliseconds += milliseconds;
            figures.greatest_milliseconds = figures.greatest_milliseconds.max(milliseconds);
            let judged = answered.said.and_then(|said| {
                let wanted = tidy(&said).unwrap_or_else(|_| said.clone());
                let alike = || legal.iter().find(|known| known.eq_ignore_ascii_case(&wanted));
                let known = legal.iter().find(|known| **known == wanted).or_else(alike);
                known.cloned().ok_or_else(|| Trouble::Illegal(said.chars().take(60).collect()))
            });
            match judged {
                Ok(action) => {
                    figures.in_margin += u64::from(answered.time > clock);
                    joint.push(action);
                }
                Err(trouble) => {
                    match trouble {
                        Trouble::Late => figures.late += 1,
                        Trouble::Illegal(_) => figures.illegal += 1,
                        _ => figures.failed += 1,
                    }
                    let instead = random(&mut self.rng);
                    self.event(step, seat, trouble, Some(instead.clone()));
                    joint.push(instead);
                }
            }
        }
        joint
    }

    /// The move of an internal agent.
    fn think(&mut self, seat: usize, clock: Duration) -> Result<String, Trouble> {
        let role = self.roles[seat];
        let legal = self.seated.legal(role);
        if let [only] = &legal[..] {
            return Ok(only.clone());
        }
        let Some(player) = self.seated.game().player(role) else { return Ok(String::new()) };
        let mut rng = self.rng.clone();
        self.rng.bits();
        let budget = Budget::time(clock.mul_f64(INSIDE_SHARE).max(Duration::from_millis(1)));
        // An agent that fails is rebuilt for the next move.
        let decision = self.seated.table().think(player, &budget, &mut rng);
        decision.map(|decision| decision.action).map_err(|error| Trouble::Failed(error.to_string()))
    }

    /// Asks all players at once: external players each on a thread, internal agents one after the other on this one. An
    /// answer counts until the clock plus the margin is over.
    fn ask(
        &mut self,
        requests: &[Option<String>],
        clock: Duration,
        inside: &mut dyn FnMut(&mut Self, usize) -> Result<String, Trouble>,
    ) -> Vec<Answered> {
        let allowed = clock + self.plan.margin;
        let sources: Vec<PlayerSource> = (0..self.seating.len()).map(|seat| self.source(seat).clone()).collect();
        thread::scope(|scope| {
            let mut outside = Vec::new();
            for (source, request) in sources.iter().zip(requests) {
                outside.push(match (source, request) {
                    (PlayerSource::Http(address), Some(request)) => {
                        Some(scope.spawn(move || over_http(address, request, allowed)))
                    }
                    _ => None,
                });
            }
            let mut answers = Vec::new();
            for (seat, handle) in outside.into_iter().enumerate() {
                answers.push(match handle {
                    Some(handle) => (None, Some(handle)),
                    None => {
                        let begun = Instant::now();
                        let said = inside(self, seat);
                        let time = begun.elapsed();
                        let said = if time > allowed { Err(Trouble::Late) } else { said };
                        (Some(Answered { said, time }), None)
                    }
                });
            }
            let broken = || Answered { said: Err(Trouble::Failed("it panicked".to_owned())), time: Duration::ZERO };
            let waited = answers.into_iter().map(|(answered, handle)| match (answered, handle) {
                (Some(answered), _) => answered,
                (None, Some(handle)) => handle.join().unwrap_or_else(|_| broken()),
                (None, None) => broken(),
            });
            waited.collect()
        })
    }

    /// Sends a message to each external player and ignores the answers.
    fn tell_all(&self, messages: &[String]) {
        thread::scope(|scope| {
            for (seat, text) in messages.iter().enumerate() {
                if let PlayerSource::Http(address) = self.source(seat) {
                    let allowed = self.plan.margin.max(Duration::from_millis(100));
                    scope.spawn(move || drop(over_http(address, text, allowed)));
                }
            }
        });
    }

    fn event(&mut self, step: usize, seat: usize, trouble: Trouble, instead: Option<String>) {
        let (role, player) = (self.role_name(seat).to_owned(), self.source(seat).to_string());
        self.events.push(MatchEvent { step, role, player, trouble, instead });
    }

    fn verdict(&mut self, seating: usize, steps: usize, aborted: bool) -> (PlayedMatch, GgpMatch) {
        let all = self.seated.goals();
        let goals: Vec<Option<i32>> = self.roles.iter().map(|&role| all.get(role).copied().flatten()).collect();
        for (seat, goal) in goals.iter().enumerate() {
            self.figures[self.seating[seat]].goals += i64::from(goal.unwrap_or(0));
        }
        let events = std::mem::take(&mut self.events);
        let mut moves: String = events.iter().map(|event| format!("# {event}\n")).collect();
        let table = self.seated.table();
        let played_steps = table.steps();
        moves.extend(played_steps.iter().map(|joint| joint.join("\t") + "\n"));
        let played = PlayedMatch {
            seating,
            payoffs: goals.iter().map(|goal| f64::from(goal.unwrap_or(0).clamp(0, 100))).collect(),
            ending: Ending::Natural,
            steps: played_steps.len() as u32,
            random: None,
            decisions: Vec::new(),
            moves,
            transcripts: Vec::new(),
        };
        let players = (0..self.seating.len()).map(|seat| self.source(seat).to_string()).collect();
        (played, GgpMatch { id: self.id.clone(), players, goals, steps, events, aborted })
    }
}

/// Asks an external player.
fn over_http(address: &str, request: &str, allowed: Duration) -> Answered {
    let begun = Instant::now();
    let said = http::exchange(address, address, request, begun + allowed).map_err(|error| match error.kind() {
        std::io::ErrorKind::TimedOut | std::io::ErrorKind::WouldBlock => Trouble::Late,
        _ => Trouble::Unreachable(error.to_string()),
    });
    Answered { said, time: begun.elapsed() }
}
