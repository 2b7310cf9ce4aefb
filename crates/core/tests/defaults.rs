//! A game that implements no notation and no drawing is complete: every default obeys the laws.

use tesuji_core::{
    Actor, Drawing, Features, Game, Knowledge, Notation, Player, Players, Spec, Turn, laws, legal_actions,
};

/// Both players name a number at once and a coin decides who adds it; the first to reach ten wins.
struct Race(Spec);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Action {
    Add(u8),
    Coin(bool),
}

/// The totals, and the named numbers while the coin decides.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State([u8; 2], Option<[u8; 2]>);

impl Game for Race {
    type State = State;
    type Action = Action;

    fn spec(&self) -> &Spec {
        &self.0
    }

    fn start(&self) -> State {
        State([0; 2], None)
    }

    fn turn(&self, State(totals, named): &State) -> Turn {
        match named {
            Some(_) => Turn::Chance,
            None if totals.iter().any(|&total| total >= 10) => Turn::Over,
            None => Turn::Simultaneous(Players::first(2)),
        }
    }

    fn legal(&self, _: &State, _: Player, out: &mut Vec<Action>) {
        out.extend([1, 2, 3].map(Action::Add));
    }

    fn chance(&self, _: &State, out: &mut Vec<(Action, f64)>) {
        out.extend([false, true].map(|side| (Action::Coin(side), 0.5)));
    }

    fn apply(&self, State(totals, named): &mut State, joint: &[Action]) {
        match (joint, named.take()) {
            (&[Action::Coin(side)], Some(numbers)) => totals[usize::from(side)] += numbers[usize::from(side)],
            (&[Action::Add(one), Action::Add(two)], _) => *named = Some([one, two]),
            _ => unreachable!("the coin alone, or both"),
        }
    }

    fn payoff(&self, State(totals, _): &State, player: Player) -> f64 {
        f64::from(u8::from(totals[player.index()] >= 10))
    }
}

impl Notation for Race {}
impl Drawing for Race {}
impl Knowledge for Race {}

fn race() -> Race {
    Race(Spec::new("race", &["one", "two"], Features::SIMULTANEOUS | Features::CHANCE, 40))
}

#[test]
fn every_default_is_lawful() {
    let report = laws::check(&race(), 1).unwrap_or_else(|violation| panic!("{violation}"));
    assert!(report.states > 50, "{report:?}");
}

#[test]
fn actions_are_read_by_their_debug_text_and_clicked_on_their_chip() {
    let game = race();
    let (start, actor) = (game.start(), Actor::Player(Player(1)));
    assert_eq!(game.parse_action(&start, actor, " Add(2) ").unwrap(), Action::Add(2));
    let picture = game.draw(&start);
    assert_eq!(picture.areas.len(), 6);
    for action in legal_actions(&game, &start, actor) {
        let path = game.clicks(&start, actor, action);
        let area = picture.areas.iter().find(|area| path == [area.id]).unwrap();
        assert_eq!(area.label, format!("two: {}", game.action_text(&start, actor, action)));
    }
    assert!(game.parse_state("State([0, 0], None)").unwrap_err().to_string().contains("cannot read states"));
}
