//! What goes wrong is said clearly or counted, and never changes a summary.

use std::fs;
use std::process::Command;

use super::{Process, Server, alone, collected, collector, free_port, said, soon, tesuji_at, worker};
use crate::started::{complaint, folder, json_lines, path, printed, refused, scratch};

const EXPERIMENT: &str = "title = \"small\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"mc\"]\nseed = 8\n\
                          pairs = 40\nbudget = { playouts = 60 }\n";

#[test]
fn servers_that_are_absent_locked_or_without_streams_are_named() {
    let nowhere = format!("nats://127.0.0.1:{}", free_port());
    let words = refused(&["work", &nowhere]);
    assert!(words.contains("cannot connect") && words.contains("is a NATS server running"), "{words}");
    let file = scratch("cluster-small.toml", EXPERIMENT);
    let store = path("cluster-none.db").display().to_string();
    let words = refused(&["run", &file, "--store", &store, "--queue", &nowhere]);
    assert!(words.contains("cannot connect"), "{words}");
    let words = refused(&["queue", "status", "nats://me:secret@127.0.0.1:4222"]);
    assert!(words.contains("everybody who lists processes"), "{words}");
    let folder = folder("cluster-logins");
    let Some(plain) = Server::with(&folder, "127.0.0.1", &[]) else { return };
    let words = refused(&["work", &plain.url()]);
    assert!(words.contains("no JetStream"), "{words}");
    drop(plain);
    let Some(locked) = Server::with(&folder, "127.0.0.1", &["--jetstream", "--user", "ann", "--pass", "s3cret"]) else {
        return;
    };
    let words = refused(&["queue", "status", &locked.url()]);
    assert!(words.contains("refuses this login"), "{words}");
    fs::write(folder.join("wrong"), "guess\n").unwrap();
    fs::write(folder.join("right"), "s3cret\n").unwrap();
    let status = |password: &str| {
        let url = locked.url();
        tesuji_at(&folder, &["queue", "status", &url, "--user", "ann", "--password-file", password])
    };
    assert!(complaint(&status("wrong")).contains("refuses this login"));
    assert!(printed(&status("right")).contains("no experiment is in the queue"));
    let mut by_environment = crate::started::command(&["queue", "status", &locked.url()]);
    by_environment.env("TESUJI_QUEUE_USER", "ann").env("TESUJI_QUEUE_PASSWORD", "s3cret");
    assert!(by_environment.output().unwrap().status.success());
    drop(locked);
    let token = ["--jetstream", "--auth", "t0ken"];
    let Some(locked) = Server::with(&folder, "127.0.0.1", &token) else { return };
    fs::write(folder.join("token"), "t0ken\n").unwrap();
    let arguments = ["queue", "status", &locked.url(), "--token-file", "token"];
    assert!(printed(&tesuji_at(&folder, &arguments)).contains("no experiment"));
}

#[test]
fn tls_needs_the_certificate_of_the_authority() {
    let folder = folder("cluster-tls");
    let make = |arguments: &[&str]| {
        let made = Command::new("openssl").args(arguments).current_dir(&folder).output();
        made.is_ok_and(|output| output.status.success())
    };
    let certificate =
        ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    let ca = ["-subj", "/CN=test authority", "-keyout", "ca.key", "-out", "ca.pem"];
    let request = [
        "req",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-subj",
        "/CN=127.0.0.1",
        "-keyout",
        "server.key",
        "-out",
        "server.csr",
    ];
    fs::write(folder.join("names"), "subjectAltName=IP:127.0.0.1\n").unwrap();
    let sign = [
        "x509",
        "-req",
        "-in",
        "server.csr",
        "-CA",
        "ca.pem",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        "2",
        "-extfile",
        "names",
        "-out",
        "server.pem",
    ];
    if !(make(&[&certificate[..], &ca[..]].concat()) && make(&request) && make(&sign)) {
        eprintln!("not tried: there is no usable `openssl` here");
        return;
    }
    let file = |name: &str| folder.join(name).display().to_string();
    let (pem, key) = (file("server.pem"), file("server.key"));
    let options = ["--jetstream", "--tls", "--tlscert", &pem, "--tlskey", &key];
    let Some(server) = Server::with(&folder, "127.0.0.1", &options) else { return };
    let status = |more: &[&str]| tesuji_at(&folder, &[&["queue", "status", &server.url()], more].concat());
    assert!(complaint(&status(&[])).contains("cannot connect"));
    assert!(printed(&status(&["--tls", "--tls-ca", "ca.pem"])).contains("no experiment"));
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
