//! A match without its types: everything in text. What surfaces, referees and records hold.

use serde::{Deserialize, Serialize};
use tesuji_core::{Actor, AreaId, InputError, Note, Phrase, Picture, Player, Rng, Spec, Turn};
use tesuji_play::Budget;
use tesuji_play::{Ending, Streams, Waiting};

use crate::{AgentTask, AnyGame, DecisionText, Listener};

/// One match of a game, in text. The typed machine behind it is [`tesuji_play::Match`].
///
/// Three ways to make a step: players choose one by one ([`choose`](AnyMatch::choose), [`decide`](AnyMatch::decide),
/// [`draw`](AnyMatch::draw)), or a whole step is given ([`step`](AnyMatch::step)).
pub trait AnyMatch: Send {
    /// What holds in every state of the game.
    fn spec(&self) -> &Spec;

    /// Who acts next by the rules.
    fn turn(&self) -> Turn;

    /// Those whose actions make up the next step, in its order, with their names (`chance` for nature).
    fn actors(&self) -> Vec<(Actor, String)>;

    /// The legal actions of one actor as text, in the game's own order.
    fn legal(&self, actor: Actor) -> Vec<String>;

    /// The action that a text names, as [`legal`](AnyMatch::legal) writes it. Refuses what is not legal.
    fn read_action(&self, actor: Actor, text: &str) -> Result<String, InputError>;

    /// The features of an action of a player, as many as the game names. Refuses what is not legal.
    fn action_features(&self, player: Player, text: &str) -> Result<Vec<f64>, InputError>;

    /// The probability of each outcome of nature, in the order of [`legal`](AnyMatch::legal).
    fn chances(&self) -> Vec<(String, f64)>;

    /// The texts of the actions that end `player`'s turn without doing anything more; empty if there is no such thing.
    fn end_turn(&self, player: Player) -> Vec<String>;

    /// The steps so far, as text.
    fn steps(&self) -> Vec<Vec<String>> {
        self.made().iter().map(|step| step.joint.clone()).collect()
    }

    /// The steps so far, with the thoughts of the agents that were kept.
    fn made(&self) -> &[LiveStep];

    /// The actions of the steps so far as people see them, one for each actor of a step.
    fn shown(&self) -> &[Vec<ShownAction>];

    /// The state on one line.
    fn state_text(&self) -> String;

    /// The state for a terminal.
    fn board_text(&self) -> String;

    /// The state drawn.
    fn picture(&self) -> Picture;

    /// The areas to click for each legal action of an actor, in the order of [`legal`](AnyMatch::legal).
    fn clicks(&self, actor: Actor) -> Vec<Vec<AreaId>>;

    /// What each legal action of an actor would do, where the game says so, in the order of [`legal`](AnyMatch::legal).
    fn notes(&self, actor: Actor) -> Vec<Option<Note>>;

    /// Each legal action of an actor as people would say it, in the order of [`legal`](AnyMatch::legal).
    fn phrases(&self, actor: Actor) -> Vec<Phrase>;

    /// What the match waits for.
    fn waiting(&self) -> Waiting;

    /// How the match ended; `None` while it continues.
    fn ending(&self) -> Option<&Ending>;

    /// The payoffs, when the match is over. After a failure or a resignation the loser gets the least payoff of the
    /// game, all others the greatest.
    fn payoffs(&self) -> Option<Vec<f64>>;

    /// Who sits where.
    fn seats(&self) -> &[Occupant];

    /// Fills all seats, and sets the random streams that nature and agents draw from. Agents are built when they are
    /// first needed, or by [`check_agents`](AnyMatch::check_agents).
    fn fill_seats(&mut self, seats: Vec<Occupant>, streams: Streams) -> Result<(), InputError>;

    /// Builds the agents of all seats that have none yet. Refuses agents that cannot play, and budgets that cannot be
    /// read.
    fn check_agents(&mut self) -> Result<(), InputError>;

    /// Lets all agents think before the first step, each on this clock. A failure ends the match, and is the error.
    fn start_clock(&mut self, clock: &Budget) -> Result<(), InputError>;

    /// Gives the person at a seat another name.
    fn rename(&mut self, player: Player, name: &str) -> Result<(), InputError>;

    /// The next awaited player whose seat an agent has.
    fn agent_awaited(&self) -> Option<Player>;

    /// Has this player chosen for the step to come?
    fn has_chosen(&self, player: Player) -> bool;

    /// The choices of people for the step to come: for keeping, never for showing.
    fn pending(&self) -> Vec<(Player, String)>;

    /// A person's choice. Refuses what is illegal and whoever is not awaited, and changes nothing then.
    fn choose(&mut self, player: Player, action: &str) -> Result<(), InputError>;

    /// Ends a person's turn: the actions that this amounts to are made one after the other.
    fn choose_end_turn(&mut self, player: Player) -> Result<(), InputError>;

    /// Lets nature draw, if it is awaited; returns what it drew.
    fn draw(&mut self) -> Option<String>;

    /// Lets an awaited agent choose, on its budget. A failure ends the match, and is the error.
    fn decide(&mut self, player: Player, listener: Option<&mut dyn Listener>) -> Result<(), InputError> {
        let mut task = self.lend(player)?;
        // A failure is part of the answer.
        drop(task.think(listener));
        self.answer(task).map(drop)
    }

    /// The agents with what one of them has to decide, to think on another thread. Those who were lent and never came
    /// back are built anew.
    fn lend(&mut self, player: Player) -> Result<AgentTask, InputError>;

    /// Takes the agents and the answer to a task back. Returns whether the answer was still wanted: steps may have been
    /// taken back since, or the match may have ended. A failure ends the match, and is the error.
    fn answer(&mut self, task: AgentTask) -> Result<bool, InputError>;

    /// Plays one whole step: one text for each actor. Refuses what is illegal, naming legal actions near it, and
    /// changes nothing then.
    fn step(&mut self, joint: &[String]) -> Result<(), InputError>;

    /// Plays a step that was made before, with the thoughts that were kept.
    fn replay(&mut self, step: LiveStep) -> Result<(), InputError>;

    /// Lets nature act with the caller's random numbers; returns what it drew.
    fn draw_outcome(&mut self, rng: &mut Rng) -> Option<String>;

    /// Takes back the last step, if there is one. Agents begin anew.
    fn undo(&mut self) -> bool;

    /// Is there a choice of a person to take back?
    fn can_take_back(&self) -> bool;

    /// Takes back everything since the last state in which a person chose. Returns whether there was one.
    fn take_back(&mut self) -> bool;

    /// A player resigns.
    fn resign(&mut self, player: Player) -> Result<(), InputError>;

    /// Seats an agent in place of whoever sat there, for [`think`](AnyMatch::think).
    fn seat(&mut self, player: Player, agent: &str) -> Result<(), InputError>;

    /// Lets the seated agent of `player`, who need not be among the movers, think before its first decision: the start
    /// clock. What it learns may change what it chooses.
    fn prepare(&mut self, player: Player, budget: &Budget, rng: &mut Rng) -> Result<(), InputError>;

    /// Asks the seated agent of `player`, one of the movers, what it would choose. Plays nothing, and a failure does
    /// not end the match; the agent is built anew then.
    fn think(&mut self, player: Player, budget: &Budget, rng: &mut Rng) -> Result<DecisionText, InputError> {
        self.think_aloud(player, budget, rng, None)
    }

    /// Like [`think`](AnyMatch::think); the listener hears the thoughts and answers whether to continue.
    fn think_aloud(
        &mut self,
        player: Player,
        budget: &Budget,
        rng: &mut Rng,
        listener: Option<&mut dyn Listener>,
    ) -> Result<DecisionText, InputError>;

    /// Another match of the same game that has come as far as this one had after `steps` steps; nobody is seated.
    fn branch(&self, steps: usize) -> Box<dyn AnyMatch>;
}

/// A new match of an opened game: one occupant a seat. Refuses agents that cannot play.
pub fn live_match(game: &dyn AnyGame, seats: Vec<Occupant>, streams: Streams) -> Result<Box<dyn AnyMatch>, InputError> {
    let mut new = game.new_match(None)?;
    new.fill_seats(seats, streams)?;
    new.check_agents()?;
    Ok(new)
}

/// Resumes a match of an opened game. Its agents are built when they are needed: a match that is over needs none.
pub fn resume_match(game: &dyn AnyGame, record: LiveRecord) -> Result<Box<dyn AnyMatch>, InputError> {
    let mut resumed = game.new_match(None)?;
    resumed.fill_seats(record.seats, Streams::by_step(record.seed))?;
    for (number, step) in record.steps.into_iter().enumerate() {
        resumed.replay(step).map_err(|error| error.in_file(format_args!("step {}", number + 1)))?;
    }
    let players = resumed.spec().players.len();
    if let Some(player) = record.resigned.map(Player).filter(|player| player.index() < players) {
        // A match that is over by the rules stays so.
        drop(resumed.resign(player));
    }
    Ok(resumed)
}

/// Who sits at a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Occupant {
    /// Somebody whose choices are brought from outside.
    Person {
        /// What they are called.
        name: String,
    },
    /// An agent.
    Agent {
        /// Its address.
        agent: String,
        /// What a decision may cost, as text such as `2000` or `250ms`.
        budget: String,
    },
}

/// One step that was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LiveStep {
    /// The names of those who acted.
    pub actors: Vec<String>,
    /// What they did.
    pub joint: Vec<String>,
    /// What the agents among them thought; `None` for people and nature.
    pub decisions: Vec<Option<DecisionText>>,
}

/// An action that was made, as people see it.
#[derive(Clone, PartialEq, Debug)]
pub struct ShownAction {
    /// The action in words.
    pub phrase: Phrase,
    /// The areas of the picture before it that name it.
    pub clicks: Vec<AreaId>,
    /// What it did.
    pub note: Option<Note>,
}

/// Everything that is needed to resume a match whose random streams are derived from one seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LiveRecord {
    /// The address of the game.
    pub game: String,
    /// Who sits where.
    pub seats: Vec<Occupant>,
    /// What everything random is drawn from.
    pub seed: u64,
    /// The steps made.
    pub steps: Vec<LiveStep>,
    /// Who resigned, or lost by a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<u8>,
}
