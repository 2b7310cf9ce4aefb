//! The lab's own file: a SQLite file in which any byte may be damaged.

use std::fs;
use std::io;
use std::path::Path;

use super::lab::{ask, small_lab, value};
use super::{Target, told};

/// The name of the file in the lab's folder.
const FILE: &str = "lab.db";

const NEW_MATCH: &str = r#"{"game":"tic-tac-toe","seed":7,"seats":[{"person":"Kit"},{"agent":"random"}]}"#;

/// A lab's file, and the id and key of a match in it.
struct Seed {
    bytes: Vec<u8>,
    id: String,
    key: String,
}

/// The file of a lab with a match that has steps, a label and an analysis.
fn a_lab_file(folder: &Path) -> io::Result<Seed> {
    let lab = small_lab(folder).map_err(io::Error::other)?;
    let post = |path: &str, body: &str| ask(lab.address(), "POST", path, body.as_bytes());
    let made = post("/api/matches", NEW_MATCH)?;
    let (id, key) = (value(&made, "id"), value(&made, "0"));
    let action = format!("{{\"player\":0,\"action\":\"b2\",\"key\":\"{key}\"}}");
    let acted = post(&format!("/api/matches/{id}/actions"), &action)?;
    let label = r#"{"label":0.5,"by":"Kit","player":0}"#;
    let labelled = ask(lab.address(), "PUT", &format!("/api/matches/{id}/labels/0"), label.as_bytes())?;
    let analysis = r#"{"step":0,"line":[],"player":0,"agent":"mc","budget":{"playouts":5}}"#;
    let analysed = post(&format!("/api/matches/{id}/analyses"), analysis)?;
    for answer in [&made, &acted, &labelled, &analysed] {
        assert!(answer.starts_with('2'), "the lab refuses: {answer}");
    }
    // The file is whole when the lab has ended.
    lab.stop();
    Ok(Seed { bytes: fs::read(folder.join(FILE))?, id, key })
}

/// What is asked of a lab with a damaged file: everything that it stores about a match, and a change.
fn requests(id: &str, key: &str) -> Vec<(&'static str, String, String)> {
    let of = |path: &str| format!("/api/matches/{id}{path}");
    vec![
        ("GET", "/api/matches?limit=5".to_owned(), String::new()),
        ("GET", of(""), String::new()),
        ("GET", of("/labels?by=Kit"), String::new()),
        ("GET", of("/analyses"), String::new()),
        ("GET", of("/replay"), String::new()),
        ("POST", of("/undo"), format!("{{\"keys\":[\"{key}\"]}}")),
        ("POST", of("/actions"), format!("{{\"player\":0,\"action\":\"a1\",\"key\":\"{key}\"}}")),
        ("DELETE", of(""), format!("{{\"keys\":[\"{key}\"]}}")),
    ]
}

/// A damaged file is refused, or the lab answers every request; it never panics.
pub(super) fn lab_file(name: &'static str) -> Target {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary folder: {error}"));
    let Seed { bytes, id, key } = a_lab_file(folder.path()).unwrap_or_else(|error| panic!("no file of a lab: {error}"));
    let run = move |input: &[u8]| {
        for left in ["-wal", "-shm"] {
            drop(fs::remove_file(folder.path().join(format!("{FILE}{left}"))));
        }
        fs::write(folder.path().join(FILE), input).unwrap_or_else(|error| panic!("cannot write: {error}"));
        told(small_lab(folder.path()), |lab| {
            let mut outcome = String::new();
            for (method, path, body) in requests(&id, &key) {
                let answer = ask(lab.address(), method, &path, body.as_bytes());
                let answer = answer.unwrap_or_else(|error| panic!("no answer to {method} {path}: {error}"));
                outcome += answer.get(..4).unwrap_or("no status");
                let problem = answer.split_once("\"error\":\"").map_or("", |(_, problem)| problem);
                outcome.extend(problem.chars().take(60));
            }
            lab.stop();
            outcome
        })
    };
    let words =
        &["null", "[]", "\"joint\"", "[1.0,0.0]", "-1", "{\"agent\":", "{\"open\":true}", "tic-tac-toe", "pig", "\0"];
    Target::new(name, Box::new(run), vec![bytes], words).slow(60).binary()
}
