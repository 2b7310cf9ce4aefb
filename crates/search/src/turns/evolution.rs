//! Online evolution over whole turns (Justesen, Mahlmann and Togelius, "Online Evolution for Multi-Action Adversarial
//! Games", 2016).
//!
//! A genome is a whole turn. In each generation the turns are evaluated, the better part survives, and the rest is
//! replaced by children: at each position the action of one of two parents (uniform crossover), sometimes another one
//! (mutation). An illegal action is replaced by the other parent's, or by a random one.
//!
//! Our own: a turn is evaluated by a few playouts of several turns in each generation, and its results are accumulated
//! over its life, so that lucky turns do not survive for long. With `replies`, the budget's second half judges the best
//! turns by the other side's best reply instead of by chance replies (`beam`).

use std::time::Duration;

use tesuji_core::{Game, Policy, Rng};

use super::beam::{BestAfterReply, best_after_reply};
use super::{Judge, Plan, Planner, acts, finish_turn, part_of_budget, rest_of_budget};
use crate::cold_sort::cold_sort_descending;
use crate::pace::Pace;
use crate::{Budget, Seat, Thought};

/// The planner of `evolution`.
pub struct Evolution<G: Game> {
    /// The population size.
    pub population: usize,
    /// The fraction that survives a generation.
    pub survivors: f64,
    /// The probability that a position mutates.
    pub mutation: f64,
    /// Playouts for each turn and generation.
    pub simulations: u32,
    /// Draws the first turns and all mutations.
    pub sampler: Box<dyn Policy<G>>,
    /// Evaluates the end of a turn.
    pub judge: Judge<G>,
    /// How many of the best turns are judged by the best reply in the end; 0 for none.
    pub replies: usize,
}

/// A turn of the population.
struct Genome<G: Game> {
    actions: Vec<G::Action>,
    end: G::State,
    total: f64,
    playouts: u32,
}

impl<G: Game> Genome<G> {
    fn fitness(&self) -> f64 {
        if self.playouts == 0 { f64::NEG_INFINITY } else { self.total / f64::from(self.playouts) }
    }
}

/// Buffers that are reused, so that breeding does not allocate.
struct Lists<A> {
    legal: Vec<A>,
    /// The actions of discarded turns.
    dead: Vec<Vec<A>>,
}

impl<G: Game> Evolution<G> {
    fn born(
        &mut self,
        seat: &Seat<'_, G>,
        parents: Option<[&Genome<G>; 2]>,
        lists: &mut Lists<G::Action>,
        rng: &mut Rng,
    ) -> Genome<G> {
        let (game, player) = (seat.game, seat.player);
        let mut end = seat.state.clone();
        let mut actions = lists.dead.pop().unwrap_or_default();
        actions.clear();
        if let Some(parents) = parents {
            let legal = &mut lists.legal;
            while acts(game, &end, player) {
                let place = actions.len();
                let first = rng.below(2);
                let inherited = [first, 1 - first].map(|parent| parents[parent].actions.get(place).copied());
                let mutates = rng.chance(self.mutation);
                legal.clear();
                game.legal(&end, player, legal);
                let fit = inherited.into_iter().flatten().find(|action| legal.contains(action));
                let action = match fit {
                    Some(action) if !mutates => action,
                    _ => self.sampler.pick(game, &end, player, rng),
                };
                game.apply(&mut end, &[action]);
                actions.push(action);
            }
        } else {
            finish_turn(game, &mut end, player, &mut *self.sampler, &mut actions, rng);
        }
        Genome { actions, end, total: 0.0, playouts: 0 }
    }
}

impl<G: Game> Planner<G> for Evolution<G> {
    fn plan(&mut self, seat: &mut Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Plan<G::Action> {
        let share = if self.replies > 0 { part_of_budget(budget, 1, 2) } else { *budget };
        let mut pace = Pace::start(share);
        let mut alive: Vec<Genome<G>> = Vec::new();
        let mut lists = Lists { legal: Vec::new(), dead: Vec::new() };
        let mut first: Vec<(G::Action, u64, f64)> = Vec::new();
        let keep = ((self.population as f64 * self.survivors) as usize).clamp(1, self.population);
        let mut playouts = 0;
        let mut turns = 0;
        'generations: loop {
            while alive.len() < self.population {
                let old = alive.len().min(keep);
                let parents = (turns >= self.population as u64).then(|| [rng.below(old), rng.below(old)]);
                let parents = parents.map(|pair| pair.map(|index| &alive[index]));
                let child = self.born(seat, parents, &mut lists, rng);
                alive.push(child);
                turns += 1;
                if !spare_time(&mut pace, playouts, seat, &alive) {
                    break;
                }
            }
            for _ in 0..self.simulations {
                for index in 0..alive.len() {
                    if !spare_time(&mut pace, playouts, seat, &alive) && playouts > 0 {
                        break 'generations;
                    }
                    let genome = &mut alive[index];
                    genome.total += self.judge.play(seat.game, &genome.end, seat.player, rng);
                    genome.playouts += 1;
                    playouts += 1;
                }
            }
            for genome in &alive {
                let (action, fitness) = (genome.actions[0], genome.fitness());
                match first.iter_mut().find(|(known, ..)| *known == action) {
                    Some((_, seen, best)) => (*seen, *best) = (*seen + 1, fitness.max(*best)),
                    None => first.push((action, 1, fitness)),
                }
            }
            cold_sort_descending(&mut alive, |genome| genome.fitness());
            lists.dead.extend(alive.drain(keep.min(alive.len())..).map(|genome| genome.actions));
        }
        let seasoned = |genome: &Genome<G>| (genome.playouts >= self.simulations, genome.fitness());
        let is_better = |one: &Genome<G>, other: &Genome<G>| {
            let (a, b) = (seasoned(one), seasoned(other));
            a.0 && !b.0 || a.0 == b.0 && a.1 > b.1
        };
        let mut best =
            (1..alive.len()).fold(0, |best, index| if is_better(&alive[index], &alive[best]) { index } else { best });
        let mut value = alive[best].fitness();
        if self.replies > 0 {
            alive.swap(0, best);
            let candidates = distinct_best(&mut alive, self.replies);
            let ends: Vec<G::State> = alive[..candidates].iter().map(|genome| genome.end.clone()).collect();
            let rest = rest_of_budget(budget, playouts, pace.elapsed());
            let BestAfterReply { best: kept, value: after_reply, evaluated } =
                best_after_reply(seat, &*self.judge.evaluation, &ends, &rest);
            (best, value) = (kept, after_reply);
            playouts += evaluated;
        }
        let actions = alive.swap_remove(best).actions;
        if !first.iter().any(|(action, ..)| *action == actions[0]) {
            first.push((actions[0], 1, value));
        }
        Plan { actions, value, first, playouts, nodes: turns, time: pace.elapsed(), limit: pace.limit() }
    }
}

/// Brings turns with different ends to the front, after the first one: the fittest of those that were played out.
/// Returns how many there are, at most `most`.
fn distinct_best<G: Game>(alive: &mut Vec<Genome<G>>, most: usize) -> usize {
    let mut rest = alive.split_off(1);
    cold_sort_descending(&mut rest, |genome| genome.fitness());
    let mut left = Vec::new();
    for genome in rest {
        let is_new = alive.iter().all(|chosen| chosen.end != genome.end);
        if alive.len() < most && is_new && genome.playouts > 0 {
            alive.push(genome);
        } else {
            left.push(genome);
        }
    }
    let count = alive.len();
    alive.append(&mut left);
    count
}

/// Whether evolution may continue.
fn spare_time<G: Game>(pace: &mut Pace, playouts: u64, seat: &mut Seat<'_, G>, alive: &[Genome<G>]) -> bool {
    pace.allows(playouts, playouts, &mut seat.watcher, |time: Duration| Thought {
        playouts,
        time,
        line: alive.first().map_or(Vec::new(), |best| best.actions.iter().map(|&action| vec![action]).collect()),
        ..Thought::default()
    })
}
