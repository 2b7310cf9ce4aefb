//! Labels of actions: the protocol of paper 000, section 7.1.
//!
//! A person's own actions are positive. The opponent's are walked through one by one and marked "I would play this"
//! (1), "not sure" (0.5) or "bad" (0).
//!
//! The lab's file holds who said what of which step. Where the game tells features of actions, labels also go to the
//! store `labels.db` in the lab's folder, the person's own actions with them: `tesuji fuzzy learn` reads it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tesuji_arena::fuzzy::{Label, LabelCheck};
use tesuji_arena::store::Store;
use tesuji_arena::{Catalogue, InputError, LiveStep, Occupant, Turn};
use utoipa::ToSchema;

use crate::database::{LabelRow, MatchRow};
use crate::error::ApiError;
use crate::experiments::store_path;
use crate::room::Room;
use crate::stores::LABELS;
use crate::view::seats_of;

/// What somebody says of an action.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LabelRequest {
    /// 1, 0.5, 0, or null for no label.
    pub label: Option<f64>,
    /// Who says so.
    pub by: String,
    /// Whose action; may be left out where one player acted.
    #[serde(default)]
    pub player: Option<u8>,
}

/// An action with its label.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub(crate) struct LabelView {
    /// The step.
    pub step: usize,
    /// Whose action.
    pub player: u8,
    /// The action.
    pub action: String,
    /// Was it a person's own?
    pub own: bool,
    /// 1, 0.5, 0, or null.
    pub label: Option<f64>,
}

/// Every action of every player with its label.
pub(crate) fn views(row: &MatchRow, steps: &[LiveStep], labels: &[LabelRow]) -> Vec<LabelView> {
    let mut views = Vec::new();
    for (step, made) in steps.iter().enumerate() {
        for (player, action) in seats_of(made, &row.players).into_iter().zip(&made.joint) {
            let own = matches!(row.seats.get(usize::from(player)), Some(Occupant::Person { .. }));
            let given = labels.iter().find(|label| label.step == step && label.player == player);
            let label = given.map(|label| label.label).or(own.then_some(1.0));
            views.push(LabelView { step, player, action: action.clone(), own, label });
        }
    }
    views
}

/// The store of labels; opened when the first one comes.
pub(crate) struct LabelStore {
    path: PathBuf,
    store: Mutex<Option<Store>>,
}

impl LabelStore {
    /// The store in a folder.
    pub(crate) fn new(folder: &Path) -> LabelStore {
        LabelStore { path: store_path(folder, LABELS), store: Mutex::new(None) }
    }

    /// Keeps what somebody says of one action (`None` takes it back), and the own actions of the people of the match.
    pub(crate) fn keep(
        &self,
        catalogue: &Catalogue,
        room: &Room,
        step: usize,
        request: &LabelRequest,
    ) -> Result<(), InputError> {
        if room.game().knowledge().action_features.is_empty() {
            return Ok(());
        }
        let (row, steps) = room.record().map_err(|error| InputError::new(error.message()))?;
        let played = labelled(room, &row, &steps)?;
        let mut held = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let store = match &mut *held {
            Some(store) => store,
            empty => empty.insert(Store::open(&self.path)?),
        };
        let mut check = LabelCheck::new(catalogue);
        let mut own = Vec::new();
        for (number, mut label, person) in played {
            if number == step {
                label.by = request.by.clone();
                match request.label {
                    Some(value) => store.add_label(catalogue, Label { label: value, ..label })?,
                    None => store.remove_label(&label)?,
                }
            } else if let Some(person) = person {
                label.by = person;
                check.check(&mut label)?;
                own.push(label);
            }
        }
        store.add_labels(&own).map(drop)
    }
}

/// The actions of a match that can be labelled, each with its step and the person who played it: steps that several
/// players made at once are passed over.
fn labelled(
    room: &Room,
    row: &MatchRow,
    steps: &[LiveStep],
) -> Result<Vec<(usize, Label, Option<String>)>, InputError> {
    let mut table = room.game().new_match(None)?;
    let mut actions = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        if let (Turn::Player(player), [action]) = (table.turn(), &step.joint[..]) {
            let person = match row.seats.get(player.index()) {
                Some(Occupant::Person { name }) if name.is_empty() => Some("somebody".to_owned()),
                Some(Occupant::Person { name }) => Some(name.clone()),
                _ => None,
            };
            let label = Label {
                game: room.game().spec().name.clone(),
                state: table.state_text(),
                action: action.clone(),
                by: String::new(),
                played: room.id().to_owned(),
                features: Vec::new(),
                label: 1.0,
            };
            actions.push((number, label, person));
        }
        table.step(&step.joint)?;
    }
    Ok(actions)
}

/// Whose action is meant, if the label can be given.
pub(crate) fn checked(request: &LabelRequest, row: &MatchRow, step: Option<&LiveStep>) -> Result<u8, ApiError> {
    if !request.label.is_none_or(|label| [0.0, 0.5, 1.0].contains(&label)) {
        return Err(ApiError::bad("a label is 1, 0.5, 0 or null"));
    }
    if request.by.trim().is_empty() {
        return Err(ApiError::bad("`by` says who labels; it is empty"));
    }
    let Some(step) = step else { return Err(ApiError::missing("the match has no such step")) };
    let players = seats_of(step, &row.players);
    match (request.player, players.as_slice()) {
        (None, &[player]) => Ok(player),
        (Some(player), players) if players.contains(&player) => Ok(player),
        (_, []) => Err(ApiError::bad("nature acted in this step")),
        _ => Err(ApiError::bad("say whose action is meant: `player`")),
    }
}
