//! `tesuji bench`

use serde_json::json;
use tesuji_arena::gdl::LANES;
use tesuji_arena::{AgentBench, BenchPlan, Catalogue, Clock, InputError, bench_arena, grouped};

use crate::arguments::BenchOptions;
use crate::failure::{Outcome, about, check_agent};
use crate::output::{Output, percent, table};
use crate::table::Cell;
use crate::times;

pub(crate) fn run(catalogue: &Catalogue, options: &BenchOptions, threads: usize, output: &mut Output) -> Outcome {
    if options.arena {
        return Ok(arena(catalogue, options, threads, output)?);
    }
    let plan = BenchPlan {
        time: options.seconds,
        policy: options.policy.clone(),
        uct_playouts: options.uct_playouts,
        batch: options.engine.as_deref() == Some(LANES),
        agents: options.agent.clone(),
    };
    let addresses = if options.games.is_empty() {
        catalogue.games().iter().map(|info| info.examples[0].to_owned()).collect()
    } else {
        options.games.clone()
    };
    // Wrong names are told before anything is measured.
    let opened = addresses.iter().map(|address| {
        let opened = match &options.engine {
            Some(engine) => catalogue.open_on(address, engine),
            None => catalogue.open(address),
        };
        opened.map_err(|error| about(address, error))
    });
    let games = opened.collect::<Result<Vec<_>, _>>()?;
    for game in &games {
        plan.agents.iter().try_for_each(|agent| check_agent(game.as_ref(), agent))?;
    }
    let header = [
        "game",
        "engine",
        "loaded in|seconds to load",
        "policy",
        "playouts/s",
        "steps/s",
        "steps a playout",
        "UCT playouts/s",
    ];
    let mut lines = table(&header);
    let header = [
        "game",
        "agent",
        "nodes/s",
        "playouts/s",
        "decision|seconds a decision",
        "slowest|slowest decision",
        "turn|seconds a turn",
        "slowest|slowest turn",
        "depth",
        "decisions",
    ];
    let mut clocks = Vec::new();
    let mut agent_lines = table(&header);
    let mut notes = Vec::new();
    for game in games {
        let result = game.bench(&plan)?;
        if output.is_json() {
            output.value(&json!(result));
            continue;
        }
        for agent in &result.agents {
            if let Some(limit) = &agent.limit {
                let AgentBench { agent, limited_decisions, decisions, .. } = agent;
                notes.push(format!("{agent}: {limited_decisions} of {decisions} searches ended by {limit}"));
            }
            agent_lines.add_row([
                Cell::from(result.game.as_str()),
                Cell::from(agent.agent.as_str()),
                Cell::count(agent.nodes_per_second as u64),
                Cell::count(agent.playouts_per_second as u64),
                Cell::time(agent.milliseconds_per_decision / 1e3),
                Cell::time(agent.milliseconds_of_slowest_decision / 1e3),
                Cell::time(agent.milliseconds_per_turn / 1e3),
                Cell::time(agent.milliseconds_of_slowest_turn / 1e3),
                Cell::decimal(agent.depth_per_decision, 1),
                Cell::count(agent.decisions),
            ]);
            clocks.push((agent.clock, format!("`{}`", agent.agent)));
        }
        lines.add_row([
            Cell::from(result.game),
            Cell::from(result.engine),
            Cell::time(result.load_seconds),
            Cell::from(result.policy),
            Cell::count(result.playouts_per_second as u64),
            Cell::count(result.steps_per_second as u64),
            Cell::decimal(result.steps_per_playout, 1),
            Cell::count(result.uct_playouts_per_second as u64),
        ]);
        clocks.push((result.clock, "playouts".to_owned()));
    }
    if !output.is_json() {
        output.table(&lines);
        if !plan.agents.is_empty() {
            output.table(&agent_lines);
            notes.into_iter().for_each(|note| output.line(note));
        }
        let time = times::time(options.seconds);
        let playouts = grouped(options.uct_playouts);
        output.line(format!("one thread, {time} a figure; UCT plays itself at {playouts} playouts a move"));
        output.line(by_clock(&clocks));
    }
    Ok(())
}

/// Says which clock the figures are by.
fn by_clock(clocks: &[(Clock, String)]) -> String {
    let mut by_wall: Vec<&str> =
        clocks.iter().filter(|(clock, _)| *clock == Clock::Wall).map(|(_, what)| what.as_str()).collect();
    by_wall.sort_unstable();
    by_wall.dedup();
    match by_wall.is_empty() {
        true => "a second is one of processor time: other programs do not change the figures".to_owned(),
        false if by_wall.contains(&"playouts") => "a second is one of wall-clock time".to_owned(),
        false => format!("a second is one of processor time; for {} of wall-clock time", by_wall.join(" and ")),
    }
}

/// Pairs of matches for each second asked for: enough to measure, few enough to wait for.
const PAIRS_PER_SECOND: f64 = 100.0;

fn arena(catalogue: &Catalogue, options: &BenchOptions, threads: usize, output: &mut Output) -> Result<(), InputError> {
    let scratch = std::env::temp_dir().join(format!("tesuji-bench-{}", std::process::id()));
    let wrong = |error: std::io::Error| InputError::new(error.to_string()).in_file(scratch.display());
    std::fs::create_dir_all(&scratch).map_err(wrong)?;
    let pairs = (options.seconds.as_secs_f64() * PAIRS_PER_SECOND).ceil() as u64;
    let result = bench_arena(catalogue, &scratch, threads, pairs);
    std::fs::remove_dir_all(&scratch).map_err(wrong)?;
    let result = result?;
    if output.is_json() {
        output.value(&json!(result));
        return Ok(());
    }
    output.line(format!(
        "harness: {} of the time at {:.0} µs a decision, one thread",
        percent(result.overhead),
        result.microseconds_per_decision
    ));
    output.line(format!("{} threads: {:.2} times as fast as one", result.threads, result.speed_up));
    output.line(format!(
        "random Tic-Tac-Toe: {} matches played and stored a second ({} matches)",
        grouped(result.stored_matches_per_second as u64),
        grouped(result.stored_matches)
    ));
    Ok(())
}
