//! Files of experiments.

use tesuji_arena::experiment::{Scale, read_experiment};
use tesuji_arena::{Availability, library};

use super::{Target, catalogue, reaches_out, size, source, text, told};

const SMALL: &str = "title = \"small\"\nabout = \"x\"\n\
    games = [\"tic-tac-toe\", { label = \"pig\", address = \"pig(10)\" }]\n\
    agents = [\"uct\", { label = \"m\", address = \"mc\", budget = { playouts = 5 } }]\nseed = 3\npairs = 10\n\
    budget = { playouts = 40 }\n[scale.quick]\npairs = 2\n[sprt]\nelo0 = 0\nelo1 = 10\nalpha = 0.05\nbeta = 0.05\n\
    [[published]]\nfirst = \"uct\"\nsecond = \"m\"\nwin_rate = 0.5\nmatches = 100\n";

/// An experiment that is read can be written, and reads back.
pub(super) fn experiments(name: &'static str) -> Target {
    let ready = library().into_iter().filter(|entry| entry.availability() == Availability::Ready);
    let mut seeds: Vec<Vec<u8>> = ready
        .filter_map(|entry| entry.source().ok())
        // Rule sheets take long to open.
        .filter(|source| !source.text().contains("gdl("))
        .map(|source| source.text().as_bytes().to_vec())
        .collect();
    seeds.push(SMALL.as_bytes().to_vec());
    let run = |input: &[u8]| {
        if reaches_out(&text(input)) || text(input).contains("gdl(") {
            return "not opened".to_owned();
        }
        let source = source("fuzz.toml", input);
        let quick = told(read_experiment(catalogue(), &source, Scale::Quick), |_| "quick".to_owned());
        told(read_experiment(catalogue(), &source, Scale::Full), |experiment| {
            let pairings = size(experiment.pairings_in_games().len());
            told(experiment.to_toml(), |written| {
                let source = super::source("written.toml", written.as_bytes());
                told(read_experiment(catalogue(), &source, experiment.scale), |_| format!("{quick} {pairings}"))
            })
        })
    };
    let words = &[
        "games = [",
        "agents = [",
        "pairs = ",
        "seed = ",
        "budget = { playouts = 1 }",
        "[sprt]",
        "[scale.quick]",
        "[[published]]",
        "label = ",
        "address = ",
        "\"tic-tac-toe\"",
        "\"mc\"",
        "\"random\"",
        "pairings = [",
        "start = ",
        "shared-dice = true",
        "win_rate = ",
        "time = \"1s\"",
    ];
    Target::new(name, Box::new(run), seeds, words).slow(300)
}
