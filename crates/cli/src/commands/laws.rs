//! `tesuji laws`

use serde_json::json;
use tesuji_arena::{Catalogue, InputError};

use crate::arguments::LawsOptions;
use crate::output::Output;

pub(crate) fn run(catalogue: &Catalogue, options: &LawsOptions, output: &mut Output) -> Result<(), InputError> {
    let addresses: Vec<String> = if options.games.is_empty() {
        catalogue.games().iter().flat_map(|info| info.examples).map(|&example| example.to_owned()).collect()
    } else {
        options.games.clone()
    };
    let mut broken = Vec::new();
    for address in &addresses {
        let checked = catalogue.open(address)?.check_laws(options.seed);
        match &checked {
            Ok(report) if output.is_json() => output.value(&json!({
                "game": address, "lawful": true, "matches": report.matches, "steps": report.steps, "states": report.states,
            })),
            Ok(report) => output.line(format!(
                "{address}: lawful ({} matches, {} steps, {} states examined)",
                report.matches, report.steps, report.states
            )),
            Err(violation) if output.is_json() => {
                output.value(&json!({ "game": address, "lawful": false, "violation": violation.to_string() }));
            }
            Err(violation) => output.line(format!("{address}: {violation}")),
        }
        if checked.is_err() {
            broken.push(address.as_str());
        }
    }
    if broken.is_empty() {
        return Ok(());
    }
    Err(InputError::new(format!("{} of {} games break a law: {}", broken.len(), addresses.len(), broken.join(", "))))
}
