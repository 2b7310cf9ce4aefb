//! `tesuji merge`

use serde_json::json;
use tesuji_arena::{InputError, grouped, merge};

use crate::arguments::MergeOptions;
use crate::output::Output;

pub(crate) fn run(options: &MergeOptions, output: &mut Output) -> Result<(), InputError> {
    let end = merge(&options.into, &options.parts)?;
    if output.is_json() {
        output.value(&json!({ "store": options.into, "runs": end.runs, "matches_read": end.matches }));
    } else {
        let into = options.into.display();
        output.line(format!("{into}: {} run(s); {} matches read", end.runs, grouped(end.matches)));
    }
    Ok(())
}
