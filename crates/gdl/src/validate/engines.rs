//! Engines compared on one sheet.

use std::sync::Arc;

use tesuji_core::InputError;

use super::{Finding, Severity, Trial};
use crate::referee::{LaneReferee, MachineReferee, Referee, compare};
use crate::{Grounding, GroundingLimits, Interpreter, Network, Sheet, ground};

/// The most matches, and the most steps of each.
const MATCHES: u64 = 3;
const STEPS: usize = 100;

/// What grounding may take here: a few seconds. A larger sheet is not compared; `tesuji gdl verify` has no such limit.
const GROUNDING: GroundingLimits = GroundingLimits {
    atoms: 2_000_000,
    rules: 2_000_000,
    conditions: 8_000_000,
    term_depth: 40,
    steps: 200_000_000,
    bytes: 400_000_000,
};

/// Plays a few random matches on all engines, and reports where they disagree. Then an engine is wrong, not the sheet.
///
/// `None` if they agree, if the network cannot take the sheet, or if the trial asks for no matches.
pub fn compare_engines(sheet: &Sheet, trial: &Trial) -> Option<Finding> {
    let matches = trial.matches.min(MATCHES);
    let steps = trial.most_steps.min(STEPS);
    let interpreter = Interpreter::new(sheet, trial.limits).ok().filter(|_| matches > 0)?;
    let mut engines: Vec<Box<dyn Referee + '_>> = vec![Box::new(interpreter.referee())];
    // What the interpreter alone stumbles over is the validator's part.
    compare(&mut engines, matches, steps, trial.seed).ok()?;
    let Ok(Grounding::Done(ground, _)) = ground(sheet, &GROUNDING, &|| false) else { return None };
    let network = Arc::new(Network::new(&ground)?);
    engines.push(Box::new(MachineReferee::new(&ground, Arc::clone(&network), &sheet.symbols)));
    engines.push(Box::new(LaneReferee::new(&ground, &network, &sheet.symbols)));
    disagreement(&mut engines, matches, steps, trial.seed, sheet.source.name())
}

/// The first difference between engines.
fn disagreement(
    engines: &mut [Box<dyn Referee + '_>],
    matches: u64,
    steps: usize,
    seed: u64,
    name: &str,
) -> Option<Finding> {
    let error = compare(engines, matches, steps, seed).err()?;
    let help = "an engine is wrong here; please report it with the sheet and what `tesuji gdl verify` says";
    let error = InputError::new(format!("engines disagree: {}", error.message())).in_file(name).with_help(help);
    Some(Finding { severity: Severity::Error, error })
}

#[cfg(test)]
mod tests {
    use tesuji_core::Source;

    use super::*;
    use crate::View;

    #[test]
    fn engines_agree_on_a_sound_sheet() {
        let text = "(role r) (init (n 1)) (after 1 2) (after 2 3) (legal r go) (legal r (stay ?x))
            (<= (next (n ?y)) (true (n ?x)) (after ?x ?y) (does r go)) (<= terminal (true (n 3))) (goal r 50)";
        let sheet = Sheet::read(Source::new("t.kif", text.replace("(legal r (stay ?x))", ""))).unwrap();
        assert!(compare_engines(&sheet, &Trial::default()).is_none());
        // A sheet that no engine takes is not compared.
        let unsafe_sheet = Sheet::read(Source::new("t.kif", text)).unwrap();
        assert!(compare_engines(&unsafe_sheet, &Trial::default()).is_none());
    }

    /// Sees one fact more than there is.
    struct Liar<R>(R);

    impl<R: Referee> Referee for Liar<R> {
        fn engine(&self) -> &str {
            "liar"
        }

        fn roles(&self) -> Vec<String> {
            self.0.roles()
        }

        fn restart(&mut self) -> Result<(), InputError> {
            self.0.restart()
        }

        fn view(&mut self) -> Result<View, InputError> {
            let mut view = self.0.view()?;
            view.facts.push("zebra".to_owned());
            Ok(view)
        }

        fn step(&mut self, joint: &[String]) -> Result<(), InputError> {
            self.0.step(joint)
        }
    }

    #[test]
    fn a_difference_is_an_error_that_names_both_engines() {
        let text = "(role r) (init p) (legal r go) (<= terminal (true q)) (<= (next q) (does r go)) (goal r 50)";
        let sheet = Sheet::read(Source::new("t.kif", text)).unwrap();
        let interpreter = Interpreter::new(&sheet, Trial::default().limits).unwrap();
        let mut engines: Vec<Box<dyn Referee + '_>> =
            vec![Box::new(interpreter.referee()), Box::new(Liar(interpreter.referee()))];
        let finding = disagreement(&mut engines, 1, 5, 1, "t.kif").unwrap();
        assert_eq!(finding.severity, Severity::Error);
        let text = finding.error.to_string();
        assert!(text.contains("engines disagree") && text.contains("interpreter and liar differ"), "{text}");
    }
}
