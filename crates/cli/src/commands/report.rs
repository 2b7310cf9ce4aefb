//! `tesuji report`

use serde_json::json;
use tesuji_arena::store::Store;
use tesuji_arena::{InputError, Summary, html, markdown, stored_experiment, summarise};

use crate::arguments::ReportOptions;
use crate::output::{Output, write_text};

pub fn run(options: &ReportOptions, output: &mut Output) -> Result<(), InputError> {
    let mut summaries: Vec<Summary> = Vec::new();
    for path in &options.stores {
        let store = Store::read(path)?;
        for run in store.runs()? {
            summaries.push(summarise(&stored_experiment(&run)?, &store, run.id, options.timings)?);
        }
    }
    if let Some(path) = &options.html {
        write_text(path, &html(&summaries))?;
    }
    if let Some(path) = &options.markdown {
        write_text(path, &markdown(&summaries))?;
    }
    if output.is_json() {
        summaries.iter().for_each(|summary| output.value(&json!(summary)));
    } else if options.html.is_none() && options.markdown.is_none() {
        output.line(markdown(&summaries));
    } else {
        for path in [&options.html, &options.markdown].into_iter().flatten() {
            output.line(format!("written to {}", path.display()));
        }
    }
    Ok(())
}
