//! Programs as agents: what they are to a store, how often they are started, and that none stays behind.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::started::{command, complaint, folder, json, printed, tesuji, tesuji_in, text};

const TESUJI: &str = env!("CARGO_BIN_EXE_tesuji");

/// An engine as a script, after some lines of its own.
fn script(folder: &Path, name: &str, before: &str, agent: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("{before}\nexec '{TESUJI}' engine --agent {agent}\n")).unwrap();
    path
}

/// Does a process with that number run? Zombies do not.
fn runs(number: &str) -> bool {
    fs::read_to_string(format!("/proc/{number}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Waits for something that must happen soon.
fn soon(what: &str, mut happens: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !happens() {
        assert!(begun.elapsed() < Duration::from_secs(30), "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_program_that_says_so_is_kept_for_its_thread() {
    let folder = folder("kept");
    let starts = folder.join("starts");
    let bot = script(&folder, "bot.sh", &format!("echo $$ >> '{}'", starts.display()), "random");
    let agents = |keep: &str| format!("process(cmd=\"sh '{}'\"{keep})", bot.display());
    let file = folder.join("e.toml");
    for (keep, expected) in [("", 2), (",keep=true", 2), (",keep=false", 17)] {
        let experiment = format!(
            "title = \"t\"\ngames = [\"tic-tac-toe\", \"connect-four\"]\nseed = 1\npairs = 2\n\
             budget = {{ playouts = 5 }}\nagents = ['''{}''', \"random\", \"mc\"]\npairings = \"first\"\n",
            agents(keep)
        );
        fs::write(&file, experiment).unwrap();
        fs::remove_file(&starts).ok();
        let store = folder.join(format!("{expected}{}.db", keep.len()));
        let arguments = ["run", file.to_str().unwrap(), "--threads", "1", "--store", store.to_str().unwrap(), "--json"];
        let summary = &json(&arguments)[0];
        assert_eq!((summary["matches"].as_u64(), summary["fouls"].as_u64()), (Some(16), Some(0)), "{summary}");
        // Once to ask for its name, and then once for the thread or once for each match.
        assert_eq!(lines(&starts).len(), expected, "keep `{keep}`");
        assert!(lines(&starts).iter().all(|number| !runs(number)));
    }
}

#[test]
fn an_edited_program_starts_a_run_of_its_own() {
    let folder = folder("edited");
    let bot = script(&folder, "bot.sh", "# version 1", "random");
    let agent = format!("process(cmd=\"sh '{}'\")", bot.display());
    let play = |games: &str| {
        let output =
            tesuji_in(&folder, &["match", "tic-tac-toe", &agent, "random", "--games", games, "--store", "s.db"]);
        printed(&output)
    };
    play("4");
    play("6");
    let runs = || -> Vec<Value> {
        let report = printed(&tesuji_in(&folder, &["report", "s.db", "--json"]));
        report.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    assert_eq!(runs().len(), 1, "the same program resumes its run");
    script(&folder, "bot.sh", "# version 2", "random");
    play("4");
    let matches: Vec<u64> = runs().iter().map(|run| run["matches"].as_u64().unwrap()).collect();
    assert_eq!(matches, [6, 4], "an edited program is another one");
    script(&folder, "bot.sh", "# version 1", "random");
    play("8");
    let matches: Vec<u64> = runs().iter().map(|run| run["matches"].as_u64().unwrap()).collect();
    assert_eq!(matches, [8, 4], "and the old one resumes its own run");
}

#[test]
fn a_program_that_is_edited_while_it_plays_is_refused() {
    let folder = folder("edited-while-playing");
    let starts = folder.join("starts");
    let before = format!("echo $$ >> '{}'", starts.display());
    let bot = script(&folder, "bot.sh", &before, "random");
    let agent = format!("process(cmd=\"sh '{}'\",keep=false)", bot.display());
    let arguments = ["match", "tic-tac-toe", &agent, "random", "--games", "100000", "--store", "s.db"];
    let mut started = command(&arguments);
    let child = started.current_dir(&folder).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    soon("it plays", || lines(&starts).len() > 4);
    script(&folder, "bot.sh", &format!("{before}; echo edited >> '{}'", starts.display()), "random");
    let output = child.wait_with_output().unwrap();
    let said = complaint(&output);
    assert!(said.contains("has changed while it was playing"), "{said}");
    // What is stored was played by the old program.
    let before_edit = lines(&starts).iter().position(|line| line == "edited").unwrap_or(usize::MAX);
    let report: Value = serde_json::from_str(&printed(&tesuji_in(&folder, &["report", "s.db", "--json"]))).unwrap();
    assert!((report["matches"].as_u64().unwrap() as usize) < before_edit, "{report}");
}

#[test]
fn one_signal_ends_a_run_that_waits_for_a_program() {
    let folder = folder("one-signal");
    let numbers = folder.join("numbers");
    // It greets and never answers again.
    let bot = folder.join("bot.sh");
    let hello = r#"{"type":"hello","protocol":1,"name":"silent"}"#;
    fs::write(&bot, format!("echo $$ >> '{}'; echo '{hello}'; exec sleep 600\n", numbers.display())).unwrap();
    let agent = format!("process(cmd=\"sh '{}'\",patience=10min)", bot.display());
    for (signal, asked) in [("-TERM", 2), ("-INT", 2)] {
        fs::remove_file(&numbers).ok();
        let arguments = ["match", "tic-tac-toe", &agent, "random", "--games", "2", "--threads", "1", "--store", "s.db"];
        let mut started = command(&arguments);
        let mut child = started.current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // The first one says its name, the second one plays.
        soon("it waits", || lines(&numbers).len() >= asked);
        Command::new("kill").args([signal, child.id().to_string().as_str()]).status().unwrap();
        let begun = Instant::now();
        soon("it ends after one signal", || child.try_wait().unwrap().is_some());
        // Two seconds are promised; a busy machine gets some more.
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
        assert!(!child.wait().unwrap().success());
        assert!(lines(&numbers).iter().all(|number| !runs(number)));
    }
}

#[test]
fn a_finished_match_is_stored_before_its_partner_ends() {
    let folder = folder("partner");
    let numbers = folder.join("numbers");
    // The second program to play never gets ready: its match is never finished.
    let bot = folder.join("bot.sh");
    let hello = r#"{"type":"hello","protocol":1,"name":"odd"}"#;
    let text = format!(
        "echo $$ >> '{0}'\nif [ $(wc -l < '{0}') -ge 3 ]; then echo '{hello}'; exec sleep 600; fi\n\
         exec '{TESUJI}' engine --agent random\n",
        numbers.display()
    );
    fs::write(&bot, text).unwrap();
    let agent = format!("process(cmd=\"sh '{}'\",patience=10min,keep=false)", bot.display());
    let arguments = ["match", "tic-tac-toe", &agent, "random", "--games", "2", "--threads", "1", "--store", "s.db"];
    let mut started = command(&arguments);
    let mut child = started.current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    soon("the first match is stored", || {
        let exported = tesuji_in(&folder, &["export", "s.db"]);
        exported.status.success() && text_lines(&exported.stdout) == 1
    });
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(text_lines(&tesuji_in(&folder, &["export", "s.db"]).stdout), 1);
}

fn text_lines(bytes: &[u8]) -> usize {
    text(bytes).lines().count()
}

/// A program can start others that leave its process group and its session.
#[cfg(target_os = "linux")]
#[test]
fn what_a_program_started_is_gone_with_it() {
    let folder = folder("left-behind");
    let numbers = folder.join("numbers");
    let others = format!(
        "for n in 1 2; do setsid sh -c 'echo $$ >> \"{0}\"; exec sleep 600' & done\n\
         (setsid setsid sh -c 'echo $$ >> \"{0}\"; exec sleep 600' &)\necho $$ >> '{0}'",
        numbers.display()
    );
    let bot = script(&folder, "bot.sh", &others, "random");
    let agent = format!("process(cmd=\"sh '{}'\")", bot.display());
    let played = tesuji(&["match", "tic-tac-toe", &agent, "random", "--games", "2", "--threads", "1"]);
    printed(&played);
    assert!(lines(&numbers).len() >= 4, "{:?}", lines(&numbers));
    assert!(lines(&numbers).iter().all(|number| !runs(number)), "{:?}", lines(&numbers));

    // A program that never answers, of a Tesuji that is killed.
    fs::remove_file(&numbers).unwrap();
    fs::write(&bot, format!("{others}\nexec sleep 600\n")).unwrap();
    let agent = format!("process(cmd=\"sh '{}'\",patience=10min)", bot.display());
    let mut child = command(&["match", "tic-tac-toe", &agent, "random", "--games", "2", "--threads", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    soon("all are started", || lines(&numbers).len() >= 4);
    child.kill().unwrap();
    child.wait().unwrap();
    soon("all are gone", || lines(&numbers).iter().all(|number| !runs(number)));
}
