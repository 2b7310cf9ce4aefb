//! `tesuji reproduce`

use serde_json::{Value, json};
use tesuji_arena::{Availability, Catalogue, library, library_entry};

use crate::arguments::{HowToRun, ReproduceOptions, ScaleChoice};
use crate::commands::run::run_source;
use crate::failure::{OrUsage, Outcome};
use crate::output::{Output, table};

pub(crate) fn run(catalogue: &Catalogue, options: &ReproduceOptions, threads: usize, output: &mut Output) -> Outcome {
    let Some(id) = &options.id else {
        list(output);
        return Ok(());
    };
    let source = library_entry(id).or_usage()?.source()?;
    let HowToRun { store, shard, scale, timings, table } = &options.how;
    let scale = if options.quick { ScaleChoice::Quick } else { *scale };
    let how = HowToRun { store: store.clone(), shard: *shard, scale, timings: *timings, table: *table };
    run_source(catalogue, (&source, id), &how, threads, output)
}

fn list(output: &mut Output) {
    let entries = library();
    if output.is_json() {
        let rows = entries.iter().map(|entry| {
            json!({ "id": entry.id, "title": entry.title, "state": entry.availability(), "waits_for": entry.waits_for, "by_hand": entry.by_hand })
        });
        output.value(&Value::Array(rows.collect()));
        return;
    }
    let mut lines = table(&["table", "what it shows", "state"]);
    for entry in &entries {
        let state = match entry.availability() {
            Availability::Ready => "ready".to_owned(),
            Availability::Waiting => format!("waits for {}", entry.waits_for),
            Availability::ByHand => format!("by hand: {}", entry.by_hand),
        };
        lines.add_row([&entry.id, &entry.title, &state]);
    }
    output.table(&lines);
    output.hint("`tesuji reproduce TABLE --quick` runs one in about a minute.");
}
