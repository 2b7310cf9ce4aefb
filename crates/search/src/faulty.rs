//! An agent that fails on purpose, to test that a tournament survives it.

use std::thread;
use std::time::Duration;

use tesuji_core::{Actor, Game, Rng, Turn, legal_actions};

use crate::{Agent, Budget, Decision, Failure, Random, Seat};

/// How the agent fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// It panics.
    Panic,
    /// It answers with an illegal action, if one is known from the match so far or its start; otherwise it panics.
    Illegal,
    /// It takes a quarter of a second longer than its time budget.
    Slow,
}

/// Plays at random for `after` decisions of a match, then fails.
#[derive(Clone, Debug)]
pub(crate) struct Faulty {
    /// How it fails.
    pub fault: Fault,
    /// The number of correct decisions of a match.
    pub after: u64,
    /// The number of decisions made in this match.
    made: u64,
}

impl Faulty {
    /// An agent that fails after this many decisions.
    pub(crate) fn new(fault: Fault, after: u64) -> Faulty {
        Faulty { fault, after, made: 0 }
    }
}

impl<G: Game> Agent<G> for Faulty {
    fn begin(&mut self) {
        self.made = 0;
    }

    /// If no decision is to succeed, it already panics on the start clock.
    fn prepare(&mut self, _: Seat<'_, G>, _: &Budget, _: &mut Rng) -> Result<(), Failure> {
        if self.after == 0 && self.fault == Fault::Panic {
            panic!("a fault on purpose before the match");
        }
        Ok(())
    }

    fn choose(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        self.made += 1;
        if self.made > self.after {
            match self.fault {
                Fault::Panic => panic!("a fault on purpose"),
                Fault::Slow => thread::sleep(budget.time.unwrap_or_default() + Duration::from_millis(250)),
                Fault::Illegal => match illegal_action(&seat) {
                    Some(action) => return Ok(Decision::pure(action)),
                    None => panic!("no illegal action is known here"),
                },
            }
        }
        Random.choose(seat, budget, rng)
    }
}

/// An action that was played before, or legal at the start, and is not legal now.
fn illegal_action<G: Game>(seat: &Seat<'_, G>) -> Option<G::Action> {
    let legal = legal_actions(seat.game, seat.state, Actor::Player(seat.player));
    let start = seat.game.start();
    let at_start = match seat.game.turn(&start) {
        Turn::Over => Vec::new(),
        turn => turn.actors().flat_map(|actor| legal_actions(seat.game, &start, actor)).collect(),
    };
    let played = seat.history.steps().flatten().copied();
    played.chain(at_start).find(|action| !legal.contains(action))
}
