//! Checkpoints: everything that a training needs to continue as if it had never stopped.

use tesuji_core::{InputError, Source};

use crate::container::Container;
use crate::numbers::Numbers;
use crate::weights::{Weights, weight_count};
use crate::{Exploration, Lineage, Settings, Shape, Training};

/// The first line of a checkpoint.
const KIND: &str = "tesuji-training 1";

impl Training {
    /// The text of a checkpoint.
    pub fn checkpoint(&self) -> String {
        let Settings { seed: _, hidden, second, exploration, rate, round, batch } = self.settings;
        let Exploration { explore, opening, lambda } = exploration;
        let mut fields = self.lineage.fields();
        let more = [
            ("hidden", hidden.to_string()),
            ("second", second.to_string()),
            ("explore", explore.to_string()),
            ("opening", opening.to_string()),
            ("lambda", lambda.to_string()),
            ("rate", rate.to_string()),
            ("round", round.to_string()),
            ("batch", batch.to_string()),
            ("updates", self.weights.updates.to_string()),
            ("recent-loss", self.recent_loss.map_or("none".to_owned(), |loss| loss.to_string())),
        ];
        fields.extend(more.map(|(name, value)| (name.to_owned(), value)));
        let weights = &self.weights;
        let numbers = weights.values.iter().chain(&weights.first_moments).chain(&weights.second_moments);
        let payload = numbers.flat_map(|number| number.to_le_bytes()).collect();
        Container { kind: KIND, fields, payload }.text()
    }

    /// Reads a checkpoint; refuses damaged ones.
    pub fn resume(source: &Source) -> Result<Training, InputError> {
        let container = Container::read(KIND, source)
            .map_err(|error| error.with_help("without `--resume`, training begins anew"))?;
        let lineage = Lineage::read(&container, source)?;
        let settings = Settings {
            seed: lineage.seed,
            hidden: container.parsed("hidden", source)?,
            second: container.parsed("second", source)?,
            exploration: Exploration {
                explore: container.parsed("explore", source)?,
                opening: container.parsed("opening", source)?,
                lambda: container.parsed("lambda", source)?,
            },
            rate: container.parsed("rate", source)?,
            round: container.parsed("round", source)?,
            batch: container.parsed("batch", source)?,
        };
        settings.check().map_err(|error| error.in_file(source.name()))?;
        let shape = Shape { inputs: lineage.features.inputs, hidden: settings.hidden, second: settings.second };
        let shape = shape.check().map_err(|error| error.in_file(source.name()))?;
        let count = weight_count(shape);
        let mut numbers = Numbers::new(&container.payload, source);
        let mut weights = Weights::zero(shape, lineage.features.most_active);
        weights.values = numbers.floats(count)?;
        weights.first_moments = numbers.floats(count)?;
        weights.second_moments = numbers.floats(count)?;
        numbers.end()?;
        weights.updates = container.parsed("updates", source)?;
        let moments = weights.first_moments.iter().chain(&weights.second_moments);
        if !weights.is_finite() || moments.into_iter().any(|moment| !moment.is_finite()) {
            return Err(InputError::new("a weight is not a finite number").in_file(source.name()));
        }
        let recent_loss = match container.field("recent-loss", source)? {
            "none" => None,
            _ => Some(container.parsed("recent-loss", source)?),
        };
        Ok(Training { settings, lineage, weights, recent_loss })
    }
}
