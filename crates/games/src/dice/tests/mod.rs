//! Tests of the dice game: plain twins, facts from the paper, and texts.

mod rules;
mod paper;
mod knowledge;
mod texts;

use tesuji_core::{Arguments, InputError};

use super::{Dice, ENTRY};

fn try_open(address: &str) -> Result<Dice, InputError> {
    (ENTRY.open)(&Arguments::bind(&address.parse()?, ENTRY.parameters)?)
}

fn open(address: &str) -> Dice {
    try_open(address).unwrap()
}

fn at(row: u8, column: u8) -> u8 {
    8 * row + column
}
