//! `tesuji tubstap`

use std::sync::Arc;

use serde_json::json;
use tesuji_arena::tubstap::MapGame;
use tesuji_arena::{Catalogue, InputError, Source};
use tesuji_peers::tubstap::{ClientPlan, ServedMatch, ServerPlan, ServerResult, TubstapServer, play};

use crate::arguments::{TubstapClientOptions, TubstapCommand, TubstapOptions, TubstapServerOptions};
use crate::interrupt;
use crate::output::{Output, table};

pub(crate) fn run(catalogue: &Catalogue, options: &TubstapOptions, output: &mut Output) -> Result<(), InputError> {
    match &options.command {
        TubstapCommand::Client(options) => client(catalogue, options, output),
        TubstapCommand::Server(options) => server(catalogue, options, output),
    }
}

fn client(catalogue: &Catalogue, options: &TubstapClientOptions, output: &mut Output) -> Result<(), InputError> {
    catalogue.open("tubstap")?.check_agent(&options.agent)?;
    let log = output.clone();
    let plan = ClientPlan {
        catalogue: catalogue.clone(),
        connect: options.connect.clone(),
        agent: options.agent.clone(),
        name: options.name.clone().unwrap_or_else(|| options.agent.clone()),
        turn_time: options.turn_time,
        budget: options.budget.as_ref().map(|budget| budget.parse()).transpose()?,
        seed: options.seed,
        log: Arc::new(move |event| log.clone().event(event)),
    };
    let result = play(&plan, interrupt::flag())?;
    if output.is_json() {
        output.value(&json!(result));
    } else {
        output.line(format!(
            "{} match(es), {} finished: {} won, {} drawn, {} lost; {} actions, longest turn {:.0} ms",
            result.matches,
            result.finished,
            result.wins,
            result.draws,
            result.losses,
            result.actions,
            result.longest_turn_milliseconds
        ));
    }
    Ok(())
}

fn server(catalogue: &Catalogue, options: &TubstapServerOptions, output: &mut Output) -> Result<(), InputError> {
    let game = format!("tubstap(map=\"{}\")", options.map);
    let opened = catalogue.open(&game)?;
    let text = opened.rules_text().ok_or_else(|| InputError::new("the map has no text"))?;
    let server = TubstapServer::start(ServerPlan {
        catalogue: catalogue.clone(),
        host: options.host.clone(),
        port: options.port,
        map: MapGame::read(catalogue, &game, &Source::new(&options.map, text))?,
        game,
        matches: options.matches,
        turn_time: options.turn_time,
        margin: options.margin,
        patience: options.patience,
        wait: options.wait,
        records: options.records.clone(),
        store: options.store.clone(),
        seed: options.seed,
    })?;
    output.listening(server.address());
    let result = server.run(interrupt::flag(), |played| tell(played, output))?;
    if output.is_json() {
        output.value(&json!({
            "turn_milliseconds": result.turn_milliseconds,
            "margin_milliseconds": result.margin_milliseconds,
            "clients": result.clients,
            "broken_off": result.broken_off,
        }));
    } else {
        print(&result, output);
    }
    match result.broken_off {
        Some(why) => {
            Err(InputError::new(format!("{} of {} matches were played: {why}", result.matches.len(), options.matches)))
        }
        None => Ok(()),
    }
}

fn tell(played: &ServedMatch, output: &mut Output) {
    if output.is_json() {
        output.value(&json!(played));
        return;
    }
    let [red, blue] = &played.players;
    let foul = played.foul.as_ref().map_or(String::new(), |(colour, foul)| {
        format!("; {} lost by a fault: {foul}", ["red", "blue"][usize::from(*colour)])
    });
    output.line(format!("match {}: {red} (red) against {blue} (blue): {:?}{foul}", played.number, played.payoffs));
    for event in &played.events {
        output.line(format!("  {event}"));
    }
}

fn print(result: &ServerResult, output: &mut Output) {
    let mut lines =
        table(&["client", "W-D-L", "by faults", "turns", "overtime", "ms a turn", "longest", "ms of latency"]);
    for client in &result.clients {
        lines.add_row([
            client.name.clone(),
            format!("{}-{}-{}", client.wins, client.draws, client.losses),
            client.fouls.to_string(),
            client.turns.to_string(),
            client.overtime.to_string(),
            format!("{:.1}", client.mean_milliseconds),
            format!("{:.1}", client.greatest_milliseconds),
            format!("{:.1}", client.latency_milliseconds),
        ]);
    }
    output.table(&lines);
    output.line(format!(
        "a turn has {:.0} ms; overtime counts from {:.0} ms more",
        result.turn_milliseconds, result.margin_milliseconds
    ));
}
