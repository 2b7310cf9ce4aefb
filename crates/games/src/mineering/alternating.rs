//! Alternating Domineering and Triomineering: players lay bars in turn.

use std::hash::{Hash, Hasher};

use tesuji_core::{
    ActionIndex, Actor, AreaId, Capabilities, Drawing, Features, Game, Heuristics, History, InputError, Knowledge,
    Named, Notation, Observation, Picture, Player, Policy, Rng, Spec, Turn,
};

use super::board::{Board, Cells, hash_cells, other};
use super::numbers::Numbers;
use super::{Hinder, PLAYERS, POLICIES, drawing, notation};
use crate::bits;

/// The rules of Domineering and Triomineering.
#[derive(Debug)]
pub struct Alternating {
    spec: Spec,
    pub(super) board: Board,
}

/// A position: the free cells and the player to move. The bars that still fit are stored because every step needs them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) free: Cells,
    pub(super) possible: [Cells; 2],
    mover: Player,
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hash_cells(self.free, hasher);
        self.mover.hash(hasher);
    }
}

impl Alternating {
    pub(super) fn new(name: String, board: Board) -> Alternating {
        let max_steps = usize::from(board.cells() / board.length);
        Alternating { spec: Spec::new(name, &PLAYERS, Features::empty(), max_steps), board }
    }

    fn state(&self, free: Cells, mover: Player) -> State {
        State { free, possible: self.board.possible(free), mover }
    }
}

impl Game for Alternating {
    type State = State;
    type Action = u8;

    const CLASS: Features = Features::empty();
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        self.state(self.board.all, Player(0))
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.possible[state.mover.index()] != 0 { Turn::Player(state.mover) } else { Turn::Over }
    }

    fn legal(&self, state: &State, player: Player, out: &mut Vec<u8>) {
        out.extend(bits::ones(state.possible[player.index()]).map(|cell| cell as u8));
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[u8]) {
        let (free, possible) = self.board.after(state.free, [(state.mover.index(), joint[0])]);
        *state = State { free, possible, mover: other(state.mover) };
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        if player == state.mover { 0.0 } else { 1.0 }
    }

    #[inline]
    fn random_action(&self, state: &State, player: Player, rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
        self.board.random(state.possible[player.index()], rng)
    }
}

impl Notation for Alternating {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(match self.board.length {
            2 => include_str!("../../rules/domineering.md"),
            _ => include_str!("../../rules/triomineering.md"),
        })
    }

    fn action_text(&self, _state: &State, _actor: Actor, action: u8) -> String {
        self.board.cell_name(action)
    }

    /// The rows separated by `/` (`.` for a free cell, `#` for a filled one), a blank, and the player to move: `v` or
    /// `h`.
    fn state_text(&self, state: &State) -> String {
        let mover = if state.mover == Player(0) { "v" } else { "h" };
        format!("{} {mover}", notation::cells_text(&self.board, state.free))
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let text = text.trim();
        let (cells, mover) = match text.rsplit_once(' ') {
            Some((cells, "v")) => (cells, Player(0)),
            Some((cells, "h")) => (cells, Player(1)),
            _ => {
                return Err(InputError::new(format!("`{text}` does not say who must move"))
                    .with_help("expected a board, a blank, and `v` or `h`"));
            }
        };
        Ok(self.state(notation::parse_cells(&self.board, cells.trim())?, mover))
    }

    fn board_text(&self, state: &State) -> String {
        format!("{}{} to move\n", notation::board_text(&self.board, state.free), self.spec.player_name(state.mover))
    }
}

impl Drawing for Alternating {
    fn draw(&self, state: &State) -> Picture {
        drawing::draw(&self.board, state.free, &state.possible, &[])
    }

    fn draw_after(&self, state: &State, steps: &History<u8>) -> Picture {
        // The player who is to move did not lay the last bar.
        let owner = |index: usize| (state.mover.index() + steps.len() - index) % 2;
        let laid: Vec<drawing::Laid> =
            steps.steps().enumerate().map(|(index, joint)| (owner(index), joint[0])).collect();
        drawing::draw(&self.board, state.free, &state.possible, &laid)
    }

    fn clicks(&self, _state: &State, _actor: Actor, action: u8) -> Vec<AreaId> {
        vec![AreaId::from(action)]
    }
}

impl Knowledge for Alternating {
    const OFFERS: Capabilities = Capabilities::HEURISTICS.union(Capabilities::NUMBERS);

    fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
        Some(&Policies)
    }

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&Numbers)
    }
}

struct Policies;

impl Heuristics<Alternating> for Policies {
    fn policies(&self, _game: &Alternating) -> &'static [Named] {
        POLICIES
    }

    fn policy(&self, _game: &Alternating, name: &str) -> Option<Box<dyn Policy<Alternating>>> {
        (name == "hinder").then(|| Box::new(Hinder) as Box<dyn Policy<Alternating>>)
    }
}
