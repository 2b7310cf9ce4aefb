//! Who may change a match: keys of seats, and the consent that an undo needs.

use std::collections::BTreeSet;

use tesuji_arena::{LiveStep, Occupant};

use super::Inner;
use crate::error::ApiError;
use crate::secret;
use crate::view::{self, UndoView};

impl Inner {
    /// Is this the key of the seat?
    pub(super) fn authorise(&self, player: u8, key: Option<&str>) -> Result<(), ApiError> {
        let seat = usize::from(player);
        match self.live.seats().get(seat) {
            None => return Err(ApiError::bad("there is no such seat")),
            Some(Occupant::Agent { .. }) => return Err(ApiError::forbidden("an agent sits at this seat")),
            Some(Occupant::Person { .. }) => {}
        }
        let right = self.row.keys[seat].as_ref().zip(key).is_some_and(|(kept, key)| *kept == secret::digest(key));
        if right { Ok(()) } else { Err(ApiError::forbidden("this needs the key of the seat")) }
    }

    /// Is this the key of any seat? A match without people has none.
    pub(super) fn authorise_any(&self, key: Option<&str>) -> Result<(), ApiError> {
        let people = self.row.keys.iter().flatten().count() > 0;
        let digest = key.map(secret::digest);
        let right = digest.is_some() && self.row.keys.contains(&digest);
        if right || !people { Ok(()) } else { Err(ApiError::forbidden("this needs the key of a seat of the match")) }
    }

    /// The seats that a key belongs to.
    pub(super) fn seats_of_key(&self, key: &str) -> Vec<u8> {
        let digest = Some(secret::digest(key));
        (0..).zip(&self.row.keys).filter(|(_, kept)| **kept == digest).map(|(seat, _)| seat).collect()
    }

    /// The people whose choices an undo would take back and who have not agreed to it. A person who has chosen for the
    /// next step is among them: that choice is lost too.
    pub(super) fn undo_missing(&self) -> BTreeSet<u8> {
        let players = &self.live.spec().players;
        let has_key = |seat: &u8| self.row.keys.get(usize::from(*seat)).is_some_and(Option::is_some);
        let people = |step: &LiveStep| view::seats_of(step, players).into_iter().filter(has_key).collect::<Vec<_>>();
        let last = self.live.made().iter().rev().map(people).find(|people| !people.is_empty()).unwrap_or_default();
        let pending = self.live.pending().into_iter().map(|(player, _)| player.0).filter(has_key);
        last.into_iter().chain(pending).filter(|seat| !self.undo_agreed.contains(seat)).collect()
    }

    /// The undo that somebody asked for and others have yet to agree to.
    pub(super) fn undo_view(&self) -> Option<UndoView> {
        let agreed: Vec<u8> = self.undo_agreed.iter().copied().collect();
        (!agreed.is_empty()).then(|| UndoView { agreed, missing: self.undo_missing().into_iter().collect() })
    }
}
