//! `tesuji perft`

use serde_json::json;
use tesuji_arena::{Catalogue, InputError, grouped};

use crate::arguments::PerftOptions;
use crate::output::{Output, table};

pub(crate) fn run(catalogue: &Catalogue, options: &PerftOptions, output: &mut Output) -> Result<(), InputError> {
    let game = catalogue.open(&options.game)?;
    let counts = game.perft(options.depth);
    if output.is_json() {
        output.value(&json!({ "game": game.spec().name, "perft": counts }));
        return Ok(());
    }
    let mut lines = table(&["steps", "paths"]);
    for (index, &count) in counts.iter().enumerate() {
        lines.add_row([(index + 1).to_string(), grouped(count)]);
    }
    output.line(game.spec().name.as_str());
    output.line(lines.to_string());
    Ok(())
}
