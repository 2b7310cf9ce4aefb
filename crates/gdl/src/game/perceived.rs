//! What the players of a sheet of GDL-II perceive. A moment is a step of the language, in which every role moves.

use tesuji_core::{Percept, Perception, Player};

use super::{Gdl, State};
use crate::percepts;

/// The percepts of roles.
pub(super) struct Percepts;

impl Gdl {
    /// What a role perceived of the step that led to a state, as sorted texts; nothing while chance has yet to draw.
    pub fn percept_texts(&self, state: &State, role: usize) -> Vec<String> {
        if !state.pending.is_empty() {
            return Vec::new();
        }
        let facts = self.engine.fact_texts(&state.facts);
        let name = &self.role_names[role];
        facts.iter().filter_map(|fact| percepts::percept_of(fact, name)).map(str::to_owned).collect()
    }

    /// The facts of a state as sorted texts, without percepts.
    pub fn open_facts(&self, state: &State) -> Vec<String> {
        let mut facts = self.fact_texts(state);
        facts.retain(|fact| !percepts::is_percept(fact));
        facts
    }

    /// Whether the sheet says what its roles perceive, so that they do not see the moves of others.
    pub fn hides(&self) -> bool {
        self.hides
    }
}

impl Perception<Gdl> for Percepts {
    fn moment(&self, _game: &Gdl, state: &State) -> u32 {
        state.step
    }

    fn percept(&self, game: &Gdl, state: &State, player: Player) -> Percept {
        match state.pending.is_empty() {
            true => Percept(game.engine.percepts(&state.facts, game.roles[player.index()])),
            false => Percept::default(),
        }
    }

    fn texts(&self, game: &Gdl, state: &State, player: Player) -> Vec<String> {
        game.percept_texts(state, game.roles[player.index()])
    }
}
