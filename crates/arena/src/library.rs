//! The library of experiments that ship with the program: every table of the papers, with its state.

use std::path::Path;

use rust_embed::RustEmbed;
use serde::{Deserialize, Serialize};
use tesuji_core::{InputError, Source};

use tesuji_catalogue::unknown;

#[derive(RustEmbed)]
#[folder = "../../experiments"]
struct Files;

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
    /// What has to be there before it can run; empty if its file is here.
    #[serde(default)]
    pub waits_for: String,
    /// Files that do not come with the program, and where to get them.
    #[serde(default)]
    pub needs: String,
    /// How a person carries it out, where no program can.
    #[serde(default)]
    pub by_hand: String,
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
        let file = Files::get(&name)?;
        Some(Source::new(format!("experiments/{name}"), String::from_utf8_lossy(&file.data)))
    }
}

/// The files that an experiment names and that do not come with the program: paths that leave its folder.
fn outside_files(text: &str) -> impl Iterator<Item = &str> {
    let paths = text.match_indices("map=../").map(|(place, _)| &text[place + "map=".len()..]);
    paths.map(|rest| rest.split([',', ')', '"']).next().unwrap_or_default())
}

/// Every entry of the library, in the order of the papers.
pub fn library() -> Vec<LibraryEntry> {
    let Some(file) = Files::get(INDEX) else { panic!("the program was built without its experiments") };
    match toml::from_str::<Index>(&String::from_utf8_lossy(&file.data)) {
        Ok(index) => index.table,
        Err(error) => panic!("experiments/{INDEX}: {error}"),
    }
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
        for name in Files::iter().filter(|name| name.as_ref() != INDEX) {
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
