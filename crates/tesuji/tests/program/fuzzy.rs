//! `tesuji fuzzy` as scripts meet it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::started::{complaint, folder, printed, tesuji_in};

fn printed_in(folder: &Path, arguments: &[&str]) -> String {
    printed(&tesuji_in(folder, arguments))
}

const LABEL: [&str; 11] = [
    "fuzzy",
    "label",
    "tubstap(map=one-blow)",
    "--opponent",
    "random",
    "--judge",
    "unit-uct-10-sound(playouts=40)",
    "--labels",
    "20",
    "--to",
    "labels.csv",
];

#[test]
fn from_labels_to_an_agent() {
    let folder = folder("fuzzy-whole");
    let counts: Value = serde_json::from_str(&printed_in(&folder, &[&LABEL[..], &["--json"]].concat())).unwrap();
    assert_eq!(counts["labels"], 20);
    let written = fs::read_to_string(folder.join("labels.csv")).unwrap();
    assert!(written.starts_with("# tesuji fuzzy label \"tubstap(map=one-blow)\" --opponent \"random\""), "{written}");
    printed_in(&folder, &[&LABEL[..9], &["--threads", "1", "--to", "again.csv"]].concat());
    assert_eq!(fs::read_to_string(folder.join("again.csv")).unwrap(), written, "a seed, the same labels");

    let told: Value =
        serde_json::from_str(&printed_in(&folder, &["fuzzy", "import", "s.db", "labels.csv", "--json"])).unwrap();
    assert_eq!((&told["read"], &told["added"]), (&20.into(), &20.into()));
    assert!(printed_in(&folder, &["fuzzy", "import", "s.db", "labels.csv"]).starts_with("20 labels read, 0 added"));
    let exported = printed_in(&folder, &["fuzzy", "export", "s.db"]);
    assert_eq!(exported.trim_end(), written.split_once('\n').unwrap().1.trim_end());
    printed_in(&folder, &["fuzzy", "export", "s.db", "--to", "out.csv"]);
    let lines = printed_in(&folder, &["fuzzy", "export", "s.db", "--json"]);
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first["features"].as_array().unwrap().len(), 5);

    for from in ["s.db", "out.csv"] {
        let learned = printed_in(&folder, &["fuzzy", "learn", from, "--to", "table.csv"]);
        assert!(learned.starts_with("20 labels: ") && learned.contains("different vectors"), "{learned}");
    }
    let few: Value = serde_json::from_str(&printed_in(
        &folder,
        &["fuzzy", "learn", "s.db", "--first", "5", "--to", "few.csv", "--json"],
    ))
    .unwrap();
    assert_eq!(few["labels"], 5);
    let shown =
        printed_in(&folder, &["fuzzy", "show", "./table.csv", "--svg", "m.svg", "--across", "damage", "--up", "hp"]);
    assert!(shown.contains("membership") && shown.contains("from 20 labels"), "{shown}");
    assert!(fs::read_to_string(folder.join("m.svg")).unwrap().starts_with("<svg"));
    printed_in(&folder, &["fuzzy", "shuffle", "table.csv", "--seed", "4", "--to", "shuffled.csv"]);
    let again =
        printed_in(&folder, &["fuzzy", "shuffle", "table.csv", "--seed", "4", "--to", "shuffled2.csv", "--json"]);
    assert!(again.contains("\"seed\":4"));
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("shuffled.csv"), read("shuffled2.csv"));

    let agents =
        ["uct(playouts=30,fuzzy=table.csv,prune=0.75)", "uct(playouts=30,fuzzy=shuffled.csv,first=membership)"];
    let series = ["match", "tubstap(map=one-blow)", agents[0], agents[1], "--games", "2", "--json"];
    let result: Value = serde_json::from_str(&printed_in(&folder, &series)).unwrap();
    assert_eq!(result["fouls"].as_array().map(Vec::len), Some(0), "{result}");
}

/// A run whose table was changed is another run.
#[test]
fn a_changed_table_shows_in_the_identity_of_a_run() {
    let folder = folder("fuzzy-identity");
    let table =
        |membership: &str| format!("unit,hp,target,damage,risk,samples,membership\n6,10,0,0,0,1,{membership}\n");
    fs::write(
        folder.join("e.toml"),
        "title = \"t\"\ngames = [\"tubstap(map=one-blow)\"]\n\
         agents = [\"uct(fuzzy=./t.csv,first=membership)\", \"random\"]\n\
         seed = 1\npairs = 1\nbudget = { playouts = 5 }\n",
    )
    .unwrap();
    let runs = || printed_in(&folder, &["report", "s.db"]).matches("Pairs of matches").count();
    for (membership, expected) in [("1", 1), ("1", 1), ("0.5", 2)] {
        fs::write(folder.join("t.csv"), table(membership)).unwrap();
        printed_in(&folder, &["run", "e.toml", "--store", "s.db"]);
        assert_eq!(runs(), expected, "{membership}");
    }
}

#[test]
fn what_is_wrong_is_told() {
    let folder = folder("fuzzy-wrong");
    let header = "game,state,action,by,match,unit,hp,target,damage,risk,label\n";
    let row = "tubstap,,,me,,6,10,0,0,0,1\n";
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("empty.csv", header);
    write("unit.csv", &format!("{header}{row}tubstap,,,me,,9,10,0,0,0,1\n"));
    write("label.csv", &format!("{header}{row}tubstap,,,me,,6,10,0,0,0,3\n"));
    write("columns.csv", &format!("{header}{row}tubstap,,,me,,6,10,0,0,1\n"));
    write("noise.csv", "noise");
    write("other.csv", "a,samples,membership\n1,1,1\n");
    for (arguments, expected) in [
        (&["fuzzy", "import", "w.db", "unit.csv"][..], "unit.csv:3:15"),
        (&["fuzzy", "import", "w.db", "unit.csv"], "expected a whole number from 1 to 6"),
        (&["fuzzy", "import", "w.db", "label.csv"], "expected 1, 0.5 or 0"),
        (&["fuzzy", "import", "w.db", "columns.csv"], "columns.csv:3"),
        (&["fuzzy", "import", "w.db", "absent.csv"], "cannot read"),
        (&["fuzzy", "learn", "empty.csv", "--to", "t.csv"], "tesuji fuzzy label GAME"),
        (&["fuzzy", "learn", "absent.db", "--to", "t.csv"], "cannot read"),
        (&["fuzzy", "show", "./noise.csv"], "not a membership table"),
        (&["fuzzy", "show", "stand-in-9"], "it offers stand-in-440"),
        (&["fuzzy", "show", "stand-in-440", "--across", "weight"], "one of unit, hp, target, damage, risk"),
        (&["fuzzy", "label", "tic-tac-toe", "--to", "x.csv"], "tells no features"),
        (&["fuzzy", "label", "tubstap", "--to", "x.csv", "--near", "0.5", "--clear", "0.2"], "is not below --clear"),
        (&["fuzzy", "label", "tubstap"], "--to"),
        (&["match", "tubstap", "uct(fuzzy=./absent.csv)", "random"], "tesuji fuzzy learn"),
        (&["match", "tubstap", "uct(fuzzy=./other.csv)", "random"], "this table is about a"),
        (&["match", "tubstap", "uct(fuzzy=stand-in-44)", "random"], "did you mean `stand-in-440`?"),
        (&["match", "tubstap", "uct(prune=0.5)", "random"], "`fuzzy` beside it"),
        (&["match", "tubstap", "uct(fuzzy=stand-in-440,solver=true)", "random"], "false where `fuzzy`"),
        (&["match", "tic-tac-toe", "unit-uct-prune", "random"], "it needs features of actions"),
    ] {
        let said = complaint(&tesuji_in(&folder, arguments));
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    // Nothing was imported, and a store without labels says what to do.
    write("one.csv", &format!("{header}{row}"));
    printed_in(&folder, &["fuzzy", "import", "w.db", "one.csv"]);
    assert_eq!(printed_in(&folder, &["fuzzy", "export", "w.db"]).lines().count(), 2);
    assert!(
        complaint(&tesuji_in(&folder, &["fuzzy", "learn", "w.db", "--game", "pig", "--to", "t.csv"]))
            .contains("no labels")
    );
}
