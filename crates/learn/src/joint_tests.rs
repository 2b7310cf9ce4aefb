//! Training of a game of joint moves whose values are known.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tesuji_core::{Evaluation, FeatureSet, Features, Game, Knowledge, Player, Players, Rng, Spec, Turn, ValueFeatures};
use tesuji_solve::matrix::{MatrixSolver, PayoffMatrix};

use crate::{Exploration, JointTable, NetworkEvaluation, SelfPlay, Settings, Training, self_play};

/// Three rounds of matching pennies: equal pennies are worth 1 or 2 to the first player, different ones 1 to the
/// second. Whoever leads in the end wins. With `chance`, a coin doubles or keeps the next round's stake.
struct Pennies {
    spec: Spec,
    chance: bool,
}

const ROUNDS: u8 = 3;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    left: u8,
    lead: i8,
    /// What a round is worth; 0 if chance decides it next.
    stake: i8,
}

impl Pennies {
    fn new(chance: bool, features: Features) -> Pennies {
        let also = if chance { Features::CHANCE } else { Features::empty() };
        let mut spec = Spec::new("pennies", &["one", "two"], Features::SIMULTANEOUS | also | features, 6);
        spec.payoffs = (-1.0, 1.0);
        Pennies { spec, chance }
    }

    fn exact(&self, state: &State) -> f64 {
        let after = |joint: &[i8]| {
            let mut next = state.clone();
            self.apply(&mut next, joint);
            self.exact(&next)
        };
        match self.turn(state) {
            Turn::Over => self.spec.normalise(self.payoff(state, Player(0))),
            Turn::Chance => 0.5 * (after(&[1]) + after(&[2])),
            _ => {
                let rows = [0, 1].map(|first| [0, 1].map(|second| after(&[first, second])));
                MatrixSolver::new().solve(&PayoffMatrix::from_rows(&rows).unwrap()).value
            }
        }
    }
}

impl Game for Pennies {
    type State = State;
    type Action = i8;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        State { left: ROUNDS, lead: 0, stake: i8::from(!self.chance) }
    }

    fn turn(&self, state: &State) -> Turn {
        match (state.left, state.stake) {
            (0, _) => Turn::Over,
            (_, 0) => Turn::Chance,
            _ => Turn::Simultaneous(Players::BOTH),
        }
    }

    fn legal(&self, _: &State, _: Player, out: &mut Vec<i8>) {
        out.extend([0, 1]);
    }

    fn apply(&self, state: &mut State, joint: &[i8]) {
        let &[first, second] = joint else {
            state.stake = joint[0];
            return;
        };
        state.lead += state.stake * if first == second { 1 + first } else { -1 };
        state.left -= 1;
        state.stake = i8::from(!self.chance);
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        let lead = f64::from(state.lead.signum());
        if player == Player(0) { lead } else { -lead }
    }

    fn chance(&self, _: &State, out: &mut Vec<(i8, f64)>) {
        out.extend([(1, 0.5), (2, 0.5)]);
    }
}

impl Knowledge for Pennies {
    fn value_features(&self) -> Option<&'static dyn ValueFeatures<Self>> {
        Some(&Places)
    }
}

/// One input for each viewer, number of rounds, stake and lead.
struct Places;

impl ValueFeatures<Pennies> for Places {
    fn set(&self, _: &Pennies) -> FeatureSet {
        FeatureSet { name: "pennies".to_owned(), version: 1, inputs: 2 * 4 * 3 * 32, most_active: 1 }
    }

    fn active(&self, _: &Pennies, state: &State, player: Player, out: &mut Vec<u32>) {
        let place = (player.index() as u32 * 4 + u32::from(state.left)) * 3 + state.stake as u32;
        out.push(place * 32 + (state.lead + 12) as u32);
    }

    fn covers_chance(&self) -> bool {
        true
    }
}

fn training(seed: u64) -> Training {
    let pennies = Pennies::new(false, Features::empty());
    let exploration = Exploration { explore: 0.2, opening: 2, lambda: 0.5 };
    let settings = Settings { seed, hidden: 32, rate: 0.01, exploration, ..Settings::default() };
    Training::new("pennies", pennies.spec(), Places.set(&pennies), settings).unwrap()
}

fn train(training: &mut Training, chance: bool, rounds: usize, threads: usize) {
    let games: Vec<Box<dyn SelfPlay>> =
        vec![Box::new(self_play(Arc::new(Pennies::new(chance, Features::empty()))).unwrap())];
    for round in 0..rounds {
        let progress = round as f64 / rounds as f64;
        training.round(&games, threads, progress, &AtomicBool::new(false)).unwrap().unwrap();
    }
}

/// All states of the start and after one joint move.
#[test]
fn self_play_finds_the_values_of_joint_moves() {
    for chance in [false, true] {
        let mut training = training(5);
        train(&mut training, chance, 120, 1);
        let pennies = Pennies::new(chance, Features::empty());
        let evaluation = NetworkEvaluation::new(Arc::new(training.network()), &pennies).unwrap();
        let mut table = JointTable::new();
        for lead in [-1, 0, 1, 2] {
            for (left, stake) in [(3, 0), (2, 1)].into_iter().filter(|(left, _)| (*left == 3) == (lead == 0)) {
                let state = State { left, lead, stake: if chance { 0 } else { stake.max(1) } };
                let exact = pennies.exact(&state);
                for player in [Player(0), Player(1)] {
                    let share = evaluation.value(&pennies, &state, player);
                    let expected = if player == Player(0) { exact } else { 1.0 - exact };
                    assert!((share - expected).abs() < 0.08, "{state:?}: {share} instead of {expected}");
                }
                let mut at_stake = state.clone();
                at_stake.stake = at_stake.stake.max(1);
                let solved = table.solve(&pennies, &at_stake, &evaluation);
                let exact = pennies.exact(&at_stake);
                assert!((solved - exact).abs() < 0.08, "{at_stake:?}: {solved} instead of {exact}");
            }
        }
        let mut joint = Vec::new();
        table.draw([false, true], &mut Rng::new(1), &mut joint);
        assert_eq!(joint.len(), 2);
    }
}

#[test]
fn training_of_joint_moves_depends_on_the_seed_alone() {
    let (mut one, mut three, mut other) = (training(5), training(5), training(6));
    train(&mut one, true, 3, 1);
    train(&mut three, true, 3, 3);
    train(&mut other, true, 3, 1);
    assert_eq!(one.checkpoint(), three.checkpoint());
    assert_ne!(one.checkpoint(), other.checkpoint());
}

#[test]
fn a_varying_sum_is_refused() {
    let refused = self_play(Arc::new(Pennies::new(false, Features::GENERAL_SUM))).err().unwrap();
    assert!(refused.message().contains("does not cover `pennies`"), "{refused}");
}
