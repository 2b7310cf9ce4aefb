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

use tesuji_core::drawing::{DARK, GRID, INK, LIGHT, SEATS};
use tesuji_core::{
    Actor, AreaId, Arguments, Capabilities, Clock, Drawing, Entry, Features, Game, InputError, Knowledge, Notation,
    Parameter, Picture, Player, Rng, Source, Spec, Turn,
};

/// The catalogue entry of Pig.
pub const ENTRY: Entry<Pig> = Entry {
    name: "pig",
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

/// Areas: two buttons and six faces.
const ROLL_AREA: AreaId = 1;
const HOLD_AREA: AreaId = 2;
const FACE_AREA: AreaId = 10;

impl Drawing for Pig {
    fn draw(&self, state: &State) -> Picture {
        const WIDTH: f64 = 340.0;
        const BAR: f64 = 210.0;
        let mut picture = Picture::new(WIDTH, 150.0);
        for (seat, name) in PLAYERS.into_iter().enumerate() {
            let y = 16.0 + 36.0 * seat as f64;
            let moves = seat == usize::from(state.mover);
            let scale = BAR / f64::from(self.target);
            let kept = f64::from(state.scores[seat]) * scale;
            picture.text(42.0, y + 12.0, 14.0, INK, name);
            picture.rect(80.0, y, BAR, 24.0, LIGHT, GRID);
            picture.rect(80.0, y, kept, 24.0, SEATS[seat], SEATS[seat]);
            if moves && state.gathered > 0 {
                let gathered = (f64::from(state.gathered) * scale).min(BAR - kept);
                picture.raw(format_args!(
                    r#"<rect x="{:.1}" y="{y}" width="{gathered:.1}" height="24" fill="{}" fill-opacity="0.4"/>"#,
                    80.0 + kept,
                    SEATS[seat]
                ));
            }
            let total = state.scores[seat] + if moves { state.gathered } else { 0 };
            picture.text(314.0, y + 12.0, 14.0, INK, &total.to_string());
        }
        picture.text(WIDTH / 2.0, 96.0, 13.0, INK, &self.headline(state));
        match state.phase {
            Phase::Choose => {
                button(&mut picture, ROLL_AREA, "roll", WIDTH / 2.0 - 96.0);
                if state.gathered > 0 {
                    button(&mut picture, HOLD_AREA, "hold", WIDTH / 2.0 + 6.0);
                }
            }
            Phase::Roll => {
                for face in 1..=6u8 {
                    let x = WIDTH / 2.0 + 36.0 * (f64::from(face) - 3.5) - 14.0;
                    picture.die(x, 111.0, 28.0, face);
                    picture.area(FACE_AREA + AreaId::from(face), format!("face {face}"), x, 111.0, 28.0, 28.0);
                }
            }
            Phase::Over => {}
        }
        picture
    }

    fn clicks(&self, _state: &State, _actor: Actor, action: Action) -> Vec<AreaId> {
        vec![match action {
            Action::Roll => ROLL_AREA,
            Action::Hold => HOLD_AREA,
            Action::Face(face) => FACE_AREA + AreaId::from(face),
        }]
    }
}

fn button(picture: &mut Picture, area: AreaId, label: &str, x: f64) {
    let (y, width, height) = (111.0, 90.0, 28.0);
    picture.raw(format_args!(
        r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{DARK}" stroke="{GRID}"/>"#
    ));
    picture.text(x + width / 2.0, y + height / 2.0, 14.0, INK, label);
    picture.area(area, label, x, y, width, height);
}

impl Knowledge for Pig {
    const OFFERS: Capabilities = Capabilities::CLOCK;

    fn clock(&self) -> Option<&'static dyn Clock<Self>> {
        Some(&RollCount)
    }
}

/// The clock: the number of rolls made.
struct RollCount;

impl Clock<Pig> for RollCount {
    fn forget(&self, _game: &Pig, state: &mut State) {
        state.rolls = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;
    use tesuji_core::{legal_actions, perft_table};

    use super::*;

    fn open(address: &str) -> Pig {
        (ENTRY.open)(&Arguments::bind(&address.parse().unwrap(), ENTRY.parameters).unwrap()).unwrap()
    }

    /// The mover's value at the start under optimal play with at most `rolls` rolls, computed backwards roll by roll.
    fn value(target: usize, rolls: usize) -> f64 {
        // By own score, other's score and points of the turn; everything from the target on is won.
        let width = target + 6;
        let mut now = vec![0.5; target * target * width];
        for (own, other) in pairs(target) {
            now[(own * target + other) * width..][target - own..width].fill(1.0);
        }
        let mut before = now.clone();
        let mut begin = vec![0.5; target * target];
        let mut begin_before = begin.clone();
        for _ in 0..rolls {
            // With one roll fewer left, these are the values after the die.
            std::mem::swap(&mut now, &mut before);
            std::mem::swap(&mut begin, &mut begin_before);
            let die =
                |faces: &[f64], one: f64| (faces[0] + faces[1] + faces[2] + faces[3] + faces[4] + 1.0 - one) / 6.0;
            for (own, other) in pairs(target) {
                let row = &before[(own * target + other) * width..];
                begin[own * target + other] = die(&row[2..7], begin_before[other * target + own]);
            }
            for (own, other) in pairs(target) {
                let row = &mut now[(own * target + other) * width..][..target - own];
                let after = &before[(own * target + other) * width..][..width];
                let one = begin_before[other * target + own];
                let held = &begin[other * target + own..];
                for ((value, faces), held) in row.iter_mut().zip(after[2..].windows(5)).zip(held) {
                    *value = die(faces, one).max(1.0 - held);
                }
                row[0] = begin[own * target + other];
            }
        }
        begin[0]
    }

    fn pairs(target: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..target).flat_map(move |own| (0..target).map(move |other| (own, other)))
    }

    /// The first player's value by full enumeration, using the rules themselves.
    fn exact(game: &Pig, state: &State, known: &mut HashMap<State, f64>) -> f64 {
        if let Some(&value) = known.get(state) {
            return value;
        }
        let after = |action: Action, known: &mut HashMap<State, f64>| {
            let mut next = state.clone();
            game.apply(&mut next, &[action]);
            exact(game, &next, known)
        };
        let value = match game.turn(state) {
            Turn::Over => game.payoff(state, Player(0)),
            Turn::Chance => (1..=6).map(|face| after(Action::Face(face), known)).sum::<f64>() / 6.0,
            Turn::Player(player) => {
                let actions = legal_actions(game, state, Actor::Player(player));
                let values = actions.into_iter().map(|action| after(action, known));
                if player == Player(0) { values.fold(0.0, f64::max) } else { values.fold(1.0, f64::min) }
            }
            Turn::Simultaneous(players) => unreachable!("{players:?} at once"),
        };
        known.insert(state.clone(), value);
        value
    }

    #[test]
    fn values_by_rolls_equal_the_values_of_the_rules() {
        for target in [2, 7, 12] {
            let game = open(&format!("pig({target})"));
            let by_rolls = value(target, usize::from(game.most_rolls));
            let by_rules = exact(&game, &game.start(), &mut HashMap::new());
            assert!((by_rolls - by_rules).abs() < 1e-12, "target {target}: {by_rolls} and {by_rules}");
        }
    }

    /// The published value of the game without a limit: ours is the same to nine digits.
    #[test]
    fn the_first_player_wins_0_530592725_of_matches_to_100() {
        let limit = usize::from(open("pig").most_rolls);
        assert_eq!(limit, 500);
        let value = value(100, limit);
        assert!((value - 0.530_592_725).abs() < 1e-9, "{value}");
    }

    /// Step by step: 1 choice, 6 faces; then 1 choice of the other player or 2 of the same; and so on.
    #[test]
    fn perft() {
        assert_eq!(perft_table(&open("pig"), 4), [1, 6, 11, 5 + 6 * 6]);
        // With target 3 a turn ends with 1, wins with 3 to 6, or continues after 2.
        assert_eq!(perft_table(&open("pig(3)"), 5), [1, 6, 1 + 2, 6 + 6 + 1, 3 + 1 + 6]);
    }

    /// Nobody ever keeps a point: the limit ends the match, and no match exceeds the declared number of steps.
    #[test]
    fn endless_play_is_a_draw() {
        let game = open("pig");
        for (turn, steps) in [(&[Action::Roll, Action::Face(1)][..], 1_000), (&LITTLE, 1_499)] {
            let mut state = game.start();
            let mut made = 0;
            for &action in turn.iter().cycle() {
                if game.turn(&state) == Turn::Over {
                    break;
                }
                // Too little to win, however long it lasts.
                state.scores = state.scores.map(|score| score % 50);
                game.apply(&mut state, &[action]);
                made += 1;
            }
            assert_eq!((made, state.rolls), (steps, 500));
            assert!(made <= game.spec().max_steps);
            assert_eq!((game.payoff(&state, Player(0)), game.payoff(&state, Player(1))), (0.5, 0.5));
        }
        assert_eq!(game.spec().max_steps, 1_499);
    }

    const LITTLE: [Action; 3] = [Action::Roll, Action::Face(2), Action::Hold];

    #[test]
    fn errors_say_what_was_expected() {
        let game = open("pig");
        for (text, expected) in [
            ("", "not a state of Pig"),
            ("third 4+0 5 after 3", "found `third`"),
            ("first 4 5 after 3", "such as `40+7`"),
            ("first 100+2 5 after 3", "from 0 to 99, found `100`"),
            ("first 4+1 5 after 3", "have 1 points"),
            ("first 4+2 5 after 501", "from 0 to 500"),
            ("first 98+2 5 after 4 rolls", "no roll"),
        ] {
            let error = game.parse_state(text).unwrap_err();
            assert!(error.to_string().contains(expected), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_state_or_an_error(
            text in ".{0,40}",
            like in "(first|second) [0-9]{1,5}\\+[0-9]{1,5} [0-9]{1,3} after [0-9]{1,3}( rolls)?",
        ) {
            let game = open("pig(10)");
            let _ = game.parse_state(&text);
            if let Ok(state) = game.parse_state(&like) {
                prop_assert_eq!(game.parse_state(&game.state_text(&state)).unwrap(), state);
            }
        }
    }
}
