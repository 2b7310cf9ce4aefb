//! The recipes of `examples/cluster`: scripts are run, units and manifests are read by the programs they are for.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::{Ear, Process, Server, collected, collector, free_port, in_background, nats_server, soon, tesuji_at};
use crate::started::{folder, printed, text};

const EXPERIMENT: &str = "title = \"recipe\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"mc\"]\nseed = 1\n\
                          pairs = 30\nbudget = { playouts = 40 }\n";

fn recipe(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cluster").join(name)
}

/// A script of the recipes, which starts this build.
fn script(folder: &Path, name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("bash");
    command.arg(recipe(name)).args(arguments).current_dir(folder).stdin(Stdio::null());
    command.env("TESUJI", env!("CARGO_BIN_EXE_tesuji"));
    if let Some(server) = nats_server() {
        command.env("NATS_SERVER", server);
    }
    command
}

/// What a program says; `None` where it is not installed.
fn installed(program: &str, arguments: &[&str]) -> Option<Output> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    if output.is_err() {
        eprintln!("not tried: there is no `{program}` here");
    }
    output.ok()
}

#[test]
fn scripts_have_no_findings() {
    for name in ["get-nats-server", "one-host.sh", "three-servers.sh", "shards.slurm", "workers.slurm"] {
        let path = recipe(name).display().to_string();
        let parsed = Command::new("bash").args(["-n", &path]).output().unwrap();
        assert!(parsed.status.success(), "{name}: {}", text(&parsed.stderr));
        let Some(checked) = installed("shellcheck", &[&path]) else { continue };
        assert!(checked.status.success(), "{name}: {}", text(&checked.stdout));
    }
}

#[test]
fn one_host_and_three_servers_play_an_experiment() {
    let folder = folder("cluster-recipes");
    if nats_server().is_none() {
        return;
    }
    fs::write(folder.join("match.toml"), EXPERIMENT).unwrap();
    let port = free_port().to_string();
    let one = script(&folder, "one-host.sh", &["match.toml"]).env("PORT", &port).output().unwrap();
    assert!(printed(&one).contains("recipe") && printed(&one).contains("finished"), "{}", printed(&one));
    // Enough to play that the script kills a server in the middle of it.
    fs::write(folder.join("longer.toml"), EXPERIMENT.replace("pairs = 30", "pairs = 1500")).unwrap();
    let base = three_servers_base().to_string();
    let mut three = script(&folder, "three-servers.sh", &["longer.toml"]);
    let three = three.env("PORT", base).env("KILL_AFTER", "1").output().unwrap();
    assert!(printed(&three).contains("the summary is that of one machine"), "{}", text(&three.stderr));
    assert!(text(&three.stderr).contains("killing one of three servers"));
}

/// On how many servers the tasks are kept.
fn replicas(port: u16) -> Option<u64> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    let ask = "CONNECT {\"verbose\":false}\r\nSUB answer 1\r\nPUB $JS.API.STREAM.INFO.TESUJI_TASKS answer 0\r\n\r\n";
    stream.write_all(ask.as_bytes()).ok()?;
    let answer: Value = serde_json::from_slice(&Ear(BufReader::new(stream)).next()).ok()?;
    answer["config"]["num_replicas"].as_u64()
}

#[test]
fn a_collector_raises_the_replicas_of_a_queue_that_others_created() {
    let folder = folder("cluster-replicas");
    let Some(binary) = nats_server() else { return };
    let base = three_servers_base();
    let routes: Vec<String> = (0..3).map(|number| format!("\"nats://127.0.0.1:{}\"", base + 10 + number)).collect();
    let _servers: Vec<Process> = (0..3)
        .map(|number| {
            let mut command = Command::new(binary);
            command.arg("--config").arg(recipe("cluster.conf")).args(["--addr", "127.0.0.1"]);
            command.env("NAME", format!("n{number}")).env("PORT", (base + number).to_string());
            command
                .env("ROUTE_PORT", (base + 10 + number).to_string())
                .env("ROUTES", format!("[{}]", routes.join(", ")));
            command.env("DATA", format!("\"{}\"", folder.join(number.to_string()).display()));
            Process::start(command.stdin(Stdio::null()).stderr(Stdio::null()))
        })
        .collect();
    let url = format!("nats://127.0.0.1:{base},nats://127.0.0.1:{}", base + 1);
    soon("the servers have a leader", || tesuji_at(&folder, &["queue", "status", &url]).status.success());
    assert_eq!(replicas(base), Some(1), "whoever looks first creates the queue on one server");
    fs::write(folder.join("match.toml"), EXPERIMENT).unwrap();
    let arguments = ["run", "match.toml", "--store", "m.db", "--queue", &url, "--replicas", "3"];
    let _collector = Process::start(&mut in_background(&folder, "collector", &arguments));
    soon("everything is kept on three servers", || replicas(base) == Some(3));
}

/// A port with those beside it free that three servers take: three for clients, three for each other.
fn three_servers_base() -> u16 {
    let free = |port: u16| std::net::TcpListener::bind(("127.0.0.1", port)).is_ok();
    std::iter::repeat_with(free_port)
        .find(|&base| base < 65_000 && (0..3).all(|number| free(base + number) && free(base + 10 + number)))
        .unwrap()
}

#[test]
fn a_slurm_array_plays_shards_that_merge() {
    let folder = folder("cluster-shards");
    fs::write(folder.join("match.toml"), EXPERIMENT).unwrap();
    let whole = printed(&tesuji_at(&folder, &["run", "match.toml", "--store", "whole.db", "--json"]));
    // `sbatch --array=4-6` sets these.
    let job = |id: &str| {
        let mut job = script(&folder, "shards.slurm", &["match.toml"]);
        job.env("SLURM_ARRAY_TASK_ID", id).env("SLURM_ARRAY_TASK_MIN", "4").env("SLURM_ARRAY_TASK_MAX", "6");
        job.env("SLURM_ARRAY_TASK_COUNT", "3").env("SLURM_CPUS_PER_TASK", "1");
        printed(&job.output().unwrap())
    };
    for id in ["4", "5", "6"] {
        job(id);
    }
    // A job that is requeued finds its store complete.
    job("5");
    let mut counts = Vec::new();
    for number in 1..=3 {
        let store = format!("match-{number}.db");
        counts.push(printed(&tesuji_at(&folder, &["export", &store])).lines().count());
    }
    assert_eq!(counts.iter().sum::<usize>(), 60, "{counts:?}");
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
    printed(&tesuji_at(&folder, &["merge", "match.db", "match-1.db", "match-2.db", "match-3.db"]));
    let merged = printed(&tesuji_at(&folder, &["run", "match.toml", "--store", "match.db", "--json"]));
    assert_eq!(merged, whole);
}

#[test]
fn a_slurm_array_of_workers_plays_for_a_queue() {
    let folder = folder("cluster-slurm");
    let Some(server) = Server::new(&folder) else { return };
    fs::write(folder.join("e.toml"), EXPERIMENT).unwrap();
    let expected = super::alone(&folder, "e.toml");
    let workers: Vec<Process> = ["1", "2"]
        .map(|id| {
            let mut job = script(&folder, "workers.slurm", &[&server.url()]);
            job.env("SLURM_ARRAY_JOB_ID", "77").env("SLURM_ARRAY_TASK_ID", id).env("SLURM_CPUS_PER_TASK", "1");
            Process::start(job.stdout(Stdio::null()).stderr(Stdio::null()))
        })
        .into();
    let process = Process::start(&mut collector(&folder, &server, "e.toml", &[]));
    assert_eq!(collected(&folder, "e.toml", process), expected);
    let status = printed(&tesuji_at(&folder, &["queue", "status", &server.url()]));
    assert!(status.contains("slurm-77-1") && status.contains("slurm-77-2"), "{status}");
    // `--signal=INT@30` before the end of the job's time.
    workers.iter().for_each(Process::interrupt);
    for mut worker in workers {
        soon("the worker leaves", || worker.has_ended());
        assert!(worker.0.wait().unwrap().success());
    }
}

/// The lines of a unit of systemd, by their key.
fn unit(name: &str) -> BTreeMap<String, String> {
    let text = fs::read_to_string(recipe(name)).unwrap();
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

#[test]
fn units_are_whole_for_systemd() {
    let folder = folder("cluster-units");
    // The units name programs that are not installed here: this build and the server stand in.
    let server = nats_server().map_or("/bin/true".to_owned(), |path| path.display().to_string());
    let mut paths = Vec::new();
    for name in ["nats-server.service", "tesuji-worker.service", "tesuji-collector@.service"] {
        let text = fs::read_to_string(recipe(name)).unwrap();
        let text = text.replace("/usr/local/bin/tesuji", env!("CARGO_BIN_EXE_tesuji"));
        fs::write(folder.join(name), text.replace("/usr/bin/nats-server", &server)).unwrap();
        paths.push(folder.join(name.replace("@.", "@match.")).display().to_string());
    }
    let arguments: Vec<&str> = ["verify", "--man=no"].into_iter().chain(paths.iter().map(String::as_str)).collect();
    let Some(verified) = installed("systemd-analyze", &arguments) else { return };
    // Findings about other units of this machine do not count.
    let told = text(&verified.stderr);
    let own: Vec<&str> = told.lines().filter(|line| line.contains("tesuji") || line.contains("nats")).collect();
    assert!(own.is_empty() && verified.status.success(), "{told}");
}

#[test]
fn the_commands_of_the_units_play_an_experiment() {
    let folder = folder("cluster-started-units");
    if nats_server().is_none() {
        return;
    }
    // The server by its unit: the configuration, with what `Environment=` sets and a user with a password.
    let port = free_port();
    let environment = unit("nats-server.service")["Environment"].clone();
    assert_eq!(environment, "PORT=4222 DATA=/var/lib/nats");
    let config = fs::read_to_string(recipe("server.conf")).unwrap();
    let open: String = config.lines().map(|line| uncommented(line) + "\n").collect();
    assert!(open.contains("user: \"tesuji\""), "{open}");
    fs::write(folder.join("server.conf"), open).unwrap();
    let mut command = Command::new(nats_server().unwrap());
    let line = unit("nats-server.service")["ExecStart"].clone();
    let config = folder.join("server.conf").display().to_string();
    command.args(line.replace("/etc/nats/server.conf", &config).split(' ').skip(1));
    command.env("PORT", port.to_string()).env("DATA", folder.join("data")).env("PASSWORD", "s3cret");
    let log = fs::File::create(folder.join("nats.log")).unwrap();
    let _server = Process::start(command.stdin(Stdio::null()).stderr(log));
    let url = format!("nats://127.0.0.1:{port}");
    let with_login = |command: &mut Command| {
        command.env("TESUJI_QUEUE_USER", "tesuji").env("TESUJI_QUEUE_PASSWORD", "s3cret");
        Process::start(command)
    };
    let arguments = |name: &str| {
        let line = unit(name)["ExecStart"].clone();
        let line = line.replace("nats://nats.example.org:4222", &url).replace("%H", "host-1").replace("%i", "match");
        line.split(' ').skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    soon("the server answers", || TcpStream::connect(("127.0.0.1", port)).is_ok());
    fs::write(folder.join("match.toml"), EXPERIMENT).unwrap();
    let expected = super::alone(&folder, "match.toml");
    let [worker, collector] = ["tesuji-worker.service", "tesuji-collector@.service"].map(|name| {
        let arguments = arguments(name);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        with_login(&mut in_background(&folder, name, &arguments))
    });
    let mut collector = collector;
    soon("the collector ends", || collector.has_ended());
    let told = fs::read_to_string(folder.join("tesuji-collector@.service.err")).unwrap();
    assert!(collector.0.wait().unwrap().success(), "{told}");
    let again = printed(&tesuji_at(&folder, &["run", "match.toml", "--store", "match.db", "--json"]));
    assert_eq!(again, expected);
    // `KillSignal=SIGINT`
    let mut worker = worker;
    worker.interrupt();
    soon("the worker leaves", || worker.has_ended());
}

/// A line of the configuration with its optional part switched on: users, but no encryption.
fn uncommented(line: &str) -> String {
    let inside = line.strip_prefix("# ").filter(|_| !line.contains("tls {"));
    let wanted = inside.filter(|line| line.starts_with("authorization") || line.starts_with("  users") || *line == "}");
    wanted.unwrap_or(line).to_owned()
}

/// Every value of `told` is in `known`: Kubernetes' own types drop fields that they do not have.
fn lost(told: &Value, known: &Value, place: &str, found: &mut Vec<String>) {
    match (told, known) {
        (Value::Object(told), Value::Object(known)) => {
            for (key, value) in told {
                let inner = format!("{place}.{key}");
                match known.get(key) {
                    Some(known) => lost(value, known, &inner, found),
                    None => found.push(inner),
                }
            }
        }
        (Value::Array(told), Value::Array(known)) if told.len() <= known.len() => {
            told.iter().zip(known).for_each(|(told, known)| lost(told, known, place, found));
        }
        _ if told == known => {}
        _ => found.push(format!("{place}: {told} became {known}")),
    }
}

/// The JSON documents in a text, one after the other.
fn documents(text: &str) -> Vec<Value> {
    serde_json::Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().unwrap()
}

#[test]
fn kubernetes_knows_every_field_of_the_manifests() {
    let path = recipe("kubernetes.yaml").display().to_string();
    let plain = ["annotate", "--local", "--filename", &path, "--output", "json", "a=b"];
    let Some(plain) = installed("kubectl", &plain) else { return };
    let plain = documents(&printed(&plain));
    let kinds: Vec<&str> = plain.iter().map(|object| object["kind"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        ["Service", "StatefulSet", "Deployment", "ConfigMap", "PersistentVolumeClaim", "Job"],
        "all manifests are read"
    );
    // This command reads objects with pods by their types; the others are read as they are.
    let typed = ["set", "env", "--local", "--filename", &path, "--output", "json", "TRIED=yes"];
    let typed = installed("kubectl", &typed).unwrap();
    let complaints: Vec<String> = text(&typed.stderr).lines().map(str::to_owned).collect();
    let other = |line: &&String| !line.is_empty() && !line.contains("does not have a pod template");
    assert_eq!(complaints.iter().find(other), None);
    let typed = documents(&text(&typed.stdout));
    assert_eq!(typed.len(), 3, "{typed:?}");
    for known in typed {
        let told = plain.iter().find(|told| told["kind"] == known["kind"]).unwrap();
        let mut found = Vec::new();
        lost(&told["spec"], &known["spec"], known["kind"].as_str().unwrap(), &mut found);
        assert_eq!(found, Vec::<String>::new());
    }
    check_names(&plain);
    let experiment = plain[3]["data"]["match.toml"].as_str().unwrap();
    assert_eq!(experiment, fs::read_to_string(recipe("match.toml")).unwrap(), "it is the experiment beside it");
}

/// Names that refer to each other: selectors, labels, volumes, claims, the address of the server, and the commands.
fn check_names(objects: &[Value]) {
    let named = |kind: &str| objects.iter().find(|object| object["kind"] == kind).unwrap();
    let (service, server, workers) = (named("Service"), named("StatefulSet"), named("Deployment"));
    for object in [server, workers] {
        assert_eq!(object["spec"]["selector"]["matchLabels"], object["spec"]["template"]["metadata"]["labels"]);
    }
    assert_eq!(service["spec"]["selector"], server["spec"]["selector"]["matchLabels"]);
    assert_eq!(server["spec"]["serviceName"], service["metadata"]["name"]);
    let url =
        format!("nats://{}:{}", service["metadata"]["name"].as_str().unwrap(), service["spec"]["ports"][0]["port"]);
    let pod = &named("Job")["spec"]["template"]["spec"];
    let volumes = pod["volumes"].as_array().unwrap();
    for mount in pod["containers"][0]["volumeMounts"].as_array().unwrap() {
        assert!(volumes.iter().any(|volume| volume["name"] == mount["name"]), "{mount}");
    }
    assert_eq!(volumes[0]["configMap"]["name"], named("ConfigMap")["metadata"]["name"]);
    assert_eq!(volumes[1]["persistentVolumeClaim"]["claimName"], named("PersistentVolumeClaim")["metadata"]["name"]);
    for container in [&pod["containers"][0], &workers["spec"]["template"]["spec"]["containers"][0]] {
        let command: Vec<&str> = container["command"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
        assert!(command.contains(&url.as_str()), "{command:?}");
        // The program knows these options: with `--help` it does nothing else.
        let arguments = [&command[1..], &["--help"]].concat();
        assert!(printed(&crate::started::tesuji(&arguments)).contains("Usage"), "{command:?}");
    }
}
