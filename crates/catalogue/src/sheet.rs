//! Rule sheets as the protocol of general game playing needs them: from text that came over the wire, with joint moves
//! of all roles, and grounded only as long as the clock allows.

use std::sync::Arc;
use std::time::Instant;

use tesuji_core::{Game, InputError, Player, Source, Turn};
use tesuji_gdl::{Gdl, Options, Sheet};

use crate::Catalogue;
use crate::any_game::{AnyGame, Opened};
use crate::any_match::AnyMatch;
use crate::erased::ErasedGame;
use crate::playable::Playable;
use crate::text_match::TextMatch;

/// A sheet that can be played, match after match.
#[derive(Clone)]
pub struct SheetGame {
    game: Playable<Gdl>,
    erased: ErasedGame<Gdl>,
    load_seconds: f64,
}

impl SheetGame {
    /// Reads a sheet and makes an engine for it; the catalogue's agents can play it. While the sheet is grounded,
    /// `stop` is asked now and then; `true` leaves it to the interpreter.
    pub fn open(catalogue: &Catalogue, source: Source, stop: &dyn Fn() -> bool) -> Result<SheetGame, InputError> {
        let agents = catalogue.agents_for()?;
        let begun = Instant::now();
        let game = Gdl::from_sheet_until(Sheet::read(source)?, Options::default(), stop)?;
        let game = Playable::new(game, agents);
        Ok(SheetGame { erased: ErasedGame::new(&game), game, load_seconds: begun.elapsed().as_secs_f64() })
    }

    /// The same as a game of the catalogue.
    pub fn any_game(&self) -> Arc<dyn AnyGame> {
        Arc::new(Opened::new(self.game.clone(), self.load_seconds))
    }

    /// What runs the rules, and why.
    pub fn engine(&self) -> (&'static str, &str) {
        (self.game.engine(), self.game.reason())
    }

    /// How long it took to make it, in seconds.
    pub fn load_seconds(&self) -> f64 {
        self.load_seconds
    }

    /// The roles in the order of their statements, chance included.
    pub fn roles(&self) -> &[String] {
        self.game.role_names()
    }

    /// The place of a role by its name. Case does not matter where only one role is meant.
    pub fn role(&self, name: &str) -> Option<usize> {
        tesuji_gdl::place_of(name, self.roles())
    }

    /// The player who has a role; `None` for chance.
    pub fn player(&self, role: usize) -> Option<Player> {
        let name = self.roles().get(role)?;
        let seat = self.game.spec().players.iter().position(|player| player == name)?;
        Some(Player(seat as u8))
    }

    /// A new match.
    pub fn start(&self) -> SheetMatch {
        let game = self.erased.game();
        let start = game.start();
        SheetMatch { game: self.clone(), table: TextMatch::new(game, start) }
    }
}

/// A match on a sheet, advanced by joint moves of all roles.
pub struct SheetMatch {
    game: SheetGame,
    table: TextMatch,
}

impl SheetMatch {
    fn state(&self) -> &<Gdl as Game>::State {
        self.game.erased.state(self.table.state())
    }

    /// What is played.
    pub fn game(&self) -> &SheetGame {
        &self.game
    }

    /// What a role may do, whether or not it has a choice.
    pub fn legal(&self, role: usize) -> Vec<String> {
        self.game.game.role_moves(self.state(), role)
    }

    /// Is the match over?
    pub fn is_over(&self) -> bool {
        self.table.turn() == Turn::Over
    }

    /// What each role gets here; `None` where the rules do not say, or say two things.
    pub fn goals(&self) -> Vec<Option<i32>> {
        self.game.game.role_goals(self.state())
    }

    /// Everyone does a move: one text a role. Refuses what is not legal, and changes nothing then.
    pub fn advance(&mut self, joint: &[String]) -> Result<(), InputError> {
        for step in self.game.game.joint_steps(self.state(), joint)? {
            self.table.push(&self.game.erased.joint(&step))?;
        }
        Ok(())
    }

    /// The same match at a table where agents can be seated.
    pub fn table(&mut self) -> &mut dyn AnyMatch {
        &mut self.table
    }
}
