//! The look-ahead of paper 003 (§3): averages over the dice *and* over the actions.
//!
//! A state's value is the mean over its actions, of each the expectation over the dice, of the values behind them; at the
//! depth, counted in choices, the evaluation decides. Only the root compares actions. So an action is good if what
//! follows is good on the whole, however both sides go on.
//!
//! The tree is cut in stages: every action is read to depth 1; those that reach the standard are read to depth 3, and so
//! on by twos to the full depth. Before all this, *obvious moves* (§4) are played without a search: one that wins at once
//! with a good chance, or one that averts such a win of the other side.
//!
//! Covers every game where one player acts at a time and that offers an evaluation. Choices where the paper is silent:
//! - The standard is the mean of the stage's values, or a number.
//! - The paper adds up (number of faces) × value, which favours states with many actions; `Backup::Sum` does so, the default
//!   divides by the number of actions and faces.
//! - An ended match counts `end` for a win and −`end` for a loss: 200, the size of the paper's penalty for a lost position.
//! - A threat is obvious if on the mean over one's own actions it would win with the chance `obvious`.
//!
//! Equal states met at equal depth are read once. That changes no value: the mean does not depend on the way.

mod obvious;
mod reader;
#[cfg(test)]
mod tests;

use tesuji_core::{Evaluation, Game, Rng, Spec};

use crate::final_choice::forced;
use crate::{Agent, Budget, Candidate, Decision, Failure, Seat, Thought};
use reader::{Memory, Reader};

/// What an action must reach to be read deeper.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Standard {
    /// The mean of the actions that were read as deep.
    Mean,
    /// This value.
    Value(f64),
    /// Nothing: no cut.
    Off,
}

/// How the values of a state's actions become one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Backup {
    /// Their mean.
    Mean,
    /// Their sum, each outcome of the dice counted with its number of faces.
    Sum {
        /// Faces of the die.
        faces: f64,
    },
}

impl Backup {
    /// What probabilities are multiplied by.
    fn scale(self) -> f64 {
        match self {
            Backup::Mean => 1.0,
            Backup::Sum { faces } => faces,
        }
    }
}

/// The agent.
pub struct LookAhead<G: Game> {
    /// Judges the states at the depth.
    pub evaluation: Box<dyn Evaluation<G>>,
    /// Choices read.
    pub depth: u32,
    /// What must be reached to be read deeper.
    pub standard: Standard,
    /// How values become one.
    pub backup: Backup,
    /// What a won match counts.
    pub end: f64,
    /// The chance to win that makes a move obvious; `None`: every move is searched.
    pub obvious: Option<f64>,
    /// Are equal states read once?
    pub memory: bool,
    /// Its own budget; where it sets no limit, the seat's counts. Leaves count as playouts.
    pub budget: Budget,
    /// What was read, kept from one decision to the next for its memory alone.
    pub(crate) remembered: Memory<G>,
}

/// What is known of an action at the root.
#[derive(Clone, Copy)]
struct Read<A> {
    action: A,
    value: f64,
    /// Choices read behind it and itself.
    depth: u32,
    leaves: u64,
}

fn first_greatest(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, index| if values[index] > values[best] { index } else { best })
}

impl<G: Game> LookAhead<G> {
    /// The depths read one after the other: 1, 3, 5, …, or 2, 4, …, to the full depth.
    fn stages(&self) -> impl Iterator<Item = u32> {
        let first = if self.depth.is_multiple_of(2) { 2 } else { 1 };
        (first..=self.depth).step_by(2)
    }

    /// Those of `read` that reach the standard; all of them if none does.
    fn survivors(&self, read: &[Read<G::Action>]) -> Vec<bool> {
        let standard = match self.standard {
            Standard::Mean => read.iter().map(|read| read.value).sum::<f64>() / read.len() as f64,
            Standard::Value(value) => value,
            Standard::Off => f64::NEG_INFINITY,
        };
        // A mean of equal values may be rounded above them.
        let slack = 1e-12 * standard.abs().min(f64::MAX);
        let reach: Vec<bool> = read.iter().map(|read| read.value >= standard - slack).collect();
        if reach.contains(&true) { reach } else { vec![true; read.len()] }
    }

    /// A value on the scale of payoffs, for show.
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
        order.sort_by(|a, b| b.depth.cmp(&a.depth).then(b.value.total_cmp(&a.value)));
        let candidate = |read: &&Read<G::Action>| Candidate {
            action: read.action,
            visits: read.leaves,
            value: (read.depth > 0).then(|| self.on_payoff_scale(spec, read.value)),
            prior: None,
            probability: f64::from(u8::from(read.action == chosen)),
        };
        let mut candidates: Vec<Candidate<G::Action>> = order.iter().map(candidate).collect();
        candidates.sort_by(|a, b| b.probability.total_cmp(&a.probability));
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
                let value = reader.value(&next, depth - 1);
                if reader.stopped {
                    break;
                }
                stage.push(Read { action: actions[index], value, depth, leaves: reader.leaves - before });
            }
            // A stage that was not finished compares nothing.
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
            ..Thought::default()
        };
        self.remembered = reader.into_memory();
        Ok(self.decision(spec, &read, actions[best.unwrap_or(0)], thought))
    }
}
