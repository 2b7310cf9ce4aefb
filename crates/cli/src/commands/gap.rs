//! `tesuji gap`

use serde_json::json;
use tesuji_arena::{Catalogue, GapPlan, InputError, SolvePlan, gap_plot, grouped};

use crate::arguments::GapOptions;
use crate::interrupt;
use crate::output::{Output, table, write_text};

/// Games with circles are not solved here; the tolerance is never asked for.
const TOLERANCE: f64 = 1e-9;

pub fn run(catalogue: &Catalogue, options: &GapOptions, output: &mut Output) -> Result<(), InputError> {
    interrupt::say("stopped before all was measured");
    let game = catalogue.open(&options.game)?;
    // Wrong agents are told before anything is measured.
    options.agent.iter().try_for_each(|agent| game.check_agent(agent))?;
    let limits = SolvePlan { most_nodes: options.nodes, tolerance: TOLERANCE, stop: None };
    let mut reports = Vec::new();
    for agent in &options.agent {
        let plan = GapPlan {
            agent: agent.clone(),
            playouts: options.playouts.clone(),
            repeats: options.repeats,
            seed: options.seed,
        };
        let report = game.gaps(options.state.as_deref(), &plan, &limits)?;
        if output.is_json() {
            output.value(&json!(report));
        }
        reports.push(report);
    }
    if !output.is_json() {
        let mut lines = table(&["agent", "playouts", "player", "gap", "±", "greatest", "ms a decision"]);
        for report in &reports {
            for point in &report.points {
                lines.add_row([
                    report.agent.clone(),
                    grouped(point.playouts),
                    point.player.clone(),
                    format!("{:.4}", point.gap),
                    format!("{:.4}", 1.96 * point.error),
                    format!("{:.4}", point.greatest),
                    point.milliseconds.map_or(String::new(), |milliseconds| format!("{milliseconds:.2}")),
                ]);
            }
        }
        if let Some(report) = reports.first() {
            let first = &game.spec().players[0];
            output.line(format!(
                "{}, worth {:.6} to {first}; {} decisions a figure",
                report.game, report.value, options.repeats
            ));
        }
        output.line(lines.to_string());
    }
    if let Some(path) = &options.svg {
        let plot = gap_plot(&reports).ok_or_else(|| InputError::new("there is nothing to plot"))?;
        write_text(path, &plot)?;
    }
    Ok(())
}
