//! What outlasts a restart or leaves the lab: saved matches, replay files, uploads.

use serde_json::{Value, json};

use crate::bench::{Bench, agent, kit, play_first, text};

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
fn uploads_are_checked_and_make_games_that_can_be_shared() {
    let bench = Bench::new("uploads");
    let map = include_str!("../../../../data/maps/one-blow.tbsmap");
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
    let sheet = include_str!("../../../../data/gdl/nim-3-4-5.kif");
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
