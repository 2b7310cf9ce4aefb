//! The list of standard kinds of agents, and these kinds compiled for each standard game.

use std::sync::Arc;

use tesuji_catalogue::{AgentInfo, GameLine, KindFor, KindList, OutsideKind, ProcessKind, lines, standard_games};
use tesuji_core::laws::Complete;
use tesuji_laws::laws;
use tesuji_models::LlmKind;
use tesuji_search::kinds::{
    AttackSearchKind, BeamKind, BestActionKind, CfrKind, DlmcKind, EvolutionKind, ExpectimaxKind, FaultyKind,
    GgpChampionKind, IsmctsKind, JointMcKind, JointTreeKind, LookAheadKind, McKind, NominateKind, PuzzleKind,
    RandomKind, SatisficingKind, SelfTaughtKind, UctKind,
};

use crate::champions::CHAMPIONS;

/// Makes the two views of the list of standard kinds: descriptions, and what is generic over the game.
macro_rules! standard_kinds {
    ($($kind:ty),* $(,)?) => {
        /// Descriptions of the standard kinds, each followed by its presets.
        pub(crate) fn standard_infos() -> Vec<AgentInfo> {
            let mut infos = Vec::new();
            $(AgentInfo::add::<$kind>(&mut infos);)*
            CHAMPIONS.iter().for_each(|(kind, preset)| AgentInfo::add_preset(&mut infos, kind, preset));
            infos
        }

        /// The standard kinds for games of type `G`, followed by those of `K`.
        pub(crate) fn kinds_for<G: Complete, K: KindList>() -> Vec<KindFor<G>> {
            with::<G, K>(vec![$(KindFor::of::<$kind>()),*])
        }
    };
}

// Adding a kind of agent edits this list and no other; presets are defined beside the kinds, or
// in `champions.rs` if they name a network of a game.
standard_kinds![
    RandomKind,
    McKind,
    UctKind,
    BestActionKind,
    AttackSearchKind,
    DlmcKind,
    SatisficingKind,
    EvolutionKind,
    BeamKind,
    LookAheadKind,
    ExpectimaxKind,
    NominateKind,
    JointMcKind,
    JointTreeKind,
    CfrKind,
    IsmctsKind,
    PuzzleKind,
    SelfTaughtKind,
    GgpChampionKind,
    FaultyKind,
    ProcessKind,
    LlmKind,
    OutsideKind
];

/// Adds the kinds of `K`.
fn with<G: Complete, K: KindList>(mut kinds: Vec<KindFor<G>>) -> Vec<KindFor<G>> {
    K::compile(&mut kinds);
    kinds
}

/// Makes a function for each standard game that is compiled in this crate, whoever adds kinds of their own.
macro_rules! compiled_kinds {
    ($($line:ident: $game:ty = $entry:path),* $(,)?) => {
        /// The standard kinds of agents for each standard game.
        mod compiled {
            use super::*;
            $(
                #[inline(never)]
                pub(super) fn $line() -> Vec<KindFor<$game>> {
                    kinds_for::<$game, ()>()
                }
            )*
        }

        /// The standard games, with the standard kinds of agents and those of `K`, which `infos` describes.
        pub(crate) fn standard_lines<K: KindList>(infos: &Arc<[AgentInfo]>) -> Vec<Arc<dyn GameLine>> {
            vec![$(lines::$line(infos, with::<_, K>(compiled::$line()), laws::$line)),*]
        }
    };
}

standard_games!(compiled_kinds);
