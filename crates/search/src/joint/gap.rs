//! How far a strategy is from the most it could secure, by the exact solver.

use tesuji_core::{Knowledge, Player, Turn};

use crate::simultaneous::{ExactSolver, GaveUp, candidates};

/// What a strategy for one step is worth when everybody plays best afterwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RootGap {
    /// What the player gets when both play best.
    pub value: f64,
    /// What he gets with this strategy against the best reply to it.
    pub secured: f64,
}

impl RootGap {
    /// What the strategy gives away at most; 0 for an optimal one.
    pub fn gap(&self) -> f64 {
        (self.value - self.secured).max(0.0)
    }
}

/// What a mix of `player`'s actions in `state` gives away, in payoffs. The game has two players and a constant sum
/// ([`check_solvable`](crate::simultaneous::check_solvable)); the player is one of the movers.
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
