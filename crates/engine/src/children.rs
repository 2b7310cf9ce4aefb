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
static ALIVE: Mutex<Children> = Mutex::new(Children { running: Vec::new(), closed: false });

struct Children {
    /// The children that were started and not yet waited for.
    running: Vec<Running>,
    /// Whether this process is about to end.
    closed: bool,
}

/// A child by its process number.
#[derive(Clone, Copy)]
struct Running {
    number: u32,
    /// Is it a guardian, which ends what it guards when it is told to?
    guardian: bool,
}

/// The interval at which a child that was asked to end is polled.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// How long a guardian may take to end what it guards.
const GUARDIAN: Duration = Duration::from_secs(3);

fn alive() -> MutexGuard<'static, Children> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a child, which must lead its own process group.
pub(crate) fn start(command: &mut Command, guardian: bool) -> io::Result<Child> {
    let mut children = alive();
    if children.closed {
        return Err(io::Error::other("this program is about to end"));
    }
    let child = command.spawn()?;
    children.running.push(Running { number: child.id(), guardian });
    Ok(child)
}

/// Waits up to `patience` for a child to end by itself, then kills it and everything it started, and waits for it, so
/// that no zombie remains. Returns the exit status if the system gives one.
pub(crate) fn end(child: &mut Child, patience: Duration) -> Option<std::process::ExitStatus> {
    let begun = Instant::now();
    let mut limit = patience;
    loop {
        {
            let mut children = alive();
            let number = child.id();
            let ended = has_ended(child);
            let guardian = children.running.iter().any(|running| running.number == number && running.guardian);
            if !ended && guardian && limit == patience && begun.elapsed() >= patience {
                ask(number);
                limit = patience + GUARDIAN;
            } else if ended || begun.elapsed() >= limit {
                // Processes started by the child may still run in its group, even when the child itself has ended.
                kill_group(number);
                let killed = child.kill();
                drop(killed);
                children.running.retain(|running| running.number != number);
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
    children.running.iter().filter(|running| running.guardian).for_each(|running| ask(running.number));
    let begun = Instant::now();
    for Running { number, guardian } in std::mem::take(&mut children.running) {
        while guardian && !number_has_ended(number) && begun.elapsed() < GUARDIAN {
            thread::sleep(LOOK_EVERY);
        }
        kill_group(number);
        reap(number);
    }
}

/// Whether the child has ended. It is not waited for yet, so its process number is not reused.
#[cfg(target_os = "linux")]
fn has_ended(child: &mut Child) -> bool {
    number_has_ended(child.id())
}

#[cfg(not(target_os = "linux"))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

#[cfg(target_os = "linux")]
fn number_has_ended(number: u32) -> bool {
    use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
    use nix::unistd::Pid;
    let Ok(number) = i32::try_from(number) else { return true };
    let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    !matches!(waitid(Id::Pid(Pid::from_raw(number)), look), Ok(WaitStatus::StillAlive))
}

/// There are no guardians, and so nobody to wait for.
#[cfg(not(target_os = "linux"))]
fn number_has_ended(_: u32) -> bool {
    true
}

/// Tells a guardian to end what it guards.
#[cfg(unix)]
fn ask(number: u32) {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    if let Ok(number) = i32::try_from(number) {
        // It is no error if it has just ended.
        let _ = kill(Pid::from_raw(number), Signal::SIGTERM);
    }
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
fn ask(_: u32) {}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

#[cfg(not(unix))]
fn reap(_: u32) {}
