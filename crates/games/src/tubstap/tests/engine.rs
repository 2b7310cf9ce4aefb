//! The engine compared with its plain twin and the platform's numbers.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tesuji_core::{
    Actor, Features, Game, Horizon, Knowledge, Notation, Player, Policy, Rng, Source, Turn, Uniform, legal_actions,
    perft_table,
};

use super::*;

#[test]
fn perft_of_the_original_maps() {
    let expected: [(&str, &[u64]); 6] = [
        ("map01", &[73, 4361]),
        ("map02", &[76, 5130]),
        ("map03", &[74, 4737]),
        ("map04", &[36, 630]),
        ("map05", &[65, 3414]),
        ("block_A1", &[48, 96, 5328, 132_054]),
    ];
    for (name, counts) in expected {
        let Some(map) = original(name) else { return };
        let game = Tubstap::new(name, map, Rules::V0108).unwrap();
        assert_eq!(perft_table(&game, counts.len() as u32), counts, "{name}");
    }
}

#[test]
fn every_original_map_reads_and_writes_back() {
    let Ok(files) = std::fs::read_dir(originals()) else {
        eprintln!("skipped: no original maps at {}", originals().display());
        return;
    };
    let mut read = 0;
    for path in files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "tbsmap")) {
        let name = path.display().to_string();
        let map = Map::from_bytes(&name, &std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(Map::read(&Source::new(&name, map.write())).unwrap(), map, "{name}");
        twin(&Tubstap::new(name, map, Rules::V0108).unwrap(), 1);
        read += 1;
    }
    assert!(read >= 17, "{read} maps");
}

/// Plays a random match on the engine and the plain twin side by side.
fn twin(game: &Tubstap, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut state = game.start();
    let mut plain = naive::Match::new(game.map(), game.rules());
    let mut uniform = Uniform::default();
    // The plain search is slow on large maps, so it checks only some states.
    let sparsity = game.map().terrain().len().div_ceil(100);
    for step in 0.. {
        let Turn::Player(player) = game.turn(&state) else { break };
        if step % sparsity == 0 {
            let actions = legal_actions(game, &state, Actor::Player(player));
            let expected = plain.legal();
            assert_eq!(actions.len(), expected.len(), "doubled or wrong actions in {}", game.state_text(&state));
            assert_eq!(actions.into_iter().collect::<std::collections::BTreeSet<_>>(), expected);
        }
        let action = uniform.pick(game, &state, player, &mut rng);
        game.apply(&mut state, &[action]);
        plain.apply(action);
        assert_eq!(game.turn(&state), plain.turn(), "after {step} steps: {}", game.state_text(&state));
    }
    for player in 0..2 {
        assert_eq!(
            game.payoff(&state, Player(player)),
            plain.payoff(usize::from(player)),
            "{}",
            game.state_text(&state)
        );
    }
}

#[test]
fn the_engine_plays_as_its_plain_twin() {
    for game in games() {
        for seed in 0..if game.map().terrain().len() > 1000 { 1 } else { 4 } {
            twin(&game, seed);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 40,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..Default::default()
    })]

    #[test]
    fn generated_maps_are_valid_connected_and_play_as_the_twin(
        (width, height, units) in (2..14usize, 1..14usize, 1..12usize),
        (hp, symmetry, seed, paper) in ((1..=10u8, 1..=10u8), 0..3usize, any::<u64>(), any::<bool>()),
    ) {
        let hp = (hp.0.min(hp.1), hp.0.max(hp.1));
        let units = units.min((width / 2 * height).div_ceil(2));
        let generator = Generator { width, height, units, hp, symmetry: Symmetry::ALL[symmetry] };
        let map = generator.generate(seed).unwrap();
        prop_assert_eq!(&map, &generator.generate(seed).unwrap());
        prop_assert_eq!(&Map::read(&Source::new("generated", map.write())).unwrap(), &map);
        let reached = map.connected(map.units()[0].cell, Class::Vehicle);
        for (cell, terrain) in map.terrain().iter().enumerate() {
            prop_assert!(terrain.cost(Class::Vehicle).is_none() || reached[cell], "cell {} is cut off", cell);
        }
        for team in 0..2 {
            prop_assert_eq!(map.units().iter().filter(|unit| unit.team == Player(team)).count(), units);
        }
        for unit in map.units() {
            prop_assert!((hp.0..=hp.1).contains(&unit.hp) && reached[usize::from(unit.cell)]);
        }
        let rules = if paper { Rules::Paper } else { Rules::V0108 };
        twin(&Tubstap::new("generated", map, rules).unwrap(), seed);
    }
}

#[test]
fn drawing_by_counting_equals_drawing_from_the_list() {
    for game in games() {
        let mut rng = Rng::new(5);
        let mut state = game.start();
        for _ in 0..300 {
            let Turn::Player(player) = game.turn(&state) else { break };
            let mut twin = rng.clone();
            let action = game.random_action(&state, player, &mut rng, &mut Vec::new());
            let list = legal_actions(&game, &state, Actor::Player(player));
            assert_eq!(action, list[twin.below(list.len())]);
            assert_eq!(rng, twin);
            game.apply(&mut state, &[action]);
        }
    }
}

/// The policy, written plainly over the list of actions.
fn attack_plainly(game: &Tubstap, state: &State, player: Player, share: f64, rng: &mut Rng) -> Action {
    let actions = legal_actions(game, state, Actor::Player(player));
    let attacks: Vec<Action> = actions.iter().copied().filter(|&action| game.battle(state, action).0 > 0).collect();
    let choice = if !attacks.is_empty() && rng.chance(share) { attacks } else { actions };
    choice[rng.below(choice.len())]
}

#[test]
fn playouts_of_attack_policies_play_as_their_picks_and_as_the_plain_policy() {
    let horizons = [Horizon::END, Horizon::turns(3), Horizon::steps(17), Horizon::turns(0)];
    for attacks in [ATTACK_80, 1.0] {
        playouts_play_as_picks(attacks, &horizons);
    }
}

fn playouts_play_as_picks(attacks: f64, horizons: &[Horizon]) {
    // One policy for all games: its buffers change their width on the way.
    let mut policy = AttackPolicy::new(&bundled("meadow"), attacks);
    for game in games() {
        for (seed, &horizon) in horizons.iter().enumerate() {
            let mut fast = game.start();
            let mut fast_rng = Rng::new(seed as u64);
            let steps = policy.play_out(&game, &mut fast, &mut fast_rng, horizon);
            let (mut slow, mut slow_rng) = (game.start(), Rng::new(seed as u64));
            for _ in 0..steps {
                let Turn::Player(player) = game.turn(&slow) else { panic!("too many steps") };
                let mut plain_rng = slow_rng.clone();
                let action = policy.pick(&game, &slow, player, &mut slow_rng);
                assert_eq!(action, attack_plainly(&game, &slow, player, attacks, &mut plain_rng));
                assert_eq!(slow_rng, plain_rng);
                game.apply(&mut slow, &[action]);
            }
            assert_eq!(fast, slow, "{} to {horizon:?}", game.spec().name);
            assert_eq!(fast_rng, slow_rng);
            match horizon {
                Horizon::END => assert_eq!(game.turn(&fast), Turn::Over),
                Horizon { steps: 17, .. } => assert_eq!(steps, 17.min(steps)),
                Horizon { turns, .. } => assert!(
                    game.turn(&fast) == Turn::Over || u32::from(fast.turns()) >= turns.max(1),
                    "{} to {horizon:?}",
                    game.spec().name
                ),
            }
        }
    }
}

/// Plays out with the default `Policy::play_out` and the picks of another policy.
struct Plain(AttackPolicy);

impl Policy<Tubstap> for Plain {
    fn pick(&mut self, game: &Tubstap, state: &State, player: Player, rng: &mut Rng) -> Action {
        self.0.pick(game, state, player, rng)
    }
}

#[test]
fn playouts_of_attack80_stop_where_the_default_stops() {
    for game in games().iter().filter(|game| game.map().terrain().len() < 300) {
        let mut plain = Plain(AttackPolicy::new(game, ATTACK_80));
        for turns in 0..6 {
            for steps in [0, 1, 5, 40, u32::MAX] {
                let horizon = Horizon { steps, turns };
                let (mut a, mut b) = (game.start(), game.start());
                let fast = plain.0.play_out(game, &mut a, &mut Rng::new(9), horizon);
                let slow = plain.play_out(game, &mut b, &mut Rng::new(9), horizon);
                assert_eq!((fast, a), (slow, b), "{} to {horizon:?}", game.spec().name);
            }
        }
    }
}

#[test]
fn the_largest_map_plays_as_the_twin() {
    for symmetry in Symmetry::ALL {
        let generator = Generator { width: MAX_SIDE, height: MAX_SIDE, units: 3, hp: (5, 10), symmetry };
        twin(&Tubstap::new("largest", generator.generate(1).unwrap(), Rules::V0108).unwrap(), 1);
    }
    let row = Generator { width: MAX_SIDE, height: 1, units: 5, hp: (5, 10), symmetry: Symmetry::Mirror };
    twin(&Tubstap::new("row", row.generate(1).unwrap(), Rules::V0108).unwrap(), 1);
}

/// A map from a short description: terrain rows inside the frame, and units `(name, column, row, team, hp, finished)`.
fn sketch(rows: &[&str], units: &[(&str, usize, usize, u8, u8, u8)], limit: u16, threshold: u32) -> Map {
    let count = |team| units.iter().filter(|unit| unit.3 == team).count();
    let mut text = format!(
        "SIZEX[{}];SIZEY[{}];TURNLIMIT[{limit}];HPTHRESHOLD[{threshold}];UNITNUMRED[{}];UNITNUMBLUE[{}];",
        rows[0].len() + 2,
        rows.len() + 2,
        count(0),
        count(1)
    );
    for (name, x, y, team, hp, finished) in units {
        text += &format!("UNIT[{},{},{name},{team},{hp},{finished}];", x + 1, y + 1);
    }
    let edge = "0".repeat(rows[0].len());
    for row in [&edge[..]].iter().chain(rows).chain([&&edge[..]]) {
        let codes: Vec<String> = row.chars().map(String::from).collect();
        text += &format!("MAP[0,{},0];", codes.join(","));
    }
    Map::read(&Source::new("sketch", text)).unwrap()
}

fn game(map: Map) -> Tubstap {
    Tubstap::new("sketch", map, Rules::V0108).unwrap()
}

#[test]
fn a_side_without_units_has_lost_and_an_empty_map_is_refused() {
    let alone = game(sketch(&["11"], &[("panzer", 0, 0, 1, 10, 0)], 4, 1));
    let start = alone.start();
    assert_eq!(alone.turn(&start), Turn::Over);
    assert_eq!([0, 1].map(|player| alone.payoff(&start, Player(player))), [0.0, 1.0]);
    assert_eq!((alone.spec().max_steps, alone.spec().features), (0, Features::empty()));
    let error = Tubstap::new("sketch", sketch(&["11"], &[], 4, 1), Rules::V0108).unwrap_err();
    assert!(error.to_string().contains("no units"), "{error}");
}

#[test]
fn a_side_that_begins_finished_passes_and_flags_clear_only_at_its_own_end() {
    let both = |red: u8, blue: u8| {
        game(sketch(&["1111"], &[("infantry", 0, 0, 0, 10, red), ("infantry", 3, 0, 1, 10, blue)], 4, 1))
    };
    let blue_first = both(1, 0);
    let start = blue_first.start();
    assert_eq!((blue_first.turn(&start), start.turns()), (Turn::Player(Player(1)), 1));
    assert!(!start.is_finished(0));
    assert_eq!((blue_first.spec().max_steps, blue_first.spec().features), (3, Features::empty()));
    let red_twice = both(0, 1);
    let mut state = red_twice.start();
    assert_eq!((red_twice.spec().max_steps, red_twice.spec().features), (3, Features::MULTI_ACTION));
    let stay = red_twice.end_turn(&state)[0];
    red_twice.apply(&mut state, &[stay]);
    assert_eq!((red_twice.turn(&state), state.turns()), (Turn::Player(Player(0)), 2));
    let nobody = both(1, 1);
    assert_eq!((nobody.turn(&nobody.start()), nobody.start().turns()), (Turn::Player(Player(0)), 2));
}

#[test]
fn staying_throughout_takes_exactly_the_greatest_number_of_steps() {
    for game in games() {
        let mut state = game.start();
        let mut steps = 0;
        while game.turn(&state) != Turn::Over {
            for action in game.end_turn(&state) {
                game.apply(&mut state, &[action]);
                steps += 1;
            }
        }
        assert_eq!(steps, game.spec().max_steps, "{}", game.spec().name);
        assert_eq!(game.end_turn(&state), []);
    }
}

#[test]
fn the_end_is_judged_by_hp_and_threshold() {
    for (red, rules, payoff) in [(10, Rules::V0108, 0.5), (10, Rules::Paper, 1.0), (9, Rules::Paper, 0.5)] {
        let units = [("infantry", 0, 0, 0, red, 0), ("infantry", 3, 0, 1, 5, 0)];
        let game = Tubstap::new("sketch", sketch(&["1111"], &units, 1, 5), rules).unwrap();
        let mut state = game.start();
        let stay = game.end_turn(&state)[0];
        game.apply(&mut state, &[stay]);
        assert_eq!(game.turn(&state), Turn::Over);
        assert_eq!([0, 1].map(|player| game.payoff(&state, Player(player))), [payoff, 1.0 - payoff], "{red} {rules:?}");
    }
}

#[test]
fn states_are_small() {
    assert!(size_of::<State>() <= 256, "{}", size_of::<State>());
    assert!(size_of::<Action>() <= 8);
}

#[test]
fn the_evaluation_is_that_of_paper_002() {
    let units = [("panzer", 0, 0, 0, 7, 0), ("infantry", 1, 0, 0, 10, 0), ("cannon", 4, 0, 1, 4, 0)];
    let game = game(sketch(&["11111"], &units, 4, 1));
    let hp = game.heuristics().unwrap().evaluation(&game, "hp").unwrap();
    let mut state = game.start();
    assert_eq!(hp.value(&game, &state, Player(0)), 7.0 + 2.0 - 4.0);
    assert_eq!(hp.value(&game, &state, Player(1)), -5.0);
    // The panzer takes (70 × 7 + 70) / (100 + 4) = 5 HP, more than the cannon has.
    let kill = Action { unit: 0, target: Some(2), to: 3 };
    game.apply(&mut state, &[kill]);
    assert_eq!(hp.value(&game, &state, Player(0)), 18.0);
    assert!(game.heuristics().unwrap().evaluation(&game, "nonsense").is_none());
}

#[test]
fn the_features_of_an_action_follow_paper_000() {
    // Two blue panzers can both reach the infantry on a2 if it goes to c1; the far one cannot pass the near one's cell.
    let units = [("infantry", 0, 0, 0, 10, 0), ("panzer", 4, 0, 1, 10, 0), ("cannon", 5, 0, 1, 10, 0)];
    let game = game(sketch(&["111111", "111111"], &units, 4, 1));
    let state = game.start();
    let features = |action| {
        let mut out = Vec::new();
        game.action_features().unwrap().values(&game, &state, action, &mut out);
        out
    };
    assert_eq!(game.action_features().unwrap().names(&game).len(), 5);
    // On d1 beside the panzer: the infantry takes (5 × 10 + 70) / 110 = 1, the panzer with 9 HP answers with (75 × 9 +
    // 70) / 110 = 6; then the panzer with 9 HP takes the last 4.
    let attack = Action { unit: 0, target: Some(1), to: 3 };
    assert_eq!(game.battle(&state, attack), (1, 6));
    assert_eq!(features(attack), [6.0, 10.0, 3.0, 1.0, 4.0]);
    // On c1 the cannon at distance 3 takes (90 × 10 + 70) / 110 = 8 first, the panzer the rest.
    assert_eq!(features(Action { unit: 0, target: None, to: 2 }), [6.0, 10.0, 0.0, 0.0, 10.0]);
    // On a1 only the panzer comes: (75 × 10 + 70) / 110 = 7.
    assert_eq!(features(Action { unit: 0, target: None, to: 0 }), [6.0, 10.0, 0.0, 0.0, 7.0]);
    assert!(game.attacks().unwrap().is_attack(&game, &state, attack));
}
