//! Perft: the number of paths by depth, for every example of the catalogue, as data.
//!
//! The games' own tests compare these rules with plainly written twins and with public counts; this file keeps the
//! numbers from changing unseen.

use std::collections::BTreeMap;

#[test]
fn counts_are_as_stored() {
    let stored: BTreeMap<String, Vec<u64>> = toml::from_str(include_str!("perft.toml")).unwrap();
    let mut missing = Vec::new();
    for example in tesuji_standard::catalogue().games().iter().flat_map(|info| info.examples) {
        let game = tesuji_standard::catalogue().open(example).unwrap();
        match stored.get(*example) {
            Some(counts) => {
                assert!(!counts.is_empty(), "`{example}`");
                assert_eq!(game.perft(counts.len() as u32), *counts, "`{example}`");
            }
            None => missing.push(format!("{example:?} = {:?}", game.perft(2))),
        }
    }
    assert!(missing.is_empty(), "no stored perft; check these and add them to perft.toml:\n{}", missing.join("\n"));
}

#[test]
fn rule_sheets_agree_with_their_native_twins() {
    for (sheet, native, depth) in [
        ("gdl(tic-tac-toe)", "tic-tac-toe", 9),
        ("gdl(connect-four-6x7)", "connect-four", 6),
        ("gdl(connect-four-6x8)", "connect-four(6,8)", 5),
        ("gdl(breakthrough)", "breakthrough", 3),
        ("gdl(pig-20)", "pig(20)", 7),
    ] {
        assert_eq!(
            tesuji_standard::catalogue().open(sheet).unwrap().perft(depth),
            tesuji_standard::catalogue().open(native).unwrap().perft(depth),
            "{sheet}"
        );
    }
}
