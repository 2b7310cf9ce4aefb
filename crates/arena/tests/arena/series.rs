//! Series: fair, repeatable, independent of threads, with the statistics of experiments.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use tesuji_arena::experiment::{EnteredGame, Experiment, Scale, read_experiment};
use tesuji_arena::store::Store;
use tesuji_arena::{
    Budget, Entrant, InputError, Player, Rng, RunEnd, RunPlan, Source, Summary, library_entry, mix, run_experiment,
    summarise,
};

const BUDGET: Budget = Budget::playouts(30);
const SEED: u64 = 5;

fn series(game: &str, agents: &[&str], matches: u64) -> Result<Experiment, InputError> {
    let agents: Vec<String> = agents.iter().map(|&agent| agent.to_owned()).collect();
    Experiment::series(EnteredGame::open(&tesuji_standard::catalogue(), game)?, &agents, BUDGET, matches, SEED)
}

fn run(experiment: &Experiment, threads: usize) -> (RunEnd, Summary) {
    let mut store = Store::temporary().unwrap();
    let (plan, stop) = (RunPlan { threads, shard: None }, AtomicBool::new(false));
    let end = run_experiment(experiment, ("series", ""), &mut store, plan, &stop, |_| ()).unwrap();
    let summary = summarise(experiment, &store, end.run, false).unwrap();
    (end, summary)
}

fn play(game: &str, agents: &[&str], matches: u64) -> Summary {
    run(&series(game, agents, matches).unwrap(), 2).1
}

/// A path with nothing there.
fn absent(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::remove_file(&path).ok();
    path
}

#[test]
fn results_do_not_depend_on_threads() {
    let experiment = series("tic-tac-toe", &["uct", "random"], 21).unwrap();
    let [one, three] = [1, 3].map(|threads| format!("{:?}", run(&experiment, threads).1));
    assert_eq!(one, three);
}

#[test]
fn seats_are_swapped_and_counted() {
    let summary = play("tic-tac-toe", &["random", "random"], 40);
    let result = &summary.results[0];
    assert_eq!((summary.matches, result.tally.matches(), &result.agents[1][..]), (40, 40, "random (2)"));
    for seats in &result.by_seat {
        assert_eq!(seats.iter().map(|tally| tally.matches()).collect::<Vec<_>>(), [20, 20]);
    }
    let [first, second] = &result.by_seat[..] else { panic!() };
    assert_eq!(first[0].wins, second[1].losses);
    assert_eq!(first[1].draws, second[0].draws);
}

/// Seeded series play the matches that they always played: round n has the seed `mix(seed, n)`.
#[test]
fn a_round_has_the_seed_of_the_series_and_its_number() {
    let experiment = series("connect-four", &["uct", "mc"], 6).unwrap();
    let (_, summary) = run(&experiment, 2);
    let entrant = |address: &str| Entrant { address: address.to_owned(), budget: BUDGET, start: None, limit: None };
    let mut ring = experiment.games[0].game.ring(&["uct", "mc"].map(entrant)).unwrap();
    let steps = |(round, seating)| f64::from(ring.play(seating, mix(SEED, round), false).steps);
    let mean = (0..3).flat_map(|round| [(round, 0), (round, 1)]).map(steps).sum::<f64>() / 6.0;
    assert_eq!(summary.results[0].mean_steps, Some(mean));
}

#[test]
fn every_number_of_agents_that_fits_the_game_plays() {
    for (game, agents, matches, counted) in [
        ("tree(alone)", &["random"][..], 5, 5),
        // Alone, a round of two matches is one contest.
        ("tree(alone)", &["uct", "random"], 10, 5),
        ("tree(three-players)", &["uct", "random"], 7, 9),
        ("tree(three-players)", &["random", "uct", "random"], 9, 9),
    ] {
        let summary = play(game, agents, matches);
        let result = &summary.results[0];
        assert_eq!(result.tally.matches(), counted, "{game} {agents:?}");
        assert_eq!(result.by_seat.len(), agents.len(), "{game} {agents:?}");
        assert!(summary.complete && result.pair_interval.is_some(), "{game} {agents:?}");
        assert!(result.mean_payoffs.iter().all(Option::is_some), "{result:?}");
    }
    let summary = play("tree(three-players)", &["random", "random", "random"], 30);
    let result = &summary.results[0];
    assert_eq!(result.second, "random (2), random (3)");
    for tally in result.by_seat.iter().flatten() {
        assert_eq!(tally.matches(), 10);
    }
}

/// Half points do not fit rounds of three matches: their interval is over win rates.
#[test]
fn the_interval_over_rounds_of_three_contains_the_win_rate() {
    let result = &play("tree(three-players)", &["random", "random", "random"], 90).results[0];
    let (rate, (low, high)) = (result.win_rate.unwrap(), result.pair_interval.unwrap());
    assert!(low < rate && rate < high && high - low < 0.3, "{rate}: {low} to {high}");
}

#[test]
fn impossible_series_are_refused() {
    for (agents, matches, expected) in [
        (&["random"][..], 2, "is for 2 player(s), got 1"),
        (&["random", "randem"], 2, "did you mean `random`?"),
        (&["random", "random"], 0, "0 matches"),
        (&["random", "random"], u64::MAX, "too many"),
    ] {
        let error = series("tic-tac-toe", agents, matches).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn a_clean_sweep_does_not_claim_certainty() {
    let (end, summary) = run(&series("tic-tac-toe", &["random", "faulty(illegal,after=0)"], 20).unwrap(), 1);
    let result = &summary.results[0];
    assert_eq!((result.tally.wins, end.fouls, result.forfeited), (20, 20, 20));
    let (low, high) = result.pair_interval.unwrap();
    assert!(low < 0.8 && high == 1.0, "{low} to {high}");
}

/// Only a few different matches are possible, but random ones are no copies of each other.
#[test]
fn random_matches_are_no_copies() {
    let duplicates = play("tree(three-players)", &["random", "random"], 300).results[0].duplicates;
    assert_eq!((duplicates.matches, duplicates.distinct, duplicates.effective), (300, 300, 300.0));
}

/// The table is there when the run begins, and gone when a thread builds the agent that reads it.
#[test]
fn an_agent_that_cannot_be_built_on_a_thread_is_reported() {
    let path = absent("vanishing.csv");
    std::fs::write(&path, "unit,hp,target,damage,risk,samples,membership\n6,10,0,0,0,1,1\n").unwrap();
    let agent = format!("uct(fuzzy=\"{}\",first=membership)", path.display());
    let experiment = series("tubstap(map=one-blow)", &[&agent, "random"], 4).unwrap();
    let mut store = Store::temporary().unwrap();
    let (plan, stop) = (RunPlan { threads: 2, shard: None }, AtomicBool::new(false));
    let end = run_experiment(&experiment, ("series", ""), &mut store, plan, &stop, |_| {
        std::fs::remove_file(&path).ok();
    });
    let error = end.unwrap_err().to_string();
    assert!(error.contains("vanishing.csv"), "{error}");
}

#[test]
fn a_series_is_the_experiment_of_its_text() {
    for (game, agents) in [
        ("tic-tac-toe", &["uct", "uct"][..]),
        ("tree(alone)", &["random"]),
        ("tree(three-players)", &["random", "uct", "mc"]),
    ] {
        let mut experiment = series(game, agents, 12).unwrap();
        experiment.start = Some(Budget::playouts(7));
        let text = experiment.to_toml().unwrap();
        let read = read_experiment(&tesuji_standard::catalogue(), &Source::new("series.toml", &text), Scale::Full);
        let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(format!("{read:?}"), format!("{experiment:?}"), "{text}");
        assert_eq!(format!("{:?}", run(&read, 1).1), format!("{:?}", run(&experiment, 1).1));
    }
    let mut experiment = series("tic-tac-toe", &["uct", "mc"], 2).unwrap();
    experiment.seed = u64::MAX;
    let text = Source::new("seed.toml", experiment.to_toml().unwrap());
    assert_eq!(read_experiment(&tesuji_standard::catalogue(), &text, Scale::Full).unwrap().seed, u64::MAX);
}

#[test]
fn experiments_are_written_as_they_were_read() {
    let catalogue = tesuji_standard::catalogue();
    for id in ["000/table2", "003/ladder", "004/gap", "generic/dice"] {
        let source = library_entry(id).unwrap().source().unwrap();
        let experiment = read_experiment(&catalogue, &source, Scale::Quick).unwrap();
        let text = experiment.to_toml().unwrap();
        let mut again = read_experiment(&catalogue, &Source::new("again.toml", &text), Scale::Full).unwrap();
        again.scale = Scale::Quick;
        assert_eq!(format!("{again:?}"), format!("{experiment:?}"), "{id}\n{text}");
    }
}

#[test]
fn what_is_thought_before_the_match_serves_every_seat() {
    let first_visits = |start: Option<Budget>, seating| {
        let entrant = Entrant { address: "uct".to_owned(), budget: Budget::playouts(20), start, limit: None };
        let game = tesuji_standard::catalogue().open("connect-four").unwrap();
        let played = game.ring(&[entrant.clone(), entrant]).unwrap().play(seating, 7, false);
        played.decisions[..2].iter().map(|decision| (decision.player, decision.visits)).collect::<Vec<_>>()
    };
    for seating in 0..2 {
        for (player, visits) in first_visits(None, seating) {
            assert!(visits <= 20, "{player:?}: {visits}");
        }
        for (player, visits) in first_visits(Some(Budget::playouts(2_000)), seating) {
            assert!(visits > 20, "{player:?}: {visits}");
        }
    }
}

#[test]
fn a_fault_on_the_start_clock_forfeits_the_match() {
    let entrant =
        |address: &str, start| Entrant { address: address.to_owned(), budget: Budget::playouts(1), start, limit: None };
    let game = tesuji_standard::catalogue().open("tic-tac-toe").unwrap();
    let agents = ["random", "faulty(panic,after=0)"];
    let start = Some(Budget::playouts(1));
    let mut ring = game.ring(&agents.map(|agent| entrant(agent, start))).unwrap();
    let played = ring.play(0, 1, false);
    assert_eq!((played.steps, &played.payoffs[..]), (0, &[1.0, 0.0][..]));
    let foul = played.foul(&agents.map(str::to_owned), ring.seatings());
    assert_eq!(foul.as_deref(), Some("faulty(panic,after=0): panicked: a fault on purpose before the match"));
}

#[test]
fn a_table_grants_a_start_clock() {
    let mut table = tesuji_standard::catalogue().open("connect-four").unwrap().new_match(None).unwrap();
    let (budget, mut rng) = (Budget::playouts(1_000), Rng::new(1));
    let refused = table.prepare(Player(1), &budget, &mut rng).unwrap_err().to_string();
    assert!(refused.starts_with("no agent sits at"), "{refused}");
    assert_eq!(table.prepare(Player(9), &budget, &mut rng).unwrap_err().to_string(), "there is no such seat");
    table.seat(Player(1), "uct").unwrap();
    table.prepare(Player(1), &budget, &mut rng).unwrap();
    let opening = table.legal(table.actors()[0].0)[0].clone();
    table.step(&[opening]).unwrap();
    let decision = table.think(Player(1), &Budget::playouts(10), &mut rng).unwrap();
    assert_eq!(decision.playouts, 10);
    assert!(decision.candidates.iter().map(|candidate| candidate.visits).sum::<u64>() > 10);
}

#[test]
fn agents_can_keep_their_seats() {
    let kept = series("tic-tac-toe", &["uct", "random"], 7).unwrap().with_fixed_seats(7);
    let (end, summary) = run(&kept, 2);
    assert!(end.complete);
    let result = &summary.results[0];
    assert_eq!((summary.matches, result.tally.matches()), (7, 7));
    let taken = |agent: usize, seat: usize| result.by_seat[agent][seat].matches();
    assert_eq!([taken(0, 0), taken(0, 1), taken(1, 0), taken(1, 1)], [7, 0, 0, 7]);
    // The file says so, and is another run than the one with swapped seats.
    let text = kept.to_toml().unwrap();
    assert!(text.contains("fixed_seats = true"), "{text}");
    let read = read_experiment(&tesuji_standard::catalogue(), &Source::new("kept.toml", &text), Scale::Full).unwrap();
    assert!(read.fixed_seats);
    let both = series("tic-tac-toe", &["uct", "random"], 7).unwrap();
    let identity = |experiment: &Experiment| tesuji_arena::experiment_identity(experiment).unwrap();
    assert_eq!(identity(&read), identity(&kept));
    assert_ne!(identity(&both), identity(&kept));
    assert!(run(&both, 2).1.results[0].by_seat[0].iter().all(|tally| tally.matches() == 4));
}
