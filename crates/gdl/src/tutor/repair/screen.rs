//! Which changes of a rule make a difference in an example, and from which step on.
//!
//! All changes of one rule are asked about at once. A larger sheet has a rule `(<= (legal PROBE (answer HEAD…)) BODY)`
//! for the rule as it is and for each change, and the sheet's own `legal` has another name. Whatever the bodies have in
//! common is derived once a state. A change that never concludes anything else need not be replayed.

use super::edit::Edit;
use crate::interpreter::{Facts, Interpreter};
use crate::symbols::keyword;
use crate::{Atom, GroundTerm, Literal, Rule, Sheet, Symbol, Term};

/// Names that a screen needs. They contain spaces, so that no sheet has them.
pub(in crate::tutor) struct Words {
    legal: Symbol,
    answer: Symbol,
    probes: Vec<Symbol>,
}

impl Words {
    /// Adds the names to those of a sheet.
    pub(in crate::tutor) fn learn(sheet: &mut Sheet) -> Words {
        Words {
            legal: sheet.symbols.intern("the sheet's legal"),
            answer: sheet.symbols.intern("an answer"),
            probes: (0..MOST_PROBES).map(|number| sheet.symbols.intern(&format!("probe {number}"))).collect(),
        }
    }

    fn rename(&self, rule: &mut Rule) {
        let atoms = rule.body.iter_mut().filter_map(|literal| match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => Some(atom),
            Literal::Distinct(..) | Literal::Same(..) => None,
        });
        for atom in atoms.chain([&mut rule.head]).filter(|atom| atom.relation == keyword::LEGAL) {
            atom.relation = self.legal;
        }
    }

    /// A rule that answers a probe with what another rule concludes.
    fn asking(&self, probe: usize, rule: &Rule) -> Rule {
        let mut asking = rule.clone();
        self.rename(&mut asking);
        let arguments = std::mem::take(&mut asking.head.arguments);
        let (probe, answer) = (Term::Constant(self.probes[probe]), Term::Function(self.answer, arguments));
        asking.head = Atom { relation: keyword::LEGAL, arguments: vec![probe, answer], bare_list: false };
        asking
    }
}

/// The most rules that are asked about at once.
const MOST_PROBES: usize = 256;

/// One step of an example: its state, the moves that follow, and the state after them.
pub(super) struct Moment<'a> {
    pub state: &'a Facts,
    pub joint: &'a [GroundTerm],
    pub next: Option<&'a Facts>,
}

/// A rule as it is, and what stands in its place after a change.
struct Asked<'a> {
    edit: &'a Edit,
    /// The number of the probe; `None` if the rule is dropped.
    probe: Option<usize>,
    /// The step from which on the change makes a difference.
    from: Option<usize>,
}

/// What changes of rules are compared on.
pub(super) struct Screen<'a> {
    pub interpreter: &'a Interpreter,
    pub sheet: &'a Sheet,
    pub words: &'a Words,
    pub moments: &'a [Moment<'a>],
    /// The most conditions to look at.
    pub steps: u64,
}

impl Screen<'_> {
    /// For each change of one rule the first step at which it concludes something else; `None` if there is no such
    /// step. Also returns the conditions that were looked at.
    pub(super) fn first_differences(&self, edits: &[Edit]) -> (Vec<Option<usize>>, u64) {
        let mut found = Vec::new();
        let mut spent = 0;
        // One probe is the rule as it is.
        for edits in edits.chunks(MOST_PROBES - 1) {
            let (differences, cost) = self.first_differences_of_few(edits);
            found.extend(differences);
            spent += cost;
        }
        (found, spent)
    }

    /// The same for changes that have a probe each.
    fn first_differences_of_few(&self, edits: &[Edit]) -> (Vec<Option<usize>>, u64) {
        let Screen { interpreter, sheet, words, moments, steps } = *self;
        let Some(rule) = edits.first().map(|edit| &sheet.rules[edit.rule]) else { return (Vec::new(), 0) };
        let mut larger = sheet.clone();
        larger.rules.iter_mut().for_each(|rule| words.rename(rule));
        larger.rules.push(words.asking(0, rule));
        let mut asked = Vec::new();
        for (number, edit) in edits.iter().enumerate() {
            let probe = edit.instead.last().filter(|rule| has_values(rule)).map(|rule| {
                larger.rules.push(words.asking(number + 1, rule));
                number + 1
            });
            asked.push(Asked { edit, probe, from: None });
        }
        let all_from = |step: usize| vec![Some(step); edits.len()];
        // One question may not spend all that the others are allowed together.
        let Ok(larger) = interpreter.changed(&larger, steps / 8) else { return (all_from(0), 0) };
        let before = larger.cost();
        let spent = || larger.cost() - before;
        let answers = |moment: &Moment, probe: usize| {
            let key = larger.intern(words.probes[probe], false, &[]);
            let mut answers = larger.ask_legal(moment.state, moment.joint, key).ok()?;
            answers.sort_unstable();
            Some(answers)
        };
        for (step, moment) in moments.iter().enumerate() {
            if asked.iter().all(|one| one.from.is_some()) {
                break;
            }
            let old = answers(moment, 0);
            for one in asked.iter_mut().filter(|one| one.from.is_none()) {
                if spent() > steps {
                    break;
                }
                let new = one.probe.map_or_else(|| Some(Vec::new()), |probe| answers(moment, probe));
                let differs = match (&old, &new) {
                    (Some(old), Some(new)) => match one.edit.instead.as_slice() {
                        [_, added] => adds(&larger, added, new, moment),
                        [changed] if !has_values(changed) => false,
                        _ => old != new,
                    },
                    // Beyond the limits: the example is replayed.
                    _ => true,
                };
                if differs {
                    one.from = Some(step);
                }
            }
        }
        let differences = match spent() > steps {
            true => asked.iter().map(|one| one.from.or(Some(0))).collect(),
            false => asked.iter().map(|one| one.from).collect(),
        };
        (differences, spent())
    }
}

/// Whether a new rule adds anything: a conclusion that is not in the next state anyway.
fn adds(interpreter: &Interpreter, rule: &Rule, answers: &[GroundTerm], moment: &Moment) -> bool {
    match moment.next {
        Some(next) if rule.head.relation == keyword::NEXT => interpreter.with_terms(|terms| {
            let mut facts = answers.iter().filter_map(|&answer| terms.arguments(answer).first());
            facts.any(|fact| next.terms().binary_search(fact).is_err())
        }),
        _ => !answers.is_empty(),
    }
}

/// Whether conditions give a value to each variable of the conclusion and of `distinct`.
fn has_values(rule: &Rule) -> bool {
    let mut known = vec![false; rule.variables.len()];
    for literal in &rule.body {
        if let Literal::Holds(atom) = literal {
            atom.arguments.iter().for_each(|term| term.variables(&mut |variable| known[variable as usize] = true));
        }
    }
    let mut all = true;
    let mut look = |term: &Term| term.variables(&mut |variable| all &= known[variable as usize]);
    rule.head.arguments.iter().for_each(&mut look);
    for literal in &rule.body {
        if let Literal::Distinct(left, right) = literal {
            look(left);
            look(right);
        }
    }
    all
}
