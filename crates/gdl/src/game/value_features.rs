//! Features of rule sheets for learned evaluations: the facts that hold, as the viewing player sees them.
//!
//! Only sheets that run on the network have them, because it numbers the facts. Every player has inputs of its own: the
//! rules do not say which facts of two roles correspond.

use tesuji_core::{FeatureSet, Player, ValueFeatures};

use super::{Gdl, State};

/// The capability.
pub(super) struct FactFeatures;

impl ValueFeatures<Gdl> for FactFeatures {
    fn set(&self, game: &Gdl) -> FeatureSet {
        let facts = game.engine.fact_count().unwrap_or(0);
        // The same text is grounded to the same facts, in the same order.
        let hash = game
            .text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        FeatureSet {
            name: format!("gdl-{hash:016x}"),
            version: 1,
            inputs: (facts * game.roles.len()).max(1),
            most_active: facts.max(1),
        }
    }

    fn active(&self, game: &Gdl, state: &State, player: Player, out: &mut Vec<u32>) {
        let facts = game.engine.fact_count().unwrap_or(0);
        let first = (player.index() * facts) as u32;
        for (place, &word) in state.facts.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let fact = 64 * place as u32 + rest.trailing_zeros();
                if (fact as usize) < facts {
                    out.push(first + fact);
                }
                rest &= rest - 1;
            }
        }
    }
}
