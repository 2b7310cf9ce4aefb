//! The library of experiments that ship with the program: every table of the papers, with its state.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tesuji_bundle::Bundle;
use tesuji_core::{InputError, Source};

use tesuji_catalogue::unknown;

static FILES: Bundle = Bundle::new(include_bytes!(concat!(env!("OUT_DIR"), "/experiments")));

/// The list of all tables.
const INDEX: &str = "index.toml";

/// A published table, or an experiment of our own.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraryEntry {
    /// Paper and table, such as `002/table3`; also the path of its file without `.toml`.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// The same in Japanese.
    pub title_ja: String,
    /// What has to be there before it can run; empty if its file is here.
    #[serde(default)]
    pub waits_for: String,
    /// Files that do not come with the program, and where to get them.
    #[serde(default)]
    pub needs: String,
    /// The same in Japanese.
    #[serde(default)]
    pub needs_ja: String,
    /// How a person carries it out, where no program can.
    #[serde(default)]
    pub by_hand: String,
    /// The same in Japanese.
    #[serde(default)]
    pub by_hand_ja: String,
    /// Where people are one side of it: what they play.
    #[serde(default)]
    pub people: Option<Protocol>,
}

/// A table for which people play against agents.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Protocol {
    /// The address of the game.
    pub game: String,
    /// The matches that one person plays against each opponent; seats are swapped after each.
    pub matches: u64,
    /// The opponents.
    pub opponents: Vec<Opponent>,
}

/// An agent that people play against for a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opponent {
    /// What the paper calls it.
    pub label: String,
    /// Its address.
    pub agent: String,
    /// What a decision may cost, as text such as `playouts=200`; empty if the agent carries its own budget.
    #[serde(default)]
    pub budget: String,
    /// The agent's published win rate against people, a draw as half a win.
    pub win_rate: f64,
    /// The published number of matches.
    pub published_matches: u64,
    /// A remark on the published number.
    #[serde(default)]
    pub note: String,
}

/// A paper whose tables are in the library.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Its number, such as `002`: the part of a table's id before the slash.
    pub id: String,
    /// Its subject.
    pub title: String,
    /// The same in Japanese.
    pub title_ja: String,
    /// What it claims, in a sentence.
    pub claim: String,
    /// The same in Japanese.
    pub claim_ja: String,
    /// What came out here, in a sentence.
    pub finding: String,
    /// The same in Japanese.
    pub finding_ja: String,
    /// The page of committed results.
    pub page: String,
    /// A match that comes with the program: a file in `experiments/matches`.
    #[serde(default)]
    pub example: String,
}

/// Whether an experiment can be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Availability {
    /// `tesuji reproduce ID` runs it.
    Ready,
    /// It needs files that are not there; [`LibraryEntry::needs`] says where to get them.
    NeedsFiles,
    /// It waits for something.
    Waiting,
    /// People carry it out.
    ByHand,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    paper: Vec<Paper>,
    table: Vec<LibraryEntry>,
}

impl LibraryEntry {
    /// Can it be run?
    pub fn availability(&self) -> Availability {
        if !self.by_hand.is_empty() {
            Availability::ByHand
        } else if let Some(file) = self.file() {
            if self.needs.is_empty() || outside_files(file.text()).all(|path| Path::new(path).exists()) {
                Availability::Ready
            } else {
                Availability::NeedsFiles
            }
        } else {
            Availability::Waiting
        }
    }

    /// Its experiment.
    pub fn source(&self) -> Result<Source, InputError> {
        self.file().ok_or_else(|| {
            let reason = if self.by_hand.is_empty() { &self.waits_for } else { &self.by_hand };
            InputError::new(format!("`{}` cannot be run by a program yet", self.id)).with_help(reason.as_str())
        })
    }

    fn file(&self) -> Option<Source> {
        let name = format!("{}.toml", self.id);
        Some(Source::new(format!("experiments/{name}"), FILES.text(&name)?))
    }
}

/// The files that an experiment names and that do not come with the program: paths that leave its folder.
fn outside_files(text: &str) -> impl Iterator<Item = &str> {
    let paths = text.match_indices("map=../").map(|(place, _)| &text[place + "map=".len()..]);
    paths.map(|rest| rest.split([',', ')', '"']).next().unwrap_or_default())
}

/// Every entry of the library, in the order of the papers.
pub fn library() -> Vec<LibraryEntry> {
    index().table
}

/// The papers whose tables are in the library.
pub fn papers() -> Vec<Paper> {
    index().paper
}

fn index() -> Index {
    let Some(text) = FILES.text(INDEX) else { panic!("the program was built without its experiments") };
    match toml::from_str::<Index>(&text) {
        Ok(index) => index,
        Err(error) => panic!("experiments/{INDEX}: {error}"),
    }
}

/// The pages of committed results: name and text.
pub(crate) fn committed_pages() -> Vec<(String, String)> {
    let page = |path: &str| {
        let name = path.strip_prefix("results/").filter(|name| name.ends_with(".md") && !name.contains('/'))?;
        Some((name.to_owned(), FILES.text(path)?))
    };
    let mut pages: Vec<_> = FILES.paths().filter_map(page).collect();
    pages.sort();
    pages
}

/// A match that comes with the program, as the text of a replay file.
pub fn example_match(name: &str) -> Option<String> {
    FILES.text(&format!("matches/{name}.json"))
}

/// The entry of that name.
pub fn library_entry(id: &str) -> Result<LibraryEntry, InputError> {
    let mut entries = library();
    match entries.iter().position(|entry| entry.id == id) {
        Some(index) => Ok(entries.swap_remove(index)),
        None => {
            let ids: Vec<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
            Err(unknown("experiment", id, &ids, "`tesuji reproduce` lists them all"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::experiment::{Scale, read_experiment};

    #[test]
    fn every_entry_is_ready_or_says_what_it_waits_for() {
        for entry in library() {
            assert_eq!(entry.needs.is_empty(), entry.needs_ja.is_empty(), "{}", entry.id);
            assert_eq!(entry.by_hand.is_empty(), entry.by_hand_ja.is_empty(), "{}", entry.id);
            match entry.availability() {
                Availability::Ready | Availability::NeedsFiles => {
                    assert!(entry.waits_for.is_empty(), "{} waits although it is here", entry.id);
                    let outside = outside_files(entry.file().unwrap().text()).count() > 0;
                    assert_eq!(
                        outside,
                        !entry.needs.is_empty(),
                        "{}: files that do not come with the program",
                        entry.id
                    );
                }
                Availability::Waiting => assert!(!entry.waits_for.is_empty(), "{} has no file and no reason", entry.id),
                Availability::ByHand => {}
            }
        }
    }

    #[test]
    fn papers_have_tables_and_pages_and_people_play_games_that_open() {
        let catalogue = tesuji_standard::catalogue();
        let (entries, pages) = (library(), committed_pages());
        for paper in papers() {
            assert!(entries.iter().any(|entry| entry.id.starts_with(&format!("{}/", paper.id))), "{}", paper.id);
            assert!(pages.iter().any(|(name, _)| *name == paper.page), "{}", paper.page);
            assert!(paper.example.is_empty() || example_match(&paper.example).is_some(), "{}", paper.example);
        }
        let by_people: Vec<&LibraryEntry> = entries.iter().filter(|entry| entry.people.is_some()).collect();
        assert_eq!(by_people.len(), 3);
        for entry in by_people {
            let Some(protocol) = &entry.people else { continue };
            assert_eq!(entry.availability(), Availability::ByHand, "{}", entry.id);
            let game = catalogue.open(&protocol.game).unwrap_or_else(|error| panic!("{}: {error}", entry.id));
            for opponent in &protocol.opponents {
                game.check_agent(&opponent.agent).unwrap_or_else(|error| panic!("{}: {error}", entry.id));
                assert!((0.0..=1.0).contains(&opponent.win_rate) && opponent.published_matches > 0, "{}", entry.id);
            }
        }
    }

    /// Experiments on maps that do not come with the program name them from the project's folder; tests run elsewhere.
    fn with_maps_at_hand(source: Source) -> Option<Source> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/");
        if !source.text().contains("../shared/") {
            return Some(source);
        }
        if !std::path::Path::new(folder).exists() {
            eprintln!("skipped: {} needs maps that are not in {folder}", source.name());
            return None;
        }
        Some(Source::new(source.name(), source.text().replace("map=../shared/", &format!("map={folder}"))))
    }

    #[test]
    fn every_file_is_listed_and_reads_at_both_scales() {
        let catalogue = tesuji_standard::catalogue();
        let ids: Vec<String> = library().into_iter().map(|entry| entry.id).collect();
        for name in FILES.paths().filter(|name| *name != INDEX) {
            // The folder also holds the results, as Markdown.
            let Some(id) = name.strip_suffix(".toml") else { continue };
            assert!(ids.iter().any(|listed| listed == id), "experiments/{name} is not listed in {INDEX}");
            let Some(source) = with_maps_at_hand(library_entry(id).unwrap().source().unwrap()) else { continue };
            for scale in [Scale::Quick, Scale::Full] {
                read_experiment(&catalogue, &source, scale).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}
