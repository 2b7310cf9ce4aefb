//! `tesuji match`

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tesuji_arena::{Budget, Catalogue, InputError, SeriesPlan, SeriesResult, play_series, thread_count};

use crate::arguments::MatchOptions;
use crate::interrupt;
use crate::output::{Output, percent, table};

pub fn run(catalogue: &Catalogue, options: &MatchOptions, output: &mut Output) -> Result<(), InputError> {
    let game = catalogue.open(&options.game)?;
    let (budget, limit) = match &options.play_clock {
        Some(clock) => play_clock(clock)?,
        None => (options.budget.parse()?, None),
    };
    let plan = SeriesPlan {
        agents: options.agents.clone(),
        games: options.games,
        seed: options.seed,
        budget,
        start: options.start_clock.as_deref().map(Budget::from_clock).transpose()?,
        limit,
        threads: thread_count(options.threads.map(usize::from)),
    };
    let bar = ProgressBar::new(plan.games);
    let style = "{bar:30} {pos}/{len} games  {msg}  {elapsed} elapsed, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    let result = play_series(game.as_ref(), &plan, interrupt::flag(), |tally| {
        bar.set_position(tally.games());
        let rate = tally.rate().map_or(String::new(), percent);
        bar.set_message(format!("{}-{}-{} {rate}", tally.wins, tally.draws, tally.losses));
    });
    bar.finish_and_clear();
    let result = result?;
    if output.is_json() {
        output.value(&json!(result));
    } else {
        print(&result, &game.spec().players, output);
    }
    Ok(())
}

/// What may be late on its way: as much as the public server of general game playing waits beyond the clock.
const GRACE: Duration = Duration::from_secs(1);

/// A play clock as a budget and a hard limit.
fn play_clock(text: &str) -> Result<(Budget, Option<Duration>), InputError> {
    let clock = Budget::from_clock(text)?;
    match clock {
        Budget { time: Some(time), playouts: None, nodes: None } => Ok((clock, Some(time + GRACE))),
        _ => Err(InputError::new(format!("`{text}` is no play clock")).with_help("expected a time such as `15s`")),
    }
}

fn print(result: &SeriesResult, players: &[String], output: &mut Output) {
    let interval = |bounds: Option<(f64, f64)>| {
        bounds.map_or("not determinable".to_owned(), |(low, high)| format!("{} to {}", percent(low), percent(high)))
    };
    let tally = result.tally;
    let start = result.start.as_ref().map_or(String::new(), |start| format!(", start clock {start}"));
    let SeriesResult { game, games, seed, budget, .. } = result;
    output.line(format!("{game}: {games} games, seed {seed}, budget {budget}{start}"));
    output.line(format!("{}  W-D-L {}-{}-{}", result.agents[0], tally.wins, tally.draws, tally.losses));
    let rate = result.win_rate.map_or("not determinable".to_owned(), percent);
    output.line(format!(
        "win rate {rate}  (95 %: {} by Wilson, {} over pairs)",
        interval(result.interval),
        interval(result.pair_interval)
    ));
    let seats: Vec<String> = players.iter().map(|player| format!("as {player} W-D-L")).collect();
    let mut header = vec!["agent"];
    header.extend(seats.iter().map(String::as_str));
    header.extend(["mean payoff", "playouts", "depth", "ms a decision"]);
    let mut lines = table(&header);
    for figures in &result.figures {
        let mut row = vec![figures.agent.clone()];
        row.extend(figures.by_seat.iter().map(|tally| format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)));
        row.push(format!("{:.3}", figures.mean_payoff));
        row.push(format!("{:.0}", figures.playouts_per_decision));
        row.push(format!("{:.1}", figures.depth_per_decision));
        row.push(format!("{:.3}", figures.milliseconds_per_decision));
        lines.add_row(row);
    }
    output.line(lines.to_string());
    output.line(format!("{:.1} steps a match", result.mean_steps));
    for foul in &result.fouls {
        output.line(format!("forfeit: {foul}"));
    }
}
