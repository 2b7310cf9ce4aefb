//! Guardians: on Linux, each program runs under a small process of our own that outlives us by a moment if we are
//! killed, so that nothing a program started is left behind.
//!
//! A guardian is this same program, started again with [`MARKER`] as its first argument.
//! - It adopts what its program leaves behind (a *subreaper*), also what has left the process group by `setsid`.
//! - Its standard error is a pipe to us. When we end in any way, `kill -9` included, the pipe has no reader any more,
//!   which the guardian notices at once.
//! - Then, or when it is told to end, or when its program has ended, it kills everything that it adopted, and ends with
//!   the exit code of its program.
//!
//! A parent-death signal is no alternative: the kernel sends it when the *thread* that started the program ends.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// The first argument of a guardian.
const MARKER: &str = "--tesuji-guardian";

/// Can this program be started again as a guardian?
static READY: AtomicBool = AtomicBool::new(false);

/// Lets programs run under guardians. The main function of a program calls it first: if the process was started as a
/// guardian, it becomes one and does not return. Without this call, and on other systems than Linux, programs are
/// started without a guardian.
pub fn guard_programs() {
    if cfg!(target_os = "linux") {
        let mut arguments = std::env::args_os().skip(1);
        if arguments.next().is_some_and(|first| first == MARKER) {
            #[cfg(target_os = "linux")]
            std::process::exit(linux::guard(arguments.collect()));
        }
        READY.store(true, Ordering::Relaxed);
    }
}

/// The command that starts a program, and whether it does so under a guardian.
pub(crate) fn command(name: &str, arguments: &[String]) -> (Command, bool) {
    let guarded = READY.load(Ordering::Relaxed);
    let mut command = match guarded {
        // The file of this program may have been replaced; this is still it.
        true => Command::new("/proc/self/exe"),
        false => Command::new(name),
    };
    if guarded {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::arg0(&mut command, "tesuji-guardian");
        command.args([MARKER, name]);
    }
    command.args(arguments);
    (command, guarded)
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsString;
    use std::fs;
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::sync::mpsc::{Sender, channel};
    use std::thread;
    use std::time::{Duration, Instant};

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use nix::sys::prctl::set_child_subreaper;
    use nix::sys::signal::{Signal, kill, killpg};
    use nix::sys::wait::{WaitStatus, waitpid};
    use nix::unistd::{Pid, dup2_stdin, dup2_stdout};

    /// How long everything that was started may take to be gone after it was killed.
    const PATIENCE: Duration = Duration::from_secs(2);
    /// The interval at which that is looked at.
    const LOOK_EVERY: Duration = Duration::from_millis(2);
    /// The exit code of shells for a program that cannot be started.
    const NOT_STARTED: i32 = 127;
    /// Added to the number of the signal that ended a program, as shells do.
    const BY_SIGNAL: i32 = 128;

    enum Event {
        /// The guardian was told to end, or its owner is gone.
        End,
        /// The program has ended with this code.
        Ended(i32),
    }

    /// Starts a program and guards it; returns its exit code.
    pub(super) fn guard(words: Vec<OsString>) -> i32 {
        let (events, inbox) = channel();
        let asked = events.clone();
        // Set before the program is started, so that there is no moment in which a signal would end only the guardian.
        let listening = ctrlc::set_handler(move || drop(asked.send(Event::End)));
        let adopting = set_child_subreaper(true);
        let Some((name, arguments)) = words.split_first() else { return NOT_STARTED };
        if listening.is_err() || adopting.is_err() {
            eprintln!("the guardian of the program cannot be set up");
            return NOT_STARTED;
        }
        let program = match Command::new(name).args(arguments).process_group(0).spawn() {
            Ok(child) => Pid::from_raw(child.id() as i32),
            Err(error) => {
                eprintln!("cannot be started: {error}");
                return NOT_STARTED;
            }
        };
        if leave_streams().is_err() {
            eprintln!("the guardian of the program cannot leave its streams");
        }
        let waiting = events.clone();
        thread::spawn(move || reap(program, &waiting));
        thread::spawn(move || watch_owner(&events));
        let code = match inbox.recv() {
            Ok(Event::Ended(code)) => code,
            _ => BY_SIGNAL + Signal::SIGKILL as i32,
        };
        // The group is gone already if the program and all in it have ended.
        let _ = killpg(program, Signal::SIGKILL);
        let begun = Instant::now();
        while kill_children() > 0 && begun.elapsed() < PATIENCE {
            thread::sleep(LOOK_EVERY);
        }
        code
    }

    /// Input and output belong to the program alone: the other side must notice when it closes them.
    fn leave_streams() -> io::Result<()> {
        let nothing = fs::File::options().read(true).write(true).open("/dev/null")?;
        dup2_stdin(&nothing)?;
        dup2_stdout(&nothing)?;
        Ok(())
    }

    /// Waits for everything that ends, and reports the end of the program.
    fn reap(program: Pid, events: &Sender<Event>) {
        loop {
            let (ended, code) = match waitpid(None, None) {
                Ok(WaitStatus::Exited(number, code)) => (number, code),
                Ok(WaitStatus::Signaled(number, signal, _)) => (number, BY_SIGNAL + signal as i32),
                Ok(_) | Err(nix::errno::Errno::EINTR) => continue,
                Err(_) => return,
            };
            if ended == program {
                let sent = events.send(Event::Ended(code));
                drop(sent);
            }
        }
    }

    /// Reports when nobody reads standard error any more, which means that the owner is gone.
    fn watch_owner(events: &Sender<Event>) {
        let error = io::stderr();
        loop {
            let mut watched = [PollFd::new(error.as_fd(), PollFlags::empty())];
            let found = poll(&mut watched, PollTimeout::NONE);
            let gone = PollFlags::POLLERR | PollFlags::POLLHUP | PollFlags::POLLNVAL;
            if found.is_ok() && watched[0].revents().is_some_and(|seen| seen.intersects(gone)) {
                let sent = events.send(Event::End);
                drop(sent);
                return;
            }
        }
    }

    /// Kills all children; returns how many there were. What they started becomes our child when they are gone.
    fn kill_children() -> usize {
        let own = std::process::id();
        let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let children: Vec<i32> = numbers.filter(|number| parent(*number) == Some(own)).collect();
        for &number in &children {
            // It is no error if it has just ended.
            let _ = kill(Pid::from_raw(number), Signal::SIGKILL);
        }
        children.len()
    }

    /// The parent of a process.
    fn parent(number: i32) -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        // The name of the program stands in parentheses and can hold anything.
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    }
}
