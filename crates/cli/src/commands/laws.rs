//! `tesuji laws`

use serde_json::json;
use tesuji_arena::statistics::{COVERED_PAIRS, Coverage};
use tesuji_arena::{Catalogue, InputError, Report, Violation, coverage_table};

use crate::arguments::LawsOptions;
use crate::failure::{Failure, Outcome, open};
use crate::output::{Output, percent};
use crate::parallel::in_order;

/// In place of a game: the law that intervals of win rates keep.
const STATISTICS: &str = "statistics";

/// Series for each truth: the standard error of a coverage of 95 % is 0.3 points.
const SERIES: u64 = 5000;

pub(crate) fn run(catalogue: &Catalogue, options: &LawsOptions, threads: usize, output: &mut Output) -> Outcome {
    if options.games == [STATISTICS] {
        return Ok(statistics(catalogue, options.seed, output)?);
    }
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

/// How often the interval over pairs contains the true win rate, as a Markdown table: `docs/statistics.md` holds it.
fn statistics(catalogue: &Catalogue, seed: u64, output: &mut Output) -> Result<(), InputError> {
    let rows = coverage_table(catalogue, seed, SERIES)?;
    if output.is_json() {
        rows.iter().for_each(|row| output.value(&json!(row)));
        return Ok(());
    }
    let heads: Vec<String> = COVERED_PAIRS.iter().map(|pairs| format!("{pairs} pairs")).collect();
    output.line(format!("| truth | win rate | {} |", heads.join(" | ")));
    output.line(format!("| --- | ---: | {} |", COVERED_PAIRS.map(|_| "---:").join(" | ")));
    for truth in rows.chunk_by(|one, two| (&one.truth, one.win_rate) == (&two.truth, two.win_rate)) {
        let Coverage { truth: name, win_rate, .. } = &truth[0];
        let shares: Vec<String> = truth.iter().map(|row| percent(row.coverage)).collect();
        output.line(format!("| {name} | {} | {} |", percent(*win_rate), shares.join(" | ")));
    }
    output.line("");
    output.line("| above 99 % | win rate | pairs | coverage | least that any interval can have |");
    output.line("| --- | ---: | ---: | ---: | ---: |");
    for Coverage { truth, win_rate, pairs, coverage, least, .. } in rows.iter().filter(|row| row.coverage > 0.99) {
        let least = least.map_or("not known".to_owned(), percent);
        let (rate, coverage) = (percent(*win_rate), percent(*coverage));
        output.line(format!("| {truth} | {rate} | {pairs} | {coverage} | {least} |"));
    }
    Ok(())
}
