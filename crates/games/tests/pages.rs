//! The pages under docs/games say what the program does.

use std::path::PathBuf;

use tesuji_core::laws::Complete;
use tesuji_core::{Address, Arguments, Entry};
use tesuji_games::{breakthrough, connect_four, goofspiel, matrix, mineering, oshi_zumo, rps_cards, tic_tac_toe};

const HEADINGS: [&str; 6] = ["Address", "Rules", "Notation", "Features and payoffs", "Known facts", "Versions"];

fn read(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/games").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text between the first pair of backquotes after `label`.
fn quoted<'a>(text: &'a str, label: &str) -> &'a str {
    let after = text.split_once(label).unwrap_or_else(|| panic!("no `{label}` in:\n{text}")).1;
    after.split('`').nth(1).unwrap_or_else(|| panic!("nothing quoted after `{label}`"))
}

fn check<G: Complete>(entry: &Entry<G>) {
    let page = read(&format!("{}.md", entry.name));
    let index = read("README.md");
    let name = page.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap();
    let link = format!("| [{name}]({}.md) | `{}` |", entry.name, entry.name);
    assert!(index.contains(&link), "the list of games lacks {link}");

    let sections: Vec<(&str, &str)> =
        page.split("\n## ").skip(1).map(|section| section.split_once('\n').unwrap()).collect();
    assert_eq!(sections.iter().map(|(heading, _)| *heading).collect::<Vec<_>>(), HEADINGS, "{}", entry.name);
    let [address, _, notation, features, _, versions] = [0, 1, 2, 3, 4, 5].map(|index| sections[index].1);

    let names: Vec<&str> = entry.parameters.iter().map(|parameter| parameter.name).collect();
    let arguments = if names.is_empty() { String::new() } else { format!("({})", names.join(",")) };
    assert!(address.contains(&format!("`{}{arguments}`", entry.name)), "{address}");
    let rows: Vec<&str> = address.lines().filter(|line| line.starts_with("| `")).collect();
    let expected: Vec<String> = entry
        .parameters
        .iter()
        .map(|parameter| {
            format!("| `{}` | {} | {} |", parameter.name, parameter.default.unwrap_or("needed"), parameter.summary)
        })
        .collect();
    assert_eq!(rows, expected);
    assert_eq!(address.contains("No parameters."), entry.parameters.is_empty());

    let address: Address = entry.name.parse().unwrap();
    let game = (entry.open)(&Arguments::bind(&address, entry.parameters).unwrap()).unwrap();
    let state = game.parse_state(quoted(notation, "- State:")).unwrap();
    let action = quoted(notation, "- Action:");
    let actor = game.turn(&state).actors().next().unwrap();
    assert!(game.parse_action(&state, actor, action).is_ok(), "`{action}` is not legal in the example state");

    let declared = game.spec().features.to_string();
    let declared = if declared.is_empty() { "None" } else { &declared };
    assert!(features.trim().starts_with(&format!("{declared}.")), "{features}");
    let latest = versions.trim().lines().last().unwrap();
    assert!(latest.starts_with(&format!("- {}: ", game.spec().version)), "{latest}");
}

#[test]
fn pages_agree_with_the_program() {
    check(&breakthrough::ENTRY);
    check(&connect_four::ENTRY);
    check(&goofspiel::ENTRY);
    check(&matrix::ENTRY);
    check(&mineering::DOMINEERING);
    check(&mineering::SYNC_DOMINEERING);
    check(&mineering::SYNC_TRIOMINEERING);
    check(&mineering::TRIOMINEERING);
    check(&oshi_zumo::ENTRY);
    check(&rps_cards::ENTRY);
    check(&tic_tac_toe::ENTRY);
}
