//! `tesuji show`

use serde_json::json;
use tesuji_arena::{Catalogue, parse_moves, replay};

use crate::arguments::ShowOptions;
use crate::failure::{OrUsage, Outcome, open};
use crate::output::{Output, read_text, write_text};

pub(crate) fn run(catalogue: &Catalogue, options: &ShowOptions, output: &mut Output) -> Outcome {
    let game = open(catalogue, &options.game)?;
    let table = match &options.moves {
        Some(path) => {
            let source = read_text(path)?;
            replay(game.as_ref(), &source, &parse_moves(&source), &mut |_| ())?
        }
        None => game.new_match(options.state.as_deref()).or_usage()?,
    };
    if let Some(path) = &options.svg {
        write_text(path, &table.picture().svg())?;
    }
    let spec = game.spec();
    let actors = table.actors();
    if output.is_json() {
        let legal: serde_json::Map<_, _> =
            actors.iter().map(|(actor, name)| (name.clone(), json!(table.legal(*actor)))).collect();
        output.value(&json!({
            "game": spec.name,
            "version": spec.version,
            "players": spec.players,
            "features": spec.features.names(),
            "payoffs_range": [spec.payoffs.0, spec.payoffs.1],
            "state": table.state_text(),
            "turn": actors.iter().map(|(_, name)| name).collect::<Vec<_>>(),
            "legal": legal,
            "payoffs": table.payoffs(),
        }));
        return Ok(());
    }
    output.line(format!(
        "{}  (players: {}; features: {})",
        spec.name,
        spec.players.join(", "),
        features(&spec.features.to_string())
    ));
    output.line(table.board_text());
    output.line(format!("state: {}", table.state_text()));
    match table.payoffs() {
        Some(payoffs) => output.line(format!("over; payoffs {payoffs:?}")),
        None => {
            for (actor, name) in actors {
                let legal = table.legal(actor);
                output.line(format!("{name} has {} action(s): {}", legal.len(), legal.join("  ")));
            }
        }
    }
    if let Some(path) = &options.svg {
        output.line(format!("picture written to {}", path.display()));
    }
    Ok(())
}

fn features(names: &str) -> &str {
    if names.is_empty() { "none" } else { names }
}
