//! Small games with known values, for tests and for examples in documentation.

use crate::{
    Capabilities, Drawing, Evaluation, FeatureSet, Features, Game, Heuristics, Knowledge, Named, Notation, Percept,
    Perception, Player, Players, Policy, Rng, Spec, Turn, ValueFeatures,
};

/// A game written as a tree.
pub enum Form {
    /// The end, with each player's payoff.
    Over(Vec<f64>),
    /// One player chooses.
    Choice(u8, Vec<Form>),
    /// The first players choose at once, with these numbers of actions; the last player's choice changes fastest.
    Joint(Vec<u8>, Vec<Form>),
    /// A chance node.
    Chance(Vec<(f64, Form)>),
}

impl Form {
    fn has_chance(&self) -> bool {
        match self {
            Form::Over(_) => false,
            Form::Choice(_, next) | Form::Joint(_, next) => next.iter().any(Form::has_chance),
            Form::Chance(_) => true,
        }
    }
}

/// The end, with each player's payoff.
pub fn over<const N: usize>(payoffs: [f64; N]) -> Form {
    Form::Over(payoffs.to_vec())
}

/// One player chooses.
pub fn choice<const N: usize>(player: u8, next: [Form; N]) -> Form {
    Form::Choice(player, Vec::from(next))
}

/// A chance node: outcomes with their probabilities.
pub fn chance<const N: usize>(outcomes: [(f64, Form); N]) -> Form {
    Form::Chance(Vec::from(outcomes))
}

/// A constant-sum matrix game of two players who choose at once: the first player's payoffs; the second gets the rest
/// of 1.
pub fn matrix<const R: usize, const C: usize>(payoffs: [[f64; C]; R]) -> Form {
    let ends = payoffs.into_iter().flatten().map(|payoff| over([payoff, 1.0 - payoff])).collect();
    Form::Joint(vec![R as u8, C as u8], ends)
}

/// The rules of a [`Form`]. A state is the path to it: the index of the child at each step.
pub struct Written {
    spec: Spec,
    form: Form,
}

impl Written {
    /// A game of this form with every feature except chance, which it has if the form has.
    pub fn new(players: usize, payoffs: (f64, f64), form: Form) -> Written {
        let mut features = Features::OPEN;
        features.set(Features::CHANCE, form.has_chance());
        Written::with_features(players, payoffs, features, form)
    }

    /// A game of this form with these features.
    pub fn with_features(players: usize, payoffs: (f64, f64), features: Features, form: Form) -> Written {
        let names = ["a", "b", "c", "d"];
        let spec = Spec { payoffs, ..Spec::new("written", &names[..players], features, 64) };
        Written { spec, form }
    }

    /// The form.
    pub fn form(&self) -> &Form {
        &self.form
    }

    fn at(&self, state: &[u8]) -> &Form {
        state.iter().fold(&self.form, |form, &index| match form {
            Form::Over(_) => unreachable!("beyond the end"),
            Form::Choice(_, next) | Form::Joint(_, next) => &next[index as usize],
            Form::Chance(outcomes) => &outcomes[index as usize].1,
        })
    }
}

impl Game for Written {
    type State = Vec<u8>;
    type Action = u8;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }

    fn turn(&self, state: &Vec<u8>) -> Turn {
        match self.at(state) {
            Form::Over(_) => Turn::Over,
            Form::Choice(player, _) => Turn::Player(Player(*player)),
            Form::Joint(counts, _) => Turn::Simultaneous(Players::first(counts.len())),
            Form::Chance(_) => Turn::Chance,
        }
    }

    fn legal(&self, state: &Vec<u8>, player: Player, out: &mut Vec<u8>) {
        match self.at(state) {
            Form::Choice(_, next) => out.extend(0..next.len() as u8),
            Form::Joint(counts, _) => out.extend(0..counts[player.index()]),
            _ => unreachable!("nobody chooses"),
        }
    }

    fn apply(&self, state: &mut Vec<u8>, joint: &[u8]) {
        let index = match self.at(state) {
            Form::Joint(counts, _) => counts.iter().zip(joint).fold(0, |index, (count, action)| index * count + action),
            _ => joint[0],
        };
        state.push(index);
    }

    fn payoff(&self, state: &Vec<u8>, player: Player) -> f64 {
        match self.at(state) {
            Form::Over(payoffs) => payoffs[player.index()],
            _ => unreachable!("not over"),
        }
    }

    fn chance(&self, state: &Vec<u8>, out: &mut Vec<(u8, f64)>) {
        if let Form::Chance(outcomes) = self.at(state) {
            out.extend(outcomes.iter().enumerate().map(|(index, (probability, _))| (index as u8, *probability)));
        }
    }
}

impl Notation for Written {}
impl Drawing for Written {}
impl Knowledge for Written {}

/// Two players take one to three from a heap in turn; the player who takes the last wins. The mover loses if and only
/// if four divides the heap. Many paths lead to the same state.
pub struct Nim {
    spec: Spec,
    /// The heap at the start.
    pub heap: u8,
}

impl Nim {
    /// A heap of this size.
    pub fn new(heap: u8) -> Nim {
        Nim { spec: Spec::new("nim", &["a", "b"], Features::empty(), heap as usize), heap }
    }
}

impl Game for Nim {
    /// The heap and the player to act, or at the end the player who would be next.
    type State = (u8, u8);
    type Action = u8;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> (u8, u8) {
        (self.heap, 0)
    }

    fn turn(&self, &(heap, mover): &(u8, u8)) -> Turn {
        if heap == 0 { Turn::Over } else { Turn::Player(Player(mover)) }
    }

    fn legal(&self, &(heap, _): &(u8, u8), _player: Player, out: &mut Vec<u8>) {
        out.extend(1..=heap.min(3));
    }

    fn apply(&self, (heap, mover): &mut (u8, u8), joint: &[u8]) {
        *heap -= joint[0];
        *mover = 1 - *mover;
    }

    fn payoff(&self, &(_, mover): &(u8, u8), player: Player) -> f64 {
        f64::from(u8::from(player.0 != mover))
    }
}

impl Notation for Nim {}
impl Drawing for Nim {}

impl Knowledge for Nim {
    const OFFERS: Capabilities = Capabilities::HEURISTICS.union(Capabilities::VALUE_FEATURES);

    fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
        Some(&NimHeuristics)
    }

    fn value_features(&self) -> Option<&'static dyn ValueFeatures<Self>> {
        Some(&HeapFeatures)
    }
}

/// One input for each size of the heap.
struct HeapFeatures;

impl ValueFeatures<Nim> for HeapFeatures {
    fn set(&self, nim: &Nim) -> FeatureSet {
        FeatureSet { name: "nim".to_owned(), version: 1, inputs: usize::from(nim.heap) + 1, most_active: 1 }
    }

    fn active(&self, _: &Nim, &(heap, _): &(u8, u8), _: Player, out: &mut Vec<u32>) {
        out.push(u32::from(heap));
    }
}

struct NimHeuristics;

impl Heuristics<Nim> for NimHeuristics {
    fn evaluations(&self, _: &Nim) -> &'static [Named] {
        &[Named { name: "remainder", summary: "1 for who is winning, -1 for who is losing" }]
    }

    fn evaluation(&self, _: &Nim, name: &str) -> Option<Box<dyn Evaluation<Nim>>> {
        (name == "remainder").then(|| {
            Box::new(
                |_: &Nim, &(heap, mover): &(u8, u8), player: Player| {
                    if (player.0 == mover) == (heap % 4 != 0) { 1.0 } else { -1.0 }
                },
            ) as Box<dyn Evaluation<Nim>>
        })
    }

    fn policies(&self, _: &Nim) -> &'static [Named] {
        &[Named { name: "one", summary: "always takes one" }]
    }

    fn policy(&self, _: &Nim, name: &str) -> Option<Box<dyn Policy<Nim>>> {
        struct One;
        impl Policy<Nim> for One {
            fn pick(&mut self, _: &Nim, _: &(u8, u8), _: Player, _: &mut Rng) -> u8 {
                1
            }
        }
        (name == "one").then(|| Box::new(One) as Box<dyn Policy<Nim>>)
    }
}

/// Two players push a token along a line of nine cells in turn, one cell either way; the first wins at the right end,
/// the second at the left end. There is no step counter, so play can repeat.
pub struct TugOfWar(Spec);

impl Default for TugOfWar {
    fn default() -> Self {
        TugOfWar(Spec::new("tug-of-war", &["right", "left"], Features::empty(), 10_000))
    }
}

impl Game for TugOfWar {
    /// The cell of the token and the player to act.
    type State = (i8, u8);
    type Action = i8;

    fn spec(&self) -> &Spec {
        &self.0
    }

    fn start(&self) -> (i8, u8) {
        (4, 0)
    }

    fn turn(&self, &(cell, mover): &(i8, u8)) -> Turn {
        if cell == 0 || cell == 8 { Turn::Over } else { Turn::Player(Player(mover)) }
    }

    fn legal(&self, _state: &(i8, u8), _player: Player, out: &mut Vec<i8>) {
        out.extend([-1, 1]);
    }

    fn apply(&self, (cell, mover): &mut (i8, u8), joint: &[i8]) {
        *cell += joint[0];
        *mover = 1 - *mover;
    }

    fn payoff(&self, &(cell, _): &(i8, u8), player: Player) -> f64 {
        f64::from(u8::from((cell == 8) == (player.0 == 0)))
    }
}

impl Knowledge for TugOfWar {}

/// Kuhn poker (Kuhn 1950): a game with hidden information. Chance deals two of three cards; the first player checks or
/// bets, and so on. The first player's value is −1/18.
///
/// A state is the path to it: the number of the deal, then 0 (check, fold) or 1 (bet, call) for each choice.
pub struct Kuhn(Spec);

impl Kuhn {
    /// The cards of both players in each deal: 0 is the jack, 2 the king.
    pub const DEALS: [[u8; 2]; 6] = [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]];
}

impl Default for Kuhn {
    fn default() -> Self {
        let spec = Spec::new("kuhn", &["first", "second"], Features::CHANCE | Features::HIDDEN, 4);
        Kuhn(Spec { payoffs: (-2.0, 2.0), ..spec })
    }
}

impl Game for Kuhn {
    type State = Vec<u8>;
    type Action = u8;

    fn spec(&self) -> &Spec {
        &self.0
    }

    fn start(&self) -> Vec<u8> {
        Vec::new()
    }

    fn turn(&self, state: &Vec<u8>) -> Turn {
        match state.get(1..) {
            None => Turn::Chance,
            Some([] | [0, 1]) => Turn::Player(Player(0)),
            Some([_]) => Turn::Player(Player(1)),
            Some(_) => Turn::Over,
        }
    }

    fn legal(&self, _: &Vec<u8>, _: Player, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }

    fn apply(&self, state: &mut Vec<u8>, joint: &[u8]) {
        state.push(joint[0]);
    }

    fn payoff(&self, state: &Vec<u8>, player: Player) -> f64 {
        let [first, second] = Kuhn::DEALS[usize::from(state[0])];
        let higher = if first > second { 1.0 } else { -1.0 };
        let won = match state[1..] {
            [0, 0] => higher,
            [1, 0] => 1.0,
            [0, 1, 0] => -1.0,
            _ => 2.0 * higher,
        };
        if player == Player(0) { won } else { -won }
    }

    fn chance(&self, _: &Vec<u8>, out: &mut Vec<(u8, f64)>) {
        out.extend((0..6).map(|deal| (deal, 1.0 / 6.0)));
    }
}

impl Notation for Kuhn {}
impl Drawing for Kuhn {}

impl Knowledge for Kuhn {
    const OFFERS: Capabilities = Capabilities::PERCEPTION;

    fn perception(&self) -> Option<&'static dyn Perception<Self>> {
        Some(&KuhnPerception)
    }
}

/// Players perceive their own card when it is dealt, and every choice.
struct KuhnPerception;

impl Perception<Kuhn> for KuhnPerception {
    fn moment(&self, _: &Kuhn, state: &Vec<u8>) -> u32 {
        state.len() as u32
    }

    fn percept(&self, _: &Kuhn, state: &Vec<u8>, player: Player) -> Percept {
        Percept(match state[..] {
            [] => Vec::new(),
            [deal] => vec![u32::from(Kuhn::DEALS[usize::from(deal)][player.index()])],
            [.., last] => vec![10 + u32::from(last)],
        })
    }

    fn texts(&self, game: &Kuhn, state: &Vec<u8>, player: Player) -> Vec<String> {
        const WORDS: [(u32, &str); 5] = [(0, "jack"), (1, "queen"), (2, "king"), (10, "passed"), (11, "bet")];
        let Percept(numbers) = self.percept(game, state, player);
        let word = |number: &u32| WORDS.iter().find(|(known, _)| known == number).map(|(_, word)| (*word).to_owned());
        numbers.iter().filter_map(word).collect()
    }
}
