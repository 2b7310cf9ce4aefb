//! No counts, however odd, produce NaN, infinities or a panic.

use proptest::prelude::*;
use serde::Serialize;
use tesuji_core::Rng;

use super::*;

/// Counts of all sizes, zero and extremes included.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![3 => Just(0u64), 3 => 1u64..20, 2 => 20u64..100_000, 1 => any::<u64>(), 1 => Just(u64::MAX)]
}

fn tally() -> impl Strategy<Value = Tally> {
    [count(), count(), count()].prop_map(|[wins, draws, losses]| Tally { wins, draws, losses })
}

fn counts() -> impl Strategy<Value = Counts> {
    let pairs = [count(), count(), count(), count(), count()].prop_map(|counts| Pairs::new(counts).into());
    prop_oneof![tally().prop_map(Counts::from), pairs]
}

/// Any number, ordinary or not.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -1.0f64..2.0, 2 => -500.0f64..500.0, 1 => any::<f64>()]
}

/// Checks that all numbers in a result are finite. JSON writes NaN and infinities as null, so the `Debug` text is
/// examined instead.
fn finite(result: &(impl std::fmt::Debug + Serialize)) {
    let text = format!("{result:?}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    serde_json::to_string(result).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rates_and_differences(first in counts(), second in counts(), confidence in number(), rate in number()) {
        for confidence in [confidence, 0.95] {
            if let Counts::Pairs(pairs) = first {
                let worth = Evidence::worth(pairs, rate * 10.0);
                for interval in [pair_interval(pairs, confidence), anytime_interval(worth, confidence)] {
                    finite(&interval);
                    if let Some((low, high)) = interval {
                        prop_assert!(0.0 <= low && low <= high && high <= 1.0);
                    }
                }
            }
            if let Counts::Matches(tally) = first {
                finite(&wilson(tally.score(), tally.matches(), confidence));
                finite(&newcombe(tally.into(), Sample::of_rate(rate, tally.wins), confidence));
                finite(&agrees(tally, Sample::of_rate(rate.clamp(0.0, 1.0), 50).estimate(0.95), 0.1));
            }
            finite(&elo_difference(first, confidence));
            finite(&normalised_elo(first, confidence));
        }
        finite(&elo_of_rate(rate));
        let sure = superiority(first);
        finite(&sure);
        prop_assert!(sure.is_none_or(|sure| (0.0..=1.0).contains(&sure)));
        for test in [welch_test(first, second), exact_test(first, second), difference_test(first, second)] {
            finite(&test);
            prop_assert!(test.is_none_or(|test| (0.0..=1.0).contains(&test.p_value)));
        }
    }

    #[test]
    fn sequential_tests(counts in counts(), elo0 in number(), elo1 in number(), alpha in number(), beta in number()) {
        for scale in [EloScale::Logistic, EloScale::Normalised] {
            finite(&sprt(counts, &SprtSettings { elo0, elo1, alpha, beta, scale }));
            for (elo0, elo1) in [(0.0, 5.0), (-30.0, 200.0), (-2000.0, 2000.0)] {
                let report = sprt(counts, &SprtSettings { scale, ..SprtSettings::new(elo0, elo1) });
                finite(&report);
                prop_assert!(report.is_some());
            }
        }
    }

    /// The ratio of mirrored counts under mirrored hypotheses has the opposite sign.
    #[test]
    fn sequential_tests_are_symmetric(counts in prop::array::uniform5(0u64..300)) {
        for scale in [EloScale::Logistic, EloScale::Normalised] {
            let settings = |elo0, elo1| SprtSettings { scale, ..SprtSettings::new(elo0, elo1) };
        let llr = |pairs: Pairs, elo0, elo1| sprt(pairs, &settings(elo0, elo1)).unwrap().llr;
            let pairs = Pairs::new(counts);
            let (forth, back) = (llr(pairs, -3.0, 12.0), llr(pairs.reversed(), -12.0, 3.0));
            prop_assert!((forth + back).abs() <= 1e-6 * (1.0 + forth.abs()), "{} {}", forth, back);
        }
    }

    #[test]
    fn joint_ratings(
        results in prop::collection::vec((0usize..5, 0usize..5, tally()), 0..8),
        prior in number(),
        seed in any::<u64>(),
    ) {
        let mut table = CrossTable::new(5);
        for (first, second, tally) in results.into_iter().filter(|(first, second, _)| first != second) {
            table.add_matches(first, second, tally);
        }
        for prior in [prior, 0.0, DEFAULT_PRIOR] {
            finite(&fit_ratings(&table, prior));
            let settings = BootstrapSettings { prior, resamples: 3, confidence: 0.9 };
            finite(&bootstrap_ratings(&table, &settings, &mut Rng::new(seed)));
        }
    }

    /// Tables of ordinary size always have a fit with the default prior, and ratings that add up to 0.
    #[test]
    fn ordinary_tables_have_ratings(
        results in prop::collection::vec((0usize..6, 0usize..6, prop::array::uniform3(0u64..500)), 0..20),
    ) {
        let mut table = CrossTable::new(6);
        for (first, second, [wins, draws, losses]) in results.into_iter().filter(|(first, second, _)| first != second) {
            table.add_matches(first, second, Tally { wins, draws, losses });
        }
        let fit = fit_ratings(&table, DEFAULT_PRIOR).unwrap();
        prop_assert!(fit.elo.iter().sum::<f64>().abs() < 1e-6);
    }

    #[test]
    fn repeated_matches(hashes in prop::collection::vec(0u64..9, 0..60)) {
        let found = duplicates(&hashes);
        finite(&found);
        prop_assert!(found.effective <= found.distinct as f64 + 1e-9 && found.distinct <= found.matches);
    }
}
