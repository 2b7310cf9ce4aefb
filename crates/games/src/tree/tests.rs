//! The bundled trees compared with a plain solver, and the file format.

use proptest::prelude::*;
use tesuji_core::{
    Actor, Arguments, Drawing, Features, Game, InputError, Notation, Player, Players, Source, Turn, legal_actions,
    perft_table,
};

use super::{Action, BUNDLED, ENTRY, State, Tree};

fn open(address: &str) -> Result<Tree, InputError> {
    (ENTRY.open)(&Arguments::bind(&address.parse()?, ENTRY.parameters)?)
}

fn read(text: &str) -> Result<Tree, InputError> {
    Tree::read("tree(test)", &Source::new("test.tree", text))
}

fn bundled(name: &str) -> Tree {
    open(&format!("tree({name})")).unwrap()
}

fn after(tree: &Tree, state: State, joint: &[Action]) -> State {
    let mut next = state;
    tree.apply(&mut next, joint);
    next
}

/// The payoffs under optimal play below a state. Every player maximises its own payoff and chance averages. A joint
/// move, which must be the start, is played by the stated mixes, from which no deviation may gain.
fn solve(tree: &Tree, state: State) -> Vec<f64> {
    match tree.turn(&state) {
        Turn::Over => tree.spec().seats().map(|player| tree.payoff(&state, player)).collect(),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            tree.chance(&state, &mut outcomes);
            let mut mean = vec![0.0; tree.spec().players.len()];
            for (outcome, probability) in outcomes {
                let values = solve(tree, after(tree, state, &[outcome]));
                mean.iter_mut().zip(values).for_each(|(mean, value)| *mean += probability * value);
            }
            mean
        }
        Turn::Player(player) => {
            let actions = legal_actions(tree, &state, Actor::Player(player));
            let values = actions.into_iter().map(|action| solve(tree, after(tree, state, &[action])));
            values.max_by(|a, b| a[player.index()].total_cmp(&b[player.index()])).unwrap()
        }
        Turn::Simultaneous(players) => {
            let mixes: Vec<Vec<(Action, f64)>> =
                players.map(|player| tree.known().best[player.index()].clone().expect("a stated mix")).collect();
            assert_eq!(state, tree.start(), "mixes are stated for the start only");
            let value = expect(tree, state, players, &mixes);
            for (place, player) in players.enumerate() {
                for action in legal_actions(tree, &state, Actor::Player(player)) {
                    let mut other = mixes.clone();
                    other[place] = vec![(action, 1.0)];
                    let gain = expect(tree, state, players, &other)[player.index()] - value[player.index()];
                    assert!(gain < 1e-12, "{player:?} gains {gain} by action {action}");
                    // With two players and a constant sum, no deviation of the other player may hurt either.
                    if !tree.spec().features.contains(Features::GENERAL_SUM) {
                        let hurt = value[1 - player.index()] - expect(tree, state, players, &other)[1 - player.index()];
                        assert!(hurt < 1e-12, "{player:?} hurts by action {action}: {hurt}");
                    }
                }
            }
            value
        }
    }
}

/// The expected payoffs of a joint move when all players draw from their mixes independently.
fn expect(tree: &Tree, state: State, players: Players, mixes: &[Vec<(Action, f64)>]) -> Vec<f64> {
    let mut joints: Vec<(Vec<Action>, f64)> = vec![(Vec::new(), 1.0)];
    for mix in mixes {
        joints = joints
            .iter()
            .flat_map(|(joint, share)| {
                mix.iter().map(move |&(action, probability)| ([&joint[..], &[action]].concat(), share * probability))
            })
            .collect();
    }
    assert_eq!(joints[0].0.len(), players.len());
    let mut mean = vec![0.0; tree.spec().players.len()];
    for (joint, share) in joints {
        let values = solve(tree, after(tree, state, &joint));
        mean.iter_mut().zip(values).for_each(|(mean, value)| *mean += share * value);
    }
    mean
}

/// The example of the game's documentation page.
fn example() -> Tree {
    let page = include_str!("../../../../docs/games/tree.md");
    let text = page.split("```").nth(1).and_then(|block| block.strip_prefix("text\n")).unwrap();
    read(text).unwrap()
}

#[test]
fn the_stated_values_are_right() {
    let bundle = BUNDLED.iter().map(|&(name, _)| (name, bundled(name)));
    for (name, tree) in bundle.chain([("the example", example())]) {
        let stated = tree.known().value.clone().unwrap_or_else(|| panic!("{name} states no value"));
        let solved = solve(&tree, tree.start());
        for (stated, solved) in stated.iter().zip(&solved) {
            assert!((stated - solved).abs() < 1e-12, "{name}: stated {stated}, solved {solved}");
        }
        if let Turn::Player(player) = tree.turn(&tree.start()) {
            let best =
                tree.known().best[player.index()].clone().unwrap_or_else(|| panic!("{name} states no best action"));
            assert_eq!(best.len(), 1, "{name}");
            for action in legal_actions(&tree, &tree.start(), Actor::Player(player)) {
                let value = solve(&tree, after(&tree, tree.start(), &[action]))[player.index()];
                let gap = solved[player.index()] - value;
                assert!(
                    if action == best[0].0 { gap.abs() < 1e-12 } else { gap > 0.01 },
                    "{name}: {action} misses by {gap}"
                );
            }
        }
    }
}

#[test]
fn the_bundle_is_complete_and_every_tree_is_an_example() {
    let mut examples: Vec<String> = BUNDLED.iter().map(|(name, _)| format!("tree({name})")).collect();
    assert_eq!(examples[0], "tree(forced-win)", "the default comes first");
    examples[0] = "tree".to_owned();
    assert_eq!(ENTRY.examples, examples);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/tree");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().to_string_lossy().trim_end_matches(".tree").to_owned())
        .collect();
    let mut names: Vec<&str> = BUNDLED.iter().map(|&(name, _)| name).collect();
    files.sort_unstable();
    names.sort_unstable();
    assert_eq!(files, names);
}

#[test]
fn features_follow_from_the_tree() {
    let features = |name: &str| bundled(name).spec().features;
    assert_eq!(features("forced-win"), Features::empty());
    assert_eq!(features("chance-mean"), Features::CHANCE);
    assert_eq!(features("matching-pennies"), Features::SIMULTANEOUS);
    assert_eq!(features("trust"), Features::GENERAL_SUM);
    assert_eq!(features("two-step-turn"), Features::MULTI_ACTION);
    assert_eq!(features("three-players"), Features::MANY_PLAYERS | Features::GENERAL_SUM);
    assert_eq!(features("alone"), Features::CHANCE | Features::MULTI_ACTION | Features::GENERAL_SUM);
    assert_eq!(features("duel"), Features::CHANCE | Features::SIMULTANEOUS);
    assert_eq!(features("dilemma"), Features::SIMULTANEOUS | Features::GENERAL_SUM);
    assert_eq!(bundled("saddle").spec().payoffs, (-6.0, 6.0));
    assert_eq!(bundled("saving-move").spec().max_steps, 3);
}

#[test]
fn perft() {
    assert_eq!(perft_table(&bundled("saving-move"), 4), [4, 7, 4, 0]);
    assert_eq!(perft_table(&bundled("duel"), 3), [4, 6, 0]);
    assert_eq!(perft_table(&bundled("saddle"), 2), [9, 0]);
}

#[test]
fn combinations_may_stand_in_any_order() {
    let tree = read("players: a, b\nstart: a & b\n x, u: 1, 0\n y, v: 4, 0\n x, v: 2, 0\n y, u: 3, 0\n").unwrap();
    let payoff = |joint: &[Action]| tree.payoff(&after(&tree, tree.start(), joint), Player(0));
    assert_eq!([payoff(&[0, 0]), payoff(&[0, 1]), payoff(&[1, 0]), payoff(&[1, 1])], [1.0, 2.0, 3.0, 4.0]);
    let end = after(&tree, tree.start(), &[1, 1]);
    assert_eq!(tree.state_text(&end), "start / y, v");
    assert_eq!(tree.known(), &super::Known { value: None, best: vec![None, None] });
}

#[test]
fn errors_name_file_line_and_column() {
    for (text, expected) in [
        ("", "test.tree:1:1: expected `players:`, found the end"),
        ("value: 1\n", "test.tree:1:1: expected `players:` first"),
        ("players: a, a\n", "test.tree:1:13: the player `a` is named twice"),
        ("players: a, chance\n", "test.tree:1:13: `chance` is not a valid name"),
        ("players: a\n", "expected `start:`, found the end"),
        ("players: a\ntitle: x\n", "test.tree:2:1: unknown heading `title`"),
        ("players: a\nvalue: 1, 2\n", "test.tree:2:8: expected 1 numbers, one for each player, found 2"),
        ("players: a\nvalue: 1/0\n", "test.tree:2:8: expected a number"),
        ("players: a\n  x: 1\n", "test.tree:2:3: expected `start:` before"),
        ("players: a\nstart: a\n", "test.tree:2:8: expected indented lines below `a`"),
        (
            "players: a\nstart: b\n",
            "test.tree:2:8: expected a player, players joined by `&`, `chance` or payoffs, found `b`",
        ),
        ("players: a\nstart: a\n  go\n", "test.tree:3:3: expected `:` after `go`"),
        ("players: a\nstart: a\n  go: 1\nx: 2\n", "test.tree:4:1: expected an indented line"),
        ("players: a\nstart: a\n  go: 1\n  go: 2\n", "test.tree:4:3: `go` stands here twice"),
        ("players: a\nstart: a\n  go: 1\n    on: 2\n", "test.tree:4:5: nothing can follow payoffs"),
        ("players: a\nstart: a\n  go: a\n     on: 2\n    up: 2\n", "test.tree:5:5: expected 5 blanks before this line"),
        ("players: a\nstart: a\n\tgo: 1\n", "test.tree:3:1: a character that lines may not hold: \\t"),
        ("players: a\nstart: a\n  : 1\n", "test.tree:3:3: expected a name, found ``"),
        (
            "players: a\nstart: chance\n  1/2 x: 1\n  1/3 y: 1\n",
            "test.tree:2:8: the probabilities below add up to 0.83",
        ),
        ("players: a\nstart: chance\n  x: 1\n", "test.tree:3:3: expected a number such as"),
        ("players: a\nstart: chance\n  1: 1\n", "test.tree:3:3: expected a name"),
        ("players: a\nstart: chance\n  0 x: 1\n", "test.tree:3:3: expected a probability above 0"),
        ("players: a, b\nstart: b & a\n", "test.tree:2:12: expected the players of a joint move in the order"),
        ("players: a, b\nstart: a & b\n  x: 1, 2\n", "test.tree:3:3: expected 2 actions separated by commas, found 1"),
        ("players: a, b\nstart: a & b\n  x, u: 1, 2\n  y, v: 1, 2\n", "the combination `x, v` is missing"),
        ("players: a\nbest a: stay\nstart: a\n  go: 1\n", "test.tree:2:9: expected an action with its probability"),
        ("players: a\nbest a: go 1/2\nstart: a\n  go: 1\n", "test.tree:2:9: expected probabilities that add up to 1"),
        (
            "players: a, b\nbest b: go\nstart: a\n  go: 1, 1\n",
            "test.tree:2:1: this player does not choose at the start",
        ),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text:?}: {error}");
    }
    for (address, expected) in [
        ("tree(forcd-win)", "no bundled tree `forcd-win`; did you mean `forced-win`?"),
        ("tree(no/such.tree)", "no/such.tree: cannot be read"),
        ("tree(../)", "../: expected a file of at most 8 MiB"),
    ] {
        let error = open(address).unwrap_err();
        assert!(error.to_string().contains(expected), "{address}: {error}");
    }
    let tree = bundled("trust");
    for (text, expected) in [
        ("", "expected `start`"),
        ("start / steal", "state:1:8: no step `steal` here"),
        ("start / keep / x", "no step `x` here"),
    ] {
        let error = tree.parse_state(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
}

/// Long and wide trees neither overflow the stack nor fill the screen.
#[test]
fn great_trees_are_read_and_drawn() {
    let mut deep = String::from("players: a\nstart: a\n");
    for depth in 1..2_000 {
        deep.push_str(&format!("{}on: a\n", " ".repeat(depth)));
    }
    deep.push_str(&format!("{}on: 1\n", " ".repeat(2_000)));
    let tree = read(&deep).unwrap();
    assert_eq!(tree.spec().max_steps, 2_000);
    assert!(tree.draw(&tree.start()).width < 2_000.0);
    let mut wide = String::from("players: a\nstart: a\n");
    for action in 0..1_000 {
        wide.push_str(&format!(" {action}: a\n  x: {action}\n"));
    }
    let tree = read(&wide).unwrap();
    let picture = tree.draw(&tree.start());
    assert_eq!(picture.areas.len(), 1_000);
}

proptest! {
    #[test]
    fn any_text_is_a_tree_or_an_error(
        text in "(?s).{0,120}",
        body in "( {0,3}[a-c1-2/&,: ]{1,9}(: ?[a-c&0-9, ]{1,6})?\n){0,12}",
    ) {
        let _ = read(&text);
        if let Ok(tree) = read(&format!("players: a, b\nstart: a\n{body}")) {
            let picture = tree.draw(&tree.start());
            prop_assert!(picture.width > 0.0);
        }
    }

    #[test]
    fn any_bytes_in_place_of_others_are_read_or_refused(
        name in 0..BUNDLED.len(),
        place: prop::sample::Index,
        bytes: [u8; 3],
    ) {
        let mut text = BUNDLED[name].1.as_bytes().to_vec();
        let at = place.index(text.len() - 3);
        text[at..at + 3].copy_from_slice(&bytes);
        let _ = read(&String::from_utf8_lossy(&text));
    }

    #[test]
    fn any_text_is_a_state_or_an_error(text in "(start|left|up|in|/| ){0,8}|.{0,30}") {
        let tree = bundled("three-players");
        if let Ok(state) = tree.parse_state(&text) {
            prop_assert_eq!(tree.parse_state(&tree.state_text(&state)).unwrap(), state);
        }
    }
}
