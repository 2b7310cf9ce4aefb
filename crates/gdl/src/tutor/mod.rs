//! Compares a rule sheet with examples and explains the first disagreement.
//!
//! ```
//! use tesuji_core::Source;
//! use tesuji_gdl::tutor::{Examples, Verdict, tutor};
//!
//! let sheet = Source::new("heap.kif", "(role a) (init (heap 2))
//! (less 2 1) (less 1 0)
//! (<= (legal a take) (true (heap ?n)) (less ?n ?m))
//! (<= (next (heap ?m)) (true (heap ?n)) (less ?n ?m))
//! (<= terminal (true (heap 1))) (<= (goal a 100) terminal)");
//! let examples = Examples::read(Source::new("heap.examples", "example the last object
//! move a take
//! not over
//! move a take
//! over"))?;
//! let Verdict::Disagree(first) = tutor(sheet, &examples, Default::default())? else { panic!() };
//! assert_eq!((first.step, first.line, first.question.as_str()), (1, 3, "terminal"));
//! assert_eq!(first.suspects[0].line, 5);
//! # Ok::<(), tesuji_core::InputError>(())
//! ```

mod examples;
mod generate;
mod repair;
mod replay;
#[cfg(test)]
mod tests;

use serde::Serialize;
use tesuji_core::{InputError, Source};

pub use examples::{Claim, Example, Examples, Statement};
pub use generate::{Detail, Plan, generate};
pub use repair::Repair;

use crate::explain::{Application, Explanation};
use crate::interpreter::Limits;
use crate::validate::{Finding, Severity, Trial, validate};
use crate::{Place, Rule, Sheet};

/// The result of comparing a sheet with examples.
#[derive(Debug)]
pub enum Verdict {
    /// The sheet does all that the examples say.
    Agree(Agreement),
    /// The first statement that the sheet disagrees with.
    Disagree(Box<Disagreement>),
    /// The sheet cannot be played, or it is not a valid game: errors, with their places.
    Unsound(Vec<Finding>),
}

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Agreement {
    /// The number of examples.
    pub examples: usize,
    /// The number of statements in them.
    pub statements: usize,
    /// The number of joint moves in them.
    pub steps: usize,
}

/// A statement that the sheet disagrees with, and why.
#[derive(Clone, Debug, Serialize)]
pub struct Disagreement {
    /// The name of the example.
    pub example: String,
    /// The number of joint moves before the statement.
    pub step: usize,
    /// The line of the statement in the file of examples, counted from 1.
    pub line: usize,
    /// The statement.
    pub statement: String,
    /// What the example says.
    pub expected: String,
    /// What the sheet says instead.
    pub found: String,
    /// The fact in question, such as `(legal x (place 1 1))`.
    pub question: String,
    /// The joint moves of the example so far, one move per role in the order of the sheet.
    pub moves: Vec<Vec<String>>,
    /// The facts of the state.
    pub facts: Vec<String>,
    /// The rules to look at, the most likely first.
    pub suspects: Vec<Suspect>,
    /// Single changes after which the sheet agrees with all examples, the most convincing first.
    pub repairs: Vec<Repair>,
    /// Proof trees: why the sheet says what it says.
    pub explanations: Vec<Explanation>,
    /// Where the statement stands.
    #[serde(skip)]
    pub place: Place,
}

/// A rule that takes part in a disagreement.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Suspect {
    /// The line where the rule begins, counted from 1.
    pub line: usize,
    /// The line where it ends.
    pub end_line: usize,
    /// Its conclusion.
    pub head: String,
    /// The conclusion of a rule that seems to be missing beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Where it stands.
    #[serde(skip)]
    pub place: Place,
}

impl Suspect {
    fn of(application: &Application) -> Suspect {
        let Application { line, end_line, head, place, .. } = application;
        Suspect { line: *line, end_line: *end_line, head: head.clone(), missing: None, place: *place }
    }

    /// A rule of a sheet, and the conclusion that seems to be missing beside it.
    fn rule(sheet: &Sheet, rule: &Rule, missing: Option<String>) -> Suspect {
        let line = |offset: u32| sheet.source.position(offset as usize).0;
        Suspect {
            line: line(rule.place.start),
            end_line: line(rule.place.end),
            head: sheet.atom_text(&rule.head, rule),
            missing,
            place: rule.place,
        }
    }
}

/// The rules of several trees in turn, without duplicates.
fn suspects(explanations: &[Explanation]) -> Vec<Suspect> {
    let lists: Vec<Vec<&Application>> = explanations.iter().map(Explanation::rules).collect();
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let mut suspects: Vec<Suspect> = Vec::new();
    for index in 0..longest {
        for application in lists.iter().filter_map(|list| list.get(index)) {
            if !suspects.iter().any(|known| known.place == application.place) {
                suspects.push(Suspect::of(application));
            }
        }
    }
    suspects
}

/// The most repairs in a message.
const MOST_REPAIRS: usize = 3;

impl Disagreement {
    /// The repair message as text: what was expected, what the sheet says, and why.
    pub fn text(&self) -> String {
        let mut text = format!(
            "example \"{}\", line {}, {}: {}\nexpected: {}\nthe sheet: {}\n",
            self.example,
            self.line,
            when(self.step),
            self.statement,
            self.expected,
            self.found
        );
        if let Some(last) = self.moves.last() {
            text.push_str(&format!("last move: {}\n", last.join(" ")));
        }
        for explanation in &self.explanations {
            text.push('\n');
            text.push_str(&explanation.text());
            text.push('\n');
        }
        for repair in self.repairs.iter().take(MOST_REPAIRS) {
            text.push_str(&format!("\nall examples would agree after this change of line {}:", repair.line));
            text.push_str(&format!("\n  {}\n", repair.change));
        }
        text
    }
}

/// The state that a statement is about, in words.
fn when(step: usize) -> String {
    match step {
        0 => "in the first state".to_owned(),
        1 => "after 1 step".to_owned(),
        _ => format!("after {step} steps"),
    }
}

/// Reads and checks a sheet, then compares it with the examples. An error means that the examples cannot be used with
/// it, for example because they name a role that it does not have.
pub fn tutor(sheet: Source, examples: &Examples, limits: Limits) -> Result<Verdict, InputError> {
    let sheet = match Sheet::read(sheet) {
        Ok(sheet) => sheet,
        Err(error) => return Ok(Verdict::Unsound(vec![Finding { severity: Severity::Error, error }])),
    };
    if let Some(errors) = errors(&sheet, &Trial { matches: 0, limits, ..Trial::default() }) {
        return Ok(Verdict::Unsound(errors));
    }
    let verdict = compare(&sheet, examples, limits)?;
    // Examples come first: their messages are about the game itself. Then a little random play.
    let trial = Trial { matches: 4, most_steps: 200, total_steps: 200, seed: 1, limits };
    Ok(match verdict {
        Verdict::Agree(_) => errors(&sheet, &trial).map_or(verdict, Verdict::Unsound),
        _ => verdict,
    })
}

/// Compares a sheet with examples without checking it first.
pub fn compare(sheet: &Sheet, examples: &Examples, limits: Limits) -> Result<Verdict, InputError> {
    replay::compare(sheet, examples, limits)
}

fn errors(sheet: &Sheet, trial: &Trial) -> Option<Vec<Finding>> {
    let mut findings = validate(sheet, trial);
    findings.retain(|finding| finding.severity == Severity::Error);
    (!findings.is_empty()).then_some(findings)
}
