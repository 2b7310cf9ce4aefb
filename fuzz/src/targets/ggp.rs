//! General game playing: messages, and the HTTP of a player.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use tesuji_arena::Source;
use tesuji_arena::sheet::SheetGame;
use tesuji_peers::ggp::{MatchJson, MatchLabel, PlayerOptions, PlayerServer, Request};

use super::{Target, catalogue, text, texts, told};

const SHEET: &str = "(role a) (init (p 1)) (<= (legal a (go ?x)) (index ?x)) (index 1) (index 2) \
    (<= (next over) (true (p 1))) (<= terminal (true over)) (<= (goal a 100) (true over)) (<= (goal a 0) (true (p 1)))";

const WORDS: &[&str] = &[
    "(INFO)",
    "(START m a (",
    ") 0 1)",
    "(PLAY m NIL)",
    "(PLAY m ((go 1)))",
    "(PLAY m 1 (go 1) ((seen 1)))",
    "(STOP m NIL)",
    "(ABORT m)",
    "(PREVIEW (",
    "POST / HTTP/1.0\r\n",
    "GET /",
    "Content-Length: 8\r\n",
    "Expect: 100-continue\r\n",
    "\r\n\r\n",
    "%28",
    "%zz",
    "NIL",
];

/// Messages read back as they are written.
pub(super) fn messages(name: &'static str) -> Target {
    let start = format!("(START m.1 a ({SHEET}) 10 5)");
    let preview = format!("( preview ({SHEET}) 3 )");
    let seeds = [
        "(INFO)",
        &start,
        &preview,
        "(PLAY m.1 ((go 1) noop))",
        "(play m.1 nil)",
        "(STOP m.1 ((go 2)))",
        "(ABORT m)",
        "(PLAY m 2 noop (a))",
    ];
    let run = |input: &[u8]| {
        told(Request::read(&text(input)), |request| {
            let written = request.write();
            let again = Request::read(&written);
            let again = again.unwrap_or_else(|error| panic!("`{written}` is refused: {error}"));
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&again.write()), words(&written), "a message is written in two ways");
            written.chars().take(6).collect()
        })
    };
    Target::new(name, Box::new(run), texts(&seeds), WORDS)
}

/// The bytes of a server, to our player.
pub(super) fn http(name: &'static str) -> Target {
    let options = PlayerOptions {
        catalogue: catalogue().clone(),
        host: "127.0.0.1".to_owned(),
        port: 0,
        name: "fuzz".to_owned(),
        agent: "random".to_owned(),
        margin: Duration::from_millis(1),
        silence: Duration::ZERO,
        seed: 1,
        ponders: false,
        log: Arc::new(|_| {}),
    };
    let server = PlayerServer::start(options).unwrap_or_else(|error| panic!("{error}"));
    let post = |body: &str| {
        format!("POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n{body}", body.len())
    };
    let seeds = [
        post("(INFO)"),
        post(&format!("(START m a ({SHEET}) 0 1)")),
        post("(PLAY m NIL)"),
        post("(STOP m ((go 1)))"),
        post("(ABORT m)"),
        "GET /%28INFO%29 HTTP/1.0\r\n\r\n".to_owned(),
        "OPTIONS / HTTP/1.1\r\n\r\n".to_owned(),
    ];
    let run = move |input: &[u8]| {
        let mut answer = Vec::new();
        let exchanged = TcpStream::connect(server.address()).and_then(|mut stream| {
            stream.write_all(input)?;
            stream.shutdown(Shutdown::Write)?;
            stream.read_to_end(&mut answer)
        });
        match exchanged {
            Ok(_) => text(&answer).lines().last().unwrap_or_default().to_owned(),
            // The player may close before it has read everything.
            Err(error) => format!("closed: {:?}", error.kind()),
        }
    };
    Target::new(name, Box::new(run), seeds.map(String::into_bytes).into(), WORDS).slow(300)
}

/// A match in the JSON format of the GGP repositories.
pub(super) fn matches(name: &'static str) -> Target {
    let game = SheetGame::open(catalogue(), Source::new("fuzz.kif", SHEET), &|| false).expect("a sound sheet");
    let steps = [vec!["(go 2)".to_owned()]];
    let written = |scramble: Option<u64>| {
        let label = MatchLabel { id: "m".to_owned(), scramble, ..MatchLabel::default() };
        MatchJson::of_steps(&game, &steps, label).expect("a legal match").write()
    };
    let seeds = [written(None), written(Some(3)), "{}".to_owned()];
    let run = move |input: &[u8]| {
        told(MatchJson::read(&text(input)), |read| {
            assert_eq!(MatchJson::read(&read.write()).ok().as_ref(), Some(&read), "what was written reads back");
            match read.restored(&game).replay(&game) {
                Ok(seated) => format!("over: {}", seated.is_over()),
                Err(error) => error.to_string(),
            }
        })
    };
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    Target::new(
        name,
        Box::new(run),
        texts(&seeds),
        &["\"moves\": [[", "\"states\": [\"( ", "scrambleSeed", "(go 1)", ")"],
    )
}
