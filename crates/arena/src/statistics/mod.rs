//! Statistics of matches between agents: counts, rates, confidence intervals, ratings and tests.
//!
//! These are pure functions of counts: no files, no clock, and randomness only through an [`Rng`](tesuji_core::Rng)
//! argument. What the counts cannot determine (a rating difference after only wins, a test without matches) is `None`,
//! never NaN or an infinity.
//!
//! The unit of evidence is a single match ([`Tally`]) or, better, a pair of matches with seats swapped and the same
//! dice ([`Pairs`]): the two matches of a pair are correlated, so only the pairs are independent. Functions for both
//! take [`Evidence`]: counts, and how much of them is copies. For games with more than two seats, the rounds of all
//! seatings take the place of pairs; their means go to [`round_interval`].
//!
//! | question | function |
//! | --- | --- |
//! | how often does it win, and how certain is that? | [`wilson`], [`pair_interval`] |
//! | how much stronger is it? | [`elo_difference`], [`normalised_elo`], [`superiority`] |
//! | may the series stop, and what do we know then? | [`sprt`], [`first_decision`], [`anytime_interval`] |
//! | how do many agents compare? | [`fit_ratings`], [`bootstrap_ratings`] |
//! | do two results differ? | [`difference_test`], [`welch_test`], [`exact_test`] |
//! | does ours agree with a published number? | [`agrees`] |
//! | do the results of one machine deviate? | [`residuals`] |
//! | which matches are copies, and what is the rest worth? | [`duplicates`], [`Evidence`] |

mod agreement;
mod bootstrap;
mod bradley_terry;
mod coverage;
mod cross_table;
mod difference;
mod duplicates;
mod elo;
mod evidence;
mod interval;
mod least_coverage;
mod likelihood;
mod multinomial;
mod pairs;
mod rating;
mod residual;
mod sprt;
mod tally;

#[cfg(test)]
mod robustness;

pub use agreement::{Agreement, DEFAULT_TOLERANCE, Estimate, Sample, Verdict, agrees, newcombe};
pub use bootstrap::{BootstrapSettings, RatedAgent, Ratings, bootstrap_ratings};
pub use coverage::{COVERED_PAIRS, Coverage};
pub(crate) use coverage::{NoisyMatch, coverage};
pub use cross_table::CrossTable;
pub use difference::{DifferenceMethod, DifferenceTest, difference_test, exact_test, welch_test};
pub use duplicates::{Duplicates, duplicates};
pub use elo::{EloDifference, NormalisedElo, elo_difference, elo_of_rate, normalised_elo, rate_of_elo, superiority};
pub use evidence::{Counts, Evidence};
pub use interval::{anytime_interval, mean_interval, pair_interval, round_interval, wilson, wilson_effective};
pub(crate) use least_coverage::least_coverage;
pub use pairs::Pairs;
pub use rating::{DEFAULT_PRIOR, FitQuality, RatingFit, fit_ratings};
pub use residual::{PairOutcomes, RESIDUAL_ERROR, Residual, residuals};
pub use sprt::{EloScale, SprtDecision, SprtReport, SprtSettings, first_decision, sprt};
pub use tally::{Tally, score};
