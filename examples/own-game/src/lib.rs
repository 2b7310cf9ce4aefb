//! A game and an agent of one's own, and the catalogue that holds them beside everything of Tesuji.

pub mod kayles;
pub mod opportunist;

use opportunist::OpportunistKind;
use tesuji::{Catalogue, InputError};

/// The standard catalogue with Kayles and the opportunist.
pub fn catalogue() -> Result<Catalogue, InputError> {
    tesuji::builder().agent::<OpportunistKind>().standard().game(kayles::ENTRY).build()
}
