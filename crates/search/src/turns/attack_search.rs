//! Attack action search (paper 002, section 4.2): tries every sequence of attacks up to length l, completes the turn by
//! a movement routine, and keeps the best by an evaluation.
//!
//! For every game that distinguishes attacks and has a quiet policy. Choices where the paper is silent:
//! - The empty sequence is compared too: a bad attack is not forced.
//! - The evaluation is computed before the routine moves the others. The routine never attacks, so an evaluation of
//!   strength is the same before and after, and the routine runs only once.
//! - Sequences that lead to the same state are examined once. Of equally good sequences the shorter wins; among equal
//!   lengths one is drawn.
//! - If there are too many, shorter sequences are examined first, and the number of states is limited.

use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

use tesuji_core::{Attacks, Evaluation, Game, Player, Policy, Rng};

use super::{Plan, Planner, acts, finish_turn};
use crate::{Budget, Limit, Meter, Seat};

/// The planner of `attack-search`.
pub struct AttackSearch<G: Game> {
    /// Which actions are attacks.
    pub attacks: &'static dyn Attacks<G>,
    /// The most attacks in a sequence (l).
    pub length: u32,
    /// Evaluates sequences.
    pub evaluation: Box<dyn Evaluation<G>>,
    /// Moves the units that do not attack.
    pub routine: Box<dyn Policy<G>>,
    /// The most states to examine.
    pub states: usize,
    search: Sequences<G>,
}

impl<G: Game> AttackSearch<G> {
    /// A search of sequences of up to `length` attacks.
    pub fn new(
        attacks: &'static dyn Attacks<G>,
        length: u32,
        states: usize,
        evaluation: Box<dyn Evaluation<G>>,
        routine: Box<dyn Policy<G>>,
    ) -> AttackSearch<G> {
        AttackSearch { attacks, length, evaluation, routine, states, search: Sequences::default() }
    }

    /// The best turn from `state` with at most `length` attacks: its actions are appended to `out`, and `state` becomes
    /// its end.
    pub(super) fn best_turn(
        &mut self,
        game: &G,
        state: &mut G::State,
        player: Player,
        length: u32,
        out: &mut Vec<G::Action>,
        (meter, rng): (&Meter, &mut Rng),
    ) {
        let AttackSearch { attacks, search, evaluation, routine, states, .. } = self;
        search.run(game, state, player, (*attacks, length, *states), &**evaluation, (meter, rng));
        search.best_actions(out);
        *state = search.nodes[search.best].state.clone();
        finish_turn(game, state, player, &mut **routine, out, rng);
    }
}

impl<G: Game> Planner<G> for AttackSearch<G> {
    fn plan(&mut self, seat: &mut Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Plan<G::Action> {
        let meter = Meter::start(*budget);
        let length = self.length;
        let mut actions = Vec::new();
        let mut state = seat.state.clone();
        self.best_turn(seat.game, &mut state, seat.player, length, &mut actions, (&meter, rng));
        let search = &self.search;
        let mut first: Vec<(G::Action, u64, f64)> = Vec::new();
        for node in &search.nodes[1..] {
            let action = search.nodes[node.first].action;
            match first.iter_mut().find(|(known, ..)| Some(*known) == action) {
                Some((_, visits, value)) => (*visits, *value) = (*visits + 1, node.value.max(*value)),
                None => first.extend(action.map(|action| (action, 1, node.value))),
            }
        }
        let value = search.nodes[search.best].value;
        let states = search.nodes.len() as u64;
        if !first.iter().any(|(action, ..)| *action == actions[0]) {
            first.push((actions[0], 1, value));
        }
        let time = meter.elapsed();
        let all = states >= self.states as u64;
        let limit = budget.reached(states, states, time).or(all.then_some(Limit::Settings("states")));
        Plan { actions, value, first, playouts: states, nodes: states, time, limit }
    }
}

/// The sequences of attacks from one state.
struct Sequences<G: Game> {
    nodes: Vec<Node<G>>,
    /// Nodes by the hash of their state.
    known: FxHashMap<u64, usize>,
    legal: Vec<G::Action>,
    best: usize,
}

struct Node<G: Game> {
    state: G::State,
    /// The attack that led here (none at the start), and its predecessor.
    action: Option<G::Action>,
    parent: usize,
    /// The node of the sequence's first attack.
    first: usize,
    length: u32,
    value: f64,
}

impl<G: Game> Default for Sequences<G> {
    fn default() -> Self {
        Sequences { nodes: Vec::new(), known: FxHashMap::default(), legal: Vec::new(), best: 0 }
    }
}

impl<G: Game> Sequences<G> {
    /// Examines all sequences of at most `length` attacks, shorter ones first, up to a number of states.
    fn run(
        &mut self,
        game: &G,
        start: &G::State,
        player: Player,
        (attacks, length, states): (&dyn Attacks<G>, u32, usize),
        evaluation: &dyn Evaluation<G>,
        (meter, rng): (&Meter, &mut Rng),
    ) {
        self.nodes.clear();
        self.known.clear();
        self.best = 0;
        let value = evaluation.value(game, start, player);
        self.nodes.push(Node { state: start.clone(), action: None, parent: 0, first: 0, length: 0, value });
        let mut equal = 1;
        let mut next = 0;
        while next < self.nodes.len() {
            let (node, at) = (&self.nodes[next], next);
            next += 1;
            if node.length >= length || !acts(game, &node.state, player) {
                continue;
            }
            let (node_length, node_first) = (node.length + 1, node.first);
            self.legal.clear();
            game.legal(&node.state, player, &mut self.legal);
            for index in 0..self.legal.len() {
                let action = self.legal[index];
                if !attacks.is_attack(game, &self.nodes[at].state, action) {
                    continue;
                }
                let count = self.nodes.len();
                if count >= states || !meter.allows(count as u64, count as u64) {
                    return;
                }
                let mut state = self.nodes[at].state.clone();
                game.apply(&mut state, &[action]);
                if self.is_known(&state) {
                    continue;
                }
                let value = evaluation.value(game, &state, player);
                let first = if at == 0 { count } else { node_first };
                self.nodes.push(Node { state, action: Some(action), parent: at, first, length: node_length, value });
                let best = &self.nodes[self.best];
                if value > best.value {
                    (self.best, equal) = (count, 1);
                } else if value == best.value && node_length == best.length {
                    equal += 1;
                    if rng.below(equal) == 0 {
                        self.best = count;
                    }
                }
            }
        }
    }

    /// Whether the state was met before. If not, it is registered under the next node.
    fn is_known(&mut self, state: &G::State) -> bool {
        let mut hasher = FxHasher::default();
        state.hash(&mut hasher);
        let count = self.nodes.len();
        let node = *self.known.entry(hasher.finish()).or_insert(count);
        node < count && self.nodes[node].state == *state
    }

    /// Appends the attacks of the best sequence.
    fn best_actions(&self, out: &mut Vec<G::Action>) {
        let start = out.len();
        let mut at = self.best;
        while let Some(action) = self.nodes[at].action {
            out.push(action);
            at = self.nodes[at].parent;
        }
        out[start..].reverse();
    }
}
