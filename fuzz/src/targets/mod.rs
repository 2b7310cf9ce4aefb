//! The targets: one for each parser, protocol and store reader.

mod addresses;
mod engine;
mod experiments;
mod ggp;
mod ggp_answers;
mod lab;
mod lab_file;
mod labels;
mod models;
mod networks;
mod notation;
mod queue;
mod sheets;
mod stores;
mod tables;
mod tubstap;
mod tubstap_clients;

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use tesuji_arena::{Catalogue, InputError, Source};

/// Takes any bytes, checks what must hold, and returns the outcome in words.
pub(crate) type Run = Box<dyn Fn(&[u8]) -> String>;

/// A parser, protocol or store reader that takes any bytes.
pub struct Target {
    name: &'static str,
    run: Run,
    seeds: Vec<Vec<u8>>,
    words: &'static [&'static str],
    short_run: u64,
    binary: bool,
}

/// The changed inputs of a short run.
const SHORT_RUN: u64 = 1_000;

impl Target {
    /// A target with its seeds and the words of its format.
    pub(crate) fn new(name: &'static str, run: Run, mut seeds: Vec<Vec<u8>>, words: &'static [&'static str]) -> Target {
        seeds.extend(found(name));
        if seeds.is_empty() {
            seeds.push(Vec::new());
        }
        Target { name, run, seeds, words, short_run: SHORT_RUN, binary: false }
    }

    /// The same target with fewer inputs in a short run, because each takes long.
    pub(crate) fn slow(self, short_run: u64) -> Target {
        Target { short_run, ..self }
    }

    /// The same target with inputs that are changed in place, as the bytes of a binary file.
    pub(crate) fn binary(self) -> Target {
        Target { binary: true, ..self }
    }

    /// Are inputs changed in place?
    pub fn is_binary(&self) -> bool {
        self.binary
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Runs it on an input; returns the outcome in words.
    pub fn run(&self, input: &[u8]) -> String {
        (self.run)(input)
    }

    /// Valid inputs, and inputs that broke it once.
    pub fn seeds(&self) -> &[Vec<u8>] {
        &self.seeds
    }

    /// The words of its format.
    pub fn words(&self) -> &'static [&'static str] {
        self.words
    }

    /// The changed inputs of a short run.
    pub fn short_run(&self) -> u64 {
        self.short_run
    }
}

/// Makes the list of names and the function that builds a target.
macro_rules! targets {
    ($($name:literal => $build:path),* $(,)?) => {
        /// The names of all targets.
        pub const NAMES: &[&str] = &[$($name),*];

        /// The target of that name.
        pub fn target(name: &str) -> Option<Target> {
            match name {
                $($name => Some($build($name)),)*
                _ => None,
            }
        }
    };
}

targets![
    "addresses" => addresses::addresses,
    "agents" => addresses::agents,
    "budgets" => addresses::budgets,
    "notation" => notation::notation,
    "moves" => notation::moves,
    "rule-sheets" => sheets::rule_sheets,
    "traces" => sheets::traces,
    "rule-examples" => sheets::examples,
    "maps" => tubstap::maps,
    "records" => tubstap::records,
    "action-fields" => tubstap::fields,
    "tubstap-network" => tubstap::network,
    "tubstap-clients" => tubstap_clients::clients,
    "trees" => tables::trees,
    "matrices" => tables::matrices,
    "experiments" => experiments::experiments,
    "memberships" => labels::memberships,
    "labels" => labels::labels,
    "networks" => networks::networks,
    "checkpoints" => networks::checkpoints,
    "engine-orders" => engine::orders,
    "engine-answers" => engine::answers,
    "model-answers" => models::answers,
    "transcripts" => models::transcripts,
    "ggp-messages" => ggp::messages,
    "ggp-http" => ggp::http,
    "ggp-matches" => ggp::matches,
    "ggp-answers" => ggp_answers::answers,
    "lab" => lab::lab,
    "lab-file" => lab_file::lab_file,
    "queue-answers" => queue::queue,
    "stores" => stores::stores,
];

/// The inputs that broke a target once, from `fuzz/found`.
fn found(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("found").join(name);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

/// A file of the repository.
fn file(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files of a folder of the repository with this ending, in the order of their names.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries = fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(ending));
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).collect()
}

/// Seeds from texts.
fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// The standard catalogue, opened once.
fn catalogue() -> &'static Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    CATALOGUE.get_or_init(tesuji_standard::catalogue)
}

fn text(input: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(input)
}

fn source(name: &str, input: &[u8]) -> Source {
    Source::new(name, text(input))
}

/// The outcome of a parser. An error must be printable, and its place must lie inside the source.
fn told<T>(result: Result<T, InputError>, accepted: impl FnOnce(T) -> String) -> String {
    match result {
        Ok(value) => accepted(value),
        Err(error) => {
            if let Some((source, span)) = error.place() {
                let length = source.text().len();
                assert!(span.start <= length && span.end <= length + 1, "the error is at {span:?} of {length} bytes");
            }
            assert!(!error.message().is_empty(), "an error without a message");
            error.to_string()
        }
    }
}

/// A number as a word, because outcomes are compared without their digits.
fn size(number: usize) -> &'static str {
    match number {
        0 => "no",
        1 => "one",
        2 => "two",
        3..=9 => "some",
        _ => "many",
    }
}

/// Would opening these texts reach files or programs of this machine?
fn reaches_out(text: &str) -> bool {
    text.contains("process") || text.contains("llm") || text.contains("/dev") || text.contains("/proc")
}
