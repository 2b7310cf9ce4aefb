//! Proven results: the end of the match, and what follows from it.
//!
//! After Winands, Björnsson and Saito, "Monte-Carlo Tree Search Solver" (2008), for any number of players and any
//! payoffs. A proof gives the share of *every* player if all players below maximise their own (of equal ends, the first
//! that was proven). A node where one player chooses is proven by an edge that cannot be improved, or when all edges
//! are proven. Chance nodes and joint moves are not proven, nor is anything above them through them.
//!
//! An edge proven worse than another of its node is never taken again; its `total` is −∞, which selection respects
//! without an extra test.

use tesuji_core::{Game, Player, Turn};

use super::tree::{Edge, NONE, Tree};

/// A `child` of at least this (except [`NONE`]) is not a node but a proof: the match ends there, or its node was
/// dropped.
pub(super) const PROVEN: u32 = 1 << 31;

/// The number of proofs among which equal shares are looked for before another is stored.
const LOOK_BACK: usize = 64;

/// The proven shares, one for each player, proof after proof.
#[derive(Default)]
pub(super) struct Proofs {
    shares: Vec<f64>,
    players: usize,
}

impl Proofs {
    pub(super) fn clear(&mut self) {
        self.shares.clear();
    }

    /// The shares of a proof.
    #[inline]
    pub(super) fn shares(&self, proof: u32) -> &[f64] {
        &self.shares[proof as usize * self.players..][..self.players]
    }

    /// The proof of these shares.
    pub(super) fn proof_of(&mut self, shares: &[f64]) -> u32 {
        self.players = shares.len();
        let count = self.shares.len() / self.players;
        let known = (count.saturating_sub(LOOK_BACK)..count).find(|&proof| self.shares(proof as u32) == shares);
        known.unwrap_or_else(|| {
            self.shares.extend_from_slice(shares);
            count
        }) as u32
    }
}

impl<G: Game> Tree<G> {
    /// The proven shares of a child.
    #[inline]
    pub(super) fn proof(&self, child: u32) -> Option<u32> {
        match child {
            NONE => None,
            PROVEN.. => Some(child - PROVEN),
            node => Some(self.nodes[node as usize].proof).filter(|&proof| proof != NONE),
        }
    }

    /// The proven share of `player` for an edge.
    pub(super) fn proven_share(&self, edge: &Edge<G::Action>, player: Player) -> Option<f64> {
        self.proof(edge.child).map(|proof| self.proofs.shares(proof)[player.index()])
    }

    /// Tries to prove `node`, where one player chooses in the interest of `player`, from what is proven about its
    /// edges. Returns its proof, if there is one.
    pub(super) fn conclude(&mut self, node: u32, player: Player) -> Option<u32> {
        let Turn::Player(_) = self.nodes[node as usize].turn else { return None };
        let range = self.span(node).range();
        let mut best: Option<(f64, u32)> = None;
        let mut open = false;
        for edge in &self.edges[range.clone()] {
            match self.proof(edge.child) {
                Some(proof) => {
                    let share = self.proofs.shares(proof)[player.index()];
                    if best.is_none_or(|(most, _)| share > most) {
                        best = Some((share, proof));
                    }
                }
                None => open = true,
            }
        }
        let (most, proof) = best?;
        if !open || most >= 1.0 {
            self.nodes[node as usize].proof = proof;
            return Some(proof);
        }
        for index in range {
            match self.proven_share(&self.edges[index], player) {
                Some(share) if share < most => self.edges[index].total = f64::NEG_INFINITY,
                Some(share) => self.edges[index].total = share * f64::from(self.edges[index].visits),
                None => {}
            }
        }
        None
    }
}
