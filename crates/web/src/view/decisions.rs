//! Decisions of agents as the API shows them.

use serde::{Deserialize, Serialize};
use tesuji_arena::DecisionText;
use utoipa::ToSchema;

/// At most this many candidates of a decision are shown and saved.
pub(crate) const CANDIDATES: usize = 64;

/// A decision in a few figures.
#[derive(Serialize, ToSchema)]
pub(crate) struct ShortDecision {
    /// What was done.
    pub action: String,
    /// What the agent expected to get.
    pub value: Option<f64>,
    /// How often the action was tried.
    pub visits: u64,
    /// The probability with which it was played.
    pub probability: f64,
    /// Playouts made.
    pub playouts: u64,
    /// The greatest depth reached, in steps.
    pub depth: u32,
    /// Time taken.
    pub milliseconds: f64,
}

/// An agent's decision, or the best one so far.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct DecisionView {
    /// What it does, or would do.
    pub action: String,
    /// What it expects to get.
    pub value: Option<f64>,
    /// What it expects to happen.
    pub line: Vec<Vec<String>>,
    /// The greatest depth reached, in steps.
    pub depth: u32,
    /// Nodes held.
    pub nodes: u64,
    /// Playouts made.
    pub playouts: u64,
    /// Time taken.
    pub milliseconds: f64,
    /// Its legal actions, the best first.
    pub candidates: Vec<CandidateView>,
    /// Candidates that are not shown.
    pub more: usize,
    /// The limit that ended the search, such as `1000 playouts`, `250ms` or the names of the agent's own settings;
    /// absent if the search was finished, or if the agent does not say.
    #[serde(default)]
    pub limit: Option<String>,
}

/// What is known of one action.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct CandidateView {
    /// The action.
    pub action: String,
    /// How often it was tried.
    pub visits: u64,
    /// What it is worth to the one who chooses.
    pub value: Option<f64>,
    /// How likely it looked beforehand.
    pub prior: Option<f64>,
    /// The probability with which it is played.
    pub probability: f64,
}

impl DecisionView {
    /// A decision for showing.
    pub(crate) fn of(decision: &DecisionText) -> DecisionView {
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        let candidates = decision.candidates.iter().take(CANDIDATES).map(|candidate| CandidateView {
            action: candidate.action.clone(),
            visits: candidate.visits,
            value: finite(candidate.value),
            prior: finite(candidate.prior),
            probability: candidate.probability,
        });
        DecisionView {
            action: decision.action.clone(),
            value: finite(decision.value),
            line: decision.line.clone(),
            depth: decision.depth,
            nodes: decision.nodes,
            playouts: decision.playouts,
            milliseconds: milliseconds(decision),
            candidates: candidates.collect(),
            more: decision.candidates.len().saturating_sub(CANDIDATES),
            limit: decision.limit.clone(),
        }
    }
}

fn milliseconds(decision: &DecisionText) -> f64 {
    (decision.time.as_secs_f64() * 1e6).round() / 1e3
}

impl ShortDecision {
    pub(super) fn of(decision: &DecisionText) -> ShortDecision {
        let chosen = decision.candidates.iter().find(|candidate| candidate.action == decision.action);
        ShortDecision {
            action: decision.action.clone(),
            value: decision.value.filter(|value| value.is_finite()),
            visits: chosen.map_or(0, |candidate| candidate.visits),
            probability: chosen.map_or(1.0, |candidate| candidate.probability),
            playouts: decision.playouts,
            depth: decision.depth,
            milliseconds: milliseconds(decision),
        }
    }
}
