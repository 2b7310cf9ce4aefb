//! Searches of whole turns, for games in which a player acts several times in a row.
//!
//! A [`Planner`] treats the turn as one choice: a sequence of actions until another player acts. [`TurnAgent`] plans
//! when a turn begins, plays the plan action by action, and plans again if the match deviates from the plan. The budget
//! of a decision covers the whole plan; following a plan costs nothing.
//!
//! - `attack_search`: all sequences of attacks up to a length (paper 002, section 4.2);
//! - `dlmc`: random turns evaluated by short playouts (DLMC), with the two improvements of paper 002, section 5;
//! - `satisficing`: alpha-beta over the own turn and the reply, with forward pruning;
//! - `evolution`: turns that mutate and recombine;
//! - `beam`: the best states after each action, and the other side's best reply.
//!
//! They cover games without chance and joint moves. In a game with one action per turn they search single actions.

mod attack_search;
mod beam;
mod evolution;
mod fights;
mod dlmc;
mod satisficing;
#[cfg(test)]
mod last_turns;
#[cfg(test)]
mod tests;

use std::time::Duration;

use tesuji_core::{Evaluation, Game, Player, Policy, Rng, Spec, Turn};

use crate::arithmetic::logistic;
use crate::cold_sort::cold_sort;
use crate::final_choice::forced;
use crate::{Agent, Budget, Candidate, Decision, Failure, Limit, Seat, Thought};

pub use attack_search::AttackSearch;
pub use beam::Beam;
pub use dlmc::{Adjustment, Dlmc, TurnAllocation};
pub use evolution::Evolution;
pub use fights::Divided;
pub(crate) use fights::count_pieces;
pub use satisficing::Satisficing;

/// Plans whole turns.
pub trait Planner<G: Game>: Send {
    /// Plans the rest of the turn of `seat.player`, who acts in `seat.state`.
    fn plan(&mut self, seat: &mut Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Plan<G::Action>;
}

/// The rest of a turn, with the statistics of the search.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan<A> {
    /// The actions, at least one.
    pub actions: Vec<A>,
    /// Its value for the acting player, on the scale of the evaluation.
    pub value: f64,
    /// For each first action examined: how often, and the best value of a turn that begins with it.
    pub first: Vec<(A, u64, f64)>,
    /// Playouts made, or states evaluated by planners without playouts.
    pub playouts: u64,
    /// States examined.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// The limit that ended the search; `None` if it was finished.
    pub limit: Option<Limit>,
}

/// An agent that plans a turn and plays the plan.
pub struct TurnAgent<G: Game, P> {
    planner: P,
    /// Its own budget; if it sets no limit, the seat's budget applies.
    budget: Budget,
    /// The distance on the evaluation's scale that raises an even share to 0.73; `None` if values are shares. For
    /// reports only.
    scale: Option<f64>,
    rest: Option<Rest<G>>,
}

/// The rest of a plan.
struct Rest<G: Game> {
    /// The state that the plan expects.
    state: G::State,
    player: Player,
    steps: usize,
    actions: Vec<G::Action>,
    value: f64,
}

impl<G: Game, P: Planner<G>> TurnAgent<G, P> {
    /// An agent that plays the plans of `planner`.
    pub fn new(planner: P, budget: Budget, scale: f64) -> TurnAgent<G, P> {
        TurnAgent { planner, budget, scale: Some(scale), rest: None }
    }

    /// The same agent with an evaluation whose values are shares.
    pub fn with_shares(self) -> TurnAgent<G, P> {
        TurnAgent { scale: None, ..self }
    }

    /// The rest of the plan, if the match is in the state that it expects.
    fn rest(&mut self, seat: &Seat<'_, G>) -> Option<(Vec<G::Action>, f64)> {
        let rest = self.rest.take()?;
        let there = rest.steps == seat.history.len() && rest.player == seat.player && rest.state == *seat.state;
        (there && !rest.actions.is_empty()).then_some((rest.actions, rest.value))
    }

    /// Remembers the plan beyond its first action.
    fn remember(&mut self, seat: &Seat<'_, G>, actions: &[G::Action], value: f64) {
        let mut state = seat.state.clone();
        seat.game.apply(&mut state, &actions[..1]);
        let actions = actions[1..].to_vec();
        self.rest = Some(Rest { state, player: seat.player, steps: seat.history.len() + 1, actions, value });
    }
}

impl<G: Game, P: Planner<G>> Agent<G> for TurnAgent<G, P> {
    fn begin(&mut self) {
        self.rest = None;
    }

    fn choose(
        &mut self,
        mut seat: Seat<'_, G>,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<Decision<G::Action>, Failure> {
        let mut legal = Vec::new();
        seat.game.legal(seat.state, seat.player, &mut legal);
        let plan = match self.rest(&seat) {
            Some((actions, value)) => Plan {
                first: vec![(actions[0], 0, value)],
                actions,
                value,
                playouts: 0,
                nodes: 0,
                time: Duration::ZERO,
                limit: None,
            },
            None if legal.len() == 1 => return Ok(forced(legal[0])),
            None => {
                let budget = if self.budget.is_limited() { self.budget } else { *budget };
                self.planner.plan(&mut seat, &budget, rng)
            }
        };
        self.remember(&seat, &plan.actions, plan.value);
        Ok(decision(seat.game.spec(), &legal, plan, self.scale))
    }
}

/// The decision to play the first action of a plan.
fn decision<A: Copy + PartialEq>(spec: &Spec, legal: &[A], plan: Plan<A>, scale: Option<f64>) -> Decision<A> {
    let share = |value: f64| spec.denormalise(scale.map_or(value, |scale| logistic(value / scale)));
    let action = plan.actions[0];
    let mut candidates: Vec<Candidate<A>> = legal
        .iter()
        .map(|&legal| {
            let seen = plan.first.iter().find(|(first, ..)| *first == legal);
            Candidate {
                action: legal,
                visits: seen.map_or(0, |&(_, visits, _)| visits),
                value: seen.map(|&(_, _, value)| share(value)),
                prior: None,
                probability: f64::from(u8::from(legal == action)),
            }
        })
        .collect();
    cold_sort(&mut candidates, |a, b| {
        let value = |candidate: &Candidate<A>| candidate.value.unwrap_or(f64::NEG_INFINITY);
        b.probability.total_cmp(&a.probability).then(value(b).total_cmp(&value(a)))
    });
    let depth = plan.actions.len() as u32;
    let line = plan.actions.iter().map(|&action| vec![action]).collect();
    let Plan { nodes, playouts, time, limit, .. } = plan;
    let thought = Thought { candidates, line, depth, nodes, playouts, time, limit, ..Thought::default() };
    Decision { value: Some(share(plan.value)), thought, ..Decision::pure(action) }
}

/// Whether `player`, and nobody else, acts in `state`.
#[inline]
fn acts<G: Game>(game: &G, state: &G::State, player: Player) -> bool {
    game.turn(state) == Turn::Player(player)
}

/// Completes the turn of `player` by a policy; the actions are appended to `out`.
fn finish_turn<G: Game>(
    game: &G,
    state: &mut G::State,
    player: Player,
    policy: &mut dyn Policy<G>,
    out: &mut Vec<G::Action>,
    rng: &mut Rng,
) {
    while acts(game, state, player) {
        let action = policy.pick(game, state, player, rng);
        game.apply(state, &[action]);
        out.push(action);
    }
}

/// Evaluates the end of a turn: by the evaluation, after playouts of some turns.
pub struct Judge<G: Game> {
    /// The playout policy.
    pub policy: Box<dyn Policy<G>>,
    /// The number of turns of a playout (d in paper 002, section 4.3); 0 for none.
    pub turns: u32,
    /// Evaluates the end of a playout, also if the match is over; see [`ByResult`].
    pub evaluation: Box<dyn Evaluation<G>>,
}

impl<G: Game> Judge<G> {
    /// Makes one playout from `state` and evaluates it for `player`.
    #[inline]
    fn play(&mut self, game: &G, state: &G::State, player: Player, rng: &mut Rng) -> f64 {
        if self.turns == 0 {
            return self.evaluation.value(game, state, player);
        }
        let mut state = state.clone();
        self.policy.play_out(game, &mut state, rng, tesuji_core::Horizon::turns(self.turns));
        self.evaluation.value(game, &state, player)
    }
}

/// An evaluation that judges finished matches by their payoff, and other states by another evaluation.
///
/// An evaluation of material may call a position good that is drawn or lost when the match ends there, for example at
/// a turn limit.
pub struct ByResult<G: Game> {
    /// Evaluates states that are not over.
    pub evaluation: Box<dyn Evaluation<G>>,
    /// The value of a won match; a lost one is its negative. It should exceed every other evaluation. If these are
    /// shares, the payoff's share counts instead.
    pub won: f64,
}

impl<G: Game> Evaluation<G> for ByResult<G> {
    fn value(&self, game: &G, state: &G::State, player: Player) -> f64 {
        if game.turn(state) == Turn::Over {
            let share = game.spec().normalise(game.payoff(state, player));
            return if self.is_share() { share } else { self.won * (2.0 * share - 1.0) };
        }
        self.evaluation.value(game, state, player)
    }

    fn is_share(&self) -> bool {
        self.evaluation.is_share()
    }
}

/// The fraction `part` / `whole` of a budget: at least one of whatever is limited.
fn part_of_budget(budget: &Budget, part: u64, whole: u64) -> Budget {
    let share = |limit: u64| ((u128::from(limit) * u128::from(part) / u128::from(whole.max(1))) as u64).max(1);
    Budget {
        playouts: budget.playouts.map(share),
        nodes: budget.nodes.map(share),
        time: budget.time.map(|time| time.mul_f64(part as f64 / whole.max(1) as f64)),
    }
}

/// The rest of a budget: at least one of whatever is limited.
fn rest_of_budget(budget: &Budget, spent: u64, time: Duration) -> Budget {
    let left = |limit: u64| limit.saturating_sub(spent).max(1);
    Budget {
        playouts: budget.playouts.map(left),
        nodes: budget.nodes.map(left),
        time: budget.time.map(|limit| limit.saturating_sub(time)),
    }
}
