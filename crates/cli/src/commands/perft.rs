//! `tesuji perft`

use serde_json::json;
use tesuji_arena::Catalogue;

use crate::arguments::PerftOptions;
use crate::failure::{Outcome, open};
use crate::output::{Output, table};
use crate::table::Cell;

pub(crate) fn run(catalogue: &Catalogue, options: &PerftOptions, output: &mut Output) -> Outcome {
    let game = open(catalogue, &options.game)?;
    let counts = game.perft(options.depth);
    if output.is_json() {
        output.value(&json!({ "game": game.spec().name, "perft": counts }));
        return Ok(());
    }
    let mut lines = table(&["steps", "paths"]);
    for (index, &count) in counts.iter().enumerate() {
        lines.add_row([Cell::count(index as u64 + 1), Cell::count(count)]);
    }
    output.line(game.spec().name.as_str());
    output.table(&lines);
    Ok(())
}
