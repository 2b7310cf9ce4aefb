//! How long an experiment will take: a few decisions of its agents, timed, times the decisions of its matches.

use std::time::{Duration, Instant};

use serde::Serialize;
use tesuji_core::{InputError, Player, Rng, Turn, cancel};

use crate::experiment::Experiment;
use crate::{Actor, AnyGame};

/// The cost of an experiment, roughly.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// Matches in all, if no test stops it early.
    pub matches: u64,
    /// Seconds of one core.
    pub core_seconds: f64,
    /// Was everything timed, or did the time for that run out?
    pub complete: bool,
}

/// Random matches from which the number of decisions is taken.
const SAMPLES: u64 = 3;
/// The most steps of a sampled match.
const LONGEST: usize = 2_000;

/// Times the first decisions of all agents in all games, for at most `limit`; what could not be timed counts like the
/// mean of what was.
pub fn estimate(experiment: &Experiment, limit: Duration) -> Result<Estimate, InputError> {
    let begun = Instant::now();
    let seatings = |players: usize| if players == 1 || experiment.fixed_seats { 1 } else { players as u64 };
    let (mut matches, mut seconds, mut timed, mut wanted) = (0, 0.0, 0_u64, 0_u64);
    for game in &experiment.games {
        let game = game.game.as_ref();
        let rounds = experiment.pairs * seatings(game.spec().players.len());
        matches += rounds * experiment.pairings.len() as u64;
        let decisions = decisions_of_a_match(game)?;
        for (number, agent) in experiment.agents.iter().enumerate() {
            let meetings = experiment.pairings.iter().filter(|pairing| pairing.contains(&number)).count() as u64;
            wanted += meetings * rounds;
            if begun.elapsed() > limit || cancel::requested() {
                continue;
            }
            // Each of two agents makes half of the decisions.
            let decision = one_decision(game, &agent.name.address, agent)?;
            seconds += decision * decisions / 2.0 * (meetings * rounds) as f64;
            timed += meetings * rounds;
        }
    }
    let share = if timed == 0 { 1.0 } else { wanted as f64 / timed as f64 };
    Ok(Estimate { matches, core_seconds: seconds * share, complete: timed == wanted })
}

/// The mean number of decisions of players in random matches.
fn decisions_of_a_match(game: &dyn AnyGame) -> Result<f64, InputError> {
    let mut decisions = 0;
    for sample in 0..SAMPLES {
        let mut table = game.new_match(None)?;
        let mut rng = Rng::new(sample);
        for _ in 0..LONGEST {
            match table.turn() {
                Turn::Over => break,
                Turn::Chance => drop(table.draw_outcome(&mut rng)),
                turn => {
                    decisions += turn.movers().count();
                    let joint = turn.movers().map(|mover| {
                        let legal = table.legal(Actor::Player(mover));
                        legal[rng.below(legal.len())].clone()
                    });
                    let joint: Vec<String> = joint.collect();
                    table.step(&joint)?;
                }
            }
        }
    }
    Ok(decisions as f64 / SAMPLES as f64)
}

fn one_decision(game: &dyn AnyGame, address: &str, agent: &crate::experiment::Competitor) -> Result<f64, InputError> {
    let mut table = game.new_match(None)?;
    let mut rng = Rng::new(1);
    while table.turn() == Turn::Chance {
        table.draw_outcome(&mut rng);
    }
    let Some(player) = table.turn().movers().next() else { return Ok(0.0) };
    table.seat(player, address)?;
    let begun = Instant::now();
    table.think(Player(player.0), &agent.budget, &mut rng)?;
    Ok(begun.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;
    use crate::experiment::{Scale, read_experiment};

    #[test]
    fn an_estimate_counts_all_matches_and_grows_with_the_budget() {
        let read = |playouts: u64| {
            let text = format!(
                "title = \"t\"\ngames = [\"tic-tac-toe\", \"connect-four\"]\nagents = [\"uct\", \"mc\", \"random\"]\n\
                 seed = 1\npairs = 5\nbudget = {{ playouts = {playouts} }}\n"
            );
            let source = Source::new("e.toml", &text);
            let experiment = read_experiment(&tesuji_standard::catalogue(), &source, Scale::Full).unwrap();
            estimate(&experiment, Duration::from_secs(60)).unwrap()
        };
        let (small, large) = (read(20), read(4_000));
        // Two games, three pairings, five pairs of two matches.
        assert_eq!((small.matches, large.matches), (60, 60));
        assert!(small.complete && large.core_seconds > small.core_seconds, "{small:?} {large:?}");
    }
}
