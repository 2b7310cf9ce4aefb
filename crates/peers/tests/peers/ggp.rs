//! General game playing with real sockets on free loopback ports: our player with a server, our referee with players,
//! and both with peers that misbehave.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tesuji_arena::sheet::SheetGame;
use tesuji_arena::store::Store;
use tesuji_arena::{Source, export};
use tesuji_peers::ggp::{PlayerOptions, PlayerServer, PlayerSource, RefereePlan, RefereeResult, Trouble, referee};
use tesuji_peers::{Contest, Recorder, Side};

fn sheet(name: &str) -> String {
    tesuji_standard::catalogue().open(&format!("gdl({name})")).unwrap().rules_text().unwrap()
}

/// The log of a player.
type Told = Arc<Mutex<Vec<String>>>;

fn player(agent: &str, margin: Duration) -> (PlayerServer, Told) {
    let told: Told = Arc::default();
    let log = Arc::clone(&told);
    let server = PlayerServer::start(PlayerOptions {
        catalogue: tesuji_standard::catalogue(),
        host: "127.0.0.1".to_owned(),
        port: 0,
        name: "tester".to_owned(),
        agent: agent.to_owned(),
        margin,
        silence: Duration::ZERO,
        seed: 7,
        ponders: true,
        log: Arc::new(move |event| log.lock().unwrap().push(event.to_owned())),
    });
    (server.unwrap(), told)
}

/// Sends bytes and returns everything that comes back.
fn raw(address: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(bytes).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// The body of the answer to a message.
fn ask(address: SocketAddr, message: &str) -> String {
    let request =
        format!("POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n{message}", message.len());
    raw(address, request.as_bytes()).rsplit_once("\r\n\r\n").unwrap().1.to_owned()
}

fn start(id: &str, role: &str, rules: &str, clocks: (u64, u64)) -> String {
    format!("( START {id} {role} ({rules}\n) {} {})", clocks.0, clocks.1)
}

/// The recorded exchange: what a server sent, and every byte that came back. `TESUJI_GOLDEN=create` rewrites the
/// answers.
#[test]
fn the_recorded_exchange_repeats() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/ggp.txt");
    let golden = fs::read_to_string(&path).unwrap();
    let rules = sheet("tic-tac-toe");
    let (server, _) = player("random", Duration::from_millis(100));
    let mut written = String::new();
    for request in golden.split("=== ").skip(1).map(|part| part.split("\n--- ").next().unwrap().trim_end()) {
        let bytes = request.replace("RULES", &rules).replace("\\r\\n", "\r\n").replace("\\n", "\n");
        let answer = raw(server.address(), bytes.as_bytes());
        written.push_str(&format!("=== {request}\n--- {}\n", answer.replace("\r\n", "\\r\\n")));
    }
    let head = golden.split("=== ").next().unwrap();
    let written = format!("{head}{written}");
    if std::env::var("TESUJI_GOLDEN").as_deref() == Ok("create") {
        fs::write(&path, written).unwrap();
        return;
    }
    assert_eq!(written, golden);
}

#[test]
fn a_whole_match_is_played_move_by_move() {
    let (server, _) = player("ggp-uct(playouts=200)", Duration::from_millis(100));
    let rules = sheet("tic-tac-toe");
    let game = SheetGame::open(&tesuji_standard::catalogue(), Source::new("ttt", &rules), &|| false).unwrap();
    let mut seated = game.start();
    let own = 1;
    let role = game.roles()[own].clone();
    assert_eq!(ask(server.address(), &start("m1", &role.to_uppercase(), &rules, (0, 20))), "ready");
    let mut last = "NIL".to_owned();
    while !seated.is_over() {
        let answer = ask(server.address(), &format!("( PLAY  m1 {last} )"));
        assert!(seated.legal(own).contains(&answer), "{answer} is not legal");
        let joint = vec![seated.legal(0)[0].clone(), answer];
        seated.advance(&joint).unwrap();
        last = format!("({} )", joint.join("  ").to_uppercase());
    }
    assert_eq!(ask(server.address(), "(PLAY other NIL)"), "busy");
    assert_eq!(ask(server.address(), "(STOP other NIL)"), "busy");
    assert_eq!(ask(server.address(), &format!("(STOP m1 {last})")), "done");
    assert_eq!(ask(server.address(), "(INFO)"), "((name tester) (status available) (species alien))");
}

#[test]
fn one_match_at_a_time_and_a_lost_one_is_replaced() {
    let (server, told) = player("random", Duration::from_millis(100));
    let rules = sheet("tic-tac-toe");
    let address = server.address();
    assert_eq!(ask(address, &start("m1", "x", &rules, (0, 60))), "ready");
    assert_eq!(ask(address, "(info)"), "((name tester) (status busy) (species alien))");
    assert_eq!(ask(address, &start("m2", "x", &rules, (0, 60))), "busy");
    assert_eq!(ask(address, &format!("(PREVIEW ({rules}\n) 5)")), "busy");
    // The same message again does not start a second match.
    assert_eq!(ask(address, &start("m1", "x", &rules, (0, 60))), "ready");
    assert_eq!(ask(address, "(ABORT m2)"), "busy");
    assert_eq!(ask(address, "(ABORT m1)"), "aborted");
    assert_eq!(ask(address, &format!("(PREVIEW ({rules}\n) 5)")), "ready");
    // With clocks of 0, a match counts as abandoned as soon as it is silent: its STOP never arrived.
    assert_eq!(ask(address, &start("m3", "x", &rules, (0, 0))), "ready");
    assert_eq!(ask(address, &start("m4", "o", &rules, (0, 60))), "ready");
    assert!(told.lock().unwrap().iter().any(|event| event == "m3 is taken for lost"));
    assert_eq!(ask(address, "(PLAY m3 NIL)"), "busy");
    assert_eq!(ask(address, "(PLAY m4 NIL)"), "noop");
}

#[test]
fn an_agent_that_breaks_or_dawdles_still_answers_in_time() {
    let rules = sheet("tic-tac-toe");
    for (agent, expected) in [("faulty(fault=panic,after=0)", "panicked"), ("faulty(fault=slow,after=0)", "not done")] {
        let (server, told) = player(agent, Duration::from_millis(200));
        assert_eq!(ask(server.address(), &start("m", "x", &rules, (0, 1))), "ready");
        let answer = ask(server.address(), "(PLAY m NIL)");
        assert!(answer.starts_with("(place "), "{agent}: {answer}");
        let told = told.lock().unwrap();
        assert!(
            told.iter().any(|event| event.contains(expected) && event.contains("a legal move is played")),
            "{told:?}"
        );
    }
}

#[test]
fn rules_that_make_no_sense_are_refused_and_unknown_moves_survived() {
    let (server, told) = player("random", Duration::from_millis(100));
    let address = server.address();
    for rules in ["", "(role x", "nonsense"] {
        let message = format!("(START m x ({rules}) 20 20)");
        let answer = ask(address, &message);
        assert!(answer == "busy" || answer.contains("never closed"), "{rules}: {answer}");
    }
    assert_eq!(ask(address, &start("m", "nobody", &sheet("tic-tac-toe"), (20, 20))), "busy");
    assert!(told.lock().unwrap().iter().any(|event| event.contains("no role `nobody`")));
    assert_eq!(ask(address, &start("m", "x", &sheet("tic-tac-toe"), (0, 20))), "ready");
    assert!(ask(address, "(PLAY m NIL)").starts_with("(place "));
    // A joint move of another match: what was legal before is the best guess.
    assert!(ask(address, "(PLAY m ((dance 1 1) noop))").starts_with("(place "));
    assert!(ask(address, "(PLAY m (noop))").starts_with("(place "));
}

#[test]
fn a_message_sent_twice_is_answered_alike() {
    let (server, _) = player("random", Duration::from_millis(100));
    let address = server.address();
    assert_eq!(ask(address, &start("m", "x", &sheet("tic-tac-toe"), (0, 20))), "ready");
    let first = ask(address, "(PLAY m NIL)");
    assert_eq!(ask(address, "(PLAY m NIL)"), first);
    let next = format!("(PLAY m ({first} noop))");
    let second = ask(address, &next);
    assert_eq!(second, "noop", "it is the other player's turn");
    assert_eq!(ask(address, &next), second);
}

#[test]
fn peers_who_misbehave_disturb_nobody() {
    let (server, told) = player("random", Duration::from_millis(100));
    let address = server.address();
    // Silent and incomplete connections stay open while others are served.
    let silent = TcpStream::connect(address).unwrap();
    let mut half = TcpStream::connect(address).unwrap();
    half.write_all(b"POST / HTTP/1.0\r\nContent-Length: 600\r\n\r\n(START m x (").unwrap();
    let mut endless = TcpStream::connect(address).unwrap();
    // The server may close the connection before everything is sent.
    drop(endless.write_all(&vec![b'x'; 10_000_000]));
    for (bytes, expected) in [
        (&b"nonsense\r\n\r\n"[..], "400"),
        (b"POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n(NOW)", "`now` is no request"),
        (b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n)INFO(", "without its"),
        (b"OPTIONS / HTTP/1.1\r\n\r\n", "200 OK"),
        (b"GET /%28INFO%29 HTTP/1.0\r\n\r\n", "((name tester) (status available) (species alien))"),
    ] {
        let answer = raw(address, bytes);
        assert!(answer.contains(expected), "{answer}");
    }
    drop((silent, half, endless));
    assert_eq!(ask(address, "(INFO)"), "((name tester) (status available) (species alien))");
    assert!(told.lock().unwrap().iter().any(|event| event.starts_with("dropped: ")));
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let options = PlayerOptions {
        catalogue: tesuji_standard::catalogue(),
        host: "127.0.0.1".to_owned(),
        port,
        name: "tester".to_owned(),
        agent: "random".to_owned(),
        margin: Duration::ZERO,
        silence: Duration::ZERO,
        seed: 1,
        ponders: true,
        log: Arc::new(|_| {}),
    };
    let error = PlayerServer::start(options).err().unwrap();
    assert!(error.to_string().contains("cannot listen on 127.0.0.1"), "{error}");
}

fn plan(
    name: &str,
    players: Vec<PlayerSource>,
    matches: u64,
    clocks: (u64, u64),
    margin: Duration,
) -> (RefereePlan, SheetGame) {
    let rules = sheet(name);
    let game = SheetGame::open(&tesuji_standard::catalogue(), Source::new(name, &rules), &|| false).unwrap();
    let plan = RefereePlan {
        rules,
        players,
        start_clock: clocks.0,
        play_clock: clocks.1,
        matches,
        margin,
        seed: 5,
        name: "test".to_owned(),
    };
    (plan, game)
}

fn judged(plan: &RefereePlan, game: &SheetGame) -> RefereeResult {
    referee(plan, game, None, &AtomicBool::new(false), |_| {}).unwrap()
}

fn http(server: &PlayerServer) -> PlayerSource {
    PlayerSource::Http(server.address().to_string())
}

#[test]
fn the_referee_runs_matches_of_every_sort_between_players_outside_and_inside() {
    let servers: Vec<PlayerServer> = (0..3).map(|_| player("random", Duration::from_millis(100)).0).collect();
    let inside = || PlayerSource::Agent("random".to_owned());
    for (name, players, matches) in [
        ("tic-tac-toe", vec![http(&servers[0]), http(&servers[1])], 2),
        ("rock-paper-scissors", vec![http(&servers[0]), inside()], 2),
        ("pig-20", vec![inside(), http(&servers[1])], 1),
        ("three-player-tic-tac-toe", servers.iter().map(http).collect(), 3),
        ("peg-solitaire", vec![http(&servers[2])], 1),
        ("monty-hall", vec![http(&servers[2])], 2),
        ("kuhn-poker", vec![http(&servers[0]), http(&servers[1])], 4),
        ("phantom-tic-tac-toe", vec![inside(), http(&servers[1])], 2),
    ] {
        let (plan, game) = plan(name, players, matches, (0, 20), Duration::from_secs(10));
        let result = judged(&plan, &game);
        assert_eq!(result.matches.len() as u64, matches);
        for played in &result.matches {
            assert_eq!((&played.events[..], played.aborted), (&[][..], false), "{name}");
            assert!(played.goals.iter().all(Option::is_some), "{name}: {:?}", played.goals);
        }
        let asked: u64 = result.figures.iter().map(|figures| figures.moves).sum();
        let steps: usize = result.matches.iter().map(|played| played.steps).sum();
        assert_eq!(asked as usize, steps * result.roles.len(), "{name}");
    }
}

#[test]
fn players_of_hidden_games_learn_their_own_moves_and_percepts_only() {
    let (server, told) = player("ggp-champion(playouts=50)", Duration::from_millis(100));
    let address = server.address();
    let rules = sheet("kuhn-poker");
    let play = |id: &str, card: &str| {
        assert_eq!(ask(address, &start(id, "second", &rules, (0, 20))), "ready");
        assert_eq!(ask(address, &format!("(PLAY {id} 0 nil nil)")), "noop");
        assert_eq!(ask(address, &format!("(PLAY {id} 1 noop ((CARD {card})))")), "noop");
        let answer = ask(address, &format!("(PLAY {id} 2 noop ((did first bet)))"));
        // The same message again has the same answer.
        assert_eq!(ask(address, &format!("(PLAY {id} 2 noop ((did first bet)))")), answer);
        assert_eq!(ask(address, &format!("(STOP {id} 3 {answer} ((did second {answer})))")), "done");
        answer
    };
    assert_eq!((play("m1", "jack").as_str(), play("m2", "king").as_str()), ("fold", "call"));
    // What no match explains is not answered by the agent, but by a legal move of the last state known.
    assert_eq!(ask(address, &start("m3", "second", &rules, (0, 20))), "ready");
    assert_eq!(ask(address, "(PLAY m3 0 nil nil)"), "noop");
    assert_eq!(ask(address, "(PLAY m3 1 noop ((card ace)))"), "noop");
    assert!(told.lock().unwrap().iter().any(|event| event.contains("no match was found")));
    assert_eq!(ask(address, "(ABORT m3)"), "aborted");
}

#[test]
fn an_agent_that_sees_everything_is_replaced_in_a_hidden_game() {
    let (server, told) = player("ggp-uct(playouts=50)", Duration::from_millis(100));
    let rules = sheet("monty-hall");
    assert_eq!(ask(server.address(), &start("m", "candidate", &rules, (20, 20))), "ready");
    assert!(told.lock().unwrap().iter().any(|event| event.contains("ismcts plays instead")));
}

/// What a server on the net asks of a player besides matches: who it is, a look at rules, the end of a match.
#[test]
fn information_previews_and_abandoned_matches() {
    let (server, _) = player("random", Duration::from_millis(100));
    let address = server.address();
    let rules = sheet("tic-tac-toe");
    let free = "((name tester) (status available) (species alien))";
    assert_eq!(ask(address, "(INFO)"), free);
    assert_eq!(ask(address, &format!("(PREVIEW ({rules}\n) 5)")), "ready");
    assert_eq!(ask(address, "(INFO)"), free, "a preview is not a match");
    assert_eq!(ask(address, "(PREVIEW (no rules at all\n) 5)"), "ready");
    assert_eq!(ask(address, &start("m1", "x", &rules, (0, 60))), "ready");
    assert!(ask(address, "(PLAY m1 NIL)").starts_with("(place "));
    assert_eq!(ask(address, "(ABORT m1)"), "aborted");
    assert_eq!(ask(address, "(ABORT m1)"), "busy", "it is over");
    assert_eq!(ask(address, "(PLAY m1 NIL)"), "busy");
    assert_eq!(ask(address, "(INFO)"), free);
    assert_eq!(ask(address, &start("m2", "o", &rules, (0, 60))), "ready", "an abandoned match leaves the seat free");
}

#[test]
fn matches_are_stored_and_read_back_with_their_events() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("ggp.db");
    drop(fs::remove_file(&path));
    let (server, _) = player("random", Duration::from_millis(100));
    let deaf = Fake::start(|_, _| Some("(place 9 9)".to_owned()));
    let players = vec![http(&server), PlayerSource::Http(deaf.address.to_string())];
    let (plan, game) = plan("tic-tac-toe", players.clone(), 2, (0, 20), Duration::from_secs(10));
    let contest = Contest {
        title: "test".to_owned(),
        name: "test.toml".to_owned(),
        game: "gdl(sheet=\"tic-tac-toe\")".to_owned(),
        sides: players.iter().map(|player| Side { label: player.to_string(), agent: None }).collect(),
        rounds: 1,
        seconds: 20.0,
        seed: 5,
    };
    for run in 1..=2 {
        let mut recorder = Recorder::begin(&tesuji_standard::catalogue(), &path, &contest).unwrap();
        let result = referee(&plan, &game, Some(&mut recorder), &AtomicBool::new(false), |_| {}).unwrap();
        drop(recorder);
        let mut exported = Vec::new();
        export(&tesuji_standard::catalogue(), &Store::read(&path).unwrap(), |played| {
            exported.push(played);
            Ok(())
        })
        .unwrap();
        assert_eq!(exported.len(), 2 * run, "every use is a run of its own");
        for (stored, played) in exported[2 * run - 2..].iter().zip(&result.matches) {
            assert_eq!(stored.labels, played.players);
            assert_eq!(stored.payoffs, played.goals.iter().map(|goal| f64::from(goal.unwrap())).collect::<Vec<_>>());
            assert_eq!(stored.steps.len(), played.steps);
            assert_eq!(stored.events.len(), played.events.len());
            assert!(
                stored.events.iter().any(|event| event.contains("illegal move: (place 9 9)")),
                "{:?}",
                stored.events
            );
        }
    }
}

/// A scripted player: computes its answers from the message and the number of earlier ones.
struct Fake {
    address: SocketAddr,
}

impl Fake {
    /// `None` closes the connection without an answer.
    fn start(answer: impl Fn(&str, usize) -> Option<String> + Send + 'static) -> Fake {
        Fake::start_raw(move |message, number| {
            answer(message, number)
                .map(|body| format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes())
        })
    }

    /// Answers with bytes; if they are empty, the connections stay open as long as the process lives.
    fn start_raw(answer: impl Fn(&str, usize) -> Option<Vec<u8>> + Send + 'static) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let mut kept = Vec::new();
            for (number, stream) in listener.incoming().flatten().enumerate() {
                let mut stream: TcpStream = stream;
                let mut text = Vec::new();
                let mut buffer = [0; 4096];
                // A message of the referee ends with its last parenthesis.
                while let Ok(count @ 1..) = stream.read(&mut buffer) {
                    text.extend_from_slice(&buffer[..count]);
                    let body = String::from_utf8_lossy(&text).into_owned();
                    let body = body.split_once("\r\n\r\n").map_or("", |(_, body)| body);
                    if !body.is_empty() && body.matches('(').count() == body.matches(')').count() {
                        break;
                    }
                }
                let text = String::from_utf8_lossy(&text).into_owned();
                if let Some(bytes) = answer(&text, number) {
                    drop(stream.write_all(&bytes));
                    if bytes.is_empty() {
                        kept.push(stream);
                    }
                }
            }
        });
        Fake { address }
    }
}

#[test]
fn players_who_misbehave_are_played_for_and_counted() {
    let good = || PlayerSource::Agent("random".to_owned());
    // The clock is 0 where no answer is expected, so that only the margin is waited for.
    type Bytes = fn(&str, usize) -> Option<Vec<u8>>;
    type Expected = fn(&Trouble) -> bool;
    let cases: [(&str, Bytes, Expected); 6] = [
        ("silent", |_, _| Some(Vec::new()), |trouble| *trouble == Trouble::Late),
        ("hangs up", |_, _| None, |trouble| matches!(trouble, Trouble::Unreachable(_))),
        (
            "half",
            |_, _| Some(b"HTTP/1.0 200 OK\r\nContent-Len".to_vec()),
            |trouble| matches!(trouble, Trouble::Unreachable(_)),
        ),
        (
            "endless",
            |_, _| Some([b"HTTP/1.0 200 OK\r\n\r\n(".to_vec(), vec![b'x'; 10_000_000]].concat()),
            |trouble| matches!(trouble, Trouble::Unreachable(_) | Trouble::Late),
        ),
        (
            "garbage",
            |_, _| Some(b"HTTP/1.0 200 OK\r\n\r\n))((\x00\xff".to_vec()),
            |trouble| matches!(trouble, Trouble::Illegal(_)),
        ),
        (
            "another match's move",
            |_, _| Some(b"HTTP/1.0 200 OK\r\nContent-Length: 12\r\n\r\n(move e2 e4)".to_vec()),
            |trouble| matches!(trouble, Trouble::Illegal(_)),
        ),
    ];
    for (name, bytes, expected) in cases {
        let fake = Fake::start_raw(bytes);
        let players = vec![PlayerSource::Http(fake.address.to_string()), good()];
        let margin = if name == "silent" { Duration::from_millis(60) } else { Duration::from_secs(10) };
        let (plan, game) = plan("tic-tac-toe", players, 1, (0, 0), margin);
        let result = judged(&plan, &game);
        let played = &result.matches[0];
        let figures = &result.figures[0];
        assert!(!played.aborted && played.goals.iter().all(Option::is_some), "{name}");
        let troubles: Vec<&Trouble> =
            played.events.iter().filter(|event| event.step > 0).map(|event| &event.trouble).collect();
        assert!(!troubles.is_empty() && troubles.iter().all(|trouble| expected(trouble)), "{name}: {troubles:?}");
        assert_eq!(troubles.len() as u64, figures.moves, "{name}: every move was replaced");
        assert_eq!(figures.late + figures.illegal + figures.failed, figures.moves, "{name}");
        assert_eq!(result.figures[1].late + result.figures[1].illegal + result.figures[1].failed, 0, "{name}");
    }
    let gone = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let (plan, game) =
        plan("tic-tac-toe", vec![good(), PlayerSource::Http(gone.to_string())], 1, (0, 0), Duration::from_secs(5));
    let result = judged(&plan, &game);
    assert!(result.matches[0].events.iter().all(|event| matches!(event.trouble, Trouble::Unreachable(_))));
    let broken = vec![PlayerSource::Agent("faulty(fault=panic,after=1)".to_owned()), good()];
    let (plan, game) = self::plan("tic-tac-toe", broken, 1, (0, 0), Duration::from_secs(5));
    let result = judged(&plan, &game);
    assert!(result.figures[0].failed > 0 && result.figures[1].failed == 0);
}

#[test]
fn a_stop_tells_the_players() {
    let (server, told) = player("random", Duration::from_millis(100));
    let (plan, game) = plan(
        "tic-tac-toe",
        vec![http(&server), PlayerSource::Agent("random".to_owned())],
        3,
        (0, 20),
        Duration::from_secs(5),
    );
    let stop = AtomicBool::new(false);
    let result =
        referee(&plan, &game, None, &stop, |_| stop.store(true, std::sync::atomic::Ordering::Relaxed)).unwrap();
    assert_eq!(result.matches.len(), 1);
    let told = told.lock().unwrap();
    assert!(told.iter().any(|event| event.starts_with("(STOP test.1 (")), "{told:?}");
}

#[test]
fn plans_that_make_no_sense_are_refused() {
    let told = |players: &[&str], name: &str| {
        let players: Result<Vec<PlayerSource>, _> = players.iter().map(|player| player.parse()).collect();
        let (plan, game) = plan(name, players?, 1, (0, 1), Duration::from_secs(1));
        referee(&plan, &game, None, &AtomicBool::new(false), |_| {}).map(drop)
    };
    for (players, name, expected) in [
        (&["random"][..], "tic-tac-toe", "2 role(s) to play, 1 player(s)"),
        (&["random", "utc"], "tic-tac-toe", "did you mean `uct`?"),
        (&["random", "localhost:port"], "tic-tac-toe", "is not a player"),
        (&["random", ":80"], "tic-tac-toe", "is not a player"),
        (&["random", ""], "tic-tac-toe", "name of a player is empty"),
    ] {
        let error = told(players, name).unwrap_err().to_string();
        assert!(error.contains(expected), "{players:?}: {error}");
    }
    assert_eq!("uct(time=1s)".parse::<PlayerSource>().unwrap(), PlayerSource::Agent("uct(time=1s)".to_owned()));
    assert_eq!("[::1]:9147".parse::<PlayerSource>().unwrap(), PlayerSource::Http("[::1]:9147".to_owned()));
}
