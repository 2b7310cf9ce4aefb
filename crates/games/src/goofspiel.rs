//! Goofspiel, the game of pure strategy: both players bid for prizes at the same time.
//!
//! Each player holds the cards 1 to N, and N prizes worth 1 to N are turned up one after the other. For each prize both
//! play a card at once. The higher card wins the prize, equal cards discard it, and both cards are gone. The last round
//! leaves no choice, so it is played together with the one before. All information is open: a state is the hands, the
//! prizes to come, the prize at stake and the first player's lead.
//!
//! Prizes come in random order (chance turns them up) or in descending or ascending order. Payoffs are 1, 0 and −1 for
//! a win, a draw and a loss (`win-loss`), or the difference in points. These are the conventions of OpenSpiel's
//! `goofspiel`, except that OpenSpiel measures points relative to the mean of both players, so its differences are half
//! as large.

use tesuji_core::drawing::{DARK, INK, LIGHT, SEATS};
use tesuji_core::{
    ActionIndex, Actor, AreaId, Arguments, Capabilities, Drawing, Entry, Features, Fingerprint, Game, Heuristics,
    InputError, Knowledge, Notation, Observation, Parameter, Picture, Player, Players, Rng, SolverHints, Spec, Turn,
    ValueFeatures,
};

use crate::bits;

mod expectation;
mod numbers;
mod value_features;
#[cfg(test)]
mod tests;

/// The catalogue entry of Goofspiel.
pub const ENTRY: Entry<Goofspiel> = Entry {
    name: "goofspiel",
    title: "Goofspiel",
    summary: "Both bid a card for each prize at once; the higher card takes it",
    parameters: &[
        Parameter::new("cards", "13", "cards in each hand, and prizes: 2 to 24"),
        Parameter::new("prizes", "random", "the order of the prizes: random, descending or ascending"),
        Parameter::new("returns", "win-loss", "payoffs: win-loss (1, 0, -1) or points-difference"),
    ],
    examples: &[
        "goofspiel",
        "goofspiel(2)",
        "goofspiel(5,ascending,points-difference)",
        "goofspiel(4,descending)",
        "goofspiel(24)",
    ],
    open: |arguments: &Arguments| {
        let cards = arguments.integer("cards", 2..=MOST_CARDS)? as u8;
        let order = ORDERS[arguments.choice("prizes", &["random", "descending", "ascending"])?];
        let by_points = arguments.choice("returns", &["win-loss", "points-difference"])? == 1;
        Ok(Goofspiel::new(arguments.canonical(), cards, order, by_points))
    },
};

/// The limit on cards: they are bits of a 32-bit word, and the sum of 24 prizes is 300.
const MOST_CARDS: u64 = 24;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Random,
    Descending,
    Ascending,
}

const ORDERS: [Order; 3] = [Order::Random, Order::Descending, Order::Ascending];

/// The rules of Goofspiel.
#[derive(Debug)]
pub struct Goofspiel {
    spec: Spec,
    cards: u8,
    order: Order,
    by_points: bool,
}

/// Cards as bits: card `n` is bit `n - 1`.
type Cards = u32;

/// A position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    hands: [Cards; 2],
    /// The prizes not yet turned up.
    prizes: Cards,
    /// The first player's points minus the second's.
    lead: i16,
    /// The prize at stake; 0 when chance must turn one up, and at the end.
    prize: u8,
}

impl Goofspiel {
    fn new(name: String, cards: u8, order: Order, by_points: bool) -> Goofspiel {
        let rounds = usize::from(cards) - 1;
        let random = order == Order::Random;
        let features = if random { Features::SIMULTANEOUS | Features::CHANCE } else { Features::SIMULTANEOUS };
        let mut spec = Spec::new(name, &["first", "second"], features, if random { 2 * rounds } else { rounds });
        // An upper bound: a player who wins every other round loses at least the prize of 1.
        let most = if by_points { f64::from(points(all_cards(cards))) } else { 1.0 };
        spec.payoffs = (-most, most);
        Goofspiel { spec, cards, order, by_points }
    }

    /// The prize that comes next in a fixed order.
    #[inline]
    fn next_prize(&self, prizes: Cards) -> u8 {
        match self.order {
            Order::Random => 0,
            Order::Descending => 32 - prizes.leading_zeros() as u8,
            Order::Ascending => prizes.trailing_zeros() as u8 + 1,
        }
    }

    /// A state between rounds, with the next prize turned up unless chance does it.
    #[inline]
    fn between(&self, hands: [Cards; 2], prizes: Cards, lead: i16) -> State {
        let prize = if prizes == 0 { 0 } else { self.next_prize(prizes) };
        State { hands, prizes: prizes & !bit(prize), lead, prize }
    }
}

/// The bit of a card; no bit for 0.
#[inline]
fn bit(card: u8) -> Cards {
    1 << card >> 1
}

#[inline]
fn all_cards(cards: u8) -> Cards {
    bit(cards + 1) - 1
}

/// The sum of some cards.
fn points(cards: Cards) -> u32 {
    bits::ones(u64::from(cards)).map(|place| place + 1).sum()
}

/// The gain of the first player's lead.
#[inline]
fn gain(prize: u8, first: u8, second: u8) -> i16 {
    (i16::from(first > second) - i16::from(first < second)) * i16::from(prize)
}

impl Game for Goofspiel {
    type State = State;
    type Action = u8;

    const CLASS: Features = Features::SIMULTANEOUS.union(Features::CHANCE);
    const ALWAYS: Features = Features::SIMULTANEOUS;
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        let all = all_cards(self.cards);
        self.between([all, all], all, 0)
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match (state.prize, state.hands[0]) {
            (_, 0) => Turn::Over,
            (0, _) => Turn::Chance,
            _ => Turn::Simultaneous(Players::BOTH),
        }
    }

    fn legal(&self, state: &State, player: Player, out: &mut Vec<u8>) {
        out.extend(bits::ones(u64::from(state.hands[player.index()])).map(|place| place as u8 + 1));
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[u8]) {
        let &[first, second] = joint else {
            state.prize = joint[0];
            state.prizes &= !bit(state.prize);
            return;
        };
        let lead = state.lead + gain(state.prize, first, second);
        let hands = [state.hands[0] & !bit(first), state.hands[1] & !bit(second)];
        let card = |set: Cards| set.trailing_zeros() as u8 + 1;
        *state = if hands[0].is_power_of_two() {
            let last = gain(card(state.prizes), card(hands[0]), card(hands[1]));
            State { hands: [0, 0], prizes: 0, lead: lead + last, prize: 0 }
        } else {
            self.between(hands, state.prizes, lead)
        };
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        let lead = if player == Player(0) { state.lead } else { -state.lead };
        f64::from(if self.by_points { lead } else { lead.signum() })
    }

    fn chance(&self, state: &State, out: &mut Vec<(u8, f64)>) {
        let probability = 1.0 / f64::from(state.prizes.count_ones());
        out.extend(bits::ones(u64::from(state.prizes)).map(|place| (place as u8 + 1, probability)));
    }

    #[inline]
    fn random_action(&self, state: &State, player: Player, rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
        bits::random_bit(u64::from(state.hands[player.index()]), rng) as u8 + 1
    }

    #[inline]
    fn random_outcome(&self, state: &State, rng: &mut Rng) -> u8 {
        bits::random_bit(u64::from(state.prizes), rng) as u8 + 1
    }
}

/// The cards of a set, lowest first, separated by commas; `-` for none.
fn cards_text(cards: Cards) -> String {
    let names: Vec<String> = bits::ones(u64::from(cards)).map(|place| (place + 1).to_string()).collect();
    if names.is_empty() { "-".to_owned() } else { names.join(",") }
}

impl Notation for Goofspiel {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(include_str!("../rules/goofspiel.md"))
    }

    fn action_text(&self, _state: &State, _actor: Actor, action: u8) -> String {
        action.to_string()
    }

    /// The text of a state, such as `first=1,2,4 second=1,3,4 prizes=1,2 prize=4 lead=-3`, with `-` for no card.
    fn state_text(&self, state: &State) -> String {
        format!(
            "first={} second={} prizes={} prize={} lead={}",
            cards_text(state.hands[0]),
            cards_text(state.hands[1]),
            cards_text(state.prizes),
            cards_text(bit(state.prize)),
            state.lead
        )
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let wrong = |message: String| {
            InputError::new(format!("`{}`: {message}", text.trim()))
                .with_help("expected a state such as `first=1,2,4 second=1,3,4 prizes=1,2 prize=4 lead=-3`")
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let keys = ["first", "second", "prizes", "prize", "lead"];
        let mut values = [""; 5];
        if words.len() != keys.len() {
            return Err(wrong(format!("{} parts, expected {}", words.len(), keys.len())));
        }
        for ((word, key), value) in words.into_iter().zip(keys).zip(&mut values) {
            let after = word.strip_prefix(key).and_then(|rest| rest.strip_prefix('='));
            *value = after.ok_or_else(|| wrong(format!("expected `{key}=` at `{word}`")))?;
        }
        let mut sets = [0; 4];
        for (set, value) in sets.iter_mut().zip(values) {
            *set = self.parse_cards(value).map_err(wrong)?;
        }
        let [first, second, prizes, prize] = sets;
        let lead: i16 = values[4].parse().map_err(|_| wrong(format!("`{}` is not a lead", values[4])))?;
        if first.count_ones() != second.count_ones() {
            return Err(wrong("the hands differ in size".to_owned()));
        }
        if first.count_ones() == 1 {
            return Err(wrong("the last round is played with the one before it".to_owned()));
        }
        if prize.count_ones() > 1 || prize & prizes != 0 || first.count_ones() != (prizes | prize).count_ones() {
            return Err(wrong(
                "there must be a prize for each card in a hand, at most one of them at stake".to_owned(),
            ));
        }
        let gone = points(all_cards(self.cards)) - points(prizes | prize);
        if u32::from(lead.unsigned_abs()) > gone {
            return Err(wrong(format!("a lead of {lead} when the prizes that are gone were worth {gone}")));
        }
        let state = State { hands: [first, second], prizes, lead, prize: (32 - prize.leading_zeros()) as u8 };
        let in_order = self.between(state.hands, prizes | prize, lead) == state;
        if first != 0 && self.order != Order::Random && !in_order {
            return Err(wrong("the prizes do not come in their order".to_owned()));
        }
        Ok(state)
    }

    fn board_text(&self, state: &State) -> String {
        format!(
            "first   {}\nsecond  {}\nprizes  {}\nat stake {}, lead of first {:+}\n",
            cards_text(state.hands[0]),
            cards_text(state.hands[1]),
            cards_text(state.prizes),
            cards_text(bit(state.prize)),
            state.lead
        )
    }
}

impl Goofspiel {
    fn parse_cards(&self, text: &str) -> Result<Cards, String> {
        if text == "-" {
            return Ok(0);
        }
        let mut cards = 0;
        for name in text.split(',') {
            let card: u8 = match name.parse() {
                Ok(card) if (1..=self.cards).contains(&card) => card,
                _ => return Err(format!("`{name}` is not a card from 1 to {}", self.cards)),
            };
            if cards & bit(card) != 0 {
                return Err(format!("the card {card} stands twice"));
            }
            cards |= bit(card);
        }
        Ok(cards)
    }
}

const CARD_WIDTH: f64 = 34.0;
const CARD_HEIGHT: f64 = 48.0;
const STEP: f64 = 40.0;
const MARGIN: f64 = 14.0;
const LABEL_WIDTH: f64 = 74.0;
/// The height of the picture's rows: second player's hand, prizes, first player's hand.
const ROW_HEIGHT: f64 = 66.0;
/// The height of the line that says who leads.
const FOOTER: f64 = 20.0;
/// Areas of the first hand are card numbers; those of prizes and of the second hand are offset.
const PRIZE_AREAS: AreaId = 100;
const SECOND_AREAS: AreaId = 200;

impl Drawing for Goofspiel {
    fn draw(&self, state: &State) -> Picture {
        let cards_width = f64::from(self.cards) * STEP;
        let mut picture = Picture::new(LABEL_WIDTH + cards_width + 2.0 * MARGIN, 3.0 * ROW_HEIGHT + MARGIN + FOOTER);
        let rows = [
            ("second", state.hands[1], SECOND_AREAS, SEATS[1]),
            ("prizes", state.prizes | bit(state.prize), PRIZE_AREAS, "#8a6d00"),
            ("first", state.hands[0], 0, SEATS[0]),
        ];
        for (index, (name, set, areas, colour)) in rows.into_iter().enumerate() {
            let y = MARGIN + index as f64 * ROW_HEIGHT;
            picture.text(MARGIN + LABEL_WIDTH / 2.0 - 8.0, y + CARD_HEIGHT / 2.0, 14.0, colour, name);
            for card in 1..=self.cards {
                let x = MARGIN + LABEL_WIDTH + f64::from(card - 1) * STEP;
                let here = set & bit(card) != 0;
                let at_stake = areas == PRIZE_AREAS && card == state.prize;
                let (fill, stroke, dashes) = match (here, at_stake) {
                    (_, true) => ("#ffe08a", colour, "none"),
                    (true, _) => ("#ffffff", colour, "none"),
                    _ => (LIGHT, DARK, "4 4"),
                };
                let width = if at_stake { 3.5 } else { 1.5 };
                let pen = format_args!(r#"stroke="{stroke}" stroke-width="{width}" stroke-dasharray="{dashes}""#);
                picture.raw(format_args!(
                    r#"<rect x="{x}" y="{y}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5" fill="{fill}" {pen}/>"#
                ));
                let ink = if here { INK } else { DARK };
                picture.text(x + CARD_WIDTH / 2.0, y + CARD_HEIGHT / 2.0, 17.0, ink, &card.to_string());
                let label = if areas == PRIZE_AREAS { format!("prize {card}") } else { format!("{name}'s {card}") };
                picture.area(areas + AreaId::from(card), label, x, y, CARD_WIDTH, CARD_HEIGHT);
            }
        }
        let lead = match state.lead {
            0 => "level".to_owned(),
            lead if lead > 0 => format!("first leads by {lead}"),
            lead => format!("second leads by {}", -lead),
        };
        let (middle, low) = (picture.width / 2.0, picture.height - FOOTER);
        picture.text(middle, low, 14.0, INK, &lead);
        picture
    }

    fn clicks(&self, _state: &State, actor: Actor, action: u8) -> Vec<AreaId> {
        let row = match actor {
            Actor::Player(Player(0)) => 0,
            Actor::Player(_) => SECOND_AREAS,
            Actor::Chance => PRIZE_AREAS,
        };
        vec![row + AreaId::from(action)]
    }
}

impl Knowledge for Goofspiel {
    const OFFERS: Capabilities = Capabilities::HEURISTICS
        .union(Capabilities::SOLVER_HINTS)
        .union(Capabilities::VALUE_FEATURES)
        .union(Capabilities::NUMBERS);

    fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
        Some(&expectation::Offered)
    }

    fn solver_hints(&self) -> Option<&'static dyn SolverHints<Self>> {
        Some(&Hints)
    }

    fn value_features(&self) -> Option<&'static dyn ValueFeatures<Self>> {
        Some(&value_features::GoofspielFeatures)
    }

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&numbers::Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&numbers::Numbers)
    }
}

struct Hints;

impl SolverHints<Goofspiel> for Hints {
    /// Exchanging the players exchanges the hands and the sign of the lead. Everything fits 128 bits, so no two
    /// positions share a key.
    fn fingerprint(&self, game: &Goofspiel, state: &State) -> Fingerprint {
        let key = |one: Cards, two: Cards, lead: i16| {
            let words = [one, two, state.prizes].iter().fold(0, |key: u128, &cards| key << 24 | u128::from(cards));
            let rules = game.order as u128 * 2 + u128::from(game.by_points);
            ((words << 12 | (lead + 1024) as u128) << 8 | u128::from(state.prize)) << 3 | rules
        };
        let [one, two] = state.hands;
        let (here, there) = (key(one, two, state.lead), key(two, one, -state.lead));
        Fingerprint { key: here.min(there), exchanged: there < here, even: here == there }
    }
}
