//! Analyses: an agent searches a position of a match without changing the match. Results are saved.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tesuji_arena::{AnyMatch, Budget, DecisionText, Listener, Player, Rng, mix};
use tokio::sync::watch;
use utoipa::ToSchema;

use crate::address_parts::AddressRequest;
use crate::budget::BudgetRequest;
use crate::error::ApiError;
use crate::lab::Lab;
use crate::pool::Purpose;
use crate::room::{Position, Room, THOUGHT_PAUSE, fewer_candidates};
use crate::secret;
use crate::view::DecisionView;

/// A request for an analysis.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnalysisRequest {
    /// The position after that many steps; the present one if absent.
    #[serde(default)]
    pub step: Option<usize>,
    /// Further steps, not played in the match.
    #[serde(default)]
    pub line: Vec<Vec<String>>,
    /// The player to search for; the first mover if absent.
    #[serde(default)]
    pub player: Option<u8>,
    /// The agent's address.
    pub agent: AddressRequest,
    /// Its budget.
    #[serde(default)]
    pub budget: BudgetRequest,
}

/// An analysis.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct AnalysisView {
    /// Its name.
    pub id: String,
    /// The match.
    #[serde(rename = "match")]
    pub of: String,
    /// The steps before the position.
    pub step: usize,
    /// Further steps, not played in the match.
    pub line: Vec<Vec<String>>,
    /// The player the agent searches for.
    pub player: u8,
    /// The agent.
    pub agent: String,
    /// Its budget.
    pub budget: String,
    /// `queued`, `running`, `done` or `failed`.
    pub state: AnalysisState,
    /// Why it failed.
    pub error: Option<String>,
    /// The latest decision.
    pub decision: Option<DecisionView>,
}

/// The state of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AnalysisState {
    /// It waits for a free core.
    Queued,
    /// It searches.
    Running,
    /// It has ended, by itself or because it was stopped.
    Done,
    /// The agent failed.
    Failed,
}

impl AnalysisView {
    /// Has it ended?
    pub(crate) fn ended(&self) -> bool {
        matches!(self.state, AnalysisState::Done | AnalysisState::Failed)
    }
}

/// An analysis that runs or waits.
pub(crate) struct Analysis {
    /// The latest view, for clients that watch.
    pub view: watch::Sender<Arc<AnalysisView>>,
    stop: AtomicBool,
    /// Did a client ever watch it?
    watched: AtomicBool,
}

/// The analyses that run or wait.
#[derive(Default)]
pub(crate) struct Analyses {
    current: Mutex<HashMap<String, Arc<Analysis>>>,
}

impl Analyses {
    fn current(&self) -> MutexGuard<'_, HashMap<String, Arc<Analysis>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The analysis of that name, if it runs or waits.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<Analysis>> {
        self.current().get(id).cloned()
    }

    /// The analyses of a match that run or wait.
    pub(crate) fn of(&self, of: &str) -> Vec<Arc<AnalysisView>> {
        let views = self.current().values().map(|analysis| Arc::clone(&analysis.view.borrow())).collect::<Vec<_>>();
        views.into_iter().filter(|view| view.of == of).collect()
    }

    /// Asks all to end.
    pub(crate) fn stop_all(&self) {
        self.current().values().for_each(|analysis| analysis.stop());
    }
}

impl Analysis {
    /// A client starts to watch.
    pub(crate) fn watch(&self) -> watch::Receiver<Arc<AnalysisView>> {
        self.watched.store(true, Ordering::Relaxed);
        self.view.subscribe()
    }

    /// Should it end: was it stopped, or has everybody who watched it left?
    fn unwanted(&self) -> bool {
        let left = self.watched.load(Ordering::Relaxed) && self.view.receiver_count() == 0;
        left || self.stop.load(Ordering::Relaxed)
    }

    /// Asks it to end with the best decision so far.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    fn change(&self, change: impl FnOnce(&mut AnalysisView)) -> Arc<AnalysisView> {
        let mut view = AnalysisView::clone(&self.view.borrow());
        change(&mut view);
        let view = Arc::new(view);
        self.view.send_replace(Arc::clone(&view));
        view
    }
}

/// Starts an analysis; returns its name. Blocks for as long as the agent takes to build.
pub(crate) fn start(lab: &Arc<Lab>, room: &Room, request: AnalysisRequest) -> Result<String, ApiError> {
    let budget = request.budget.checked(lab.limits())?;
    let shown_agent = lab.addresses.agent_text(&request.agent)?;
    let agent = lab.addresses.agent(&shown_agent)?;
    let steps = room.record()?.1.len();
    let step = request.step.unwrap_or(steps);
    let mut table = room.table_at(&Position { step: Some(step), line: request.line.clone() })?;
    let movers: Vec<Player> = table.turn().movers().collect();
    let player = match request.player {
        None => movers.first().copied(),
        Some(wanted) => movers.iter().copied().find(|player| player.0 == wanted),
    };
    let Some(player) = player else {
        return Err(ApiError::conflict("this player has no choice in this position"));
    };
    table.seat(player, &agent)?;
    let id = secret::new_id();
    let view = AnalysisView {
        id: id.clone(),
        of: room.id().to_owned(),
        step,
        line: request.line,
        player: player.0,
        agent: shown_agent,
        budget: budget.clone(),
        state: AnalysisState::Queued,
        error: None,
        decision: None,
    };
    let analysis = Arc::new(Analysis {
        view: watch::Sender::new(Arc::new(view)),
        stop: AtomicBool::new(false),
        watched: AtomicBool::new(false),
    });
    let mut current = lab.analyses.current();
    if current.len() >= lab.limits().analyses {
        return Err(
            ApiError::busy("the lab has reached its limit of analyses").with_help("stop one, or wait until one ends")
        );
    }
    current.insert(id.clone(), Arc::clone(&analysis));
    drop(current);
    let budget: Budget = budget.parse()?;
    let (job_lab, job_id) = (Arc::clone(lab), id.clone());
    lab.services.pool.submit(Purpose::Analysis, move || run(&job_lab, &job_id, &analysis, table, player, &budget));
    Ok(id)
}

fn run(lab: &Lab, id: &str, analysis: &Arc<Analysis>, mut table: Box<dyn AnyMatch>, player: Player, budget: &Budget) {
    // An analysis that was stopped while it waited still reports its first result.
    let begun = analysis.change(|view| view.state = AnalysisState::Running);
    let mut rng = Rng::new(mix(begun.step as u64, u64::from(player.0)));
    let limit = Duration::from_secs_f64(lab.limits().seconds);
    let mut watcher = ThoughtWatcher { analysis: Arc::clone(analysis), begun: Instant::now(), last_sent: None, limit };
    let decision = table.think_aloud(player, budget, &mut rng, Some(&mut watcher));
    let mut ended = AnalysisView::clone(&begun);
    match decision {
        Ok(decision) => {
            ended.state = AnalysisState::Done;
            ended.decision = Some(DecisionView::of(&fewer_candidates(decision)));
        }
        Err(error) => {
            ended.state = AnalysisState::Failed;
            ended.error = Some(error.to_string());
        }
    }
    // The result is saved before clients are notified that it ended. If that fails, they still see it.
    if let Err(error) = lab.services.database.put_analysis(id, &ended.of, &ended) {
        ended.error = Some(format!("the analysis could not be saved: {error}"));
    }
    analysis.view.send_replace(Arc::new(ended));
    lab.analyses.current().remove(id);
}

/// Sends the progress of an analysis to the clients that watch it.
struct ThoughtWatcher {
    analysis: Arc<Analysis>,
    begun: Instant,
    last_sent: Option<Instant>,
    limit: Duration,
}

impl Listener for ThoughtWatcher {
    fn hear(&mut self, thought: &DecisionText) -> bool {
        if self.analysis.unwanted() || self.begun.elapsed() > self.limit {
            return false;
        }
        if self.last_sent.is_none_or(|last_sent| last_sent.elapsed() >= THOUGHT_PAUSE) {
            self.last_sent = Some(Instant::now());
            self.analysis.change(|view| view.decision = Some(DecisionView::of(thought)));
        }
        true
    }
}
