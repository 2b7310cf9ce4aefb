//! Every command of the pages runs, at a small scale.
//!
//! A command is a line of a fenced block that begins with `tesuji`, `python3` or `printf`, with or without a prompt
//! such as `$ ` or `desk$ ` before it; a `\` at the end continues it. Options that set the size are made small, servers
//! are started and ended. The commands of a page run in one folder, which has the files that the page says to save.
//! Commands of a queue run with a NATS server of their own; without one the test says so loudly, and fails where `CI`
//! is set. `cargo` and `./check` are not run here: they build what these tests are part of.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{blocks, pages, root};
use crate::started::{folder, text};

/// The commands of a block.
fn commands(block: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut continues = false;
    for line in block.lines() {
        let prompted = line.split_once("$ ").filter(|(machine, _)| machine.chars().all(|c| c.is_ascii_lowercase()));
        let bare = prompted.map_or(line, |(_, command)| command.trim_start());
        let begins =
            ["tesuji", "python3", "printf"].iter().any(|word| bare == *word || bare.starts_with(&format!("{word} ")));
        if continues {
            let last = commands.last_mut().unwrap();
            last.truncate(last.len() - 1);
            last.push_str(line.trim());
        } else if begins {
            commands.push(bare.trim_end().to_owned());
        } else {
            continue;
        }
        continues = commands.last().is_some_and(|command| command.ends_with('\\'));
    }
    commands
}

/// The value after an option replaced, wherever the option occurs.
fn with_option(command: &str, option: &str, value: &str) -> String {
    let mut words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    for place in 1..words.len() {
        if words[place - 1] == option {
            words[place] = value.to_owned();
        }
    }
    words.join(" ")
}

/// The same command at a small scale.
fn small(command: &str) -> String {
    let mut small = command.to_owned();
    for (option, value) in [
        ("--matches", "2"),
        ("--games", "2"),
        ("--minutes", "0.02"),
        ("--labels", "8"),
        ("--repeats", "1"),
        ("--positions", "2"),
        ("--sprt", "0,400"),
        ("--port", "0"),
        ("--http", "127.0.0.1:0"),
    ] {
        small = with_option(&small, option, value);
    }
    if small.starts_with("tesuji match") || small.starts_with("tesuji tune") {
        small = with_option(&with_option(&small, "--budget", "10"), "--start-clock", "playouts=20");
        if !small.contains("--budget") {
            small.push_str(" --budget 10");
        }
        if !small.contains("--matches")
            && !small.contains("--games")
            && !small.contains("--sprt")
            && !small.contains(" tune ")
        {
            small.push_str(" --matches 2");
        }
        small = small.replace("playouts=10000", "playouts=10").replace("playouts=5000", "playouts=10");
    }
    if small.starts_with("tesuji tune") {
        small = with_option(&with_option(&small, "--matches", "8"), "--confirm", "8");
        if !small.contains("--matches") {
            small.push_str(" --matches 8");
        }
    }
    // Options come before the comment that a line may have.
    if let Some(rest) = small.strip_prefix("tesuji fuzzy label ") {
        small = format!("tesuji fuzzy label --judge 'unit-uct-10-sound(playouts=100)' {rest}");
    }
    if small.starts_with("tesuji queue simulate") {
        small.push_str(" --workers 10 --longest-task 5 --length 1min");
    }
    if small.starts_with("tesuji queue bench") {
        small = with_option(&with_option(&small, "--pairs", "200"), "--time", "200ms") + " --workers 10 --turns 1";
    }
    // It solves the game first: on a board of 3×3 that takes less than a second.
    if small.starts_with("tesuji regret") {
        small = small.replace("dice7(size=4)", r#"dice7(layout="k.m/m../.MK")"#);
    }
    if small.starts_with("tesuji train") && !small.contains("--list") {
        small.push_str(" --measure 2");
    }
    if small.starts_with("tesuji lab") {
        small.push_str(" --port 0");
    }
    if small.starts_with("tesuji bench") && !small.contains("--seconds") {
        small.push_str(" --seconds 10ms");
    }
    small.replace("| dot -Tsvg > network.svg", "> network.dot")
}

/// Does a command serve until it is ended?
fn serves(command: &str) -> bool {
    [
        "tesuji lab",
        "tesuji mcp --http",
        "tesuji ggp player",
        "tesuji tubstap server",
        "python3 examples/language-models",
    ]
    .iter()
    .any(|server| command.starts_with(server))
        || command == "tesuji"
}

/// Commands whose page says that they fail.
fn may_fail(page: &str, command: &str) -> bool {
    page == "rules-from-prose.md" && command.contains("gdl tutor my-tic-tac-toe.kif")
}

fn shell(command: &str, folder: &Path) -> Command {
    let binary = Path::new(env!("CARGO_BIN_EXE_tesuji"));
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).env("PATH", path).env("HOME", folder).env("PROFILE", folder.join("profile"));
    shell.current_dir(folder).stdin(Stdio::null());
    shell
}

/// Starts a server and waits for the line that says where it listens.
fn started(command: &str, folder: &Path) -> (Child, String) {
    let mut child = shell(&format!("exec {command}"), folder).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("127.0.0.1") || line.contains("listening"), "{command}: {line}");
    (child, line)
}

/// Ends a server when the page is done.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// A NATS server for the commands of a page.
struct Queue(crate::cluster::Server);

impl Queue {
    /// Starts a server; `None` where there is none.
    fn start(folder: &Path) -> Option<Queue> {
        crate::cluster::Server::new(folder).map(Queue)
    }

    /// A command with the address of this server.
    fn here(&self, command: &str) -> String {
        ["nats://host:4222", "nats://127.0.0.1:4222"]
            .iter()
            .fold(command.to_owned(), |command, address| command.replace(address, &self.0.url()))
    }
}

/// A folder with what a page expects: the files of the repository, and those that it says to save.
fn prepare(page: &str, document: &str) -> std::path::PathBuf {
    let folder = folder(&format!("page-{}", page.replace('/', "-")));
    for name in ["data", "examples", "experiments"] {
        std::os::unix::fs::symlink(root().join(name), folder.join(name)).unwrap();
    }
    fs::create_dir_all(folder.join(".config/fish/completions")).unwrap();
    fs::create_dir_all(folder.join("results")).unwrap();
    for (place, (language, text)) in blocks(document).iter().enumerate() {
        if !["toml", "kif"].contains(&language.as_str()) {
            continue;
        }
        let before = document.split("```").nth(2 * place).unwrap();
        // The last name in backquotes before the block is that of the file.
        let name = before.rsplit('`').nth(1);
        if let Some(name) = name.filter(|name| name.ends_with(&format!(".{language}"))) {
            fs::write(folder.join(name), text.replace("pairs = 100", "pairs = 2")).unwrap();
        }
    }
    if page.ends_with("machines.md") {
        // The experiment that the page runs on a queue.
        let experiment = "title = \"A match\"\ngames = [\"tic-tac-toe\"]\nagents = [\"uct\", \"mc\"]\nseed = 1\n\
                          pairs = 2\nbudget = { playouts = 5 }\n";
        fs::write(folder.join("match.toml"), experiment).unwrap();
    }
    if page == "rules-from-prose.md" {
        let right = fs::read_to_string(root().join("data/gdl/tic-tac-toe.kif")).unwrap();
        let faulty = right.replace("(index ?row)\n    (not (taken ?column ?row)))", "(index ?row))");
        assert_ne!(faulty, right, "the condition that the page leaves out is not there");
        fs::write(folder.join("my-tic-tac-toe.kif"), faulty).unwrap();
    }
    folder
}

fn run_page(page: &str, document: &str, done: &mut BTreeSet<String>, failures: &mut Vec<String>) -> usize {
    let all: Vec<String> = blocks(document).iter().flat_map(|(_, block)| commands(block)).collect();
    // A page in the other language has the same commands.
    if all.iter().all(|command| done.contains(command)) {
        return 0;
    }
    let folder = prepare(page, document);
    let mut endpoint = None;
    if all.iter().any(|command| command.contains("llm(")) {
        let (child, line) = started("python3 examples/language-models/endpoint.py --port 0", &folder);
        endpoint = Some((Server(child), line.rsplit(' ').next().unwrap().trim().to_owned()));
    }
    let queue = if all.iter().any(|command| command.contains("nats://")) { Queue::start(&folder) } else { None };
    let mut workers = Vec::new();
    for command in all.iter().filter(|command| queue.is_some() || !command.contains("nats://")) {
        // What later commands of the same page need is played again on each page.
        let single = ["show", "games", "agents", "perft", "laws", "bench", "solve", "reproduce\n"];
        let known = single.iter().any(|name| command.starts_with(&format!("tesuji {name} ")));
        if !done.insert(command.clone()) && known {
            continue;
        }
        let mut small = small(command);
        if let Some((_, url)) = &endpoint {
            small = small.replace("llm(model=scripted)", &format!("llm(model=scripted,url=\"{url}\")"));
        }
        if let Some(queue) = &queue {
            small = queue.here(&small);
        }
        if command.starts_with("tesuji work ") {
            let mut worker = shell(&format!("exec {small}"), &folder);
            workers.push(Server(worker.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()));
            continue;
        }
        if serves(command) {
            drop(Server(started(&small, &folder).0));
            continue;
        }
        let output = shell(&small, &folder).output().unwrap();
        let fine = output.status.success() || may_fail(page, command) && output.status.code() == Some(1);
        // A match that a model or a broken agent forfeits is exit code 1, and a result.
        let forfeited = small.contains("llm(") && text(&output.stderr).contains("forfeit");
        if !fine && !forfeited {
            failures.push(format!("{page}: {command}\nas {small}\n{}", text(&output.stderr)));
        }
    }
    all.len()
}

#[test]
fn the_commands_of_the_pages_run() {
    let (mut done, mut failures) = (BTreeSet::new(), Vec::new());
    let mut count = 0;
    for page in pages().iter().filter(|page| *page != "api.md" && !page.starts_with("inside/")) {
        let document = fs::read_to_string(root().join("docs").join(page)).unwrap();
        count += run_page(page, &document, &mut done, &mut failures);
    }
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    count += run_page("README.md", &readme, &mut done, &mut failures);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(count >= 100, "only {count} commands");
}

/// The requests of the page of the API, against a lab.
#[test]
fn the_requests_of_the_page_of_the_api_work() {
    if Command::new("curl").arg("--version").output().is_err() {
        eprintln!("skipped: there is no curl");
        return;
    }
    let document = fs::read_to_string(root().join("docs/api.md")).unwrap();
    let folder = prepare("api.md", &document);
    fs::copy(root().join("data/maps/meadow.tbsmap"), folder.join("my.tbsmap")).unwrap();
    let (child, line) = started("tesuji lab --port 0 --data lab", &folder);
    let _lab = Server(child);
    let lab = line.rsplit(' ').next().unwrap().trim().trim_end_matches('/').to_owned();
    let block = blocks(&document).into_iter().map(|(_, block)| block).find(|block| block.contains("curl ")).unwrap();
    // A request continues until the next one begins.
    let mut requests: Vec<String> = Vec::new();
    for line in block.lines() {
        match line.starts_with("curl ") {
            true => requests.push(line.to_owned()),
            false => requests.iter_mut().last().into_iter().for_each(|last| *last += &format!("\n{line}")),
        }
    }
    let has_jq = Command::new("jq").arg("--version").output().is_ok();
    let (mut id, mut key) = (String::new(), String::new());
    let mut run = 0;
    for request in requests.iter().filter(|request| has_jq || !request.contains("jq ")) {
        let shown = request.replace("gr3p9k38j2gn", if id.is_empty() { "gr3p9k38j2gn" } else { &id });
        let shown = shown.replace("p2f5uch6…", &key);
        let request = shown.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n");
        let output = shell(&format!("lab={lab}\n{request}"), &folder).output().unwrap();
        let said = text(&output.stdout);
        assert!(output.status.success() && !said.contains("\"error\""), "{request}\n{said}{}", text(&output.stderr));
        let value: Option<serde_json::Value> = serde_json::from_str(&said).ok();
        if let Some(value) =
            value.filter(|value| id.is_empty() && value["keys"].is_object() || value["keys"].is_array())
        {
            id = value["id"].as_str().unwrap_or_default().to_owned();
            key = value["keys"][0].as_str().or(value["keys"]["0"].as_str()).unwrap_or_default().to_owned();
        }
        run += 1;
    }
    assert!(run >= 6, "only {run} requests");
}
