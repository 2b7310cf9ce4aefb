//! Answers that come twice, late, or after the end of their experiment.

use std::fs;
use std::process::Command;

use super::{Process, Server, alone, collected, collector, said, soon, tesuji_at, worker};
use crate::started::{folder, json_lines, printed};

const EXPERIMENT: &str = "title = \"late\"\ngames = [\"connect-four(5,4,3)\"]\nagents = [\"uct\", \"mc\"]\nseed = 8\n\
                          pairs = 60\nbudget = { playouts = 100 }\n";

fn signal(process: &Process, name: &str) {
    let sent = Command::new("kill").args([name, &process.0.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn answers_that_come_again_are_counted_once() {
    let folder = folder("cluster-again");
    let Some(server) = Server::new(&folder) else { return };
    fs::write(folder.join("e.toml"), EXPERIMENT).unwrap();
    let expected = alone(&folder, "e.toml");
    let status = || json_lines(&printed(&tesuji_at(&folder, &["queue", "status", &server.url(), "--json"]))).remove(0);
    let mut process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    let mut id = String::new();
    soon("the experiment is published", || {
        id = status()["experiments"][0]["id"].as_str().unwrap_or_default().to_owned();
        !id.is_empty()
    });
    let subject = format!("tesuji.answers.{id}");
    let mut ear = server.listen(&subject);
    let one = worker(&folder, &server, "w", &[]);
    let kept: Vec<Vec<u8>> = (0..3).map(|_| ear.next()).collect();
    // Three answers come again, at once and to a collector that was killed meanwhile.
    let again = || kept.iter().for_each(|answer| server.publish(&subject, answer));
    again();
    soon("they are recognised", || status()["experiments"][0]["repeated"].as_u64() >= Some(3));
    process.kill();
    again();
    fs::remove_file(folder.join("e.toml.out")).unwrap();
    let process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    again();
    assert_eq!(collected(&folder, "e.toml", process), expected);
    // And long after the end.
    again();
    assert_eq!(printed(&tesuji_at(&folder, &["export", "e.toml.db"])).lines().count(), 120);
    fs::remove_file(folder.join("e.toml.out")).unwrap();
    let process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    assert_eq!(collected(&folder, "e.toml", process), expected);
    assert!(printed(&tesuji_at(&folder, &["store", "verify", "e.toml.db"])).contains("whole"));
    // Answers to an experiment that is not open stay on the server until the next collector; none is lost or counted.
    assert_eq!(printed(&tesuji_at(&folder, &["export", "e.toml.db"])).lines().count(), 120);
    drop(one);
}

#[test]
fn a_worker_that_was_stopped_loses_its_tasks_and_answers_in_vain() {
    let folder = folder("cluster-stopped");
    let Some(server) = Server::new(&folder) else { return };
    fs::write(folder.join("e.toml"), EXPERIMENT).unwrap();
    let expected = alone(&folder, "e.toml");
    let process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    let stopped = worker(&folder, &server, "stopped", &[]);
    soon("the worker plays", || said(&folder, "stopped").contains("playing"));
    // As a laptop that is closed: it comes back when its tasks are long played by another worker.
    signal(&stopped, "-STOP");
    let other = worker(&folder, &server, "other", &[]);
    let collected = collected(&folder, "e.toml", process);
    signal(&stopped, "-CONT");
    assert_eq!(collected, expected);
    soon("it hears that the experiment has ended", || said(&folder, "stopped").contains("has ended"));
    stopped.interrupt();
    let again = printed(&tesuji_at(&folder, &["run", "e.toml", "--store", "e.toml.db", "--json"]));
    assert_eq!(again, expected);
    assert!(printed(&tesuji_at(&folder, &["store", "verify", "e.toml.db"])).contains("whole"));
    drop(other);
}
