//! General game playing: the answers of a player, to our referee.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tesuji_arena::Source;
use tesuji_arena::sheet::SheetGame;
use tesuji_peers::ggp::{PlayerSource, RefereePlan, Trouble, referee};

use super::{Target, catalogue, file, text};

/// Between the answers in an input.
const NEXT: &str = "\n====\n";

/// The answers of a player, in order; the last one repeats.
#[derive(Default)]
struct Answers {
    texts: Vec<Vec<u8>>,
    given: usize,
}

/// Sends the next answer and reads what the referee sends until it disconnects.
fn serve(mut stream: TcpStream, answers: &Mutex<Answers>) {
    let answer = {
        let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
        let place = answers.given.min(answers.texts.len().saturating_sub(1));
        answers.given += 1;
        answers.texts.get(place).cloned().unwrap_or_default()
    };
    // A referee that has had enough hangs up.
    drop(stream.write_all(&answer));
    drop(stream.shutdown(Shutdown::Write));
    drop(stream.read_to_end(&mut Vec::new()));
}

fn split(input: &[u8]) -> Vec<Vec<u8>> {
    let mut texts = vec![Vec::new()];
    let mut rest = input;
    while let Some((&first, after)) = rest.split_first() {
        if rest.starts_with(NEXT.as_bytes()) {
            texts.push(Vec::new());
            rest = &rest[NEXT.len()..];
        } else {
            texts.last_mut().into_iter().for_each(|text| text.push(first));
            rest = after;
        }
    }
    texts
}

/// Whatever a player answers, the referee plays the match to its end.
pub(super) fn answers(name: &'static str) -> Target {
    let rules = text(&file("data/gdl/tic-tac-toe.kif")).into_owned();
    let game = SheetGame::open(catalogue(), Source::new("tic-tac-toe.kif", &rules), &|| false);
    let game = game.unwrap_or_else(|error| panic!("{error}"));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap_or_else(|error| panic!("no socket: {error}"));
    let address = listener.local_addr().unwrap_or_else(|error| panic!("no address: {error}"));
    let answers: Arc<Mutex<Answers>> = Arc::default();
    let given = Arc::clone(&answers);
    // The thread ends with the process.
    thread::spawn(move || listener.incoming().flatten().for_each(|stream| serve(stream, &given)));
    let plan = RefereePlan {
        rules,
        players: vec![PlayerSource::Http(address.to_string()), PlayerSource::Agent("random".to_owned())],
        start_clock: 0,
        play_clock: 0,
        matches: 1,
        margin: Duration::from_secs(2),
        seed: 1,
        name: "fuzz".to_owned(),
    };
    let http = |body: &str| format!("HTTP/1.0 200 OK\r\nContent-length: {}\r\n\r\n{body}", body.len());
    let marks = ["ready", "(mark 1 1)", "noop", "( MARK 2 2 )", "noop", "(mark 3 3)", "noop", "(mark 1 3)", "noop"];
    let seeds = vec![
        marks.map(http).join(NEXT),
        http("(mark 1 1)"),
        [http("busy"), "HTTP/1.1 500 no\n\n(mark 1 2)".to_owned(), http("nil")].join(NEXT),
    ];
    let run = move |input: &[u8]| {
        *answers.lock().unwrap_or_else(PoisonError::into_inner) = Answers { texts: split(input), given: 0 };
        let result = referee(&plan, &game, None, &AtomicBool::new(false), |_| {});
        let result = result.unwrap_or_else(|error| panic!("the referee gave up: {error}"));
        let [played] = &result.matches[..] else { panic!("{} matches instead of one", result.matches.len()) };
        assert!(!played.aborted && (5..=9).contains(&played.steps), "the match did not end: {played:?}");
        let kinds = played.events.iter().map(|event| match &event.trouble {
            Trouble::Late => "late",
            Trouble::Illegal(_) => "illegal",
            Trouble::Unreachable(why) => why,
            Trouble::Failed(_) => panic!("{event:?}"),
            Trouble::Unready(_) => "unready",
        });
        let mut kinds: Vec<&str> = kinds.collect();
        kinds.dedup();
        kinds.join(", ")
    };
    let words = &[
        NEXT,
        "HTTP/1.0 200 OK\r\n",
        "Content-Length: 9\r\n",
        "Content-Length: -1\r\n",
        "\r\n\r\n",
        "(mark 1 2)",
        "noop",
        "ready",
        "nil",
        "((((",
        "))))",
        "|",
        "\"",
        ";",
    ];
    Target::new(name, Box::new(run), seeds.into_iter().map(String::into_bytes).collect(), words).slow(100)
}
