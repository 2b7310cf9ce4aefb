//! `tesuji games`

use serde_json::{Value, json};
use tesuji_arena::{Catalogue, InputError};

use crate::output::{Output, table};

pub(crate) fn run(catalogue: &Catalogue, output: &mut Output) -> Result<(), InputError> {
    let mut rows = Vec::new();
    let mut lines = table(&["game", "players", "features", "what it is"]);
    for info in catalogue.games() {
        let game = catalogue.open(info.examples[0])?;
        let spec = game.spec();
        let keys: Vec<&str> = info.parameters.iter().map(|parameter| parameter.name).collect();
        let address =
            if keys.is_empty() { info.name.to_owned() } else { format!("{}({})", info.name, keys.join(", ")) };
        lines.add_row([&address, &spec.players.len().to_string(), &spec.features.to_string(), info.summary]);
        rows.push(json!({
            "name": info.name,
            "features": spec.features.names(),
            "parameters": info.parameters,
            "summary": info.summary,
            "players": spec.players,
            "version": spec.version,
            "engine": game.engine(),
            "examples": info.examples,
            "knowledge": game.knowledge(),
        }));
    }
    if output.is_json() {
        output.value(&Value::Array(rows));
    } else {
        output.line(lines.to_string());
        output.line("All parameters have defaults unless they say otherwise; `tesuji games --json` tells them all.");
    }
    Ok(())
}
