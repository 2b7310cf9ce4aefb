//! Examples from a right sheet, by random play.

use tesuji_core::{InputError, Rng, Source, mix};

use super::{Claim, Example, Examples, Statement};
use crate::interpreter::{Interpreter, Limits};
use crate::referee::Referee;
use crate::{Place, Sheet};

/// What generated examples say about each state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Legal moves, the end and the goals: what any sheet of the game has in common.
    Moves,
    /// All facts too.
    Facts,
}

/// How examples are generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The number of matches.
    pub matches: u64,
    /// A match stops after this many steps.
    pub most_steps: usize,
    /// The seed of the random moves.
    pub seed: u64,
    /// What is said about each state.
    pub detail: Detail,
}

/// Plays random matches on a sheet and writes them down. Match `i` uses the seed `mix(seed, i)`.
pub fn generate(sheet: &Sheet, plan: &Plan, limits: Limits) -> Result<Examples, InputError> {
    let interpreter = Interpreter::new(sheet, limits)?;
    let mut referee = interpreter.referee();
    let roles = referee.roles();
    let mut list = Vec::new();
    for number in 0..plan.matches {
        let mut rng = Rng::new(mix(plan.seed, number));
        let mut claims = Vec::new();
        referee.restart()?;
        for step in 0..=plan.most_steps {
            let view = referee.view()?;
            if plan.detail == Detail::Facts {
                claims.push(Claim::Only(view.facts.clone()));
            }
            claims.push(if view.terminal { Claim::Over } else { Claim::NotOver });
            if view.terminal {
                let goals = roles.iter().enumerate().filter_map(|(index, role)| Some((role, view.goal(index)?)));
                claims.extend(goals.map(|(role, goal)| Claim::Goal(role.clone(), goal)));
                break;
            }
            for (role, moves) in roles.iter().zip(&view.legal) {
                claims.push(Claim::Moves(role.clone(), moves.clone()));
            }
            if step == plan.most_steps || view.legal.iter().any(Vec::is_empty) {
                break;
            }
            let joint: Vec<String> = view.legal.iter().map(|moves| moves[rng.below(moves.len())].clone()).collect();
            referee.step(&joint)?;
            claims.push(Claim::Move(roles.iter().cloned().zip(joint).collect()));
        }
        let statements = claims.into_iter().map(|claim| Statement { claim, place: Place::default() }).collect();
        list.push(Example { name: format!("match {}", number + 1), place: Place::default(), from: None, statements });
    }
    let source = Source::new("generated examples", "");
    let examples = Examples { source, roles, roles_place: Place::default(), list };
    // The text gives every statement its place.
    Examples::read(Source::new("generated examples", examples.to_string()))
}
