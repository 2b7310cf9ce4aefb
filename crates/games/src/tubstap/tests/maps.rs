//! The bundled maps: their perft numbers, and the solutions of the puzzles.

use std::collections::HashSet;

use tesuji_core::{Actor, Address, Game, Notation, Player, Turn, legal_actions, perft, perft_table};

use super::*;

/// The numbers of sequences of one and two actions. The plain twin agrees on the maps of one word, see the next test.
#[test]
fn perft_of_the_bundled_maps() {
    let expected: [(&str, &[u64]); 9] = [
        ("meadow", &[98, 7698]),
        ("twin-guns", &[71, 4352]),
        ("six-arms", &[196, 30990]),
        ("hill-fort", &[214, 38960]),
        ("river-front", &[585]),
        ("wide-war", &[961]),
        ("one-blow", &[88, 5846]),
        ("escort", &[24, 384]),
        ("late-guard", &[60, 2632]),
    ];
    for ((name, counts), (bundled_name, _)) in expected.into_iter().zip(MAPS) {
        assert_eq!(name, bundled_name);
        assert_eq!(perft_table(&bundled(name), counts.len() as u32), counts, "{name}");
    }
}

#[test]
fn perft_of_the_twin_agrees() {
    for name in ["meadow", "twin-guns", "six-arms", "late-guard", "one-blow", "escort"] {
        let game = bundled(name);
        let plain = naive::Match::new(game.map(), game.rules());
        let mut count = 0;
        for action in plain.legal() {
            let mut next = plain.clone();
            next.apply(action);
            count += next.legal().len() as u64;
        }
        assert_eq!(count, perft(&game, &game.start(), 2), "{name}");
    }
}

#[test]
fn every_bundled_map_says_what_it_is_for_and_is_listed() {
    let list = include_str!("../../../../../data/maps/README.md");
    for (name, text) in MAPS {
        let game = bundled(name);
        assert!(game.map().comment().len() > 20, "{name}");
        assert_eq!(game.map().write(), text, "{name}: as the writer writes it");
        assert!(list.contains(&format!("| `{name}` |")), "{name} is not in data/maps/README.md");
        for unit in game.map().units() {
            let terrain = game.map().terrain()[usize::from(unit.cell)];
            assert!(terrain.cost(unit.kind.class()).is_some(), "{name}: {unit:?} on {terrain:?}");
        }
    }
    let standard = bundled("meadow");
    let kinds = |team| {
        let mut kinds: Vec<char> =
            standard.map().units().iter().filter(|u| u.team == Player(team)).map(|u| u.kind.letter()).collect();
        kinds.sort_unstable();
        kinds.into_iter().collect::<String>()
    };
    assert_eq!((kinds(0), kinds(1)), ("IIIPPU".to_owned(), "IIIPPU".to_owned()));
}

/// The lines of red's single turn that destroy blue. One action destroys at most one unit, so a line with more enemies
/// than remaining actions is cut off.
fn winning_lines(game: &Tubstap, state: &State, line: &mut Vec<String>, found: &mut Vec<String>) {
    let red = Actor::Player(Player(0));
    let enemies = (0..game.map().units().len() as u8)
        .filter(|&unit| game.map().units()[usize::from(unit)].team == Player(1) && state.hp(unit) > 0)
        .count();
    if enemies == 0 {
        found.push(line.join(" "));
        return;
    }
    if game.turn(state) != Turn::Player(Player(0)) || enemies > game.end_turn(state).len() {
        return;
    }
    for action in legal_actions(game, state, red) {
        line.push(game.action_text(state, red, action));
        let mut next = state.clone();
        game.apply(&mut next, &[action]);
        winning_lines(game, &next, line, found);
        line.pop();
    }
}

#[test]
fn one_blow_has_six_solutions() {
    let game = bundled("one-blow");
    let mut found = Vec::new();
    winning_lines(&game, &game.start(), &mut Vec::new(), &mut found);
    // The cannon and the infantry destroy one unit each; the panzer and the attacker share the third, from two sides.
    let expected = [
        "c5xe5 d4-e2xf2 b1-d4xd5 b5-e5xd5",
        "c5xe5 d4-e2xf2 b5-e5xd5 b1-d4xd5",
        "c5xe5 b5-e5xd5 d4-e2xf2 b1-d4xd5",
        "d4-e2xf2 b1-d4xd5 c5xe5 b5-e5xd5",
        "d4-e2xf2 c5xe5 b1-d4xd5 b5-e5xd5",
        "d4-e2xf2 c5xe5 b5-e5xd5 b1-d4xd5",
    ];
    assert_eq!(found, expected);
}

#[test]
fn escort_is_won_only_by_closing_both_passes() {
    let game = bundled("escort");
    let mut positions = HashSet::from([game.start()]);
    for _ in 0..3 {
        let mut next = HashSet::new();
        for state in &positions {
            for action in legal_actions(&game, state, Actor::Player(Player(0))) {
                let mut after = state.clone();
                game.apply(&mut after, &[action]);
                next.insert(after);
            }
        }
        positions = next;
    }
    let safe = |state: &&State| {
        legal_actions(&game, state, Actor::Player(Player(1))).into_iter().all(|action| {
            let mut end = (*state).clone();
            game.apply(&mut end, &[action]);
            game.payoff(&end, Player(0)) == 1.0
        })
    };
    let won: Vec<&State> = positions.iter().filter(safe).collect();
    for state in &won {
        let mut places = [1, 2].map(|unit| game.map().cell_name(state.cell(unit).unwrap()));
        places.sort_unstable_by_key(|place| place.chars().rev().collect::<String>());
        let closed = ["c1", "d1"].contains(&&places[0][..]) && ["c3", "d3"].contains(&&places[1][..]);
        assert!(closed, "{}", game.board_text(state));
    }
    assert_eq!((positions.len(), won.len()), (694, 28));
}

#[test]
fn a_misspelt_map_is_corrected() {
    let error = open(&ENTRY, "tubstap(map=medow)").unwrap_err();
    assert_eq!(error.to_string(), "no bundled map is called `medow`; did you mean `meadow`?");
    let error = open(&ENTRY, "tubstap(map=no/such/file.tbsmap)").unwrap_err();
    assert!(error.to_string().starts_with("no/such/file.tbsmap: cannot read the map"), "{error}");
    let error = open(&ENTRY, "tubstap(rules=papr)").unwrap_err();
    assert!(error.to_string().contains("did you mean `paper`?"), "{error}");
    for (address, expected) in [
        ("tubstap-random(hp=5-3)", "two numbers from 1 to 10"),
        ("tubstap-random(hp=x)", "two numbers from 1 to 10"),
        ("tubstap-random(width=3,height=3,units=5)", "5 units a side do not fit"),
        ("tubstap-random(width=65)", "from 1 to 64"),
        ("tubstap-random(width=1,units=1)", "cannot be 1×8"),
    ] {
        let error = open(&RANDOM_ENTRY, address).unwrap_err();
        assert!(error.to_string().contains(expected), "{address}: {error}");
    }
}

#[test]
fn the_name_of_a_game_opens_it_again() {
    for game in games() {
        let address: Address = game.spec().name.parse().unwrap();
        let entry = if address.name == ENTRY.name { &ENTRY } else { &RANDOM_ENTRY };
        assert_eq!(open(entry, &game.spec().name).unwrap().map(), game.map(), "{address}");
    }
}
