//! Depth-limited Monte Carlo (DLMC; paper 002, section 4.3, and paper 000, section 3.3) and its improvements.
//!
//! It draws m whole turns at random. From the end of each, n playouts continue for d turns, and the evaluation rates
//! the final states; the turn with the greatest sum is played. Two improvements add turns to the comparison:
//! - *attack action search* (section 5.1): its best turn;
//! - *local adjustment* (section 5.2): the last k actions of each of the best j turns are replaced by what attack
//!   action search finds from there.
//!
//! With both (section 6), the paper runs steps I to III of the second and then II to IV of the first. Taken literally,
//! the adjusted turns would never be created; here both kinds of turns are added, then evaluated.
//!
//! Our own addition is sequential halving (`TurnAllocation::Halving`; Karnin, Koren and Somekh, "Almost Optimal
//! Exploration in Multi-Armed Bandits", 2013): after each round the worse half of the turns is discarded, so playouts
//! go to those among which the choice is hard.
//!
//! Deviations: playouts go round by round, one for each turn, so that turns remain comparable when the budget ends
//! early. Means are compared instead of sums, which is the same if all turns have n playouts.

use std::time::Duration;

use tesuji_core::{Game, Policy, Rng};

use super::attack_search::AttackSearch;
use super::{Judge, Plan, Planner, acts, finish_turn, part_of_budget, rest_of_budget};
use crate::cold_sort::cold_sort_descending;
use crate::pace::Pace;
use crate::{Budget, Limit, Meter, Seat, Thought};

/// The planner of `dlmc`.
pub struct Dlmc<G: Game> {
    /// The number of turns drawn (m).
    pub samples: u32,
    /// The number of playouts for each (n).
    pub simulations: u32,
    /// Draws the turns, action by action.
    pub sampler: Box<dyn Policy<G>>,
    /// Evaluates the end of a turn.
    pub judge: Judge<G>,
    /// How playouts are shared among the turns.
    pub allocation: TurnAllocation,
    /// Finds attacks for the improvements.
    pub attacks: Option<AttackSearch<G>>,
    /// Whether the best turn of attack action search is compared as well.
    pub add_attack_turn: bool,
    /// How the best turns are adjusted, if they are.
    pub adjustment: Option<Adjustment>,
}

/// How playouts are shared among turns that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnAllocation {
    /// Each turn gets the same number, as in the paper.
    Equal,
    /// Sequential halving: after each round the worse half is discarded.
    Halving,
}

/// Local adjustment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Adjustment {
    /// The number of best turns to adjust (j).
    pub turns: usize,
    /// The number of their last actions to replace (k).
    pub actions: usize,
}

/// A whole turn under evaluation.
struct Sampled<G: Game> {
    actions: Vec<G::Action>,
    end: G::State,
    total: f64,
    playouts: u32,
}

impl<G: Game> Sampled<G> {
    fn mean(&self) -> f64 {
        if self.playouts == 0 { f64::NEG_INFINITY } else { self.total / f64::from(self.playouts) }
    }
}

impl<G: Game> Dlmc<G> {
    /// Draws turns until there are enough or the time is up; at least one.
    fn draw(&mut self, seat: &Seat<'_, G>, limit: usize, meter: &Meter, rng: &mut Rng) -> Vec<Sampled<G>> {
        let mut turns = Vec::with_capacity(limit);
        while turns.is_empty() || turns.len() < limit && meter.allows(0, 0) {
            let mut end = seat.state.clone();
            let mut actions = Vec::new();
            finish_turn(seat.game, &mut end, seat.player, &mut *self.sampler, &mut actions, rng);
            turns.push(Sampled { actions, end, total: 0.0, playouts: 0 });
        }
        turns
    }

    /// Makes playouts for the turns, one for each in rounds, in stages of equal shares of the budget; in each stage
    /// only the better half of the previous one takes part. Returns the number of playouts; the turns are then sorted,
    /// best first.
    fn judge_turns(&mut self, seat: &mut Seat<'_, G>, turns: &mut [Sampled<G>], budget: &Budget, rng: &mut Rng) -> u64 {
        let stages = match self.allocation {
            TurnAllocation::Equal => 1,
            TurnAllocation::Halving => turns.len().next_power_of_two().trailing_zeros().max(1),
        };
        let most = u64::from(self.simulations) * turns.len() as u64;
        let most = budget.playouts.into_iter().chain(budget.nodes).fold(most, u64::min);
        let mut pace = Pace::start(Budget { playouts: Some(most), ..*budget });
        let (game, player) = (seat.game, seat.player);
        let mut playouts = 0;
        let mut alive = turns.len();
        for stage in 1..=stages {
            let spent = |playouts: u64, time: Duration| {
                playouts * u64::from(stages) >= most * u64::from(stage)
                    || budget.time.is_some_and(|limit| time >= limit / stages * stage)
            };
            'stage: loop {
                for index in 0..alive {
                    if !pace.allows(playouts, playouts, &mut seat.watcher, |time| Thought {
                        playouts,
                        time,
                        line: line(turns),
                        ..Thought::default()
                    }) && playouts > 0
                    {
                        break 'stage;
                    }
                    let turn = &mut turns[index];
                    turn.total += self.judge.play(game, &turn.end, player, rng);
                    turn.playouts += 1;
                    playouts += 1;
                }
                if spent(playouts, pace.elapsed()) {
                    break;
                }
            }
            cold_sort_descending(&mut turns[..alive], |turn| turn.mean());
            alive = alive.div_ceil(2);
        }
        playouts
    }

    /// The turns that the improvements add to those already evaluated.
    fn improve(&mut self, seat: &Seat<'_, G>, turns: &[Sampled<G>], meter: &Meter, rng: &mut Rng) -> Vec<Sampled<G>> {
        let (game, player) = (seat.game, seat.player);
        let Some(attacks) = &mut self.attacks else { return Vec::new() };
        let mut added: Vec<Sampled<G>> = Vec::new();
        let mut add = |attacks: &mut AttackSearch<G>, kept: &[G::Action], length: u32, rng: &mut Rng| {
            let mut end = seat.state.clone();
            kept.iter().for_each(|&action| game.apply(&mut end, &[action]));
            if !acts(game, &end, player) {
                return;
            }
            let mut actions = kept.to_vec();
            attacks.best_turn(game, &mut end, player, length, &mut actions, (meter, rng));
            if added.iter().all(|known| known.actions != actions) {
                added.push(Sampled { actions, end, total: 0.0, playouts: 0 });
            }
        };
        if let Some(Adjustment { turns: best, actions }) = self.adjustment {
            for turn in turns.iter().take(best) {
                let kept = turn.actions.len().saturating_sub(actions);
                add(attacks, &turn.actions[..kept], actions as u32, rng);
            }
        }
        if self.add_attack_turn {
            let length = attacks.length;
            add(attacks, &[], length, rng);
        }
        added
    }

    /// The most turns that the improvements may add.
    fn most_added(&self) -> u64 {
        self.adjustment.map_or(0, |adjustment| adjustment.turns as u64) + u64::from(self.add_attack_turn)
    }
}

impl<G: Game> Planner<G> for Dlmc<G> {
    fn plan(&mut self, seat: &mut Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Plan<G::Action> {
        let meter = Meter::start(*budget);
        let (samples, more) = (u64::from(self.samples), self.most_added());
        let counted = budget.playouts.into_iter().chain(budget.nodes).min().unwrap_or(u64::MAX);
        // Each turn of the second stage gets as many playouts as one of the first, so the budget is shared in
        // proportion to their numbers.
        let first_stage = part_of_budget(budget, samples, samples + more);
        let drawn = samples.min(counted) as usize;
        let mut turns = self.draw(seat, drawn, &Meter::start(first_stage), rng);
        let left = Budget { time: first_stage.time.map(|time| time.saturating_sub(meter.elapsed())), ..first_stage };
        let mut playouts = self.judge_turns(seat, &mut turns, &left, rng);
        if more > 0 && playouts < counted {
            let mut added = self.improve(seat, &turns, &time_only(budget, &meter), rng);
            let left = rest_of_budget(budget, playouts, meter.elapsed());
            playouts += self.judge_turns(seat, &mut added, &left, rng);
            if added.first().is_some_and(|turn| turn.mean() > turns[0].mean()) {
                std::mem::swap(&mut turns, &mut added);
            }
            turns.append(&mut added);
        }
        let mut first: Vec<(G::Action, u64, f64)> = Vec::new();
        for turn in turns.iter().filter(|turn| turn.playouts > 0) {
            let (action, visits) = (turn.actions[0], u64::from(turn.playouts));
            match first.iter_mut().find(|(known, ..)| *known == action) {
                Some((_, all, value)) => (*all, *value) = (*all + visits, turn.mean().max(*value)),
                None => first.push((action, visits, turn.mean())),
            }
        }
        let value = turns[0].mean();
        let (nodes, time) = (turns.len() as u64, meter.elapsed());
        let all = playouts >= nodes * u64::from(self.simulations);
        let own = all.then_some(Limit::Settings("samples and simulations"));
        let limit = budget.reached(playouts, playouts, time).or(own);
        Plan { actions: turns.swap_remove(0).actions, value, first, playouts, nodes, time, limit }
    }
}

/// A meter of the remaining time only.
fn time_only(budget: &Budget, meter: &Meter) -> Meter {
    let time = budget.time.map(|limit| limit.saturating_sub(meter.elapsed()));
    Meter::start(Budget { playouts: Some(u64::MAX), nodes: None, time })
}

/// The best turn so far, for watchers.
fn line<G: Game>(turns: &[Sampled<G>]) -> Vec<Vec<G::Action>> {
    let best = turns.iter().max_by(|a, b| a.mean().total_cmp(&b.mean()));
    best.map_or(Vec::new(), |turn| turn.actions.iter().map(|&action| vec![action]).collect())
}

#[cfg(test)]
mod tests {
    use tesuji_core::{Game, History};

    use super::super::tests::{ME, sampling};
    use super::*;
    use crate::tiny_games::skirmish::Skirmish;

    /// The playouts of sixteen turns, best first, eight for each on average or as many as the limit allows.
    fn shares(allocation: TurnAllocation, budget: Budget) -> Vec<u32> {
        let game = Skirmish::random(&mut Rng::new(3));
        let (state, history) = (game.start(), History::default());
        let mut seat = Seat { game: &game, state: &state, player: ME, history: &history, watcher: None };
        let mut planner = Dlmc { allocation, ..sampling(16, 8, 2) };
        let mut turns = planner.draw(&seat, 16, &Meter::start(budget), &mut Rng::new(1));
        let playouts = planner.judge_turns(&mut seat, &mut turns, &budget, &mut Rng::new(2));
        assert_eq!(playouts, turns.iter().map(|turn| u64::from(turn.playouts)).sum());
        turns.into_iter().map(|turn| turn.playouts).collect()
    }

    #[test]
    fn halving_gives_the_better_turns_what_the_worse_would_get() {
        assert_eq!(shares(TurnAllocation::Equal, Budget::playouts(1000)), [8; 16]);
        // 128 playouts in four stages of 32: 2 for each of 16 turns, 4 for each of 8, 8 for 4, 16 for 2.
        let halved = [30, 30, 14, 14, 6, 6, 6, 6, 2, 2, 2, 2, 2, 2, 2, 2];
        for ample in [Budget::playouts(1000), Budget::time(Duration::from_secs(u64::MAX / 2))] {
            assert_eq!(shares(TurnAllocation::Halving, ample), halved);
        }
        for limit in [1, 15, 40, 127] {
            let shares = shares(TurnAllocation::Halving, Budget::playouts(limit));
            assert_eq!(shares.into_iter().sum::<u32>(), limit as u32);
        }
    }
}
