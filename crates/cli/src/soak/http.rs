//! One HTTP request to a lab on this machine.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// An answer that takes longer than this is a fault.
const PATIENCE: Duration = Duration::from_secs(60);

/// A status code and a JSON body; null where the body is not JSON.
#[derive(Debug)]
pub(super) struct Answer {
    /// The status code.
    pub(super) status: u16,
    /// The body.
    pub(super) body: Value,
}

/// Sends a request and returns without reading the answer.
pub(super) fn send(address: SocketAddr, method: &str, path: &str, body: &str) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let length = body.len();
    let head =
        format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    Ok(stream)
}

/// Sends a request and reads the answer.
pub(super) fn ask(address: SocketAddr, method: &str, path: &str, body: &str) -> io::Result<Answer> {
    let mut bytes = Vec::new();
    send(address, method, path, body)?.read_to_end(&mut bytes)?;
    answer(&String::from_utf8_lossy(&bytes)).ok_or_else(|| io::Error::new(ErrorKind::InvalidData, "not an HTTP answer"))
}

fn answer(text: &str) -> Option<Answer> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    Some(Answer { status, body: serde_json::from_str(body).unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_and_the_body_are_read() {
        let read = answer("HTTP/1.1 201 Created\r\ncontent-length: 8\r\n\r\n{\"a\": 1}").unwrap();
        assert_eq!((read.status, &read.body["a"]), (201, &Value::from(1)));
        assert_eq!(answer("HTTP/1.1 404 Not Found\r\n\r\nno").unwrap().body, Value::Null);
        for wrong in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 2\r\n\r\n", "SSH-2.0\r\n\r\n"] {
            assert!(answer(wrong).is_none(), "{wrong}");
        }
    }
}
