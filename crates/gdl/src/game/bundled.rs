//! The bundled rule sheets: the files of `data/gdl`.

/// The name and text of each bundled sheet.
pub const SHEETS: &[(&str, &str)] = &[
    ("amazons-5x5", include_str!("../../../../data/gdl/amazons-5x5.kif")),
    ("breakthrough", include_str!("../../../../data/gdl/breakthrough.kif")),
    ("breakthrough-6x6", include_str!("../../../../data/gdl/breakthrough-6x6.kif")),
    ("breakthrough-suicide-6x6", include_str!("../../../../data/gdl/breakthrough-suicide-6x6.kif")),
    ("checkers", include_str!("../../../../data/gdl/checkers.kif")),
    ("chinese-checkers-small", include_str!("../../../../data/gdl/chinese-checkers-small.kif")),
    ("chomp-4x5", include_str!("../../../../data/gdl/chomp-4x5.kif")),
    ("connect-five-8x8", include_str!("../../../../data/gdl/connect-five-8x8.kif")),
    ("connect-four-6x7", include_str!("../../../../data/gdl/connect-four-6x7.kif")),
    ("connect-four-6x8", include_str!("../../../../data/gdl/connect-four-6x8.kif")),
    ("cram-5x5", include_str!("../../../../data/gdl/cram-5x5.kif")),
    ("dodgem-3x3", include_str!("../../../../data/gdl/dodgem-3x3.kif")),
    ("dots-and-boxes-2x2", include_str!("../../../../data/gdl/dots-and-boxes-2x2.kif")),
    ("eight-puzzle", include_str!("../../../../data/gdl/eight-puzzle.kif")),
    ("goofspiel-4", include_str!("../../../../data/gdl/goofspiel-4.kif")),
    ("hanoi-4", include_str!("../../../../data/gdl/hanoi-4.kif")),
    ("hex-9x9", include_str!("../../../../data/gdl/hex-9x9.kif")),
    ("isolation-5x5", include_str!("../../../../data/gdl/isolation-5x5.kif")),
    ("kayles-9", include_str!("../../../../data/gdl/kayles-9.kif")),
    ("knights-tour-5x5", include_str!("../../../../data/gdl/knights-tour-5x5.kif")),
    ("knightthrough", include_str!("../../../../data/gdl/knightthrough.kif")),
    ("kuhn-poker", include_str!("../../../../data/gdl/kuhn-poker.kif")),
    ("lights-out-4x4", include_str!("../../../../data/gdl/lights-out-4x4.kif")),
    ("matching-pennies-hidden", include_str!("../../../../data/gdl/matching-pennies-hidden.kif")),
    ("monty-hall", include_str!("../../../../data/gdl/monty-hall.kif")),
    ("nim-3-4-5", include_str!("../../../../data/gdl/nim-3-4-5.kif")),
    ("nim-misere-3-4-5", include_str!("../../../../data/gdl/nim-misere-3-4-5.kif")),
    ("paths", include_str!("../../../../data/gdl/paths.kif")),
    ("peg-solitaire", include_str!("../../../../data/gdl/peg-solitaire.kif")),
    ("pentago", include_str!("../../../../data/gdl/pentago.kif")),
    ("phantom-tic-tac-toe", include_str!("../../../../data/gdl/phantom-tic-tac-toe.kif")),
    ("pig-20", include_str!("../../../../data/gdl/pig-20.kif")),
    ("prisoners-dilemma", include_str!("../../../../data/gdl/prisoners-dilemma.kif")),
    ("queens-6", include_str!("../../../../data/gdl/queens-6.kif")),
    ("reversi", include_str!("../../../../data/gdl/reversi.kif")),
    ("river-crossing", include_str!("../../../../data/gdl/river-crossing.kif")),
    ("rock-paper-scissors", include_str!("../../../../data/gdl/rock-paper-scissors.kif")),
    ("skirmish-6x6", include_str!("../../../../data/gdl/skirmish-6x6.kif")),
    ("sokoban-small", include_str!("../../../../data/gdl/sokoban-small.kif")),
    ("subtraction-21", include_str!("../../../../data/gdl/subtraction-21.kif")),
    ("three-mens-morris", include_str!("../../../../data/gdl/three-mens-morris.kif")),
    ("three-player-tic-tac-toe", include_str!("../../../../data/gdl/three-player-tic-tac-toe.kif")),
    ("tic-tac-toe", include_str!("../../../../data/gdl/tic-tac-toe.kif")),
    ("tic-tac-toe-misere", include_str!("../../../../data/gdl/tic-tac-toe-misere.kif")),
    ("tron-6x6", include_str!("../../../../data/gdl/tron-6x6.kif")),
    ("tron-three-7x7", include_str!("../../../../data/gdl/tron-three-7x7.kif")),
    ("water-jugs", include_str!("../../../../data/gdl/water-jugs.kif")),
    ("wythoff-5-8", include_str!("../../../../data/gdl/wythoff-5-8.kif")),
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
