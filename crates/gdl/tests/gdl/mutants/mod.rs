//! Seeded faults in right sheets: the tutor must point at the faulty rule or at a rule that calls it.
//!
//! The ordinary test takes a few mutants of small sheets. The full measurement is
//!
//! ```text
//! TESUJI_MUTANTS=12 TESUJI_MUTANT_SHEETS=FOLDER cargo test --release -p tesuji-gdl --test gdl mutants -- --nocapture
//! ```
//!
//! It takes 12 counted mutants of each of our sheets and of each sheet in the folder, and prints a table.
//! `TESUJI_MUTANT_DETAIL=moves` leaves the facts of the states out of the examples, `TESUJI_MUTANT_SEED=n` draws other
//! mutants.

mod fault;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use self::fault::{Fault, FaultKind, guilty_relation};
use tesuji_core::{Rng, Source, mix};
use tesuji_gdl::explain::{Explanation, Reason};
use tesuji_gdl::interpreter::Limits;
use tesuji_gdl::tutor::{Detail, Disagreement, Examples, Plan, Verdict, compare, generate};
use tesuji_gdl::validate::{Severity, Trial, validate};
use tesuji_gdl::{Literal, Sheet};

/// A message that takes longer than this is printed, in seconds.
const SLOW: f64 = 0.5;

/// What became of the mutants of one kind.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// Mutants that the examples tell from the right sheet.
    counted: usize,
    /// The first suspect is the faulty rule or calls it.
    first: usize,
    /// One of the first three suspects.
    among_three: usize,
    /// Any rule of the message.
    anywhere: usize,
}

#[derive(Default)]
struct Measured {
    kinds: [Counts; 4],
    /// Mutants that the validator refuses, so that no example is played.
    refused: usize,
    /// Mutants that do all that the examples say.
    unnoticed: usize,
    /// Mutants without an end within the limits.
    unsound: usize,
    times: Vec<Duration>,
}

impl Measured {
    fn total(&self) -> Counts {
        let sum = |part: fn(&Counts) -> usize| self.kinds.iter().map(part).sum();
        Counts {
            counted: sum(|counts| counts.counted),
            first: sum(|counts| counts.first),
            among_three: sum(|counts| counts.among_three),
            anywhere: sum(|counts| counts.anywhere),
        }
    }
}

fn own_sheets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/gdl")
}

fn read(path: &Path) -> Sheet {
    let text = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let source = Source::new(path.display().to_string(), String::from_utf8_lossy(&text));
    Sheet::read(source).unwrap_or_else(|error| panic!("{error}"))
}

/// Mutates a sheet until `wanted` mutants were counted, and adds what the tutor says about them.
fn measure(sheet: &Sheet, examples: &Examples, wanted: usize, seed: u64, measured: &mut Measured) {
    let limits = Limits { steps: 20_000_000, ..Limits::default() };
    let before = measured.total().counted;
    for number in 0..20 * wanted as u64 {
        if measured.total().counted - before == wanted {
            break;
        }
        let kind = FaultKind::ALL[number as usize % 4];
        let Some(fault) = Fault::draw(sheet, kind, &mut Rng::new(mix(seed, number))) else { continue };
        let mutant = fault.apply(sheet);
        let start = Instant::now();
        let trial = Trial { matches: 0, limits, ..Trial::default() };
        if validate(&mutant, &trial).iter().any(|finding| finding.severity == Severity::Error) {
            measured.refused += 1;
            continue;
        }
        let verdict = compare(&mutant, examples, limits).unwrap_or_else(|error| panic!("{error}"));
        let time = start.elapsed();
        match verdict {
            Verdict::Agree(_) => measured.unnoticed += 1,
            Verdict::Unsound(_) => measured.unsound += 1,
            Verdict::Disagree(disagreement) => {
                let counts = &mut measured.kinds[kind as usize];
                counts.counted += 1;
                let place = located(sheet, &mutant, &fault, &disagreement);
                counts.first += usize::from(place == Some(0));
                counts.among_three += usize::from(place.is_some_and(|place| place < 3));
                counts.anywhere += usize::from(place.is_some());
                measured.times.push(time);
                if time.as_secs_f64() > SLOW {
                    println!("{}: {time:?} after {} steps", sheet.source.name(), disagreement.moves.len());
                }
                if std::env::var_os("TESUJI_MUTANT_SHOW").is_some() && place.is_none_or(|place| place >= 3) {
                    let name = sheet.source.name();
                    let rule = &sheet.rules[fault.rule];
                    let line = sheet.source.position(rule.place.start as usize).0;
                    println!("--- {name}: {kind:?} in line {line}, place {place:?}\n{}", disagreement.text());
                }
            }
        }
    }
}

/// The place of the first suspect that is the faulty rule or calls it.
fn located(right: &Sheet, mutant: &Sheet, fault: &Fault, disagreement: &Disagreement) -> Option<usize> {
    let guilty = &right.rules[fault.rule];
    let relation = guilty_relation(guilty);
    // A rule that is missing cannot be named; that its conclusion has no rule can be.
    if fault.kind == FaultKind::MissingRule {
        let head = right.symbols.text(guilty.head.relation);
        let inner = relation.1.map(|symbol| right.symbols.text(symbol));
        let root = disagreement.explanations.iter().any(|root| lacks_rule(root, head, inner, 2));
        if root {
            return Some(0);
        }
    }
    disagreement.suspects.iter().position(|suspect| {
        let is_guilty = fault.kind != FaultKind::MissingRule && suspect.place == guilty.place;
        let calls = || {
            let named = mutant.rules.iter().filter(|rule| rule.place == suspect.place);
            named.flat_map(|rule| &rule.body).any(|literal| match literal {
                Literal::Holds(atom) | Literal::Fails(atom) => atom.signature() == guilty.head.signature(),
                Literal::Distinct(..) | Literal::Same(..) => false,
            })
        };
        is_guilty || calls()
    })
}

/// Whether the tree says within `depth` levels that no rule concludes a fact of this form.
fn lacks_rule(explanation: &Explanation, head: &str, inner: Option<&str>, depth: usize) -> bool {
    let mut words =
        explanation.fact.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|w| !w.is_empty());
    let named = words.next().is_some_and(|word| word.eq_ignore_ascii_case(head))
        && inner.is_none_or(|inner| words.next().is_some_and(|word| word.eq_ignore_ascii_case(inner)));
    match &explanation.reason {
        Reason::NoRule { .. } if named => true,
        _ if depth == 0 => false,
        Reason::NotInState { missing: Some(inside) } => lacks_rule(inside, head, inner, depth - 1),
        Reason::NoRule { rules, .. } => rules.iter().take(3).any(|rule| below(rule, head, inner, depth)),
        Reason::Rule { rule } => below(rule, head, inner, depth),
        Reason::State { derived: Some(inside), .. } => lacks_rule(inside, head, inner, depth - 1),
        _ => false,
    }
}

fn below(rule: &tesuji_gdl::explain::Application, head: &str, inner: Option<&str>, depth: usize) -> bool {
    let reasons = rule.conditions.iter().filter_map(|condition| condition.why.as_deref());
    reasons.into_iter().any(|why| lacks_rule(why, head, inner, depth - 1))
}

fn share(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

#[test]
fn faults_are_located() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let wanted = number("TESUJI_MUTANTS");
    let seed = number("TESUJI_MUTANT_SEED").unwrap_or(1);
    let detail = match std::env::var("TESUJI_MUTANT_DETAIL").as_deref() {
        Ok("moves") => Detail::Moves,
        _ => Detail::Facts,
    };
    let mut sheets: Vec<PathBuf> = match wanted {
        None => ["tic-tac-toe", "nim-3-4-5", "paths", "prisoners-dilemma"]
            .iter()
            .map(|name| own_sheets().join(format!("{name}.kif")))
            .collect(),
        Some(_) => files(&own_sheets()),
    };
    if wanted.is_some() {
        sheets.extend(std::env::var_os("TESUJI_MUTANT_SHEETS").iter().flat_map(|folder| files(Path::new(folder))));
    }
    let plan = match wanted {
        None => Plan { matches: 4, most_steps: 12, seed, detail },
        Some(_) => Plan { matches: 12, most_steps: 60, seed, detail },
    };
    let mut measured = Measured::default();
    for path in &sheets {
        let sheet = read(path);
        // Some public sheets are not sound games (no role, no end): no examples can be taken from them.
        let Ok(examples) = generate(&sheet, &plan, Limits::default()) else {
            println!("{}: cannot be played", path.display());
            continue;
        };
        measure(&sheet, &examples, wanted.unwrap_or(4) as usize, mix(seed, 77), &mut measured);
    }
    let total = measured.total();
    for (kind, counts) in FaultKind::ALL.iter().zip(&measured.kinds).chain([(&FaultKind::ALL[0], &total)]) {
        let name = if std::ptr::eq(counts, &total) { "all".to_owned() } else { format!("{kind:?}") };
        let Counts { counted, first, among_three, anywhere } = *counts;
        println!(
            "{name}: {counted} mutants, located by the first suspect {:.1} %, the first three {:.1} %, any {:.1} %",
            share(first, counted),
            share(among_three, counted),
            share(anywhere, counted)
        );
    }
    measured.times.sort_unstable();
    let middle = measured.times.get(measured.times.len() / 2).copied().unwrap_or_default();
    let slowest = measured.times.last().copied().unwrap_or_default();
    println!(
        "{} sheets; not counted: {} without effect on the examples, {} refused by the validator, {} beyond the limits",
        sheets.len(),
        measured.unnoticed,
        measured.refused,
        measured.unsound
    );
    let late = measured.times.iter().filter(|time| time.as_secs_f64() > 1.0).count();
    println!("time: median {middle:?}, slowest {slowest:?}, {late} over a second");
    assert!(total.counted >= 12, "only {} mutants", total.counted);
    // Without facts a fault shows some steps later, so that no bound applies.
    if detail == Detail::Facts {
        assert!(share(total.among_three, total.counted) >= 90.0, "too few located");
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "kif"));
    files.sort();
    files
}
