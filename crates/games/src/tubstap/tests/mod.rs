//! Tests of TUBSTAP by part, and what they share.

use std::path::PathBuf;

use tesuji_core::{Arguments, Entry, InputError};

use super::*;

mod engine;
mod maps;
mod tactics;
mod text;

fn open(entry: &Entry<Tubstap>, address: &str) -> Result<Tubstap, InputError> {
    (entry.open)(&Arguments::bind(&address.parse()?, entry.parameters)?)
}

/// All games of the catalogue's examples.
fn examples() -> Vec<Tubstap> {
    let of = |entry: &'static Entry<Tubstap>| entry.examples.iter().map(|address| open(entry, address).unwrap());
    of(&ENTRY).chain(of(&RANDOM_ENTRY)).collect()
}

/// All bundled maps, and the examples.
fn games() -> Vec<Tubstap> {
    MAPS.iter().map(|(name, _)| bundled(name)).chain(examples()).collect()
}

fn bundled(name: &str) -> Tubstap {
    open(&ENTRY, &format!("tubstap(map={name})")).unwrap()
}

/// A map of the original platform, if the files are available.
fn original(name: &str) -> Option<Map> {
    let path = originals().join(format!("{name}.tbsmap"));
    match std::fs::read(&path) {
        Ok(bytes) => Some(Map::from_bytes(name, &bytes).unwrap()),
        Err(_) => {
            eprintln!("skipped: no original maps at {}", path.display());
            None
        }
    }
}

fn originals() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/tubstap-maps")
}
