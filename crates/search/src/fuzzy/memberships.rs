//! From labelled vectors to memberships.
//!
//! The membership of a vector is the share of positive labels among the samples that have it (paper 000, equation 6); a label of
//! 0.5 counts as half a positive one. Asked with k = 0, as in section 7.1, a vector that was seen answers for itself, and one that
//! was not takes what its nearest by Euclidean distance has; several that are equally near answer together, in proportion to
//! their samples. With k > 0 the k nearest other vectors, and all that are as near as the k-th, have a say beside the vector itself:
//! samples weigh 1 / (1 + distance). The paper leaves k > 0 and equal distances open.
//!
//! A plain scan finds the nearest: a table has some hundred vectors of a handful of small whole numbers, so a scan takes a microsecond
//! or two, equal distances are the rule, and whoever asks often remembers the answers (`FuzzyJudgement`). An index such as a k-d
//! tree would pay beyond some ten thousand vectors.

use std::cmp::Ordering;

use tesuji_core::Rng;

/// What a label can be: bad, cannot tell, good.
pub const LABELS: [f64; 3] = [0.0, 0.5, 1.0];

/// An action that was labelled.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// Its features.
    pub features: Vec<f64>,
    /// One of [`LABELS`].
    pub label: f64,
}

/// What is known of one vector.
#[derive(Clone, PartialEq, Debug)]
pub struct Known {
    /// The vector.
    pub features: Vec<f64>,
    /// How many samples have it; at least one.
    pub samples: u64,
    /// How far actions with these features are good, from 0 to 1.
    pub membership: f64,
}

/// The membership function of good actions: a table over the vectors that were seen, which is never empty.
#[derive(Clone, PartialEq, Debug)]
pub struct Memberships {
    names: Vec<String>,
    /// In the order of the vectors, all different.
    known: Vec<Known>,
}

impl Memberships {
    /// Learns from samples, each with as many features as there are names. `None` if there are none.
    pub fn learn(names: &[String], samples: &[Sample]) -> Option<Memberships> {
        let known = samples.iter().map(|sample| Known {
            features: sample.features.clone(),
            samples: 1,
            membership: sample.label,
        });
        Memberships::new(names.to_vec(), known.collect())
    }

    /// A table of what is known; equal vectors become one. `None` if nothing is.
    pub fn new(names: Vec<String>, mut known: Vec<Known>) -> Option<Memberships> {
        known.sort_by(|one, two| order(&one.features, &two.features));
        known.dedup_by(|next, first| {
            let equal = order(&next.features, &first.features) == Ordering::Equal;
            if equal {
                let samples = first.samples + next.samples;
                let positive = first.membership * first.samples as f64 + next.membership * next.samples as f64;
                (first.membership, first.samples) = (positive / samples as f64, samples);
            }
            equal
        });
        (!known.is_empty()).then_some(Memberships { names, known })
    }

    /// What the features are called.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// All vectors that were seen, in order.
    pub fn known(&self) -> &[Known] {
        &self.known
    }

    /// Samples behind the table.
    pub fn samples(&self) -> u64 {
        self.known.iter().map(|known| known.samples).sum()
    }

    /// The control of paper 000, section 7.5: the memberships are dealt out anew among the vectors, at random.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> Memberships {
        let mut values: Vec<f64> = self.known.iter().map(|known| known.membership).collect();
        Rng::new(seed).shuffle(&mut values);
        let known = self.known.iter().zip(values).map(|(known, membership)| Known { membership, ..known.clone() });
        Memberships { names: self.names.clone(), known: known.collect() }
    }

    /// The membership of a vector, with `neighbours` others (k) beside it.
    pub fn of(&self, features: &[f64], neighbours: usize) -> f64 {
        let own = self.known.binary_search_by(|known| order(&known.features, features)).ok();
        match own {
            Some(own) if neighbours == 0 => return self.known[own].membership,
            _ => {}
        }
        let mut distances: Vec<f64> =
            self.known.iter().map(|known| squared_distance(&known.features, features)).collect();
        // The vector itself, where it is known, comes on top of the others.
        let rank = (neighbours.max(1) + usize::from(own.is_some())).min(distances.len()) - 1;
        let by_place = distances.clone();
        let (_, farthest, _) = distances.select_nth_unstable_by(rank, f64::total_cmp);
        let (mut positive, mut weight) = (0.0, 0.0);
        for (known, squared) in self.known.iter().zip(by_place).filter(|(_, squared)| *squared <= *farthest) {
            let near = if neighbours == 0 { 1.0 } else { 1.0 / (1.0 + squared.sqrt()) };
            positive += near * known.samples as f64 * known.membership;
            weight += near * known.samples as f64;
        }
        (positive / weight).clamp(0.0, 1.0)
    }
}

/// Vectors from the smaller to the greater, by their first feature, then the second, ….
fn order(one: &[f64], two: &[f64]) -> Ordering {
    let differing = one.iter().zip(two).map(|(one, two)| one.total_cmp(two)).find(|order| order.is_ne());
    differing.unwrap_or_else(|| one.len().cmp(&two.len()))
}

fn squared_distance(one: &[f64], two: &[f64]) -> f64 {
    one.iter().zip(two).map(|(one, two)| (one - two) * (one - two)).sum()
}
