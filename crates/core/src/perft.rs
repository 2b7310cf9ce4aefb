//! Perft: counting the paths of the game tree, as a signature of the rules.

use crate::{Game, Turn, legal_actions};

/// The number of paths of exactly `depth` steps, counting joint actions and outcomes of chance.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let turn = game.turn(state);
    if turn == Turn::Over {
        return 0;
    }
    let choices: Vec<Vec<G::Action>> = turn.actors().map(|actor| legal_actions(game, state, actor)).collect();
    if depth == 1 {
        return choices.iter().map(|actions| actions.len() as u64).product();
    }
    let mut total = 0;
    let mut picks = vec![0; choices.len()];
    let mut joint: Vec<G::Action> = choices.iter().map(|actions| actions[0]).collect();
    loop {
        let mut next = state.clone();
        game.apply(&mut next, &joint);
        total += perft(game, &next, depth - 1);
        // Enumerate joint actions in mixed radix, the last actor fastest.
        let Some(place) = (0..picks.len()).rev().find(|&place| picks[place] + 1 < choices[place].len()) else {
            return total;
        };
        picks[place] += 1;
        picks[place + 1..].fill(0);
        for index in place..picks.len() {
            joint[index] = choices[index][picks[index]];
        }
    }
}

/// [`perft`] from the start for depths 1 to `depth`.
pub fn perft_table<G: Game>(game: &G, depth: u32) -> Vec<u64> {
    let start = game.start();
    (1..=depth).map(|depth| perft(game, &start, depth)).collect()
}
