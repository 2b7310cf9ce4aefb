//! AMAF statistics from batches of leaves.

use std::collections::HashMap;
use std::time::Duration;

use tesuji_core::{BatchPlayouts, Game, History, OneByOne, Player, Rng, Turn};

use super::{check_tree, twice};
use crate::learning::trace::choice_key;
use crate::tiny_games::{Nim, Written, choice, decision_after, matrix};
use crate::uct::batch::Gathered;
use crate::uct::descent::{Descent, Frame};
use crate::uct::tree::{NONE, ROOT};
use crate::{Batch, Budget, FinalChoice, Opponents, Rave, Settings, Simulation, Uct};

const GRAVE: Rave = Rave { reference: 50, equivalence: 250.0 };
const RAVE: Rave = Rave { reference: 0, equivalence: 250.0 };

/// Batches that know payoffs only.
struct PayoffsOnly(OneByOne<Nim>);

impl BatchPlayouts<Nim> for PayoffsOnly {
    fn width(&self) -> usize {
        1
    }

    fn run(&mut self, game: &Nim, starts: &[<Nim as Game>::State], each: u32, rng: &mut Rng, out: &mut [f64]) -> u64 {
        self.0.run(game, starts, each, rng, out)
    }
}

fn batched<G: Game + 'static>(settings: Settings, leaves: u32, each: u32) -> Uct<G> {
    let batch = Batch { playouts: Box::new(OneByOne::default()), leaves: Some(leaves), each, learner: None };
    Uct::new(settings, Simulation { batch: Some(batch), ..Simulation::default() })
}

#[test]
fn they_equal_those_of_a_plain_twin() {
    let pennies = || matrix([[0.9, 0.1], [0.2, 0.7]]);
    let joint =
        Written::new(2, (0.0, 1.0), choice(1, [twice(pennies()), pennies(), choice(0, [pennies(), pennies()])]));
    for rave in [RAVE, GRAVE] {
        for each in [1, 4] {
            compare(&Nim::new(25), Settings { rave: Some(rave), ..Settings::default() }, each);
            compare(&Nim::new(25), Settings { rave: Some(rave), transpositions: true, ..Settings::default() }, each);
            compare(&joint, Settings { rave: Some(rave), ..Settings::default() }, each);
        }
    }
}

fn compare<G: Game<Action = u8> + 'static>(game: &G, settings: Settings, each: u32) {
    let mut agent = batched(settings, 1, each);
    let start = game.start();
    agent.tree.node_of(game, &start, &mut Rng::new(1));
    let Uct { settings, simulation, tree, .. } = &mut agent;
    let frame =
        Frame { game, root: &start, searcher: Player(0), settings, progressive: None, playouts_per_visit: each };
    let (mut descent, mut gathered, mut rng) = (Descent::new(2), Gathered::default(), Rng::new(1));
    let mut twin: HashMap<(u32, u64), (u32, f64)> = HashMap::new();
    for _ in 0..400 {
        gathered.run(&frame, tree, simulation, &mut descent, &mut rng);
        let mean = |player: Player| match gathered.totals.get(player.index()) {
            Some(total) => game.spec().normalise(total / f64::from(each)),
            None => descent.shares[player.index()],
        };
        for at in &descent.path {
            let node = &tree.nodes[at.node as usize];
            let first = descent.path.iter().find(|visit| visit.node == at.node).unwrap();
            if first.edge != at.edge || at.depth > 0 && node.visits < settings.rave.unwrap().reference / 5 {
                continue;
            }
            let mut below = HashMap::new();
            for taken in &gathered.taken {
                let share = taken.total / f64::from(taken.playouts);
                let total = f64::from(taken.playouts) * game.spec().normalise(share);
                assert!(below.insert(choice_key(taken.player, &taken.action), (taken.playouts, total)).is_none());
            }
            let later = descent.path.iter().filter(|visit| visit.depth >= at.depth);
            for visit in later.filter(|visit| tree.nodes[visit.node as usize].turn != Turn::Chance) {
                let key = choice_key(visit.player, &tree.edges[visit.edge as usize].action);
                below.insert(key, (each, f64::from(each) * mean(visit.player)));
            }
            for (key, (playouts, total)) in below {
                let sum = twin.entry((at.node, key)).or_default();
                *sum = (sum.0 + playouts, sum.1 + total);
            }
        }
    }
    assert!(twin.len() > 10, "{}", twin.len());
    for (&(node, key), &(playouts, total)) in &twin {
        let (visits, mean) = tree.amaf.get(tree.nodes[node as usize].row, key);
        assert_eq!(visits, playouts, "node {node}");
        assert!((f64::from(mean) - total / f64::from(playouts)).abs() < 1e-4, "node {node}");
    }
}

#[test]
fn a_batched_search_with_them_finds_what_is_won() {
    let time = Budget::time(Duration::from_millis(30));
    for rave in [RAVE, GRAVE] {
        for (leaves, each) in [(1, 1), (8, 4), (32, 8)] {
            let settings = Settings { rave: Some(rave), ..Settings::default() };
            let mut agent = batched(settings, leaves, each);
            let start = Nim::new(11).start();
            agent.tree.node_of(&Nim::new(11), &start, &mut Rng::new(1));
            let Uct { settings, simulation, tree, .. } = &mut agent;
            let game = Nim::new(11);
            let frame = Frame {
                game: &game,
                root: &start,
                searcher: Player(0),
                settings,
                progressive: None,
                playouts_per_visit: each,
            };
            let (mut descent, mut gathered, mut rng) = (Descent::new(2), Gathered::default(), Rng::new(3));
            for _ in 0..20_000 / (leaves * each) {
                gathered.run(&frame, tree, simulation, &mut descent, &mut rng);
            }
            let (actions, tried) = tree.tried(Player(0));
            let policy = FinalChoice::Visits.policy(&tried);
            let best = actions[policy.iter().position(|&share| share > 0.0).unwrap()];
            assert_eq!(best, 3, "{leaves} leaves, {each} playouts each: {tried:?}");
            assert_ne!(tree.nodes[ROOT as usize].row, NONE);
            check_tree(&agent);
            let decision = decision_after(&game, &mut agent, &History::default(), 0, &time, &mut Rng::new(1));
            assert_eq!(decision.thought.playouts % u64::from(leaves * each), 0);
            assert_eq!(agent.playouts_per_visit, each);
        }
    }
}

#[test]
fn without_counted_actions_playouts_run_one_by_one() {
    let game = Nim::new(11);
    let time = Budget::time(Duration::from_millis(1));
    let decide = |agent: &mut Uct<Nim>, budget: &Budget| {
        decision_after(&game, agent, &History::default(), 0, budget, &mut Rng::new(1));
        agent.playouts_per_visit
    };
    let settings = Settings { rave: Some(RAVE), ..Settings::default() };
    let payoffs =
        Batch { playouts: Box::new(PayoffsOnly(OneByOne::default())), leaves: Some(8), each: 4, learner: None };
    let mut agent = Uct::new(settings, Simulation { batch: Some(payoffs), ..Simulation::default() });
    assert_eq!(decide(&mut agent, &time), 1);
    // The counts are of payoffs of the player who acts.
    let searcher = Settings { opponents: Opponents::Searcher, ..settings };
    assert_eq!(decide(&mut batched(searcher, 8, 4), &time), 1);
    // One agent can get both kinds of budget.
    let mut agent = batched(settings, 8, 4);
    assert_eq!(decide(&mut agent, &Budget::playouts(50)), 1);
    assert_eq!(decide(&mut agent, &time), 4);
    assert_eq!(decide(&mut agent, &Budget::playouts(50)), 1);
}
