//! Heuristics for Connect Four: a playout policy.

use tesuji_core::{
    ActionIndex, Capabilities, Heuristics, Knowledge, Named, Observation, Player, Policy, Rng, ValueFeatures,
};

use super::numbers::Numbers;
use super::value_features::ConnectFourFeatures;
use super::{ConnectFour, State};
use crate::bits;

const WIN_OR_BLOCK: Named = Named {
    name: "win-or-block",
    summary: "Completes a line where it can, else takes a cell where the opponent would, else plays any column",
};

impl Knowledge for ConnectFour {
    const OFFERS: Capabilities =
        Capabilities::HEURISTICS.union(Capabilities::VALUE_FEATURES).union(Capabilities::NUMBERS);

    fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
        Some(&Policies)
    }

    fn value_features(&self) -> Option<&'static dyn ValueFeatures<Self>> {
        Some(&ConnectFourFeatures)
    }

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&Numbers)
    }
}

struct Policies;

impl Heuristics<ConnectFour> for Policies {
    fn policies(&self, _game: &ConnectFour) -> &'static [Named] {
        &[WIN_OR_BLOCK]
    }

    fn policy(&self, _game: &ConnectFour, name: &str) -> Option<Box<dyn Policy<ConnectFour>>> {
        (name == WIN_OR_BLOCK.name).then(|| Box::new(WinOrBlock) as Box<dyn Policy<ConnectFour>>)
    }
}

/// The policy [`WIN_OR_BLOCK`]. It draws uniformly among equally good columns.
struct WinOrBlock;

impl Policy<ConnectFour> for WinOrBlock {
    #[inline]
    fn pick(&mut self, game: &ConnectFour, state: &State, player: Player, rng: &mut Rng) -> u8 {
        let landings = game.landings(state);
        let [own, other] =
            [player.index(), 1 - player.index()].map(|player| landings & game.lines.completions(state.discs[player]));
        let choice = [own, other].into_iter().find(|&places| places != 0).unwrap_or(landings);
        game.column(bits::random_bit(choice, rng))
    }
}
