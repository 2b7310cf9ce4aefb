//! Texts and pictures of the tiny games, as simple as possible, for kinds that need them.

use tesuji_core::{Actor, AreaId, Drawing, Game, InputError, Notation, Picture};

use super::skirmish::Skirmish;
use super::{Nim, Written};

macro_rules! plain_text {
    ($($game:ty),*) => {
        $(
            impl Notation for $game {
                fn action_text(&self, _: &Self::State, _: Actor, action: <$game as Game>::Action) -> String {
                    format!("{action:?}")
                }

                fn state_text(&self, state: &Self::State) -> String {
                    format!("{state:?}")
                }

                fn parse_state(&self, text: &str) -> Result<Self::State, InputError> {
                    Err(InputError::new(format!("`{text}`: states of this game are not read")))
                }
            }

            impl Drawing for $game {
                fn draw(&self, _: &Self::State) -> Picture {
                    Picture::new(1.0, 1.0)
                }

                fn clicks(&self, _: &Self::State, _: Actor, _: <$game as Game>::Action) -> Vec<AreaId> {
                    Vec::new()
                }
            }
        )*
    };
}

plain_text!(Nim, Skirmish, Written);
