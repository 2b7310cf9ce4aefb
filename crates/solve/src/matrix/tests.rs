//! Known games, and plain versions on random ones.

use proptest::prelude::*;
use tesuji_core::Rng;

use super::*;

fn matrix<const R: usize, const C: usize>(rows: [[f64; C]; R]) -> PayoffMatrix {
    PayoffMatrix::from_rows(&rows).unwrap()
}

fn random(rows: usize, columns: usize, rng: &mut Rng, entry: impl Fn(&mut Rng) -> f64) -> PayoffMatrix {
    let mut matrix = PayoffMatrix::filled(rows, columns, 0.0);
    matrix.refill(rows, columns, (0..rows * columns).map(|_| entry(rng)));
    matrix
}

#[test]
fn tables_that_are_none_are_refused() {
    assert_eq!(PayoffMatrix::from_rows::<Vec<f64>>(&[]), Err(MatrixFault::Empty));
    assert_eq!(PayoffMatrix::from_rows(&[Vec::new()]), Err(MatrixFault::Empty));
    let ragged = PayoffMatrix::from_rows(&[vec![1.0, 2.0], vec![3.0]]).unwrap_err();
    assert_eq!(ragged.to_string(), "row 2 has 1 entries, expected 2 as in the first");
    let not_finite = PayoffMatrix::from_rows(&[[1.0, f64::NAN]]).unwrap_err();
    assert_eq!(not_finite.to_string(), "the entry in row 1, column 2 is not a finite number");
    assert!(PayoffMatrix::from_rows(&[[f64::INFINITY]]).is_err());
}

#[test]
fn known_games_are_solved() {
    let rock_paper_scissors = matrix([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]);
    let cases = [
        (matrix([[1.0, -1.0], [-1.0, 1.0]]), 0.0),
        (rock_paper_scissors, 0.0),
        (matrix([[3.0, 1.0], [0.0, 2.0]]), 1.5),
        (matrix([[0.5, 0.5, 1.0], [0.5, 0.0, 1.0]]), 0.5),
        (matrix([[7.0]]), 7.0),
        (matrix([[2.0, 2.0], [2.0, 2.0]]), 2.0),
        // Dominated and duplicate rows and columns.
        (matrix([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]), 0.5),
    ];
    let mut solver = MatrixSolver::new();
    for (index, (matrix, value)) in cases.iter().enumerate() {
        let solution = solver.solve(matrix);
        assert!((solution.value - value).abs() < 1e-12, "game {index}: {solution:?}");
        assert!(solution.gap < 1e-12, "game {index}: {solution:?}");
    }
}

/// The value by brute force: the best of all square subtables whose mixed strategies are an equilibrium of the whole.
fn value_by_supports(matrix: &PayoffMatrix) -> f64 {
    let all = support_equilibria(matrix, &matrix.negated());
    assert!(!all.is_empty(), "{matrix:?}");
    assert!(all.iter().all(|found| (found.values[0] - all[0].values[0]).abs() < 1e-9), "one value: {matrix:?}");
    all[0].values[0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn solutions_are_equilibria(rows in 1usize..12, columns in 1usize..12, seed: u64, kind in 0u8..4) {
        let mut rng = Rng::new(seed);
        let table = random(rows, columns, &mut rng, |rng| match kind {
            0 => rng.unit(),
            1 => rng.below(3) as f64 * 0.5,
            2 => rng.below(2) as f64,
            _ => (rng.below(7) as f64 - 3.0) * 1000.0,
        });
        let mut solver = MatrixSolver::new();
        let solution = solver.solve(&table).clone();
        let (least, greatest) = table.range();
        prop_assert!(solution.gap <= 1e-9 * (greatest - least).max(1.0), "{solution:?}");
        prop_assert!((least..=greatest).contains(&solution.value));
        for mix in [&solution.rows, &solution.columns] {
            prop_assert!((mix.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!(mix.iter().all(|&share| share >= 0.0));
        }
        // Exchanging the players negates the value.
        let turned = solver.solve(&table.transposed().negated()).value;
        prop_assert!((turned + solution.value).abs() <= 1e-9 * (greatest - least).max(1.0));
    }

    #[test]
    fn values_agree_with_brute_force(rows in 1usize..5, columns in 1usize..5, seed: u64, levels in 2usize..6) {
        let table = random(rows, columns, &mut Rng::new(seed), |rng| rng.below(levels) as f64 / 2.0);
        let value = MatrixSolver::new().solve(&table).value;
        prop_assert!((value - value_by_supports(&table)).abs() < 1e-9);
    }

    #[test]
    fn exact_values_agree_with_floating_point(rows in 1usize..8, columns in 1usize..8, seed: u64, levels in 2i128..9) {
        let mut rng = Rng::new(seed);
        let entries: Vec<Fraction> =
            (0..rows * columns).map(|_| Fraction::new(rng.below(levels as usize) as i128, 6).unwrap()).collect();
        let mut solver = MatrixSolver::new();
        let exact = exact_equilibrium(&mut solver, rows, columns, &entries).unwrap();
        prop_assert!((exact.value.to_f64() - solver.solution().value).abs() < 1e-9);
        let sum = exact.rows.iter().try_fold(Fraction::ZERO, |sum, share| sum.plus(share)).unwrap();
        prop_assert_eq!(sum, Fraction::ONE);
    }

    #[test]
    fn changing_tables_stay_within_the_tolerance(seed: u64) {
        let mut rng = Rng::new(seed);
        let mut table = random(8, 6, &mut rng, Rng::unit);
        let mut solver = MatrixSolver::new();
        for _ in 0..40 {
            let (row, column) = (rng.below(8), rng.below(6));
            table.set(row, column, (table.get(row, column) + 0.1 * (rng.unit() - 0.5)).clamp(0.0, 1.0));
            let solution = solver.refresh(&table, 0.01);
            prop_assert!(solution.gap <= 0.01);
            prop_assert!((solution.gap - exploitability(&table, &solution.rows, &solution.columns)).abs() < 1e-12);
        }
        prop_assert!(solver.programs() < 40);
    }

    #[test]
    fn bimatrix_equilibria_are_best_answers(rows in 1usize..5, columns in 1usize..5, seed: u64, levels in 2usize..9) {
        let mut rng = Rng::new(seed);
        let [first, second] = [0, 1].map(|_| random(rows, columns, &mut rng, |rng| rng.below(levels) as f64));
        for found in support_equilibria(&first, &second) {
            prop_assert!(found.regrets.iter().all(|&regret| regret < 1e-9), "{found:?}");
        }
        for label in 0..rows + columns {
            let found = lemke_howson(&first, &second, label);
            prop_assert!(found.as_ref().is_some_and(|found| found.regrets.iter().all(|&regret| regret < 1e-7)),
                "label {label}: {found:?} in {first:?} {second:?}");
        }
    }

    #[test]
    fn fractions_come_back_from_floating_point(numerator in -1_000_000i128..1_000_000, denominator in 1i128..1000) {
        let fraction = Fraction::new(numerator, denominator).unwrap();
        prop_assert_eq!(Fraction::near(fraction.to_f64()), Some(fraction));
    }
}

#[test]
fn large_win_draw_loss_tables_do_not_cycle() {
    let mut rng = Rng::new(5);
    let mut solver = MatrixSolver::new();
    for size in [20, 40, 60] {
        for levels in [2, 3] {
            let table = random(size, size, &mut rng, |rng| rng.below(levels) as f64 / 2.0);
            let solution = solver.solve(&table);
            assert!(solution.gap < 1e-9, "{size}, {levels}: {}", solution.gap);
        }
    }
}

#[test]
fn exploitability_is_what_best_answers_gain() {
    let pennies = matrix([[1.0, -1.0], [-1.0, 1.0]]);
    assert_eq!(exploitability(&pennies, &[0.5, 0.5], &[0.5, 0.5]), 0.0);
    assert_eq!(exploitability(&pennies, &[1.0, 0.0], &[0.5, 0.5]), 1.0);
    assert_eq!(guarantee(&pennies, &[0.75, 0.25], &[0.0, 1.0]), (-0.5, 1.0));
    let (first, second) = (matrix([[0.6, 0.1], [0.8, 0.3]]), matrix([[0.6, 0.8], [0.1, 0.3]]));
    let [row, column] = regrets(&first, &second, &[1.0, 0.0], &[1.0, 0.0]);
    assert!((row - 0.2).abs() < 1e-12 && (column - 0.2).abs() < 1e-12);
}

#[test]
fn regret_matching_approaches_equilibria() {
    let mut rng = Rng::new(2);
    let table = random(10, 7, &mut rng, Rng::unit);
    for (rule, bound) in [(RegretRule::Plain, 0.1), (RegretRule::Plus, 0.01)] {
        let mut learners = RegretMatching::zero_sum(rule, table.clone());
        learners.iterate(1000);
        let [rows, columns] = learners.averages();
        let gap = exploitability(&table, rows, columns);
        assert!(gap < bound, "{rule:?}: {gap}");
        assert!((learners.regrets().iter().sum::<f64>() - gap).abs() < 1e-12);
    }
    // On a changing table, learning continues.
    let mut learners = RegretMatching::zero_sum(RegretRule::Plus, table.clone());
    learners.iterate(200);
    learners.set(0, 0, [2.0, -2.0]);
    learners.forget(0.1);
    learners.iterate(400);
    assert!(learners.regrets().iter().sum::<f64>() < 0.05, "{:?}", learners.regrets());
    let dilemma =
        RegretMatching::bimatrix(RegretRule::Plus, matrix([[0.6, 0.1], [0.8, 0.3]]), matrix([[0.6, 0.8], [0.1, 0.3]]));
    let mut learners = dilemma;
    learners.iterate(100);
    assert!(learners.averages().iter().all(|mix| mix[1] > 0.98), "{:?}", learners.averages());
}

#[test]
fn bimatrix_games_have_their_known_equilibria() {
    let (first, second) = (matrix([[4.0, 0.0], [3.0, 3.0]]), matrix([[4.0, 3.0], [0.0, 3.0]]));
    let stag_hunt = support_equilibria(&first, &second);
    let rows: Vec<&[f64]> = stag_hunt.iter().map(|found| &found.rows[..]).collect();
    assert_eq!(rows, [&[1.0, 0.0][..], &[0.0, 1.0], &[0.75, 0.25]]);
    assert_eq!(stag_hunt[2].exact.as_ref().unwrap()[1][0].to_string(), "3/4");
    assert_eq!((support_count(2, 2), support_count(3, 2)), (5.0, 9.0));
}

#[test]
fn fractions_have_limits_and_say_so() {
    assert_eq!(Fraction::near(0.1).unwrap().to_string(), "1/10");
    assert_eq!(Fraction::near(-3.0).unwrap().to_string(), "-3");
    assert_eq!(Fraction::near(f64::NAN), None);
    assert_eq!(Fraction::near(1e300), None);
    let huge = Fraction::new(i128::MAX, 1).unwrap();
    assert_eq!((huge.plus(&Fraction::ONE), huge.times(&huge)), (None, None));
    assert_eq!(huge.minus(&huge), Some(Fraction::ZERO));
    assert_eq!(Fraction::ONE.over(&Fraction::ZERO), None);
    assert_eq!(Fraction::new(1, 0), None);
    let half = Fraction::near(0.5).unwrap();
    assert!(half < Fraction::ONE && half > Fraction::ZERO);
    // Exact floating-point values are kept if no simple fraction rounds to them.
    let fine = 0.1 + 1.0 / (1u64 << 40) as f64;
    assert_eq!(Fraction::near(fine).map(Fraction::to_f64), Some(fine));
}
