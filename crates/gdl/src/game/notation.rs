//! Facts and moves as text in GDL syntax. A state is its step, its facts, and the moves that wait for chance: `step 3
//! facts ((cell 1 1 x) (control o)) pending ()`.

use smallvec::SmallVec;
use tesuji_core::{Actor, InputError, Notation, Source, Turn, legal_actions, nearest};

use super::{Gdl, Move, State};
use crate::kif::{self, Expression};
use crate::place_of;

/// An expression in the spelling of the engines: one blank between parts, none inside parentheses.
pub(super) fn plain(expression: &Expression) -> String {
    match expression {
        Expression::Word(text, _) => text.clone(),
        Expression::List(items, _) => {
            let items: Vec<String> = items.iter().map(plain).collect();
            format!("({})", items.join(" "))
        }
    }
}

impl Gdl {
    /// The role of an actor.
    pub(super) fn role_of(&self, actor: Actor) -> usize {
        match actor {
            Actor::Player(player) => self.roles[player.index()],
            Actor::Chance => self.random.unwrap_or(0),
        }
    }

    /// The move of `role` that a text names, ignoring blanks and case.
    fn pending_move(&self, state: &State, role: usize, text: &str) -> Option<Move> {
        let mut moves = Vec::new();
        self.engine.legal(&state.facts, role, &mut moves);
        let texts: Vec<String> = moves.iter().map(|&number| self.engine.move_text(role, number)).collect();
        place_of(text, &texts).map(|place| moves[place])
    }
}

impl Notation for Gdl {
    const READS_STATES: bool = true;

    fn action_text(&self, _state: &State, actor: Actor, action: Move) -> String {
        self.engine.move_text(self.role_of(actor), action)
    }

    fn parse_action(&self, state: &State, actor: Actor, text: &str) -> Result<Move, InputError> {
        let source = Source::new("action", text.trim());
        let wanted = match kif::read(&source)?.as_slice() {
            [expression] => plain(expression),
            _ => source.text().to_owned(),
        };
        let actions = legal_actions(self, state, actor);
        let texts: Vec<String> = actions.iter().map(|&action| self.action_text(state, actor, action)).collect();
        if let Some(place) = place_of(&wanted, &texts) {
            return Ok(actions[place]);
        }
        let near = nearest(&wanted, texts.iter().map(String::as_str), 5);
        let message = format!("`{wanted}` is not a legal move here");
        Err(InputError::new(message).with_help(format!("{} legal; nearest: {}", texts.len(), near.join("  "))))
    }

    /// The rule sheet.
    fn rules_text(&self) -> Option<String> {
        Some(self.text.clone())
    }

    fn state_text(&self, state: &State) -> String {
        let facts = self.engine.fact_texts(&state.facts).join(" ");
        let pending = state.pending.iter().enumerate().map(|(role, &number)| self.engine.move_text(role, number));
        let pending: Vec<String> = pending.collect();
        format!("step {} facts ({facts}) pending ({})", state.step, pending.join(" "))
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let source = Source::new("state", text);
        let form = || {
            InputError::new("this is not a state of a GDL game")
                .with_help("a state looks like `step 3 facts ((cell 1 1 x) (control o)) pending ()`")
        };
        let expressions = kif::read(&source)?;
        let [step_word, Expression::Word(step, step_place), facts_word, facts, pending_word, pending] =
            expressions.as_slice()
        else {
            return Err(form());
        };
        let (Expression::List(facts, facts_place), Expression::List(pending, pending_place)) = (facts, pending) else {
            return Err(form());
        };
        if !(step_word.is_word("step") && facts_word.is_word("facts") && pending_word.is_word("pending")) {
            return Err(form());
        }
        let step = step.parse().ok().filter(|&step: &u32| step <= self.max_steps).ok_or_else(|| {
            let message = format!("expected a number of steps from 0 to {}", self.max_steps);
            step_place.error(&source, message)
        })?;
        let texts: Vec<String> = facts.iter().map(plain).collect();
        let facts = self.engine.facts_of(&texts).map_err(|message| facts_place.error(&source, message))?;
        let mut state = self.state_of(facts, step);
        if pending.is_empty() {
            return Ok(state);
        }
        let moves: Option<SmallVec<[Move; 2]>> =
            pending.iter().enumerate().map(|(role, text)| self.pending_move(&state, role, &plain(text))).collect();
        match moves {
            Some(moves)
                if moves.len() == self.role_names.len() && self.random.is_some() && state.turn != Turn::Over =>
            {
                state.pending = moves;
                state.turn = Turn::Chance;
                Ok(state)
            }
            _ => Err(pending_place.error(&source, "expected a legal move of each role, or none at all")),
        }
    }

    fn board_text(&self, state: &State) -> String {
        let mut text = String::new();
        if let Some(grid) = &self.grid {
            grid.write(&self.engine.fact_texts(&state.facts), &mut text);
        }
        for fact in self.engine.fact_texts(&state.facts) {
            if self.grid.as_ref().is_none_or(|grid| grid.cell_of(&fact).is_none()) {
                text.push_str(&fact);
                text.push('\n');
            }
        }
        text
    }
}
