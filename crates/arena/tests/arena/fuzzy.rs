//! Labels: kept, exchanged, refused with their place; the bundled tables come from the bundled labels.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use tesuji_arena::fuzzy::{
    Label, LabelCheck, LabelSet, StandInPlan, membership_plot, membership_table, opponent_actions, stand_in,
};
use tesuji_arena::store::Store;
use tesuji_arena::{Budget, Player, Source, merge};

const GAME: &str = "tubstap(map=one-blow)";

fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for suffix in ["", "-wal", "-shm", ".lock"] {
        let mut file = path.clone().into_os_string();
        file.push(suffix);
        std::fs::remove_file(file).ok();
    }
    path
}

/// A label of the first action of the game, which everybody agrees on.
fn label(by: &str, value: f64) -> Label {
    let game = tesuji_standard::catalogue().open(GAME).unwrap();
    let table = game.new_match(None).unwrap();
    let action = table.legal(table.actors()[0].0)[0].clone();
    let mut label = Label {
        game: GAME.to_owned(),
        state: table.state_text(),
        action,
        by: by.to_owned(),
        played: "a match, \"quoted\"".to_owned(),
        features: Vec::new(),
        label: value,
    };
    LabelCheck::new(&tesuji_standard::catalogue()).check(&mut label).unwrap();
    assert_eq!(label.features.len(), 5, "missing features are filled in");
    label
}

#[test]
fn labels_are_written_read_and_learned_from() {
    let set = LabelSet::new(
        &tesuji_standard::catalogue(),
        vec![label("a", 1.0), label("b", 0.5), label("c", 0.0), label("d", 1.0)],
    )
    .unwrap();
    let back = LabelSet::read(&tesuji_standard::catalogue(), &Source::new("l.csv", set.text())).unwrap();
    assert_eq!(back, set);
    let counts = set.counts();
    assert_eq!((counts.labels, counts.good, counts.unsure, counts.bad), (4, 2, 1, 1));
    let learned = set.learn();
    assert_eq!((learned.known().len(), learned.known()[0].membership), (1, 0.625));
    assert_eq!(set.first(1).unwrap().learn().known()[0].membership, 1.0);
}

#[test]
fn wrong_labels_tell_line_and_column() {
    let good = label("a", 1.0);
    let header = "game,state,action,by,match,unit,hp,target,damage,risk,label\n";
    let row = |game: &str, state: &str, action: &str, rest: &str| format!("{header}{game},{state},{action},{rest}\n");
    let (state, action) = (good.state.as_str(), good.action.as_str());
    let quoted = format!("\"{GAME}\"");
    let game = quoted.as_str();
    let column = |before: &[&str]| before.iter().map(|text| text.chars().count() + 1).sum::<usize>() + 1;
    for (text, place, expected) in [
        (String::new(), String::new(), "there is nothing here"),
        (header.to_owned(), String::new(), "there are no labels to learn from"),
        ("game,state,by\n".to_owned(), ":1:12".to_owned(), "no column `action`"),
        (header.replace(",label", ",lable"), ":1:55".to_owned(), "the last column is not `label`"),
        (row(game, "", "", "me,,6,10,0,0,0"), ":2".to_owned(), "10 column(s), the header has 11"),
        (row(game, "", "", "me,,6,10,0,0,0,1,1"), ":2".to_owned(), "12 column(s), the header has 11"),
        (row("tubstab", "", "", "me,,6,10,0,0,0,1"), ":2:1".to_owned(), "did you mean `tubstap`"),
        (row("tic-tac-toe", "", "", "me,,6,10,0,0,0,1"), ":2:1".to_owned(), "tells no features"),
        (row(game, "", "", "me,,7,10,0,0,0,1"), format!(":2:{}", column(&[game, "", "", "me", ""])), "`7` for `unit`"),
        (row(game, "", "", "me,,6,0,0,0,0,1"), String::new(), "`0` for `hp`: expected a whole number from 1 to 10"),
        (row(game, "", "", "me,,6,x,0,0,0,1"), String::new(), "`x` for `hp`: expected a number"),
        (row(game, "", "", "me,,6,10,0,0,0,2"), String::new(), "`2` is no label: expected 1, 0.5 or 0"),
        (row(game, "", "", "me,,6,10,0,0,0,good"), String::new(), "`good` for `label`"),
        (row(game, "", "", "me,,6,10,0,0,0,NaN"), String::new(), "is no label"),
        (row(game, "", "", ",,6,10,0,0,0,1"), String::new(), "expected who labelled"),
        (row(game, "", "", "me,,,,,,,1"), String::new(), "expected features, or a state and an action"),
        (row(game, state, "", "me,,,,,,,1"), String::new(), "expected the action"),
        (row(game, "", action, "me,,,,,,,1"), String::new(), "expected the state"),
        (row(game, "0 green", action, "me,,,,,,,1"), format!(":2:{}", column(&[game])), ""),
        (row(game, state, "z9-z8", "me,,,,,,,1"), format!(":2:{}", column(&[game, state])), "not a legal action"),
        (row(game, state, action, "me,,1,1,1,1,1,1"), String::new(), "which this action has"),
    ] {
        let error = LabelSet::read(&tesuji_standard::catalogue(), &Source::new("l.csv", &text)).unwrap_err();
        let said = error.to_string();
        assert!(said.starts_with(&format!("l.csv{place}")) && said.contains(expected), "{text}: {said}");
        if place.is_empty() && error.position().is_none() {
            assert!(text.lines().count() < 2, "an error in a row has a place: {said}");
        }
    }
}

#[test]
fn stores_keep_labels_and_older_ones_get_room_for_them() {
    let path = fresh("labels.db");
    let mut store = Store::open(&path).unwrap();
    assert!(store.labels().unwrap().is_empty());
    assert!(
        LabelSet::stored(&tesuji_standard::catalogue(), &store, None)
            .unwrap_err()
            .help_text()
            .unwrap()
            .contains("tesuji fuzzy label")
    );
    store.add_label(&tesuji_standard::catalogue(), label("ann", 1.0)).unwrap();
    store.add_label(&tesuji_standard::catalogue(), label("bob", 0.0)).unwrap();
    store.add_label(&tesuji_standard::catalogue(), label("ann", 0.5)).unwrap();
    assert_eq!(store.labels().unwrap(), [label("bob", 0.0), label("ann", 0.5)], "ann changed her mind");
    let wrong = Label { label: 0.7, ..label("eve", 1.0) };
    assert!(store.add_label(&tesuji_standard::catalogue(), wrong).unwrap_err().to_string().contains("is no label"));
    // Equal labels that only say features are different samples.
    let bare = Label { state: String::new(), action: String::new(), ..label("cat", 1.0) };
    assert_eq!(store.add_labels(&[bare.clone(), bare.clone(), label("bob", 0.0)]).unwrap(), 2);
    assert_eq!(store.add_labels(&[bare.clone(), bare.clone()]).unwrap(), 0, "they are there already");
    assert_eq!(store.labels().unwrap().len(), 4);
    drop(store);

    let joined = fresh("joined.db");
    for _ in 0..2 {
        merge(&joined, std::slice::from_ref(&path)).unwrap();
        assert_eq!(Store::read(&joined).unwrap().labels().unwrap().len(), 4);
    }

    let older = fresh("format2.db");
    drop(Store::open(&older).unwrap());
    let file = rusqlite::Connection::open(&older).unwrap();
    file.execute_batch(
        "DROP TABLE labels; DROP TABLE gaps; DROP TABLE transcripts; DROP TABLE sums; DROP TABLE store;
         ALTER TABLE runs DROP COLUMN checksum; ALTER TABLE matches DROP COLUMN checksum; PRAGMA user_version = 2",
    )
    .unwrap();
    drop(file);
    assert!(Store::read(&older).unwrap().labels().unwrap().is_empty());
    let mut store = Store::open(&older).unwrap();
    store.add_label(&tesuji_standard::catalogue(), label("ann", 1.0)).unwrap();
    assert_eq!(store.labels().unwrap().len(), 1);
}

fn plan(threads: usize) -> StandInPlan {
    StandInPlan {
        game: GAME.to_owned(),
        opponent: "random".to_owned(),
        judge: "unit-uct-10-sound(playouts=60)".to_owned(),
        budget: Budget::playouts(20),
        labels: 12,
        near: 0.05,
        clear: 0.15,
        seed: 3,
        threads,
    }
}

#[test]
fn the_stand_in_labels_both_sides_whatever_the_threads() {
    let stop = AtomicBool::new(false);
    let labels = stand_in(&tesuji_standard::catalogue(), &plan(1), &stop, |_| ()).unwrap();
    assert_eq!(labels.len(), 12);
    assert_eq!(labels, stand_in(&tesuji_standard::catalogue(), &plan(2), &stop, |_| ()).unwrap());
    let catalogue = tesuji_standard::catalogue();
    let mut check = LabelCheck::new(&catalogue);
    labels.iter().for_each(|label| check.check(&mut label.clone()).unwrap());
    assert!(labels.iter().any(|label| label.label == 1.0), "its own actions are good");
    let wrong = StandInPlan { game: "tic-tac-toe".to_owned(), ..plan(1) };
    assert!(
        stand_in(&tesuji_standard::catalogue(), &wrong, &stop, |_| ())
            .unwrap_err()
            .to_string()
            .contains("tells no features")
    );
}

#[test]
fn a_walk_shows_what_the_others_did() {
    let game = tesuji_standard::catalogue().open(GAME).unwrap();
    let mut table = game.new_match(None).unwrap();
    let mut expected = Vec::new();
    while table.payoffs().is_none() && table.steps().len() < 30 {
        let (actor, name) = table.actors()[0].clone();
        let action = table.legal(actor)[0].clone();
        if name == game.spec().players[1] {
            expected.push((table.steps().len(), table.state_text(), action.clone()));
        }
        table.step(&[action]).unwrap();
    }
    let walked = opponent_actions(game.as_ref(), &table.steps(), Player(0)).unwrap();
    assert!(walked.iter().all(|played| played.player == 1 && played.features.len() == 5));
    let walked: Vec<(usize, String, String)> =
        walked.into_iter().map(|played| (played.step, played.state, played.action)).collect();
    assert_eq!(walked, expected);
}

/// `data/fuzzy/stand-in.csv` is what the tables were learned from, and shuffled with seed 1.
#[test]
fn the_bundled_tables_come_from_the_bundled_labels() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/fuzzy/stand-in.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let set = LabelSet::read(&tesuji_standard::catalogue(), &Source::new("stand-in.csv", text)).unwrap();
    assert_eq!(set.labels().len(), 1246);
    for count in [440, 1246] {
        let learned = set.clone().first(count).unwrap().learn();
        assert_eq!(
            membership_table(&tesuji_standard::catalogue(), "tubstap", &format!("stand-in-{count}")).unwrap(),
            learned
        );
        let shuffled =
            membership_table(&tesuji_standard::catalogue(), "tubstap", &format!("stand-in-{count}-shuffled")).unwrap();
        assert_eq!(shuffled, learned.shuffled(1));
    }
    let error = membership_table(&tesuji_standard::catalogue(), "tubstap", "stand-in-441").unwrap_err();
    assert!(error.help_text().unwrap().contains("stand-in-440"), "{error}");
}

#[test]
fn plots_are_well_formed() {
    let learned = membership_table(&tesuji_standard::catalogue(), "tubstap", "stand-in-440").unwrap();
    for (across, up) in [(0, 4), (4, 0), (1, 1)] {
        let svg = membership_plot(&learned, across, up);
        roxmltree::Document::parse(&svg).unwrap();
    }
}

proptest! {
    #[test]
    fn any_text_is_labels_or_an_error(text in "(?s).{0,80}") {
        let _ = LabelSet::read(&tesuji_standard::catalogue(), &Source::new("l", text));
    }

    #[test]
    fn any_rows_are_labels_or_an_error(
        rows in "[a-z0-9,.\"#\r\n-]{0,60}",
        game in prop::sample::select(vec!["tubstap", "pig", ""]),
    ) {
        let header = "game,state,action,by,match,unit,hp,target,damage,risk,label";
        let text = format!("{header}\n{game},,,me,,6,10,0,0,0,1\n{rows}");
        let _ = LabelSet::read(&tesuji_standard::catalogue(), &Source::new("l", text));
    }
}
