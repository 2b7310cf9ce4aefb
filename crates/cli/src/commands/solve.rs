//! `tesuji solve`

use serde_json::json;
use tesuji_arena::{BoardSolution, Catalogue, InputError, SolvePlan, grouped, solve_boards};

use crate::arguments::SolveOptions;
use crate::failure::{Outcome, open};
use crate::interrupt;
use crate::output::{Output, percent};
use crate::times;

pub(crate) fn run(catalogue: &Catalogue, options: &SolveOptions, output: &mut Output) -> Outcome {
    let plan = SolvePlan { most_nodes: options.nodes, tolerance: options.tolerance, stop: None };
    if let Some(up_to) = options.table {
        interrupt::say("stopping; the boards solved so far follow");
        let plan = SolvePlan { stop: Some(interrupt::flag()), ..plan };
        return Ok(boards(&options.game, up_to.into(), &plan, output)?);
    }
    // There is nothing to keep of a solution that is not finished: the program ends at once.
    interrupt::say("stopped before it was solved");
    let game = open(catalogue, &options.game)?;
    let solution = game.solve(options.state.as_deref(), &plan)?;
    if output.is_json() {
        output.value(&json!(solution));
        return Ok(());
    }
    let first = &game.spec().players[0];
    output.line(&solution.game);
    let exact = solution.exact.map_or(String::new(), |exact| format!(" (exactly {exact})"));
    output.line(format!("value for {first}: {}{exact}", solution.value));
    if let Some(class) = &solution.class {
        output.line(format!("class {class}"));
    }
    if solution.error > 0.0 {
        output.line(format!("off by at most {:.1e}", solution.error));
    }
    for strategy in &solution.strategy {
        let actions = strategy.actions.iter().map(|(action, share)| match *share {
            1.0 => action.clone(),
            share => format!("{action} ({})", percent(share)),
        });
        output.line(format!("{} plays {}", strategy.player, actions.collect::<Vec<_>>().join(", ")));
    }
    let (nodes, time) = (grouped(solution.nodes), times::seconds(solution.seconds));
    output.line(format!("{}: {nodes} states in {time}", solution.method));
    Ok(())
}

/// Every board up to a size, or those that were solved before somebody stopped: as JSON one object a board, as text two
/// tables in Markdown.
fn boards(name: &str, up_to: usize, plan: &SolvePlan<'_>, output: &mut Output) -> Result<(), InputError> {
    let is_json = output.is_json();
    let mut boards: Vec<BoardSolution> = Vec::new();
    let tell = |board: &BoardSolution| {
        if is_json {
            output.value(&json!(board));
        }
        boards.push(board.clone());
    };
    let ended = solve_boards(name, up_to, plan, tell);
    if is_json || boards.is_empty() {
        return ended;
    }
    let most = |side: fn(&BoardSolution) -> usize| boards.iter().map(side).max().unwrap_or(0);
    let (rows, columns) = (most(|board| board.rows), most(|board| board.columns));
    let print = |title: &str, text: &dyn Fn(&BoardSolution) -> String, output: &mut Output| {
        output.line(format!("{name}, {title}\n"));
        let header: Vec<String> = (1..=columns).map(|column| column.to_string()).collect();
        output.line(format!("| m\\n | {} |", header.join(" | ")));
        output.line(format!("|{}", " --- |".repeat(columns + 1)));
        for row in 1..=rows {
            let find = |column| boards.iter().find(|board| (board.rows, board.columns) == (row, column));
            let cells: Vec<String> = (1..=columns).map(|column| find(column).map_or(String::new(), text)).collect();
            output.line(format!("| {row} | {} |", cells.join(" | ")));
        }
        output.line("");
    };
    print("classes", &|board| board.class.clone(), output);
    print("values", &|board| board.exact.clone().unwrap_or_else(|| format!("{:.9}", board.value)), output);
    let nodes: u64 = boards.iter().map(|board| board.nodes).sum();
    let seconds: f64 = boards.iter().map(|board| board.seconds).sum();
    output.line(format!("{} boards, {} states, {}", boards.len(), grouped(nodes), times::seconds(seconds)));
    ended
}
