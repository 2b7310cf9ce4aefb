//! What the tools do, in JSON. It does not know how clients are connected.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tesuji_arena::statistics::{Tally, score, wilson};
use tesuji_arena::{
    Actor, Budget, CONFIDENCE, ErrorKind, InputError, Occupant, Player, Rng, Streams, Trust, Waiting, cancel,
    live_match,
};

use crate::hall::{Hall, Room, lock};
use crate::position::{awaited, position};
use crate::{McpOptions, permitted};

/// The tools of a server, with its matches. All clients share them.
pub struct Calls {
    options: McpOptions,
    hall: Hall,
}

/// What a tool answers.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The answer as JSON.
    pub value: Value,
    /// A part of it for people and models, in several lines.
    pub text: Option<String>,
    /// A picture.
    pub svg: Option<String>,
}

impl From<Value> for Answer {
    fn from(value: Value) -> Answer {
        Answer { value, text: None, svg: None }
    }
}

type Arguments = Map<String, Value>;

/// What a seat achieved over several matches.
#[derive(Clone, Copy, Default)]
struct SeatSum {
    tally: Tally,
    /// Acts that named no legal action.
    refused: u64,
}

impl SeatSum {
    fn value(&self, occupant: &str) -> Value {
        let SeatSum { tally, refused } = self;
        json!({
            "occupant": occupant, "wins": tally.wins, "draws": tally.draws, "losses": tally.losses,
            "win_rate": tally.rate(), "interval": wilson(tally.score(), tally.matches(), CONFIDENCE),
            "refused_acts": refused,
        })
    }
}

impl Calls {
    /// A server without matches.
    pub fn new(options: McpOptions) -> Calls {
        Calls { options, hall: Hall::default() }
    }

    /// Calls a tool by name; `None` if there is no such tool.
    pub(crate) fn call(&self, tool: &str, arguments: &Arguments) -> Option<Result<Answer, InputError>> {
        let answer = match tool {
            "list_games" => Ok(json!({ "games": self.options.catalogue.games() }).into()),
            "rules" => self.rules(arguments),
            "list_agents" => self.list_agents(arguments),
            "start_match" => self.start_match(arguments),
            "show" => self.show(arguments),
            "act" => self.act(arguments),
            "resign" => self.resign(arguments),
            "analyse" => self.analyse(arguments),
            "replay" => self.replay(arguments),
            "list_matches" => Ok(self.list_matches()),
            "statistics" => Ok(self.statistics()),
            _ => return None,
        };
        // Help for the command line is of no use here.
        Some(answer.map_err(|error| match error.kind() {
            ErrorKind::UnknownGame => error.with_help("`list_games` lists them all"),
            ErrorKind::UnknownAgent => error.with_help("`list_agents` lists those that can play a game"),
            _ => error,
        }))
    }

    fn rules(&self, arguments: &Arguments) -> Result<Answer, InputError> {
        let address = text(arguments, "game")?;
        permitted::game(&self.options, address)?;
        let game = self.options.catalogue.open(address)?;
        let spec = game.spec();
        let value = json!({
            "game": spec.name,
            "players": spec.players,
            "features": spec.features.names(),
            "payoff_range": [spec.payoffs.0, spec.payoffs.1],
            "rules": game.rules_in_words(),
            "sheet": game.rules_text(),
        });
        let words = game.rules_in_words().unwrap_or_default();
        let sheet = game.rules_text().unwrap_or_default();
        let text = [words.trim(), sheet.trim()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        Ok(Answer { value, text: Some(text.join("\n\n")), svg: None })
    }

    fn list_agents(&self, arguments: &Arguments) -> Result<Answer, InputError> {
        let address = text(arguments, "game")?;
        permitted::game(&self.options, address)?;
        let able = self.options.catalogue.open(address)?.able_agents();
        let seated = able.iter().filter(|info| info.trust == Trust::Contained);
        let agents: Vec<Value> = seated.map(|info| json!({ "name": info.name, "summary": info.summary })).collect();
        Ok(json!({ "agents": agents }).into())
    }

    fn start_match(&self, arguments: &Arguments) -> Result<Answer, InputError> {
        let address = text(arguments, "game")?;
        permitted::game(&self.options, address)?;
        let game = self.options.catalogue.open(address)?;
        let seats = arguments.get("seats").and_then(Value::as_array);
        let seats: Option<Vec<&str>> = seats.and_then(|seats| seats.iter().map(Value::as_str).collect());
        let seats = seats.ok_or_else(|| InputError::new("`seats` is a list of texts"))?;
        let budget = self.budget(arguments)?.to_string();
        let mut keys = Vec::new();
        let mut occupants = Vec::new();
        for (place, seat) in seats.iter().enumerate() {
            let name = game.spec().players.get(place).cloned().unwrap_or_default();
            if *seat == "client" {
                keys.push(Some(random_key()?));
                occupants.push(Occupant::Person { name });
            } else {
                permitted::agent(&self.options, seat)?;
                keys.push(None);
                occupants.push(Occupant::Agent { agent: (*seat).to_owned(), budget: budget.clone() });
            }
        }
        let seed = match arguments.get("seed") {
            None | Some(Value::Null) => random_seed()?,
            Some(seed) => seed.as_u64().ok_or_else(|| InputError::new("`seed` is a whole number from 0"))?,
        };
        let table = live_match(&*game, occupants, Streams::by_step(seed))?;
        let players = table.spec().players.clone();
        let mut room = Room {
            game,
            table,
            refused: vec![0; keys.len()],
            in_a_row: vec![0; keys.len()],
            retries: whole(arguments, "retries")?,
            withhold_legal: self.options.withhold_legal || flag(arguments, "withhold_legal")?,
            forfeited: None,
            seed,
            keys,
        };
        self.advance(&mut room);
        let keys = room.keys.clone();
        let only = room.seat_of(None).ok();
        let id = self.hall.add(room)?;
        let room = self.hall.room(id)?;
        let mut value = position(id, &lock(&room), only);
        let keys = players.iter().zip(keys).filter_map(|(player, key)| Some((player.clone(), json!(key?))));
        value["keys"] = Value::Object(keys.collect());
        Ok(with_board(value))
    }

    fn show(&self, arguments: &Arguments) -> Result<Answer, InputError> {
        let (id, room) = self.room(arguments)?;
        let room = lock(&room);
        let key = optional(arguments, "key")?;
        // Whoever has no key watches.
        let seat = if key.is_some() { Some(room.seat_of(key)?) } else { room.seat_of(None).ok() };
        let mut answer = with_board(position(id, &room, seat));
        if flag(arguments, "picture")? {
            answer.svg = Some(room.table.picture().svg());
        }
        Ok(answer)
    }

    fn act(&self, arguments: &Arguments) -> Result<Answer, InputError> {
        let (id, room) = self.room(arguments)?;
        let mut room = lock(&room);
        let player = room.seat_of(optional(arguments, "key")?)?;
        let action = text(arguments, "action")?;
        if !awaited(&*room.table).contains(&player) {
            return Err(match room.over() {
                true => InputError::new("the match is over").with_help("`show` has its result"),
                false => InputError::new("you are not to choose now").with_help("`show` says whom the match waits for"),
            });
        }
        let legal = room.table.legal(Actor::Player(player));
        if !legal.iter().any(|known| known == action) {
            return Err(refuse(&mut room, player, action, &legal));
        }
        room.table.choose(player, action)?;
        room.in_a_row[player.index()] = 0;
        self.advance(&mut room);
        Ok(with_board(position(id, &room, Some(player))))
    }

    fn resign(&self, arguments: &Arguments) -> Result<Answer, InputError> {
        let (id, room) = self.room(arguments)?;
        let mut room = lock(&room);
        let player = room.seat_of(optional(arguments, "key")?)?;
        room.table.resign(player)?;
        Ok(with_board(position(id, &room, Some(player))))
    }

    fn analyse(&self, arguments: &Arguments) -> Result<Answer, InputError> {
        if !self.options.analysis {
            return Err(InputError::new("this server does not analyse positions"));
        }
        let agent = text(arguments, "agent")?;
        permitted::agent(&self.options, agent)?;
        let budget = self.budget(arguments)?;
        let (_, room) = self.room(arguments)?;
        // A branch knows the steps that were made, and no choice for the step to come.
        let (mut branch, seed) = {
            let room = lock(&room);
            (room.table.branch(room.table.made().len()), room.seed)
        };
        let movers: Vec<Player> = branch.turn().movers().collect();
        let player = match optional(arguments, "player")? {
            None => movers.first().copied(),
            Some(name) => movers.iter().copied().find(|player| branch.spec().player_name(*player) == name),
        };
        let player = player.ok_or_else(|| InputError::new("no such player has to choose in this position"))?;
        branch.seat(player, agent)?;
        // The random numbers of an analysis are not those of the match.
        let mut rng = Rng::new(!seed);
        let decision = self.within(|| branch.think(player, &budget, &mut rng))?;
        let mut value = json!(decision);
        value["player"] = json!(branch.spec().player_name(player));
        Ok(value.into())
    }

    fn replay(&self, arguments: &Arguments) -> Result<Answer, InputError> {
        let (id, room) = self.room(arguments)?;
        let room = lock(&room);
        let made = room.table.made();
        let steps: Vec<Value> = made
            .iter()
            .map(|step| {
                let moves = step.actors.iter().zip(&step.joint);
                moves.map(|(who, what)| json!({ "who": who, "action": what })).collect()
            })
            .collect();
        let wanted = whole(arguments, "step")?.map_or(made.len(), |step| step as usize);
        if wanted > made.len() {
            return Err(InputError::new(format!("the match has {} steps", made.len())));
        }
        let branch = room.table.branch(wanted);
        let board = branch.board_text();
        let mut value = json!({
            "match": id, "game": branch.spec().name, "steps": steps, "step": wanted, "board": board,
            "state": branch.state_text(), "over": room.over(),
        });
        if let Some(payoffs) = room.table.payoffs() {
            value["payoffs"] = json!(payoffs);
            value["seed"] = json!(room.seed.to_string());
        }
        Ok(Answer { value, text: Some(board), svg: None })
    }

    fn list_matches(&self) -> Answer {
        let matches: Vec<Value> = self
            .hall
            .rooms()
            .iter()
            .map(|(id, room)| {
                let room = lock(room);
                let seats: Vec<&str> = (0..room.keys.len()).map(|seat| room.occupant(seat)).collect();
                json!({
                    "match": id, "game": room.game.spec().name, "seats": seats, "steps": room.table.made().len(),
                    "over": room.over(), "payoffs": room.table.payoffs(),
                })
            })
            .collect();
        json!({ "matches": matches }).into()
    }

    fn statistics(&self) -> Answer {
        // By game and occupants in seat order.
        let mut groups: BTreeMap<(String, Vec<String>), Vec<SeatSum>> = BTreeMap::new();
        for (_, room) in self.hall.rooms() {
            let room = lock(&room);
            let Some(payoffs) = room.table.payoffs() else { continue };
            let spec = room.game.spec();
            let seats: Vec<String> = (0..room.keys.len()).map(|seat| room.occupant(seat).to_owned()).collect();
            let empty = vec![SeatSum::default(); seats.len()];
            let sums = groups.entry((spec.name.clone(), seats)).or_insert(empty);
            for (seat, sum) in sums.iter_mut().enumerate() {
                sum.tally.count(score(spec, &payoffs, seat));
                sum.refused += room.refused[seat];
            }
        }
        let results = groups.into_iter().map(|((game, occupants), sums)| {
            let matches = sums.first().map_or(0, |sum| sum.tally.matches());
            let seats: Vec<Value> = occupants.iter().zip(&sums).map(|(occupant, sum)| sum.value(occupant)).collect();
            json!({ "game": game, "matches": matches, "seats": seats })
        });
        json!({ "results": results.collect::<Vec<_>>() }).into()
    }

    /// Lets chance and agents act until a client has to choose, or the match is over.
    fn advance(&self, room: &mut Room) {
        loop {
            match room.table.waiting() {
                Waiting::Nothing => return,
                Waiting::Chance => drop(room.table.draw()),
                Waiting::Choices(_) => {
                    let Some(player) = room.table.agent_awaited() else { return };
                    // A failure ends the match, which tells it.
                    drop(self.within(|| room.table.decide(player, None)));
                }
            }
        }
    }

    /// Runs an agent, and asks it to answer when its time is over.
    fn within<T>(&self, work: impl FnOnce() -> T) -> T {
        let late = Arc::new(AtomicBool::new(false));
        let (done, waiting) = mpsc::channel::<()>();
        let (flag, limit) = (Arc::clone(&late), self.limit());
        let watch = std::thread::spawn(move || {
            if waiting.recv_timeout(limit).is_err() {
                flag.store(true, Ordering::Relaxed);
            }
        });
        let result = cancel::with(Some(late), work);
        // The watcher may have given up waiting.
        let _told = done.send(());
        drop(watch.join());
        result
    }

    fn limit(&self) -> Duration {
        Duration::try_from_secs_f64(self.options.seconds).unwrap_or(Duration::from_secs(10))
    }

    /// The budget of a request: at most the server's time.
    fn budget(&self, arguments: &Arguments) -> Result<Budget, InputError> {
        let mut budget = match optional(arguments, "budget")? {
            Some(text) => text.parse()?,
            None => Budget::time(Duration::from_millis(500)),
        };
        budget.time = budget.time.map(|time| time.min(self.limit()));
        Ok(budget)
    }

    fn room(&self, arguments: &Arguments) -> Result<(u64, Arc<Mutex<Room>>), InputError> {
        let id =
            whole(arguments, "match")?.ok_or_else(|| InputError::new("`match` is needed: the number of a match"))?;
        Ok((id, self.hall.room(id)?))
    }
}

/// Counts an act that names no legal action; the seat forfeits when it has no retries left.
fn refuse(room: &mut Room, player: Player, action: &str, legal: &[String]) -> InputError {
    let seat = player.index();
    room.refused[seat] += 1;
    room.in_a_row[seat] += 1;
    let shown: String = action.chars().take(60).flat_map(char::escape_debug).collect();
    if room.retries.is_some_and(|retries| room.in_a_row[seat] > retries) {
        // The match is not over, so it can be resigned.
        drop(room.table.resign(player));
        room.forfeited = Some(player);
        return InputError::new(format!("`{shown}` is not a legal action, and no retries are left: the match is lost"));
    }
    let left = room.retries.map_or_else(String::new, |retries| match retries - room.in_a_row[seat] {
        0 => "; one more illegal act loses the match".to_owned(),
        left => format!("; {} more illegal acts lose the match", left + 1),
    });
    let error = InputError::new(format!("`{shown}` is not a legal action{left}"));
    match room.withhold_legal {
        true => error.with_help("read `rules` again; actions are compared letter by letter"),
        false => error.with_help(format!("{} legal: {}", legal.len(), legal.join("  "))),
    }
}

/// The answer with the board as a text of its own.
fn with_board(value: Value) -> Answer {
    let board = value["board"].as_str().map(str::to_owned);
    Answer { value, text: board, svg: None }
}

fn text<'a>(arguments: &'a Arguments, name: &str) -> Result<&'a str, InputError> {
    optional(arguments, name)?.ok_or_else(|| InputError::new(format!("`{name}` is needed")))
}

fn optional<'a>(arguments: &'a Arguments, name: &str) -> Result<Option<&'a str>, InputError> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(InputError::new(format!("`{name}` is a text"))),
    }
}

fn whole(arguments: &Arguments, name: &str) -> Result<Option<u64>, InputError> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(number) => {
            number.as_u64().map(Some).ok_or_else(|| InputError::new(format!("`{name}` is a whole number from 0")))
        }
    }
}

fn flag(arguments: &Arguments, name: &str) -> Result<bool, InputError> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(false),
        Some(value) => value.as_bool().ok_or_else(|| InputError::new(format!("`{name}` is true or false"))),
    }
}

fn random_seed() -> Result<u64, InputError> {
    let random = getrandom::u64().map_err(|error| InputError::new(format!("no random numbers: {error}")))?;
    // Whole numbers up to 2⁵³ survive every JSON reader.
    Ok(random >> 11)
}

fn random_key() -> Result<String, InputError> {
    let part = || getrandom::u64().map_err(|error| InputError::new(format!("no random numbers: {error}")));
    Ok(format!("{:016x}{:016x}", part()?, part()?))
}
