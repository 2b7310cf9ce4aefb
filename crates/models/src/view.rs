//! A position in texts, as a player sees it.

use tesuji_core::laws::Complete;
use tesuji_core::{Actor, Game, legal_actions, step};
use tesuji_play::Seat;

/// A position in texts, from the seat of one player who has to choose.
///
/// It holds what every player sees: the state before the step and the steps that led to it. Choices that others have
/// already made for the step to come are not part of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct View {
    /// The address of the game.
    pub game: String,
    /// The rules in words, if the game has them.
    pub rules: Option<String>,
    /// The text that defines the rules where they are data: a rule sheet, a map.
    pub sheet: Option<String>,
    /// The players in seat order.
    pub players: Vec<String>,
    /// Whose turn it is to choose, as a place in `players`.
    pub player: usize,
    /// The least and the greatest payoff.
    pub payoffs: (f64, f64),
    /// Those who act in the step to come.
    pub movers: Vec<String>,
    /// The steps so far.
    pub steps: Vec<WrittenMoves>,
    /// The position for people, in several lines.
    pub board: String,
    /// The position on one line.
    pub state: String,
    /// The legal actions of the player.
    pub legal: Vec<String>,
}

/// The actions of one step, with the names of those who acted.
pub type WrittenMoves = Vec<(String, String)>;

impl View {
    /// What the player of a seat sees.
    pub(crate) fn of<G: Complete>(seat: &Seat<'_, G>) -> View {
        let Seat { game, state, player, history, .. } = *seat;
        let spec = game.spec();
        let mut steps = Vec::new();
        let mut reached = game.start();
        for joint in history.steps() {
            let actors = game.turn(&reached).actors();
            let moves = actors
                .zip(joint)
                .map(|(actor, &action)| (actor_name(game, actor), game.action_text(&reached, actor, action)));
            steps.push(moves.collect());
            if step(game, &mut reached, joint).is_err() {
                break;
            }
        }
        // A match that did not begin at the game's start is described by its current state alone.
        if reached != *state {
            steps.clear();
        }
        let actor = Actor::Player(player);
        let legal = legal_actions(game, state, actor);
        View {
            game: spec.name.clone(),
            rules: game.rules_in_words().map(str::to_owned),
            sheet: game.rules_text(),
            players: spec.players.clone(),
            player: player.index(),
            payoffs: spec.payoffs,
            movers: game.turn(state).actors().map(|actor| actor_name(game, actor)).collect(),
            steps,
            board: game.board_text(state),
            state: game.state_text(state),
            legal: legal.into_iter().map(|action| game.action_text(state, actor, action)).collect(),
        }
    }
}

fn actor_name(game: &impl Game, actor: Actor) -> String {
    match actor {
        Actor::Player(player) => game.spec().player_name(player).to_owned(),
        Actor::Chance => "chance".to_owned(),
    }
}
