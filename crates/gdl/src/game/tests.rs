//! Sheets as games: laws, features, both engines the same.

use tesuji_core::laws;
use tesuji_core::{
    Actor, BatchPlayouts, Drawing, ErrorKind, Features, Game, Horizon, InputError, Notation, OneByOne, Phrase, Player,
    Policy, Rng, Source, TakenAction, Turn, Uniform, cancel, legal_actions, perft_table,
};

use super::{EngineKind, Gdl, Options, SHEETS};
use crate::Sheet;

fn sheet(name: &str) -> Sheet {
    let text = SHEETS.iter().find(|(bundled, _)| *bundled == name).unwrap_or_else(|| panic!("no sheet {name}")).1;
    Sheet::read(Source::new(name, text)).unwrap()
}

fn game(name: &str, engine: EngineKind) -> Gdl {
    Gdl::from_sheet(sheet(name), Options { engine: Some(engine), ..Options::default() })
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn from_text(text: &str) -> Result<Gdl, InputError> {
    Gdl::from_sheet(Sheet::read(Source::new("t.kif", text))?, Options::default())
}

#[test]
fn every_bundled_sheet_obeys_the_laws() {
    for (name, _) in SHEETS {
        let game = game(name, EngineKind::Network);
        laws::check(&game, 5).unwrap_or_else(|violation| panic!("{name}: {violation}"));
    }
}

#[test]
fn errors_tell_invalid_large_and_cancelled_sheets_apart() {
    let kind = |text: &str| from_text(text).map(drop).unwrap_err().kind();
    assert_eq!(kind("(role white"), ErrorKind::Invalid);
    assert_eq!(kind("(init p)"), ErrorKind::Invalid);
    let mut options = Options { engine: Some(EngineKind::Network), ..Options::default() };
    options.grounding.atoms = 3;
    let large = Gdl::from_sheet(sheet("tic-tac-toe"), options).map(drop).unwrap_err();
    assert_eq!(large.kind(), ErrorKind::TooLarge, "{large}");
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let open = || Gdl::from_sheet(sheet("tic-tac-toe"), Options::default()).map(drop).unwrap_err();
    assert_eq!(cancel::with(Some(flag), open).kind(), ErrorKind::Cancelled);
}

#[test]
fn both_engines_give_the_same_game() {
    for (name, depth) in [("tic-tac-toe", 4), ("nim-3-4-5", 3), ("paths", 3), ("pig-20", 4), ("rock-paper-scissors", 3)]
    {
        let (network, interpreter) = (game(name, EngineKind::Network), game(name, EngineKind::Interpreter));
        assert_eq!(perft_table(&network, depth), perft_table(&interpreter, depth), "{name}");
        let (mut one, mut other) = (network.start(), interpreter.start());
        let mut rng = Rng::new(9);
        while network.turn(&one) != Turn::Over {
            assert_eq!(network.state_text(&one), interpreter.state_text(&other), "{name}");
            assert_eq!(network.turn(&one), interpreter.turn(&other), "{name}");
            let texts: Vec<String> = network
                .turn(&one)
                .actors()
                .map(|actor| {
                    let actions = legal_actions(&network, &one, actor);
                    network.action_text(&one, actor, actions[rng.below(actions.len())])
                })
                .collect();
            let joint = |game: &Gdl, state: &super::State| {
                let actors = game.turn(state).actors().zip(&texts);
                actors.map(|(actor, text)| game.parse_action(state, actor, text).unwrap()).collect::<Vec<_>>()
            };
            let (first, second) = (joint(&network, &one), joint(&interpreter, &other));
            network.apply(&mut one, &first);
            interpreter.apply(&mut other, &second);
        }
        for player in network.spec().seats() {
            assert_eq!(network.payoff(&one, player), interpreter.payoff(&other, player), "{name}");
        }
    }
}

#[test]
fn features_are_found() {
    let features = |name: &str| game(name, EngineKind::Network).spec().features;
    assert_eq!(features("tic-tac-toe"), Features::empty());
    assert_eq!(features("connect-four-6x8"), Features::empty());
    assert!(features("pig-20").contains(Features::CHANCE));
    assert!(features("rock-paper-scissors").contains(Features::SIMULTANEOUS));
    assert!(features("prisoners-dilemma").contains(Features::SIMULTANEOUS | Features::GENERAL_SUM));
    assert!(features("three-player-tic-tac-toe").contains(Features::MANY_PLAYERS));
    assert!(features("peg-solitaire").contains(Features::GENERAL_SUM | Features::MULTI_ACTION));
    assert!(features("checkers").contains(Features::MULTI_ACTION));
}

#[test]
fn the_fast_playout_plays_as_step_by_step_would() {
    for name in ["tic-tac-toe", "connect-four-6x7", "tron-6x6", "peg-solitaire"] {
        let game = game(name, EngineKind::Network);
        for seed in 0..20 {
            let (mut fast, mut slow) = (game.start(), game.start());
            let (mut one, mut other) = (Rng::new(seed), Rng::new(seed));
            let steps = Uniform::default().play_out(&game, &mut fast, &mut one, Horizon::END);
            // A horizon in turns, out of reach, keeps the playout from the fast way.
            let horizon = Horizon { turns: u32::MAX - 1, ..Horizon::END };
            assert_eq!(steps, Uniform::default().play_out(&game, &mut slow, &mut other, horizon), "{name}");
            assert_eq!(fast, slow, "{name}");
            assert_eq!(one, other, "{name}");
            let halfway = Uniform::default().play_out(&game, &mut game.start(), &mut Rng::new(seed), Horizon::steps(2));
            assert_eq!(halfway, steps.min(2));
        }
    }
}

#[test]
fn batches_agree_with_single_playouts_on_average() {
    for name in ["tic-tac-toe", "pig-20", "tron-6x6"] {
        let game = game(name, EngineKind::Network);
        let players = game.spec().players.len();
        let mut later = game.start();
        let joint: Vec<_> = game.turn(&later).actors().map(|actor| legal_actions(&game, &later, actor)[0]).collect();
        game.apply(&mut later, &joint);
        let starts = [game.start(), later];
        let each = 4_000;
        let mut totals = [vec![0.0; 2 * players], vec![0.0; 2 * players]];
        let lanes = game.batch().unwrap().run(&game, &starts, each, &mut Rng::new(1), &mut totals[0]);
        let single = OneByOne::default().run(&game, &starts, each, &mut Rng::new(2), &mut totals[1]);
        assert!((lanes as f64 / single as f64 - 1.0).abs() < 0.1, "{name}: {lanes} steps and {single}");
        for (one, other) in totals[0].iter().zip(&totals[1]) {
            // Payoffs up to 100 have a standard deviation of at most 50: four standard errors of a difference.
            let bound = 4.0 * 50.0 * (2.0 / f64::from(each)).sqrt();
            assert!((one - other).abs() / f64::from(each) < bound, "{name}: {totals:?}");
        }
    }
}

#[test]
fn counted_actions_are_those_of_the_playouts() {
    // The payoff names the moves of a playout: one after `c`, two otherwise.
    let pairs = ["a", "b"].into_iter().flat_map(|first| ["a", "b", "c"].map(|second| (first, second)));
    let goals = pairs.zip(1..).map(|((first, second), value)| {
        format!("(<= (goal r {value}) (true (first {first})) (true (second {second})))\n")
    });
    let game = from_text(&format!(
        "(role s) (role r) (init (step 0)) (legal r a) (legal r b) (legal r c) (legal s noop)\n\
         (<= (next (first ?m)) (does r ?m) (true (step 0))) (<= (next (first ?m)) (true (first ?m)))\n\
         (<= (next (second ?m)) (does r ?m) (true (step 1)))\n\
         (<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))\n\
         (<= terminal (true (step 2))) (<= terminal (true (first c))) (goal s 0)\n\
         (<= (goal r 7) (true (first c))) {}",
        goals.collect::<String>()
    ))
    .unwrap();
    assert_eq!(game.engine_kind(), EngineKind::Network);
    let start = game.start();
    let r = Player(1);
    let [a, b, c] = ["a", "b", "c"].map(|text| game.parse_action(&start, Actor::Player(r), text).unwrap());
    let moves = [vec![a], vec![a, b], vec![a, c], vec![b, a], vec![b], vec![b, c], vec![c]];
    let mut batch = game.batch().unwrap();
    // More starts than lanes, so that lanes start again while others are in their playouts.
    for starts in [1, 40, 3_000] {
        let starts = vec![start.clone(); starts];
        let (mut totals, mut taken) = (vec![0.0; 2 * starts.len()], Vec::new());
        let counting = batch.counting().unwrap();
        let steps = counting.run_counting(&game, &starts, 1, &mut Rng::new(1), &mut totals, &mut taken);
        let mut again = vec![0.0; totals.len()];
        assert_eq!(batch.run(&game, &starts, 1, &mut Rng::new(1), &mut again), steps);
        assert_eq!(again, totals);
        let mut expected = Vec::new();
        for (start, totals) in totals.chunks_exact(2).enumerate() {
            let mut actions = moves[totals[1] as usize - 1].clone();
            actions.sort_unstable();
            let taken = |action| TakenAction { start, player: r, action, playouts: 1, total: totals[1] };
            expected.extend(actions.into_iter().map(taken));
        }
        assert_eq!(taken, expected);
    }
    // Several playouts of a start: the counts are sums.
    let (mut totals, mut taken) = (vec![0.0; 4], Vec::new());
    let starts = [start.clone(), start];
    batch.counting().unwrap().run_counting(&game, &starts, 2_000, &mut Rng::new(2), &mut totals, &mut taken);
    assert_eq!(taken.len(), 6);
    // An `a` is in the pairs that begin with it, and in `b a`: 4 of 9 ways, 1/3 + 1/9 of the playouts.
    assert!((f64::from(taken[0].playouts) / 2_000.0 - 4.0 / 9.0).abs() < 0.06, "{taken:?}");
    assert!((taken[0].total / 2_000.0 - (1.0 + 2.0 + 3.0 + 4.0) / 9.0).abs() < 0.2, "{taken:?}");
}

#[test]
fn counted_playouts_take_the_best_of_several_moves() {
    let moves = ["a", "b", "c", "d", "e"];
    let legal: String = moves.iter().map(|text| format!("(legal r {text}) (legal s {text})")).collect();
    let game = from_text(&format!(
        "(role r) (role s) (init start) {legal}\n\
         (<= (next (was ?m ?n)) (does r ?m) (does s ?n)) (<= terminal (true (was ?m ?n))) (goal r 1) (goal s 1)"
    ))
    .unwrap();
    assert_eq!(game.engine_kind(), EngineKind::Network);
    let start = game.start();
    let mut batch = game.batch().unwrap();
    // Only `s` prefers something: `d` before `b` before `a` before `e`, and `c`, which has no score, before all.
    let scores: Vec<_> = [("a", 0.3), ("b", 0.4), ("d", 0.7), ("e", 0.1)]
        .map(|(text, score)| (Player(1), game.parse_action(&start, Actor::Player(Player(1)), text).unwrap(), score))
        .to_vec();
    let ranks = [("c", 0), ("d", 1), ("b", 2), ("a", 3), ("e", 4)];
    for draws in [1, 2, 3, 7] {
        let counting = batch.counting().unwrap();
        counting.prefer(&game, draws, &scores);
        let (mut totals, mut taken) = (vec![0.0; 2], Vec::new());
        let each = 20_000;
        counting.run_counting(&game, std::slice::from_ref(&start), each, &mut Rng::new(4), &mut totals, &mut taken);
        assert_eq!(taken.iter().map(|taken| taken.playouts).sum::<u32>(), 2 * each);
        for &TakenAction { player, action, playouts, .. } in &taken {
            let text = game.action_text(&start, Actor::Player(player), action);
            let (_, rank) = ranks.into_iter().find(|(name, _)| text == *name).unwrap();
            // All draws are at this rank or worse, but not all are worse.
            let worse = |rank: i32| ((5 - rank) as f64 / 5.0).powi(draws as i32);
            let expected = if player == Player(0) { 0.2 } else { worse(rank) - worse(rank + 1) };
            let share = f64::from(playouts) / f64::from(each);
            assert!((share - expected).abs() < 0.02, "{draws} draws, {player:?} {text}: {share}, not {expected}");
        }
    }
    // The next user of the lanes starts without preferences.
    drop(batch);
    let mut batch = game.batch().unwrap();
    let mut taken = Vec::new();
    let counting = batch.counting().unwrap();
    counting.run_counting(&game, &[start], 20_000, &mut Rng::new(4), &mut [0.0; 2], &mut taken);
    assert!(taken.iter().all(|taken| taken.playouts.abs_diff(4_000) < 400), "{taken:?}");
}

#[test]
fn chance_draws_after_the_players_have_chosen() {
    let game = from_text(
        "(role random) (role a) (role b) (init start)\n\
         (legal a left) (legal a right) (legal b only) (legal random heads) (legal random tails)\n\
         (<= (next (was ?x ?y)) (does a ?x) (does random ?y))\n\
         (<= terminal (true (was ?x ?y)))\n\
         (<= (goal a 100) (true (was left heads))) (<= (goal a 0) (not (true (was left heads))))\n\
         (goal b 50)",
    )
    .unwrap();
    assert_eq!(game.spec().features, Features::CHANCE | Features::GENERAL_SUM);
    assert_eq!(game.spec().players, ["a", "b"]);
    let mut state = game.start();
    assert_eq!(game.turn(&state), Turn::Player(Player(0)));
    let left = game.parse_action(&state, Actor::Player(Player(0)), " LEFT ").unwrap();
    game.apply(&mut state, &[left]);
    assert_eq!(game.turn(&state), Turn::Chance);
    assert_eq!(game.state_text(&state), "step 0 facts (start) pending (heads left only)");
    let again = game.parse_state(&game.state_text(&state)).unwrap();
    assert_eq!(again, state);
    assert_eq!(game.turn(&again), Turn::Chance);
    let heads = game.parse_action(&state, Actor::Chance, "heads").unwrap();
    game.apply(&mut state, &[heads]);
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!((game.payoff(&state, Player(0)), game.payoff(&state, Player(1))), (100.0, 50.0));
    laws::check(&game, 1).unwrap();
}

#[test]
fn faulty_sheets_end_instead_of_hanging() {
    let endless =
        from_text("(role a) (init p) (legal a x) (legal a y) (<= (next p) (true p)) (<= terminal (true q)) (goal a 7)")
            .unwrap();
    let mut state = endless.start();
    let steps = Uniform::default().play_out(&endless, &mut state, &mut Rng::new(1), Horizon::END);
    assert_eq!((steps, endless.turn(&state)), (super::MAX_STEPS, Turn::Over));
    assert_eq!(endless.payoff(&state, Player(0)), 7.0);
    let stuck = from_text(
        "(role a) (role b) (init p) (<= (legal a x) (true p)) (<= (legal a y) (true p)) (legal b z)\n\
         (<= (next q) (true p)) (<= terminal (true r)) (goal a 1)",
    )
    .unwrap();
    let mut state = stuck.start();
    Uniform::default().play_out(&stuck, &mut state, &mut Rng::new(1), Horizon::END);
    assert_eq!(stuck.turn(&state), Turn::Over);
    assert_eq!(stuck.payoff(&state, Player(1)), 0.0, "a goal that is not defined");
    for text in ["", "(role random)", "(legal a b)"] {
        assert!(from_text(text).is_err_and(|error| error.to_string().contains("no role")), "{text}");
    }
}

#[test]
fn a_goal_derived_twice_counts_once_on_every_engine() {
    let text = "(role a) (role b) (init p) (legal a x) (legal b x) (<= (next q) (true p)) (<= terminal (true q))\n\
         (<= (goal a 50) (true q)) (<= (goal a 50) (not (true p))) (<= (goal a 050) (true q))\n\
         (<= (goal b 20) (true q)) (<= (goal b 30) (not (true p)))";
    for engine in [EngineKind::Network, EngineKind::Interpreter] {
        let sheet = Sheet::read(Source::new("t.kif", text)).unwrap();
        let game = Gdl::from_sheet(sheet, Options { engine: Some(engine), ..Options::default() }).unwrap();
        let mut state = game.start();
        Uniform::default().play_out(&game, &mut state, &mut Rng::new(1), Horizon::END);
        let payoffs = [Player(0), Player(1)].map(|player| game.payoff(&state, player));
        assert_eq!(payoffs, [50.0, 0.0], "{}: two different goals are none", engine.name());
        if let Some(mut batch) = game.batch() {
            let mut totals = [0.0; 2];
            batch.run(&game, &[game.start()], 10, &mut Rng::new(1), &mut totals);
            assert_eq!(totals, [500.0, 0.0]);
        }
    }
}

#[test]
fn wrong_texts_are_explained() {
    let game = game("tic-tac-toe", EngineKind::Network);
    let start = game.start();
    let complaint = |text: &str| game.parse_state(text).map(|_| ()).unwrap_err().to_string();
    assert!(complaint("step x facts () pending ()").contains("expected a number of steps"));
    assert!(complaint("nothing").contains("not a state"));
    assert!(complaint("step 1 facts ((mark 9 9 x)) pending ()").contains("`(mark 9 9 x)` is no fact"));
    assert!(complaint("step 1 facts () pending (noop)").contains("expected a legal move of each role"));
    let refused = game.parse_action(&start, Actor::Player(Player(0)), "(place 4 4)").unwrap_err();
    assert!(refused.help_text().unwrap().starts_with("9 legal; nearest: (place"), "{refused:?}");
    let legal = legal_actions(&game, &start, Actor::Player(Player(0)));
    let text = game.action_text(&start, Actor::Player(Player(0)), legal[3]);
    let spaced = text.replace('(', "( ").replace(' ', "   ");
    assert_eq!(game.parse_action(&start, Actor::Player(Player(0)), &spaced).unwrap(), legal[3]);
}

#[test]
fn boards_show_what_never_changes_and_white_is_white() {
    let sokoban = game("sokoban-small", EngineKind::Network);
    let picture = sokoban.draw(&sokoban.start());
    let labelled = |name: &str| picture.areas.iter().filter(|area| area.label.ends_with(name)).count();
    // Four walls and two targets; that a column follows another is no fact about a cell.
    assert_eq!((labelled("wall"), labelled("target"), labelled("successor")), (4, 2, 0));
    assert_eq!(picture.areas.iter().filter(|area| area.id < 1 << 12).count(), 30, "all 6 × 5 cells are drawn");
    assert!(sokoban.board_text(&sokoban.start()).contains('#'));
    for (name, fill) in [("reversi", "#ffffff"), ("reversi", "#33312d"), ("breakthrough", "#ffffff")] {
        let game = game(name, EngineKind::Network);
        let body = game.draw(&game.start()).body;
        assert!(body.contains("<circle") && body.contains(&format!("fill=\"{fill}\"")), "{name}: no {fill}");
    }
    // A board whose relation has no fixed facts stays as it is.
    let plain = game("breakthrough", EngineKind::Network);
    assert!(plain.draw(&plain.start()).areas.iter().all(|area| !area.label.contains("cellHolds")));
}

#[test]
fn moves_between_cells_are_phrases_and_other_terms_lose_their_parentheses() {
    let breakthrough = game("breakthrough", EngineKind::Network);
    let start = breakthrough.start();
    let actor = Actor::Player(Player(0));
    let action = legal_actions(&breakthrough, &start, actor)[0];
    let phrase = breakthrough.phrase(&start, actor, action);
    assert!(phrase.key == Phrase::MOVES && phrase.to_string().contains('→'), "{phrase}");
    let sokoban = game("sokoban-small", EngineKind::Network);
    let start = sokoban.start();
    let action = legal_actions(&sokoban, &start, actor)[0];
    assert!(sokoban.phrase(&start, actor, action).to_string().starts_with("go "));
}

/// Every match of the sheet is a match of the native Kuhn poker of the tests: same choices, same payoffs, and players
/// can tell the same states apart.
#[test]
fn kuhn_poker_is_the_native_one() {
    use tesuji_core::Knowledge;
    use tesuji_core::tiny_games::Kuhn;
    let native = Kuhn::default();
    let seen = native.perception().unwrap();
    for engine in EngineKind::ALL {
        let sheet = game("kuhn-poker", engine);
        let perception = sheet.perception().unwrap();
        let mut pairs = vec![(sheet.start(), native.start())];
        let mut matches = 0;
        while let Some(first) = pairs.first().cloned() {
            // All states of a moment at once: percepts are compared with each other.
            for (state, twin) in &pairs {
                for (other, other_twin) in &pairs {
                    for player in native.spec().seats() {
                        let same =
                            perception.percept(&sheet, state, player) == perception.percept(&sheet, other, player);
                        let texts = perception.texts(&sheet, state, player) == perception.texts(&sheet, other, player);
                        let over = native.turn(twin) == Turn::Over || native.turn(other_twin) == Turn::Over;
                        let twins = seen.percept(&native, twin, player) == seen.percept(&native, other_twin, player);
                        assert_eq!(same, texts);
                        assert!(over || same == twins, "{twin:?} {other_twin:?}");
                    }
                }
            }
            assert_eq!(perception.moment(&sheet, &first.0) as usize, first.1.len());
            let mut next = Vec::new();
            for (state, twin) in pairs {
                let turn = native.turn(&twin);
                assert_eq!(sheet.turn(&state), turn);
                if turn == Turn::Over {
                    matches += 1;
                    for player in native.spec().seats() {
                        let payoff = 50.0 + 25.0 * native.payoff(&twin, player);
                        assert_eq!(sheet.payoff(&state, player), payoff, "{twin:?}");
                    }
                    continue;
                }
                let actor = turn.actors().next().unwrap();
                for action in legal_actions(&sheet, &state, actor) {
                    let text = sheet.action_text(&state, actor, action);
                    let cards = ["jack", "queen", "king"];
                    let dealt = Kuhn::DEALS.iter().position(|[one, two]| {
                        text == format!("(deal {} {})", cards[usize::from(*one)], cards[usize::from(*two)])
                    });
                    let twin_action = match (dealt, text.as_str()) {
                        (Some(deal), _) => deal as u8,
                        (None, "check" | "fold") => 0,
                        _ => 1,
                    };
                    let (mut state, mut twin) = (state.clone(), twin.clone());
                    sheet.apply(&mut state, &[action]);
                    native.apply(&mut twin, &[twin_action]);
                    next.push((state, twin));
                }
            }
            pairs = next;
        }
        assert_eq!(matches, 6 * 5);
    }
}

/// `next` in the body of a rule is what holds in the state to come, also where it is denied.
#[test]
fn percepts_may_depend_on_the_next_state() {
    let text = "(role a) (role b) (init (light off)) (turned on off) (turned off on) (init (step 0)) (after 0 1) \
        (after 1 2) (<= (legal a turn) (role a)) (<= (legal a wait) (role a)) (legal b wait) \
        (<= (next (light ?new)) (does a turn) (true (light ?old)) (turned ?old ?new)) \
        (<= (next (light ?old)) (does a wait) (true (light ?old))) \
        (<= (next (step ?m)) (true (step ?n)) (after ?n ?m)) \
        (<= (sees b (light ?now)) (next (light ?now))) (<= (sees a dark) (not (next (light on)))) \
        (<= terminal (true (step 2))) (<= (goal ?r 50) (role ?r))";
    for engine in EngineKind::ALL {
        let sheet = Sheet::read(Source::new("t.kif", text)).unwrap();
        let game = Gdl::from_sheet(sheet, Options { engine: Some(engine), ..Options::default() }).unwrap();
        laws::check(&game, 3).unwrap();
        let mut state = game.start();
        for (action, seen_by_a, seen_by_b) in [("turn", vec![], "(light on)"), ("turn", vec!["dark"], "(light off)")] {
            let action = game.parse_action(&state, Actor::Player(Player(0)), action).unwrap();
            game.apply(&mut state, &[action]);
            assert_eq!(game.percept_texts(&state, 0), seen_by_a, "{engine:?}");
            assert_eq!(game.percept_texts(&state, 1), [seen_by_b], "{engine:?}");
        }
    }
}
