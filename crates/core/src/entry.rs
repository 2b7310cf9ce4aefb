//! Entries of the catalogue of games.

use crate::{Arguments, InputError, Parameter};

/// An entry of the catalogue: how a game is named, described and opened.
///
/// A game offers one or more.
pub struct Entry<G> {
    /// The name before the parentheses of an address.
    pub name: &'static str,
    /// What people call the game, such as `Connect Four`.
    pub title: &'static str,
    /// What the game is, in one sentence.
    pub summary: &'static str,
    /// The parameters, in positional order.
    pub parameters: &'static [Parameter],
    /// Addresses on which the laws are checked: the default and extreme parameters.
    pub examples: &'static [&'static str],
    /// Opens the game.
    pub open: fn(&Arguments) -> Result<G, InputError>,
}
