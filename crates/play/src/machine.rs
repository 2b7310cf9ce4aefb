//! The match as a state machine.

use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use crate::{Budget, Decision, Failure};
use tesuji_core::{Actor, Game, History, Player, Players, Turn, legal_actions};

use crate::{DecisionRecord, Ending, Refusal, StepObserver, Streams, Task, Waiting};

/// One match: a state machine that its owner drives.
///
/// Ask [`waiting`](Match::waiting), then act: a person's action goes to [`choose`](Match::choose), an agent decides in
/// [`think`](Match::think) (or elsewhere: [`task`](Match::task) and [`answer`](Match::answer)), chance acts in
/// [`draw`](Match::draw). A choice stays hidden until all movers of the step have chosen.
///
/// `H` holds the rules: an `Arc<G>`, or a reference if the match does not outlive them. `O` sees every step: see
/// [`observed`](Match::observed).
///
/// ```
/// # use tesuji_core::{Features, Game, Player, Rng, Spec, Turn};
/// # struct Race(Spec);
/// # impl Game for Race {
/// #     type State = [u8; 2];
/// #     type Action = u8;
/// #     fn spec(&self) -> &Spec { &self.0 }
/// #     fn start(&self) -> [u8; 2] { [0, 0] }
/// #     fn turn(&self, state: &[u8; 2]) -> Turn {
/// #         if state[0] >= 5 { Turn::Over } else { Turn::Player(Player(state[1])) }
/// #     }
/// #     fn legal(&self, _: &[u8; 2], _: Player, out: &mut Vec<u8>) { out.extend([1, 2]); }
/// #     fn apply(&self, state: &mut [u8; 2], joint: &[u8]) { *state = [state[0] + joint[0], 1 - state[1]]; }
/// #     fn payoff(&self, state: &[u8; 2], player: Player) -> f64 { f64::from(u8::from(player.0 != state[1])) }
/// # }
/// # fn race() -> Race {
/// #     Race(Spec { name: "race".into(), version: 1, players: vec!["first".into(), "second".into()],
/// #         features: Features::empty(), payoffs: (0.0, 1.0), max_steps: 5 })
/// # }
/// # use tesuji_play::{Agent, Decision, Failure, Seat};
/// # struct AddsOne;
/// # impl Agent<Race> for AddsOne {
/// #     fn choose(&mut self, _: Seat<'_, Race>, _: &Budget, _: &mut Rng) -> Result<Decision<u8>, Failure> {
/// #         Ok(Decision::pure(1))
/// #     }
/// # }
/// use tesuji_play::{Budget, Match, Streams, Waiting};
///
/// let game = race(); // Players add 1 or 2 in turn; who reaches 5 wins.
/// let mut played = Match::new(&game, Streams::by_step(7));
/// let (person, mut agent) = (Player(0), AddsOne);
/// while let Waiting::Choices(players) = played.waiting() {
///     if players.contains(person) {
///         played.choose(person, 2).unwrap();
///     } else {
///         played.think(Player(1), &mut agent, &Budget::default(), None, None).unwrap();
///     }
/// }
/// assert_eq!(played.payoffs().unwrap().iter().sum::<f64>(), 1.0);
/// ```
pub struct Match<G: Game, H: Deref<Target = G> = Arc<G>, O: StepObserver<G> = ()> {
    pub(crate) game: H,
    /// The initial state of the match; `None` for the game's start.
    start: Option<G::State>,
    pub(crate) state: G::State,
    pub(crate) history: History<G::Action>,
    pub(crate) streams: Streams,
    /// By player: the choices for the next step, if several players choose at once. Allocated when first needed.
    choices: Vec<Option<G::Action>>,
    /// Choices for later steps: the rest of a turn that its player ended.
    queued: VecDeque<(Player, G::Action)>,
    joint: Vec<G::Action>,
    pub(crate) legal: Vec<G::Action>,
    pub(crate) decisions: Vec<DecisionRecord>,
    pub(crate) ending: Option<Ending>,
    generation: u64,
    observer: O,
}

impl<G: Game, H: Deref<Target = G>> Match<G, H> {
    /// A match from the start of a game.
    pub fn new(game: H, streams: Streams) -> Self {
        let state = game.start();
        Match::at(game, None, state, streams)
    }

    /// A match from any state of a game.
    pub fn from_state(game: H, start: G::State, streams: Streams) -> Self {
        Match::at(game, Some(start.clone()), start, streams)
    }

    fn at(game: H, start: Option<G::State>, state: G::State, streams: Streams) -> Self {
        let mut new = Match {
            game,
            start,
            state,
            history: History::default(),
            streams,
            choices: Vec::new(),
            queued: VecDeque::new(),
            joint: Vec::new(),
            legal: Vec::new(),
            decisions: Vec::new(),
            ending: None,
            generation: 0,
            observer: (),
        };
        new.look_for_end();
        new
    }

    /// This match with somebody who sees its further steps.
    pub fn observed<O: StepObserver<G>>(self, observer: O) -> Match<G, H, O> {
        Match {
            game: self.game,
            start: self.start,
            state: self.state,
            history: self.history,
            streams: self.streams,
            choices: self.choices,
            queued: self.queued,
            joint: self.joint,
            legal: self.legal,
            decisions: self.decisions,
            ending: self.ending,
            generation: self.generation,
            observer,
        }
    }
}

impl<G: Game, H: Deref<Target = G>, O: StepObserver<G>> Match<G, H, O> {
    /// Who sees the steps.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// Who sees the steps, to change it.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }

    /// The random streams of chance and agents, as far as they were used.
    pub fn streams(&self) -> &Streams {
        &self.streams
    }

    /// Sets the random streams of chance and agents.
    pub fn set_streams(&mut self, streams: Streams) {
        self.streams = streams;
    }

    /// A copy of this match as it was after `steps` steps. Nobody observes it.
    pub fn branch(&self, steps: usize, streams: Streams) -> Match<G, H>
    where
        H: Clone,
    {
        let mut branch = Match::at(self.game.clone(), self.start.clone(), self.start(), streams);
        for joint in self.history.steps().take(steps) {
            branch.apply(joint);
        }
        branch
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The initial state of the match.
    pub fn start(&self) -> G::State {
        self.start.clone().unwrap_or_else(|| self.game.start())
    }

    /// The current state.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The steps so far.
    pub fn history(&self) -> &History<G::Action> {
        &self.history
    }

    /// Who acts next by the rules, even if the match ended in another way.
    pub fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }

    /// The decisions of agents, in the order in which they were made.
    pub fn decisions(&self) -> &[DecisionRecord] {
        &self.decisions
    }

    /// Removes the decisions recorded so far and returns them.
    pub fn take_decisions(&mut self) -> Vec<DecisionRecord> {
        std::mem::take(&mut self.decisions)
    }

    /// How the match ended; `None` while it continues.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// How often steps were undone. Agents that remember an earlier generation must start afresh.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The payoff of each player if the match is over: by the rules; or, after a failure or a resignation, the least
    /// payoff of the game for the loser and the greatest for all others.
    pub fn payoffs(&self) -> Option<Vec<f64>> {
        let ending = self.ending.as_ref()?;
        let spec = self.game.spec();
        let payoff = |seat: Player| match ending.loser() {
            None => self.game.payoff(&self.state, seat),
            Some(loser) if loser == seat => spec.payoffs.0,
            Some(_) => spec.payoffs.1,
        };
        Some(spec.seats().map(payoff).collect())
    }

    /// What the match waits for.
    pub fn waiting(&self) -> Waiting {
        if self.ending.is_some() {
            return Waiting::Nothing;
        }
        match self.turn() {
            Turn::Over => Waiting::Nothing,
            Turn::Chance => Waiting::Chance,
            Turn::Player(player) => Waiting::Choices(Players::default().with(player)),
            Turn::Simultaneous(players) => {
                Waiting::Choices(players.filter(|&player| self.choice(player).is_none()).collect())
            }
        }
    }

    /// A player's hidden choice for the next step.
    pub fn choice(&self, player: Player) -> Option<G::Action> {
        self.choices.get(player.index()).copied().flatten()
    }

    /// Submits a player's choice. The step is made as soon as all its movers have chosen.
    pub fn choose(&mut self, player: Player, action: G::Action) -> Result<(), Refusal> {
        self.expect(player)?;
        if !self.is_legal(Actor::Player(player), action) {
            return Err(Refusal::Illegal(Actor::Player(player)));
        }
        self.settle(player, action);
        Ok(())
    }

    /// Submits several choices of a player at once: one for this step, the others for the next steps in which the
    /// player acts alone, as long as they are legal there. This is how a person ends a turn of many actions.
    pub fn choose_all(&mut self, player: Player, actions: &[G::Action]) -> Result<(), Refusal> {
        let Some((&first, rest)) = actions.split_first() else { return Err(Refusal::Count { expected: 1, given: 0 }) };
        self.expect(player)?;
        if !self.is_legal(Actor::Player(player), first) {
            return Err(Refusal::Illegal(Actor::Player(player)));
        }
        self.queued.retain(|(queued, _)| *queued != player);
        self.queued.extend(rest.iter().map(|&action| (player, action)));
        self.settle(player, first);
        Ok(())
    }

    /// Makes one whole step: the movers' actions in player order, or the outcome of chance. For steps that are already
    /// known, such as those of a record or a referee.
    pub fn step(&mut self, joint: &[G::Action]) -> Result<(), Refusal> {
        if self.waiting() == Waiting::Nothing {
            return Err(Refusal::Over);
        }
        let turn = self.turn();
        let expected = turn.actors().count();
        if expected != joint.len() {
            return Err(Refusal::Count { expected, given: joint.len() });
        }
        for (actor, &action) in turn.actors().zip(joint) {
            if !self.is_legal(actor, action) {
                return Err(Refusal::Illegal(actor));
            }
        }
        self.choices.clear();
        self.apply(joint);
        Ok(())
    }

    /// Lets chance draw, if the match waits for it; returns the outcome.
    pub fn draw(&mut self) -> Option<G::Action> {
        if self.waiting() != Waiting::Chance {
            return None;
        }
        let Match { game, state, .. } = self;
        let outcome = self.streams.nature(self.history.len(), |rng| game.random_outcome(state, rng));
        self.apply(&[outcome]);
        Some(outcome)
    }

    /// The decision that an agent has to make for an awaited player, to be worked on elsewhere: see
    /// [`Thinker`](crate::Thinker).
    pub fn task(&self, player: Player, budget: Budget) -> Result<Task<G>, Refusal> {
        self.expect(player)?;
        Ok(Task {
            player,
            budget,
            rng: self.streams.lend(player, self.history.len()),
            state: self.state.clone(),
            history: self.history.clone(),
            generation: self.generation,
        })
    }

    /// Submits the answer to a task. Returns whether it was still wanted: steps may have been undone since, or the
    /// match may have ended. A failure ends the match.
    pub fn answer(
        &mut self,
        task: &Task<G>,
        answer: Result<(Decision<G::Action>, Duration), Failure>,
    ) -> Result<bool, Failure> {
        let player = task.player;
        let stale = task.generation != self.generation || task.history.len() != self.history.len();
        if stale || self.expect(player).is_err() {
            return Ok(false);
        }
        self.streams.give_back(player, task.rng.clone());
        match answer {
            Ok((decision, time)) if self.is_legal(Actor::Player(player), decision.action) => {
                self.decisions.push(DecisionRecord::new(player, &decision, time));
                self.settle(player, decision.action);
                Ok(true)
            }
            answer => {
                let illegal =
                    |(decision, _): (Decision<G::Action>, _)| Failure::Illegal(format!("{:?}", decision.action));
                let failure = answer.map_or_else(|failure| failure, illegal);
                self.fail(player, failure.clone());
                Err(failure)
            }
        }
    }

    /// Undoes everything after the first `steps` steps, and all choices for the next step. The state is replayed from
    /// the start. Agents must start afresh: see [`generation`](Match::generation).
    pub fn undo(&mut self, steps: usize) {
        self.forget_decisions(steps);
        self.history.truncate(steps);
        self.state = self.start();
        for joint in self.history.steps() {
            self.game.apply(&mut self.state, joint);
        }
        self.choices.clear();
        self.queued.clear();
        self.ending = None;
        self.generation += 1;
        self.look_for_end();
    }

    /// A player resigns.
    pub fn resign(&mut self, player: Player) -> Result<(), Refusal> {
        if self.waiting() == Waiting::Nothing {
            return Err(Refusal::Over);
        }
        if player.index() >= self.game.spec().players.len() {
            return Err(Refusal::NoSuchPlayer(player));
        }
        self.ending = Some(Ending::Resigned { player });
        Ok(())
    }

    /// Makes a player lose, even if the match is over by the rules: for referees whose protocol continues after the
    /// last step.
    pub fn forfeit(&mut self, player: Player) {
        self.ending = Some(Ending::Resigned { player });
    }

    /// Ends the match by a failure of the agent that plays for `player`. A match that is already over keeps its result.
    pub fn fail(&mut self, player: Player, foul: Failure) {
        if self.waiting() != Waiting::Nothing {
            self.ending = Some(Ending::Foul { player, foul });
        }
    }

    pub(crate) fn expect(&self, player: Player) -> Result<(), Refusal> {
        match self.waiting() {
            Waiting::Choices(players) if players.contains(player) => Ok(()),
            Waiting::Nothing => Err(Refusal::Over),
            _ if player.index() >= self.game.spec().players.len() => Err(Refusal::NoSuchPlayer(player)),
            _ => Err(Refusal::NotAwaited(player)),
        }
    }

    fn is_legal(&mut self, actor: Actor, action: G::Action) -> bool {
        match actor {
            Actor::Player(player) => {
                self.legal.clear();
                self.game.legal(&self.state, player, &mut self.legal);
                self.legal.contains(&action)
            }
            Actor::Chance => legal_actions(&*self.game, &self.state, actor).contains(&action),
        }
    }

    /// Stores a legal choice of an awaited player, and makes the step if it was the last one.
    pub(crate) fn settle(&mut self, player: Player, action: G::Action) {
        let Turn::Simultaneous(movers) = self.turn() else { return self.apply(&[action]) };
        if self.choices.is_empty() {
            self.choices.resize(self.game.spec().players.len(), None);
        }
        self.choices[player.index()] = Some(action);
        let mut joint = std::mem::take(&mut self.joint);
        joint.clear();
        joint.extend(movers.filter_map(|mover| self.choice(mover)));
        if joint.len() == movers.len() {
            self.choices.fill(None);
            self.apply(&joint);
        }
        self.joint = joint;
    }

    /// Plays a legal step, and queued choices for the next one.
    fn apply(&mut self, joint: &[G::Action]) {
        self.observer.step(&self.game, &self.state, joint);
        self.game.apply(&mut self.state, joint);
        self.history.push(joint);
        self.look_for_end();
        if !self.queued.is_empty() {
            self.take_queued();
        }
    }

    fn look_for_end(&mut self) {
        if self.turn() == Turn::Over {
            self.ending = Some(Ending::Natural);
        }
    }

    /// Plays the rest of a turn that was ended, as long as it is legal.
    fn take_queued(&mut self) {
        let Turn::Player(player) = self.turn() else { return };
        let Some(place) = self.queued.iter().position(|(queued, _)| *queued == player) else { return };
        let Some((_, action)) = self.queued.remove(place) else { return };
        if self.choose(player, action).is_err() {
            self.queued.retain(|(queued, _)| *queued != player);
        }
    }

    /// Drops the records of decisions for steps after the first `steps`, and for the next step. Each seat belongs to an
    /// agent or to a person throughout, so the players determine which records belong to which step.
    fn forget_decisions(&mut self, steps: usize) {
        let mut state = self.start();
        let mut kept = 0;
        for joint in self.history.steps().take(steps) {
            let movers = self.game.turn(&state).movers();
            let mut decided = Players::default();
            let made = self.decisions[kept..].iter().map(|record| record.player);
            for player in made.take_while(|&player| movers.contains(player)) {
                if decided.contains(player) {
                    break;
                }
                decided = decided.with(player);
            }
            kept += decided.len();
            self.game.apply(&mut state, joint);
        }
        self.decisions.truncate(kept);
    }
}
