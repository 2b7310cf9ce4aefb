//! One match between agents, typed: the loop that everything else in the arena is built on.
//!
//! An agent that panics, answers with an illegal action or exceeds the hard limit on time has committed a foul: it forfeits
//! the match, and only that match.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tesuji_core::laws::Complete;
use tesuji_core::{Actor, Game, History, Player, Rng, Turn, mix};
use tesuji_search::{Agent, Budget, Decision, Failure, Seat};

/// What happened in one decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DecisionRecord {
    /// Who decided.
    pub player: Player,
    /// How often the chosen action was tried.
    pub visits: u64,
    /// What the agent expected to get; `None` if it had no opinion.
    pub value: Option<f64>,
    /// The greatest depth of its tree, in steps.
    pub depth: u32,
    /// Playouts made.
    pub playouts: u64,
    /// Time taken, by the clock of the arena.
    pub time: Duration,
}

/// How a match ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ending {
    /// By the rules.
    Natural,
    /// By a foul of one player, who forfeits.
    Foul {
        /// Who.
        player: Player,
        /// What.
        foul: Failure,
    },
}

/// A seated agent with what a decision may cost it.
pub(crate) struct Seated<'a, G: Game> {
    pub agent: &'a mut dyn Agent<G>,
    pub budget: Budget,
    /// What it may spend before the first step; `None`: nothing.
    pub start: Option<Budget>,
    /// The longest a decision may take; `None`: for ever.
    pub limit: Option<Duration>,
}

/// The random streams of one match: nature's own, and one for each seat.
///
/// The matches of a pair share nature's stream but not the agents', so that dice are the same for both sides.
pub(crate) struct Streams {
    nature: Rng,
    seats: Vec<Rng>,
}

impl Streams {
    /// Match `index` of the round that has `seed`.
    pub(crate) fn new(seed: u64, index: u64, seats: usize) -> Streams {
        let own = mix(mix(seed, 1), index);
        Streams {
            nature: Rng::new(mix(seed, 0)),
            seats: (0..seats as u64).map(|seat| Rng::new(mix(own, seat))).collect(),
        }
    }
}

/// A match under way, advanced step by step.
pub(crate) struct Running<'a, G: Game> {
    game: &'a G,
    streams: Streams,
    joint: Vec<G::Action>,
    legal: Vec<G::Action>,
    pub state: G::State,
    pub history: History<G::Action>,
    pub decisions: Vec<DecisionRecord>,
}

impl<'a, G: Complete> Running<'a, G> {
    /// Sits the agents down for a new match.
    pub(crate) fn begin(game: &'a G, seated: &mut [Seated<'_, G>], streams: Streams) -> Running<'a, G> {
        for seat in seated.iter_mut() {
            seat.agent.begin();
        }
        Running {
            game,
            streams,
            joint: Vec::new(),
            legal: Vec::new(),
            state: game.start(),
            history: History::default(),
            decisions: Vec::new(),
        }
    }

    /// Lets every seat that has a start clock think before the first step, mover or not. Who has a hard limit on decisions
    /// may exceed the clock by that much.
    pub(crate) fn prepare(&mut self, seated: &mut [Seated<'_, G>]) -> Result<(), (Player, Failure)> {
        for (player, seated) in self.game.spec().seats().zip(seated) {
            let Some(start) = seated.start else { continue };
            let seat = Seat { game: self.game, state: &self.state, player, history: &self.history, watcher: None };
            let rng = &mut self.streams.seats[player.index()];
            let begun = Instant::now();
            guarded(|| seated.agent.prepare(seat, &start, rng)).map_err(|failure| (player, failure))?;
            let taken = begun.elapsed();
            if let (Some(clock), Some(limit)) = (start.time, seated.limit)
                && taken > clock + limit
            {
                return Err((player, Failure::Overtime(taken)));
            }
        }
        Ok(())
    }

    /// Plays one step; `false` if the match is over by the rules. `seated` is in seat order.
    pub(crate) fn step(&mut self, seated: &mut [Seated<'_, G>]) -> Result<bool, (Player, Failure)> {
        let turn = self.game.turn(&self.state);
        self.joint.clear();
        match turn {
            Turn::Over => return Ok(false),
            Turn::Chance => self.joint.push(self.game.random_outcome(&self.state, &mut self.streams.nature)),
            Turn::Player(_) | Turn::Simultaneous(_) => {
                for player in turn.movers() {
                    let decision = self.decide(player, &mut seated[player.index()]).map_err(|foul| (player, foul))?;
                    self.joint.push(decision);
                }
            }
        }
        self.game.apply(&mut self.state, &self.joint);
        self.history.push(&self.joint);
        Ok(true)
    }

    fn decide(&mut self, player: Player, seated: &mut Seated<'_, G>) -> Result<G::Action, Failure> {
        let Running { game, state, history, streams, .. } = self;
        let seat = Seat { game: *game, state, player, history, watcher: None };
        let rng = &mut streams.seats[player.index()];
        let begun = Instant::now();
        // The agent is not used again after a panic: its owner builds another one.
        let decision: Decision<G::Action> = guarded(|| seated.agent.choose(seat, &seated.budget, rng))?;
        let taken = begun.elapsed();
        if seated.limit.is_some_and(|limit| taken > limit) {
            return Err(Failure::Overtime(taken));
        }
        self.legal.clear();
        game.legal(state, player, &mut self.legal);
        if !self.legal.contains(&decision.action) {
            return Err(Failure::Illegal(format!("{:?}", decision.action)));
        }
        let thought = &decision.thought;
        let chosen = thought.candidates.iter().find(|candidate| candidate.action == decision.action);
        self.decisions.push(DecisionRecord {
            player,
            visits: chosen.map_or(0, |candidate| candidate.visits),
            value: decision.value,
            depth: thought.depth,
            playouts: thought.playouts,
            time: taken,
        });
        Ok(decision.action)
    }

    /// What each player gets for this ending: by the rules, or, after a foul, the least for the one who committed it and
    /// the greatest for all others.
    pub(crate) fn payoffs(&self, ending: &Ending) -> Vec<f64> {
        let spec = self.game.spec();
        let payoff = |seat: Player| match ending {
            Ending::Natural => self.game.payoff(&self.state, seat),
            Ending::Foul { player, .. } if *player == seat => spec.payoffs.0,
            Ending::Foul { .. } => spec.payoffs.1,
        };
        spec.seats().map(payoff).collect()
    }

    /// The steps so far as text, one a line, the actions of a step parted by tabs.
    pub(crate) fn moves(&self) -> String {
        let mut state = self.game.start();
        let mut text = String::new();
        for joint in self.history.steps() {
            let turn = self.game.turn(&state);
            for (place, (actor, &action)) in turn.actors().zip(joint).enumerate() {
                if place > 0 {
                    text.push('\t');
                }
                text.push_str(&self.game.action_text(&state, actor, action));
            }
            text.push('\n');
            self.game.apply(&mut state, joint);
        }
        text
    }
}

/// What an agent returns, or the failure that a panic in it amounts to.
pub(crate) fn guarded<T>(act: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|payload| Err(Failure::Panicked(panic_message(&*payload))))
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

/// Plays one match from the start to the end.
pub(crate) fn play<'a, G: Complete>(
    game: &'a G,
    seated: &mut [Seated<'_, G>],
    streams: Streams,
) -> (Running<'a, G>, Ending) {
    let mut running = Running::begin(game, seated, streams);
    let mut goes_on = running.prepare(seated).map(|()| true);
    let ending = loop {
        match goes_on {
            Ok(true) => goes_on = running.step(seated),
            Ok(false) => break Ending::Natural,
            Err((player, foul)) => break Ending::Foul { player, foul },
        }
    };
    for seat in seated.iter_mut() {
        // An agent that panicked may panic again; it is not used any more.
        let _ = guarded(|| {
            seat.agent.end();
            Ok(())
        });
    }
    (running, ending)
}

/// The name of an actor for people.
pub(crate) fn actor_name(game: &impl Game, actor: Actor) -> String {
    match actor {
        Actor::Player(player) => game.spec().player_name(player).to_owned(),
        Actor::Chance => "chance".to_owned(),
    }
}
