//! `tesuji reproduce`

use serde_json::{Value, json};
use tesuji_arena::{Availability, Catalogue, InputError, library, library_entry};

use crate::arguments::{HowToRun, ReproduceOptions, ScaleChoice};
use crate::commands::run::run_source;
use crate::output::{Output, table};

pub(crate) fn run(catalogue: &Catalogue, options: &ReproduceOptions, output: &mut Output) -> Result<(), InputError> {
    let Some(id) = &options.id else {
        list(output);
        return Ok(());
    };
    let source = library_entry(id)?.source()?;
    let HowToRun { store, threads, shard, scale, timings } = &options.how;
    let scale = if options.quick { ScaleChoice::Quick } else { *scale };
    let how = HowToRun { store: store.clone(), threads: *threads, shard: *shard, scale, timings: *timings };
    run_source(catalogue, &source, id, &how, output)
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
    output.line(lines.to_string());
    output.line("`tesuji reproduce TABLE --quick` runs one in about a minute.");
}
