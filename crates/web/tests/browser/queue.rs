//! The queue of experiments on many machines, as the lab shows it beside a real NATS server.
#![cfg(unix)]

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_arena::Source;
use tesuji_arena::experiment::{Scale, read_experiment};
use tesuji_arena::files::FileSet;
use tesuji_arena::store::Store;
use tesuji_queue::{
    CollectorOptions, CollectorView, Published, ServerOptions, WorkerOptions, WorkerView, collect, status, work,
};
use tesuji_web::QueueWatch;

use crate::lab::Lab;
use crate::{WIDE, chromium};

/// A NATS server that ends with its owner.
struct Server(Child, String);

impl Server {
    /// A server; `None` where there is none, which is an error where `CI` is set.
    fn start(folder: &Path) -> Option<Server> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../nats");
        let found = Command::new(root.join("examples/cluster/get-nats-server")).arg(kept).output().unwrap();
        if !found.status.success() {
            let complaint = "NO NATS SERVER: the lab's view of a queue was NOT tested.";
            assert!(std::env::var_os("CI").is_none_or(|value| value.is_empty()), "{complaint}");
            drop(writeln!(std::io::stderr(), "{complaint}"));
            return None;
        }
        let binary = String::from_utf8(found.stdout).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = Command::new(binary.trim())
            .args(["--jetstream", "--addr", "127.0.0.1", "--port", &port.to_string(), "--store_dir"])
            .arg(folder)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Server(child, format!("nats://127.0.0.1:{port}"));
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(60), "the server does not answer");
            thread::sleep(Duration::from_millis(20));
        }
        Some(server)
    }

    fn options(&self) -> ServerOptions {
        ServerOptions { url: self.1.clone(), replicas: 1, ..ServerOptions::default() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Collects an experiment in a thread of its own until it is complete or stopped.
fn collector(server: &Server, folder: &Path, title: &str, stop: &Arc<AtomicBool>) -> thread::JoinHandle<bool> {
    let text = format!(
        "title = \"{title}\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"mc\"]\nseed = 1\npairs = 20\n\
         budget = {{ playouts = 30 }}\n"
    );
    let options = CollectorOptions {
        server: server.options(),
        priority: 5,
        patience: Duration::from_secs(5),
        time_budgets: false,
    };
    let (store, stop) = (folder.join(format!("{title}.db")), Arc::clone(stop));
    let name = format!("{title}.toml");
    thread::spawn(move || {
        let source = Source::new(&name, &text);
        let experiment = read_experiment(&tesuji_standard::catalogue(), &source, Scale::Full).unwrap();
        let published = Published {
            experiment: Arc::new(experiment),
            name: name.clone(),
            text: text.clone(),
            files: FileSet::new(),
        };
        let mut store = Store::open(&store).unwrap();
        let mut see = |_: &CollectorView<'_>| ();
        collect(published, &mut store, &options, Arc::new(|_| ()), &stop, &mut see).unwrap().complete
    })
}

#[test]
fn the_results_page_shows_experiments_and_workers_of_a_queue() {
    let Some(browser) = chromium::browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let Some(server) = Server::start(&folder.path().join("jetstream")) else { return };
    let watched = server.options();
    let lab = Lab::watching(QueueWatch::new(move || status(&watched).map(|found| serde_json::json!(found))));
    let mut tab = browser.open(&format!("{}#/results", lab.address), WIDE);
    // Nothing is there: the card says so.
    tab.wait("document.querySelector('#queue .empty') && !document.querySelector('#queue').closest('section').hidden");
    let stop = Arc::new(AtomicBool::new(false));
    let collecting = collector(&server, folder.path(), "queued here", &stop);
    tab.wait("document.querySelector('[data-queued]')?.textContent.includes('queued here')");
    tab.wait("document.querySelector('[data-queued] progress').max === 20");
    assert!(!tab.text("#queue").contains("finished"), "{}", tab.text("#queue"));
    let leave = Arc::new(AtomicBool::new(false));
    let (options, left) = (
        WorkerOptions {
            server: server.options(),
            name: Some("desk-7".to_owned()),
            threads: 1,
            programs: false,
            idle: None,
        },
        Arc::clone(&leave),
    );
    let working = thread::spawn(move || {
        let mut see = |_: &WorkerView| ();
        work(&tesuji_standard::catalogue(), &options, Arc::new(|_| ()), &left, &mut see).unwrap().pairs
    });
    assert!(collecting.join().unwrap(), "the experiment is complete");
    tab.wait("document.querySelector('[data-worker=\"desk-7\"]')");
    tab.wait("document.querySelector('[data-queued]').textContent.includes('finished')");
    tab.wait("document.querySelector('[data-queued] progress').value === 20");
    let cells = "[...document.querySelectorAll('[data-worker=\"desk-7\"] td')].map((cell) => cell.textContent)";
    let cells = tab.evaluate(cells);
    assert_eq!((&cells[0], &cells[1]), (&"desk-7".into(), &"1".into()), "{cells}");
    assert!(cells[2].as_str().is_some_and(|speed| speed.chars().any(|letter| letter.is_ascii_digit())), "{cells}");
    tab.screenshot("queue", true);
    leave.store(true, Ordering::Relaxed);
    assert_eq!(working.join().unwrap(), 20);
    // A server that is gone is an error on the card, not an empty one.
    drop(server);
    tab.wait("document.querySelector('#queue .soft')?.textContent.includes('cannot connect')");
    // A lab without a queue shows no card.
    let plain = Lab::start();
    let mut tab = browser.open(&format!("{}#/results", plain.address), WIDE);
    tab.wait("document.querySelector('.paper')");
    assert_eq!(tab.evaluate("document.querySelector('#queue').closest('section').hidden"), true);
    tab.finish();
}
