//! `tesuji gdl why`, `tutor` and `examples`

use serde_json::{Value, json};
use tesuji_arena::gdl::{Detail, Disagreement, Examples, Finding, Plan, Rules, SheetLimits, Verdict, examples, tutor};
use tesuji_arena::{InputError, Source};

use super::interpreter_limits;
use crate::arguments::{GdlExamplesOptions, GdlTutorOptions, GdlWhyOptions};
use crate::output::{Mark, Output, read_text};

pub(super) fn run_why(options: &GdlWhyOptions, output: &mut Output) -> Result<(), InputError> {
    let interpreter = interpreter_limits(&options.interpreter);
    let rules = Rules::open(read_text(&options.file)?, &SheetLimits { interpreter, ..SheetLimits::default() })?;
    let moves = options.moves.as_deref().map(read_text).transpose()?;
    let explanation = rules.why(moves.as_ref(), &options.fact)?;
    if output.is_json() {
        output.value(&json!(explanation));
        return Ok(());
    }
    output.line(explanation.text());
    if let Some(rule) = explanation.rules().first() {
        let label = if explanation.holds { "this rule concludes it" } else { "this rule comes closest" };
        let mark = Mark { source: rules.source(), span: rule.place.start as usize..rule.place.end as usize, label };
        output.line(String::new());
        output.line(output.marked("the first rule of the tree", &[mark]));
    }
    Ok(())
}

pub(super) fn run_tutor(options: &GdlTutorOptions, output: &mut Output) -> Result<(), InputError> {
    let sheet = read_text(&options.file)?;
    let examples = Examples::read(read_text(&options.examples)?)?;
    let name = options.file.display();
    match tutor(sheet.clone(), &examples, interpreter_limits(&options.interpreter))? {
        Verdict::Agree(agreement) => {
            if output.is_json() {
                output.value(&json!({ "agree": true, "compared": agreement }));
            } else {
                output.line(format!(
                    "{name}: agrees with {}: {}, {}",
                    counted(agreement.examples, "example"),
                    counted(agreement.statements, "statement"),
                    counted(agreement.steps, "step")
                ));
            }
            Ok(())
        }
        Verdict::Disagree(disagreement) => {
            show_disagreement(&sheet, &examples, &disagreement, output);
            let Disagreement { example, line, .. } = *disagreement;
            Err(InputError::new(format!("{name}: disagrees with example \"{example}\" in line {line}")))
        }
        Verdict::Unsound(findings) => {
            show_findings(&findings, output);
            Err(InputError::new(format!("{name}: {} error(s) in the sheet", findings.len())))
        }
    }
}

/// A number of things, in singular or plural.
fn counted(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

fn show_disagreement(sheet: &Source, examples: &Examples, disagreement: &Disagreement, output: &mut Output) {
    let text = disagreement.text();
    if output.is_json() {
        output.value(&json!({ "agree": false, "disagreement": disagreement, "message": text }));
        return;
    }
    output.line(text.trim_end());
    let (place, found) = (disagreement.place, disagreement.found.as_str());
    let mut marks =
        vec![Mark { source: &examples.source, span: place.start as usize..place.end as usize, label: found }];
    if let Some(suspect) = disagreement.suspects.first() {
        let span = suspect.place.start as usize..suspect.place.end as usize;
        let label = match suspect.missing {
            None => "look at this rule first",
            Some(_) => "look here first: a rule like this may be missing",
        };
        marks.push(Mark { source: sheet, span, label });
    }
    output.line(String::new());
    output.line(output.marked(&format!("expected: {}", disagreement.expected), &marks));
}

fn show_findings(findings: &[Finding], output: &mut Output) {
    if output.is_json() {
        let errors: Vec<Value> = findings.iter().map(finding).collect();
        let messages: Vec<String> = findings.iter().map(|finding| finding.error.to_string()).collect();
        output.value(&json!({ "agree": false, "errors": errors, "message": messages.join("\n") }));
        return;
    }
    for finding in findings {
        let drawing = output.drawing(&finding.error);
        output.line(drawing.trim_end());
    }
}

fn finding(finding: &Finding) -> Value {
    let place = finding.error.position();
    json!({
        "message": finding.error.message(),
        "help": finding.error.help_text(),
        "line": place.map(|(line, _)| line),
        "column": place.map(|(_, column)| column),
    })
}

pub(super) fn run_examples(options: &GdlExamplesOptions, output: &mut Output) -> Result<(), InputError> {
    let detail = if options.with_facts { Detail::Facts } else { Detail::Moves };
    let plan = Plan { matches: options.matches, most_steps: options.steps, seed: options.seed, detail };
    let examples = examples(read_text(&options.file)?, &plan, interpreter_limits(&options.interpreter))?;
    if output.is_json() {
        output.value(&json!({ "examples": examples.to_string() }));
    } else {
        output.line(examples.to_string().trim_end());
    }
    Ok(())
}
