//! What goes wrong is said clearly or counted, and never changes a summary.

use std::fs;
use std::io::Write as _;
use std::process::Command;

use super::{Process, Server, alone, collected, collector, free_port, said, soon, tesuji_at, worker};
use crate::started::{complaint, folder, json_lines, path, printed, refused, scratch};

const EXPERIMENT: &str = "title = \"small\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"mc\"]\nseed = 8\n\
                          pairs = 40\nbudget = { playouts = 60 }\n";

#[test]
fn servers_that_are_absent_or_without_streams_are_named() {
    let nowhere = format!("nats://127.0.0.1:{}", free_port());
    let words = refused(&["work", &nowhere]);
    assert!(words.contains("cannot connect") && words.contains("is a NATS server running"), "{words}");
    let file = scratch("cluster-small.toml", EXPERIMENT);
    let store = path("cluster-none.db").display().to_string();
    let words = refused(&["run", &file, "--store", &store, "--queue", &nowhere]);
    assert!(words.contains("cannot connect"), "{words}");
    let words = refused(&["queue", "status", "nats://me:secret@127.0.0.1:4222"]);
    assert!(words.contains("everybody who lists processes"), "{words}");
    let folder = folder("cluster-plain");
    let Some(plain) = Server::with(&folder, "127.0.0.1", &[]) else { return };
    let words = refused(&["work", &plain.url()]);
    assert!(words.contains("no JetStream"), "{words}");
}

#[test]
fn foreign_messages_are_counted_and_change_nothing() {
    let folder = folder("cluster-foreign");
    let Some(server) = Server::new(&folder) else { return };
    fs::write(folder.join("e.toml"), EXPERIMENT).unwrap();
    let expected = alone(&folder, "e.toml");
    let process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    let status = || json_lines(&printed(&tesuji_at(&folder, &["queue", "status", &server.url(), "--json"]))).remove(0);
    let mut id = String::new();
    soon("the experiment is published", || {
        id = status()["experiments"][0]["id"].as_str().unwrap_or_default().to_owned();
        !id.is_empty()
    });
    for nonsense in [&b"hello"[..], b"", b"{}\n[]", b"{\"task\":1,\"pieces\":[[5,5]]}", &[0xff; 300]] {
        server.publish(&format!("tesuji.answers.{id}"), nonsense);
        server.publish(&format!("tesuji.tasks.{id}"), nonsense);
        server.publish("tesuji.alive", nonsense);
        server.publish("tesuji.news", nonsense);
        server.publish("tesuji.word.w", nonsense);
    }
    soon("the messages are refused", || status()["experiments"][0]["refused"].as_u64() >= Some(5));
    let one = worker(&folder, &server, "w", &[]);
    assert_eq!(collected(&folder, "e.toml", process), expected);
    assert!(said(&folder, "w").contains("is ignored"), "{}", said(&folder, "w"));
    drop(one);
}

#[test]
fn programs_play_only_where_that_was_allowed() {
    let folder = folder("cluster-programs");
    let Some(server) = Server::new(&folder) else { return };
    let engine = folder.join("bot.sh").display().to_string();
    fs::write(&engine, format!("exec '{}' engine --agent random\n", env!("CARGO_BIN_EXE_tesuji"))).unwrap();
    let text = format!(
        "title = \"program\"\ngames = [\"tic-tac-toe\"]\nagents = ['''process(cmd=\"sh '{engine}'\")''', \"random\"]\n\
         seed = 1\npairs = 3\nbudget = {{ playouts = 5 }}\n"
    );
    fs::write(folder.join("e.toml"), text).unwrap();
    let expected = alone(&folder, "e.toml");
    let process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    let careful = worker(&folder, &server, "careful", &[]);
    soon("the worker refuses", || said(&folder, "careful").contains("starts a program"));
    let told = || fs::read_to_string(folder.join("e.toml.err")).unwrap();
    soon("the collector hears of it", || told().contains("worker `careful` does not take part"));
    let bold = worker(&folder, &server, "bold", &["--allow-programs"]);
    assert_eq!(collected(&folder, "e.toml", process), expected);
    drop((careful, bold));
}

#[test]
fn time_budgets_are_asked_for_and_show_the_speeds_of_workers() {
    let folder = folder("cluster-times");
    let Some(server) = Server::new(&folder) else { return };
    let text = "title = \"clock\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"mc\"]\nseed = 1\npairs = 2\n\
                budget = { time = \"2ms\" }\n";
    fs::write(folder.join("e.toml"), text).unwrap();
    let url = server.url();
    let words = complaint(&tesuji_at(&folder, &["run", "e.toml", "--store", "x.db", "--queue", &url]));
    assert!(words.contains("by the clock") && words.contains("--time-budgets"), "{words}");
    let process = Process::start(&mut collector(&folder, &server, "e.toml", &["--time-budgets"]));
    let one = worker(&folder, &server, "clocked", &["--until-idle", "60s"]);
    collected(&folder, "e.toml", process);
    let report = printed(&tesuji_at(&folder, &["report", "e.toml.db"]));
    assert!(report.contains("Machines") && report.contains("clocked"), "{report}");
    drop(one);
}

#[test]
fn two_collectors_with_different_stores_do_not_share_an_experiment() {
    let folder = folder("cluster-two");
    let Some(server) = Server::new(&folder) else { return };
    fs::write(folder.join("e.toml"), EXPERIMENT).unwrap();
    let first = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    let url = server.url();
    let listed = || printed(&tesuji_at(&folder, &["queue", "status", &url])).contains("small");
    soon("the first collector publishes", listed);
    let second = tesuji_at(&folder, &["run", "e.toml", "--store", "other.db", "--queue", &url]);
    assert!(complaint(&second).contains("another collector with another store"), "{second:?}");
    drop(first);
    // A collector that was killed makes room; an experiment that nobody wants any more is removed.
    let id = json_lines(&printed(&tesuji_at(&folder, &["queue", "status", &url, "--json"])))[0]["experiments"][0]["id"]
        .clone();
    printed(&tesuji_at(&folder, &["queue", "remove", &url, id.as_str().unwrap()]));
    assert!(!listed());
}

/// A folder with little room; `None` where none can be made.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn new(folder: std::path::PathBuf, size: &str) -> Option<SmallDisk> {
        fs::create_dir_all(&folder).unwrap();
        let options = format!("size={size}");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&folder).output();
        mounted.is_ok_and(|output| output.status.success()).then_some(SmallDisk(folder))
    }

    fn grow(&self, size: &str) {
        let options = format!("remount,size={size}");
        assert!(Command::new("mount").args(["-o", &options]).arg(&self.0).status().unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(&self.0).status());
    }
}

#[test]
fn full_disks_on_either_side_lose_nothing() {
    let folder = folder("cluster-disks");
    let Some(small) = SmallDisk::new(folder.join("small"), "400k") else {
        eprintln!("not tried: this machine mounts no small disk");
        return;
    };
    let text = "title = \"much\"\ngames = [\"tic-tac-toe\"]\nagents = [\"random\", \"mc\"]\nseed = 8\npairs = 3000\n\
                budget = { playouts = 1 }\n";
    fs::write(folder.join("e.toml"), text).unwrap();
    let expected = alone(&folder, "e.toml");
    // The server refuses what does not fit: a worker says so and waits.
    let limits = "jetstream { max_file_store: 200KB }\n";
    fs::write(folder.join("limits.conf"), limits).unwrap();
    let config = folder.join("limits.conf").display().to_string();
    let Some(mut server) = Server::with(&folder, "127.0.0.1", &["--config", &config]) else { return };
    let process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    let one = worker(&folder, &server, "w", &[]);
    let told = || said(&folder, "w") + &fs::read_to_string(folder.join("e.toml.err")).unwrap_or_default();
    soon("somebody says that the server is full", || told().contains("does not take"));
    drop(process);
    server.kill();
    fs::write(folder.join("limits.conf"), "jetstream { max_file_store: 1GB }\n").unwrap();
    server.start();
    // The collector ends when its disk is full, and says so.
    let url = server.url();
    let full = tesuji_at(&folder, &["run", "e.toml", "--store", "small/e.db", "--queue", &url, "--quiet"]);
    assert!(complaint(&full).contains("disk is full"), "{full:?}");
    // With room, the same experiment is completed, from the answers that were kept.
    fs::remove_file(folder.join("e.toml.out")).unwrap();
    let process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    assert_eq!(collected(&folder, "e.toml", process), expected);
    drop((one, small));
}

#[test]
fn a_server_whose_disk_is_full_is_named_and_loses_nothing() {
    let folder = folder("cluster-full-server");
    let Some(small) = SmallDisk::new(folder.join("jetstream"), "1500k") else {
        eprintln!("not tried: this machine mounts no small disk");
        return;
    };
    let text = "title = \"much\"\ngames = [\"tic-tac-toe\"]\nagents = [\"random\", \"mc\"]\nseed = 8\npairs = 4000\n\
                budget = { playouts = 1 }\n";
    fs::write(folder.join("e.toml"), text).unwrap();
    let expected = alone(&folder, "e.toml");
    let Some(mut server) = Server::new(&folder) else { return };
    let mut process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    // Somebody else fills the disk of the server, after the experiment was published.
    let listed = || printed(&tesuji_at(&folder, &["queue", "status", &server.url()])).contains("much");
    soon("the collector publishes", listed);
    let rest = folder.join("jetstream/rest");
    let mut file = fs::File::create(&rest).unwrap();
    while file.write_all(&[7; 1024]).is_ok() {}
    drop(file);
    let one = worker(&folder, &server, "w", &[]);
    let told = || said(&folder, "w") + &fs::read_to_string(folder.join("e.toml.err")).unwrap_or_default();
    soon("somebody says that the server takes nothing", || {
        let told = told();
        told.contains("does not take") || told.contains("trying again") || told.contains("cannot be")
    });
    // There is room again; a server that stopped its storage needs a restart.
    small.grow("64m");
    fs::remove_file(&rest).unwrap();
    server.kill();
    server.start();
    if process.has_ended() {
        fs::remove_file(folder.join("e.toml.out")).unwrap();
        process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    }
    assert_eq!(collected(&folder, "e.toml", process), expected, "{}", told());
    assert!(printed(&tesuji_at(&folder, &["store", "verify", "e.toml.db"])).contains("whole"));
    drop((one, server, small));
}
