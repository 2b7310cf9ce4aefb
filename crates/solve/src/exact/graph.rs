//! The graph of reachable states, as numbers.
//!
//! It stores the states where a player chooses; terminal states are stored as payoff vectors. Chance nodes are not
//! stored: an action leads to a distribution over what follows. Nothing here depends on the type of the game, so what
//! computes on the graph is compiled once.

use tesuji_core::Player;

/// A node that play can reach: a state where a player chooses, or an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    State(u32),
    End(u32),
}

/// The distribution of what follows an action or a chance node.
pub(super) type Distribution = Vec<(Place, f64)>;

/// Marks the number of an end.
pub(super) const END: u32 = 1 << 31;

/// All states with their actions.
pub(super) struct Graph {
    movers: Vec<Player>,
    /// By state, plus one entry: where its actions begin.
    first_actions: Vec<u32>,
    /// By action, plus one entry: where its outcomes begin.
    first_outcomes: Vec<u64>,
    outcomes: Vec<(u32, f64)>,
    /// The shares of all players, end after end.
    ends: Vec<f64>,
    pub players: usize,
}

/// How a graph is made: state by state in the order of their numbers, action by action, outcome by outcome.
impl Graph {
    /// A graph without states.
    pub(super) fn empty(players: usize) -> Graph {
        let (movers, first_actions, first_outcomes) = (Vec::new(), Vec::new(), Vec::new());
        Graph { movers, first_actions, first_outcomes, outcomes: Vec::new(), ends: Vec::new(), players }
    }

    /// Begins the next state.
    pub(super) fn begin_state(&mut self, mover: Player) {
        self.first_actions.push(self.first_outcomes.len() as u32);
        self.movers.push(mover);
    }

    /// Begins the next action of the state.
    pub(super) fn begin_action(&mut self) {
        self.first_outcomes.push(self.outcomes.len() as u64);
    }

    /// Adds an outcome of the action.
    pub(super) fn add_outcome(&mut self, place: Place, probability: f64) {
        let number = match place {
            Place::State(state) => state,
            Place::End(end) => END | end,
        };
        self.outcomes.push((number, probability));
    }

    /// Forgets outcomes that were added before the first action.
    pub(super) fn clear_outcomes(&mut self) {
        self.outcomes.clear();
    }

    /// Ends the last state.
    pub(super) fn finish(&mut self) {
        self.first_actions.push(self.first_outcomes.len() as u32);
        self.first_outcomes.push(self.outcomes.len() as u64);
    }

    /// The number of an end; ends with equal shares are stored once. There are few.
    pub(super) fn end(&mut self, shares: &[f64]) -> u32 {
        self.known_end(shares).unwrap_or_else(|| {
            self.ends.extend_from_slice(shares);
            self.end_count() as u32 - 1
        })
    }

    /// The number of an end, if it is stored.
    pub(super) fn known_end(&self, shares: &[f64]) -> Option<u32> {
        self.ends.chunks(self.players).position(|end| end == shares).map(|end| end as u32)
    }
}

/// How a graph is read.
impl Graph {
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
