//! A child process that exchanges lines with this program; every wait has a time limit.
//!
//! Two threads connect us to the child. One writes, so that a child that does not read cannot block us. One reads, so
//! that we can wait with a time limit. Input is bounded: a child that writes too much has to wait.

use std::io::{self, Read, Write};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_core::InputError;

use crate::command::find;
use crate::{LineReader, LineTrouble, LongestLine};
use crate::{children, guardian};

/// The longest line that is read from a child: far longer than an answer with all its candidates.
const LONGEST: LongestLine = LongestLine(1 << 20);
/// The number of unread lines after which the child has to wait.
const WAITING: usize = 256;
/// The number of bytes kept from the end of a child's standard error.
const KEPT_COMPLAINT: usize = 2_000;
/// How long to wait for the last output on a child's standard error.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// How long a child may take to end by itself after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);

/// A running child process.
pub struct Program {
    command: String,
    child: Child,
    /// `None` after the child's input was closed.
    to_child: Option<Sender<String>>,
    from_child: Receiver<Result<String, LineTrouble>>,
    complaint: Arc<Mutex<Vec<u8>>>,
    /// Whether standard error has been read to its end.
    complained: Arc<AtomicBool>,
}

/// The result of waiting for a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// A line.
    Line(String),
    /// No line before the deadline.
    Nothing,
    /// There will be no more lines.
    Trouble(LineTrouble),
}

impl Program {
    /// Starts a program; `words` are its name and arguments.
    pub fn start(words: &[String]) -> Result<Program, InputError> {
        let command = words.join(" ");
        let Some((name, arguments)) = words.split_first() else {
            return Err(InputError::new("expected the name of a program"));
        };
        let (mut builder, guarded) = guardian::command(name, arguments);
        builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Its own process group: Ctrl-C reaches it only through us, and without a guardian whatever it starts can be
        // ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        let wrong = |error: io::Error| {
            InputError::new(format!("`{command}` cannot be started: {error}"))
                .with_help("the command is a program and its arguments; no shell reads it")
        };
        // A guardian would report this too late, and in its own words.
        if guarded && find(name).is_none() {
            return Err(wrong(io::ErrorKind::NotFound.into()));
        }
        let mut child = children::start(&mut builder, guarded).map_err(wrong)?;
        let (to_child, orders) = channel::<String>();
        let (answers, from_child) = sync_channel(WAITING);
        let complaint = Arc::new(Mutex::new(Vec::new()));
        let complained = Arc::new(AtomicBool::new(false));
        let streams = child.stdin.take().zip(child.stdout.take()).zip(child.stderr.take());
        let started = streams.map_or_else(
            || Err(io::Error::other("no pipes")),
            |((mut input, output), error)| {
                let writer = move || {
                    for order in orders {
                        if writeln!(input, "{order}").and_then(|()| input.flush()).is_err() {
                            break;
                        }
                    }
                };
                let reader = move || {
                    let mut lines = LineReader::new(output, LONGEST);
                    loop {
                        let line = lines.next_line();
                        let last = line.is_err();
                        if answers.send(line).is_err() || last {
                            break;
                        }
                    }
                };
                let (kept, ended) = (Arc::clone(&complaint), Arc::clone(&complained));
                let listener = move || {
                    keep_end(error, &kept);
                    ended.store(true, Ordering::Release);
                };
                thread::Builder::new().name("engine-input".to_owned()).spawn(writer)?;
                thread::Builder::new().name("engine-output".to_owned()).spawn(reader)?;
                thread::Builder::new().name("engine-error".to_owned()).spawn(listener)?;
                Ok(())
            },
        );
        let program = Program { command, child, to_child: Some(to_child), from_child, complaint, complained };
        // A program without its threads is ended when it is dropped.
        started.map_err(|error| InputError::new(format!("cannot communicate with `{}`: {error}", program.command)))?;
        Ok(program)
    }

    /// The command line.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The process number: of the guardian, if the program has one.
    pub fn process_number(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line. If the child is gone, the next call of [`hear`](Program::hear) reports it.
    pub fn say(&self, line: impl Into<String>) {
        if let Some(to_child) = &self.to_child {
            let sent = to_child.send(line.into());
            drop(sent);
        }
    }

    /// Closes the child's input.
    pub fn close_input(&mut self) {
        self.to_child = None;
    }

    /// The next line, if it arrives before `deadline`.
    pub fn hear(&self, deadline: Instant) -> Heard {
        match self.from_child.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Ok(line)) => Heard::Line(line),
            Ok(Err(trouble)) => Heard::Trouble(trouble),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Trouble(LineTrouble::Closed),
        }
    }

    /// Asks the child to end, waits briefly, then kills it. Returns the exit status if the system gives one.
    pub fn end(&mut self) -> Option<ExitStatus> {
        self.end_within(FAREWELL)
    }

    /// Like [`end`](Program::end), with another waiting time.
    pub fn end_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.close_input();
        children::end(&mut self.child, patience)
    }

    /// Kills the child at once.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        self.close_input();
        children::end(&mut self.child, Duration::ZERO)
    }

    /// The last line that the child wrote to standard error; empty if there is none. Waits briefly for output that is
    /// on its way.
    pub fn complaint(&self) -> String {
        let begun = Instant::now();
        while !self.complained.load(Ordering::Acquire) && begun.elapsed() < LAST_WORDS {
            thread::sleep(Duration::from_millis(1));
        }
        let kept = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept);
        text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("").to_owned()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Reads to the end and keeps the last part.
fn keep_end(mut stream: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..count]);
        let surplus = kept.len().saturating_sub(KEPT_COMPLAINT);
        kept.drain(..surplus);
    }
}
