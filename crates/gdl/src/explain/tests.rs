use super::*;
use crate::Sheet;
use tesuji_core::Source;

const TIC_TAC_TOE: &str = include_str!("../../../../data/gdl/tic-tac-toe.kif");

fn explained(sheet: &str, joints: &[&[&str]], question: &str) -> Explanation {
    let sheet = Sheet::read(Source::new("t.kif", sheet)).unwrap();
    let explainer = Explainer::new(&sheet, &[question], Default::default()).unwrap();
    let joints: Vec<Vec<String>> =
        joints.iter().map(|joint| joint.iter().map(|&action| action.to_owned()).collect()).collect();
    let timeline = explainer.timeline(None, &joints).unwrap();
    explainer.explain(&timeline, timeline.last(), question).unwrap()
}

#[test]
fn a_fact_that_holds_has_a_proof() {
    let why = explained(TIC_TAC_TOE, &[&["(place 1 1)", "noop"]], "(legal o (place 2 1))");
    insta::assert_snapshot!(why.text(), @r"
    (legal o (place 2 1)) holds after 1 step: lines 25-29: (legal ?player (place ?column ?row)) with ?column = 2, ?player = o, ?row = 1
      yes (true (control o)) holds after 1 step: it is in the state since step 1
        (next (control o)) holds in the first state: line 40: (next (control o))
          yes (true (control x)) holds in the first state: it is in the state from the start
            (init (control x)) is stated in line 19
      yes (index 2) is stated in line 12
      yes (index 1) is stated in line 12
      yes (not (taken 2 1))
          (taken 2 1) does not hold after 1 step: these rules fail
            line 23: (taken ?column ?row) with ?column = 2, ?row = 1
              NO  (true (mark 2 1 ?player)) does not hold after 1 step: it is not in the state
    ");
}

#[test]
fn a_fact_that_fails_names_the_first_condition_that_fails() {
    let why = explained(TIC_TAC_TOE, &[&["(place 1 1)", "noop"]], "(legal O (place 1 1))");
    insta::assert_snapshot!(why.text(), @r"
    (legal o (place 1 1)) does not hold after 1 step: these rules fail
      lines 25-29: (legal ?player (place ?column ?row)) with ?column = 1, ?player = o, ?row = 1
        yes (true (control o))
        yes (index 1)
        yes (index 1)
        NO  (not (taken 1 1))
            (taken 1 1) holds after 1 step: line 23: (taken ?column ?row) with ?column = 1, ?player = x, ?row = 1
              yes (true (mark 1 1 x)) holds after 1 step: it is in the state since step 1
                (next (mark 1 1 x)) holds in the first state: line 36: (next (mark ?column ?row ?player)) with ?column = 1, ?player = x, ?row = 1
                  yes (does x (place 1 1)): it is the move of this step
    ");
    assert_eq!(why.rules()[0].line, 25);
}

#[test]
fn the_longest_partial_match_is_shown() {
    let moves: [&[&str]; 3] = [&["(place 1 1)", "noop"], &["noop", "(place 1 2)"], &["(place 2 1)", "noop"]];
    let why = explained(TIC_TAC_TOE, &moves, "(line x)");
    let Reason::NoRule { rules, others: 0 } = &why.reason else { panic!("{why:?}") };
    let inner = rules[0].conditions[0].why.as_ref().unwrap();
    let Reason::NoRule { rules, .. } = &inner.reason else { panic!("{inner:?}") };
    assert_eq!((rules[0].line, rules[0].conditions.len(), rules[0].untried), (44, 3, 0));
    assert_eq!(rules[0].conditions[2].text, "(true (mark 3 1 x))");
}

#[test]
fn recursive_proofs_do_not_lean_on_themselves() {
    let sheet = "(role a) (init (at 1)) (edge 1 2) (edge 2 1) (edge 2 3) (edge 3 2)
        (<= (reach ?x ?y) (reach ?y ?x))
        (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))
        (<= (reach ?x ?y) (edge ?x ?y))
        (<= (legal a (go ?x)) (true (at ?y)) (reach ?y ?x))
        (<= (next (at ?x)) (does a (go ?x)))
        (<= terminal (true (at 9))) (<= (goal a 100) terminal)";
    let why = explained(sheet, &[], "(legal a (go 3))");
    assert!(why.holds);
    let mut leaves = 0;
    check_proof(&why, &mut Vec::new(), &mut leaves);
    assert!(leaves > 0, "{}", why.text());
    let why = explained(sheet, &[], "(legal a (go 9))");
    assert!(!why.holds && why.text().contains("(edge 1 9)"), "{}", why.text());
}

/// Panics if a fact occurs below itself; counts the facts of the sheet.
fn check_proof(why: &Explanation, above: &mut Vec<String>, leaves: &mut usize) {
    assert!(why.holds && !above.contains(&why.fact), "{} below itself", why.fact);
    above.push(why.fact.clone());
    if let Reason::Rule { rule } = &why.reason {
        *leaves += usize::from(rule.conditions.is_empty());
        rule.conditions.iter().filter_map(|condition| condition.why.as_deref()).for_each(|why| {
            check_proof(why, above, leaves);
        });
    }
    above.pop();
}

#[test]
fn every_answer_agrees_with_the_interpreter() {
    use crate::{Interpreter, Referee};
    let sheet = Sheet::read(Source::new("t.kif", TIC_TAC_TOE)).unwrap();
    let interpreter = Interpreter::new(&sheet, Default::default()).unwrap();
    let mut referee = interpreter.referee();
    let joint = ["(place 2 2)".to_owned(), "noop".to_owned()];
    referee.view().unwrap();
    referee.step(&joint).unwrap();
    let view = referee.view().unwrap();
    for (role, legal) in ["x", "o"].iter().zip(&view.legal) {
        for action in ["noop", "(place 1 1)", "(place 2 2)", "(place 4 4)", "fly"] {
            let why = explained(TIC_TAC_TOE, &[&["(place 2 2)", "noop"]], &format!("(legal {role} {action})"));
            assert_eq!(why.holds, legal.iter().any(|known| known == action), "{role} {action}");
        }
    }
}

#[test]
fn variables_ask_for_any_answer_and_facts_need_no_true() {
    assert!(explained(TIC_TAC_TOE, &[], "(legal x ?move)").holds);
    let why = explained(TIC_TAC_TOE, &[], "(legal ?who (place 9 ?row))");
    assert!(!why.holds && why.text().contains("lines 25-29"), "{}", why.text());
    let why = explained(TIC_TAC_TOE, &[&["(place 1 1)", "noop"]], "(mark 1 1 x)");
    assert!(matches!(why.reason, Reason::State { since: 1, derived: Some(_), .. }), "{why:?}");
    let why = explained(TIC_TAC_TOE, &[&["(place 1 1)", "noop"]], "(does x noop)");
    assert!(matches!(why.reason, Reason::OtherMove { .. }), "{why:?}");
}

#[test]
fn questions_that_are_no_facts_are_refused() {
    let sheet = Sheet::read(Source::new("t.kif", TIC_TAC_TOE)).unwrap();
    for question in ["", "a b", "(", "(not terminal)", "?x"] {
        assert!(Explainer::new(&sheet, &[question], Default::default()).is_err(), "{question}");
    }
}
