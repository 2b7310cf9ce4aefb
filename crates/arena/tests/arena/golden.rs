//! Golden playthroughs: one recorded match for every example of the catalogue, with every state's turn and legal
//! actions.
//!
//! A file is replayed from its own moves, so a change of the generator does not touch it; a change of the rules does. A
//! game without a file fails. `TESUJI_GOLDEN=create cargo test -p tesuji-arena --test arena golden` writes missing
//! files and never changes one that exists.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use tesuji_arena::{AnyGame, AnyMatch, Rng, Turn};

/// Longer matches are cut here: rules repeat themselves.
const MOST_STEPS: usize = 60;
/// Longer lists of actions are stored as their hash.
const MOST_LISTED: usize = 24;

fn path(address: &str) -> PathBuf {
    let slug: String =
        address.chars().map(|c| if c.is_alphanumeric() || c == '-' || c == '.' { c } else { '_' }).collect();
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{}.txt", slug.trim_end_matches('_')))
}

/// FNV-1a, so that a long list is one number.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn describe(table: &dyn AnyMatch, out: &mut String) {
    writeln!(out, "{}", table.state_text()).unwrap();
    for (actor, name) in table.actors() {
        let mut legal = table.legal(actor);
        legal.sort();
        let joined = legal.join(" | ");
        let listed = if legal.len() <= MOST_LISTED { joined } else { format!("{:016x}", hash(&joined)) };
        writeln!(out, "  {name} {}: {listed}", legal.len()).unwrap();
    }
    if let Some(payoffs) = table.payoffs() {
        writeln!(out, "  payoffs {payoffs:?}").unwrap();
    }
}

/// The text of a match whose moves come from `choose`, which is told the step's number.
fn playthrough(game: &dyn AnyGame, mut choose: impl FnMut(&dyn AnyMatch, usize) -> Option<Vec<String>>) -> String {
    let mut table = game.new_match(None).unwrap();
    let mut text = format!("# {} version {}\n", game.spec().name, game.spec().version);
    for step in 0.. {
        describe(table.as_ref(), &mut text);
        if table.turn() == Turn::Over {
            break;
        }
        let Some(joint) = choose(table.as_ref(), step) else { break };
        writeln!(text, "> {}", joint.join("\t")).unwrap();
        table.step(&joint).unwrap_or_else(|error| panic!("{}: step {step}: {error}", game.spec().name));
    }
    text
}

fn random_match(game: &dyn AnyGame) -> String {
    let mut rng = Rng::new(2015);
    playthrough(game, |table, step| {
        let pick = |actor, rng: &mut Rng| {
            let mut legal = table.legal(actor);
            let index = rng.below(legal.len());
            legal.swap_remove(index)
        };
        let joint = table.actors().into_iter().map(|(actor, _)| pick(actor, &mut rng)).collect();
        (step < MOST_STEPS).then_some(joint)
    })
}

#[test]
fn every_game_plays_as_recorded() {
    let create = std::env::var("TESUJI_GOLDEN").is_ok_and(|value| value == "create");
    for example in tesuji_standard::catalogue().games().iter().flat_map(|info| info.examples) {
        let game = tesuji_standard::catalogue().open(example).unwrap();
        let path = path(example);
        if create && !path.exists() {
            fs::write(&path, random_match(game.as_ref())).unwrap();
        }
        let Ok(golden) = fs::read_to_string(&path) else {
            panic!(
                "`{example}` has no golden playthrough at {}; see the head of tests/arena/golden.rs",
                path.display()
            );
        };
        let mut moves = golden.lines().filter_map(|line| line.strip_prefix("> "));
        let played =
            playthrough(game.as_ref(), |_, _| moves.next().map(|line| line.split('\t').map(str::to_owned).collect()));
        for (number, (recorded, played)) in golden.lines().zip(played.lines()).enumerate() {
            assert_eq!(recorded, played, "`{example}` differs from {}:{}", path.display(), number + 1);
        }
        assert_eq!(golden.lines().count(), played.lines().count(), "`{example}`: {}", path.display());
    }
}
