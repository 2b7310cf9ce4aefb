//! The engine against its twin, the platform's numbers, and its own maps.

use std::path::PathBuf;

use proptest::prelude::*;
use tesuji_core::{
    Actor, Arguments, Drawing, Entry, Features, Game, Horizon, InputError, Knowledge, Notation, Player, Policy, Rng,
    Source, Turn, Uniform, legal_actions, perft, perft_table,
};

use super::*;

fn open(entry: &Entry<Tubstap>, address: &str) -> Result<Tubstap, InputError> {
    (entry.open)(&Arguments::bind(&address.parse()?, entry.parameters)?)
}

/// All games of the catalogue's examples.
fn games() -> Vec<Tubstap> {
    let of = |entry: &'static Entry<Tubstap>| entry.examples.iter().map(|address| open(entry, address).unwrap());
    of(&ENTRY).chain(of(&RANDOM_ENTRY)).collect()
}

fn bundled(name: &str) -> Tubstap {
    open(&ENTRY, &format!("tubstap(map={name})")).unwrap()
}

/// A map of the original platform, if they are at hand.
fn original(name: &str) -> Option<Map> {
    let path = originals().join(format!("{name}.tbsmap"));
    match std::fs::read(&path) {
        Ok(bytes) => Some(Map::from_bytes(name, &bytes).unwrap()),
        Err(_) => {
            eprintln!("skipped: no original maps at {}", path.display());
            None
        }
    }
}

fn originals() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/tubstap-maps")
}

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

/// Plays a random match on the engine and on the plain twin side by side.
fn twin(game: &Tubstap, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut state = game.start();
    let mut plain = naive::Match::new(game.map(), game.rules());
    let mut uniform = Uniform::default();
    // Large maps make the plain search slow, so it looks on only now and then.
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
        assert_eq!(game.payoff(&state, Player(player)), plain.payoff(usize::from(player)), "{}", game.state_text(&state));
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
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

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
fn attack80_plainly(game: &Tubstap, state: &State, player: Player, rng: &mut Rng) -> Action {
    let actions = legal_actions(game, state, Actor::Player(player));
    let attacks: Vec<Action> = actions.iter().copied().filter(|&action| game.battle(state, action).0 > 0).collect();
    let choice = if !attacks.is_empty() && rng.chance(0.8) { attacks } else { actions };
    choice[rng.below(choice.len())]
}

#[test]
fn playouts_of_attack80_play_as_its_picks_and_as_the_plain_policy() {
    let horizons = [Horizon::END, Horizon::turns(3), Horizon::steps(17), Horizon::turns(0)];
    // One policy for all games: its buffers change their width on the way.
    let mut policy = Attack80::new(&bundled("meadow"));
    for game in games() {
        for (seed, horizon) in horizons.into_iter().enumerate() {
            let mut fast = game.start();
            let mut fast_rng = Rng::new(seed as u64);
            let steps = policy.play_out(&game, &mut fast, &mut fast_rng, horizon);
            let (mut slow, mut slow_rng) = (game.start(), Rng::new(seed as u64));
            for _ in 0..steps {
                let Turn::Player(player) = game.turn(&slow) else { panic!("too many steps") };
                let mut plain_rng = slow_rng.clone();
                let action = policy.pick(&game, &slow, player, &mut slow_rng);
                assert_eq!(action, attack80_plainly(&game, &slow, player, &mut plain_rng));
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

/// Plays as the default of `Policy::play_out` does, with the picks of another policy.
struct Plain(Attack80);

impl Policy<Tubstap> for Plain {
    fn pick(&mut self, game: &Tubstap, state: &State, player: Player, rng: &mut Rng) -> Action {
        self.0.pick(game, state, player, rng)
    }
}

#[test]
fn playouts_of_attack80_stop_where_the_default_stops() {
    for game in games().iter().filter(|game| game.map().terrain().len() < 300) {
        let mut plain = Plain(Attack80::new(game));
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
fn every_example_obeys_the_laws() {
    for game in games() {
        if let Err(violation) = tesuji_core::laws::check(&game, 3) {
            panic!("{}: {violation}", game.spec().name);
        }
    }
}
