//! Games by numbers: every example of the catalogue has them, and a batch of matches plays as single positions do.

use tesuji_arena::{Actor, AnyGame, BatchArrays, BatchPlan, Budget, Player, Rng, Turn};

fn examples() -> impl Iterator<Item = std::sync::Arc<dyn AnyGame>> {
    let catalogue = tesuji_standard::catalogue();
    let addresses: Vec<&str> = catalogue.games().iter().flat_map(|info| info.examples).copied().collect();
    addresses.into_iter().map(move |address| catalogue.open(address).unwrap())
}

#[test]
fn every_example_has_numbers() {
    for game in examples() {
        let info = game.by_numbers().numbers().unwrap_or_else(|error| panic!("{}: {error}", game.spec().name));
        assert_eq!(info.planes.len(), info.shape[0], "{}", game.spec().name);
        let product: u64 = info.fields.iter().map(|field| u64::from(field.size)).product();
        assert_eq!(product, info.actions as u64);
    }
}

#[test]
fn the_interpreter_is_refused() {
    let game = tesuji_standard::catalogue().open("gdl(tic-tac-toe,engine=interpreter)").unwrap();
    let error = game.by_numbers().numbers().unwrap_err();
    assert!(error.to_string().contains("does not number its actions"), "{error}");
    assert!(error.help_text().unwrap().contains("engine=network"));
    assert!(game.by_numbers().position(None).is_err() && game.by_numbers().numbered_agent("random").is_ok());
}

/// The arrays of a batch.
struct Arrays {
    masks: Vec<bool>,
    observations: Vec<f32>,
    rewards: Vec<f32>,
    ended: Vec<bool>,
    players: Vec<i32>,
}

impl Arrays {
    fn lend(&mut self) -> BatchArrays<'_> {
        BatchArrays {
            masks: &mut self.masks,
            observations: &mut self.observations,
            finals: &mut [],
            rewards: &mut self.rewards,
            ended: &mut self.ended,
            players: &mut self.players,
        }
    }
}

/// Games without chance: with it, a batch draws from streams of its own.
#[test]
fn a_batch_plays_as_positions_do() {
    for game in examples().filter(|game| !game.spec().features.names().contains(&"chance")) {
        let (info, name) = (game.by_numbers().numbers().unwrap(), game.spec().name.clone());
        let mut position = game.by_numbers().position(None).unwrap();
        if position.turn() == Turn::Over {
            assert!(game.by_numbers().batch(BatchPlan { matches: 1, seed: 1, seat: None }).is_err(), "{name}");
            continue;
        }
        let mut batch = game.by_numbers().batch(BatchPlan { matches: 2, seed: 1, seat: None }).unwrap();
        let (rows, size): (usize, usize) = (batch.rows(), info.shape.iter().product());
        let mut arrays = Arrays {
            masks: vec![false; 2 * rows * info.actions],
            observations: vec![0.0; 2 * rows * size],
            rewards: vec![0.0; 2 * game.spec().players.len()],
            ended: vec![false; 2],
            players: vec![0; 2 * rows],
        };
        batch.reset(None, arrays.lend());
        let mut view = vec![0.0; size];
        for _ in 0..40 {
            for row in 0..rows {
                let player = Player(arrays.players[row].max(0) as u8);
                let mask = &arrays.masks[row * info.actions..][..info.actions];
                let mut legal = position.legal(Actor::Player(player));
                legal.sort_unstable();
                let shown = (0..info.actions as u32).filter(|&number| mask[number as usize]);
                if arrays.players[row] >= 0 {
                    assert_eq!(shown.collect::<Vec<_>>(), legal, "{name}");
                    position.observe(player, &mut view);
                    assert_eq!(arrays.observations[row * size..][..size], view, "{name}");
                }
            }
            let mut actions = vec![0; 2 * rows];
            batch.sample(&mut actions);
            let acting = (0..rows).filter(|&row| arrays.players[row] >= 0);
            let joint: Vec<u32> = acting.map(|row| actions[row] as u32).collect();
            position.apply(&joint).unwrap();
            batch.step(&actions, arrays.lend()).unwrap();
            assert_eq!(arrays.ended[0], position.turn() == Turn::Over, "{name}");
            if let Some(payoffs) = position.payoffs() {
                let shown: Vec<f64> = arrays.rewards[..payoffs.len()].iter().map(|&reward| f64::from(reward)).collect();
                assert!(shown.iter().zip(&payoffs).all(|(one, two)| (one - two).abs() < 1e-4), "{name}");
                position = game.by_numbers().position(None).unwrap();
            }
        }
    }
}

#[test]
fn wrong_actions_change_nothing() {
    let catalogue = tesuji_standard::catalogue();
    let game = catalogue.open("tic-tac-toe").unwrap();
    let mut position = game.by_numbers().position(None).unwrap();
    for (joint, expected) in
        [(&[9][..], "action 9 is not legal"), (&[0, 1], "got 2 action(s), expected 1"), (&[], "got 0 action(s)")]
    {
        let error = position.apply(joint).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert!(position.equals(&*game.by_numbers().position(None).unwrap()));
    position.apply(&[4]).unwrap();
    let error = position.apply(&[4]).unwrap_err();
    assert!(error.help_text().unwrap().contains("8 legal"), "{error}");
    let other = catalogue.open("connect-four").unwrap();
    let mut agent = other.by_numbers().numbered_agent("random").unwrap();
    let error = agent.choose(&*position, Player(0), &Budget::playouts(1), &mut Rng::new(1)).unwrap_err();
    assert!(error.to_string().contains("expected a state of `connect-four`"), "{error}");
}

#[test]
fn playouts_of_many_positions_agree_with_single_ones() {
    let game = tesuji_standard::catalogue().open("gdl(tic-tac-toe)").unwrap();
    let start = game.by_numbers().position(None).unwrap();
    let mut end = start.copy();
    end.play_out(&mut Rng::new(3));
    let mut totals = vec![0.0; 4];
    let steps = game.by_numbers().play_outs(&[&*start, &*end], 2_000, &mut Rng::new(1), &mut totals).unwrap();
    assert!(steps > 10_000, "{steps}");
    assert_eq!(totals[2..], end.payoffs().unwrap().iter().map(|payoff| payoff * 2_000.0).collect::<Vec<_>>());
    // The first player wins about 58.5 % of random matches and draws 12.7 %.
    assert!((totals[0] / 2_000.0 - 64.8).abs() < 4.0, "{totals:?}");
}
