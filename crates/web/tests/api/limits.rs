//! What is refused: bad requests, too many of them, hostile uploads, strangers.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use tesuji_web::{LabOptions, Limits, start};
use tungstenite::Message;

use crate::bench::{Bench, PATIENCE, agent, kit, read, text};

#[test]
fn what_cannot_be_used_is_refused_with_a_reason() {
    let bench = Bench::new("refused");
    let seats = json!([kit(), agent("uct")]);
    for (body, complaint) in [
        (json!({ "game": "nonsense", "seats": seats }), "there is no game"),
        (json!({ "game": "tic-tac-toe", "seats": [kit()] }), "1 seats are filled, the game has 2"),
        (json!({ "game": "tic-tac-toe", "seats": [kit(), {}] }), "seat 1 is empty"),
        (json!({ "game": "tic-tac-toe", "seats": [kit(), agent("nobody")] }), "there is no agent"),
        (json!({ "game": "tubstap(map=/etc/passwd)", "seats": seats }), "does not open"),
        (json!({ "game": "tic-tac-toe", "seats": [kit(), agent("process(cmd=sh)")] }), "does not seat"),
        (json!({ "game": "tic-tac-toe", "seats": seats, "seed": 1u64 << 60 }), "a seed is at most"),
        (json!({ "game": "tic-tac-toe", "seats": seats, "extra": 1 }), "unknown field"),
        (
            json!({ "game": "tic-tac-toe", "seats": [kit(), { "agent": "uct", "budget": { "seconds": 1e9 } }] }),
            "a budget has",
        ),
    ] {
        let (status, answer) = bench.post("/api/matches", body.clone());
        assert!(status == 400 && text(&answer["error"]).contains(complaint), "{body}: {status} {answer}");
    }
    let send = |text: &[u8]| read(bench.agent.post(bench.url("/api/matches")).send(text));
    let (status, answer) = send(b"{\"game\": \n oops");
    assert!(status == 400 && answer["line"] == 2, "{answer}");
    assert_eq!(send(b"\xff\xfe").0, 400);
    assert_eq!(send(&vec![b' '; 300 << 10]).0, 413);
    let (id, key) = bench.begin("tic-tac-toe", seats);
    let path = format!("/api/matches/{id}/actions");
    for (body, status) in [
        (json!({ "player": 0, "action": "nonsense", "key": key }), 400),
        (json!({ "player": 0, "action": "nonsense", "key": "wrong" }), 403),
        (json!({ "player": 1, "action": "a1", "key": key }), 403),
        (json!({ "player": 7, "action": "a1", "key": key }), 400),
        (json!({ "action": "a1" }), 400),
    ] {
        assert_eq!(bench.post(&path, body.clone()).0, status, "{body}");
    }
    assert_eq!(bench.get("/api/matches/nothing").0, 404);
    assert_eq!(bench.get(&format!("/api/matches/{id}?step=-1")).0, 400);
    assert_eq!(bench.get("/api/matches?state=strange").0, 400);
    assert_eq!(bench.get("/api/stores/..%2Flab").0, 404);
    let foreign = bench.agent.get(bench.url("/api/games")).header("Origin", "http://evil.example").call();
    assert_eq!(read(foreign).0, 403);
    let mut watcher = bench.watch(&format!("/api/matches/{id}/live"));
    watcher.until_settled();
    let huge = watcher.0.send(Message::text("x".repeat(1 << 20)));
    drop(huge);
    assert_eq!(bench.fetch(&format!("/api/matches/{id}"))["steps"], 0, "a client's noise disturbs nobody");
}

#[test]
fn more_matches_than_the_lab_holds_are_refused_and_finished_ones_make_room() {
    let mut bench = Bench::new("many");
    bench.lab.take().unwrap().stop();
    bench.open(Limits { matches: 2, ..Limits::default() });
    let seats = json!([kit(), agent("random")]);
    let (id, key) = bench.begin("tic-tac-toe", seats.clone());
    bench.begin("tic-tac-toe", seats.clone());
    let third = json!({ "game": "tic-tac-toe", "seats": seats });
    let (status, answer) = bench.post("/api/matches", third.clone());
    assert_eq!(status, 429, "{answer}");
    bench.make(&format!("/api/matches/{id}/resign"), json!({ "player": 0, "key": key }));
    bench.make("/api/matches", third);
    assert_eq!(bench.fetch("/api/status")["matches"], 2, "the finished one has left the memory");
    assert_eq!(bench.fetch(&format!("/api/matches/{id}"))["resigned"], 0, "and is still there");
}

/// The whole answer to a request as it comes over the wire.
fn raw(bench: &Bench, request: &str) -> Vec<u8> {
    let mut stream = std::net::TcpStream::connect(bench.lab.as_ref().unwrap().address()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok();
    answer
}

#[test]
fn the_first_page_is_small_over_the_wire() {
    let bench = Bench::new("wire");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let files = std::fs::read_dir(page).unwrap().map(|file| format!("/{}", file.unwrap().file_name().display()));
    let calls = ["/", "/api/games", "/api/uploads", "/api/agents?game=tubstap", "/api/games/describe?game=tubstap"];
    let mut total = 0;
    for path in files.filter(|file| file != "/index.html").chain(calls.map(str::to_owned)) {
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n");
        let answer = raw(&bench, &request);
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{path}");
        total += answer.len();
    }
    assert!(total < 120 << 10, "{total} bytes");
}

#[test]
fn connections_that_send_nothing_are_closed_and_each_address_has_a_limit() {
    let mut bench = Bench::new("slow");
    bench.lab.take().unwrap().stop();
    let limits = Limits { header_seconds: 1, body_seconds: 1, connections_per_address: 2, ..Limits::default() };
    bench.open(limits);
    let begun = std::time::Instant::now();
    let header = raw(&bench, "GET /api/status HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    assert!(!header.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&header));
    let body = raw(&bench, "POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
    assert!(body.starts_with(b"HTTP/1.1 408"), "{}", String::from_utf8_lossy(&body));
    let idle = raw(&bench, "");
    assert!(!idle.starts_with(b"HTTP/1.1 200"));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let address = bench.lab.as_ref().unwrap().address();
    let held: Vec<_> = (0..2).map(|_| std::net::TcpStream::connect(address).unwrap()).collect();
    let begun = std::time::Instant::now();
    let third = raw(&bench, "");
    assert!(third.is_empty() && begun.elapsed() < Duration::from_millis(900), "closed at once, not after a second");
    drop(held);
}

#[test]
fn elsewhere_every_request_needs_the_token() {
    let mut bench = Bench::new("token");
    bench.lab.take().unwrap().stop();
    let options = LabOptions {
        port: Some(0),
        token: Some("s3cret".to_owned()),
        ..LabOptions::new(tesuji_standard::catalogue(), &bench.folder)
    };
    bench.lab = Some(start(options).unwrap());
    assert_eq!(bench.get("/api/games").0, 401);
    assert_eq!(bench.get("/").0, 401);
    let with = bench.agent.get(bench.url("/api/status")).header("Authorization", "Bearer s3cret").call();
    assert_eq!(read(with).0, 200);
    assert!(bench.lab.as_ref().unwrap().url().ends_with("/?token=s3cret"));
    let everywhere = LabOptions {
        host: std::net::Ipv4Addr::UNSPECIFIED.into(),
        port: Some(0),
        ..LabOptions::new(tesuji_standard::catalogue(), bench.folder.join("open"))
    };
    let made_up = start(everywhere).unwrap();
    assert_eq!(made_up.token().map(str::len), Some(32));
}

/// A sheet of half a kilobyte in which each role has `digits^6` moves at the start.
fn wide_sheet(digits: usize) -> String {
    let digits: String = (0..digits).map(|digit| format!("(digit d{digit})")).collect();
    format!(
        "(role a) (role b) (init (step s0)) {digits}
         (<= (legal ?r (move ?a ?b ?c ?d ?e ?f))
             (role ?r) (digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e) (digit ?f))
         (<= (next (step s1)) (true (step s0)))
         (<= terminal (true (step s1)))
         (<= (goal ?r 50) (role ?r))"
    )
}

#[test]
fn a_hostile_rule_sheet_is_refused_with_the_reason_and_not_kept() {
    let mut bench = Bench::new("hostile");
    bench.lab.take().unwrap().stop();
    bench.open(Limits { open_seconds: 3, ..Limits::default() });
    for digits in [6, 12, 30] {
        let begun = std::time::Instant::now();
        let sheet = json!({ "name": "wide.kif", "text": wide_sheet(digits) });
        let (status, answer) = bench.post("/api/uploads", sheet);
        assert_eq!(status, 422, "{digits}: {answer}");
        let reason = text(&answer["error"]);
        assert!(
            ["legal actions", "seconds", "limits of this lab"].iter().any(|part| reason.contains(part)),
            "{digits}: {reason}"
        );
        assert!(begun.elapsed() < Duration::from_secs(30), "{digits}: {:?}", begun.elapsed());
    }
    assert_eq!(bench.fetch("/api/uploads"), json!([]), "nothing of it is kept");
    let small = json!({ "name": "small.kif", "text": wide_sheet(2) });
    let game = text(&bench.make("/api/uploads", small)["game"]);
    let (id, _) = bench.begin(&game, json!([kit(), agent("random")]));
    assert_eq!(bench.fetch(&format!("/api/matches/{id}"))["legal"][0]["actions"].as_array().unwrap().len(), 64);
}
