//! Games, agents and addresses.

use serde_json::{Value, json};

use crate::bench::{Bench, agent, kit, text};

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
fn the_manual_is_served_under_help() {
    let bench = Bench::new("help");
    let page = |path: &str| {
        let (status, page) = bench.get(path);
        assert_eq!(status, 200, "{path}");
        text(&page)
    };
    assert!(page("/help/").contains("<html lang=\"en\">"));
    assert_eq!(page("/help"), page("/help/"), "the page without a slash leads there");
    assert!(page("/help/ja/").contains("<html lang=\"ja\">"));
    assert!(page("/help/games/goofspiel.html").contains("<h1 id=\"goofspiel\">"));
    assert!(page("/help/search?q=goofspiel").contains("/help/games/goofspiel.html"));
    assert!(page("/help/ja/search?q=UCT").contains("/help/ja/"));
    assert_eq!(bench.get("/help/no-such-page.html").0, 404);
    assert_eq!(bench.get("/help/games/pig.md").0, 404);
}
