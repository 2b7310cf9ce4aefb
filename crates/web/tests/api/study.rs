//! Labels, analyses and experiments.

use std::time::Duration;

use serde_json::{Value, json};

use crate::bench::{Bench, agent, kit, read, text};

#[test]
fn labels_land_where_they_are_learned_from() {
    let bench = Bench::new("labels");
    let (id, key) = bench.begin("tubstap", json!([kit(), agent("random")]));
    let path = format!("/api/matches/{id}");
    bench.make(&format!("{path}/end-turn"), json!({ "player": 0, "key": key }));
    let view = bench.watch(&format!("{path}/live")).until_settled();
    let labels = bench.fetch(&format!("{path}/labels?by=Kit"));
    assert_eq!(labels["learnable"], true);
    let labels = labels["labels"].as_array().unwrap();
    let own = labels.iter().filter(|label| label["own"] == true).count();
    let theirs = labels.iter().find(|label| label["own"] == false).expect("the agent has answered");
    assert!(own > 0, "{view}");
    let put = |label: Value| {
        let url = bench.url(&format!("{path}/labels/{}", theirs["step"]));
        read(bench.agent.put(url).send(json!({ "label": label, "by": "Kit" }).to_string()))
    };
    let stored = || {
        let store = tesuji_arena::store::Store::read(&bench.folder.join("labels.db")).unwrap();
        store.labels().unwrap().iter().map(|label| label.label).collect::<Vec<f64>>()
    };
    assert_eq!(put(json!(0)).0, 200);
    assert_eq!((stored().len(), stored().iter().filter(|label| **label == 0.0).count()), (own + 1, 1));
    assert_eq!(put(json!(0.5)).0, 200, "people change their minds");
    assert_eq!((stored().len(), stored().iter().filter(|label| **label == 0.5).count()), (own + 1, 1));
    assert_eq!(put(Value::Null).0, 200);
    assert_eq!(stored(), vec![1.0; own]);
}

#[test]
fn any_position_is_analysed_and_the_result_stays() {
    let mut bench = Bench::new("analysis");
    let (id, _) = bench.begin("tic-tac-toe", json!([kit(), agent("random")]));
    let legal = bench.fetch(&format!("/api/matches/{id}"))["legal"][0]["actions"][0]["text"].clone();
    let ask = json!({ "step": 0, "line": [[legal]], "agent": "uct", "budget": { "seconds": 60 } });
    let path = format!("/api/matches/{id}/analyses");
    let analysis = text(&bench.make(&path, ask)["id"]);
    let mut watcher = bench.watch(&format!("/api/analyses/{analysis}/live"));
    let grown = watcher.until(|message| message["analysis"]["decision"].is_object());
    assert_eq!((&grown["type"], &grown["analysis"]["player"]), (&json!("analysis"), &json!(1)));
    bench.make(&format!("/api/analyses/{analysis}/stop"), json!({}));
    let done = watcher.until(|message| message["analysis"]["state"] == "done");
    assert_eq!(done["analysis"]["decision"]["candidates"].as_array().unwrap().len(), 8);
    assert!(watcher.next().is_none(), "it closes at the end");
    bench.restart();
    let kept = bench.fetch(&format!("/api/analyses/{analysis}"));
    assert_eq!(kept, done["analysis"]);
    assert_eq!(bench.fetch(&path).as_array().unwrap().len(), 1);
    assert_eq!(bench.watch(&format!("/api/analyses/{analysis}/live")).next().unwrap()["analysis"], kept);
    for (bad, status) in [
        (json!({ "agent": "nobody" }), 400),
        (json!({ "agent": "uct", "player": 1 }), 409),
        (json!({ "agent": "uct", "line": [["nonsense"]] }), 400),
        (json!({ "agent": "uct", "budget": { "playouts": 0 } }), 400),
    ] {
        assert_eq!(bench.post(&path, bad.clone()).0, status, "{bad}");
    }
}

#[test]
fn experiments_keep_to_the_limits_and_stop_at_once() {
    let bench = Bench::new("bounds");
    let toml = |agents: &str, pairs: u64, budget: &str| {
        format!(
            "title = \"Long\"\ngames = [\"connect-four\"]\nagents = [{agents}]\nseed = 1\npairs = {pairs}\n\
             budget = {{ {budget} }}\n"
        )
    };
    let plain = "\"uct\", \"mc\"";
    for (bad, complaint) in [
        (toml(plain, 1, "playouts = 100000000000"), "beyond the limits"),
        (toml(plain, 1, "time = \"1000min\""), "beyond the limits"),
        (toml("\"uct(playouts=100000000000)\", \"mc\"", 1, "playouts = 5"), "beyond the limits"),
        (toml(plain, 9_000_000, "playouts = 5"), "pairs of matches"),
    ] {
        let (status, answer) = bench.post("/api/experiments", json!({ "toml": bad, "scale": "full" }));
        assert!(status == 400 && text(&answer["error"]).contains(complaint), "{bad}: {status} {answer}");
    }
    let (status, _) =
        bench.post("/api/experiments", json!({ "toml": toml(plain, 1, "playouts = 5"), "pairs": 9_000_000_000_u64 }));
    assert_eq!(status, 400);
    // The first pair is played at once; then each decision of UCT takes minutes.
    let slow = toml("\"random\", \"mc\", \"uct(playouts=10000000)\"", 1, "playouts = 5");
    let mut watcher = bench.watch("/api/experiments/live");
    let store = text(&bench.make("/api/experiments", json!({ "toml": slow, "scale": "full" }))["store"]);
    watcher.until(|message| message["running"]["store"] == store.as_str() && message["running"]["done"] == 2);
    let begun = std::time::Instant::now();
    bench.make("/api/experiments/stop", json!({ "store": store }));
    let ended = watcher.until(|message| message["ended"].as_array().is_some_and(|ended| !ended.is_empty()));
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert_eq!(ended["ended"][0]["complete"], false);
    assert_eq!(bench.fetch("/api/experiments")["stores"][0]["matches"], 2, "an interrupted pair is not kept");
}

#[test]
fn an_experiment_runs_and_its_matches_are_one_request_away() {
    let bench = Bench::new("experiment");
    let toml = "title = \"Small\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"random\"]\nseed = 1\npairs = 2\n\
        budget = { playouts = 10 }\n";
    let mut watcher = bench.watch("/api/experiments/live");
    let store = text(&bench.make("/api/experiments", json!({ "toml": toml, "scale": "full" }))["store"]);
    assert_eq!(store, "small-full");
    let ended = watcher.until(|message| message["ended"].as_array().is_some_and(|ended| !ended.is_empty()));
    assert_eq!((&ended["ended"][0]["complete"], &ended["ended"][0]["error"]), (&json!(true), &Value::Null));
    let list = bench.fetch("/api/experiments");
    assert_eq!((&list["stores"][0]["name"], &list["stores"][0]["matches"]), (&json!("small-full"), &json!(4)));
    assert!(list["library"].as_array().unwrap().iter().any(|entry| entry["id"] == "002/table3"));
    let results = bench.fetch("/api/stores/small-full");
    assert_eq!(results["summaries"][0]["matches"], 4);
    assert!(text(&bench.fetch("/api/stores/small-full/report")).contains("<h1>Small</h1>"));
    let matches = bench.fetch("/api/stores/small-full/matches?offset=1&limit=2");
    assert_eq!((&matches["total"], &matches["matches"][0]["number"]), (&json!(4), &json!(2)));
    let id = text(&bench.make("/api/stores/small-full/matches/2", json!({}))["id"]);
    let view = bench.fetch(&format!("/api/matches/{id}"));
    let history = view["history"].as_array().unwrap();
    assert_eq!(history.len() as u64, matches["matches"][0]["steps"].as_u64().unwrap());
    assert!(history.iter().any(|step| step["decisions"][0]["playouts"] == 10), "{history:?}");
    let again = bench.make("/api/stores/small-full/matches/2", json!({}));
    assert_eq!(text(&again["id"]), id, "it is opened once");
    assert_eq!(bench.post("/api/stores/small-full/matches/9", json!({})).0, 404);
    let table = bench.fetch("/api/library/003/types");
    assert!(!table["published"].as_array().unwrap().is_empty() && table["full"]["pairs"].as_u64() > Some(1), "{table}");
    let bad = toml.replace("tic-tac-toe", "gdl(/etc/passwd)");
    assert_eq!(bench.post("/api/experiments", json!({ "toml": bad })).0, 400);
    assert_eq!(bench.post("/api/experiments/stop", json!({ "store": "none" })).0, 404);
}
