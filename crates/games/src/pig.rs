//! Pig: roll and add up, or hold and keep; rolling a 1 loses the points of the turn.
//!
//! Two players, one die. The first player to reach the target wins: a turn that reaches it wins at once, since nobody
//! would roll on. A turn begins with a roll, since holding nothing would only pass.
//!
//! With target 100 and optimal play the first player wins with probability 0.530592… (Neller and Presser, "Optimal Play
//! of the Dice Game Pig", 2004). This makes the game a good test for solvers: play can return to equal scores, so it
//! needs value iteration. Matches must end, however: after far more rolls than sensible play needs (five times the
//! target, at least 100) a match is a draw. That changes the value by less than 10⁻⁹: a test solves the game with the
//! limit exactly.

mod drawing;
mod numbers;
#[cfg(test)]
mod tests;

use tesuji_core::{
    ActionIndex, Actor, Arguments, Capabilities, Clock, Entry, Features, Game, InputError, Knowledge, Notation,
    Observation, Parameter, Player, Rng, Source, Spec, Turn,
};

/// The catalogue entry of Pig.
pub const ENTRY: Entry<Pig> = Entry {
    name: "pig",
    title: "Pig",
    summary: "Pig: roll on and risk the turn's points, or hold; the first to the target wins",
    parameters: &[Parameter::new("target", "100", "points that win, 2 to 1000")],
    examples: &["pig", "pig(10)"],
    open: |arguments: &Arguments| {
        let target = arguments.integer("target", 2..=1000)? as u16;
        Ok(Pig::new(arguments.canonical(), target))
    },
};

/// The rules of Pig.
#[derive(Debug)]
pub struct Pig {
    spec: Spec,
    target: u16,
    most_rolls: u16,
}

/// A position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The points that each player has kept.
    scores: [u16; 2],
    /// The points of this turn.
    gathered: u16,
    /// The number of rolls made.
    rolls: u16,
    mover: u8,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Phase {
    Choose,
    Roll,
    Over,
}

/// A choice, or the face of the die.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Roll the die.
    Roll,
    /// Keep the points of the turn; the other player is next.
    Hold,
    /// The face of the die, 1 to 6.
    Face(u8),
}

const PLAYERS: [&str; 2] = ["first", "second"];

impl Pig {
    fn new(name: String, target: u16) -> Pig {
        let most_rolls = (5 * target).max(100);
        // A roll is a choice and the die; each except the last may be followed by holding.
        let longest = 3 * usize::from(most_rolls) - 1;
        let features = Features::CHANCE | Features::MULTI_ACTION;
        Pig { spec: Spec::new(name, &PLAYERS, features, longest), target, most_rolls }
    }

    #[inline]
    fn end_turn(&self, state: &mut State) {
        state.gathered = 0;
        state.mover = 1 - state.mover;
        state.phase = Phase::Choose;
    }

    #[inline]
    fn has_won(&self, state: &State) -> bool {
        state.scores[usize::from(state.mover)] + state.gathered >= self.target
    }
}

impl Game for Pig {
    type State = State;
    type Action = Action;

    const CLASS: Features = Features::CHANCE.union(Features::MULTI_ACTION);
    const ALWAYS: Features = Features::CHANCE.union(Features::MULTI_ACTION);
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        State { scores: [0, 0], gathered: 0, rolls: 0, mover: 0, phase: Phase::Choose }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Choose => Turn::Player(Player(state.mover)),
            Phase::Roll => Turn::Chance,
            Phase::Over => Turn::Over,
        }
    }

    #[inline]
    fn legal(&self, state: &State, _player: Player, out: &mut Vec<Action>) {
        out.push(Action::Roll);
        if state.gathered > 0 {
            out.push(Action::Hold);
        }
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Action]) {
        match joint[0] {
            Action::Roll => state.phase = Phase::Roll,
            Action::Hold => {
                state.scores[usize::from(state.mover & 1)] += state.gathered;
                self.end_turn(state);
            }
            Action::Face(face) => {
                state.rolls += 1;
                if face == 1 {
                    self.end_turn(state);
                } else {
                    state.gathered += u16::from(face);
                    state.phase = Phase::Choose;
                }
                if state.rolls >= self.most_rolls || self.has_won(state) {
                    state.phase = Phase::Over;
                }
            }
        }
    }

    #[inline]
    fn payoff(&self, state: &State, player: Player) -> f64 {
        match (self.has_won(state), player.0 == state.mover) {
            (false, _) => 0.5,
            (true, true) => 1.0,
            (true, false) => 0.0,
        }
    }

    #[inline]
    fn chance(&self, _state: &State, out: &mut Vec<(Action, f64)>) {
        out.extend((1..=6).map(|face| (Action::Face(face), 1.0 / 6.0)));
    }

    #[inline]
    fn random_action(&self, state: &State, _player: Player, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        let holds = state.gathered > 0 && rng.bits() >> 63 == 1;
        if holds { Action::Hold } else { Action::Roll }
    }

    #[inline]
    fn random_outcome(&self, _state: &State, rng: &mut Rng) -> Action {
        Action::Face(rng.below(6) as u8 + 1)
    }
}

const HELP: &str = "a state is `first 40+7 23 after 12` (the player to move, its score and the points of the turn, \
    the other's score, rolls made), and `rolls` at the end while the die is rolled";

impl Notation for Pig {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(include_str!("../rules/pig.md"))
    }

    fn action_text(&self, _state: &State, _actor: Actor, action: Action) -> String {
        match action {
            Action::Roll => "roll".to_owned(),
            Action::Hold => "hold".to_owned(),
            Action::Face(face) => face.to_string(),
        }
    }

    /// The mover, its score and the points of the turn, the other's score, and the rolls made; `rolls` while the die is
    /// being rolled: `first 40+7 23 after 12 rolls`.
    fn state_text(&self, state: &State) -> String {
        let mover = usize::from(state.mover);
        let (own, other) = (state.scores[mover], state.scores[1 - mover]);
        let rolls = if state.phase == Phase::Roll { " rolls" } else { "" };
        format!("{} {own}+{} {other} after {}{rolls}", PLAYERS[mover], state.gathered, state.rolls)
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let source = Source::new("state", text);
        let wrong = |message: String| InputError::new(message).with_help(HELP).at(&source, 0, text.len());
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (&[who, own, other, "after", made], rolls) = (match &words[..] {
            [words @ .., "rolls"] => (words, true),
            words => (words, false),
        }) else {
            return Err(wrong(format!("`{text}` is not a state of Pig")));
        };
        let Some(mover) = PLAYERS.iter().position(|&name| name == who) else {
            return Err(wrong(format!("expected first or second, found `{who}`")));
        };
        let points = |word: &str, most: u16| {
            let number = word.parse().ok().filter(|&points: &u16| points <= most);
            number.ok_or_else(|| wrong(format!("expected a number from 0 to {most}, found `{word}`")))
        };
        let Some((own, gathered)) = own.split_once('+') else {
            return Err(wrong(format!("expected a score and the points of the turn, such as `40+7`, found `{own}`")));
        };
        let mut scores = [0; 2];
        scores[mover] = points(own, self.target - 1)?;
        scores[1 - mover] = points(other, self.target - 1)?;
        let gathered = points(gathered, self.target + 4)?;
        let made = points(made, self.most_rolls)?;
        let mut state = State { scores, gathered, rolls: made, mover: mover as u8, phase: Phase::Choose };
        if gathered == 1 || gathered > 0 && made == 0 {
            return Err(wrong(format!("no turn can have {gathered} points here")));
        }
        let over = made == self.most_rolls || self.has_won(&state);
        state.phase = match (over, rolls) {
            (true, true) => return Err(wrong("the match is over: no roll".to_owned())),
            (true, false) => Phase::Over,
            (false, true) => Phase::Roll,
            (false, false) => Phase::Choose,
        };
        Ok(state)
    }

    fn board_text(&self, state: &State) -> String {
        let mut text = String::new();
        for (seat, name) in PLAYERS.into_iter().enumerate() {
            let turn = if seat == usize::from(state.mover) { format!(" + {}", state.gathered) } else { String::new() };
            text.push_str(&format!("{name:>6} {:>4} of {}{turn}\n", state.scores[seat], self.target));
        }
        text.push_str(&self.headline(state));
        text.push('\n');
        text
    }
}

impl Pig {
    fn headline(&self, state: &State) -> String {
        let mover = PLAYERS[usize::from(state.mover)];
        match state.phase {
            Phase::Choose if state.gathered == 0 => format!("{mover} begins a turn"),
            Phase::Choose => format!("{mover}: roll on or hold?"),
            Phase::Roll => format!("{mover} rolls"),
            Phase::Over if self.has_won(state) => format!("{mover} has won"),
            Phase::Over => "a draw: too many rolls".to_owned(),
        }
    }
}

impl Knowledge for Pig {
    const OFFERS: Capabilities = Capabilities::CLOCK.union(Capabilities::NUMBERS);

    fn clock(&self) -> Option<&'static dyn Clock<Self>> {
        Some(&RollCount)
    }

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&numbers::Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&numbers::Numbers)
    }
}

/// The clock: the number of rolls made.
struct RollCount;

impl Clock<Pig> for RollCount {
    fn forget(&self, _game: &Pig, state: &mut State) {
        state.rolls = 0;
    }
}
