//! `tesuji engine-check`: tests whether an engine follows the protocol.
//!
//! Every check starts a fresh program or a new match, so that one fault does not hide the next. An engine may refuse a
//! game with `error`, but it should play at least one.

use std::time::{Duration, Instant};

use serde::Serialize;
use tesuji_arena::engine::{Answer, Heard, Limits, Order, PROTOCOL, Program, read_answer, split_command, write};
use tesuji_arena::{Actor, AnyGame, AnyMatch, Catalogue, InputError, Player, Rng, Turn, mix};

use super::position;

/// The plan of an engine check.
#[derive(Clone, Debug)]
pub struct CheckPlan {
    /// The program and its arguments.
    pub command: String,
    /// The games to play.
    pub games: Vec<String>,
    /// How long the engine may take to get ready.
    pub patience: Duration,
    /// The time for a decision.
    pub time: Duration,
    /// How much later than its deadline, or than `stop`, an answer may arrive.
    pub margin: Duration,
    /// The seed of all randomness here.
    pub seed: u64,
}

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// According to the protocol.
    Right,
    /// A violation of the protocol.
    Wrong,
    /// Allowed, but worth knowing.
    Note,
}

/// A finding of a check.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The result.
    pub verdict: Verdict,
    /// What was checked.
    pub check: String,
    /// What was observed.
    pub message: String,
}

/// All findings about an engine.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineReport {
    /// The command.
    pub engine: String,
    /// The name that the engine gave.
    pub name: Option<String>,
    /// All checks, in order.
    pub findings: Vec<Finding>,
    /// The number of timed decisions.
    pub decisions: usize,
    /// The median time beyond what the engine itself reported, in milliseconds.
    pub latency_milliseconds: Option<f64>,
    /// The greatest of these times, in milliseconds.
    pub greatest_latency_milliseconds: Option<f64>,
}

impl EngineReport {
    /// Whether the engine follows the protocol.
    pub fn conforms(&self) -> bool {
        self.findings.iter().all(|finding| finding.verdict != Verdict::Wrong)
    }
}

/// Checks an engine. An error is about the plan: an invalid command or game.
pub fn check_engine(catalogue: &Catalogue, plan: &CheckPlan) -> Result<EngineReport, InputError> {
    let words = split_command(&plan.command)?;
    let games = plan.games.iter().map(|game| catalogue.open(game)).collect::<Result<Vec<_>, _>>()?;
    let mut examiner = Examiner { plan, words, name: None, findings: Vec::new(), latencies: Vec::new(), matches: 0 };
    if examiner.greeting() {
        let mut playable = None;
        for (number, game) in games.iter().enumerate() {
            if examiner.whole_match(game.as_ref(), mix(plan.seed, number as u64)) && playable.is_none() {
                playable = Some(game.as_ref());
            }
        }
        match playable {
            Some(game) => {
                examiner.clock(game);
                examiner.stop(game);
                examiner.next_match(game);
                examiner.preparation(game);
                examiner.repetition(game);
            }
            None => examiner.find(Verdict::Wrong, "games", "it played none of the games to the end".to_owned()),
        }
        examiner.farewell();
        examiner.closed_input();
    }
    let Examiner { name, findings, mut latencies, .. } = examiner;
    latencies.sort_by(f64::total_cmp);
    Ok(EngineReport {
        engine: plan.command.clone(),
        name,
        findings,
        decisions: latencies.len(),
        latency_milliseconds: latencies.get(latencies.len() / 2).copied(),
        greatest_latency_milliseconds: latencies.last().copied(),
    })
}

/// A limit that every engine can keep, quickly.
const FEW_PLAYOUTS: Limits = Limits { playouts: Some(50), nodes: None, seconds: None };

struct Examiner<'a> {
    plan: &'a CheckPlan,
    words: Vec<String>,
    name: Option<String>,
    findings: Vec<Finding>,
    latencies: Vec<f64>,
    matches: u64,
}

/// Why a check cannot continue.
enum Trouble {
    /// The engine refuses the game, which is allowed.
    Refused(String),
    /// The engine violated the protocol.
    Wrong(String),
}

type Outcome<T> = Result<T, Trouble>;

fn wrong<T>(message: impl Into<String>) -> Outcome<T> {
    Err(Trouble::Wrong(message.into()))
}

impl Examiner<'_> {
    fn find(&mut self, verdict: Verdict, check: &str, message: String) {
        self.findings.push(Finding { verdict, check: check.to_owned(), message });
    }

    /// Records the result of a check; returns whether it succeeded.
    fn enter(&mut self, check: &str, outcome: Outcome<String>) -> bool {
        let (verdict, message) = match outcome {
            Ok(message) => (Verdict::Right, message),
            Err(Trouble::Refused(message)) => (Verdict::Note, format!("refused: {message}")),
            Err(Trouble::Wrong(message)) => (Verdict::Wrong, message),
        };
        self.find(verdict, check, message);
        verdict == Verdict::Right
    }

    fn start(&self) -> Outcome<Program> {
        Program::start(&self.words).or_else(|error| wrong(error.to_string()))
    }

    /// The next answer; `None` if there is none in time.
    fn hear(&self, program: &Program, deadline: Instant) -> Outcome<Option<Answer>> {
        loop {
            match program.hear(deadline) {
                Heard::Line(line) if line.trim().is_empty() => {}
                Heard::Line(line) => {
                    return read_answer(&line).map(Some).or_else(|error| {
                        wrong(format!("it sent an invalid line: {error} ({})", error.help_text().unwrap_or_default()))
                    });
                }
                Heard::Nothing => return Ok(None),
                Heard::Trouble(trouble) => {
                    let complaint = program.complaint();
                    let said = if complaint.is_empty() {
                        String::new()
                    } else {
                        format!("; its standard error says: {complaint}")
                    };
                    return wrong(format!("it {trouble}{said}"));
                }
            }
        }
    }

    /// The next answer about match `id` that `wanted` accepts.
    fn expect(
        &self,
        program: &Program,
        id: Option<&str>,
        what: &str,
        deadline: Instant,
        wanted: fn(&Answer) -> bool,
    ) -> Outcome<Answer> {
        loop {
            let Some(answer) = self.hear(program, deadline)? else {
                return wrong(format!("no `{what}` came in time"));
            };
            if answer.id().is_some() && answer.id() != id {
                return wrong(format!(
                    "it answered for another match: {}, expected `{}`",
                    write(&answer),
                    id.unwrap_or("")
                ));
            }
            match answer {
                Answer::Error { message, .. } => return Err(Trouble::Refused(message)),
                Answer::Thinking { .. } if id.is_some() => {}
                answer if wanted(&answer) => return Ok(answer),
                answer => return wrong(format!("it sent {}, expected `{what}`", write(&answer))),
            }
        }
    }

    fn soon(&self) -> Instant {
        Instant::now() + self.plan.patience
    }

    fn greet(&self, program: &Program) -> Outcome<String> {
        program.say(write(&Order::Hello { protocol: PROTOCOL }));
        let answer =
            self.expect(program, None, "hello", self.soon(), |answer| matches!(answer, Answer::Hello { .. }))?;
        match answer {
            Answer::Hello { protocol: PROTOCOL, name, .. } if !name.trim().is_empty() => Ok(name),
            Answer::Hello { protocol: PROTOCOL, .. } => wrong("its name is empty"),
            Answer::Hello { protocol, .. } => wrong(format!("it speaks version {protocol}, expected {PROTOCOL}")),
            _ => wrong("it did not say hello"),
        }
    }

    fn greeting(&mut self) -> bool {
        let outcome = self.start().and_then(|program| self.greet(&program));
        self.name = outcome.as_ref().ok().cloned();
        // At the greeting there is nothing to refuse.
        let outcome = match outcome {
            Ok(name) => Ok(format!("it is called `{name}`")),
            Err(Trouble::Refused(message) | Trouble::Wrong(message)) => Err(Trouble::Wrong(message)),
        };
        self.enter("greeting", outcome)
    }

    /// A fresh program in a match of `game`, in the first seat.
    fn seated(&mut self, game: &dyn AnyGame) -> Outcome<(Program, String)> {
        let program = self.start()?;
        self.greet(&program)?;
        let id = self.begin(&program, game, Player(0))?;
        Ok((program, id))
    }

    fn begin(&mut self, program: &Program, game: &dyn AnyGame, player: Player) -> Outcome<String> {
        self.matches += 1;
        let id = format!("check-{}", self.matches);
        let spec = game.spec();
        program.say(write(&Order::Match {
            id: id.clone(),
            game: spec.name.clone(),
            players: spec.players.clone(),
            player: player.index(),
            features: spec.features.names().into_iter().map(str::to_owned).collect(),
            payoffs: [spec.payoffs.0, spec.payoffs.1],
            rules: game.rules_text(),
        }));
        self.expect(program, Some(&id), "ready", self.soon(), |answer| matches!(answer, Answer::Ready { .. }))?;
        Ok(id)
    }

    /// Requests a decision and checks that it is legal. Returns it with the time taken.
    fn decide(
        &mut self,
        program: &Program,
        id: &str,
        (table, player): (&dyn AnyMatch, Player),
        (budget, seed): (Limits, u64),
        stop_after: Option<Duration>,
    ) -> Outcome<(String, Duration)> {
        program.say(write(&position(table, id, player)));
        let begun = Instant::now();
        program.say(write(&Order::Go { id: id.to_owned(), budget, seed }));
        let mut deadline = match budget.seconds {
            Some(seconds) => begun + Duration::from_secs_f64(seconds) + self.plan.margin,
            None => self.soon(),
        };
        if let Some(pause) = stop_after {
            // Everything sent before `stop` is read after it.
            std::thread::sleep(pause);
            program.say(write(&Order::Stop { id: id.to_owned() }));
            deadline = Instant::now() + self.plan.margin;
        }
        let best = self.expect(program, Some(id), "best", deadline, |answer| matches!(answer, Answer::Best { .. }));
        let taken = begun.elapsed();
        let Answer::Best { action, analysis, .. } = best? else { return wrong("no decision") };
        if table.read_action(Actor::Player(player), &action).is_err() {
            return wrong(format!("it played `{action}`, which is not legal in {}", table.state_text()));
        }
        if let (Some(seconds), None) = (analysis.seconds, stop_after) {
            self.latencies.push((taken.as_secs_f64() - seconds).max(0.0) * 1e3);
        }
        Ok((action, taken))
    }

    fn whole_match(&mut self, game: &dyn AnyGame, seed: u64) -> bool {
        let outcome = self.seated(game).and_then(|(program, id)| self.play(&program, &id, game, seed));
        let name = game.spec().name.clone();
        self.enter(&format!("a whole match of {name}"), outcome)
    }

    /// Plays a match against random moves.
    fn play(&mut self, program: &Program, id: &str, game: &dyn AnyGame, seed: u64) -> Outcome<String> {
        let input = |error: InputError| Trouble::Wrong(error.to_string());
        let mut table = game.new_match(None).map_err(input)?;
        let mut rng = Rng::new(seed);
        let (mut decisions, mut steps) = (0, 0);
        loop {
            let joint = match table.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    table.draw_outcome(&mut rng);
                    continue;
                }
                turn => {
                    let mut joint = Vec::new();
                    for player in turn.movers() {
                        if player == Player(0) {
                            let go = (FEW_PLAYOUTS, rng.bits() >> 11);
                            joint.push(self.decide(program, id, (table.as_ref(), player), go, None)?.0);
                            decisions += 1;
                        } else {
                            let legal = table.legal(Actor::Player(player));
                            joint.push(legal[rng.below(legal.len())].clone());
                        }
                    }
                    joint
                }
            };
            table.step(&joint).map_err(input)?;
            steps += 1;
        }
        program.say(write(&Order::End { id: id.to_owned() }));
        Ok(format!("{decisions} legal decisions in {steps} steps"))
    }

    /// A position in which the first player decides.
    fn first_choice(&self, game: &dyn AnyGame) -> Outcome<Box<dyn AnyMatch>> {
        let input = |error: InputError| Trouble::Wrong(error.to_string());
        let mut table = game.new_match(None).map_err(input)?;
        let mut rng = Rng::new(self.plan.seed);
        loop {
            match table.turn() {
                Turn::Over => return wrong("the first player never decides in this game"),
                turn if turn.movers().contains(Player(0)) => return Ok(table),
                Turn::Chance => drop(table.draw_outcome(&mut rng)),
                turn => {
                    let first = |player| table.legal(Actor::Player(player))[0].clone();
                    let joint: Vec<String> = turn.movers().map(first).collect();
                    table.step(&joint).map_err(input)?;
                }
            }
        }
    }

    fn clock(&mut self, game: &dyn AnyGame) {
        let limits = Limits { seconds: Some(self.plan.time.as_secs_f64()), ..Limits::default() };
        let outcome = self.seated(game).and_then(|(program, id)| {
            let table = self.first_choice(game)?;
            let go = (limits, 1);
            let (_, taken) = self.decide(&program, &id, (table.as_ref(), Player(0)), go, None)?;
            Ok(format!("{:.0} ms of {:.0} ms", taken.as_secs_f64() * 1e3, self.plan.time.as_secs_f64() * 1e3))
        });
        self.enter("a decision on the clock", outcome);
    }

    fn stop(&mut self, game: &dyn AnyGame) {
        let long = Limits { seconds: Some(3600.0), ..Limits::default() };
        let pause = self.plan.time.min(Duration::from_millis(100));
        let outcome = self.seated(game).and_then(|(program, id)| {
            let table = self.first_choice(game)?;
            let (_, taken) = self.decide(&program, &id, (table.as_ref(), Player(0)), (long, 1), Some(pause))?;
            Ok(format!(
                "answered {:.0} ms after `go`, stopped after {:.0} ms",
                taken.as_secs_f64() * 1e3,
                pause.as_secs_f64() * 1e3
            ))
        });
        self.enter("`stop` in the middle of a thought", outcome);
    }

    fn next_match(&mut self, game: &dyn AnyGame) {
        let last = Player(game.spec().players.len() as u8 - 1);
        let outcome = self.seated(game).and_then(|(program, _)| {
            let id = self.begin(&program, game, last)?;
            let id_first = self.begin(&program, game, Player(0))?;
            let table = self.first_choice(game)?;
            self.decide(&program, &id_first, (table.as_ref(), Player(0)), (FEW_PLAYOUTS, 1), None)?;
            Ok(format!("`{id}` was left for `{id_first}`"))
        });
        self.enter("a new match without an end of the last", outcome);
    }

    fn preparation(&mut self, game: &dyn AnyGame) {
        let outcome = self.seated(game).and_then(|(program, id)| {
            let table = game.new_match(None).map_err(|error| Trouble::Wrong(error.to_string()))?;
            program.say(write(&position(table.as_ref(), &id, Player(0))));
            program.say(write(&Order::Prepare { id: id.clone(), budget: FEW_PLAYOUTS, seed: 1 }));
            let prepared = |answer: &Answer| matches!(answer, Answer::Prepared { .. });
            self.expect(&program, Some(&id), "prepared", self.soon(), prepared)?;
            Ok("it can prepare".to_owned())
        });
        self.enter("preparation before the match", outcome);
    }

    fn repetition(&mut self, game: &dyn AnyGame) {
        let mut decide = || {
            let (program, id) = self.seated(game)?;
            let table = self.first_choice(game)?;
            self.decide(&program, &id, (table.as_ref(), Player(0)), (FEW_PLAYOUTS, 7), None)
        };
        let (Ok(first), Ok(second)) = (decide(), decide()) else { return };
        let equal = if first.0 == second.0 { "repeats with" } else { "does not repeat with" };
        self.find(Verdict::Note, "repetition", format!("its decision {equal} the seed"));
    }

    fn farewell(&mut self) {
        let outcome = self.start().and_then(|mut program| {
            self.greet(&program)?;
            program.say(write(&Order::Quit));
            self.leaves(&mut program, "quit")
        });
        self.enter("`quit`", outcome);
    }

    fn closed_input(&mut self) {
        let outcome = self.start().and_then(|mut program| {
            self.greet(&program)?;
            program.close_input();
            self.leaves(&mut program, "the end of its input")
        });
        self.enter("the end of its input", outcome);
    }

    /// Whether the program ends by itself.
    fn leaves(&self, program: &mut Program, why: &str) -> Outcome<String> {
        match program.hear(Instant::now() + self.plan.margin) {
            Heard::Trouble(_) => {}
            Heard::Line(line) => return wrong(format!("it sent `{line}` after {why}")),
            Heard::Nothing => return wrong(format!("it did not end {:?} after {why}", self.plan.margin)),
        }
        match program.end_within(self.plan.margin) {
            Some(status) if status.success() => Ok("it ended by itself".to_owned()),
            Some(status) => wrong(format!("it ended with {status} after {why}")),
            None => Ok("it ended".to_owned()),
        }
    }
}
