//! `tesuji bench`

use std::time::Duration;

use serde_json::json;
use tesuji_arena::{AgentBench, BenchPlan, Catalogue, InputError, bench_arena, grouped, thread_count};

use tesuji_arena::gdl::LANES;

use crate::arguments::BenchOptions;
use crate::output::{Output, percent, table};

pub(crate) fn run(catalogue: &Catalogue, options: &BenchOptions, output: &mut Output) -> Result<(), InputError> {
    if options.arena {
        return arena(catalogue, options, output);
    }
    let plan = BenchPlan {
        time: Duration::from_secs_f64(options.seconds),
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
    let opened = addresses.iter().map(|address| match &options.engine {
        Some(engine) => catalogue.open_on(address, engine),
        None => catalogue.open(address),
    });
    let games = opened.collect::<Result<Vec<_>, _>>()?;
    let mut lines =
        table(&["game", "engine", "loaded in", "policy", "playouts/s", "steps/s", "steps a playout", "UCT playouts/s"]);
    let header = [
        "game",
        "agent",
        "nodes/s",
        "playouts/s",
        "ms a decision",
        "slowest",
        "ms a turn",
        "slowest",
        "depth",
        "decisions",
    ];
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
                result.game.clone(),
                agent.agent.clone(),
                grouped(agent.nodes_per_second as u64),
                grouped(agent.playouts_per_second as u64),
                format!("{:.2}", agent.milliseconds_per_decision),
                format!("{:.2}", agent.milliseconds_of_slowest_decision),
                format!("{:.2}", agent.milliseconds_per_turn),
                format!("{:.2}", agent.milliseconds_of_slowest_turn),
                format!("{:.1}", agent.depth_per_decision),
                grouped(agent.decisions),
            ]);
        }
        lines.add_row([
            result.game,
            result.engine.to_owned(),
            format!("{:.3} s", result.load_seconds),
            result.policy,
            grouped(result.playouts_per_second as u64),
            grouped(result.steps_per_second as u64),
            format!("{:.1}", result.steps_per_playout),
            grouped(result.uct_playouts_per_second as u64),
        ]);
    }
    if !output.is_json() {
        output.line(lines.to_string());
        if !plan.agents.is_empty() {
            output.line(agent_lines.to_string());
            notes.into_iter().for_each(|note| output.line(note));
        }
        output.line(format!(
            "one thread, {} s a figure; UCT plays itself at {} playouts a move",
            options.seconds,
            grouped(options.uct_playouts)
        ));
    }
    Ok(())
}

/// Pairs of matches for each second asked for: enough to measure, few enough to wait for.
const PAIRS_PER_SECOND: f64 = 100.0;

fn arena(catalogue: &Catalogue, options: &BenchOptions, output: &mut Output) -> Result<(), InputError> {
    let scratch = std::env::temp_dir().join(format!("tesuji-bench-{}", std::process::id()));
    let wrong = |error: std::io::Error| InputError::new(error.to_string()).in_file(scratch.display());
    std::fs::create_dir_all(&scratch).map_err(wrong)?;
    let pairs = (options.seconds * PAIRS_PER_SECOND).ceil() as u64;
    let result = bench_arena(catalogue, &scratch, thread_count(None), pairs);
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
