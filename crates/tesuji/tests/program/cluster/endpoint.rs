//! A language model for tests: answers with a legal action, and remembers who asked in which order.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// The endpoint runs until the tests end.
pub(super) struct Endpoint {
    port: u16,
    /// The models of all requests, in the order of their arrival.
    asked: Arc<Mutex<Vec<String>>>,
}

impl Endpoint {
    pub(super) fn start() -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let all = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let asked = Arc::clone(&all);
                thread::spawn(move || while answer(&stream, &asked).is_some() {});
            }
        });
        Endpoint { port, asked }
    }

    /// The address of an agent that asks this model.
    pub(super) fn agent(&self, model: &str) -> String {
        format!("llm(model={model},url=\\\"http://127.0.0.1:{}/v1\\\",patience=60s)", self.port)
    }

    /// Which models were asked since the last call.
    pub(super) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

/// Answers one request; `None` at the end of the connection.
fn answer(mut stream: &TcpStream, asked: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim().to_ascii_lowercase();
        if let Some(told) = line.strip_prefix("content-length:") {
            length = told.trim().parse().ok()?;
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).ok()?;
    asked.lock().unwrap().push(body["model"].as_str()?.to_owned());
    let (_, legal) = body["messages"][1]["content"].as_str()?.split_once("Your legal actions:\n")?;
    let first = legal.lines().next()?;
    let text = json!({
        "choices": [{ "message": { "role": "assistant", "content": format!("The first one.\nACTION: {first}") } }],
        "usage": { "prompt_tokens": 10, "completion_tokens": 5 },
    });
    let text = text.to_string();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length:";
    stream.write_all(format!("{head} {}\r\n\r\n{text}", text.len()).as_bytes()).ok()
}
