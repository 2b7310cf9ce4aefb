//! The pages under docs/games say what the program does, one for each game of the catalogue.

use std::path::PathBuf;

use tesuji_arena::GameInfo;

const HEADINGS: [&str; 7] =
    ["Address", "Rules", "Notation", "Features and payoffs", "Known facts", "Agents", "Versions"];

fn read(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/games").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text between the first pair of backquotes after `label`.
fn quoted<'a>(text: &'a str, label: &str) -> &'a str {
    let after = text.split_once(label).unwrap_or_else(|| panic!("no `{label}` in:\n{text}")).1;
    after.split('`').nth(1).unwrap_or_else(|| panic!("nothing quoted after `{label}`"))
}

fn check(info: &GameInfo) {
    let page = read(&format!("{}.md", info.name));
    let title = page.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap();
    let link = format!("| [{title}]({}.md) | `{}` |", info.name, info.name);
    assert!(read("README.md").contains(&link), "the list of games lacks {link}");

    let sections: Vec<(&str, &str)> =
        page.split("\n## ").skip(1).map(|section| section.split_once('\n').unwrap()).collect();
    assert_eq!(sections.iter().map(|(heading, _)| *heading).collect::<Vec<_>>(), HEADINGS, "{}", info.name);
    let [address, notation, features, versions] = [0, 2, 3, 6].map(|index| sections[index].1);

    let names: Vec<&str> = info.parameters.iter().map(|parameter| parameter.name).collect();
    let arguments = if names.is_empty() { String::new() } else { format!("({})", names.join(",")) };
    assert!(address.contains(&format!("`{}{arguments}`", info.name)), "{address}");
    let rows: Vec<&str> = address.lines().filter(|line| line.starts_with("| `")).collect();
    let row = |parameter: &tesuji_arena::ParameterInfo| {
        let default = parameter.default.as_deref().unwrap_or("needed");
        format!("| `{}` | {default} | {} |", parameter.name, parameter.summary)
    };
    assert_eq!(rows, info.parameters.iter().map(row).collect::<Vec<_>>());
    assert_eq!(address.contains("No parameters."), info.parameters.is_empty());

    let game = tesuji_standard::catalogue().open(info.name).unwrap();
    let table =
        game.new_match(Some(quoted(notation, "- State:"))).unwrap_or_else(|error| panic!("{}: {error}", info.name));
    let action = quoted(notation, "- Action:");
    let (actor, _) = table.actors()[0];
    assert!(table.legal(actor).iter().any(|legal| legal == action), "{}: `{action}` is not legal there", info.name);

    let declared = game.spec().features.to_string();
    let declared = if declared.is_empty() { "None" } else { &declared };
    assert!(features.trim().starts_with(&format!("{declared}.")), "{features}");
    if let Some(rules) = game.rules_in_words().filter(|_| info.name != "tubstap-random") {
        assert!(page.contains(rules.trim()), "crates/games/rules/{}.md is not what the page says", info.name);
    }
    assert_eq!(game.rules_in_words().is_none(), info.name == "gdl", "{} needs rules in words", info.name);
    let latest = versions.trim().lines().last().unwrap();
    assert!(latest.starts_with(&format!("- {}: ", game.spec().version)), "{latest}");
}

#[test]
fn pages_agree_with_the_program() {
    tesuji_standard::catalogue().games().iter().for_each(check);
}
