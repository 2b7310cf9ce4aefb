//! Any text at all is refused or becomes a game; nothing panics, hangs or grows without bound.

use proptest::prelude::*;
use tesuji_core::Source;
use tesuji_gdl::Sheet;
use tesuji_gdl::interpreter::Limits;
use tesuji_gdl::validate::{Trial, validate};

/// Reads a text, validates it and plays it a little.
fn digest(text: &str) {
    let Ok(sheet) = Sheet::read(Source::new("fuzz.kif", text)) else { return };
    let limits = Limits { steps: 5_000, answers: 2_000, terms: 2_000, nesting: 40, calls: 200, facts: 200 };
    validate(&sheet, &Trial { matches: 2, most_steps: 5, total_steps: 8, seed: 1, limits });
}

const SHEET: &str = "(role x) (role o) (init (cell 1 1 b)) (init (cell 1 2 b)) (init (control x))
(<= (legal ?p (mark ?m ?n)) (true (cell ?m ?n b)) (true (control ?p)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (cell ?m ?n ?p)) (does ?p (mark ?m ?n)))
(<= (next (cell ?m ?n ?w)) (true (cell ?m ?n ?w)) (or (distinct ?w b) (and (does ?p (mark ?j ?k)) (distinct ?n ?k))))
(<= (next (control o)) (true (control x))) (<= (next (control x)) (true (control o)))
(succ 1 2) (succ 2 3) (<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))
(<= open (true (cell ?m ?n b))) (<= terminal (not open)) (<= terminal (less 3 1))
(<= (goal ?p 100) (role ?p) open) (<= (goal ?p 50) (role ?p) (not (goal ?p 100)))";

/// The words a sheet is made of, dangerous ones more often.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just("(".to_owned()),
        4 => Just(")".to_owned()),
        1 => prop::sample::select(vec![
            "<=", "role", "init", "true", "does", "legal", "next", "terminal", "goal", "distinct", "not", "or", "and",
            "?x", "?y", "a", "b", "p", "q", "f", "0", "100", "base", "input",
        ]).prop_map(str::to_owned),
    ]
}

/// Clauses with their parentheses in order.
fn clause() -> impl Strategy<Value = String> {
    let term = prop::sample::select(vec!["a", "b", "?x", "?y", "(f ?x)", "(f a)", "(f (f ?y))", "100"]);
    let relation =
        prop::sample::select(vec!["p", "q", "legal x", "goal x", "next", "true", "does x", "init", "less a"]);
    let atom = (relation, term).prop_map(|(relation, term)| format!("({relation} {term})"));
    let condition = (0..6, atom.clone(), atom.clone()).prop_map(|(kind, one, other)| match kind {
        0 => format!("(not {one})"),
        1 => format!("(or {one} {other})"),
        2 => "(distinct ?x ?y)".to_owned(),
        3 => format!("(not (and {one} (distinct ?x a)))"),
        _ => one,
    });
    (atom, prop::collection::vec(condition, 0..4))
        .prop_map(|(head, body)| if body.is_empty() { head } else { format!("(<= {head} {})", body.join(" ")) })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        digest(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_words(words in prop::collection::vec(word(), 0..80)) {
        digest(&words.join(" "));
    }

    #[test]
    fn any_clauses(clauses in prop::collection::vec(clause(), 0..12), with_sheet in any::<bool>()) {
        let start = if with_sheet { SHEET } else { "(role x)" };
        digest(&format!("{start}\n{}", clauses.join("\n")));
    }

    #[test]
    fn a_sheet_with_words_cut_and_moved(changes in prop::collection::vec((0usize..400, word(), 0..3), 1..6)) {
        let spaced = SHEET.replace('(', " ( ").replace(')', " ) ");
        let mut words: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
        for (place, word, kind) in changes {
            let place = place % words.len();
            match kind {
                0 => words[place] = word,
                1 => words.insert(place, word),
                _ => { words.remove(place); }
            }
        }
        digest(&words.join(" "));
    }
}
