//! Searches for inputs that break a target.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tesuji_arena::Rng;

use crate::mutate::{damage, mutate};
use crate::panics;
use crate::targets::Target;

/// An input that takes longer is a finding. The slowest legitimate inputs take some tenths of a second.
const SLOW: Duration = Duration::from_secs(10);
/// The longest shortening of an input that breaks a target.
const SHORTENING: Duration = Duration::from_secs(5);
/// Findings after which a target is left alone.
const MOST_FINDINGS: usize = 5;
/// Inputs that are kept for further changes, at most.
const MOST_KEPT: usize = 2_000;

/// How long to search. The first limit that is reached ends the search.
pub struct Plan {
    /// Seconds, if they are limited.
    pub seconds: Option<f64>,
    /// Changed inputs, if they are limited. Seeds and inputs that were found earlier always run.
    pub inputs: Option<u64>,
    /// The seed of all changes.
    pub seed: u64,
    /// A file that holds the current input, so that it survives a crash of the process: see [`current_input`].
    pub current: Option<PathBuf>,
}

/// An input that broke a target.
pub struct Finding {
    /// The input, shortened.
    pub input: Vec<u8>,
    /// What happened.
    pub what: String,
}

/// What a search did.
pub struct Report {
    /// Inputs that ran.
    pub inputs: u64,
    /// Different outcomes.
    pub outcomes: usize,
    /// The time of the slowest input.
    pub slowest: Duration,
    /// The inputs that broke the target.
    pub findings: Vec<Finding>,
}

/// Runs a target on its seeds and on changes of them. Meanwhile panics of the process are not printed.
pub fn fuzz(target: &Target, plan: &Plan) -> Report {
    panics::noticing(|| search(target, plan))
}

fn search(target: &Target, plan: &Plan) -> Report {
    let begun = Instant::now();
    // Without the file a crash only loses its input.
    let current = plan.current.as_ref().and_then(|path| File::create(path).ok());
    let mut search = Search { target, current, seen: HashSet::new(), places: HashSet::new(), report: Report::new() };
    let mut kept: Vec<Vec<u8>> = Vec::new();
    for seed in target.seeds() {
        search.try_input(seed);
        kept.push(seed.clone());
    }
    let mut rng = Rng::new(plan.seed);
    let mut changed = 0;
    let time_left = || plan.seconds.is_none_or(|seconds| begun.elapsed().as_secs_f64() < seconds);
    while plan.inputs.is_none_or(|most| changed < most) && time_left() && search.report.findings.len() < MOST_FINDINGS {
        // Half of the time one of the inputs that were kept last.
        let recent = kept.len().min(20);
        let base = if rng.chance(0.5) { kept.len() - 1 - rng.below(recent) } else { rng.below(kept.len()) };
        let input = if target.is_binary() {
            damage(&kept[base], target.words(), &mut rng)
        } else {
            mutate(&kept[base], &kept, target.words(), &mut rng)
        };
        changed += 1;
        if search.try_input(&input) && kept.len() < MOST_KEPT {
            kept.push(input);
        }
    }
    search.report.outcomes = search.seen.len();
    search.report
}

/// The input that a process was working on when it crashed, from the file that the plan names.
pub fn current_input(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap_or_default();
    let Some((length, input)) = bytes.split_first_chunk::<LENGTH>() else { return Vec::new() };
    input[..input.len().min(u64::from_le_bytes(*length) as usize)].to_vec()
}

/// Bytes of the length that precedes the current input in its file.
const LENGTH: usize = size_of::<u64>();

impl Report {
    fn new() -> Report {
        Report { inputs: 0, outcomes: 0, slowest: Duration::ZERO, findings: Vec::new() }
    }
}

struct Search<'a> {
    target: &'a Target,
    /// The file of the current input, kept open: making one for each input would take most of the time.
    current: Option<File>,
    /// The shapes of outcomes so far.
    seen: HashSet<String>,
    /// The places of panics so far: each is one finding.
    places: HashSet<String>,
    report: Report,
}

impl Search<'_> {
    /// Runs an input; returns whether its outcome is new.
    fn try_input(&mut self, input: &[u8]) -> bool {
        if let Some(file) = &mut self.current {
            let bytes = [&(input.len() as u64).to_le_bytes(), input].concat();
            drop(file.rewind().and_then(|()| file.write_all(&bytes)));
        }
        self.report.inputs += 1;
        let begun = Instant::now();
        let outcome = outcome(self.target, input);
        let time = begun.elapsed();
        self.report.slowest = self.report.slowest.max(time);
        if time > SLOW {
            let what = format!("took {:.1} s", time.as_secs_f64());
            self.report.findings.push(Finding { input: input.to_vec(), what });
            return false;
        }
        match outcome {
            Ok(outcome) => self.seen.insert(shape(&outcome)),
            Err(what) => {
                if self.places.insert(place(&what)) {
                    let input = shortened(self.target, input, &place(&what));
                    self.report.findings.push(Finding { input, what });
                }
                false
            }
        }
    }
}

/// The outcome of an input, or the panic that it caused.
fn outcome(target: &Target, input: &[u8]) -> Result<String, String> {
    panics::take();
    let result = catch_unwind(AssertUnwindSafe(|| target.run(input)));
    let mut noticed = panics::take();
    match result {
        Ok(outcome) if noticed.is_empty() => Ok(outcome),
        _ if noticed.is_empty() => Err("a panic that was not noticed".to_owned()),
        _ => Err(noticed.swap_remove(0)),
    }
}

/// Where a panic happened: file, line and column.
fn place(what: &str) -> String {
    what.split(": ").next().unwrap_or_default().to_owned()
}

/// An outcome without the parts that differ from input to input: quoted texts and numbers.
fn shape(outcome: &str) -> String {
    let mut shape = String::new();
    let mut quoted = false;
    for character in outcome.chars().take(400) {
        match character {
            '`' => quoted = !quoted,
            _ if quoted || character.is_ascii_digit() => {}
            _ => shape.push(character),
        }
    }
    shape
}

/// The input without what is not needed to cause a panic at the same place.
fn shortened(target: &Target, input: &[u8], wanted: &str) -> Vec<u8> {
    let begun = Instant::now();
    let mut shortest = input.to_vec();
    let mut piece = shortest.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        while at < shortest.len() && begun.elapsed() < SHORTENING {
            let mut shorter = shortest.clone();
            shorter.drain(at..(at + piece).min(shortest.len()));
            match outcome(target, &shorter) {
                Err(what) if place(&what) == wanted => shortest = shorter,
                _ => at += piece,
            }
        }
        if piece == 1 || begun.elapsed() >= SHORTENING {
            return shortest;
        }
        piece = piece.div_ceil(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::NAMES;

    /// Panics if a number above 99 follows the word.
    fn brittle(input: &[u8]) -> String {
        let text = String::from_utf8_lossy(input);
        let Some((_, number)) = text.split_once("units ") else { return "no units".to_owned() };
        match number.split_whitespace().next().unwrap_or("").parse::<u64>() {
            Ok(number) => {
                assert!(number < 100, "too many units");
                "units".to_owned()
            }
            Err(_) => "not a number".to_owned(),
        }
    }

    /// The panic hook belongs to the process, so one test runs everything in turn.
    #[test]
    fn planted_faults_are_found_and_the_targets_hold() {
        let plan = |inputs: u64| Plan { seconds: None, inputs: Some(inputs), seed: 1, current: None };
        let target = Target::new("brittle", Box::new(brittle), vec![b"map 3\nunits 12\n".to_vec()], &["units"]);
        let report = fuzz(&target, &plan(2_000));
        assert_eq!(report.findings.len(), 1);
        let finding = &report.findings[0];
        assert!(finding.what.contains("driver.rs") && finding.what.contains("too many units"), "{}", finding.what);
        assert!(finding.input.starts_with(b"units ") && finding.input.len() < 12, "{:?}", finding.input);
        assert_eq!(report.outcomes, 3);

        let mut broken = Vec::new();
        for name in NAMES {
            let target = crate::target(name).unwrap();
            let report = fuzz(&target, &plan(target.short_run()));
            assert!(report.outcomes > 1, "{name}: every input has the same outcome");
            for finding in report.findings {
                broken.push(format!("{name}: {} by {:?}", finding.what, String::from_utf8_lossy(&finding.input)));
            }
        }
        assert!(broken.is_empty(), "{}", broken.join("\n"));
    }
}
