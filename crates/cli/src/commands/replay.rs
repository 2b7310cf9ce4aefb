//! `tesuji replay`

use serde_json::json;
use tesuji_arena::{Catalogue, ReplayStep, parse_moves, replay};

use crate::arguments::ReplayOptions;
use crate::failure::{Outcome, open};
use crate::output::{Output, read_text};

pub(crate) fn run(catalogue: &Catalogue, options: &ReplayOptions, output: &mut Output) -> Outcome {
    let game = open(catalogue, &options.game)?;
    let source = read_text(&options.moves)?;
    let steps = parse_moves(&source);
    let json = output.is_json();
    let mut see = |step: ReplayStep| {
        if json { output.value(&json!(step)) } else { print(&step, output) }
    };
    let table = replay(game.as_ref(), &source, &steps, &mut see)?;
    if !json {
        output.line(table.board_text());
        match table.payoffs() {
            Some(payoffs) => {
                for (player, payoff) in game.spec().players.iter().zip(payoffs) {
                    output.line(format!("payoff of {player}: {payoff}"));
                }
            }
            None => output.line("the match is not over"),
        }
    }
    Ok(())
}

fn print(step: &ReplayStep, output: &mut Output) {
    if step.turn.is_empty() {
        output.line(format!("step {}: over", step.step));
        return;
    }
    output.line(format!("step {}: turn of {}", step.step, step.turn.join(" and ")));
    for (name, legal) in step.turn.iter().zip(&step.legal) {
        output.line(format!("  {name} may ({}): {}", legal.len(), legal.join("  ")));
    }
    if let Some(played) = &step.played {
        output.line(format!("  played: {}", played.join("  |  ")));
    }
}
