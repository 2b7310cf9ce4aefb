//! Kayles: knock down one pin, or two that stand side by side; whoever takes the last pin wins.

use tesuji_core::{Actor, Arguments, Drawing, Entry, Features, Game, InputError, Knowledge, Notation};
use tesuji_core::{Parameter, Player, Spec, Turn};

/// The catalogue's line for Kayles.
pub const ENTRY: Entry<Kayles> = Entry {
    name: "kayles",
    title: "Kayles",
    summary: "Knock down one pin or two neighbours; whoever takes the last one wins",
    parameters: &[Parameter::new("pins", "9", "pins at the start, 1 to 20")],
    examples: &["kayles", "kayles(1)", "kayles(12)"],
    open: |arguments: &Arguments| {
        let pins = arguments.integer("pins", 1..=20)? as u8;
        let spec = Spec::new(arguments.canonical(), &["first", "second"], Features::empty(), pins.into());
        Ok(Kayles { spec, pins })
    },
};

/// The rules of Kayles.
pub struct Kayles {
    spec: Spec,
    pins: u8,
}

impl Game for Kayles {
    /// The pins that stand, a bit each, and who acts or, at the end, who would.
    type State = (u32, u8);
    /// The first pin that falls, and how many fall.
    type Action = (u8, u8);

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> (u32, u8) {
        ((1 << self.pins) - 1, 0)
    }

    fn turn(&self, &(standing, mover): &(u32, u8)) -> Turn {
        if standing == 0 { Turn::Over } else { Turn::Player(Player(mover)) }
    }

    fn legal(&self, &(standing, _): &(u32, u8), _: Player, out: &mut Vec<(u8, u8)>) {
        let falls = |(pin, count): (u8, u8)| standing >> pin & ((1 << count) - 1) == (1 << count) - 1;
        out.extend((0..self.pins).flat_map(|pin| [(pin, 1), (pin, 2)]).filter(|&fall| falls(fall)));
    }

    fn apply(&self, state: &mut (u32, u8), joint: &[(u8, u8)]) {
        let (pin, count) = joint[0];
        *state = (state.0 & !(((1 << count) - 1) << pin), 1 - state.1);
    }

    fn payoff(&self, &(_, mover): &(u32, u8), player: Player) -> f64 {
        if player.0 == mover { 0.0 } else { 1.0 }
    }
}

impl Notation for Kayles {
    const READS_STATES: bool = true;

    fn action_text(&self, _: &(u32, u8), _: Actor, (pin, count): (u8, u8)) -> String {
        if count == 1 { format!("{}", pin + 1) } else { format!("{}-{}", pin + 1, pin + 2) }
    }

    fn state_text(&self, &(standing, mover): &(u32, u8)) -> String {
        let pins = (0..self.pins).map(|pin| if standing >> pin & 1 == 1 { '!' } else { '.' });
        format!("{} {mover}", pins.collect::<String>())
    }

    fn parse_state(&self, text: &str) -> Result<(u32, u8), InputError> {
        let wrong = || InputError::new(format!("`{text}`: expected pins and who acts, such as `!!.! 0`"));
        let (pins, mover) = text.trim().split_once(' ').ok_or_else(wrong)?;
        let standing = pins.bytes().rev().fold(0u32, |all, pin| all << 1 | u32::from(pin == b'!'));
        let state = (standing, u8::from(mover == "1"));
        if self.state_text(&state) == text.trim() { Ok(state) } else { Err(wrong()) }
    }
}

impl Drawing for Kayles {}
impl Knowledge for Kayles {}
