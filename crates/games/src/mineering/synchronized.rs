//! Synchronized Domineering and Triomineering: both players lay a bar at the same time.

use std::hash::{Hash, Hasher};

use tesuji_core::{
    ActionIndex, Actor, AreaId, Capabilities, Drawing, Features, Fingerprint, Game, Heuristics, History, InputError,
    Knowledge, Named, Notation, Observation, Picture, Player, Players, Policy, Rng, SolverHints, Spec, Turn,
};

use super::board::{Board, Cells, hash_cells};
use super::numbers::Numbers;
use super::{Hinder, PLAYERS, POLICIES, drawing, notation};
use crate::bits;

/// The rules of Synchronized Domineering and Triomineering.
#[derive(Debug)]
pub struct Synchronized {
    spec: Spec,
    pub(super) board: Board,
}

/// A position: the free cells. The bars that still fit are stored because every step needs them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) free: Cells,
    pub(super) possible: [Cells; 2],
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hash_cells(self.free, hasher);
    }
}

impl Synchronized {
    pub(super) fn new(name: String, board: Board) -> Synchronized {
        let both_can = board.possible(board.all).iter().all(|&bars| bars != 0);
        let features = if both_can { Features::SIMULTANEOUS } else { Features::empty() };
        // A step fills all cells of both bars, minus one where they cross.
        let max_steps = usize::from(board.cells()) / (2 * usize::from(board.length) - 1);
        Synchronized { spec: Spec::new(name, &PLAYERS, features, max_steps), board }
    }

    fn state(&self, free: Cells) -> State {
        State { free, possible: self.board.possible(free) }
    }
}

impl Game for Synchronized {
    type State = State;
    type Action = u8;

    const CLASS: Features = Features::SIMULTANEOUS;
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        self.state(self.board.all)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.possible[0] != 0 && state.possible[1] != 0 { Turn::Simultaneous(Players::BOTH) } else { Turn::Over }
    }

    fn legal(&self, state: &State, player: Player, out: &mut Vec<u8>) {
        out.extend(bits::ones(state.possible[player.index()]).map(|cell| cell as u8));
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[u8]) {
        let (free, possible) = self.board.after(state.free, [(0, joint[0]), (1, joint[1])]);
        *state = State { free, possible };
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        match state.possible.map(|bars| bars != 0) {
            [true, false] => [1.0, 0.0][player.index()],
            [false, true] => [0.0, 1.0][player.index()],
            _ => 0.5,
        }
    }

    #[inline]
    fn random_action(&self, state: &State, player: Player, rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
        self.board.random(state.possible[player.index()], rng)
    }
}

impl Notation for Synchronized {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(match self.board.length {
            2 => include_str!("../../rules/sync-domineering.md"),
            _ => include_str!("../../rules/sync-triomineering.md"),
        })
    }

    fn action_text(&self, _state: &State, _actor: Actor, action: u8) -> String {
        self.board.cell_name(action)
    }

    /// The rows separated by `/`: `.` for a free cell, `#` for a filled one.
    fn state_text(&self, state: &State) -> String {
        notation::cells_text(&self.board, state.free)
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        Ok(self.state(notation::parse_cells(&self.board, text.trim())?))
    }

    fn board_text(&self, state: &State) -> String {
        notation::board_text(&self.board, state.free)
    }
}

impl Drawing for Synchronized {
    fn draw(&self, state: &State) -> Picture {
        drawing::draw(&self.board, state.free, &state.possible, &[])
    }

    fn draw_after(&self, state: &State, steps: &History<u8>) -> Picture {
        let laid: Vec<drawing::Laid> = steps.steps().flat_map(|joint| joint.iter().copied().enumerate()).collect();
        drawing::draw(&self.board, state.free, &state.possible, &laid)
    }

    fn clicks(&self, _state: &State, _actor: Actor, action: u8) -> Vec<AreaId> {
        vec![AreaId::from(action)]
    }
}

impl Knowledge for Synchronized {
    const OFFERS: Capabilities =
        Capabilities::HEURISTICS.union(Capabilities::SOLVER_HINTS).union(Capabilities::NUMBERS);

    fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
        Some(&Policies)
    }

    fn solver_hints(&self) -> Option<&'static dyn SolverHints<Self>> {
        Some(&Hints)
    }

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&Numbers)
    }
}

struct Policies;

impl Heuristics<Synchronized> for Policies {
    fn policies(&self, _game: &Synchronized) -> &'static [Named] {
        POLICIES
    }

    fn policy(&self, _game: &Synchronized, name: &str) -> Option<Box<dyn Policy<Synchronized>>> {
        (name == "hinder").then(|| Box::new(Hinder) as Box<dyn Policy<Synchronized>>)
    }

    /// All agents of the paper use it for playouts (section 6.1).
    fn customary_policy(&self, _game: &Synchronized) -> Option<&'static str> {
        Some("hinder")
    }
}

struct Hints;

impl SolverHints<Synchronized> for Hints {
    fn fingerprint(&self, game: &Synchronized, state: &State) -> Fingerprint {
        game.board.fingerprint(&state.possible)
    }

    #[inline]
    fn bounds(&self, game: &Synchronized, state: &State) -> (f64, f64) {
        game.board.certain(&state.possible)
    }

    fn candidates(&self, game: &Synchronized, state: &State, player: Player, out: &mut Vec<u8>) {
        game.board.candidates(&state.possible, player.index(), out);
    }

    /// Cells that no bar can cover count as filled.
    fn essence(&self, game: &Synchronized, state: &State) -> State {
        let covered = [0, 1].map(|player| game.board.covered(state.possible[player], player));
        State { free: covered[0] | covered[1], possible: state.possible }
    }

    fn outcome_letters(&self, _game: &Synchronized) -> Option<[char; 2]> {
        Some(['V', 'H'])
    }
}
