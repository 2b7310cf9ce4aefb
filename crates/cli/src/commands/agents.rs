//! `tesuji agents`

use serde_json::json;
use tesuji_arena::{Catalogue, InputError};

use crate::arguments::AgentsOptions;
use crate::output::{Output, table};

pub(crate) fn run(catalogue: &Catalogue, options: &AgentsOptions, output: &mut Output) -> Result<(), InputError> {
    let infos = match &options.game {
        Some(game) => catalogue.open(game)?.able_agents(),
        None => catalogue.agents().to_vec(),
    };
    if output.is_json() {
        output.value(&json!(infos));
        return Ok(());
    }
    for info in &infos {
        let preset = info.preset_of.map_or(String::new(), |kind| format!(" (a preset of {kind})"));
        output.line(format!("{}{preset}: {}", info.name, info.summary));
        output.line(format!("  handles {}", info.handles));
        let mut parameters = table(&["parameter", "default", "meaning"]);
        for parameter in &info.parameters {
            let default = parameter.default.as_deref().unwrap_or("(must be given)");
            parameters.add_row([parameter.name, default, parameter.summary]);
        }
        if !info.parameters.is_empty() && info.preset_of.is_none() {
            output.line(parameters.to_string());
        }
        output.line("");
    }
    Ok(())
}
