//! A minimal, tolerant HTTP for general game playing: one message per connection, in the body of a POST or URL-encoded
//! in the path of a GET.
//!
//! It accepts these known deviations: lines that end in a line feed alone, missing or misspelled headers,
//! `Content-Length` that counts characters instead of bytes or is missing (the body then ends with its last parenthesis
//! or with the connection), OPTIONS from browsers, and HTTP/1.1 clients that wait for `100 Continue`.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// The most bytes of headers.
const MOST_HEADERS: usize = 64 << 10;
/// The most bytes of a message: the largest public rule sheets have about a megabyte.
pub(super) const MOST_BODY: usize = 8 << 20;
/// A body with the announced length, or with closed parentheses, counts as complete after this much silence.
const QUIET: Duration = Duration::from_millis(200);
/// The time limit for connecting to a player.
const CONNECT: Duration = Duration::from_secs(5);

/// A request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Incoming {
    /// A message.
    Message(String),
    /// A CORS preflight of a browser.
    Options,
}

/// Reads a request before `deadline`.
pub(super) fn read_request(stream: &mut TcpStream, deadline: Instant) -> io::Result<Incoming> {
    let (head, rest) = read_head(stream, deadline)?;
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut lines = head.lines();
    let request_line = lines.next().unwrap_or("");
    let mut words = request_line.split_whitespace();
    let method = words.next().unwrap_or("").to_ascii_uppercase();
    match method.as_str() {
        "OPTIONS" => Ok(Incoming::Options),
        "GET" => {
            let path = request_line.trim()[3..].trim();
            let path = path.rsplit_once(' ').map_or(path, |(path, version)| {
                if version.to_ascii_uppercase().starts_with("HTTP/") { path } else { request_line.trim()[3..].trim() }
            });
            Ok(Incoming::Message(decode_url(path.trim_start_matches('/'))))
        }
        "POST" => {
            if header(&head, "expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
                stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
            }
            read_body(stream, &head, rest, deadline).map(Incoming::Message)
        }
        _ => {
            let shown: String = request_line.chars().take(40).collect();
            Err(wrong(format!("no request: `{}`", shown.escape_debug())))
        }
    }
}

/// Sends a message to a player and returns its answer, both before `deadline`.
pub(super) fn exchange(address: &str, player: &str, message: &str, deadline: Instant) -> io::Result<String> {
    let mut last = wrong(format!("`{address}` is not the address of a host"));
    for socket in address.to_socket_addrs()? {
        let patience = CONNECT.min(left(deadline)?);
        match TcpStream::connect_timeout(&socket, patience) {
            Ok(mut stream) => {
                stream.set_nodelay(true)?;
                stream.set_write_timeout(Some(left(deadline)?))?;
                let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
                let head = format!(
                    "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {host}\r\nSender: GAMESERVER\r\n\
                     Receiver: {player}\r\n\
                     Content-Type: text/acl\r\nContent-Length: {}\r\n\r\n",
                    message.len()
                );
                stream.write_all(head.as_bytes())?;
                stream.write_all(message.as_bytes())?;
                stream.flush()?;
                let (head, rest) = read_head(&mut stream, deadline)?;
                let head = String::from_utf8_lossy(&head).into_owned();
                return read_body(&mut stream, &head, rest, deadline);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Answers a request. It is no error if the client has disconnected.
pub(super) fn answer(stream: &mut TcpStream, status: &str, body: &str) {
    let head = format!(
        "HTTP/1.0 {status}\r\nContent-type: text/acl\r\nContent-length: {}\r\nAccess-Control-Allow-Origin: *\r\n\
         Access-Control-Allow-Methods: POST, GET, OPTIONS\r\nAccess-Control-Allow-Headers: Content-Type\r\n\
         Access-Control-Allow-Age: 86400\r\n\r\n",
        body.len()
    );
    let written = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    drop(written.and_then(|()| stream.flush()));
}

fn wrong(message: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, message.into())
}

fn late() -> io::Error {
    io::Error::new(ErrorKind::TimedOut, "not in time")
}

fn left(deadline: Instant) -> io::Result<Duration> {
    match deadline.saturating_duration_since(Instant::now()) {
        Duration::ZERO => Err(late()),
        left => Ok(left),
    }
}

/// Reads some bytes before `deadline`; 0 if the other side has closed.
fn read_some(stream: &mut TcpStream, buffer: &mut [u8], deadline: Instant) -> io::Result<usize> {
    loop {
        stream.set_read_timeout(Some(left(deadline)?))?;
        match stream.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => return Err(late()),
            read => return read,
        }
    }
}

/// Reads the lines up to the empty one, and what has already arrived after it.
fn read_head(stream: &mut TcpStream, deadline: Instant) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some((end, begin)) = end_of_head(&bytes) {
            let rest = bytes.split_off(begin);
            bytes.truncate(end);
            return Ok((bytes, rest));
        }
        if bytes.len() > MOST_HEADERS {
            return Err(wrong(format!("more than {MOST_HEADERS} bytes of headers")));
        }
        match read_some(stream, &mut buffer, deadline)? {
            0 if bytes.is_empty() => {
                return Err(io::Error::new(ErrorKind::UnexpectedEof, "closed without sending anything"));
            }
            // The GET of some clients ends with its first line.
            0 if bytes.to_ascii_uppercase().starts_with(b"GET ") && bytes.contains(&b'\n') => {
                return Ok((bytes, Vec::new()));
            }
            0 => return Err(io::Error::new(ErrorKind::UnexpectedEof, "closed in the middle of the headers")),
            count => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

/// Where the headers end and where the body begins.
fn end_of_head(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut line_start = 0;
    for (at, _) in bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n') {
        let line = &bytes[line_start..at];
        if line_start > 0 && (line.is_empty() || line == b"\r") {
            return Some((line_start, at + 1));
        }
        line_start = at + 1;
    }
    None
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().skip(1).find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.trim().eq_ignore_ascii_case(name).then_some(value.trim())
    })
}

fn read_body(stream: &mut TcpStream, head: &str, mut bytes: Vec<u8>, deadline: Instant) -> io::Result<String> {
    let length = match header(head, "content-length") {
        Some(text) => Some(text.parse::<usize>().map_err(|_| wrong("a Content-Length that is not a number"))?),
        None => None,
    };
    if length.is_some_and(|length| length > MOST_BODY) {
        return Err(wrong(format!("a message of more than {MOST_BODY} bytes")));
    }
    let mut buffer = [0; 16 << 10];
    let mut open = still_open(&bytes);
    loop {
        if bytes.len() > MOST_BODY {
            return Err(wrong(format!("a message of more than {MOST_BODY} bytes")));
        }
        // Counted in characters, a length may end before the message does; counted wrongly, after it.
        let enough = length.is_some_and(|length| bytes.len() >= length);
        let whole = open <= 0;
        if enough && whole {
            break;
        }
        let quiet = (!bytes.is_empty() && (enough || whole)).then(|| Instant::now() + QUIET);
        match read_some(stream, &mut buffer, quiet.map_or(deadline, |quiet| quiet.min(deadline))) {
            Ok(0) => break,
            Ok(count) => {
                open += still_open(&buffer[..count]);
                bytes.extend_from_slice(&buffer[..count]);
            }
            Err(error) if error.kind() == ErrorKind::TimedOut && quiet.is_some() => break,
            Err(error) => return Err(error),
        }
    }
    if bytes.is_empty() && length != Some(0) {
        return Err(io::Error::new(ErrorKind::UnexpectedEof, "closed without a message"));
    }
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// The number of open parentheses minus that of closed ones.
fn still_open(bytes: &[u8]) -> i64 {
    let count = |wanted: u8| bytes.iter().filter(|&&byte| byte == wanted).count() as i64;
    count(b'(') - count(b')')
}

/// Decodes a URL: `%28INFO%29` is `(INFO)`, and `+` is a blank. Invalid codes stay as they are.
fn decode_url(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &after[2..];
            }
            (b'+', _) => {
                bytes.push(b' ');
                rest = after;
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).replace('\r', " ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::net::TcpListener;
    use std::thread;

    /// What a server receives from these bytes, sent in pieces of `size`; the connection stays open if `open`.
    fn received(bytes: &[u8], size: usize, open: bool) -> io::Result<Incoming> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let bytes = bytes.to_vec();
        let client = thread::spawn(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            for piece in bytes.chunks(size) {
                if stream.write_all(piece).is_err() {
                    break;
                }
            }
            open.then_some(stream)
        });
        let (mut stream, _) = listener.accept().unwrap();
        let read = read_request(&mut stream, Instant::now() + Duration::from_secs(20));
        // A client that is cut off must not wait forever.
        drop(stream);
        drop(client.join().unwrap());
        read
    }

    fn message(text: &str) -> Incoming {
        Incoming::Message(text.to_owned())
    }

    #[test]
    fn odd_headers_are_understood() {
        for (bytes, expected) in [
            (&b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)"[..], message("(INFO)")),
            (b"POST / HTTP/1.0\ncontent-length:6\n\n(INFO)", message("(INFO)")),
            (b"POST / HTTP/1.1\r\nHost: x\r\nnonsense\r\nCONTENT-LENGTH :  6 \r\n\r\n(INFO)", message("(INFO)")),
            (b"POST / HTTP/1.0\r\nAccept: text/delim\r\n\r\n( INFO )", message("( INFO )")),
            (b"post / http/1.0\r\nContent-Length: 50\r\n\r\n(INFO)\r\n", message("(INFO)")),
            (b"GET /%28PLAY%20m+NIL%29 HTTP/1.0\r\n\r\n\r\n", message("(PLAY m NIL)")),
            (b"GET /(INFO) HTTP/1.1\nHost: a\n\n", message("(INFO)")),
            (b"OPTIONS / HTTP/1.1\r\nOrigin: x\r\n\r\n", Incoming::Options),
        ] {
            for size in [1, 7, 4096] {
                let read = received(bytes, size, true).unwrap();
                assert_eq!(read, expected, "{}", String::from_utf8_lossy(bytes));
            }
        }
    }

    #[test]
    fn a_length_in_characters_loses_nothing() {
        let body = "(PLAY m ((name äöü) noop))";
        let text = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{body}", body.chars().count());
        assert_eq!(received(text.as_bytes(), 5, true).unwrap(), message(body));
    }

    #[test]
    fn nonsense_is_refused() {
        for (bytes, expected) in [
            (&b""[..], "without sending anything"),
            (b"POST / HTTP/1.0\r\nContent-", "middle of the headers"),
            (b"POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n(INFO)", "not a number"),
            (b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n", "more than"),
            (b"POST / HTTP/1.0\r\n\r\n", "without a message"),
            (b"\x16\x03\x01\n\n\n", "no request"),
        ] {
            let error = received(bytes, 100, false).unwrap_err().to_string();
            assert!(error.contains(expected), "{}: {error}", String::from_utf8_lossy(bytes));
        }
        let endless = vec![b'x'; 10_000_000];
        assert!(received(&endless, 1 << 16, false).unwrap_err().to_string().contains("bytes of headers"));
        let mut long = b"POST / HTTP/1.0\r\n\r\n(".to_vec();
        long.extend_from_slice(&endless);
        assert!(received(&long, 1 << 16, false).unwrap_err().to_string().contains("a message of more than"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_bytes_are_a_request_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = received(&bytes, 16, false);
        }

        #[test]
        fn any_path_is_decoded(text in ".{0,40}") {
            decode_url(&text);
        }
    }
}
