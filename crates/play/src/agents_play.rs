//! Agents in a match: single decisions, start clocks, and whole matches between agents.

use std::ops::Deref;
use std::time::Duration;

use crate::{Agent, Budget, Decision, Failure, Seat, Watcher};
use tesuji_core::{Game, Player};

use crate::agents::{self, DecisionRecord, Seated};
use crate::{Ending, Match, StepObserver, Waiting};

impl<G: Game, H: Deref<Target = G>, O: StepObserver<G>> Match<G, H, O> {
    /// Lets an agent think before its first decision, on the start clock. `player` need not act in the next step. A
    /// failure ends the match.
    pub fn prepare(&mut self, player: Player, seated: &mut Seated<'_, G>) -> Result<(), Failure> {
        let Some(clock) = seated.start else { return Ok(()) };
        let Match { game, state, history, .. } = self;
        let seat = Seat { game: &**game, state, player, history, watcher: None };
        let prepared = self
            .streams
            .seat(player, history.len(), |rng| agents::prepare(seated.agent, seat, &clock, seated.limit, rng));
        prepared.inspect_err(|failure| self.fail(player, failure.clone()))
    }

    /// Lets an agent choose for an awaited player; returns its decision. A failure ends the match: the player forfeits.
    ///
    /// # Panics
    ///
    /// If the match does not wait for this player.
    pub fn think(
        &mut self,
        player: Player,
        agent: &mut dyn Agent<G>,
        budget: &Budget,
        limit: Option<Duration>,
        watcher: Option<&mut dyn Watcher<G::Action>>,
    ) -> Result<Decision<G::Action>, Failure> {
        assert_eq!(self.expect(player), Ok(()), "an agent is asked for an awaited player");
        let Match { game, state, history, legal, .. } = self;
        let watcher = watcher.map(|watcher| watcher as &mut dyn Watcher<G::Action>);
        let seat = Seat { game: &**game, state, player, history, watcher };
        let asked =
            self.streams.seat(player, history.len(), |rng| agents::ask_within(agent, seat, budget, limit, rng, legal));
        match asked {
            Ok((decision, time)) => {
                self.decisions.push(DecisionRecord::new(player, &decision, time));
                self.settle(player, decision.action);
                Ok(decision)
            }
            Err(failure) => {
                self.fail(player, failure.clone());
                Err(failure)
            }
        }
    }

    /// Plays a match of agents to its end. `seated` is in seat order.
    pub fn play(&mut self, seated: &mut [Seated<'_, G>]) -> Ending {
        self.begin(seated);
        while self.advance(seated) {}
        self.end(seated);
        self.ending.clone().unwrap_or(Ending::Natural)
    }

    /// Tells the agents that the match begins, and grants their start clocks, movers or not. A failure ends the match.
    pub fn begin(&mut self, seated: &mut [Seated<'_, G>]) {
        for (seat, seated) in seated.iter_mut().enumerate() {
            if let Err(failure) = agents::begin(seated.agent) {
                self.fail(Player(seat as u8), failure);
            }
        }
        for (seat, seated) in seated.iter_mut().enumerate() {
            if self.ending.is_some() || self.prepare(Player(seat as u8), seated).is_err() {
                return;
            }
        }
    }

    /// Plays one step of a match between agents; `false` if the match is over.
    pub fn advance(&mut self, seated: &mut [Seated<'_, G>]) -> bool {
        match self.waiting() {
            Waiting::Nothing => return false,
            Waiting::Chance => drop(self.draw()),
            Waiting::Choices(players) => {
                for player in players {
                    let Seated { agent, budget, limit, .. } = &mut seated[player.index()];
                    if self.think(player, &mut **agent, budget, *limit, None).is_err() {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Tells the agents that the match is over.
    pub fn end(&mut self, seated: &mut [Seated<'_, G>]) {
        for seated in seated {
            // The result is final: a panic here changes nothing.
            drop(agents::end(seated.agent));
        }
    }
}
