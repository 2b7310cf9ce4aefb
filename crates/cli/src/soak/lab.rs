//! A lab that is killed and restarted must have every match, step by step.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};
use tesuji_arena::Rng;

use super::child::Child;
use super::choices::{between, forgetful_agent, one};
use super::http::{Answer, ask, send};
use super::lab_match::{KnownMatch, joints};
use super::{Fault, Trial, random_time};

/// A lab that takes longer to start, or a match of agents that takes longer to end, is stuck.
const PATIENCE: Duration = Duration::from_secs(300);
/// How often the end of a match of agents is looked for.
const POLL: Duration = Duration::from_millis(20);
/// The longest time between an unanswered request and the kill.
const FLIGHT: Duration = Duration::from_millis(5);
/// Matches that are played at once, at most.
const MOST_MATCHES: usize = 8;
/// Kills of one lab, at least and at most.
const KILLS: (usize, usize) = (2, 5);
/// Requests between two kills, at least and at most.
const REQUESTS: (usize, usize) = (5, 40);
/// Steps of a match of agents that are compared, at most: long matches would fill the round.
const MOST_STEPS: usize = 60;

/// What a trial did.
#[derive(Debug, Default, Serialize)]
pub(crate) struct LabFigures {
    /// Requests that were answered.
    pub(crate) requests: usize,
    /// Requests among them that the lab refused, as it should.
    pub(crate) refused: usize,
    /// Matches that were started.
    pub(crate) matches: usize,
    /// Kills of the lab.
    pub(crate) kills: usize,
    /// Kills while a request was not answered yet.
    pub(crate) kills_in_flight: usize,
    /// Steps that were compared with what the client knew.
    pub(crate) steps_compared: usize,
}

/// Plays matches in a lab that is killed several times, and compares them with what the client knows.
pub(super) fn run(trial: &Trial<'_>, rng: &mut Rng) -> Result<LabFigures, Fault> {
    let mut client = Client::start(trial)?;
    let agents_match = client.agents_match(rng)?;
    for _ in 0..between(rng, KILLS.0, KILLS.1) {
        for _ in 0..between(rng, REQUESTS.0, REQUESTS.1) {
            if trial.interrupted() {
                return Ok(client.figures);
            }
            client.random_request(rng)?;
        }
        client.kill(rng)?;
        client.restart()?;
    }
    if let Some(agents_match) = agents_match {
        client.compare_with_undisturbed(&agents_match)?;
    }
    client.child.kill()?;
    trial.program.check_errors()?;
    Ok(client.figures)
}

/// A client with a lab of its own.
struct Client<'a> {
    trial: &'a Trial<'a>,
    child: Child,
    address: SocketAddr,
    matches: Vec<KnownMatch>,
    figures: LabFigures,
}

fn open(trial: &Trial<'_>) -> Result<(Child, SocketAddr), Fault> {
    let arguments = ["--json", "lab", "--port", "0", "--data", "data", "--threads", "1"];
    let (child, output) = trial.program.start(&arguments)?;
    let line = trial.program.first_line(output, PATIENCE)?;
    let told: Value = serde_json::from_str(&line).unwrap_or_default();
    let address = told["url"].as_str().map(|url| url.trim_start_matches("http://").trim_end_matches('/').parse());
    match address {
        Some(Ok(address)) => Ok((child, address)),
        _ => Err(Fault::new(format!("the lab did not start: `{}` {}", line.trim(), trial.program.last_errors()))),
    }
}

impl<'a> Client<'a> {
    fn start(trial: &'a Trial<'a>) -> Result<Client<'a>, Fault> {
        let (child, address) = open(trial)?;
        Ok(Client { trial, child, address, matches: Vec::new(), figures: LabFigures::default() })
    }

    /// Asks the lab. A server error or no answer is a fault.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> Result<Answer, Fault> {
        let told = |what: &str| Fault::new(format!("{method} {path} {body}: {what}"));
        let answer = ask(self.address, method, path, body).map_err(|error| told(&error.to_string()))?;
        self.figures.requests += 1;
        match answer.status {
            200..=299 => Ok(answer),
            400..=499 => {
                self.figures.refused += 1;
                Ok(answer)
            }
            status => Err(told(&format!("status {status} {}", answer.body))),
        }
    }

    /// Asks for something that the lab must grant.
    fn granted(&mut self, method: &str, path: &str, body: &Value) -> Result<Value, Fault> {
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let answer = self.ask(method, path, &text)?;
        match answer.status {
            200..=299 => Ok(answer.body),
            status => Err(Fault::new(format!("{method} {path} {text}: refused with {status} {}", answer.body))),
        }
    }

    /// Asks for something that the lab must refuse.
    fn refused(&mut self, method: &str, path: &str, body: &str) -> Result<(), Fault> {
        let answer = self.ask(method, path, body)?;
        match answer.status {
            200..=299 => Err(Fault::new(format!("{method} {path} {body}: granted with {}", answer.body))),
            _ => Ok(()),
        }
    }

    fn random_request(&mut self, rng: &mut Rng) -> Result<(), Fault> {
        if self.matches.is_empty() {
            return self.new_match(rng);
        }
        let place = rng.below(self.matches.len());
        match rng.below(20) {
            0 | 1 if self.matches.len() < MOST_MATCHES => self.new_match(rng),
            0..=10 => self.act(place, rng),
            11 => self.end_turn(place, rng),
            12 => self.undo(place),
            13 => self.resign(place, rng),
            14 => self.round_trip(place),
            15 => self.look(place),
            16 => self.remove(place, rng),
            _ => self.nonsense(place, rng),
        }
    }

    /// Starts a match of people, or of a person and agents.
    fn new_match(&mut self, rng: &mut Rng) -> Result<(), Fault> {
        let Some(game) = one(rng, self.trial.games) else { return Ok(()) };
        let opened = self.trial.catalogue.open(game)?;
        let agent = forgetful_agent(&*opened).filter(|_| rng.chance(0.4));
        let seat = |player: usize| match agent {
            Some(agent) if player > 0 => json!({ "agent": agent, "budget": { "playouts": 20 } }),
            _ => json!({ "person": format!("person {player}") }),
        };
        let seats: Vec<Value> = (0..opened.spec().players.len()).map(seat).collect();
        let request = json!({ "game": game, "seats": seats, "seed": rng.below(1 << 30) });
        let started = self.granted("POST", "/api/matches", &request)?;
        self.figures.matches += 1;
        let mut known = KnownMatch::new(request, &started)?;
        let view = self.granted("GET", &known.path(""), &Value::Null)?;
        // The first steps can be those of chance and of agents.
        known.adopt(&view);
        self.matches.push(known);
        Ok(())
    }

    /// The view of a match, compared with what is known.
    fn view(&mut self, place: usize) -> Result<Value, Fault> {
        let path = self.matches[place].path("");
        let view = self.granted("GET", &path, &Value::Null)?;
        self.matches[place].compare(&view)?;
        self.figures.steps_compared += self.matches[place].history().len();
        Ok(view)
    }

    /// A legal action of a person, if a person is to move: path and body.
    fn legal_action(&mut self, place: usize, rng: &mut Rng) -> Result<Option<(String, Value)>, Fault> {
        let view = self.view(place)?;
        let known = &self.matches[place];
        let movers = view["legal"].as_array().map_or(&[][..], Vec::as_slice);
        let waiting: Vec<&Value> =
            movers.iter().filter(|mover| mover["chosen"] == false && known.key(&mover["player"]).is_string()).collect();
        let Some(mover) = one(rng, &waiting) else { return Ok(None) };
        let actions = mover["actions"].as_array().map_or(&[][..], Vec::as_slice);
        let Some(action) = one(rng, actions) else { return Ok(None) };
        let key = known.key(&mover["player"]);
        let body = json!({ "player": mover["player"], "action": action["text"], "key": key });
        Ok(Some((known.path("/actions"), body)))
    }

    fn act(&mut self, place: usize, rng: &mut Rng) -> Result<(), Fault> {
        let Some((path, body)) = self.legal_action(place, rng)? else { return Ok(()) };
        let view = self.granted("POST", &path, &body)?;
        self.matches[place].adopt(&view);
        Ok(())
    }

    /// Sends a change that can be refused, and adopts the answer if it is granted.
    fn try_change(&mut self, place: usize, change: &str, body: &Value) -> Result<(), Fault> {
        let path = self.matches[place].path(change);
        let answer = self.ask("POST", &path, &body.to_string())?;
        if answer.status < 300 {
            self.matches[place].adopt(&answer.body);
        }
        Ok(())
    }

    fn end_turn(&mut self, place: usize, rng: &mut Rng) -> Result<(), Fault> {
        let player = json!(rng.below(2));
        let body = json!({ "player": player, "key": self.matches[place].key(&player) });
        self.try_change(place, "/end-turn", &body)
    }

    fn undo(&mut self, place: usize) -> Result<(), Fault> {
        let keys = self.matches[place].all_keys();
        self.try_change(place, "/undo", &json!({ "keys": keys }))
    }

    fn resign(&mut self, place: usize, rng: &mut Rng) -> Result<(), Fault> {
        if rng.chance(0.7) {
            return Ok(());
        }
        let body = json!({ "player": 0, "key": self.matches[place].key(&json!(0)) });
        self.try_change(place, "/resign", &body)
    }

    fn look(&mut self, place: usize) -> Result<(), Fault> {
        self.view(place).map(drop)
    }

    /// A match that is saved as a file and opened again has the same steps.
    fn round_trip(&mut self, place: usize) -> Result<(), Fault> {
        let file = self.granted("GET", &self.matches[place].path("/replay"), &Value::Null)?;
        let opened = self.granted("POST", "/api/replays", &file)?;
        let path = format!("/api/matches/{}", opened["id"].as_str().unwrap_or_default());
        let view = self.granted("GET", &path, &Value::Null)?;
        let saved: Vec<Value> =
            file["steps"].as_array().into_iter().flatten().map(|step| step["joint"].clone()).collect();
        if joints(&view) != saved {
            return Err(Fault::new(format!("a replay of {} became {}", json!(saved), json!(joints(&view)))));
        }
        Ok(())
    }

    fn remove(&mut self, place: usize, rng: &mut Rng) -> Result<(), Fault> {
        if rng.chance(0.7) {
            return Ok(());
        }
        let known = self.matches.swap_remove(place);
        let key = known.key(&json!(0)).clone();
        self.granted("DELETE", &known.path(""), &json!({ "key": key }))?;
        self.refused("GET", &known.path(""), "")
    }

    /// A request that must be refused and must change nothing.
    fn nonsense(&mut self, place: usize, rng: &mut Rng) -> Result<(), Fault> {
        let known = &self.matches[place];
        let key = known.key(&json!(0)).clone();
        let (actions, undo, own) = (known.path("/actions"), known.path("/undo"), known.path(""));
        let body = |body: Value| body.to_string();
        let (method, path, text) = match rng.below(10) {
            0 => ("POST", actions, body(json!({ "player": 0, "action": "no such action", "key": key }))),
            1 => ("POST", actions, body(json!({ "player": 0, "action": "a1", "key": "wrong" }))),
            2 => ("POST", actions, body(json!({ "player": 200, "action": "a1", "key": key }))),
            3 => ("POST", actions, body(json!({ "player": -1, "action": 7, "key": [] }))),
            4 => ("POST", actions, body(json!({ "player": 0, "action": "a1", "key": key }))[..9].to_owned()),
            5 => ("POST", undo, body(json!({ "keys": ["wrong"] }))),
            6 => ("GET", format!("{own}?step=1000000"), String::new()),
            7 => ("GET", "/api/matches/nothere".to_owned(), String::new()),
            8 => ("POST", "/api/matches".to_owned(), body(json!({ "game": "tubstap(map=/etc/passwd)", "seats": [] }))),
            _ => ("DELETE", own, body(json!({ "key": "wrong" }))),
        };
        self.refused(method, &path, &text)?;
        self.look(place)
    }

    /// Kills the lab: between two requests, or while it works on one.
    fn kill(&mut self, rng: &mut Rng) -> Result<(), Fault> {
        if !self.matches.is_empty() && rng.chance(0.5) {
            let place = rng.below(self.matches.len());
            if let Some((path, body)) = self.legal_action(place, rng)? {
                let stream = send(self.address, "POST", &path, &body.to_string())?;
                self.matches[place].unanswered = true;
                thread::sleep(random_time(rng, FLIGHT));
                self.child.kill()?;
                drop(stream);
                self.figures.kills_in_flight += 1;
            }
        }
        self.child.kill()?;
        self.figures.kills += 1;
        Ok(())
    }

    /// Starts the lab again and compares all matches.
    fn restart(&mut self) -> Result<(), Fault> {
        self.trial.program.check_errors()?;
        (self.child, self.address) = open(self.trial)?;
        for place in 0..self.matches.len() {
            self.look(place)?;
        }
        Ok(())
    }

    /// Starts a match of agents, which goes on while the lab is killed and restarted.
    fn agents_match(&mut self, rng: &mut Rng) -> Result<Option<KnownMatch>, Fault> {
        let Some(game) = one(rng, self.trial.games) else { return Ok(None) };
        let opened = self.trial.catalogue.open(game)?;
        let Some(agent) = forgetful_agent(&*opened) else { return Ok(None) };
        let seat = json!({ "agent": agent, "budget": { "playouts": between(rng, 10, 50) } });
        let seats = vec![seat; opened.spec().players.len()];
        let request = json!({ "game": game, "seats": seats, "seed": rng.below(1 << 30) });
        self.start_agents(request).map(Some)
    }

    fn start_agents(&mut self, request: Value) -> Result<KnownMatch, Fault> {
        let started = self.granted("POST", "/api/matches", &request)?;
        self.figures.matches += 1;
        KnownMatch::new(request, &started)
    }

    /// A match of agents that survived the kills must have the steps of one that was never disturbed.
    fn compare_with_undisturbed(&mut self, survivor: &KnownMatch) -> Result<(), Fault> {
        let undisturbed = self.start_agents(survivor.request.clone())?;
        let calm = self.wait_for(&undisturbed)?;
        let survived = self.wait_for(survivor)?;
        let length = calm.len().min(survived.len()).min(MOST_STEPS);
        if calm[..length] != survived[..length] {
            return Err(Fault::new(format!(
                "a match of agents went on differently after kills: {} became {} instead of {}",
                survivor.request,
                json!(survived),
                json!(calm)
            )));
        }
        self.figures.steps_compared += length;
        Ok(())
    }

    /// The steps of a match of agents, when it is over or has enough of them.
    fn wait_for(&mut self, known: &KnownMatch) -> Result<Vec<Value>, Fault> {
        let begun = Instant::now();
        loop {
            let view = self.granted("GET", &known.path(""), &Value::Null)?;
            let steps = joints(&view);
            if view["over"] == true || steps.len() >= MOST_STEPS || self.trial.interrupted() {
                return Ok(steps);
            }
            if begun.elapsed() > PATIENCE {
                return Err(Fault::new(format!("a match of agents stands still after {} steps", steps.len())));
            }
            thread::sleep(POLL);
        }
    }
}
