//! Batched playouts of a game, run in the lanes of its network.

use std::sync::PoisonError;

use tesuji_core::{BatchPlayouts, CountingPlayouts, Game, OneByOne, Player, Rng, TakenAction, Turn};

use super::engine::Move;
use super::networked::LanePool;
use super::{Gdl, State};
use crate::lanes::Lanes;

/// Lanes borrowed from the engine's pool.
pub(super) struct LaneBatch {
    lanes: Option<Lanes>,
    pool: LanePool,
    /// For states in which chance has yet to draw a part of the step: lanes know whole steps only.
    one_by_one: OneByOne<Gdl>,
    /// The scores of a player's moves, by number.
    scores: Vec<f32>,
}

impl LaneBatch {
    pub(super) fn new((pool, lanes): (LanePool, Lanes)) -> LaneBatch {
        LaneBatch { lanes: Some(lanes), pool, one_by_one: OneByOne::default(), scores: Vec::new() }
    }
}

impl Drop for LaneBatch {
    fn drop(&mut self) {
        if let Some(mut lanes) = self.lanes.take() {
            lanes.make_uniform();
            self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(lanes);
        }
    }
}

impl BatchPlayouts<Gdl> for LaneBatch {
    fn width(&self) -> usize {
        self.lanes.as_ref().map_or(1, Lanes::lanes)
    }

    fn run(&mut self, game: &Gdl, starts: &[State], each: u32, rng: &mut Rng, totals: &mut [f64]) -> u64 {
        self.play(game, starts, each, rng, totals, None)
    }

    fn counting(&mut self) -> Option<&mut dyn CountingPlayouts<Gdl>> {
        Some(self)
    }
}

impl CountingPlayouts<Gdl> for LaneBatch {
    fn run_counting(
        &mut self,
        game: &Gdl,
        starts: &[State],
        each: u32,
        rng: &mut Rng,
        totals: &mut [f64],
        taken: &mut Vec<TakenAction<Move>>,
    ) -> u64 {
        let first = taken.len();
        let steps = self.play(game, starts, each, rng, totals, Some(taken));
        // Starts that were played one by one come before the others.
        let start = |taken: &TakenAction<Move>| taken.start;
        if !taken[first..].is_sorted_by_key(start) {
            taken[first..].sort_by_key(start);
        }
        steps
    }

    fn prefer(&mut self, game: &Gdl, draws: u32, scores: &[(Player, Move, f32)]) {
        self.one_by_one.prefer(game, draws, scores);
        let Some(lanes) = &mut self.lanes else { return };
        lanes.make_uniform();
        for (player, &role) in game.spec().seats().zip(&game.roles) {
            let own = || scores.iter().filter(|&&(of, ..)| of == player);
            // Lanes take the first of equal moves. So a player without scores is not guided.
            let Some(moves) = own().map(|&(_, Move(number), _)| number as usize + 1).max() else { continue };
            self.scores.clear();
            self.scores.resize(moves, f32::INFINITY);
            own().for_each(|&(_, Move(number), score)| self.scores[number as usize] = score);
            let score = |number: u32| self.scores.get(number as usize).copied().unwrap_or(f32::INFINITY);
            lanes.prefer(role, draws, score);
        }
    }
}

impl LaneBatch {
    /// Plays out all starts, and counts the actions if `taken` is there.
    fn play(
        &mut self,
        game: &Gdl,
        starts: &[State],
        each: u32,
        rng: &mut Rng,
        totals: &mut [f64],
        mut taken: Option<&mut Vec<TakenAction<Move>>>,
    ) -> u64 {
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
                let start = std::slice::from_ref(start);
                steps += match &mut taken {
                    None => self.one_by_one.run(game, start, each, rng, totals),
                    Some(taken) => {
                        let first = taken.len();
                        let steps = self.one_by_one.run_counting(game, start, each, rng, totals, taken);
                        taken[first..].iter_mut().for_each(|taken| taken.start = index);
                        steps
                    }
                };
            }
        }
        let (Some(lanes), false) = (&mut self.lanes, in_lanes.is_empty()) else { return steps };
        let facts: Vec<&[u64]> = in_lanes.iter().map(|&index| starts[index].facts.as_slice()).collect();
        // One step limit for all: that of the start with the most steps made.
        let made = in_lanes.iter().map(|&index| starts[index].step).max().unwrap_or(0);
        let (each, most_steps) = (u64::from(each), game.max_steps - made);
        let tally = match taken {
            None => lanes.run(&facts, each, most_steps, rng),
            Some(_) => lanes.run_counting(&facts, each, most_steps, rng),
        };
        for (&index, sums) in in_lanes.iter().zip(&tally.sums) {
            for (total, &role) in totals[index * players..].iter_mut().zip(&game.roles) {
                *total += sums[role] as f64;
            }
        }
        if let Some(taken) = taken {
            for (&start, moves) in in_lanes.iter().zip(lanes.taken()) {
                // Chance is a role, too, but not a player.
                taken.extend(moves.iter().filter_map(|one| {
                    let player = game.players[one.role as usize]?;
                    let (action, total) = (Move(one.number), one.total as f64);
                    Some(TakenAction { start, player, action, playouts: one.playouts, total })
                }));
            }
        }
        steps + tally.steps
    }
}
