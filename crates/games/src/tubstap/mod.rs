//! TUBSTAP, a turn-based strategy game used in research: two small armies on a map; every unit acts once per turn.
//!
//! An action is what one unit does: move within reach, attack an enemy, both, or stay. A turn is the run of actions of
//! one side, with its units in any order; it ends when all have acted. No action ends the turn early:
//! [`Tubstap::end_turn`] lists the actions that have this effect.
//!
//! The rules are those of the platform's version 1.08 (`rules=v0108`) or those printed in paper 000, section 2
//! (`rules=paper`). They differ in one power and in how a lead is judged; see [`Rules`]. Both agree with paper 002,
//! section 2, where the panzer is called T.
//!
//! Choices where the sources are silent: a side without units has lost before the first action; a side whose units all
//! begin finished passes its first turn; a vehicle may begin on terrain that it cannot enter, and leave it.

mod bundled;
mod drawing;
mod icons;
mod fights;
mod file;
mod generator;
mod knowledge;
mod learned;
mod map;
mod notation;
mod numbers;
mod playout;
mod reach;
mod record;
mod state;
mod statements;
mod tactics;
mod units;
mod value_features;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

pub(crate) use bundled::MAPS;
pub use generator::{Generator, Symmetry};
pub use map::{Cell, Map, Terrain, Unit};
pub(crate) use map::{MAX_SIDE, MAX_UNITS};
#[cfg(test)]
use playout::{ATTACK_80, AttackPolicy};
pub use record::{Ending, Record};
pub use state::{Action, State, Tubstap};
pub(crate) use units::MAX_HP;
#[cfg(test)]
use units::RANGE;
pub use units::{Class, Kind, Rules};

use tesuji_core::{Arguments, Entry, InputError, Parameter};

const RULES: Parameter =
    Parameter::new("rules", "v0108", "`v0108`, as the platform plays, or `paper`, as paper 000 prints");

/// The catalogue entry of TUBSTAP on a map.
pub const ENTRY: Entry<Tubstap> = Entry {
    name: "tubstap",
    title: "TUBSTAP",
    summary: "Two armies on a map, every unit acts once a turn; wipe out the other side or lead in HP at the turn \
        limit",
    parameters: &[
        Parameter::new("map", "meadow", "the name of a bundled map, or the path of a `.tbsmap` file")
            .naming(&MAPS, ".tbsmap"),
        RULES,
    ],
    examples: &[
        "tubstap",
        "tubstap(rules=paper)",
        "tubstap(map=six-arms)",
        "tubstap(map=river-front)",
        "tubstap(map=late-guard)",
        "tubstap(map=one-blow)",
        "tubstap(map=escort)",
    ],
    open,
};

/// The catalogue entry of TUBSTAP on a generated map.
pub const RANDOM_ENTRY: Entry<Tubstap> = Entry {
    name: "tubstap-random",
    title: "TUBSTAP on a new map",
    summary: "TUBSTAP on a generated map: the same seed, the same map",
    parameters: &[
        Parameter::new("seed", "1", "which map"),
        Parameter::new("width", "8", "columns"),
        Parameter::new("height", "8", "rows"),
        Parameter::new("units", "6", "units of each side"),
        Parameter::new("hp", "6-10", "the HP of units, from-to"),
        Parameter::new("symmetry", "point", "`point`, `mirror` or `none`"),
        RULES,
    ],
    examples: &[
        "tubstap-random",
        "tubstap-random(seed=2,width=5,height=4,units=2,hp=1-10,symmetry=mirror)",
        "tubstap-random(seed=3,width=17,height=8,units=5,symmetry=none,rules=paper)",
        "tubstap-random(seed=4,width=20,height=16,units=4,symmetry=mirror)",
        "tubstap-random(seed=5,width=36,height=30,units=2)",
    ],
    open: open_random,
};

fn open(arguments: &Arguments) -> Result<Tubstap, InputError> {
    let map = bundled::find(arguments.text("map"))?;
    Tubstap::new(arguments.canonical(), map, rules(arguments)?)
}

fn open_random(arguments: &Arguments) -> Result<Tubstap, InputError> {
    let side = 1..=MAX_SIDE as u64;
    let hp = arguments.text("hp");
    let bounds = hp.split_once('-').unwrap_or((hp, hp));
    let bounds = bounds.0.parse::<u8>().ok().zip(bounds.1.parse::<u8>().ok());
    let Some(hp) = bounds.filter(|&(low, high)| 1 <= low && low <= high && high <= MAX_HP) else {
        return Err(arguments.wrong("hp", "two numbers from 1 to 10 such as `6-10`, the smaller first"));
    };
    let generator = Generator {
        width: arguments.integer("width", side.clone())? as usize,
        height: arguments.integer("height", side)? as usize,
        units: arguments.integer("units", 1..=MAX_UNITS as u64 / 2)? as usize,
        hp,
        symmetry: Symmetry::ALL[arguments.choice("symmetry", &Symmetry::NAMES)?],
    };
    let map = generator.generate(arguments.integer("seed", 0..=u64::MAX)?)?;
    Tubstap::new(arguments.canonical(), map, rules(arguments)?)
}

fn rules(arguments: &Arguments) -> Result<Rules, InputError> {
    Ok([Rules::V0108, Rules::Paper][arguments.choice("rules", &Rules::NAMES)?])
}
