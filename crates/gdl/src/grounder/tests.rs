//! Small sheets with known answers, refusals, limits, and token soup.

use proptest::prelude::*;
use tesuji_core::Source;

use super::split::SplitOrder;
use super::{Grounding, GroundingLimits, Limit, TooLarge, ground, ground_once};
use crate::{Ground, Sheet};

const FRAME: &str = "(role a) (legal a go) (goal a 100)\n";

fn sheet(text: &str) -> Sheet {
    Sheet::read(Source::new("t.kif", format!("{FRAME}{text}"))).unwrap_or_else(|error| panic!("{error}"))
}

fn grounded(sheet: &Sheet) -> Ground {
    match ground(sheet, &GroundingLimits::default(), &|| false) {
        Ok(Grounding::Done(ground, _)) => *ground,
        other => panic!("{other:?}"),
    }
}

fn complaint(text: &str) -> String {
    ground(&sheet(text), &GroundingLimits::default(), &|| false).map(|_| ()).expect_err(text).to_string()
}

fn too_large(text: &str, limits: &GroundingLimits) -> TooLarge {
    match ground(&sheet(text), limits, &|| false) {
        Ok(Grounding::TooLarge(why)) => why,
        other => panic!("{other:?}"),
    }
}

/// The facts that are found reachable, and those of the first state.
fn facts(text: &str) -> (Vec<String>, Vec<String>) {
    let sheet = sheet(text);
    let ground = grounded(&sheet);
    let texts: Vec<String> = ground.facts.iter().map(|&fact| ground.terms.text(fact, &sheet.symbols)).collect();
    let first = texts.iter().zip(&ground.initial).filter(|(_, holds)| **holds).map(|(text, _)| text.clone()).collect();
    (texts, first)
}

#[test]
fn reachable_facts_follow_from_static_relations_functions_and_equalities() {
    let (all, first) = facts(
        "(succ 1 2) (succ 2 3) (succ 3 4) (square 1) (square 2) (square 3) (even 2)
         (<= (init (at (pos ?x (f ?x)))) (square ?x) (not (even ?x)))
         (<= (less ?x ?y) (succ ?x ?y))
         (<= (less ?x ?z) (less ?x ?y) (succ ?y ?z))
         (<= (next (seen ?y)) (true (at (pos ?x (f ?x)))) (or (less ?y ?x) (and (succ ?x ?y) (not (distinct ?y 2)))))
         (<= (next (never)) (true (at (pos 2 ?anything))))
         (<= (next (at ?p)) (true (at ?p)))
         (<= terminal (true (seen 2)))",
    );
    assert_eq!(all, ["(at (pos 1 (f 1)))", "(at (pos 3 (f 3)))", "(seen 1)", "(seen 2)"]);
    assert_eq!(first, ["(at (pos 1 (f 1)))", "(at (pos 3 (f 3)))"]);
}

#[test]
fn static_relations_that_swell_are_unfolded() {
    // 465 pairs that follow each other make 216,225 pairs of pairs; the one user needs those from the square (1, 2).
    let numbers: String = (0..30).map(|number| format!("(succ {number} {})", number + 1)).collect();
    let text = format!(
        "{numbers} (init (at 1 2)) (square 1) (square 2)
         (<= (less ?x ?y) (succ ?x ?y))
         (<= (less ?x ?z) (less ?x ?y) (succ ?y ?z))
         (<= (beyond ?x ?y ?u ?v) (less ?x ?u) (less ?y ?v) (distinct ?u 30))
         (<= (next (at ?u ?v)) (true (at ?x ?y)) (square ?x) (square ?y) (beyond ?x ?y ?u ?v) (not (square ?u)))
         (<= terminal (true (at 9 9)))"
    );
    let Ok(Grounding::Done(ground, statistics)) = ground(&sheet(&text), &GroundingLimits::default(), &|| false) else {
        panic!("too large")
    };
    // From (1, 2) to a first number from 3 to 29 and a second from 3 to 30.
    assert_eq!(ground.facts.len(), 1 + 27 * 28);
    assert!(statistics.tuples < 10_000, "{statistics:?}");
}

#[test]
fn the_way_of_splitting_with_fewer_conditions_is_kept() {
    // Who owns a chain and which chain a stone belongs to: a move first meets its neighbours, or first all chains.
    let mut text = String::from("(role b)");
    for (x, y) in (1..5).flat_map(|x| (1..5).map(move |y| (x, y))) {
        text += &format!("(cell {x} {y}) (chain {})", 4 * x + y);
        for (u, v) in [(x + 1, y), (x, y + 1)] {
            text += &format!("(near {x} {y} {u} {v}) (near {u} {v} {x} {y})");
        }
    }
    text += "(<= (legal ?r (put ?x ?y)) (role ?r) (cell ?x ?y))
         (<= (next (of ?k ?x ?y)) (chain ?k) (does ?r (put ?x ?y)))
         (<= (next (owns ?k ?r)) (chain ?k) (does ?r (put 1 1)))
         (<= (joined ?k) (does ?r (put ?x ?y)) (true (owns ?k ?r)) (true (of ?k ?u ?v)) (near ?x ?y ?u ?v))
         (<= (next (last ?k)) (joined ?k))
         (<= terminal (true (last 5)))";
    let limits = GroundingLimits::default();
    let conditions = |order: SplitOrder| match ground_once(&sheet(&text), order, &limits, &|| false) {
        Ok(Grounding::Done(_, statistics)) => statistics.conditions,
        other => panic!("{other:?}"),
    };
    let (narrow, thorough) = (conditions(SplitOrder::Narrow), conditions(SplitOrder::Thorough));
    assert!(thorough < narrow, "{thorough}, {narrow}");
    match ground(&sheet(&text), &limits, &|| false) {
        Ok(Grounding::Done(_, statistics)) => assert_eq!(statistics.conditions, thorough),
        other => panic!("{other:?}"),
    }
}

#[test]
fn facts_and_moves_come_in_the_order_of_their_texts_on_every_run() {
    let text = "(init (p b)) (init (p a)) (x c) (x b) (<= (next (p ?x)) (x ?x)) (<= (legal a (m ?x)) (x ?x))";
    let sheet = sheet(text);
    let one = grounded(&sheet);
    let texts: Vec<String> = one.moves[0].iter().map(|&term| one.terms.text(term, &sheet.symbols)).collect();
    assert_eq!(texts, ["(m b)", "(m c)", "go"]);
    assert_eq!(facts(text).0, ["(p a)", "(p b)", "(p c)"]);
    assert_eq!(format!("{:?}", one.rules), format!("{:?}", grounded(&sheet).rules));
}

#[test]
fn recursion_through_negation_is_refused_only_where_it_is_real() {
    let goals = "(role b) (init (p)) (<= (next (p)) (true (q))) (<= (next (q)) (true (p)))
         (<= (legal b go) (true (p))) (<= (legal b wait) (true (q)))
         (<= (goal b 100) (true (p))) (<= (goal b 0) (not (goal b 100)))";
    assert_eq!(grounded(&sheet(goals)).goals.iter().filter(|goal| goal.role == 1).count(), 2);
    let circle =
        "(init p) (<= (next p) (not (q a))) (arrow a b) (arrow b a)\n(<= (q ?x) (arrow ?x ?y) (true p) (not (q ?y)))";
    let complaint = complaint(circle);
    assert!(complaint.starts_with("t.kif:3:1: `(q a)` depends on the negation of `(q b)`"), "{complaint}");
}

#[test]
fn what_cannot_be_grounded_is_named_with_its_place() {
    for (text, expected) in [
        ("(<= (next ?x) (not (true ?x)))", "t.kif:2:1: the variable `?x` has no condition"),
        ("(<= (init (p)) (true (q)))", "t.kif:2:1: `init` depends on the state"),
        ("(true (p))", "t.kif:2:1: `true` cannot be what a clause says"),
        ("(goal a much)", "t.kif:2:1: `much` is no number"),
    ] {
        let complaint = complaint(text);
        assert!(complaint.starts_with(expected), "{text}: {complaint}");
    }
    let none = Sheet::read(Source::new("t.kif", "(init p)")).expect("a sheet");
    let error = ground(&none, &GroundingLimits::default(), &|| false).expect_err("no role");
    assert_eq!(error.to_string(), "t.kif: no role");
}

#[test]
fn limits_end_what_would_not_end() {
    let endless = "(init (n zero)) (<= (next (n (s ?x))) (true (n ?x)))";
    let default = GroundingLimits::default();
    assert_eq!(too_large(endless, &default).limit, Limit::TermDepth(default.term_depth));
    let wide = "(d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
         (<= (legal a (m ?a ?b ?c ?d ?e ?f ?g)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g))";
    let small = GroundingLimits { atoms: 1000, ..default };
    assert_eq!(too_large(wide, &small).limit, Limit::Atoms(1000));
    let small = GroundingLimits { bytes: 100_000, ..default };
    assert_eq!(too_large(wide, &small).limit, Limit::Bytes(100_000));
    let small = GroundingLimits { steps: 5000, ..default };
    assert_eq!(too_large(wide, &small).limit, Limit::Steps(5000));
    let small = GroundingLimits { rules: 2, ..default };
    assert_eq!(too_large("(d 0) (d 1) (<= (legal a (m ?x)) (d ?x))", &small).limit, Limit::Rules(2));
    assert!(too_large(endless, &default).to_string().contains("may grow without end"));
    let stopped = ground(&sheet(wide), &default, &|| true).expect("an outcome");
    assert!(matches!(stopped, Grounding::TooLarge(why) if why.limit == Limit::Stopped));
}

/// A term or condition of token soup.
fn soup() -> impl Strategy<Value = String> {
    let leaf = prop_oneof!["[ab1]", "\\?[xyz]", Just("(f)".to_owned())];
    let term = leaf.prop_recursive(2, 6, 3, |inner| {
        ("[fg]", prop::collection::vec(inner, 1..3)).prop_map(|(name, terms)| format!("({name} {})", terms.join(" ")))
    });
    let relation = prop_oneof!["p", "q", "r", "true", "does a", "legal a", "next", "init", "goal a", "role"];
    let atom = (relation, term.clone()).prop_map(|(relation, term)| format!("({relation} {term})"));
    let condition = prop_oneof![
        4 => atom.clone(),
        1 => atom.clone().prop_map(|atom| format!("(not {atom})")),
        1 => (term.clone(), term).prop_map(|(one, other)| format!("(distinct {one} {other})")),
        1 => (atom.clone(), atom.clone()).prop_map(|(one, other)| format!("(or {one} (not (and {other} {one})))")),
    ];
    (atom, prop::collection::vec(condition, 0..4))
        .prop_map(|(head, body)| if body.is_empty() { head } else { format!("(<= {head} {})", body.join(" ")) })
}

proptest! {
    #[test]
    fn any_sheet_is_grounded_refused_or_too_large(clauses in prop::collection::vec(soup(), 0..10)) {
        let text = format!("{FRAME}(p a) (q (f b)) (init (f a)) {}", clauses.join("\n"));
        let default = GroundingLimits::default();
        let limits = GroundingLimits { atoms: 1000, rules: 1000, steps: 20_000, term_depth: 5, ..default };
        if let Ok(sheet) = Sheet::read(Source::new("t.kif", text)) {
            let _ = ground(&sheet, &limits, &|| false);
        }
    }
}
