//! `tesuji regret`

use serde_json::json;
use tesuji_arena::{Catalogue, RegretPlan, SolvePlan};

use crate::arguments::RegretOptions;
use crate::failure::{Outcome, check_agent, open};
use crate::interrupt;
use crate::output::{Output, percent, table};
use crate::table::Cell;

/// How exact values are where play can go in circles.
const TOLERANCE: f64 = 1e-9;

pub(crate) fn run(catalogue: &Catalogue, options: &RegretOptions, output: &mut Output) -> Outcome {
    interrupt::say("stopped before all was measured");
    let game = open(catalogue, &options.game)?;
    // Agents that cannot play are refused before anything is measured.
    options.agent.iter().try_for_each(|agent| check_agent(game.as_ref(), agent))?;
    let limits = SolvePlan { most_nodes: options.nodes, tolerance: TOLERANCE, stop: None };
    let plan = RegretPlan {
        agents: options.agent.clone(),
        playouts: options.playouts.clone(),
        positions: options.positions,
        seed: options.seed,
    };
    let report = game.regret(&plan, &limits)?;
    if output.is_json() {
        output.value(&json!(report));
        return Ok(());
    }
    let first = &game.spec().players[0];
    output.line(format!(
        "{}, worth {:.6} to {first}; {} positions of random matches",
        report.game, report.value, options.positions
    ));
    let mut lines =
        table(&["agent", "playouts", "regret", "±", "optimal", "greatest", "time a decision|seconds a decision"]);
    for point in &report.points {
        lines.add_row([
            Cell::from(point.agent.as_str()),
            Cell::count(point.playouts),
            Cell::decimal(point.regret, 4),
            Cell::decimal(1.96 * point.error, 4),
            Cell::from(percent(point.optimal)),
            Cell::decimal(point.greatest, 4),
            Cell::time(point.milliseconds / 1e3),
        ]);
    }
    output.table(&lines);
    Ok(())
}
