//! The searches of a match's agents, on the threads of the pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tesuji_arena::{AgentTask, DecisionText, InputError, Listener, Player, Waiting};

use super::{Inner, PLAYED, Room, Search, THOUGHT_PAUSE};
use crate::database::FailedDecision;
use crate::pool::Purpose;
use crate::view::{CANDIDATES, DecisionView};

impl Room {
    pub(super) fn begin_search(self: &Arc<Self>, inner: &mut Inner) {
        if inner.search.is_some() || inner.row.origin != PLAYED {
            return;
        }
        let Some(player) = inner.live.agent_awaited() else { return };
        inner.searches += 1;
        let number = inner.searches;
        inner.search = Some(Search { number, player, queued: true, stop: Arc::default() });
        let room = Arc::clone(self);
        self.services.pool.submit(Purpose::Play, move || room.search(number));
    }

    /// One decision of an agent, on a thread of the pool.
    fn search(self: &Arc<Self>, number: u64) {
        let Some((mut task, mut watcher)) = self.prepare(number) else { return };
        // A failure is part of the answer.
        drop(task.think(Some(&mut watcher)));
        task.decision = task.decision.map(fewer_candidates);
        let mut inner = self.lock();
        if inner.closed.is_some() {
            return;
        }
        let wanted = inner.search.as_ref().is_some_and(|search| search.number == number);
        let player = task.player();
        let last_words = task.last_words.take();
        let step = task.step();
        // The agents return in any case. If the request was cancelled in the meantime, the answer is discarded.
        let answered = inner.live.answer(task);
        if !wanted {
            return;
        }
        inner.search = None;
        self.thoughts.send_replace(None);
        if let Err(error) = answered {
            self.forfeit(&mut inner, player, &error);
            if let Some(transcript) = last_words {
                let failed = FailedDecision { step, player: player.0, transcript };
                if let Err(error) = self.services.database.put_failure(&self.id, Some(&failed)) {
                    drop(self.broken(&mut inner, &error));
                    return;
                }
            }
        }
        // A failure to write closes the room; later requests get the error.
        let advanced = self.advance(&mut inner);
        drop(advanced);
    }

    fn prepare(self: &Arc<Self>, number: u64) -> Option<(AgentTask, ThoughtWatcher)> {
        let mut inner = self.lock();
        if inner.closed.is_some() {
            return None;
        }
        let search = inner.search.as_mut().filter(|search| search.number == number)?;
        search.queued = false;
        let (player, stop) = (search.player, Arc::clone(&search.stop));
        let task = match inner.live.lend(player) {
            Ok(task) => task,
            Err(error) => {
                inner.search = None;
                self.forfeit(&mut inner, player, &error);
                let advanced = self.advance(&mut inner);
                drop(advanced);
                return None;
            }
        };
        self.notify(&mut inner);
        let quiet = inner.would_give_away();
        let limit = Duration::from_secs_f64(self.services.limits.seconds);
        let step = task.step();
        let (room, begun) = (Arc::clone(self), Instant::now());
        Some((task, ThoughtWatcher { room, player, step, stop, quiet, limit, begun, last_sent: None }))
    }

    /// An agent that fails loses the match, not the lab.
    fn forfeit(&self, inner: &mut Inner, player: Player, error: &InputError) {
        inner.row.progress.fault = Some(error.to_string());
        if inner.live.waiting() != Waiting::Nothing {
            drop(inner.live.resign(player));
        }
    }
}

/// Sends the progress of a search to the clients that watch the match.
struct ThoughtWatcher {
    room: Arc<Room>,
    player: Player,
    step: usize,
    stop: Arc<AtomicBool>,
    quiet: bool,
    limit: Duration,
    begun: Instant,
    last_sent: Option<Instant>,
}

impl Listener for ThoughtWatcher {
    fn hear(&mut self, thought: &DecisionText) -> bool {
        if self.stop.load(Ordering::Relaxed) || self.begun.elapsed() > self.limit {
            return false;
        }
        let due = self.last_sent.is_none_or(|last_sent| last_sent.elapsed() >= THOUGHT_PAUSE);
        if due && !self.quiet && self.room.thoughts.receiver_count() > 0 {
            self.last_sent = Some(Instant::now());
            let message = json!({
                "type": "thought", "player": self.player.0, "step": self.step, "decision": DecisionView::of(thought),
            });
            self.room.thoughts.send_replace(Some(message.to_string().into()));
        }
        true
    }
}

/// A decision without the candidates beyond those that are saved.
pub(crate) fn fewer_candidates(mut decision: DecisionText) -> DecisionText {
    decision.candidates.truncate(CANDIDATES);
    decision.value = decision.value.filter(|value| value.is_finite());
    for candidate in &mut decision.candidates {
        if !candidate.probability.is_finite() {
            candidate.probability = 0.0;
        }
    }
    decision
}
