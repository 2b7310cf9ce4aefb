//! Referees: a common text interface to all engines, to compare them with each other and with the reference prover's
//! matches.
//!
//! A referee follows one match. It is slow by design (everything is text) and serves checks, replays and the command
//! line; play and search use the engines' own numbers.

mod engine;

use tesuji_core::{InputError, Rng, mix};

pub use engine::{EngineReferee, Follow, LANES, LaneReferee, MachineReferee};

/// A state as seen by the rules. Texts look like `(cell 1 1 x)`, sorted, without duplicates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The facts.
    pub facts: Vec<String>,
    /// The legal moves of each role; empty when the match is over.
    pub legal: Vec<Vec<String>>,
    /// Whether the match is over.
    pub terminal: bool,
    /// The goal values of each role, ascending: one in a correct sheet, none if undefined, several by mistake. Values
    /// that are not numbers are left out.
    pub goals: Vec<Vec<i32>>,
}

impl View {
    /// The role's goal, if there is exactly one.
    pub fn goal(&self, role: usize) -> Option<i32> {
        match self.goals.get(role)?.as_slice() {
            [goal] => Some(*goal),
            _ => None,
        }
    }
}

/// An engine that follows one match.
pub trait Referee {
    /// The name of the engine: `interpreter`, `network`, `lanes`.
    fn engine(&self) -> &str;

    /// The roles, in the order of their statements.
    fn roles(&self) -> Vec<String>;

    /// Returns to the initial state.
    fn restart(&mut self) -> Result<(), InputError>;

    /// The current state.
    fn view(&mut self) -> Result<View, InputError>;

    /// Makes one move for each role, given as texts in the form of [`View::legal`]. The caller checks that they are
    /// legal; a text that is not a move of the engine is an error.
    fn step(&mut self, joint: &[String]) -> Result<(), InputError>;
}

/// Normalises a GDL text to single spaces between words and none inside parentheses: `( cell 1  1 x )` becomes `(cell 1
/// 1 x)`.
pub fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut space = false;
    for character in text.chars() {
        if character.is_whitespace() {
            space = true;
            continue;
        }
        if (space || character == '(') && character != ')' && !tidied.is_empty() && !tidied.ends_with('(') {
            tidied.push(' ');
        }
        space = character == ')';
        tidied.push(character);
    }
    tidied
}

/// The number of matches and states of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Matches played.
    pub matches: u64,
    /// Matches that reached a terminal state.
    pub finished: u64,
    /// States in which all engines agreed.
    pub states: u64,
    /// Matches that stopped because a role had no legal move.
    pub stuck: u64,
}

/// Plays random matches with all engines in parallel and compares them with the first one, the reference. The error
/// names the first difference.
///
/// Match `i` uses the seed `mix(seed, i)`. A match ends when it is terminal, when a role has no move, or after
/// `most_steps`.
pub fn compare(
    referees: &mut [Box<dyn Referee + '_>],
    matches: u64,
    most_steps: usize,
    seed: u64,
) -> Result<Compared, InputError> {
    let mut compared = Compared::default();
    let Some((truth, others)) = referees.split_first_mut() else { return Ok(compared) };
    let roles = truth.roles();
    if let Some(other) = others.iter().find(|other| other.roles() != roles) {
        return Err(InputError::new(format!(
            "{} has the roles {:?}, {} has {roles:?}",
            other.engine(),
            other.roles(),
            truth.engine()
        )));
    }
    for number in 0..matches {
        let mut rng = Rng::new(mix(seed, number));
        let mut played: Vec<String> = Vec::new();
        truth.restart()?;
        others.iter_mut().try_for_each(|other| other.restart())?;
        compared.matches += 1;
        for step in 0..=most_steps {
            let view = truth.view()?;
            for other in others.iter_mut() {
                let seen = other.view()?;
                if let Some(difference) = difference(&roles, &view, &seen) {
                    return Err(InputError::new(format!(
                        "match {number}, step {step}: {} and {} differ: {difference}",
                        truth.engine(),
                        other.engine()
                    ))
                    .with_help(format!("the moves before, one joint move a line:\n{}", played.join("\n"))));
                }
            }
            compared.states += 1;
            if view.terminal {
                compared.finished += 1;
                break;
            }
            if view.legal.iter().any(Vec::is_empty) {
                compared.stuck += 1;
                break;
            }
            if step == most_steps {
                break;
            }
            let joint: Vec<String> = view.legal.iter().map(|moves| moves[rng.below(moves.len())].clone()).collect();
            truth.step(&joint)?;
            others.iter_mut().try_for_each(|other| other.step(&joint))?;
            played.push(joint.join("\t"));
        }
    }
    Ok(compared)
}

/// A description of the first difference between `seen` and `truth`.
pub fn difference(roles: &[String], truth: &View, seen: &View) -> Option<String> {
    if let Some(words) = texts_differ(&truth.facts, &seen.facts) {
        return Some(format!("facts: {words}"));
    }
    if truth.terminal != seen.terminal {
        return Some(format!("terminal: {} and {}", truth.terminal, seen.terminal));
    }
    for (index, role) in roles.iter().enumerate() {
        let none = Vec::new();
        let legal = |view: &View| view.legal.get(index).cloned().unwrap_or_default();
        if let Some(words) = texts_differ(&legal(truth), &legal(seen)) {
            return Some(format!("legal moves of {role}: {words}"));
        }
        let goals = (truth.goals.get(index).unwrap_or(&none), seen.goals.get(index).unwrap_or(&none));
        if goals.0 != goals.1 {
            return Some(format!("goals of {role}: {:?} and {:?}", goals.0, goals.1));
        }
    }
    None
}

/// The texts that only one of two lists contains.
fn texts_differ(truth: &[String], seen: &[String]) -> Option<String> {
    if truth == seen {
        return None;
    }
    let missing = truth.iter().find(|text| !seen.contains(text));
    let extra = seen.iter().find(|text| !truth.contains(text));
    Some(match (missing, extra) {
        (Some(missing), Some(extra)) => format!("{missing} is missing, {extra} is too much"),
        (Some(missing), None) => format!("{missing} is missing"),
        (None, Some(extra)) => format!("{extra} is too much"),
        (None, None) => "the same, but not in order or not once each".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_do_not_matter() {
        for (text, expected) in [
            ("( cell 1  1 x )", "(cell 1 1 x)"),
            ("noop ", "noop"),
            ("(f(g a)b)", "(f (g a) b)"),
            ("(f ( g ) )", "(f (g))"),
            ("( )", "()"),
        ] {
            assert_eq!(tidy(text), expected);
        }
    }

    fn view(facts: &[&str], terminal: bool) -> View {
        let facts = facts.iter().map(|fact| (*fact).to_owned()).collect();
        View { facts, legal: vec![vec!["a".to_owned()]], terminal, goals: vec![vec![50]] }
    }

    #[test]
    fn differences_are_named() {
        let roles = ["white".to_owned()];
        let truth = view(&["p", "q"], false);
        assert_eq!(difference(&roles, &truth, &truth), None);
        let told = |seen: &View| difference(&roles, &truth, seen).unwrap();
        assert_eq!(told(&view(&["p", "r"], false)), "facts: q is missing, r is too much");
        assert_eq!(told(&view(&["q", "p"], false)), "facts: the same, but not in order or not once each");
        assert_eq!(told(&view(&["p", "q"], true)), "terminal: false and true");
        assert_eq!(told(&View { legal: vec![vec![]], ..truth.clone() }), "legal moves of white: a is missing");
        assert_eq!(told(&View { goals: vec![vec![]], ..truth.clone() }), "goals of white: [50] and []");
    }
}
