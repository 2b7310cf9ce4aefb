//! Oshi-Zumo ("the pushing sumo"): two players with equal purses push a wrestler off a track by simultaneous bids.
//!
//! The wrestler stands in the middle of 2K + 1 places. Each round both players bid coins at the same time and pay them;
//! the higher bid pushes the wrestler one place towards the other side. The player who pushes him off the track wins.
//! When both purses are empty, the player in whose half he stands has lost; the middle is a draw. A player who has less
//! than the minimum bid bids everything. Rules and defaults are those of M. Buro ("Solving the Oshi-Zumo game", 2003)
//! and of OpenSpiel's `oshi_zumo` without its option *alesia*: payoffs 1, 0 and −1.
//!
//! If the minimum bid is 0, both players could wait forever. So a match ends after `horizon` rounds as if the purses
//! were empty, and the round is part of the state. If bids must shrink the purses fast enough, the round is not stored,
//! so that equal positions compare equal.

use tesuji_core::drawing::{DARK, FONT, GRID, INK, LIGHT, SEATS};
use tesuji_core::{
    ActionIndex, Actor, AreaId, Arguments, Capabilities, Drawing, Entry, Features, Fingerprint, Game, InputError,
    Knowledge, Notation, Observation, Parameter, Picture, Player, Players, Rng, SolverHints, Spec, Turn, ValueFeatures,
};

mod numbers;
mod value_features;
#[cfg(test)]
mod tests;

/// The catalogue entry of Oshi-Zumo.
pub const ENTRY: Entry<OshiZumo> = Entry {
    name: "oshi-zumo",
    title: "Oshi-Zumo",
    summary: "Blind bids from equal purses push a wrestler off the track",
    parameters: &[
        Parameter::new("coins", "50", "coins in each purse: 1 to 200"),
        Parameter::new("size", "3", "places on each side of the middle: 0 to 30"),
        Parameter::new("minimum", "0", "the least bid; who has less bids it all"),
        Parameter::new("horizon", "1000", "rounds after which the match ends: 1 to 10000"),
    ],
    examples: &["oshi-zumo", "oshi-zumo(6,1,1)", "oshi-zumo(1,0)", "oshi-zumo(20,2,3)", "oshi-zumo(200,30,0,50)"],
    open: |arguments: &Arguments| {
        let coins = arguments.integer("coins", 1..=200)?;
        let minimum = arguments.integer("minimum", 0..=coins)? as u8;
        let size = arguments.integer("size", 0..=30)? as i8;
        let horizon = arguments.integer("horizon", 1..=10_000)? as u16;
        Ok(OshiZumo::new(arguments.canonical(), coins as u8, size, minimum, horizon))
    },
};

/// The rules of Oshi-Zumo.
#[derive(Debug)]
pub struct OshiZumo {
    spec: Spec,
    coins: u8,
    size: i8,
    minimum: u8,
    horizon: u16,
    /// Whether the round is part of the state.
    counts_rounds: bool,
}

/// A position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    coins: [u8; 2],
    /// The wrestler's place: 0 is the middle, and the first player pushes upwards.
    place: i8,
    over: bool,
    /// Rounds played, if they are part of the state; otherwise 0.
    round: u16,
}

impl OshiZumo {
    fn new(name: String, coins: u8, size: i8, minimum: u8, horizon: u16) -> OshiZumo {
        // Every round takes at least the minimum bid from one purse; in the last round both may have less.
        let longest = if minimum == 0 { usize::MAX } else { 2 * usize::from(coins) / usize::from(minimum) + 1 };
        let max_steps = longest.min(usize::from(horizon));
        let mut spec = Spec::new(name, &["first", "second"], Features::SIMULTANEOUS, max_steps);
        spec.payoffs = (-1.0, 1.0);
        OshiZumo { spec, coins, size, minimum, horizon, counts_rounds: longest > usize::from(horizon) }
    }

    #[inline]
    fn state(&self, coins: [u8; 2], place: i8, round: u16) -> State {
        let off = place.unsigned_abs() > self.size as u8;
        let over = off || coins == [0, 0] || round >= self.horizon;
        State { coins, place, over, round }
    }
}

impl Game for OshiZumo {
    type State = State;
    type Action = u8;

    const CLASS: Features = Features::SIMULTANEOUS;
    const ALWAYS: Features = Features::SIMULTANEOUS;
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        self.state([self.coins; 2], 0, 0)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.over { Turn::Over } else { Turn::Simultaneous(Players::BOTH) }
    }

    fn legal(&self, state: &State, player: Player, out: &mut Vec<u8>) {
        let coins = state.coins[player.index()];
        out.extend(self.minimum.min(coins)..=coins);
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[u8]) {
        let [first, second] = [joint[0], joint[1]];
        let push = i8::from(first > second) - i8::from(first < second);
        let coins = [state.coins[0] - first, state.coins[1] - second];
        *state = self.state(coins, state.place + push, state.round + u16::from(self.counts_rounds));
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        let ahead = if player == Player(0) { state.place } else { -state.place };
        f64::from(ahead.signum())
    }

    #[inline]
    fn random_action(&self, state: &State, player: Player, rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
        let coins = state.coins[player.index()];
        let least = self.minimum.min(coins);
        least + rng.below(usize::from(coins - least) + 1) as u8
    }
}

impl Notation for OshiZumo {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(include_str!("../rules/oshi-zumo.md"))
    }

    fn action_text(&self, _state: &State, _actor: Actor, action: u8) -> String {
        action.to_string()
    }

    /// The text of a state, such as `coins=50,48 place=-1 round=3`; the round only if it is part of the state.
    fn state_text(&self, state: &State) -> String {
        let [first, second] = state.coins;
        let round = if self.counts_rounds { format!(" round={}", state.round) } else { String::new() };
        format!("coins={first},{second} place={}{round}", state.place)
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let shape = if self.counts_rounds { "`coins=50,48 place=-1 round=3`" } else { "`coins=50,48 place=-1`" };
        let wrong = |message: String| {
            InputError::new(format!("`{}`: {message}", text.trim()))
                .with_help(format!("expected a state such as {shape}"))
        };
        let mut words = text.split_whitespace();
        let mut value = |key: &str| {
            let word = words.next().unwrap_or("");
            let after = word.strip_prefix(key).and_then(|rest| rest.strip_prefix('='));
            after.ok_or_else(|| wrong(format!("expected `{key}=` at `{word}`")))
        };
        let purses = value("coins")?;
        let place_text = value("place")?;
        let round_text = if self.counts_rounds { value("round")? } else { "0" };
        if let Some(word) = words.next() {
            return Err(wrong(format!("unexpected `{word}` at the end")));
        }
        let purse = |text: &str| match text.parse() {
            Ok(coins) if coins <= self.coins => Ok(coins),
            _ => Err(wrong(format!("`{text}` is not a number of coins from 0 to {}", self.coins))),
        };
        let (first, second) =
            purses.split_once(',').ok_or_else(|| wrong("two purses separated by a comma".to_owned()))?;
        let coins = [purse(first)?, purse(second)?];
        let edge = self.size + 1;
        let place = place_text.parse().ok().filter(|place| (-edge..=edge).contains(place));
        let place = place.ok_or_else(|| wrong(format!("`{place_text}` is not a place from {} to {edge}", -edge)))?;
        let round = round_text.parse().ok().filter(|round| *round <= self.horizon);
        let round = round.ok_or_else(|| wrong(format!("`{round_text}` is not a round from 0 to {}", self.horizon)))?;
        Ok(self.state(coins, place, round))
    }

    fn board_text(&self, state: &State) -> String {
        let edge = self.size + 1;
        let symbol = |place: i8| match () {
            () if place == state.place => 'W',
            () if place.abs() == edge => '|',
            () if place == 0 => ':',
            () => '.',
        };
        let track: String = (-edge..=edge).map(symbol).collect();
        format!("first {} {track} {} second\n", state.coins[0], state.coins[1])
    }
}

const PLACE: f64 = 40.0;
const MARGIN: f64 = 16.0;
/// The size of a bid's disc with its margin.
const BID: f64 = 30.0;
/// The number of discs in a row.
const BIDS_IN_A_ROW: usize = 17;
/// The width of the line with purse and round.
const CAPTIONS: f64 = 270.0;
const COIN: &str = "#ecc54a";
const COIN_EDGE: &str = "#8a6d00";
/// The first player's bids are areas 0 to 200; the second's are offset.
const SECOND_AREAS: AreaId = 1000;

impl OshiZumo {
    /// Draws the bids of one player: a disc for each number of coins, gold if the player may bid it.
    fn draw_bids(&self, picture: &mut Picture, state: &State, player: usize, top: f64) {
        let (name, areas) = [("first", 0), ("second", SECOND_AREAS)][player];
        let coins = state.coins[player];
        for bid in 0..=self.coins {
            let (row, column) = (usize::from(bid) / BIDS_IN_A_ROW, usize::from(bid) % BIDS_IN_A_ROW);
            let (x, y) = (MARGIN + column as f64 * BID, top + 22.0 + row as f64 * BID);
            let open = (self.minimum.min(coins)..=coins).contains(&bid);
            let (fill, edge, ink) = if open { (COIN, COIN_EDGE, INK) } else { (LIGHT, DARK, GRID) };
            picture.circle(x + BID / 2.0, y + BID / 2.0, BID * 0.43, fill, edge);
            picture.text(x + BID / 2.0, y + BID / 2.0, 11.0, ink, &bid.to_string());
            picture.area(areas + AreaId::from(bid), format!("{name} bids {bid}"), x, y, BID, BID);
        }
        let caption = format!("{name}: {coins} {}", if coins == 1 { "coin" } else { "coins" });
        let (left, colour) = (MARGIN + 2.0, SEATS[player]);
        let font = format_args!(r#"dominant-baseline="central" font-family="{FONT}""#);
        picture.raw(format_args!(
            r#"<text x="{left}" y="{}" font-size="14" fill="{colour}" {font}>{caption}</text>"#,
            top + 9.0
        ));
    }
}

impl Drawing for OshiZumo {
    fn draw(&self, state: &State) -> Picture {
        let places = 2.0 * f64::from(self.size) + 3.0;
        let columns = BIDS_IN_A_ROW.min(usize::from(self.coins) + 1) as f64;
        let rows = (usize::from(self.coins) / BIDS_IN_A_ROW + 1) as f64;
        let width = (places * PLACE).max(columns * BID).max(CAPTIONS) + 2.0 * MARGIN;
        let purse = rows * BID + 22.0;
        let track = purse + 2.0 * MARGIN;
        let mut picture = Picture::new(width, track + PLACE + 2.0 * MARGIN + purse);
        self.draw_bids(&mut picture, state, 1, MARGIN);
        self.draw_bids(&mut picture, state, 0, track + PLACE + MARGIN);
        let left = (width - places * PLACE) / 2.0;
        let edge = self.size + 1;
        for place in -edge..=edge {
            let x = left + f64::from(place + edge) * PLACE;
            // The losers' ends lie off the track: the first player's on the left.
            let fill = match place {
                place if place == -edge => SEATS[0],
                place if place == edge => SEATS[1],
                0 => DARK,
                _ => LIGHT,
            };
            let faint = if place.abs() == edge { 0.35 } else { 1.0 };
            let style = format_args!(r#"fill="{fill}" fill-opacity="{faint}" stroke="{GRID}""#);
            picture.raw(format_args!(r#"<rect x="{x}" y="{track}" width="{PLACE}" height="{PLACE}" {style}/>"#));
        }
        let (x, y) = (left + (f64::from(state.place + edge) + 0.5) * PLACE, track + PLACE / 2.0);
        picture.circle(x, y, PLACE * 0.36, "#f3d3b3", INK);
        picture.circle(x, y - PLACE * 0.27, PLACE * 0.1, INK, INK);
        for side in [-1.0, 1.0] {
            picture.circle(x + side * PLACE * 0.13, y - PLACE * 0.03, 1.2, INK, INK);
        }
        picture.line(x - 4.0, y + PLACE * 0.15, x + 4.0, y + PLACE * 0.15, INK, 2.0);
        if self.counts_rounds {
            let text = format!("round {} of {}", state.round, self.horizon);
            picture.text(width - MARGIN - 60.0, MARGIN + 9.0, 12.0, INK, &text);
        }
        picture
    }

    fn clicks(&self, _state: &State, actor: Actor, action: u8) -> Vec<AreaId> {
        let areas = if actor == Actor::Player(Player(0)) { 0 } else { SECOND_AREAS };
        vec![areas + AreaId::from(action)]
    }
}

impl Knowledge for OshiZumo {
    const OFFERS: Capabilities =
        Capabilities::SOLVER_HINTS.union(Capabilities::VALUE_FEATURES).union(Capabilities::NUMBERS);

    fn solver_hints(&self) -> Option<&'static dyn SolverHints<Self>> {
        Some(&Hints)
    }

    fn value_features(&self) -> Option<&'static dyn ValueFeatures<Self>> {
        Some(&value_features::OshiZumoFeatures)
    }

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&numbers::Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&numbers::Numbers)
    }
}

struct Hints;

impl SolverHints<OshiZumo> for Hints {
    /// Exchanging the players exchanges purses and directions. Everything fits 128 bits, so no two positions share a
    /// key.
    fn fingerprint(&self, game: &OshiZumo, state: &State) -> Fingerprint {
        let rules = u128::from(game.size as u8) << 24 | u128::from(game.minimum) << 16;
        let clock = if game.counts_rounds { u128::from(game.horizon - state.round) } else { 1 << 16 };
        let key = |one: u8, two: u8, place: i8| {
            (rules | u128::from(one) << 8 | u128::from(two)) << 32 | u128::from(place as u8) << 20 | clock
        };
        let [one, two] = state.coins;
        let (here, there) = (key(one, two, state.place), key(two, one, -state.place));
        Fingerprint { key: here.min(there), exchanged: there < here, even: here == there }
    }
}
