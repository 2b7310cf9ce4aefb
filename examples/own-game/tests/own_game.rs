//! What a game and an agent get for being in a catalogue: laws, solvers, tournaments.

use std::sync::atomic::AtomicBool;

use own_game::catalogue;
use proptest::prelude::*;
use tesuji_arena::experiment::{Scale, read_experiment};
use tesuji_arena::store::Store;
use tesuji_arena::{RunPlan, SolvePlan, Source, run_experiment, summarise};

#[test]
fn kayles_keeps_the_laws() {
    let catalogue = catalogue().unwrap();
    for example in catalogue.game("kayles").unwrap().examples {
        catalogue.open(example).unwrap().check_laws(1).unwrap_or_else(|violation| panic!("{example}: {violation}"));
    }
}

/// The first player takes the middle and then mirrors the other.
#[test]
fn the_first_player_wins_kayles() {
    let plan = SolvePlan { most_nodes: 100_000, tolerance: 1e-9, stop: None };
    for pins in 1..=9 {
        let game = catalogue().unwrap().open(&format!("kayles({pins})")).unwrap();
        assert_eq!(game.solve(None, &plan).unwrap().value, 1.0, "{pins} pins");
    }
}

#[test]
fn the_opportunist_beats_random_in_a_tournament() {
    let text = "title = \"Kayles\"\ngames = [\"kayles\"]\nagents = [\"opportunist\", \"random\"]\n\
                seed = 1\npairs = 1000\nbudget = { playouts = 1 }\n";
    let experiment = read_experiment(&catalogue().unwrap(), &Source::new("kayles.toml", text), Scale::Full).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("kayles.db")).unwrap();
    let (plan, stop) = (RunPlan { threads: 1, shard: None }, AtomicBool::new(false));
    let end = run_experiment(&experiment, ("kayles.toml", text), &mut store, plan, &stop, |_| ()).unwrap();
    assert!(end.complete && end.fouls == 0);
    let summary = summarise(&experiment, &store, end.run, false).unwrap();
    assert!(summary.results[0].win_rate.unwrap() > 0.52, "{:?}", summary.results[0].tally);
}

#[test]
fn the_opportunist_plays_the_standard_games() {
    let catalogue = catalogue().unwrap();
    assert!(catalogue.open("tubstap").unwrap().check_agent("opportunist").is_ok());
    let error = catalogue.open("goofspiel(4)").unwrap().check_agent("opportunist").unwrap_err().to_string();
    assert!(error.contains("does not handle simultaneous"), "{error}");
}

proptest! {
    #[test]
    fn any_text_is_a_state_or_an_error(text in "[!. 01]{0,12}") {
        let game = catalogue().unwrap().open("kayles(4)").unwrap();
        if let Ok(table) = game.new_match(Some(&text)) {
            prop_assert_eq!(table.state_text(), text.trim());
        }
    }
}
