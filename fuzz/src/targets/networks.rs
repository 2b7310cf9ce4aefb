//! Network files and checkpoints of trainings.

use tesuji_core::{FeatureSet, Features, Spec};
use tesuji_learn::{Network, Settings, Training, rehashed};

use super::{Target, source, text, told};

/// A tiny training.
fn training() -> Training {
    let spec = Spec::new("nim", &["one", "two"], Features::empty(), 10);
    let features = FeatureSet { name: "nim".to_owned(), version: 1, inputs: 2, most_active: 2 };
    let settings = Settings { hidden: 32, ..Settings::default() };
    Training::new("nim", &spec, features, settings).unwrap_or_else(|error| panic!("{error}"))
}

const WORDS: &[&str] = &[
    "tesuji-network 1\n",
    "tesuji-training 1\n",
    "game ",
    "rules ",
    "inputs ",
    "most-active ",
    "hidden ",
    "second ",
    "hash ",
    "\n",
    "32",
    "16",
    "0",
    "-1",
    "18446744073709551615",
    "nan",
    "AAAA",
    "=",
];

/// A network reads back as it is written, and its shares lie between 0 and 1. Each input is tried again with the right
/// hash, so that what lies behind that check is reached.
pub(super) fn networks(name: &'static str) -> Target {
    let run = |input: &[u8]| {
        let read = |bytes: &[u8]| {
            told(Network::read(&source("fuzz.net", bytes)), |network| {
                assert_eq!(network.text().as_bytes(), bytes, "the network is written in two ways");
                let share = network.share(&[0]);
                assert!((0.0..=1.0).contains(&share), "a share of {share}");
                "a network".to_owned()
            })
        };
        format!("{}; with the right hash: {}", read(input), read(rehashed(&text(input)).as_bytes()))
    };
    Target::new(name, Box::new(run), vec![training().network().text().into_bytes()], WORDS)
}

/// A checkpoint continues as it was saved.
pub(super) fn checkpoints(name: &'static str) -> Target {
    let run = |input: &[u8]| {
        let read = |bytes: &[u8]| {
            told(Training::resume(&source("fuzz.training", bytes)), |training| {
                let again = Training::resume(&source("again.training", training.checkpoint().as_bytes()));
                assert!(again.is_ok(), "the written checkpoint is refused");
                "a checkpoint".to_owned()
            })
        };
        format!("{}; with the right hash: {}", read(input), read(rehashed(&text(input)).as_bytes()))
    };
    Target::new(name, Box::new(run), vec![training().checkpoint().into_bytes()], WORDS)
}
