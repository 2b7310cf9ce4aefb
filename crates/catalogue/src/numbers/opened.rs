//! What a program that knows actions by number asks of an opened game.

use std::any::Any;

use tesuji_core::laws::Complete;
use tesuji_core::{InputError, Rng};

use super::{
    AnyAgent, AnyBatch, AnyPosition, BatchPlan, HeldState, Numbers, NumbersInfo, TypedAgent, TypedBatch, TypedPosition,
    play_outs,
};
use crate::any_game::Opened;

/// An opened game for programs that know actions by number; see [`AnyGame::by_numbers`](crate::AnyGame::by_numbers).
pub trait ByNumbers: Send + Sync {
    /// How the game numbers its actions and describes its states; refuses games that do not.
    fn numbers(&self) -> Result<NumbersInfo, InputError>;

    /// The start or a written state, for use by numbers.
    fn position(&self, state: Option<&str>) -> Result<Box<dyn AnyPosition>, InputError>;

    /// A position of a state of this game, as a [`HostedAgent`](crate::HostedAgent) is given it.
    fn adopt(&self, state: &dyn Any) -> Result<Box<dyn AnyPosition>, InputError>;

    /// Many matches that are stepped together.
    fn batch(&self, plan: BatchPlan) -> Result<Box<dyn AnyBatch>, InputError>;

    /// An agent for single decisions.
    fn numbered_agent(&self, address: &str) -> Result<Box<dyn AnyAgent>, InputError>;

    /// Plays positions out uniformly at random, `each` times, and adds the payoffs to
    /// `totals[position * players + player]`. Returns the number of steps.
    fn play_outs(
        &self,
        positions: &[&dyn AnyPosition],
        each: u32,
        rng: &mut Rng,
        totals: &mut [f64],
    ) -> Result<u64, InputError>;
}

impl<G: Complete> ByNumbers for Opened<G> {
    fn numbers(&self) -> Result<NumbersInfo, InputError> {
        Ok(Numbers::of(&*self.game)?.info(&*self.game))
    }

    fn position(&self, state: Option<&str>) -> Result<Box<dyn AnyPosition>, InputError> {
        Ok(Box::new(TypedPosition::new(self.game.shared(), self.state(state)?)?))
    }

    fn adopt(&self, state: &dyn Any) -> Result<Box<dyn AnyPosition>, InputError> {
        let held: Option<&HeldState<G>> = state.downcast_ref();
        let HeldState(state) =
            held.ok_or_else(|| InputError::new(format!("this is no state of `{}`", self.game.spec().name)))?;
        Ok(Box::new(TypedPosition::new(self.game.shared(), state.clone())?))
    }

    fn batch(&self, plan: BatchPlan) -> Result<Box<dyn AnyBatch>, InputError> {
        Ok(Box::new(TypedBatch::new(self.game.shared(), plan)?))
    }

    fn numbered_agent(&self, address: &str) -> Result<Box<dyn AnyAgent>, InputError> {
        Ok(Box::new(TypedAgent::new(self.game.clone(), address)?))
    }

    fn play_outs(
        &self,
        positions: &[&dyn AnyPosition],
        each: u32,
        rng: &mut Rng,
        totals: &mut [f64],
    ) -> Result<u64, InputError> {
        play_outs(&self.game.shared(), positions, each, rng, totals)
    }
}
