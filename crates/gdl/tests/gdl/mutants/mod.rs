//! Seeded faults in right sheets: the tutor must point at the faulty rule or at a rule that calls it.
//!
//! A faulty sheet is a right sheet with one fault. The ordinary test takes one fault in each of some sheets. The full
//! measurements have more than 200 faulty sheets each and print a table:
//!
//! ```text
//! TESUJI_MUTANTS=real cargo test --release -p tesuji-gdl --test gdl mutants -- --nocapture
//! TESUJI_MUTANTS=all cargo test --release -p tesuji-gdl --test gdl mutants -- --nocapture
//! ```
//!
//! `real` takes our own and the public sheets, each four times, with one fault of each kind. `all` takes these sheets
//! and those of [`families`], each once, the kinds in turn.
//!
//! `TESUJI_MUTANT_SEED=n` draws other faults, `TESUJI_MUTANT_SHOW=1` prints what was not located. Public sheets are
//! those of the folder `TESUJI_MUTANT_SHEETS`; without it those of `../shared/gdl-games`, if that exists.

mod families;
mod fault;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use self::fault::{Fault, FaultKind, guilty_relation};
use tesuji_core::{Rng, Source, mix};
use tesuji_gdl::explain::{Explanation, Reason};
use tesuji_gdl::interpreter::Limits;
use tesuji_gdl::tutor::{Detail, Disagreement, Examples, Plan, Suspect, Verdict, compare, generate};
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
    fn add(&mut self, other: &Measured) {
        for (counts, others) in self.kinds.iter_mut().zip(&other.kinds) {
            counts.counted += others.counted;
            counts.first += others.first;
            counts.among_three += others.among_three;
            counts.anywhere += others.anywhere;
        }
        self.refused += other.refused;
        self.unnoticed += other.unnoticed;
        self.unsound += other.unsound;
        self.times.extend(&other.times);
    }

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

fn data(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(folder)
}

fn read(path: &Path) -> Sheet {
    let text = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let source = Source::new(path.display().to_string(), String::from_utf8_lossy(&text));
    Sheet::read(source).unwrap_or_else(|error| panic!("{error}"))
}

/// Mutates a sheet until a mutant is counted, and adds what the tutor says about it. Each kind of fault has ten tries,
/// or forty if it is the only one.
fn measure(sheet: &Sheet, examples: &Examples, kinds: &[FaultKind], seed: u64, measured: &mut Measured) {
    let limits = Limits { steps: 20_000_000, ..Limits::default() };
    let before = measured.total().counted;
    for number in 0..40 {
        if measured.total().counted > before {
            break;
        }
        let kind = kinds[(number / 10) as usize % kinds.len()];
        let Some(fault) = Fault::draw(sheet, kind, &mut Rng::new(mix(seed, number))) else { continue };
        let mutant = fault.apply(sheet);
        let start = Instant::now();
        let before = processor_time(start);
        let trial = Trial { matches: 0, limits, ..Trial::default() };
        if validate(&mutant, &trial).iter().any(|finding| finding.severity == Severity::Error) {
            measured.refused += 1;
            continue;
        }
        let verdict = compare(&mutant, examples, limits).unwrap_or_else(|error| panic!("{error}"));
        let time = processor_time(start).saturating_sub(before);
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
                    println!("    right: {}", fault.texts(sheet).0);
                    println!("    fault: {}", fault.texts(sheet).1);
                    for suspect in &disagreement.suspects {
                        println!("    suspect {}: {} {:?}", suspect.line, suspect.head, suspect.missing);
                    }
                    for repair in &disagreement.repairs {
                        println!("    repair {}: {}", repair.line, repair.change);
                    }
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
        is_guilty || misses(suspect, right, fault) || calls()
    })
}

/// Whether the suspect stands for a missing rule, and the rule that is missing has such a conclusion.
fn misses(suspect: &Suspect, right: &Sheet, fault: &Fault) -> bool {
    let guilty = &right.rules[fault.rule];
    let (relation, inner) = guilty_relation(guilty);
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    fault.kind == FaultKind::MissingRule
        && suspect.missing.as_deref().is_some_and(|head| {
            let words = words(head);
            words.first().is_some_and(|word| word == right.symbols.text(relation))
                && inner.is_none_or(|inner| words.get(1).is_some_and(|word| word == right.symbols.text(inner)))
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

/// The processor time of this thread, where the system says it; else the time of the clock.
fn processor_time(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// The sheets of a measurement: where they come from, and the sheets.
fn sheets(which: &str) -> Vec<(&'static str, Sheet)> {
    let mut sheets: Vec<(&str, Sheet)> = files(&data("gdl")).iter().map(|path| ("own", read(path))).collect();
    sheets.extend(files(&data("rulebooks")).iter().map(|path| ("own", read(path))));
    let folder = std::env::var_os("TESUJI_MUTANT_SHEETS").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| data("../../shared/gdl-games"));
    match folder.is_dir() {
        true => sheets.extend(files(&folder).iter().map(|path| ("public", read(path)))),
        false => println!("skipped: public sheets, because there is no folder {}", folder.display()),
    }
    let made = families::all().into_iter().map(|made| {
        let source = Source::new(made.name, made.text);
        ("made", Sheet::read(source).unwrap_or_else(|error| panic!("{error}")))
    });
    match which {
        "real" => sheets,
        "all" => sheets.into_iter().chain(made.take(MADE)).collect(),
        // Small sheets of all three kinds.
        _ => {
            let small = ["tic-tac-toe.kif", "nim-3-4-5.kif", "paths.kif", "prisoners-dilemma.kif", "cram-5x5.kif"];
            sheets.retain(|(_, sheet)| small.iter().any(|name| sheet.source.name().ends_with(name)));
            sheets.into_iter().chain(made.skip(MADE).take(15)).collect()
        }
    }
}

/// The number of sheets of [`families`] in the full measurement; the ordinary test takes others.
const MADE: usize = 160;

#[test]
fn made_sheets_are_games() {
    for made in families::all() {
        let name = made.name.clone();
        let sheet = Sheet::read(Source::new(made.name, made.text)).unwrap_or_else(|error| panic!("{error}"));
        let trial = Trial { matches: 2, most_steps: 40, total_steps: 40, seed: 1, ..Trial::default() };
        let errors: Vec<String> = validate(&sheet, &trial)
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| finding.error.to_string())
            .collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}

#[test]
fn faults_are_located() {
    let which = std::env::var("TESUJI_MUTANTS").unwrap_or_default();
    let seed = std::env::var("TESUJI_MUTANT_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let sheets = sheets(&which);
    for detail in [Detail::Facts, Detail::Moves] {
        let mut by_origin: Vec<(&str, Measured)> =
            ["own", "public", "made"].map(|name| (name, Measured::default())).into();
        for (number, (origin, sheet)) in sheets.iter().enumerate() {
            let plan = Plan { matches: 12, most_steps: 60, seed, detail };
            let Some((_, measured)) = by_origin.iter_mut().find(|(name, _)| name == origin) else { continue };
            // Some public sheets are not sound games (no role, no end): no examples can be taken from them.
            let Ok(examples) = generate(sheet, &plan, Limits::default()) else {
                println!("{}: cannot be played", sheet.source.name());
                continue;
            };
            let seed = mix(seed, number as u64);
            match which.as_str() {
                "real" => FaultKind::ALL.iter().for_each(|&kind| {
                    measure(sheet, &examples, &[kind], mix(seed, 1 + kind as u64), measured);
                }),
                _ => {
                    let mut kinds = FaultKind::ALL;
                    kinds.rotate_left(number % 4);
                    measure(sheet, &examples, &kinds, seed, measured);
                }
            }
        }
        let mut all = Measured::default();
        for (origin, measured) in &by_origin {
            print_counts(&format!("{detail:?}, {origin}"), measured.total());
            all.add(measured);
        }
        for (kind, counts) in FaultKind::ALL.iter().zip(&all.kinds) {
            print_counts(&format!("{detail:?}, {kind:?}"), *counts);
        }
        let total = all.total();
        print_counts(&format!("{detail:?}, all"), total);
        all.times.sort_unstable();
        let middle = all.times.get(all.times.len() / 2).copied().unwrap_or_default();
        let slowest = all.times.last().copied().unwrap_or_default();
        println!(
            "  not counted: {} without effect on the examples, {} refused by the validator, {} beyond the limits",
            all.unnoticed, all.refused, all.unsound
        );
        let late = all.times.iter().filter(|time| time.as_secs_f64() > 1.0).count();
        println!("  processor time: median {middle:?}, slowest {slowest:?}, {late} over a second");
        assert!(total.counted >= 15, "only {} mutants", total.counted);
        assert!(!["all", "real"].contains(&which.as_str()) || total.counted >= 200, "only {} mutants", total.counted);
        // Without facts a fault shows some steps later; `docs/rules-from-prose.md` has the figures of both.
        let bar = if detail == Detail::Facts { 90.0 } else { 85.0 };
        let located = share(total.among_three, total.counted);
        assert!(located >= bar, "{detail:?}: only {located:.1} % located");
    }
}

fn print_counts(name: &str, counts: Counts) {
    let Counts { counted, first, among_three, anywhere } = counts;
    println!(
        "{name}: {counted} mutants, located by the first suspect {:.1} %, the first three {:.1} %, any {:.1} %",
        share(first, counted),
        share(among_three, counted),
        share(anywhere, counted)
    );
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "kif"));
    files.sort();
    files
}
