//! Agents find the known answer on small games whose value is known.

use tesuji_arena::{Actor, Budget, DecisionText, Player, Rng, Turn};
use tesuji_core::{Address, Arguments, Game, Notation};
use tesuji_games::tree::{ENTRY, Tree};

fn decide(game: &str, agent: &str, player: Player, playouts: u64, seed: u64) -> DecisionText {
    let game = tesuji_standard::catalogue().open(game).unwrap();
    let mut table = game.new_match(None).unwrap();
    table.seat(player, agent).unwrap();
    table.think(player, &Budget::playouts(playouts), &mut Rng::new(seed)).unwrap()
}

fn trees() -> impl Iterator<Item = (&'static str, Tree)> {
    ENTRY.examples.iter().map(|&example| {
        let address: Address = example.parse().unwrap();
        (example, (ENTRY.open)(&Arguments::bind(&address, ENTRY.parameters).unwrap()).unwrap())
    })
}

/// Decoupled UCT does not solve this one: see [`decoupled_uct_locks_on_cooperation`].
const DILEMMA: &str = "tree(dilemma)";

/// Forced win, saving move, chance mean, trust, two-step turn, three players, one player, saddle: wherever a pure
/// action is right at the start, UCT plays it for every player who acts there.
#[test]
fn uct_plays_the_known_best_action() {
    let mut checked = 0;
    for (address, tree) in trees().filter(|(address, _)| *address != DILEMMA) {
        let start = tree.start();
        for player in tree.turn(&start).movers() {
            let Some(Some(best)) = tree.known().best.get(player.index()) else { continue };
            let [(action, _)] = best[..] else { continue };
            let best = tree.action_text(&start, Actor::Player(player), action);
            for seed in 1..=3 {
                let decision = decide(address, "uct(choice=visits)", player, 3_000, seed);
                assert_eq!(decision.action, best, "{address}, seed {seed}: {decision:?}");
            }
            checked += 1;
        }
    }
    assert!(checked >= 8, "only {checked} pure answers are known");
}

#[test]
fn uct_comes_near_the_known_value_where_one_acts_at_a_time() {
    let mut checked = 0;
    for (address, tree) in trees() {
        let (Some(values), Turn::Player(player)) = (&tree.known().value, tree.turn(&tree.start())) else { continue };
        let (least, greatest) = tree.spec().payoffs;
        let decision = decide(address, "uct", player, 20_000, 1);
        let error = (decision.value.unwrap() - values[player.index()]).abs() / (greatest - least);
        // The mean over a tree still holds what was tried before the best was found.
        assert!(error < 0.05, "{address}: {:?}, known {:?}", decision.value, values[player.index()]);
        checked += 1;
    }
    assert!(checked >= 6, "only {checked} values are known");
}

/// In the prisoners' dilemma two learners who each look at their own statistics only settle on what pays both best, not
/// on the equilibrium: the observation of paper 004 §6.6.3 about SimpleUCB1, which is decoupled UCT of depth 1.
#[test]
fn decoupled_uct_locks_on_cooperation() {
    let decision = decide(DILEMMA, "uct", Player(0), 3_000, 1);
    assert_eq!(decision.candidates[0].action, "cooperate", "{decision:?}");
    assert!(decision.candidates[0].probability > 0.9, "{decision:?}");
}

/// At matching pennies both sides must mix evenly: the visits of decoupled UCT do.
#[test]
fn uct_mixes_where_mixing_is_needed() {
    for player in [Player(0), Player(1)] {
        let decision = decide("tree(matching-pennies)", "uct", player, 20_000, 1);
        for candidate in &decision.candidates {
            assert!((candidate.probability - 0.5).abs() < 0.1, "{decision:?}");
        }
    }
}

/// Flat Monte Carlo averages over what the others might do: right about chance and single steps, wrong where the
/// opponent's best answer matters. The first is its promise, the second its known limit.
#[test]
fn flat_monte_carlo_knows_means_and_is_fooled_by_replies() {
    for agent in ["mc", "mc-ucb"] {
        assert_eq!(decide("tree(chance-mean)", agent, Player(0), 20_000, 1).action, "gamble", "{agent}");
        assert_ne!(decide("tree(saving-move)", agent, Player(0), 20_000, 1).action, "block", "{agent}");
    }
}

#[test]
fn uct_never_loses_tic_tac_toe_from_a_threat() {
    let game = tesuji_standard::catalogue().open("tic-tac-toe").unwrap();
    for (state, saving) in [("xx./o../...", "c1"), ("x.o/.o./x..", "a2"), ("xo./.x./o..", "c3")] {
        let mut table = game.new_match(Some(state)).unwrap();
        let player = table.turn().movers().next().unwrap();
        table.seat(player, "uct").unwrap();
        let decision = table.think(player, &Budget::playouts(3_000), &mut Rng::new(1)).unwrap();
        assert_eq!(decision.action, saving, "{state}");
    }
}
