//! The running child processes, so that none outlives this process: not even after Ctrl-C, when no `drop` runs.

use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The running child processes.
///
/// A child is started and registered under one lock, and none is started after all were ended, so none can escape. A
/// process number is removed from the list before the child is waited for, under the same lock: a number on the list
/// cannot belong to another process yet.
static ALIVE: Mutex<Children> = Mutex::new(Children { numbers: Vec::new(), closed: false });

struct Children {
    /// The process numbers of children that were started and not yet waited for.
    numbers: Vec<u32>,
    /// Whether this process is about to end.
    closed: bool,
}

/// The interval at which a child that was asked to end is polled.
const LOOK_EVERY: Duration = Duration::from_millis(2);

fn alive() -> MutexGuard<'static, Children> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a child, which must lead its own process group.
pub(crate) fn start(command: &mut Command) -> io::Result<Child> {
    let mut children = alive();
    if children.closed {
        return Err(io::Error::other("this program is about to end"));
    }
    let child = command.spawn()?;
    children.numbers.push(child.id());
    Ok(child)
}

/// Waits up to `patience` for a child to end by itself, then kills it and everything it started, and waits for it, so
/// that no zombie remains. Returns the exit status if the system gives one.
pub(crate) fn end(child: &mut Child, patience: Duration) -> Option<std::process::ExitStatus> {
    let begun = Instant::now();
    loop {
        {
            let mut children = alive();
            if has_ended(child) || begun.elapsed() >= patience {
                // Processes started by the child may still run in its group, even when the child itself has ended.
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

/// Kills every running child and everything it started, and lets no other start. Call it just before the program ends.
pub fn end_all() {
    let mut children = alive();
    children.closed = true;
    for number in children.numbers.drain(..) {
        kill_group(number);
        reap(number);
    }
}

/// Whether the child has ended. It is not waited for yet, so its process number is not reused.
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
        // It is no error if the group is already gone.
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
