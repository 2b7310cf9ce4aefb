//! `tesuji bench`

use std::time::Duration;

use serde_json::json;
use tesuji_arena::{BenchPlan, InputError, game_infos, open};

use crate::arguments::BenchOptions;
use crate::output::{Output, grouped, table};

pub fn run(options: &BenchOptions, output: &mut Output) -> Result<(), InputError> {
    let plan = BenchPlan {
        time: Duration::from_secs_f64(options.seconds),
        policy: options.policy.clone(),
        uct_playouts: options.uct_playouts,
    };
    let addresses = if options.games.is_empty() {
        game_infos().iter().map(|info| info.examples[0].to_owned()).collect()
    } else {
        options.games.clone()
    };
    // Wrong names are told before anything is measured.
    let games = addresses.iter().map(|address| open(address)).collect::<Result<Vec<_>, _>>()?;
    let mut lines = table(&["game", "engine", "policy", "playouts/s", "steps/s", "steps a playout", "UCT playouts/s"]);
    for game in games {
        let result = game.bench(&plan)?;
        if output.is_json() {
            output.value(&json!(result));
            continue;
        }
        lines.add_row([
            result.game,
            result.engine.to_owned(),
            result.policy,
            grouped(result.playouts_per_second as u64),
            grouped(result.steps_per_second as u64),
            format!("{:.1}", result.steps_per_playout),
            grouped(result.uct_playouts_per_second as u64),
        ]);
    }
    if !output.is_json() {
        output.line(lines.to_string());
        output.line(format!(
            "one thread, {} s a figure; UCT plays itself at {} playouts a move",
            options.seconds,
            grouped(options.uct_playouts)
        ));
    }
    Ok(())
}
