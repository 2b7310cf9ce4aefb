//! What a player of Connect Four sees at a glance.

use tesuji_core::{Knowledge, Named, Player, Policy, Rng};

use super::{ConnectFour, State};
use crate::bits;

const WIN_OR_BLOCK: Named = Named {
    name: "win-or-block",
    summary: "Completes a line where it can, else takes a cell where the opponent would, else plays any column",
};

impl Knowledge for ConnectFour {
    fn policies(&self) -> &'static [Named] {
        &[WIN_OR_BLOCK]
    }

    fn policy(&self, name: &str) -> Option<Box<dyn Policy<Self>>> {
        (name == WIN_OR_BLOCK.name).then(|| Box::new(WinOrBlock) as Box<dyn Policy<Self>>)
    }
}

/// The policy [`WIN_OR_BLOCK`]; among several columns of one kind, each is equally likely.
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
