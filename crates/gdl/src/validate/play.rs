//! Checks by random play: problems that show only when a sheet is played.

use tesuji_core::{InputError, Rng, mix};

use super::{Inspection, Severity, Trial};
use crate::interpreter::Interpreter;

impl Inspection<'_> {
    /// Plays random matches and reports each kind of problem once.
    pub(super) fn play(&mut self, interpreter: &Interpreter, trial: &Trial) {
        let mut steps_left = trial.total_steps;
        for number in 0..trial.matches {
            match self.play_one(interpreter, trial, number, &mut steps_left) {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => {
                    self.add(Severity::Error, error);
                    return;
                }
            }
        }
    }

    /// Plays one match; false if there is nothing more to learn.
    fn play_one(
        &mut self,
        interpreter: &Interpreter,
        trial: &Trial,
        number: u64,
        steps_left: &mut usize,
    ) -> Result<bool, InputError> {
        let mut rng = Rng::new(mix(trial.seed, number));
        let mut state = interpreter.initial().clone();
        for step in 0..trial.most_steps {
            if interpreter.terminal(&state)? {
                return self.goals_at_the_end(interpreter, &state, number, step);
            }
            if *steps_left == 0 {
                return Ok(false);
            }
            *steps_left -= 1;
            let mut joint = Vec::new();
            for role in 0..interpreter.roles().len() {
                let legal = interpreter.legal(&state, role)?;
                if legal.is_empty() {
                    let name = interpreter.text(interpreter.roles()[role]);
                    let message = format!("{name} has no legal move in step {step} of random match {number}");
                    let facts = interpreter.texts(state.terms()).join(" ");
                    self.found(Severity::Error, message, format!("the state: {facts}"));
                    return Ok(false);
                }
                joint.push(legal[rng.below(legal.len())]);
            }
            state = interpreter.next(&state, &joint)?;
        }
        let message = format!("random match {number} did not end within {} steps", trial.most_steps);
        self.found(Severity::Warning, message, "most sheets count their steps to end every match".to_owned());
        Ok(false)
    }

    /// Checks that every role has exactly one goal, a number from 0 to 100.
    fn goals_at_the_end(
        &mut self,
        interpreter: &Interpreter,
        state: &crate::interpreter::Facts,
        number: u64,
        step: usize,
    ) -> Result<bool, InputError> {
        for (role, &name) in interpreter.roles().iter().enumerate() {
            let mut goals = interpreter.texts(&interpreter.goal_terms(state, role)?);
            // A value written in two ways is one goal.
            let mut seen: Vec<i32> = Vec::new();
            goals.retain(|goal| {
                let value = goal.parse::<i32>().ok();
                let known = value.is_some_and(|value| seen.contains(&value));
                seen.extend(value);
                !known
            });
            let name = interpreter.text(name);
            let place = format!("at the end of random match {number}, after {step} steps");
            let trouble = match goals.as_slice() {
                [] => Some((Severity::Error, format!("{name} has no goal {place}"))),
                [goal] if goal.parse::<i32>().is_ok_and(|goal| (0..=100).contains(&goal)) => None,
                [goal] => Some((Severity::Error, format!("{name} has the goal {goal} {place}"))),
                many => Some((Severity::Error, format!("{name} has the goals {} at once {place}", many.join(", ")))),
            };
            if let Some((severity, message)) = trouble {
                self.found(
                    severity,
                    message,
                    "each role has one goal from 0 to 100 in every terminal state".to_owned(),
                );
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn found(&mut self, severity: Severity, message: String, help: String) {
        let error = InputError::new(message).in_file(self.sheet.source.name()).with_help(help);
        self.add(severity, error);
    }
}
