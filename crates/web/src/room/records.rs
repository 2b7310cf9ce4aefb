//! Who sits in a match, and the match as a record.

use std::sync::Arc;

use tesuji_arena::{AnyMatch, LiveStep, Occupant, Player, Waiting};

use super::{PLAYED, Room};
use crate::database::MatchRow;
use crate::error::ApiError;
use crate::secret;

impl Room {
    /// Seats a person at an open seat; returns the key.
    pub(crate) fn sit(self: &Arc<Self>, player: u8, name: &str) -> Result<String, ApiError> {
        let mut inner = self.lock_open()?;
        let seat = usize::from(player);
        match inner.live.seats().get(seat) {
            None => return Err(ApiError::missing("there is no such seat")),
            Some(Occupant::Agent { .. }) => return Err(ApiError::conflict("an agent sits at this seat")),
            Some(Occupant::Person { .. }) => {}
        }
        if inner.row.origin != PLAYED || inner.row.keys[seat].is_some() {
            return Err(ApiError::conflict("this seat is taken"));
        }
        let key = secret::new_key();
        let mut keys = inner.row.keys.clone();
        keys[seat] = Some(secret::digest(&key));
        let mut seats = inner.row.seats.clone();
        seats[seat] = Occupant::Person { name: name.to_owned() };
        self.services
            .database
            .change_seats(&self.id, &seats, &keys)
            .map_err(|error| self.broken(&mut inner, &error))?;
        inner.live.rename(Player(player), name)?;
        (inner.row.keys, inner.row.seats) = (keys, seats);
        self.notify(&mut inner);
        Ok(key)
    }

    /// May this key remove the match?
    pub(crate) fn may_remove(&self, key: Option<&str>) -> Result<(), ApiError> {
        self.lock_open()?.authorise_any(key)
    }

    /// The saved form of the match, and its steps.
    pub(crate) fn record(&self) -> Result<(MatchRow, Vec<LiveStep>), ApiError> {
        let inner = self.lock_open()?;
        Ok((inner.row.clone(), inner.open_steps()))
    }

    /// The match in the game's own record format.
    pub(crate) fn game_record(&self) -> Result<Option<String>, ApiError> {
        let inner = self.lock_open()?;
        let steps: Vec<Vec<String>> = inner.live.made().iter().map(|step| step.joint.clone()).collect();
        let name = |occupant: &Occupant| match occupant {
            Occupant::Person { name } => name.clone(),
            Occupant::Agent { agent, .. } => agent.clone(),
        };
        let names: Vec<String> = inner.row.seats.iter().map(name).collect();
        Ok(self.game.record(&steps, &names)?)
    }

    /// The whole match without agents, once it is over: judging it before would help a player.
    pub(crate) fn finished(&self) -> Result<Box<dyn AnyMatch>, ApiError> {
        let inner = self.lock_open()?;
        if inner.row.origin == PLAYED && inner.live.waiting() != Waiting::Nothing {
            return Err(ApiError::conflict("the match is not over").with_help("review it when it has ended"));
        }
        Ok(inner.live.branch(inner.live.made().len()))
    }

    /// The hidden choices of the seats that these keys belong to.
    pub(crate) fn own_choices(&self, keys: &[&str]) -> Result<Vec<(u8, String)>, ApiError> {
        let inner = self.lock_open()?;
        let own: Vec<u8> = keys.iter().flat_map(|key| inner.seats_of_key(key)).collect();
        let pending = inner.live.pending().into_iter().map(|(player, action)| (player.0, action));
        Ok(pending.filter(|(player, _)| own.contains(player)).collect())
    }

    /// What people call the game.
    pub(super) fn game_title(&self, address: &str) -> String {
        self.services.catalogue.title(address).unwrap_or_else(|_| address.to_owned())
    }
}
