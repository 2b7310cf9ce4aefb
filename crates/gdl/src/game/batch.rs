//! Batched playouts of a game, run in the lanes of its network.

use std::sync::PoisonError;

use tesuji_core::{BatchPlayouts, Game, OneByOne, Rng, Turn};

use super::networked::LanePool;
use super::{Gdl, State};
use crate::lanes::Lanes;

/// Lanes borrowed from the engine's pool.
pub(super) struct LaneBatch {
    lanes: Option<Lanes>,
    pool: LanePool,
    /// For states in which chance has yet to draw a part of the step: lanes know whole steps only.
    one_by_one: OneByOne<Gdl>,
}

impl LaneBatch {
    pub(super) fn new((pool, lanes): (LanePool, Lanes)) -> LaneBatch {
        LaneBatch { lanes: Some(lanes), pool, one_by_one: OneByOne::default() }
    }
}

impl Drop for LaneBatch {
    fn drop(&mut self) {
        if let Some(lanes) = self.lanes.take() {
            self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(lanes);
        }
    }
}

impl BatchPlayouts<Gdl> for LaneBatch {
    fn width(&self) -> usize {
        self.lanes.as_ref().map_or(1, Lanes::lanes)
    }

    fn run(&mut self, game: &Gdl, starts: &[State], each: u32, rng: &mut Rng, totals: &mut [f64]) -> u64 {
        let players = game.roles.len();
        let mut steps = 0;
        let mut in_lanes = Vec::new();
        for (index, start) in starts.iter().enumerate() {
            if start.turn == Turn::Over {
                for (player, total) in game.spec().seats().zip(&mut totals[index * players..]) {
                    *total += game.payoff(start, player) * f64::from(each);
                }
            } else if start.pending.is_empty() {
                in_lanes.push(index);
            } else {
                let totals = &mut totals[index * players..(index + 1) * players];
                steps += self.one_by_one.run(game, std::slice::from_ref(start), each, rng, totals);
            }
        }
        let (Some(lanes), false) = (&mut self.lanes, in_lanes.is_empty()) else { return steps };
        let facts: Vec<&[u64]> = in_lanes.iter().map(|&index| starts[index].facts.as_slice()).collect();
        // One step limit for all: that of the start with the most steps made.
        let made = in_lanes.iter().map(|&index| starts[index].step).max().unwrap_or(0);
        let tally = lanes.run(&facts, u64::from(each), game.max_steps - made, rng);
        for (&index, sums) in in_lanes.iter().zip(&tally.sums) {
            for (total, &role) in totals[index * players..].iter_mut().zip(&game.roles) {
                *total += sums[role] as f64;
            }
        }
        steps + tally.steps
    }
}
