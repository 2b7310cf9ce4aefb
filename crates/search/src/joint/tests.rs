//! Games with known values, checked by the exact solver, and properties of the parts.

use tesuji_core::{Capabilities, Features, Fingerprint, Game, Knowledge, Player, Rng, SolverHints, Spec, Turn};

use super::arms::Arms;
use super::figure3::Figure3;
use super::kept::KeptMix;
use super::sides::scale;
use tesuji_solve::{RootExploitability, root_exploitability};

use super::*;
use crate::matrix::{PayoffMatrix, exploitability};
use crate::simultaneous::{ExactSolver, Limits, Memory};
use crate::tiny_games::{Form, Nim, Written, chance, choice, first_decision, matrix, over};
use crate::{Agent, Budget, Decision, Simulation};

const ZERO_SUM: Features = Features::SIMULTANEOUS.union(Features::CHANCE).union(Features::MULTI_ACTION);

fn zero_sum(form: Form) -> Written {
    Written::with_features(2, (0.0, 1.0), ZERO_SUM, form)
}

/// Rock, paper, scissors where a winning rock counts double: the mix is (1, 2, 1) / 4 and the value even.
fn weighted() -> Form {
    matrix([[0.5, 0.0, 1.0], [1.0, 0.5, 0.25], [0.0, 0.75, 0.5]])
}

fn pennies() -> Form {
    matrix([[1.0, 0.0], [0.0, 1.0]])
}

/// Wins and losses by chance, with these probabilities for the first player; 0 and 1 become slightly uncertain.
fn noisy<const R: usize, const C: usize>(chances: [[f64; C]; R]) -> Form {
    let cell = |p: f64| {
        let p = p.clamp(0.05, 0.95);
        chance([(p, over([1.0, 0.0])), (1.0 - p, over([0.0, 1.0]))])
    };
    Form::Joint(vec![R as u8, C as u8], chances.into_iter().flatten().map(cell).collect())
}

/// Joint moves below joint moves: value 5/7 by hand, with mixes (4, 3) / 7.
fn nested() -> Form {
    let win = || over([1.0, 0.0]);
    Form::Joint(vec![2, 2], vec![pennies(), win(), win(), matrix([[1.0, 0.0], [0.0, 0.5]])])
}

fn flat<G: Knowledge + 'static>(allocation: JointAllocation, choice: JointChoice) -> JointMc<G> {
    JointMc {
        allocation,
        c: 0.5,
        nash: NashMethod::Figure3,
        tolerance: 0.1,
        second: false,
        draws: Draws::EVEN,
        symmetry: Symmetry::Off,
        image: Image::First,
        choice,
        simulation: Simulation::default(),
        budget: Budget::default(),
    }
}

fn tree<G: Knowledge + 'static>(settings: TreeSettings) -> JointTree<G> {
    JointTree::new(settings, Simulation::default())
}

fn cfr<G: Knowledge + 'static>(method: CfrMethod, depth: u32) -> Cfr<G> {
    Cfr { method, depth, simulation: Simulation::default(), budget: Budget::default() }
}

fn gap_of<G: Knowledge>(game: &G, player: u8, decision: &Decision<G::Action>) -> f64 {
    let mut solver = ExactSolver::new(game, Memory::new(), Limits::positions(100_000));
    root_exploitability(game, &mut solver, &game.start(), Player(player), &decision.policy).unwrap().gap()
}

#[test]
fn the_gap_is_what_the_best_reply_takes() {
    let game = zero_sum(pennies());
    let mut solver = ExactSolver::new(&game, Memory::new(), Limits::positions(1000));
    let mut gap = |player, mix: &[(u8, f64)]| {
        root_exploitability(&game, &mut solver, &game.start(), Player(player), mix).unwrap()
    };
    assert_eq!(gap(0, &[(0, 1.0)]), RootExploitability { value: 0.5, secured: 0.0 });
    assert_eq!(gap(1, &[(0, 0.25), (1, 0.75)]).gap(), 0.25);
    assert_eq!(gap(1, &[(0, 0.5), (1, 0.5)]).gap(), 0.0);
    let alone = zero_sum(choice(1, [over([0.25, 0.75]), over([1.0, 0.0])]));
    let mut solver = ExactSolver::new(&alone, Memory::new(), Limits::positions(1000));
    let gap = root_exploitability(&alone, &mut solver, &alone.start(), Player(1), &[(0, 0.5), (1, 0.5)]).unwrap();
    assert_eq!((gap.value, gap.secured, gap.gap()), (0.75, 0.375, 0.375));
}

#[test]
fn figure_3_approaches_equilibria() {
    let mut rng = Rng::new(4);
    for size in [2, 3, 8, 20] {
        let rows: Vec<Vec<f64>> = (0..size).map(|_| (0..size + 1).map(|_| rng.unit()).collect()).collect();
        let table = PayoffMatrix::from_rows(&rows).unwrap();
        let mut figure3 = Figure3::default();
        let left = figure3.run([&table, &table.negated()], 0.03, [20_000, 0]);
        let [first, second] = figure3.averages();
        assert!(left <= 0.03, "{size}: {left}");
        assert!(exploitability(&table, first, second) <= 0.06);
    }
}

#[test]
fn mixes_stay_within_the_tolerance_while_a_table_changes() {
    const TOLERANCE: f64 = 0.1;
    for method in [NashMethod::Program, NashMethod::Figure3, NashMethod::Regret] {
        let mut rng = Rng::new(9);
        let (rows, columns) = (5, 6);
        let mut means: Vec<[f64; 2]> = (0..rows * columns).map(|_| [rng.unit(), rng.unit()]).collect();
        let mut bonuses = vec![1.0; rows * columns];
        let mut kept = KeptMix::new(method, TOLERANCE, [rows, columns]);
        for (place, &means) in means.iter().enumerate() {
            kept.set([place / columns, place % columns], means, 1.0);
        }
        let mut worst = 0.0f64;
        for change in 0..600 {
            let place = rng.below(means.len());
            (0..2).for_each(|player| means[place][player] += 0.1 * rng.unit() - 0.05);
            bonuses[place] *= 1.0 - 0.1 * rng.unit();
            kept.set([place / columns, place % columns], means[place], bonuses[place]);
            let factor = 1.0 + 0.001 * f64::from(change);
            let entry = |place: usize, player: usize| means[place][player] + factor * bonuses[place];
            let table = |player: usize| {
                let row = |row: usize| (0..columns).map(|column| entry(row * columns + column, player)).collect();
                PayoffMatrix::from_rows(&(0..rows).map(row).collect::<Vec<Vec<f64>>>()).unwrap()
            };
            worst = worst.max(kept.mixer(factor).distance([&table(0), &table(1)]));
        }
        // Linear programs always keep the tolerance; the others stop after some rounds and may not reach it.
        let promised = if method == NashMethod::Program { TOLERANCE } else { 2.5 * TOLERANCE };
        assert!(worst <= promised, "{method:?}: {worst}");
        assert!((2..400).contains(&kept.found()), "{method:?}: found {} times in 600 changes", kept.found());
    }
}

#[test]
fn monte_carlo_answers_even_play_and_bounds_answer_good_play() {
    // Against a uniform column the value of the second row is 0.55; its worst case is 0.1.
    let game = zero_sum(matrix([[0.4, 0.6], [0.1, 1.0]]));
    let decide = |allocation, choice| first_decision(&game, &mut flat(allocation, choice), 0, 3000, 1);
    let monte_carlo = decide(JointAllocation::Uniform, JointChoice::Mean);
    assert_eq!((monte_carlo.action, monte_carlo.policy.len()), (1, 1));
    assert_eq!(decide(JointAllocation::Own, JointChoice::Visits).action, 1);
    assert_eq!(decide(JointAllocation::Marginal, JointChoice::Visits).action, 0);
    let mixed = decide(JointAllocation::Equilibrium, JointChoice::Equilibrium);
    assert_eq!(mixed.action, 0);
    assert!((mixed.value.unwrap() - 0.4).abs() < 0.02, "{:?}", mixed.value);
    let joint: u64 = mixed.thought.joint.iter().map(|(_, visits)| visits).sum();
    assert_eq!((joint, mixed.thought.joint.len()), (3000, 4));
}

#[test]
fn every_way_to_an_equilibrium_mixes_where_it_must() {
    let game = zero_sum(noisy([[0.5, 0.0, 1.0], [1.0, 0.5, 0.25], [0.0, 0.75, 0.5]]));
    for nash in [NashMethod::Figure3, NashMethod::Program, NashMethod::Regret] {
        for player in 0..2 {
            let mut agent = JointMc { nash, ..flat(JointAllocation::Equilibrium, JointChoice::Equilibrium) };
            let decision = first_decision(&game, &mut agent, player, 20_000, 3);
            let gap = gap_of(&game, player, &decision);
            assert!(gap < 0.03, "{nash:?}, player {player}: {gap}, {:?}", decision.policy);
        }
    }
}

/// The prisoner's dilemma of paper 004, §6.6.3, with the payoffs (R, S, T, P) = (0.6, 0.1, 0.8, 0.3).
fn dilemma() -> Written {
    let cell = |first, second| over([first, second]);
    let cells = vec![cell(0.6, 0.6), cell(0.1, 0.8), cell(0.8, 0.1), cell(0.3, 0.3)];
    let features = Features::SIMULTANEOUS | Features::GENERAL_SUM;
    Written::with_features(2, (0.0, 1.0), features, Form::Joint(vec![2, 2], cells))
}

#[test]
fn the_prisoners_dilemma_parts_deterministic_bounds_from_mixed_ones() {
    let visits = |allocation, choice| -> Vec<u64> {
        let mut agent = JointMc { tolerance: 0.02, ..flat(allocation, choice) };
        let decision = first_decision(&dilemma(), &mut agent, 0, 10_000, 1);
        decision.thought.joint.iter().map(|(_, visits)| *visits).collect()
    };
    let simple = visits(JointAllocation::Marginal, JointChoice::Visits);
    assert!(simple[0] > 9_000, "SimpleUCB1 stays with cooperation: {simple:?}");
    let mixed = visits(JointAllocation::Equilibrium, JointChoice::Equilibrium);
    assert!(mixed[3] > 8_000, "MSUCB1 goes to the equilibrium: {mixed:?}");
}

#[test]
fn a_draw_counts_what_it_is_told_to() {
    // A certain draw, or a match that is won slightly more often than lost.
    let gamble = || chance([(0.55, over([1.0, 0.0])), (0.45, over([0.0, 1.0]))]);
    let game = zero_sum(choice(0, [over([0.5, 0.5]), gamble()]));
    let choose = |own: f64| {
        let draws = Draws { own, other: 1.0 - own };
        let mut agent = JointMc { draws, ..flat(JointAllocation::Uniform, JointChoice::Mean) };
        first_decision(&game, &mut agent, 0, 4000, 1).action
    };
    assert_eq!((choose(0.4), choose(0.5), choose(0.7)), (1, 1, 0));
    let mut shares = [0.5, 0.5];
    Draws { own: 0.9, other: 0.2 }.apply(1, &mut shares);
    assert_eq!(shares, [0.2, 0.9]);
}

#[test]
fn the_second_step_sees_what_playouts_average_away() {
    // The first row leads to a choice of the same player that wins.
    let own_choice = || choice(0, [over([1.0, 0.0]), over([0.0, 1.0]), over([0.0, 1.0])]);
    let game = zero_sum(Form::Joint(vec![2, 1], vec![own_choice(), over([0.5, 0.5])]));
    let choose = |second| {
        let mut agent = JointMc { second, ..flat(JointAllocation::Equilibrium, JointChoice::Equilibrium) };
        first_decision(&game, &mut agent, 0, 2000, 1)
    };
    let (one, two) = (choose(false), choose(true));
    assert_eq!((one.action, one.thought.depth, two.action, two.thought.depth), (1, 1, 0, 2));
}

/// All selection methods.
const SELECTIONS: [JointSelection; 4] = [
    JointSelection::Decoupled { c: 0.5, near: 0.01 },
    JointSelection::Exp3 { exploration: 0.2 },
    JointSelection::Regret { exploration: 0.1 },
    JointSelection::Equilibrium { c: 0.5 },
];

#[test]
fn trees_come_close_to_optimal_mixes() {
    let noisy_pennies = || noisy([[1.0, 0.0], [0.0, 0.8]]);
    for form in [noisy_pennies as fn() -> Form, pennies, weighted, nested] {
        let game = zero_sum(form());
        for selection in SELECTIONS {
            for backup in [JointBackup::Mean, JointBackup::Value] {
                for player in 0..2 {
                    let settings = TreeSettings { selection, backup, certain: false, ..TreeSettings::default() };
                    let decision = first_decision(&game, &mut tree(settings), player, 6000, 5);
                    let gap = gap_of(&game, player, &decision);
                    assert!(gap < 0.07, "{selection:?} {backup:?} player {player}: {gap} {:?}", decision.policy);
                }
            }
        }
    }
}

#[test]
fn average_strategies_come_close_too() {
    let game = zero_sum(weighted());
    for selection in &SELECTIONS[1..] {
        let settings = TreeSettings { selection: *selection, choice: JointChoice::Average, ..TreeSettings::default() };
        let decision = first_decision(&game, &mut tree(settings), 0, 20_000, 5);
        let gap = gap_of(&game, 0, &decision);
        assert!(gap < 0.08, "{selection:?}: {gap} {:?}", decision.policy);
    }
}

#[test]
fn trees_and_regret_play_games_of_turns_and_chance() {
    let mut agents: Vec<Box<dyn Agent<Nim>>> = vec![
        Box::new(tree(TreeSettings::default())),
        Box::new(tree(TreeSettings { selection: SELECTIONS[3], ..TreeSettings::default() })),
        Box::new(flat(JointAllocation::Equilibrium, JointChoice::Equilibrium)),
        Box::new(cfr(CfrMethod::Plus { rounds: 300 }, 9)),
        Box::new(cfr(CfrMethod::External, 9)),
        Box::new(cfr(CfrMethod::Outcome { exploration: 0.4 }, 9)),
    ];
    for (index, agent) in agents.iter_mut().enumerate() {
        let decision = first_decision(&Nim::new(7), &mut **agent, 0, 20_000, 1);
        let best = decision.policy.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert!(best.0 == 3 && best.1 > 0.7, "agent {index}: {:?}", decision.policy);
    }
    // A certain 0.6 against a chance outcome with value 0.7.
    let gamble = chance([(0.7, over([1.0, 0.0])), (0.3, over([0.0, 1.0]))]);
    let game = zero_sum(choice(0, [over([0.6, 0.4]), gamble]));
    for share in [false, true] {
        let settings = TreeSettings { share, ..TreeSettings::default() };
        assert_eq!(first_decision(&game, &mut tree(settings), 0, 4000, 1).action, 1);
    }
}

#[test]
fn regret_minimisation_finds_equilibria_of_cut_and_of_whole_games() {
    for (form, depth) in [(pennies as fn() -> Form, 1), (weighted, 1), (nested, 2)] {
        let game = zero_sum(form());
        for method in [CfrMethod::Plus { rounds: 500 }, CfrMethod::External, CfrMethod::Outcome { exploration: 0.4 }] {
            for player in 0..2 {
                let decision = first_decision(&game, &mut cfr(method, depth), player, 20_000, 2);
                let gap = gap_of(&game, player, &decision);
                assert!(gap < 0.05, "{method:?} player {player}: {gap} {:?}", decision.policy);
                assert!(decision.thought.playouts <= 20_000);
            }
        }
    }
}

#[test]
fn cfr_plus_cuts_earlier_where_playouts_are_few() {
    let game = zero_sum(nested());
    let few = first_decision(&game, &mut cfr(CfrMethod::Plus { rounds: 10 }, 2), 0, 5, 1);
    let many = first_decision(&game, &mut cfr(CfrMethod::Plus { rounds: 10 }, 2), 0, 100, 1);
    assert!(few.thought.nodes < many.thought.nodes && few.thought.playouts <= 5, "{few:?} {many:?}");
}

/// A written game that identifies its positions, so that it can be solved during search.
struct Printed(Written);

impl Game for Printed {
    type State = Vec<u8>;
    type Action = u8;

    fn spec(&self) -> &Spec {
        self.0.spec()
    }

    fn start(&self) -> Vec<u8> {
        self.0.start()
    }

    fn turn(&self, state: &Vec<u8>) -> Turn {
        self.0.turn(state)
    }

    fn legal(&self, state: &Vec<u8>, player: Player, out: &mut Vec<u8>) {
        self.0.legal(state, player, out);
    }

    fn apply(&self, state: &mut Vec<u8>, joint: &[u8]) {
        self.0.apply(state, joint);
    }

    fn payoff(&self, state: &Vec<u8>, player: Player) -> f64 {
        self.0.payoff(state, player)
    }

    fn chance(&self, state: &Vec<u8>, out: &mut Vec<(u8, f64)>) {
        self.0.chance(state, out);
    }
}

impl Knowledge for Printed {
    const OFFERS: Capabilities = Capabilities::SOLVER_HINTS;

    fn solver_hints(&self) -> Option<&'static dyn SolverHints<Self>> {
        Some(&PrintedHints)
    }
}
struct PrintedHints;
impl SolverHints<Printed> for PrintedHints {
    fn fingerprint(&self, _: &Printed, state: &Vec<u8>) -> Fingerprint {
        Fingerprint { key: crate::simultaneous::hash(state), exchanged: false, even: false }
    }
}

#[test]
fn what_can_be_solved_is_solved_and_charged() {
    let game = Printed(zero_sum(nested()));
    let whole = TreeSettings { solve: 0.5, solve_nodes: 0.5, ..TreeSettings::default() };
    let decision = first_decision(&game, &mut tree(whole.clone()), 0, 1000, 1);
    assert!(gap_of(&game, 0, &decision) < 1e-9 && decision.thought.playouts < 30, "{decision:?}");
    assert!((decision.value.unwrap() - 5.0 / 7.0).abs() < 1e-9);
    // With a small budget nothing is solved, however small the game: the search gets everything.
    let decision = first_decision(&game, &mut tree(whole.clone()), 0, 150, 1);
    assert_eq!(decision.thought.playouts, 150);
    // Too few positions to solve the root: the search continues and keeps to its budget.
    let decision = first_decision(&game, &mut tree(whole), 1, 4, 1);
    assert!(decision.thought.playouts <= 4, "{decision:?}");
}

#[test]
fn equal_questions_have_equal_answers() {
    let game = zero_sum(nested());
    let mut agents: Vec<Box<dyn Agent<Written>>> = vec![
        Box::new(flat(JointAllocation::Equilibrium, JointChoice::Equilibrium)),
        Box::new(tree(TreeSettings { selection: SELECTIONS[2], ..TreeSettings::default() })),
        Box::new(cfr(CfrMethod::External, 2)),
    ];
    for agent in &mut agents {
        let [mut one, mut two] = [0, 1].map(|_| first_decision(&game, &mut **agent, 0, 500, 8));
        (one.thought.time, two.thought.time) = Default::default();
        assert_eq!(one, two);
    }
}

#[test]
fn images_of_own_first_moves_are_dropped_where_the_game_knows_them() {
    /// Three rows, of which the first and the last have equal values, reply for reply.
    struct Mirror(Printed);
    impl Game for Mirror {
        type State = Vec<u8>;
        type Action = u8;
        fn spec(&self) -> &Spec {
            self.0.spec()
        }
        fn start(&self) -> Vec<u8> {
            Vec::new()
        }
        fn turn(&self, state: &Vec<u8>) -> Turn {
            self.0.turn(state)
        }
        fn legal(&self, state: &Vec<u8>, player: Player, out: &mut Vec<u8>) {
            self.0.legal(state, player, out);
        }
        fn apply(&self, state: &mut Vec<u8>, joint: &[u8]) {
            self.0.apply(state, joint);
        }
        fn payoff(&self, state: &Vec<u8>, player: Player) -> f64 {
            self.0.payoff(state, player)
        }
    }
    impl Knowledge for Mirror {
        const OFFERS: Capabilities = Capabilities::SOLVER_HINTS;

        fn solver_hints(&self) -> Option<&'static dyn SolverHints<Self>> {
            Some(&MirrorHints)
        }
    }
    struct MirrorHints;
    impl SolverHints<Mirror> for MirrorHints {
        fn fingerprint(&self, _: &Mirror, state: &Vec<u8>) -> Fingerprint {
            // Cells are numbered 0 to 5, two per row; the last row read backwards equals the first.
            let key = state.first().map_or(9, |&cell| u128::from(if cell > 3 { 5 - cell } else { cell }));
            Fingerprint { key, exchanged: false, even: state.is_empty() }
        }
    }
    let game = Mirror(Printed(zero_sum(matrix([[0.2, 0.8], [0.5, 0.6], [0.8, 0.2]]))));
    for (symmetry, cells) in [(Symmetry::Off, 6), (Symmetry::Even, 4), (Symmetry::First, 4)] {
        let mut agent = JointMc { symmetry, ..flat(JointAllocation::Uniform, JointChoice::Mean) };
        let decision = first_decision(&game, &mut agent, 0, 200, 1);
        assert_eq!((decision.thought.joint.len(), decision.thought.candidates.len()), (cells, 3), "{symmetry:?}");
    }
}

#[test]
fn a_bound_is_the_formula_of_the_paper() {
    let mut arms = Arms::new(2);
    for (arm, visits, share) in [(0, 4, 0.5), (1, 100, 0.6)] {
        (0..visits).for_each(|_| arms.note(arm, share));
    }
    // 0.5 + 0.5·√(2·ln 104 / 4) = 1.26 and 0.6 + 0.5·√(2·ln 104 / 100) = 0.75.
    assert_eq!(arms.greatest_bound(scale(0.5, 104)), 0);
    assert_eq!(arms.greatest_bound(scale(0.01, 104)), 1);
    assert!((scale(0.5, 104) / 2.0 - 0.762).abs() < 1e-3);
}
