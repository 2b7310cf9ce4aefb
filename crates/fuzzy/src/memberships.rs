//! The membership function: learned from labelled feature vectors.
//!
//! The membership of a vector is the fraction of positive labels among its samples (paper 000, equation 6); a label of
//! 0.5 counts as half a positive one. With k = 0, as in section 7.1, a known vector uses its own membership, and an
//! unknown one uses its nearest neighbour by Euclidean distance; equally near ones are averaged by their samples. With
//! k > 0 the k nearest other vectors, and all that are as near as the k-th, are averaged with the vector itself:
//! samples weigh 1 / (1 + distance). The paper leaves k > 0 and equal distances open.
//!
//! A linear scan finds the nearest. A table has some hundred vectors of a few small integers, so a scan takes a
//! microsecond or two, equal distances are common, and frequent callers cache the answers (`FuzzyJudgement`). An index
//! such as a k-d tree would pay beyond some ten thousand vectors.

use std::cmp::Ordering;

use tesuji_core::Rng;

/// The possible labels: bad, undecided, good.
pub const LABELS: [f64; 3] = [0.0, 0.5, 1.0];

/// A labelled action.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// Its features.
    pub features: Vec<f64>,
    /// One of [`LABELS`].
    pub label: f64,
}

/// What is known about one vector.
#[derive(Clone, PartialEq, Debug)]
pub struct Known {
    /// The vector.
    pub features: Vec<f64>,
    /// The number of its samples; at least one.
    pub samples: u64,
    /// The degree to which actions with these features are good, from 0 to 1.
    pub membership: f64,
}

/// The membership function of good actions: a non-empty table over known vectors.
#[derive(Clone, PartialEq, Debug)]
pub struct Memberships {
    names: Vec<String>,
    /// Sorted by vector, without duplicates.
    known: Vec<Known>,
}

impl Memberships {
    /// Learns from samples, each with one value for each name. `None` if there are no samples.
    pub fn learn(names: &[String], samples: &[Sample]) -> Option<Memberships> {
        let known = samples.iter().map(|sample| Known {
            features: sample.features.clone(),
            samples: 1,
            membership: sample.label,
        });
        Memberships::new(names.to_vec(), known.collect())
    }

    /// A table of known vectors; equal vectors are merged. `None` if it is empty.
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

    /// The names of the features.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// All known vectors, sorted.
    pub fn known(&self) -> &[Known] {
        &self.known
    }

    /// The number of samples behind the table.
    pub fn samples(&self) -> u64 {
        self.known.iter().map(|known| known.samples).sum()
    }

    /// The control of paper 000, section 7.5: the memberships are shuffled among the vectors.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> Memberships {
        let mut values: Vec<f64> = self.known.iter().map(|known| known.membership).collect();
        Rng::new(seed).shuffle(&mut values);
        let known = self.known.iter().zip(values).map(|(known, membership)| Known { membership, ..known.clone() });
        Memberships { names: self.names.clone(), known: known.collect() }
    }

    /// The membership of a vector, averaged with `neighbours` others (k).
    pub fn of(&self, features: &[f64], neighbours: usize) -> f64 {
        let own = self.known.binary_search_by(|known| order(&known.features, features)).ok();
        match own {
            Some(own) if neighbours == 0 => return self.known[own].membership,
            _ => {}
        }
        let mut distances: Vec<f64> =
            self.known.iter().map(|known| squared_distance(&known.features, features)).collect();
        // The vector itself, if it is known, is added to the others.
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

/// Lexicographic order of vectors.
fn order(one: &[f64], two: &[f64]) -> Ordering {
    let differing = one.iter().zip(two).map(|(one, two)| one.total_cmp(two)).find(|order| order.is_ne());
    differing.unwrap_or_else(|| one.len().cmp(&two.len()))
}

fn squared_distance(one: &[f64], two: &[f64]) -> f64 {
    one.iter().zip(two).map(|(one, two)| (one - two) * (one - two)).sum()
}
