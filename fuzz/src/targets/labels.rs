//! Tables of memberships and labelled actions, as CSV.

use tesuji_arena::fuzzy::{LabelSet, Memberships};

use super::{Target, catalogue, file, reaches_out, size, source, text, told};

fn first_lines(path: &str, count: usize) -> Vec<u8> {
    text(&file(path)).split_inclusive('\n').take(count).collect::<String>().into_bytes()
}

/// A table reads back as it is written.
pub(super) fn memberships(name: &'static str) -> Target {
    let seeds = vec![first_lines("data/fuzzy/stand-in-440.csv", 8), b"a,b,good,count\n1,2,0.5,3\n".to_vec()];
    let run = |input: &[u8]| {
        told(Memberships::read(&source("fuzz.csv", input)), |table| {
            let written = table.text();
            let again = Memberships::read(&source("again.csv", written.as_bytes()));
            let again = again.unwrap_or_else(|error| panic!("the written table is refused: {error}"));
            assert_eq!(again.text(), written, "the table is written in two ways");
            if let Some(known) = table.known().first() {
                let degree = table.of(&known.features, 3);
                assert!((0.0..=1.0).contains(&degree), "a membership of {degree}");
            }
            format!("a table of {} vectors", size(table.known().len()))
        })
    };
    Target::new(name, Box::new(run), seeds, &[",", "\"", "\n", "#", "0.5", "nan", "inf", "-1"])
}

/// Labels read back as they are written.
pub(super) fn labels(name: &'static str) -> Target {
    let game = catalogue().open("tubstap").unwrap_or_else(|error| panic!("{error}"));
    let table = game.new_match(None).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = game.knowledge().action_features.iter().map(|feature| feature.name).collect();
    let header = format!("game,state,action,by,match,{},label\n", names.join(","));
    let mut seed = header.clone();
    for (actor, _) in table.actors() {
        for action in table.legal(actor).iter().take(3) {
            let empty = ",".repeat(names.len());
            seed.push_str(&format!(
                "tubstap,\"{}\",{action},Kit,m1{empty},1\n",
                table.state_text().replace('"', "\"\"")
            ));
        }
    }
    let seeds =
        vec![seed.into_bytes(), format!("{header}tubstap,,,Kit,m1{},0.5\n", ",1".repeat(names.len())).into_bytes()];
    let run = |input: &[u8]| {
        if reaches_out(&text(input)) || text(input).contains("gdl") {
            return "not opened".to_owned();
        }
        told(LabelSet::read(catalogue(), &source("fuzz.csv", input)), |labels| {
            let written = labels.text();
            let again = LabelSet::read(catalogue(), &source("again.csv", written.as_bytes()));
            let again = again.unwrap_or_else(|error| panic!("the written labels are refused: {error}"));
            assert_eq!(again.text(), written, "the labels are written in two ways");
            format!("{} vectors", size(labels.learn().known().len()))
        })
    };
    Target::new(name, Box::new(run), seeds, &[",", "\"", "\n", "0.5", "1", "0", "tubstap", "tic-tac-toe"])
}
