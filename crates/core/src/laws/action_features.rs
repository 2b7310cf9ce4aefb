//! Laws about features of actions.

use super::{Complete, Violation, along_a_match, require};
use crate::{ActionFeatures, Rng};

/// Checks along a random match that every action has one value for each named feature, within its range, and that every
/// table can be opened.
pub(super) fn check_features<G: Complete>(
    game: &G,
    features: &dyn ActionFeatures<G>,
    rng: &mut Rng,
) -> Result<(), Violation> {
    let names = features.names(game);
    require(!names.is_empty(), &game.start(), &|| "features of actions without names".to_owned())?;
    for named in features.tables(game) {
        require(features.table(game, named.name).is_some(), &game.start(), &|| {
            format!("the table `{}` is listed but cannot be opened", named.name)
        })?;
    }
    along_a_match(game, rng, |state, _, actions, _| {
        for &action in actions {
            let mut values = Vec::new();
            features.values(game, state, action, &mut values);
            require(values.len() == names.len(), state, &|| {
                format!("{action:?} has {} features, {} are named", values.len(), names.len())
            })?;
            for (index, &value) in values.iter().enumerate() {
                let inside = match features.range(game, index) {
                    Some((least, most)) => {
                        (f64::from(least)..=f64::from(most)).contains(&value) && value.fract() == 0.0
                    }
                    None => value.is_finite(),
                };
                require(inside, state, &|| format!("feature {index} of {action:?} is {value}"))?;
            }
        }
        Ok(())
    })
}
