//! `tesuji fuzzy`

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::json;
use tesuji_arena::fuzzy::{
    LabelCounts, LabelSet, Memberships, StandInPlan, membership_plot, membership_table, stand_in,
};
use tesuji_arena::store::Store;
use tesuji_arena::{Catalogue, InputError, looks_like_a_path};

use crate::arguments::{
    FuzzyCommand, FuzzyExportOptions, FuzzyImportOptions, FuzzyLabelOptions, FuzzyLearnOptions, FuzzyOptions,
    FuzzyShowOptions, FuzzyShuffleOptions,
};
use crate::failure::{Failure, OrUsage, Outcome};
use crate::interrupt;
use crate::output::{Output, read_text, table, write_text};

pub(crate) fn run(catalogue: &Catalogue, options: &FuzzyOptions, threads: usize, output: &mut Output) -> Outcome {
    let done = match &options.command {
        FuzzyCommand::Label(options) => return run_label(catalogue, options, threads, output),
        FuzzyCommand::Learn(options) => run_learn(catalogue, options, output),
        FuzzyCommand::Show(options) => run_show(catalogue, options, output),
        FuzzyCommand::Shuffle(options) => run_shuffle(catalogue, options, output),
        FuzzyCommand::Import(options) => run_import(catalogue, options, output),
        FuzzyCommand::Export(options) => run_export(catalogue, options, output),
    };
    Ok(done?)
}

fn run_label(catalogue: &Catalogue, options: &FuzzyLabelOptions, threads: usize, output: &mut Output) -> Outcome {
    if options.near >= options.clear {
        let message = format!("--near {} is not below --clear {}", options.near, options.clear);
        return Err(Failure::Usage(InputError::new(message)));
    }
    let plan = StandInPlan {
        game: options.game.clone(),
        opponent: options.opponent.clone(),
        judge: options.judge.clone(),
        budget: options.budget.parse().or_usage()?,
        labels: options.labels as usize,
        near: options.near,
        clear: options.clear,
        seed: options.seed,
        threads,
    };
    // A store that cannot be written to shows before the matches, not after.
    let mut store = options.store.as_deref().map(Store::open).transpose()?;
    let bar = match output.is_quiet() {
        true => indicatif::ProgressBar::hidden(),
        false => indicatif::ProgressBar::new(u64::from(options.labels)),
    };
    let labels = stand_in(catalogue, &plan, interrupt::flag(), |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    let set = LabelSet::new(catalogue, labels?)?;
    if let Some(store) = &mut store {
        store.add_labels(set.labels())?;
    }
    if let Some(file) = &options.to {
        write_text(file, &format!("# {}\n{}", command(&plan), set.text()))?;
    }
    tell(set.counts(), None, output);
    match set.labels().len() < plan.labels {
        true => Err(Failure::Interrupted(InputError::new("interrupted; the labels so far are saved"))),
        false => Ok(()),
    }
}

/// The command that makes these labels again.
fn command(plan: &StandInPlan) -> String {
    format!(
        "tesuji fuzzy label \"{}\" --opponent \"{}\" --judge \"{}\" --labels {} --near {} --clear {} --seed {} \
         --budget {} --to FILE",
        plan.game, plan.opponent, plan.judge, plan.labels, plan.near, plan.clear, plan.seed, plan.budget
    )
}

fn tell(counts: LabelCounts, vectors: Option<usize>, output: &mut Output) {
    if output.is_json() {
        let mut value = json!(counts);
        if let Some(vectors) = vectors {
            value["vectors"] = vectors.into();
        }
        output.value(&value);
        return;
    }
    let LabelCounts { labels, good, unsure, bad } = counts;
    let vectors = vectors.map_or(String::new(), |vectors| format!("; {vectors} different vectors of features"));
    output.line(format!("{labels} labels: {good} good, {unsure} unsure, {bad} bad{vectors}"));
}

/// The labels in a store or a CSV file.
fn labels(catalogue: &Catalogue, path: &Path, game: Option<&str>) -> Result<LabelSet, InputError> {
    let mut begin = [0; 15];
    let stored =
        File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && begin == *b"SQLite format 3";
    match stored {
        true => LabelSet::stored(catalogue, &Store::read(path)?, game),
        false => LabelSet::read(catalogue, &read_text(path)?),
    }
}

fn run_learn(catalogue: &Catalogue, options: &FuzzyLearnOptions, output: &mut Output) -> Result<(), InputError> {
    let set = labels(catalogue, &options.from, options.game.as_deref())?;
    let set = set.first(options.first.map_or(usize::MAX, |first| first as usize))?;
    let learned = set.learn();
    write_text(&options.to, &learned.text())?;
    tell(set.counts(), Some(learned.known().len()), output);
    Ok(())
}

/// The table of that name: a file, or what the game offers.
fn read_table(catalogue: &Catalogue, name: &str, game: &str) -> Result<Memberships, InputError> {
    match looks_like_a_path(name) {
        true => Memberships::read(&read_text(Path::new(name))?),
        false => membership_table(catalogue, game, name),
    }
}

fn run_show(catalogue: &Catalogue, options: &FuzzyShowOptions, output: &mut Output) -> Result<(), InputError> {
    let learned = read_table(catalogue, &options.table, &options.game)?;
    let names = learned.names();
    let feature = |name: &Option<String>, default: usize| match name {
        None => Ok(default),
        Some(name) => names.iter().position(|known| known == name).ok_or_else(|| {
            InputError::new(format!("there is no feature `{name}`")).with_help(format!("one of {}", names.join(", ")))
        }),
    };
    let (across, up) = (feature(&options.across, names.len() - 1)?, feature(&options.up, 0)?);
    if let Some(file) = &options.svg {
        write_text(file, &membership_plot(&learned, across, up))?;
    }
    if output.is_json() {
        for known in learned.known() {
            output.value(
                &json!({ "features": known.features, "samples": known.samples, "membership": known.membership }),
            );
        }
        return Ok(());
    }
    let mut header: Vec<&str> = names.iter().map(String::as_str).collect();
    header.extend(["samples", "membership"]);
    let mut lines = table(&header);
    for known in learned.known() {
        let mut row: Vec<String> = known.features.iter().map(f64::to_string).collect();
        row.extend([known.samples.to_string(), format!("{:.2}", known.membership)]);
        lines.add_row(row);
    }
    output.table(&lines);
    output.line(format!("{} vectors from {} labels", learned.known().len(), learned.samples()));
    Ok(())
}

fn run_shuffle(catalogue: &Catalogue, options: &FuzzyShuffleOptions, output: &mut Output) -> Result<(), InputError> {
    let shuffled = read_table(catalogue, &options.table, &options.game)?.shuffled(options.seed);
    write_text(&options.to, &shuffled.text())?;
    if output.is_json() {
        output.value(&json!({ "vectors": shuffled.known().len(), "seed": options.seed }));
    } else {
        output.line(format!("{} memberships dealt out anew", shuffled.known().len()));
    }
    Ok(())
}

fn run_import(catalogue: &Catalogue, options: &FuzzyImportOptions, output: &mut Output) -> Result<(), InputError> {
    let set = LabelSet::read(catalogue, &read_text(&options.file)?)?;
    let added = Store::open(&options.store)?.add_labels(set.labels())?;
    let read = set.labels().len() as u64;
    if output.is_json() {
        output.value(&json!({ "read": read, "added": added }));
    } else {
        let known = if added < read { "; the store held the others already" } else { "" };
        output.line(format!("{read} labels read, {added} added{known}"));
    }
    Ok(())
}

fn run_export(catalogue: &Catalogue, options: &FuzzyExportOptions, output: &mut Output) -> Result<(), InputError> {
    let set = LabelSet::stored(catalogue, &Store::read(&options.store)?, options.game.as_deref())?;
    match &options.to {
        Some(file) => {
            write_text(file, &set.text())?;
            tell(set.counts(), None, output);
        }
        None if output.is_json() => set.labels().iter().for_each(|label| output.value(&json!(label))),
        None => output.line(set.text().trim_end()),
    }
    Ok(())
}
