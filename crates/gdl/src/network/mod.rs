//! A game as a network of logic gates.
//!
//! This covers every game that can be grounded. Facts and moves are inputs. The outputs say whether each move is legal,
//! whether the match is over, which payoffs hold and which facts hold next. Between them are conjunctions of signals,
//! each possibly negated and each after its inputs. Recursive rules are unrolled to their fixed point, which is reached
//! after as many rounds as the cycle has atoms.

mod graph;
mod turn;
mod order;
mod build;
mod simplify;
mod dot;

use crate::{Goal, Ground, Signal};
use build::Outputs;
pub use dot::dot;
use graph::Graph;
pub(crate) use turn::Turns;

/// The size of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Gates.
    pub gates: usize,
    /// Inputs of all gates together.
    pub links: usize,
}

/// The gates of a game, each after its inputs.
///
/// Signals are numbered: the constant 0, then facts, then moves role by role, then gates.
#[derive(Clone, Debug)]
pub struct Network {
    facts: usize,
    first_move: Vec<u32>,
    ends: Vec<u32>,
    parts: Vec<Signal>,
    legal: Vec<Vec<Signal>>,
    next: Vec<Signal>,
    terminal: Signal,
    goals: Vec<Goal>,
    initial: Vec<u64>,
    turns: Option<Turns>,
}

impl Network {
    /// The network of a game, simplified as far as possible.
    ///
    /// `None` if unrolling recursive rules would take too many gates.
    pub fn new(ground: &Ground) -> Option<Network> {
        let (graph, outputs) = build::build(ground)?;
        let (graph, outputs, turns) = simplify::simplify(graph, outputs, ground);
        Some(Network { turns, ..Network::from_graph(&graph, &outputs, ground) })
    }

    /// The network as in the rules, without simplifications that use knowledge of the game.
    pub fn plain(ground: &Ground) -> Option<Network> {
        let (graph, outputs) = build::build(ground)?;
        Some(Network::from_graph(&graph, &outputs, ground))
    }

    fn from_graph(graph: &Graph, outputs: &Outputs, ground: &Ground) -> Network {
        let needed = simplify::needed(graph, outputs.signals());
        let mut places: Vec<u32> = (0..graph.first_gate()).collect();
        let mut network = Network {
            facts: ground.facts.len(),
            first_move: graph.knowledge.first_move.clone(),
            ends: Vec::new(),
            parts: Vec::new(),
            legal: Vec::new(),
            next: Vec::new(),
            terminal: Signal::FALSE,
            goals: Vec::new(),
            initial: bits(&ground.initial),
            turns: None,
        };
        let place = |places: &[u32], signal: Signal| {
            Signal(places[signal.atom() as usize] << 1 | u32::from(signal.is_negated()))
        };
        for gate in graph.first_gate()..graph.end() {
            places.push(network.end());
            if needed[gate as usize] {
                network.parts.extend(graph.gate(gate).iter().map(|&signal| place(&places, signal)));
                network.ends.push(network.parts.len() as u32);
            }
        }
        let outputs = outputs.map(|signal| place(&places, signal));
        Network {
            legal: outputs.legal,
            next: outputs.next,
            terminal: outputs.terminal,
            goals: outputs.goals,
            ..network
        }
    }

    /// The number of roles.
    pub fn roles(&self) -> usize {
        self.legal.len()
    }

    /// The number of facts; a state has one bit for each.
    pub fn facts(&self) -> usize {
        self.facts
    }

    /// The number of 64-bit words of a state.
    pub fn words(&self) -> usize {
        self.facts.div_ceil(64)
    }

    /// The number of moves of a role.
    pub fn moves(&self, role: usize) -> usize {
        self.legal[role].len()
    }

    /// The initial state, one bit per fact.
    pub fn initial(&self) -> &[u64] {
        &self.initial
    }

    /// The payoffs with their signals.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// The signal that is true when the match is over.
    pub fn terminal(&self) -> Signal {
        self.terminal
    }

    /// The signals that say whether the moves of a role are legal.
    pub fn legal(&self, role: usize) -> &[Signal] {
        &self.legal[role]
    }

    /// The signals that say whether each fact holds next.
    pub fn next(&self) -> &[Signal] {
        &self.next
    }

    /// The signal number of a move.
    pub(crate) fn move_number(&self, role: usize, number: usize) -> u32 {
        self.first_move[role] + number as u32
    }

    /// Whose turn it is, if that was proved; a role may be able to pass.
    pub(crate) fn turns(&self) -> Option<&Turns> {
        self.turns.as_ref()
    }

    /// The first number that is a gate.
    pub(crate) fn first_gate(&self) -> u32 {
        self.first_move.last().copied().unwrap_or(1 + self.facts as u32)
    }

    /// One past the last number.
    pub fn end(&self) -> u32 {
        self.first_gate() + self.ends.len() as u32
    }

    /// The signals of a gate's conjunction.
    pub(crate) fn gate(&self, number: u32) -> &[Signal] {
        let index = (number - self.first_gate()) as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.parts[start..self.ends[index] as usize]
    }

    /// The size.
    pub fn size(&self) -> Size {
        Size { gates: self.ends.len(), links: self.parts.len() }
    }

    /// The numbers that some signals depend on, including their own.
    pub(crate) fn needed(&self, signals: impl IntoIterator<Item = Signal>) -> Vec<bool> {
        let mut needed = vec![false; self.end() as usize];
        signals.into_iter().for_each(|signal| needed[signal.atom() as usize] = true);
        for gate in (self.first_gate()..self.end()).rev() {
            if needed[gate as usize] {
                self.gate(gate).iter().for_each(|signal| needed[signal.atom() as usize] = true);
            }
        }
        needed
    }
}

/// Booleans as bits of words.
pub(crate) fn bits(values: &[bool]) -> Vec<u64> {
    values.chunks(64).map(|chunk| chunk.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit))).collect()
}
