//! Finds the reachable states of a game and writes them down as a graph of numbers.

use rustc_hash::FxHashMap;
use tesuji_core::{ErrorKind, Game, InputError, Knowledge, Turn, final_shares};

use super::graph::{Distribution, END, Graph, Place};

/// The graph of a game, and the numbers of its states.
pub(super) struct Explored<G: Game> {
    pub graph: Graph,
    numbers: FxHashMap<G::State, u32>,
    /// Whether any state counts steps.
    pub clock_left_out: bool,
}

impl<G: Knowledge> Explored<G> {
    /// Explores everything reachable from `start`.
    pub(super) fn new(game: &G, start: &G::State, most_states: u64) -> Result<Explored<G>, InputError> {
        let graph = Graph::empty(game.spec().players.len());
        let mut explored = Explored { graph, numbers: FxHashMap::default(), clock_left_out: false };
        let mut waiting = Vec::new();
        let most_states = most_states.min(u64::from(END - 1));
        explored.spread(game, start.clone(), 1.0, &mut waiting);
        explored.graph.clear_outcomes();
        let mut next = 0;
        let mut legal = Vec::new();
        while let Some(state) = waiting.get(next).cloned() {
            next += 1;
            if waiting.len() as u64 > most_states {
                return Err(too_many(&game.spec().name, most_states));
            }
            let Turn::Player(mover) = game.turn(&state) else { unreachable!("nobody chooses in {state:?}") };
            explored.graph.begin_state(mover);
            legal.clear();
            game.legal(&state, mover, &mut legal);
            for &action in &legal {
                explored.graph.begin_action();
                let mut after = state.clone();
                game.apply(&mut after, &[action]);
                explored.spread(game, after, 1.0, &mut waiting);
            }
        }
        explored.graph.finish();
        Ok(explored)
    }

    /// Adds the outcomes of `state`: itself or, at a chance node, what it leads to.
    fn spread(&mut self, game: &G, mut state: G::State, probability: f64, waiting: &mut Vec<G::State>) {
        match game.turn(&state) {
            Turn::Over => {
                let mut shares = vec![0.0; self.graph.players];
                final_shares(game, &state, &mut shares);
                let end = self.graph.end(&shares);
                self.graph.add_outcome(Place::End(end), probability);
            }
            Turn::Chance => {
                let mut draws = Vec::new();
                game.chance(&state, &mut draws);
                for (outcome, share) in draws {
                    let mut next = state.clone();
                    game.apply(&mut next, &[outcome]);
                    self.spread(game, next, probability * share, waiting);
                }
            }
            Turn::Player(_) => {
                let counted = state.clone();
                if let Some(clock) = game.clock() {
                    clock.forget(game, &mut state);
                }
                self.clock_left_out |= counted != state;
                let number = *self.numbers.entry(state).or_insert_with_key(|state| {
                    waiting.push(state.clone());
                    waiting.len() as u32 - 1
                });
                self.graph.add_outcome(Place::State(number), probability);
            }
            Turn::Simultaneous(_) => unreachable!("several choose in {state:?}"),
        }
    }

    /// The distribution that `state` is or leads to, whoever acts in it; `None` if it leads to a state that is not
    /// stored.
    pub(super) fn distribution(&self, game: &G, state: &G::State) -> Option<Distribution> {
        let mut distribution = Vec::new();
        self.look(game, state.clone(), 1.0, &mut distribution)?;
        Some(distribution)
    }

    fn look(&self, game: &G, mut state: G::State, probability: f64, distribution: &mut Distribution) -> Option<()> {
        match game.turn(&state) {
            Turn::Over => {
                let mut shares = vec![0.0; self.graph.players];
                final_shares(game, &state, &mut shares);
                distribution.push((Place::End(self.graph.known_end(&shares)?), probability));
            }
            Turn::Chance => {
                let mut draws = Vec::new();
                game.chance(&state, &mut draws);
                for (outcome, share) in draws {
                    let mut next = state.clone();
                    game.apply(&mut next, &[outcome]);
                    self.look(game, next, probability * share, distribution)?;
                }
            }
            Turn::Player(_) => {
                if let Some(clock) = game.clock() {
                    clock.forget(game, &mut state);
                }
                distribution.push((Place::State(*self.numbers.get(&state)?), probability));
            }
            Turn::Simultaneous(_) => return None,
        }
        Some(())
    }
}

fn too_many(name: &str, most_states: u64) -> InputError {
    InputError::new(format!("`{name}` has more than {most_states} states"))
        .of_kind(ErrorKind::TooLarge)
        .with_help("allow more with `--nodes`, at 100 to 500 bytes of memory each, or solve a smaller game")
}
