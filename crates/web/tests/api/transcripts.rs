//! The conversations of language models: kept with every decision, also with one that failed, and shown when that
//! gives nothing away.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value, json};
use tesuji_web::Limits;

use crate::bench::{Bench, agent, kit, text};

/// A chat endpoint that runs until the tests end. Its model `good` plays the first legal action, `mute` names none.
fn endpoint() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || while answer(stream.as_ref().unwrap()).is_some() {});
        }
    });
    format!("http://{address}/v1")
}

/// Answers one request of a connection; `None` when it has ended.
fn answer(stream: &TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(given) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = given.trim().parse().ok()?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).ok()?;
    let position = text(&body["messages"][1]["content"]);
    let first = position.split_once("Your legal actions:\n").and_then(|(_, list)| list.lines().next());
    let said = match body["model"].as_str() {
        Some("good") => format!("I plan ahead.\nACTION: {}", first.unwrap_or_default()),
        _ => "I cannot decide.".to_owned(),
    };
    let said = json!({ "choices": [{ "message": { "role": "assistant", "content": said } }] }).to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length:";
    let mut writer = stream;
    write!(writer, "{head} {}\r\n\r\n{said}", said.len()).ok()
}

fn lab(name: &str) -> Bench {
    let mut bench = Bench::new(name);
    bench.lab.take().unwrap().stop();
    bench.open(Limits { programs: true, ..Limits::default() });
    bench
}

fn model(name: &str, url: &str) -> Value {
    json!({ "agent": format!("llm(model={name},url=\"{url}\",retries=1)") })
}

/// Waits for the end of a match.
fn ended(bench: &Bench, id: &str) -> Value {
    bench.watch(&format!("/api/matches/{id}/live")).until(|message| message["view"]["over"] == true)["view"].take()
}

#[test]
fn the_transcript_of_a_failed_decision_is_kept_with_the_match_and_in_its_file() {
    let mut bench = lab("failed-model");
    let url = endpoint();
    let (id, _) = bench.begin("tic-tac-toe", json!([model("good", &url), model("mute", &url)]));
    let view = ended(&bench, &id);
    assert!(text(&view["fault"]).contains("failed"), "{view}");
    let path = format!("/api/matches/{id}/transcripts");
    let told = bench.fetch(&path);
    let told = told.as_array().unwrap();
    assert_eq!(told.len(), 2, "{told:?}");
    let places: Vec<_> = told.iter().map(|each| (each["step"].clone(), each["player"].clone())).collect();
    assert_eq!(places, [(json!(0), json!(0)), (json!(1), json!(1))]);
    assert_eq!((&told[0]["failed"], &told[1]["failed"]), (&json!(false), &json!(true)));
    assert_eq!(told[0]["exchanges"][0]["verdict"], "accepted");
    // Asked once, and once more.
    let asked = told[1]["exchanges"].as_array().unwrap();
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|each| each["answer"] == "I cannot decide." && each["verdict"] == "unreadable"));
    assert_eq!(told[1]["header"]["model"], "mute");

    // It survives a restart, and the file of the match carries it to another lab.
    bench.lab.take().unwrap().stop();
    bench.open(Limits::default());
    assert_eq!(bench.fetch(&path).as_array().unwrap(), told);
    let opened = bench.make("/api/replays", bench.fetch(&format!("/api/matches/{id}/replay")));
    let copy = bench.fetch(&format!("/api/matches/{}/transcripts", text(&opened["id"])));
    assert_eq!(copy.as_array().unwrap(), told);
}

/// A match of an experiment is opened from its store with everything the model was asked and answered.
#[test]
fn the_transcripts_of_a_store_are_opened_with_its_matches() {
    let bench = lab("stored-model");
    let url = endpoint();
    let llm = |model: &str| format!("llm(model={model},url={url},retries=1)");
    let toml = format!(
        "title = \"models\"\ngames = [\"tic-tac-toe\"]\nseed = 1\npairs = 1\nbudget = {{ playouts = 10 }}\n\
         agents = [\"{}\", \"{}\", \"random\"]\n",
        llm("good"),
        llm("mute"),
    );
    let mut watcher = bench.watch("/api/experiments/live");
    let store = text(&bench.make("/api/experiments", json!({ "toml": toml, "scale": "full" }))["store"]);
    watcher.until(|message| message["ended"][0]["store"] == store.as_str());
    let path = format!("/api/stores/{store}/matches");
    let listed = bench.fetch(&path);
    let listed = listed["matches"].as_array().unwrap();
    assert_eq!(listed.len(), 6, "{listed:?}");
    for found in listed {
        let labels: Vec<String> = found["labels"].as_array().unwrap().iter().map(text).collect();
        let id = text(&bench.make(&format!("{path}/{}", found["number"]), json!({}))["id"]);
        let told = bench.fetch(&format!("/api/matches/{id}/transcripts"));
        let told = told.as_array().unwrap();
        let of = |model: &str| told.iter().filter(|each| each["header"]["model"] == model).collect::<Vec<_>>();
        // Every decision of the good model was accepted; the mute one forfeits with its first.
        let seat = |model: &str| labels.iter().position(|label| label.contains(model));
        let steps = found["steps"].as_u64().unwrap();
        let decided = |seat: usize| (0..steps).filter(|step| step % 2 == seat as u64).count();
        if let Some(seat) = seat("good") {
            assert_eq!(of("good").len(), decided(seat), "{told:?}");
            assert!(of("good").iter().all(|each| each["exchanges"][0]["verdict"] == "accepted"), "{told:?}");
        }
        if seat("mute").is_some() {
            let failed = of("mute");
            assert_eq!(failed.len(), 1, "{told:?}");
            assert_eq!((&failed[0]["failed"], &failed[0]["step"]), (&json!(true), &json!(steps)));
            assert_eq!(failed[0]["exchanges"].as_array().unwrap().len(), 2, "asked once, and once more");
            assert!(!found["foul"].is_null(), "{found}");
        }
    }
}

#[test]
fn what_a_model_says_of_hidden_choices_is_shown_when_the_match_is_over() {
    let bench = lab("hidden-model");
    let url = endpoint();
    let (id, key) = bench.begin("rps-cards", json!([kit(), model("good", &url)]));
    let path = format!("/api/matches/{id}/transcripts");
    let body = json!({ "player": 0, "action": "rock", "key": key });
    bench.make(&format!("/api/matches/{id}/actions"), body);
    bench.watch(&format!("/api/matches/{id}/live")).until(|message| message["view"]["steps"] == 1);
    assert_eq!(bench.get(&path).0, 403, "its plans would help the person");
    let open = bench.fetch(&format!("/api/matches/{id}/replay")).to_string();
    assert!(!open.contains("I plan ahead."), "{open}");
    bench.make(&format!("/api/matches/{id}/resign"), json!({ "player": 0, "key": key }));
    assert_eq!(bench.fetch(&path)[0]["player"], 1);

    // Where nothing is hidden, the transcript can be read while the match is played.
    let (id, _) = bench.begin("connect-four", json!([model("good", &url), kit()]));
    bench.watch(&format!("/api/matches/{id}/live")).until(|message| message["view"]["steps"] == 1);
    let told = bench.fetch(&format!("/api/matches/{id}/transcripts"));
    assert!(text(&told[0]["exchanges"][0]["answer"]).contains("ACTION: "), "{told}");
    // A match without a model has none.
    let (id, _) = bench.begin("tic-tac-toe", json!([agent("random"), agent("random")]));
    ended(&bench, &id);
    assert_eq!(bench.fetch(&format!("/api/matches/{id}/transcripts")), json!([]));
}
