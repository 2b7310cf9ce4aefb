//! The two sides of a joint move.

use tesuji_core::{Game, Player, Players, Turn};

use crate::arithmetic::ln_count;

/// How the action is chosen once the search has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JointChoice {
    /// The best mean over all actions of the other player (paper 004 §6.1: Monte Carlo).
    Mean,
    /// The most visited action (§6.1: SimpleUCB).
    Visits,
    /// Drawn from the average strategy of the search.
    Average,
    /// Drawn from the equilibrium of the estimated table (§6.1: MSUCB).
    Equilibrium,
}

/// The utility of a drawn playout, U(draw) of paper 004 §6.5, as a share: a win is 1 and a loss 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Draws {
    /// For the searching player.
    pub own: f64,
    /// For the other player.
    pub other: f64,
}

impl Draws {
    /// Half a win for both: the payoffs of the rules.
    pub(crate) const EVEN: Draws = Draws { own: 0.5, other: 0.5 };

    /// Replaces shares of exactly one half at the end of a match by the utilities.
    #[inline]
    pub(super) fn apply(&self, own: usize, shares: &mut [f64; 2]) {
        if *self != Draws::EVEN && *shares == [0.5; 2] {
            shares[own] = self.own;
            shares[1 - own] = self.other;
        }
    }
}

/// The actions of both players at one step; a player who does not move has none.
#[derive(Clone, Debug)]
pub(super) struct Sides<A> {
    movers: Players,
    pub actions: [Vec<A>; 2],
}

impl<A: Copy> Sides<A> {
    /// The actions of the movers of `state`.
    pub(super) fn of<G: Game<Action = A>>(game: &G, state: &G::State) -> Sides<A> {
        let movers = game.turn(state).movers();
        let mut actions = [Vec::new(), Vec::new()];
        for mover in movers {
            game.legal(state, mover, &mut actions[mover.index()]);
        }
        Sides { movers, actions }
    }

    /// The number of rows or columns of the table.
    pub(super) fn count(&self, side: usize) -> usize {
        self.actions[side].len().max(1)
    }

    /// The joint action of a cell.
    #[inline]
    pub(super) fn joint(&self, cell: [usize; 2], joint: &mut Vec<A>) {
        joint.clear();
        for mover in self.movers {
            joint.push(self.actions[mover.index()][cell[mover.index()]]);
        }
    }
}

/// Whether the player acts.
pub(super) fn is_mover(turn: Turn, player: Player) -> bool {
    turn.movers().contains(player)
}

/// c·√(2·ln N): divided by √n, the exploration term of paper 004, §6.4.
#[inline]
pub(super) fn scale(c: f64, all: u64) -> f64 {
    c * (2.0 * ln_count(u32::try_from(all.max(1)).unwrap_or(u32::MAX))).sqrt()
}

/// The shares of both players, from those of one or two players.
#[inline]
pub(super) fn both(shares: &[f64]) -> [f64; 2] {
    [shares[0], shares.get(1).copied().unwrap_or(0.0)]
}
