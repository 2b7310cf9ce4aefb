//! States and actions of every game of the catalogue as text, and files of moves.

use std::sync::Arc;

use tesuji_arena::{Actor, AnyGame, AnyMatch, Rng, Turn, parse_moves, replay};

use super::{Target, catalogue, source, text, told};

/// Steps that are played from an accepted state.
const STEPS: usize = 3;
/// Steps of the random walks that make seeds.
const WALK: [usize; 3] = [0, 4, 15];

/// All examples of the catalogue. Sheets of one engine share their notation, so few of them are enough.
fn games() -> Vec<Arc<dyn AnyGame>> {
    let examples = catalogue().games().iter().flat_map(|info| info.examples);
    let light = examples.filter(|example| !example.starts_with("gdl(") || example.contains("pig"));
    light.map(|example| catalogue().open(example).unwrap_or_else(|error| panic!("{example}: {error}"))).collect()
}

/// A random step; false if the match is over.
fn walk(table: &mut dyn AnyMatch, rng: &mut Rng) -> bool {
    if table.turn() == Turn::Over {
        return false;
    }
    let joint: Vec<String> = table
        .actors()
        .into_iter()
        .map(|(actor, name)| {
            let legal = table.legal(actor);
            assert!(!legal.is_empty(), "{name} has no legal action in {}", table.state_text());
            legal[rng.below(legal.len())].clone()
        })
        .collect();
    table.step(&joint).unwrap_or_else(|error| panic!("{joint:?} is legal and refused: {error}"));
    true
}

/// The game that the first byte selects, and the rest of the input.
fn select<'a, 'b>(games: &'a [Arc<dyn AnyGame>], input: &'b [u8]) -> Option<(&'a dyn AnyGame, &'b [u8])> {
    let (&first, rest) = input.split_first()?;
    // Letters come first, so that seeds can be read.
    let place = usize::from(first.wrapping_sub(b'A')) % games.len();
    Some((&*games[place], rest))
}

fn seed(place: usize, text: &str) -> Vec<u8> {
    let mut seed = vec![b'A'.wrapping_add(place as u8)];
    seed.extend_from_slice(text.as_bytes());
    seed
}

/// The first byte selects a game, the first line is a state, the other lines are steps.
///
/// A state that is accepted reads back as it is written, can be drawn and can be played.
pub(super) fn notation(name: &'static str) -> Target {
    let games = games();
    let mut seeds = Vec::new();
    for (place, game) in games.iter().enumerate() {
        for length in WALK {
            let mut rng = Rng::new(length as u64);
            let mut table = game.new_match(None).unwrap_or_else(|error| panic!("{error}"));
            while table.steps().len() < length && walk(&mut *table, &mut rng) {}
            let mut text = table.state_text();
            for (actor, _) in table.actors() {
                let legal = table.legal(actor);
                text.push(if actor == table.actors()[0].0 { '\n' } else { '\t' });
                text.push_str(&legal[rng.below(legal.len())]);
            }
            seeds.push(seed(place, &text));
        }
    }
    let run = move |input: &[u8]| {
        let Some((game, rest)) = select(&games, input) else { return "empty".to_owned() };
        let rest = text(rest);
        let mut lines = rest.split('\n');
        let state = lines.next().unwrap_or_default();
        let outcome = told(game.new_match(Some(state)), |mut table| {
            let written = table.state_text();
            let again =
                game.new_match(Some(&written)).unwrap_or_else(|error| panic!("`{written}` is refused: {error}"));
            assert_eq!(again.state_text(), written, "`{state}` is written in two ways");
            drop((table.board_text(), table.picture()));
            let mut outcome = String::new();
            for line in lines.take(STEPS) {
                let actors: Vec<Actor> = table.actors().into_iter().map(|(actor, _)| actor).collect();
                let actions: Vec<String> = line.split('\t').map(str::to_owned).collect();
                for (&actor, action) in actors.iter().zip(&actions) {
                    drop(table.read_action(actor, action));
                }
                outcome = told(table.step(&actions), |()| "a step".to_owned());
            }
            let mut rng = Rng::new(1);
            for _ in 0..STEPS {
                if !walk(&mut *table, &mut rng) {
                    let payoffs = table.payoffs().unwrap_or_default();
                    assert!(payoffs.iter().all(|payoff| payoff.is_finite()), "payoffs {payoffs:?} of `{state}`");
                }
            }
            outcome
        });
        format!("{} {outcome}", game.spec().name)
    };
    Target::new(name, Box::new(run), seeds, &["a1", "b2", "-", "x", "o", "/", "pass", "end", ".", " ", "red", "blue"])
        .slow(3_000)
}

/// The first byte selects a game, the rest is a file of moves.
pub(super) fn moves(name: &'static str) -> Target {
    let games = games();
    let mut seeds = Vec::new();
    for (place, game) in games.iter().enumerate() {
        let mut rng = Rng::new(1);
        let mut table = game.new_match(None).unwrap_or_else(|error| panic!("{error}"));
        while table.steps().len() < WALK[2] && walk(&mut *table, &mut rng) {}
        let lines: String = table.steps().iter().map(|joint| joint.join("\t") + "\n").collect();
        seeds.push(seed(place, &format!("# a match\n{lines}")));
    }
    let run = move |input: &[u8]| {
        let Some((game, rest)) = select(&games, input) else { return "empty".to_owned() };
        let source = source("moves.txt", rest);
        let steps = parse_moves(&source);
        let played = replay(game, &source, &steps, &mut |_| {});
        told(played, |table| format!("{} replayed {}", game.spec().name, table.turn() == Turn::Over))
    };
    Target::new(name, Box::new(run), seeds, &["#", "\t", "\n", "a1", "b2", "-", "x"]).slow(400)
}
