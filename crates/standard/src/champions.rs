//! Presets that search with the networks which come with the standard games. They are here because agents know no game,
//! and games know no agent.

use tesuji_play::Preset;

/// The presets, each with its kind.
pub(crate) const CHAMPIONS: &[(&str, Preset)] = &[
    (
        "beam",
        Preset {
            name: "beam-net",
            arguments: "evaluation=net,net=tubstap",
            summary: "Beam search with the network of TUBSTAP, which serves every map (docs/training.md)",
        },
    ),
    // Population, playouts and turns were chosen on the maps of seeds 521 to 565 at 10 ms a turn (docs/training.md).
    (
        "evolution",
        Preset {
            name: "tubstap-champion",
            arguments: "population=60,simulations=1,turns=1,sampler=customary,evaluation=net,net=tubstap",
            summary: "Online evolution with the network of TUBSTAP, which serves every map (docs/training.md)",
        },
    ),
    (
        "expectimax",
        Preset {
            name: "einstein-champion",
            arguments: "evaluation=net,net=einstein,table=262144",
            summary: "Expectimax with the network of EinStein würfelt nicht! (docs/training.md)",
        },
    ),
    (
        "expectimax",
        Preset {
            name: "breakthrough-champion",
            arguments: "evaluation=net,net=breakthrough,table=262144",
            summary: "Alpha-beta with the network of Breakthrough 8×8 (docs/training.md)",
        },
    ),
    (
        "expectimax",
        Preset {
            name: "dice-champion",
            arguments: "evaluation=net,net=dice7,table=262144",
            summary: "Expectimax with the network of the dice game (docs/training.md)",
        },
    ),
];
