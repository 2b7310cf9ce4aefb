//! The order in which the conditions of a clause are joined.

use super::database::{Relation, Shape};
use super::limits::{Meter, TooLarge};
use super::program::{Clause, Formula, Pattern, RelationKind};
use crate::Terms;

/// The tuples of a relation that a condition ranges over in one round of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Range {
    /// Those from before the round.
    Old,
    /// Those of the last round.
    Delta,
    /// Both.
    Current,
    /// All tuples: the relation does not grow.
    All,
}

/// One step of a join.
#[derive(Debug)]
pub(super) enum Step {
    /// Scans every row of an index under a key.
    Scan { condition: usize, relation: usize, index: usize, key: Vec<u32>, free: Vec<u32>, range: Range },
    /// Looks up a tuple whose variables are all bound.
    Member { condition: usize, range: Range },
    /// Checks that two terms differ.
    Distinct(usize),
    /// Checks that a tuple is not in a static relation.
    Absent(usize),
}

/// A way to find all bindings that satisfy a clause.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    /// The number of tuples of each positive condition's relation when the plan was made.
    pub(super) sizes: Vec<u32>,
}

/// A plan is remade when a relation has grown by this factor.
const GROWTH: u32 = 4;

impl Plan {
    /// Whether the plan was made for relations of about this size.
    pub(super) fn fits(&self, clause: &Clause, relations: &[Relation]) -> bool {
        let sizes = clause.positive.iter().map(|formula| relations[formula.relation].tuples.count());
        sizes.zip(&self.sizes).all(|(size, &planned)| size / GROWTH <= planned)
    }

    /// A plan that begins with the condition `first`, if any.
    pub(super) fn new(
        clause: &Clause,
        first: Option<usize>,
        range: impl Fn(usize) -> Range,
        kinds: &[RelationKind],
        relations: &mut [Relation],
        terms: &Terms,
        meter: &mut Meter,
    ) -> Result<Plan, TooLarge> {
        let sizes = clause.positive.iter().map(|formula| relations[formula.relation].tuples.count()).collect();
        let mut bound = vec![false; clause.variables];
        let mut open: Vec<usize> = (0..clause.positive.len()).collect();
        let mut distinct: Vec<usize> = (0..clause.distinct.len()).collect();
        let mut absent: Vec<usize> =
            (0..clause.negative.len()).filter(|&number| kinds[clause.negative[number].relation].is_static).collect();
        let mut samples: Vec<Option<Sample>> = clause.positive.iter().map(|_| None).collect();
        let mut steps = Vec::new();
        loop {
            let known = |formula: &Formula| {
                let mut known = true;
                formula.variables(&mut |variable| known &= bound[variable as usize]);
                known
            };
            distinct.retain(|&number| {
                let (left, right) = &clause.distinct[number];
                let mut ready = true;
                left.variables(&mut |variable| ready &= bound[variable as usize]);
                right.variables(&mut |variable| ready &= bound[variable as usize]);
                if ready {
                    steps.push(Step::Distinct(number));
                }
                !ready
            });
            let mut checked = Vec::new();
            open.retain(|&number| {
                let ready = known(&clause.positive[number]) && first.is_none_or(|first| first != number);
                if ready {
                    checked.push(Step::Member { condition: number, range: range(number) });
                }
                !ready
            });
            steps.append(&mut checked);
            absent.retain(|&number| {
                let ready = known(&clause.negative[number]);
                if ready {
                    checked.push(Step::Absent(number));
                }
                !ready
            });
            steps.append(&mut checked);
            let next = match first.filter(|first| open.contains(first)) {
                Some(first) => Some(first),
                None => {
                    let mut best = None;
                    for &number in &open {
                        let formula = &clause.positive[number];
                        let sample = samples[number]
                            .get_or_insert_with(|| Sample::take(formula, &relations[formula.relation], terms));
                        let cost = sample.rows(&bound);
                        if best.is_none_or(|(least, _)| cost < least) {
                            best = Some((cost, number));
                        }
                    }
                    best.map(|(_, number)| number)
                }
            };
            let Some(condition) = next else { break };
            open.retain(|&number| number != condition);
            let formula = &clause.positive[condition];
            let (mut key, mut free) = (Vec::new(), Vec::new());
            let shapes: Vec<Shape> =
                formula.arguments.iter().map(|argument| shape(argument, &bound, &mut key, &mut free)).collect();
            let relation = formula.relation;
            let index = relations[relation].index(shapes, key.len(), free.len(), terms, meter)?;
            free.iter().for_each(|&variable| bound[variable as usize] = true);
            steps.push(Step::Scan { condition, relation, index, key, free, range: range(condition) });
        }
        Ok(Plan { steps, sizes })
    }
}

fn shape(pattern: &Pattern, bound: &[bool], key: &mut Vec<u32>, free: &mut Vec<u32>) -> Shape {
    let place = |list: &mut Vec<u32>, variable: u32| {
        list.iter().position(|&known| known == variable).unwrap_or_else(|| {
            list.push(variable);
            list.len() - 1
        })
    };
    match pattern {
        Pattern::Ground(term) => Shape::Ground(*term),
        Pattern::Variable(variable) if bound[*variable as usize] => Shape::Key(place(key, *variable)),
        Pattern::Variable(variable) => Shape::Free(place(free, *variable)),
        Pattern::Function(name, arguments) => {
            Shape::Function(*name, arguments.iter().map(|argument| shape(argument, bound, key, free)).collect())
        }
    }
}

/// The number of tuples sampled to estimate how a condition narrows a join.
const SAMPLE: u32 = 256;

/// An estimate of how many tuples fit a condition and how many values each of its variables takes.
struct Sample {
    fitting: f64,
    distinct: Vec<(u32, f64)>,
}

impl Sample {
    fn take(formula: &Formula, relation: &Relation, terms: &Terms) -> Sample {
        let mut variables = Vec::new();
        let mut none = Vec::new();
        let unbound = {
            let mut largest = 0;
            formula.variables(&mut |variable| largest = largest.max(variable as usize + 1));
            vec![false; largest]
        };
        let shapes: Vec<Shape> =
            formula.arguments.iter().map(|argument| shape(argument, &unbound, &mut none, &mut variables)).collect();
        let count = relation.tuples.count();
        let looked_at = count.min(SAMPLE);
        let mut values: Vec<Vec<u32>> = vec![Vec::new(); variables.len()];
        let mut row = vec![0; variables.len()];
        for step in 0..looked_at {
            let number = (u64::from(step) * u64::from(count) / u64::from(looked_at)) as u32;
            if super::database::fits(&shapes, relation.tuples.get(number), terms, &mut row) {
                row.iter().zip(&mut values).for_each(|(&value, values)| values.push(value));
            }
        }
        let fitting =
            values.first().map_or(1.0, |values| f64::from(count) * values.len() as f64 / f64::from(looked_at.max(1)));
        let distinct = variables.iter().zip(values).map(|(&variable, mut values)| {
            let seen = values.len().max(1) as f64;
            values.sort_unstable();
            values.dedup();
            let different = values.len().max(1) as f64;
            // If nearly every value of the sample is new, there are more outside it.
            (variable, if different * 2.0 > seen { different * (fitting / seen).max(1.0) } else { different })
        });
        Sample { fitting, distinct: distinct.collect() }
    }

    /// The expected number of rows of a scan.
    fn rows(&self, bound: &[bool]) -> f64 {
        let known = self.distinct.iter().filter(|(variable, _)| bound[*variable as usize]);
        known.fold(self.fitting, |rows, (_, distinct)| rows / distinct)
    }
}
