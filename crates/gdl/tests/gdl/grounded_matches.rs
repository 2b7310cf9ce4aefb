//! Grounded rule sheets, evaluated as plainly as can be, against the matches that the reference prover of GGP-Base
//! played on public rule sheets. Those lie beside the repository; without them the test says so and passes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use tesuji_core::Source;
use tesuji_gdl::{Ground, Grounding, GroundingLimits, Sheet, Signal, ground};

/// Conditions looked at for one sheet: enough for whole matches of most, and for some states of the largest.
const WORK: usize = 15_000_000;

/// A game without variables and the stratum of each of its atoms.
struct Twin {
    ground: Ground,
    sheet: Sheet,
    strata: Vec<Vec<(u32, Vec<Signal>)>>,
}

impl Twin {
    fn new(sheet: Sheet, ground: Ground) -> Twin {
        let atoms = ground.first_derived() as usize + ground.derived as usize;
        let mut level = vec![0; atoms];
        loop {
            let mut changed = false;
            for (head, body) in ground.rules.iter() {
                let needed = body.iter().map(|s| level[s.atom() as usize] + usize::from(s.is_negated()));
                let needed = needed.max().unwrap_or(0);
                if level[head as usize] < needed {
                    level[head as usize] = needed;
                    changed = true;
                    assert!(needed <= atoms, "a circle goes through a negation");
                }
            }
            if !changed {
                break;
            }
        }
        let mut strata = vec![Vec::new(); level.iter().max().unwrap_or(&0) + 1];
        for (head, body) in ground.rules.iter() {
            assert!(head >= ground.first_derived(), "rules are for derived atoms");
            strata[level[head as usize]].push((head, body.to_vec()));
        }
        Twin { ground, sheet, strata }
    }

    /// All atoms under a state and moves.
    fn values(&self, state: &[bool], moves: Option<&[usize]>) -> Vec<bool> {
        let mut values = vec![false; (self.ground.first_derived() + self.ground.derived) as usize];
        values[0] = true;
        state.iter().enumerate().for_each(|(fact, &holds)| values[self.ground.fact_atom(fact) as usize] = holds);
        for (role, &number) in moves.into_iter().flatten().enumerate() {
            values[self.ground.move_atom(role, number) as usize] = true;
        }
        for stratum in &self.strata {
            loop {
                let mut changed = false;
                for (head, body) in stratum {
                    if !values[*head as usize] && body.iter().all(|&signal| is(signal, &values)) {
                        values[*head as usize] = true;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
        values
    }

    fn text(&self, term: tesuji_gdl::GroundTerm) -> String {
        normal(&self.ground.terms.text(term, &self.sheet.symbols))
    }
}

fn is(signal: Signal, values: &[bool]) -> bool {
    values[signal.atom() as usize] != signal.is_negated()
}

/// Without spaces inside parentheses and without capitals.
fn normal(text: &str) -> String {
    text.replace("( ", "(").replace(" )", ")").to_lowercase()
}

fn check(name: &str, sheet: Sheet, ground: Ground, trace: &str) {
    let twin = Twin::new(sheet, ground);
    let ground = &twin.ground;
    let work_per_state = 3 * (ground.rules.conditions() + ground.rules.count()) + 1;
    let most_states = (WORK / work_per_state).max(12);
    let fact_texts: Vec<String> = ground.facts.iter().map(|&fact| twin.text(fact)).collect();
    let move_texts: Vec<BTreeMap<String, usize>> = ground
        .moves
        .iter()
        .map(|moves| moves.iter().enumerate().map(|(number, &term)| (twin.text(term), number)).collect())
        .collect();
    let roles: Vec<String> = ground.roles.iter().map(|&role| twin.text(role)).collect();
    let mut state: Vec<bool> = ground.initial.clone();
    let mut values = Vec::new();
    let mut states = 0;
    for (index, line) in trace.lines().enumerate() {
        let place = format!("{name}.trace:{}", index + 1);
        let mut fields = line.split('\t').map(normal);
        let kind = fields.next().unwrap_or_default();
        let fields: Vec<String> = fields.collect();
        match kind.as_str() {
            "roles" => assert_eq!(fields, roles, "{place}"),
            "state" => {
                states += 1;
                if states > most_states {
                    break;
                }
                let holding: BTreeSet<&String> =
                    fact_texts.iter().zip(&state).filter(|(_, holds)| **holds).map(|(text, _)| text).collect();
                assert_eq!(holding, fields.iter().collect(), "{place}: state");
                values = twin.values(&state, None);
            }
            "term" => assert_eq!(is(ground.terminal, &values), fields == ["1"], "{place}: terminal"),
            "goals" => {
                for (role, expected) in fields.iter().enumerate() {
                    let goals = ground.goals.iter().filter(|goal| goal.role == role as u32 && is(goal.when, &values));
                    let goals: BTreeSet<i32> = goals.map(|goal| goal.value).collect();
                    let shown = match goals.iter().collect::<Vec<_>>()[..] {
                        [only] => only.to_string(),
                        _ => "err".to_owned(),
                    };
                    assert_eq!(&shown, expected, "{place}: goal of {}", roles[role]);
                }
            }
            "legal" => {
                let role = roles.iter().position(|role| *role == fields[0]).expect("a role");
                let legal = &ground.legal[role];
                let legal: BTreeSet<&String> = move_texts[role]
                    .iter()
                    .filter(|&(_, &number)| is(legal[number], &values))
                    .map(|(t, _)| t)
                    .collect();
                assert_eq!(legal, fields[1..].iter().collect(), "{place}: legal moves of {}", roles[role]);
            }
            "move" => {
                let moves: Vec<usize> = fields.iter().zip(&move_texts).map(|(text, moves)| moves[text]).collect();
                let values = twin.values(&state, Some(&moves));
                state = ground.next.iter().map(|&signal| is(signal, &values)).collect();
            }
            "end" => state.clone_from(&ground.initial),
            other => panic!("{place}: what is {other}?"),
        }
    }
    eprintln!("{name}: {states} states");
}

#[test]
fn grounded_sheets_play_as_the_reference_prover_does() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/gdl-games");
    let Ok(entries) = std::fs::read_dir(folder.join("traces")) else {
        eprintln!("skipped: no matches at {}", folder.display());
        return;
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        let trace = std::fs::read_to_string(&path).expect("a trace");
        let text = std::fs::read_to_string(folder.join(format!("{name}.kif"))).expect("a sheet");
        let sheet = Sheet::read(Source::new(&name, text)).unwrap_or_else(|error| panic!("{error}"));
        // The one sheet beyond this takes seven million tuples and as many seconds.
        let limits = GroundingLimits { atoms: 2_000_000, ..GroundingLimits::default() };
        match ground(&sheet, &limits, &|| false).unwrap_or_else(|error| panic!("{error}")) {
            Grounding::Done(ground, _) => check(&name, sheet, *ground, &trace),
            Grounding::TooLarge(why) => assert_eq!(name, "mummymaze1p", "{why}"),
        }
    }
}
