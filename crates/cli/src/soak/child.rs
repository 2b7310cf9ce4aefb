//! The program as a child process that can be killed at any moment.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child as Process, ChildStdout, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use super::Fault;

/// The words of a panic on standard error.
const PANIC: &str = "panicked at";

/// Starts the program in a folder, and collects what it writes to standard error.
pub(super) struct Program {
    path: PathBuf,
    folder: PathBuf,
    errors: PathBuf,
}

/// How a child ended, or that it did not.
pub(super) enum Outcome {
    /// It ended by itself: what it printed, and whether it succeeded.
    Ended {
        /// Standard output.
        printed: String,
        /// Exit code 0?
        success: bool,
    },
    /// It was killed when its time was over.
    Killed,
}

impl Program {
    /// The program at `path`, started in `folder`.
    pub(super) fn new(path: &Path, folder: &Path) -> Program {
        Program { path: path.to_owned(), folder: folder.to_owned(), errors: folder.join("errors.txt") }
    }

    /// Starts the program.
    pub(super) fn start(&self, arguments: &[&str]) -> Result<(Child, ChildStdout), Fault> {
        let errors = OpenOptions::new().create(true).append(true).open(&self.errors)?;
        let mut process = Command::new(&self.path)
            .args(arguments)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()?;
        let output = process.stdout.take();
        let child = Child { process };
        output.map(|output| (child, output)).ok_or_else(|| Fault::new("the child has no output"))
    }

    /// Runs the program until it ends, at most for `patience`; then kills it as `kill -9` does.
    pub(super) fn run(&self, arguments: &[&str], patience: Duration) -> Result<Outcome, Fault> {
        let (mut child, mut output) = self.start(arguments)?;
        let (sender, printed) = channel();
        let reader = thread::spawn(move || {
            let mut text = String::new();
            let read = output.read_to_string(&mut text).map(|_| text);
            // Nobody waits for the output of a child that was killed.
            drop(sender.send(read));
        });
        let outcome = match printed.recv_timeout(patience) {
            Ok(printed) => Outcome::Ended { printed: printed?, success: child.process.wait()?.success() },
            Err(RecvTimeoutError::Timeout) => {
                child.kill()?;
                Outcome::Killed
            }
            Err(RecvTimeoutError::Disconnected) => return Err(Fault::new("the output of the child was lost")),
        };
        drop(reader.join());
        self.check_errors()?;
        Ok(outcome)
    }

    /// The first line that a started child prints.
    pub(super) fn first_line(&self, output: ChildStdout, patience: Duration) -> Result<String, Fault> {
        let (sender, line) = channel();
        thread::spawn(move || {
            let mut text = String::new();
            let mut output = BufReader::new(output);
            let read = output.read_line(&mut text).map(|_| text);
            drop(sender.send(read));
            // The child may print more. A closed pipe would end it.
            drop(std::io::copy(&mut output, &mut std::io::sink()));
        });
        match line.recv_timeout(patience) {
            Ok(line) => Ok(line?),
            Err(_) => Err(Fault::new(format!("the program printed nothing in {} s", patience.as_secs()))),
        }
    }

    /// A panic of a child is a fault, whatever the child made of it.
    pub(super) fn check_errors(&self) -> Result<(), Fault> {
        let mut text = Vec::new();
        File::open(&self.errors)?.read_to_end(&mut text)?;
        let text = String::from_utf8_lossy(&text);
        match text.lines().position(|line| line.contains(PANIC)) {
            Some(first) => {
                let shown: Vec<&str> = text.lines().skip(first).take(3).collect();
                Err(Fault::new(format!("a child panicked: {}", shown.join(" "))))
            }
            None => Ok(()),
        }
    }

    /// What children wrote to standard error, shortened.
    pub(super) fn last_errors(&self) -> String {
        let text = fs::read_to_string(&self.errors).unwrap_or_default();
        let lines: Vec<&str> = text.lines().rev().take(3).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join(" ")
    }
}

/// A running child; dropping it kills it.
pub(super) struct Child {
    process: Process,
}

impl Child {
    /// Ends it as `kill -9` does.
    pub(super) fn kill(&mut self) -> Result<(), Fault> {
        self.process.kill()?;
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
