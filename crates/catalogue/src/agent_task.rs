//! The agents of a match, lent to another thread with what one of them has to decide.

use std::time::Duration;

use tesuji_core::{Game, InputError, Player};
use tesuji_play::{Decision, Failure, Watcher};
use tesuji_play::{Task, Thinker};

use crate::decision_text::{DecisionText, Listener, TextWatcher};
use crate::erased::{Action, Erased};
use crate::playable::Playable;

/// The agents of a match with what one of them has to decide. It belongs to no thread: see
/// [`AnyMatch::lend`](crate::AnyMatch::lend).
pub struct AgentTask {
    pub(crate) player: Player,
    pub(crate) step: usize,
    pub(crate) work: Work,
    /// The decision, once it is made, as the match will keep it: whoever brings it back may shorten it.
    pub decision: Option<DecisionText>,
    /// What the agent asked and was answered before it failed, if it keeps that. With a decision, it is part of it.
    pub last_words: Option<String>,
}

impl AgentTask {
    /// Who has to choose.
    pub fn player(&self) -> Player {
        self.player
    }

    /// The number of steps before the position.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Lets the agent think. The listener hears its thoughts and answers whether to continue. A failure is kept for
    /// [`AnyMatch::answer`](crate::AnyMatch::answer), too.
    pub fn think(&mut self, listener: Option<&mut dyn Listener>) -> Result<(), InputError> {
        match self.work.think(listener) {
            Ok(decision) => {
                self.decision = Some(decision);
                Ok(())
            }
            Err(error) => {
                self.last_words = self.work.transcript();
                Err(error)
            }
        }
    }
}

/// A decision and the time it took, or why there is none.
pub(crate) type Answered = Result<(Decision<Action>, Duration), Failure>;

/// The inner part of a task: the agents, what one of them has to decide, and its answer.
pub(crate) struct Work {
    pub game: Playable<Erased>,
    pub thinker: Thinker<Erased>,
    pub task: Task<Erased>,
    pub answer: Option<Answered>,
}

impl Work {
    fn think(&mut self, listener: Option<&mut dyn Listener>) -> Result<DecisionText, InputError> {
        let Work { game, thinker, task, answer } = self;
        let (player, state) = (task.player(), task.state().clone());
        let mut watcher = listener.map(|listener| TextWatcher { game: &**game, state: &state, player, listener });
        let watcher = watcher.as_mut().map(|watcher| watcher as &mut dyn Watcher<Action>);
        let answered = thinker.think(game, task, watcher);
        let text = match &answered {
            Ok((decision, _)) => {
                let chosen = Some((decision.action, decision.value));
                let text = DecisionText::of(&**game, &state, player, &decision.thought, chosen);
                Ok(DecisionText { transcript: thinker.transcript(player), ..text })
            }
            Err(failure) => {
                Err(InputError::new(format!("the agent of {} failed: {failure}", game.spec().player_name(player))))
            }
        };
        *answer = Some(answered);
        text
    }

    /// What the agent wants to be kept, since this was last called.
    fn transcript(&mut self) -> Option<String> {
        self.thinker.transcript(self.task.player())
    }
}
