//! From a sheet to a network: grounded, then made gates.

use std::fmt;

use tesuji_core::InputError;

use crate::{Ground, Grounding, GroundingLimits, Limit, Network, Sheet, Statistics, TooLarge, ground};

/// A sheet as a network.
#[derive(Debug)]
pub struct Compiled {
    /// The rules without variables.
    pub ground: Box<Ground>,
    /// How they were made.
    pub statistics: Statistics,
    /// The gates.
    pub network: Network,
}

/// Why a sheet has no network. The interpreter can still run it.
#[derive(Debug)]
pub enum Obstacle {
    /// Grounding reached a limit.
    TooLarge(TooLarge),
    /// Rules that go in circles would take too many gates.
    Circles,
}

impl Obstacle {
    /// Was grounding stopped from outside, rather than by a limit?
    pub fn is_stopped(&self) -> bool {
        matches!(self, Obstacle::TooLarge(TooLarge { limit: Limit::Stopped, .. }))
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::TooLarge(too_large) => too_large.fmt(f),
            Obstacle::Circles => f.write_str("its rules go in circles that take too many gates"),
        }
    }
}

/// Makes a network of a sheet, or says what stands in the way. While the sheet is grounded, `stop` is asked now and then;
/// `true` ends it. The error is one of the sheet itself.
pub fn compile(
    sheet: &Sheet,
    limits: &GroundingLimits,
    stop: &dyn Fn() -> bool,
) -> Result<Result<Compiled, Obstacle>, InputError> {
    Ok(match ground(sheet, limits, stop)? {
        Grounding::Done(ground, statistics) => match Network::new(&ground) {
            Some(network) => Ok(Compiled { ground, statistics, network }),
            None => Err(Obstacle::Circles),
        },
        Grounding::TooLarge(too_large) => Err(Obstacle::TooLarge(too_large)),
    })
}
