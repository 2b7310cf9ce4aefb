//! Series: fair, repeatable, independent of threads.

use std::sync::atomic::AtomicBool;

use tesuji_arena::{Budget, Catalogue, Entrant, Player, Rng, SeriesPlan, SeriesResult, play_series};

fn play(game: &str, agents: &[&str], games: u64, threads: usize) -> SeriesResult {
    let plan = SeriesPlan {
        agents: agents.iter().map(|&agent| agent.to_owned()).collect(),
        games,
        seed: 5,
        start: None,
        limit: None,
        budget: "30".parse().unwrap(),
        threads,
    };
    play_series(Catalogue::standard().open(game).unwrap().as_ref(), &plan, &AtomicBool::new(false), |_| ()).unwrap()
}

fn without_times(mut result: SeriesResult) -> String {
    result.figures.iter_mut().for_each(|figures| figures.milliseconds_per_decision = 0.0);
    format!("{result:?}")
}

#[test]
fn results_do_not_depend_on_threads() {
    let agents = ["uct", "random"];
    assert_eq!(without_times(play("tic-tac-toe", &agents, 21, 1)), without_times(play("tic-tac-toe", &agents, 21, 2)));
}

#[test]
fn seats_are_swapped_and_counted() {
    let result = play("tic-tac-toe", &["random", "random"], 40, 2);
    assert_eq!(result.tally.games(), 40);
    for figures in &result.figures {
        assert_eq!(figures.by_seat.iter().map(|tally| tally.games()).collect::<Vec<_>>(), [20, 20]);
    }
    let [first, second] = &result.figures[..] else { panic!() };
    assert_eq!(first.by_seat[0].wins, second.by_seat[1].losses);
    assert_eq!(first.by_seat[1].draws, second.by_seat[0].draws);
}

#[test]
fn impossible_series_are_refused() {
    let game = Catalogue::standard().open("tic-tac-toe").unwrap();
    let plan = |agents: &[&str], games| SeriesPlan {
        agents: agents.iter().map(|&agent| agent.to_owned()).collect(),
        games,
        seed: 1,
        start: None,
        limit: None,
        budget: "10".parse().unwrap(),
        threads: 1,
    };
    for (plan, expected) in [
        (plan(&["random"], 2), "is for 2 player(s), got 1"),
        (plan(&["random", "randem"], 2), "did you mean `random`?"),
        (plan(&["random", "random"], 0), "0 games"),
    ] {
        let error = play_series(game.as_ref(), &plan, &AtomicBool::new(false), |_| ()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn what_is_thought_before_the_match_serves_every_seat() {
    let first_visits = |start: Option<Budget>, seating| {
        let entrant = Entrant { address: "uct".to_owned(), budget: Budget::playouts(20), start, limit: None };
        let game = Catalogue::standard().open("connect-four").unwrap();
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
    let game = Catalogue::standard().open("tic-tac-toe").unwrap();
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
    let mut table = Catalogue::standard().open("connect-four").unwrap().table(None).unwrap();
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
