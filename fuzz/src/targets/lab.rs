//! Requests to the lab: paths, queries and JSON bodies, also uploads and replay files.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use tesuji_arena::InputError;
use tesuji_web::{LabOptions, Limits, RunningLab, start};

use super::{Target, catalogue, file, text};

/// A request that takes longer is stuck.
const PATIENCE: Duration = Duration::from_secs(30);

/// A lab with limits that keep every request short.
pub(super) fn small_lab(folder: &Path) -> Result<RunningLab, InputError> {
    let limits = Limits {
        playouts: 20,
        nodes: 1_000,
        seconds: 0.05,
        pairs: 2,
        experiments: 1,
        analyses: 2,
        stored_matches: 50,
        uploads: 20,
        upload_work: 1,
        sheet_work: 20,
        open_seconds: 5,
        ..Limits::default()
    };
    let options =
        LabOptions { port: Some(0), threads: Some(1), limits, ..LabOptions::new(catalogue().clone(), folder) };
    start(options)
}

/// Sends a request; returns status and body.
pub(super) fn ask(address: SocketAddr, method: &str, path: &str, body: &[u8]) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = text(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    Ok(format!("{} {body}", head.get(9..12).unwrap_or("no status")))
}

/// The value of a key of a flat JSON object.
pub(super) fn value(json: &str, key: &str) -> String {
    let after = json.split_once(&format!("\"{key}\":\"")).map_or("", |(_, after)| after);
    after.split('"').next().unwrap_or_default().to_owned()
}

/// The first line is a method and a path, the rest is the body. `{id}` and `{key}` stand for a match and a seat's key.
///
/// A server error is a fault, and so is no answer.
pub(super) fn lab(name: &'static str) -> Target {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no temporary folder: {error}"));
    let lab = small_lab(folder.path()).unwrap_or_else(|error| panic!("{error}"));
    let new_match = r#"{"game":"tubstap","seed":7,"seats":[{"person":"Kit"},{"person":"Mio"}]}"#;
    let made = ask(lab.address(), "POST", "/api/matches", new_match.as_bytes()).unwrap_or_default();
    let (id, key) = (value(&made, "id"), value(&made, "0"));
    assert!(!id.is_empty() && !key.is_empty(), "no match: {made}");
    let replay = ask(lab.address(), "GET", &format!("/api/matches/{id}/replay"), b"").unwrap_or_default();
    let replay = replay.get(4..).unwrap_or_default().to_owned();
    let json = |text: &[u8]| {
        let text = super::text(text).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "");
        format!("\"{text}\"")
    };
    let map = json(&file("data/maps/one-blow.tbsmap"));
    let sheet = json(&file("data/gdl/rock-paper-scissors.kif"));
    let seeds: Vec<String> = vec![
        "GET /api".into(),
        "GET /api/games".into(),
        "GET /api/games/describe?game=tubstap(rules=paper)".into(),
        "GET /api/agents?game=pig".into(),
        "GET /api/matches?offset=0&limit=5&state=live".into(),
        "GET /api/matches/{id}?step=0&line=%5B%5B%22a1%22%5D%5D".into(),
        "GET /api/matches/{id}/labels?by=Kit".into(),
        "GET /api/experiments".into(),
        "GET /api/library/002/table3".into(),
        "GET /api/stores/none/report".into(),
        format!("POST /api/matches\n{new_match}"),
        "POST /api/matches\n{\"game\":{\"name\":\"pig\",\"arguments\":{\"target\":\"10\"}},\
         \"seats\":[{\"open\":true},{\"agent\":\"mc\",\"budget\":{\"playouts\":5}}]}"
            .into(),
        "POST /api/matches/{id}/actions?brief=1\n{\"player\":0,\"action\":\"a1-b2\",\"key\":\"{key}\"}".into(),
        "POST /api/matches/{id}/end-turn\n{\"player\":0,\"key\":\"{key}\"}".into(),
        "POST /api/matches/{id}/undo\n{\"keys\":[\"{key}\"]}".into(),
        "POST /api/matches/{id}/stop\n{\"key\":\"{key}\"}".into(),
        "POST /api/matches/{id}/seats/1\n{\"name\":\"Mio\"}".into(),
        "POST /api/matches/{id}/analyses\n\
         {\"step\":0,\"line\":[],\"player\":0,\"agent\":\"mc\",\"budget\":{\"playouts\":5}}"
            .into(),
        "PUT /api/matches/{id}/labels/0\n{\"label\":0.5,\"by\":\"Kit\",\"player\":1}".into(),
        format!("POST /api/uploads\n{{\"name\":\"my map.tbsmap\",\"text\":{map}}}"),
        format!("POST /api/uploads\n{{\"name\":\"s.kif\",\"text\":{sheet}}}"),
        "POST /api/uploads\n{\"name\":\"t.tree\",\"base64\":\"bWF4\"}".into(),
        format!("POST /api/replays\n{replay}"),
        "POST /api/experiments\n{\"toml\":\"title = \\\"x\\\"\\ngames = [\\\"pig(10)\\\"]\\n\
         agents = [\\\"mc\\\", \\\"random\\\"]\\nseed = 1\\npairs = 1\\n\
         budget = { playouts = 2 }\\n\",\"scale\":\"quick\"}"
            .into(),
        "POST /api/experiments/stop\n{\"store\":\"x-quick\"}".into(),
        "GET /match.js".into(),
        "GET /../../etc/passwd".into(),
    ];
    let run = move |input: &[u8]| {
        // The folder lives as long as the lab.
        let _ = &folder;
        let input = text(input).replace("{id}", &id).replace("{key}", &key);
        let (line, body) = input.split_once('\n').unwrap_or((&input, ""));
        let (method, path) = line.split_once(' ').unwrap_or((line, "/"));
        // The match must stay, and sockets never end.
        if method == "DELETE" || path.contains("/live") {
            return "not asked".to_owned();
        }
        match ask(lab.address(), method, path, body.as_bytes()) {
            Ok(answer) => {
                let status = answer.get(..3).unwrap_or_default();
                assert!(!status.starts_with('5') && status != "no ", "`{line}`: {answer}");
                let problem = answer.split_once("\"error\":\"").map_or("", |(_, problem)| problem);
                format!("{status} {}", problem.chars().take(80).collect::<String>())
            }
            // The lab closes a connection whose header is too long before it has read all of it.
            Err(error) if matches!(error.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe) => {
                "closed".to_owned()
            }
            Err(error) => panic!("no answer: {error}"),
        }
    };
    let words = &[
        "\"game\":",
        "\"seats\":",
        "\"person\":",
        "\"agent\":",
        "\"budget\":{\"seconds\":1}",
        "\"playouts\":",
        "{id}",
        "{key}",
        "\"steps\":",
        "\"joint\":",
        "\"decisions\":[null]",
        "\"resigned\":0",
        "\"seed\":",
        "\"files\":[]",
        "null",
        "-1",
        "upload:x.tbsmap",
        "?step=1",
        "&brief=1",
        "%00",
        "/api/",
        "\\u0000",
        "\\ud800",
        "[[[[",
        "tic-tac-toe",
        "gdl(tic-tac-toe)",
    ];
    Target::new(name, Box::new(run), seeds.into_iter().map(String::into_bytes).collect(), words).slow(300)
}
