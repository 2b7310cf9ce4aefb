//! `tesuji visits`

use serde_json::json;
use tesuji_arena::{Catalogue, ExploitabilityPlan, grouped};

use super::play::find_seat;
use crate::arguments::VisitsOptions;
use crate::failure::{OrUsage, Outcome, check_agent, open};
use crate::output::{Output, percent, table};
use crate::parallel::in_order;

pub(crate) fn run(catalogue: &Catalogue, options: &VisitsOptions, threads: usize, output: &mut Output) -> Outcome {
    let game = open(catalogue, &options.game)?;
    let player = options.seat.as_deref().map(|text| find_seat(game.as_ref(), text)).transpose().or_usage()?;
    options.agent.iter().try_for_each(|agent| check_agent(game.as_ref(), agent))?;
    let count = |number: usize| {
        let plan = ExploitabilityPlan {
            agent: options.agent[number].clone(),
            playouts: options.playouts.clone(),
            repeats: options.repeats,
            seed: options.seed,
        };
        game.joint_visits(options.state.as_deref(), &plan, player)
    };
    in_order(options.agent.len(), threads, count, |_, reports| {
        for report in reports? {
            if output.is_json() {
                output.value(&json!(report));
                continue;
            }
            let runs = if report.decisions == 1 { String::new() } else { format!(", mean of {}", report.decisions) };
            output.line(format!(
                "{}: {} for {}, {} playouts{runs}",
                report.game,
                report.agent,
                report.player,
                grouped(report.playouts)
            ));
            let header: Vec<&str> = [""].into_iter().chain(report.columns.iter().map(String::as_str)).collect();
            let mut lines = table(&header);
            for ((row, visits), most) in report.rows.iter().zip(&report.visits).zip(&report.most_visited) {
                let cells = visits.iter().zip(most).map(|(visits, &most)| match (report.decisions, most) {
                    (1, _) | (_, 0) => format!("{visits:.0}"),
                    (all, most) => format!("{visits:.0} (most in {})", percent(most as f64 / all as f64)),
                });
                lines.add_row([row.clone()].into_iter().chain(cells));
            }
            output.table(&lines);
        }
        Ok(())
    })
}
