//! Is a label what it says? Games are opened once.

use std::collections::BTreeMap;
use std::sync::Arc;

use tesuji_core::{InputError, Turn};
use tesuji_fuzzy::LABELS;

use super::Label;
use crate::{AnyGame, Catalogue};

/// The part of a label that something is wrong with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Game,
    State,
    Action,
    By,
    Feature(usize),
    Label,
}

/// Features written by others may have been rounded.
const ROUNDED: f64 = 1e-6;

/// Checks labels, one after the other.
pub struct LabelCheck<'a> {
    catalogue: &'a Catalogue,
    games: BTreeMap<String, Arc<dyn AnyGame>>,
}

impl<'a> LabelCheck<'a> {
    /// Checks labels of games of this catalogue.
    pub fn new(catalogue: &'a Catalogue) -> LabelCheck<'a> {
        LabelCheck { catalogue, games: BTreeMap::new() }
    }

    /// Refuses a label whose game, state or action is not there, whose features are not those of the action, or that
    /// says nothing. Features that are missing are filled in.
    pub fn check(&mut self, label: &mut Label) -> Result<(), InputError> {
        self.check_parts(label).map_err(|(_, error)| error)
    }

    /// The same, naming the part that is wrong.
    pub(super) fn check_parts(&mut self, label: &mut Label) -> Result<(), (Part, InputError)> {
        let wrong = |part: Part, message: String| Err((part, InputError::new(message)));
        if !self.games.contains_key(&label.game) {
            let game = self.catalogue.open(&label.game).map_err(|error| (Part::Game, error))?;
            self.games.insert(label.game.clone(), game);
        }
        let Some(game) = self.games.get(&label.game) else { return Ok(()) };
        let names = game.knowledge().action_features;
        if names.is_empty() {
            return wrong(Part::Game, format!("`{}` tells no features of actions", label.game));
        }
        if !LABELS.contains(&label.label) {
            return wrong(Part::Label, format!("`{}` is no label: expected 1, 0.5 or 0", label.label));
        }
        if label.by.trim().is_empty() {
            return wrong(Part::By, "expected who labelled".to_owned());
        }
        if !label.features.is_empty() && label.features.len() != names.len() {
            return wrong(
                Part::Feature(0),
                format!("{} features, `{}` has {}", label.features.len(), label.game, names.len()),
            );
        }
        let expected = |index: usize, expected: String| {
            let message = format!("`{}` for `{}`: expected {expected}", label.features[index], names[index].name);
            (Part::Feature(index), InputError::new(message).with_help(names[index].summary))
        };
        match (label.state.is_empty(), label.action.is_empty()) {
            (true, false) => wrong(Part::State, "expected the state in which the action was chosen".to_owned()),
            (false, true) => wrong(Part::Action, "expected the action that was chosen in this state".to_owned()),
            (true, true) if label.features.is_empty() => {
                wrong(Part::Feature(0), "expected features, or a state and an action".to_owned())
            }
            (true, true) => game.check_features(&label.features).map_err(|(index, range)| expected(index, range)),
            (false, false) => {
                let table = game.new_match(Some(&label.state)).map_err(|error| (Part::State, error))?;
                let Turn::Player(player) = table.turn() else {
                    return wrong(Part::State, "expected a state in which one player chooses".to_owned());
                };
                let features = table.action_features(player, &label.action).map_err(|error| (Part::Action, error))?;
                let differs = |(given, own): (&f64, &f64)| (given - own).abs() > ROUNDED || given.is_nan();
                if let Some(index) = label.features.iter().zip(&features).position(differs) {
                    return Err(expected(index, format!("{}, which this action has", features[index])));
                }
                label.features = features;
                Ok(())
            }
        }
    }
}
