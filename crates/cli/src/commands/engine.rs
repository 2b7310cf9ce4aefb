//! `tesuji engine` and `tesuji engine-check`

use std::io;

use serde_json::json;
use tesuji_arena::{Catalogue, InputError};
use tesuji_peers::engine::{self, CheckPlan, EngineReport, Verdict, check_engine};

use crate::arguments::{EngineCheckOptions, EngineOptions};
use crate::output::{Output, table};

pub(crate) fn run(catalogue: &Catalogue, options: &EngineOptions, output: &Output) -> Result<(), InputError> {
    let options = engine::EngineOptions {
        catalogue: catalogue.clone(),
        agent: options.agent.clone(),
        budget: options.budget.parse()?,
        thinking: !output.is_quiet(),
    };
    engine::serve(&options, io::stdin(), io::stdout().lock())
}

/// One game of each sort, small enough to be played in a moment.
const GAMES: [&str; 5] =
    ["tic-tac-toe", "goofspiel(4)", "pig(10)", "tubstap(map=one-blow)", "gdl(rock-paper-scissors)"];

pub(crate) fn check(
    catalogue: &Catalogue,
    options: &EngineCheckOptions,
    output: &mut Output,
) -> Result<(), InputError> {
    let games = match options.game.is_empty() {
        true => GAMES.iter().map(|game| (*game).to_owned()).collect(),
        false => options.game.clone(),
    };
    let report = check_engine(
        catalogue,
        &CheckPlan {
            command: options.command.clone(),
            games,
            patience: options.patience,
            time: options.time,
            margin: options.margin,
            seed: options.seed,
        },
    )?;
    if output.is_json() {
        output.value(&json!(report));
    } else {
        print(&report, output);
    }
    match report.conforms() {
        true => Ok(()),
        false => Err(InputError::new("the engine does not keep to the protocol")
            .with_help("docs/protocols/engine.md describes every message")),
    }
}

fn print(report: &EngineReport, output: &mut Output) {
    let mut lines = table(&["", "check", "seen"]);
    for finding in &report.findings {
        let verdict = match finding.verdict {
            Verdict::Right => "right",
            Verdict::Wrong => "WRONG",
            Verdict::Note => "note",
        };
        lines.add_row([verdict, &finding.check, &finding.message]);
    }
    output.table(&lines);
    if let (Some(middle), Some(greatest)) = (report.latency_milliseconds, report.greatest_latency_milliseconds) {
        output.line(format!(
            "latency over {} decisions: median {middle:.1} ms, greatest {greatest:.1} ms",
            report.decisions
        ));
    }
}
