//! Pig in numbers: roll or hold, and the scores.

use tesuji_core::{ActionField, ActionIndex, Actor, Observation, ObservationLayout, Player};

use super::{Action, Phase, Pig, State};

/// Both capabilities.
pub(super) struct Numbers;

impl ActionIndex<Pig> for Numbers {
    /// 0 rolls, 1 holds.
    fn fields(&self, _game: &Pig) -> Vec<ActionField> {
        vec![ActionField::new("choice", 2)]
    }

    fn outcomes(&self, _game: &Pig) -> usize {
        6
    }

    fn number(&self, _game: &Pig, _actor: Actor, action: Action) -> u32 {
        match action {
            Action::Roll => 0,
            Action::Hold => 1,
            Action::Face(face) => u32::from(face) - 1,
        }
    }

    fn action(&self, _game: &Pig, actor: Actor, number: u32) -> Option<Action> {
        match (actor, number) {
            (Actor::Chance, 0..6) => Some(Action::Face(number as u8 + 1)),
            (Actor::Player(_), 0) => Some(Action::Roll),
            (Actor::Player(_), 1) => Some(Action::Hold),
            _ => None,
        }
    }
}

impl Observation<Pig> for Numbers {
    fn layout(&self, _game: &Pig) -> ObservationLayout {
        ObservationLayout::features([
            "own score",
            "other score",
            "points of the turn",
            "own turn",
            "die is rolled",
            "rolls made",
        ])
    }

    fn fill(&self, game: &Pig, state: &State, player: Player, out: &mut [f32]) {
        // A winning turn may go beyond the target.
        let share = |points: u16| (f32::from(points) / f32::from(game.target)).min(1.0);
        out.copy_from_slice(&[
            share(state.scores[player.index()]),
            share(state.scores[1 - player.index()]),
            share(state.gathered),
            f32::from(u8::from(state.mover == player.0)),
            f32::from(u8::from(state.phase == Phase::Roll)),
            f32::from(state.rolls) / f32::from(game.most_rolls),
        ]);
    }
}
