//! `tesuji compare`

use serde_json::json;
use tesuji_arena::{Catalogue, InputError, compare};

use crate::arguments::CompareOptions;
use crate::commands::report::summaries_of;
use crate::output::{Output, table};
use crate::table::{Cell, UNKNOWN};

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
        lines.add_row([
            Cell::from(difference.game.as_str()),
            Cell::from(difference.first.as_str()),
            Cell::from(difference.second.as_str()),
            Cell::share(difference.win_rates[0]),
            Cell::share(difference.win_rates[1]),
            difference.test.as_ref().map_or(Cell::from(UNKNOWN), |test| Cell::decimal(test.p_value, 4)),
        ]);
    }
    output.table(&lines);
    Ok(())
}
