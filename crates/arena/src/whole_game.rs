//! The exploitability of an agent in a whole game: NashConv of the strategy that it plays in all states.
//!
//! The agent is asked in every state for every player who has a choice there, each time afresh and with a seed of its
//! own. What it would do on average over several searches is its strategy: a player who searches again in every match
//! plays the mean of these mixes.

mod journal;

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use tesuji_catalogue::{WholeGameFigure, WholeGameMeter, whole_game_seed};
use tesuji_core::{ErrorKind, InputError};
use tesuji_play::Budget;

use crate::crew;
pub use journal::Journal;
use journal::Measured;

/// How an agent is asked.
#[derive(Clone, PartialEq, Debug)]
pub struct WholeGamePlan {
    /// The agent.
    pub agent: String,
    /// The budget of a search.
    pub budget: Budget,
    /// Searches for each state and player; the strategy is the mean of their mixes.
    pub repeats: u64,
    /// Fixes everything random.
    pub seed: u64,
}

/// The exploitability of agents in a whole game.
#[derive(Clone, Debug, Serialize)]
pub struct WholeGameReport {
    /// The address of the game.
    pub game: String,
    /// The agent.
    pub agent: String,
    /// A figure for each budget.
    pub points: Vec<WholeGamePoint>,
}

/// The exploitability at one budget.
#[derive(Clone, Debug, Serialize)]
pub struct WholeGamePoint {
    /// Playouts a search, if the budget is one of playouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// The budget of a search, as it is written.
    pub budget: String,
    /// Searches for each state and player.
    pub repeats: u64,
    /// What best responses gain, added up over all players; 0 in an equilibrium.
    pub nash_conv: f64,
    /// What the first player gets when all play the strategy.
    pub value: f64,
    /// The time of all searches, in seconds; where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Adds a mix, scaled to a sum of 1, to a sum of mixes.
pub(crate) fn add_mix(sum: &mut Vec<f64>, mix: &[f64]) {
    let scale: f64 = mix.iter().sum();
    sum.resize(mix.len(), 0.0);
    sum.iter_mut().zip(mix).for_each(|(sum, share)| *sum += share / scale);
}

/// Asks an agent all questions of a game and measures its strategy. Answers in the journal are not asked for again,
/// and new ones are added to it. `progress` gets the number of answers and of all questions.
pub fn measure_whole_game(
    meter: &dyn WholeGameMeter,
    plan: &WholeGamePlan,
    threads: usize,
    stop: &AtomicBool,
    mut journal: Option<&mut Journal>,
    mut progress: impl FnMut(u64, u64),
) -> Result<(WholeGameFigure, f64), InputError> {
    let questions = meter.questions() as u64;
    let total = questions * plan.repeats;
    let mut answers = match &mut journal {
        Some(journal) => journal.begin(meter, plan)?,
        None => Measured::default(),
    };
    let pending: Vec<(u64, u64)> = (0..total)
        .map(|number| (number % questions, number / questions))
        .filter(|key| !answers.contains_key(key))
        .collect();
    progress(total - pending.len() as u64, total);
    let asked: Result<(), InputError> = crew::run(
        pending.len() as u64,
        threads,
        stop,
        || meter.asker(&plan.agent),
        |asker, task| {
            let (question, repeat) = pending[task as usize];
            let seed = whole_game_seed(plan.seed, question as usize, repeat);
            let answer = match asker {
                Ok(asker) => asker.ask(question as usize, &plan.budget, seed),
                Err(error) => Err(error.clone()),
            };
            match answer {
                Err(_) if stop.load(Ordering::Relaxed) => None,
                answer => Some(((question, repeat), answer)),
            }
        },
        |result| {
            if let Some((key, answer)) = result {
                let answer = answer?;
                if let Some(journal) = &mut journal {
                    journal.add(key, &answer)?;
                }
                answers.insert(key, answer);
                progress(answers.len() as u64, total);
            }
            Ok(())
        },
    );
    asked?;
    if (answers.len() as u64) < total {
        return Err(InputError::new("stopped before all states were asked").of_kind(ErrorKind::Cancelled));
    }
    let mut mixes: Vec<Vec<f64>> = vec![Vec::new(); questions as usize];
    // In the order of the keys, so that the sums do not depend on the threads.
    for ((question, _), answer) in &answers {
        add_mix(&mut mixes[*question as usize], &answer.mix);
    }
    Ok((meter.measure(&mixes), answers.values().map(|answer| answer.seconds).sum()))
}
