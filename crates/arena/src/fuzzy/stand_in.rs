//! A strong agent in the place of the person who labels (paper 000, section 7.1): it plays against the agent whose
//! actions are to be labelled. Its own actions are good. What the other does is judged where it is done: how much less
//! the action is worth than what the judge looked at most, both by the judge's own search, as a share of what is at
//! stake.
//!
//! | loss | label |
//! | --- | --- |
//! | at most `near` | 1: the judge might have done the same |
//! | at least `clear` | 0: clearly bad |
//! | between, or never tried | 0.5: cannot be told |
//!
//! Sides are swapped after each match. Everything follows from the seed, whatever the number of threads.

use std::sync::atomic::{AtomicBool, Ordering};

use tesuji_core::{Features, InputError, Player, Rng, Turn, cancel, mix};

use super::Label;
use super::label::feature_names;
use crate::{AnyGame, Budget, Catalogue, DecisionText, crew};

/// What is labelled, by whom, and how much of it.
#[derive(Clone, Debug)]
pub struct StandInPlan {
    /// The address of the game.
    pub game: String,
    /// Whose actions are labelled.
    pub opponent: String,
    /// Who labels.
    pub judge: String,
    /// What a decision may cost agents without a budget of their own.
    pub budget: Budget,
    /// How many labels; matches are played until there are enough.
    pub labels: usize,
    /// A loss up to this is none.
    pub near: f64,
    /// A loss from this on is clear.
    pub clear: f64,
    /// Fixes everything random.
    pub seed: u64,
    /// How many matches are played at once.
    pub threads: usize,
}

/// Plays and labels; `progress` hears the number of labels. Ends with fewer when `stop` is set.
pub fn stand_in(
    catalogue: &Catalogue,
    plan: &StandInPlan,
    stop: &AtomicBool,
    mut progress: impl FnMut(usize),
) -> Result<Vec<Label>, InputError> {
    play_and_label(catalogue, plan, stop, &mut progress)
}

fn play_and_label(
    catalogue: &Catalogue,
    plan: &StandInPlan,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Label>, InputError> {
    let game = catalogue.open(&plan.game)?;
    feature_names(&*game, &plan.game)?;
    let spec = game.spec();
    if spec.players.len() != 2 || spec.features.contains(Features::SIMULTANEOUS) {
        return Err(InputError::new(format!("`{}` cannot be labelled by a stand-in", plan.game))
            .with_help("expected a game of two players who act one at a time"));
    }
    game.check_agent(&plan.judge)?;
    game.check_agent(&plan.opponent)?;
    let mut labels = Vec::new();
    let mut first = 0;
    while labels.len() < plan.labels && !stop.load(Ordering::Relaxed) {
        let mut matches: Vec<(u64, Result<Vec<Label>, InputError>)> = Vec::new();
        crew::run(
            plan.threads as u64,
            plan.threads,
            stop,
            || (),
            |(), task| {
                let found = labelled_match(game.as_ref(), plan, first + task);
                // Searches that were cancelled judge badly.
                (!cancel::requested()).then_some((first + task, found))
            },
            |result| {
                matches.extend(result);
                Ok::<(), InputError>(())
            },
        )?;
        matches.sort_by_key(|(number, _)| *number);
        for (_, found) in matches {
            let found = found?;
            if found.is_empty() {
                return Err(InputError::new(format!("nothing happens in `{}` that could be labelled", plan.game)));
            }
            labels.extend(found);
        }
        first += plan.threads as u64;
        progress(labels.len().min(plan.labels));
    }
    labels.truncate(plan.labels);
    Ok(labels)
}

/// The labels of one match.
fn labelled_match(game: &dyn AnyGame, plan: &StandInPlan, number: u64) -> Result<Vec<Label>, InputError> {
    let seed = mix(plan.seed, number);
    let [mut nature, mut judging, mut playing] = [0, 1, 2].map(|stream| Rng::new(mix(seed, stream)));
    let own = Player((number % 2) as u8);
    // The same match twice: at one table the opponent thinks, at the other the judge, for both sides.
    let (mut table, mut shadow) = (game.new_match(None)?, game.new_match(None)?);
    for player in game.spec().seats() {
        table.seat(player, &plan.opponent)?;
        shadow.seat(player, &plan.judge)?;
    }
    let mut labels = Vec::new();
    for step in 0.. {
        let joint = match table.turn() {
            Turn::Player(player) => {
                let judged = shadow.think(player, &plan.budget, &mut judging)?;
                let (action, label) = if player == own {
                    (judged.action, 1.0)
                } else {
                    let action = table.think(player, &plan.budget, &mut playing)?.action;
                    let label = judgement(game, &judged, &action, plan);
                    (action, label)
                };
                labels.push(Label {
                    game: plan.game.clone(),
                    state: table.state_text(),
                    features: table.action_features(player, &action)?,
                    by: format!("stand-in {}", plan.judge),
                    played: format!("seed {} match {number} step {step}", plan.seed),
                    action: action.clone(),
                    label,
                });
                vec![action]
            }
            Turn::Chance => match table.draw_outcome(&mut nature) {
                Some(outcome) => {
                    shadow.step(&[outcome])?;
                    continue;
                }
                None => break,
            },
            Turn::Simultaneous(_) | Turn::Over => break,
        };
        table.step(&joint)?;
        shadow.step(&joint)?;
    }
    Ok(labels)
}

/// What the judge's thought says of an action.
fn judgement(game: &dyn AnyGame, thought: &DecisionText, action: &str, plan: &StandInPlan) -> f64 {
    // A mean over few playouts may be great by luck: what was looked at most is the measure.
    let Some(best) = thought.candidates.iter().max_by_key(|candidate| candidate.visits) else { return 0.5 };
    let found = thought.candidates.iter().find(|candidate| candidate.action == action);
    let Some((best, own)) = best.value.zip(found.and_then(|candidate| candidate.value)) else {
        return if thought.action == action { 1.0 } else { 0.5 };
    };
    let (least, most) = game.spec().payoffs;
    match (best - own) / (most - least) {
        loss if loss <= plan.near => 1.0,
        loss if loss >= plan.clear => 0.0,
        _ => 0.5,
    }
}
