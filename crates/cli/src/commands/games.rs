//! `tesuji games`

use serde_json::{Value, json};
use tesuji_arena::{AnyGame, Catalogue, GameInfo, InputError, ParameterInfo};

use crate::arguments::GamesOptions;
use crate::failure::{Outcome, open};
use crate::output::{Output, table};
use crate::table::Cell;

pub(crate) fn run(catalogue: &Catalogue, options: &GamesOptions, output: &mut Output) -> Outcome {
    match &options.game {
        Some(address) => show(catalogue, address, output),
        None => Ok(list(catalogue, output)?),
    }
}

fn list(catalogue: &Catalogue, output: &mut Output) -> Result<(), InputError> {
    let mut rows = Vec::new();
    let mut lines = table(&["game", "players", "features", "what it is"]);
    for info in catalogue.games() {
        let game = catalogue.open(info.examples[0])?;
        let spec = game.spec();
        lines.add_row([
            Cell::from(info.name),
            Cell::count(spec.players.len() as u64),
            Cell::from(spec.features.to_string()),
            Cell::from(info.summary),
        ]);
        rows.push(described(info, game.as_ref()));
    }
    if output.is_json() {
        output.value(&Value::Array(rows));
    } else {
        output.table(&lines);
        output.hint("`tesuji games NAME` shows one with its parameters, examples and board.");
    }
    Ok(())
}

fn described(info: &GameInfo, game: &dyn AnyGame) -> Value {
    let spec = game.spec();
    json!({
        "name": info.name,
        "features": spec.features.names(),
        "parameters": info.parameters,
        "summary": info.summary,
        "players": spec.players,
        "version": spec.version,
        "engine": game.engine(),
        "examples": info.examples,
        "knowledge": game.knowledge(),
    })
}

fn show(catalogue: &Catalogue, address: &str, output: &mut Output) -> Outcome {
    let game = open(catalogue, address)?;
    let name = address.split('(').next().unwrap_or(address).trim();
    let info = catalogue.games().iter().find(|info| info.name == name);
    let info = info.ok_or_else(|| InputError::new(format!("there is no game `{name}`")))?;
    let start = game.new_match(None)?;
    if output.is_json() {
        let mut value = described(info, game.as_ref());
        value["board"] = start.board_text().into();
        value["agents"] = game.able_agents().iter().map(|agent| agent.name).collect();
        output.value(&value);
        return Ok(());
    }
    let spec = game.spec();
    output.heading(address);
    output.item("", info.summary, 0);
    output.line("");
    output.line(start.board_text().trim_end_matches('\n'));
    output.line("");
    output.line(format!("players   {}", spec.players.join(", ")));
    if !spec.features.is_empty() {
        output.line(format!("features  {}", spec.features));
    }
    output.line(format!("payoffs   {} to {}", spec.payoffs.0, spec.payoffs.1));
    for (actor, name) in start.actors() {
        output.line(format!("first     {name} has {} action(s)", start.legal(actor).len()));
    }
    let knowledge = game.knowledge();
    for (title, named) in [("policies", &knowledge.policies), ("values", &knowledge.evaluations)] {
        if !named.is_empty() {
            let names: Vec<&str> = named.iter().map(|named| named.name).collect();
            output.line(format!("{title:<9} {}", names.join(", ")));
        }
    }
    if !info.parameters.is_empty() {
        output.line("");
        print_parameters(&info.parameters, output);
    }
    output.line("");
    output.heading("Examples");
    for example in info.examples {
        let quote = if example.contains('(') { "'" } else { "" };
        output.line(format!("  tesuji show {quote}{example}{quote}"));
    }
    let agents = game.able_agents();
    let quote = if address.contains('(') { "'" } else { "" };
    output.hint(format!(
        "\n{} agents can play it: `tesuji agents --game {quote}{address}{quote}`. Against one: `tesuji play \
         {quote}{address}{quote}`.",
        agents.len()
    ));
    Ok(())
}

/// The parameters of a game or an agent.
pub(super) fn print_parameters(parameters: &[ParameterInfo], output: &mut Output) {
    let mut lines = table(&["parameter", "default", "meaning"]);
    for parameter in parameters {
        let default = parameter.default.as_deref().unwrap_or("(must be given)");
        let mut meaning = parameter.summary.to_owned();
        if !parameter.bundled.is_empty() {
            meaning.push_str(&format!(" (bundled: {})", parameter.bundled.join(", ")));
        }
        lines.add_row([parameter.name, default, &meaning]);
    }
    output.table(&lines);
}
