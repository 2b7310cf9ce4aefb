//! What somebody thinks of an action.

use serde::{Deserialize, Serialize};
use tesuji_core::{InputError, Source};
use tesuji_fuzzy::{Memberships, Sample};

use crate::store::Store;
use crate::{AnyGame, Catalogue};

/// An action that was labelled.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Label {
    /// The address of the game.
    pub game: String,
    /// The state as text; empty, like the action, where only the features are known.
    pub state: String,
    /// The action as text.
    pub action: String,
    /// Who labelled: a person's name, or the stand-in.
    pub by: String,
    /// The match in which it was played, in words; empty if there was none.
    #[serde(rename = "match")]
    pub played: String,
    /// The features of the action, as the game names them.
    pub features: Vec<f64>,
    /// 1 for good, 0 for bad, 0.5 for what cannot be told.
    pub label: f64,
}

/// How many labels say what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct LabelCounts {
    /// All labels.
    pub labels: u64,
    /// Those that say 1.
    pub good: u64,
    /// Those that say 0.5.
    pub unsure: u64,
    /// Those that say 0.
    pub bad: u64,
}

/// Labels of actions that all have the same features; never empty.
#[derive(Clone, PartialEq, Debug)]
pub struct LabelSet {
    names: Vec<String>,
    labels: Vec<Label>,
}

impl LabelSet {
    /// The labels, which were checked. Refuses none, and those of games whose actions have different features.
    pub fn new(catalogue: &Catalogue, labels: Vec<Label>) -> Result<LabelSet, InputError> {
        let Some(first) = labels.first() else { return Err(no_labels()) };
        let names_of = |game: &str| feature_names(&*catalogue.open(game)?, game);
        let names = names_of(&first.game)?;
        let mut game = first.game.as_str();
        for label in &labels {
            if label.game != game {
                game = label.game.as_str();
                if names_of(game)? != names {
                    let message = format!("actions of `{game}` and of `{}` have different features", first.game);
                    return Err(InputError::new(message).with_help("choose the labels of one game with --game"));
                }
            }
        }
        Ok(LabelSet { names, labels })
    }

    /// What the features are called.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The labels, in order.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// How many say what.
    pub fn counts(&self) -> LabelCounts {
        let count = |value: f64| self.labels.iter().filter(|label| label.label == value).count() as u64;
        LabelCounts { labels: self.labels.len() as u64, good: count(1.0), unsure: count(0.5), bad: count(0.0) }
    }

    /// The first labels, at most so many.
    pub fn first(mut self, most: usize) -> Result<LabelSet, InputError> {
        self.labels.truncate(most);
        if self.labels.is_empty() { Err(no_labels()) } else { Ok(self) }
    }

    /// Learns the membership of every vector.
    pub fn learn(&self) -> Memberships {
        let sample = |label: &Label| Sample { features: label.features.clone(), label: label.label };
        let samples: Vec<Sample> = self.labels.iter().map(sample).collect();
        Memberships::learn(&self.names, &samples).unwrap_or_else(|| unreachable!("a set of labels is never empty"))
    }

    /// The labels in a store, of one game or of all.
    pub fn stored(catalogue: &Catalogue, store: &Store, game: Option<&str>) -> Result<LabelSet, InputError> {
        let mut labels = store.labels()?;
        labels.retain(|label| game.is_none_or(|game| label.game == game));
        LabelSet::new(catalogue, labels).map_err(|error| error.in_file(store.path().display()))
    }
}

/// The table of memberships of that name which a game offers.
pub fn membership_table(catalogue: &Catalogue, game: &str, name: &str) -> Result<Memberships, InputError> {
    let opened = catalogue.open(game)?;
    let text = opened.membership_table(name).ok_or_else(|| {
        let names: Vec<&str> = opened.knowledge().membership_tables.iter().map(|table| table.name).collect();
        let offer = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        InputError::new(format!("`{game}` offers no table `{name}`"))
            .with_help(format!("it offers {offer}; a file is given by a path with a dot or a slash"))
    })?;
    Memberships::read(&Source::new(format!("{name}.csv"), text))
}

/// The refusal of an empty set.
pub(super) fn no_labels() -> InputError {
    InputError::new("there are no labels to learn from").with_help(
        "label actions with `tesuji fuzzy label GAME --to FILE`, or bring labels in with `tesuji fuzzy import STORE \
         FILE`",
    )
}

/// The features of actions in a game; refuses a game that tells none.
pub(super) fn feature_names(opened: &dyn AnyGame, game: &str) -> Result<Vec<String>, InputError> {
    let features = opened.knowledge().action_features;
    if features.is_empty() {
        return Err(InputError::new(format!("`{game}` tells no features of actions, which labels are learned by")));
    }
    Ok(features.iter().map(|feature| feature.name.to_owned()).collect())
}
