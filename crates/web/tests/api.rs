//! The API over real connections: a lab on a free port, HTTP and WebSocket clients, whole matches.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tesuji_web::{LabOptions, Limits, RunningLab, start};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// A lab in a folder of its own, and a client.
struct Bench {
    lab: Option<RunningLab>,
    folder: PathBuf,
    agent: ureq::Agent,
}

/// Nothing here takes this long; it ends what hangs.
const PATIENCE: Duration = Duration::from_secs(60);

impl Bench {
    fn new(name: &str) -> Bench {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lab-{name}"));
        std::fs::remove_dir_all(&folder).ok();
        let config = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE)).build();
        let mut bench = Bench { lab: None, folder, agent: config.into() };
        bench.open(Limits::default());
        bench
    }

    fn open(&mut self, limits: Limits) {
        let options =
            LabOptions { port: Some(0), limits, ..LabOptions::new(tesuji_standard::catalogue(), &self.folder) };
        self.lab = Some(start(options).unwrap());
    }

    fn restart(&mut self) {
        self.lab.take().unwrap().stop();
        self.open(Limits::default());
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.lab.as_ref().unwrap().address())
    }

    fn get(&self, path: &str) -> (u16, Value) {
        read(self.agent.get(self.url(path)).call())
    }

    fn post(&self, path: &str, body: Value) -> (u16, Value) {
        read(self.agent.post(self.url(path)).send(body.to_string()))
    }

    /// A request that must succeed.
    fn fetch(&self, path: &str) -> Value {
        let (status, answer) = self.get(path);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// A change that must succeed.
    fn make(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.post(path, body);
        assert!(status < 300, "{path}: {status} {answer}");
        answer
    }

    fn watch(&self, path: &str) -> Watcher {
        let url = self.url(path).replace("http://", "ws://");
        let (socket, _) = tungstenite::connect(url).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        Watcher(socket)
    }

    /// A new match: its name, and the key of the first player.
    fn begin(&self, game: &str, seats: Value) -> (String, String) {
        let made = self.make("/api/matches", json!({ "game": game, "seats": seats, "seed": 5 }));
        (text(&made["id"]), text(&made["keys"]["0"]))
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.lab.take();
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

fn read(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> (u16, Value) {
    let mut answer = answer.unwrap();
    let status = answer.status().as_u16();
    let text = answer.body_mut().with_config().limit(50 << 20).read_to_string().unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

struct Watcher(WebSocket<MaybeTlsStream<std::net::TcpStream>>);

impl Watcher {
    /// The next message, if there is one.
    fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Passes over messages until one is as wanted.
    fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next().expect("the server went on");
            if wanted(&message) {
                return message;
            }
        }
    }

    /// The next view in which nobody but a person is awaited.
    fn until_settled(&mut self) -> Value {
        let settled = |message: &Value| message["type"] == "view" && message["view"]["thinking"].is_null();
        self.until(settled)["view"].take()
    }
}

fn agent(address: &str) -> Value {
    json!({ "agent": address, "budget": { "playouts": 30 } })
}

fn kit() -> Value {
    json!({ "person": "Kit" })
}

/// Plays the first legal action of player 0 until the match is over; returns the last view.
fn play_first(bench: &Bench, id: &str, key: &str) -> Value {
    let mut watcher = bench.watch(&format!("/api/matches/{id}/live"));
    let mut view = watcher.until_settled();
    while view["over"] == false {
        let legal = view["legal"].as_array().unwrap();
        let own = legal.iter().find(|legal| legal["player"] == 0).unwrap();
        let action = own["actions"][0]["text"].clone();
        let body = json!({ "player": 0, "action": action, "key": key });
        let revision = bench.make(&format!("/api/matches/{id}/actions?brief=1"), body)["revision"].as_u64().unwrap();
        view = watcher.until(|message| {
            let view = &message["view"];
            message["type"] == "view" && view["thinking"].is_null() && view["revision"].as_u64().unwrap() >= revision
        })["view"]
            .take();
    }
    view
}

#[test]
fn the_catalogue_and_the_description_are_served() {
    let bench = Bench::new("catalogue");
    let games = bench.fetch("/api/games");
    let tubstap = &games.as_array().unwrap()[0];
    assert_eq!(tubstap["name"], "tubstap");
    assert!(tubstap["parameters"][0]["choices"].as_array().unwrap().contains(&json!("six-arms")));
    assert_eq!(tubstap["parameters"][0]["upload"], ".tbsmap");
    let described = bench.fetch("/api/games/describe?game=dice7");
    assert!(described["features"].as_array().unwrap().contains(&json!("chance")));
    assert!(text(&described["picture"]["svg"]).starts_with("<svg"));
    let agents = bench.fetch("/api/agents?game=tic-tac-toe");
    assert!(agents.as_array().unwrap().iter().any(|agent| agent["name"] == "uct"));
    let description = bench.fetch("/api");
    for path in ["/api/matches/{id}/actions", "/api/uploads", "/api/replays", "/api/stores/{name}/report"] {
        assert!(description["paths"][path].is_object(), "{path} is not described");
    }
    let (status, page) = bench.get("/");
    assert!(status == 200 && text(&page).contains("<title>"));
    assert_eq!(bench.get("/play/abc").0, 200, "the page has paths of its own");
    assert_eq!(bench.get("/no-such-file.js").0, 404);
    assert_eq!(bench.get("/api/nonsense").0, 404);
}

#[test]
fn addresses_are_texts_or_names_with_arguments_and_notes_are_data() {
    let bench = Bench::new("parts");
    let described = bench.fetch("/api/games/describe?name=connect-four&arguments=%7B%22rows%22:%225%22%7D");
    assert_eq!(described["game"], "connect-four(5,7)");
    assert_eq!(described["parts"], json!({ "name": "connect-four", "arguments": { "rows": "5" } }));
    assert_eq!(bench.fetch("/api/games/describe?game=connect-four(5,7)")["parts"], described["parts"]);
    for bad in [
        "name=connect-four&arguments=%7B%22x%22:%221%22%7D",
        "name=no-such&arguments=%7B%7D",
        "name=pig&arguments=x",
        "",
    ] {
        assert_eq!(bench.get(&format!("/api/games/describe?{bad}")).0, 400, "{bad}");
    }
    let games = bench.fetch("/api/games");
    for game in games.as_array().unwrap() {
        let count = |key: &str| game[key].as_array().unwrap().len();
        assert_eq!(count("examples"), count("example_arguments"), "{}", game["name"]);
    }
    let parts = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let seats = json!([kit(), { "agent": parts("uct", json!({ "c": "0.3" })), "budget": { "playouts": 5 } }]);
    let made =
        bench.make("/api/matches", json!({ "game": parts("tubstap", json!({ "map": "six-arms" })), "seats": seats }));
    let view = bench.fetch(&format!("/api/matches/{}", text(&made["id"])));
    assert_eq!(view["seats"][1]["agent"], "uct(c=0.3)");
    assert!(text(&view["game"]).starts_with("tubstap"), "{}", view["game"]);
    let analysis = json!({ "agent": parts("mc", json!({})), "budget": { "playouts": 5 } });
    bench.make(&format!("/api/matches/{}/analyses", text(&made["id"])), analysis);
    let attacks = |view: &Value| -> Vec<Value> {
        let actions = view["legal"][0]["actions"].as_array().unwrap();
        actions.iter().map(|action| action["note"].clone()).filter(|note| !note.is_null()).collect()
    };
    let fighting = bench.begin("tubstap(map=six-arms)", json!([agent("random"), agent("random")])).0;
    let end = bench.watch(&format!("/api/matches/{fighting}/live")).until(|message| message["view"]["over"] == true);
    let steps = end["view"]["steps"].as_u64().unwrap();
    let found = (0..steps).find_map(|step| {
        let view = bench.fetch(&format!("/api/matches/{fighting}?step={step}&brief=1"));
        attacks(&view).pop()
    });
    let note = found.expect("a random match has attacks to choose from");
    assert_eq!(note["key"], "damage");
    assert!(note["values"]["dealt"].is_i64() && note["values"]["taken"].is_i64(), "{note}");
}

#[test]
fn an_alternating_match_is_played_to_its_end_with_undo_past_and_labels() {
    let bench = Bench::new("alternating");
    let (id, key) = bench.begin("tic-tac-toe", json!([kit(), agent("uct")]));
    let path = format!("/api/matches/{id}");
    let start = bench.fetch(&path);
    assert_eq!(start["turn"]["players"], json!([0]));
    let centre = json!({ "player": 0, "action": start["legal"][0]["actions"][4]["text"], "key": key });
    bench.make(&format!("{path}/actions"), centre);
    let mut watcher = bench.watch(&format!("{path}/live"));
    let view = watcher.until(|message| message["view"]["steps"] == 2)["view"].take();
    assert_eq!(view["history"][1]["decisions"][0]["playouts"], 30);
    assert!(bench.fetch(&format!("{path}/steps/1"))["decisions"][0]["candidates"].as_array().unwrap().len() > 1);
    let undone = bench.make(&format!("{path}/undo"), json!({ "key": key }));
    assert_eq!((&undone["steps"], &undone["can_undo"]), (&json!(0), &json!(false)));
    assert_eq!(bench.post(&format!("{path}/undo"), json!({ "key": key })).0, 409);
    let end = play_first(&bench, &id, &key);
    assert!(end["payoffs"].is_array() && end["legal"] == json!([]), "{end}");
    let past = bench.fetch(&format!("{path}?step=1&brief=1"));
    assert_eq!((&past["step"], &past["turn"]["players"]), (&json!(1), &json!([1])));
    assert!(past.get("picture").is_none() && past.get("history").is_none());
    let reply = &past["legal"][0]["actions"][0]["text"];
    let line = format!("[[{reply}]]").replace('"', "%22").replace(' ', "%20");
    let thought = bench.fetch(&format!("{path}?step=1&line={line}"));
    assert_eq!(thought["turn"]["players"], json!([0]), "one step further, in thought");
    assert_eq!(bench.get(&format!("{path}?step=99")).0, 404);
    let labels = bench.fetch(&format!("{path}/labels?by=Kit"));
    assert_eq!((&labels["labels"][0]["own"], &labels["labels"][0]["label"]), (&json!(true), &json!(1.0)));
    assert_eq!(labels["labels"][1]["label"], Value::Null);
    let put = |step: usize, body: Value| {
        read(bench.agent.put(bench.url(&format!("{path}/labels/{step}"))).send(body.to_string()))
    };
    assert_eq!(put(1, json!({ "label": 0.5, "by": "Kit" })).1["label"], 0.5);
    assert_eq!(put(1, json!({ "label": 0.7, "by": "Kit" })).0, 400);
    assert_eq!(put(99, json!({ "label": 1, "by": "Kit" })).0, 404);
    assert_eq!(bench.fetch(&format!("{path}/labels?by=Kit"))["labels"][1]["label"], 0.5);
}

#[test]
fn choices_made_at_once_stay_hidden_until_both_have_chosen() {
    let mut bench = Bench::new("simultaneous");
    let (id, key) = bench.begin("goofspiel(3)", json!([kit(), { "open": true }]));
    let path = format!("/api/matches/{id}");
    assert_eq!(bench.fetch(&path)["seats"][1]["kind"], "open");
    let seat = bench.make(&format!("{path}/seats/1"), json!({ "name": "Mio" }));
    let other = text(&seat["key"]);
    assert_eq!(bench.post(&format!("{path}/seats/1"), json!({ "name": "Eve" })).0, 409);
    let (mut here, mut there) = (bench.watch(&format!("{path}/live")), bench.watch(&format!("{path}/live")));
    let before = here.until_settled();
    let choice = |view: &Value, player: usize, key: &str| {
        let action = view["legal"][player]["actions"][0]["text"].clone();
        json!({ "player": player, "action": action, "key": key })
    };
    let after = bench.make(&format!("{path}/actions"), choice(&before, 0, &key));
    assert_eq!((&after["state"], &after["steps"]), (&before["state"], &before["steps"]));
    assert_eq!((&after["legal"][0]["chosen"], &after["legal"][1]["chosen"]), (&json!(true), &json!(false)));
    assert_eq!(after["history"], before["history"], "nobody is told what was chosen");
    assert_eq!(bench.post(&format!("{path}/actions"), choice(&before, 0, &key)).0, 409);
    assert_eq!(bench.post(&format!("{path}/actions"), choice(&before, 1, &key)).0, 403, "the key of another seat");
    let seen = there.until(|message| message["view"]["legal"][0]["chosen"] == true);
    assert!(!seen.to_string().contains("pending"));
    bench.restart();
    let again = bench.fetch(&path);
    assert_eq!(again["legal"][0]["chosen"], true, "a choice is kept over a restart");
    let made = bench.make(&format!("{path}/actions"), choice(&before, 1, &other));
    assert!(made["steps"].as_u64() > before["steps"].as_u64());
    let alone = bench.begin("goofspiel(3)", json!([kit(), agent("uct")]));
    assert_eq!(play_first(&bench, &alone.0, &alone.1)["turn"]["kind"], "over");
}

#[test]
fn a_match_given_up_after_a_hidden_choice_is_there_after_a_restart() {
    let mut bench = Bench::new("given-up");
    let made = bench.make("/api/matches", json!({ "game": "goofspiel(4)", "seats": [kit(), kit()], "seed": 1 }));
    let path = format!("/api/matches/{}", text(&made["id"]));
    let action = &bench.fetch(&path)["legal"][1]["actions"][0]["text"];
    bench.make(&format!("{path}/actions"), json!({ "player": 1, "action": action, "key": made["keys"]["1"] }));
    let before = bench.make(&format!("{path}/resign"), json!({ "player": 0, "key": made["keys"]["0"] }));
    bench.restart();
    let after = bench.fetch(&path);
    assert_eq!((&after["over"], &after["resigned"]), (&json!(true), &json!(0)));
    assert_eq!(after["payoffs"], before["payoffs"]);
}

#[test]
fn an_undo_needs_the_consent_of_everybody_whose_choice_it_takes_back() {
    let bench = Bench::new("consent");
    let (id, key) = bench.begin("goofspiel(4)", json!([kit(), { "open": true }]));
    let path = format!("/api/matches/{id}");
    let other = text(&bench.make(&format!("{path}/seats/1"), json!({ "name": "Mio" }))["key"]);
    let choose = |player: usize, key: &str| {
        let view = bench.fetch(&path);
        let own = view["legal"].as_array().unwrap().iter().find(|legal| legal["player"] == player).unwrap();
        let action = own["actions"][0]["text"].clone();
        bench.make(&format!("{path}/actions"), json!({ "player": player, "action": action, "key": key }))
    };
    let before = bench.fetch(&path)["steps"].clone();
    choose(0, &key);
    let after = choose(1, &other)["steps"].clone();
    assert_ne!(before, after);
    let asked = bench.make(&format!("{path}/undo"), json!({ "key": key }));
    assert_eq!(asked["steps"], after, "one player alone takes nothing back after a joint step");
    assert_eq!(asked["undo"], json!({ "agreed": [0], "missing": [1] }));
    // Whoever plays on has not agreed.
    choose(0, &key);
    assert_eq!(bench.fetch(&path)["undo"], Value::Null);
    bench.make(&format!("{path}/undo"), json!({ "key": key }));
    let undone = bench.make(&format!("{path}/undo"), json!({ "key": other }));
    assert_eq!((&undone["steps"], &undone["undo"]), (&before, &Value::Null));
    assert_eq!(undone["legal"][0]["chosen"], false);
    choose(0, &key);
    choose(1, &other);
    let both = bench.make(&format!("{path}/undo"), json!({ "keys": [key, other] }));
    assert_eq!(both["steps"], before, "two seats of one browser agree at once");
    // In turns: one's own choice can be taken back, the other's only if they agree.
    let (id, key) = bench.begin("tic-tac-toe", json!([kit(), { "open": true }]));
    let path = format!("/api/matches/{id}");
    let other = text(&bench.make(&format!("{path}/seats/1"), json!({ "name": "Mio" }))["key"]);
    let act = |player: u8, action: usize, key: &str| {
        let action = bench.fetch(&path)["legal"][0]["actions"][action]["text"].clone();
        bench.make(&format!("{path}/actions"), json!({ "player": player, "action": action, "key": key }))
    };
    act(0, 0, &key);
    assert_eq!(bench.make(&format!("{path}/undo"), json!({ "key": key }))["steps"], 0);
    act(0, 0, &key);
    act(1, 0, &other);
    assert_eq!(bench.make(&format!("{path}/undo"), json!({ "key": key }))["steps"], 2);
    assert_eq!(bench.make(&format!("{path}/undo"), json!({ "key": other }))["steps"], 1);
}

#[test]
fn the_seed_stays_secret_until_the_match_is_over() {
    let bench = Bench::new("seed");
    let (id, key) = bench.begin("pig(20)", json!([kit(), agent("uct")]));
    let path = format!("/api/matches/{id}");
    for shown in [bench.fetch(&path), bench.fetch(&format!("{path}?step=0")), bench.fetch(&format!("{path}/replay"))] {
        assert_eq!(shown["seed"], Value::Null);
    }
    bench.make("/api/replays", bench.fetch(&format!("{path}/replay")));
    bench.make(&format!("{path}/resign"), json!({ "player": 0, "key": key }));
    assert_eq!(bench.fetch(&path)["seed"], 5);
    assert_eq!(bench.fetch(&format!("{path}/replay"))["seed"], 5);
}

#[test]
fn revisions_grow_over_a_restart_so_that_no_page_takes_new_views_for_old() {
    let mut bench = Bench::new("revisions");
    let (id, key) = bench.begin("tic-tac-toe", json!([kit(), agent("random")]));
    let path = format!("/api/matches/{id}");
    let action = bench.fetch(&path)["legal"][0]["actions"][0]["text"].clone();
    bench.make(&format!("{path}/actions"), json!({ "player": 0, "action": action, "key": key }));
    let before = bench.watch(&format!("{path}/live")).until_settled()["revision"].as_u64().unwrap();
    bench.restart();
    let after = bench.fetch(&path)["revision"].as_u64().unwrap();
    assert!(after > before && after < 1 << 53, "{before} {after}");
}

#[test]
fn a_dice_game_is_played_taken_up_after_a_restart_and_shared_as_a_file() {
    let mut bench = Bench::new("dice");
    let (id, key) = bench.begin("pig(20)", json!([kit(), agent("uct")]));
    let path = format!("/api/matches/{id}");
    let view = bench.watch(&format!("{path}/live")).until_settled();
    let action = json!({ "player": 0, "action": view["legal"][0]["actions"][0]["text"], "key": key });
    bench.make(&format!("{path}/actions"), action);
    bench.restart();
    let end = play_first(&bench, &id, &key);
    let chance = |step: &Value| step["actors"] == json!(["chance"]) && step["players"] == json!([]);
    assert!(end["history"].as_array().unwrap().iter().any(chance), "{}", end["history"]);
    bench.restart();
    let kept = bench.fetch(&path);
    assert_eq!((&kept["history"], &kept["payoffs"]), (&end["history"], &end["payoffs"]));
    let file = bench.fetch(&format!("{path}/replay"));
    let opened = bench.make("/api/replays", file.clone());
    let replay = bench.fetch(&format!("/api/matches/{}", text(&opened["id"])));
    assert_eq!((&replay["history"], &replay["origin"]), (&end["history"], &json!("replay")));
    assert_eq!((&replay["over"], &replay["can_undo"]), (&json!(true), &json!(false)));
    let listed = bench.fetch("/api/matches?state=over");
    assert_eq!(listed["total"], 2);
    let mut broken = file.clone();
    broken["steps"][0]["joint"] = json!(["nonsense"]);
    assert!(text(&bench.post("/api/replays", broken).1["error"]).contains("step 1"));
    assert_eq!(bench.post("/api/replays", json!({ "format": "x" })).0, 400);
}

#[test]
fn agents_think_aloud_can_be_stopped_and_people_can_give_up() {
    let bench = Bench::new("stop");
    let slow = json!({ "agent": "uct", "budget": { "seconds": 60 } });
    let (id, key) = bench.begin("connect-four", json!([kit(), slow]));
    let path = format!("/api/matches/{id}");
    let mut watcher = bench.watch(&format!("{path}/live"));
    let view = watcher.until_settled();
    let action = view["legal"][0]["actions"][0]["text"].clone();
    bench.make(&format!("{path}/actions"), json!({ "player": 0, "action": action, "key": key }));
    let thought = watcher.until(|message| message["type"] == "thought");
    assert_eq!((&thought["player"], &thought["step"]), (&json!(1), &json!(1)));
    assert!(!thought["decision"]["candidates"].as_array().unwrap().is_empty());
    assert_eq!(bench.post(&format!("{path}/stop"), json!({})).0, 403);
    bench.make(&format!("{path}/stop"), json!({ "key": key }));
    watcher.until(|message| message["type"] == "idle");
    assert_eq!(bench.fetch(&path)["steps"], 2);
    bench.make(&format!("{path}/actions"), json!({ "player": 0, "action": action, "key": key }));
    watcher.until(|message| message["type"] == "thought");
    let undone = bench.make(&format!("{path}/undo"), json!({ "key": key }));
    assert_eq!((&undone["steps"], &undone["thinking"]), (&json!(2), &Value::Null));
    let end = bench.make(&format!("{path}/resign"), json!({ "player": 0, "key": key }));
    assert_eq!((&end["payoffs"], &end["resigned"]), (&json!([0.0, 1.0]), &json!(0)));
    assert_eq!(bench.post(&format!("{path}/resign"), json!({ "player": 0, "key": key })).0, 409);
    let gone = bench.agent.delete(bench.url(&path)).force_send_body().send(json!({ "key": key }).to_string());
    assert_eq!(gone.unwrap().status().as_u16(), 204);
    watcher.until(|message| message["type"] == "gone");
    assert_eq!(bench.get(&path).0, 404);
}

#[test]
fn a_turn_of_many_actions_has_notes_and_an_end() {
    let bench = Bench::new("turn");
    let (id, key) = bench.begin("tubstap(map=one-blow)", json!([kit(), agent("random")]));
    let path = format!("/api/matches/{id}");
    let view = bench.fetch(&path);
    let actions = view["legal"][0]["actions"].as_array().unwrap();
    let notes: Vec<&Value> = actions.iter().map(|action| &action["note"]).filter(|note| !note.is_null()).collect();
    assert!(notes.iter().all(|note| note["key"] == "damage") && !notes.is_empty(), "{notes:?}");
    assert_eq!(view["legal"][0]["end_turn"], true);
    let ended = bench.make(&format!("{path}/end-turn"), json!({ "player": 0, "key": key }));
    assert!(ended["steps"].as_u64() > Some(1) || ended["over"] == true, "{}", ended["steps"]);
}

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
fn uploads_are_checked_and_make_games_that_can_be_shared() {
    let bench = Bench::new("uploads");
    let map = include_str!("../../../data/maps/one-blow.tbsmap");
    let kept = bench.make("/api/uploads", json!({ "name": "My Map.tbsmap", "text": map }));
    let game = text(&kept["game"]);
    assert!(
        game.starts_with("tubstap(map=\"upload:my-map-") || game.starts_with("tubstap(map=upload:my-map-"),
        "{game}"
    );
    let (id, _) = bench.begin(&game, json!([kit(), agent("random")]));
    let view = bench.fetch(&format!("/api/matches/{id}"));
    assert!(!view.to_string().contains("uploads/"), "no path of the machine is shown: {}", view["game"]);
    let file = bench.fetch(&format!("/api/matches/{id}/replay"));
    let elsewhere = Bench::new("uploads-elsewhere");
    let opened = elsewhere.make("/api/replays", file);
    assert_eq!(elsewhere.fetch(&format!("/api/matches/{}", text(&opened["id"])))["state"], view["state"]);
    let sheet = include_str!("../../../data/gdl/nim-3-4-5.kif");
    let nim = bench.make("/api/uploads", json!({ "name": "nim.gdl", "text": sheet }));
    let (id, key) = bench.begin(&text(&nim["game"]), json!([kit(), agent("random")]));
    assert_eq!(play_first(&bench, &id, &key)["over"], true);
    assert_eq!(bench.fetch("/api/uploads").as_array().unwrap().len(), 2);
    let (status, wrong) = bench.post("/api/uploads", json!({ "name": "x.kif", "text": "(role white" }));
    assert!(status == 400 && wrong["line"] == 1, "{wrong}");
    assert_eq!(bench.post("/api/uploads", json!({ "name": "x.exe", "text": "" })).0, 400);
    let large = "x".repeat(2 << 20);
    assert_eq!(bench.post("/api/uploads", json!({ "name": "x.kif", "text": large })).0, 413);
    assert_eq!(bench.fetch("/api/uploads").as_array().unwrap().len(), 2, "what was refused is not kept");
}

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
fn an_agent_that_fails_loses_its_match_and_nothing_else() {
    let bench = Bench::new("faulty");
    let (id, key) = bench.begin("tic-tac-toe", json!([kit(), agent("faulty(fault=panic,after=0)")]));
    let path = format!("/api/matches/{id}");
    let mut watcher = bench.watch(&format!("{path}/live"));
    let action = watcher.until_settled()["legal"][0]["actions"][0]["text"].clone();
    bench.make(&format!("{path}/actions"), json!({ "player": 0, "action": action, "key": key }));
    let end = watcher.until(|message| message["view"]["over"] == true)["view"].take();
    assert_eq!((&end["resigned"], end["fault"].is_string()), (&json!(1), true), "{}", end["fault"]);
    assert_eq!(bench.get("/api/games").0, 200);
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
    bench.open(Limits { open_seconds: 8, ..Limits::default() });
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

#[test]
fn experiments_keep_to_the_limits_and_stop_at_once() {
    let bench = Bench::new("bounds");
    let toml = |agents: &str, pairs: u64, budget: &str| {
        format!(
            "title = \"Long\"\ngames = [\"connect-four\"]\nagents = [{agents}]\nseed = 1\npairs = {pairs}\nbudget = {{ {budget} }}\n"
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
    let toml = "title = \"Small\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"random\"]\nseed = 1\npairs = 2\nbudget = { playouts = 10 }\n";
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
