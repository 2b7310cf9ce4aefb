//! The catalogue: a value that knows games and kinds of agents by name.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use tesuji_core::laws::Complete;
use tesuji_core::{Address, ErrorKind, InputError, Names};
use tesuji_gdl::EngineKind;
use tesuji_play::Trust;

use crate::agents::{AgentInfo, find};
use crate::any_game::AnyGame;
use crate::games::{GameInfo, GameLine, Line, unknown};
use crate::gdl::{ENGINES, LANES, unknown_engine};

/// The games and agents that a program knows by name. Cheap to clone.
///
/// The crate `tesuji-standard` makes the catalogue of everything that comes with Tesuji, and catalogues with games and
/// agents of one's own.
///
/// ```
/// use tesuji_catalogue::{AgentInfo, Catalogue, KindFor, OutsideKind, line};
/// use tesuji_core::ErrorKind;
///
/// let mut agents = Vec::new();
/// AgentInfo::add::<OutsideKind>(&mut agents);
/// let agents = agents.into();
/// let game = line(tesuji_games::connect_four::ENTRY, &agents, vec![KindFor::of::<OutsideKind>()]);
/// let catalogue = Catalogue::new(agents, vec![game])?;
/// assert_eq!(catalogue.open("connect-four(4,5,3)")?.spec().players.len(), 2);
/// assert_eq!(catalogue.open("conect-four").err().map(|error| error.kind()), Some(ErrorKind::UnknownGame));
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
    /// A catalogue of these games with these agents; refuses two games of one name, and two agents of one name.
    ///
    /// `agents` describes the kinds that the lines were made with.
    pub fn new(agents: Arc<[AgentInfo]>, lines: Vec<Arc<dyn GameLine>>) -> Result<Catalogue, InputError> {
        let games: Vec<GameInfo> = lines.iter().map(|line| line.info()).collect();
        refuse_doubled("games", games.iter().map(|info| info.name))?;
        refuse_doubled("agents", agents.iter().map(|info| info.name))?;
        Ok(Catalogue { contents: Arc::new(Contents { lines, games, agents }) })
    }

    /// Opens the game that `address` names.
    pub fn open(&self, address: &str) -> Result<Arc<dyn AnyGame>, InputError> {
        self.open_parsed(&address.parse()?)
    }

    fn open_parsed(&self, address: &Address) -> Result<Arc<dyn AnyGame>, InputError> {
        self.contents.lines[self.place(&address.name)?].open(address)
    }

    /// The place of the game of that name.
    fn place(&self, name: &str) -> Result<usize, InputError> {
        self.games().iter().position(|info| info.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.games().iter().map(|info| info.name).collect();
            unknown("game", name, &names, "`tesuji games` lists them all").of_kind(ErrorKind::UnknownGame)
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
                .of_kind(ErrorKind::Refused)
                .with_help("engines can be chosen for rule sheets: `gdl(FILE)`"));
        }
        parsed.arguments.retain(|(key, _)| key.as_deref() != Some("engine"));
        parsed.arguments.push((Some("engine".to_owned()), engine.to_owned()));
        self.open_parsed(&parsed)
    }

    /// All games, in the order in which they were added.
    pub fn games(&self) -> &[GameInfo] {
        &self.contents.games
    }

    /// The game of that name.
    pub fn game(&self, name: &str) -> Result<&GameInfo, InputError> {
        Ok(&self.games()[self.place(name)?])
    }

    /// What people call the game at an address: `TUBSTAP: six arms`, `Connect Four 5×6`, `Reversi`.
    pub fn title(&self, address: &str) -> Result<String, InputError> {
        let address: Address = address.parse()?;
        let info = self.game(&address.name)?;
        let mut positions = info.parameters.iter();
        let (mut data, mut others) = (None, Vec::new());
        for (key, value) in &address.arguments {
            let parameter = match key {
                Some(key) => info.parameters.iter().find(|parameter| parameter.name == key),
                None => positions.next(),
            };
            match parameter {
                Some(parameter) if parameter.ending.is_some() => data = Some(value.as_str()),
                Some(parameter) if parameter.default.as_deref() == Some(value) => {}
                _ => others.push(value.as_str()),
            }
        }
        // Without its data a game of rule sheets is no game: the default is named, too.
        let sheets = info.name == tesuji_gdl::ENTRY.name;
        let usual = || info.parameters.iter().find(|parameter| parameter.ending.is_some())?.default.as_deref();
        let mut title = match (data.or_else(usual), sheets) {
            (Some(data), true) => words(data, true),
            (Some(data), false) => format!("{}: {}", info.title, words(data, false)),
            (None, _) => info.title.to_owned(),
        };
        if !others.is_empty() && !sheets {
            let sizes = others.iter().all(|value| value.chars().all(|c| c.is_ascii_digit()));
            let joined = if sizes && others.len() == 2 { others.join("×") } else { others.join(", ") };
            title.push_str(&format!(" ({joined})"));
        }
        Ok(title)
    }

    /// All agents: the kinds, each followed by its presets.
    pub fn agents(&self) -> &[AgentInfo] {
        &self.contents.agents
    }

    /// The agent of that name.
    pub fn agent(&self, name: &str) -> Result<&AgentInfo, InputError> {
        find(self.agents(), name)
    }

    /// What an agent reaches beyond its own computation; the same for the agents that its address names, if that is
    /// more.
    pub fn trust(&self, address: &str) -> Result<Trust, InputError> {
        let address: Address = address.parse()?;
        let info = self.agent(&address.name)?;
        let mut trust = info.trust;
        let mut positions = info.parameters.iter();
        for (key, value) in &address.arguments {
            let parameter = match key {
                Some(key) => info.parameters.iter().find(|parameter| parameter.name == key),
                None => positions.next(),
            };
            if parameter.is_some_and(|parameter| parameter.names == Names::Program) && trust == Trust::Contained {
                trust = Trust::StartsPrograms;
            }
            if parameter.is_some_and(|parameter| parameter.names == Names::Agents) {
                for part in value.split('+') {
                    match self.trust(part.trim())? {
                        Trust::Contained => {}
                        inner if trust == Trust::Contained => trust = inner,
                        _ => {}
                    }
                }
            }
        }
        Ok(trust)
    }

    /// A line for games of type `G` in this catalogue.
    pub(crate) fn line_for<G: Complete>(&self) -> Result<&Line<G>, InputError> {
        let mut lines = self.contents.lines.iter();
        let found = lines.find_map(|line| (&**line as &dyn Any).downcast_ref::<Line<G>>());
        found.ok_or_else(|| InputError::new("this catalogue has no game of that kind"))
    }
}

/// The name of a map or a sheet in words: `hex-9x9` is `Hex 9×9`. Files lose their folder and ending.
fn words(name: &str, capitals: bool) -> String {
    let name = name.rsplit(['/', '\\', ':']).next().unwrap_or(name);
    let name = name.split_once('.').map_or(name, |(stem, _)| stem);
    let word = |word: &str| {
        let size = word.split_once('x').filter(|(rows, columns)| {
            !rows.is_empty() && !columns.is_empty() && format!("{rows}{columns}").chars().all(|c| c.is_ascii_digit())
        });
        if let Some((rows, columns)) = size {
            return format!("{rows}×{columns}");
        }
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if capitals => first.to_uppercase().chain(letters).collect(),
            _ => word.to_owned(),
        }
    };
    name.split('-').map(word).collect::<Vec<_>>().join(" ")
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
