//! Small games with known values, for the tests of agents.

use tesuji_core::{
    Capabilities, Evaluation, Features, Game, Heuristics, History, Knowledge, Named, Player, Players, Policy, Rng,
    Spec, Turn,
};

use crate::{Agent, Budget, Decision, Seat};

mod text;
pub(crate) mod skirmish;

/// A game written as a tree.
pub(crate) enum Form {
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

pub(crate) fn over<const N: usize>(payoffs: [f64; N]) -> Form {
    Form::Over(payoffs.to_vec())
}

pub(crate) fn choice<const N: usize>(player: u8, next: [Form; N]) -> Form {
    Form::Choice(player, Vec::from(next))
}

pub(crate) fn chance<const N: usize>(outcomes: [(f64, Form); N]) -> Form {
    Form::Chance(Vec::from(outcomes))
}

/// A constant-sum matrix game of two players who choose at once: the first player's payoffs; the second gets the rest
/// of 1.
pub(crate) fn matrix<const R: usize, const C: usize>(payoffs: [[f64; C]; R]) -> Form {
    let ends = payoffs.into_iter().flatten().map(|payoff| over([payoff, 1.0 - payoff])).collect();
    Form::Joint(vec![R as u8, C as u8], ends)
}

/// The rules of a [`Form`]. A state is the path to it: the index of the child at each step.
pub(crate) struct Written {
    spec: Spec,
    form: Form,
}

impl Written {
    pub(crate) fn new(players: usize, payoffs: (f64, f64), form: Form) -> Written {
        let mut features = Features::all();
        features.set(Features::CHANCE, form.has_chance());
        Written::with_features(players, payoffs, features, form)
    }

    pub(crate) fn with_features(players: usize, payoffs: (f64, f64), features: Features, form: Form) -> Written {
        let names = ["a", "b", "c", "d"];
        let spec = Spec { payoffs, ..Spec::new("written", &names[..players], features, 64) };
        Written { spec, form }
    }

    pub(crate) fn form(&self) -> &Form {
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

impl Knowledge for Written {}

/// Two players take one to three from a heap in turn; the player who takes the last wins. The mover loses if and only
/// if four divides the heap. Many paths lead to the same state.
pub(crate) struct Nim {
    spec: Spec,
    pub heap: u8,
}

impl Nim {
    pub(crate) fn new(heap: u8) -> Nim {
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

impl Knowledge for Nim {
    const OFFERS: Capabilities = Capabilities::HEURISTICS;

    fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
        Some(&NimHeuristics)
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
pub(crate) struct TugOfWar(Spec);

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

/// The decision of `agent` for `player` in the initial state.
pub(crate) fn first_decision<G: Game>(
    game: &G,
    agent: &mut dyn Agent<G>,
    player: u8,
    playouts: u64,
    seed: u64,
) -> Decision<G::Action> {
    decision_after(game, agent, &History::default(), player, &Budget::playouts(playouts), &mut Rng::new(seed))
}

/// The decision of `agent` for `player` after the steps of `history`.
pub(crate) fn decision_after<G: Game>(
    game: &G,
    agent: &mut dyn Agent<G>,
    history: &History<G::Action>,
    player: u8,
    budget: &Budget,
    rng: &mut Rng,
) -> Decision<G::Action> {
    let mut state = game.start();
    history.steps().for_each(|joint| game.apply(&mut state, joint));
    let seat = Seat { game, state: &state, player: Player(player), history, watcher: None };
    let decision = agent.choose(seat, budget, rng).expect("agents on tiny games do not fail");
    let mut legal = Vec::new();
    game.legal(&state, Player(player), &mut legal);
    assert!(legal.contains(&decision.action), "{:?} is not legal in {state:?}", decision.action);
    let sum: f64 = decision.policy.iter().map(|(_, probability)| probability).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{:?}", decision.policy);
    assert!(decision.policy.iter().any(|&(action, _)| action == decision.action));
    assert_eq!(decision.thought.candidates.len(), legal.len());
    decision
}
