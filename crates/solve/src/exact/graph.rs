//! The graph of reachable states.
//!
//! It stores the states where a player chooses; terminal states are stored as payoff vectors. Chance nodes are not
//! stored: an action leads to a distribution over what follows.

use rustc_hash::FxHashMap;
use tesuji_core::{ErrorKind, Game, InputError, Knowledge, Player, Turn, final_shares};

/// A node that play can reach: a state where a player chooses, or an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    State(u32),
    End(u32),
}

/// The distribution of what follows an action or a chance node.
pub(super) type Distribution = Vec<(Place, f64)>;

/// Marks the number of an end.
const END: u32 = 1 << 31;

/// All states with their actions.
pub(super) struct Graph<G: Game> {
    numbers: FxHashMap<G::State, u32>,
    movers: Vec<Player>,
    /// By state, plus one entry: where its actions begin.
    first_actions: Vec<u32>,
    /// By action, plus one entry: where its outcomes begin.
    first_outcomes: Vec<u64>,
    outcomes: Vec<(u32, f64)>,
    /// The shares of all players, end after end.
    ends: Vec<f64>,
    pub players: usize,
    /// Whether any state counts steps.
    pub clock_left_out: bool,
}

impl<G: Knowledge> Graph<G> {
    /// Explores everything reachable from `start`.
    pub(super) fn explore(game: &G, start: &G::State, most_states: u64) -> Result<Graph<G>, InputError> {
        let players = game.spec().players.len();
        let mut graph = Graph {
            numbers: FxHashMap::default(),
            movers: Vec::new(),
            first_actions: Vec::new(),
            first_outcomes: Vec::new(),
            outcomes: Vec::new(),
            ends: Vec::new(),
            players,
            clock_left_out: false,
        };
        let mut waiting = Vec::new();
        let most_states = most_states.min(u64::from(END - 1));
        graph.spread(game, start.clone(), 1.0, &mut waiting);
        graph.outcomes.clear();
        let mut next = 0;
        let mut legal = Vec::new();
        while let Some(state) = waiting.get(next).cloned() {
            next += 1;
            if waiting.len() as u64 > most_states {
                let name = &game.spec().name;
                let error = InputError::new(format!("`{name}` has more than {most_states} states"));
                return Err(error.of_kind(ErrorKind::TooLarge).with_help(
                    "allow more with `--nodes`, at 100 to 500 bytes of memory each, or solve a smaller game",
                ));
            }
            graph.first_actions.push(graph.first_outcomes.len() as u32);
            let Turn::Player(mover) = game.turn(&state) else { unreachable!("nobody chooses in {state:?}") };
            graph.movers.push(mover);
            legal.clear();
            game.legal(&state, mover, &mut legal);
            for &action in &legal {
                graph.first_outcomes.push(graph.outcomes.len() as u64);
                let mut after = state.clone();
                game.apply(&mut after, &[action]);
                graph.spread(game, after, 1.0, &mut waiting);
            }
        }
        graph.first_actions.push(graph.first_outcomes.len() as u32);
        graph.first_outcomes.push(graph.outcomes.len() as u64);
        Ok(graph)
    }

    /// Adds the outcomes of `state`: itself or, at a chance node, what it leads to.
    fn spread(&mut self, game: &G, mut state: G::State, probability: f64, waiting: &mut Vec<G::State>) {
        match game.turn(&state) {
            Turn::Over => {
                let mut shares = vec![0.0; self.players];
                final_shares(game, &state, &mut shares);
                let end = self.end(&shares);
                self.outcomes.push((END | end, probability));
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
                self.outcomes.push((number, probability));
            }
            Turn::Simultaneous(_) => unreachable!("several choose in {state:?}"),
        }
    }

    /// The number of an end; ends with equal shares are stored once. There are few.
    fn end(&mut self, shares: &[f64]) -> u32 {
        let known = self.ends.chunks(self.players).position(|end| end == shares);
        known.unwrap_or_else(|| {
            self.ends.extend_from_slice(shares);
            self.ends.len() / self.players - 1
        }) as u32
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
                let mut shares = vec![0.0; self.players];
                final_shares(game, &state, &mut shares);
                let end = self.ends.chunks(self.players).position(|end| end == shares)?;
                distribution.push((Place::End(end as u32), probability));
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

impl<G: Game> Graph<G> {
    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.movers.len()
    }

    /// The player who chooses.
    #[inline]
    pub(super) fn mover(&self, state: u32) -> Player {
        self.movers[state as usize]
    }

    /// The numbers of a state's actions, in the game's order.
    #[inline]
    pub(super) fn actions(&self, state: u32) -> std::ops::Range<usize> {
        self.first_actions[state as usize] as usize..self.first_actions[state as usize + 1] as usize
    }

    /// What an action leads to.
    #[inline]
    pub(super) fn outcomes(&self, action: usize) -> impl Iterator<Item = (Place, f64)> {
        let range = self.first_outcomes[action] as usize..self.first_outcomes[action + 1] as usize;
        self.outcomes[range].iter().map(|&(place, probability)| {
            let place = if place & END == 0 { Place::State(place) } else { Place::End(place & !END) };
            (place, probability)
        })
    }

    /// All states that a state's actions can lead to, with repetitions.
    pub(super) fn followers(&self, state: u32) -> impl Iterator<Item = u32> {
        self.actions(state).flat_map(|action| self.outcomes(action)).filter_map(|(place, _)| match place {
            Place::State(next) => Some(next),
            Place::End(_) => None,
        })
    }

    /// The number of ends with different payoffs.
    pub(super) fn end_count(&self) -> usize {
        self.ends.len() / self.players
    }

    /// A player's share at an end.
    #[inline]
    pub(super) fn share(&self, end: u32, player: usize) -> f64 {
        self.ends[end as usize * self.players + player]
    }
}
