//! `tesuji reproduce`

use serde_json::{Value, json};
use tesuji_arena::experiment::{Scale, read_experiment};
use tesuji_arena::{Availability, Catalogue, InputError, Source, grouped, library, library_entry};

use crate::arguments::{HowToRun, ReproduceOptions, ScaleChoice};
use crate::commands::run::run_source;
use crate::failure::{OrUsage, Outcome};
use crate::output::{Output, table};

pub(crate) fn run(catalogue: &Catalogue, options: &ReproduceOptions, threads: usize, output: &mut Output) -> Outcome {
    let Some(id) = &options.id else {
        list(output);
        return Ok(());
    };
    let entry = library_entry(id).or_usage()?;
    if entry.availability() == Availability::NeedsFiles {
        let error = InputError::new(format!("`{id}` needs files that do not come with the program"));
        return Err(error.with_help(entry.needs.as_str()).into());
    }
    let source = entry.source()?;
    let HowToRun { store, shard, scale, timings, table, queue } = &options.how;
    let scale = if options.quick { ScaleChoice::Quick } else { *scale };
    let how =
        HowToRun { store: store.clone(), shard: *shard, scale, timings: *timings, table: *table, queue: queue.clone() };
    if !output.is_json() && !output.is_quiet() {
        // Not part of the result, which may be piped.
        eprintln!("{}", estimate(catalogue, &source, &how, threads)?);
    }
    run_source(catalogue, (&source, id), &how, threads, output)
}

/// What a run costs before it starts: its matches, and the time that the same run took elsewhere.
fn estimate(catalogue: &Catalogue, source: &Source, how: &HowToRun, threads: usize) -> Result<String, InputError> {
    let quick = matches!(how.scale, ScaleChoice::Quick);
    let experiment = read_experiment(catalogue, source, if quick { Scale::Quick } else { Scale::Full })?;
    let pairs = experiment.unit_count(how.shard);
    let share = if let Some((_, parts)) = how.shard { 1.0 / parts as f64 } else { 1.0 };
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
            json!({ "id": entry.id, "title": entry.title, "state": entry.availability(),
                "waits_for": entry.waits_for, "needs": entry.needs,
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
    output.table(&lines);
    output.hint("`tesuji reproduce TABLE --quick` runs one in about a minute.");
}
