//! Positions of a match as clients see them.

use std::sync::Arc;

use axum::http::StatusCode;
use tesuji_arena::{AnyMatch, Turn, Waiting};

use super::{Inner, PLAYED, Room, lost};
use crate::error::ApiError;
use crate::limits::Limits;
use crate::view::{self, FullStepView, MatchView, PictureView, ThinkingView};

/// Which position to show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Position {
    /// After that many steps; the present one if absent.
    pub step: Option<usize>,
    /// Further steps, not played in the match.
    pub line: Vec<Vec<String>>,
}

impl Room {
    /// A step with the whole decisions of agents.
    pub(crate) fn step(&self, number: usize) -> Result<FullStepView, ApiError> {
        let inner = self.lock_open()?;
        match inner.live.made().get(number) {
            Some(step) => Ok(FullStepView::of(step, &self.game.spec().players)),
            None => Err(ApiError::missing(format!("the match has {} steps", inner.live.made().len()))),
        }
    }

    /// A match at a position, without agents.
    pub(crate) fn table_at(&self, position: &Position) -> Result<Box<dyn AnyMatch>, ApiError> {
        self.lock_open()?.table_at(position, &self.services.limits)
    }

    /// The present position as JSON text, shared by all clients.
    pub(crate) fn shown(&self) -> Result<Arc<str>, ApiError> {
        let mut inner = self.lock_open()?;
        if let Some(shown) = &inner.shown {
            return Ok(Arc::clone(shown));
        }
        let view = self.view_of(&inner, inner.live.as_ref(), &Position::default(), false);
        let shown: Arc<str> = text_of(&view).into();
        inner.shown = Some(Arc::clone(&shown));
        Ok(shown)
    }

    /// A position as text. A brief one has neither picture nor history.
    pub(crate) fn view(&self, position: &Position, brief: bool) -> Result<Arc<str>, ApiError> {
        if !brief && position.step.is_none() && position.line.is_empty() {
            return self.shown();
        }
        let inner = self.lock_open()?;
        let view = if position.step.is_none() && position.line.is_empty() {
            self.view_of(&inner, inner.live.as_ref(), position, brief)
        } else {
            let table = inner.table_at(position, &self.services.limits)?;
            self.view_of(&inner, table.as_ref(), position, brief)
        };
        drop(inner);
        Ok(text_of(&view).into())
    }

    fn view_of(&self, inner: &Inner, table: &dyn AnyMatch, position: &Position, brief: bool) -> MatchView {
        let Inner { live, row, .. } = inner;
        let spec = self.game.spec();
        let steps = live.made().len();
        let step = position.step.unwrap_or(steps);
        let present = step == steps && position.line.is_empty();
        let over = row.origin != PLAYED || live.waiting() == Waiting::Nothing;
        let resigned_here = present && lost(live.as_ref()).is_some();
        MatchView {
            id: self.id.clone(),
            game: row.game.clone(),
            game_title: self.game_title(&row.game),
            title: row.title.clone(),
            origin: row.origin.clone(),
            players: spec.players.clone(),
            features: spec.features.names(),
            seats: view::seat_views(&spec.players, &row.seats, &row.keys, row.origin == PLAYED),
            seed: over.then_some(row.seed),
            revision: inner.revision,
            step,
            steps,
            line: position.line.clone(),
            turn: view::turn_view(if resigned_here { Turn::Over } else { table.turn() }),
            picture: (!brief).then(|| PictureView::of(&table.picture())),
            state: table.state_text(),
            board: table.board_text(),
            legal: if resigned_here {
                Vec::new()
            } else {
                view::legal_views(table, |player| present && live.has_chosen(player))
            },
            chances: view::chance_views(table),
            thinking: inner
                .search
                .as_ref()
                .map(|search| ThinkingView { player: search.player.0, queued: search.queued }),
            over,
            payoffs: if present { live.payoffs() } else { table.payoffs() },
            payoff_range: spec.payoffs,
            resigned: lost(live.as_ref()).map(|player| player.0),
            fault: row.progress.fault.clone(),
            can_undo: row.origin == PLAYED && live.can_take_back(),
            undo: inner.undo_view(),
            history: (!brief).then(|| view::history(live.as_ref())),
        }
    }
}

impl Inner {
    fn table_at(&self, position: &Position, limits: &Limits) -> Result<Box<dyn AnyMatch>, ApiError> {
        let steps = self.live.made().len();
        let step = position.step.unwrap_or(steps);
        if step > steps {
            return Err(ApiError::missing(format!("the match has {steps} steps")));
        }
        if position.line.len() > limits.line_steps {
            return Err(ApiError::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("a line has at most {} steps", limits.line_steps),
            ));
        }
        let mut table = self.live.branch(step);
        for (number, joint) in position.line.iter().enumerate() {
            table.step(joint).map_err(|error| error.in_file(format_args!("line, step {}", number + 1)))?;
        }
        Ok(table)
    }
}

fn text_of(view: &MatchView) -> String {
    serde_json::to_string(view).unwrap_or_else(|error| panic!("a view has no JSON: {error}"))
}
