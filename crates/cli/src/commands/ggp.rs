//! `tesuji ggp`

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use serde_json::json;
use tesuji_arena::sheet::SheetGame;
use tesuji_arena::{Catalogue, InputError, Source, parse_moves};
use tesuji_peers::ggp::{
    GgpMatch, MatchJson, MatchLabel, PlayerOptions, PlayerServer, PlayerSource, RefereePlan, RefereeResult, referee,
};
use tesuji_peers::{Contest, Recorder, Side};

use crate::arguments::{
    GgpCommand, GgpExportOptions, GgpImportOptions, GgpOptions, GgpPlayerOptions, GgpRefereeOptions,
};
use crate::interrupt;
use crate::output::{Output, read_text, table};

pub(crate) fn run(
    catalogue: &Catalogue,
    options: &GgpOptions,
    threads: usize,
    output: &mut Output,
) -> Result<(), InputError> {
    match &options.command {
        GgpCommand::Player(options) => player(catalogue, options, threads, output),
        GgpCommand::Referee(options) => run_referee(catalogue, options, output),
        GgpCommand::Export(options) => export(catalogue, options, output),
        GgpCommand::Import(options) => import(catalogue, options, output),
    }
}

/// The most threads that agents accept.
const MOST_THREADS: usize = 64;

/// The agent of a player, with as many threads as the program may use.
fn default_agent(threads: usize) -> String {
    format!("ggp-champion(threads={})", threads.min(MOST_THREADS))
}

/// How often the player looks whether it should end.
const LOOK_EVERY: Duration = Duration::from_millis(50);

fn player(
    catalogue: &Catalogue,
    options: &GgpPlayerOptions,
    threads: usize,
    output: &mut Output,
) -> Result<(), InputError> {
    let agent = options.agent.clone().unwrap_or_else(|| default_agent(threads));
    catalogue.agent(agent.split('(').next().unwrap_or(&agent))?;
    if options.name.is_empty() || options.name.contains(|c: char| c.is_whitespace() || "()".contains(c)) {
        return Err(InputError::new(format!("`{}` is not a valid name for a player", options.name))
            .with_help("expected a word without blanks and parentheses"));
    }
    let log = output.clone();
    let server = PlayerServer::start(PlayerOptions {
        catalogue: catalogue.clone(),
        host: options.host.clone(),
        port: options.port,
        name: options.name.clone(),
        agent,
        margin: options.margin,
        silence: options.silence,
        seed: options.seed,
        ponders: !options.no_ponder,
        log: Arc::new(move |event| log.clone().event(event)),
    })?;
    output.listening(server.address());
    while !interrupt::flag().load(Ordering::Relaxed) {
        thread::sleep(LOOK_EVERY);
    }
    Ok(())
}

fn run_referee(catalogue: &Catalogue, options: &GgpRefereeOptions, output: &mut Output) -> Result<(), InputError> {
    let source = sheet(catalogue, &options.sheet)?;
    let players = options.players.iter().map(|player| player.parse()).collect::<Result<Vec<PlayerSource>, _>>()?;
    let stem = Path::new(&options.sheet).file_stem().map_or("sheet".into(), |stem| stem.to_string_lossy().into_owned());
    let word: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let game = SheetGame::open(catalogue, source.clone(), &|| false)?;
    let plan = RefereePlan {
        rules: source.text().to_owned(),
        players,
        start_clock: options.start_clock,
        play_clock: options.play_clock,
        matches: options.matches,
        margin: options.margin,
        seed: options.seed,
        name: format!("tesuji.{word}.{}", options.seed),
    };
    let mut recorder = match options.no_store {
        true => None,
        false => {
            let path = options.store.clone().unwrap_or_else(|| PathBuf::from(format!("results/ggp-{word}.db")));
            Some(Recorder::begin(catalogue, &path, &contest(options, &plan, &game))?)
        }
    };
    let result = referee(&plan, &game, recorder.as_mut(), interrupt::flag(), |played| tell(played, output))?;
    if output.is_json() {
        output.value(&json!({
            "roles": result.roles,
            "engine": result.engine,
            "margin_milliseconds": result.margin_milliseconds,
            "figures": result.figures,
            "store": recorder.as_ref().map(|recorder| recorder.path().display().to_string()),
        }));
    } else {
        print(&result, output);
        if let Some(recorder) = &recorder {
            output.line(format!("store: {}", recorder.path().display()));
        }
    }
    Ok(())
}

fn export(catalogue: &Catalogue, options: &GgpExportOptions, output: &mut Output) -> Result<(), InputError> {
    let game = SheetGame::open(catalogue, sheet(catalogue, &options.sheet)?, &|| false)?;
    let source = read_text(&options.moves)?;
    let steps: Vec<Vec<String>> = parse_moves(&source).iter().map(|step| step.joint().to_vec()).collect();
    let label = MatchLabel {
        id: options.id.clone(),
        url: options.sheet.clone(),
        start_time: options.start_time,
        clocks: (0, 0),
        players: (!options.players.is_empty()).then(|| options.players.clone()),
        scramble: options.scramble,
    };
    output.line(MatchJson::of_steps(&game, &steps, label)?.write());
    Ok(())
}

fn import(catalogue: &Catalogue, options: &GgpImportOptions, output: &mut Output) -> Result<(), InputError> {
    let source = read_text(&options.file)?;
    let read = MatchJson::read(source.text()).map_err(|error| error.in_file(source.name()))?;
    let rules = match (&options.sheet, &read.game_rulesheet) {
        (Some(name), _) => sheet(catalogue, name)?,
        (None, Some(rules)) => Source::new(source.name(), rules),
        (None, None) => {
            return Err(InputError::new("the match does not contain its rules")
                .in_file(source.name())
                .with_help(format!("name them with `--sheet`; the match says `{}`", read.game_meta_url)));
        }
    };
    let game = SheetGame::open(catalogue, rules, &|| false)?;
    let read = if options.sheet.is_some() { read.restored(&game) } else { read };
    let mut seated = read.replay(&game).map_err(|error| error.in_file(source.name()))?;
    let steps = seated.table().steps();
    if output.is_json() {
        let goals = if seated.is_over() { seated.goals() } else { Vec::new() };
        let (over, states) = (seated.is_over(), read.states.len());
        output.value(&json!({ "steps": steps, "states": states, "over": over, "roles": game.roles(), "goals": goals }));
        return Ok(());
    }
    output.line(format!("# {}: {} joint moves, {} states agree", read.match_id, read.moves.len(), read.states.len()));
    for step in steps {
        output.line(step.join("\t"));
    }
    for (role, goal) in game.roles().iter().zip(seated.goals()).filter(|_| seated.is_over()) {
        output.line(format!("# goal of {role}: {}", goal.map_or("none".to_owned(), |goal| goal.to_string())));
    }
    Ok(())
}

/// The text of a bundled sheet or a file.
fn sheet(catalogue: &Catalogue, name: &str) -> Result<Source, InputError> {
    if Path::new(name).is_file() {
        return read_text(Path::new(name));
    }
    let game = catalogue.open(&address(name))?;
    let text = game.rules_text().ok_or_else(|| InputError::new(format!("`{name}` has no rule text")))?;
    Ok(Source::new(name, text))
}

fn address(sheet: &str) -> String {
    format!("gdl(sheet=\"{sheet}\")")
}

fn contest(options: &GgpRefereeOptions, plan: &RefereePlan, game: &SheetGame) -> Contest {
    let side = |player: &PlayerSource| Side {
        label: player.to_string(),
        agent: match player {
            PlayerSource::Agent(address) => Some(address.clone()),
            PlayerSource::Http(_) => None,
        },
    };
    let seats = game.any_game().spec().players.len() as u64;
    Contest {
        title: format!("General game playing: {}", options.sheet),
        name: "ggp-referee.toml".to_owned(),
        game: address(&options.sheet),
        sides: plan.players.iter().map(side).collect(),
        rounds: plan.matches.div_ceil(seats.max(1)),
        seconds: plan.play_clock as f64,
        seed: plan.seed,
    }
}

fn tell(played: &GgpMatch, output: &mut Output) {
    if output.is_json() {
        output.value(&json!(played));
        return;
    }
    let goal = |goal: &Option<i32>| goal.map_or("none".to_owned(), |goal| goal.to_string());
    let goals: Vec<String> = played
        .players
        .iter()
        .zip(&played.goals)
        .map(|(player, reached)| format!("{player} {}", goal(reached)))
        .collect();
    let broken = if played.aborted { ", broken off" } else { "" };
    output.line(format!("{}: {} after {} steps{broken}", played.id, goals.join(", "), played.steps));
    for event in &played.events {
        output.line(format!("  {event}"));
    }
}

fn print(result: &RefereeResult, output: &mut Output) {
    let mut lines = table(&[
        "player",
        "matches",
        "mean goal",
        "moves",
        "late",
        "illegal",
        "failed",
        "in margin",
        "ms a move",
        "longest",
    ]);
    for figures in &result.figures {
        lines.add_row([
            figures.player.clone(),
            figures.matches.to_string(),
            format!("{:.1}", figures.goals as f64 / figures.matches.max(1) as f64),
            figures.moves.to_string(),
            figures.late.to_string(),
            figures.illegal.to_string(),
            figures.failed.to_string(),
            figures.in_margin.to_string(),
            format!("{:.1}", figures.mean_milliseconds),
            format!("{:.1}", figures.greatest_milliseconds),
        ]);
    }
    output.table(&lines);
    output.line(format!("an answer counts until {:.0} ms after the clock", result.margin_milliseconds));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_agent_can_be_built_on_machines_with_many_cores() {
        let game = tesuji_standard::catalogue().open("tic-tac-toe").unwrap();
        assert!(game.check_agent(&default_agent(1)).is_ok());
        assert!(game.check_agent(&default_agent(200)).is_ok());
    }
}
