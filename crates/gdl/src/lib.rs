//! Games whose rules arrive as text in the Game Description Language (GDL-I and GDL-II).
//!
//! A text passes through these modules, in this order: `kif` (parentheses and words) → `rules` (clauses in a normal
//! form) → optionally `validate` (what is wrong with them) → an engine. The engine is `interpreter`, which evaluates
//! the rules as written; or `grounder` (rules without variables) → `network` (gates) → `machine` (one match at a time)
//! and `lanes` (many at once). `game` makes any of them a game of the catalogue; `referee` compares them. `explain`
//! says why a fact holds or not, and `tutor` compares a sheet with examples. This crate knows no agent and no
//! native game.
//!
//! From a text to a game, and a random match:
//!
//! ```
//! use tesuji_core::{Game, Horizon, Player, Policy, Rng, Source, Turn, Uniform};
//! use tesuji_gdl::{Gdl, Options, Sheet};
//!
//! let text = "
//!     (role first) (role second)
//!     (init (control first))
//!     (<= (legal ?role (take left)) (true (control ?role)))
//!     (<= (legal ?role (take right)) (true (control ?role)))
//!     (<= (legal ?role noop) (role ?role) (not (true (control ?role))))
//!     (<= (next (control second)) (true (control first)))
//!     (<= (next (chosen ?side)) (does first (take ?side)))
//!     (<= (next (chosen ?side)) (true (chosen ?side)))
//!     (<= (next won) (does second (take ?side)) (true (chosen ?side)))
//!     (<= (next over) (true (control second)))
//!     (<= terminal (true over))
//!     (<= (goal second 100) (true won))
//!     (<= (goal second 0) (not (true won)))
//!     (<= (goal first 0) (true won))
//!     (<= (goal first 100) (not (true won)))
//! ";
//! let sheet = Sheet::read(Source::new("guess.kif", text))?;
//! let game = Gdl::from_sheet(sheet, Options::default())?;
//! let mut state = game.start();
//! let steps = Uniform::default().play_out(&game, &mut state, &mut Rng::new(1), Horizon::END);
//! assert_eq!((steps, game.turn(&state)), (2, Turn::Over));
//! assert_eq!(game.payoff(&state, Player(0)) + game.payoff(&state, Player(1)), 100.0);
//! # Ok::<(), tesuji_core::InputError>(())
//! ```

mod symbols;
mod kif;
mod terms;
mod rules;
mod normal;
mod percepts;

pub mod interpreter;
pub mod validate;

mod ground;
mod grounder;
mod network;
mod machine;
mod lanes;
mod compile;

pub mod explain;
mod game;
pub mod referee;
mod trace;
pub mod tutor;

pub use compile::{Compiled, Obstacle, compile};
pub use game::{ENTRY, EngineKind, Gdl, Move, Options, SHEETS, State};
pub use ground::{Goal, Ground, GroundRules, Signal};
pub use grounder::{Grounding, GroundingLimits, Limit, Statistics, TooLarge, ground};
pub use interpreter::Interpreter;
pub use kif::Place;
pub use lanes::{Lane, Lanes, TakenMove, Tally, vectors};
pub use machine::Machine;
pub use network::{Network, Size, dot};
pub use referee::{Referee, View};
pub use rules::{Atom, Literal, Rule, Sheet, Term};
pub use symbols::{Symbol, Symbols, keyword, place_of};
pub use terms::{GroundTerm, Terms};
pub use trace::{Trace, TracedState};
