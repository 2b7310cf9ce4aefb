//! The bundled maps: the project's own designs, from `data/maps`.

use tesuji_core::{ErrorKind, InputError, Source, did_you_mean, files};

use super::map::Map;

/// Names and texts of the bundled maps.
pub(crate) const MAPS: [(&str, &str); 9] = [
    ("meadow", include_str!("../../../../data/maps/meadow.tbsmap")),
    ("twin-guns", include_str!("../../../../data/maps/twin-guns.tbsmap")),
    ("six-arms", include_str!("../../../../data/maps/six-arms.tbsmap")),
    ("hill-fort", include_str!("../../../../data/maps/hill-fort.tbsmap")),
    ("river-front", include_str!("../../../../data/maps/river-front.tbsmap")),
    ("wide-war", include_str!("../../../../data/maps/wide-war.tbsmap")),
    ("one-blow", include_str!("../../../../data/maps/one-blow.tbsmap")),
    ("escort", include_str!("../../../../data/maps/escort.tbsmap")),
    ("late-guard", include_str!("../../../../data/maps/late-guard.tbsmap")),
];

/// The map that an address names: a bundled one, or a file.
pub(super) fn find(name: &str) -> Result<Map, InputError> {
    if let Some((name, text)) = MAPS.iter().find(|(bundled, _)| *bundled == name) {
        return Map::read(&Source::new(format!("{name}.tbsmap"), text));
    }
    let names = || MAPS.iter().map(|(name, _)| *name);
    if !name.contains(['/', '\\', '.']) {
        let hint = did_you_mean(name, names());
        let error = InputError::new(format!("no bundled map is called `{name}`{hint}"));
        return Err(error.of_kind(ErrorKind::Unreadable).with_help(format!(
            "bundled maps are {}; a file is given by a path with a dot or a slash, such as `./{name}.tbsmap`",
            names().collect::<Vec<_>>().join(", ")
        )));
    }
    let bytes = files::read(name).map_err(|error| {
        InputError::new(format!("cannot read the map: {error}"))
            .of_kind(ErrorKind::Unreadable)
            .with_help(format!("bundled maps are {}", names().collect::<Vec<_>>().join(", ")))
            .in_file(name)
    })?;
    Map::from_bytes(name, &bytes)
}
