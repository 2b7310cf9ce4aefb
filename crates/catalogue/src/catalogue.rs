//! The catalogue: a value that knows games and kinds of agents by name.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use tesuji_core::laws::Complete;
use tesuji_core::{Address, Entry, InputError};
use tesuji_gdl::EngineKind;
use tesuji_search::kinds::AgentKind;

use crate::agents::{AgentInfo, Agents, KindList, find, standard_infos};
use crate::any_game::AnyGame;
use crate::games::{GameInfo, GameLine, Line, compiled, line, standard_lines, unknown};
use crate::gdl::{ENGINES, LANES, unknown_engine};

/// The games and agents that a program knows by name. Cheap to clone.
///
/// [`Catalogue::standard`] holds everything that comes with Tesuji; [`Catalogue::builder`] adds games and kinds of agents of
/// one's own.
///
/// ```
/// use tesuji_catalogue::Catalogue;
///
/// let catalogue = Catalogue::standard();
/// let game = catalogue.open("connect-four(4,5,3)")?;
/// assert_eq!(game.spec().players.len(), 2);
/// assert!(game.check_agent("uct(playouts=100)").is_ok());
/// assert!(catalogue.open("conect-four").is_err());
/// # Ok::<(), tesuji_core::InputError>(())
/// ```
#[derive(Clone)]
pub struct Catalogue {
    contents: Arc<Contents>,
}

struct Contents {
    lines: Vec<Arc<dyn GameLine>>,
    games: Vec<GameInfo>,
    agents: Arc<[AgentInfo]>,
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, agents) = (self.games().len(), self.agents().len());
        write!(f, "Catalogue({games} games, {agents} agents)")
    }
}

impl Catalogue {
    /// The games and agents that come with Tesuji.
    pub fn standard() -> Catalogue {
        Catalogue::builder().standard().build().unwrap_or_else(|error| panic!("the standard catalogue: {error}"))
    }

    /// A catalogue with games and kinds of agents of one's own.
    ///
    /// Kinds of agents come first, so that every game added afterwards has them.
    ///
    /// ```
    /// use tesuji_catalogue::Catalogue;
    /// use tesuji_core::{Arguments, Features, Game, InputError, Knowledge, Parameter};
    /// use tesuji_search::kinds::AgentKind;
    /// use tesuji_search::{Agent, Random};
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
    /// let catalogue = Catalogue::builder().agent::<Mine>().game(tesuji_games::tic_tac_toe::ENTRY).build()?;
    /// assert!(catalogue.open("tic-tac-toe")?.check_agent("mine").is_ok());
    /// # Ok::<(), InputError>(())
    /// ```
    pub fn builder() -> CatalogueBuilder {
        CatalogueBuilder { kinds: PhantomData }
    }

    /// Opens the game that `address` names.
    pub fn open(&self, address: &str) -> Result<Arc<dyn AnyGame>, InputError> {
        let address: Address = address.parse()?;
        self.contents.lines[self.place(&address.name)?].open(&address)
    }

    /// The place of the game of that name.
    fn place(&self, name: &str) -> Result<usize, InputError> {
        self.games().iter().position(|info| info.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.games().iter().map(|info| info.name).collect();
            unknown("game", name, &names, "`tesuji games` lists them all")
        })
    }

    /// Opens the game that `address` names, on an engine of the user's choice where its rules are data. `lanes` is the
    /// network engine; the caller asks it for many playouts at once.
    pub fn open_on(&self, address: &str, engine: &str) -> Result<Arc<dyn AnyGame>, InputError> {
        if !ENGINES.contains(&engine) {
            return Err(unknown_engine(engine));
        }
        let engine = if engine == LANES { EngineKind::Network.name() } else { engine };
        let mut parsed: Address = address.parse()?;
        if parsed.name != tesuji_gdl::ENTRY.name {
            return Err(InputError::new(format!("`{address}` is written in Rust and has no other engine than that"))
                .with_help("engines can be chosen for rule sheets: `gdl(FILE)`"));
        }
        parsed.arguments.retain(|(key, _)| key.as_deref() != Some("engine"));
        parsed.arguments.push((Some("engine".to_owned()), engine.to_owned()));
        self.open(&parsed.to_string())
    }

    /// All games, in the order in which they were added.
    pub fn games(&self) -> &[GameInfo] {
        &self.contents.games
    }

    /// The game of that name.
    pub fn game(&self, name: &str) -> Result<&GameInfo, InputError> {
        Ok(&self.games()[self.place(name)?])
    }

    /// All agents: the kinds, each followed by its presets.
    pub fn agents(&self) -> &[AgentInfo] {
        &self.contents.agents
    }

    /// The agent of that name.
    pub fn agent(&self, name: &str) -> Result<&AgentInfo, InputError> {
        find(self.agents(), name)
    }

    /// The agents as they are for games of type `G`, from a game of that type in this catalogue.
    pub(crate) fn agents_for<G: Complete>(&self) -> Result<Arc<Agents<G>>, InputError> {
        let mut lines = self.contents.lines.iter();
        let found = lines.find_map(|line| (&**line as &dyn Any).downcast_ref::<Line<G>>());
        let line = found.ok_or_else(|| InputError::new("this catalogue has no game of that kind"))?;
        Ok(Arc::clone(&line.agents))
    }
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

/// A catalogue whose games are still being added; see [`Catalogue::builder`].
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
        self.lines.push(line(entry, &self.agents, compiled::<Kinds, G>()));
        self
    }

    /// The catalogue; refuses two games of one name, and two agents of one name.
    pub fn build(self) -> Result<Catalogue, InputError> {
        let games: Vec<GameInfo> = self.lines.iter().map(|line| line.info()).collect();
        refuse_doubled("games", games.iter().map(|info| info.name))?;
        refuse_doubled("agents", self.agents.iter().map(|info| info.name))?;
        Ok(Catalogue { contents: Arc::new(Contents { lines: self.lines, games, agents: self.agents }) })
    }
}

fn refuse_doubled<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), InputError> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(InputError::new(format!("two {what} of this catalogue are called `{name}`"))
                .with_help("an address must name one of them: rename yours"));
        }
    }
    Ok(())
}
