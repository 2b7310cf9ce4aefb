//! The generated parts of the pages: `<!-- generated: WHAT -->` to `<!-- end -->`, and pictures.
//!
//! `TESUJI_DOCS=write cargo test -p tesuji --test program documents::generated` writes them again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tesuji_arena::{Catalogue, GameInfo};

use super::strength::Strength;
use super::{kinds, pages, plots, root};

/// What the generated parts are made of.
pub(super) struct Sources {
    pub catalogue: Catalogue,
    pub strength: Strength,
    /// Decisions for pictures of agents, by kind, as far as they were made.
    pub decisions: BTreeMap<String, Option<Decided>>,
    /// Japanese texts of parameters, by the English ones.
    pub translations: BTreeMap<String, String>,
    /// Pictures by their path below `docs/pictures`.
    pub pictures: BTreeMap<String, String>,
}

/// A decision that is drawn: the agent's address, the game and the picture.
pub(super) type Decided = (String, String, String);

/// The page that a part is made for.
pub(super) struct Page {
    /// The way up to `docs/`.
    pub up: String,
    /// Whether it is written in Japanese.
    pub japanese: bool,
}

impl Page {
    fn new(path: &str) -> Page {
        Page { up: "../".repeat(path.matches('/').count()), japanese: path.starts_with("ja/") }
    }

    /// The link to the page of a kind of agent.
    fn kind(&self, kind: &str) -> String {
        match self.japanese {
            true => format!("../agents/{kind}.md"),
            false => format!("{}agents/kinds/{kind}.md", self.up),
        }
    }
}

fn writing() -> bool {
    std::env::var("TESUJI_DOCS").is_ok_and(|value| value == "write")
}

#[test]
fn generated_parts_are_current() {
    let catalogue = tesuji::catalogue();
    let strength = Strength::read(&fs::read_to_string(root().join("experiments/results/strength.md")).unwrap());
    let translations = fs::read_to_string(root().join("docs/ja/parameters.txt")).unwrap();
    let translations = translations.lines().filter_map(|line| line.split_once('\t'));
    let translations = translations.map(|(english, japanese)| (english.to_owned(), japanese.to_owned())).collect();
    let (decisions, pictures) = (BTreeMap::new(), BTreeMap::new());
    let mut sources = Sources { catalogue, strength, decisions, translations, pictures };
    let mut parts = 0;
    for page in pages() {
        let path = root().join("docs").join(&page);
        let text = fs::read_to_string(&path).unwrap();
        let made = filled(&text, &mut parts, &mut |what| part(&mut sources, what, &page));
        compare(&path, &text, &made);
    }
    assert!(parts > 160, "only {parts} generated parts");
    for (name, svg) in &sources.pictures {
        let path = root().join("docs/pictures").join(name);
        compare(&path, &fs::read_to_string(&path).unwrap_or_default(), svg);
    }
    // Pictures of what is gone are gone too.
    for folder in ["agents", "games", "results"] {
        for entry in fs::read_dir(root().join("docs/pictures").join(folder)).into_iter().flatten() {
            let name = format!("{folder}/{}", entry.unwrap().file_name().to_string_lossy());
            assert!(sources.pictures.contains_key(&name), "docs/pictures/{name} belongs to no page");
        }
    }
}

/// Writes what was made, or compares it with what is there.
fn compare(path: &Path, there: &str, made: &str) {
    if there == made {
        return;
    }
    assert!(
        writing(),
        "{} is stale: `TESUJI_DOCS=write cargo test -p tesuji --test program documents::generated` writes it",
        path.display()
    );
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, made).unwrap();
}

/// A page with its generated parts filled.
fn filled(text: &str, parts: &mut usize, make: &mut dyn FnMut(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!-- generated: ") {
        let (what, after) = after.split_once(" -->\n").expect("a generated part has a name");
        let (_, after) = after.split_once("<!-- end -->").unwrap_or_else(|| panic!("`{what}` has no end"));
        *parts += 1;
        out.push_str(&format!("{before}<!-- generated: {what} -->\n{}<!-- end -->", make(what)));
        rest = after;
    }
    out + rest
}

/// The contents of a generated part.
fn part(sources: &mut Sources, what: &str, path: &str) -> String {
    let page = Page::new(path);
    match what.split_once(' ') {
        None if what == "kinds" => kinds::list(sources),
        Some(("summary", rest)) => kinds::summary(sources, subject(rest, "of "), &page),
        Some(("parameters", rest)) => kinds::parameters(sources, subject(rest, "of "), &page),
        Some(("presets", rest)) => kinds::presets(sources, subject(rest, "of "), &page),
        Some(("strength", rest)) => kinds::strength(sources, subject(rest, "of "), &page),
        Some(("agents", rest)) => agents_for(sources, subject(rest, "for "), &page),
        Some(("picture", rest)) => picture_of(sources, subject(rest, "of "), &page),
        Some(("plots", rest)) => plots::of(sources, subject(rest, "of "), &page),
        _ => panic!("{path}: nobody knows how to generate `{what}`"),
    }
}

fn subject<'a>(rest: &'a str, preposition: &str) -> &'a str {
    rest.strip_prefix(preposition).unwrap_or_else(|| panic!("`{rest}` does not begin with `{preposition}`"))
}

/// The first position of a game, drawn.
fn picture_of(sources: &mut Sources, name: &str, page: &Page) -> String {
    let address = sources.catalogue.game(name).unwrap().examples[0];
    let game = sources.catalogue.open(address).unwrap();
    let file = format!("games/{name}.svg");
    sources.pictures.insert(file.clone(), game.new_match(None).unwrap().picture().svg());
    let title = match page.japanese {
        true => format!("`{address}` の初期局面"),
        false => format!("The first position of `{address}`"),
    };
    format!("![{title}]({}pictures/{file})\n", page.up)
}

/// The agents that can play a game, and what was measured in it.
fn agents_for(sources: &mut Sources, name: &str, page: &Page) -> String {
    let GameInfo { examples, .. } = sources.catalogue.game(name).unwrap();
    let game = sources.catalogue.open(examples[0]).unwrap();
    let able = game.able_agents();
    let mut kinds: Vec<&str> = able.iter().map(|info| info.preset_of.unwrap_or(info.name)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let links: Vec<String> = kinds.iter().map(|kind| format!("[`{kind}`]({})", page.kind(kind))).collect();
    let mut text = match page.japanese {
        true => format!("`{}` を指せるエージェントの種類（プリセットを含む）: ", examples[0]),
        false => format!("`{}` can be played by these kinds of agents and their presets: ", examples[0]),
    };
    let mut width = text.chars().count();
    for (place, link) in links.iter().enumerate() {
        let part = if place + 1 == links.len() { format!("{link}.") } else { format!("{link}, ") };
        if width + part.chars().count() > 100 {
            text = text.trim_end().to_owned() + "\n";
            width = 0;
        }
        width += part.chars().count();
        text.push_str(&part);
    }
    text.push('\n');
    text + &sources.strength.in_game(name, page.japanese)
}

#[test]
fn japanese_pages_are_complete() {
    let catalogue = tesuji::catalogue();
    let summary = fs::read_to_string(root().join("docs/ja/SUMMARY.md")).unwrap();
    let read = |path: String| {
        assert!(summary.contains(&format!("({path})")), "docs/ja/SUMMARY.md lacks {path}");
        fs::read_to_string(root().join("docs/ja").join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    for game in catalogue.games() {
        let page = read(format!("games/{}.md", game.name));
        for parameter in &game.parameters {
            let default = parameter.default.as_deref().unwrap_or_default();
            let row = format!("| `{}` | {default} |", parameter.name);
            assert!(page.contains(&row), "docs/ja/games/{}.md lacks {row}", game.name);
        }
        for part in ["picture of", "agents for"] {
            assert!(page.contains(&format!("<!-- generated: {part} {} -->", game.name)), "{}: {part}", game.name);
        }
        assert!(page.contains("## ルール") && page.contains("## 記法"), "{}", game.name);
    }
    for kind in catalogue.agents().iter().filter(|info| info.preset_of.is_none()) {
        let page = read(format!("agents/{}.md", kind.name));
        for part in ["summary", "parameters", "presets", "strength"] {
            assert!(page.contains(&format!("<!-- generated: {part} of {} -->", kind.name)), "{}: {part}", kind.name);
        }
    }
    for entry in fs::read_dir(root().join("docs/results")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        read(format!("results/{name}"));
    }
}

/// Kinds whose actions are chosen by another program or player, so that no formula applies.
const NO_FORMULA: [&str; 2] = ["outside", "process"];

#[test]
fn pages_of_agents_have_a_formula() {
    for kind in tesuji::catalogue().agents().iter().filter(|info| info.preset_of.is_none()) {
        let name = kind.name;
        let pages = [
            (format!("docs/agents/kinds/{name}.md"), "No formula applies: "),
            (format!("docs/ja/agents/{name}.md"), "数式はありません。"),
        ];
        for (path, none) in pages {
            let page = fs::read_to_string(root().join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
            let has_one = page.lines().any(|line| line.starts_with("> "));
            let says_none = page.contains(none);
            assert_eq!((has_one, says_none), (!NO_FORMULA.contains(&name), NO_FORMULA.contains(&name)), "{path}");
        }
    }
}
