//! Nested Monte Carlo search.

use tesuji_core::{Game, Rng, Turn};

use super::Work;

/// Searches of one level before one of the next level.
const REPEATS: u32 = 4;

/// A nested search that is repeated from the same state.
pub(super) struct Nested<G: Game> {
    root: G::State,
    /// The number of searches made.
    made: u32,
    /// The actions from the root to the current state of the search.
    path: Vec<G::Action>,
    scratch: Vec<G::Action>,
}

impl<G: Game> Nested<G> {
    pub(super) fn new(root: &G::State) -> Nested<G> {
        Nested { root: root.clone(), made: 0, path: Vec::new(), scratch: Vec::new() }
    }

    /// Makes the next search: most are of level 1, every fourth is one level higher, and so on up to `highest`.
    pub(super) fn next(&mut self, work: &mut Work<'_, '_, G>, highest: u32, rng: &mut Rng) {
        self.made += 1;
        let (mut level, mut rest) = (1, self.made);
        while level < highest && rest.is_multiple_of(REPEATS) {
            (level, rest) = (level + 1, rest / REPEATS);
        }
        self.run(work, level, rng);
    }

    /// Searches once at this level.
    pub(super) fn run(&mut self, work: &mut Work<'_, '_, G>, level: u32, rng: &mut Rng) {
        self.path.clear();
        let root = self.root.clone();
        self.search(work, root, level, rng);
    }

    /// Plays from `state` to the end; returns the best share found, and the actions that lead there.
    fn search(
        &mut self,
        work: &mut Work<'_, '_, G>,
        mut state: G::State,
        level: u32,
        rng: &mut Rng,
    ) -> (f64, Vec<G::Action>) {
        let game = work.game;
        let first = self.path.len();
        let mut best = (-1.0, Vec::new());
        let mut legal = Vec::new();
        while let Turn::Player(player) = game.turn(&state) {
            if level == 0 {
                let action = game.random_action(&state, player, rng, &mut self.scratch);
                game.apply(&mut state, &[action]);
                work.generated += 1;
                self.path.push(action);
                continue;
            }
            legal.clear();
            game.legal(&state, player, &mut legal);
            for &action in &legal {
                if !work.continues() {
                    self.path.truncate(first);
                    return best;
                }
                let mut next = state.clone();
                game.apply(&mut next, &[action]);
                work.generated += 1;
                self.path.push(action);
                let (share, line) = self.search(work, next, level - 1, rng);
                if share > best.0 {
                    best = (share, self.path[first..].iter().copied().chain(line).collect());
                }
                self.path.pop();
            }
            // The best line begins with the actions played here.
            let Some(&action) = best.1.get(self.path.len() - first) else { break };
            game.apply(&mut state, &[action]);
            work.generated += 1;
            self.path.push(action);
        }
        if level == 0 {
            work.playouts += 1;
        }
        if game.turn(&state) == Turn::Over {
            // The only player of a puzzle.
            let share = work.share(&state, tesuji_core::Player(0));
            work.offer(share, || self.path.clone());
            if share > best.0 {
                best = (share, self.path[first..].to_vec());
            }
        }
        self.path.truncate(first);
        best
    }
}
