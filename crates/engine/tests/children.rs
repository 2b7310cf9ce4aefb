//! Real child processes: reads have a time limit, children end with their owner, and no zombie remains.
#![cfg(unix)]

use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use tesuji_engine::{Heard, LineTrouble, Program, end_all, split_command};

/// Long enough for any child to answer on a busy machine.
fn later() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

fn start(command: &str) -> Program {
    Program::start(&split_command(command).unwrap()).unwrap()
}

/// Whether a process with that number exists, dead or alive.
fn exists(number: u32) -> bool {
    PathBuf::from(format!("/proc/{number}")).exists()
}

#[test]
fn lines_go_both_ways_and_the_end_is_told() {
    let mut program = start("cat");
    program.say("one");
    program.say("two");
    assert_eq!(program.hear(later()), Heard::Line("one".to_owned()));
    assert_eq!(program.hear(later()), Heard::Line("two".to_owned()));
    assert_eq!(program.hear(Instant::now()), Heard::Nothing);
    program.close_input();
    assert_eq!(program.hear(later()), Heard::Trouble(LineTrouble::Closed));
    assert!(program.end().unwrap().success());
}

#[test]
fn a_child_that_does_not_read_holds_nobody_up() {
    let program = start("sleep 600");
    let number = program.process_number();
    for _ in 0..10 {
        program.say("x".repeat(1 << 20));
    }
    assert_eq!(program.hear(Instant::now() + Duration::from_millis(20)), Heard::Nothing);
    drop(program);
    assert!(!exists(number), "it is gone, not even a zombie");
}

#[test]
fn ten_megabytes_without_a_line_break_are_not_kept() {
    let program = start("sh -c 'head -c 10000000 /dev/zero | tr \"\\0\" x'");
    assert_eq!(program.hear(later()), Heard::Trouble(LineTrouble::TooLong(1 << 20)));
}

#[test]
fn half_a_line_and_a_death_are_told() {
    let mut program = start("sh -c 'printf half; echo no-luck >&2; exit 3'");
    assert_eq!(program.hear(later()), Heard::Trouble(LineTrouble::Half(4)));
    assert_eq!(program.end().unwrap().code(), Some(3));
    assert_eq!(program.complaint(), "no-luck");
}

#[test]
fn what_a_child_started_ends_with_it() {
    let program = start("sh -c 'sleep 600 & echo $!; wait'");
    let Heard::Line(grandchild) = program.hear(later()) else { panic!("no number came") };
    let number: u32 = grandchild.parse().unwrap();
    let own = program.process_number();
    assert!(exists(number));
    drop(program);
    assert!(!exists(own));
    // The grandchild belongs to the process that adopts orphans, which may take a moment to reap it.
    let state = || std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    while exists(number) && !state().contains(") Z ") {
        thread::yield_now();
    }
}

#[test]
fn a_child_that_ends_by_itself_is_buried_as_well() {
    let mut program = start("true");
    let number = program.process_number();
    assert_eq!(program.hear(later()), Heard::Trouble(LineTrouble::Closed));
    assert!(program.end().unwrap().success());
    assert!(!exists(number));
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let error = Program::start(&["no-such-engine".to_owned()]).err().unwrap();
    assert!(error.to_string().contains("`no-such-engine` cannot be started"), "{error}");
}

/// Run by the test below in a separate process: ending all children would disturb other tests in the same process.
#[test]
#[ignore = "run by another test"]
fn leaves_all_at_once() {
    let numbers = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for command in ["sleep 600", "sh -c 'trap \"\" TERM INT; sleep 600'"] {
            let numbers = &numbers;
            // Programs are started until starting fails.
            scope.spawn(move || {
                while let Ok(program) = Program::start(&split_command(command).unwrap()) {
                    numbers.lock().unwrap().push(program.process_number());
                    std::mem::forget(program);
                }
            });
        }
        while numbers.lock().unwrap().len() < 10 {
            thread::yield_now();
        }
        end_all();
    });
    let numbers = numbers.into_inner().unwrap();
    assert!(numbers.iter().all(|&number| !exists(number)), "{numbers:?}");
    std::process::exit(0);
}

#[test]
fn all_children_can_be_ended_at_once() {
    let own = std::env::current_exe().unwrap();
    let status = std::process::Command::new(own)
        .args(["--exact", "leaves_all_at_once", "--ignored", "--nocapture"])
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
}
