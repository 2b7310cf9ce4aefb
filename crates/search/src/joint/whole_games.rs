//! Whole games: no best response may gain much from what an agent does in all states, and none more than from regret
//! matching.

use tesuji_core::{Address, Arguments, Features, Game, History, Rng, mix};
use tesuji_play::{AgentKind, Budget, Seat, ask_afresh};
use tesuji_solve::{Branch, GameGraph, Strategies, exploitability};

use super::lock_step::bidding;
use crate::kinds::JointTreeKind;
use crate::tiny_games::{Form, Written, chance, choice, matrix, over};

/// NashConv of an agent: payoffs from 0 to 1, so 1 is the most that both players can lose together.
fn nash_conv(form: Form, agent: &str, playouts: u64) -> f64 {
    let features = Features::SIMULTANEOUS | Features::MULTI_ACTION | Features::CHANCE;
    let game = Written::with_features(2, (0.0, 1.0), features, form);
    let address: Address = agent.parse().unwrap();
    let preset = JointTreeKind::PRESETS.iter().find(|preset| preset.name == address.name);
    let address = preset
        .map_or(Ok(address.clone()), |preset| preset.resolve(&address, JointTreeKind::NAME, JointTreeKind::PARAMETERS));
    let arguments = Arguments::bind(&address.unwrap(), JointTreeKind::PARAMETERS).unwrap();
    let graph = GameGraph::new(&game, &game.start(), 10_000, || true).unwrap();
    let mut strategies = Strategies::uniform(&graph);
    for (number, node) in graph.nodes().iter().enumerate() {
        let Branch::Choice { movers, actions, .. } = &node.branch else { continue };
        for (rank, player) in movers.enumerate() {
            let mut agent = JointTreeKind::build(&arguments, &game).unwrap();
            let history = History::default();
            let seat = Seat { game: &game, state: &node.state, player, history: &history, watcher: None };
            let mut rng = Rng::new(mix(number as u64, rank as u64));
            let decision = ask_afresh(&mut *agent, seat, &Budget::playouts(playouts), &mut rng).unwrap();
            let share = |action: &u8| {
                let found = decision.policy.iter().find(|(known, _)| known == action);
                found.map_or(0.0, |(_, share)| *share)
            };
            strategies.set(number, rank, &actions[rank].iter().map(share).collect::<Vec<f64>>());
        }
    }
    exploitability(&graph, &strategies).nash_conv()
}

/// Joint moves after joint moves, single moves and chance: a dominated action leads into matching pennies, a cycle of
/// three actions follows a roll of dice.
fn varied() -> Form {
    let pennies = || matrix([[1.0, 0.0], [0.0, 1.0]]);
    let cycle = || matrix([[0.5, 0.0, 1.0], [1.0, 0.5, 0.25], [0.0, 0.75, 0.5]]);
    let dominated = matrix([[0.5, 1.0], [0.0, 0.5]]);
    Form::Joint(
        vec![2, 2],
        vec![
            chance([(0.25, cycle()), (0.75, dominated)]),
            choice(0, [pennies(), over([0.25, 0.75])]),
            choice(1, [over([1.0, 0.0]), cycle()]),
            pennies(),
        ],
    )
}

#[test]
fn nobody_can_be_exploited_in_small_games() {
    for (form, name) in [
        (varied as fn() -> Form, "varied"),
        (|| bidding([&[1, 2]; 2], 0), "two cards"),
        (|| bidding([&[1, 2, 3]; 2], 0), "three cards"),
    ] {
        // The last is what `joint-best` falls back to where it can solve nothing and tables are large.
        for (agent, most) in [("joint-tree", 0.02), ("joint-best", 0.02), ("joint-best(solve=0,large=1)", 0.1)] {
            let found = nash_conv(form(), agent, 3_000);
            assert!(found <= most, "{name}: {agent}: {found}");
        }
    }
}

#[test]
fn it_is_never_worse_than_regret_matching() {
    for (form, name) in [
        (varied as fn() -> Form, "varied"),
        (|| bidding([&[1, 2, 3]; 2], 0), "three cards"),
        (|| bidding([&[1, 2, 3, 4]; 2], 0), "four cards"),
    ] {
        for playouts in [100, 1_000] {
            let [best, regret] = ["joint-best", "sm-regret"].map(|agent| nash_conv(form(), agent, playouts));
            assert!(best <= regret + 0.01, "{name} at {playouts} playouts: {best}, regret matching {regret}");
        }
    }
}
