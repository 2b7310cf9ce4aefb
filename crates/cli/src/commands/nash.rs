//! `tesuji nash`

use serde_json::json;
use tesuji_arena::{InputError, bench_nash, grouped, nash};

use crate::arguments::NashOptions;
use crate::output::{Output, table};

pub(crate) fn run(options: &NashOptions, output: &mut Output) -> Result<(), InputError> {
    let Some(file) = &options.file else {
        return bench(options, output);
    };
    let report = nash(file)?;
    if output.is_json() {
        output.value(&json!(report));
        return Ok(());
    }
    let found = report.equilibria.len();
    let count = if found == 1 { "an equilibrium".to_owned() } else { format!("{found} equilibria") };
    output.line(format!("{} ({}): {count} by {}", report.game, report.kind, report.method));
    let mut lines = table(&["", &report.players[0], &report.players[1], "exploitability"]);
    for (index, equilibrium) in report.equilibria.iter().enumerate() {
        let mixes = [0, 1].map(|side| {
            let fractions = equilibrium.fractions.as_ref().map(|fractions| &fractions[side]);
            let actions = equilibrium.strategies[side].actions.iter().enumerate().map(|(place, (action, share))| {
                let share = fractions.map_or_else(|| format!("{share:.6}"), |fractions| fractions[place].clone());
                if share == "1" { action.clone() } else { format!("{action} {share}") }
            });
            actions.collect::<Vec<_>>().join(", ")
        });
        let [first, second] = mixes;
        lines.add_row([(index + 1).to_string(), first, second, format!("{:.1e}", equilibrium.exploitability)]);
        let values = [0, 1].map(|side| match &equilibrium.exact {
            Some(exact) => format!("gets {}", exact[side]),
            None => format!("gets {:.6}", equilibrium.values[side]),
        });
        let [first, second] = values;
        lines.add_row([String::new(), first, second, String::new()]);
    }
    output.table(&lines);
    Ok(())
}

fn bench(options: &NashOptions, output: &mut Output) -> Result<(), InputError> {
    let sizes: Vec<usize> = options.bench.iter().map(|&size| usize::from(size)).collect();
    let results = bench_nash(&sizes, options.seconds);
    if output.is_json() {
        results.iter().for_each(|result| output.value(&json!(result)));
        return Ok(());
    }
    let mut lines = table(&["actions", "entries", "µs a table", "tables", "greatest gap"]);
    for result in results {
        lines.add_row([
            format!("{0} × {0}", result.size),
            result.entries.to_owned(),
            format!("{:.1}", result.microseconds),
            grouped(result.tables),
            format!("{:.1e}", result.greatest_gap),
        ]);
    }
    output.table(&lines);
    Ok(())
}
