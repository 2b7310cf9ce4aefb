//! A match of people and agents, as a state machine that does nothing by itself: its owner asks who is awaited, lets
//! agents think and nature draw, and brings people's choices.
//!
//! Thinking takes long, so it can be done beside the match: whoever owns it borrows its [`Mind`], lets it work on a [`Task`] and
//! brings the answer, while the match stays free to be looked at, taken back or given up.
//!
//! A choice stays hidden until everybody who acts in the step has chosen. Everything random is drawn from the seed, the
//! player and the number of the step, so a match that is taken up again from its record goes on as it would have.

mod mind;
mod record;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use tesuji_core::{Actor, InputError, Player, Rng, Turn, mix};
use tesuji_search::Budget;

pub use self::mind::{Mind, Task};
pub use self::record::{LiveRecord, LiveStep, Occupant};
use crate::{AnyGame, Catalogue, DecisionText, Listener, Table};

/// What the match waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Waiting {
    /// These players have yet to choose; agents and people.
    Choices(Vec<Player>),
    /// Nature has to draw.
    Chance,
    /// Nothing: the match is over.
    Nothing,
}

/// A match of people and agents.
pub struct LiveMatch {
    game: Arc<dyn AnyGame>,
    /// Nobody is seated here: agents think at the table of the mind.
    table: Box<dyn Table>,
    /// The agents; absent while it is lent, or when none are needed.
    mind: Option<Mind>,
    seats: Vec<Occupant>,
    seed: u64,
    /// By player: the choice for the next step, with the thought behind it.
    choices: Vec<Option<(String, Option<DecisionText>)>>,
    /// Choices of a player for the steps after the next one: the rest of a turn that was ended.
    queued: Vec<Vec<String>>,
    steps: Vec<LiveStep>,
    resigned: Option<Player>,
    /// How often steps were taken back: an answer to a question from before is of no use.
    undone: u64,
}

impl LiveMatch {
    /// A new match. There is one occupant a seat.
    pub fn new(catalogue: &Catalogue, game: &str, seats: Vec<Occupant>, seed: u64) -> Result<LiveMatch, InputError> {
        LiveMatch::of(catalogue.open(game)?, seats, seed)
    }

    /// A new match of an opened game.
    pub fn of(game: Arc<dyn AnyGame>, seats: Vec<Occupant>, seed: u64) -> Result<LiveMatch, InputError> {
        let mut live = LiveMatch::at_start(game, seats, seed)?;
        for occupant in &live.seats {
            if let Occupant::Agent { budget, .. } = occupant {
                budget.parse::<Budget>()?;
            }
        }
        live.mind = Some(live.new_mind()?);
        Ok(live)
    }

    /// A match at its start. Whether its agents can play is not looked at: one that is over does not need them.
    fn at_start(game: Arc<dyn AnyGame>, seats: Vec<Occupant>, seed: u64) -> Result<LiveMatch, InputError> {
        let players = game.spec().players.len();
        if seats.len() != players {
            return Err(InputError::new(format!("{} seats are filled, the game has {players}", seats.len()))
                .with_help(format!("the seats are {}", game.spec().players.join(", "))));
        }
        let table = game.table(None)?;
        let (choices, queued) = (vec![None; players], vec![Vec::new(); players]);
        let (steps, resigned, undone) = (Vec::new(), None, 0);
        Ok(LiveMatch { game, table, mind: None, seats, seed, choices, queued, steps, resigned, undone })
    }

    /// Takes a match up again.
    pub fn resume(catalogue: &Catalogue, record: LiveRecord) -> Result<LiveMatch, InputError> {
        LiveMatch::resume_of(catalogue.open(&record.game)?, record)
    }

    /// Takes a match of an opened game up again.
    pub fn resume_of(game: Arc<dyn AnyGame>, record: LiveRecord) -> Result<LiveMatch, InputError> {
        let mut live = LiveMatch::at_start(game, record.seats, record.seed)?;
        for (number, step) in record.steps.into_iter().enumerate() {
            live.table.step(&step.joint).map_err(|error| error.in_file(format_args!("step {}", number + 1)))?;
            live.steps.push(step);
        }
        let players = live.seats.len() as u8;
        live.resigned = record.resigned.filter(|&player| player < players).map(Player);
        Ok(live)
    }

    /// What is needed to take it up again.
    pub fn record(&self) -> LiveRecord {
        LiveRecord {
            game: self.game.spec().name.clone(),
            seats: self.seats.clone(),
            seed: self.seed,
            steps: self.steps.clone(),
            resigned: self.resigned.map(|player| player.0),
        }
    }

    /// The game.
    pub fn game(&self) -> &dyn AnyGame {
        self.game.as_ref()
    }

    /// Gives the person at a seat another name.
    pub fn rename(&mut self, player: Player, called: &str) -> Result<(), InputError> {
        match self.seats.get_mut(player.index()) {
            Some(Occupant::Person { name }) => *name = called.to_owned(),
            Some(Occupant::Agent { .. }) => return Err(InputError::new("an agent sits at this seat")),
            None => return Err(InputError::new("there is no such seat")),
        }
        Ok(())
    }

    /// The position: for looking at, not for playing.
    pub fn table(&self) -> &dyn Table {
        self.table.as_ref()
    }

    /// Who sits where.
    pub fn seats(&self) -> &[Occupant] {
        &self.seats
    }

    /// The steps made.
    pub fn steps(&self) -> &[LiveStep] {
        &self.steps
    }

    /// Who gave up.
    pub fn resigned(&self) -> Option<Player> {
        self.resigned
    }

    /// What each player got, if the match is over. Who resigns gets the least payoff of the game, the others the greatest.
    pub fn payoffs(&self) -> Option<Vec<f64>> {
        let Some(loser) = self.resigned else { return self.table.payoffs() };
        let spec = self.game.spec();
        let (least, greatest) = spec.payoffs;
        Some(spec.seats().map(|player| if player == loser { least } else { greatest }).collect())
    }

    /// What the match waits for.
    pub fn waiting(&self) -> Waiting {
        if self.resigned.is_some() {
            return Waiting::Nothing;
        }
        match self.table.turn() {
            Turn::Over => Waiting::Nothing,
            Turn::Chance => Waiting::Chance,
            turn => Waiting::Choices(turn.movers().filter(|player| self.choices[player.index()].is_none()).collect()),
        }
    }

    /// The next player awaited whose seat an agent has.
    pub fn agent_awaited(&self) -> Option<Player> {
        let Waiting::Choices(players) = self.waiting() else { return None };
        players.into_iter().find(|player| matches!(self.seats[player.index()], Occupant::Agent { .. }))
    }

    /// Has this player chosen for the step to come?
    pub fn has_chosen(&self, player: Player) -> bool {
        self.choices.get(player.index()).is_some_and(Option::is_some)
    }

    /// The choices of people for the step to come: for keeping, never for showing.
    pub fn pending(&self) -> Vec<(Player, &str)> {
        let chosen = self.choices.iter().enumerate();
        let of_people = chosen.filter_map(|(seat, choice)| match choice {
            Some((action, None)) => Some((Player(seat as u8), action.as_str())),
            _ => None,
        });
        of_people.collect()
    }

    /// A person's choice, as text. Refuses what is illegal and whoever is not awaited, and changes nothing then.
    pub fn choose(&mut self, player: Player, action: &str) -> Result<(), InputError> {
        self.expect(player)?;
        if !matches!(self.seats[player.index()], Occupant::Person { .. }) {
            return Err(InputError::new(format!("an agent sits at the seat of {}", self.name(player))));
        }
        let action = self.table.read_action(Actor::Player(player), action)?;
        self.choices[player.index()] = Some((action, None));
        self.settle()
    }

    /// Ends a person's turn: the actions that amount to it are made one after the other.
    pub fn end_turn(&mut self, player: Player) -> Result<(), InputError> {
        self.expect(player)?;
        let mut actions = self.table.end_turn(player).into_iter();
        let Some(first) = actions.next() else {
            return Err(InputError::new("this game has no end of turn to declare"));
        };
        self.queued[player.index()] = actions.collect();
        self.choose(player, &first)
    }

    /// Lets an awaited agent think, and keeps its choice.
    pub fn think(&mut self, player: Player, listener: Option<&mut dyn Listener>) -> Result<(), InputError> {
        let mut task = self.task(player)?;
        let mut mind = self.lend_mind()?;
        let decision = mind.think(&mut task, listener);
        self.take_mind(mind);
        self.answer(&task, decision?).map(drop)
    }

    /// What an awaited agent has to think about.
    pub fn task(&self, player: Player) -> Result<Task, InputError> {
        self.expect(player)?;
        let Occupant::Agent { budget, .. } = &self.seats[player.index()] else {
            return Err(InputError::new(format!("no agent sits at the seat of {}", self.name(player))));
        };
        Ok(Task {
            player,
            budget: budget.parse()?,
            rng: self.stream(player.index() as u64 + 1),
            steps: self.steps.iter().map(|step| step.joint.clone()).collect(),
            undone: self.undone,
        })
    }

    /// The agents, to think elsewhere; made anew if they were lent and never came back.
    pub fn lend_mind(&mut self) -> Result<Mind, InputError> {
        match self.mind.take() {
            Some(mind) => Ok(mind),
            None => self.new_mind(),
        }
    }

    /// Takes the agents back.
    pub fn take_mind(&mut self, mind: Mind) {
        self.mind = (self.waiting() != Waiting::Nothing).then_some(mind);
    }

    /// An agent's answer to a task. Returns whether it was still wanted: the match may have been taken back or given up since.
    pub fn answer(&mut self, task: &Task, decision: DecisionText) -> Result<bool, InputError> {
        if task.undone != self.undone || task.steps.len() != self.steps.len() || self.expect(task.player).is_err() {
            return Ok(false);
        }
        let action = self.table.read_action(Actor::Player(task.player), &decision.action)?;
        self.choices[task.player.index()] = Some((action, Some(decision)));
        self.settle()?;
        if self.waiting() == Waiting::Nothing {
            self.mind = None;
        }
        Ok(true)
    }

    /// Lets nature draw, if it is awaited; returns what it drew.
    pub fn draw(&mut self) -> Option<String> {
        if self.waiting() != Waiting::Chance {
            return None;
        }
        let actors = self.actor_names();
        let mut rng = self.stream(0);
        let outcome = self.table.draw_outcome(&mut rng)?;
        self.steps.push(LiveStep { actors, joint: vec![outcome.clone()], decisions: vec![None] });
        self.take_queued();
        Some(outcome)
    }

    /// Is there a choice of a person to take back?
    pub fn can_undo(&self) -> bool {
        self.last_choice().is_some()
    }

    /// The number of steps before a person's last choice.
    fn last_choice(&self) -> Option<usize> {
        let person = |name: &String| {
            let seat = self.game.spec().players.iter().position(|player| player == name);
            seat.is_some_and(|seat| matches!(self.seats[seat], Occupant::Person { .. }))
        };
        self.steps.iter().rposition(|step| step.actors.iter().any(person))
    }

    /// Back to the last state in which a person chose. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(last) = self.last_choice() else { return false };
        self.undone += 1;
        while self.steps.len() > last {
            self.steps.pop();
            self.table.undo();
        }
        self.choices.fill(None);
        self.queued.iter_mut().for_each(Vec::clear);
        self.resigned = None;
        true
    }

    /// A player gives up.
    pub fn resign(&mut self, player: Player) -> Result<(), InputError> {
        if self.waiting() == Waiting::Nothing {
            return Err(InputError::new("the match is over"));
        }
        if player.index() >= self.seats.len() {
            return Err(InputError::new("there is no such seat"));
        }
        self.resigned = Some(player);
        Ok(())
    }

    fn new_mind(&self) -> Result<Mind, InputError> {
        Mind::new(self.game.as_ref(), &self.seats)
    }

    fn name(&self, player: Player) -> &str {
        self.game.spec().player_name(player)
    }

    fn expect(&self, player: Player) -> Result<(), InputError> {
        match self.waiting() {
            Waiting::Choices(players) if players.contains(&player) => Ok(()),
            Waiting::Nothing => Err(InputError::new("the match is over")),
            _ if player.index() >= self.seats.len() => Err(InputError::new("there is no such seat")),
            _ => Err(InputError::new(format!("{} is not to choose now", self.name(player)))),
        }
    }

    fn actor_names(&self) -> Vec<String> {
        self.table.actors().into_iter().map(|(_, name)| name).collect()
    }

    /// The random numbers of one who acts in the step to come.
    fn stream(&self, who: u64) -> Rng {
        Rng::new(mix(mix(self.seed, who), self.steps.len() as u64))
    }

    /// Makes the step if everybody has chosen.
    fn settle(&mut self) -> Result<(), InputError> {
        let movers: Vec<Player> = self.table.turn().movers().collect();
        if !movers.iter().all(|player| self.has_chosen(*player)) {
            return Ok(());
        }
        let actors = self.actor_names();
        let chosen = movers.iter().filter_map(|player| self.choices[player.index()].take());
        let (joint, decisions): (Vec<_>, Vec<_>) = chosen.unzip();
        self.table.step(&joint)?;
        self.steps.push(LiveStep { actors, joint, decisions });
        self.take_queued();
        Ok(())
    }

    /// The rest of a turn that was ended, as far as it still fits.
    fn take_queued(&mut self) {
        let Turn::Player(player) = self.table.turn() else { return };
        if self.queued[player.index()].is_empty() {
            return;
        }
        let next = self.queued[player.index()].remove(0);
        if self.choose(player, &next).is_err() {
            self.queued[player.index()].clear();
        }
    }
}
