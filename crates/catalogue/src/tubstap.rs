//! TUBSTAP as its network protocol needs it: maps that came over the wire, and actions as the fields that records and
//! messages share.

use std::sync::Arc;
use std::time::Instant;

use tesuji_core::{Actor, Game, InputError, Notation, Player, Source, Turn};
use tesuji_games::tubstap::{Action, Ending, Map, Record, Rules, Tubstap};

use crate::Catalogue;
use crate::any_game::{AnyGame, Opened};
use crate::any_match::AnyMatch;
use crate::erased::ErasedGame;
use crate::games::{CheckLaws, Line};
use crate::playable::Playable;
use crate::text_match::TextMatch;

/// TUBSTAP on a map.
#[derive(Clone)]
pub struct MapGame {
    game: Playable<Tubstap>,
    erased: ErasedGame<Tubstap>,
    check_laws: CheckLaws<Tubstap>,
    load_seconds: f64,
}

impl MapGame {
    /// The game on a map that is given as the text of its file; the catalogue's agents can play it. `name` is the
    /// address that opens the same game, if there is one.
    pub fn read(catalogue: &Catalogue, name: &str, map: &Source) -> Result<MapGame, InputError> {
        let line: &Line<Tubstap> = catalogue.line_for()?;
        let begun = Instant::now();
        let game = Tubstap::new(name, Map::read(map)?, Rules::V0108)?;
        let game = Playable::new(game, line.agents.clone());
        let (check_laws, load_seconds) = (line.check_laws, begun.elapsed().as_secs_f64());
        Ok(MapGame { erased: ErasedGame::new(&game), game, check_laws, load_seconds })
    }

    /// The same as a game of the catalogue.
    pub fn any_game(&self) -> Arc<dyn AnyGame> {
        Arc::new(Opened::new(self.game.clone(), self.check_laws, self.load_seconds))
    }

    /// The text of the map's file on one line.
    pub fn map_line(&self) -> String {
        self.game.map().write().lines().collect()
    }

    /// A new match.
    pub fn start(&self) -> MapMatch {
        let game = self.erased.game();
        let start = game.start();
        MapMatch { game: self.clone(), table: TextMatch::new(game, start) }
    }
}

/// What the fields of a message stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldsMeaning {
    /// These actions, one after the other: one, or those of all who have yet to act if the turn was ended.
    Actions(Vec<String>),
    /// The side to act gives up.
    Surrender,
}

/// A match on a map.
pub struct MapMatch {
    game: MapGame,
    table: TextMatch,
}

impl MapMatch {
    fn rules(&self) -> &Tubstap {
        &self.game.game
    }

    fn state(&self) -> &<Tubstap as Game>::State {
        self.game.erased.state(self.table.state())
    }

    /// Who acts; `None` when the match is over by the rules.
    pub fn mover(&self) -> Option<Player> {
        match self.table.turn() {
            Turn::Player(player) => Some(player),
            _ => None,
        }
    }

    /// Turns completed, of both sides together.
    pub fn turns(&self) -> u16 {
        self.state().turns()
    }

    /// How many units of the side to act have yet to act.
    pub fn waiting_units(&self) -> usize {
        self.rules().end_turn(self.state()).len()
    }

    /// The fields of an action that is given as `tesuji` writes it.
    pub fn fields(&self, action: &str) -> Result<String, InputError> {
        let Some(mover) = self.mover() else { return Err(InputError::new("the match is over")) };
        let action = self.rules().parse_action(self.state(), Actor::Player(mover), action)?;
        Ok(self.rules().action_fields(self.state(), action))
    }

    /// What the fields of a message stand for here; refuses what is not legal or tells wrong damages.
    pub fn read_fields(&self, fields: &str) -> Result<FieldsMeaning, InputError> {
        let state = self.state();
        Ok(match self.rules().parse_action_fields(state, fields)? {
            None => FieldsMeaning::Surrender,
            Some(actions) => {
                let mut reached = state.clone();
                let mut texts = Vec::new();
                for action in actions {
                    let Turn::Player(mover) = self.rules().turn(&reached) else { break };
                    texts.push(self.rules().action_text(&reached, Actor::Player(mover), action));
                    self.rules().apply(&mut reached, &[action]);
                }
                FieldsMeaning::Actions(texts)
            }
        })
    }

    /// Plays an action that is given as `tesuji` writes it.
    pub fn play(&mut self, action: &str) -> Result<(), InputError> {
        self.table.step(&[action.to_owned()])
    }

    /// A side gives up.
    pub fn surrender(&mut self, player: Player) {
        self.table.forfeit(player);
    }

    /// What each side got: by the rules, or by who gave up. `None` while the match goes on.
    pub fn payoffs(&self) -> Option<Vec<f64>> {
        self.table.payoffs()
    }

    /// The match so far in the platform's record format.
    pub fn record(&self, players: [String; 2], date: &str) -> Result<String, InputError> {
        let actions: Vec<Action> = self.game.erased.steps(self.table.history()).into_iter().flatten().collect();
        let loser = self.table.ending().and_then(tesuji_play::Ending::loser);
        let ending = match (loser, self.table.turn()) {
            (Some(player), Turn::Player(mover)) if player == mover => Ending::Surrender(player),
            (None, Turn::Over) => Ending::Over,
            _ => Ending::Open,
        };
        let (map, rules) = (self.rules().map().clone(), self.rules().rules());
        Record { map, rules, players, date: date.to_owned(), actions, ending }.write()
    }

    /// The same match at a table where agents can be seated.
    pub fn table(&mut self) -> &mut dyn AnyMatch {
        &mut self.table
    }
}
