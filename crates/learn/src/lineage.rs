//! Where a network comes from.

use tesuji_core::{FeatureSet, InputError, Source, Spec};

use crate::container::Container;

/// Where a network comes from: the game and features it was trained on, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Lineage {
    /// The address of the game, or what stands for several addresses.
    pub game: String,
    /// The version of the game's rules.
    pub rules: u32,
    /// The feature set.
    pub features: FeatureSet,
    /// The seed of the training.
    pub seed: u64,
    /// The number of matches of self-play.
    pub matches: u64,
    /// The time of training in seconds.
    pub seconds: u64,
    /// How it was trained, in one line.
    pub method: String,
}

impl Lineage {
    /// Checks that a network of this lineage fits a game with these facts and features.
    pub fn check(&self, spec: &Spec, features: &FeatureSet) -> Result<(), InputError> {
        let game = &spec.name;
        let refuse = |what: String| {
            InputError::new(format!("this network does not fit `{game}`: {what}"))
                .with_help(format!("`tesuji train \"{game}\"` trains a network for this game"))
        };
        if self.features != *features {
            let told = |set: &FeatureSet| {
                format!(
                    "`{}` version {} with {} inputs, at most {} active",
                    set.name, set.version, set.inputs, set.most_active
                )
            };
            return Err(refuse(format!(
                "it was trained for `{}` on the features {}, but this game has {}",
                self.game,
                told(&self.features),
                told(features)
            )));
        }
        if self.rules != spec.version {
            return Err(refuse(format!(
                "it was trained on version {} of the rules, this is version {}",
                self.rules, spec.version
            )));
        }
        Ok(())
    }

    pub(crate) fn fields(&self) -> Vec<(String, String)> {
        let FeatureSet { name, version, inputs, most_active } = &self.features;
        let fields = [
            ("game", self.game.clone()),
            ("rules", self.rules.to_string()),
            ("features", name.clone()),
            ("features-version", version.to_string()),
            ("inputs", inputs.to_string()),
            ("most-active", most_active.to_string()),
            ("seed", self.seed.to_string()),
            ("matches", self.matches.to_string()),
            ("seconds", self.seconds.to_string()),
            ("method", self.method.clone()),
        ];
        // A value is one line, whatever a game calls itself.
        fields.into_iter().map(|(name, value)| (name.to_owned(), value.replace(['\n', '\r'], " "))).collect()
    }

    pub(crate) fn read(container: &Container, source: &Source) -> Result<Lineage, InputError> {
        Ok(Lineage {
            game: container.field("game", source)?.to_owned(),
            rules: container.parsed("rules", source)?,
            features: FeatureSet {
                name: container.field("features", source)?.to_owned(),
                version: container.parsed("features-version", source)?,
                inputs: container.parsed("inputs", source)?,
                most_active: container.parsed("most-active", source)?,
            },
            seed: container.parsed("seed", source)?,
            matches: container.parsed("matches", source)?,
            seconds: container.parsed("seconds", source)?,
            method: container.field("method", source)?.to_owned(),
        })
    }
}
