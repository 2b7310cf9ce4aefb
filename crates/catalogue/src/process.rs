//! `process`: a program outside, spoken to by the engine protocol, as an agent like any other.
//!
//! The program runs from the beginning of a match to its end, or to the end of all matches of a thread if it says that
//! it can (`keep`). It loses the match when it dies, sends something that is no answer, answers for another match,
//! plays what is not legal, or is later than its time plus the margin; then it is ended, and a new one is started for
//! the next match. Its time is measured here, by a monotonic clock, from the order to the answer. See
//! `docs/protocols/engine.md`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tesuji_core::laws::Complete;
use tesuji_core::{Actor, Arguments, Features, InputError, Parameter, Rng, cancel, legal_actions, step};
use tesuji_engine::{
    Analysis, Answer, Files, Heard, Kept, Limits, Order, PROTOCOL, Program, find, read_answer, split_command, write,
};
use tesuji_play::{Agent, Budget, Candidate, Decision, Failure, Seat, Thought};

use tesuji_play::{AgentKind, Trust};

/// The kind `process`.
pub struct ProcessKind;

impl AgentKind for ProcessKind {
    const NAME: &'static str = "process";
    const SUMMARY: &'static str = "A program outside that speaks the engine protocol on its standard input and output";
    const HANDLES: Features = Features::OPEN;
    const TRUST: Trust = Trust::StartsPrograms;
    const SEARCHES: bool = false;
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("cmd", "the program and its arguments, such as \"python3 engine.py\"; no shell reads it")
            .program(),
        Parameter::new("patience", "60s", "how long it may take to get ready, or to decide on a budget without time"),
        Parameter::new("margin", "1s", "how much later than its time an answer may come; `stop` is sent in between"),
        Parameter::new(
            "keep",
            "auto",
            "let the program run on from match to match: true, false, or auto, as it says in `hello`",
        ),
    ];

    fn build<G: Complete>(arguments: &Arguments, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let agent = ProcessAgent::new(arguments)?;
        if find(&agent.words[0]).is_none() && !cfg!(windows) {
            let help = "the command is a program of the search path, or a path such as `./engine`, and its arguments";
            return Err(InputError::new(format!("there is no program `{}`", agent.words[0])).with_help(help));
        }
        Ok(Box::new(agent))
    }

    /// The hashes of the files that the command names, and what the program calls itself.
    fn contents<G: Complete>(arguments: &Arguments, _: &G) -> Result<String, InputError> {
        ProcessAgent::new(arguments)?.identity()
    }
}

/// When a program runs on from match to match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Always,
    Never,
    /// If it says that it can, and the thread plays many matches.
    AsItSays,
}

/// The greetings of programs by their command and the hashes of its files, so that a program is not started again to
/// ask.
static GREETINGS: Mutex<BTreeMap<(Vec<String>, String), String>> = Mutex::new(BTreeMap::new());

/// A program outside.
struct ProcessAgent {
    words: Vec<String>,
    patience: Duration,
    margin: Duration,
    keep: Keep,
    program: Option<Program>,
    /// Whether the program said that it can play one match after the other.
    can_stay: bool,
    /// The name of the match that the program knows of.
    current: Option<String>,
    /// Matches that the program was told of.
    matches: u64,
    /// What went wrong before anything was asked.
    trouble: Option<Failure>,
}

impl<G: Complete> Agent<G> for ProcessAgent {
    /// Starts the program, so that its start is no part of its first decision. Trouble waits for that decision.
    fn begin(&mut self) {
        self.leave();
        self.trouble = self.greeted().err();
    }

    fn prepare(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<(), Failure> {
        let prepared = self.prepared(seat, budget, rng);
        self.or_stopped(prepared)
    }

    fn choose(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        let chosen = self.chosen(seat, budget, rng);
        self.or_stopped(chosen)
    }

    fn end(&mut self) {
        self.leave();
    }
}

impl ProcessAgent {
    fn new(arguments: &Arguments) -> Result<ProcessAgent, InputError> {
        let time = |name: &str| {
            let budget: Result<Budget, InputError> = format!("time={}", arguments.text(name)).parse();
            budget
                .ok()
                .and_then(|budget| budget.time)
                .ok_or_else(|| arguments.wrong(name, "a time such as 250ms or 2s"))
        };
        let keep = match arguments.text("keep") {
            "auto" => Keep::AsItSays,
            _ if arguments.flag("keep")? => Keep::Always,
            _ => Keep::Never,
        };
        Ok(ProcessAgent {
            words: split_command(arguments.text("cmd"))?,
            patience: time("patience")?,
            margin: time("margin")?,
            keep,
            program: None,
            can_stay: false,
            current: None,
            matches: 0,
            trouble: None,
        })
    }

    /// What the play of the program depends on: the contents of the files in its command, its name and its version. A
    /// program that does not greet loses its matches; here it has no name.
    fn identity(mut self) -> Result<String, InputError> {
        let command = self.words.join(" ");
        let files = Files::of(&self.words).hashes();
        let files = files.map_err(|error| InputError::new(format!("`{command}` cannot be read: {error}")))?;
        let key = (self.words.clone(), files.clone());
        let known = || GREETINGS.lock().unwrap_or_else(PoisonError::into_inner);
        let greeting = known().get(&key).cloned();
        let greeting = match greeting {
            Some(greeting) => greeting,
            None => {
                let greeting = self.greeted().unwrap_or_default();
                if cancel::requested() {
                    return Err(InputError::new(format!("interrupted while `{command}` was asked for its name")));
                }
                self.quit();
                known().insert(key, greeting.clone());
                greeting
            }
        };
        Ok(format!("{files}{greeting}"))
    }

    /// Leaves the match. The program waits for the next one, or is ended.
    fn leave(&mut self) {
        if let (Some(program), Some(id)) = (&self.program, self.current.take()) {
            program.say(write(&Order::End { id }));
        }
        let stays = self.keep == Keep::Always || self.keep == Keep::AsItSays && self.can_stay;
        let Some(program) = self.program.take_if(|_| stays) else { return self.quit() };
        let words = self.words.clone();
        let returned = Kept { program, words, can_stay: self.can_stay, matches: self.matches }.leave();
        self.program = returned.map(|kept| kept.program);
        // Nobody else plays on this thread: the program stays with its agent only if that was asked for.
        if self.keep == Keep::AsItSays {
            self.quit();
        }
    }

    /// Ends the program.
    fn quit(&mut self) {
        if let Some(mut program) = self.program.take() {
            program.say(write(&Order::Quit));
            program.end();
        }
    }

    /// Stops the program if it has failed, and returns the result unchanged.
    fn or_stopped<T>(&mut self, result: Result<T, Failure>) -> Result<T, Failure> {
        if result.is_err() {
            self.program = None;
            self.current = None;
        }
        result
    }

    /// What the program did wrong, with its name.
    fn broken(&self, what: impl std::fmt::Display) -> Failure {
        let complaint = self.program.as_ref().map(Program::complaint).unwrap_or_default();
        let said = if complaint.is_empty() { String::new() } else { format!("; its last complaint: {complaint}") };
        Failure::Broken(format!("`{}` {what}{said}", self.words.join(" ")))
    }

    fn say(&self, order: &Order) {
        if let Some(program) = &self.program {
            program.say(write(order));
        }
    }

    /// The next answer before `deadline` that is about this match; `None` if there is none in time.
    fn hear(&self, deadline: Instant) -> Result<Option<Answer>, Failure> {
        let Some(program) = &self.program else { return Err(self.broken("is not running")) };
        loop {
            // The wait is cut into short ones, because it may be cancelled.
            let line = match program.hear(deadline.min(Instant::now() + LOOK_EVERY)) {
                Heard::Line(line) if line.trim().is_empty() => continue,
                Heard::Line(line) => line,
                Heard::Nothing if cancel::requested() => return Err(self.broken("was interrupted")),
                Heard::Nothing if Instant::now() < deadline => continue,
                Heard::Nothing => return Ok(None),
                Heard::Trouble(trouble) => return Err(self.broken(trouble)),
            };
            let answer = read_answer(&line).map_err(|error| {
                let help = error.help_text().unwrap_or_default();
                self.broken(format_args!("sent what is {error} ({help})"))
            })?;
            if let Answer::Error { message, .. } = &answer {
                return Err(self.broken(format_args!("reports an error: {message}")));
            }
            if answer.id().is_some() && answer.id() != self.current.as_deref() {
                let (told, expected) = (answer.id().unwrap_or(""), self.current.as_deref().unwrap_or("none"));
                return Err(self.broken(format_args!("answers for the match `{told}`, expected `{expected}`")));
            }
            return Ok(Some(answer));
        }
    }

    /// Starts the program if none runs or waits, and greets it. Returns its name and version if it was started.
    fn greeted(&mut self) -> Result<String, Failure> {
        if self.program.is_none()
            && self.keep != Keep::Never
            && let Some(kept) = Kept::take(&self.words)
        {
            (self.can_stay, self.matches) = (kept.can_stay, kept.matches);
            self.program = Some(kept.program);
        }
        if self.program.is_some() {
            return Ok(String::new());
        }
        let program = Program::start(&self.words).map_err(|error| Failure::Broken(error.to_string()))?;
        self.program = Some(program);
        self.matches = 0;
        self.say(&Order::Hello { protocol: PROTOCOL });
        match self.hear(Instant::now() + self.patience)? {
            Some(Answer::Hello { protocol: PROTOCOL, name, version, keep, .. }) => {
                self.can_stay = keep;
                Ok(format!("{name} {}", version.unwrap_or_default()))
            }
            Some(Answer::Hello { protocol, .. }) => {
                Err(self.broken(format_args!("speaks version {protocol}, expected {PROTOCOL}")))
            }
            Some(other) => Err(self.unexpected("hello", &other)),
            None => Err(self.broken(format_args!("did not say hello in {:?}", self.patience))),
        }
    }

    /// Tells the program of the match if it does not know it.
    fn ready<G: Complete>(&mut self, seat: &Seat<'_, G>) -> Result<String, Failure> {
        if let Some(trouble) = self.trouble.take() {
            return Err(trouble);
        }
        self.greeted()?;
        if let Some(id) = &self.current {
            return Ok(id.clone());
        }
        self.matches += 1;
        let id = self.matches.to_string();
        let spec = seat.game.spec();
        self.current = Some(id.clone());
        self.say(&Order::Match {
            id: id.clone(),
            game: spec.name.clone(),
            players: spec.players.clone(),
            player: seat.player.index(),
            features: spec.features.names().into_iter().map(str::to_owned).collect(),
            payoffs: [spec.payoffs.0, spec.payoffs.1],
            rules: seat.game.rules_text(),
        });
        match self.hear(Instant::now() + self.patience)? {
            Some(Answer::Ready { .. }) => Ok(id),
            Some(other) => Err(self.unexpected("ready", &other)),
            None => Err(self.broken(format_args!("was not ready for a match in {:?}", self.patience))),
        }
    }

    fn unexpected(&self, expected: &str, answer: &Answer) -> Failure {
        let mut shown = write(answer);
        shown.truncate(shown.floor_char_boundary(120));
        self.broken(format_args!("answers {shown}, expected `{expected}`"))
    }

    fn prepared<G: Complete>(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<(), Failure> {
        let id = self.ready(&seat)?;
        self.say(&position(&seat, &id));
        let begun = Instant::now();
        self.say(&Order::Prepare { id: id.clone(), budget: limits(budget), seed: seed(rng) });
        let mut wait = Wait::new(begun, budget.time.unwrap_or(self.patience), self.margin);
        loop {
            match self.hear(wait.deadline())? {
                Some(Answer::Prepared { .. }) => return Ok(()),
                Some(Answer::Thinking { .. }) if wait.is_over() => return Err(Failure::Overtime(begun.elapsed())),
                Some(Answer::Thinking { .. }) => {}
                Some(other) => return Err(self.unexpected("prepared", &other)),
                None if wait.stopped() => return Err(Failure::Overtime(begun.elapsed())),
                None => {
                    self.say(&Order::Stop { id: id.clone() });
                    wait.stop();
                }
            }
        }
    }

    fn chosen<G: Complete>(
        &mut self,
        mut seat: Seat<'_, G>,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<Decision<G::Action>, Failure> {
        let id = self.ready(&seat)?;
        self.say(&position(&seat, &id));
        let begun = Instant::now();
        self.say(&Order::Go { id: id.clone(), budget: limits(budget), seed: seed(rng) });
        let mut wait = Wait::new(begun, budget.time.unwrap_or(self.patience), self.margin);
        let mut thought = Thought::default();
        loop {
            // With somebody looking on, the wait is cut into short ones: they may want an answer at once.
            let watched = seat.watcher.is_some() && !wait.stopped();
            let until = if watched { wait.deadline().min(Instant::now() + LOOK_EVERY) } else { wait.deadline() };
            match self.hear(until)? {
                Some(Answer::Best { action: text, analysis, .. }) => {
                    let actor = Actor::Player(seat.player);
                    let Ok(action) = seat.game.parse_action(seat.state, actor, &text) else {
                        let shown: String = text.chars().take(60).collect();
                        return Err(Failure::Illegal(format!("`{}`", shown.escape_debug())));
                    };
                    let value = within(seat.game.spec().payoffs, analysis.value);
                    let mut thought = thought_of(&seat, &analysis, Some(action));
                    thought.time = begun.elapsed();
                    return Ok(Decision { action, policy: vec![(action, 1.0)], value, thought });
                }
                Some(Answer::Thinking { analysis, .. }) => thought = thought_of(&seat, &analysis, None),
                Some(other) => return Err(self.unexpected("best", &other)),
                None => {}
            }
            if wait.is_over() {
                if wait.stopped() {
                    return Err(Failure::Overtime(begun.elapsed()));
                }
                self.say(&Order::Stop { id: id.clone() });
                wait.stop();
            } else if watched && let Some(watcher) = &mut seat.watcher {
                thought.time = begun.elapsed();
                if !watcher.look(&thought) {
                    self.say(&Order::Stop { id: id.clone() });
                    wait.stop();
                }
            }
        }
    }
}

/// How often somebody who looks on is asked whether to go on, and whether the wait was cancelled.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How long an answer is waited for: until its time is over, and after `stop` for the margin.
struct Wait {
    deadline: Instant,
    margin: Duration,
    stopped: bool,
}

impl Wait {
    fn new(begun: Instant, time: Duration, margin: Duration) -> Wait {
        Wait { deadline: begun + time, margin, stopped: false }
    }

    fn deadline(&self) -> Instant {
        self.deadline
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline
    }

    fn stopped(&self) -> bool {
        self.stopped
    }

    /// `stop` was sent: the margin runs from the end of the time, or from now if that is earlier.
    fn stop(&mut self) {
        self.stopped = true;
        self.deadline = self.deadline.min(Instant::now()) + self.margin;
    }
}

/// Whole numbers up to 2⁵³ survive every JSON reader.
fn seed(rng: &mut Rng) -> u64 {
    rng.bits() >> 11
}

fn limits(budget: &Budget) -> Limits {
    Limits { playouts: budget.playouts, nodes: budget.nodes, seconds: budget.time.map(|time| time.as_secs_f64()) }
}

/// The position as the engine is told of it.
fn position<G: Complete>(seat: &Seat<'_, G>, id: &str) -> Order {
    let Seat { game, state, player, history, .. } = *seat;
    let mut steps = Vec::new();
    let mut reached = game.start();
    for joint in history.steps() {
        let actors = game.turn(&reached).actors();
        steps.push(actors.zip(joint).map(|(actor, &action)| game.action_text(&reached, actor, action)).collect());
        if step(game, &mut reached, joint).is_err() {
            break;
        }
    }
    // A match that did not begin at the game's start is told by its current state alone.
    let start = (reached != *state).then(|| game.state_text(state));
    if start.is_some() {
        steps.clear();
    }
    let turn = game.turn(state);
    let legal = match turn.movers().contains(player) {
        true => legal_actions(game, state, Actor::Player(player)),
        false => Vec::new(),
    };
    Order::Position {
        id: id.to_owned(),
        start,
        steps,
        turn: turn.actors().map(|actor| crate::decision_text::actor_name(game, actor)).collect(),
        legal: legal.into_iter().map(|action| game.action_text(state, Actor::Player(player), action)).collect(),
        state: game.state_text(state),
    }
}

/// A value that lies within the payoffs; others are no opinion.
fn within((least, greatest): (f64, f64), value: Option<f64>) -> Option<f64> {
    value.filter(|value| (least..=greatest).contains(value))
}

/// An engine's analysis in actions. What it says of actions that are not legal is passed over.
fn thought_of<G: Complete>(seat: &Seat<'_, G>, analysis: &Analysis, chosen: Option<G::Action>) -> Thought<G::Action> {
    let Seat { game, state, player, .. } = *seat;
    let payoffs = game.spec().payoffs;
    let mut candidates: Vec<Candidate<G::Action>> = Vec::new();
    for told in &analysis.candidates {
        let Ok(action) = game.parse_action(state, Actor::Player(player), &told.action) else { continue };
        if candidates.iter().any(|candidate| candidate.action == action) {
            continue;
        }
        candidates.push(Candidate {
            action,
            visits: told.visits,
            value: within(payoffs, told.value),
            prior: told.prior.filter(|prior| (0.0..=1.0).contains(prior)),
            probability: told.probability.max(0.0),
        });
    }
    let total: f64 = candidates.iter().map(|candidate| candidate.probability).sum();
    let best = chosen.or(candidates.first().map(|candidate| candidate.action));
    for candidate in &mut candidates {
        let plain = f64::from(u8::from(Some(candidate.action) == best));
        candidate.probability = if total > 0.0 { candidate.probability / total } else { plain };
    }
    if let Some(action) = chosen
        && !candidates.iter().any(|candidate| candidate.action == action)
    {
        candidates.clear();
    }
    let mut line = Vec::new();
    let mut reached = state.clone();
    for texts in &analysis.line {
        let actors = game.turn(&reached).actors();
        let joint: Option<Vec<G::Action>> =
            actors.zip(texts).map(|(actor, text)| game.parse_action(&reached, actor, text).ok()).collect();
        let Some(joint) = joint else { break };
        if step(game, &mut reached, &joint).is_err() {
            break;
        }
        line.push(joint);
    }
    Thought {
        candidates,
        line,
        joint: Vec::new(),
        depth: analysis.depth,
        nodes: analysis.nodes,
        playouts: analysis.playouts,
        time: Duration::ZERO,
        limit: None,
    }
}
