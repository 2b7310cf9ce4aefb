//! `tesuji gdl` as scripts meet it.

use std::path::Path;

use serde_json::json;

use crate::started::{complaint, json as lines, json_lines, printed, scratch, tesuji, text};

fn sheet(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/gdl").join(name).display().to_string()
}

/// Nim with one heap of two; everything can be written down.
const NIM: &str = "(role a) (role b) (init (heap 2)) (init (turn a))\n\
    (less 2 1) (less 1 0)\n\
    (<= (legal ?p take) (true (turn ?p))) (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))\n\
    (<= (next (heap ?m)) (true (heap ?n)) (less ?n ?m))\n\
    (<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))\n\
    (<= terminal (true (heap 0))) (<= (goal ?p 0) (true (heap 0)) (true (turn ?p)))\n\
    (<= (goal ?p 100) (true (heap 0)) (role ?p) (not (true (turn ?p))))\n";

#[test]
fn replay_prints_one_object_a_state_on_every_engine() {
    let rules = scratch("nim.kif", NIM);
    let moves = scratch("nim.moves", "take\tnoop\n# a comment\n\nnoop\t take \n");
    for engine in ["interpreter", "network", "lanes"] {
        let states = lines(&["gdl", "replay", &rules, "--moves", &moves, "--engine", engine]);
        assert_eq!(
            states,
            [
                json!({"facts": ["(heap 2)", "(turn a)"], "legal": {"a": ["take"], "b": ["noop"]}, "terminal": false,
                    "goals": {"a": null, "b": null}}),
                json!({"facts": ["(heap 1)", "(turn b)"], "legal": {"a": ["noop"], "b": ["take"]}, "terminal": false,
                    "goals": {"a": null, "b": null}}),
                json!({"facts": ["(heap 0)", "(turn a)"], "legal": {}, "terminal": true, "goals": {"a": 0, "b": 100}}),
            ],
            "{engine}"
        );
    }
    let moves = scratch("spaces.moves", "( place  1 1 )\tnoop\n");
    let states = lines(&["gdl", "replay", &sheet("tic-tac-toe.kif"), "--moves", &moves]);
    assert_eq!(states.len(), 2);
}

#[test]
fn bad_moves_are_errors_with_their_place() {
    let rules = scratch("bad-nim.kif", NIM);
    for (name, moves, place, message) in [
        ("illegal", "take\tnoop\nnoop\tfly\n", ":2:6", "`fly` is not a legal move of b here"),
        ("few", "take\n", ":1:1", "1 move(s) for 2 role(s)"),
        ("late", "take\tnoop\nnoop\ttake\ntake\tnoop\n", ":3:1", "a move after the end"),
    ] {
        let moves = scratch(&format!("{name}.moves"), moves);
        let output = tesuji(&["gdl", "replay", &rules, "--moves", &moves, "--json"]);
        let said = complaint(&output);
        assert!(said.contains(place) && said.contains(message), "{name}: {said}");
    }
    let output = tesuji(&["gdl", "replay", &rules, "--moves", &rules, "--engine", "steam"]);
    assert!(complaint(&output).contains("there is no engine `steam`"));
}

#[test]
fn check_fails_on_errors_only() {
    printed(&tesuji(&["gdl", "check", &sheet("tic-tac-toe.kif")]));
    let broken = scratch("broken.kif", &format!("{NIM}(<= (legal a ?x) (not (true ?x)))\n(unused 1)\n"));
    let output = tesuji(&["gdl", "check", &broken]);
    assert!(!output.status.success());
    let drawn = text(&output.stdout);
    assert!(drawn.contains("nothing gives the variable ?x of the head") && drawn.contains("broken.kif:8:1"), "{drawn}");
    let output = tesuji(&["gdl", "check", &broken, "--json"]);
    let findings = json_lines(&text(&output.stdout));
    assert_eq!((findings[0]["severity"].as_str(), findings[0]["line"].as_u64()), (Some("error"), Some(8)));
    assert!(findings.iter().any(|finding| finding["severity"] == "note"), "{findings:?}");
    let unread = scratch("unread.kif", "(role x");
    let output = tesuji(&["gdl", "check", &unread, "--json"]);
    assert!(!output.status.success() && text(&output.stdout).contains("never closed"));
}

#[test]
fn info_and_verify_tell_engines_and_sizes() {
    let info = &lines(&["gdl", "info", &sheet("tic-tac-toe.kif"), "--json"])[0];
    assert_eq!(info["roles"].as_array().unwrap().len(), 2);
    assert_eq!(info["engine"], "network");
    assert!(info["network"]["gates"].as_u64().unwrap() > 0);
    assert!(info["relations"].as_array().unwrap().iter().any(|relation| relation["name"] == "legal"));
    let dot = tesuji(&["gdl", "dot", &sheet("tic-tac-toe.kif")]);
    assert!(dot.status.success() && text(&dot.stdout).starts_with("digraph network {"), "{}", text(&dot.stderr));
    let verified = &lines(&["gdl", "verify", &sheet("tic-tac-toe.kif"), "--matches", "5", "--json"])[0];
    assert_eq!((&verified["agree"], &verified["finished"]), (&json!(true), &json!(5)));
    assert_eq!(verified["engines"], json!(["interpreter", "network", "lanes"]));
}

#[test]
fn limits_can_be_set_and_are_named_when_they_are_reached() {
    let rules = sheet("breakthrough.kif");
    for (option, value, reason) in
        [("--atoms", "10", "more than 10 atoms"), ("--ground-rules", "3", "more than 3 rules without variables")]
    {
        let info = &lines(&["gdl", "info", &rules, option, value, "--json"])[0];
        assert_eq!(info["engine"], "interpreter", "{option}");
        assert!(info["reason"].as_str().unwrap().contains(reason), "{option}: {}", info["reason"]);
    }
    let output = tesuji(&["gdl", "check", &rules, "--facts", "5", "--json"]);
    assert!(!output.status.success());
    assert!(text(&output.stdout).contains("facts in a state"), "{}", text(&output.stdout));
    let output = tesuji(&["gdl", "verify", &rules, "--depth", "0"]);
    assert_eq!(output.status.code(), Some(2), "a limit of nothing is no limit");
}

fn repository(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path).display().to_string()
}

#[test]
fn why_explains_facts_and_their_absence() {
    let moves = scratch("why.moves", "(place 1 1)\tnoop\n");
    let rules = sheet("tic-tac-toe.kif");
    let told = printed(&tesuji(&["gdl", "why", &rules, "--moves", &moves, "(legal o (place 1 1))"]));
    assert!(told.contains("lines 25-29") && told.contains("NO  (not (taken 1 1))"), "{told}");
    let tree = &lines(&["gdl", "why", &rules, "--moves", &moves, "(legal o (place 2 1))", "--json"])[0];
    assert_eq!((&tree["holds"], &tree["because"], &tree["rule"]["line"]), (&json!(true), &json!("rule"), &json!(25)));
    assert!(complaint(&tesuji(&["gdl", "why", &rules, "(legal"])).contains("never closed"));
}

#[test]
fn tutor_reports_the_first_disagreement() {
    let examples = repository("data/rulebooks/tic-tac-toe.examples");
    let told = printed(&tesuji(&["gdl", "tutor", &sheet("tic-tac-toe.kif"), "--examples", &examples]));
    assert!(told.contains("agrees with 3 examples"), "{told}");
    let right = std::fs::read_to_string(sheet("tic-tac-toe.kif")).unwrap();
    let faulty = scratch("faulty.kif", &right.replace("    (not (taken ?column ?row)))", "    (index ?row))"));
    let output = tesuji(&["gdl", "tutor", &faulty, "--examples", &examples, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["agree"], json!(false));
    assert_eq!(told["disagreement"]["question"], json!("(legal o (place 1 1))"));
    assert_eq!(told["disagreement"]["suspects"][0]["line"], json!(25));
    let output = tesuji(&["gdl", "tutor", &faulty, "--examples", &examples]);
    let drawn = String::from_utf8(output.stdout).unwrap();
    assert!(drawn.contains("look at this rule first"), "{drawn}");
    let broken = scratch("broken.kif", "(role x");
    let output = tesuji(&["gdl", "tutor", &broken, "--examples", &examples, "--json"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &told["errors"][0]["line"]), (Some(1), &json!(1)));
    let damaged = scratch("damaged.examples", "example a\nfly\n");
    let output = tesuji(&["gdl", "tutor", &faulty, "--examples", &damaged]);
    assert!(complaint(&output).contains("no statement begins with `fly`"));
}

#[test]
fn the_loop_of_model_and_tutor_ends_with_a_right_sheet() {
    let python = std::process::Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) {
        println!("skipped: there is no python3");
        return;
    }
    let output = std::process::Command::new("python3")
        .arg(repository("examples/rules-from-prose/loop.py"))
        .arg(repository("data/rulebooks/tic-tac-toe.md"))
        .arg(repository("data/rulebooks/tic-tac-toe.examples"))
        .args(["--", "python3", &repository("examples/rules-from-prose/scripted_model.py"), &sheet("tic-tac-toe.kif")])
        .env("TESUJI", env!("CARGO_BIN_EXE_tesuji"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.contains("round 4: agrees"), "{told}");
}
