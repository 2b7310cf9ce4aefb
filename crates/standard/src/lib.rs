//! The standard catalogue: the games and agents that come with Tesuji, and catalogues that add to them.
//!
//! ```
//! let catalogue = tesuji_standard::catalogue();
//! let game = catalogue.open("connect-four(4,5,3)")?;
//! assert!(game.check_agent("uct(playouts=100)").is_ok());
//! # Ok::<(), tesuji_core::InputError>(())
//! ```
//!
//! Errors have a kind, so that a caller can tell them apart without reading their text:
//!
//! ```
//! use tesuji_core::ErrorKind;
//!
//! let catalogue = tesuji_standard::catalogue();
//! let game = catalogue.open("goofspiel(3)")?;
//! let kind = |agent| game.check_agent(agent).unwrap_err().kind();
//! assert_eq!(kind("utc"), ErrorKind::UnknownAgent);
//! assert_eq!(kind("uct(playout=100)"), ErrorKind::Parameter);
//! assert_eq!(kind("uct(playouts=many)"), ErrorKind::Parameter);
//! assert_eq!(kind("dlmc"), ErrorKind::Refused);
//! let kind = |game| catalogue.open(game).err().map(|error| error.kind());
//! assert_eq!(kind("go"), Some(ErrorKind::UnknownGame));
//! assert_eq!(kind("goofspiel(cards=many)"), Some(ErrorKind::Parameter));
//! assert_eq!(kind("tubstap(map=./no-such.tbsmap)"), Some(ErrorKind::Unreadable));
//! # Ok::<(), tesuji_core::InputError>(())
//! ```
//!
//! Every standard agent is compiled here for every standard game. Only programs and tests use this crate; all libraries
//! take a [`Catalogue`] as an argument, so a change of an agent compiles this crate again and no other.

mod builder;
mod champions;
mod kinds;

use tesuji_catalogue::Catalogue;

pub use builder::{CatalogueBuilder, CatalogueGames, builder};
pub use tesuji_search::guided::{Advice, Advisor, Question};
pub use tesuji_search::kinds::GuidedKind;

/// The games and agents that come with Tesuji.
pub fn catalogue() -> Catalogue {
    builder().standard().build().unwrap_or_else(|error| panic!("the standard catalogue: {error}"))
}
