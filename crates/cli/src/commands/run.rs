//! `tesuji run`

use std::fs;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tesuji_arena::experiment::{Experiment, Scale, read_experiment};
use tesuji_arena::statistics::{Duplicates, SprtDecision, SprtReport};
use tesuji_arena::store::Store;
use tesuji_arena::{
    Catalogue, GapReport, InputError, PairingSummary, RunEnd, RunPlan, Source, Summary, grouped, run_experiment,
    summarise, thread_count,
};

use crate::arguments::{HowToRun, RunOptions, ScaleChoice};
use crate::interrupt;
use crate::output::{Output, percent, read_text, table};

pub(crate) fn run(catalogue: &Catalogue, options: &RunOptions, output: &mut Output) -> Result<(), InputError> {
    let source = read_text(&options.file)?;
    let stem = options.file.file_stem().map_or("experiment".to_owned(), |stem| stem.to_string_lossy().into_owned());
    run_source(catalogue, &source, &stem, &options.how, output)
}

/// Runs the experiment in `source`; `stem` names its default store.
pub(crate) fn run_source(
    catalogue: &Catalogue,
    source: &Source,
    stem: &str,
    how: &HowToRun,
    output: &mut Output,
) -> Result<(), InputError> {
    let scale = match how.scale {
        ScaleChoice::Quick => Scale::Quick,
        ScaleChoice::Full => Scale::Full,
    };
    let experiment = read_experiment(catalogue, source, scale)?;
    let path = store_path(how, stem)?;
    let mut store = Store::open(&path)?;
    let plan = RunPlan { threads: thread_count(how.threads.map(usize::from)), shard: how.shard };
    let (end, summary) = play(&experiment, (source.name(), source.text()), &mut store, plan, how.timings)?;
    if output.is_json() {
        output.value(&json!(summary));
    } else {
        print(&experiment, &summary, &path, output);
    }
    judge(&end, Some(&path))
}

/// Plays what the store lacks of an experiment, behind a progress bar, and sums up its run.
pub(crate) fn play(
    experiment: &Experiment,
    file: (&str, &str),
    store: &mut Store,
    plan: RunPlan,
    timings: bool,
) -> Result<(RunEnd, Summary), InputError> {
    let bar = progress_bar(if experiment.root_exploitability.is_some() { "matches and decisions" } else { "matches" });
    let end = run_experiment(experiment, file, store, plan, interrupt::flag(), |progress| {
        bar.set_length(progress.total + progress.to_measure);
        bar.set_position(progress.done + progress.measured);
        let tally = progress.tally;
        let rate = tally.rate().map_or(String::new(), percent);
        let label = &experiment.agents[0].name.label;
        bar.set_message(format!("{label} {}-{}-{} {rate}", tally.wins, tally.draws, tally.losses));
    });
    bar.finish_and_clear();
    let end = end?;
    let summary = summarise(experiment, store, end.run, timings)?;
    Ok((end, summary))
}

/// Reports an interrupted run and forfeits as an error; `store` is the file that keeps the matches, if one does.
pub(crate) fn judge(end: &RunEnd, store: Option<&Path>) -> Result<(), InputError> {
    if !end.complete {
        return Err(match store {
            Some(_) => InputError::new("interrupted; finished matches are saved")
                .with_help("the same command resumes where it stopped"),
            None => InputError::new("interrupted; the result covers only the rounds that were finished")
                .with_help("`--store PATH` keeps finished matches, and the same command then resumes"),
        });
    }
    if end.fouls > 0 {
        let error = InputError::new(format!("{} match(es) were forfeited by a failure of an agent", end.fouls));
        return Err(match store {
            Some(path) => error.with_help(format!("`tesuji report {}` lists them", path.display())),
            None => error.with_help("the result lists them"),
        });
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
fn progress_bar(things: &'static str) -> ProgressBar {
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
    if !summary.results.is_empty() {
        print_results(experiment, summary, output);
    }
    for foul in summary.results.iter().flat_map(|result| &result.fouls) {
        output.line(format!("forfeit: {foul}"));
    }
    if !summary.complete {
        output.line("not complete: some pairs are still to be played, or decisions to be measured");
    }
    output.line(format!("store: {}  (`tesuji report {}` for all figures)", path.display(), path.display()));
}

fn print_root_exploitability(reports: &[GapReport], output: &mut Output) {
    let mut lines = table(&["game", "agent", "playouts", "player", "decisions", "root exploitability", "±"]);
    for report in reports {
        for point in &report.points {
            lines.add_row([
                report.game.clone(),
                report.agent.clone(),
                grouped(point.playouts),
                point.player.clone(),
                grouped(point.decisions),
                format!("{:.4}", point.gap),
                format!("{:.4}", 1.96 * point.error),
            ]);
        }
    }
    output.line(lines.to_string());
}

/// The bounds of an interval of rates.
pub(crate) fn interval(bounds: Option<(f64, f64)>) -> String {
    bounds.map_or("not determinable".to_owned(), |(low, high)| format!("{} to {}", percent(low), percent(high)))
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

/// Says what a sequential test has decided, and which interval is valid then.
pub(crate) fn sequential(result: &PairingSummary, output: &mut Output) {
    let Some(report) = &result.sprt else { return };
    let decision = match report.decision {
        SprtDecision::AcceptH0 => "H0 accepted",
        SprtDecision::AcceptH1 => "H1 accepted",
        SprtDecision::Continue => "no decision",
    };
    let SprtReport { llr, lower, upper, .. } = report;
    let PairingSummary { game, first, second, .. } = result;
    output.line(format!(
        "sequential test of {first} against {second} in {game}: {decision}, LLR {llr:.2} (bounds {lower:.2} and \
         {upper:.2})"
    ));
    if result.stopped_early {
        output.line(format!(
            "it ended the series early, so win rate, Elo and the interval over pairs are biased; valid at any stop: \
             95 % {}",
            interval(result.anytime_interval)
        ));
    }
}

fn print_results(experiment: &Experiment, summary: &Summary, output: &mut Output) {
    let published = !experiment.published.is_empty();
    let mut header = vec!["game", "first", "second", "matches", "W-D-L", "win rate", "95 % over pairs"];
    if published {
        header.extend(["paper", "verdict"]);
    }
    let mut lines = table(&header);
    for result in &summary.results {
        let mut row = vec![
            result.game.clone(),
            result.first.clone(),
            result.second.clone(),
            result.tally.matches().to_string(),
            format!("{}-{}-{}", result.tally.wins, result.tally.draws, result.tally.losses),
            result.win_rate.map_or("not determinable".to_owned(), percent),
            interval(result.pair_interval),
        ];
        if published {
            row.push(result.published.as_ref().map_or(String::new(), |paper| percent(paper.result.win_rate)));
            let verdict = result.published.as_ref().map_or(String::new(), |paper| paper.verdict_text());
            row.push(verdict);
        }
        lines.add_row(row);
    }
    output.line(lines.to_string());
    for result in &summary.results {
        duplicates(result, output);
        sequential(result, output);
    }
    for rated in &summary.ratings {
        let Some(ratings) = &rated.ratings else { continue };
        let mut ladder: Vec<(usize, Option<f64>)> = ratings.agents.iter().map(|agent| agent.elo).enumerate().collect();
        ladder.sort_by(|one, two| two.1.unwrap_or(f64::NEG_INFINITY).total_cmp(&one.1.unwrap_or(f64::NEG_INFINITY)));
        let rating = |elo: Option<f64>| elo.map_or("not determinable".to_owned(), |elo| format!("{elo:+.0}"));
        let text: Vec<String> =
            ladder.iter().map(|(agent, elo)| format!("{} {}", summary.agents[*agent].label, rating(*elo))).collect();
        output.line(format!("Elo in {}: {}", rated.game.as_deref().unwrap_or("all games"), text.join(", ")));
    }
}
