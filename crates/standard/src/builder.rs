//! Catalogues with games and agents of one's own.

use std::marker::PhantomData;
use std::sync::Arc;

use tesuji_catalogue::{AgentInfo, Catalogue, GameLine, KindList, line};
use tesuji_core::laws::Complete;
use tesuji_core::{Entry, InputError};
use tesuji_play::AgentKind;

use crate::kinds::{kinds_for, standard_infos, standard_lines};

/// A catalogue with games and kinds of agents of one's own.
///
/// Kinds of agents come first, so that every game added afterwards has them.
///
/// ```
/// use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};
/// use tesuji_play::{Agent, AgentKind};
/// use tesuji_search::Random;
///
/// /// An agent of one's own; this one plays at random.
/// struct Mine;
///
/// impl AgentKind for Mine {
///     const NAME: &'static str = "mine";
///     const SUMMARY: &'static str = "Plays at random";
///     const HANDLES: Features = Features::all();
///     const PARAMETERS: &'static [Parameter] = &[];
///
///     fn build<G: Game + Knowledge + 'static>(_: &Arguments, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
///         Ok(Box::new(Random))
///     }
/// }
///
/// let catalogue = tesuji_standard::builder().agent::<Mine>().game(tesuji_games::tic_tac_toe::ENTRY).build()?;
/// assert!(catalogue.open("tic-tac-toe")?.check_agent("mine").is_ok());
/// # Ok::<(), InputError>(())
/// ```
pub fn builder() -> CatalogueBuilder {
    CatalogueBuilder { kinds: PhantomData }
}

/// A catalogue whose kinds of agents are still being added. `Kinds` lists those beside the standard ones.
pub struct CatalogueBuilder<Kinds = ()> {
    kinds: PhantomData<Kinds>,
}

impl<Kinds: KindList> CatalogueBuilder<Kinds> {
    /// Adds a kind of agent beside the standard ones.
    #[must_use]
    pub fn agent<K: AgentKind>(self) -> CatalogueBuilder<(K, Kinds)> {
        CatalogueBuilder { kinds: PhantomData }
    }

    /// Adds all games that come with Tesuji.
    #[must_use]
    pub fn standard(self) -> CatalogueGames<Kinds> {
        self.games().standard()
    }

    /// Adds a game.
    #[must_use]
    pub fn game<G: Complete>(self, entry: Entry<G>) -> CatalogueGames<Kinds> {
        self.games().game(entry)
    }

    fn games(self) -> CatalogueGames<Kinds> {
        let mut agents = standard_infos();
        Kinds::describe(&mut agents);
        CatalogueGames { agents: agents.into(), lines: Vec::new(), kinds: self.kinds }
    }
}

/// A catalogue whose games are still being added; see [`builder`].
pub struct CatalogueGames<Kinds = ()> {
    agents: Arc<[AgentInfo]>,
    lines: Vec<Arc<dyn GameLine>>,
    kinds: PhantomData<Kinds>,
}

impl<Kinds: KindList> CatalogueGames<Kinds> {
    /// Adds all games that come with Tesuji.
    #[must_use]
    pub fn standard(mut self) -> Self {
        self.lines.extend(standard_lines::<Kinds>(&self.agents));
        self
    }

    /// Adds a game. The standard kinds of agents and those of the builder are compiled for it.
    #[must_use]
    pub fn game<G: Complete>(mut self, entry: Entry<G>) -> Self {
        self.lines.push(line(entry, &self.agents, kinds_for::<G, Kinds>()));
        self
    }

    /// The catalogue; refuses two games of one name, and two agents of one name.
    pub fn build(self) -> Result<Catalogue, InputError> {
        Catalogue::new(self.agents, self.lines)
    }
}
