//! Max^n: any number of players, any payoffs, no pruning (Luckhardt and Irani, "An algorithmic solution of n-person
//! games", 1986). Ties go to the first action.

use tesuji_core::{Game, Turn, final_shares};

use super::RootMove;
use super::search::Search;

impl<G: Game> Search<'_, '_, G> {
    /// Like [`Search::root`], with every player's own share.
    pub(super) fn root_max_n(&mut self, state: &G::State, depth: u32, moves: &mut [RootMove<G::Action>]) -> usize {
        let mut shares = vec![0.0; self.game.spec().players.len()];
        let mut read = 0;
        let mut best = f64::NEG_INFINITY;
        for index in 0..moves.len() {
            let before = self.leaves;
            let mut next = state.clone();
            self.game.apply(&mut next, &[moves[index].action]);
            self.shares(&next, depth - 1, &mut shares);
            if self.stopped {
                break;
            }
            let share = shares[self.searcher.index()];
            moves[index] =
                RootMove { share, leaves: moves[index].leaves + self.leaves - before, depth, ..moves[index] };
            read += 1;
            if share > best {
                best = share;
                moves[..=index].rotate_right(1);
            }
        }
        read
    }

    /// Computes the share of every player.
    fn shares(&mut self, state: &G::State, depth: u32, out: &mut [f64]) {
        match self.game.turn(state) {
            Turn::Over => {
                self.leaves += 1;
                final_shares(self.game, state, out);
            }
            Turn::Player(_) if depth == 0 => {
                self.leaves += 1;
                self.horizon_met = true;
                for (player, share) in self.game.spec().seats().zip(out) {
                    *share = self.agent.share(self.game, state, player);
                }
            }
            Turn::Player(mover) => {
                if self.is_stopped() {
                    return;
                }
                self.nodes += 1;
                let mut actions = Vec::new();
                self.game.legal(state, mover, &mut actions);
                let mut shares = vec![0.0; out.len()];
                let mut best = f64::NEG_INFINITY;
                for action in actions {
                    let mut next = state.clone();
                    self.game.apply(&mut next, &[action]);
                    self.shares(&next, depth - 1, &mut shares);
                    if shares[mover.index()] > best {
                        best = shares[mover.index()];
                        out.copy_from_slice(&shares);
                    }
                }
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chance(state, &mut outcomes);
                let mut shares = vec![0.0; out.len()];
                out.fill(0.0);
                for (outcome, probability) in outcomes {
                    let mut next = state.clone();
                    self.game.apply(&mut next, &[outcome]);
                    self.shares(&next, depth, &mut shares);
                    out.iter_mut().zip(&shares).for_each(|(sum, share)| *sum += probability * share);
                }
            }
            Turn::Simultaneous(_) => unreachable!("several act at once in {state:?}"),
        }
    }
}
