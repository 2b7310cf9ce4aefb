//! Games that look the same to both players, where deterministic players move in lock-step: each choice of one meets
//! only the equal choice of the other.

use tesuji_core::{Address, Arguments, Features, Game, Player};

use tesuji_play::AgentKind;
use tesuji_solve::root_exploitability;

use crate::kinds::JointTreeKind;
use crate::simultaneous::{ExactSolver, Limits, Memory};
use crate::tiny_games::{Form, Written, first_decision, matrix, over};

/// Both bid one of their cards for each prize, the greatest prize first; the higher card wins it, and who has won more
/// wins (Goofspiel with descending prizes).
pub(super) fn bidding(hands: [&[i32]; 2], lead: i32) -> Form {
    let prize = hands[0].len() as i32;
    if prize == 0 {
        let share = 0.5 + 0.5 * f64::from(lead.signum());
        return over([share, 1.0 - share]);
    }
    let without = |hand: &[i32], card: i32| hand.iter().copied().filter(|&other| other != card).collect::<Vec<_>>();
    let mut next = Vec::new();
    for &first in hands[0] {
        for &second in hands[1] {
            let rest = [without(hands[0], first), without(hands[1], second)];
            next.push(bidding([&rest[0], &rest[1]], lead + prize * (first - second).signum()));
        }
    }
    Form::Joint(vec![prize as u8; 2], next)
}

/// The mean exploitability of an agent at the root over some seeds, for the worse-off player.
fn exploitability(form: Form, agent: &str, playouts: u64) -> f64 {
    const SEEDS: u64 = 12;
    let game = Written::with_features(2, (0.0, 1.0), Features::SIMULTANEOUS | Features::MULTI_ACTION, form);
    let address: Address = agent.parse().unwrap();
    let preset = JointTreeKind::PRESETS.iter().find(|preset| preset.name == address.name);
    let address = preset
        .map_or(Ok(address.clone()), |preset| preset.resolve(&address, JointTreeKind::NAME, JointTreeKind::PARAMETERS));
    let arguments = Arguments::bind(&address.unwrap(), JointTreeKind::PARAMETERS).unwrap();
    let mut solver = ExactSolver::new(&game, Memory::new(), Limits::positions(100_000));
    let mut mean = |player: u8| {
        let gaps = (0..SEEDS).map(|seed| {
            let mut agent = JointTreeKind::build(&arguments, &game).unwrap();
            let decision = first_decision(&game, &mut *agent, player, playouts, seed);
            root_exploitability(&game, &mut solver, &game.start(), Player(player), &decision.policy).unwrap().gap()
        });
        gaps.sum::<f64>() / SEEDS as f64
    };
    mean(0).max(mean(1))
}

/// The second row and the second column are dominated.
fn dominated() -> Form {
    matrix([[0.5, 1.0], [0.0, 0.5]])
}

/// The third row and column are dominated; the others are matching pennies with draws.
fn dominated_and_mixed() -> Form {
    matrix([[1.0, 0.0, 0.8], [0.0, 1.0, 0.8], [0.2, 0.2, 0.5]])
}

#[test]
fn dominated_actions_are_not_played() {
    for (form, name) in [
        (dominated as fn() -> Form, "dominated"),
        (|| bidding([&[1, 2]; 2], 0), "two cards"),
        (|| bidding([&[1, 2, 3]; 2], 0), "three cards"),
    ] {
        for (agent, playouts, most) in [
            ("joint-tree", 100, 0.02),
            ("joint-tree", 10_000, 0.001),
            ("joint-tree(backup=mean)", 10_000, 0.001),
            ("joint-best(solve=0)", 1_000, 0.001),
            // What it falls back to where tables are large.
            ("joint-best(solve=0,large=1)", 1_000, 0.001),
            ("joint-tree(selection=regret-plus,backup=mean,choice=average,exploration=0.1)", 1_000, 0.01),
            ("sm-uct", 10_000, 0.02),
        ] {
            let found = exploitability(form(), agent, playouts);
            assert!(found <= most, "{name}: {agent} at {playouts} playouts: {found}");
        }
    }
}

#[test]
fn games_without_noise_are_mixed_where_they_must_be() {
    let pennies = || matrix([[1.0, 0.0], [0.0, 1.0]]);
    let weighted = || matrix([[0.5, 0.0, 1.0], [1.0, 0.5, 0.25], [0.0, 0.75, 0.5]]);
    for (form, name) in [
        (pennies as fn() -> Form, "matching pennies"),
        (weighted, "rock, paper, scissors"),
        (dominated_and_mixed, "a dominated action beside matching pennies"),
    ] {
        for (agent, most) in [
            ("joint-tree", 0.01),
            ("joint-tree(backup=mean)", 0.01),
            ("joint-tree(selection=regret-plus,backup=mean,choice=average,exploration=0.1)", 0.02),
            // Actions that it drops cost a little where the equilibrium needs all of them.
            ("joint-best(solve=0,large=1)", 0.02),
        ] {
            let found = exploitability(form(), agent, 10_000);
            assert!(found <= most, "{name}: {agent}: {found}");
        }
    }
    let found = exploitability(pennies(), "sm-uct", 10_000);
    assert!(found <= 0.05, "sm-uct: {found}");
}
