//! What agents asked and were answered: the conversations of language models.

use tesuji_arena::{Features, LiveStep, Occupant, Waiting};

use super::{Inner, PLAYED, Room};
use crate::database::FailedDecision;
use crate::error::ApiError;
use crate::view::{self, TranscriptView};

impl Room {
    /// The conversations of the match, step by step; the last one can belong to a decision that failed.
    pub(crate) fn transcripts(&self) -> Result<Vec<TranscriptView>, ApiError> {
        let inner = self.lock_open()?;
        if !inner.may_show_transcripts() {
            return Err(ApiError::forbidden("the transcripts of this match are shown when it is over").with_help(
                "players choose at the same time here: what a model says of its plans would help its opponents",
            ));
        }
        let players = &self.game.spec().players;
        let made = inner.live.made().iter().enumerate().flat_map(|(step, made)| {
            let seats = view::seats_of(made, players);
            let decided = seats.into_iter().zip(&made.decisions);
            let told = decided.filter_map(|(player, decision)| Some((player, decision.as_ref()?.transcript.as_ref()?)));
            told.map(|(player, text)| TranscriptView::of(step, player, text, false)).collect::<Vec<_>>()
        });
        let mut told: Vec<TranscriptView> = made.collect();
        let failed = self.services.database.find_failure(&self.id)?;
        told.extend(failed.map(|failed| TranscriptView::of(failed.step, failed.player, &failed.transcript, true)));
        Ok(told)
    }

    /// The decision that an agent failed to make, for a file of the match.
    pub(crate) fn failed_decision(&self) -> Result<Option<FailedDecision>, ApiError> {
        Ok(self.services.database.find_failure(&self.id)?)
    }
}

impl Inner {
    /// May everybody read what the agents said? Not while a person plays a game with hidden choices.
    pub(super) fn may_show_transcripts(&self) -> bool {
        let over = self.row.origin != PLAYED || self.live.waiting() == Waiting::Nothing;
        let people = self.live.seats().iter().any(|seat| matches!(seat, Occupant::Person { .. }));
        over || !people || !self.live.spec().features.contains(Features::SIMULTANEOUS)
    }

    /// The steps as they may leave the lab: without transcripts that are not to be shown yet.
    pub(super) fn open_steps(&self) -> Vec<LiveStep> {
        let mut steps = self.live.made().to_vec();
        if !self.may_show_transcripts() {
            steps.iter_mut().flat_map(|step| step.decisions.iter_mut().flatten()).for_each(|decision| {
                decision.transcript = None;
            });
        }
        steps
    }
}
