//! The engine protocol with real child processes: the examples play, a fault loses only its own match, and nothing is
//! left behind.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tesuji_arena::experiment::{EnteredGame, Experiment};
use tesuji_arena::store::Store;
use tesuji_arena::{Budget, PairingSummary, RunPlan, run_experiment, summarise};
use tesuji_peers::engine::{CheckPlan, EngineOptions, Verdict, check_engine, serve};

const EXAMPLE: &str = env!("CARGO_BIN_EXE_example-engine");
const FAULTY: &str = env!("CARGO_BIN_EXE_faulty-engine");

fn python_example() -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/engine.py");
    match Command::new("python3").arg("--version").output() {
        Ok(_) => Some(format!("python3 '{}'", path.display())),
        Err(error) => {
            eprintln!("skipped: no python3 ({error})");
            None
        }
    }
}

fn process(command: &str, more: &str) -> String {
    format!("process(cmd=\"{command}\"{more})")
}

fn series(game: &str, agents: [&str; 2], matches: u64) -> PairingSummary {
    let game = EnteredGame::open(&tesuji_standard::catalogue(), game).unwrap();
    let experiment = Experiment::series(game, &agents.map(str::to_owned), Budget::playouts(20), matches, 3).unwrap();
    let mut store = Store::temporary().unwrap();
    let (plan, stop) = (RunPlan { threads: 2, shard: None }, AtomicBool::new(false));
    let end = run_experiment(&experiment, ("series", ""), &mut store, plan, &stop, |_| ()).unwrap();
    summarise(&experiment, &store, end.run, false).unwrap().results.remove(0)
}

/// A fresh path for a test's file.
fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(fs::remove_file(&path));
    path
}

/// Whether a process with that number exists, dead or alive.
fn exists(number: &str) -> bool {
    Path::new("/proc").join(number.trim()).exists()
}

#[test]
fn the_examples_play_games_of_every_sort() {
    let commands = [Some(format!("'{EXAMPLE}'")), python_example()];
    for command in commands.into_iter().flatten() {
        for game in ["tic-tac-toe", "goofspiel(4)", "pig(10)", "tubstap(map=one-blow)", "gdl(rock-paper-scissors)"] {
            let result = series(game, [&process(&command, ""), "random"], 4);
            assert_eq!((result.tally.matches(), result.fouls.len()), (4, 0), "{command} at {game}: {:?}", result.fouls);
        }
    }
}

#[test]
fn two_programs_play_each_other_and_repeat_with_their_seeds() {
    let agent = process(&format!("'{EXAMPLE}'"), ",keep=true");
    let play = || series("connect-four", [&agent, &agent], 6);
    let (first, second) = (play(), play());
    assert_eq!(first.fouls, Vec::<String>::new());
    assert_eq!((first.tally.wins, first.mean_steps), (second.tally.wins, second.mean_steps));
}

#[test]
fn a_fault_loses_its_match_and_only_that() {
    // Late engines use up their patience, so it is short; the others have time.
    for (fault, more, expected) in [
        ("silent", ",patience=100ms,margin=50ms", "overtime"),
        ("stubborn", ",patience=100ms,margin=50ms", "overtime"),
        ("babbles", ",patience=100ms,margin=50ms", "overtime"),
        ("mute", ",patience=100ms", "did not say hello"),
        ("stillborn", "", "no licence found"),
        ("other-version", "", "speaks version 99, expected 1"),
        ("refuses", "", "reports an error: not this game"),
        ("dies", "", "out of cheese"),
        ("garbage", "", "I would rather play draughts"),
        ("endless", "", "more than 1048576 bytes without a line break"),
        ("half", "", "bytes of a line"),
        ("illegal", "", "illegal action `z99`"),
        ("other-match", "", "answers for the match `another`"),
        ("complains", "", "I am lost"),
    ] {
        let number = scratch(&format!("number-of-{fault}"));
        let agent = process(&format!("'{FAULTY}' {fault} '{}'", number.display()), more);
        let result = series("tic-tac-toe", [&agent, "random"], 2);
        assert_eq!(result.fouls.len(), 2, "{fault}: {:?}", result.fouls);
        assert!(result.fouls.iter().all(|foul| foul.contains(expected)), "{fault}: {:?}", result.fouls);
        assert_eq!((result.tally.matches(), result.tally.losses), (2, 2), "{fault}");
        assert!(!exists(&fs::read_to_string(&number).unwrap()), "{fault}: a process is left");
    }
}

#[test]
fn an_answer_to_stop_within_the_margin_counts() {
    let agent = process(&format!("'{FAULTY}' only-stop"), ",patience=30ms,margin=20s");
    let result = series("tic-tac-toe", [&agent, "random"], 2);
    assert_eq!(result.fouls, Vec::<String>::new());
}

#[test]
fn programs_end_with_their_matches_however_they_behave() {
    for fault in ["none", "stays"] {
        for keep in ["", ",keep=true"] {
            let number = scratch(&format!("number-of-{fault}-{}", keep.len()));
            let agent = process(&format!("'{FAULTY}' {fault} '{}'", number.display()), keep);
            let result = series("tic-tac-toe", [&agent, "random"], 2);
            assert_eq!(result.fouls, Vec::<String>::new());
            assert!(!exists(&fs::read_to_string(&number).unwrap()), "{fault}{keep}: a process is left");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_program_started_ends_with_it() {
    let agent = process(&format!("'{FAULTY}' orphans"), "");
    let result = series("tic-tac-toe", [&agent, "random"], 2);
    assert!(result.fouls.iter().all(|foul| foul.contains("started ")), "{:?}", result.fouls);
    for foul in &result.fouls {
        let number = foul.rsplit(' ').next().unwrap();
        // Another process adopts and reaps orphans, perhaps a moment later.
        let state = || fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        while exists(number) && !state().contains(") Z ") {
            std::thread::yield_now();
        }
    }
}

#[test]
fn programs_that_are_not_there_are_refused_at_once() {
    let game = tesuji_standard::catalogue().open("tic-tac-toe").unwrap();
    for (agent, expected) in [
        ("process", "`process` needs `cmd`"),
        ("process(cmd=\"no-such-program x\")", "there is no program `no-such-program`"),
        ("process(cmd=\"./no/such/program\")", "there is no program `./no/such/program`"),
        ("process(cmd=\"cat 'a\")", "never closed"),
        ("process(cmd=cat,patience=soon)", "expected a time"),
        ("process(cmd=cat,keep=perhaps)", "true or false"),
    ] {
        let error = game.check_agent(agent).unwrap_err().to_string();
        assert!(error.contains(expected), "{agent}: {error}");
    }
    game.check_agent("process(cmd=\"cat -u\")").unwrap();
}

fn plan(command: String) -> CheckPlan {
    CheckPlan {
        command,
        games: vec!["tic-tac-toe".to_owned(), "goofspiel(3)".to_owned()],
        patience: Duration::from_secs(20),
        time: Duration::from_millis(50),
        margin: Duration::from_secs(20),
        seed: 1,
    }
}

#[test]
fn the_check_passes_the_examples() {
    let commands = [Some(format!("'{EXAMPLE}'")), python_example()];
    for command in commands.into_iter().flatten() {
        let report = check_engine(&tesuji_standard::catalogue(), &plan(command.clone())).unwrap();
        assert!(report.conforms(), "{command}: {:#?}", report.findings);
        assert!(report.name.unwrap().starts_with("forty lines") && report.decisions > 5);
    }
}

#[test]
fn the_check_names_what_is_wrong() {
    let quick = |fault: &str| CheckPlan { margin: Duration::from_millis(300), ..plan(format!("'{FAULTY}' {fault}")) };
    for (fault, check, expected) in [
        ("stillborn", "greeting", "closed its output; its standard error says: no licence found"),
        ("other-version", "greeting", "speaks version 99, expected 1"),
        ("garbage", "a whole match of tic-tac-toe", "not a message of the engine protocol"),
        ("illegal", "a whole match of tic-tac-toe", "`z99`, which is not legal"),
        ("other-match", "a whole match of tic-tac-toe", "answered for another match"),
        ("dies", "a whole match of goofspiel(cards=3)", "out of cheese"),
        ("refuses", "games", "none of the games"),
    ] {
        let report = check_engine(&tesuji_standard::catalogue(), &quick(fault)).unwrap();
        assert!(!report.conforms(), "{fault}");
        let found = report.findings.iter().filter(|finding| finding.verdict == Verdict::Wrong);
        let found: Vec<_> = found.filter(|finding| finding.check == check).collect();
        assert!(found.iter().any(|finding| finding.message.contains(expected)), "{fault}: {:#?}", report.findings);
    }
    let report = check_engine(
        &tesuji_standard::catalogue(),
        &CheckPlan { margin: Duration::from_millis(300), ..plan(format!("'{FAULTY}' stays")) },
    )
    .unwrap();
    let wrong = report.findings.iter().filter(|finding| finding.verdict == Verdict::Wrong);
    let wrong: BTreeSet<&str> = wrong.map(|finding| finding.check.as_str()).collect();
    assert_eq!(wrong, BTreeSet::from(["`quit`", "the end of its input"]));
}

/// The answers of our engine to these orders, without times.
fn answers(orders: &str) -> Vec<String> {
    let options = EngineOptions {
        catalogue: tesuji_standard::catalogue(),
        agent: "uct".to_owned(),
        budget: Budget::playouts(20),
        thinking: false,
    };
    let mut output = Vec::new();
    serve(&options, std::io::Cursor::new(orders.to_owned().into_bytes()), &mut output).unwrap();
    let lines = String::from_utf8(output).unwrap();
    lines
        .lines()
        .map(|line| {
            let mut answer: serde_json::Value = serde_json::from_str(line).unwrap();
            if let Some(seconds) = answer.get_mut("seconds") {
                *seconds = 0.into();
            }
            answer.to_string()
        })
        .collect()
}

/// The recorded conversation: orders begin with `>`, answers with `<`. `TESUJI_GOLDEN=create` rewrites the answers.
#[test]
fn the_recorded_conversation_repeats() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/engine.txt");
    let golden = fs::read_to_string(&path).unwrap();
    let orders: Vec<&str> = golden.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let expected: Vec<&str> = golden.lines().filter_map(|line| line.strip_prefix("< ")).collect();
    let given = answers(&orders.iter().map(|order| format!("{order}\n")).collect::<String>());
    if std::env::var("TESUJI_GOLDEN").as_deref() == Ok("create") {
        let orders: String = orders.iter().map(|order| format!("> {order}\n")).collect();
        let given: String = given.iter().map(|answer| format!("< {answer}\n")).collect();
        fs::write(
            &path,
            format!("# Orders to `tesuji engine` and its answers, in their sequence; times are 0.\n{orders}{given}"),
        )
        .unwrap();
        return;
    }
    assert_eq!(given, expected);
}

#[test]
fn our_engine_survives_nonsense() {
    let orders = "\n{\n{\"type\":\"dance\"}\n{\"type\":\"go\",\"id\":\"1\",\"budget\":{},\"seed\":1}\n\
                  {\"type\":\"match\",\"id\":\"2\",\"game\":\"tic-tac-tow\",\"players\":[],\"player\":0,\
                   \"features\":[],\"payoffs\":[0,1]}\n\
                  {\"type\":\"match\",\"id\":\"3\",\"game\":\"tic-tac-toe\",\"players\":[],\"player\":9,\
                   \"features\":[],\"payoffs\":[0,1]}\n\
                  {\"type\":\"hello\",\"protocol\":1}\nhalf";
    let given = answers(orders);
    let expected = [
        "not a message",
        "not a message",
        "there is no match `1`",
        "did you mean `tic-tac-toe`?",
        "there is no seat 9",
        "\"type\":\"hello\"",
        "after 4 bytes of a line",
    ];
    assert_eq!(given.len(), expected.len(), "{given:#?}");
    for (answer, expected) in given.iter().zip(expected) {
        assert!(answer.contains(expected), "{answer}, expected {expected}");
    }
}
