//! A child process that is spoken to line by line, never waiting longer than one is willing to.
//!
//! Two threads stand between us and the child: one writes, so that a child that does not read cannot hold us up; one reads,
//! so that we can wait with a limit. What is read is bounded; a child that talks too much is made to wait.

use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tesuji_core::InputError;

use crate::children;
use crate::{LineReader, LineTrouble, LongestLine};

/// The longest line that is read from a child: far beyond an answer with all its candidates.
const LONGEST: LongestLine = LongestLine(1 << 20);
/// Lines that wait for us before the child waits.
const WAITING: usize = 256;
/// What is kept of the end of a child's standard error.
const KEPT_COMPLAINT: usize = 2_000;
/// How long the last words of a child are waited for.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// How long a child may take to end by itself after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);

/// A program that runs.
pub struct Program {
    command: String,
    child: Child,
    /// `None` when the child's input was closed.
    to_child: Option<Sender<String>>,
    from_child: Receiver<Result<String, LineTrouble>>,
    complaint: Arc<Mutex<Vec<u8>>>,
    /// Has standard error been read to its end?
    complained: Arc<AtomicBool>,
}

/// What came of waiting for a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// A line.
    Line(String),
    /// Nothing in time.
    Nothing,
    /// There will be no further line.
    Trouble(LineTrouble),
}

impl Program {
    /// Starts a program; `words` are its name and its arguments.
    pub fn start(words: &[String]) -> Result<Program, InputError> {
        let command = words.join(" ");
        let Some((name, arguments)) = words.split_first() else {
            return Err(InputError::new("expected the name of a program"));
        };
        let mut builder = Command::new(name);
        builder.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: what the program starts can be ended with it, and Ctrl-C reaches it through us only.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut builder, 0);
        let wrong = |error: io::Error| {
            InputError::new(format!("`{command}` cannot be started: {error}"))
                .with_help("the command is a program and its arguments; no shell reads it")
        };
        let mut child = builder.spawn().map_err(wrong)?;
        children::enter(&child);
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
        // A program without its threads is ended by its drop.
        started.map_err(|error| InputError::new(format!("`{}` cannot be spoken to: {error}", program.command)))?;
        Ok(program)
    }

    /// The command it was started with.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The number of its process.
    pub fn process_number(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line. A child that is gone shows when it is listened to.
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

    /// The next line, if it comes before `deadline`.
    pub fn hear(&self, deadline: Instant) -> Heard {
        match self.from_child.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Ok(line)) => Heard::Line(line),
            Ok(Err(trouble)) => Heard::Trouble(trouble),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Trouble(LineTrouble::Closed),
        }
    }

    /// Asks the child to end, gives it a moment, and ends it. Returns how it ended, if the system says so.
    pub fn end(&mut self) -> Option<ExitStatus> {
        self.end_within(FAREWELL)
    }

    /// Like [`end`](Program::end), with as long a moment as one likes.
    pub fn end_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.close_input();
        children::end(&mut self.child, patience)
    }

    /// Ends the child at once.
    pub fn kill(&mut self) -> Option<ExitStatus> {
        self.close_input();
        children::end(&mut self.child, Duration::ZERO)
    }

    /// The last line that the child wrote to standard error; empty if it wrote none. Waits a moment for one that is on its way.
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

/// Reads to the end and keeps the last of it.
fn keep_end(mut stream: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..count]);
        let surplus = kept.len().saturating_sub(KEPT_COMPLAINT);
        kept.drain(..surplus);
    }
}
