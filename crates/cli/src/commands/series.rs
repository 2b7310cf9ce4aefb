//! `tesuji match`

use std::time::Duration;

use serde_json::{Value, json};
use tesuji_arena::experiment::{EarlyStop, EnteredGame, Experiment, StopModel};
use tesuji_arena::statistics::{EloDifference, SprtSettings};
use tesuji_arena::store::Store;
use tesuji_arena::{Budget, Catalogue, InputError, PairingSummary, RunEnd, RunPlan, Summary};

use super::limits::{self, Seats, UnaskedLimit};
use super::run::{duplicates, interval, judge, notes, play};
use super::sequential::{biased, verdict};
use crate::arguments::{Conditions, MatchOptions};
use crate::failure::{Failure, OrUsage, Outcome, about};
use crate::interrupt;
use crate::output::{Output, table, write_text};
use crate::table::Cell;
use crate::times;

/// Matches of a series unless told otherwise.
const MATCHES: u64 = 100;
/// The most matches of a series that plays until its result is significant.
const MOST_MATCHES: u64 = 20_000;

pub(crate) fn run(catalogue: &Catalogue, options: &MatchOptions, threads: usize, output: &mut Output) -> Outcome {
    let terms = Terms::of(&options.conditions)?;
    let game = EnteredGame::open(catalogue, &options.game).map_err(|error| about(&options.game, error))?;
    let asked = options.matches.unwrap_or(if options.sprt.is_some() { MOST_MATCHES } else { MATCHES });
    let experiment = Experiment::series(game, &options.agents, terms.budget, asked, options.conditions.seed);
    let mut experiment = experiment.map_err(|error| about(&options.agents.join(" "), error))?;
    if options.fixed_seats {
        experiment = experiment.with_fixed_seats(asked);
    }
    experiment.sprt = options
        .sprt
        .map(|(elo0, elo1)| EarlyStop { settings: SprtSettings::new(elo0, elo1), model: StopModel::default() });
    let played = carry_out(experiment.clone(), &terms, &options.conditions, threads, output);
    if played.is_err() && output.is_json() && interrupt::asked() {
        // Interrupted before the first match, for example while an engine was asked for its name.
        output.value(&json!({
            "game": options.game, "agents": options.agents, "games": 0, "matches": 0,
            "complete": false, "interrupted": true,
        }));
    }
    let (end, summary) = played?;
    let Conditions { budget, play_clock, .. } = &options.conditions;
    let seats = if budget.is_some() || play_clock.is_some() { Seats::Command } else { Seats::Default };
    let limits = limits::unasked(catalogue, &experiment, &end.limits, seats);
    let report = Report { experiment: &experiment, budget: terms.budget, summary: &summary, limits };
    if let Some(result) = summary.results.first() {
        if output.is_json() {
            let mut value = report.json(result);
            mark_interrupted(&mut value, &end);
            output.value(&value);
        } else {
            report.print(result, asked, output);
        }
    }
    judge(&end, options.conditions.store.as_deref())
}

/// The budget and the clocks of a series.
pub(super) struct Terms {
    pub budget: Budget,
    start: Option<Budget>,
    overtime: Option<Duration>,
}

impl Terms {
    pub(super) fn of(options: &Conditions) -> Result<Terms, Failure> {
        let (budget, overtime) = match &options.play_clock {
            Some(clock) => play_clock(clock).or_usage()?,
            None => (options.budget.as_deref().unwrap_or(DEFAULT_BUDGET).parse().or_usage()?, None),
        };
        let start = options.start_clock.as_deref().map(Budget::from_clock).transpose().or_usage()?;
        Ok(Terms { budget, start, overtime })
    }
}

/// Plays a series that no file describes, and saves it where the options ask for that.
pub(super) fn carry_out(
    mut experiment: Experiment,
    terms: &Terms,
    options: &Conditions,
    threads: usize,
    output: &Output,
) -> Result<(RunEnd, Summary), Failure> {
    experiment.start = terms.start;
    experiment.overtime = terms.overtime;
    // The text is read again only from files.
    let kept = options.save.is_some() || options.store.is_some();
    let text = if kept { experiment.to_toml()? } else { String::new() };
    if let Some(path) = &options.save {
        write_text(path, &text)?;
    }
    let mut store = options.store.as_deref().map_or_else(Store::temporary, Store::open)?;
    notes(&store);
    let plan = RunPlan { threads, shard: None };
    Ok(play(&experiment, ("match.toml", &text), &mut store, plan, true, output)?)
}

/// Says in the JSON of a result that it was interrupted.
pub(super) fn mark_interrupted(value: &mut Value, end: &RunEnd) {
    if !end.complete {
        value["interrupted"] = true.into();
    }
}

/// The budget of agents without their own, if the user gives none.
const DEFAULT_BUDGET: &str = "1000";

/// Time that a decision may take beyond the play clock, as on the public server of general game playing.
const GRACE: Duration = Duration::from_secs(1);

/// A play clock as a budget and a hard limit.
fn play_clock(text: &str) -> Result<(Budget, Option<Duration>), InputError> {
    let clock = Budget::from_clock(text)?;
    match clock {
        Budget { time: Some(time), playouts: None, nodes: None } => Ok((clock, Some(time + GRACE))),
        _ => Err(InputError::new(format!("`{text}` is no play clock")).with_help("expected a time such as `15s`")),
    }
}

/// The result of a series and where it comes from.
struct Report<'a> {
    experiment: &'a Experiment,
    budget: Budget,
    summary: &'a Summary,
    /// Limits that ended searches and that nobody asked for.
    limits: Vec<UnaskedLimit>,
}

impl Report<'_> {
    /// The name of the game, as the game says it.
    fn game(&self) -> &str {
        &self.experiment.games[0].game.spec().name
    }

    /// The agents' mean times of a decision, in milliseconds.
    fn milliseconds(&self) -> impl Iterator<Item = f64> {
        self.summary.timings.iter().flatten().map(|timing| timing.milliseconds)
    }

    fn json(&self, result: &PairingSummary) -> Value {
        let addresses: Vec<&String> = self.summary.agents.iter().map(|agent| &agent.address).collect();
        let seats = result.by_seat.iter().zip(&result.mean_payoffs).zip(&result.thinking);
        let figures = addresses.iter().zip(seats).zip(self.milliseconds());
        let figures = figures.map(|((agent, ((by_seat, mean_payoff), thinking)), milliseconds)| {
            json!({
                "agent": agent,
                "by_seat": by_seat,
                "mean_payoff": mean_payoff,
                "playouts_per_decision": thinking.playouts,
                "depth_per_decision": thinking.depth,
                "milliseconds_per_decision": milliseconds,
            })
        });
        let mut value = json!({
            "game": self.game(),
            "agents": addresses,
            "games": self.summary.matches,
            "matches": self.summary.matches,
            "wins": result.tally.wins,
            "draws": result.tally.draws,
            "losses": result.tally.losses,
            "win_rate": result.win_rate,
            "interval": result.interval,
            "pair_interval": result.pair_interval,
            "elo": result.elo,
            "superiority": result.superiority,
            "duplicates": result.duplicates,
            "figures": figures.collect::<Vec<_>>(),
            "mean_steps": result.mean_steps,
            "fouls": result.fouls,
            "forfeited": result.forfeited,
            "seed": json!(self.summary)["seed"],
            "budget": self.budget.to_string(),
            "complete": self.summary.complete,
            "limits": self.limits.iter().map(UnaskedLimit::json).collect::<Vec<_>>(),
            "summary": self.summary,
        });
        if let Some(start) = &self.summary.start {
            value["start"] = json!(start);
        }
        if let Some(sprt) = &result.sprt {
            value["sprt"] = json!(sprt);
            value["stopped_early"] = result.stopped_early.into();
        }
        value
    }

    fn print(&self, result: &PairingSummary, asked: u64, output: &mut Output) {
        let Summary { matches, seed, start, .. } = self.summary;
        let start = start.as_deref().and_then(|start| start.parse().ok());
        let start = start.map_or(String::new(), |start| format!(", start clock {}", times::budget(&start)));
        let (game, budget) = (self.game(), times::budget(&self.budget));
        output.line(format!("{game}: {matches} matches, seed {seed}, budget {budget}{start}"));
        if *matches > asked {
            output.line(format!("rounded up from {asked}, so that every agent takes every seat equally often"));
        }
        if self.experiment.fixed_seats {
            output.line("the agents kept their seats: a pair is a single match");
        }
        self.print_result(result, output);
        verdict(result, self.experiment).into_iter().for_each(|verdict| output.line(verdict));
        self.print_seats(result, output);
        if let Some(steps) = result.mean_steps {
            output.line(format!("{steps:.1} steps a match"));
        }
        self.limits.iter().for_each(|limit| output.line(limit.to_string()));
        duplicates(result, output);
        biased(result, output);
        for foul in &result.fouls {
            output.line(format!("forfeit: {foul}"));
        }
        if result.forfeited > result.fouls.len() as u64 {
            output.line(format!("forfeits in all: {}", result.forfeited));
        }
    }

    /// The result from the first agent's view.
    fn print_result(&self, result: &PairingSummary, output: &mut Output) {
        let mut header = vec!["agent", "W-D-L", "win rate", "95 % over pairs|low|high"];
        let mut row = vec![
            Cell::from(result.first.as_str()),
            Cell::from(format!("{}-{}-{}", result.tally.wins, result.tally.draws, result.tally.losses)),
            Cell::share(result.win_rate),
            Cell::shares(result.pair_interval),
        ];
        // With more than two players, half of the points is not an even result.
        if let (Some(elo), 2) = (&result.elo, result.by_seat.len().max(result.by_seat[0].len())) {
            let EloDifference { elo, low, high } = *elo;
            header.extend(["Elo", "95 % over pairs|elo low|elo high", "superiority"]);
            row.extend([Cell::elo(elo), Cell::elos(low, high), Cell::share(result.superiority)]);
        }
        let mut lines = table(&header);
        lines.add_row(row);
        output.table(&lines);
        output.line(format!("win rate by Wilson over single matches, 95 %: {}", interval(result.interval)));
    }

    /// What each agent did in each seat, as a table.
    fn print_seats(&self, result: &PairingSummary, output: &mut Output) {
        let players = &self.experiment.games[0].game.spec().players;
        let mut header = vec!["agent".to_owned()];
        header.extend(players.iter().map(|player| format!("as {player} W-D-L")));
        header.extend(["mean payoff", "playouts", "depth", "time a decision|seconds a decision"].map(str::to_owned));
        let mut lines = table(&header);
        let seats = result.by_seat.iter().zip(&result.mean_payoffs).zip(&result.thinking);
        for ((agent, ((by_seat, payoff), thinking)), time) in result.agents.iter().zip(seats).zip(self.milliseconds()) {
            let mut row = vec![Cell::from(agent.as_str())];
            row.extend(
                by_seat.iter().map(|tally| Cell::from(format!("{}-{}-{}", tally.wins, tally.draws, tally.losses))),
            );
            row.push(payoff.map_or(Cell::from(""), |payoff| Cell::decimal(payoff, 3)));
            row.push(Cell::count(thinking.playouts.round() as u64));
            row.push(Cell::decimal(thinking.depth, 1));
            row.push(Cell::time(time / 1e3));
            lines.add_row(row);
        }
        output.table(&lines);
    }
}
