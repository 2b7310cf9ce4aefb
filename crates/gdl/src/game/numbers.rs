//! Rule sheets in numbers: the moves of a role in the order of grounding, and the facts as bits.
//!
//! Only sheets that run on the network have them: the interpreter meets moves and facts as they appear, so it cannot
//! number them beforehand.

use tesuji_core::{ActionField, ActionIndex, Actor, Game, Observation, ObservationLayout, Player, Turn, legal_actions};

use super::{Gdl, Move, State};

/// Both capabilities.
pub(super) struct Numbers;

impl Gdl {
    /// The number of moves of a role.
    fn moves_of(&self, role: usize) -> usize {
        self.engine.move_count(role).unwrap_or(0)
    }
}

impl ActionIndex<Gdl> for Numbers {
    /// All roles share one range, as long as the longest list of moves.
    fn fields(&self, game: &Gdl) -> Vec<ActionField> {
        let most = game.roles.iter().map(|&role| game.moves_of(role)).max().unwrap_or(0);
        vec![ActionField::new("move", most.max(1))]
    }

    fn outcomes(&self, game: &Gdl) -> usize {
        game.random.map_or(0, |random| game.moves_of(random))
    }

    fn number(&self, _game: &Gdl, _actor: Actor, action: Move) -> u32 {
        action.0
    }

    fn action(&self, game: &Gdl, actor: Actor, number: u32) -> Option<Move> {
        let count = match actor {
            Actor::Player(player) => game.moves_of(*game.roles.get(player.index())?),
            Actor::Chance => self.outcomes(game),
        };
        ((number as usize) < count).then_some(Move(number))
    }
}

impl Observation<Gdl> for Numbers {
    /// A feature for each fact, one for each role (who looks), and the share of the longest match that is over. Of a
    /// sheet that hides, players see their own percepts of the last step only.
    fn layout(&self, game: &Gdl) -> ObservationLayout {
        let roles = game.spec.players.iter().map(|name| format!("{name} looks"));
        let facts = game.engine.all_facts().iter().cloned();
        ObservationLayout::features(facts.chain(roles).chain(["steps made".to_owned()]))
    }

    fn fill(&self, game: &Gdl, state: &State, player: Player, out: &mut [f32]) {
        out.fill(0.0);
        let facts = game.engine.fact_count().unwrap_or(0);
        if game.hides {
            let role = game.roles[player.index()];
            game.engine.percepts(&state.facts, role).into_iter().for_each(|fact| out[fact as usize] = 1.0);
        }
        let open = if game.hides { &[] } else { &state.facts[..] };
        for (place, &word) in open.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let fact = 64 * place + rest.trailing_zeros() as usize;
                if fact < facts {
                    out[fact] = 1.0;
                }
                rest &= rest - 1;
            }
        }
        out[facts + player.index()] = 1.0;
        out[facts + game.roles.len()] = state.step as f32 / game.max_steps as f32;
    }

    /// While chance has yet to draw, nobody sees what the others have chosen.
    fn same_view(&self, game: &Gdl, state: &State, player: Player) -> Vec<State> {
        if state.pending.is_empty() {
            return Vec::new();
        }
        let others = game.spec.seats().filter(|&other| other != player);
        let twins = others.flat_map(|other| {
            let role = game.roles[other.index()];
            let moves = legal_actions(game, state, Actor::Player(other));
            moves.into_iter().map(move |choice| {
                let mut twin = state.clone();
                twin.pending[role] = choice;
                twin
            })
        });
        debug_assert_eq!(game.turn(state), Turn::Chance);
        twins.collect()
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::{Knowledge, Rng, Source};

    use super::super::{EngineKind, Options};
    use super::*;
    use crate::Sheet;

    /// Two players guess at once, and a coin is tossed in the same step.
    const GUESS: &str = "
        (role one) (role two) (role random)
        (init (turn 1))
        (<= (legal one (guess ?side)) (side ?side) (true (turn 1)))
        (<= (legal two (guess ?side)) (side ?side) (true (turn 1)))
        (<= (legal random (toss ?side)) (side ?side) (true (turn 1)))
        (side heads) (side tails)
        (<= (next (said ?role ?side)) (does ?role (guess ?side)))
        (<= (next (fell ?side)) (does random (toss ?side)))
        (<= terminal (true (fell ?side)))
        (<= (goal ?role 100) (true (said ?role ?side)) (true (fell ?side)))
        (<= (goal ?role 0) (true (said ?role ?side)) (not (true (fell ?side))))
        (<= (goal random 0) (role random))";

    fn game(engine: EngineKind) -> Gdl {
        let sheet = Sheet::read(Source::new("guess.kif", GUESS)).unwrap();
        Gdl::from_sheet(sheet, Options { engine: Some(engine), ..Options::default() }).unwrap()
    }

    #[test]
    fn choices_stay_hidden_until_chance_has_drawn() {
        let game = game(EngineKind::Network);
        let observation = game.observation().unwrap();
        let mut state = game.start();
        let joint: Vec<Move> = game
            .turn(&state)
            .movers()
            .map(|player| game.random_action(&state, player, &mut Rng::new(1), &mut Vec::new()))
            .collect();
        game.apply(&mut state, &joint);
        assert_eq!(game.turn(&state), Turn::Chance);
        let twins = observation.same_view(&game, &state, Player(0));
        assert_eq!(twins.len(), 2, "two guesses of the other player");
        assert!(twins.iter().any(|twin| *twin != state));
        tesuji_core::laws::check(&game, 1).unwrap();
    }

    #[test]
    fn the_interpreter_numbers_nothing() {
        let game = game(EngineKind::Interpreter);
        assert!(game.action_index().is_none() && game.observation().is_none());
    }
}
