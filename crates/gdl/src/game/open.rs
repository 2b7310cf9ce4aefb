//! Opens a game from an address such as `gdl(tic-tac-toe)` or `gdl(rules/my-game.kif,engine=interpreter)`.

use smallvec::SmallVec;
use tesuji_core::{
    Arguments, Entry, ErrorKind, Features, InputError, Parameter, Player, Players, Source, Spec, Turn, cancel,
    did_you_mean, files,
};

use super::bundled::SHEETS;
use super::engine::{Engine, EngineKind};
use super::grid::Grid;
use super::interpreted::Interpreted;
use super::networked::Networked;
use super::probe::probe;
use super::{Gdl, State};
use crate::interpreter::Limits;
use crate::symbols::keyword;
use crate::{Compiled, GroundingLimits, Sheet, compile};

/// The default limit on the steps of a match: well beyond the longest sheets of the public repositories (chess with 200
/// steps).
pub(crate) const MAX_STEPS: u32 = 1_000;

/// The catalogue entry of games from rule text.
pub const ENTRY: Entry<Gdl> = Entry {
    name: "gdl",
    title: "Rule sheets (GDL)",
    summary: "Any game from its rules in the Game Description Language: a bundled sheet, or your own file",
    parameters: &[
        Parameter::new("sheet", "tic-tac-toe", "the name of a bundled rule sheet, or the path of a `.kif` file")
            .naming(SHEETS, ".kif"),
        Parameter::new("engine", "auto", "what runs the rules: auto, network or interpreter"),
        Parameter::new("steps", "1000", "a match ends after this many steps"),
        Parameter::new("memory", "1600", "megabytes that grounding may take before the interpreter is chosen"),
        Parameter::new("work", "3000", "million steps that grounding may take before the interpreter is chosen"),
        Parameter::new("effort", "200", "million conditions that the interpreter may examine for one query"),
    ],
    examples: &[
        "gdl",
        "gdl(connect-four-6x7)",
        "gdl(connect-four-6x8)",
        "gdl(breakthrough)",
        "gdl(pig-20)",
        "gdl(tron-6x6)",
        "gdl(peg-solitaire)",
        "gdl(three-player-tic-tac-toe)",
        "gdl(kuhn-poker)",
    ],
    open,
};

/// Options of a game besides its sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The engine. `None` means the network, or the interpreter if the sheet is too large for a network.
    pub engine: Option<EngineKind>,
    /// The most steps of a match.
    pub max_steps: u32,
    /// The limits of grounding.
    pub grounding: GroundingLimits,
    /// The limits of a query to the interpreter.
    pub interpreter: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            engine: None,
            max_steps: MAX_STEPS,
            grounding: GroundingLimits::default(),
            interpreter: Limits::default(),
        }
    }
}

fn open(arguments: &Arguments) -> Result<Gdl, InputError> {
    let engines = [None, Some(EngineKind::Network), Some(EngineKind::Interpreter)];
    let words = engines.map(|engine| engine.map_or("auto", EngineKind::name));
    let options = Options {
        engine: engines[arguments.choice("engine", &words)?],
        max_steps: arguments.integer("steps", 1..=1_000_000)? as u32,
        grounding: GroundingLimits {
            bytes: arguments.integer("memory", 1..=1_000_000)? as usize * 1_000_000,
            steps: arguments.integer("work", 1..=1_000_000)? * 1_000_000,
            ..GroundingLimits::default()
        },
        interpreter: Limits { steps: arguments.integer("effort", 1..=1_000_000)? * 1_000_000, ..Limits::default() },
    };
    let name = arguments.text("sheet");
    let mut game = Gdl::from_sheet(Sheet::read(source(name)?)?, options)?;
    game.spec.name = address(name, options);
    Ok(game)
}

/// The text of a bundled sheet or a file.
fn source(name: &str) -> Result<Source, InputError> {
    if let Some((_, text)) = SHEETS.iter().find(|(bundled, _)| *bundled == name) {
        return Ok(Source::new(format!("{name}.kif"), text));
    }
    match files::read(name) {
        Ok(bytes) => Ok(Source::new(name, String::from_utf8_lossy(&bytes))),
        Err(error) => {
            let hint = did_you_mean(name, SHEETS.iter().map(|(bundled, _)| *bundled));
            let names: Vec<&str> = SHEETS.iter().map(|(bundled, _)| *bundled).collect();
            Err(InputError::new(format!(
                "`{name}` is not a bundled rule sheet, and reading it as a file failed: \
                {error}{hint}"
            ))
            .of_kind(ErrorKind::Unreadable)
            .with_help(format!("bundled: {}", names.join(", "))))
        }
    }
}

fn address(name: &str, options: Options) -> String {
    let mut address = format!("gdl({name}");
    if name.contains([',', '"', '(', ')', '=', ' ']) {
        address = format!("gdl(\"{name}\"");
    }
    if let Some(engine) = options.engine {
        address.push_str(&format!(",engine={}", engine.name()));
    }
    if options.max_steps != MAX_STEPS {
        address.push_str(&format!(",steps={}", options.max_steps));
    }
    let usual = GroundingLimits::default();
    if options.grounding.bytes != usual.bytes {
        address.push_str(&format!(",memory={}", options.grounding.bytes / 1_000_000));
    }
    if options.grounding.steps != usual.steps {
        address.push_str(&format!(",work={}", options.grounding.steps / 1_000_000));
    }
    if options.interpreter.steps != Limits::default().steps {
        address.push_str(&format!(",effort={}", options.interpreter.steps / 1_000_000));
    }
    address.push(')');
    address
}

/// Chooses the engine for a sheet, with the reason.
fn choose_engine(
    sheet: &Sheet,
    options: Options,
    stop: &dyn Fn() -> bool,
) -> Result<(Box<dyn Engine>, String), InputError> {
    if options.engine == Some(EngineKind::Interpreter) {
        return Ok((Box::new(Interpreted::new(sheet, options.interpreter)?), "asked for".to_owned()));
    }
    let obstacle = match compile(sheet, &options.grounding, stop)? {
        Ok(Compiled { ground, statistics, network }) => {
            let reason = format!(
                "{} facts, {} moves and {} ground rules made {} gates",
                statistics.facts,
                statistics.moves,
                statistics.rules,
                network.size().gates
            );
            return Ok((Box::new(Networked::new(&ground, &sheet.symbols, network)), reason));
        }
        Err(obstacle) => obstacle,
    };
    if options.engine == Some(EngineKind::Network) {
        let kind = if obstacle.is_stopped() { ErrorKind::Cancelled } else { ErrorKind::TooLarge };
        return Err(InputError::new(format!("{}: no network: {obstacle}", sheet.source.name()))
            .of_kind(kind)
            .with_help("`engine=auto` runs it on the interpreter; `memory` and `work` set the limits"));
    }
    Ok((Box::new(Interpreted::new(sheet, options.interpreter)?), format!("too large for a network: {obstacle}")))
}

impl Gdl {
    /// The game of a sheet. The name in its [`Spec`] is the name of the sheet's source.
    pub fn from_sheet(sheet: Sheet, options: Options) -> Result<Gdl, InputError> {
        Gdl::from_sheet_until(sheet, options, &cancel::requested)
    }

    /// Like [`from_sheet`](Gdl::from_sheet), but `stop` is polled while the sheet is grounded; `true` selects the
    /// interpreter instead.
    pub fn from_sheet_until(sheet: Sheet, options: Options, stop: &dyn Fn() -> bool) -> Result<Gdl, InputError> {
        let role_symbols = sheet.roles();
        let random = role_symbols.iter().position(|&role| role == keyword::RANDOM);
        let role_names: Vec<String> = role_symbols.iter().map(|&role| sheet.symbols.text(role).to_owned()).collect();
        let roles: Vec<usize> = (0..role_names.len()).filter(|&role| Some(role) != random).collect();
        let name = sheet.source.name().to_owned();
        if roles.is_empty() {
            return Err(InputError::new(format!("{name}: no role"))
                .with_help("a sheet names its players, such as `(role white)`"));
        }
        if roles.len() > Players::MAX {
            let message = format!("{name}: {} roles, at most {} can play", roles.len(), Players::MAX);
            return Err(InputError::new(message).of_kind(ErrorKind::TooLarge));
        }
        let (engine, reason) = choose_engine(&sheet, options, stop)?;
        let mut players = vec![None; role_names.len()];
        for (player, &role) in roles.iter().enumerate() {
            players[role] = Some(Player(player as u8));
        }
        let names: Vec<&str> = roles.iter().map(|&role| role_names[role].as_str()).collect();
        let steps = options.max_steps as usize * if random.is_some() { 2 } else { 1 };
        let mut spec = Spec::new(name, &names, Features::empty(), steps);
        spec.payoffs = (0.0, 100.0);
        let start = State {
            facts: engine.start(),
            step: 0,
            turn: Turn::Over,
            roles: SmallVec::new(),
            pending: SmallVec::new(),
        };
        let max_steps = options.max_steps;
        let text = sheet.source.text().to_owned();
        let hides = sheet.has_percepts();
        let mut game =
            Gdl { spec, engine, players, roles, role_names, random, max_steps, start, reason, text, grid: None, hides };
        game.start = game.state_of(game.start.facts.clone(), 0);
        let findings = probe(&game);
        if cancel::requested() {
            let message = format!("{}: opening was cancelled", game.spec.name);
            return Err(InputError::new(message).of_kind(ErrorKind::Cancelled));
        }
        game.spec.features = findings.features;
        let player_names: Vec<String> = game.spec.players.clone();
        game.grid = Grid::find(&findings.states, &player_names, &sheet);
        Ok(game)
    }
}
