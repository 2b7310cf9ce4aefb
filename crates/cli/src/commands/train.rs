//! `tesuji train` and `tesuji net`

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use serde_json::json;
use tesuji_arena::{
    Catalogue, Exploration, Features, InputError, Source, Strength, TrainingLimit, TrainingPlan, TrainingProgress,
    TrainingSettings, grouped, looks_like_a_path, network_info, train,
};

use crate::arguments::{NetCommand, NetOptions, NetShowOptions, TrainOptions};
use crate::failure::{Failure, OrUsage, Outcome, open};
use crate::interrupt;
use crate::output::{Output, percent, read_text, table};

/// The limit if none is given.
const MINUTES: f64 = 10.0;
/// How often the line of progress changes.
const SHOW_EVERY: Duration = Duration::from_millis(200);

pub(crate) fn run(catalogue: &Catalogue, options: &TrainOptions, threads: usize, output: &mut Output) -> Outcome {
    if options.list {
        return Ok(list(catalogue, output)?);
    }
    let plan = plan(options, threads);
    // A wrong name is an error of usage.
    for address in options.games.iter().filter(|address| !address.contains('{')) {
        open(catalogue, address)?.self_play().map(drop).or_usage()?;
    }
    plan.settings.check().or_usage()?;
    interrupt::say("ending; the network and its checkpoint are being saved");
    let bar = if output.is_quiet() { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    let (mut shown, mut told) = (Instant::now(), 0);
    let mut view = output.clone();
    let end = train(catalogue, &plan, interrupt::flag(), |progress| {
        for strength in &progress.strength[told.min(progress.strength.len())..] {
            // Measurements are part of the result; the line of progress is not.
            if !view.is_json() {
                bar.suspend(|| view.line(strength_line(strength)));
            }
        }
        told = progress.strength.len();
        if shown.elapsed() >= SHOW_EVERY {
            shown = Instant::now();
            bar.set_message(progress_line(progress));
            bar.tick();
        }
    });
    bar.finish_and_clear();
    let end = end?;
    if output.is_json() {
        let mut value = json!(end);
        value["network"] = plan.out.display().to_string().into();
        output.value(&value);
    } else {
        output.line(progress_line(&end.progress));
        output.line(format!("{} written, hash {}", plan.out.display(), &end.hash[..16]));
        let joint =
            catalogue.open(&plan.games[0]).is_ok_and(|game| game.spec().features.contains(Features::SIMULTANEOUS));
        let agent = if joint { "joint-tree(leaves=network,net=" } else { "expectimax(net=" };
        output.hint(format!(
            "play with it: tesuji match \"{}\" \"{agent}{})\" uct",
            plan.games[0],
            path_text(&plan.out)
        ));
    }
    match end.complete {
        true => Ok(()),
        false => Err(Failure::Interrupted(InputError::new("interrupted").with_help("--resume continues the training"))),
    }
}

fn plan(options: &TrainOptions, threads: usize) -> TrainingPlan {
    let time = |minutes: f64| TrainingLimit::Time(Duration::from_secs_f64(60.0 * minutes));
    let limit = match (options.matches, options.hours, options.minutes) {
        (Some(matches), ..) => TrainingLimit::Matches(matches),
        (_, Some(hours), _) => time(60.0 * hours),
        (_, _, minutes) => time(minutes.unwrap_or(MINUTES)),
    };
    let name = || PathBuf::from(format!("{}.net", options.games[0].split('(').next().unwrap_or_default().trim()));
    TrainingPlan {
        games: options.games.clone(),
        settings: TrainingSettings {
            seed: options.seed,
            hidden: options.hidden,
            second: options.second,
            exploration: Exploration { explore: options.explore, opening: options.opening, lambda: options.lambda },
            rate: options.rate,
            ..TrainingSettings::default()
        },
        limit,
        threads,
        out: options.out.clone().unwrap_or_else(name),
        resume: options.resume,
        measure_on: options.measure_on.clone(),
        opponents: options.opponent.clone(),
        measure: options.measure,
    }
}

/// The path as an argument of an agent: it must look like one.
fn path_text(path: &Path) -> String {
    let text = path.display().to_string();
    if looks_like_a_path(&text) { text } else { format!("./{text}") }
}

fn progress_line(progress: &TrainingProgress) -> String {
    let loss = progress.loss.map_or("-".to_owned(), |loss| format!("{loss:.4}"));
    format!(
        "{} of the training: {} matches in {:.0} s, loss {loss}",
        percent(progress.done),
        grouped(progress.matches),
        progress.seconds
    )
}

fn strength_line(strength: &Strength) -> String {
    let (low, high) = strength.interval;
    format!(
        "after {} matches ({:.0} s): {} against {} [{}, {}], {} matches",
        grouped(strength.trained),
        strength.seconds,
        percent(strength.win_rate),
        strength.opponent,
        percent(low),
        percent(high),
        strength.matches
    )
}

fn list(catalogue: &Catalogue, output: &mut Output) -> Result<(), InputError> {
    let mut lines = table(&["game", "features", "inputs", "networks"]);
    for info in catalogue.games() {
        // A game that needs arguments is described by its first example.
        let Some(game) = info.examples.iter().find_map(|example| catalogue.open(example).ok()) else { continue };
        let Some(features) = game.feature_set() else { continue };
        let networks: Vec<&str> = game.networks().into_iter().map(|network| network.name).collect();
        if output.is_json() {
            output.value(&json!({
                "game": game.spec().name,
                "features": features.name,
                "version": features.version,
                "inputs": features.inputs,
                "trainable": game.self_play().is_ok(),
                "networks": networks,
            }));
            continue;
        }
        lines.add_row([
            game.spec().name.clone(),
            format!("{} version {}", features.name, features.version),
            features.inputs.to_string(),
            networks.join(", "),
        ]);
    }
    if !output.is_json() {
        output.table(&lines);
    }
    Ok(())
}

pub(crate) fn run_net(catalogue: &Catalogue, options: &NetOptions, output: &mut Output) -> Outcome {
    let NetCommand::Show(options) = &options.command;
    let source = network_source(catalogue, options)?;
    let info = network_info(&source)?;
    if output.is_json() {
        output.value(&json!(info));
        return Ok(());
    }
    let [inputs, hidden, second, out] = info.shape;
    for (name, value) in [
        ("game", info.game),
        ("rules", format!("version {}", info.rules)),
        ("features", format!("{} version {}", info.features, info.features_version)),
        ("shape", format!("{inputs}-{hidden}-{second}-{out}")),
        ("training", format!("{} matches in {} s, seed {}", grouped(info.matches), info.seconds, info.seed)),
        ("method", info.method),
        ("hash", info.hash),
        ("evaluation", format!("{:.0} ns", info.nanoseconds)),
    ] {
        output.item(name, &value, 12);
    }
    Ok(())
}

/// The file, or the network of that name that comes with the game.
fn network_source(catalogue: &Catalogue, options: &NetShowOptions) -> Result<Source, Failure> {
    let name = &options.network;
    match &options.game {
        Some(game) if !looks_like_a_path(name) => {
            let opened = open(catalogue, game)?;
            let text = opened.network_text(name).ok_or_else(|| {
                let names: Vec<&str> = opened.networks().into_iter().map(|network| network.name).collect();
                let offer = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                Failure::Usage(
                    InputError::new(format!("`{game}` comes with no network `{name}`"))
                        .with_help(format!("it comes with {offer}")),
                )
            })?;
            Ok(Source::new(format!("{name}.net"), text))
        }
        _ => Ok(read_text(Path::new(name))?),
    }
}
