//! Copies are no evidence: matches in which nothing random was drawn and that repeat others. Random matches that
//! coincide are evidence.

use std::sync::atomic::AtomicBool;

use tesuji_arena::experiment::{EnteredGame, Experiment, Scale, read_experiment};
use tesuji_arena::statistics::{Pairs, SprtDecision, pair_interval};
use tesuji_arena::store::Store;
use tesuji_arena::{Budget, CONFIDENCE, PairingSummary, RunPlan, Source, Summary, run_experiment, summarise};

fn played(experiment: &Experiment, threads: usize) -> Summary {
    let mut store = Store::temporary().unwrap();
    let (plan, stop) = (RunPlan { threads, shard: None }, AtomicBool::new(false));
    let text = experiment.to_toml().unwrap();
    let end = run_experiment(experiment, ("copies", &text), &mut store, plan, &stop, |_| ()).unwrap();
    summarise(experiment, &store, end.run, false).unwrap()
}

fn series(game: &str, agents: [&str; 2], matches: u64) -> PairingSummary {
    let game = EnteredGame::open(&tesuji_standard::catalogue(), game).unwrap();
    let agents = agents.map(str::to_owned);
    let experiment = Experiment::series(game, &agents, Budget::playouts(200), matches, 1).unwrap();
    played(&experiment, 2).results.remove(0)
}

/// 200 matches of agents that draw nothing at random, two of which differ: by who began.
#[test]
fn deterministic_agents_play_two_matches() {
    let result = series("tic-tac-toe", ["expectimax(depth=3)", "expectimax(depth=1)"], 200);
    let copies = result.duplicates;
    assert_eq!((copies.matches, copies.distinct, copies.effective), (200, 2, 2.0));
    assert_eq!(result.effective_pairs, 1.0);
    // One pair, whatever it brought.
    let mut pair = Pairs::default();
    pair.count(result.win_rate.unwrap() * 2.0);
    assert_eq!(result.pair_interval, pair_interval(pair, CONFIDENCE));
    let (low, high) = result.pair_interval.unwrap();
    assert!(high - low > 0.5, "{low} {high}");
    let sure = result.superiority.unwrap();
    assert!((0.025..=0.975).contains(&sure), "{sure}");
}

/// Random agents repeat short matches by chance; each is an observation.
#[test]
fn random_matches_that_coincide_are_no_copies() {
    let result = series("tic-tac-toe", ["uct(playouts=300)", "uct(playouts=300)"], 120);
    let copies = result.duplicates;
    assert_eq!((copies.matches, copies.distinct, copies.effective), (120, 120, 120.0));
    assert_eq!(result.effective_pairs, 60.0);
    // One random agent is enough, and so is chance.
    assert_eq!(series("tic-tac-toe", ["random", "expectimax(depth=1)"], 40).duplicates.distinct, 40);
    assert_eq!(series("pig(2)", ["expectimax(depth=1)", "expectimax(depth=2)"], 40).duplicates.distinct, 40);
}

/// Without the reduction, a hundred copies of a won pair would accept H1 after a few of them.
#[test]
fn a_sequential_test_does_not_decide_on_copies() {
    let text = r#"
        title = "copies"
        games = ["connect-four"]
        agents = ["expectimax(depth=4)", "expectimax(depth=1)"]
        seed = 1
        pairs = 100
        budget = { playouts = 100000 }
        sprt = { elo0 = 0, elo1 = 100 }
    "#;
    let experiment = read_experiment(&tesuji_standard::catalogue(), &Source::new("copies", text), Scale::Full).unwrap();
    let summary = played(&experiment, 2);
    let result = &summary.results[0];
    assert_eq!((result.pairs, result.duplicates.distinct, result.stopped_early), (100, 2, false));
    assert_eq!(result.sprt.unwrap().decision, SprtDecision::Continue);
    // The ratings rest on one pair, too.
    let ratings = summary.ratings[0].ratings.as_ref().unwrap();
    assert_eq!(ratings.agents[0].matches, 2);
}
