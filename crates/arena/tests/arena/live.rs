//! A match of people and agents, resumed, taken back and lent to other threads.

use tesuji_arena::{
    Actor, AnyMatch, Failure, InputError, LiveRecord, Occupant, Player, Streams, Turn, Waiting, live_match,
    resume_match,
};

const SEED: u64 = 7;

fn begin(game: &str, seats: Vec<Occupant>) -> Result<Box<dyn AnyMatch>, InputError> {
    live_match(tesuji_standard::catalogue().open(game)?.as_ref(), seats, Streams::by_step(SEED))
}

fn person() -> Occupant {
    Occupant::Person { name: "Kit".to_owned() }
}

fn agent(address: &str) -> Occupant {
    Occupant::Agent { agent: address.to_owned(), budget: "50".to_owned() }
}

/// Plays on until a person is awaited.
fn serve(live: &mut dyn AnyMatch) {
    loop {
        match (live.waiting(), live.agent_awaited()) {
            (Waiting::Chance, _) => drop(live.draw()),
            (_, Some(player)) => live.decide(player, None).unwrap(),
            _ => return,
        }
    }
}

#[test]
fn a_choice_stays_hidden_until_both_have_chosen() {
    let mut live = begin("goofspiel(3)", vec![person(), person()]).unwrap();
    serve(live.as_mut());
    let before = live.state_text();
    let first = live.legal(Actor::Player(Player(0)))[0].clone();
    live.choose(Player(0), &first).unwrap();
    assert_eq!(live.state_text(), before);
    assert_eq!(live.pending(), [(Player(0), first.clone())]);
    assert!(live.has_chosen(Player(0)) && !live.has_chosen(Player(1)));
    assert!(live.choose(Player(0), &first).unwrap_err().to_string().contains("not to choose now"));
    assert!(live.choose(Player(1), "nonsense").is_err());
    let answer = live.legal(Actor::Player(Player(1)))[0].clone();
    live.choose(Player(1), &answer).unwrap();
    assert_ne!(live.state_text(), before);
}

#[test]
fn a_match_taken_up_again_goes_on_as_it_would_have() {
    let seats = || vec![agent("uct"), agent("mc")];
    let mut whole = begin("dice7", seats()).unwrap();
    let mut part = begin("dice7", seats()).unwrap();
    for _ in 0..6 {
        match part.agent_awaited() {
            Some(player) => part.decide(player, None).unwrap(),
            None => drop(part.draw()),
        }
    }
    let record = LiveRecord {
        game: "dice7".to_owned(),
        seats: seats(),
        seed: SEED,
        steps: part.made().to_vec(),
        resigned: None,
    };
    let text = serde_json::to_string(&record).unwrap();
    let mut again = resume_match(
        tesuji_standard::catalogue().open("dice7").unwrap().as_ref(),
        serde_json::from_str(&text).unwrap(),
    )
    .unwrap();
    serve(whole.as_mut());
    serve(again.as_mut());
    assert_eq!(again.steps(), whole.steps());
    assert_eq!(again.payoffs(), whole.payoffs());
    assert!(again.payoffs().is_some());
}

#[test]
fn undo_goes_back_to_the_persons_last_choice() {
    let mut live = begin("tic-tac-toe", vec![agent("random"), person()]).unwrap();
    serve(live.as_mut());
    assert!(!live.take_back(), "nothing to take back");
    let before = live.state_text();
    let choice = live.legal(Actor::Player(Player(1)))[0].clone();
    live.choose(Player(1), &choice).unwrap();
    serve(live.as_mut());
    assert!(live.take_back());
    assert_eq!(live.state_text(), before);
    live.resign(Player(1)).unwrap();
    assert_eq!(live.payoffs(), Some(vec![1.0, 0.0]));
    assert!(live.choose(Player(1), &choice).unwrap_err().to_string().contains("the match is over"));
}

#[test]
fn an_answer_that_comes_too_late_is_not_used() {
    let mut live = begin("tic-tac-toe", vec![person(), agent("uct")]).unwrap();
    let choice = live.legal(Actor::Player(Player(0)))[0].clone();
    live.choose(Player(0), &choice).unwrap();
    let mut task = live.lend(Player(1)).unwrap();
    assert!(live.take_back(), "the match is free while the agent thinks");
    task.think(None).unwrap();
    assert!(!live.answer(task).unwrap());
    assert!(live.made().is_empty());
    live.choose(Player(0), &choice).unwrap();
    let mut task = live.lend(Player(1)).unwrap();
    assert!(live.take_back());
    live.choose(Player(0), &choice).unwrap();
    task.think(None).unwrap();
    assert!(!live.answer(task).unwrap(), "the same position, asked anew");
    live.decide(Player(1), None).unwrap();
    assert_eq!(live.made().len(), 2);
    live.resign(Player(0)).unwrap();
    assert!(live.lend(Player(1)).is_err());
}

#[test]
fn an_agent_that_fails_loses_the_match_and_is_built_anew() {
    let mut live = begin("tic-tac-toe", vec![person(), agent("faulty(fault=panic,after=0)")]).unwrap();
    let choice = live.legal(Actor::Player(Player(0)))[0].clone();
    live.choose(Player(0), &choice).unwrap();
    let failed = live.decide(Player(1), None).unwrap_err().to_string();
    assert_eq!(failed, "the agent of o failed: panicked: a fault on purpose");
    assert_eq!(live.waiting(), Waiting::Nothing);
    assert_eq!(live.payoffs(), Some(vec![1.0, 0.0]));
    assert!(live.take_back());
    assert_eq!(live.payoffs(), None);
    live.choose(Player(0), &choice).unwrap();
    assert!(live.decide(Player(1), None).is_err(), "the new one fails as well");
    let ending = live.ending().cloned();
    let panicked = Failure::Panicked("a fault on purpose".to_owned());
    assert_eq!(ending, Some(tesuji_arena::Ending::Foul { player: Player(1), foul: panicked }));
}

#[test]
fn the_end_of_a_turn_makes_all_its_steps() {
    let mut live = begin("tubstap", vec![person(), person()]).unwrap();
    live.choose_end_turn(Player(0)).unwrap();
    assert_eq!(live.turn(), Turn::Player(Player(1)));
    assert!(live.made().len() > 1);
    let complaint = begin("tubstap", vec![person()]).err().unwrap().to_string();
    assert!(complaint.contains("1 seats are filled, the game has 2"), "{complaint}");
}
