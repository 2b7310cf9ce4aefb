//! A lab on a free port, with HTTP and WebSocket clients.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tesuji_web::{LabOptions, Limits, RunningLab, start};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// A lab in a folder of its own, and a client.
pub(crate) struct Bench {
    pub(crate) lab: Option<RunningLab>,
    pub(crate) folder: PathBuf,
    pub(crate) agent: ureq::Agent,
}

/// Nothing here takes this long; it ends what hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

impl Bench {
    pub(crate) fn new(name: &str) -> Bench {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lab-{name}"));
        std::fs::remove_dir_all(&folder).ok();
        let config = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE)).build();
        let mut bench = Bench { lab: None, folder, agent: config.into() };
        bench.open(Limits::default());
        bench
    }

    pub(crate) fn open(&mut self, limits: Limits) {
        let options =
            LabOptions { port: Some(0), limits, ..LabOptions::new(tesuji_standard::catalogue(), &self.folder) };
        self.lab = Some(start(options).unwrap());
    }

    pub(crate) fn restart(&mut self) {
        self.lab.take().unwrap().stop();
        self.open(Limits::default());
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.lab.as_ref().unwrap().address())
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        read(self.agent.get(self.url(path)).call())
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> (u16, Value) {
        read(self.agent.post(self.url(path)).send(body.to_string()))
    }

    /// A request that must succeed.
    pub(crate) fn fetch(&self, path: &str) -> Value {
        let (status, answer) = self.get(path);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// A change that must succeed.
    pub(crate) fn make(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.post(path, body);
        assert!(status < 300, "{path}: {status} {answer}");
        answer
    }

    pub(crate) fn watch(&self, path: &str) -> Watcher {
        let url = self.url(path).replace("http://", "ws://");
        let (socket, _) = tungstenite::connect(url).unwrap();
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        Watcher(socket)
    }

    /// A new match: its name, and the key of the first player.
    pub(crate) fn begin(&self, game: &str, seats: Value) -> (String, String) {
        let made = self.make("/api/matches", json!({ "game": game, "seats": seats, "seed": 5 }));
        (text(&made["id"]), text(&made["keys"]["0"]))
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.lab.take();
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

pub(crate) fn read(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> (u16, Value) {
    let mut answer = answer.unwrap();
    let status = answer.status().as_u16();
    let text = answer.body_mut().with_config().limit(50 << 20).read_to_string().unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A client of a WebSocket.
pub(crate) struct Watcher(pub(crate) WebSocket<MaybeTlsStream<std::net::TcpStream>>);

impl Watcher {
    /// The next message, if there is one.
    pub(crate) fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Passes over messages until one is as wanted.
    pub(crate) fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next().expect("the server went on");
            if wanted(&message) {
                return message;
            }
        }
    }

    /// The next view in which nobody but a person is awaited.
    pub(crate) fn until_settled(&mut self) -> Value {
        let settled = |message: &Value| message["type"] == "view" && message["view"]["thinking"].is_null();
        self.until(settled)["view"].take()
    }
}

pub(crate) fn agent(address: &str) -> Value {
    json!({ "agent": address, "budget": { "playouts": 30 } })
}

pub(crate) fn kit() -> Value {
    json!({ "person": "Kit" })
}

/// Plays the first legal action of player 0 until the match is over; returns the last view.
pub(crate) fn play_first(bench: &Bench, id: &str, key: &str) -> Value {
    let mut watcher = bench.watch(&format!("/api/matches/{id}/live"));
    let mut view = watcher.until_settled();
    while view["over"] == false {
        let legal = view["legal"].as_array().unwrap();
        let own = legal.iter().find(|legal| legal["player"] == 0).unwrap();
        let action = own["actions"][0]["text"].clone();
        let body = json!({ "player": 0, "action": action, "key": key });
        let revision = bench.make(&format!("/api/matches/{id}/actions?brief=1"), body)["revision"].as_u64().unwrap();
        view = watcher.until(|message| {
            let view = &message["view"];
            message["type"] == "view" && view["thinking"].is_null() && view["revision"].as_u64().unwrap() >= revision
        })["view"]
            .take();
    }
    view
}
