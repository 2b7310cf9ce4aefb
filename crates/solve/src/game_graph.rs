//! Every state that play can reach, as a graph: the ground on which strategies of a whole game are measured.
//!
//! Covers games for any number of players with perfect information apart from simultaneous choices, with or without
//! chance. Play must not be able to return to a state; all games whose states count their steps or use something up
//! qualify.

use rustc_hash::FxHashMap;
use tesuji_core::{Game, Player, Players, Turn};

/// What follows a state.
#[derive(Clone, Debug)]
pub enum Branch<A> {
    /// The match is over: the payoff of each player.
    Over(Vec<f64>),
    /// Chance: probabilities and the states they lead to.
    Chance(Vec<(f64, u32)>),
    /// One or several players choose.
    Choice {
        /// Who chooses.
        movers: Players,
        /// The legal actions of each of them, in player order.
        actions: Vec<Vec<A>>,
        /// The state after each joint action. The last mover's action changes fastest.
        next: Vec<u32>,
    },
}

/// A state with what follows it.
#[derive(Clone, Debug)]
pub struct GraphNode<S, A> {
    /// The state.
    pub state: S,
    /// What follows.
    pub branch: Branch<A>,
}

/// Why a game has no graph here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphFault {
    /// It has more states than allowed.
    States,
    /// Its states have more joint actions than allowed.
    JointActions,
    /// Play can return to a state.
    Cycle,
    /// The caller stopped it.
    Stopped,
}

/// The most joint actions of all states together, 4 bytes each.
pub const MOST_JOINT_ACTIONS: usize = 200_000_000;

/// All states that play can reach from a start. Number 0 is the start.
#[derive(Clone, Debug)]
pub struct GameGraph<G: Game> {
    nodes: Vec<GraphNode<G::State, G::Action>>,
    /// The numbers of the states, each after all that can follow it.
    last_first: Vec<u32>,
    players: usize,
}

/// How far the search for states has come with one of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// It follows another state.
    Seen,
    /// It is on the path to the state that is being visited.
    Open,
    /// Everything that follows it was visited.
    Closed,
}

/// A graph that is being built.
struct Builder<'a, G: Game, F> {
    game: &'a G,
    graph: GameGraph<G>,
    numbers: FxHashMap<G::State, u32>,
    marks: Vec<Mark>,
    joint_actions: usize,
    most: usize,
    go_on: F,
}

impl<G: Game, F: FnMut() -> bool> Builder<'_, G, F> {
    /// The number of a state.
    fn number(&mut self, state: G::State) -> Result<u32, GraphFault> {
        if let Some(&known) = self.numbers.get(&state) {
            return Ok(known);
        }
        if !(self.go_on)() {
            return Err(GraphFault::Stopped);
        }
        if self.graph.nodes.len() >= self.most {
            return Err(GraphFault::States);
        }
        let number = self.graph.nodes.len() as u32;
        self.numbers.insert(state.clone(), number);
        self.graph.nodes.push(GraphNode { state, branch: Branch::Over(Vec::new()) });
        self.marks.push(Mark::Seen);
        Ok(number)
    }

    fn after(&mut self, state: &G::State, joint: &[G::Action]) -> Result<u32, GraphFault> {
        let mut next = state.clone();
        self.game.apply(&mut next, joint);
        self.number(next)
    }

    /// Lists what follows a state.
    fn open(&mut self, node: u32) -> Result<(), GraphFault> {
        let game = self.game;
        let state = self.graph.nodes[node as usize].state.clone();
        let branch = match game.turn(&state) {
            Turn::Over => {
                let payoff = |player| game.payoff(&state, Player(player as u8));
                Branch::Over((0..self.graph.players).map(payoff).collect())
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.chance(&state, &mut outcomes);
                let part = |(outcome, probability)| Ok((probability, self.after(&state, &[outcome])?));
                Branch::Chance(outcomes.into_iter().map(part).collect::<Result<_, _>>()?)
            }
            turn => self.choice(&state, turn.movers())?,
        };
        self.graph.nodes[node as usize].branch = branch;
        self.marks[node as usize] = Mark::Open;
        Ok(())
    }

    fn choice(&mut self, state: &G::State, movers: Players) -> Result<Branch<G::Action>, GraphFault> {
        let legal = |mover| {
            let mut actions = Vec::new();
            self.game.legal(state, mover, &mut actions);
            actions
        };
        let actions: Vec<Vec<G::Action>> = movers.map(legal).collect();
        let count = actions.iter().fold(1usize, |count, list| count.saturating_mul(list.len()));
        self.joint_actions = self.joint_actions.saturating_add(count);
        if self.joint_actions > MOST_JOINT_ACTIONS {
            return Err(GraphFault::JointActions);
        }
        let mut next = Vec::with_capacity(count);
        let mut joint = Vec::with_capacity(actions.len());
        for place in 0..count {
            joint.clear();
            let mut rest = place;
            for list in actions.iter().rev() {
                joint.push(list[rest % list.len()]);
                rest /= list.len();
            }
            joint.reverse();
            next.push(self.after(state, &joint)?);
        }
        Ok(Branch::Choice { movers, actions, next })
    }
}

impl<G: Game> GameGraph<G> {
    /// All states from `start`, at most `most` of them. `go_on` is asked before each state.
    pub fn new(
        game: &G,
        start: &G::State,
        most: usize,
        go_on: impl FnMut() -> bool,
    ) -> Result<GameGraph<G>, GraphFault> {
        let graph = GameGraph { nodes: Vec::new(), last_first: Vec::new(), players: game.spec().players.len() };
        let (numbers, marks) = (FxHashMap::default(), Vec::new());
        let mut builder = Builder { game, graph, numbers, marks, joint_actions: 0, most, go_on };
        let start = builder.number(start.clone())?;
        builder.open(start)?;
        // The path to the state that is being visited, each state with the number of its followers visited already.
        let mut path = vec![(start, 0)];
        while let Some((node, done)) = path.last_mut() {
            let follower = builder.graph.nodes[*node as usize].branch.follower(*done);
            *done += 1;
            match follower.map(|next| (next, builder.marks[next as usize])) {
                None => {
                    builder.marks[*node as usize] = Mark::Closed;
                    builder.graph.last_first.push(*node);
                    path.pop();
                }
                Some((_, Mark::Closed)) => {}
                Some((_, Mark::Open)) => return Err(GraphFault::Cycle),
                Some((next, Mark::Seen)) => {
                    builder.open(next)?;
                    path.push((next, 0));
                }
            }
        }
        Ok(builder.graph)
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The states, by number.
    pub fn nodes(&self) -> &[GraphNode<G::State, G::Action>] {
        &self.nodes
    }

    /// The numbers of the states, each after all that can follow it.
    pub fn last_first(&self) -> &[u32] {
        &self.last_first
    }
}

impl<A> Branch<A> {
    fn follower(&self, index: usize) -> Option<u32> {
        match self {
            Branch::Over(_) => None,
            Branch::Chance(parts) => parts.get(index).map(|&(_, next)| next),
            Branch::Choice { next, .. } => next.get(index).copied(),
        }
    }
}
