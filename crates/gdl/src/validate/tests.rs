//! One small sheet for each finding.

use tesuji_core::Source;

use super::{Severity, Trial, validate};
use crate::Sheet;

/// A sound game of one step; findings come from what is added.
const SOUND: &str = "(role r) (init start) (legal r go) (<= (next over) (does r go)) (<= terminal (true over)) \
                     (goal r 100)\n";

fn findings(text: &str) -> Vec<String> {
    let sheet = Sheet::read(Source::new("t.kif", text)).unwrap_or_else(|error| panic!("{error}"));
    let findings = validate(&sheet, &Trial { matches: 3, most_steps: 30, ..Trial::default() });
    findings.iter().map(|finding| format!("{}: {}", finding.severity.name(), finding.error)).collect()
}

#[test]
fn a_sound_sheet_has_no_findings() {
    assert_eq!(findings(SOUND), Vec::<String>::new());
}

#[test]
fn findings_about_one_clause_name_its_place() {
    for (clause, expected) in [
        ("(<= (true p) (true q))", "error: t.kif:2:1: `true` cannot be the head"),
        ("(<= (does r go) (true q))", "error: t.kif:2:1: `does` cannot be the head"),
        ("(<= (role s) (true q))", "error: t.kif:2:1: `role` cannot depend on conditions"),
        ("(<= (legal r b) (next over))", "error: t.kif:2:1: `legal` depends on what is done, but it is asked before"),
        ("(<= (legal r b) (init start))", "error: t.kif:2:1: `init` cannot be a condition"),
        ("(<= (legal r b) (true a b))", "error: t.kif:2:1: `true` takes 1 argument(s), here are 2"),
        ("(goal r)", "error: t.kif:2:1: `goal` takes 2 argument(s), here are 1"),
        ("(<= (legal r b) (does r go))", "error: t.kif:2:1: `legal` depends on what is done"),
        ("(<= (init x) (true over))", "error: t.kif:2:1: `init` depends on a state"),
        ("(p a) (<= (legal r b) (p a b))", "error: t.kif:2:7: the relation `p` has 2 argument(s) here and 1 in line 2"),
        ("(<= (legal r ?x) (not (true ?x)))", "error: t.kif:2:1: nothing gives the variable ?x of the head a value"),
        (
            "(p a) (<= (legal r go) (p a) (distinct ?y a))",
            "error: t.kif:2:7: nothing gives the variable ?y of `distinct`",
        ),
        ("(<= (p ?x) (distinct ?x a))", "warning: t.kif:2:1: nothing gives the variable ?x"),
        ("(<= (goal r 0) (not (goal r 0)))", "error: t.kif:2:1: (goal r 0) depends on its own denial"),
        ("(<= (legal r a) (not q)) (<= q (not p)) (<= p (not q))", "warning: t.kif:2:26: `not p` may lead back"),
        ("(p a) (<= (p (s ?x)) (p ?x)) (<= (legal r ?x) (p ?x))", "error: t.kif:2:7: this recursion may never end"),
        ("(<= (legal r b) (cel a)) (cell a)", "warning: t.kif:2:1: the relation `cel` is never defined"),
        ("(<= (goal r 200) (true nothing))", "error: t.kif:2:1: the goal `200` is no number from 0 to 100"),
        ("(<= (goal r many) (true nothing))", "error: t.kif:2:1: the goal `many` is no number"),
        ("(<= (legal r Start) (true start))", "warning: t.kif:2:14: `Start` and `start` differ in case"),
        ("(<= (legal r b) (TRUE start) (true ?x) (true ?X))", "warning: t.kif:2:46: `?X` and `?x` differ in case"),
        ("(unused a)", "note: t.kif:2:1: the relation `unused` is never used"),
        ("(<= (p) (true start)) (<= (legal r b) p)", "warning: t.kif:2:23: `p` and `(p)` are not the same"),
        ("(goal r 0)", "error: t.kif: r has the goals 0, 100 at once at the end of random match 0, after 1 steps"),
        ("(<= (goal r 0) (true over)) (goal r 050)", "error: t.kif: r has the goals 0, 050, 100 at once at the end"),
        ("(role s) (goal s 0)", "error: t.kif: s has no legal move in step 0 of random match 0"),
        ("(role s) (legal s go)", "error: t.kif: s has no goal at the end of random match 0"),
    ] {
        let found = findings(&format!("{SOUND}{clause}"));
        assert!(found.iter().any(|finding| finding.starts_with(expected)), "{clause}:\n{}", found.join("\n"));
    }
}

#[test]
fn the_same_goal_twice_is_one_goal() {
    assert_eq!(
        findings(&format!("{SOUND}(<= (goal r 100) (true over)) (<= (goal r 0100) (not (true start)))")),
        [""; 0]
    );
}

#[test]
fn what_is_missing_is_named_and_matches_must_end() {
    let found = findings("(p a)").join("\n");
    for word in ["`role`", "`legal`", "`terminal`", "`goal`", "`init`", "`next`"] {
        assert!(found.contains(&format!("no {word} is defined")), "{found}");
    }
    let endless = findings("(role r) (init p) (legal r a) (<= (next p) (true p)) (<= terminal (true q)) (goal r 1)");
    assert_eq!(endless, ["warning: t.kif: random match 0 did not end within 30 steps"]);
}

#[test]
fn two_worlds_are_met_in_play() {
    let found = findings(
        "(role r) (init s) (legal r a) (<= (next p) (not (next q)) (does r a)) (<= (next q) (not (next p)) (does r a)) \
         (<= terminal (true p)) (<= terminal (true q)) (goal r 1)",
    );
    assert!(found.iter().any(|finding| finding.contains("contradict each other")), "{}", found.join("\n"));
}

#[test]
fn a_hint_names_the_nearest_relation() {
    let text = format!("{SOUND}(cell a) (<= (legal r b) (cel a))");
    let sheet = Sheet::read(Source::new("t.kif", text)).unwrap();
    let findings = validate(&sheet, &Trial::default());
    let warning = findings.iter().find(|finding| finding.severity == Severity::Warning).unwrap();
    assert_eq!(warning.error.help_text(), Some("did you mean `cell`?"));
}
