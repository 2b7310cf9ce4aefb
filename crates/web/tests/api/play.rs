//! Matches that people and agents play.

use serde_json::{Value, json};

use crate::bench::{Bench, agent, kit, play_first, read, text};

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
fn a_change_is_answered_with_the_view_or_with_its_revision_alone() {
    let bench = Bench::new("revision");
    let (id, key) = bench.begin("tic-tac-toe", json!([kit(), { "open": true }]));
    let path = format!("/api/matches/{id}");
    let mut watcher = bench.watch(&format!("{path}/live"));
    let first = watcher.until_settled();
    let action = &first["legal"][0]["actions"][0]["text"];
    let body = json!({ "player": 0, "action": action, "key": key });
    assert_eq!(bench.post(&format!("{path}/actions?answer=picture"), body.clone()).0, 400);
    assert_eq!(bench.fetch(&path)["steps"], 0, "nothing was changed");
    let answer = bench.make(&format!("{path}/actions?answer=revision"), body);
    assert_eq!(answer.as_object().unwrap().keys().collect::<Vec<_>>(), ["revision"]);
    assert!(answer["revision"].as_u64() > first["revision"].as_u64());
    let next = watcher.until(|message| message["type"] == "view");
    assert_eq!(next["view"]["revision"], answer["revision"]);
    assert_eq!(next["view"]["steps"], 1, "the view comes over the WebSocket");
    let undone = bench.make(&format!("{path}/undo?answer=view"), json!({ "key": key }));
    assert_eq!((&undone["steps"], undone["picture"].is_object()), (&json!(0), true));
}
