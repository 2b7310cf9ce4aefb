//! Heuristics for the dice game.

use tesuji_core::{
    ActionIndex, Capabilities, Clock, Evaluation, Heuristics, Knowledge, Named, Observation, Player, Policy, Rng,
    ValueFeatures,
};

use super::board::DIRECTIONS;
use super::numbers::Numbers;
use super::value_features::DiceFeatures;
use super::{Action, Dice, FACES, Game, State, evaluation, faces};
use crate::bits;

const POLICIES: &[Named] = &[Named {
    name: "win",
    summary: "the action most likely to win at once, if any can; otherwise every action equally likely",
}];

/// A limit of at least this many moves exists only to end matches: sensible play takes about nine.
const FORMALITY: u16 = 100;

impl Knowledge for Dice {
    const OFFERS: Capabilities = Capabilities::HEURISTICS
        .union(Capabilities::CLOCK)
        .union(Capabilities::VALUE_FEATURES)
        .union(Capabilities::NUMBERS);

    fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
        Some(&DiceHeuristics)
    }

    fn clock(&self) -> Option<&'static dyn Clock<Self>> {
        (self.limit >= FORMALITY).then_some(&MoveCount as &'static dyn Clock<Self>)
    }

    fn value_features(&self) -> Option<&'static dyn ValueFeatures<Self>> {
        Some(&DiceFeatures)
    }

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&Numbers)
    }
}

struct DiceHeuristics;

impl Heuristics<Dice> for DiceHeuristics {
    fn evaluations(&self, _game: &Dice) -> &'static [Named] {
        evaluation::EVALUATIONS
    }

    fn evaluation(&self, _game: &Dice, name: &str) -> Option<Box<dyn Evaluation<Dice>>> {
        evaluation::by_name(name)
    }

    fn policies(&self, _game: &Dice) -> &'static [Named] {
        POLICIES
    }

    fn policy(&self, _game: &Dice, name: &str) -> Option<Box<dyn Policy<Dice>>> {
        (name == "win").then(|| Box::new(Win) as Box<dyn Policy<Dice>>)
    }
}

/// The clock: the number of moves made.
struct MoveCount;

impl Clock<Dice> for MoveCount {
    fn forget(&self, _game: &Dice, state: &mut State) {
        state.moves = 0;
    }
}

/// Takes the most probable immediate win, the first in legal order among equals; otherwise plays at random.
struct Win;

impl Policy<Dice> for Win {
    fn pick(&mut self, game: &Dice, state: &State, player: Player, rng: &mut Rng) -> Action {
        game.likeliest_win(state).unwrap_or_else(|| game.random_action(state, player, rng, &mut Vec::new()))
    }
}

impl Dice {
    /// The mover's action with the most faces that win at once, if any face does.
    fn likeliest_win(&self, state: &State) -> Option<Action> {
        let side = usize::from(state.mover);
        let (king, men, occupied) = (state.pieces.king[side], state.pieces.men(side), state.pieces.occupied());
        let mut best = None;
        let mut best_faces = 0;
        let any_hole = self.board.holes(king, men, occupied).next().is_some();
        for direction in 0..DIRECTIONS.len() {
            let movers = self.movers(state, direction);
            for from in bits::ones(movers).map(|from| from as u8) {
                let wins = if from == king {
                    let run = self.board.run(king, direction, occupied);
                    let wins = bits::ones(run).filter(|&cell| self.board.has_line(cell as u8, men | 1 << cell));
                    weigh(wins.fold(0, |set, cell| set | 1 << cell), run, direction)
                } else if any_hole {
                    let partnered = self.board.holes(king, men & !(1 << from), occupied);
                    let holes = partnered.fold(0, |holes, (hole, _)| holes | hole);
                    let run = self.board.run(from, direction, occupied);
                    weigh(run & holes, run, direction)
                } else {
                    0
                };
                if wins > best_faces {
                    best_faces = wins;
                    best = Some(Action::Slide { from, direction: direction as u8 });
                    if wins == FACES {
                        return best;
                    }
                }
            }
        }
        best
    }
}

/// The number of faces that bring a piece to one of the cells `goals` of its `run`.
pub(super) fn weigh(goals: u64, run: u64, direction: usize) -> u8 {
    if goals == 0 {
        return 0;
    }
    let room = run.count_ones() as u8;
    let distance = |cell: u32| {
        let nearer = if DIRECTIONS[direction].step() > 0 { run & ((1 << cell) - 1) } else { run >> cell >> 1 };
        nearer.count_ones() as u8 + 1
    };
    bits::ones(goals).map(|cell| faces(distance(cell), room)).sum()
}
