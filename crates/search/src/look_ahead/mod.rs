//! The look-ahead of paper 003 (§3): averages over chance outcomes *and* over actions.
//!
//! The value of a state is the mean over its actions of the expected value after them; at the depth limit, counted in
//! choices, the evaluation decides. Only the root compares actions. So an action is good if what follows is good on
//! average, however both sides continue.
//!
//! The tree is pruned in stages: every action is searched to depth 1; those that reach the standard are searched to
//! depth 3, and so on by twos to the full depth. Before that, *obvious moves* (§4) are played without a search: one
//! that wins at once with a good probability, or one that prevents such a win of the opponent.
//!
//! This covers every game where one player acts at a time and that offers an evaluation. Choices where the paper is
//! silent:
//! - The standard is the mean of the stage's values, or a number.
//! - The paper adds up (number of faces) × value, which favours states with many actions; `Backup::Sum` does so. The
//!   default divides by the number of actions and faces.
//! - A match that is over counts as `end` for a win and −`end` for a loss: 200, the size of the paper's penalty for a
//!   lost position.
//! - A threat is obvious if, averaged over the own actions, it would win with probability `obvious`.
//!
//! Equal states at equal depth are searched once. That changes no value: the mean does not depend on the path.

mod obvious;
mod reader;
#[cfg(test)]
mod tests;

use tesuji_core::{Evaluation, Game, Rng, Spec};

use crate::cold_sort::cold_sort;
use crate::final_choice::forced;
use crate::{Agent, Budget, Candidate, Decision, Failure, Seat, Thought};
use reader::{Memory, Reader};

/// What an action must reach to be searched deeper.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Standard {
    /// The mean of the actions that were searched as deep.
    Mean,
    /// This value.
    Value(f64),
    /// Nothing: no pruning.
    Off,
}

/// How the values of a state's actions are combined.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Backup {
    /// Their mean.
    Mean,
    /// Their sum, each chance outcome weighted by its number of faces.
    Sum {
        /// The number of faces of the die.
        faces: f64,
    },
}

impl Backup {
    /// The factor for probabilities.
    fn scale(self) -> f64 {
        match self {
            Backup::Mean => 1.0,
            Backup::Sum { faces } => faces,
        }
    }
}

/// The agent `look-ahead`.
pub struct LookAhead<G: Game> {
    /// Evaluates the states at the depth limit.
    pub evaluation: Box<dyn Evaluation<G>>,
    /// The depth, in choices.
    pub depth: u32,
    /// What an action must reach to be searched deeper.
    pub standard: Standard,
    /// How values are combined.
    pub backup: Backup,
    /// The value of a won match.
    pub end: f64,
    /// The winning probability that makes a move obvious; `None`: every move is searched.
    pub obvious: Option<f64>,
    /// Whether equal states are searched once.
    pub memory: bool,
    /// Its own budget; if it sets no limit, the seat's budget applies. Leaves count as playouts.
    pub budget: Budget,
    /// The cache, kept between decisions only to reuse its memory.
    pub(crate) remembered: Memory<G>,
}

/// The statistics of an action at the root.
#[derive(Clone, Copy)]
struct Read<A> {
    action: A,
    value: f64,
    /// The depth to which it was searched, including itself.
    depth: u32,
    leaves: u64,
}

fn first_greatest(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, index| if values[index] > values[best] { index } else { best })
}

impl<G: Game> LookAhead<G> {
    /// The successive depths: 1, 3, 5, …, or 2, 4, …, to the full depth.
    fn stages(&self) -> impl Iterator<Item = u32> {
        let first = if self.depth.is_multiple_of(2) { 2 } else { 1 };
        (first..=self.depth).step_by(2)
    }

    /// Which of `read` reach the standard; all of them if none does.
    fn survivors(&self, read: &[Read<G::Action>]) -> Vec<bool> {
        let standard = match self.standard {
            Standard::Mean => read.iter().map(|read| read.value).sum::<f64>() / read.len() as f64,
            Standard::Value(value) => value,
            Standard::Off => f64::NEG_INFINITY,
        };
        // The mean of equal values may be rounded above them.
        let slack = 1e-12 * standard.abs().min(f64::MAX);
        let reach: Vec<bool> = read.iter().map(|read| read.value >= standard - slack).collect();
        if reach.contains(&true) { reach } else { vec![true; read.len()] }
    }

    /// A value on the scale of payoffs, for display.
    fn on_payoff_scale(&self, spec: &Spec, value: f64) -> f64 {
        spec.denormalise((0.5 + value / (2.0 * self.end)).clamp(0.0, 1.0))
    }

    fn decision(
        &self,
        spec: &Spec,
        read: &[Read<G::Action>],
        chosen: G::Action,
        thought: Thought<G::Action>,
    ) -> Decision<G::Action> {
        let mut order: Vec<&Read<G::Action>> = read.iter().collect();
        cold_sort(&mut order, |a, b| b.depth.cmp(&a.depth).then(b.value.total_cmp(&a.value)));
        let candidate = |read: &&Read<G::Action>| Candidate {
            action: read.action,
            visits: read.leaves,
            value: (read.depth > 0).then(|| self.on_payoff_scale(spec, read.value)),
            prior: None,
            probability: f64::from(u8::from(read.action == chosen)),
        };
        let mut candidates: Vec<Candidate<G::Action>> = order.iter().map(candidate).collect();
        cold_sort(&mut candidates, |a, b| b.probability.total_cmp(&a.probability));
        let value = candidates[0].value;
        Decision {
            value,
            thought: Thought { candidates, line: vec![vec![chosen]], ..thought },
            ..Decision::pure(chosen)
        }
    }
}

impl<G: Game> Agent<G> for LookAhead<G> {
    fn choose(&mut self, seat: Seat<'_, G>, budget: &Budget, _rng: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        let spec = seat.game.spec();
        let mut actions = Vec::new();
        seat.game.legal(seat.state, seat.player, &mut actions);
        if let [only] = actions[..] {
            return Ok(forced(only));
        }
        let budget = if self.budget.is_limited() { self.budget } else { *budget };
        let remembered = std::mem::take(&mut self.remembered);
        let mut reader = Reader::new(seat.game, self, seat.player, budget, seat.watcher, remembered);
        let mut read: Vec<Read<G::Action>> =
            actions.iter().map(|&action| Read { action, value: 0.0, depth: 0, leaves: 0 }).collect();
        let obvious =
            self.obvious.and_then(|threshold| obvious::find(seat.game, seat.state, seat.player, &actions, threshold));
        if let Some(action) = obvious {
            let thought = Thought { depth: 1, time: reader.pace.elapsed(), ..Thought::default() };
            self.remembered = reader.into_memory();
            return Ok(self.decision(spec, &read, action, thought));
        }
        let mut kept: Vec<usize> = (0..read.len()).collect();
        let mut reached = 0;
        for depth in self.stages() {
            if kept.len() == 1 && reached > 0 {
                break;
            }
            let mut stage = Vec::new();
            for &index in &kept {
                let before = reader.leaves;
                let mut next = seat.state.clone();
                seat.game.apply(&mut next, &[actions[index]]);
                let value = reader.value(seat.state, &next, depth - 1);
                if reader.stopped {
                    break;
                }
                stage.push(Read { action: actions[index], value, depth, leaves: reader.leaves - before });
            }
            // An unfinished stage is not used for comparison.
            if stage.len() < kept.len() {
                break;
            }
            reached = depth;
            let survives = self.survivors(&stage);
            for (&index, stage) in kept.iter().zip(&stage) {
                read[index] = Read { leaves: read[index].leaves + stage.leaves, ..*stage };
            }
            kept = kept.into_iter().zip(survives).filter(|(_, survives)| *survives).map(|(index, _)| index).collect();
        }
        let best =
            kept.iter().copied().reduce(|best, index| if read[index].value > read[best].value { index } else { best });
        let thought = Thought {
            depth: reached,
            nodes: reader.nodes + reader.leaves,
            time: reader.pace.elapsed(),
            limit: reader.pace.limit(),
            ..Thought::default()
        };
        self.remembered = reader.into_memory();
        Ok(self.decision(spec, &read, actions[best.unwrap_or(0)], thought))
    }
}
