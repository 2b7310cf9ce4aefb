//! `tesuji lab`

use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use serde_json::json;
use tesuji_arena::{Catalogue, InputError};
use tesuji_web::{LabOptions as Lab, Limits, bench, start};

use super::queue::watch;
use crate::arguments::LabOptions;
use crate::interrupt;
use crate::output::Output;

/// How often Ctrl-C is looked for.
const CHECK_EVERY: Duration = Duration::from_millis(100);

pub(crate) fn run(
    catalogue: &Catalogue,
    options: &LabOptions,
    threads: usize,
    output: &mut Output,
) -> Result<(), InputError> {
    if let Some(matches) = options.bench {
        return measure(catalogue, usize::from(matches), threads, output);
    }
    let lab = start(Lab {
        catalogue: catalogue.clone(),
        host: options.host,
        port: options.port,
        token: options.token.clone(),
        folder: options.data.clone(),
        threads: Some(threads),
        queue: options.queue.as_ref().map(|url| watch(url, &options.login)).transpose()?,
        limits: Limits { programs: options.programs, ..Limits::default() },
    })?;
    if output.is_json() {
        output.value(&json!({ "url": lab.url(), "token": lab.token(), "data": options.data }));
    } else {
        output.line(format!("The lab is open at  {}", lab.url()));
        output.line(format!("Matches, uploads and results are kept in `{}`. Ctrl-C ends it.", options.data.display()));
    }
    interrupt::say("the lab is closing");
    let asked = interrupt::flag();
    while !asked.load(Ordering::SeqCst) {
        thread::sleep(CHECK_EVERY);
    }
    lab.stop();
    Ok(())
}

fn measure(catalogue: &Catalogue, matches: usize, threads: usize, output: &mut Output) -> Result<(), InputError> {
    let figures = bench(catalogue.clone(), matches, Some(threads))?;
    if output.is_json() {
        output.value(&json!(figures));
        return Ok(());
    }
    output.line(format!("{} matches of agents at once, {} threads search", figures.matches, figures.threads));
    for request in &figures.requests {
        output.line(format!(
            "{:<28} {:>6} requests  p50 {:>7.2} ms  p99 {:>7.2} ms  greatest {:>7.2} ms",
            request.name, request.count, request.p50, request.p99, request.greatest
        ));
    }
    output.line(format!("{} decisions meanwhile", figures.decisions));
    Ok(())
}
