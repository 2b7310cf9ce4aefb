//! Where agents look in the first state.

use serde::Serialize;
use tesuji_core::{Actor, Game, InputError, Notation, Player};

use crate::bench::failed;
use crate::erased::{Action, Erased, State};
use crate::exploitability::{ExploitabilityPlan, decide, exploitability_seed, movers};
use crate::playable::Playable;

/// Where an agent looks: how often it tries each joint action of the first state.
#[derive(Clone, Debug, Serialize)]
pub struct JointVisits {
    /// The address of the game.
    pub game: String,
    /// The agent.
    pub agent: String,
    /// For whom it chooses.
    pub player: String,
    /// Playouts a decision.
    pub playouts: u64,
    /// Decisions looked at.
    pub decisions: u64,
    /// The actions of the first mover.
    pub rows: Vec<String>,
    /// The actions of the second mover; empty where one moves alone.
    pub columns: Vec<String>,
    /// The mean number of visits of each joint action, row by row.
    pub visits: Vec<Vec<f64>>,
    /// In how many decisions it was visited most.
    pub most_visited: Vec<Vec<u64>>,
}

/// Looks where an agent looks from `start`, for the first mover or for `player`.
pub(crate) fn joint_visits(
    playable: &Playable<Erased>,
    start: &State,
    plan: &ExploitabilityPlan,
    player: Option<Player>,
) -> Result<Vec<JointVisits>, InputError> {
    let game: &Erased = playable;
    let movers = movers(game, start)?;
    let player = player.unwrap_or(movers[0]);
    let spec = game.spec();
    if !movers.contains(&player) {
        return Err(InputError::new(format!("{} does not choose there", spec.player_name(player))));
    }
    let mut agent = playable.build_agent(&plan.agent)?;
    let text = |rank: usize, action| game.action_text(start, Actor::Player(movers[rank]), action);
    let mut reports = Vec::new();
    for &playouts in &plan.playouts {
        let (mut rows, mut columns): (Vec<Action>, Vec<Action>) = Default::default();
        let (mut visits, mut most_visited): (Vec<Vec<f64>>, Vec<Vec<u64>>) = Default::default();
        for repeat in 0..plan.repeats {
            let seed = exploitability_seed(plan.seed, player, repeat);
            let decision = decide(game, start, &mut *agent, player, playouts, seed);
            let joint = decision.map_err(|failure| failed(&plan.agent, &failure))?.thought.joint;
            if joint.is_empty() || movers.len() > 2 {
                return Err(InputError::new(format!("`{}` does not count joint actions here", plan.agent))
                    .with_help("`joint-mc`, `joint-tree` and their presets do, for two players"));
            }
            if repeat == 0 {
                for (actions, _) in &joint {
                    if !rows.contains(&actions[0]) {
                        rows.push(actions[0]);
                    }
                    if let Some(&second) = actions.get(1)
                        && !columns.contains(&second)
                    {
                        columns.push(second);
                    }
                }
                visits = vec![vec![0.0; columns.len().max(1)]; rows.len()];
                most_visited = vec![vec![0; columns.len().max(1)]; rows.len()];
            }
            let most = joint.iter().map(|(_, count)| *count).max().unwrap_or(0);
            for (actions, count) in &joint {
                let row = rows.iter().position(|action| *action == actions[0]).unwrap_or(0);
                let second = actions.get(1);
                let column = columns.iter().position(|action| Some(action) == second).unwrap_or(0);
                visits[row][column] += *count as f64 / plan.repeats as f64;
                most_visited[row][column] += u64::from(*count == most);
            }
        }
        reports.push(JointVisits {
            game: spec.name.clone(),
            agent: plan.agent.clone(),
            player: spec.player_name(player).to_owned(),
            playouts,
            decisions: plan.repeats,
            rows: rows.into_iter().map(|action| text(0, action)).collect(),
            columns: columns.into_iter().map(|action| text(1, action)).collect(),
            visits,
            most_visited,
        });
    }
    Ok(reports)
}
