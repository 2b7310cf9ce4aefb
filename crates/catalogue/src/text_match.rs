//! The match behind an [`AnyMatch`]. It is compiled once, for games whose types are erased.

use tesuji_core::{
    Actor, AreaId, Drawing, Game, History, InputError, Knowledge, Notation, Note, Phrase, Picture, Player, Rng, Spec,
    Turn, legal_actions,
};
use tesuji_play::{Budget, Failure, Seat, Watcher};
use tesuji_play::{Ending, Match, Refusal, Streams, Thinker, Waiting};

use crate::agent_task::{AgentTask, Work};
use crate::any_match::{AnyMatch, LiveStep, Occupant, ShownAction};
use crate::decision_text::{DecisionText, Listener, TextWatcher, actor_name};
use crate::erased::{Action, Erased, State};
use crate::playable::Playable;
use crate::written_steps::WrittenSteps;

/// A match, and its face in text.
pub(crate) struct TextMatch {
    game: Playable<Erased>,
    machine: Match<Erased, Playable<Erased>, WrittenSteps>,
    seats: Vec<Occupant>,
    /// The agents; absent while they are lent, and when none are needed.
    thinker: Option<Thinker<Erased>>,
}

impl TextMatch {
    pub(crate) fn new(game: Playable<Erased>, start: State) -> Self {
        let seats = persons(game.spec());
        let steps = WrittenSteps::new(game.spec().players.len(), Vec::new(), Vec::new());
        let machine = Match::from_state(game.clone(), start, Streams::by_step(0)).observed(steps);
        TextMatch { game, machine, seats, thinker: None }
    }

    /// The position.
    pub(crate) fn state(&self) -> &State {
        self.machine.state()
    }

    /// The steps so far.
    pub(crate) fn history(&self) -> &History<Action> {
        self.machine.history()
    }

    /// Plays one step.
    pub(crate) fn push(&mut self, joint: &[Action]) -> Result<(), InputError> {
        self.machine.step(joint).map_err(|refusal| self.refused(refusal))?;
        self.dismiss_agents();
        Ok(())
    }

    /// Ends the match against a player, even if it is over by the rules.
    pub(crate) fn forfeit(&mut self, player: Player) {
        self.machine.forfeit(player);
        self.dismiss_agents();
    }

    /// Ends the agents when the match is over.
    fn dismiss_agents(&mut self) {
        if self.machine.waiting() == Waiting::Nothing
            && let Some(thinker) = self.thinker.take()
        {
            thinker.end();
        }
    }

    /// Back to the first `steps` steps.
    fn back_to(&mut self, steps: usize) {
        self.machine.undo(steps);
        self.machine.observer_mut().truncate(steps);
    }

    fn name(&self, player: Player) -> &str {
        self.game.spec().player_name(player)
    }

    fn refused(&self, refusal: Refusal) -> InputError {
        match refusal {
            Refusal::NotAwaited(player) => InputError::new(format!("{} is not to choose now", self.name(player))),
            refusal => InputError::new(refusal.to_string()),
        }
    }

    fn failed(&self, player: Player, failure: &Failure) -> InputError {
        InputError::new(format!("the agent of {} failed: {failure}", self.name(player)))
    }

    /// The player is awaited, and a person.
    fn expect_person(&self, player: Player) -> Result<(), InputError> {
        self.expect(player)?;
        match self.seats[player.index()] {
            Occupant::Person { .. } => Ok(()),
            Occupant::Agent { .. } => {
                Err(InputError::new(format!("an agent sits at the seat of {}", self.name(player))))
            }
        }
    }

    fn expect(&self, player: Player) -> Result<(), InputError> {
        match self.machine.waiting() {
            Waiting::Choices(players) if players.contains(player) => Ok(()),
            Waiting::Nothing => Err(self.refused(Refusal::Over)),
            _ if player.index() >= self.seats.len() => Err(self.refused(Refusal::NoSuchPlayer(player))),
            _ => Err(self.refused(Refusal::NotAwaited(player))),
        }
    }

    /// The agents, built if they are not here.
    fn thinker(&mut self) -> Result<Thinker<Erased>, InputError> {
        if let Some(thinker) = self.thinker.take() {
            return Ok(thinker);
        }
        let mut thinker = Thinker::new(self.seats.len(), self.machine.generation());
        for (player, occupant) in self.game.spec().seats().zip(&self.seats) {
            if let Occupant::Agent { agent, .. } = occupant {
                let agent = self.game.build_agent(agent)?;
                thinker.seat(player, agent).map_err(|failure| self.failed(player, &failure))?;
            }
        }
        Ok(thinker)
    }

    /// The agents, one of them at the seat of `player`.
    fn thinker_with(&mut self, player: Player) -> Result<Thinker<Erased>, InputError> {
        match self.seats.get(player.index()) {
            None => Err(InputError::new("there is no such seat")),
            Some(Occupant::Person { .. }) => {
                Err(InputError::new(format!("no agent sits at {}'s seat", self.name(player))))
            }
            Some(Occupant::Agent { .. }) => self.thinker(),
        }
    }

    /// The number of steps before a person's last choice.
    fn last_choice(&self) -> Option<usize> {
        let person = |name: &String| {
            let seat = self.game.spec().players.iter().position(|player| player == name);
            seat.is_some_and(|seat| matches!(self.seats[seat], Occupant::Person { .. }))
        };
        self.made().iter().rposition(|step| step.actors.iter().any(person))
    }

    fn parse_joint(&self, joint: &[String]) -> Result<Vec<Action>, InputError> {
        let actors = self.actors();
        if actors.is_empty() || self.machine.waiting() == Waiting::Nothing {
            return Err(InputError::new("the match is over: no further action is possible"));
        }
        if actors.len() != joint.len() {
            let names: Vec<&str> = actors.iter().map(|(_, name)| name.as_str()).collect();
            return Err(InputError::new(format!("expected {} action(s), got {}", actors.len(), joint.len()))
                .with_help(format!("one action for each of: {}", names.join(", "))));
        }
        let parse = |((actor, name), text): (&(Actor, String), &String)| {
            let action = self.game.parse_action(self.state(), *actor, text);
            action.map_err(|error| error.in_file(format_args!("{name} to act")))
        };
        actors.iter().zip(joint).map(parse).collect()
    }
}

impl AnyMatch for TextMatch {
    fn spec(&self) -> &Spec {
        self.game.spec()
    }

    fn turn(&self) -> Turn {
        self.machine.turn()
    }

    fn actors(&self) -> Vec<(Actor, String)> {
        self.turn().actors().map(|actor| (actor, actor_name(&*self.game, actor))).collect()
    }

    fn legal(&self, actor: Actor) -> Vec<String> {
        let actions = legal_actions(&*self.game, self.state(), actor);
        actions.into_iter().map(|action| self.game.action_text(self.state(), actor, action)).collect()
    }

    fn read_action(&self, actor: Actor, text: &str) -> Result<String, InputError> {
        let action = self.game.parse_action(self.state(), actor, text)?;
        Ok(self.game.action_text(self.state(), actor, action))
    }

    fn action_features(&self, player: Player, text: &str) -> Result<Vec<f64>, InputError> {
        let name = self.name(player);
        if !self.turn().movers().contains(player) {
            return Err(InputError::new(format!("it is not {name}'s turn")));
        }
        let action = self.game.parse_action(self.state(), Actor::Player(player), text)?;
        let mut features = Vec::new();
        if let Some(offered) = self.game.action_features() {
            offered.values(&self.game, self.state(), action, &mut features);
        }
        Ok(features)
    }

    fn chances(&self) -> Vec<(String, f64)> {
        let mut outcomes = Vec::new();
        if self.turn() == Turn::Chance {
            self.game.chance(self.state(), &mut outcomes);
        }
        let text = |outcome| self.game.action_text(self.state(), Actor::Chance, outcome);
        outcomes.into_iter().map(|(outcome, probability)| (text(outcome), probability)).collect()
    }

    fn end_turn(&self, player: Player) -> Vec<String> {
        let mut state = self.state().clone();
        let mut texts = Vec::new();
        for action in self.game.end_turn(self.state(), player) {
            texts.push(self.game.action_text(&state, Actor::Player(player), action));
            self.game.apply(&mut state, &[action]);
        }
        texts
    }

    fn made(&self) -> &[LiveStep] {
        &self.machine.observer().made
    }

    fn shown(&self) -> &[Vec<ShownAction>] {
        &self.machine.observer().shown
    }

    fn state_text(&self) -> String {
        self.game.state_text(self.state())
    }

    fn board_text(&self) -> String {
        self.game.board_text(self.state())
    }

    fn picture(&self) -> Picture {
        self.game.draw_after(self.state(), self.machine.history())
    }

    fn clicks(&self, actor: Actor) -> Vec<Vec<AreaId>> {
        let actions = legal_actions(&*self.game, self.state(), actor);
        actions.into_iter().map(|action| self.game.clicks(self.state(), actor, action)).collect()
    }

    fn notes(&self, actor: Actor) -> Vec<Option<Note>> {
        let actions = legal_actions(&*self.game, self.state(), actor);
        actions.into_iter().map(|action| self.game.note(self.state(), actor, action)).collect()
    }

    fn phrases(&self, actor: Actor) -> Vec<Phrase> {
        let actions = legal_actions(&*self.game, self.state(), actor);
        actions.into_iter().map(|action| self.game.phrase(self.state(), actor, action)).collect()
    }

    fn waiting(&self) -> Waiting {
        self.machine.waiting()
    }

    fn ending(&self) -> Option<&Ending> {
        self.machine.ending()
    }

    fn payoffs(&self) -> Option<Vec<f64>> {
        self.machine.payoffs()
    }

    fn seats(&self) -> &[Occupant] {
        &self.seats
    }

    fn fill_seats(&mut self, seats: Vec<Occupant>, streams: Streams) -> Result<(), InputError> {
        let players = &self.game.spec().players;
        if seats.len() != players.len() {
            return Err(InputError::new(format!("{} seats are filled, the game has {}", seats.len(), players.len()))
                .with_help(format!("the seats are {}", players.join(", "))));
        }
        self.seats = seats;
        self.thinker = None;
        self.machine.set_streams(streams);
        Ok(())
    }

    fn check_agents(&mut self) -> Result<(), InputError> {
        for occupant in &self.seats {
            if let Occupant::Agent { budget, .. } = occupant {
                budget.parse::<Budget>()?;
            }
        }
        self.thinker = Some(self.thinker()?);
        Ok(())
    }

    fn start_clock(&mut self, clock: &Budget) -> Result<(), InputError> {
        let mut thinker = self.thinker()?;
        for player in self.game.spec().seats() {
            if let Some(mut seated) = thinker.seated(player, *clock) {
                let prepared = self.machine.prepare(player, &mut seated);
                prepared.map_err(|failure| self.failed(player, &failure))?;
            }
        }
        self.thinker = Some(thinker);
        Ok(())
    }

    fn rename(&mut self, player: Player, called: &str) -> Result<(), InputError> {
        match self.seats.get_mut(player.index()) {
            Some(Occupant::Person { name }) => *name = called.to_owned(),
            Some(Occupant::Agent { .. }) => return Err(InputError::new("an agent sits at this seat")),
            None => return Err(InputError::new("there is no such seat")),
        }
        Ok(())
    }

    fn agent_awaited(&self) -> Option<Player> {
        let Waiting::Choices(mut players) = self.waiting() else { return None };
        players.find(|player| matches!(self.seats[player.index()], Occupant::Agent { .. }))
    }

    fn has_chosen(&self, player: Player) -> bool {
        self.machine.choice(player).is_some()
    }

    fn pending(&self) -> Vec<(Player, String)> {
        let of_people = |player: &Player| matches!(self.seats[player.index()], Occupant::Person { .. });
        let text = |player: Player| {
            let action = self.machine.choice(player)?;
            Some((player, self.game.action_text(self.state(), Actor::Player(player), action)))
        };
        self.game.spec().seats().filter(of_people).filter_map(text).collect()
    }

    fn choose(&mut self, player: Player, action: &str) -> Result<(), InputError> {
        self.expect_person(player)?;
        let action = self.game.parse_action(self.state(), Actor::Player(player), action)?;
        self.machine.choose(player, action).map_err(|refusal| self.refused(refusal))?;
        self.dismiss_agents();
        Ok(())
    }

    fn choose_end_turn(&mut self, player: Player) -> Result<(), InputError> {
        self.expect_person(player)?;
        let actions = self.game.end_turn(self.state(), player);
        if actions.is_empty() {
            return Err(InputError::new("this game has no end of turn to declare"));
        }
        self.machine.choose_all(player, &actions).map_err(|refusal| self.refused(refusal))?;
        self.dismiss_agents();
        Ok(())
    }

    fn draw(&mut self) -> Option<String> {
        let made = self.made().len();
        self.machine.draw()?;
        self.dismiss_agents();
        self.made().get(made).and_then(|step| step.joint.first().cloned())
    }

    fn lend(&mut self, player: Player) -> Result<AgentTask, InputError> {
        self.expect(player)?;
        let Occupant::Agent { budget, .. } = &self.seats[player.index()] else {
            return Err(InputError::new(format!("no agent sits at the seat of {}", self.name(player))));
        };
        let budget: Budget = budget.parse()?;
        let task = self.machine.task(player, budget).map_err(|refusal| self.refused(refusal))?;
        let (thinker, game) = (self.thinker()?, self.game.clone());
        let step = task.step();
        Ok(AgentTask {
            player,
            step,
            decision: None,
            last_words: None,
            work: Work { game, thinker, task, answer: None },
        })
    }

    fn answer(&mut self, task: AgentTask) -> Result<bool, InputError> {
        let AgentTask { player, work, decision, .. } = task;
        let Work { game, thinker, task, answer } = work;
        if !self.game.is(&game) {
            return Err(InputError::new("the task belongs to a match of another game"));
        }
        if self.machine.waiting() == Waiting::Nothing {
            thinker.end();
        } else if !matches!(answer, Some(Err(_))) {
            // After a failure, agents are built anew.
            self.thinker = Some(thinker);
        }
        let Some(answer) = answer else { return Ok(false) };
        let thought = |machine: &mut Match<_, _, WrittenSteps>, thought| {
            std::mem::replace(&mut machine.observer_mut().thoughts[player.index()], thought)
        };
        let earlier = thought(&mut self.machine, decision);
        let answered = self.machine.answer(&task, answer);
        if answered != Ok(true) {
            thought(&mut self.machine, earlier);
        }
        let wanted = answered.map_err(|failure| self.failed(player, &failure))?;
        if wanted {
            self.dismiss_agents();
        }
        Ok(wanted)
    }

    fn step(&mut self, joint: &[String]) -> Result<(), InputError> {
        let joint = self.parse_joint(joint)?;
        self.push(&joint)
    }

    fn replay(&mut self, step: LiveStep) -> Result<(), InputError> {
        self.step(&step.joint)?;
        if let Some(last) = self.machine.observer_mut().made.last_mut() {
            *last = step;
        }
        Ok(())
    }

    fn draw_outcome(&mut self, rng: &mut Rng) -> Option<String> {
        if self.waiting() != Waiting::Chance {
            return None;
        }
        let outcome = self.game.random_outcome(self.state(), rng);
        self.push(&[outcome]).ok()?;
        self.made().last().and_then(|step| step.joint.first().cloned())
    }

    fn undo(&mut self) -> bool {
        let steps = self.made().len();
        if steps > 0 {
            self.back_to(steps - 1);
        }
        steps > 0
    }

    fn can_take_back(&self) -> bool {
        self.last_choice().is_some()
    }

    fn take_back(&mut self) -> bool {
        let Some(last) = self.last_choice() else { return false };
        self.back_to(last);
        true
    }

    fn resign(&mut self, player: Player) -> Result<(), InputError> {
        self.machine.resign(player).map_err(|refusal| self.refused(refusal))?;
        self.dismiss_agents();
        Ok(())
    }

    fn seat(&mut self, player: Player, agent: &str) -> Result<(), InputError> {
        let built = self.game.build_agent(agent)?;
        let mut thinker = self.thinker()?;
        thinker.seat(player, built).map_err(|failure| self.failed(player, &failure))?;
        self.seats[player.index()] = Occupant::Agent { agent: agent.to_owned(), budget: String::new() };
        self.thinker = Some(thinker);
        Ok(())
    }

    fn prepare(&mut self, player: Player, budget: &Budget, rng: &mut Rng) -> Result<(), InputError> {
        let mut thinker = self.thinker_with(player)?;
        let (game, state, history) = (&*self.game, self.machine.state(), self.machine.history());
        let seat = Seat { game, state, player, history, watcher: None };
        thinker.prepare(seat, budget, rng).map_err(|failure| self.failed(player, &failure))?;
        self.thinker = Some(thinker);
        Ok(())
    }

    fn think_aloud(
        &mut self,
        player: Player,
        budget: &Budget,
        rng: &mut Rng,
        listener: Option<&mut dyn Listener>,
    ) -> Result<DecisionText, InputError> {
        if !self.turn().movers().contains(player) {
            return Err(InputError::new(format!("it is not {}'s turn", self.name(player))));
        }
        let mut thinker = self.thinker_with(player)?;
        let (game, state, history) = (&*self.game, self.machine.state(), self.machine.history());
        let mut watcher = listener.map(|listener| TextWatcher { game, state, player, listener });
        let watcher = watcher.as_mut().map(|watcher| watcher as &mut dyn Watcher<Action>);
        let seat = Seat { game, state, player, history, watcher };
        let decision = thinker
            .decide(seat, budget, rng, self.machine.generation())
            .map_err(|failure| self.failed(player, &failure))?;
        let text = DecisionText::of(game, state, player, &decision.thought, Some((decision.action, decision.value)));
        self.thinker = Some(thinker);
        Ok(text)
    }

    fn branch(&self, steps: usize) -> Box<dyn AnyMatch> {
        let bare = |step: &LiveStep| LiveStep { decisions: vec![None; step.joint.len()], ..step.clone() };
        let made = self.made().iter().take(steps).map(bare).collect();
        let shown = self.shown().iter().take(steps).cloned().collect();
        let written = WrittenSteps::new(self.seats.len(), made, shown);
        let machine = self.machine.branch(steps, Streams::by_step(0)).observed(written);
        let seats = persons(self.game.spec());
        Box::new(TextMatch { game: self.game.clone(), machine, seats, thinker: None })
    }
}

/// A person at each seat, called like the player.
fn persons(spec: &Spec) -> Vec<Occupant> {
    spec.players.iter().map(|name| Occupant::Person { name: name.clone() }).collect()
}
