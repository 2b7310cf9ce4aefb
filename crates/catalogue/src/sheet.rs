//! Rule sheets as the protocol of general game playing needs them: from text that came over the wire, with joint moves
//! of all roles, and grounded only as long as the clock allows.

use std::sync::Arc;
use std::time::Instant;

use tesuji_core::{Game, InputError, Knowledge, Perception, Player, Source, Turn};
use tesuji_gdl::{Gdl, Move, Options, Sheet, State};
use tesuji_play::belief::{Belief, Evidence};

use crate::Catalogue;
use crate::any_game::{AnyGame, Opened};
use crate::any_match::AnyMatch;
use crate::erased::ErasedGame;
use crate::games::{CheckLaws, Line};
use crate::playable::Playable;
use crate::text_match::TextMatch;

/// A sheet that can be played, match after match.
#[derive(Clone)]
pub struct SheetGame {
    game: Playable<Gdl>,
    erased: ErasedGame<Gdl>,
    check_laws: CheckLaws<Gdl>,
    load_seconds: f64,
}

impl SheetGame {
    /// Reads a sheet and makes an engine for it; the catalogue's agents can play it. While the sheet is grounded,
    /// `stop` is asked now and then; `true` leaves it to the interpreter.
    pub fn open(catalogue: &Catalogue, source: Source, stop: &dyn Fn() -> bool) -> Result<SheetGame, InputError> {
        let line: &Line<Gdl> = catalogue.line_for()?;
        let begun = Instant::now();
        let game = Gdl::from_sheet_until(Sheet::read(source)?, Options::default(), stop)?;
        let game = Playable::new(game, line.agents.clone());
        let (check_laws, load_seconds) = (line.check_laws, begun.elapsed().as_secs_f64());
        Ok(SheetGame { erased: ErasedGame::new(&game), game, check_laws, load_seconds })
    }

    /// The same as a game of the catalogue.
    pub fn any_game(&self) -> Arc<dyn AnyGame> {
        Arc::new(Opened::new(self.game.clone(), self.check_laws, self.load_seconds))
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

    /// The text of the rules.
    pub fn rules(&self) -> &str {
        self.game.sheet_text()
    }

    /// Whether roles do not see each other's moves, but what the rules for `sees` say (GDL-II).
    pub fn hides(&self) -> bool {
        self.game.hides()
    }

    /// A new match.
    pub fn start(&self) -> SheetMatch {
        SheetMatch { game: self.clone(), table: self.table(), belief: None }
    }

    fn table(&self) -> TextMatch {
        let game = self.erased.game();
        let start = game.start();
        TextMatch::new(game, start)
    }
}

/// What a server of GDL-II tells a player after a step: its own move, and what it perceived.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Told {
    own: String,
    /// Sorted, in lower case.
    percepts: Vec<String>,
}

impl Evidence<Gdl> for Told {
    fn allows(&self, game: &Gdl, _: &State, player: Player, choice: Option<Move>) -> bool {
        let same = |action| game.move_text(player, action).eq_ignore_ascii_case(&self.own);
        choice.is_none_or(same)
    }

    fn agrees(&self, game: &Gdl, perception: &dyn Perception<Gdl>, state: &State, player: Player) -> bool {
        sorted(&perception.texts(game, state, player)) == self.percepts
    }
}

fn sorted(percepts: &[String]) -> Vec<String> {
    let mut percepts: Vec<String> = percepts.iter().map(|percept| percept.to_lowercase()).collect();
    percepts.sort_unstable();
    percepts.dedup();
    percepts
}

/// The most states that a player of an outside match considers possible.
const POSSIBLE_STATES: usize = 500;

/// A match on a sheet, advanced by joint moves of all roles.
pub struct SheetMatch {
    game: SheetGame,
    table: TextMatch,
    /// What the player of an outside match with hidden information believes.
    belief: Option<Belief<Gdl, Told>>,
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

    /// The facts of the state as sorted texts, without percepts.
    pub fn facts(&self) -> Vec<String> {
        self.game.game.open_facts(self.state())
    }

    /// The joint move of all roles that begins written steps, each with the actions of those who chose, and the number
    /// of steps it takes: two if chance draws after players have chosen.
    pub fn joint_of_steps(&self, steps: &[Vec<String>]) -> Result<(Vec<String>, usize), InputError> {
        self.game.game.joint_of_steps(self.state(), steps)
    }

    /// What a role perceived of the last step.
    pub fn percepts(&self, role: usize) -> Vec<String> {
        self.game.game.percept_texts(self.state(), role)
    }

    /// A role learns its own last move and what it perceived, as in GDL-II; it does not learn the moves of others.
    ///
    /// The match becomes one that agrees with everything the role has perceived. Agents must be seated again. An agent
    /// that handles hidden information decides alike in all of them. `stop` is asked now and then; `true` asks for an
    /// answer soon. If no match explains the percepts, this is an error and the match stays where it was.
    pub fn perceive(
        &mut self,
        role: usize,
        own: &str,
        percepts: &[String],
        stop: &dyn Fn() -> bool,
    ) -> Result<(), InputError> {
        let game = &self.game.game;
        let Some((perception, player)) = game.perception().zip(self.game.player(role)) else {
            let message = format!("`{}` hides nothing, so its players are told all moves", game.spec().name);
            return Err(InputError::new(message));
        };
        let belief = self.belief.get_or_insert_with(|| Belief::new(&**game, perception, player, POSSIBLE_STATES));
        belief.learn(game, Told { own: own.to_owned(), percepts: sorted(percepts) }, stop);
        let likeliest = belief.states().iter().max_by(|one, other| one.weight.total_cmp(&other.weight));
        let Some(likeliest) = likeliest else {
            let message = format!("no match was found in which {} did and perceived this", self.game.roles()[role]);
            return Err(InputError::new(message).with_help(format!("its move `{own}`, its percepts {percepts:?}")));
        };
        let mut table = self.game.table();
        for joint in likeliest.history().steps() {
            table.push(&self.game.erased.joint(joint))?;
        }
        self.table = table;
        Ok(())
    }

    /// The same match at a table where agents can be seated.
    pub fn table(&mut self) -> &mut dyn AnyMatch {
        &mut self.table
    }
}
