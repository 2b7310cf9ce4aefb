//! `opportunist`: wins where one action is enough; otherwise plays at random.

use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter, Rng, Turn};
use tesuji_play::AgentKind;
use tesuji_play::{Agent, Budget, Decision, Failure, Seat};

/// The kind `opportunist`. Like every kind it is compiled for all games of the catalogue.
pub struct OpportunistKind;

impl AgentKind for OpportunistKind {
    const NAME: &'static str = "opportunist";
    const SUMMARY: &'static str = "Wins where one action is enough; otherwise plays at random";
    const HANDLES: Features =
        Features::CHANCE.union(Features::MULTI_ACTION).union(Features::GENERAL_SUM).union(Features::MANY_PLAYERS);
    const PARAMETERS: &'static [Parameter] = &[];

    fn build<G: Game + Knowledge + 'static>(_: &Arguments, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(Opportunist))
    }
}

struct Opportunist;

impl<G: Game> Agent<G> for Opportunist {
    fn choose(&mut self, seat: Seat<'_, G>, _: &Budget, rng: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        let mut actions = Vec::new();
        seat.game.legal(seat.state, seat.player, &mut actions);
        let wins = |&action: &G::Action| {
            let mut state = seat.state.clone();
            seat.game.apply(&mut state, &[action]);
            let most = seat.game.spec().payoffs.1;
            seat.game.turn(&state) == Turn::Over && seat.game.payoff(&state, seat.player) >= most
        };
        let winning = actions.iter().copied().find(wins);
        let random = actions[rng.below(actions.len())];
        Ok(Decision::pure(winning.unwrap_or(random)))
    }
}
