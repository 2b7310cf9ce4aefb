//! Series: fair, repeatable, independent of threads.

use std::sync::atomic::AtomicBool;

use tesuji_arena::{SeriesPlan, SeriesResult, open, play_series};

fn play(game: &str, agents: &[&str], games: u64, threads: usize) -> SeriesResult {
    let plan = SeriesPlan {
        agents: agents.iter().map(|&agent| agent.to_owned()).collect(),
        games,
        seed: 5,
        budget: "30".parse().unwrap(),
        threads,
    };
    play_series(open(game).unwrap().as_ref(), &plan, &AtomicBool::new(false), |_| ()).unwrap()
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
    let game = open("tic-tac-toe").unwrap();
    let plan = |agents: &[&str], games| SeriesPlan {
        agents: agents.iter().map(|&agent| agent.to_owned()).collect(),
        games,
        seed: 1,
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
