//! A line of a catalogue.

use crate::{Arguments, InputError, Parameter};

/// How a game is named, described and opened. A game offers one or more; the catalogue lists them.
pub struct Entry<G> {
    /// The name before the parentheses of an address.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// What may stand between the parentheses, in positional order.
    pub parameters: &'static [Parameter],
    /// Addresses that the laws are checked on: the default and the corners.
    pub examples: &'static [&'static str],
    /// Makes the rules.
    pub open: fn(&Arguments) -> Result<G, InputError>,
}
