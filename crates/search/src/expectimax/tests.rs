//! Pruning changes no value; values agree with the definition; small games are solved.

use tesuji_core::{Game, History, Knowledge, Player, Rng, Turn};

use super::*;
use crate::tiny_games::{Form, Nim, TugOfWar, Written, chance, choice, decision_after, first_decision, over};
use tesuji_solve::Solved;

use crate::Watcher;

fn agent<G: Game>(depth: u32, pruning: Pruning, table: usize) -> Expectimax<G> {
    Expectimax {
        evaluation: None,
        scale: 1.0,
        depth,
        pruning,
        table,
        budget: Budget::default(),
        remembered: Table::default(),
    }
}

const PLENTY: u64 = 1 << 40;

/// Expectiminimax directly from the definition.
fn plainly<G: Game>(game: &G, agent: &Expectimax<G>, state: &G::State, depth: u32, searcher: Player) -> f64 {
    let next = |action: G::Action| {
        let mut next = state.clone();
        game.apply(&mut next, &[action]);
        next
    };
    match game.turn(state) {
        Turn::Over => game.spec().normalise(game.payoff(state, searcher)),
        Turn::Player(_) if depth == 0 => agent.share(game, state, searcher),
        Turn::Chance if depth == 0 && agent.evaluation.as_ref().is_some_and(|judge| judge.covers_chance()) => {
            agent.share(game, state, searcher)
        }
        Turn::Player(mover) => {
            let mut actions = Vec::new();
            game.legal(state, mover, &mut actions);
            let values = actions.into_iter().map(|action| plainly(game, agent, &next(action), depth - 1, searcher));
            if mover == searcher { values.fold(0.0, f64::max) } else { values.fold(1.0, f64::min) }
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            outcomes
                .into_iter()
                .map(|(outcome, share)| share * plainly(game, agent, &next(outcome), depth, searcher))
                .sum()
        }
        Turn::Simultaneous(_) => unreachable!(),
    }
}

/// Two players move a token on a line by dice: cycles, chance, turns of one or two steps.
struct Run(Written);

impl Run {
    fn new() -> Run {
        let features = Features::CHANCE | Features::MULTI_ACTION;
        Run(Written::with_features(2, (0.0, 1.0), features, over([1.0, 0.0])))
    }
}

impl Game for Run {
    /// The cell from 0 to 30, the player to act, and the action waiting for the die.
    type State = (u8, u8, Option<u8>);
    type Action = u8;

    fn spec(&self) -> &tesuji_core::Spec {
        self.0.spec()
    }

    fn start(&self) -> Self::State {
        (15, 0, None)
    }

    fn turn(&self, state: &Self::State) -> Turn {
        match *state {
            (0 | 30, ..) => Turn::Over,
            (_, _, Some(_)) => Turn::Chance,
            (_, mover, None) => Turn::Player(Player(mover)),
        }
    }

    fn legal(&self, state: &Self::State, _: Player, out: &mut Vec<u8>) {
        out.extend(0..3 + state.0 % 3);
    }

    fn apply(&self, state: &mut Self::State, joint: &[u8]) {
        match state.2.take() {
            None => state.2 = Some(joint[0]),
            Some(waiting) => {
                // The first player moves to the right; a greater action goes farther and is less certain.
                let distance = joint[0] * (waiting + 1);
                let right = (state.1 == 0) == (joint[0] != 1 || waiting < 2);
                state.0 = if right { (state.0 + distance).min(30) } else { state.0.saturating_sub(distance) };
                // A roll of 3 lets the mover act again.
                state.1 = if joint[0] == 3 { state.1 } else { 1 - state.1 };
            }
        }
    }

    fn payoff(&self, state: &Self::State, player: Player) -> f64 {
        f64::from(u8::from((state.0 == 30) == (player.0 == 0)))
    }

    fn chance(&self, _: &Self::State, out: &mut Vec<(u8, f64)>) {
        out.extend([(1, 0.5), (2, 0.25), (3, 0.125), (4, 0.125)]);
    }
}

impl Knowledge for Run {}

fn ahead(_: &Run, state: &(u8, u8, Option<u8>), player: Player) -> f64 {
    let cells = (f64::from(state.0) - 15.0) / 15.0;
    if player.0 == 0 { cells } else { -cells }
}

/// Like a network: values are shares, and states in which chance acts have one.
struct Shares;

impl Evaluation<Run> for Shares {
    fn value(&self, _: &Run, &(cell, mover, waiting): &(u8, u8, Option<u8>), player: Player) -> f64 {
        let mixed =
            u32::from(cell) * 37 + u32::from(mover) * 11 + waiting.map_or(0, |action| 5 + u32::from(action) * 53);
        let share = f64::from(mixed % 97) / 97.0;
        if player.0 == 0 { share } else { 1.0 - share }
    }

    fn is_share(&self) -> bool {
        true
    }

    fn covers_chance(&self) -> bool {
        true
    }
}

#[test]
fn pruning_changes_no_value_and_reads_less() {
    pruning_changes_no_value(|| Box::new(ahead), true);
}

#[test]
fn pruning_changes_no_value_of_shares_that_cover_chance() {
    pruning_changes_no_value(|| Box::new(Shares), false);
}

fn pruning_changes_no_value(evaluation: impl Fn() -> Box<dyn Evaluation<Run>>, orders_well: bool) {
    let game = Run::new();
    let mut rng = Rng::new(3);
    let mut history = History::default();
    let (mut state, mut leaves) = (game.start(), [0; 3]);
    let mut compared = 0;
    while compared < 12 {
        let Turn::Player(mover) = game.turn(&state) else {
            (state, history) = (game.start(), History::default());
            continue;
        };
        for depth in 1..=4 {
            for (place, pruning) in [Pruning::Off, Pruning::Star1, Pruning::Star2].into_iter().enumerate() {
                for table in [0, 64, 4096] {
                    let mut agent = Expectimax { evaluation: Some(evaluation()), ..agent(depth, pruning, table) };
                    let decision =
                        decision_after(&game, &mut agent, &history, mover.0, &Budget::playouts(PLENTY), &mut rng);
                    let mut actions = Vec::new();
                    game.legal(&state, mover, &mut actions);
                    let values: Vec<f64> = actions
                        .iter()
                        .map(|&action| {
                            let mut next = state;
                            game.apply(&mut next, &[action]);
                            plainly(&game, &agent, &next, depth - 1, mover)
                        })
                        .collect();
                    let best = values.iter().copied().fold(0.0, f64::max);
                    let place_of = actions.iter().position(|&action| action == decision.action).unwrap();
                    assert!((decision.value.unwrap() - best).abs() < 1e-9, "{pruning:?} {depth} {state:?}");
                    assert!((values[place_of] - best).abs() < 1e-9, "{pruning:?} {depth} {state:?}");
                    if table == 4096 && depth == 4 {
                        leaves[place] += decision.thought.candidates.iter().map(|root| root.visits).sum::<u64>();
                    }
                }
            }
        }
        compared += 1;
        for _ in 0..2 {
            let turn = game.turn(&state);
            let action = match turn {
                Turn::Chance => game.random_outcome(&state, &mut rng),
                Turn::Player(mover) => game.random_action(&state, mover, &mut rng, &mut Vec::new()),
                _ => break,
            };
            game.apply(&mut state, &[action]);
            history.push(&[action]);
        }
    }
    // An evaluation that jumps from cell to cell says little about the order.
    let fewer = if orders_well { 2 } else { 1 };
    assert!(leaves[1] * fewer < leaves[0] && leaves[2] * fewer < leaves[0], "{leaves:?}");
}

#[test]
fn a_game_read_to_its_end_has_its_exact_value() {
    for heap in [5, 8, 11] {
        let game = Nim::new(heap);
        let decision = first_decision(&game, &mut agent(99, Pruning::Star2, 1024), 0, PLENTY, 1);
        assert_eq!(decision.value, Some(f64::from(u8::from(heap % 4 != 0))));
        assert!(decision.thought.depth <= u32::from(heap), "it goes on though every line has ended");
    }
    let gamble = chance([(0.7, over([30.0, 0.0])), (0.3, over([-10.0, 40.0]))]);
    let features = Features::CHANCE | Features::MULTI_ACTION;
    let patient = choice(0, [over([0.0, 30.0]), over([19.0, 11.0])]);
    let form = choice(0, [over([15.0, 15.0]), gamble, patient]);
    let game = Written::with_features(2, (-10.0, 40.0), features, form);
    let decision = first_decision(&game, &mut agent(9, Pruning::Star2, 16), 0, PLENTY, 1);
    assert_eq!(decision.action, 2);
    assert!((decision.value.unwrap() - 19.0).abs() < 1e-9);
}

/// Deep search approaches the exact values of a game with cycles, and its actions are as good as the best.
#[test]
fn deep_reading_agrees_with_value_iteration() {
    let game = Run::new();
    let start = game.start();
    let solved = Solved::new(&game, &start, 1000, 1e-10).unwrap();
    let exact = solved.value(&game, &start, Player(0)).unwrap().value;
    let mut agent = agent(7, Pruning::Star2, 1 << 14);
    let decision = first_decision(&game, &mut agent, 0, PLENTY, 1);
    assert!((decision.value.unwrap() - exact).abs() < 0.1, "{:?}, exactly {exact}", decision.value);
    let worth = solved.actions(&game, &start).unwrap();
    let chosen = worth.iter().find(|(action, _)| *action == decision.action).unwrap().1.value;
    assert!(chosen > exact - 0.05, "{chosen}, {exact}");
}

#[test]
fn three_players_each_take_their_own() {
    // Player 1 would spoil player 0's better looking branch for a gain of its own.
    let tempting = choice(1, [over([9.0, 0.0, 0.0]), over([0.0, 1.0, 9.0])]);
    let modest = choice(2, [over([3.0, 0.0, 2.0]), over([9.0, 9.0, 1.0])]);
    let game = Written::new(3, (0.0, 9.0), choice(0, [tempting, modest]));
    let decision = first_decision(&game, &mut agent(9, Pruning::Star2, 16), 0, PLENTY, 1);
    assert_eq!((decision.action, decision.value), (1, Some(3.0)));
}

#[test]
fn budgets_and_watchers_end_it_with_an_answer() {
    let game = TugOfWar::default();
    for budget in ["1", "nodes=1", "time=1ms", "playouts=50"] {
        let mut agent = agent(999, Pruning::Star2, 64);
        let budget: Budget = budget.parse().unwrap();
        let decision = decision_after(&game, &mut agent, &History::default(), 0, &budget, &mut Rng::new(1));
        assert!([-1, 1].contains(&decision.action));
    }
    struct Impatient;
    impl<A> Watcher<A> for Impatient {
        fn look(&mut self, _: &crate::Thought<A>) -> bool {
            false
        }
    }
    let (state, history) = (game.start(), History::default());
    let seat = Seat { game: &game, state: &state, player: Player(0), history: &history, watcher: Some(&mut Impatient) };
    let budget = Budget::playouts(PLENTY);
    let decision = agent(999, Pruning::Star2, 64).choose(seat, &budget, &mut Rng::new(1)).unwrap();
    assert!(decision.thought.depth < 999);
    let forms: Form = choice(0, [over([1.0, 0.0])]);
    let single = Written::with_features(2, (0.0, 1.0), Features::empty(), forms);
    assert_eq!(first_decision(&single, &mut agent(3, Pruning::Star2, 0), 0, 1, 1).thought.nodes, 0);
}
