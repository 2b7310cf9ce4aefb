//! Random valid rule sheets: interpreter, network, lanes and a plain evaluator agree on random play of each.
//!
//! `TESUJI_SHEETS=100000 cargo test --release -p tesuji-gdl --test gdl random_sheets -- --nocapture` compares as many
//! sheets as one likes and reports its progress; `TESUJI_SHEET_SEED=n` starts at another seed. A difference prints the
//! seed and the sheet, made as small as possible.

mod evaluate;
mod found;
mod generate;
mod sheet;
mod shrink;

use std::sync::Arc;
use std::time::Instant;

use evaluate::{Plain, TOO_LARGE};
use generate::random_sheet;
use sheet::{RandomSheet, is_safe};
use tesuji_core::Source;
use tesuji_gdl::interpreter::Limits;
use tesuji_gdl::referee::{Compared, LaneReferee, MachineReferee, Referee, compare};
use tesuji_gdl::validate::{Severity, Trial, validate};
use tesuji_gdl::{Grounding, GroundingLimits, Interpreter, Network, Sheet, ground};

/// Sheets of the ordinary test.
const SHEETS: u64 = 300;
/// Random matches on each sheet, and the most steps of a match.
const MATCHES: u64 = 2;
const STEPS: usize = 6;

const LIMITS: Limits =
    Limits { steps: 5_000_000, answers: 200_000, terms: 100_000, nesting: 60, calls: 5_000, facts: 5_000 };
const GROUNDING: GroundingLimits = GroundingLimits {
    atoms: 20_000,
    rules: 20_000,
    conditions: 80_000,
    term_depth: 8,
    steps: 3_000_000,
    bytes: 100_000_000,
};

/// What a comparison of one sheet resulted in.
enum Outcome {
    Agree { compared: Compared, grounded: bool },
    TooLarge,
    Differ(String),
}

fn read(sheet: &RandomSheet) -> Result<Sheet, String> {
    Sheet::read(Source::new("random.kif", sheet.to_string())).map_err(|error| error.to_string())
}

/// Plays the sheet on all engines.
fn outcome(random: &RandomSheet, seed: u64) -> Outcome {
    match try_outcome(random, seed) {
        Ok(outcome) => outcome,
        Err(error) if error.contains(TOO_LARGE) => Outcome::TooLarge,
        Err(error) => Outcome::Differ(error),
    }
}

fn try_outcome(random: &RandomSheet, seed: u64) -> Result<Outcome, String> {
    let plain = Plain::new(random).map_err(|error| error.to_string())?;
    let sheet = read(random)?;
    let interpreter = Interpreter::new(&sheet, LIMITS).map_err(|error| error.to_string())?;
    let grounding = ground(&sheet, &GROUNDING, &|| false).map_err(|error| error.to_string())?;
    let networks = match &grounding {
        Grounding::Done(ground, _) => {
            let networks = [Network::new(ground), Network::plain(ground)];
            Some((ground, networks.map(|network| network.map(Arc::new))))
        }
        Grounding::TooLarge(_) => None,
    };
    let mut engines: Vec<Box<dyn Referee + '_>> = vec![Box::new(plain), Box::new(interpreter.referee())];
    if let Some((ground, networks)) = &networks {
        for network in networks.iter().flatten() {
            engines.push(Box::new(MachineReferee::new(ground, Arc::clone(network), &sheet.symbols)));
            engines.push(Box::new(LaneReferee::new(ground, network, &sheet.symbols)));
        }
    }
    let grounded = engines.len() > 2;
    let compared = compare(&mut engines, MATCHES, STEPS, seed).map_err(|error| error.to_string())?;
    Ok(Outcome::Agree { compared, grounded })
}

#[test]
fn all_engines_agree_on_random_sheets() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let wanted = number("TESUJI_SHEETS");
    let first = number("TESUJI_SHEET_SEED").unwrap_or(0);
    let sheets = wanted.unwrap_or(SHEETS);
    let start = Instant::now();
    let (mut grounded_sheets, mut too_large, mut played) = (0u64, 0u64, Compared::default());
    for seed in first..first + sheets {
        let random = random_sheet(seed);
        match outcome(&random, seed) {
            Outcome::Agree { compared, grounded } => {
                grounded_sheets += u64::from(grounded);
                played.states += compared.states;
                played.matches += compared.matches;
                played.finished += compared.finished;
                played.stuck += compared.stuck;
            }
            Outcome::TooLarge => too_large += 1,
            Outcome::Differ(message) => {
                let small = shrink::shrink(&random, &|smaller| matches!(outcome(smaller, seed), Outcome::Differ(_)));
                let Outcome::Differ(small_message) = outcome(&small, seed) else { panic!("seed {seed}: {message}") };
                panic!("seed {seed}: {message}\nThe smallest sheet found: {small_message}\n{small}");
            }
        }
        let done = seed + 1 - first;
        if wanted.is_some() && (done % 2_000 == 0 || done == sheets) {
            println!(
                "{done} sheets, {grounded_sheets} with a network, {too_large} too large, {} matches ({} finished, {} \
                 stuck), {} states, {:.0} s",
                played.matches,
                played.finished,
                played.stuck,
                played.states,
                start.elapsed().as_secs_f64()
            );
        }
    }
    // The generator is worth something only if most sheets are played on all engines, for several states.
    assert!(too_large * 10 <= sheets, "{too_large} of {sheets} sheets are too large");
    assert!(grounded_sheets * 10 >= sheets * 8, "{grounded_sheets} of {sheets} sheets have a network");
    assert!(played.states >= sheets * 3, "{} states of {sheets} sheets", played.states);
}

#[test]
fn random_sheets_are_valid() {
    for seed in 0..200 {
        let random = random_sheet(seed);
        assert!(random.rules.iter().all(is_safe), "seed {seed}");
        let sheet = read(&random).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let findings = validate(&sheet, &Trial { matches: 0, limits: LIMITS, ..Trial::default() });
        // Recursion that the specification calls loose is fine here: conditions outside bind each of its variables.
        let is_loose = |text: &str| text.contains("this recursion may never end");
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
        if let Some(error) = errors.map(|finding| finding.error.to_string()).find(|text| !is_loose(text)) {
            panic!("seed {seed}: {error}\n{random}");
        }
    }
}
