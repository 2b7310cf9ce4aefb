//! The match on tiny games, with agents that behave and agents that do not.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::{Agent, Budget, Decision, Failure, Seat, Thought, Watcher};
use tesuji_core::{Features, Game, Player, Players, Rng, Spec, Turn, mix};

use crate::{Ending, Match, Refusal, Seated, StepObserver, Streams, Task, Thinker, Waiting};

const ONE: Player = Player(0);
const TWO: Player = Player(1);

/// A game with a given sequence of turns. Everybody may do 0, 1 or 2; chance draws 0 to 5. The greater total wins.
struct Written {
    spec: Spec,
    turns: Vec<Turn>,
}

type State = Vec<Vec<u8>>;

impl Written {
    fn new(turns: &[Turn]) -> Written {
        let spec = Spec::new("written", &["one", "two"], Features::empty(), turns.len());
        Written { spec, turns: turns.to_vec() }
    }
}

impl Game for Written {
    type State = State;
    type Action = u8;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        Vec::new()
    }

    fn turn(&self, state: &State) -> Turn {
        self.turns.get(state.len()).copied().unwrap_or(Turn::Over)
    }

    fn legal(&self, _: &State, _: Player, out: &mut Vec<u8>) {
        out.extend([0, 1, 2]);
    }

    fn chance(&self, _: &State, out: &mut Vec<(u8, f64)>) {
        out.extend((0..6).map(|outcome| (outcome, 1.0 / 6.0)));
    }

    fn apply(&self, state: &mut State, joint: &[u8]) {
        state.push(joint.to_vec());
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        let mut sums = [0u8; 2];
        for (turn, joint) in self.turns.iter().zip(state) {
            turn.movers().zip(joint).for_each(|(mover, action)| sums[mover.index()] += action);
        }
        let [own, other] = [sums[player.index()], sums[1 - player.index()]];
        0.5 + 0.5 * (f64::from(own) - f64::from(other)).clamp(-1.0, 1.0)
    }
}

const FIRST: Turn = Turn::Player(ONE);
const SECOND: Turn = Turn::Player(TWO);
const BOTH: Turn = Turn::Simultaneous(Players::BOTH);

/// An agent that records its calls, and misbehaves on purpose.
#[derive(Clone)]
struct Probe {
    calls: Arc<Mutex<Vec<String>>>,
    panics_in: &'static str,
    answer: Result<u8, Failure>,
}

impl Probe {
    fn new(answer: Result<u8, Failure>) -> Probe {
        Probe { calls: Arc::default(), panics_in: "", answer }
    }

    fn panicking(panics_in: &'static str) -> Probe {
        Probe { panics_in, ..Probe::new(Ok(1)) }
    }

    fn note(&self, call: &'static str) {
        self.calls.lock().unwrap().push(call.to_owned());
        assert!(self.panics_in != call, "on purpose in {call}");
    }

    fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().drain(..).collect()
    }
}

impl Agent<Written> for Probe {
    fn begin(&mut self) {
        self.note("begin");
    }

    fn prepare(&mut self, _: Seat<'_, Written>, _: &Budget, _: &mut Rng) -> Result<(), Failure> {
        self.note("prepare");
        Ok(())
    }

    fn choose(&mut self, seat: Seat<'_, Written>, _: &Budget, _: &mut Rng) -> Result<Decision<u8>, Failure> {
        self.note("choose");
        if let Some(watcher) = seat.watcher {
            watcher.look(&Thought { depth: 7, ..Thought::default() });
        }
        self.answer.clone().map(Decision::pure)
    }

    fn end(&mut self) {
        self.note("end");
    }
}

fn seated(agent: &mut Probe) -> Seated<'_, Written> {
    Seated { agent, budget: Budget::playouts(1), start: Some(Budget::playouts(1)), limit: None }
}

/// The ending of a match between two agents, with the payoff of each player.
fn played(game: &Written, mut one: Probe, mut two: Probe) -> (Ending, Vec<f64>) {
    let mut machine = Match::new(game, Streams::new(1, 0, 2));
    let ending = machine.play(&mut [seated(&mut one), seated(&mut two)]);
    assert_eq!(machine.ending(), Some(&ending));
    (ending, machine.payoffs().unwrap())
}

fn everyone(players: &[Player]) -> Waiting {
    Waiting::Choices(players.iter().copied().collect())
}

#[test]
fn players_alternate_and_the_payoffs_come_from_the_rules() {
    let game = Written::new(&[FIRST, SECOND]);
    let mut machine = Match::new(&game, Streams::by_step(1));
    assert_eq!((machine.waiting(), machine.payoffs()), (everyone(&[ONE]), None));
    assert_eq!(machine.choose(TWO, 1), Err(Refusal::NotAwaited(TWO)));
    assert_eq!(machine.choose(Player(9), 1), Err(Refusal::NoSuchPlayer(Player(9))));
    assert_eq!(machine.choose(ONE, 7), Err(Refusal::Illegal(tesuji_core::Actor::Player(ONE))));
    assert!(machine.history().is_empty(), "a refused choice changes nothing");
    machine.choose(ONE, 2).unwrap();
    assert_eq!(machine.waiting(), everyone(&[TWO]));
    machine.choose(TWO, 1).unwrap();
    assert_eq!((machine.waiting(), machine.ending()), (Waiting::Nothing, Some(&Ending::Natural)));
    assert_eq!(machine.payoffs(), Some(vec![1.0, 0.0]));
    assert_eq!(machine.choose(ONE, 1), Err(Refusal::Over));
    assert_eq!(machine.resign(ONE), Err(Refusal::Over));
}

#[test]
fn a_joint_choice_is_hidden_until_all_have_chosen() {
    let game = Written::new(&[BOTH, FIRST]);
    let mut machine = Match::new(&game, Streams::by_step(1));
    machine.choose(TWO, 2).unwrap();
    assert!(machine.history().is_empty() && machine.state().is_empty());
    assert_eq!((machine.waiting(), machine.choice(TWO)), (everyone(&[ONE]), Some(2)));
    assert_eq!(machine.choose(TWO, 1), Err(Refusal::NotAwaited(TWO)), "a choice is final");
    let mut agent = Probe::new(Ok(1));
    machine.think(ONE, &mut agent, &Budget::default(), None, None).unwrap();
    assert_eq!(machine.history().step(0), [1, 2], "in player order");
    assert_eq!((machine.choice(ONE), machine.choice(TWO)), (None, None));
    assert_eq!(machine.waiting(), everyone(&[ONE]));
}

#[test]
fn nature_draws_from_its_own_stream() {
    let game = Written::new(&[Turn::Chance, FIRST, Turn::Chance]);
    let outcome = |seed: u64, stream: u64| Rng::new(mix(mix(seed, 0), stream));
    let mut machine = Match::new(&game, Streams::by_step(5));
    assert_eq!((machine.waiting(), machine.choose(ONE, 1)), (Waiting::Chance, Err(Refusal::NotAwaited(ONE))));
    let first = machine.draw();
    assert_eq!(first, Some(game.random_outcome(&Vec::new(), &mut outcome(5, 0))));
    assert_eq!(machine.draw(), None);
    machine.choose(ONE, 0).unwrap();
    assert_eq!(machine.draw(), Some(game.random_outcome(&Vec::new(), &mut outcome(5, 2))));
    // The matches of a round share their dice, whatever the seating.
    let dice = |index| {
        let mut machine = Match::new(&game, Streams::new(9, index, 2));
        (machine.draw(), machine.choose(ONE, 0), machine.draw())
    };
    assert_eq!(dice(0), dice(1));
    let mut nature = Rng::new(mix(9, 0));
    let rolled = [0, 1].map(|_| game.random_outcome(&Vec::new(), &mut nature));
    assert_eq!((dice(0).0, dice(0).2), (Some(rolled[0]), Some(rolled[1])));
}

/// Plays each legal action with equal probability.
struct Random;

impl Agent<Written> for Random {
    fn choose(&mut self, seat: Seat<'_, Written>, _: &Budget, rng: &mut Rng) -> Result<Decision<u8>, Failure> {
        let mut legal = Vec::new();
        seat.game.legal(seat.state, seat.player, &mut legal);
        Ok(Decision::pure(legal[rng.below(legal.len())]))
    }
}

/// Whether a match was random: the streams say who drew a number.
#[test]
fn streams_say_who_drew() {
    let game = Written::new(&[FIRST, SECOND, Turn::Chance]);
    let start = Streams::new(4, 1, 2);
    let mut machine = Match::new(&game, start.clone());
    let drew = |machine: &Match<Written, &Written>| {
        let streams = machine.streams();
        (streams.chance_drew(&start), streams.seat_drew(&start, 0), streams.seat_drew(&start, 1))
    };
    assert_eq!(drew(&machine), (Some(false), Some(false), Some(false)));
    machine.choose(ONE, 0).unwrap();
    machine.think(TWO, &mut Random, &Budget::default(), None, None).unwrap();
    assert_eq!(drew(&machine), (Some(false), Some(false), Some(true)));
    machine.draw();
    assert_eq!(drew(&machine), (Some(true), Some(false), Some(true)));
    let by_step = Streams::by_step(4);
    assert_eq!((by_step.chance_drew(&by_step), by_step.seat_drew(&by_step, 0)), (None, None));
}

#[test]
fn agents_draw_from_the_stream_of_their_seat_or_of_their_step() {
    let game = Written::new(&[FIRST, FIRST, SECOND, SECOND]);
    let random = |rng: &mut Rng| [0, 1, 2][rng.below(3)];
    let mut machine = Match::new(&game, Streams::new(4, 1, 2));
    let mut agents = [Random, Random];
    let mut seated: Vec<Seated<'_, Written>> =
        agents.iter_mut().map(|agent| Seated { agent, budget: Budget::default(), start: None, limit: None }).collect();
    machine.play(&mut seated);
    let mut own = [0, 1].map(|seat| Rng::new(mix(mix(mix(4, 1), 1), seat)));
    let expected = [0, 0, 1, 1].map(|seat: usize| random(&mut own[seat]));
    assert_eq!(machine.history().steps().flatten().copied().collect::<Vec<_>>(), expected);
    let mut machine = Match::new(&game, Streams::by_step(4));
    machine.play(&mut seated);
    let of_step = |(step, seat): (u64, u64)| random(&mut Rng::new(mix(mix(4, seat + 1), step)));
    let expected = [(0, 0), (1, 0), (2, 1), (3, 1)].map(of_step);
    assert_eq!(machine.history().steps().flatten().copied().collect::<Vec<_>>(), expected);
    let mut machine = Match::new(&game, Streams::shared(Rng::new(0), Rng::new(8)));
    machine.play(&mut seated);
    let mut shared = Rng::new(8);
    let expected = [0; 4].map(|_| random(&mut shared));
    assert_eq!(machine.history().steps().flatten().copied().collect::<Vec<_>>(), expected);
}

#[test]
fn the_rest_of_an_ended_turn_is_played_as_long_as_it_fits() {
    let game = Written::new(&[FIRST, FIRST, Turn::Chance, FIRST, SECOND]);
    let mut machine = Match::new(&game, Streams::by_step(1));
    machine.choose_all(ONE, &[2, 1, 0]).unwrap();
    assert_eq!((machine.history().len(), machine.waiting()), (2, Waiting::Chance));
    machine.draw();
    assert_eq!(machine.history().len(), 4, "nature does not end the turn");
    assert_eq!(machine.history().step(3), [0]);
    let mut machine = Match::new(&game, Streams::by_step(1));
    machine.choose_all(ONE, &[2, 7, 1]).unwrap();
    assert_eq!(
        (machine.history().len(), machine.waiting()),
        (1, everyone(&[ONE])),
        "7 is not legal: the rest is dropped"
    );
    machine.choose(ONE, 0).unwrap();
    machine.draw();
    assert_eq!(machine.waiting(), everyone(&[ONE]));
    assert_eq!(machine.choose_all(ONE, &[7, 1]), Err(Refusal::Illegal(tesuji_core::Actor::Player(ONE))));
    assert_eq!(machine.choose_all(ONE, &[]), Err(Refusal::Count { expected: 1, given: 0 }));
}

/// Remembers the number of steps before each step, and its joint action.
#[derive(Default)]
struct Noted(Vec<(usize, Vec<u8>)>);

impl StepObserver<Written> for Noted {
    fn step(&mut self, _: &Written, state: &State, joint: &[u8]) {
        self.0.push((state.len(), joint.to_vec()));
    }
}

#[test]
fn an_observer_sees_every_step_once_in_the_state_before_it() {
    let game = Written::new(&[FIRST, FIRST, BOTH, SECOND]);
    let mut machine = Match::new(&game, Streams::by_step(1)).observed(Noted::default());
    machine.choose_all(ONE, &[2, 1]).unwrap();
    machine.choose(TWO, 0).unwrap();
    machine.choose(ONE, 1).unwrap();
    let seen = vec![(0, vec![2]), (1, vec![1]), (2, vec![1, 0])];
    assert_eq!(machine.observer().0, seen, "also the steps of an ended turn, and joint steps when they are complete");
    machine.undo(1);
    assert_eq!(machine.observer().0, seen, "steps that an undo replays are not new");
    machine.observer_mut().0.truncate(1);
    machine.step(&[0]).unwrap();
    assert_eq!(machine.observer().0, [(0, vec![2]), (1, vec![0])]);
}

#[test]
fn undo_replays_from_the_start_and_forgets_choices_and_decisions() {
    let game = Written::new(&[FIRST, BOTH, SECOND]);
    let mut agent = Probe::new(Ok(2));
    let mut machine = Match::from_state(&game, Vec::new(), Streams::by_step(1));
    machine.choose(ONE, 1).unwrap();
    machine.think(TWO, &mut agent, &Budget::default(), None, None).unwrap();
    machine.choose(ONE, 0).unwrap();
    machine.think(TWO, &mut agent, &Budget::default(), None, None).unwrap();
    assert_eq!((machine.waiting(), machine.decisions().len()), (Waiting::Nothing, 2));
    machine.undo(2);
    assert_eq!((machine.waiting(), machine.decisions().len()), (everyone(&[TWO]), 1));
    assert_eq!(machine.state(), &vec![vec![1], vec![0, 2]]);
    machine.undo(1);
    machine.choose(ONE, 0).unwrap();
    machine.undo(1);
    assert_eq!((machine.choice(ONE), machine.waiting()), (None, everyone(&[ONE, TWO])));
    assert_eq!((machine.generation(), machine.decisions().len()), (3, 0));
    machine.resign(ONE).unwrap();
    machine.undo(0);
    assert_eq!((machine.ending(), machine.waiting()), (None, everyone(&[ONE])));
}

#[test]
fn who_resigns_gets_the_least_payoff() {
    let game = Written::new(&[FIRST, SECOND]);
    let mut machine = Match::new(&game, Streams::by_step(1));
    assert_eq!(machine.resign(Player(2)), Err(Refusal::NoSuchPlayer(Player(2))));
    machine.resign(TWO).unwrap();
    assert_eq!(machine.payoffs(), Some(vec![1.0, 0.0]));
    assert_eq!(machine.ending().and_then(Ending::loser), Some(TWO));
    assert_eq!((machine.choose(ONE, 1), machine.step(&[1])), (Err(Refusal::Over), Err(Refusal::Over)));
}

#[test]
fn whole_steps_are_checked() {
    let game = Written::new(&[BOTH, Turn::Chance]);
    let mut machine = Match::new(&game, Streams::by_step(1));
    assert_eq!(machine.step(&[1]), Err(Refusal::Count { expected: 2, given: 1 }));
    assert_eq!(machine.step(&[1, 9]), Err(Refusal::Illegal(tesuji_core::Actor::Player(TWO))));
    machine.choose(ONE, 2).unwrap();
    machine.step(&[0, 1]).unwrap();
    assert_eq!(machine.history().step(0), [0, 1], "a given step replaces hidden choices");
    assert_eq!(machine.step(&[6]), Err(Refusal::Illegal(tesuji_core::Actor::Chance)));
    machine.step(&[5]).unwrap();
    let branch = machine.branch(1, Streams::by_step(1));
    assert_eq!((branch.history().len(), branch.waiting()), (1, Waiting::Chance));
}

#[test]
fn a_panic_anywhere_in_an_agent_costs_it_the_match_and_nothing_else() {
    let game = Written::new(&[FIRST, SECOND]);
    for place in ["begin", "prepare", "choose"] {
        let (ending, payoffs) = played(&game, Probe::new(Ok(1)), Probe::panicking(place));
        let foul = Failure::Panicked(format!("on purpose in {place}"));
        assert_eq!(ending, Ending::Foul { player: TWO, foul });
        assert_eq!(payoffs, [1.0, 0.0], "{place}");
        assert!(!crate::guarding());
    }
    let (ending, payoffs) = played(&game, Probe::new(Ok(2)), Probe::panicking("end"));
    assert_eq!((ending, payoffs), (Ending::Natural, vec![1.0, 0.0]), "the match was decided before");
}

#[test]
fn a_failure_is_a_value_and_an_illegal_action_is_a_failure() {
    let game = Written::new(&[FIRST, SECOND]);
    for (answer, foul) in [
        (Ok(7), Failure::Illegal("7".to_owned())),
        (Err(Failure::Overtime(Duration::from_secs(3))), Failure::Overtime(Duration::from_secs(3))),
        (Err(Failure::Broken("it died".to_owned())), Failure::Broken("it died".to_owned())),
    ] {
        let (ending, payoffs) = played(&game, Probe::new(answer), Probe::new(Ok(1)));
        assert_eq!((ending, payoffs), (Ending::Foul { player: ONE, foul }, vec![0.0, 1.0]));
    }
}

#[test]
fn who_exceeds_the_hard_limit_forfeits() {
    let game = Written::new(&[FIRST, SECOND]);
    let (mut one, mut two) = (Probe::new(Ok(1)), Probe::new(Ok(1)));
    let mut machine = Match::new(&game, Streams::new(1, 0, 2));
    // Any decision takes longer than zero time.
    let strict = Seated { limit: Some(Duration::ZERO), ..seated(&mut two) };
    let ending = machine.play(&mut [seated(&mut one), strict]);
    assert!(matches!(ending, Ending::Foul { player: TWO, foul: Failure::Overtime(_) }), "{ending:?}");
    let start = Some(Budget::time(Duration::ZERO));
    let strict = Seated { limit: Some(Duration::ZERO), start, ..seated(&mut two) };
    let mut machine = Match::new(&game, Streams::new(1, 0, 2));
    let ending = machine.play(&mut [seated(&mut one), strict]);
    assert!(matches!(ending, Ending::Foul { player: TWO, foul: Failure::Overtime(_) }), "{ending:?}");
    assert!(machine.history().is_empty(), "the start clock was exceeded");
}

#[test]
fn agents_hear_of_begin_preparation_decisions_and_end_in_order() {
    let game = Written::new(&[FIRST, SECOND, FIRST]);
    let (mut one, mut two) = (Probe::new(Ok(1)), Probe::new(Ok(1)));
    let mut machine = Match::new(&game, Streams::new(1, 0, 2));
    machine.play(&mut [seated(&mut one), Seated { start: None, ..seated(&mut two) }]);
    assert_eq!(one.calls(), ["begin", "prepare", "choose", "choose", "end"]);
    assert_eq!(two.calls(), ["begin", "choose", "end"]);
    let players: Vec<Player> = machine.take_decisions().iter().map(|decision| decision.player).collect();
    assert_eq!(players, [ONE, TWO, ONE]);
}

struct Depths(Vec<u32>);

impl Watcher<u8> for Depths {
    fn look(&mut self, thought: &Thought<u8>) -> bool {
        self.0.push(thought.depth);
        true
    }
}

/// The answer of lent agents to a task.
fn answer(
    machine: &mut Match<Written>,
    thinker: &mut Thinker<Written>,
    mut task: Task<Written>,
) -> Result<bool, Failure> {
    let game = Written::new(&machine.game().turns);
    let mut watcher = Depths(Vec::new());
    let answer = thinker.think(&game, &mut task, Some(&mut watcher));
    assert_eq!(watcher.0, [7], "watchers see thoughts");
    machine.answer(&task, answer)
}

#[test]
fn agents_think_beside_the_match_and_begin_anew_after_undo() {
    let game = Arc::new(Written::new(&[FIRST, SECOND, FIRST, SECOND]));
    let mut machine = Match::new(game, Streams::by_step(1));
    let probe = Probe::new(Ok(1));
    let mut thinker = Thinker::new(2, machine.generation());
    thinker.seat(TWO, Box::new(probe.clone())).unwrap();
    assert!(thinker.has(TWO) && !thinker.has(ONE));
    assert_eq!(machine.task(TWO, Budget::default()).err(), Some(Refusal::NotAwaited(TWO)));
    machine.choose(ONE, 1).unwrap();
    let task = machine.task(TWO, Budget::default()).unwrap();
    assert_eq!((task.player(), task.step()), (TWO, 1));
    machine.undo(0);
    machine.choose(ONE, 1).unwrap();
    assert_eq!(answer(&mut machine, &mut thinker, task), Ok(false), "the same position, asked anew");
    assert_eq!(probe.calls(), ["begin", "choose"]);
    let task = machine.task(TWO, Budget::default()).unwrap();
    assert_eq!(answer(&mut machine, &mut thinker, task), Ok(true));
    assert_eq!(probe.calls(), ["begin", "choose"], "it begins anew after undo");
    machine.choose(ONE, 1).unwrap();
    let task = machine.task(TWO, Budget::default()).unwrap();
    let late = machine.task(TWO, Budget::default()).unwrap();
    assert_eq!(answer(&mut machine, &mut thinker, task), Ok(true));
    assert_eq!(probe.calls(), ["choose"]);
    assert_eq!(machine.ending(), Some(&Ending::Natural));
    assert_eq!(answer(&mut machine, &mut thinker, late), Ok(false), "the match is over");
    thinker.end();
    assert_eq!(probe.calls(), ["choose", "end"]);
}

#[test]
fn a_failure_beside_the_match_ends_it() {
    let game = Arc::new(Written::new(&[SECOND, FIRST]));
    let mut machine = Match::new(game, Streams::by_step(1));
    let mut thinker = Thinker::new(2, 0);
    thinker.seat(TWO, Box::new(Probe::new(Err(Failure::Broken("it died".to_owned()))))).unwrap();
    let task = machine.task(TWO, Budget::default()).unwrap();
    assert!(answer(&mut machine, &mut thinker, task).is_err());
    assert_eq!(machine.ending().and_then(Ending::loser), Some(TWO));
    assert_eq!(machine.payoffs(), Some(vec![1.0, 0.0]));
    let refused = thinker.seat(ONE, Box::new(Probe::panicking("begin")));
    assert_eq!(refused, Err(Failure::Panicked("on purpose in begin".to_owned())));
    assert!(!thinker.has(ONE));
}
