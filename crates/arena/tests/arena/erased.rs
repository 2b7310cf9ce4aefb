//! Matches in text have erased types (`crates/catalogue/src/erased`); matches of tournaments keep them. Both are the
//! same match. Agents that do not search have erased types in both.

use tesuji_arena::{AnyGame, Budget, Entrant, Occupant, Streams, Waiting, live_match};

const AGENT: &str = "uct(playouts=12)";
const SEED: u64 = 2_718;

/// The steps of a match that is played as in a tournament.
fn typed(game: &dyn AnyGame, agent: &str) -> (Vec<Vec<String>>, Vec<f64>) {
    let entrant = Entrant { address: agent.to_owned(), budget: Budget::default(), start: None, limit: None };
    let mut ring = game.ring(&vec![entrant; game.spec().players.len()]).unwrap();
    let played = ring.play(0, SEED, true);
    let steps = played.moves.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    (steps, played.payoffs)
}

/// The steps of the same match in text.
fn erased(game: &dyn AnyGame, agent: &str) -> (Vec<Vec<String>>, Vec<f64>) {
    let players = game.spec().players.len();
    let seat = Occupant::Agent { agent: agent.to_owned(), budget: "12".to_owned() };
    let mut table = live_match(game, vec![seat; players], Streams::new(SEED, 0, players)).unwrap();
    loop {
        match table.waiting() {
            Waiting::Nothing => return (table.steps(), table.payoffs().unwrap()),
            Waiting::Chance => drop(table.draw()),
            Waiting::Choices(awaited) => awaited.into_iter().for_each(|player| table.decide(player, None).unwrap()),
        }
    }
}

#[test]
fn a_match_in_text_is_the_match_of_a_tournament() {
    let catalogue = tesuji_standard::catalogue();
    for info in catalogue.games() {
        let game = catalogue.open(info.examples[0]).unwrap();
        assert_eq!(erased(&*game, AGENT), typed(&*game, AGENT), "{}", info.name);
    }
}

#[test]
fn an_agent_without_types_plays_as_one_with_them() {
    let catalogue = tesuji_standard::catalogue();
    for info in catalogue.games() {
        let game = catalogue.open(info.examples[0]).unwrap();
        let expected = typed(&*game, "random");
        // It plays at random until it fails, which it does not here.
        assert_eq!(typed(&*game, "faulty"), expected, "{}", info.name);
        assert_eq!(erased(&*game, "faulty"), expected, "{}", info.name);
    }
}

#[test]
fn a_task_of_another_match_is_refused() {
    let catalogue = tesuji_standard::catalogue();
    let open = || {
        let game = catalogue.open("tic-tac-toe").unwrap();
        let seat = Occupant::Agent { agent: AGENT.to_owned(), budget: "12".to_owned() };
        live_match(&*game, vec![seat; 2], Streams::by_step(SEED)).unwrap()
    };
    let (mut one, mut other) = (open(), open());
    let player = one.agent_awaited().unwrap();
    let task = one.lend(player).unwrap();
    assert!(other.answer(task).unwrap_err().to_string().contains("another game"));
}
