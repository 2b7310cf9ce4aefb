//! `tesuji compare`

use serde_json::json;
use tesuji_arena::{Catalogue, InputError, compare};

use crate::arguments::CompareOptions;
use crate::commands::report::summaries_of;
use crate::output::{Output, percent, table};

pub(crate) fn run(catalogue: &Catalogue, options: &CompareOptions, output: &mut Output) -> Result<(), InputError> {
    let [one, two] = [&options.one, &options.two].map(|path| summaries_of(catalogue, path, false));
    let (one, two) = (one?, two?);
    let pairs = one.iter().flat_map(|one| two.iter().map(move |two| (one, two)));
    let differences: Vec<_> = pairs.flat_map(|(one, two)| compare(one, two)).collect();
    if differences.is_empty() {
        return Err(InputError::new("the two stores have no pairing in common")
            .with_help("pairings are matched by the labels of game, first and second agent"));
    }
    if output.is_json() {
        output.value(&json!(differences));
        return Ok(());
    }
    let mut lines = table(&["game", "first", "second", "one", "two", "p-value"]);
    for difference in &differences {
        let rate = |rate: Option<f64>| rate.map_or("not determinable".to_owned(), percent);
        lines.add_row([
            difference.game.clone(),
            difference.first.clone(),
            difference.second.clone(),
            rate(difference.win_rates[0]),
            rate(difference.win_rates[1]),
            difference.test.as_ref().map_or("not determinable".to_owned(), |test| format!("{:.4}", test.p_value)),
        ]);
    }
    output.line(lines.to_string());
    Ok(())
}
