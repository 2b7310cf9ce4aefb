//! The shapes in which the API shows a match: docs/api.md in types.

mod actions;
mod decisions;
mod pictures;
mod transcripts;

use serde::Serialize;
use tesuji_arena::{AnyMatch, Budget, LiveStep, Occupant, ShownAction, Turn};
use utoipa::ToSchema;

pub(crate) use actions::{LegalView, ShownView, legal_views};
pub(crate) use decisions::{CANDIDATES, DecisionView, ShortDecision};
pub(crate) use pictures::PictureView;
pub(crate) use transcripts::TranscriptView;

use crate::budget::{BudgetView, budget_text};

/// A position of a match.
#[derive(Serialize, ToSchema)]
pub(crate) struct MatchView {
    /// The match.
    pub id: String,
    /// The address of the game.
    pub game: String,
    /// What people call the game.
    pub game_title: String,
    /// What the match is called.
    pub title: String,
    /// `play`, `replay` or `store`.
    pub origin: String,
    /// The names of the seats.
    pub players: Vec<String>,
    /// The features of the game: `chance`, `simultaneous`, …
    pub features: Vec<&'static str>,
    /// Who sits where.
    pub seats: Vec<SeatView>,
    /// The seed of nature and agents; absent until the match is over, because it reveals dice and hidden choices.
    pub seed: Option<u64>,
    /// Grows with every change of the match.
    pub revision: u64,
    /// The steps before this position (without the line).
    pub step: usize,
    /// The steps of the match.
    pub steps: usize,
    /// Further steps, not played in the match.
    pub line: Vec<Vec<String>>,
    /// Who acts.
    pub turn: TurnView,
    /// The board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureView>,
    /// The state on one line.
    pub state: String,
    /// The board for a terminal.
    pub board: String,
    /// What each mover may do.
    pub legal: Vec<LegalView>,
    /// What nature may draw.
    pub chances: Vec<ChanceView>,
    /// Which agent searches.
    pub thinking: Option<ThinkingView>,
    /// Is the match over?
    pub over: bool,
    /// What each player got.
    pub payoffs: Option<Vec<f64>>,
    /// The least and the greatest payoff of the game.
    pub payoff_range: (f64, f64),
    /// Who resigned.
    pub resigned: Option<u8>,
    /// Why an agent failed.
    pub fault: Option<String>,
    /// Is there a choice of a person to take back?
    pub can_undo: bool,
    /// The undo that somebody asked for and others have yet to agree to.
    pub undo: Option<UndoView>,
    /// All steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<StepView>>,
}

/// An undo that waits for consent.
#[derive(Serialize, ToSchema)]
pub(crate) struct UndoView {
    /// The players who asked for it or agreed.
    pub agreed: Vec<u8>,
    /// The players who have yet to agree.
    pub missing: Vec<u8>,
}

/// A seat.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct SeatView {
    /// The player.
    pub player: usize,
    /// The player's name in the game.
    pub name: String,
    /// `person`, `open` or `agent`.
    pub kind: &'static str,
    /// The person's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The agent's address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The budget of a decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// The same budget in numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<BudgetView>,
}

/// Who acts.
#[derive(Serialize, ToSchema)]
pub(crate) struct TurnView {
    /// `players`, `chance` or `over`.
    pub kind: &'static str,
    /// The movers.
    pub players: Vec<u8>,
}

/// An outcome of nature.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChanceView {
    /// How it is written.
    pub text: String,
    /// How likely it is.
    pub probability: f64,
}

/// An agent that searches.
#[derive(Clone, Copy, Serialize, ToSchema)]
pub(crate) struct ThinkingView {
    /// The player it searches for.
    pub player: u8,
    /// Is it waiting for a free thread?
    pub queued: bool,
}

/// A step that was made.
#[derive(Serialize, ToSchema)]
pub(crate) struct StepView {
    /// The names of those who acted.
    pub actors: Vec<String>,
    /// Their seats; empty for chance.
    pub players: Vec<u8>,
    /// What they did.
    pub joint: Vec<String>,
    /// The decisions of the agents among them, in short.
    pub decisions: Vec<Option<ShortDecision>>,
    /// The same actions as people see them.
    pub shown: Vec<ShownView>,
}

/// A step with the whole decisions of agents.
#[derive(Serialize, ToSchema)]
pub(crate) struct FullStepView {
    /// The names of those who acted.
    pub actors: Vec<String>,
    /// Their seats; empty for chance.
    pub players: Vec<u8>,
    /// What they did.
    pub joint: Vec<String>,
    /// The decisions of the agents among them.
    pub decisions: Vec<Option<DecisionView>>,
}

impl StepView {
    /// A step for showing.
    pub(crate) fn of(step: &LiveStep, shown: &[ShownAction], names: &[String]) -> StepView {
        StepView {
            shown: shown.iter().map(ShownView::from).collect(),
            actors: step.actors.clone(),
            players: seats_of(step, names),
            joint: step.joint.clone(),
            decisions: step.decisions.iter().map(|decision| decision.as_ref().map(ShortDecision::of)).collect(),
        }
    }
}

impl FullStepView {
    /// A step with the whole decisions of agents.
    pub(crate) fn of(step: &LiveStep, names: &[String]) -> FullStepView {
        FullStepView {
            actors: step.actors.clone(),
            players: seats_of(step, names),
            joint: step.joint.clone(),
            decisions: step.decisions.iter().map(|decision| decision.as_ref().map(DecisionView::of)).collect(),
        }
    }
}

/// The seats of those who made a step.
pub(crate) fn seats_of(step: &LiveStep, names: &[String]) -> Vec<u8> {
    let seat = |actor: &String| names.iter().position(|name| name == actor).map(|seat| seat as u8);
    step.actors.iter().filter_map(seat).collect()
}

/// Who sits where. A person's seat without a key is open.
pub(crate) fn seat_views(
    players: &[String],
    seats: &[Occupant],
    keys: &[Option<String>],
    played: bool,
) -> Vec<SeatView> {
    let view = |(player, (name, occupant)): (usize, (&String, &Occupant))| {
        let mut view = SeatView {
            player,
            name: name.clone(),
            kind: "agent",
            person: None,
            agent: None,
            budget: None,
            limit: None,
        };
        match occupant {
            Occupant::Agent { agent, budget } => {
                let parsed = budget.parse::<Budget>();
                view.budget = Some(parsed.as_ref().map_or_else(|_| budget.clone(), budget_text));
                view.limit = Some(parsed.map(BudgetView::from).unwrap_or_default());
                view.agent = Some(agent.clone());
            }
            Occupant::Person { name } => {
                let open = played && keys.get(player).is_none_or(Option::is_none);
                view.kind = if open { "open" } else { "person" };
                view.person = (!open).then(|| name.clone());
            }
        }
        view
    };
    players.iter().zip(seats).enumerate().map(view).collect()
}

/// Who acts, for showing.
pub(crate) fn turn_view(turn: Turn) -> TurnView {
    let kind = match turn {
        Turn::Over => "over",
        Turn::Chance => "chance",
        _ => "players",
    };
    TurnView { kind, players: turn.movers().map(|player| player.0).collect() }
}

/// What nature may draw in a position.
pub(crate) fn chance_views(table: &dyn AnyMatch) -> Vec<ChanceView> {
    table.chances().into_iter().map(|(text, probability)| ChanceView { text, probability }).collect()
}

/// The steps of a match, for showing.
pub(crate) fn history(live: &dyn AnyMatch) -> Vec<StepView> {
    let steps = live.made().iter().zip(live.shown());
    steps.map(|(step, shown)| StepView::of(step, shown, &live.spec().players)).collect()
}
