//! `tesuji queue`

use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use tesuji_arena::store::Store;
use tesuji_arena::{Catalogue, Collection, InputError, grouped, stored_experiment};
use tesuji_queue::simulate::{Simulated, SimulationPlan, page, simulate};
use tesuji_queue::{
    ExperimentReport, OverheadBench, OverheadTurn, QueueBenchPlan, QueueStatus, ServerOptions, Spread, WorkerStatus,
    allow, bench_collector, purge, purge_store, remove, status,
};
use tesuji_web::QueueWatch;

use crate::arguments::{
    LoginOptions, QueueBenchOptions, QueueCommand, QueueOptions, QueuePurgeOptions, QueueSimulateOptions,
    QueueStatusOptions, QueueWorkersOptions,
};
use crate::failure::Outcome;
use crate::output::{Output, read_text, table, write_text};
use crate::table::Cell;
use crate::times;

pub(crate) fn run(catalogue: &Catalogue, options: &QueueOptions, threads: usize, output: &mut Output) -> Outcome {
    match &options.command {
        QueueCommand::Status(options) => show_status(options, output)?,
        QueueCommand::Purge(options) => remove_results(catalogue, options, output)?,
        QueueCommand::Allow(options) => {
            allow(&server(&options.url, &options.login, 1)?, &options.worker)?;
            output.line(format!("worker `{}` may work again", options.worker));
        }
        QueueCommand::Remove(options) => {
            remove(&server(&options.url, &options.login, 1)?, &options.id)?;
            output.line(format!("`{}` is not in the queue any more", options.id));
        }
        QueueCommand::Workers(options) => show_workers(catalogue, options, output)?,
        QueueCommand::Simulate(options) => show_simulation(options, output)?,
        QueueCommand::Bench(options) => measure(catalogue, options, threads, output)?,
    }
    Ok(())
}

/// What the lab shows of a queue: its status, asked for each time.
pub(crate) fn watch(url: &str, login: &LoginOptions) -> Result<QueueWatch, InputError> {
    let server = server(url, login, 1)?;
    Ok(QueueWatch::new(move || status(&server).map(|found| json!(found))))
}

/// The server of a command, with the secrets from files or the environment.
pub(crate) fn server(url: &str, login: &LoginOptions, replicas: u8) -> Result<ServerOptions, InputError> {
    let secret = |file: &Option<std::path::PathBuf>, name: &str| -> Result<Option<String>, InputError> {
        match file {
            Some(path) => Ok(Some(first_line(path)?)),
            None => Ok(std::env::var(name).ok().filter(|text| !text.is_empty())),
        }
    };
    let user = login.user.clone().or_else(|| std::env::var("TESUJI_QUEUE_USER").ok());
    Ok(ServerOptions {
        url: url.to_owned(),
        user,
        password: secret(&login.password_file, "TESUJI_QUEUE_PASSWORD")?,
        token: secret(&login.token_file, "TESUJI_QUEUE_TOKEN")?,
        credentials: login.credentials.clone(),
        tls: login.tls,
        authority: login.tls_ca.clone(),
        certificate: login.tls_cert.clone().zip(login.tls_key.clone()),
        replicas: usize::from(replicas),
    })
}

fn first_line(path: &Path) -> Result<String, InputError> {
    let source = read_text(path)?;
    match source.text().lines().next().map(str::trim) {
        Some(line) if !line.is_empty() => Ok(line.to_owned()),
        _ => Err(InputError::new("expected a password or a token on the first line").in_file(path.display())),
    }
}

fn show_status(options: &QueueStatusOptions, output: &mut Output) -> Result<(), InputError> {
    let found = status(&server(&options.url, &options.login, 1)?)?;
    if output.is_json() {
        output.value(&json!(found));
        return Ok(());
    }
    let QueueStatus { experiments, workers } = &found;
    if experiments.is_empty() {
        output.line("no experiment is in the queue");
    } else {
        show_experiments(experiments, output);
    }
    if workers.is_empty() {
        output.line("no worker was heard of in the last hour");
    } else {
        show_live(workers, output);
    }
    for experiment in experiments {
        for name in &experiment.deviating {
            output.line(format!("warning: the results of worker `{name}` deviate in `{}`", experiment.title));
        }
        if let Some(spread) = experiment.speed_spread.filter(|spread| *spread > tesuji_arena::SPEED_TOLERANCE) {
            output.line(format!(
                "warning: workers of `{}` differ in speed by {:.0} %, and it has time budgets",
                experiment.title,
                spread * 100.0
            ));
        }
    }
    for worker in workers {
        for (title, reason) in &worker.report.refused {
            output.line(format!("`{}` does not play `{title}`: {reason}", worker.report.name));
        }
    }
    Ok(())
}

fn show_experiments(experiments: &[ExperimentReport], output: &mut Output) {
    let mut lines = table(&[
        "id",
        "experiment",
        "priority",
        "pairs",
        "of",
        "workers",
        "threads",
        "pairs/h",
        "left|seconds left",
        "refused",
    ]);
    for report in experiments {
        let left = match (report.finished, report.seconds_left) {
            (true, _) => Cell::from("finished"),
            (false, Some(seconds)) => Cell::time(seconds.round()),
            (false, None) => Cell::from("unknown"),
        };
        lines.add_row([
            Cell::from(report.id.chars().take(8).collect::<String>()),
            Cell::from(report.title.as_str()),
            Cell::count(report.priority.into()),
            Cell::count(report.done),
            Cell::count(report.total),
            Cell::count(report.workers as u64),
            Cell::count(report.threads as u64),
            Cell::count(report.pairs_per_hour as u64),
            left,
            Cell::count(report.refused),
        ]);
    }
    output.table(&lines);
}

fn show_live(workers: &[WorkerStatus], output: &mut Output) {
    let mut lines = table(&["worker", "version", "threads", "playouts/s", "pairs", "pairs/h", "seen", "plays"]);
    for WorkerStatus { report, seconds_ago, banned } in workers {
        let plays = match (banned, report.playing.is_empty()) {
            (true, _) => "banned".to_owned(),
            (false, true) => "nothing".to_owned(),
            (false, false) => report.playing.join(", "),
        };
        lines.add_row([
            Cell::from(report.name.as_str()),
            Cell::from(report.version.as_str()),
            Cell::count(report.threads as u64),
            Cell::count(report.speed as u64),
            Cell::count(report.pairs),
            Cell::count(report.pairs_per_hour as u64),
            Cell::from(format!("{} ago", times::seconds(seconds_ago.round()))),
            Cell::from(plays),
        ]);
    }
    output.table(&lines);
}

fn remove_results(catalogue: &Catalogue, options: &QueuePurgeOptions, output: &mut Output) -> Result<(), InputError> {
    let QueuePurgeOptions { url, worker, store, keep_working, login } = options;
    let removed = match (store, url) {
        (Some(path), _) => purge_store(catalogue, path, worker)?,
        (None, Some(url)) => purge(&server(url, login, 1)?, worker, !keep_working)?.iter().sum(),
        (None, None) => return Err(InputError::new("expected a server or `--store`")),
    };
    if output.is_json() {
        output.value(&json!({ "worker": worker, "removed": removed }));
    } else {
        let next = if store.is_some() { "the next run plays them again" } else { "they are played again" };
        output.line(format!("{} result(s) of `{worker}` were removed; {next}", grouped(removed)));
        if store.is_none() && !keep_working {
            output.hint(format!("`{worker}` is banned; `tesuji queue allow` lifts the ban"));
        }
    }
    Ok(())
}

fn show_workers(catalogue: &Catalogue, options: &QueueWorkersOptions, output: &mut Output) -> Result<(), InputError> {
    // A collector may be writing to the store: it is only read.
    let store = Store::read(&options.store)?;
    let mut lines = table(&["experiment", "worker", "pairs", "playouts/s", "χ²", "degrees", "p", "deviates"]);
    let mut found = Vec::new();
    for run in store.runs()? {
        let experiment = Arc::new(stored_experiment(catalogue, &run)?);
        let collection = Collection::read(experiment, &run, &store)?;
        for (name, residual) in collection.residuals() {
            let speed = collection.speeds().get(&name).copied();
            found.push(json!({
                "experiment": run.title, "worker": name, "pairs": residual.pairs, "speed": speed, "residual": residual,
            }));
            lines.add_row([
                Cell::from(run.title.as_str()),
                Cell::from(name.as_str()),
                Cell::count(residual.pairs),
                Cell::count(speed.unwrap_or(0.0) as u64),
                Cell::decimal(residual.chi_square, 1),
                Cell::count(residual.freedom),
                Cell::decimal(residual.p_value, 4),
                Cell::from(if residual.deviates { "yes" } else { "no" }),
            ]);
        }
    }
    if output.is_json() {
        found.iter().for_each(|worker| output.value(worker));
    } else if found.is_empty() {
        output.line("no worker of a queue played for this store");
    } else {
        output.table(&lines);
    }
    Ok(())
}

fn show_simulation(options: &QueueSimulateOptions, output: &mut Output) -> Result<(), InputError> {
    let sensible = |&workers: &usize| (1..=1_000_000).contains(&workers);
    if !options.workers.iter().all(sensible) || !options.longest_task.iter().all(|&time| time > 0.0) {
        return Err(InputError::new("expected numbers of workers from 1 to 1,000,000, and times above 0"));
    }
    let mut results = Vec::new();
    for &longest_task in &options.longest_task {
        for &workers in &options.workers {
            results.push(simulate(&SimulationPlan {
                workers,
                longest_task,
                length: options.length.as_secs_f64(),
                session: options.session.as_secs_f64(),
                seed: options.seed,
                ..SimulationPlan::default()
            }));
        }
    }
    if let Some(path) = &options.html {
        write_text(path, &page(&results).html())?;
    }
    if let Some(path) = &options.markdown {
        write_text(path, &page(&results).markdown())?;
    }
    if output.is_json() {
        results.iter().for_each(|found| output.value(&json!(found)));
        return Ok(());
    }
    let mut lines = table(&[
        "workers",
        "longest task",
        "pairs/s",
        "efficiency",
        "wasted",
        "idle",
        "tail",
        "messages/s",
        "busy",
        "MB",
    ]);
    for found in &results {
        let Simulated { workers, longest_task, pairs_per_second, efficiency, wasted, idle, tail, .. } = found;
        lines.add_row([
            Cell::count(*workers as u64),
            Cell::time(*longest_task),
            Cell::count(*pairs_per_second as u64),
            Cell::share(Some(*efficiency)),
            Cell::share(Some(*wasted)),
            Cell::share(Some(*idle)),
            Cell::time(tail.round()),
            Cell::count(found.messages_per_second as u64),
            Cell::share(Some(found.collector_busy)),
            Cell::decimal(found.megabytes, 1),
        ]);
    }
    output.table(&lines);
    Ok(())
}

fn measure(
    catalogue: &Catalogue,
    options: &QueueBenchOptions,
    threads: usize,
    output: &mut Output,
) -> Result<(), InputError> {
    let scratch = std::env::temp_dir().join(format!("tesuji-queue-bench-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)
        .map_err(|error| InputError::new(format!("cannot create the folder: {error}")).in_file(scratch.display()))?;
    let plan = QueueBenchPlan {
        server: ServerOptions { url: options.url.clone(), replicas: 1, ..ServerOptions::default() },
        arguments: vec!["--queue".to_owned(), options.url.clone()],
        pairs: options.pairs,
        workers: options.workers,
        seconds: options.time.as_secs_f64(),
        threads,
        turns: usize::from(options.turns),
        scratch: scratch.clone(),
    };
    let figures = bench_collector(catalogue, &plan);
    drop(std::fs::remove_dir_all(&scratch));
    let figures = figures?;
    if output.is_json() {
        output.value(&json!(figures));
        return Ok(());
    }
    output.line(format!(
        "collector: {} pairs of tiny matches a second, from {} workers ({} pairs)",
        grouped(figures.pairs_per_second as u64),
        figures.workers,
        grouped(figures.pairs)
    ));
    if let Some(megabytes) = figures.collector_megabytes {
        output.line(format!("collector: {megabytes:.0} MB at most, with {} workers connected", figures.workers));
    }
    match &figures.overhead {
        Some(found) => show_overhead(found, output),
        None => Ok(()),
    }
}

fn show_overhead(found: &OverheadBench, output: &mut Output) -> Result<(), InputError> {
    let mut lines = table(&["turn", "run", "queue", "run, processor", "queue, processor"]);
    let seconds = |seconds: Option<f64>| seconds.map_or(Cell::from("unknown"), |seconds| Cell::decimal(seconds, 2));
    for (number, turn) in found.turns.iter().enumerate() {
        let OverheadTurn { alone, queued, alone_processor, queued_processor } = *turn;
        lines.add_row([
            Cell::count(number as u64 + 1),
            seconds(Some(alone)),
            seconds(Some(queued)),
            seconds(alone_processor),
            seconds(queued_processor),
        ]);
    }
    output.line(format!(
        "overhead: seconds of {} turns ({} pairs, {} playouts or 10 ms a decision, {} threads; {})",
        found.turns.len(),
        found.pairs,
        grouped(found.playouts),
        found.threads,
        if found.same_summary { "summaries are the same" } else { "SUMMARIES DIFFER" }
    ));
    output.table(&lines);
    let share = |spread: &Spread| {
        let Spread { median, least, most } = *spread;
        format!("{:.1} % (median; {:.1} to {:.1} %)", median * 100.0, least * 100.0, most * 100.0)
    };
    output.line(format!("overhead in time: {}", share(&found.time)));
    if let Some(processor) = &found.processor {
        let server = if found.server_counted { "with the server" } else { "without the server, which is elsewhere" };
        output.line(format!("overhead in processor time, {server}: {}", share(processor)));
    }
    if !found.same_summary {
        return Err(InputError::new("the summaries of both runs differ"));
    }
    Ok(())
}
