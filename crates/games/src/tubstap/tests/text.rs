//! Map files, records and notation: what parses back, and the errors for wrong input.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tesuji_core::{Actor, Drawing, Game, Notation, Phrase, Player, Policy, Rng, Source, Turn, Uniform, legal_actions};

use super::*;

const SMALL: &str = "SIZEX[5];SIZEY[3];\nTURNLIMIT[8];HPTHRESHOLD[3];\nUNITNUMRED[1];UNITNUMBLUE[1];\n\
    AUTHOR[a];\nMAPCOM[c];\nUNIT[1,1,infantry,0,10,0];\nUNIT[3,1,panzer,1,7,1];\n\
    MAP[0,0,0,0,0];\nMAP[0,1,3,5,0];\nMAP[0,0,0,0,0];\n";

fn refuse(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from}");
    Map::read(&Source::new("m.tbsmap", SMALL.replacen(from, to, 1))).unwrap_err().to_string()
}

#[test]
fn a_map_reads_and_writes_back() {
    let map = Map::read(&Source::new("m", SMALL)).unwrap();
    assert_eq!((map.width(), map.height(), map.turn_limit(), map.threshold()), (3, 1, 8, 3));
    assert_eq!((map.author(), map.comment()), ("a", "c"));
    assert_eq!(map.terrain(), [Terrain::Plain, Terrain::Wood, Terrain::Road]);
    assert_eq!(map.units()[1], Unit { kind: Kind::Panzer, team: Player(1), cell: 2, hp: 7, finished: true });
    assert_eq!(map.write(), SMALL);
    let one_line = SMALL.replace('\n', "").replace(';', "; ").replace(',', " , ");
    assert_eq!(Map::read(&Source::new("m", one_line)).unwrap(), map);
}

#[test]
fn maps_may_be_shift_jis_or_have_a_byte_order_mark() {
    let text = SMALL.replace("MAPCOM[c]", "MAPCOM[表ソ予の地図]");
    let (encoded, _, _) = encoding_rs::SHIFT_JIS.encode(&text);
    assert!(std::str::from_utf8(&encoded).is_err());
    let map = Map::from_bytes("m", &encoded).unwrap();
    assert_eq!(map.comment(), "表ソ予の地図");
    let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
    assert_eq!(Map::from_bytes("m", &marked).unwrap(), map);
    let error = Map::from_bytes("m.tbsmap", b"MAPCOM[\xff\xfe]").unwrap_err();
    assert_eq!(error.to_string(), "m.tbsmap: the text is neither UTF-8 nor Shift-JIS");
}

#[test]
fn faults_of_a_map_are_named_with_their_place() {
    for (from, to, expected) in [
        ("SIZEX[5]", "SIZEX[6]", "m.tbsmap:8:1: row 0 has 5 cells, but SIZEX in line 1 is 6"),
        ("SIZEX[5]", "SIZEX[2]", "m.tbsmap:1:7: SIZEX is 2; expected a whole number from 3 to 66"),
        ("SIZEX[5]", "SIZEX[wide]", "m.tbsmap:1:7: SIZEX is `wide`; expected a whole number from 3 to 66"),
        ("SIZEY[3]", "SIZEY[4]", "m.tbsmap:1:10: SIZEY is 4, but there are 3 rows `MAP[…];`"),
        ("SIZEX[5];", "", "m.tbsmap:11:1: the map has no `SIZEX`"),
        ("AUTHOR[a];", "SIZEX[5];", "m.tbsmap:4:1: `SIZEX` is given twice; first in line 1, column 1"),
        ("AUTHOR[a];", "AUTOR[a];", "m.tbsmap:4:1: unknown statement `AUTOR`; did you mean `AUTHOR`?"),
        ("TURNLIMIT[8]", "TURNLIMIT[0]", "m.tbsmap:2:11: TURNLIMIT is 0; expected a whole number from 1 to 9999"),
        ("UNITNUMRED[1]", "UNITNUMRED[2]", "m.tbsmap:3:1: UNITNUMRED is 2, but the map has 1 such units"),
        ("UNIT[1,1,", "UNIT[0,1,", "m.tbsmap:6:6: cell 0,1 is no-entry; no unit can stand there"),
        ("UNIT[1,1,", "UNIT[1,9,", "m.tbsmap:6:8: y is 9; expected a whole number from 0 to 2"),
        ("UNIT[1,1,", "UNIT[3,1,", "m.tbsmap:7:6: cell 3,1 already holds unit 0"),
        ("infantry", "infantery", "m.tbsmap:6:10: unknown unit `infantery`; did you mean `infantry`?"),
        (
            "infantry,0",
            "infantry,2",
            "m.tbsmap:6:19: the team (0 red, 1 blue) is 2; expected a whole number from 0 to 1",
        ),
        ("0,10,0", "0,11,0", "m.tbsmap:6:21: HP is 11; expected a whole number from 1 to 10"),
        ("0,10,0", "0,0,0", "m.tbsmap:6:21: HP is 0; expected a whole number from 1 to 10"),
        ("0,10,0", "0,10,2", "m.tbsmap:6:24: the finished flag is 2; expected a whole number from 0 to 1"),
        ("0,10,0", "0,10", "m.tbsmap:6:1: a unit has 6 fields, this one has 5"),
        ("1,3,5", "1,7,5", "m.tbsmap:9:9: a terrain code is 7; expected a whole number from 0 to 6"),
        ("1,3,5", "1,3", "m.tbsmap:9:1: row 1 has 4 cells, but SIZEX in line 1 is 5"),
        ("MAP[0,1,3", "MAP[1,1,3", "m.tbsmap:9:5: cell 0,1 belongs to the frame, but its code is 1"),
        ("MAP[0,0,0,0,0];\nMAP[0,1", "MAP[0,1", "m.tbsmap:1:10: SIZEY is 3, but there are 2 rows `MAP[…];`"),
        ("SIZEY[3];", "SIZEY(3);", "m.tbsmap:1:15: expected `[` after `SIZEY`"),
        ("SIZEY[3];", "?SIZEY[3];", "m.tbsmap:1:10: unexpected `?`"),
    ] {
        assert_eq!(refuse(from, to), expected);
    }
    let cut = Map::read(&Source::new("m.tbsmap", &SMALL[..SMALL.len() - 4])).unwrap_err();
    assert_eq!(cut.to_string(), "m.tbsmap:10:1: the file ends inside `MAP[`");
    let many = (0..65).map(|_| "UNIT[1,1,infantry,0,10,0];\n").collect::<String>();
    let error = refuse("UNIT[1,1,infantry,0,10,0];\n", &many);
    assert_eq!(error, "m.tbsmap:7:6: cell 1,1 already holds unit 0");
}

#[test]
fn a_map_holds_64_units_and_no_more() {
    let units = |count: usize| {
        let map = Generator { width: 16, height: 16, units: 32, hp: (1, 10), symmetry: Symmetry::Point }.generate(1);
        let text = map.unwrap().write();
        let extra = (0..count).map(|_| "UNIT[9,9,infantry,1,1,0];").collect::<String>();
        Map::read(&Source::new("m", text.replace("MAP[0,1", &format!("{extra}MAP[0,1"))))
    };
    assert_eq!(units(0).unwrap().units().len(), 64);
    assert!(units(1).unwrap_err().to_string().contains("more than 64 units"));
}

#[test]
fn noise_of_ten_megabytes_is_refused_at_once() {
    let mut rng = Rng::new(1);
    let noise: Vec<u8> = (0..10_000_000 / 8).flat_map(|_| rng.bits().to_le_bytes()).collect();
    let error = Map::from_bytes("noise", &noise).unwrap_err();
    assert_eq!(error.to_string(), "noise: the file has 10000000 bytes; no map or record needs more than 1048576");
    assert!(Map::from_bytes("noise", &noise[..1 << 20]).is_err());
    assert!(Map::read(&Source::new("deep", "A[".repeat(1 << 19))).is_err());
    assert!(Map::read(&Source::new("many", "A[]".repeat(1 << 18))).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..Default::default()
    })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Map::from_bytes("bytes", &bytes);
        let _ = Record::from_bytes("bytes", &bytes);
    }

    #[test]
    fn damaged_maps_and_records_never_panic(
        at in 0..2000usize,
        with in "[-0-9A-Z\\[\\];, あ]{0,3}",
        length in 0..4usize,
    ) {
        for text in [SMALL.to_owned(), sample(3).write().unwrap()] {
            let mut symbols: Vec<char> = text.chars().collect();
            let start = at % symbols.len();
            symbols.splice(start..(start + length).min(symbols.len()), with.chars());
            let text: String = symbols.into_iter().collect();
            if let Ok(map) = Map::read(&Source::new("m", &text)) {
                prop_assert_eq!(&Map::read(&Source::new("m", map.write())).unwrap(), &map);
            }
            if let Ok(record) = Record::read(&Source::new("r", &text)) {
                prop_assert_eq!(&Record::read(&Source::new("r", record.write().unwrap())).unwrap(), &record);
            }
        }
    }

    #[test]
    fn damaged_positions_never_panic(at in 0..60usize, with in "[-a-z0-9:* あ]{0,3}", length in 0..3usize) {
        let game = bundled("meadow");
        let mut symbols: Vec<char> = game.state_text(&game.start()).chars().collect();
        let start = at % symbols.len();
        symbols.splice(start..(start + length).min(symbols.len()), with.chars());
        let text: String = symbols.into_iter().collect();
        if let Ok(state) = game.parse_state(&text) {
            prop_assert_eq!(game.parse_state(&game.state_text(&state)).unwrap(), state.clone());
            if let Turn::Player(player) = game.turn(&state) {
                prop_assert!(!legal_actions(&game, &state, Actor::Player(player)).is_empty());
            }
        }
    }
}

/// A random match as a record.
fn sample(seed: u64) -> Record {
    let game = bundled("late-guard");
    let (mut state, mut rng, mut uniform) = (game.start(), Rng::new(seed), Uniform::default());
    let mut actions = Vec::new();
    while let Turn::Player(player) = game.turn(&state) {
        let action = uniform.pick(&game, &state, player, &mut rng);
        game.apply(&mut state, &[action]);
        actions.push(action);
    }
    Record {
        map: game.map().clone(),
        rules: Rules::V0108,
        players: ["Ann".to_owned(), "Bob".to_owned()],
        date: "2020-02-02".to_owned(),
        actions,
        ending: Ending::Over,
    }
}

#[test]
fn records_read_back() {
    for seed in 0..5 {
        let record = sample(seed);
        assert_eq!(Record::read(&Source::new("r", record.write().unwrap())).unwrap(), record);
        let open = Record { actions: record.actions[..10].to_vec(), ending: Ending::Open, ..record.clone() };
        assert_eq!(Record::read(&Source::new("r", open.write().unwrap())).unwrap(), open);
        let paper = Record { rules: Rules::Paper, actions: Vec::new(), ending: Ending::Open, ..record };
        assert_eq!(Record::read(&Source::new("r", paper.write().unwrap())).unwrap(), paper);
    }
}

#[test]
fn a_record_may_end_turns_and_surrender() {
    let text = format!(
        "{SMALL}PLAYEDDATE[x]; PLAYEDRULE[rule_set_version_0100]; PLAYERRED[a b]PLAYERBLUE[];\n\
         TURNINFO[0,0,1];ACTION[0,1,1,1,1,-1,-1,-1,3,0,0];COM[hm];\n\
         TURNINFO[2,0,1];\nACTION[0,2,1,1,1,1,3,1,2,1,4];\nTURNINFO[3,1,1];ACTION[-1,0,0,0,0,-1,0,0,0,0,0];"
    );
    let record = Record::read(&Source::new("r", &text)).unwrap();
    assert_eq!(record.players, ["a b", ""]);
    assert_eq!(record.ending, Ending::Surrender(Player(1)));
    let stay = Action { unit: 0, target: None, to: 0 };
    assert_eq!(record.actions, [stay, Action { unit: 0, target: Some(1), to: 1 }]);
    assert_eq!(Record::read(&Source::new("r", record.write().unwrap())).unwrap(), record);
    for (from, to, expected) in [
        ("2,1,4];", "2,0,4];", "r:14:26: the damage is 0, but the rules give 1"),
        ("2,1,4];", "2,1,5];", "r:14:28: the counter-attack is 5, but the rules give 4"),
        ("ACTION[0,2,1,1,1", "ACTION[0,2,1,2,1", "r:14:8: unit 0 stands on 1,1, not on 2,1"),
        ("ACTION[0,2,1,1,1", "ACTION[7,2,1,1,1", "r:14:8: there is no unit 7; the map has 2"),
        ("ACTION[0,2,1,1,1,1,3,1,2", "ACTION[0,3,1,1,1,1,3,1,2", "r:14:1: unit 0 cannot do this in turn 2 of red"),
        ("TURNINFO[2,0,1]", "TURNINFO[1,1,1]", "r:13:1: expected turn 2 of team 0 here"),
        ("TURNINFO[2,0,1]", "TURNINFO[2,0,5]", "r:13:14: the turn has 1 actions, TURNINFO says 5"),
        ("rule_set_version_0100", "house", "r:11:16: unknown rule set"),
        ("COM[hm]", "COMM[hm]", "r:12:50: unknown statement `COMM`; did you mean `COM`?"),
    ] {
        let error = Record::read(&Source::new("r", text.replacen(from, to, 1))).unwrap_err().to_string();
        assert_eq!(error, expected);
    }
}

#[test]
fn fields_of_an_action_read_back() {
    let game = bundled("six-arms");
    let state = game.start();
    for action in legal_actions(&game, &state, Actor::Player(Player(0))) {
        let fields = game.action_fields(&state, action);
        assert_eq!(game.parse_action_fields(&state, &fields).unwrap(), Some(vec![action]), "{fields}");
    }
    assert_eq!(game.parse_action_fields(&state, "0,0,0,0,0,-1,0,0,3,0,0").unwrap(), Some(game.end_turn(&state)));
    assert_eq!(game.parse_action_fields(&state, "0,0,0,0,0,-1,0,0,0,0,0").unwrap(), None);
    for text in ["", "1,2", "a,b,c,d,e,f,g,h,i,j,k", "99,1,1,1,1,-1,0,0,1,0,0", "0,0,0,0,0,0,0,0,9,0,0"] {
        assert!(game.parse_action_fields(&state, text).is_err(), "{text}");
    }
}

#[test]
fn actions_are_written_by_cells() {
    let map = Map::read(&Source::new("m", SMALL)).unwrap();
    let game = Tubstap::new("m", map, Rules::V0108).unwrap();
    let state = game.start();
    let red = Actor::Player(Player(0));
    let texts: Vec<String> =
        legal_actions(&game, &state, red).into_iter().map(|action| game.action_text(&state, red, action)).collect();
    assert_eq!(texts, ["a1", "a1-b1", "a1-b1xc1"]);
    let wide = Generator { width: 64, height: 64, units: 1, hp: (1, 1), symmetry: Symmetry::None }.generate(0).unwrap();
    for cell in 0..64 * 64 {
        assert_eq!(wide.cell_named(&wide.cell_name(cell)), Some(cell));
    }
    assert_eq!((wide.cell_name(0), wide.cell_name(64 * 64 - 1)), ("a1".to_owned(), "bl64".to_owned()));
    for name in ["", "a", "1", "a0", "a01", "a65", "bm1", "aaa1", "A1", "a+1", "a1 "] {
        assert_eq!(wide.cell_named(name), None, "{name}");
    }
}

#[test]
fn positions_that_break_the_rules_are_refused() {
    let game = bundled("escort");
    let start = game.state_text(&game.start());
    assert_eq!(start, "0 red a2:7 a1:10 b2:10 e2:10");
    assert_eq!(game.parse_state(&start).unwrap(), game.start());
    for (text, expected) in [
        ("", "expected the number of turns"),
        ("0 red a2:7", "the map has 4 units, the text names 1"),
        ("9 blue a2:7 a1:10 b2:10 e2:10", "`9` is not a number of turns; expected 0 to 2"),
        ("0 blue a2:7 a1:10 b2:10 e2:10", "expected `red` after 0 turns"),
        ("0 red a2:7 a1:10 b2:10 -", "expected `over`"),
        ("2 red a2:7 a1:10 b2:10 e2:10", "expected `over`"),
        ("0 over - - - -", "both sides are gone"),
        ("0 red a2:7 a1:10 a1:10 e2:10", "units 1 and 2 stand on one cell"),
        ("0 red z3:7 a1:10 b2:10 e2:10", "the map has no cell `z3`"),
        ("0 red c2:7 a1:10 b2:10 e2:10", "unit 0, cannon, cannot stand on c2"),
        ("0 red a3:0 a1:10 b2:10 e2:10", "`0` is not an HP"),
        ("0 red a3:11 a1:10 b2:10 e2:10", "`11` is not an HP"),
        ("0 red a3 a1:10 b2:10 e2:10", "`a3` is not a unit"),
        ("0 red a2:7* a1:10* b2:10* e2:10", "every unit of red has acted"),
        ("0 red a2:7 a1:10 b2:10 e2:10*", "unit 3 cannot have acted"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}: {error}");
    }
    let error = game.parse_state("0 red a2:7 a1:10 b9:10 e2:10").unwrap_err();
    assert_eq!(error.to_string(), "position:1:18: the map has no cell `b9`");
}

#[test]
fn the_board_at_a_terminal() {
    let game = bundled("escort");
    let mut state = game.start();
    let action = game.parse_action(&state, Actor::Player(Player(0)), "a1-c1").unwrap();
    game.apply(&mut state, &[action]);
    insta::assert_snapshot!(game.board_text(&state), @r#"
    after 0 of 2 turns, red to act with 2 unit(s); HP: red 27, blue 10, threshold 11
         a     b     c     d     e     f
      1  =     .     #I10* #     .     .
      2  =U7   .I10  X     X     .p10  .
      3  =     .     #     #     .     .
    RED upper case, blue lower case, number HP, * has acted
    . plain  = road  " wood  ^ mountain  # fortress  ~ sea  X no entry
    "#);
    for (text, expected) in [
        ("2 over a2:7 a1:10 b2:10 e2:10", "red has won"),
        ("1 over - - - e2:10", "blue has won"),
        ("2 over a2:2 a1:10 b2:5 e2:10", "a draw"),
    ] {
        let board = game.board_text(&game.parse_state(text).unwrap());
        assert!(board.lines().next().unwrap().contains(expected), "{text}: {board}");
    }
    let error = game.parse_action(&state, Actor::Player(Player(0)), "a1-c1").unwrap_err();
    assert!(error.to_string().contains("`a1-c1` is not a legal action here"), "{error}");
}

#[test]
fn actions_are_said_with_their_units_and_the_legend_names_what_is_on_the_map() {
    let game = bundled("one-blow");
    let start = game.start();
    let actor = Actor::Player(Player(0));
    let phrase = |text: &str| {
        let action = game.parse_action(&start, actor, text).unwrap();
        game.phrase(&start, actor, action)
    };
    let said = |phrase: Phrase| format!("{}: {phrase}", phrase.key);
    assert_eq!(said(phrase("d4")), "unit-stays: infantry d4");
    assert_eq!(said(phrase("d4-c4")), "unit-moves: infantry d4 c4");
    assert_eq!(said(phrase("d4xd5")), "unit-attacks: infantry d4 antiair d5");
    assert!(said(phrase("b5-c4")).starts_with("unit-moves: attacker b5"), "{:?}", phrase("b5-c4"));
    let names: Vec<String> = game.legend().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names[..5], ["attacker", "panzer", "cannon", "antiair", "infantry"]);
    assert!(names.contains(&"mountain".to_owned()) && !names.contains(&"sea".to_owned()));
    // The letter of the papers is there for those who prefer it.
    let body = game.draw(&start).body;
    assert_eq!(body.matches("class=\"sign\"").count(), 7);
    assert_eq!(body.matches("class=\"letter\" display=\"none\"").count(), 7);
}
