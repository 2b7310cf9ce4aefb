//! The shapes in which the API shows a match: docs/api.md in types.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tesuji_arena::{Actor, AnyMatch, Budget, DecisionText, LiveStep, Note, Occupant, Picture, Player, Turn};
use utoipa::ToSchema;

use crate::budget::{BudgetView, budget_text};

/// At most this many candidates of a decision are shown and saved.
pub(crate) const CANDIDATES: usize = 64;

/// A position of a match.
#[derive(Serialize, ToSchema)]
pub(crate) struct MatchView {
    /// The match.
    pub id: String,
    /// The address of the game.
    pub game: String,
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

/// A drawn board.
#[derive(Serialize, ToSchema)]
pub(crate) struct PictureView {
    /// The drawing.
    pub svg: String,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// What can be clicked.
    pub areas: Vec<AreaView>,
}

/// A rectangle that stands for something.
#[derive(Serialize, ToSchema)]
pub(crate) struct AreaView {
    /// Its number.
    pub id: u32,
    /// Its name for people.
    pub label: String,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// What a mover may do.
#[derive(Serialize, ToSchema)]
pub(crate) struct LegalView {
    /// The mover.
    pub player: u8,
    /// The mover's name.
    pub name: String,
    /// Has the mover chosen already?
    pub chosen: bool,
    /// Is there an end of turn to declare?
    pub end_turn: bool,
    /// The legal actions.
    pub actions: Vec<ActionView>,
}

/// A legal action.
#[derive(Serialize, ToSchema)]
pub(crate) struct ActionView {
    /// How it is written.
    pub text: String,
    /// The areas to click, in order.
    pub clicks: Vec<u32>,
    /// What it would do.
    pub note: Option<NoteView>,
}

/// What an action would do, as data.
#[derive(Serialize, ToSchema)]
pub(crate) struct NoteView {
    /// The kind of note, such as `damage`.
    pub key: &'static str,
    /// Its numbers by name, such as `dealt` and `taken`.
    pub values: BTreeMap<&'static str, i64>,
}

impl From<Note> for NoteView {
    fn from(note: Note) -> NoteView {
        NoteView { key: note.key, values: note.values.into_iter().collect() }
    }
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
        }
    }
}

fn milliseconds(decision: &DecisionText) -> f64 {
    (decision.time.as_secs_f64() * 1e6).round() / 1e3
}

impl ShortDecision {
    fn of(decision: &DecisionText) -> ShortDecision {
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

impl StepView {
    /// A step for showing.
    pub(crate) fn of(step: &LiveStep, names: &[String]) -> StepView {
        StepView {
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

impl PictureView {
    /// A picture for showing.
    pub(crate) fn of(picture: &Picture) -> PictureView {
        let areas = picture.areas.iter().map(|area| AreaView {
            id: area.id,
            label: area.label.clone(),
            x: area.x,
            y: area.y,
            width: area.width,
            height: area.height,
        });
        PictureView { svg: picture.svg(), width: picture.width, height: picture.height, areas: areas.collect() }
    }
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

/// What the movers of a position may do.
pub(crate) fn legal_views(table: &dyn AnyMatch, chosen: impl Fn(Player) -> bool) -> Vec<LegalView> {
    let mut views = Vec::new();
    for (actor, name) in table.actors() {
        let Actor::Player(player) = actor else { continue };
        let texts = table.legal(actor).into_iter();
        let actions = texts.zip(table.clicks(actor)).zip(table.notes(actor));
        views.push(LegalView {
            player: player.0,
            name,
            chosen: chosen(player),
            end_turn: !table.end_turn(player).is_empty(),
            actions: actions
                .map(|((text, clicks), note)| ActionView { text, clicks, note: note.map(NoteView::from) })
                .collect(),
        });
    }
    views
}

/// What nature may draw in a position.
pub(crate) fn chance_views(table: &dyn AnyMatch) -> Vec<ChanceView> {
    table.chances().into_iter().map(|(text, probability)| ChanceView { text, probability }).collect()
}

/// The steps of a match, for showing.
pub(crate) fn history(live: &dyn AnyMatch) -> Vec<StepView> {
    live.made().iter().map(|step| StepView::of(step, &live.spec().players)).collect()
}
