//! `tesuji train` and `tesuji net` as scripts meet them.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::started::{complaint, folder, json, json_lines, printed, tesuji_in};

fn printed_in(folder: &Path, arguments: &[&str]) -> String {
    printed(&tesuji_in(folder, arguments))
}

const TRAIN: [&str; 6] = ["train", "einstein", "--hidden", "32", "--measure", "0"];

#[test]
fn from_self_play_to_an_agent() {
    let folder = folder("train-whole");
    let train = |out: &str, more: &[&str]| {
        let lines = printed_in(&folder, &[&TRAIN[..], &["--out", out, "--json"], more].concat());
        json_lines(&lines).remove(0)
    };
    let whole = train("whole.net", &["--matches", "256", "--threads", "2"]);
    assert_eq!((&whole["matches"], &whole["complete"]), (&256.into(), &true.into()));
    // A training that was interrupted after half of its matches would have had another learning rate; it is resumed
    // from the same plan in the arena's tests. Here: the seed decides, not the threads.
    let again = train("again.net", &["--matches", "256", "--threads", "1"]);
    assert_eq!(whole["hash"], again["hash"]);
    let other = train("other.net", &["--matches", "256", "--seed", "2"]);
    assert_ne!(whole["hash"], other["hash"]);
    let longer = train("again.net", &["--matches", "320", "--resume"]);
    assert_eq!(longer["matches"], 320);

    let info: Value = json_lines(&printed_in(&folder, &["net", "show", "whole.net", "--json"])).remove(0);
    assert_eq!((&info["game"], &info["matches"], &info["hash"]), (&"einstein".into(), &256.into(), &whole["hash"]));
    assert!(printed_in(&folder, &["net", "show", "whole.net"]).contains("-32-16-1"));

    let result = &json_lines(&printed_in(
        &folder,
        &["match", "einstein", "expectimax(depth=1,net=./whole.net)", "random", "--matches", "20", "--json"],
    ))[0];
    assert_eq!(result["matches"], 20);
    printed_in(
        &folder,
        &["match", "einstein", "uct(playouts=20,steps=0,first=net,net=./whole.net)", "random", "--matches", "2"],
    );
}

#[test]
fn games_with_features_are_listed() {
    let games: Vec<Value> = json(&["train", "--list", "--json"]);
    for name in ["einstein", "dice7", "tubstap", "breakthrough", "connect-four"] {
        assert!(games.iter().any(|game| game["game"] == name && game["trainable"] == true), "{name}: {games:?}");
    }
}

#[test]
fn what_is_wrong_is_told() {
    let folder = folder("train-wrong");
    printed_in(&folder, &[&TRAIN[..], &["--matches", "64", "--out", "good.net"]].concat());
    let text = fs::read_to_string(folder.join("good.net")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("short.net", &text[..text.len() / 2]);
    write("changed.net", &text.replacen("seed 1", "seed 2", 1));
    write("noise.net", "noise");
    write("good.net.training.copy", "noise");
    for (arguments, expected) in [
        (&["train", "tic-tac-toe", "--matches", "1"][..], "offers no features"),
        (&["train", "einstien"], "did you mean `einstein`?"),
        (&["train"], "GAME"),
        (&["train", "einstein", "--matches", "0"], "0 is not in"),
        (&["train", "einstein", "--minutes", "0"], "a number above 0"),
        (&["train", "einstein", "--matches", "1", "--hidden", "7"], "a multiple of 32"),
        (&["train", "einstein", "--matches", "1", "--lambda", "2"], "`lambda` cannot be 2"),
        (&["train", "einstein", "--matches", "1", "--out", "good.net"], "exists already"),
        (&["train", "einstein", "--matches", "1", "--out", "new.net", "--resume"], "no training to continue"),
        (&["train", "dice7", "--matches", "100", "--out", "good.net", "--resume"], "does not fit `dice7`"),
        (&["train", "einstein", "--matches", "1", "--out", "absent/folder.net"], "cannot write"),
        (&["train", "einstein", "dice7", "--matches", "1"], "one network serves games with the same features"),
        (&["train", "dice7(limit={1..})", "--matches", "1"], "is no range"),
        (&["net", "show", "short.net"], "damaged"),
        (&["net", "show", "changed.net"], "the hash differs"),
        (&["net", "show", "noise.net"], "expected `tesuji-network 2`"),
        (&["net", "show", "absent.net"], "cannot read"),
        (&["net", "show", "unknown", "--game", "einstein"], "comes with no network `unknown`"),
        (&["match", "dice7", "expectimax(net=./good.net)", "random"], "does not fit `dice7`"),
        (&["match", "einstein", "expectimax(net=./short.net)", "random"], "damaged"),
        (&["match", "einstein", "expectimax(net=./absent.net)", "random"], "tesuji train"),
        (&["match", "einstein", "expectimax(net=unknown)", "random"], "has no such net"),
        (&["match", "tic-tac-toe", "expectimax(evaluation=net)", "random"], "comes without a network"),
        (&["match", "dice7", "expectimax(evaluation=race,net=./good.net)", "random"], "which needs no network"),
    ] {
        let said = complaint(&tesuji_in(&folder, arguments));
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn tuning_finds_a_planted_difference_and_says_what_is_wrong() {
    let folder = folder("tune");
    let tune =
        |more: &[&str]| tesuji_in(&folder, &[&["tune", "tic-tac-toe", "uct(playouts=2)", "--json"][..], more].concat());
    let found =
        json_lines(&printed(&tune(&["--over", "playouts=2|200", "--matches", "100", "--confirm", "400"]))).remove(0);
    assert_eq!((&found["agent"], &found["improved"]), (&"uct(playouts=200)".into(), &true.into()));
    let one = printed(&tune(&["--over", "c=0.1..1", "--matches", "40", "--confirm", "0", "--threads", "1"]));
    let two = printed(&tune(&["--over", "c=0.1..1", "--matches", "40", "--confirm", "0", "--threads", "2"]));
    assert_eq!(one, two, "a seed, the same result");
    for (over, expected) in [
        ("c=1", "expected two values or more"),
        ("c", "expected a parameter and its values"),
        ("c=2..1", "the smaller first"),
        ("speed=1|2", "speed"),
        ("c=1|fast", "fast"),
    ] {
        let said = complaint(&tune(&["--over", over]));
        assert!(said.contains(expected), "{over}: {said}");
    }
}
