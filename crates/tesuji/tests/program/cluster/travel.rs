//! What travels between collector and workers: files of every kind one way, transcripts of language models the other;
//! and whose tasks travel first.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::endpoint::Endpoint;
use super::{Process, Server, alone, collected, collector, said, soon, tesuji_at, worker};
use crate::started::{folder, json_lines, printed};

/// What a store holds of each match, without the times that decisions and answers took.
fn matches(folder: &Path, store: &str) -> Vec<Value> {
    let mut lines = json_lines(&printed(&tesuji_at(folder, &["export", store])));
    for decision in lines.iter_mut().flat_map(|line| line["decisions"].as_array_mut().into_iter().flatten()) {
        decision.as_object_mut().unwrap().remove("microseconds");
    }
    for transcript in lines.iter_mut().flat_map(|line| line["transcripts"].as_array_mut().into_iter().flatten()) {
        let mut answers = json_lines(transcript[1].as_str().unwrap());
        answers.iter_mut().for_each(|answer| drop(answer.as_object_mut().unwrap().remove("seconds")));
        transcript[1] = answers.into();
    }
    lines
}

/// A summary without the times that a language model took.
fn timeless(summary: &str) -> Value {
    let mut summary = json_lines(summary).remove(0);
    for model in summary["models"].as_array_mut().unwrap() {
        let model = model.as_object_mut().unwrap();
        assert!(model.remove("seconds").is_some() && model.remove("slowest").is_some());
    }
    summary
}

#[test]
fn tables_and_networks_travel_and_a_changed_table_is_another_experiment() {
    let folder = folder("cluster-luggage");
    let Some(server) = Server::new(&folder) else { return };
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    fs::create_dir_all(folder.join("own")).unwrap();
    fs::copy(data.join("fuzzy/stand-in-440.csv"), folder.join("own/t.csv")).unwrap();
    fs::copy(data.join("networks/einstein.net"), folder.join("own/e.net")).unwrap();
    let fuzzy = "title = \"table\"\ngames = [\"tubstap(map=one-blow)\"]\n\
                 agents = [\"uct(fuzzy=own/t.csv,first=membership)\", \"random\"]\nseed = 4\npairs = 5\n\
                 budget = { playouts = 30 }\n";
    fs::write(folder.join("table.toml"), fuzzy).unwrap();
    let network = "title = \"network\"\ngames = [\"einstein\"]\n\
                   agents = [\"expectimax(depth=1,net=own/e.net)\", \"random\"]\nseed = 4\npairs = 5\n\
                   budget = { playouts = 10 }\n";
    fs::write(folder.join("network.toml"), network).unwrap();
    let one = worker(&folder, &server, "w", &[]);
    assert!(!folder.join("at-w/own").exists(), "the worker has no such file");
    let collect = |file: &str| {
        let expected = alone(&folder, file);
        let process = Process::start(&mut collector(&folder, &server, file, &[]));
        assert_eq!(collected(&folder, file, process), expected);
        assert_eq!(matches(&folder, &format!("{file}.db")), matches(&folder, &format!("{file}.alone.db")));
        fs::remove_file(folder.join(format!("{file}.out"))).unwrap();
        expected
    };
    collect("network.toml");
    let before = collect("table.toml");
    // The same name with other contents: nothing of the first table is used, here or there.
    fs::copy(data.join("fuzzy/stand-in-440-shuffled.csv"), folder.join("own/t.csv")).unwrap();
    fs::write(folder.join("table.toml"), fuzzy).unwrap();
    fs::remove_file(folder.join("table.toml.db")).unwrap();
    fs::remove_file(folder.join("table.toml.alone.db")).unwrap();
    assert_ne!(collect("table.toml"), before, "the tables differ, and so do the matches");
    drop(one);
}

#[test]
fn the_greatest_priority_is_played_first_and_transcripts_come_back() {
    let folder = folder("cluster-priorities");
    let Some(server) = Server::new(&folder) else { return };
    let endpoint = Endpoint::start();
    // Four pairs are four tasks, all published before a worker is there.
    let runs = [("low", "1"), ("high", "9"), ("middle", "5")];
    let mut collectors = Vec::new();
    let mut expected = Vec::new();
    for (model, priority) in runs {
        let text = format!(
            "title = \"{model}\"\ngames = [\"tic-tac-toe\"]\nagents = [\"{}\", \"random\"]\nseed = 3\npairs = 4\n\
             budget = {{ playouts = 5 }}\n",
            endpoint.agent(model)
        );
        let file = format!("{model}.toml");
        fs::write(folder.join(&file), text).unwrap();
        expected.push(alone(&folder, &file));
        // On a busy machine a task that comes again after a pause would spoil the order.
        let more = ["--priority", priority, "--patience", "10min"];
        collectors.push(Process::start(&mut collector(&folder, &server, &file, &more)));
    }
    let status = || json_lines(&printed(&tesuji_at(&folder, &["queue", "status", &server.url(), "--json"]))).remove(0);
    soon("all tasks are published", || {
        let status = status();
        let listed = status["experiments"].as_array().unwrap();
        listed.len() == 3 && listed.iter().all(|run| run["tasks"] == 4)
    });
    let order: Vec<Value> =
        status()["experiments"].as_array().unwrap().iter().map(|run| run["title"].clone()).collect();
    assert_eq!(order, ["high", "middle", "low"]);
    let careful = worker(&folder, &server, "careful", &[]);
    soon("a worker refuses models", || said(&folder, "careful").matches("asks a server").count() == 3);
    endpoint.asked();
    let bold = worker(&folder, &server, "bold", &["--allow-programs"]);
    for ((model, _), (expected, process)) in runs.iter().zip(expected.into_iter().zip(collectors)) {
        let file = format!("{model}.toml");
        assert_eq!(timeless(&collected(&folder, &file, process)), timeless(&expected), "{model}");
        let store = format!("{file}.db");
        let played = matches(&folder, &store);
        assert_eq!(played, matches(&folder, &format!("{file}.alone.db")), "{model}");
        assert_eq!(played.len(), 8);
        assert!(played.iter().all(|line| line["transcripts"].as_array().map(Vec::len) == Some(1)), "{}", played[0]);
        let check = printed(&tesuji_at(&folder, &["models", &store, "--check"]));
        assert!(check.contains("8 matches with 8 transcripts") && check.contains("0 matches differ"), "{check}");
    }
    let mut asked = endpoint.asked();
    asked.dedup();
    assert_eq!(asked, ["high", "middle", "low"]);
    drop((careful, bold));
}
