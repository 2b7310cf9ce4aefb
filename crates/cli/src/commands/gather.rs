//! `tesuji run --queue`

use std::sync::Arc;
use std::time::Instant;

use indicatif::ProgressBar;
use tesuji_arena::experiment::Experiment;
use tesuji_arena::files::FileSet;
use tesuji_arena::store::Store;
use tesuji_arena::{InputError, RunEnd, Source, Summary, grouped, summarise};
use tesuji_queue::{CollectorOptions, Published, collect};

use super::queue::server;
use super::run::{TELL_EVERY, progress_bar, standing};
use super::work::notices;
use crate::arguments::{HowToRun, QueueRunOptions};
use crate::interrupt;
use crate::output::Output;

/// Lets workers play what the store lacks of an experiment, behind a progress bar, and sums up its run.
pub(crate) fn gather(
    (experiment, files): (&Experiment, FileSet),
    source: &Source,
    store: &mut Store,
    (url, how): (&str, &HowToRun),
    output: &Output,
) -> Result<(RunEnd, Summary), InputError> {
    let QueueRunOptions { priority, patience, time_budgets, replicas, login, .. } = &how.queue;
    let options = CollectorOptions {
        server: server(url, login, *replicas)?,
        priority: *priority,
        patience: *patience,
        time_budgets: *time_budgets,
    };
    let bar = if output.is_quiet() { ProgressBar::hidden() } else { progress_bar("pairs") };
    let mut last_told = Instant::now();
    let stop = interrupt::flag();
    let experiment = Arc::new(experiment.clone());
    let (name, text) = (source.name().to_owned(), source.text().to_owned());
    let published = Published { experiment: Arc::clone(&experiment), name, text, files };
    let end = collect(published, store, &options, notices(&bar, output), stop, |view| {
        let report = view.report;
        interrupt::played(report.matches, output.is_json());
        let (workers, threads, rate) = (report.workers, report.threads, grouped(report.pairs_per_hour as u64));
        let text = format!(
            "{}; {workers} worker(s), {threads} thread(s), {rate} pairs/h",
            standing(&experiment, view.progress)
        );
        bar.set_length(report.total);
        bar.set_position(report.done);
        if !bar.is_hidden() {
            bar.set_message(text);
        } else if last_told.elapsed() >= TELL_EVERY {
            last_told = Instant::now();
            output.tell(format!("{}/{} pairs  {text}", report.done, report.total));
        }
    });
    bar.finish_and_clear();
    let end = end?;
    let summary = summarise(&experiment, store, end.run, how.timings)?;
    Ok((end, summary))
}
