//! Replays examples on a sheet up to the first disagreement.

use tesuji_core::{InputError, Source};

use super::repair::{Question, Words, learn_words, missing, put_first};
use super::{Agreement, Claim, Disagreement, Example, Examples, Statement, Suspect, Verdict, suspects};
use crate::explain::{Explainer, spelled};
use crate::interpreter::{Facts, Interpreter, Limits};
use crate::symbols::keyword;
use crate::validate::{Finding, Severity};
use crate::{GroundTerm, Sheet, Symbol, kif, normal, place_of};

/// What the sheet says instead of a statement.
struct Difference {
    expected: String,
    found: String,
    /// The facts to explain, the fact in question first.
    questions: Vec<String>,
}

impl Difference {
    fn new(expected: impl Into<String>, found: impl Into<String>, questions: Vec<String>) -> Option<Difference> {
        Some(Difference { expected: expected.into(), found: found.into(), questions })
    }
}

/// One example under way.
struct Playing<'a> {
    interpreter: &'a Interpreter,
    roles: &'a [String],
    sheet: &'a Sheet,
    examples: &'a Examples,
    state: Facts,
    joints: Vec<Vec<String>>,
    /// The states whose facts the example gives completely.
    confirmed: Vec<usize>,
}

pub(super) fn compare(sheet: &Sheet, examples: &Examples, limits: Limits) -> Result<Verdict, InputError> {
    let mut sheet = sheet.clone();
    // Facts that an example starts from may have words that the sheet lacks.
    let mut starts = Vec::new();
    for example in &examples.list {
        let facts = example.from.iter().flatten();
        let terms = facts.map(|text| {
            let source = Source::new("fact", spelled(text, &sheet.symbols));
            let expressions = kif::read(&source)?;
            let [expression] = expressions.as_slice() else { return Err(InputError::new("expected one fact")) };
            normal::term(expression, &source, &mut sheet.symbols, &mut Vec::new())
        });
        starts.push(terms.collect::<Result<Vec<_>, InputError>>()?);
    }
    let terms = learn_words(&mut sheet, examples);
    let names = ["?a", "?b", "?c", "?d", "?e", "?f", "?g", "?h"].map(|name| sheet.symbols.intern(name));
    let words = Words::learn(&mut sheet);
    let interpreter = match Interpreter::new(&sheet, limits) {
        Ok(interpreter) => interpreter,
        Err(error) => return Ok(unsound(error)),
    };
    let roles: Vec<String> = interpreter.roles().iter().map(|&role| interpreter.text(role)).collect();
    if let Some(difference) = wrong_roles(examples, &roles) {
        return Ok(Verdict::Disagree(Box::new(difference)));
    }
    let mut agreement = Agreement::default();
    let (mut first, mut further): (Option<Disagreement>, Vec<Vec<Suspect>>) = (None, Vec::new());
    let mut more = FURTHER;
    let mut failing = Vec::new();
    for (number, (example, start)) in examples.list.iter().zip(&starts).enumerate() {
        let state = match &example.from {
            Some(_) => Facts::from_terms(start.iter().filter_map(|term| interpreter.ground(term)).collect()),
            None => interpreter.initial().clone(),
        };
        let mut playing = Playing {
            interpreter: &interpreter,
            roles: &roles,
            sheet: &sheet,
            examples,
            state,
            joints: Vec::new(),
            confirmed: Vec::new(),
        };
        agreement.examples += 1;
        for statement in &example.statements {
            agreement.statements += 1;
            agreement.steps += usize::from(matches!(statement.claim, Claim::Move(_)));
            playing.check_role(statement)?;
            match playing.check(statement) {
                Ok(None) => {}
                Ok(Some(difference)) => {
                    failing.push((playing.joints.len(), number));
                    let disagreement = playing.explain(example, statement, difference, limits)?;
                    match &mut first {
                        None => {
                            more = if disagreement.work() > MOST_WORK { 0 } else { FURTHER };
                            first = Some(disagreement);
                        }
                        Some(_) => further.push(disagreement.suspects),
                    }
                    break;
                }
                // What goes wrong later is not the first disagreement.
                Err(_) if first.is_some() => break,
                Err(error) => return Ok(unsound(error)),
            }
        }
        if first.is_some() && further.len() >= more {
            break;
        }
    }
    Ok(match first {
        None => Verdict::Agree(agreement),
        Some(mut first) => {
            rank(&mut first.suspects, &further);
            // Short examples are tried first.
            failing.sort_unstable();
            let missing = missing(&sheet, &first.explanations);
            let question = Question {
                sheet: &sheet,
                interpreter: &interpreter,
                examples,
                starts: &starts,
                terms: &terms,
                names: &names,
                words: &words,
                asked: relation_of(&first.question),
                large: first.work() > MOST_WORK,
            };
            let outliers = question.outliers();
            first.repairs = question.repairs(&failing, &first.suspects, &missing, &outliers);
            put_first(&mut first.suspects, &first.repairs, &missing, &outliers);
            Verdict::Disagree(Box::new(first))
        }
    })
}

/// The most disagreements of other examples that are looked at to order the suspects of the first.
const FURTHER: usize = 3;

/// Long matches with large states are replayed and explained once only, so that a message takes less than a second.
const MOST_WORK: usize = 2_000;

impl Disagreement {
    /// How much was replayed and explained: joint moves times facts.
    fn work(&self) -> usize {
        (self.moves.len() + 1) * self.facts.len()
    }
}

/// Orders suspects by the number of disagreements that they take part in; those of equal number stay in their order.
/// One fault shows in several examples, and a rule that takes part in all of them is more likely at fault.
fn rank(suspects: &mut [Suspect], further: &[Vec<Suspect>]) {
    let often =
        |suspect: &Suspect| further.iter().filter(|others| others.iter().any(|o| o.place == suspect.place)).count();
    suspects.sort_by_key(|suspect| std::cmp::Reverse(often(suspect)));
}

/// The relation of a fact in question.
fn relation_of(question: &str) -> Symbol {
    match question.trim_start_matches('(').split([' ', ')']).next() {
        Some("legal") => keyword::LEGAL,
        Some("terminal") => keyword::TERMINAL,
        Some("goal") => keyword::GOAL,
        _ => keyword::TRUE,
    }
}

/// A sheet that the interpreter gave up on.
fn unsound(error: InputError) -> Verdict {
    Verdict::Unsound(vec![Finding { severity: Severity::Error, error }])
}

/// The disagreement about roles, if the examples name them.
fn wrong_roles(examples: &Examples, roles: &[String]) -> Option<Disagreement> {
    let same = examples.roles.len() == roles.len()
        && examples.roles.iter().zip(roles).all(|(wanted, role)| wanted.eq_ignore_ascii_case(role));
    if examples.roles.is_empty() || same {
        return None;
    }
    Some(Disagreement {
        example: examples.list.first().map_or_else(String::new, |example| example.name.clone()),
        step: 0,
        line: examples.source.position(examples.roles_place.start as usize).0,
        statement: format!("roles {}", examples.roles.join(" ")),
        expected: format!("the roles {}, in this order", examples.roles.join(", ")),
        found: format!("the roles are {}", roles.join(", ")),
        question: format!("(role {})", examples.roles[0]),
        moves: Vec::new(),
        facts: Vec::new(),
        suspects: Vec::new(),
        repairs: Vec::new(),
        explanations: Vec::new(),
        place: examples.roles_place,
    })
}

impl Playing<'_> {
    /// An error if the statement names a role that the sheet does not have.
    fn check_role(&self, statement: &Statement) -> Result<(), InputError> {
        let named: Vec<&String> = match &statement.claim {
            Claim::Legal(role, _) | Claim::Illegal(role, _) | Claim::Moves(role, _) => vec![role],
            Claim::Goal(role, _) | Claim::Wins(role) => vec![role],
            Claim::Move(pairs) => pairs.iter().map(|(role, _)| role).collect(),
            _ => Vec::new(),
        };
        match named.into_iter().find(|role| self.index(role).is_none()) {
            None => Ok(()),
            Some(role) => {
                let message = format!("the sheet has no role `{role}`");
                let help = format!("its roles are {}", self.roles.join(", "));
                Err(statement.place.error(&self.examples.source, message).with_help(help))
            }
        }
    }

    fn index(&self, role: &str) -> Option<usize> {
        place_of(role, self.roles)
    }

    /// The role's number and name. Unknown roles were refused before.
    fn role(&self, role: &str) -> Result<(usize, &str), InputError> {
        let index = self.index(role).ok_or_else(|| InputError::new(format!("the sheet has no role `{role}`")))?;
        Ok((index, &self.roles[index]))
    }

    fn legal(&self, role: usize) -> Result<Vec<String>, InputError> {
        Ok(self.interpreter.texts(&self.interpreter.legal(&self.state, role)?))
    }

    /// Checks one statement; a move is made.
    fn check(&mut self, statement: &Statement) -> Result<Option<Difference>, InputError> {
        let facts = || self.interpreter.texts(self.state.terms());
        let absent = |fact: &String, facts: &[String]| place_of(fact, facts).is_none();
        Ok(match &statement.claim {
            Claim::True(claimed) => {
                let facts = facts();
                claimed.iter().find(|fact| absent(fact, &facts)).and_then(missing_fact)
            }
            Claim::False(claimed) => {
                let facts = facts();
                claimed.iter().find(|fact| !absent(fact, &facts)).and_then(extra_fact)
            }
            Claim::Only(claimed) => {
                let facts = facts();
                let missing = claimed.iter().find(|fact| absent(fact, &facts)).and_then(missing_fact);
                let extra = || facts.iter().find(|fact| absent(fact, claimed)).and_then(extra_fact);
                let difference = missing.or_else(extra);
                if difference.is_none() {
                    self.confirmed.push(self.joints.len());
                }
                difference
            }
            Claim::Legal(role, claimed) => {
                let (index, role) = self.role(role)?;
                let legal = self.legal(index)?;
                claimed.iter().find(|action| absent(action, &legal)).and_then(|action| missing_move(role, action))
            }
            Claim::Illegal(role, claimed) => {
                let (index, role) = self.role(role)?;
                let legal = self.legal(index)?;
                claimed.iter().find(|action| !absent(action, &legal)).and_then(|action| extra_move(role, action))
            }
            Claim::Moves(role, claimed) => {
                let (index, role) = self.role(role)?;
                let legal = self.legal(index)?;
                let missing = claimed.iter().find(|action| absent(action, &legal));
                let extra = legal.iter().find(|action| absent(action, claimed));
                let missing = missing.and_then(|action| missing_move(role, action));
                missing.or_else(|| extra.and_then(|action| extra_move(role, action)))
            }
            Claim::Over => match self.interpreter.terminal(&self.state)? {
                true => None,
                false => Difference::new("the match is over", "terminal does not hold", vec!["terminal".into()]),
            },
            Claim::NotOver => self.goes_on()?,
            Claim::Goal(role, value) => {
                let (index, role) = self.role(role)?;
                goal_differs(role, *value, &self.interpreter.goals(&self.state, index)?)
            }
            Claim::Wins(role) => {
                let (index, _) = self.role(role)?;
                self.result(Some(index))?
            }
            Claim::Draw => self.result(None)?,
            Claim::Move(pairs) => self.make(pairs)?,
        })
    }

    fn goes_on(&self) -> Result<Option<Difference>, InputError> {
        Ok(match self.interpreter.terminal(&self.state)? {
            false => None,
            true => Difference::new("the match is not over", "terminal holds", vec!["terminal".into()]),
        })
    }

    /// Compares the goals at the end: one winner, or all equal.
    fn result(&self, winner: Option<usize>) -> Result<Option<Difference>, InputError> {
        let expected = match winner {
            Some(winner) => format!("the match is over and {} wins", self.roles[winner]),
            None => "the match is over with the same goal for all roles".to_owned(),
        };
        if !self.interpreter.terminal(&self.state)? {
            return Ok(Difference::new(expected, "terminal does not hold", vec!["terminal".into()]));
        }
        let mut goals = Vec::new();
        for role in 0..self.roles.len() {
            goals.push(self.interpreter.goals(&self.state, role)?);
        }
        let single: Option<Vec<i32>> =
            goals.iter().map(|goals| if goals.len() == 1 { goals.first().copied() } else { None }).collect();
        let right = single.is_some_and(|goals| match winner {
            Some(winner) => goals.iter().enumerate().all(|(role, &goal)| role == winner || goal < goals[winner]),
            None => goals.iter().all(|goal| *goal == goals[0]),
        });
        if right {
            return Ok(None);
        }
        let mut found = Vec::new();
        let mut questions = Vec::new();
        // The winner's goal is the one in question.
        let order = winner.into_iter().chain((0..self.roles.len()).filter(|role| Some(*role) != winner));
        for role in order {
            let name = &self.roles[role];
            let values: Vec<String> = goals[role].iter().map(i32::to_string).collect();
            found.push(match values.is_empty() {
                true => format!("{name} has no goal"),
                false => format!("{name} has {}", values.join(" and ")),
            });
            match values.is_empty() {
                true => questions.push(format!("(goal {name} ?value)")),
                false => questions.extend(values.iter().map(|value| format!("(goal {name} {value})"))),
            }
        }
        Ok(Difference::new(expected, found.join(", "), questions))
    }

    /// Makes a move, if it is legal.
    fn make(&mut self, pairs: &[(String, String)]) -> Result<Option<Difference>, InputError> {
        if let Some(difference) = self.goes_on()? {
            return Ok(Some(difference));
        }
        let mut joint = Vec::new();
        for role in 0..self.roles.len() {
            let name = &self.roles[role];
            let legal = self.legal(role)?;
            let named = pairs.iter().find(|(named, _)| self.index(named) == Some(role));
            let action = match (named, legal.as_slice()) {
                (Some((_, action)), _) => match place_of(action, &legal) {
                    Some(place) => legal[place].clone(),
                    None => return Ok(missing_move(name, action)),
                },
                (None, [only]) => only.clone(),
                (None, legal) => {
                    let expected = format!("{name} has one legal move, because the example does not name its move");
                    let found = format!("{name} has {} legal moves", legal.len());
                    let first = legal.iter().take(2).map(|action| format!("(legal {name} {action})"));
                    let mut questions: Vec<String> = first.collect();
                    if questions.is_empty() {
                        questions.push(format!("(legal {name} ?move)"));
                    }
                    return Ok(Difference::new(expected, found, questions));
                }
            };
            joint.push(action);
        }
        let terms: Vec<GroundTerm> =
            joint.iter().map(|text| self.interpreter.term(text)).collect::<Result<_, InputError>>()?;
        self.state = self.interpreter.next(&self.state, &terms)?;
        self.joints.push(joint);
        Ok(None)
    }

    fn explain(
        &self,
        example: &Example,
        statement: &Statement,
        difference: Difference,
        limits: Limits,
    ) -> Result<Disagreement, InputError> {
        let questions: Vec<&str> = difference.questions.iter().map(String::as_str).collect();
        let step = self.joints.len();
        let explainer = Explainer::new(self.sheet, &questions, limits)?;
        let from = example.from.as_ref().map(|_| match self.joints.is_empty() {
            true => self.interpreter.texts(self.state.terms()),
            false => example.from.iter().flatten().map(|fact| spelled(fact, &self.sheet.symbols)).collect(),
        });
        let mut timeline = explainer.timeline(from.as_deref(), &self.joints)?;
        self.confirmed.iter().for_each(|&step| timeline.confirm(step));
        let mut explanations = Vec::new();
        for question in &questions {
            // A question beyond the limits leaves the message without its tree.
            explanations.extend(explainer.explain(&timeline, step, question).ok());
        }
        Ok(Disagreement {
            example: example.name.clone(),
            step,
            line: self.examples.source.position(statement.place.start as usize).0,
            statement: statement.claim.to_string(),
            expected: difference.expected,
            found: difference.found,
            question: difference.questions.first().cloned().unwrap_or_default(),
            moves: self.joints.clone(),
            facts: self.interpreter.texts(self.state.terms()),
            suspects: suspects(&explanations),
            repairs: Vec::new(),
            explanations,
            place: statement.place,
        })
    }
}

fn missing_fact(fact: &String) -> Option<Difference> {
    Difference::new(
        format!("{fact} is in the state"),
        format!("{fact} is not in the state"),
        vec![format!("(true {fact})")],
    )
}

fn extra_fact(fact: &String) -> Option<Difference> {
    Difference::new(
        format!("{fact} is not in the state"),
        format!("{fact} is in the state"),
        vec![format!("(true {fact})")],
    )
}

fn missing_move(role: &str, action: &str) -> Option<Difference> {
    let question = format!("(legal {role} {action})");
    Difference::new(format!("{action} is a legal move of {role}"), format!("{question} does not hold"), vec![question])
}

fn extra_move(role: &str, action: &str) -> Option<Difference> {
    let question = format!("(legal {role} {action})");
    Difference::new(format!("{action} is not a legal move of {role}"), format!("{question} holds"), vec![question])
}

fn goal_differs(role: &str, value: i32, goals: &[i32]) -> Option<Difference> {
    if goals == [value] {
        return None;
    }
    let texts: Vec<String> = goals.iter().map(i32::to_string).collect();
    let found = match texts.is_empty() {
        true => format!("{role} has no goal"),
        false => format!("{role} has {}", texts.join(" and ")),
    };
    let wanted = (!goals.contains(&value)).then(|| format!("(goal {role} {value})"));
    let others = goals.iter().filter(|goal| **goal != value).map(|goal| format!("(goal {role} {goal})"));
    Difference::new(format!("{role} has {value}"), found, wanted.into_iter().chain(others).collect())
}
