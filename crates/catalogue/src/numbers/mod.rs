//! Games in numbers: states, batches of matches and agents without their types, for programs that know actions by
//! number and states as tensors.
//!
//! Types are erased per state or per batch. A step of a batch is one call, in which everything is compiled for the
//! game.

mod agent;
mod batch;
mod hosted;
mod opened;
mod position;

use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{
    ActionField, ActionIndex, ErrorKind, InputError, Observation, ObservationLayout, action_count, field_values,
};

pub use agent::{AnyAgent, NumberedCandidate, NumberedDecision};
pub use batch::{AnyBatch, BatchArrays, BatchPlan};
pub use hosted::{HostedAgent, HostedKind};
pub use opened::ByNumbers;
pub use position::AnyPosition;

use agent::TypedAgent;
use batch::TypedBatch;
use position::{HeldState, TypedPosition, play_outs};

/// How a game numbers its actions and describes its states.
#[derive(Clone, Debug, Serialize)]
pub struct NumbersInfo {
    /// The fields of an action's number, the most significant first.
    pub fields: Vec<FieldInfo>,
    /// The number of different actions of a player.
    pub actions: usize,
    /// The number of different outcomes of chance.
    pub outcomes: usize,
    /// The shape of an observation.
    pub shape: Vec<usize>,
    /// The names of its planes or features.
    pub planes: Vec<String>,
}

impl NumbersInfo {
    /// The parts of an action's number by name; `None` if there is no such action.
    pub fn parts(&self, number: u32) -> Option<Vec<(&'static str, u32)>> {
        let fields: Vec<ActionField> =
            self.fields.iter().map(|field| ActionField { name: field.name, size: field.size }).collect();
        let named = fields.iter().map(|field| field.name).zip(field_values(&fields, number));
        ((number as usize) < self.actions).then(|| named.collect())
    }
}

/// A field of an action's number.
#[derive(Clone, Debug, Serialize)]
pub struct FieldInfo {
    /// What it is.
    pub name: &'static str,
    /// The number of its values.
    pub size: u32,
}

/// The two capabilities of a game that is used by numbers.
pub(crate) struct Numbers<G: Complete> {
    pub(crate) index: &'static dyn ActionIndex<G>,
    pub(crate) observation: &'static dyn Observation<G>,
    pub(crate) fields: Vec<ActionField>,
    pub(crate) layout: ObservationLayout,
}

impl<G: Complete> Numbers<G> {
    /// The capabilities of `game`; refuses a game that has none.
    pub(crate) fn of(game: &G) -> Result<Numbers<G>, InputError> {
        let (Some(index), Some(observation)) = (game.action_index(), game.observation()) else {
            return Err(Numbers::refusal(game));
        };
        Ok(Numbers { index, observation, fields: index.fields(game), layout: observation.layout(game) })
    }

    /// The error for a game without numbers.
    pub(crate) fn refusal(game: &G) -> InputError {
        let name = &game.spec().name;
        let refused = InputError::new(format!("`{name}` does not number its actions")).of_kind(ErrorKind::Refused);
        match game.engine() {
            "interpreter" => refused.with_help(
                "the interpreter meets moves and facts as they appear; rule sheets that run on the network \
                 (`engine=network`) have numbers",
            ),
            _ => refused.with_help("the game must offer `Knowledge::action_index` and `Knowledge::observation`"),
        }
    }

    /// The description for surfaces.
    pub(crate) fn info(&self, game: &G) -> NumbersInfo {
        NumbersInfo {
            actions: action_count(&self.fields) as usize,
            fields: self.fields.iter().map(|field| FieldInfo { name: field.name, size: field.size }).collect(),
            outcomes: self.index.outcomes(game),
            shape: self.layout.shape(),
            planes: self.layout.names.clone(),
        }
    }
}
