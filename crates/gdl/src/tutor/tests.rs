use super::*;
use proptest::prelude::*;

const TIC_TAC_TOE: &str = include_str!("../../../../data/gdl/tic-tac-toe.kif");

const EXAMPLE: &str = "roles x o
example x wins on the diagonal ; the shortest win
legal x (place 1 1)
  (place 3 3)
illegal x noop
moves o noop
move x (place 1 1)
true (mark 1 1 x) (control o)
false (mark 1 1 o)
move o (place 1 2)
move x (place 2 2)
not over
move o (place 1 3)
move x (place 3 3)
over
goal x 100
wins x

example from a position
from (mark 1 1 x) (mark 2 1 x) (control x)
move x (place 3 1)
wins x
";

fn judged(sheet: &str, examples: &str) -> Result<Verdict, InputError> {
    let examples = Examples::read(Source::new("t.examples", examples))?;
    tutor(Source::new("t.kif", sheet), &examples, Limits::default())
}

fn disagreement(sheet: &str, examples: &str) -> Disagreement {
    match judged(sheet, examples) {
        Ok(Verdict::Disagree(disagreement)) => *disagreement,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_right_sheet_agrees() {
    let Ok(Verdict::Agree(agreement)) = judged(TIC_TAC_TOE, EXAMPLE) else { panic!() };
    assert_eq!(agreement, Agreement { examples: 2, statements: 16, steps: 6 });
}

#[test]
fn the_first_disagreement_points_at_the_rule() {
    let faulty = TIC_TAC_TOE.replace("    (not (taken ?column ?row)))", "    (taken ?column ?row))");
    let first = disagreement(&faulty, EXAMPLE);
    assert_eq!((first.line, first.step, first.question.as_str()), (3, 0, "(legal x (place 1 1))"));
    assert_eq!(first.suspects[0].line, 25);
    let faulty = TIC_TAC_TOE.replace("(<= (goal x 100) (line x))", "(<= (goal x 100) (line o))");
    let first = disagreement(&faulty, EXAMPLE);
    assert_eq!((first.line, first.found.as_str()), (16, "x has no goal"));
    let lines: Vec<usize> = first.suspects.iter().map(|suspect| suspect.line).collect();
    let guilty = 1 + TIC_TAC_TOE[..TIC_TAC_TOE.find("(<= (goal x 100)").unwrap()].matches('\n').count();
    assert_eq!(lines[0], guilty, "{}", first.text());
}

#[test]
fn single_changes_that_repair_the_sheet_are_named() {
    let right = Sheet::read(Source::new("t.kif", TIC_TAC_TOE)).unwrap();
    let plan = Plan { matches: 12, most_steps: 20, seed: 3, detail: Detail::Moves };
    let examples = generate(&right, &plan, Limits::default()).unwrap().to_string();
    for (from, to, change) in [
        ("    (not (taken ?column ?row)))", ")", "add the condition (not (taken ?column ?row))"),
        ("(<= (goal x 100) (line x))", "(<= (goal x 100) (line o))", "write (line x) instead of (line o)"),
    ] {
        let faulty = TIC_TAC_TOE.replace(from, to);
        assert_ne!(faulty, TIC_TAC_TOE);
        let first = disagreement(&faulty, &examples);
        let changes: Vec<&str> = first.repairs.iter().map(|repair| repair.change.as_str()).collect();
        assert!(changes.contains(&change), "{changes:?}");
        let repaired: Vec<_> = first.repairs.iter().map(|repair| repair.place).collect();
        assert_eq!(first.suspects[..repaired.len()].iter().map(|s| s.place).collect::<Vec<_>>(), repaired);
        assert!(first.text().contains(changes[0]), "{}", first.text());
    }
    // A sheet that lacks a rule: the conclusion is named.
    let faulty = TIC_TAC_TOE.replace("(<= (next (control x))", "(<= (unused (control x))");
    assert_ne!(faulty, TIC_TAC_TOE);
    let first = disagreement(&faulty, &examples);
    let missing = |suspect: &Suspect| suspect.missing.as_deref().is_some_and(|head| head.contains("(control"));
    assert!(first.suspects.iter().take(3).any(missing), "{:?}", first.suspects);
}

#[test]
fn every_statement_can_disagree() {
    for (statement, question) in [
        ("true (mark 1 1 x)", "(true (mark 1 1 x))"),
        ("false (control x)", "(true (control x))"),
        ("only (control o)", "(true (control o))"),
        ("only", "(true (control x))"),
        ("legal x noop", "(legal x noop)"),
        ("illegal x (place 1 1)", "(legal x (place 1 1))"),
        ("moves o noop fly", "(legal o fly)"),
        ("moves o", "(legal o noop)"),
        ("over", "terminal"),
        ("goal x 100", "(goal x 100)"),
        ("wins x", "terminal"),
        ("draw", "terminal"),
        ("move x (place 9 9)", "(legal x (place 9 9))"),
        ("move o noop", "(legal x (place 1 1))"),
        ("roles o x\nexample a\nnot over", "(role o)"),
    ] {
        let text =
            if statement.starts_with("roles") { statement.to_owned() } else { format!("example a\n{statement}") };
        assert_eq!(disagreement(TIC_TAC_TOE, &text).question, question, "{statement}");
    }
    let ended = format!("{EXAMPLE}\nmove o (place 2 1)");
    assert_eq!(disagreement(TIC_TAC_TOE, &ended).question, "terminal");
}

#[test]
fn damaged_examples_are_errors_with_their_place() {
    for (text, place, message) in [
        ("", None, "no examples"),
        ("legal x noop", Some((1, 1)), "before the first"),
        ("example a\nfly", Some((2, 1)), "no statement begins with `fly`"),
        ("example a\nlegal x", Some((2, 1)), "expected a role and its moves"),
        ("example a\nmove x", Some((2, 1)), "expected pairs"),
        ("example a\ngoal x 101", Some((2, 8)), "from 0 to 100"),
        ("example a\ntrue (p ?x)", Some((2, 9)), "no variables"),
        ("example a\ntrue ()", Some((2, 6)), "expected a name"),
        ("example a\ntrue (p", Some((2, 6)), "never closed"),
        ("example a\nover\nfrom (p)", Some((3, 1)), "first statement"),
        ("example a\nlegal red noop", Some((2, 1)), "the sheet has no role `red`"),
        ("roles x o\nexample a\nlegal red noop", Some((3, 7)), "`red` is no role of these examples"),
        ("example", Some((1, 1)), "without a name"),
        ("example a\nmove x noop x noop", Some((2, 13)), "two moves of x"),
    ] {
        let error = judged(TIC_TAC_TOE, text).map(|_| ()).expect_err(text);
        assert!(error.message().contains(message), "{text}: {error}");
        assert_eq!(error.position(), place, "{text}: {error}");
    }
}

/// Moves and results only: the proof of a wrong move does not name a rule whose conclusion has another form.
#[test]
fn a_rule_that_does_not_fit_the_others_is_looked_at_first() {
    let examples = "example a taken cell\nmove x (place 1 2)\nillegal o (place 1 2)\nlegal o (place 2 2)";
    let rule = "(next (mark ?column ?row ?player)) (does ?player";
    let faulty = TIC_TAC_TOE.replace(rule, "(next (mark ?player ?row ?player)) (does ?player");
    assert_ne!(faulty, TIC_TAC_TOE);
    let first = disagreement(&faulty, examples);
    let guilty = 1 + faulty[..faulty.find("(next (mark ?player").unwrap()].matches('\n').count();
    assert_eq!(
        (first.question.as_str(), first.suspects[0].line),
        ("(legal o (place 1 2))", guilty),
        "{}",
        first.text()
    );
    assert!(first.repairs[0].change.contains("(next (mark ?column ?row ?player))"), "{:?}", first.repairs);
}

#[test]
fn a_fact_that_the_first_state_lacks_is_missed_as_init() {
    let faulty = TIC_TAC_TOE.replace("(init (control x))", "");
    let Ok(Verdict::Disagree(first)) =
        compare(&Sheet::read(Source::new("t.kif", faulty)).unwrap(), &examples_of(EXAMPLE), Limits::default())
    else {
        panic!()
    };
    let missing: Vec<&str> = first.suspects.iter().filter_map(|suspect| suspect.missing.as_deref()).collect();
    assert!(missing.contains(&"(init (control x))"), "{missing:?}");
}

fn examples_of(text: &str) -> Examples {
    Examples::read(Source::new("t.examples", text)).unwrap()
}

#[test]
fn a_sheet_that_is_no_game_is_unsound() {
    for sheet in ["(role x", "(role x) (<= (legal x ?move) (true (p a)))", "(init (p a))"] {
        let Ok(Verdict::Unsound(findings)) = judged(sheet, "example a\nover") else { panic!("{sheet}") };
        assert!(!findings.is_empty());
    }
}

#[test]
fn generated_examples_agree_with_their_sheet() {
    let sheet = Sheet::read(Source::new("t.kif", TIC_TAC_TOE)).unwrap();
    for detail in [Detail::Moves, Detail::Facts] {
        let plan = Plan { matches: 3, most_steps: 20, seed: 5, detail };
        let examples = generate(&sheet, &plan, Limits::default()).unwrap();
        let Ok(Verdict::Agree(agreement)) = judged(TIC_TAC_TOE, &examples.to_string()) else { panic!() };
        assert_eq!(agreement.examples, 3);
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(
        text in "\\PC{0,80}|(example a\n|legal x|move|\\(|\\)| |;|\n|goal x 5|not over|from){0,30}",
    ) {
        if let Ok(examples) = Examples::read(Source::new("t.examples", text)) {
            let written = examples.to_string();
            let again = Examples::read(Source::new("t.examples", &written)).unwrap();
            prop_assert_eq!(again.to_string(), written);
        }
    }
}
