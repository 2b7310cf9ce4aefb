//! `tesuji play`: a person against an agent, line by line.
//!
//! With `--json` every line out is one JSON object (`position`, `decision`, `refused`, `over`); lines in stay the same.

use std::io::{self, BufRead, Write};

use serde_json::json;
use tesuji_arena::{
    Actor, AnyGame, AnyMatch, Budget, Catalogue, DecisionText, InputError, LiveStep, Occupant, Player, Rng, Streams,
    Waiting, live_match, mix,
};

use crate::arguments::PlayOptions;
use crate::failure::{OrUsage, Outcome, check_agent, open};
use crate::output::Output;

pub(crate) fn run(catalogue: &Catalogue, options: &PlayOptions, output: &mut Output) -> Outcome {
    let game = open(catalogue, &options.game)?;
    let spec = game.spec();
    let person = find_seat(game.as_ref(), &options.seat).or_usage()?;
    options.budget.parse::<Budget>().or_usage()?;
    check_agent(game.as_ref(), &options.agent)?;
    let occupant = |player: Player| match player == person {
        true => Occupant::Person { name: spec.player_name(player).to_owned() },
        false => Occupant::Agent { agent: options.agent.clone(), budget: options.budget.clone() },
    };
    let [nature, thinking] = [0, 1].map(|stream| Rng::new(mix(options.seed, stream)));
    let streams = Streams::shared(nature, thinking);
    let mut played = live_match(game.as_ref(), spec.seats().map(occupant).collect(), streams)?;
    if let Some(clock) = &options.start_clock {
        played.start_clock(&Budget::from_clock(clock).or_usage()?)?;
    }
    if !output.is_json() {
        output.line(format!("You are {}. {HELP}", spec.player_name(person)));
    }
    let mut announced = 0;
    loop {
        match played.waiting() {
            Waiting::Nothing => break,
            Waiting::Chance => drop(played.draw()),
            // Agents choose before the person is asked, so that neither sees the other's choice.
            Waiting::Choices(_) => match played.agent_awaited() {
                Some(player) => played.decide(player, None)?,
                None => {
                    show(output, played.as_ref());
                    if !ask(output, played.as_mut(), person)? {
                        output.line(if output.is_json() {
                            json!({"resigned": true}).to_string()
                        } else {
                            "You resigned.".to_owned()
                        });
                        return Ok(());
                    }
                }
            },
        }
        announced = announced.min(played.made().len());
        for step in &played.made()[announced..] {
            announce(output, step);
        }
        announced = played.made().len();
    }
    show(output, played.as_ref());
    let payoffs = played.payoffs().unwrap_or_default();
    if output.is_json() {
        output.value(&json!({ "over": true, "payoffs": payoffs, "steps": played.steps() }));
    } else {
        for (name, payoff) in spec.players.iter().zip(payoffs) {
            output.line(format!("payoff of {name}: {payoff}"));
        }
    }
    Ok(())
}

const HELP: &str = "Type an action; or `legal [TEXT]` to list actions (that contain TEXT), `end` to end your turn, \
    `undo`, `resign`, `help`.";

pub(super) fn find_seat(game: &dyn AnyGame, text: &str) -> Result<Player, InputError> {
    let spec = game.spec();
    let by_name = spec.players.iter().position(|name| name == text);
    let by_number =
        text.parse::<usize>().ok().filter(|number| (1..=spec.players.len()).contains(number)).map(|number| number - 1);
    match by_name.or(by_number) {
        Some(index) => Ok(Player(index as u8)),
        None => Err(InputError::new(format!("there is no seat `{text}`")).with_help(format!(
            "expected one of {}, or a number from 1 to {}",
            spec.players.join(", "),
            spec.players.len()
        ))),
    }
}

/// Reads one line and does what it says; `false` if the person resigns. The end of input resigns.
fn ask(output: &mut Output, played: &mut dyn AnyMatch, person: Player) -> Result<bool, InputError> {
    if !output.is_json() {
        eprint!("> ");
        io::stderr().flush().ok();
    }
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    if read.map_err(|error| InputError::new(format!("cannot read your action: {error}")))? == 0 {
        return Ok(false);
    }
    let line = line.trim();
    let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let done = match word {
        "" => Ok(()),
        "help" | "?" => {
            output.line(HELP);
            Ok(())
        }
        "legal" => {
            let legal = played.legal(Actor::Player(person));
            let shown: Vec<String> = legal.into_iter().filter(|action| action.contains(rest)).collect();
            output.line(if output.is_json() { json!({ "legal": shown }).to_string() } else { shown.join("  ") });
            Ok(())
        }
        "resign" | "quit" | "exit" => return Ok(false),
        "undo" if played.take_back() => Ok(()),
        "undo" => Err(InputError::new("there is nothing to take back")),
        "end" => played.choose_end_turn(person),
        _ => played.choose(person, line),
    };
    if let Err(error) = done {
        refuse(output, &error);
    }
    Ok(true)
}

fn show(output: &mut Output, played: &dyn AnyMatch) {
    if output.is_json() {
        let turn: Vec<String> = played.actors().into_iter().map(|(_, name)| name).collect();
        output.value(&json!({ "position": played.state_text(), "turn": turn }));
    } else {
        output.line(played.board_text());
    }
}

/// Prints what nature and agents did in a step.
fn announce(output: &mut Output, step: &LiveStep) {
    let nature = step.actors == ["chance"];
    for ((name, action), decision) in step.actors.iter().zip(&step.joint).zip(&step.decisions) {
        match decision {
            Some(decision) => announce_action(output, name, action, Some(decision)),
            None if nature => announce_action(output, name, action, None),
            None => {}
        }
    }
}

fn announce_action(output: &mut Output, name: &str, action: &str, decision: Option<&DecisionText>) {
    if output.is_json() {
        output.value(&json!({ "actor": name, "action": action, "decision": decision }));
        return;
    }
    let thought = decision.filter(|decision| decision.playouts > 0 || decision.limit.is_some());
    let thought = thought.map_or(String::new(), |decision| {
        let value = decision.value.map_or(String::new(), |value| format!(", expects {value:.2}"));
        let limit = decision.limit.as_ref().map_or(String::new(), |limit| format!(", ended by {limit}"));
        format!("  ({} playouts, depth {}{value}{limit})", decision.playouts, decision.depth)
    });
    output.line(format!("{name}: {action}{thought}"));
}

fn refuse(output: &mut Output, error: &InputError) {
    if output.is_json() {
        output.value(&json!({ "refused": error.to_string(), "help": error.help_text() }));
    } else {
        output.line(format!("{error}"));
        if let Some(help) = error.help_text() {
            output.line(format!("  {help}"));
        }
    }
}
