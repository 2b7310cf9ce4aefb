//! `tesuji agents`

use serde_json::json;
use tesuji_arena::{AgentInfo, Catalogue, Features, InputError, Occupant, Rng, Streams, Trust, live_match, mix};

use super::games::print_parameters;
use crate::arguments::AgentsOptions;
use crate::failure::{OrUsage, Outcome, open};
use crate::output::{Output, table};
use crate::table::Cell;

pub(crate) fn run(catalogue: &Catalogue, options: &AgentsOptions, output: &mut Output) -> Outcome {
    if let Some(name) = &options.agent {
        return show(catalogue, name, options.game.as_deref(), output);
    }
    let infos = match &options.game {
        Some(game) => open(catalogue, game)?.able_agents(),
        None => catalogue.agents().to_vec(),
    };
    if output.is_json() {
        output.value(&json!(infos));
    } else if output.is_verbose() {
        infos.iter().for_each(|info| describe(info, output));
    } else {
        list(&infos, output);
    }
    Ok(())
}

/// The classes of agents by the games they are for, in the order of the list.
const CLASSES: [&str; 7] = [
    "Any game",
    "Turns of many actions",
    "Dice and alternating moves",
    "Simultaneous moves",
    "One player",
    "Hidden information",
    "Other programs",
];

/// The place of an agent's class among [`CLASSES`].
fn class(info: &AgentInfo) -> usize {
    match info {
        info if info.trust != Trust::Contained => 6,
        info if info.requires.contains(Features::HIDDEN) => 5,
        // Agents for one player need it: where payoffs add up to a constant there are two.
        info if info.requires.contains(Features::GENERAL_SUM) => 4,
        info if info.handles.contains(Features::OPEN) => 0,
        info if info.handles.contains(Features::SIMULTANEOUS) => 3,
        info if info.handles.contains(Features::CHANCE) => 2,
        _ => 1,
    }
}

/// The kinds of agents by class, with the names of their presets.
fn list(infos: &[AgentInfo], output: &mut Output) {
    let known = |kind: &str| infos.iter().any(|info| info.name == kind);
    // A preset can play where its kind, with its own defaults, cannot.
    let listed: Vec<&AgentInfo> = infos.iter().filter(|info| info.preset_of.is_none_or(|kind| !known(kind))).collect();
    let presets = |info: &AgentInfo| {
        let presets = infos.iter().filter(|preset| preset.preset_of == Some(info.name));
        presets.map(|preset| preset.name).collect::<Vec<_>>().join(", ")
    };
    if output.is_csv() {
        let mut lines = table(&["class", "agent", "what it is", "presets"]);
        for info in listed {
            lines.add_row([CLASSES[class(info)], info.name, info.summary, &presets(info)]);
        }
        output.table(&lines);
        return;
    }
    let width = listed.iter().map(|info| info.name.len()).max().unwrap_or(0) + 4;
    for (place, title) in CLASSES.iter().enumerate() {
        let members: Vec<&&AgentInfo> = listed.iter().filter(|info| class(info) == place).collect();
        if !members.is_empty() {
            output.heading(title);
        }
        for info in members {
            output.item(&format!("  {}", info.name), info.summary, width);
            let presets = presets(info);
            if !presets.is_empty() {
                output.item("", &format!("presets: {presets}"), width);
            }
        }
    }
    output.hint("\n`tesuji agents NAME` shows an agent with its parameters. A preset is a kind with parameters given.");
}

/// One agent in the long list.
fn describe(info: &AgentInfo, output: &mut Output) {
    let preset = info.preset_of.map_or(String::new(), |kind| format!(" (a preset of {kind})"));
    output.line(format!("{}{preset}: {}", info.name, info.summary));
    output.line(format!("  handles {}", info.handles));
    if !info.parameters.is_empty() && info.preset_of.is_none() {
        print_parameters(&info.parameters, output);
    }
    output.line("");
}

fn show(catalogue: &Catalogue, address: &str, game: Option<&str>, output: &mut Output) -> Outcome {
    let name = address.split('(').next().unwrap_or(address).trim();
    let info = catalogue.agent(name).or_usage()?.clone();
    let plays = |game: &str| catalogue.open(game).is_ok_and(|game| game.check_agent(info.name).is_ok());
    // An agent may play a game with some arguments only, such as rule sheets for one player.
    let able: Vec<(&str, &str)> = (catalogue.games().iter())
        .filter_map(|game| Some((game.name, *game.examples.iter().find(|&&example| plays(example))?)))
        .collect();
    let presets: Vec<&AgentInfo> =
        catalogue.agents().iter().filter(|preset| preset.preset_of == Some(info.name)).collect();
    if output.is_json() {
        let mut value = json!(info);
        value["class"] = CLASSES[class(&info)].into();
        value["presets"] = presets.iter().map(|preset| preset.name).collect();
        value["games"] = able.iter().map(|(name, _)| *name).collect();
        output.value(&value);
        return Ok(());
    }
    output.heading(info.name);
    output.item("", info.summary, 0);
    output.line("");
    let preset = info.preset_of.map_or(String::new(), |kind| format!(", a preset of `{kind}`"));
    output.line(format!("class    {}{preset}", CLASSES[class(&info)].to_lowercase()));
    output.line(format!("handles  {}", info.handles));
    let names: Vec<&str> = able.iter().map(|(name, _)| *name).collect();
    let names = if names.is_empty() { "nothing without parameters".to_owned() } else { names.join(", ") };
    output.item("plays", &names, 9);
    if !info.parameters.is_empty() {
        output.line("");
        print_parameters(&info.parameters, output);
    }
    if !presets.is_empty() {
        let mut lines = table(&["preset", "what it is"]);
        presets.iter().for_each(|preset| lines.add_row([Cell::from(preset.name), Cell::from(preset.summary)]));
        output.table(&lines);
    }
    let games = game.map(str::to_owned).into_iter().chain(PICTURED.map(str::to_owned));
    let pictured = games.chain(able.iter().map(|(_, example)| (*example).to_owned()));
    let pictured =
        pictured.into_iter().find(|game| catalogue.open(game).is_ok_and(|game| game.check_agent(address).is_ok()));
    if let Some(game) = pictured {
        let players = catalogue.open(&game)?.spec().players.len();
        examples(&info, address, &game, players, output);
        if info.trust == Trust::Contained {
            output.line("");
            picture(catalogue, address, &game, output)?;
        }
    } else if info.trust != Trust::Outside {
        let required = info.parameters.iter().filter(|parameter| parameter.default.is_none());
        let required: Vec<String> = required.map(|parameter| format!("{}=\"…\"", parameter.name)).collect();
        output.line("");
        output.heading("Example");
        output.line(format!("  tesuji match connect-four '{}({})' uct --matches 20", info.name, required.join(",")));
    }
    Ok(())
}

/// Games with small boards, for pictures.
const PICTURED: [&str; 4] = ["connect-four", "sync-triomineering", "tubstap", "dice7"];

/// Playouts of the decision in the picture: a moment.
const PLAYOUTS: u64 = 200;

fn examples(info: &AgentInfo, address: &str, game: &str, players: usize, output: &mut Output) {
    output.line("");
    output.heading("Examples");
    let (game, address) = (for_shell(game), for_shell(address));
    let others = " random".repeat(players - 1);
    output.line(format!("  tesuji match {game} {address}{others} --matches 20"));
    let is_budget = |name: &str| ["playouts", "nodes", "time"].contains(&name);
    let given =
        info.parameters.iter().find(|parameter| parameter.name == "playouts").map(|_| "playouts=2000".to_owned());
    let other = info.parameters.iter().find(|parameter| {
        !is_budget(parameter.name) && parameter.default.as_deref().is_some_and(|default| !default.is_empty())
    });
    let other = other.map(|parameter| format!("{}={}", parameter.name, parameter.default.clone().unwrap_or_default()));
    let arguments: Vec<String> = given.into_iter().chain(other).collect();
    if !arguments.is_empty() && !address.contains('(') && players > 1 {
        output.line(format!("  tesuji play {game} --agent '{}({})'", info.name, arguments.join(",")));
    }
}

/// An address as one word of a command line.
fn for_shell(address: &str) -> String {
    if address.contains(['(', ' ', '"']) { format!("'{address}'") } else { address.to_owned() }
}

/// What the agent does at the start of a game.
fn picture(catalogue: &Catalogue, address: &str, game: &str, output: &mut Output) -> Result<(), InputError> {
    let opened = catalogue.open(game)?;
    let spec = opened.spec();
    let occupant = Occupant::Agent { agent: address.to_owned(), budget: PLAYOUTS.to_string() };
    let [nature, thinking] = [0, 1].map(|stream| Rng::new(mix(1, stream)));
    let mut played =
        live_match(opened.as_ref(), vec![occupant; spec.players.len()], Streams::shared(nature, thinking))?;
    while played.agent_awaited().is_none() && played.payoffs().is_none() {
        played.draw();
    }
    output.heading(&format!("Its first decision in {game}"));
    while let Some(player) = played.agent_awaited() {
        let before = played.made().len();
        played.decide(player, None)?;
        let Some(step) = played.made().get(before) else { continue };
        for ((name, action), decision) in step.actors.iter().zip(&step.joint).zip(&step.decisions) {
            let playouts = decision.as_ref().map_or(0, |decision| decision.playouts);
            let effort = if playouts > 0 { format!("  ({playouts} playouts)") } else { String::new() };
            output.line(format!("{name}: {action}{effort}"));
        }
        break;
    }
    output.line(played.board_text().trim_end_matches('\n'));
    Ok(())
}
