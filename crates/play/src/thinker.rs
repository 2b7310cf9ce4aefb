//! Agents that think on another thread than their match.

use std::time::{Duration, Instant};

use crate::{Agent, Budget, Decision, Failure, Seat, Watcher};
use tesuji_core::{Game, History, Player, Rng};

use crate::Seated;
use crate::agents;

/// The agents of one match with their memory. It can move to another thread while the match is shown, undone or
/// resigned.
pub struct Thinker<G: Game> {
    agents: Vec<Option<Box<dyn Agent<G>>>>,
    /// The generation of the match that the agents remember.
    generation: u64,
}

/// A decision that an agent has to make.
pub struct Task<G: Game> {
    pub(crate) player: Player,
    pub(crate) budget: Budget,
    pub(crate) rng: Rng,
    pub(crate) state: G::State,
    pub(crate) history: History<G::Action>,
    pub(crate) generation: u64,
}

impl<G: Game> Task<G> {
    /// The player who has to choose.
    pub fn player(&self) -> Player {
        self.player
    }

    /// The number of steps before the current position.
    pub fn step(&self) -> usize {
        self.history.len()
    }

    /// The current position.
    pub fn state(&self) -> &G::State {
        &self.state
    }
}

impl<G: Game> Thinker<G> {
    /// No agents yet, for a match of this generation.
    pub fn new(seats: usize, generation: u64) -> Thinker<G> {
        Thinker { agents: (0..seats).map(|_| None).collect(), generation }
    }

    /// Seats an agent, and tells it that a match begins.
    pub fn seat(&mut self, player: Player, mut agent: Box<dyn Agent<G>>) -> Result<(), Failure> {
        agents::begin(&mut *agent)?;
        self.agents[player.index()] = Some(agent);
        Ok(())
    }

    /// Whether an agent sits here.
    pub fn has(&self, player: Player) -> bool {
        self.agents.get(player.index()).is_some_and(Option::is_some)
    }

    /// The agent of a player with a start clock, for [`Match::prepare`](crate::Match::prepare).
    pub fn seated(&mut self, player: Player, start: Budget) -> Option<Seated<'_, G>> {
        let agent = self.agents.get_mut(player.index())?.as_mut()?;
        Some(Seated { agent: &mut **agent, budget: Budget::default(), start: Some(start), limit: None })
    }

    /// Lets the agent of `seat.player` think before its first decision.
    pub fn prepare(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<(), Failure> {
        let agent = agent_at(&mut self.agents, seat.player)?;
        agents::prepare(agent, seat, budget, None, rng)
    }

    /// Works on a task; returns the decision and the time taken.
    pub fn think(
        &mut self,
        game: &G,
        task: &mut Task<G>,
        watcher: Option<&mut dyn Watcher<G::Action>>,
    ) -> Result<(Decision<G::Action>, Duration), Failure> {
        let Task { player, budget, rng, state, history, generation } = task;
        self.follow(*generation)?;
        let watcher = watcher.map(|watcher| watcher as &mut dyn Watcher<G::Action>);
        let seat = Seat { game, state, player: *player, history, watcher };
        let begun = Instant::now();
        let decision = agents::ask(agent_at(&mut self.agents, *player)?, seat, budget, rng)?;
        Ok((decision, begun.elapsed()))
    }

    /// Decides for `seat.player` in a position of a match of this generation.
    pub fn decide(
        &mut self,
        seat: Seat<'_, G>,
        budget: &Budget,
        rng: &mut Rng,
        generation: u64,
    ) -> Result<Decision<G::Action>, Failure> {
        self.follow(generation)?;
        agents::ask(agent_at(&mut self.agents, seat.player)?, seat, budget, rng)
    }

    /// An agent's memory may belong to steps that were undone: it starts afresh.
    fn follow(&mut self, generation: u64) -> Result<(), Failure> {
        if self.generation != generation {
            self.generation = generation;
            for agent in self.agents.iter_mut().flatten() {
                agents::begin(&mut **agent)?;
            }
        }
        Ok(())
    }

    /// What the agent of a player wants to be kept with the match, since this was last called.
    pub fn transcript(&mut self, player: Player) -> Option<String> {
        self.agents.get_mut(player.index())?.as_mut()?.transcript()
    }

    /// Tells the agents that the match is over.
    pub fn end(mut self) {
        for agent in self.agents.iter_mut().flatten() {
            // The result is final: a panic here changes nothing.
            drop(agents::end(&mut **agent));
        }
    }
}

fn agent_at<G: Game>(agents: &mut [Option<Box<dyn Agent<G>>>], player: Player) -> Result<&mut dyn Agent<G>, Failure> {
    match agents.get_mut(player.index()) {
        Some(Some(agent)) => Ok(&mut **agent),
        _ => Err(Failure::Broken("no agent sits at this seat".to_owned())),
    }
}
