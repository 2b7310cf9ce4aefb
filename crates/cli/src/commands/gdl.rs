//! `tesuji gdl`

mod tutor;

use serde_json::json;
use tesuji_arena::InputError;
use tesuji_arena::gdl::{GroundingLimits, Limits, Rules, Severity, SheetLimits, Trial, check};

use crate::arguments::{
    GdlCheckOptions, GdlCommand, GdlDotOptions, GdlInfoOptions, GdlOptions, GdlReplayOptions, GdlVerifyOptions,
    GroundingOptions, InterpreterOptions,
};
use crate::output::{Output, read_text, table};

pub(crate) fn run(options: &GdlOptions, output: &mut Output) -> Result<(), InputError> {
    match &options.command {
        GdlCommand::Check(options) => run_check(options, output),
        GdlCommand::Info(options) => run_info(options, output),
        GdlCommand::Dot(options) => run_dot(options, output),
        GdlCommand::Replay(options) => run_replay(options, output),
        GdlCommand::Verify(options) => run_verify(options, output),
        GdlCommand::Why(options) => tutor::run_why(options, output),
        GdlCommand::Tutor(options) => tutor::run_tutor(options, output),
        GdlCommand::Examples(options) => tutor::run_examples(options, output),
    }
}

fn interpreter_limits(options: &InterpreterOptions) -> Limits {
    let usual = Limits::default();
    Limits {
        steps: options.effort.map_or(usual.steps, |millions| millions * MILLION),
        answers: options.answers.unwrap_or(usual.answers),
        terms: options.terms.map_or(usual.terms, |count| count as usize),
        nesting: options.nesting.unwrap_or(usual.nesting),
        calls: options.calls.unwrap_or(usual.calls),
        facts: options.facts.map_or(usual.facts, |count| count as usize),
    }
}

fn sheet_limits(interpreter: &InterpreterOptions, options: &GroundingOptions) -> SheetLimits {
    let usual = GroundingLimits::default();
    let grounding = GroundingLimits {
        atoms: options.atoms.map_or(usual.atoms, |count| count as usize),
        rules: options.ground_rules.map_or(usual.rules, |count| count as usize),
        conditions: options.conditions.map_or(usual.conditions, |count| count as usize),
        term_depth: options.depth.map_or(usual.term_depth, usize::from),
        steps: options.work.map_or(usual.steps, |millions| millions * MILLION),
        bytes: options.memory.map_or(usual.bytes, |megabytes| (megabytes * MILLION) as usize),
    };
    let grounding_time = options.ground_seconds;
    SheetLimits { interpreter: interpreter_limits(interpreter), grounding, grounding_time }
}

const MILLION: u64 = 1_000_000;

fn run_check(options: &GdlCheckOptions, output: &mut Output) -> Result<(), InputError> {
    let limits = interpreter_limits(&options.interpreter);
    let trial = Trial {
        matches: options.matches,
        most_steps: options.steps,
        seed: options.seed,
        limits,
        total_steps: options.total_steps,
    };
    let findings = check(read_text(&options.file)?, &trial);
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    for finding in &findings {
        if output.is_json() {
            let place = finding.error.position();
            output.value(&json!({
                "severity": finding.severity.name(),
                "message": finding.error.message(),
                "help": finding.error.help_text(),
                "line": place.map(|(line, _)| line),
                "column": place.map(|(_, column)| column),
            }));
        } else {
            let drawing = output.drawing(&finding.error);
            output.line(format!("{}: {}", finding.severity.name(), drawing.trim_end()));
        }
    }
    let name = options.file.display();
    if errors > 0 {
        return Err(InputError::new(format!("{name}: {errors} error(s) in {} finding(s)", findings.len())));
    }
    if !output.is_json() {
        output.line(format!("{name}: sound ({} finding(s), none of them an error)", findings.len()));
    }
    Ok(())
}

fn run_info(options: &GdlInfoOptions, output: &mut Output) -> Result<(), InputError> {
    let limits = sheet_limits(&options.interpreter, &options.grounding);
    let info = Rules::open(read_text(&options.file)?, &limits)?.info();
    if output.is_json() {
        output.value(&json!(info));
        return Ok(());
    }
    output.line(format!("roles: {}", info.roles.join(", ")));
    output.line(format!(
        "size: {} rules with {} conditions; {} facts in the first state",
        info.rules, info.conditions, info.initial_facts
    ));
    output.line(format!(
        "found: {}",
        if info.features.is_empty() { "nothing special".to_owned() } else { info.features.join(", ") }
    ));
    output.line(format!("engine: {} ({})", info.engine, info.reason));
    if let Some(network) = info.network {
        output.line(format!(
            "network: {} facts, {} moves, {} gates with {} inputs",
            network.facts, network.moves, network.gates, network.links
        ));
    }
    let mut relations = table(&["relation", "arguments", "facts", "rules"]);
    for relation in &info.relations {
        relations.add_row([
            relation.name.clone(),
            relation.arity.to_string(),
            relation.facts.to_string(),
            relation.rules.to_string(),
        ]);
    }
    output.table(&relations);
    Ok(())
}

fn run_dot(options: &GdlDotOptions, output: &mut Output) -> Result<(), InputError> {
    let limits = sheet_limits(&InterpreterOptions::default(), &options.grounding);
    let dot = Rules::open(read_text(&options.file)?, &limits)?.dot()?;
    if output.is_json() {
        output.value(&json!({ "dot": dot }));
    } else {
        output.line(dot.trim_end());
    }
    Ok(())
}

fn run_replay(options: &GdlReplayOptions, output: &mut Output) -> Result<(), InputError> {
    let limits = sheet_limits(&options.interpreter, &options.grounding);
    let rules = Rules::open(read_text(&options.file)?, &limits)?;
    let moves = read_text(&options.moves)?;
    rules.replay(&options.engine, &moves, &mut |state| output.value(state))
}

fn run_verify(options: &GdlVerifyOptions, output: &mut Output) -> Result<(), InputError> {
    let limits = sheet_limits(&options.interpreter, &options.grounding);
    let rules = Rules::open(read_text(&options.file)?, &limits)?;
    let (engines, compared) = rules.verify(options.matches, options.steps, options.seed)?;
    if output.is_json() {
        output.value(&json!({
            "file": options.file.display().to_string(),
            "engines": engines,
            "agree": true,
            "matches": compared.matches,
            "finished": compared.finished,
            "stuck": compared.stuck,
            "states": compared.states,
            "without": rules.network_trouble().map(ToString::to_string),
        }));
        return Ok(());
    }
    if let Some(trouble) = rules.network_trouble() {
        output.line(format!("the network cannot take this sheet: {trouble}"));
    }
    let alone = if engines.len() == 1 { " (nothing to compare it with)" } else { "" };
    output.line(format!(
        "{} agree in {} states of {} matches, {} of them finished{alone}",
        engines.join(" and "),
        compared.states,
        compared.matches,
        compared.finished
    ));
    Ok(())
}
