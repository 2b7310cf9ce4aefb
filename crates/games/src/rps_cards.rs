//! Rock, paper, scissors with cards that are used up.
//!
//! Section 6.6.2 of the paper on UCB search with mixed strategies mentions a card game based on *janken* whose
//! equilibria are not uniform (1/3 and 2/3, for example), but does not give its rules. These are rules of our own with
//! that property:
//!
//! Each player has an open hand of rock, paper and scissors cards, of equal size. Each round both reveal a card at the
//! same time, and both cards are discarded. Rock beats scissors, scissors beat paper, paper beats rock. The winner of
//! the round scores the value of the *winning* card (1 by default); equal cards score nothing. When the hands are
//! empty, more points win (payoff 1) and equal points draw (1/2 each).
//!
//! Hands shape the equilibrium: in `rps-cards(rrs,pps)` the first player must show a rock with probability 2/3 and the
//! second a paper with probability 2/3; the first player then gets 2/3 on average.
//!
//! A hand is written in letters: `rrps` is two rocks, a paper and a pair of scissors.

use tesuji_core::drawing::{DARK, INK, LIGHT, SEATS};
use tesuji_core::{
    ActionIndex, Actor, AreaId, Arguments, Capabilities, Drawing, Entry, Features, Game, InputError, Knowledge,
    Notation, Observation, Parameter, Picture, Player, Players, Rng, Spec, Turn,
};

mod numbers;
#[cfg(test)]
mod tests;

/// The catalogue entry of the card game.
pub const ENTRY: Entry<RpsCards> = Entry {
    name: "rps-cards",
    title: "Rock-Paper-Scissors with cards",
    summary: "Rock, paper, scissors with open hands of cards that are spent; most rounds won wins",
    parameters: &[
        Parameter::new("first", "rrrppss", "the first player's hand, letters r, p and s"),
        Parameter::new("second", "rrpppss", "the second player's hand, as many cards"),
        Parameter::new("rock", "1", "points for a round won with rock: 0 to 9"),
        Parameter::new("paper", "1", "points for a round won with paper: 0 to 9"),
        Parameter::new("scissors", "1", "points for a round won with scissors: 0 to 9"),
    ],
    examples: &["rps-cards", "rps-cards(r,p)", "rps-cards(rps,rps)", "rps-cards(rrps,rpps,1,2,3)"],
    open: |arguments: &Arguments| {
        let hand = |parameter| {
            let hand = parse_hand(arguments.text(parameter)).map_err(|reason| arguments.wrong(parameter, reason))?;
            match size(hand) {
                1..=MOST_CARDS => Ok(hand),
                _ => Err(arguments.wrong(parameter, format!("1 to {MOST_CARDS} cards"))),
            }
        };
        let hands = [hand("first")?, hand("second")?];
        if size(hands[0]) != size(hands[1]) {
            return Err(arguments.wrong("second", format!("{} cards, as many as the first hand", size(hands[0]))));
        }
        let mut worth = [0; KINDS];
        for (worth, name) in worth.iter_mut().zip(NAMES) {
            *worth = arguments.integer(name, 0..=9)? as i16;
        }
        Ok(RpsCards::new(arguments.canonical(), hands, worth))
    },
};

const KINDS: usize = 3;
/// The names of the kinds. Each kind beats the one before it, cyclically.
const NAMES: [&str; KINDS] = ["rock", "paper", "scissors"];
const LETTERS: [char; KINDS] = ['r', 'p', 's'];
/// The longest hand that is still easy to draw.
const MOST_CARDS: u8 = 24;

/// The number of cards of each kind.
type Hand = [u8; KINDS];

fn size(hand: Hand) -> u8 {
    hand.iter().fold(0, |sum: u8, &count| sum.saturating_add(count))
}

/// The rules of the card game.
#[derive(Debug)]
pub struct RpsCards {
    spec: Spec,
    hands: [Hand; 2],
    /// The gain of the first player's lead, by the cards of the first and the second player.
    gains: [[i16; KINDS]; KINDS],
}

/// A position: the hands, and the first player's points minus the second's.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    hands: [Hand; 2],
    lead: i16,
}

impl RpsCards {
    fn new(name: String, hands: [Hand; 2], worth: [i16; KINDS]) -> RpsCards {
        let gain = |first: usize, second: usize| match (KINDS + first - second) % KINDS {
            0 => 0,
            1 => worth[first],
            _ => -worth[second],
        };
        let gains = [0, 1, 2].map(|first| [0, 1, 2].map(|second| gain(first, second)));
        let spec = Spec::new(name, &["first", "second"], Features::SIMULTANEOUS, usize::from(size(hands[0])));
        RpsCards { spec, hands, gains }
    }
}

impl Game for RpsCards {
    type State = State;
    /// The kind of a card: 0 rock, 1 paper, 2 scissors.
    type Action = u8;

    const CLASS: Features = Features::SIMULTANEOUS;
    const ALWAYS: Features = Features::SIMULTANEOUS;
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        State { hands: self.hands, lead: 0 }
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        if state.hands[0] == [0; KINDS] { Turn::Over } else { Turn::Simultaneous(Players::BOTH) }
    }

    fn legal(&self, state: &State, player: Player, out: &mut Vec<u8>) {
        let hand = state.hands[player.index()];
        out.extend((0..KINDS as u8).filter(|&kind| hand[usize::from(kind)] > 0));
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[u8]) {
        let [first, second] = [joint[0], joint[1]].map(usize::from);
        state.hands[0][first] -= 1;
        state.hands[1][second] -= 1;
        state.lead += self.gains[first][second];
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        let ahead = if player == Player(0) { state.lead } else { -state.lead };
        0.5 + 0.5 * f64::from(ahead.signum())
    }

    #[inline]
    fn random_action(&self, state: &State, player: Player, rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
        let has = state.hands[player.index()].map(|count| usize::from(count > 0));
        let rank = rng.below(has[0] + has[1] + has[2]);
        // The kind with `rank` held kinds before it.
        match () {
            () if rank < has[0] => 0,
            () if rank < has[0] + has[1] => 1,
            () => 2,
        }
    }
}

fn hand_text(hand: Hand) -> String {
    let cards = LETTERS.iter().zip(hand).flat_map(|(&letter, count)| std::iter::repeat_n(letter, usize::from(count)));
    let text: String = cards.collect();
    if text.is_empty() { "-".to_owned() } else { text }
}

fn parse_hand(text: &str) -> Result<Hand, String> {
    let mut hand: Hand = [0; KINDS];
    if text == "-" {
        return Ok(hand);
    }
    for letter in text.chars() {
        let Some(kind) = LETTERS.iter().position(|&known| known == letter) else {
            return Err(format!("the letters r, p and s, not `{letter}`"));
        };
        hand[kind] = hand[kind].saturating_add(1);
    }
    Ok(hand)
}

impl Notation for RpsCards {
    const READS_STATES: bool = true;

    fn rules_in_words(&self) -> Option<&'static str> {
        Some(include_str!("../rules/rps-cards.md"))
    }

    fn action_text(&self, _state: &State, _actor: Actor, action: u8) -> String {
        NAMES[usize::from(action)].to_owned()
    }

    /// Also accepts the first letter of a kind.
    fn parse_action(&self, state: &State, actor: Actor, text: &str) -> Result<u8, InputError> {
        let text = text.trim();
        let legal = tesuji_core::legal_actions(self, state, actor);
        let means = |kind: usize| text == NAMES[kind] || text.chars().eq([LETTERS[kind]]);
        legal.iter().copied().find(|&kind| means(usize::from(kind))).ok_or_else(|| {
            let names: Vec<&str> = legal.iter().map(|&kind| NAMES[usize::from(kind)]).collect();
            InputError::new(format!("`{text}` is not a card in the hand"))
                .with_help(format!("legal: {}", names.join(", ")))
        })
    }

    /// The text of a state, such as `first=rrp second=rps lead=-1`, with `-` for an empty hand.
    fn state_text(&self, state: &State) -> String {
        format!("first={} second={} lead={}", hand_text(state.hands[0]), hand_text(state.hands[1]), state.lead)
    }

    fn parse_state(&self, text: &str) -> Result<State, InputError> {
        let wrong = |message: String| {
            InputError::new(format!("`{}`: {message}", text.trim()))
                .with_help("expected a state such as `first=rrp second=rps lead=-1`")
        };
        let mut words = text.split_whitespace();
        let mut value = |key: &str| {
            let word = words.next().unwrap_or("");
            let after = word.strip_prefix(key).and_then(|rest| rest.strip_prefix('='));
            after.ok_or_else(|| wrong(format!("expected `{key}=` at `{word}`")))
        };
        let mut hands = [[0; KINDS]; 2];
        for (index, name) in ["first", "second"].into_iter().enumerate() {
            let hand = parse_hand(value(name)?).map_err(|reason| wrong(format!("expected {reason}")))?;
            if hand.iter().zip(self.hands[index]).any(|(&now, start)| now > start) {
                return Err(wrong(format!("more cards than {name} began with")));
            }
            hands[index] = hand;
        }
        let lead_text = value("lead")?;
        if let Some(word) = words.next() {
            return Err(wrong(format!("unexpected `{word}` at the end")));
        }
        if size(hands[0]) != size(hands[1]) {
            return Err(wrong("the hands differ in size".to_owned()));
        }
        let rounds = i16::from(size(self.hands[0]) - size(hands[0]));
        let most = rounds * self.gains.iter().flatten().copied().max().unwrap_or(0);
        let lead = lead_text.parse().ok().filter(|lead| (-most..=most).contains(lead));
        let lead = lead.ok_or_else(|| wrong(format!("`{lead_text}` is not a lead from {} to {most}", -most)))?;
        Ok(State { hands, lead })
    }

    fn board_text(&self, state: &State) -> String {
        let [first, second] = state.hands.map(hand_text);
        format!("first  {first}\nsecond {second}\nlead of first {:+}\n", state.lead)
    }
}

const CARD_WIDTH: f64 = 46.0;
const CARD_HEIGHT: f64 = 62.0;
/// The offset of a card from the one below it.
const OVERLAP: f64 = 14.0;
const MARGIN: f64 = 16.0;
/// The areas of the first hand are the kinds; the second's are offset.
const SECOND_AREAS: AreaId = 10;

impl Drawing for RpsCards {
    fn draw(&self, state: &State) -> Picture {
        let deepest = self.hands.iter().flatten().copied().max().unwrap_or(1).max(1);
        let pile = CARD_WIDTH + f64::from(deepest - 1) * OVERLAP;
        let step = pile + 18.0;
        let (caption, between) = (24.0, 30.0);
        let row_height = caption + CARD_HEIGHT + between;
        let width = (KINDS as f64 * step - 18.0).max(200.0) + 2.0 * MARGIN;
        let mut picture = Picture::new(width, 2.0 * row_height - between + 2.0 * MARGIN);
        for (row, player) in [1, 0].into_iter().enumerate() {
            let name = self.spec.player_name(Player(player as u8)).to_owned();
            let top = MARGIN + row as f64 * row_height;
            picture.text(MARGIN + CARD_WIDTH / 2.0, top + 8.0, 14.0, SEATS[player], &name);
            for (kind, kind_name) in NAMES.into_iter().enumerate() {
                let (x, y) = (MARGIN + kind as f64 * step, top + caption);
                let count = state.hands[player][kind];
                for card in 0..count.max(1) {
                    let x = x + f64::from(card) * OVERLAP;
                    let (fill, edge, dashes) =
                        if count > 0 { ("#ffffff", SEATS[player], "none") } else { (LIGHT, DARK, "4 4") };
                    let pen = format_args!(r#"stroke="{edge}" stroke-width="1.5" stroke-dasharray="{dashes}""#);
                    let size = format_args!(r#"width="{CARD_WIDTH}" height="{CARD_HEIGHT}""#);
                    picture.raw(format_args!(r#"<rect x="{x}" y="{y}" {size} rx="6" fill="{fill}" {pen}/>"#));
                }
                let face_x = x + f64::from(count.max(1) - 1) * OVERLAP + CARD_WIDTH / 2.0;
                let ink = if count > 0 { INK } else { DARK };
                draw_face(&mut picture, kind, face_x, y + CARD_HEIGHT / 2.0, ink);
                let area = if player == 0 { 0 } else { SECOND_AREAS } + kind as AreaId;
                picture.area(area, format!("{name}'s {kind_name}"), x, y, pile, CARD_HEIGHT);
            }
        }
        let lead = match state.lead {
            0 => "level".to_owned(),
            lead if lead > 0 => format!("first leads by {lead}"),
            lead => format!("second leads by {}", -lead),
        };
        let (middle, gap) = (width / 2.0, MARGIN + row_height - between / 2.0 + 3.0);
        picture.text(middle, gap, 14.0, INK, &lead);
        picture
    }

    fn clicks(&self, _state: &State, actor: Actor, action: u8) -> Vec<AreaId> {
        let areas = if actor == Actor::Player(Player(0)) { 0 } else { SECOND_AREAS };
        vec![areas + AreaId::from(action)]
    }
}

/// Draws a stone, a sheet with lines, or open blades.
fn draw_face(picture: &mut Picture, kind: usize, x: f64, y: f64, ink: &str) {
    let pen = r#"stroke-width="2.5" stroke-linejoin="round""#;
    match NAMES[kind] {
        "rock" => picture.raw(format_args!(
            r#"<path d="M{} {} l5 -11 l12 -4 l10 7 l2 10 l-7 8 l-15 1 z" fill="none" stroke="{ink}" {pen}/>"#,
            x - 15.0,
            y + 4.0
        )),
        "paper" => {
            picture.raw(format_args!(
                r#"<rect x="{}" y="{}" width="22" height="28" fill="none" stroke="{ink}" {pen}/>"#,
                x - 11.0,
                y - 14.0
            ));
            for line in [-6.0, 0.0, 6.0] {
                picture.line(x - 6.0, y + line, x + 6.0, y + line, ink, 1.5);
            }
        }
        _ => {
            for side in [-1.0, 1.0] {
                picture.line(x - side * 6.0, y + 6.0, x + side * 8.0, y - 15.0, ink, 2.5);
                picture.raw(format_args!(
                    r#"<circle cx="{}" cy="{}" r="5" fill="none" stroke="{ink}" stroke-width="2.5"/>"#,
                    x + side * 8.0,
                    y + 10.0
                ));
            }
        }
    }
}

impl Knowledge for RpsCards {
    const OFFERS: Capabilities = Capabilities::NUMBERS;

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&numbers::Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&numbers::Numbers)
    }
}
