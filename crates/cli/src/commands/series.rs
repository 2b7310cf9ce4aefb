//! `tesuji match`

use std::time::Duration;

use serde_json::{Value, json};
use tesuji_arena::experiment::{EnteredGame, Experiment};
use tesuji_arena::statistics::EloDifference;
use tesuji_arena::store::Store;
use tesuji_arena::{Budget, Catalogue, InputError, PairingSummary, RunPlan, Summary, thread_count};

use super::limits::{self, UnaskedLimit};
use super::run::{duplicates, interval, judge, notes, play, sequential};
use crate::arguments::MatchOptions;
use crate::output::{Output, percent, table, write_text};

pub(crate) fn run(catalogue: &Catalogue, options: &MatchOptions, output: &mut Output) -> Result<(), InputError> {
    let (budget, limit) = match &options.play_clock {
        Some(clock) => play_clock(clock)?,
        None => (options.budget.as_deref().unwrap_or(DEFAULT_BUDGET).parse()?, None),
    };
    let asked = options.budget.is_some() || options.play_clock.is_some();
    let game = EnteredGame::open(catalogue, &options.game)?;
    let mut experiment = Experiment::series(game, &options.agents, budget, options.matches, options.seed)?;
    experiment.start = options.start_clock.as_deref().map(Budget::from_clock).transpose()?;
    experiment.overtime = limit;
    // The text is read again only from files.
    let kept = options.save.is_some() || options.store.is_some();
    let text = if kept { experiment.to_toml()? } else { String::new() };
    if let Some(path) = &options.save {
        write_text(path, &text)?;
    }
    let mut store = options.store.as_deref().map_or_else(Store::temporary, Store::open)?;
    notes(&store);
    let plan = RunPlan { threads: thread_count(options.threads.map(usize::from)), shard: None };
    let (end, summary) = play(&experiment, ("match.toml", &text), &mut store, plan, true)?;
    let limits = limits::unasked(catalogue, &experiment, &end.limits, asked);
    let report = Report { experiment: &experiment, budget, summary: &summary, limits };
    if let Some(result) = summary.results.first() {
        if output.is_json() {
            output.value(&report.json(result));
        } else {
            report.print(result, options.matches, output);
        }
    }
    judge(&end, options.store.as_deref())
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
        value
    }

    fn print(&self, result: &PairingSummary, asked: u64, output: &mut Output) {
        let Summary { matches, seed, start, .. } = self.summary;
        let start = start.as_ref().map_or(String::new(), |start| format!(", start clock {start}"));
        let (game, budget, tally) = (self.game(), self.budget, result.tally);
        output.line(format!("{game}: {matches} matches, seed {seed}, budget {budget}{start}"));
        if *matches > asked {
            output.line(format!("rounded up from {asked}, so that every agent takes every seat equally often"));
        }
        output.line(format!("{}  W-D-L {}-{}-{}", result.first, tally.wins, tally.draws, tally.losses));
        output.line(format!(
            "win rate {}  (95 %: {} over pairs, {} by Wilson)",
            result.win_rate.map_or("not determinable".to_owned(), percent),
            interval(result.pair_interval),
            interval(result.interval)
        ));
        // With more than two players, half of the points is not an even result.
        if let (Some(elo), 2) = (&result.elo, result.by_seat.len().max(result.by_seat[0].len())) {
            output.line(format!("Elo {}", elo_text(elo)));
        }
        output.line(self.by_seat(result));
        if let Some(steps) = result.mean_steps {
            output.line(format!("{steps:.1} steps a match"));
        }
        self.limits.iter().for_each(|limit| output.line(limit.to_string()));
        duplicates(result, output);
        sequential(result, output);
        for foul in &result.fouls {
            output.line(format!("forfeit: {foul}"));
        }
        if result.forfeited > result.fouls.len() as u64 {
            output.line(format!("forfeits in all: {}", result.forfeited));
        }
    }

    /// What each agent did in each seat, as a table.
    fn by_seat(&self, result: &PairingSummary) -> String {
        let players = &self.experiment.games[0].game.spec().players;
        let seats: Vec<String> = players.iter().map(|player| format!("as {player} W-D-L")).collect();
        let mut header = vec!["agent"];
        header.extend(seats.iter().map(String::as_str));
        header.extend(["mean payoff", "playouts", "depth", "ms a decision"]);
        let mut lines = table(&header);
        let seats = result.by_seat.iter().zip(&result.mean_payoffs).zip(&result.thinking);
        for ((agent, ((by_seat, payoff), thinking)), time) in result.agents.iter().zip(seats).zip(self.milliseconds()) {
            let mut row = vec![agent.clone()];
            row.extend(by_seat.iter().map(|tally| format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)));
            row.push(payoff.map_or("not determinable".to_owned(), |payoff| format!("{payoff:.3}")));
            row.push(format!("{:.0}", thinking.playouts));
            row.push(format!("{:.1}", thinking.depth));
            row.push(format!("{time:.3}"));
            lines.add_row(row);
        }
        lines.to_string()
    }
}

/// An Elo difference with its interval; the ends that are not determinable are open.
fn elo_text(difference: &EloDifference) -> String {
    let number = |elo: Option<f64>, unknown: &str| elo.map_or(unknown.to_owned(), |elo| format!("{elo:+.0}"));
    let EloDifference { elo, low, high } = *difference;
    let estimate = number(elo, "not determinable");
    format!("{estimate}  (95 %: {} to {} over pairs)", number(low, "-∞"), number(high, "+∞"))
}
