//! `tesuji run`

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tesuji_arena::experiment::{Experiment, Scale, read_experiment};
use tesuji_arena::statistics::{Duplicates, Tally};
use tesuji_arena::store::Store;
use tesuji_arena::{
    Catalogue, ExploitabilityReport, InputError, PairingSummary, RunEnd, RunPlan, RunProgress, Source, Summary,
    WholeGameReport, files, run_experiment, summarise,
};

use super::exploit::nash_conv;
use super::gather::gather;
use super::limits::{self, Seats};
use super::sequential::{biased, verdict};
use super::series::mark_interrupted;
use crate::arguments::{HowToRun, RunOptions, ScaleChoice};
use crate::busy;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::{Output, percent, read_text, table};
use crate::table::{Cell, UNKNOWN};
use crate::times;

pub(crate) fn run(catalogue: &Catalogue, options: &RunOptions, threads: usize, output: &mut Output) -> Outcome {
    let source = read_text(&options.file)?;
    let stem = options.file.file_stem().map_or("experiment".to_owned(), |stem| stem.to_string_lossy().into_owned());
    run_source(catalogue, (&source, &stem), &options.how, threads, output)
}

/// Runs the experiment in `source`; `stem` names its default store.
pub(crate) fn run_source(
    catalogue: &Catalogue,
    (source, stem): (&Source, &str),
    how: &HowToRun,
    threads: usize,
    output: &mut Output,
) -> Outcome {
    let scale = match how.scale {
        ScaleChoice::Quick => Scale::Quick,
        ScaleChoice::Full => Scale::Full,
    };
    // The files that the experiment names travel with it to workers.
    let (experiment, named) = files::recorded(|| read_experiment(catalogue, source, scale));
    let experiment = experiment?;
    let path = store_path(how, stem)?;
    let mut store = Store::open(&path)?;
    notes(&store);
    output.tell(format!("store: {}", path.display()));
    let file = (source.name(), source.text());
    let (end, summary) = match &how.queue.queue {
        Some(url) => gather((&experiment, named), source, &mut store, (url, how), output)?,
        None => {
            if !experiment.time_budgets().is_empty() && !output.is_quiet() {
                busy::warn(threads);
            }
            let plan = RunPlan { threads, shard: how.shard };
            play(&experiment, file, &mut store, plan, how.timings, output)?
        }
    };
    if output.is_json() {
        let mut value = json!(summary);
        mark_interrupted(&mut value, &end);
        output.value(&value);
    } else {
        print(&experiment, &summary, &path, output);
    }
    // Presets bring budgets of their own: that of an experiment is not for them.
    for limit in limits::unasked(catalogue, &experiment, &end.limits, Seats::Experiment) {
        eprintln!("{limit}");
    }
    judge(&end, Some(&path))
}

/// Says what opening a store found or changed.
pub(crate) fn notes(store: &Store) {
    store.notes().iter().for_each(|note| eprintln!("{}: {note}", store.path().display()));
}

/// Plays what the store lacks of an experiment, behind a progress bar, and sums up its run.
pub(crate) fn play(
    experiment: &Experiment,
    file: (&str, &str),
    store: &mut Store,
    plan: RunPlan,
    timings: bool,
    output: &Output,
) -> Result<(RunEnd, Summary), InputError> {
    let measures = experiment.root_exploitability.is_some() || experiment.exploitability.is_some();
    let things = if measures { "matches and measurements" } else { "matches" };
    let bar = if output.is_quiet() { ProgressBar::hidden() } else { progress_bar(things) };
    let begun = Instant::now();
    let mut last_told = begun;
    // From here on an interrupt asks the run to end, and its result is printed.
    let stop = interrupt::flag();
    output.tell(format!("{} on {} thread(s)", experiment.title, plan.threads));
    let end = run_experiment(experiment, file, store, plan, stop, |progress| {
        interrupt::played(progress.done, output.is_json());
        let (done, total) = (progress.done + progress.measured, progress.total + progress.to_measure);
        bar.set_length(total);
        bar.set_position(done);
        if !bar.is_hidden() {
            bar.set_message(standing(experiment, progress));
        } else if last_told.elapsed() >= TELL_EVERY {
            last_told = Instant::now();
            output.tell(format!("{done}/{total} {things}  {}", standing(experiment, progress)));
        }
    });
    bar.finish_and_clear();
    let end = end?;
    output.tell(format!("ended after {}", times::time(begun.elapsed())));
    let summary = summarise(experiment, store, end.run, timings)?;
    Ok((end, summary))
}

/// How often progress is told where no bar shows it.
pub(super) const TELL_EVERY: Duration = Duration::from_secs(10);

/// How the first agent stands.
pub(super) fn standing(experiment: &Experiment, progress: &RunProgress) -> String {
    let tally = progress.tally;
    let rate = tally.rate().map_or(String::new(), percent);
    let label = &experiment.agents[0].name.label;
    format!("{label} {}-{}-{} {rate}", tally.wins, tally.draws, tally.losses)
}

/// Reports an interrupted run and forfeits as a failure; `store` is the file that keeps the matches, if one does.
pub(crate) fn judge(end: &RunEnd, store: Option<&Path>) -> Outcome {
    if !end.complete {
        return Err(Failure::Interrupted(match store {
            Some(_) => InputError::new("interrupted; finished matches are saved")
                .with_help("the same command resumes where it stopped"),
            None => InputError::new("interrupted; the result covers only the rounds that were finished")
                .with_help("`--store PATH` keeps finished matches, and the same command then resumes"),
        }));
    }
    if end.fouls > 0 {
        let error = InputError::new(format!("{} match(es) were forfeited by a failure of an agent", end.fouls));
        return Err(Failure::Fault(match store {
            Some(path) => error.with_help(format!("`tesuji report {}` lists them", path.display())),
            None => error.with_help("the result lists them"),
        }));
    }
    Ok(())
}

fn store_path(how: &HowToRun, stem: &str) -> Result<PathBuf, InputError> {
    if let Some(path) = &how.store {
        return Ok(path.clone());
    }
    let folder = Path::new("results");
    fs::create_dir_all(folder)
        .map_err(|error| InputError::new(format!("cannot create the folder: {error}")).in_file(folder.display()))?;
    let scale = match how.scale {
        ScaleChoice::Quick => "quick",
        ScaleChoice::Full => "full",
    };
    Ok(folder.join(format!("{}-{scale}.db", stem.replace('/', "-"))))
}

/// A progress bar that counts things of this name.
pub(super) fn progress_bar(things: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(0).with_prefix(things);
    let style = "{bar:30} {pos}/{len} {prefix}  {msg}  {elapsed} elapsed, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn print(experiment: &Experiment, summary: &Summary, path: &Path, output: &mut Output) {
    output.line(format!("{}  ({} matches, seed {})", summary.title, summary.matches, summary.seed));
    if !summary.root_exploitability.is_empty() {
        print_root_exploitability(&summary.root_exploitability, output);
    }
    if !summary.exploitability.is_empty() {
        print_exploitability(&summary.exploitability, output);
    }
    if !summary.results.is_empty() {
        print_results(experiment, summary, output);
    }
    for foul in summary.results.iter().flat_map(|result| &result.fouls) {
        output.line(format!("forfeit: {foul}"));
    }
    if !summary.complete {
        output.line("not complete: some pairs are still to be played, or decisions to be measured");
    }
    output.hint(format!("store: {}  (`tesuji report {}` for all figures)", path.display(), path.display()));
}

fn print_root_exploitability(reports: &[ExploitabilityReport], output: &mut Output) {
    let mut lines = table(&["game", "agent", "playouts", "player", "decisions", "root exploitability", "±"]);
    for report in reports {
        for point in &report.points {
            lines.add_row([
                Cell::from(report.game.as_str()),
                Cell::from(report.agent.as_str()),
                Cell::count(point.playouts),
                Cell::from(point.player.as_str()),
                Cell::count(point.decisions),
                Cell::decimal(point.gap, 4),
                Cell::decimal(1.96 * point.error, 4),
            ]);
        }
    }
    output.table(&lines);
}

fn print_exploitability(reports: &[WholeGameReport], output: &mut Output) {
    let mut lines = table(&["game", "agent", "playouts", "searches a state", "NashConv"]);
    for report in reports {
        for point in &report.points {
            lines.add_row([
                Cell::from(report.game.as_str()),
                Cell::from(report.agent.as_str()),
                Cell::count(point.playouts.unwrap_or(0)),
                Cell::count(point.repeats),
                nash_conv(point.nash_conv),
            ]);
        }
    }
    output.table(&lines);
}

/// The bounds of an interval of rates.
pub(crate) fn interval(bounds: Option<(f64, f64)>) -> String {
    bounds.map_or(UNKNOWN.to_owned(), |(low, high)| format!("{} to {}", percent(low), percent(high)))
}

/// Says how many matches are copies, if any are, and that copies are no evidence.
pub(crate) fn duplicates(result: &PairingSummary, output: &mut Output) {
    let Duplicates { matches, distinct, effective } = result.duplicates;
    if distinct < matches {
        output.line(format!(
            "{matches} matches, of which {distinct} differ and the rest are copies (same moves, nothing drawn at \
             random): as much evidence as {effective:.1} independent matches, for intervals, Elo, superiority, the \
             sequential test and ratings ({} against {} in {})",
            result.first, result.second, result.game
        ));
    }
}

fn print_results(experiment: &Experiment, summary: &Summary, output: &mut Output) {
    let published = !experiment.published.is_empty();
    let mut header = vec!["game", "first", "second", "matches", "W-D-L", "win rate", "95 % over pairs|low|high"];
    header.extend(["Elo", "superiority"]);
    if published {
        header.extend(["paper", "verdict"]);
    }
    let mut lines = table(&header);
    for result in &summary.results {
        let Tally { wins, draws, losses } = result.tally;
        // With more than two players, half of the points is not an even result.
        let two = result.by_seat.len() == 2 && result.by_seat[0].len() <= 2;
        let elo = result.elo.as_ref().filter(|_| two);
        let mut row = vec![
            Cell::from(result.game.as_str()),
            Cell::from(result.first.as_str()),
            Cell::from(result.second.as_str()),
            Cell::count(result.tally.matches()),
            Cell::from(format!("{wins}-{draws}-{losses}")),
            Cell::share(result.win_rate),
            Cell::shares(result.pair_interval),
            elo.map_or(Cell::from(""), |difference| Cell::elo(difference.elo)),
            elo.map_or(Cell::from(""), |_| Cell::share(result.superiority)),
        ];
        if published {
            row.push(
                result.published.as_ref().map_or(Cell::from(""), |paper| Cell::share(Some(paper.result.win_rate))),
            );
            row.push(result.published.as_ref().map_or(Cell::from(""), |paper| Cell::from(paper.verdict_text())));
        }
        lines.add_row(row);
    }
    output.table(&lines);
    for result in &summary.results {
        duplicates(result, output);
        verdict(result, experiment).into_iter().for_each(|verdict| output.line(verdict));
        biased(result, output);
    }
    for rated in &summary.ratings {
        let Some(ratings) = &rated.ratings else { continue };
        let mut ladder: Vec<(usize, Option<f64>)> = ratings.agents.iter().map(|agent| agent.elo).enumerate().collect();
        ladder.sort_by(|one, two| two.1.unwrap_or(f64::NEG_INFINITY).total_cmp(&one.1.unwrap_or(f64::NEG_INFINITY)));
        let rating = |elo: Option<f64>| elo.map_or(UNKNOWN.to_owned(), |elo| format!("{elo:+.0}"));
        let text: Vec<String> =
            ladder.iter().map(|(agent, elo)| format!("{} {}", summary.agents[*agent].label, rating(*elo))).collect();
        output.line(format!("Elo in {}: {}", rated.game.as_deref().unwrap_or("all games"), text.join(", ")));
    }
}
