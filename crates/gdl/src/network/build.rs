//! Builds gates from ground rules.

use crate::network::graph::{Graph, Knowledge};
use crate::network::order::Definitions;
use crate::{Goal, Ground, Signal};

/// The outputs of a game, as signals of a graph.
#[derive(Clone, Debug)]
pub(crate) struct Outputs {
    pub(crate) legal: Vec<Vec<Signal>>,
    pub(crate) next: Vec<Signal>,
    pub(crate) terminal: Signal,
    pub(crate) goals: Vec<Goal>,
}

impl Outputs {
    /// Every signal, in a fixed order.
    pub(crate) fn signals(&self) -> impl Iterator<Item = Signal> + '_ {
        let legal = self.legal.iter().flatten().copied();
        let goals = self.goals.iter().map(|goal| goal.when);
        legal.chain([self.terminal]).chain(goals).chain(self.next.iter().copied())
    }

    /// The same outputs with every signal replaced.
    pub(crate) fn map(&self, mut change: impl FnMut(Signal) -> Signal) -> Outputs {
        Outputs {
            legal: self.legal.iter().map(|moves| moves.iter().map(|&signal| change(signal)).collect()).collect(),
            next: self.next.iter().map(|&signal| change(signal)).collect(),
            terminal: change(self.terminal),
            goals: self.goals.iter().map(|goal| Goal { when: change(goal.when), ..*goal }).collect(),
        }
    }
}

/// The most gate inputs that circles of rules may be unrolled to.
pub(crate) const MOST_UNROLLED: usize = 20_000_000;

/// The gates of a game as in its rules, and its outputs. `None` if unrolling recursive rules takes too many gates.
pub(crate) fn build(ground: &Ground) -> Option<(Graph, Outputs)> {
    let inputs = ground.first_derived();
    let mut first_move: Vec<u32> = (0..ground.roles.len()).map(|role| ground.move_atom(role, 0)).collect();
    first_move.push(inputs);
    let knowledge = Knowledge { first_move, ..Knowledge::default() };
    let mut graph = Graph::new(inputs, knowledge);
    let outputs = Outputs {
        legal: ground.legal.clone(),
        next: ground.next.clone(),
        terminal: ground.terminal,
        goals: ground.goals.clone(),
    };
    let definitions = Definitions::new(ground);
    let mut signals: Vec<Signal> = (0..inputs).map(Signal::of).collect();
    signals.resize(inputs as usize + ground.derived as usize, Signal::FALSE);
    let mut unrolled = 0;
    for group in definitions.circles(outputs.signals().map(Signal::atom)) {
        let circular = |atom: u32| definitions.of(atom).iter().any(|body| body.contains(&Signal::of(atom)));
        if let [atom] = group[..] {
            // A rule that needs its own head adds nothing.
            let skip_own = circular(atom);
            signals[atom as usize] = define(&mut graph, &definitions, atom, &signals, skip_own);
            continue;
        }
        let size: usize = group.iter().flat_map(|&atom| definitions.of(atom)).map(|body| body.len()).sum();
        // Initially nothing holds; after as many rounds as there are atoms, the fixed point is reached.
        for _ in 0..group.len() {
            let mut changed = false;
            for &atom in group.iter().rev() {
                let signal = define(&mut graph, &definitions, atom, &signals, false);
                changed |= signal != signals[atom as usize];
                signals[atom as usize] = signal;
            }
            if !changed {
                break;
            }
            unrolled += size;
            if unrolled > MOST_UNROLLED {
                return None;
            }
        }
    }
    let mut outputs = outputs.map(|signal| resolve(signal, &signals));
    outputs.goals = merge_goals(&mut graph, &outputs.goals);
    Some((graph, outputs))
}

/// One condition for each payoff of a role: a value written in two ways (`50` and `050`) is one value.
fn merge_goals(graph: &mut Graph, goals: &[Goal]) -> Vec<Goal> {
    let same = goals.chunk_by(|one, other| (one.role, one.value) == (other.role, other.value));
    let merged = same.map(|group| {
        let conditions: Vec<Signal> = group.iter().map(|goal| goal.when).collect();
        Goal { when: graph.any(&conditions), ..group[0] }
    });
    merged.collect()
}

fn resolve(signal: Signal, signals: &[Signal]) -> Signal {
    let known = signals[signal.atom() as usize];
    if signal.is_negated() { known.negated() } else { known }
}

fn define(graph: &mut Graph, definitions: &Definitions, atom: u32, signals: &[Signal], skip_own: bool) -> Signal {
    let bodies = definitions.of(atom).iter().filter(|body| !(skip_own && body.contains(&Signal::of(atom))));
    let terms = bodies.map(|body| body.iter().map(|&signal| resolve(signal, signals)).collect()).collect();
    graph.any_of_all(terms)
}
