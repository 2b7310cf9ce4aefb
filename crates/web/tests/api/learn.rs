//! Reviews, studies, hidden choices, levels, puzzles, protocols; and work that ends when its client leaves.

use serde_json::{Value, json};

use crate::bench::{Bench, agent, kit, play_first, text};

#[test]
fn a_match_is_reviewed_once_it_is_over_and_the_review_stays() {
    let mut bench = Bench::new("review");
    let (id, key) = bench.begin("tic-tac-toe", json!([kit(), agent("random")]));
    let path = format!("/api/matches/{id}/review");
    assert_eq!(bench.post(&path, json!({})).0, 409, "a review before the end would help a player");
    assert_eq!(bench.get(&path).0, 404);
    play_first(&bench, &id, &key);
    let started = bench.make(&path, json!({ "budget": { "playouts": 60 }, "searches": 3 }));
    assert_eq!((&started["searches"], &started["agent"]), (&json!(3), &json!("uct")));
    let done = bench.watch(&format!("{path}/live")).until(|message| message["review"]["state"] == "done");
    let judgements = done["review"]["judgements"].as_array().unwrap();
    assert_eq!(done["review"]["done"], done["review"]["total"]);
    assert!(judgements.len() >= 4, "{done}");
    for judged in judgements {
        let cost = judged["cost"].as_f64().unwrap();
        let interval = judged["interval"].as_array().unwrap();
        assert!(interval[0].as_f64().unwrap() <= cost && cost <= interval[1].as_f64().unwrap(), "{judged}");
        assert!(cost != 0.0 || judged["action"] == judged["best"] || judged["searches"] == 0, "{judged}");
    }
    bench.restart();
    assert_eq!(bench.fetch(&path), done["review"]);
    assert_eq!(bench.post(&path, json!({ "searches": 1 })).0, 400);
}

#[test]
fn an_analysis_and_a_review_end_when_their_client_leaves() {
    let bench = Bench::new("left");
    let (id, key) = bench.begin("connect-four", json!([kit(), agent("random")]));
    let ask = json!({ "agent": "uct", "budget": { "seconds": 60 } });
    let analysis = text(&bench.make(&format!("/api/matches/{id}/analyses"), ask)["id"]);
    let mut watcher = bench.watch(&format!("/api/analyses/{analysis}/live"));
    watcher.until(|message| message["analysis"]["decision"].is_object());
    drop(watcher);
    // It ends with the best decision so far, long before its minute is over.
    let kept = wait_for(&bench, &format!("/api/analyses/{analysis}"), |view| view["state"] == "done");
    assert!(kept["decision"]["milliseconds"].as_f64().unwrap() < 30_000.0);

    play_first(&bench, &id, &key);
    let path = format!("/api/matches/{id}/review");
    bench.make(&path, json!({ "budget": { "seconds": 20 } }));
    let mut watcher = bench.watch(&format!("{path}/live"));
    watcher.next();
    drop(watcher);
    let (mut status, mut answer) = (200, Value::Null);
    while status == 200 {
        (status, answer) = bench.get(&path);
    }
    assert_eq!(status, 404, "an unwanted review is not kept: {answer}");
}

fn wait_for(bench: &Bench, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        let view = bench.fetch(path);
        if wanted(&view) {
            return view;
        }
    }
}

#[test]
fn a_hidden_choice_is_told_to_its_owner_only() {
    let bench = Bench::new("choice");
    let made =
        bench.make("/api/matches", json!({ "game": "sync-triomineering(4,4)", "seats": [kit(), { "open": true }] }));
    let (id, key) = (text(&made["id"]), text(&made["keys"]["0"]));
    let other = text(&bench.make(&format!("/api/matches/{id}/seats/1"), json!({ "name": "Mo" }))["key"]);
    bench.make(&format!("/api/matches/{id}/actions"), json!({ "player": 0, "action": "b1", "key": key }));
    let choices = |keys: Value| bench.make(&format!("/api/matches/{id}/choices"), json!({ "keys": keys }));
    assert_eq!(choices(json!([key])), json!([{ "player": 0, "action": "b1" }]));
    assert_eq!(choices(json!([other])), json!([]));
    assert_eq!(choices(json!(["guess"])), json!([]));
}

#[test]
fn steps_are_shown_as_people_say_them_and_bars_have_owners() {
    let bench = Bench::new("shown");
    let (id, key) = bench.begin("tubstap(map=one-blow)", json!([kit(), agent("random")]));
    let attack = bench.fetch(&format!("/api/matches/{id}"))["legal"][0]["actions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|action| action["phrase"]["key"] == "unit-moves-attacks")
        .unwrap()
        .clone();
    let body = json!({ "player": 0, "action": attack["text"], "key": key });
    let view = bench.make(&format!("/api/matches/{id}/actions"), body);
    let shown = &view["history"][0]["shown"][0];
    assert_eq!((&shown["phrase"], &shown["clicks"]), (&attack["phrase"], &attack["clicks"]));
    assert!(shown["note"]["values"]["dealt"].is_number(), "{shown}");
    let (id, key) = bench.begin("domineering(4,4)", json!([kit(), agent("random")]));
    let colour = "fill=\"#d55e00\"";
    assert!(!text(&bench.fetch(&format!("/api/matches/{id}"))["picture"]["svg"]).contains(colour));
    bench.make(&format!("/api/matches/{id}/actions"), json!({ "player": 0, "action": "a1", "key": key }));
    let view = bench.watch(&format!("/api/matches/{id}/live")).until_settled();
    assert!(text(&view["picture"]["svg"]).contains(colour));
}

#[test]
fn studies_are_saved_by_link_and_travel_in_files() {
    let bench = Bench::new("study");
    let (id, key) = bench.begin("tic-tac-toe", json!([kit(), agent("random")]));
    play_first(&bench, &id, &key);
    let tree = json!({ "roots": [{ "step": 1, "children": [{ "joint": ["b2"], "comment": "good" }] }] });
    let saved = text(&bench.make(&format!("/api/matches/{id}/studies"), json!({ "tree": tree }))["id"]);
    assert_eq!(bench.fetch(&format!("/api/studies/{saved}")), json!({ "match": id, "tree": tree }));
    assert_eq!(bench.post(&format!("/api/matches/{id}/studies"), json!({ "tree": 7 })).0, 400);
    let mut replay = bench.fetch(&format!("/api/matches/{id}/replay"));
    replay["study"] = tree.clone();
    let opened = bench.make("/api/replays", replay);
    let study = bench.fetch(&format!("/api/studies/{}", text(&opened["study"])));
    assert_eq!((&study["tree"], &study["match"]), (&tree, &opened["id"]));
}

#[test]
fn cards_have_levels_rules_and_names() {
    let bench = Bench::new("cards");
    let told = bench.fetch("/api/cards");
    let cards = told["cards"].as_array().unwrap();
    assert!(cards.len() >= 12, "{told}");
    assert!(cards.iter().any(|card| card["title"] == "TUBSTAP: six arms"));
    assert!(told["more"].as_array().unwrap().iter().any(|card| card["title"] == "Sokoban Small"));
    let levels = bench.fetch("/api/games/levels?game=connect-four");
    assert_eq!(levels["measured"], "levels/boards");
    // What a level is worth against the one below comes from the committed results.
    assert!(levels["levels"][1]["win_rate"].as_f64().unwrap() > 0.5, "{levels}");
    assert_eq!(bench.fetch("/api/games/levels?game=gdl(nim-3-4-5)")["measured"], Value::Null);
    let rules = bench.fetch("/api/games/rules?game=connect-four");
    assert!(text(&rules["html"]).contains("<h2>Rules</h2>"));
    let sheet = bench.fetch("/api/games/rules?game=gdl(hanoi-4)");
    assert!(sheet["html"].is_null() && text(&sheet["text"]).contains("(role"));
}

#[test]
fn people_play_for_a_table_and_are_counted() {
    let bench = Bench::new("people");
    let before = bench.fetch("/api/people/003/table1");
    assert_eq!(before["opponents"].as_array().unwrap().len(), 6);
    let body = json!({ "game": "dice7", "seats": [{ "person": "Aki" }, { "agent": "typeA(depth=1)" }],
        "protocol": { "table": "003/table1", "opponent": 0 } });
    let made = bench.make("/api/matches", body.clone());
    let (id, key) = (text(&made["id"]), text(&made["keys"]["0"]));
    let own = |view: &Value| view["opponents"][0]["people"]["Aki"].clone();
    assert_eq!(own(&bench.fetch("/api/people/003/table1"))["unfinished"], json!(id));
    bench.make(&format!("/api/matches/{id}/resign"), json!({ "player": 0, "key": key }));
    let after = bench.fetch("/api/people/003/table1");
    assert_eq!((&own(&after)["wins"], &own(&after)["win_rate"]), (&json!(1), &json!(1.0)));
    assert!(own(&after)["interval"][0].as_f64().unwrap() < 0.5, "one match says little: {after}");
    // A match that is not what the protocol says does not count.
    let mut wrong = body;
    wrong["protocol"]["opponent"] = json!(1);
    assert_eq!(bench.post("/api/matches", wrong).0, 400);
}

#[test]
fn committed_results_examples_and_estimates_are_there_from_the_start() {
    let bench = Bench::new("papers");
    let papers = bench.fetch("/api/papers");
    for paper in papers.as_array().unwrap() {
        let rows = paper["tables"].as_array().unwrap().iter().flat_map(|table| table["rows"].as_array().unwrap());
        assert!(rows.count() > 0, "{}", paper["id"]);
        assert!(text(&paper["claim"]).ends_with('.') && text(&paper["claim_ja"]).ends_with('。'));
        let opened = bench.make(&format!("/api/examples/{}", text(&paper["example"])), json!({}));
        let again = bench.make(&format!("/api/examples/{}", text(&paper["example"])), json!({}));
        assert_eq!(opened, again, "it is opened once");
        assert_eq!(bench.fetch(&format!("/api/matches/{}?brief=1", text(&opened["id"])))["over"], true);
    }
    assert_eq!(papers.as_array().unwrap().len(), 5);
    let table = bench.fetch("/api/library/003/types");
    assert_eq!(table["committed"]["rows"].as_array().unwrap().len(), 2);
    assert!(text(&table["committed_html"]).contains("<table>"));
    let toml = "title = \"t\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"mc\"]\nseed = 1\npairs = 5\n\
                budget = { playouts = 20 }\n";
    let cost = bench.make("/api/experiments/estimate", json!({ "toml": toml }));
    assert_eq!(cost["matches"], 10);
    assert!(cost["seconds"].as_f64().unwrap() > 0.0);
    let endless = toml.replace("playouts = 20", "playouts = 100000000000");
    assert_eq!(bench.post("/api/experiments/estimate", json!({ "toml": endless })).0, 400);
}

#[test]
fn a_lab_of_an_earlier_version_opens_and_keeps_its_matches() {
    let mut bench = Bench::new("older");
    let (id, key) = bench.begin("tic-tac-toe", json!([kit(), agent("random")]));
    play_first(&bench, &id, &key);
    bench.lab.take().unwrap().stop();
    // The file as formats 1 and 2 had it.
    let older = [(2, "DROP TABLE failures;"), (1, "DROP TABLE reviews; DROP TABLE studies; DROP TABLE protocols;")];
    let mut missing = String::new();
    for (format, dropped) in older {
        missing += dropped;
        let file = rusqlite::Connection::open(bench.folder.join("lab.db")).unwrap();
        file.execute_batch(&format!("{missing} PRAGMA user_version = {format};")).unwrap();
        drop(file);
        bench.open(tesuji_web::Limits::default());
        assert_eq!(bench.fetch(&format!("/api/matches/{id}?brief=1"))["over"], true);
        assert_eq!(bench.fetch(&format!("/api/matches/{id}/transcripts")), json!([]));
        bench.lab.take().unwrap().stop();
    }
    bench.open(tesuji_web::Limits::default());
    assert_eq!(bench.get(&format!("/api/matches/{id}/review")).0, 404);
    assert_eq!(bench.fetch("/api/people/002/people")["matches"], 10);
}
