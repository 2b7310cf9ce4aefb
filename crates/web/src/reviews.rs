//! Reviews: a strong agent judges every choice of a match, one after the other. The result is saved.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tesuji_arena::{AnyMatch, DecisionText, Judgement, Listener, Player, ReviewPlan, judge};
use tokio::sync::watch;
use utoipa::ToSchema;

use crate::address_parts::AddressRequest;
use crate::analyses::AnalysisState;
use crate::budget::BudgetRequest;
use crate::error::ApiError;
use crate::lab::Lab;
use crate::pool::Purpose;
use crate::room::Room;

/// A request for a review. What is absent is chosen for the game.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewRequest {
    /// The judge's address.
    #[serde(default)]
    pub agent: Option<AddressRequest>,
    /// The budget of each search.
    #[serde(default)]
    pub budget: Option<BudgetRequest>,
    /// Searches of each position, 2 to 20.
    #[serde(default)]
    pub searches: Option<u32>,
}

/// A review.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ReviewView {
    /// The match.
    #[serde(rename = "match")]
    pub of: String,
    /// The judge.
    pub agent: String,
    /// The budget of each search.
    pub budget: String,
    /// Searches of each position.
    pub searches: u32,
    /// The steps of the match when it was reviewed.
    pub steps: usize,
    /// `queued`, `running`, `done` or `failed`.
    pub state: AnalysisState,
    /// Why it failed.
    pub error: Option<String>,
    /// Choices judged so far.
    pub done: usize,
    /// Choices to judge.
    pub total: usize,
    /// What the judge thinks of each choice: step, player, action, value, best, best_value, cost, interval, line.
    #[schema(value_type = Vec<Object>)]
    pub judgements: Vec<Judgement>,
}

impl ReviewView {
    /// Has it ended?
    pub(crate) fn ended(&self) -> bool {
        matches!(self.state, AnalysisState::Done | AnalysisState::Failed)
    }
}

/// A review that runs or waits.
pub(crate) struct Review {
    /// The latest view, for clients that watch.
    pub view: watch::Sender<Arc<ReviewView>>,
    stop: AtomicBool,
    watched: AtomicBool,
}

impl Review {
    /// A client starts to watch.
    pub(crate) fn watch(&self) -> watch::Receiver<Arc<ReviewView>> {
        self.watched.store(true, Ordering::Relaxed);
        self.view.subscribe()
    }

    /// Asks it to end.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Should it end: was it stopped, or has everybody who watched it left?
    fn unwanted(&self) -> bool {
        let left = self.watched.load(Ordering::Relaxed) && self.view.receiver_count() == 0;
        left || self.stop.load(Ordering::Relaxed)
    }
}

/// The reviews that run or wait, by match.
#[derive(Default)]
pub(crate) struct Reviews {
    current: Mutex<HashMap<String, Arc<Review>>>,
}

impl Reviews {
    fn current(&self) -> MutexGuard<'_, HashMap<String, Arc<Review>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The review of a match, if it runs or waits.
    pub(crate) fn find(&self, of: &str) -> Option<Arc<Review>> {
        self.current().get(of).cloned()
    }

    /// Asks all to end.
    pub(crate) fn stop_all(&self) {
        self.current().values().for_each(|review| review.stop());
    }
}

/// The usual number of searches of a position, and the least and most that a request can ask for.
const USUAL_SEARCHES: u32 = 4;
const SEARCHES: std::ops::RangeInclusive<u32> = 2..=20;
/// The usual playouts of each search.
const USUAL_PLAYOUTS: u64 = 1_500;
/// The usual judges: the first that can play the game. They tell the value of every candidate.
const JUDGES: [&str; 3] = ["joint-tree", "uct", "mc"];

/// Starts a review, unless one runs. Blocks for as long as the judge takes to build.
pub(crate) fn start(lab: &Arc<Lab>, room: &Room, request: ReviewRequest) -> Result<Arc<ReviewView>, ApiError> {
    if let Some(review) = lab.reviews.find(room.id()) {
        return Ok(Arc::clone(&review.view.borrow()));
    }
    let budget = request.budget.unwrap_or(BudgetRequest { playouts: Some(USUAL_PLAYOUTS), seconds: None });
    let budget = budget.checked(lab.limits())?;
    let shown_agent = match &request.agent {
        Some(agent) => lab.addresses.agent_text(agent)?,
        None => {
            let able = JUDGES.into_iter().find(|judge| room.game().check_agent(judge).is_ok());
            able.ok_or_else(|| ApiError::conflict("no agent can judge this game"))?.to_owned()
        }
    };
    let agent = lab.addresses.agent(&shown_agent)?;
    room.game().check_agent(&agent)?;
    let searches = request.searches.unwrap_or(USUAL_SEARCHES);
    if !SEARCHES.contains(&searches) {
        return Err(ApiError::bad(format!("`searches` is {} to {}", SEARCHES.start(), SEARCHES.end())));
    }
    let played = room.finished()?;
    let choices = choices(played.as_ref());
    let view = ReviewView {
        of: room.id().to_owned(),
        agent: shown_agent,
        budget: budget.clone(),
        searches,
        steps: played.made().len(),
        state: AnalysisState::Queued,
        error: None,
        done: 0,
        total: choices.len(),
        judgements: Vec::new(),
    };
    let view = Arc::new(view);
    let review = Arc::new(Review {
        view: watch::Sender::new(Arc::clone(&view)),
        stop: AtomicBool::new(false),
        watched: AtomicBool::new(false),
    });
    let mut current = lab.reviews.current();
    if current.len() >= lab.limits().analyses {
        return Err(ApiError::busy("the lab has reached its limit of reviews").with_help("wait until one ends"));
    }
    current.insert(room.id().to_owned(), Arc::clone(&review));
    drop(current);
    let plan = ReviewPlan { agent, budget: budget.parse()?, searches, seed: 1 };
    Job { lab: Arc::clone(lab), review, played, choices, plan }.submit();
    Ok(view)
}

/// The choices of players in a match: step and player.
fn choices(played: &dyn AnyMatch) -> Vec<(usize, Player)> {
    let mut choices = Vec::new();
    let players = &played.spec().players;
    for (number, step) in played.made().iter().enumerate() {
        for seat in crate::view::seats_of(step, players) {
            choices.push((number, Player(seat)));
        }
    }
    choices
}

/// A review in progress: one choice at a time, so that other searches get their turn.
struct Job {
    lab: Arc<Lab>,
    review: Arc<Review>,
    played: Box<dyn AnyMatch>,
    choices: Vec<(usize, Player)>,
    plan: ReviewPlan,
}

impl Job {
    fn submit(self) {
        let lab = Arc::clone(&self.lab);
        lab.services.pool.submit(Purpose::Analysis, move || self.judge_next());
    }

    fn judge_next(self) {
        let view = Arc::clone(&self.review.view.borrow());
        let Some(&(step, player)) = self.choices.get(view.done) else { return self.end(AnalysisState::Done, None) };
        if self.review.unwanted() {
            return self.end(AnalysisState::Failed, Some("the review was stopped".to_owned()));
        }
        let limit = Duration::from_secs_f64(self.lab.limits().seconds);
        let mut patience = Patience { review: &self.review, begun: Instant::now(), limit };
        match judge(self.played.as_ref(), step, player, &self.plan, &mut patience) {
            Err(error) => self.end(AnalysisState::Failed, Some(error.to_string())),
            Ok(judgement) => {
                let mut next = ReviewView::clone(&view);
                next.state = AnalysisState::Running;
                next.done += 1;
                next.judgements.extend(judgement);
                self.review.view.send_replace(Arc::new(next));
                self.submit();
            }
        }
    }

    fn end(self, state: AnalysisState, error: Option<String>) {
        let mut ended = ReviewView::clone(&self.review.view.borrow());
        ended.state = state;
        ended.error = error;
        // The result is saved before clients are notified that it ended. If that fails, they still see it.
        if state == AnalysisState::Done
            && let Err(error) = self.lab.services.database.put_review(&ended.of, &ended)
        {
            ended.error = Some(format!("the review could not be saved: {error}"));
        }
        let of = ended.of.clone();
        self.lab.reviews.current().remove(&of);
        self.review.view.send_replace(Arc::new(ended));
    }
}

/// Ends the searches of a choice when the review is not wanted any more or takes too long.
struct Patience<'a> {
    review: &'a Review,
    begun: Instant,
    limit: Duration,
}

impl Listener for Patience<'_> {
    fn hear(&mut self, _thought: &DecisionText) -> bool {
        !self.review.unwanted() && self.begun.elapsed() < self.limit
    }
}
