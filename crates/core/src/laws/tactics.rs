//! Laws about tactics: quiet policies never attack, representatives are legal, local fights do not overlap.

use std::collections::BTreeSet;

use super::{Complete, Violation, along_a_match, require};
use crate::{Actor, Player, Rng, Tactics, Turn, legal_actions};

/// Checks along a random match that the quiet policy never attacks, that representatives are legal actions of their
/// piece, and that local fights are consistent with the whole state.
pub(super) fn check_tactics<G: Complete>(game: &G, tactics: &dyn Tactics<G>, rng: &mut Rng) -> Result<(), Violation> {
    let mut quiet = tactics.quiet_policy(game);
    let mut few = Vec::new();
    along_a_match(game, rng, |state, player, actions, rng| {
        let action = quiet.pick(game, state, player, rng);
        let legal = actions.contains(&action);
        require(legal, state, &|| format!("the quiet policy picks the illegal {action:?}"))?;
        let calm = !tactics.is_attack(game, state, action);
        require(calm, state, &|| format!("the quiet policy picks the attack {action:?}"))?;
        let piece = tactics.piece(game, state, actions[0]);
        few.clear();
        tactics.representatives(game, state, piece, &mut few);
        let own = |action: &G::Action| actions.contains(action) && tactics.piece(game, state, *action) == piece;
        require(!few.is_empty() && few.iter().all(own), state, &|| {
            format!("{few:?} do not represent what piece {piece} can do")
        })?;
        check_fights(game, tactics, state, player, actions)
    })
}

/// Checks that in each local fight the same player acts, with some of its actions; that no piece acts in two fights;
/// and that no fight has more pieces than asked for.
fn check_fights<G: Complete>(
    game: &G,
    tactics: &dyn Tactics<G>,
    state: &G::State,
    player: Player,
    actions: &[G::Action],
) -> Result<(), Violation> {
    for most in [1, 3, u32::MAX] {
        let mut seen = BTreeSet::new();
        for part in tactics.fights(game, state, most) {
            require(game.turn(&part) == Turn::Player(player), state, &|| format!("another acts in the part {part:?}"))?;
            let local = legal_actions(game, &part, Actor::Player(player));
            let strange = local.iter().find(|action| !actions.contains(action));
            require(strange.is_none(), state, &|| format!("{strange:?} is legal in a part alone"))?;
            let pieces: BTreeSet<_> = local.iter().map(|&action| tactics.piece(game, &part, action)).collect();
            require(pieces.len() <= most as usize, state, &|| format!("{} pieces act in a part", pieces.len()))?;
            let twice = pieces.into_iter().find(|&piece| !seen.insert(piece));
            require(twice.is_none(), state, &|| format!("piece {twice:?} acts in two parts"))?;
        }
    }
    Ok(())
}
