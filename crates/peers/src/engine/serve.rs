//! `tesuji engine`: runs one of our agents as an engine for other programs.
//!
//! It plays one match at a time; a new match replaces the old one. A separate thread reads orders, so that `stop` takes
//! effect while the agent thinks: within the 50 ms between two polls of a search.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_arena::engine::{
    Analysis, Answer, CandidateMessage, Limits, LineReader, LineTrouble, LongestLine, Order, PROTOCOL, read_order,
    write,
};
use tesuji_arena::sheet::SheetGame;
use tesuji_arena::tubstap::MapGame;
use tesuji_arena::{AnyGame, AnyMatch, Budget, Catalogue, DecisionText, InputError, Listener, Player, Rng, Source};

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The catalogue of games and agents.
    pub catalogue: Catalogue,
    /// The agent's address.
    pub agent: String,
    /// The budget of a decision if an order names no limit.
    pub budget: Budget,
    /// Whether it reports its search while it thinks.
    pub thinking: bool,
}

/// The longest order: rule sheets are the longest part.
const LONGEST: LongestLine = LongestLine(64 << 20);
/// The number of orders that may wait.
const WAITING: usize = 64;
/// The interval between two reports of a search.
const TELL_EVERY: Duration = Duration::from_millis(250);

/// Answers orders until `quit` or the end of the input.
///
/// An invalid line is answered by `error`, and the next line is read. This function fails only if the output is broken.
pub fn serve(options: &EngineOptions, input: impl Read + Send + 'static, output: impl Write) -> Result<(), InputError> {
    let (sender, orders) = sync_channel(WAITING);
    thread::spawn(move || {
        let mut lines = LineReader::new(input, LONGEST);
        loop {
            let line = lines.next_line();
            let last = line.is_err();
            if sender.send(line).is_err() || last {
                break;
            }
        }
    });
    let mut engine = Engine { options, output, orders: Orders { orders, queued: VecDeque::new() }, seated: None };
    while let Some(order) = engine.orders.next() {
        match order {
            Ok(Order::Quit) => break,
            Ok(order) => {
                let id = order.id().map(str::to_owned);
                if let Err(error) = engine.obey(order)? {
                    engine.complain(id, &error)?;
                }
            }
            Err(error) => engine.complain(None, &error)?,
        }
    }
    Ok(())
}

/// The orders in sequence.
struct Orders {
    orders: Receiver<Result<String, LineTrouble>>,
    /// Orders that arrived while the agent was thinking.
    queued: VecDeque<Result<Order, InputError>>,
}

impl Orders {
    /// The next order; `None` at the end.
    fn next(&mut self) -> Option<Result<Order, InputError>> {
        if let Some(order) = self.queued.pop_front() {
            return Some(order);
        }
        loop {
            match self.orders.recv() {
                Ok(Ok(line)) if line.trim().is_empty() => {}
                Ok(Ok(line)) => return Some(read_order(&line)),
                Ok(Err(LineTrouble::Closed)) | Err(_) => return None,
                Ok(Err(trouble)) => {
                    self.queued.push_back(Ok(Order::Quit));
                    return Some(Err(InputError::new(format!("the input {trouble}"))));
                }
            }
        }
    }

    /// Whether an order has arrived that ends the search for `id`; other orders wait. A `stop` after another `go`
    /// belongs to that one. A closed connection is noticed when something is sent.
    fn ask_to_stop(&mut self, id: &str) -> bool {
        while let Ok(line) = self.orders.try_recv() {
            let order = match line {
                Ok(line) if line.trim().is_empty() => continue,
                Ok(line) => read_order(&line),
                Err(LineTrouble::Closed) => Ok(Order::Quit),
                Err(trouble) => {
                    self.queued.push_back(Err(InputError::new(format!("the input {trouble}"))));
                    Ok(Order::Quit)
                }
            };
            let asked =
                |order: &Result<Order, InputError>| matches!(order, Ok(Order::Go { .. } | Order::Prepare { .. }));
            match order {
                Ok(Order::Stop { id: told }) if told == id && !self.queued.iter().any(asked) => return true,
                order => self.queued.push_back(order),
            }
        }
        false
    }
}

/// The current match.
struct Seated {
    id: String,
    game: Arc<dyn AnyGame>,
    table: Box<dyn AnyMatch>,
    /// The initial state of the match, if it is not the game's start.
    start: Option<String>,
    player: Player,
}

struct Engine<'a, W> {
    options: &'a EngineOptions,
    output: W,
    orders: Orders,
    seated: Option<Seated>,
}

impl<W: Write> Engine<'_, W> {
    fn say(&mut self, answer: &Answer) -> Result<(), InputError> {
        tell(&mut self.output, answer)
    }

    fn complain(&mut self, id: Option<String>, error: &InputError) -> Result<(), InputError> {
        let message = match error.help_text() {
            Some(help) => format!("{error} ({help})"),
            None => error.to_string(),
        };
        self.say(&Answer::Error { id, message })
    }

    /// Executes an order. The inner error is sent to the other side.
    fn obey(&mut self, order: Order) -> Result<Result<(), InputError>, InputError> {
        match order {
            Order::Hello { .. } => {
                let name = format!("tesuji {}: {}", tesuji_arena::VERSION, self.options.agent);
                let version = Some(tesuji_arena::VERSION.to_owned());
                self.say(&Answer::Hello { protocol: PROTOCOL, name, version, author: None, keep: true })?;
            }
            Order::Match { id, game, player, rules, .. } => match self.sit(&id, &game, player, rules) {
                Ok(()) => self.say(&Answer::Ready { id })?,
                Err(error) => return Ok(Err(error)),
            },
            Order::Position { id, start, steps, .. } => {
                let agent = self.options.agent.clone();
                return Ok(self.seated_at(&id).and_then(|seated| seated.follow(start, &steps, &agent)));
            }
            Order::Prepare { id, budget, seed } => {
                let budget = self.budget(budget);
                let prepared = self
                    .seated_at(&id)
                    .and_then(|seated| seated.table.prepare(seated.player, &budget, &mut Rng::new(seed)));
                match prepared {
                    Ok(()) => self.say(&Answer::Prepared { id })?,
                    Err(error) => return Ok(Err(error)),
                }
            }
            Order::Go { id, budget, seed } => {
                let budget = self.budget(budget);
                match self.decide(&id, &budget, seed) {
                    Ok(decision) => {
                        let (action, analysis) = (decision.action.clone(), analysis(decision));
                        self.say(&Answer::Best { id, action, analysis })?;
                    }
                    Err(error) => return Ok(Err(error)),
                }
            }
            Order::End { id } => {
                if self.seated.as_ref().is_some_and(|seated| seated.id == id) {
                    self.seated = None;
                }
            }
            // There is nothing to stop: the answer was already sent.
            Order::Stop { .. } | Order::Quit => {}
        }
        Ok(Ok(()))
    }

    fn sit(&mut self, id: &str, game: &str, player: usize, rules: Option<String>) -> Result<(), InputError> {
        self.seated = None;
        let game = open_told(&self.options.catalogue, game, rules)?;
        let seats = game.spec().players.len();
        if player >= seats {
            return Err(InputError::new(format!("there is no seat {player} in a game for {seats}")));
        }
        let player = Player(player as u8);
        let mut table = game.new_match(None)?;
        table.seat(player, &self.options.agent)?;
        self.seated = Some(Seated { id: id.to_owned(), game, table, start: None, player });
        Ok(())
    }

    fn seated_at(&mut self, id: &str) -> Result<&mut Seated, InputError> {
        let current = self.seated.as_ref().map_or("none".to_owned(), |seated| format!("`{}`", seated.id));
        self.seated.as_mut().filter(|seated| seated.id == id).ok_or_else(|| {
            InputError::new(format!("there is no match `{id}` here; the current one is {current}"))
                .with_help("expected `match` before")
        })
    }

    fn budget(&self, limits: Limits) -> Budget {
        let time = limits.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let budget = Budget { playouts: limits.playouts, nodes: limits.nodes, time };
        if budget.is_limited() { budget } else { self.options.budget }
    }

    fn decide(&mut self, id: &str, budget: &Budget, seed: u64) -> Result<DecisionText, InputError> {
        self.seated_at(id)?;
        let Engine { options, output, orders, seated } = self;
        let Some(seated) = seated else { return Err(InputError::new("no match")) };
        let mut watcher =
            OrderWatcher { id, output, orders, thinking: options.thinking, told: Instant::now(), broken: None };
        let decision = seated.table.think_aloud(seated.player, budget, &mut Rng::new(seed), Some(&mut watcher))?;
        match watcher.broken {
            Some(error) => Err(error),
            None => Ok(decision),
        }
    }
}

impl Seated {
    /// Brings the match to the given position: forward if the steps continue, otherwise back to where they differ.
    fn follow(&mut self, start: Option<String>, steps: &[Vec<String>], agent: &str) -> Result<(), InputError> {
        if start != self.start {
            self.table = self.game.new_match(start.as_deref())?;
            self.table.seat(self.player, agent)?;
            self.start = start;
        }
        let known = self.table.steps();
        let common = known.iter().zip(steps).take_while(|(one, other)| one == other).count();
        for _ in common..known.len() {
            self.table.undo();
        }
        for (number, joint) in steps.iter().enumerate().skip(common) {
            self.table.step(joint).map_err(|error| error.in_file(format_args!("step {}", number + 1)))?;
        }
        Ok(())
    }
}

/// Opens the game of an address; if that fails, the game described by its rules.
fn open_told(catalogue: &Catalogue, address: &str, rules: Option<String>) -> Result<Arc<dyn AnyGame>, InputError> {
    let opened = catalogue.open(address);
    let Some(rules) = rules else { return opened };
    match opened {
        Ok(game) if game.rules_text().as_ref() == Some(&rules) => Ok(game),
        _ if address.starts_with("gdl") => {
            Ok(SheetGame::open(catalogue, Source::new(address, rules), &|| false)?.any_game())
        }
        _ if address.starts_with("tubstap") => {
            Ok(MapGame::read(catalogue, address, &Source::new(address, rules))?.any_game())
        }
        opened => opened,
    }
}

/// Reports the agent's search, and reads orders meanwhile.
struct OrderWatcher<'a, W> {
    id: &'a str,
    output: &'a mut W,
    orders: &'a mut Orders,
    thinking: bool,
    told: Instant,
    broken: Option<InputError>,
}

impl<W: Write> Listener for OrderWatcher<'_, W> {
    fn hear(&mut self, thought: &DecisionText) -> bool {
        if self.thinking && self.told.elapsed() >= TELL_EVERY {
            self.told = Instant::now();
            let answer = Answer::Thinking { id: self.id.to_owned(), analysis: analysis(thought.clone()) };
            if let Err(error) = tell(self.output, &answer) {
                self.broken = Some(error);
                return false;
            }
        }
        !self.orders.ask_to_stop(self.id)
    }
}

fn tell(output: &mut impl Write, answer: &Answer) -> Result<(), InputError> {
    writeln!(output, "{}", write(answer))
        .and_then(|()| output.flush())
        .map_err(|error| InputError::new(format!("cannot answer: {error}")))
}

fn analysis(decision: DecisionText) -> Analysis {
    let candidates = decision.candidates.into_iter().map(|candidate| CandidateMessage {
        action: candidate.action,
        visits: candidate.visits,
        value: candidate.value,
        prior: candidate.prior,
        probability: candidate.probability,
    });
    Analysis {
        value: decision.value,
        playouts: decision.playouts,
        nodes: decision.nodes,
        depth: decision.depth,
        seconds: Some(decision.time.as_secs_f64()),
        candidates: candidates.collect(),
        line: decision.line,
    }
}
