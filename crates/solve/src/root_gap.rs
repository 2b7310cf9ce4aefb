//! The exploitability of a one-step strategy, by the exact solver.

use tesuji_core::{Knowledge, Player, Turn};

use crate::simultaneous::{ExactSolver, GaveUp, candidates};

/// The value of a one-step strategy if play is optimal afterwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootGap {
    /// The player's value under optimal play of both.
    pub value: f64,
    /// The player's value with this strategy against a best response.
    pub secured: f64,
}

impl RootGap {
    /// The exploitability: what the strategy loses against a best response; 0 for an optimal one.
    pub fn gap(&self) -> f64 {
        (self.value - self.secured).max(0.0)
    }
}

/// The exploitability of a mix of `player`'s actions in `state`, in payoffs. The game must have two players and a
/// constant sum ([`check_solvable`](crate::simultaneous::check_solvable)), and the player must be one of the movers.
pub fn root_gap<G: Knowledge>(
    game: &G,
    solver: &mut ExactSolver<'_, G>,
    state: &G::State,
    player: Player,
    mix: &[(G::Action, f64)],
) -> Result<RootGap, GaveUp> {
    let (least, greatest) = game.spec().payoffs;
    let total = least + greatest;
    let for_player = |first: f64| if player == Player(0) { first } else { total - first };
    let value = for_player(solver.value(state)?.value);
    let other = Player(1 - player.0);
    let mut replies = Vec::new();
    if matches!(game.turn(state), Turn::Simultaneous(_)) {
        candidates(game, state, other, &mut replies);
    }
    let mut expected = |reply: Option<G::Action>| {
        let mut sum = 0.0;
        for &(action, share) in mix {
            let worth = match reply {
                None => solver.value_after(state, &[action])?,
                Some(reply) if player == Player(0) => solver.value_after(state, &[action, reply])?,
                Some(reply) => solver.value_after(state, &[reply, action])?,
            };
            sum += share * for_player(worth.value);
        }
        Ok(sum)
    };
    if replies.is_empty() {
        return Ok(RootGap { value, secured: expected(None)? });
    }
    let mut secured = f64::INFINITY;
    for reply in replies {
        secured = secured.min(expected(Some(reply))?);
    }
    Ok(RootGap { value, secured })
}
