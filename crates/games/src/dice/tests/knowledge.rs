//! Evaluations and policies compared with plain versions that use only the rules.

use tesuji_core::{
    Actor, Evaluation, Game, Knowledge, Notation, Player, Rng, Successor, Successors, Turn, Visit, legal_actions,
};

use super::super::{Action, Dice, Phase, State};
use super::{at, open};

/// By brute force: tries every roll of every action.
#[test]
fn the_winning_policy_takes_the_likeliest_win() {
    let mut rng = Rng::new(3);
    let mut tried = 0;
    for address in ["dice7", "dice7(size=5)", "dice7(size=8,ban=off)"] {
        let game = open(address);
        let mut policy = game.heuristics().unwrap().policy(&game, "win").unwrap();
        for _ in 0..60 {
            let mut state = game.start();
            while let Turn::Player(player) = game.turn(&state) {
                let actions = legal_actions(&game, &state, Actor::Player(player));
                let chances: Vec<f64> = actions.iter().map(|&action| chance_to_win(&game, &state, action)).collect();
                let best = chances.iter().copied().fold(0.0, f64::max);
                let picked = policy.pick(&game, &state, player, &mut rng);
                let index = actions.iter().position(|&action| action == picked).unwrap();
                if best > 0.0 {
                    tried += 1;
                    assert!((chances[index] - best).abs() < 1e-9, "{}\n{picked:?}", game.board_text(&state));
                }
                game.apply(&mut state, &[actions[rng.below(actions.len())]]);
                let outcome = game.random_outcome(&state, &mut rng);
                game.apply(&mut state, &[outcome]);
            }
        }
    }
    assert!(tried > 500, "{tried} positions with a win");
    let winning = |game: &Dice, policy: &str| game.heuristics().unwrap().policy(game, policy).is_some();
    assert!(winning(&open("dice7"), "win") && !winning(&open("dice7"), "lose"));
}

fn chance_to_win(game: &Dice, state: &State, action: Action) -> f64 {
    let mut rolling = state.clone();
    game.apply(&mut rolling, &[action]);
    let mut outcomes = Vec::new();
    game.chance(&rolling, &mut outcomes);
    let won = |outcome: Action| {
        let mut end = rolling.clone();
        game.apply(&mut end, &[outcome]);
        game.has_line(&end, usize::from(state.mover))
    };
    outcomes.iter().filter(|&&(outcome, _)| won(outcome)).map(|&(_, probability)| probability).sum()
}

/// The terms of §4 computed from the rules alone: every roll of every action, distances cell by cell.
struct PlainTerms {
    /// Terms 1 and 2.
    points: f64,
    /// The same with term 1 as a probability.
    by_chance: f64,
    /// Whether the side can win at once.
    threatens: bool,
}

fn plain_terms(game: &Dice, state: &State, side: usize) -> PlainTerms {
    let turned = State { mover: side as u8, ban: false, phase: Phase::Choose, ..state.clone() };
    let actions = legal_actions(game, &turned, Actor::Player(Player(side as u8)));
    let faces = actions.iter().map(|&action| chance_to_win(game, &turned, action)).fold(0.0, f64::max);
    let size = i32::from(game.board.size);
    let own = |row: i32, column: i32| {
        let inside = (0..size).contains(&row) && (0..size).contains(&column);
        inside && state.pieces.all[side] >> at(row as u8, column as u8) & 1 == 1
    };
    let free = |row: i32, column: i32| {
        let inside = (0..size).contains(&row) && (0..size).contains(&column);
        let bit = if inside { 1u64 << at(row as u8, column as u8) } else { 0 };
        inside && game.board.free & bit != 0 && state.pieces.occupied() & bit == 0
    };
    let (mut weak, mut strong) = (false, false);
    let kings = |row: i32, column: i32| i32::from(state.pieces.king[side]) == 8 * row + column;
    for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
        for (dr, dc) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let cells = [0, 1, 2].map(|distance| (row + distance * dr, column + distance * dc));
            let taken = cells.iter().filter(|cell| own(cell.0, cell.1)).count();
            let is_threat = taken == 2 && cells.iter().any(|cell| free(cell.0, cell.1));
            weak |= is_threat;
            strong |= is_threat && cells.iter().any(|cell| kings(cell.0, cell.1));
        }
    }
    let king = state.pieces.king[side];
    let men: Vec<u32> = crate::bits::ones(state.pieces.men(side)).collect();
    let distance =
        |man: &u32| (*man as i32 / 8 - i32::from(king) / 8).abs() + (*man as i32 % 8 - i32::from(king) % 8).abs();
    let mean = f64::from(men.iter().map(distance).sum::<i32>()) / men.len() as f64;
    let least = if weak { 5.0 } else { 0.0 };
    PlainTerms {
        points: if strong { 50.0 } else { least } + 13.0 - mean,
        by_chance: (50.0 * faces).max(least) + 13.0 - mean,
        threatens: faces > 0.0,
    }
}

#[test]
fn evaluations_are_the_terms_of_section_4() {
    let mut rng = Rng::new(8);
    let (mut threatened, mut opened_by_own) = (0, 0);
    for address in ["dice7", "dice7(size=5)", "dice7(size=8,ban=off)"] {
        let game = open(address);
        let evaluation = |name: &str| game.heuristics().unwrap().evaluation(&game, name).unwrap();
        for _ in 0..40 {
            let mut state = game.start();
            let mut before: Option<State> = None;
            while let Turn::Player(mover) = game.turn(&state) {
                let terms = [0, 1].map(|side| plain_terms(&game, &state, side));
                for side in 0..2 {
                    let (player, own, other) = (Player(side as u8), &terms[side], &terms[1 - side]);
                    // The opponent can win now, and could not when `player` made the last choice.
                    let opened = before.as_ref().map(|before| {
                        let mine = before.mover == player.0;
                        mine && other.threatens && !plain_terms(&game, before, 1 - side).threatens
                    });
                    threatened += usize::from(other.threatens);
                    opened_by_own += usize::from(opened == Some(true));
                    let close = |name: &str, found: f64, expected: f64| {
                        let board = game.board_text(&state);
                        assert!((found - expected).abs() < 1e-9, "{name} {found} {expected}\n{board}");
                    };
                    for (term_1, mine, theirs) in
                        [("", own.points, other.points), ("-chance", own.by_chance, other.by_chance)]
                    {
                        let behind = if mine < theirs { mine - theirs } else { mine };
                        for (kind, points) in [("typeA", mine), ("typeB", mine - theirs), ("typeAB", behind)] {
                            let danger = |threat: bool| if threat { -200.0 } else { 0.0 };
                            let name = format!("{kind}{term_1}-any");
                            let found = evaluation(&name).value(&game, &state, player);
                            close(&name, found, points + danger(other.threatens));
                            let name = format!("{kind}{term_1}");
                            let found = evaluation(&name).value(&game, &state, player);
                            close(&name, found, points + danger(other.threatens));
                            if let (Some(before), Some(opened)) = (&before, opened) {
                                let found = evaluation(&name).value_after(&game, before, &state, player);
                                close(&name, found, points + danger(opened));
                            }
                        }
                    }
                    let race = |player| evaluation("race").value(&game, &state, player);
                    assert!((-1.0..=1.0).contains(&race(player)));
                    assert_eq!(race(player), -race(Player(1 - player.0)));
                }
                before = Some(state.clone());
                let action = game.random_action(&state, mover, &mut rng, &mut Vec::new());
                game.apply(&mut state, &[action]);
                let outcome = game.random_outcome(&state, &mut rng);
                game.apply(&mut state, &[outcome]);
            }
        }
    }
    assert!(opened_by_own > 30, "{opened_by_own}");
    assert!(threatened > 300, "{threatened}");
}

/// Values of successors without creating states equal the values of the states.
#[test]
fn successors_are_the_values_of_the_states_made() {
    let mut rng = Rng::new(12);
    let (mut seen, mut won, mut drawn) = (0, 0, 0);
    let crowded = "dice7(layout=\"km.M./M##../##.../...../...K.\",ban=off,limit=9)";
    for address in ["dice7", "dice7(size=5)", "dice7(size=8,ban=off,limit=12)", "dice7(size=4)", crowded] {
        let game = open(address);
        let evaluations = game
            .heuristics()
            .unwrap()
            .evaluations(&game)
            .iter()
            .map(|named| game.heuristics().unwrap().evaluation(&game, named.name).unwrap());
        let evaluations: Vec<_> = evaluations.collect();
        for _ in 0..12 {
            let mut state = game.start();
            while let Turn::Player(mover) = game.turn(&state) {
                let actions = legal_actions(&game, &state, Actor::Player(mover));
                for (evaluation, player) in evaluations.iter().flat_map(|one| [(one, Player(0)), (one, Player(1))]) {
                    let mut places = 0;
                    let offered = evaluation.successors(&game, &state, &actions, player, &mut |successors| {
                        let found = successors.states;
                        let expected = state_by_state(&game, &**evaluation, &state, actions[places], player);
                        assert_eq!(found, &expected[..found.len()], "{}", game.board_text(&state));
                        assert_eq!((successors.action, successors.complete), (places, found.len() == expected.len()));
                        if successors.complete {
                            places += 1;
                            seen += found.len();
                            won += found.iter().filter(|successor| successor.over && successor.value == 1.0).count();
                            drawn += found.iter().filter(|successor| successor.over && successor.value == 0.5).count();
                        }
                        Visit::NextState
                    });
                    assert!(offered && places == actions.len());
                }
                let action = game.random_action(&state, mover, &mut rng, &mut Vec::new());
                game.apply(&mut state, &[action]);
                let outcome = game.random_outcome(&state, &mut rng);
                game.apply(&mut state, &[outcome]);
            }
        }
    }
    assert!(seen > 50_000 && won > 100 && drawn > 100, "{seen} {won} {drawn}");
    let game = open("dice7");
    let evaluation = game.heuristics().unwrap().evaluation(&game, "race").unwrap();
    let mut visit = |_: Successors<'_>| -> Visit { panic!("an outcome is no choice") };
    assert!(!evaluation.successors(&game, &game.start(), &[Action::Advance(1)], Player(0), &mut visit));
}

/// The successors of an action by creating every state, most probable first.
fn state_by_state(
    game: &Dice,
    evaluation: &dyn Evaluation<Dice>,
    state: &State,
    action: Action,
    player: Player,
) -> Vec<Successor> {
    let mut rolling = state.clone();
    game.apply(&mut rolling, &[action]);
    let mut outcomes = Vec::new();
    game.chance(&rolling, &mut outcomes);
    outcomes.sort_by(|one, two| two.1.total_cmp(&one.1));
    let behind = |(outcome, probability): (Action, f64)| {
        let mut next = rolling.clone();
        game.apply(&mut next, &[outcome]);
        let over = next.phase == Phase::Over;
        let value = if over { game.payoff(&next, player) } else { evaluation.value_after(game, state, &next, player) };
        Successor { probability, value, over }
    };
    outcomes.into_iter().map(behind).collect()
}

/// §4: about 5 for white at the start, from the weak threat of the men on c1 and a3; about 50 with a strong threat.
#[test]
fn the_papers_examples_have_about_their_values() {
    let game = open("dice7");
    let value =
        |state: &State| game.heuristics().unwrap().evaluation(&game, "typeA").unwrap().value(&game, state, Player(1));
    assert_eq!(value(&game.start()), 5.0 + 13.0 - 8.5);
    // King and man side by side; another man stands one step from the third cell of their line.
    let strong = game.parse_state("k....../......m/..M#.../.M###../...#..m/.K....M/Mm..m.. black 9").unwrap();
    assert!(value(&strong) > 50.0 && value(&strong) <= 50.0 + 12.0, "{}", value(&strong));
}

/// Solvers ignore a limit that exists only to end matches, but not a short one.
#[test]
fn clocks_are_forgotten_where_they_are_formalities() {
    for (address, forgotten) in [("dice7", true), ("dice7(limit=100)", true), ("dice7(limit=99)", false)] {
        let game = open(address);
        let mut state = State { moves: 7, ..game.start() };
        assert_eq!(game.clock().is_some(), forgotten, "{address}");
        if let Some(clock) = game.clock() {
            clock.forget(&game, &mut state);
            assert_eq!(state.moves, 0, "{address}");
        }
    }
}

/// Both players see a symmetric position alike, so one network serves both.
#[test]
fn the_features_of_a_symmetric_start_are_the_same_for_both() {
    let seen = |first: &str, player: Player| {
        let game = open(&format!("dice7(first={first})"));
        let mut active = Vec::new();
        game.value_features().unwrap().active(&game, &game.start(), player, &mut active);
        active.sort_unstable();
        active
    };
    let black = seen("black", Player(0));
    assert_eq!(black, seen("white", Player(1)));
    // Two kings, three for each man, six pairs of men a side, threats and the ban.
    assert_eq!(black.len(), 2 + 3 * 8 + 12 + 2);
}
