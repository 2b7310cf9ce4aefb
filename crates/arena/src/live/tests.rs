use super::*;

fn person() -> Occupant {
    Occupant::Person { name: "Kit".to_owned() }
}

fn agent(address: &str) -> Occupant {
    Occupant::Agent { agent: address.to_owned(), budget: "50".to_owned() }
}

/// Plays on until a person is awaited.
fn serve(live: &mut LiveMatch) {
    loop {
        match (live.waiting(), live.agent_awaited()) {
            (Waiting::Chance, _) => drop(live.draw()),
            (_, Some(player)) => live.think(player, None).unwrap(),
            _ => return,
        }
    }
}

#[test]
fn a_choice_stays_hidden_until_both_have_chosen() {
    let mut live = LiveMatch::new(&Catalogue::standard(), "goofspiel(3)", vec![person(), person()], 1).unwrap();
    serve(&mut live);
    let before = live.table().state_text();
    let first = live.table().legal(Actor::Player(Player(0)))[0].clone();
    live.choose(Player(0), &first).unwrap();
    assert_eq!(live.table().state_text(), before);
    assert_eq!(live.pending(), [(Player(0), first.as_str())]);
    assert!(live.has_chosen(Player(0)) && !live.has_chosen(Player(1)));
    assert!(live.choose(Player(0), &first).unwrap_err().to_string().contains("not to choose now"));
    assert!(live.choose(Player(1), "nonsense").is_err());
    let answer = live.table().legal(Actor::Player(Player(1)))[0].clone();
    live.choose(Player(1), &answer).unwrap();
    assert_ne!(live.table().state_text(), before);
}

#[test]
fn a_match_taken_up_again_goes_on_as_it_would_have() {
    let seats = || vec![agent("uct"), agent("mc")];
    let mut whole = LiveMatch::new(&Catalogue::standard(), "dice7", seats(), 7).unwrap();
    let mut part = LiveMatch::new(&Catalogue::standard(), "dice7", seats(), 7).unwrap();
    for _ in 0..6 {
        match part.agent_awaited() {
            Some(player) => part.think(player, None).unwrap(),
            None => drop(part.draw()),
        }
    }
    let text = serde_json::to_string(&part.record()).unwrap();
    let mut again = LiveMatch::resume(&Catalogue::standard(), serde_json::from_str(&text).unwrap()).unwrap();
    serve(&mut whole);
    serve(&mut again);
    assert_eq!(again.table().steps(), whole.table().steps());
    assert_eq!(again.payoffs(), whole.payoffs());
    assert!(again.payoffs().is_some());
}

#[test]
fn undo_goes_back_to_the_persons_last_choice() {
    let mut live = LiveMatch::new(&Catalogue::standard(), "tic-tac-toe", vec![agent("random"), person()], 3).unwrap();
    serve(&mut live);
    assert!(!live.undo(), "nothing to take back");
    let before = live.table().state_text();
    let choice = live.table().legal(Actor::Player(Player(1)))[0].clone();
    live.choose(Player(1), &choice).unwrap();
    serve(&mut live);
    assert!(live.undo());
    assert_eq!(live.table().state_text(), before);
    live.resign(Player(1)).unwrap();
    assert_eq!(live.payoffs(), Some(vec![1.0, 0.0]));
    assert!(live.choose(Player(1), &choice).unwrap_err().to_string().contains("the match is over"));
}

#[test]
fn an_answer_that_comes_too_late_is_not_used() {
    let mut live = LiveMatch::new(&Catalogue::standard(), "tic-tac-toe", vec![person(), agent("uct")], 3).unwrap();
    let choice = live.table().legal(Actor::Player(Player(0)))[0].clone();
    live.choose(Player(0), &choice).unwrap();
    let mut task = live.task(Player(1)).unwrap();
    let mut mind = live.lend_mind().unwrap();
    assert!(live.undo(), "the match is free while the agent thinks");
    let decision = mind.think(&mut task, None).unwrap();
    live.take_mind(mind);
    assert!(!live.answer(&task, decision.clone()).unwrap());
    assert!(live.steps().is_empty());
    live.choose(Player(0), &choice).unwrap();
    assert!(!live.answer(&task, decision).unwrap(), "the same position, asked anew");
    live.think(Player(1), None).unwrap();
    assert_eq!(live.steps().len(), 2);
    live.resign(Player(0)).unwrap();
    assert!(live.task(Player(1)).is_err());
}

#[test]
fn the_end_of_a_turn_makes_all_its_steps() {
    let mut live = LiveMatch::new(&Catalogue::standard(), "tubstap", vec![person(), person()], 1).unwrap();
    live.end_turn(Player(0)).unwrap();
    assert_eq!(live.table().turn(), Turn::Player(Player(1)));
    assert!(live.steps().len() > 1);
    let complaint = LiveMatch::new(&Catalogue::standard(), "tubstap", vec![person()], 1).err().unwrap().to_string();
    assert!(complaint.contains("1 seats are filled, the game has 2"), "{complaint}");
}
