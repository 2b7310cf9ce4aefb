//! `tesuji soak`: short runs, bounded by rounds.

use crate::started::{folder, json_lines, printed, refused, tesuji_in};

#[test]
fn a_short_soak_kills_and_finds_no_fault() {
    let folder = folder("soak");
    let games = ["--game", "tic-tac-toe", "--game", "goofspiel(3)", "--game", "pig(10)"];
    let mut arguments = vec!["--json", "soak", "--rounds", "1", "--seed", "1", "--folder", "kept"];
    arguments.extend(games);
    let lines = json_lines(&printed(&tesuji_in(&folder, &arguments)));
    let [round, total] = &lines[..] else { panic!("a round and a total: {lines:?}") };
    assert_eq!(round["seed"], 1);
    assert_eq!((&total["rounds"], &total["faults"]), (&1.into(), &0.into()));
    let count = |part: &str, figure: &str| total[part][figure].as_u64().unwrap();
    assert!(count("experiments", "kills") >= 1 && count("experiments", "matches") >= 8, "{total}");
    assert!(count("lab", "kills") >= 2 && count("lab", "matches") >= 2, "{total}");
    assert!(count("lab", "steps_compared") > 0 && count("lab", "refused") > 0, "{total}");
    assert!(!folder.join("kept").exists(), "rounds without a fault leave nothing behind");
}

#[test]
fn wrong_plans_of_a_soak_are_refused() {
    assert!(refused(&["soak", "--minutes", "0"]).contains("expected minutes above 0"));
    assert!(refused(&["soak", "--rounds", "1", "--game", "no-such-game"]).contains("there is no game"));
}
