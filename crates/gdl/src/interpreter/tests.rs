//! Small sheets with known answers; the reference prover's matches are in `tests/traces.rs`.

use tesuji_core::Source;

use super::{Interpreter, Limits};
use crate::Sheet;
use crate::referee::Referee;

fn sheet(text: &str) -> Sheet {
    Sheet::read(Source::new("t.kif", text)).unwrap_or_else(|error| panic!("{error}"))
}

fn interpreter(text: &str) -> Interpreter {
    Interpreter::new(&sheet(text), Limits::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The legal moves of the first role in the first state, which are what a test asks for.
fn answers(rules: &str) -> String {
    let interpreter = interpreter(&format!("(role r) {rules}"));
    interpreter.texts(&interpreter.legal(interpreter.initial(), 0).unwrap()).join(" ")
}

#[test]
fn recursion_in_all_directions_reaches_the_same_pairs() {
    let edges = "(edge a b) (edge b c) (edge c d) (edge d b) (edge e a)";
    for path in [
        "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))",
        "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))",
        "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))",
        // Told by another relation, which leads back.
        "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (far ?x ?z)) (<= (far ?x ?z) (path ?x ?y) (edge ?y ?z))",
    ] {
        let asked = answers(&format!("{edges} {path} (<= (legal r ?x) (path a ?x))"));
        assert_eq!(asked, "b c d", "{path}");
        let backwards = answers(&format!("{edges} {path} (<= (legal r ?x) (path ?x b))"));
        assert_eq!(backwards, "a b c d e", "{path}");
    }
}

#[test]
fn circles_on_demand_are_proved_to_their_end() {
    // The unused column keeps the relation from being found from the bottom up.
    let rules = "(edge a b) (edge b c) (edge c a) (edge c d)
        (<= (path ?t ?x ?y) (edge ?x ?y) (distinct ?t none))
        (<= (path ?t ?x ?z) (path ?t ?x ?y) (path ?t ?y ?z) (distinct ?t none))
        (<= (legal r ?x) (path some a ?x))
        (<= (legal r no) (not (path some d a)))
        (<= (legal r yes) (path some b d))";
    assert_eq!(answers(rules), "a b c d no yes");
}

#[test]
fn a_call_may_know_a_term_that_nothing_built_before() {
    // `legal` is asked about `(add 12 5)` before any rule built that term.
    let game = interpreter(
        "(role black) (init (control black)) (init (spot 12)) (stone 5) (number 12)
         (<= (legal ?player (add ?pos ?stone)) (true (control ?player)) (true (spot ?pos)) (stone ?stone))
         (<= terminal redWin) (<= redWin (not (hasMove black)))
         (<= (hasMove ?player) (number ?pos) (stone ?stone) (legal ?player (add ?pos ?stone)))
         (<= (goal black 100) (number ?pos) (stone ?stone) (not (legal black (add ?pos ?stone))))",
    );
    assert!(!game.terminal(game.initial()).unwrap());
    assert_eq!(game.goals(game.initial(), 0).unwrap(), [0; 0]);
    // The question itself may be the only place where the term stands.
    let differ = "(<= (other ?x ?y) (distinct ?x ?y))";
    assert_eq!(answers(&format!("(p a) {differ} (<= (legal r ?x) (p ?x) (other (f ?x) ?x))")), "a");
    assert_eq!(answers(&format!("(p a) {differ} (<= (legal r ?x) (p ?x) (not (other (f ?x) ?x)))")), "");
}

#[test]
fn conditions_outside_of_a_recursion_bound_the_terms_it_builds() {
    // Asked first, `(d (f ?u))` would call itself with larger and larger terms.
    let rules = "(given c c) (base b) (<= (d ?u) (d (f ?u)) (given ?u ?v)) (<= (d (f ?u)) (d ?w) (base ?u))
        (<= (legal r none) (not (d c)))";
    assert_eq!(answers(rules), "none");
    assert_eq!(answers(&format!("{rules} (<= (d ?x) (base ?x)) (<= (legal r ?x) (d ?x))")), "(f b) b none");
}

#[test]
fn a_call_inside_two_circles_waits_for_the_outer_one() {
    // b and d form a circle inside the circle a-b. e asks d after b was left, but before a is complete. The `distinct`
    // keeps the relations from being found from the bottom up.
    let rules = "(<= (a ?t) (b ?t)) (<= (a ?t) (e ?t)) (<= (a ?t) (distinct ?t none))
        (<= (b ?t) (d ?t)) (<= (b ?t) (a ?t)) (<= (d ?t) (b ?t)) (<= (e ?t) (d ?t))
        (<= (legal r first) (a x)) (<= (legal r second) (e x))";
    assert_eq!(answers(rules), "first second");
}

#[test]
fn denials_are_stratified_by_ground_facts() {
    let rules = "(next-to 1 2) (next-to 2 3) (next-to 3 4)
        (<= (odd 1))
        (<= (odd ?y) (next-to ?x ?y) (not (odd ?x)))
        (<= (legal r ?x) (odd ?x))";
    assert_eq!(answers(rules), "1 3");
    let goals = interpreter(
        "(role r) (init p) (<= (goal r 100) (true q)) (<= (goal ?r 50) (role ?r) (not (goal ?r 100))) \
         (<= terminal (true p))",
    );
    assert_eq!(goals.goals(goals.initial(), 0).unwrap(), [50]);
    let liar = interpreter("(role r) (<= (legal r a) (not (legal r b))) (<= (legal r b) (not (legal r a)))");
    let error = liar.legal(liar.initial(), 0).unwrap_err();
    assert!(error.to_string().contains("depends on its own denial"), "{error}");
    assert!(error.position().is_some());
    // The same question again gets the same answer.
    assert!(liar.legal(liar.initial(), 0).is_err());
}

#[test]
fn distinct_waits_for_its_variables_and_unsafe_rules_for_questions() {
    assert_eq!(answers("(p a) (p b) (<= (legal r ?x) (distinct ?x a) (p ?x))"), "b");
    let differ = "(<= (differ ?x ?y) (distinct ?x ?y))";
    assert_eq!(answers(&format!("(p a) (p b) {differ} (<= (legal r ?x) (differ ?x a) (p ?x))")), "b");
    assert_eq!(answers(&format!("(legal r a) {differ}")), "a");
    assert_eq!(answers("(p a) (p b) (<= (legal r ?x) (p ?x) (not (distinct ?x (f b))))"), "");
    assert_eq!(answers("(p a) (<= (legal r ?y) (p ?x) (not (distinct ?y (f ?x))))"), "(f a)");
    // Nothing at all is like that.
    assert_eq!(answers("(q a b) (p a) (p b) (<= (legal r ?x) (p ?x) (not (q ?x ?any)))"), "b");
    let wrong = Interpreter::new(&sheet("(role r)\n(<= (legal r ?x) (distinct ?x a))"), Limits::default());
    let error = wrong.map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("a value"), "{error}");
}

#[test]
fn functions_are_built_taken_apart_and_compared() {
    let rules = "(at (pos 1 2)) (at (pos 2 2)) (at home)
        (<= (legal r (go ?x (back ?y))) (at (pos ?x ?y)))
        (<= (legal r (same ?x)) (at (pos ?x ?x)))
        (<= (legal r here) (at home))";
    assert_eq!(answers(rules), "(go 1 (back 2)) (go 2 (back 2)) (same 2) here");
    assert_eq!(answers("(<= (open) (role r)) (<= (legal r a) (open)) (<= (legal r b) open)"), "a");
}

#[test]
fn facts_can_be_asked_for_as_a_whole() {
    let game = interpreter(
        "(role r) (init (cell 1)) (init flag) (legal r stay) (legal r drop) (<= (next ?f) (true ?f) (does r stay))
         (<= (next (was ?f)) (true ?f) (does r drop)) (<= terminal (not (true flag)))",
    );
    let mut referee = game.referee();
    referee.step(&["stay".to_owned()]).unwrap();
    assert_eq!(referee.view().unwrap().facts, ["(cell 1)", "flag"]);
    referee.step(&["DROP".to_owned()]).unwrap();
    let view = referee.view().unwrap();
    assert_eq!(view.facts, ["(was (cell 1))", "(was flag)"]);
    assert!(view.terminal && view.legal == [Vec::<String>::new()]);
    assert!(referee.step(&["fly".to_owned()]).unwrap_err().to_string().contains("nothing that these rules know"));
    assert!(referee.step(&[]).unwrap_err().to_string().contains("0 moves for 1 roles"));
}

#[test]
fn endless_rules_end_at_a_limit() {
    let small = Limits { steps: 20_000, answers: 5_000, terms: 5_000, nesting: 50, calls: 500, facts: 100 };
    for (rules, expected) in [
        ("(p a) (<= (p (s ?x)) (p ?x)) (<= (legal r ?x) (p ?x))", "functions inside each other"),
        ("(<= (p ?x) (p (s ?x))) (<= (legal r a) (p a))", ""),
        (
            "(d 1) (d 2) (d 3) (d 4) (d 5) (<= (q ?a ?b ?c ?e ?f ?g) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g)) \
             (<= (legal r (m ?a ?b ?c ?e ?f ?g)) (q ?a ?b ?c ?e ?f ?g))",
            "answers to remember",
        ),
        (
            "(d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) \
             (<= (legal r a) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g) (odd ?a ?b ?c ?e ?f ?g)) (odd 0 0 0 0 0 0) \
             (<= (odd ?a ?b ?c ?e ?f ?g) (d ?h) (d ?i) (distinct ?h ?h))",
            "",
        ),
    ] {
        let outcome = Interpreter::new(&sheet(&format!("(role r) {rules}")), small)
            .and_then(|interpreter| interpreter.legal(interpreter.initial(), 0));
        match outcome {
            Ok(_) => assert_eq!(expected, "", "{rules}"),
            Err(error) => assert!(error.to_string().contains(expected), "{rules}: {error}"),
        }
    }
}

#[test]
fn long_chains_and_long_bodies_do_not_need_a_large_stack() {
    let mut rules = String::from("(p0 a) (<= (legal r ?x) (p3000 ?x))");
    for index in 1..=3000 {
        rules.push_str(&format!("(<= (p{index} ?x) (p{} ?x) (not (q ?x)))", index - 1));
    }
    assert_eq!(answers(&rules), "a");
    let long = format!("(p a) (<= (legal r ?x) {} (p ?x))", "(not (q ?x)) (p ?y) ".repeat(2_000));
    assert_eq!(answers(&long), "a");
}

#[test]
fn many_threads_can_ask_at_once() {
    let game = interpreter(
        "(role r) (init (n z)) (legal r up) (<= (next (n (s ?x))) (true (n ?x)))
         (<= terminal (true (n (s (s (s (s (s (s (s (s z))))))))))) (<= (goal r 100) terminal)",
    );
    let walk = || {
        let mut state = game.initial().clone();
        let mut steps = 0;
        while !game.terminal(&state).unwrap() {
            let legal = game.legal(&state, 0).unwrap();
            state = game.next(&state, &legal).unwrap();
            steps += 1;
        }
        (steps, game.texts(state.terms()), game.goals(&state, 0).unwrap())
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(walk)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for result in &results {
        assert_eq!((result.0, &result.2), (8, &vec![100]));
        assert_eq!(result.1, results[0].1);
    }
}
