//! How long requests take while many matches go on: a real lab on a free port, real connections, a fixed time.
//!
//! Two matches of three are played by agents alone, so that every core searches all the time; in the third a client
//! plays against an agent. Clients ask for views of the present and the past, for lists, and play.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};
use tesuji_arena::{Catalogue, InputError};

use crate::{LabOptions, start};

/// How long requests are made.
const LASTING: Duration = Duration::from_secs(10);
/// Clients at once.
const CLIENTS: usize = 8;
/// What is played.
const GAMES: [&str; 3] = ["tubstap", "dice7", "connect-four"];
/// Playouts of a decision.
const PLAYOUTS: u64 = 500;

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct LabBench {
    /// Matches at once.
    pub matches: usize,
    /// Threads that search.
    pub threads: u64,
    /// By kind of request.
    pub requests: Vec<RequestFigures>,
    /// Steps that were made meanwhile by those matches that still go on.
    pub decisions: u64,
}

/// How long one kind of request took, in milliseconds.
#[derive(Clone, Debug, Serialize)]
pub struct RequestFigures {
    /// Which.
    pub name: &'static str,
    /// How many.
    pub count: usize,
    /// The median.
    pub p50: f64,
    /// The 99th percentile.
    pub p99: f64,
    /// The longest.
    pub greatest: f64,
}

/// Measures a lab with so many matches at once.
pub fn bench(catalogue: Catalogue, matches: usize, threads: Option<usize>) -> Result<LabBench, InputError> {
    let name = format!("tesuji-lab-bench-{}", crate::secret::new_id());
    let folder = std::env::temp_dir().join(name);
    let lab = start(LabOptions { port: Some(0), threads, ..LabOptions::new(catalogue, &folder) })?;
    let figures = measure(lab.address(), matches);
    lab.stop();
    let removed = std::fs::remove_dir_all(&folder);
    drop(removed);
    figures.map_err(|error| InputError::new(format!("the measurement failed: {error}")))
}

fn measure(address: SocketAddr, matches: usize) -> std::io::Result<LabBench> {
    let times: Mutex<Vec<(&'static str, Duration)>> = Mutex::default();
    let begun = Instant::now();
    let ended = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let times = &times;
                scope.spawn(move || play(address, (client..matches).step_by(CLIENTS).collect(), times, begun))
            })
            .collect();
        clients.into_iter().map(|client| client.join().unwrap_or(Ok(0))).sum::<std::io::Result<u64>>()
    });
    let decisions = ended?;
    let status = Connection::open(address)?.ask("GET", "/api/status", None)?;
    let times = times.into_inner().unwrap_or_default();
    let names = ["start a match", "view", "view of the past", "list", "action"];
    let figures = names.into_iter().filter_map(|name| figures(name, &times)).collect();
    let threads = status["threads"].as_u64().unwrap_or(0);
    Ok(LabBench { matches, threads, requests: figures, decisions })
}

fn figures(name: &'static str, times: &[(&'static str, Duration)]) -> Option<RequestFigures> {
    let mut taken: Vec<f64> =
        times.iter().filter(|(kind, _)| *kind == name).map(|(_, time)| time.as_secs_f64() * 1e3).collect();
    taken.sort_by(f64::total_cmp);
    let at = |share: f64| taken.get(((taken.len() as f64 * share) as usize).min(taken.len() - 1)).copied();
    (!taken.is_empty()).then_some(())?;
    Some(RequestFigures { name, count: taken.len(), p50: at(0.5)?, p99: at(0.99)?, greatest: at(1.0)? })
}

/// One client: starts its matches, then asks and plays until time is up. Returns the steps it has seen made.
fn play(
    address: SocketAddr,
    numbers: Vec<usize>,
    times: &Mutex<Vec<(&'static str, Duration)>>,
    begun: Instant,
) -> std::io::Result<u64> {
    let mut connection = Connection::open(address)?;
    let mut own = Vec::new();
    let mut ask = |kind: &'static str, method: &str, path: &str, body: Option<&Value>| {
        let asked = Instant::now();
        let answer = connection.ask(method, path, body)?;
        let taken = asked.elapsed();
        own.push((kind, taken));
        Ok::<Value, std::io::Error>(answer)
    };
    let agent = json!({ "agent": "uct", "budget": { "playouts": PLAYOUTS } });
    let mut matches = Vec::new();
    for number in numbers {
        let game = GAMES[number % GAMES.len()];
        let first = if number % 3 == 2 { json!({ "person": "bench" }) } else { agent.clone() };
        let body = json!({ "game": game, "seats": [first, agent], "seed": number });
        let made = ask("start a match", "POST", "/api/matches", Some(&body))?;
        let key = made["keys"]["0"].as_str().map(str::to_owned);
        matches.push((made["id"].as_str().unwrap_or_default().to_owned(), key, 0));
    }
    let end = begun.elapsed() + LASTING;
    let mut round = 0;
    while begun.elapsed() < end && !matches.is_empty() {
        let place = round % matches.len();
        round += 1;
        let (id, key, steps) = &mut matches[place];
        let view = ask("view", "GET", &format!("/api/matches/{id}"), None)?;
        *steps = view["steps"].as_u64().unwrap_or(0);
        if round % 5 == 0 {
            ask("list", "GET", "/api/matches?limit=20", None)?;
        }
        ask("view of the past", "GET", &format!("/api/matches/{id}?step={}", *steps / 2), None)?;
        let awaited = view["legal"].as_array().and_then(|legal| legal.first());
        let action = awaited.filter(|legal| legal["player"] == 0).map(|legal| legal["actions"][0]["text"].clone());
        if let (Some(key), Some(action)) = (key.as_ref(), action) {
            let body = json!({ "player": 0, "action": action, "key": key });
            ask("action", "POST", &format!("/api/matches/{id}/actions"), Some(&body))?;
        }
    }
    if let Ok(mut times) = times.lock() {
        times.extend(own);
    }
    Ok(matches.iter().map(|(_, _, steps)| steps).sum())
}

/// A connection that is kept open, as browsers do.
struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    fn open(address: SocketAddr) -> std::io::Result<Connection> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream: BufReader::new(stream) })
    }

    fn ask(&mut self, method: &str, path: &str, body: Option<&Value>) -> std::io::Result<Value> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n", body.len());
        self.stream.get_mut().write_all((head + &body).as_bytes())?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(text) = line.strip_prefix("content-length:") {
                length = text.trim().parse().map_err(|_| std::io::ErrorKind::InvalidData)?;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer)?;
        serde_json::from_slice(&answer).map_err(std::io::Error::from)
    }
}
