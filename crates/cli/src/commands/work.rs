//! `tesuji work`

use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tesuji_arena::{Catalogue, grouped};
use tesuji_queue::{Notice, WorkerOptions, WorkerView, work};

use super::queue::server;
use crate::arguments::WorkOptions;
use crate::failure::Outcome;
use crate::interrupt;
use crate::output::Output;

pub(crate) fn run(catalogue: &Catalogue, options: &WorkOptions, threads: usize, output: &mut Output) -> Outcome {
    let bar = if output.is_quiet() { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    let style = ProgressStyle::with_template("{spinner} {msg}  {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    let notice = notices(&bar, output);
    let greeting = Arc::clone(&notice);
    let options = WorkerOptions {
        server: server(&options.url, &options.login, 1)?,
        name: options.name.clone(),
        threads,
        programs: options.allow_programs,
        idle: options.until_idle,
    };
    interrupt::say("leaving; the tasks in hand go back to the queue");
    let stop = interrupt::flag();
    let mut told = false;
    let ended = work(catalogue, &options, notice, stop, |view| {
        if !told {
            told = true;
            greeting(format!("worker `{}`: {} playouts/s, {threads} thread(s)", view.name, rate(view)));
        }
        bar.set_message(line(view));
        bar.tick();
    });
    bar.finish_and_clear();
    let view = ended?;
    if output.is_json() {
        output.value(&json!({ "worker": view.name, "pairs": view.pairs, "speed": view.speed }));
    } else {
        output.line(format!("worker `{}` played {} pair(s)", view.name, grouped(view.pairs)));
    }
    // Leaving is the usual end of a worker: searches in hand need not be awaited.
    interrupt::end_now(0)
}

fn rate(view: &WorkerView) -> String {
    grouped(view.speed as u64)
}

fn line(view: &WorkerView) -> String {
    let pairs = grouped(view.pairs);
    match view.playing.as_slice() {
        [] => format!("{pairs} pairs; waiting for an experiment"),
        [one] => format!("{pairs} pairs, {} task(s) in hand; {one}", view.tasks),
        several => format!("{pairs} pairs, {} task(s) in hand; {} experiments", view.tasks, several.len()),
    }
}

/// Prints what happens, above a bar if there is one. Quiet commands say nothing.
pub(crate) fn notices(bar: &ProgressBar, output: &Output) -> Notice {
    let (bar, quiet) = (bar.clone(), output.is_quiet());
    Arc::new(move |text: String| {
        if bar.is_hidden() {
            if !quiet {
                eprintln!("{text}");
            }
        } else {
            bar.println(text);
        }
    })
}
