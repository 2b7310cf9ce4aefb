//! Networks trained by the lab: bounds, progress with measured strength, stopping, and a log that stays.

use serde_json::{Value, json};

use crate::bench::{Bench, kit, text};

fn ended(bench: &Bench) -> Value {
    let mut watcher = bench.watch("/api/trainings/live");
    watcher.until(|message| message["trainings"][0]["state"] != "running")["trainings"][0].take()
}

#[test]
fn a_network_is_trained_within_bounds_measured_and_played_against() {
    let mut bench = Bench::new("training");
    let page = bench.fetch("/api/trainings");
    let games: Vec<String> = page["games"].as_array().unwrap().iter().map(|game| text(&game["game"])).collect();
    assert!(games.iter().any(|game| game == "einstein") && !games.iter().any(|game| game == "pig"), "{games:?}");
    assert_eq!(page["trainings"], json!([]));
    for (game, minutes) in [("einstein", 0.0), ("einstein", 1e9), ("pig", 1.0), ("tubstap(map=/etc/passwd)", 1.0)] {
        let (status, answer) = bench.post("/api/trainings", json!({ "game": game, "name": "x", "minutes": minutes }));
        assert_eq!(status, 400, "{game}, {minutes}: {answer}");
    }
    let wanted = json!({ "game": "einstein", "name": "My first", "minutes": 0.01 });
    bench.make("/api/trainings", wanted.clone());
    let done = ended(&bench);
    assert_eq!((&done["name"], &done["state"]), (&json!("my-first"), &json!("done")), "{done}");
    assert!(done["matches"].as_u64().unwrap() > 0 && done["loss"].as_f64().is_some(), "{done}");
    assert!(!done["points"].as_array().unwrap().is_empty());
    // Strength against fixed opponents, with intervals.
    let strength = done["strength"].as_array().unwrap();
    assert!(strength.iter().any(|each| each["opponent"] == "random"), "{done}");
    for each in strength {
        let (rate, interval) = (each["win_rate"].as_f64().unwrap(), &each["interval"]);
        assert!(interval[0].as_f64().unwrap() <= rate && rate <= interval[1].as_f64().unwrap(), "{each}");
    }
    // A name is taken once; the network plays; after a restart the training is still there.
    assert_eq!(bench.post("/api/trainings", wanted).0, 409);
    bench.begin("einstein", json!([kit(), { "agent": done["agent"], "budget": { "playouts": 50 } }]));
    bench.restart();
    assert_eq!(bench.fetch("/api/trainings")["trainings"], json!([done]));
}

#[test]
fn a_training_is_stopped_and_only_one_runs() {
    let bench = Bench::new("training-stopped");
    bench.make("/api/trainings", json!({ "game": "einstein", "name": "long", "minutes": 60 }));
    let second = bench.post("/api/trainings", json!({ "game": "einstein", "name": "second", "minutes": 1 }));
    assert_eq!(second.0, 409, "{}", second.1);
    assert_eq!(bench.post("/api/trainings/stop", json!({ "name": "second" })).0, 404);
    let mut watcher = bench.watch("/api/trainings/live");
    watcher.until(|message| message["trainings"][0]["matches"].as_u64() > Some(0));
    bench.make("/api/trainings/stop", json!({ "name": "long" }));
    let stopped = ended(&bench);
    assert_eq!(stopped["state"], "stopped", "{stopped}");
    assert!(bench.folder.join("uploads/long.net").is_file(), "what was learned is kept");
}
