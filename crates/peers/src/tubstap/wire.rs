//! Lines over a socket, read with a deadline and a length limit.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The longest line: the largest map takes some ten thousand characters.
const LONGEST: usize = 1 << 20;
/// The time limit for sending a line.
const WRITE_TIME: Duration = Duration::from_secs(5);

/// Why a line could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum WireTrouble {
    /// The other side has disconnected.
    Closed,
    /// No complete line arrived in time.
    Late,
    /// The line is longer than allowed.
    TooLong,
    /// The line is not an answer.
    Garbage(String),
    /// The connection failed.
    Failed(String),
}

impl fmt::Display for WireTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireTrouble::Closed => f.write_str("hung up"),
            WireTrouble::Late => f.write_str("did not answer in time"),
            WireTrouble::TooLong => write!(f, "sent more than {LONGEST} bytes without a line break"),
            WireTrouble::Garbage(line) => write!(f, "sent an invalid answer: `{line}`"),
            WireTrouble::Failed(error) => write!(f, "cannot be reached: {error}"),
        }
    }
}

impl From<io::Error> for WireTrouble {
    fn from(error: io::Error) -> WireTrouble {
        match error.kind() {
            ErrorKind::TimedOut | ErrorKind::WouldBlock => WireTrouble::Late,
            ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::BrokenPipe
            | ErrorKind::ConnectionAborted => WireTrouble::Closed,
            _ => WireTrouble::Failed(error.to_string()),
        }
    }
}

/// A connection that is read line by line.
pub(super) struct Wire {
    stream: TcpStream,
    /// Bytes read that are not a complete line yet.
    pending: Vec<u8>,
}

impl Wire {
    pub(super) fn new(stream: TcpStream) -> io::Result<Wire> {
        stream.set_nodelay(true)?;
        stream.set_nonblocking(false)?;
        stream.set_write_timeout(Some(WRITE_TIME))?;
        Ok(Wire { stream, pending: Vec::new() })
    }

    /// Sends a text as it is.
    pub(super) fn send(&mut self, text: &str) -> Result<(), WireTrouble> {
        self.stream.write_all(text.as_bytes())?;
        Ok(self.stream.flush()?)
    }

    /// The next line before `deadline`, without its line break. The part of a late line that has arrived is kept.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<String, WireTrouble> {
        let mut buffer = [0; 16 << 10];
        let mut searched = 0;
        loop {
            if let Some(end) = self.pending[searched..].iter().position(|&byte| byte == b'\n') {
                let rest = self.pending.split_off(searched + end + 1);
                let line = std::mem::replace(&mut self.pending, rest);
                let line = String::from_utf8_lossy(&line);
                return Ok(line.trim_end_matches(['\r', '\n']).to_owned());
            }
            searched = self.pending.len();
            if searched > LONGEST {
                return Err(WireTrouble::TooLong);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(WireTrouble::Late);
            }
            self.stream.set_read_timeout(Some(left))?;
            match self.stream.read(&mut buffer) {
                Ok(0) => return Err(WireTrouble::Closed),
                Ok(count) => self.pending.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The text of the next answer: what follows `=`. Empty lines belong to the answer before.
    pub(super) fn answer(&mut self, deadline: Instant) -> Result<String, WireTrouble> {
        loop {
            let line = self.line(deadline)?;
            match line.trim() {
                "" => {}
                text => match text.strip_prefix('=') {
                    Some(answer) => return Ok(answer.trim().to_owned()),
                    None => return Err(WireTrouble::Garbage(text.chars().take(60).collect())),
                },
            }
        }
    }

    /// Discards unsolicited input; returns whether it was more than empty lines.
    pub(super) fn discard_unasked(&mut self) -> Result<bool, WireTrouble> {
        let mut buffer = [0; 16 << 10];
        self.stream.set_nonblocking(true)?;
        let mut discarded = std::mem::take(&mut self.pending);
        let ended = loop {
            match self.stream.read(&mut buffer) {
                Ok(0) => break Err(WireTrouble::Closed),
                Ok(_) if discarded.len() > LONGEST => break Err(WireTrouble::TooLong),
                Ok(count) => discarded.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => break Err(error.into()),
            }
        };
        self.stream.set_nonblocking(false)?;
        ended.map(|()| discarded.iter().any(|byte| !byte.is_ascii_whitespace()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::net::TcpListener;
    use std::thread;

    /// A wire on which `bytes` arrive; the other end stays open while the handle lives.
    fn wire(bytes: &[u8]) -> (Wire, thread::JoinHandle<TcpStream>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let bytes = bytes.to_vec();
        let other = thread::spawn(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            drop(stream.write_all(&bytes));
            stream
        });
        (Wire::new(listener.accept().unwrap().0).unwrap(), other)
    }

    fn later() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn answers_are_what_follows_the_sign() {
        let (mut wire, other) = wire("= näme\r\n\r\n=\r\n\r\n= 1,2,3\n\n".as_bytes());
        assert_eq!(wire.answer(later()), Ok("näme".to_owned()));
        assert_eq!(wire.answer(later()), Ok(String::new()));
        assert_eq!(wire.answer(later()), Ok("1,2,3".to_owned()));
        drop(other.join().unwrap());
        assert_eq!(wire.answer(later()), Err(WireTrouble::Closed));
    }

    #[test]
    fn half_an_answer_and_nonsense_are_told_apart() {
        let (mut half, other) = wire(b"= 1,2");
        let stream = other.join().unwrap();
        assert_eq!(half.answer(Instant::now() + Duration::from_millis(20)), Err(WireTrouble::Late));
        (&stream).write_all(b",3\r\n\r\n").unwrap();
        assert_eq!(half.answer(later()), Ok("1,2,3".to_owned()));
        let (mut garbage, _other) = wire(b"\x00\xffGET / HTTP/1.0\r\n");
        assert!(matches!(garbage.answer(later()), Err(WireTrouble::Garbage(_))));
        let (mut endless, _other) = wire(&[b'='; 10_000_000]);
        assert_eq!(endless.answer(later()), Err(WireTrouble::TooLong));
    }

    #[test]
    fn what_nobody_asked_for_is_thrown_away() {
        let (mut wire, other) = wire(b"\r\n= 1\r\n= 2\r\n");
        let stream = other.join().unwrap();
        assert_eq!(wire.answer(later()), Ok("1".to_owned()));
        assert_eq!(wire.discard_unasked(), Ok(true));
        (&stream).write_all(b"\r\n").unwrap();
        assert_eq!(wire.discard_unasked(), Ok(false));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn any_bytes_are_an_answer_or_trouble(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let (mut wire, other) = wire(&bytes);
            drop(other.join().unwrap());
            while wire.answer(later()).is_ok() {}
        }
    }
}
