//! Teaching (paper 000): labels of actions become a table of memberships, which an agent plays with.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tesuji_arena::fuzzy::{LabelCounts, LabelSet, Memberships, membership_plot, membership_table};
use tesuji_arena::store::Store;
use tesuji_arena::{InputError, Source};
use utoipa::ToSchema;

use crate::addresses::UPLOAD;
use crate::error::ApiError;
use crate::experiments::store_path;
use crate::lab::Lab;
use crate::stores::{LABELS, name_from};

/// How the names of tables end.
pub(crate) const ENDING: &str = ".csv";

/// The agent that plays with a table: paper 000's pruning by memberships.
const PLAYER: &str = "unit-uct-prune";

/// The table that comes with the game and that learned ones are compared with.
const COMES_WITH_IT: &str = "stand-in-440";

/// What can be learned from, and what was learned.
#[derive(Serialize, ToSchema)]
pub(crate) struct TeachView {
    /// Labels by game.
    pub games: Vec<TaughtGame>,
    /// Tables that were learned or uploaded.
    pub tables: Vec<TableName>,
}

/// The labels of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct TaughtGame {
    /// The game's address.
    pub game: String,
    /// labels, good, unsure, bad.
    #[schema(value_type = Object)]
    pub counts: LabelCounts,
}

/// A table by its name.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableName {
    /// What to write in addresses.
    pub name: String,
    /// The address of an agent that plays with it.
    pub agent: String,
}

/// A table to learn.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LearnRequest {
    /// The game's address.
    pub game: String,
    /// What to call the table.
    pub name: String,
}

/// A learned table, and how it differs from the one it is compared with.
#[derive(Serialize, ToSchema)]
pub(crate) struct LearnedView {
    /// What to write in addresses.
    pub name: String,
    /// The address of an agent that plays with it.
    pub agent: String,
    /// The names of the features.
    pub features: Vec<String>,
    /// Labels it was learned from.
    pub samples: u64,
    /// Different vectors of features.
    pub vectors: usize,
    /// The table it is compared with.
    pub before: String,
    /// The vectors whose membership changed, the greatest change first.
    pub changes: Vec<ChangeView>,
    /// Memberships over two features: before and now, as SVG.
    pub plots: [String; 2],
}

/// A vector of features whose membership changed.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChangeView {
    /// The features.
    pub features: Vec<f64>,
    /// Labels with these features.
    pub samples: u64,
    /// The membership before.
    pub before: f64,
    /// The membership now.
    pub after: f64,
}

/// Changes that are listed.
const LISTED: usize = 12;

fn agent_of(name: &str) -> String {
    format!("{PLAYER}(fuzzy={name})")
}

/// What can be learned from, and what was learned.
pub(crate) fn view(lab: &Lab) -> Result<TeachView, ApiError> {
    let path = store_path(&lab.folder, LABELS);
    let labels = if path.is_file() { Store::read(&path)?.labels()? } else { Vec::new() };
    let mut names: Vec<String> = labels.iter().map(|label| label.game.clone()).collect();
    names.sort();
    names.dedup();
    let games = names.into_iter().map(|game| {
        let own = labels.iter().filter(|label| label.game == game).cloned().collect();
        let counts = LabelSet::new(&lab.catalogue, own)?.counts();
        Ok::<_, InputError>(TaughtGame { game: lab.addresses.shown(&game), counts })
    });
    let games = games.collect::<Result<_, _>>()?;
    let entries = std::fs::read_dir(lab.addresses.folder()).into_iter().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.retain(|name| name.ends_with(ENDING));
    names.sort();
    let table = |name: String| {
        let name = format!("{UPLOAD}{name}");
        TableName { agent: agent_of(&name), name }
    };
    Ok(TeachView { games, tables: names.into_iter().map(table).collect() })
}

/// Learns a table from the labels of a game and keeps it under its name.
pub(crate) fn learn(lab: &Arc<Lab>, request: &LearnRequest) -> Result<LearnedView, ApiError> {
    let path = store_path(&lab.folder, LABELS);
    if !path.is_file() {
        return Err(ApiError::conflict("there are no labels to learn from").with_help("label actions of a match first"));
    }
    let inside = lab.addresses.game(&request.game)?;
    let game = lab.catalogue.open(&inside)?;
    let set = LabelSet::stored(&lab.catalogue, &Store::read(&path)?, Some(&game.spec().name))?;
    let learned = set.learn();
    let name = format!("{}{ENDING}", name_from(request.name.trim_end_matches(ENDING)));
    keep(lab, &name, learned.text().as_bytes())?;
    described(lab, &name, &learned, &inside)
}

/// Keeps a table that somebody uploads, if it is one.
pub(crate) fn upload(lab: &Arc<Lab>, name: &str, bytes: &[u8]) -> Result<LearnedView, ApiError> {
    let text = String::from_utf8_lossy(bytes);
    let learned = Memberships::read(&Source::new(name, text.as_ref()))?;
    let name = format!("{}{ENDING}", name_from(name.trim_end_matches(ENDING)));
    keep(lab, &name, learned.text().as_bytes())?;
    described(lab, &name, &learned, "tubstap")
}

/// A table that was kept, by its name without the prefix of uploads.
pub(crate) fn read(lab: &Arc<Lab>, name: &str) -> Result<LearnedView, ApiError> {
    let path = lab.addresses.upload(name)?;
    let text = std::fs::read_to_string(&path)
        .map_err(|error| ApiError::fault(format!("the table cannot be read: {error}")))?;
    let learned = Memberships::read(&Source::new(name, text))?;
    described(lab, name, &learned, "tubstap")
}

fn keep(lab: &Lab, name: &str, bytes: &[u8]) -> Result<(), ApiError> {
    let folder = lab.addresses.folder();
    let path = folder.join(name);
    if !path.is_file() && std::fs::read_dir(folder).map_or(0, Iterator::count) >= lab.limits().uploads {
        return Err(ApiError::busy("the lab has reached its limit of uploads"));
    }
    // Agents that play with an older table of this name have read it already.
    std::fs::write(&path, bytes).map_err(|error| ApiError::fault(format!("the table cannot be saved: {error}")))
}

fn described(lab: &Lab, name: &str, learned: &Memberships, game: &str) -> Result<LearnedView, ApiError> {
    let before = membership_table(&lab.catalogue, game, COMES_WITH_IT)?;
    if before.names() != learned.names() {
        return Err(ApiError::bad("this table has features of another game"));
    }
    let change = |known: &tesuji_arena::fuzzy::Known| ChangeView {
        before: before.of(&known.features, 1),
        after: known.membership,
        samples: known.samples,
        features: known.features.clone(),
    };
    let mut changes: Vec<ChangeView> = learned.known().iter().map(change).collect();
    changes.retain(|change| (change.after - change.before).abs() > 0.01);
    changes.sort_by(|one, two| (two.after - two.before).abs().total_cmp(&(one.after - one.before).abs()));
    changes.truncate(LISTED);
    let (across, up) = (learned.names().len() - 1, 0);
    let name = format!("{UPLOAD}{name}");
    Ok(LearnedView {
        agent: agent_of(&name),
        name,
        features: learned.names().to_vec(),
        samples: learned.samples(),
        vectors: learned.known().len(),
        before: COMES_WITH_IT.to_owned(),
        plots: [membership_plot(&before, across, up), membership_plot(learned, across, up)],
        changes,
    })
}
