//! `tesuji reproduce`

use serde_json::{Value, json};
use tesuji_arena::experiment::{Scale, read_experiment};
use tesuji_arena::{Availability, Catalogue, InputError, Source, grouped, library, library_entry, thread_count};

use crate::arguments::{HowToRun, ReproduceOptions, ScaleChoice};
use crate::commands::run::run_source;
use crate::output::{Output, table};

pub(crate) fn run(catalogue: &Catalogue, options: &ReproduceOptions, output: &mut Output) -> Result<(), InputError> {
    let Some(id) = &options.id else {
        list(output);
        return Ok(());
    };
    let entry = library_entry(id)?;
    if entry.availability() == Availability::NeedsFiles {
        return Err(InputError::new(format!("`{id}` needs files that do not come with the program"))
            .with_help(entry.needs.as_str()));
    }
    let source = entry.source()?;
    let HowToRun { store, threads, shard, scale, timings } = &options.how;
    let scale = if options.quick { ScaleChoice::Quick } else { *scale };
    let how = HowToRun { store: store.clone(), threads: *threads, shard: *shard, scale, timings: *timings };
    if !output.is_json() {
        // Not part of the result, which may be piped.
        eprintln!("{}", estimate(catalogue, &source, &how)?);
    }
    run_source(catalogue, &source, id, &how, output)
}

/// What a run costs before it starts: its matches, and the time that the same run took elsewhere.
fn estimate(catalogue: &Catalogue, source: &Source, how: &HowToRun) -> Result<String, InputError> {
    let quick = matches!(how.scale, ScaleChoice::Quick);
    let experiment = read_experiment(catalogue, source, if quick { Scale::Quick } else { Scale::Full })?;
    let pairs = experiment.unit_count(how.shard);
    let share = if let Some((_, parts)) = how.shard { 1.0 / parts as f64 } else { 1.0 };
    let threads = thread_count(how.threads.map(usize::from));
    let time = match experiment.core_hours {
        Some(hours) => {
            let (core, wall) = (hours * share, hours * share / threads as f64);
            format!("about {} of one core, so {} on {threads} thread(s)", duration(core), duration(wall))
        }
        None if quick => "about a minute".to_owned(),
        None => "no estimate of the time".to_owned(),
    };
    Ok(format!("{}: {} pairs of matches; {time}", experiment.title, grouped(pairs)))
}

/// Hours as people say them.
fn duration(hours: f64) -> String {
    match hours {
        hours if hours >= 10.0 => format!("{hours:.0} hours"),
        hours if hours >= 1.0 => format!("{hours:.1} hours"),
        hours if hours * 60.0 >= 1.0 => format!("{:.0} minutes", hours * 60.0),
        hours => format!("{:.0} seconds", (hours * 3600.0).max(1.0)),
    }
}

fn list(output: &mut Output) {
    let entries = library();
    if output.is_json() {
        let rows = entries.iter().map(|entry| {
            json!({ "id": entry.id, "title": entry.title, "state": entry.availability(), "waits_for": entry.waits_for, "needs": entry.needs,
                "by_hand": entry.by_hand })
        });
        output.value(&Value::Array(rows.collect()));
        return;
    }
    let mut lines = table(&["table", "what it shows", "state"]);
    for entry in &entries {
        let state = match entry.availability() {
            Availability::Ready => "ready".to_owned(),
            Availability::NeedsFiles => format!("needs {}", entry.needs),
            Availability::Waiting => format!("waits for {}", entry.waits_for),
            Availability::ByHand => format!("by hand: {}", entry.by_hand),
        };
        lines.add_row([&entry.id, &entry.title, &state]);
    }
    output.line(lines.to_string());
    output.line("`tesuji reproduce TABLE --quick` runs one in about a minute.");
}
