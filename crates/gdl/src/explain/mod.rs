//! Why a fact holds in a state, or why it does not: proof trees that point at the rules of a sheet.
//!
//! An [`Explainer`] replays a match and explains any fact of its states. A fact that holds is explained by a rule, the
//! values of its variables and its conditions, each explained in turn. For a fact that does not hold, every rule that
//! could conclude it is tried: the explanation names the first condition that fails in the longest partial match.
//!
//! ```
//! use tesuji_core::Source;
//! use tesuji_gdl::explain::Explainer;
//! use tesuji_gdl::Sheet;
//!
//! let text = "(role a) (init (heap 2))
//! (less 2 1) (less 1 0)
//! (<= (legal a take) (true (heap ?n)) (less ?n ?m))
//! (<= (next (heap ?m)) (true (heap ?n)) (less ?n ?m))
//! (<= terminal (true (heap 0))) (<= (goal a 100) terminal)";
//! let sheet = Sheet::read(Source::new("heap.kif", text))?;
//! let explainer = Explainer::new(&sheet, &["terminal"], Default::default())?;
//! let timeline = explainer.timeline(None, &[vec!["take".to_owned()]])?;
//! let why = explainer.explain(&timeline, 1, "terminal")?;
//! assert!(!why.holds);
//! assert!(why.text().contains("line 5: terminal"), "{}", why.text());
//! # Ok::<(), tesuji_core::InputError>(())
//! ```

mod oracle;
mod search;
mod timeline;
mod work;
mod explainer;
mod proof;
mod refutation;
mod near_miss;
mod text;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Serialize;

pub use explainer::Explainer;
pub(crate) use text::spelled;
pub use timeline::Timeline;

use crate::Place;

/// Why a fact holds or does not hold.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Explanation {
    /// The fact, such as `(legal x (place 1 1))`. Variables that can have any value keep their names.
    pub fact: String,
    /// Whether it holds.
    pub holds: bool,
    /// The number of joint moves before the state that it is about.
    pub step: usize,
    /// The reason.
    #[serde(flatten)]
    pub reason: Reason,
}

/// The reason of an [`Explanation`].
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "because", rename_all = "kebab-case")]
pub enum Reason {
    /// It holds because a rule concludes it.
    Rule {
        /// The rule.
        rule: Application,
    },
    /// It holds because the state contains it since a step.
    State {
        /// The first state without interruption that contains it.
        since: usize,
        /// Why that state contains it; `None` if the state was given.
        derived: Option<Box<Explanation>>,
        /// The rule by which the last step kept it, if it was there before.
        #[serde(skip_serializing_if = "Option::is_none")]
        kept: Option<Box<Explanation>>,
    },
    /// It holds because it is the move that a role makes in this step.
    Move,
    /// It does not hold: the state does not contain it.
    NotInState {
        /// Why no rule adds it to the state; `None` if that is not in question.
        missing: Option<Box<Explanation>>,
    },
    /// It does not hold: the role makes another move in this step.
    OtherMove {
        /// What the roles do, such as `(does x noop)`; empty after the last move.
        does: Vec<String>,
    },
    /// It does not hold: no rule concludes it.
    NoRule {
        /// The rules that could conclude it, those with the fewest conditions left first.
        rules: Vec<Application>,
        /// The number of further rules that are not shown.
        others: usize,
    },
    /// It is not explained here: the tree would be too deep or too large, or this is explained further up.
    Cut,
}

/// A rule as it was applied, or as it failed to apply.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Application {
    /// The line of the sheet where the rule begins, counted from 1.
    pub line: usize,
    /// The line where it ends.
    pub end_line: usize,
    /// The conclusion, with the rule's own variables.
    pub head: String,
    /// The values of its variables.
    pub bindings: BTreeMap<String, String>,
    /// The conditions in the order in which they were tried. If the rule fails, the last one is the first that fails.
    pub conditions: Vec<Condition>,
    /// The number of conditions after the one that fails.
    pub untried: usize,
    /// Where the rule stands in the sheet.
    #[serde(skip)]
    pub place: Place,
}

/// One condition of a rule, with the values of its variables.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Condition {
    /// The condition.
    pub text: String,
    /// Whether it is met.
    pub met: bool,
    /// Why; `None` for conditions that need no explanation.
    pub why: Option<Box<Explanation>>,
}

impl Explanation {
    /// The rules that the tree names, without duplicates, breadth first: the rules close to the root come first. Facts
    /// of the sheet's own relations (rules without conditions) are left out unless the tree has nothing else.
    pub fn rules(&self) -> Vec<&Application> {
        let mut found: Vec<&Application> = Vec::new();
        let mut level = vec![self];
        while !level.is_empty() {
            let mut below = Vec::new();
            for explanation in level {
                for application in explanation.reason.applications() {
                    if !found.iter().any(|known| known.place == application.place) {
                        found.push(application);
                    }
                    // The condition that fails matters more than those that are met.
                    let (met, failed): (Vec<&Condition>, Vec<&Condition>) =
                        application.conditions.iter().partition(|condition| condition.met);
                    below.extend(failed.into_iter().chain(met).filter_map(|condition| condition.why.as_deref()));
                }
                below.extend(explanation.reason.earlier());
            }
            level = below;
        }
        // What holds in every state of a match without a condition is suspicious; a table of numbers is not.
        let tells = |application: &Application| {
            let word = application.head.trim_start_matches('(').split([' ', ')']).next().unwrap_or_default();
            !application.conditions.is_empty() || ["next", "legal", "goal", "terminal"].contains(&word)
        };
        if found.iter().any(|application| tells(application)) {
            found.retain(|application| tells(application));
        }
        found
    }
}

impl Explanation {
    /// What the tree asks for and no rule concludes, close to the root first: facts of states as `(next FACT)`, or
    /// `(init FACT)` in the first state, and facts of the sheet's own relations. The root itself is left out.
    pub(crate) fn absent(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut level = vec![self];
        let mut is_root = true;
        while !level.is_empty() {
            let mut below = Vec::new();
            for explanation in level {
                match &explanation.reason {
                    Reason::NotInState { .. } => {
                        let fact = explanation.fact.strip_prefix("(true ").and_then(|fact| fact.strip_suffix(')'));
                        let relation = if explanation.step == 0 { "init" } else { "next" };
                        found.extend(fact.map(|fact| format!("({relation} {fact})")));
                    }
                    Reason::NoRule { .. } if !is_root => found.push(explanation.fact.clone()),
                    _ => {}
                }
                let conditions = explanation.reason.applications().iter().flat_map(|rule| &rule.conditions);
                below.extend(conditions.filter_map(|condition| condition.why.as_deref()));
                below.extend(explanation.reason.earlier());
            }
            level = below;
            is_root = false;
        }
        found
    }
}

impl Reason {
    fn applications(&self) -> &[Application] {
        match self {
            Reason::Rule { rule } => std::slice::from_ref(rule),
            Reason::NoRule { rules, .. } => rules,
            _ => &[],
        }
    }

    fn earlier(&self) -> impl Iterator<Item = &Explanation> {
        let (one, other) = match self {
            Reason::State { derived, kept, .. } => (derived.as_deref(), kept.as_deref()),
            Reason::NotInState { missing } => (missing.as_deref(), None),
            _ => (None, None),
        };
        one.into_iter().chain(other)
    }
}
