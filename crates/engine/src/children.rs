//! The children of this process that are alive, so that none outlives it: also after Ctrl-C, when nobody's `drop` runs.

use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The children that are alive.
///
/// A child is started and entered under one lock, and none is started after all were ended: nobody slips through. A number is taken
/// off the list before the child is waited for, under the same lock: a number on the list cannot have been given to another process.
static ALIVE: Mutex<Children> = Mutex::new(Children { numbers: Vec::new(), closed: false });

struct Children {
    /// The process numbers of those who were started and not yet waited for.
    numbers: Vec<u32>,
    /// Is this process about to end?
    closed: bool,
}

/// How often a child that was asked to end is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(2);

fn alive() -> MutexGuard<'static, Children> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a child, which must lead a process group of its own.
pub(crate) fn start(command: &mut Command) -> io::Result<Child> {
    let mut children = alive();
    if children.closed {
        return Err(io::Error::other("this program is about to end"));
    }
    let child = command.spawn()?;
    children.numbers.push(child.id());
    Ok(child)
}

/// Waits up to `patience` for a child to end by itself, then kills it with all that it started, and waits for it: no zombie
/// stays. Returns how it ended, if the system says so.
pub(crate) fn end(child: &mut Child, patience: Duration) -> Option<std::process::ExitStatus> {
    let begun = Instant::now();
    loop {
        {
            let mut children = alive();
            if has_ended(child) || begun.elapsed() >= patience {
                // What the child started may still run in its group, also when the child itself has ended.
                kill_group(child.id());
                let killed = child.kill();
                drop(killed);
                children.numbers.retain(|&number| number != child.id());
                return child.wait().ok();
            }
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// Kills every child that is alive, with all that they started, and lets no further one start. For the moment before the program
/// ends.
pub fn end_all() {
    let mut children = alive();
    children.closed = true;
    for number in children.numbers.drain(..) {
        kill_group(number);
        reap(number);
    }
}

/// Has the child ended? It is not waited for yet, so its number stays its own.
#[cfg(target_os = "linux")]
fn has_ended(child: &mut Child) -> bool {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    use nix::unistd::Pid;
    let Ok(number) = i32::try_from(child.id()) else { return true };
    let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    !matches!(waitid(Id::Pid(Pid::from_raw(number)), look), Ok(WaitStatus::StillAlive))
}

#[cfg(not(target_os = "linux"))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

#[cfg(unix)]
fn kill_group(number: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(number) = i32::try_from(number) {
        // A group that is gone already is what was wanted.
        let _ = killpg(Pid::from_raw(number), Signal::SIGKILL);
    }
}

#[cfg(unix)]
fn reap(number: u32) {
    use nix::sys::wait::waitpid;
    use nix::unistd::Pid;
    if let Ok(number) = i32::try_from(number) {
        let _ = waitpid(Pid::from_raw(number), None);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

#[cfg(not(unix))]
fn reap(_: u32) {}
