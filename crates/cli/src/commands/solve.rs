//! `tesuji solve`

use std::path::Path;

use serde_json::json;
use tesuji_arena::{
    BoardPlan, BoardSolution, Catalogue, InputError, OpenBoard, SolvePlan, certified_game, grouped, solve_boards,
};

use crate::arguments::SolveOptions;
use crate::failure::{Outcome, open};
use crate::interrupt;
use crate::output::{Output, percent, read_text, write_text};
use crate::times;

pub(crate) fn run(catalogue: &Catalogue, options: &SolveOptions, output: &mut Output) -> Outcome {
    if let Some(path) = &options.check {
        return check(catalogue, path, output);
    }
    let name = options.game.as_deref().unwrap_or_default();
    let plan = SolvePlan { most_nodes: options.nodes, tolerance: options.tolerance, stop: None };
    if let Some(sum) = options.table {
        interrupt::say("stopping; the boards solved so far follow");
        let plan = SolvePlan { stop: Some(interrupt::flag()), ..plan };
        let which = BoardPlan { sum: sum.into(), cells: options.cells.into(), patience: options.patience };
        return Ok(boards(name, &which, &plan, output)?);
    }
    // There is nothing to keep of a solution that is not finished: the program ends at once.
    interrupt::say("stopped before it was solved");
    let game = open(catalogue, name)?;
    let solution = game.solve(options.state.as_deref(), &plan)?;
    if let Some(path) = &options.certificate {
        write_text(path, &game.certificate(options.state.as_deref(), &plan)?)?;
    }
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

/// Checks a certificate.
fn check(catalogue: &Catalogue, path: &Path, output: &mut Output) -> Outcome {
    let source = read_text(path)?;
    let text = source.text();
    let in_file = |error: InputError| error.in_file(path.display());
    let address = certified_game(text).map_err(in_file)?;
    let checked = open(catalogue, address)?.check_certificate(text).map_err(in_file)?;
    if output.is_json() {
        output.value(&json!(checked));
        return Ok(());
    }
    output.line(format!("{} from {}", checked.game, checked.state));
    output.line(format!("value {}: all {} claims hold", checked.value, grouped(checked.claims as u64)));
    Ok(())
}

/// Every board up to a size, or those that were solved before somebody stopped: as JSON one object a board, as text
/// tables in Markdown.
fn boards(name: &str, which: &BoardPlan, plan: &SolvePlan<'_>, output: &mut Output) -> Result<(), InputError> {
    let is_json = output.is_json();
    let mut boards: Vec<BoardSolution> = Vec::new();
    let tell = |board: &BoardSolution| {
        if is_json {
            output.value(&json!(board));
        }
        boards.push(board.clone());
    };
    let ended = solve_boards(name, which, plan, tell);
    if is_json {
        return ended.map(|open| open.iter().for_each(|open| output.value(&json!({ "open": open }))));
    }
    if !boards.is_empty() {
        tables(name, &boards, output);
    }
    ended.map(|open| left_open(&open, output))
}

/// Classes, values, the first step of every board, and what it cost.
fn tables(name: &str, boards: &[BoardSolution], output: &mut Output) {
    let most = |side: fn(&BoardSolution) -> usize| boards.iter().map(side).max().unwrap_or(0);
    let (rows, columns) = (most(|board| board.rows.min(board.columns)), most(|board| board.columns));
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
    let value = |board: &BoardSolution| board.exact.clone().unwrap_or_else(|| format!("{:.9}", board.value));
    print("classes", &|board| board.class.clone(), output);
    print("values", &value, output);
    output.line(format!("{name}, boards on which both can move: an optimal first step and its cost\n"));
    output.line("| board | class | value | vertical | horizontal | positions | seconds |");
    output.line("| --- | --- | --- | --- | --- | ---: | ---: |");
    for board in boards.iter().filter(|board| board.first_step.iter().all(|step| !step.is_empty())) {
        let [vertical, horizontal] = board.first_step.each_ref().map(|step| {
            let share = |(action, share): &(String, String)| match &share[..] {
                "1" => action.clone(),
                share => format!("{action} {share}"),
            };
            step.iter().map(share).collect::<Vec<_>>().join(", ")
        });
        output.line(format!(
            "| {}×{} | {} | {} | {vertical} | {horizontal} | {} | {:.2} |",
            board.rows,
            board.columns,
            board.class,
            value(board),
            grouped(board.nodes),
            board.seconds
        ));
    }
    let nodes: u64 = boards.iter().map(|board| board.nodes).sum();
    let seconds: f64 = boards.iter().map(|board| board.seconds).sum();
    let bytes = boards.iter().map(|board| board.bytes).max().unwrap_or(0) as u64;
    output.line(format!(
        "\n{} boards, {} positions, {} of processor time, {} MB",
        boards.len(),
        grouped(nodes),
        times::seconds(seconds),
        grouped(bytes.div_ceil(1_000_000))
    ));
}

fn left_open(open: &[OpenBoard], output: &mut Output) {
    for board in open {
        let why = if board.lacked_memory { "no more memory" } else { "no more patience" };
        let (nodes, time) = (grouped(board.nodes), times::seconds(board.seconds));
        output.line(format!("open: {}×{}, {why} after {nodes} positions in {time}", board.rows, board.columns));
    }
}
