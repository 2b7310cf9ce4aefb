//! The bundled rule sheets: the files of `data/gdl`.

/// The name and text of each bundled sheet.
pub const SHEETS: &[(&str, &str)] = &[
    ("breakthrough", include_str!("../../../../data/gdl/breakthrough.kif")),
    ("checkers", include_str!("../../../../data/gdl/checkers.kif")),
    ("connect-five-8x8", include_str!("../../../../data/gdl/connect-five-8x8.kif")),
    ("connect-four-6x7", include_str!("../../../../data/gdl/connect-four-6x7.kif")),
    ("connect-four-6x8", include_str!("../../../../data/gdl/connect-four-6x8.kif")),
    ("hex-9x9", include_str!("../../../../data/gdl/hex-9x9.kif")),
    ("nim-3-4-5", include_str!("../../../../data/gdl/nim-3-4-5.kif")),
    ("paths", include_str!("../../../../data/gdl/paths.kif")),
    ("peg-solitaire", include_str!("../../../../data/gdl/peg-solitaire.kif")),
    ("pentago", include_str!("../../../../data/gdl/pentago.kif")),
    ("pig-20", include_str!("../../../../data/gdl/pig-20.kif")),
    ("prisoners-dilemma", include_str!("../../../../data/gdl/prisoners-dilemma.kif")),
    ("reversi", include_str!("../../../../data/gdl/reversi.kif")),
    ("rock-paper-scissors", include_str!("../../../../data/gdl/rock-paper-scissors.kif")),
    ("three-player-tic-tac-toe", include_str!("../../../../data/gdl/three-player-tic-tac-toe.kif")),
    ("tic-tac-toe", include_str!("../../../../data/gdl/tic-tac-toe.kif")),
    ("tron-6x6", include_str!("../../../../data/gdl/tron-6x6.kif")),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn every_file_of_the_folder_is_bundled() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/gdl");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .filter_map(|entry| {
                entry.unwrap().file_name().into_string().unwrap().strip_suffix(".kif").map(str::to_owned)
            })
            .collect();
        let bundled: BTreeSet<String> = super::SHEETS.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(files, bundled);
    }
}
