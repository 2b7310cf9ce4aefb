//! `tesuji play`: a person against an agent, line by line.
//!
//! With `--json` every line out is one JSON object (`position`, `decision`, `refused`, `over`); lines in stay the same.

use std::io::{self, BufRead, Write};

use serde_json::json;
use tesuji_arena::{Actor, AnyGame, Budget, Catalogue, DecisionText, InputError, Player, Rng, Table, Turn, mix};

use crate::arguments::PlayOptions;
use crate::output::Output;

pub fn run(catalogue: &Catalogue, options: &PlayOptions, output: &mut Output) -> Result<(), InputError> {
    let game = catalogue.open(&options.game)?;
    let person = find_seat(game.as_ref(), &options.seat)?;
    let budget: Budget = options.budget.parse()?;
    let mut table = game.table(None)?;
    for player in game.spec().seats().filter(|&player| player != person) {
        table.seat(player, &options.agent)?;
    }
    let mut nature = Rng::new(mix(options.seed, 0));
    let mut thinking = Rng::new(mix(options.seed, 1));
    if let Some(clock) = &options.start_clock {
        let clock = Budget::from_clock(clock)?;
        for player in game.spec().seats().filter(|&player| player != person) {
            table.prepare(player, &clock, &mut thinking)?;
        }
    }
    if !output.is_json() {
        output.line(format!("You are {}. {HELP}", game.spec().player_name(person)));
    }
    // The person's choices wait here when one line stands for several steps (the end of a turn).
    let mut queued: Vec<String> = Vec::new();
    loop {
        match table.turn() {
            Turn::Over => break,
            Turn::Chance => {
                if let Some(outcome) = table.draw_outcome(&mut nature) {
                    announce(output, "chance", &outcome, None);
                }
            }
            Turn::Player(_) | Turn::Simultaneous(_) => {
                let mut joint = Vec::new();
                let mut decisions = Vec::new();
                // Agents choose before the person is asked, so that neither sees the other's choice.
                for (actor, name) in table.actors() {
                    let Actor::Player(player) = actor else { continue };
                    joint.push(String::new());
                    if player != person {
                        let decision = table.think(player, &budget, &mut thinking)?;
                        joint.pop();
                        joint.push(decision.action.clone());
                        decisions.push((name, decision));
                    }
                }
                if table.turn().movers().contains(person) {
                    if queued.is_empty() {
                        show(output, table.as_ref());
                        match ask(output, table.as_mut(), person)? {
                            Answer::Actions(actions) => queued = actions,
                            Answer::Again => continue,
                            Answer::Resign => {
                                output.line(if output.is_json() {
                                    json!({"resigned": true}).to_string()
                                } else {
                                    "You resigned.".to_owned()
                                });
                                return Ok(());
                            }
                        }
                    }
                    joint[table.turn().movers().rank(person)] = queued.remove(0);
                }
                if let Err(error) = table.step(&joint) {
                    queued.clear();
                    refuse(output, &error);
                    continue;
                }
                for (name, decision) in &decisions {
                    announce(output, name, &decision.action, Some(decision));
                }
            }
        }
    }
    show(output, table.as_ref());
    let payoffs = table.payoffs().unwrap_or_default();
    if output.is_json() {
        output.value(&json!({ "over": true, "payoffs": payoffs, "steps": table.steps() }));
    } else {
        for (name, payoff) in game.spec().players.iter().zip(payoffs) {
            output.line(format!("payoff of {name}: {payoff}"));
        }
    }
    Ok(())
}

const HELP: &str = "Type an action; or `legal [TEXT]` to list actions (that contain TEXT), `end` to end your turn, `undo`, `resign`, `help`.";

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

enum Answer {
    Actions(Vec<String>),
    Again,
    Resign,
}

/// Reads lines until one is a choice. The end of input resigns.
fn ask(output: &mut Output, table: &mut dyn Table, person: Player) -> Result<Answer, InputError> {
    if !output.is_json() {
        eprint!("> ");
        io::stderr().flush().ok();
    }
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line);
    if read.map_err(|error| InputError::new(format!("cannot read your action: {error}")))? == 0 {
        return Ok(Answer::Resign);
    }
    let line = line.trim();
    let (word, rest) = line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim()));
    match word {
        "" => Ok(Answer::Again),
        "help" | "?" => {
            output.line(HELP);
            Ok(Answer::Again)
        }
        "legal" => {
            let legal = table.legal(Actor::Player(person));
            let shown: Vec<String> = legal.into_iter().filter(|action| action.contains(rest)).collect();
            output.line(if output.is_json() { json!({ "legal": shown }).to_string() } else { shown.join("  ") });
            Ok(Answer::Again)
        }
        "resign" | "quit" | "exit" => Ok(Answer::Resign),
        "undo" => {
            undo(table, person);
            Ok(Answer::Again)
        }
        "end" => {
            let actions = table.end_turn(person);
            if actions.is_empty() {
                refuse(output, &InputError::new("this game has no end of turn to declare"));
                return Ok(Answer::Again);
            }
            Ok(Answer::Actions(actions))
        }
        _ => Ok(Answer::Actions(vec![line.to_owned()])),
    }
}

/// Back to the person's last choice.
fn undo(table: &mut dyn Table, person: Player) {
    while table.undo() {
        if table.turn().movers().contains(person) {
            break;
        }
    }
}

fn show(output: &mut Output, table: &dyn Table) {
    if output.is_json() {
        let turn: Vec<String> = table.actors().into_iter().map(|(_, name)| name).collect();
        output.value(&json!({ "position": table.state_text(), "turn": turn }));
    } else {
        output.line(table.board_text());
    }
}

fn announce(output: &mut Output, name: &str, action: &str, decision: Option<&DecisionText>) {
    if output.is_json() {
        output.value(&json!({ "actor": name, "action": action, "decision": decision }));
        return;
    }
    let thought = decision.filter(|decision| decision.playouts > 0).map_or(String::new(), |decision| {
        let value = decision.value.map_or(String::new(), |value| format!(", expects {value:.2}"));
        format!("  ({} playouts, depth {}{value})", decision.playouts, decision.depth)
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
