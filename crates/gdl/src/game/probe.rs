//! Random matches that reveal a sheet's features, and sample states in which to look for a board.

use tesuji_core::{Features, Game, Player, Rng, Turn, cancel, legal_actions};

use super::{EngineKind, Gdl};

/// The amount of play: until either number is reached.
struct Effort {
    matches: usize,
    steps: usize,
}

/// The seed of the probing: equal sheets have equal features everywhere.
const SEED: u64 = 0x7e5_0717;

/// The number of states kept for the search for a board, spread over the first matches.
const KEPT_STATES: usize = 60;

/// The results of probing.
pub(super) struct Findings {
    /// The features that were observed.
    pub features: Features,
    /// The facts of sample states.
    pub states: Vec<Vec<String>>,
}

/// Plays random matches.
pub(super) fn probe(game: &Gdl) -> Findings {
    let effort = match game.engine_kind() {
        EngineKind::Network => Effort { matches: 300, steps: 30_000 },
        EngineKind::Interpreter => Effort { matches: 30, steps: 600 },
    };
    let mut rng = Rng::new(SEED);
    let mut features = Features::empty();
    features.set(Features::MANY_PLAYERS, game.roles.len() > 2);
    features.set(Features::HIDDEN, game.hides);
    let mut states = Vec::new();
    let (mut matches, mut steps) = (0, 0);
    let mut sum = None;
    while matches < effort.matches && steps < effort.steps && !cancel::requested() {
        let mut state = game.start();
        let mut last_mover: Option<Player> = None;
        loop {
            if states.len() < KEPT_STATES && steps % 3 == 0 {
                states.push(game.open_facts(&state));
            }
            match game.turn(&state) {
                _ if cancel::requested() => break,
                Turn::Over => break,
                Turn::Chance => features |= Features::CHANCE,
                Turn::Simultaneous(_) => {
                    features |= Features::SIMULTANEOUS;
                    last_mover = None;
                }
                Turn::Player(player) => {
                    features.set(
                        Features::MULTI_ACTION,
                        features.contains(Features::MULTI_ACTION) || last_mover == Some(player),
                    );
                    last_mover = Some(player);
                }
            }
            let joint: Vec<_> = game
                .turn(&state)
                .actors()
                .map(|actor| {
                    let actions = legal_actions(game, &state, actor);
                    actions[rng.below(actions.len())]
                })
                .collect();
            game.apply(&mut state, &joint);
            steps += 1;
        }
        if cancel::requested() {
            break;
        }
        states.push(game.open_facts(&state));
        let total: f64 = game.spec().seats().map(|player| game.payoff(&state, player)).sum();
        let constant = *sum.get_or_insert(total) == total && game.roles.len() > 1;
        features.set(Features::GENERAL_SUM, features.contains(Features::GENERAL_SUM) || !constant);
        matches += 1;
    }
    Findings { features, states }
}
