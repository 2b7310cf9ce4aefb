//! Compiles a rule sheet to a network: grounds it and builds the gates.

use std::fmt;

use tesuji_core::InputError;

use crate::{Ground, Grounding, GroundingLimits, Limit, Network, Sheet, Statistics, TooLarge, ground};

/// A sheet compiled to a network.
#[derive(Debug)]
pub struct Compiled {
    /// The rules without variables.
    pub ground: Box<Ground>,
    /// The size of the grounded rules and the cost of grounding.
    pub statistics: Statistics,
    /// The gates.
    pub network: Network,
}

/// Why a sheet has no network. The interpreter can still run it.
#[derive(Debug)]
pub enum Obstacle {
    /// Grounding reached a limit.
    TooLarge(TooLarge),
    /// Unrolling recursive rules would take too many gates.
    Circles,
}

impl Obstacle {
    /// Whether the caller stopped grounding, rather than a limit.
    pub fn is_stopped(&self) -> bool {
        matches!(self, Obstacle::TooLarge(TooLarge { limit: Limit::Stopped, .. }))
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::TooLarge(too_large) => too_large.fmt(f),
            Obstacle::Circles => f.write_str("unrolling its recursive rules takes too many gates"),
        }
    }
}

/// Compiles a sheet to a network, or says why that is impossible.
///
/// While the sheet is grounded, `stop` is polled regularly; `true` ends the work. An error means that the sheet itself
/// is wrong.
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
