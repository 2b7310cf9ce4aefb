//! EinStein würfelt nicht! in numbers: a stone and its way, and a plane for each stone.

use tesuji_core::{ActionField, ActionIndex, Actor, Observation, ObservationLayout, Planes, Player};

use super::{Action, Einstein, PERMUTATIONS, Phase, SIDE, STONES, State};

/// Both capabilities.
pub(super) struct Numbers;

const FACES: u32 = 6;
const WAYS: u32 = 3;

impl ActionIndex<Einstein> for Numbers {
    fn fields(&self, _game: &Einstein) -> Vec<ActionField> {
        vec![ActionField::new("stone", STONES as usize), ActionField::new("way", WAYS as usize)]
    }

    /// The faces of the die, then the placements.
    fn outcomes(&self, _game: &Einstein) -> usize {
        FACES as usize + PERMUTATIONS.len()
    }

    fn number(&self, _game: &Einstein, _actor: Actor, action: Action) -> u32 {
        match action {
            Action::Move { stone, way } => u32::from(stone) * WAYS + u32::from(way),
            Action::Roll(face) => u32::from(face) - 1,
            Action::Place(permutation) => FACES + u32::from(permutation),
        }
    }

    fn action(&self, game: &Einstein, actor: Actor, number: u32) -> Option<Action> {
        match actor {
            Actor::Player(_) => {
                let (stone, way) = ((number / WAYS) as u8, (number % WAYS) as u8);
                (number < STONES * WAYS).then_some(Action::Move { stone, way })
            }
            Actor::Chance if number < FACES => Some(Action::Roll(number as u8 + 1)),
            Actor::Chance => ((number as usize) < self.outcomes(game)).then(|| Action::Place((number - FACES) as u16)),
        }
    }
}

impl Observation<Einstein> for Numbers {
    /// Both players see the board the same way round, so a plane says who looks.
    fn layout(&self, _game: &Einstein) -> ObservationLayout {
        let stones = |whose: &'static str| (1..=STONES).map(move |stone| format!("{whose} stone {stone}"));
        let faces = (1..=FACES).map(|face| format!("die shows {face}"));
        let rest = ["to move", "black looks", "black's stones are placed"].map(str::to_owned);
        let side = usize::from(SIDE);
        ObservationLayout::planes(stones("own").chain(stones("other")).chain(faces).chain(rest), side, side)
    }

    fn fill(&self, _game: &Einstein, state: &State, player: Player, out: &mut [f32]) {
        let mut planes = Planes::new(out, usize::from(SIDE * SIDE));
        for (owner, side) in [player.index(), 1 - player.index()].into_iter().enumerate() {
            for stone in (0..STONES as u8).filter(|&stone| state.stones(side) >> stone & 1 == 1) {
                let plane = owner * STONES as usize + usize::from(stone);
                planes.set(plane, usize::from(state.cell(side, stone)), 1.0);
            }
        }
        let first_face = 2 * STONES as usize;
        if let Phase::Move(face) = state.phase {
            planes.fill(first_face + usize::from(face) - 1, 1.0);
        }
        let after = first_face + FACES as usize;
        planes.fill_if(after, matches!(state.phase, Phase::Move(_)) && state.mover == player.0);
        planes.fill_if(after + 1, player == Player(0));
        planes.fill_if(after + 2, state.stones(0) != 0);
    }
}
