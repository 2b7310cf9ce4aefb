//! `tesuji laws`

use serde_json::json;
use tesuji_arena::{Catalogue, InputError, Report, Violation};

use crate::arguments::LawsOptions;
use crate::failure::{Failure, Outcome, open};
use crate::output::Output;
use crate::parallel::in_order;

pub(crate) fn run(catalogue: &Catalogue, options: &LawsOptions, threads: usize, output: &mut Output) -> Outcome {
    let addresses: Vec<String> = if options.games.is_empty() {
        catalogue.games().iter().flat_map(|info| info.examples).map(|&example| example.to_owned()).collect()
    } else {
        options.games.clone()
    };
    let check = |number: usize| Ok(open(catalogue, &addresses[number])?.check_laws(options.seed));
    let mut broken = Vec::new();
    in_order(addresses.len(), threads, check, |number, checked: Result<_, Failure>| {
        let (address, checked) = (addresses[number].as_str(), checked?);
        if checked.is_err() {
            broken.push(address);
        }
        print(address, &checked, output);
        Ok(())
    })?;
    if broken.is_empty() {
        return Ok(());
    }
    let message = format!("{} of {} games break a law: {}", broken.len(), addresses.len(), broken.join(", "));
    Err(Failure::Fault(InputError::new(message)))
}

fn print(address: &str, checked: &Result<Report, Violation>, output: &mut Output) {
    match checked {
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
}
