//! A queue gives the summary of one machine, with all that an experiment can have.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::{Networks, Process, Server, alone, collected, collector, said, soon, tesuji_at, worker};
use crate::started::{complaint, folder, json_lines, printed};

/// An experiment whose game and agents name files: a map, a rule sheet, a network and a table.
fn with_files(folder: &Path, name: &str, pairs: u32) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    fs::create_dir_all(folder.join("own")).unwrap();
    fs::copy(data.join("maps/hill-fort.tbsmap"), folder.join("own/m.tbsmap")).unwrap();
    fs::copy(data.join("gdl/nim-misere-3-4-5.kif"), folder.join("own/s.kif")).unwrap();
    let text = format!(
        "title = \"files\"\ngames = [\"gdl(own/s.kif)\", \"tubstap(map=own/m.tbsmap)\"]\n\
         agents = [\"mc\", \"random\"]\nseed = 4\npairs = {pairs}\nbudget = {{ playouts = 10 }}\n"
    );
    fs::write(folder.join(name), text).unwrap();
}

fn with_network(folder: &Path, name: &str) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    fs::create_dir_all(folder.join("own")).unwrap();
    fs::copy(data.join("networks/einstein.net"), folder.join("own/e.net")).unwrap();
    let text = "title = \"network\"\ngames = [\"einstein\"]\n\
                agents = [\"expectimax(depth=1,net=own/e.net)\", \"random\"]\nseed = 4\npairs = 6\n\
                budget = { playouts = 10 }\n";
    fs::write(folder.join(name), text).unwrap();
}

#[test]
fn several_experiments_with_files_tests_and_decisions_equal_one_machine() {
    let folder = folder("cluster-whole");
    // Behind networks of their own, workers reach the server by other addresses than loopback.
    let networks = Networks::new(3);
    let host = if networks.is_some() { "0.0.0.0" } else { "127.0.0.1" };
    let Some(server) = Server::with(&folder, host, &["--jetstream"]) else { return };
    with_files(&folder, "files.toml", 12);
    with_network(&folder, "network.toml");
    let sprt = "title = \"test\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"random\"]\nseed = 2\npairs = 4000\n\
                budget = { playouts = 30 }\nsprt = { elo0 = 0, elo1 = 60 }\n";
    fs::write(folder.join("sprt.toml"), sprt).unwrap();
    let root = "title = \"decisions\"\ngames = [\"rps-cards(rrs,pps)\"]\n\
                agents = [\"sm-mc\", \"joint-best\"]\nseed = 2\npairs = 30\n\
                budget = { playouts = 30 }\n[root-exploitability]\nplayouts = [10, 20]\nrepeats = 3\n";
    fs::write(folder.join("root.toml"), root).unwrap();
    let files = ["files.toml", "network.toml", "sprt.toml", "root.toml"];
    let expected: Vec<String> = files.iter().map(|file| alone(&folder, file)).collect();
    let collectors: Vec<Process> = files
        .iter()
        .enumerate()
        .map(|(place, file)| {
            let priority = place.to_string();
            Process::start(&mut collector(&folder, &server, file, &["--priority", &priority]))
        })
        .collect();
    let name = |number: usize| format!("w{number}");
    let workers: Vec<Process> = (0..3)
        .map(|number| match &networks {
            Some(networks) => networks.worker(number, &folder, &server, &name(number)),
            None => worker(&folder, &server, &name(number), &[]),
        })
        .collect();
    for ((file, expected), process) in files.iter().zip(expected).zip(collectors) {
        assert_eq!(collected(&folder, file, process), expected, "{file}");
    }
    let status = printed(&tesuji_at(&folder, &["queue", "status", &server.url(), "--json"]));
    let status = &json_lines(&status)[0];
    let finished = status["experiments"].as_array().unwrap().iter().filter(|found| found["finished"] == true).count();
    assert_eq!((finished, status["workers"].as_array().map(Vec::len)), (4, Some(3)), "{status}");
    assert!(status["workers"][0]["speed"].as_f64() > Some(1000.0), "{status}");
    // A sequential test stops the queue: far fewer pairs than asked for were played.
    let summary = &json_lines(&printed(&tesuji_at(&folder, &["report", "sprt.toml.db", "--json"])))[0];
    assert!(summary["results"][0]["stopped_early"] == true, "{summary}");
    let stored = printed(&tesuji_at(&folder, &["export", "sprt.toml.db"])).lines().count();
    assert!(stored < 6000, "{stored} matches were played for a test that ended early");
    drop(workers);
}

#[test]
fn stores_are_read_while_they_are_collected_and_a_worker_leaves_politely() {
    let folder = folder("cluster-reading");
    let Some(server) = Server::new(&folder) else { return };
    let text = "title = \"slow\"\ngames = [\"connect-four\"]\nagents = [\"uct\", \"mc\"]\nseed = 5\npairs = 60\n\
                budget = { playouts = 300 }\n";
    fs::write(folder.join("e.toml"), text).unwrap();
    let expected = alone(&folder, "e.toml");
    let process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    let mut first = worker(&folder, &server, "first", &[]);
    // Until something is stored there is no store to read, or an empty one.
    let count = |arguments: &[&str]| {
        let output = tesuji_at(&folder, arguments);
        if output.status.success() { String::from_utf8(output.stdout).unwrap().lines().count() } else { 0 }
    };
    soon("matches are stored", || count(&["export", "e.toml.db"]) >= 4);
    let report = printed(&tesuji_at(&folder, &["report", "e.toml.db"]));
    assert!(report.contains("UCT") || report.contains("uct"), "{report}");
    printed(&tesuji_at(&folder, &["compare", "e.toml.db", "e.toml.alone.db"]));
    printed(&tesuji_at(&folder, &["queue", "workers", "e.toml.db"]));
    // The worker leaves: what it has in hand goes back at once, and another one continues.
    first.interrupt();
    soon("the worker leaves", || first.has_ended());
    assert!(first.0.wait().unwrap().success());
    let second = worker(&folder, &server, "second", &[]);
    assert_eq!(collected(&folder, "e.toml", process), expected);
    assert!(printed(&tesuji_at(&folder, &["store", "verify", "e.toml.db"])).contains("whole"));
    drop(second);
}

#[test]
fn results_of_a_worker_are_removed_and_played_again() {
    let folder = folder("cluster-purge");
    let Some(server) = Server::new(&folder) else { return };
    let text = "title = \"purged\"\ngames = [\"connect-four(5,4,3)\"]\nagents = [\"uct\", \"mc\"]\nseed = 6\n\
                pairs = 150\nbudget = { playouts = 200 }\n";
    fs::write(folder.join("e.toml"), text).unwrap();
    let expected = alone(&folder, "e.toml");
    let process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    let mut odd = worker(&folder, &server, "odd", &[]);
    let played = |name: &str| {
        let output = tesuji_at(&folder, &["queue", "workers", "e.toml.db", "--json"]);
        let lines =
            if output.status.success() { json_lines(&String::from_utf8(output.stdout).unwrap()) } else { Vec::new() };
        let found = lines.iter().find(|line| line["worker"] == name);
        found.and_then(|line| line["pairs"].as_u64()).unwrap_or(0)
    };
    soon("the first worker has played something", || played("odd") > 0);
    let removed = printed(&tesuji_at(&folder, &["queue", "purge", &server.url(), "--worker", "odd", "--json"]));
    let removed: Value = serde_json::from_str(&removed).unwrap();
    assert!(removed["removed"].as_u64() > Some(0), "{removed}");
    soon("the banned worker ends", || odd.has_ended());
    assert!(said(&folder, "odd").contains("banned"), "{}", said(&folder, "odd"));
    let even = worker(&folder, &server, "even", &[]);
    assert_eq!(collected(&folder, "e.toml", process), expected);
    assert_eq!(played("odd"), 0);
    drop(even);
    // Without a collector the same is done to the store itself; the next run plays what is missing.
    let none = complaint(&tesuji_at(&folder, &["queue", "purge", &server.url(), "--worker", "even"]));
    assert!(none.contains("no collector answered"), "{none}");
    printed(&tesuji_at(&folder, &["queue", "purge", "--store", "e.toml.db", "--worker", "even"]));
    let report = printed(&tesuji_at(&folder, &["report", "e.toml.db", "--json"]));
    assert_eq!(json_lines(&report)[0]["complete"], false);
    let again = printed(&tesuji_at(&folder, &["run", "e.toml", "--store", "e.toml.db", "--json"]));
    assert_eq!(again, expected);
    assert!(printed(&tesuji_at(&folder, &["store", "verify", "e.toml.db"])).contains("whole"));
}

#[test]
fn a_worker_whose_network_fails_comes_back() {
    let folder = folder("cluster-network");
    let Some(networks) = Networks::new(1) else {
        eprintln!("not tried: this machine allows no network namespaces");
        return;
    };
    let Some(server) = Server::with(&folder, "0.0.0.0", &["--jetstream"]) else { return };
    let text = "title = \"cut\"\ngames = [\"connect-four(5,4,3)\"]\nagents = [\"uct\", \"mc\"]\nseed = 7\npairs = 80\n\
                budget = { playouts = 150 }\n";
    fs::write(folder.join("e.toml"), text).unwrap();
    let expected = alone(&folder, "e.toml");
    let process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    let worker = networks.worker(0, &folder, &server, "cut");
    soon("the worker plays", || said(&folder, "cut").contains("playing"));
    let link = |state: &str| {
        let name = format!("tj{}o0", std::process::id() % 10_000);
        let set = std::process::Command::new("ip").args(["link", "set", &name, state]).status().unwrap();
        assert!(set.success());
    };
    link("down");
    thread::sleep(Duration::from_secs(1));
    link("up");
    assert_eq!(collected(&folder, "e.toml", process), expected);
    drop(worker);
}
