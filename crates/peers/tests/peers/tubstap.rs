//! The TUBSTAP network protocol with real sockets on free loopback ports: our server with our clients and with peers
//! that misbehave, and our client with a scripted server.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tesuji_arena::store::Store;
use tesuji_arena::tubstap::{FieldsMeaning, MapGame, MapMatch};
use tesuji_arena::{Actor, Budget, Player, Source, export};
use tesuji_peers::tubstap::{ClientPlan, ClientResult, ServedMatch, ServerPlan, ServerResult, TubstapServer, play};

fn map(name: &str) -> MapGame {
    let game = format!("tubstap(map={name})");
    let text = tesuji_standard::catalogue().open(&game).unwrap().rules_text().unwrap();
    MapGame::read(&tesuji_standard::catalogue(), &game, &Source::new(name, text)).unwrap()
}

fn plan(name: &str, matches: u64) -> ServerPlan {
    ServerPlan {
        catalogue: tesuji_standard::catalogue(),
        host: "127.0.0.1".to_owned(),
        port: 0,
        map: map(name),
        game: format!("tubstap(map={name})"),
        matches,
        turn_time: Duration::from_secs(60),
        margin: Duration::from_secs(10),
        patience: Duration::from_secs(60),
        wait: Duration::from_secs(60),
        records: None,
        store: None,
        seed: 1,
    }
}

fn client_plan(connect: SocketAddr, name: &str, agent: &str) -> ClientPlan {
    ClientPlan {
        catalogue: tesuji_standard::catalogue(),
        connect: connect.to_string(),
        agent: agent.to_owned(),
        name: name.to_owned(),
        turn_time: Duration::from_secs(1),
        budget: Some(Budget::playouts(5)),
        seed: 3,
        log: Arc::new(|_| {}),
    }
}

fn our_client(connect: SocketAddr, name: &str, agent: &str) -> JoinHandle<ClientResult> {
    let plan = client_plan(connect, name, agent);
    thread::spawn(move || play(&plan, &AtomicBool::new(false)).unwrap())
}

fn serve(plan: ServerPlan) -> (SocketAddr, JoinHandle<ServerResult>) {
    let server = TubstapServer::start(plan).unwrap();
    let address = server.address();
    (address, thread::spawn(move || server.run(&AtomicBool::new(false), |_| {}).unwrap()))
}

#[test]
fn two_clients_play_with_colours_swapped_and_leave_records() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tubstap-records");
    let store = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tubstap.db");
    drop(fs::remove_file(&store));
    let plan = ServerPlan { records: Some(folder), store: Some(store.clone()), ..plan("meadow", 4) };
    let (address, server) = serve(plan);
    let clients = [our_client(address, "ann", "random"), our_client(address, "bob", "random")];
    let result = server.join().unwrap();
    let seen: Vec<ClientResult> = clients.into_iter().map(|client| client.join().unwrap()).collect();
    assert_eq!((result.matches.len(), &result.broken_off), (4, &None));
    for (number, played) in result.matches.iter().enumerate() {
        assert_eq!(played.players[0] == result.clients[0].name, number % 2 == 0, "colours swap");
        assert_eq!((&played.foul, played.events.len()), (&None, 0), "{:?}", played.events);
        let record = fs::read_to_string(played.record.as_ref().unwrap()).unwrap();
        assert_eq!(record.matches("ACTION[").count(), played.actions);
        assert!(record.contains(&format!("PLAYERRED[{}]", played.players[0])), "{record}");
    }
    assert!(seen.iter().all(|client| (client.matches, client.finished) == (4, 4)), "{seen:?}");
    let total = |client: &ClientResult| (client.wins, client.draws, client.losses);
    for figures in &result.clients {
        let own = seen.iter().any(|client| total(client) == (figures.wins, figures.draws, figures.losses));
        assert!(own && figures.turns > 0 && figures.overtime == 0, "{figures:?}");
    }
    let mut exported = Vec::new();
    export(&tesuji_standard::catalogue(), &Store::read(&store).unwrap(), |played| {
        exported.push(played);
        Ok(())
    })
    .unwrap();
    assert_eq!(exported.len(), 4);
    for (stored, played) in exported.iter().zip(&result.matches) {
        assert_eq!((&stored.labels[..], &stored.payoffs), (&played.players[..], &played.payoffs));
        assert_eq!(stored.steps.len(), played.actions);
    }
}

/// A scripted client.
struct Hand {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
    table: Option<MapMatch>,
    colour: u8,
}

impl Hand {
    fn new(address: SocketAddr) -> Hand {
        let stream = TcpStream::connect(address).unwrap();
        let reader = BufReader::new(stream.try_clone().unwrap());
        Hand { stream, reader, table: None, colour: 0 }
    }

    /// A client that is greeted before this returns, so that it is the first.
    fn first(address: SocketAddr) -> Hand {
        let mut hand = Hand::new(address);
        let mut line = String::new();
        hand.reader.read_line(&mut line).unwrap();
        assert_eq!(line, "name\r\n");
        hand.say(b"= hand\r\n\r\n");
        hand
    }

    fn say(&mut self, bytes: &[u8]) {
        drop(self.stream.write_all(bytes));
    }

    /// Plays correctly until the `genmoves`-th `Genmove`; false if the server disconnected before.
    fn play_until(&mut self, genmoves: usize) -> bool {
        let mut asked = 0;
        let mut line = String::new();
        loop {
            line.clear();
            if !matches!(self.reader.read_line(&mut line), Ok(1..)) {
                return false;
            }
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            let answer = match word {
                "name" => "hand".to_owned(),
                "MAP" => {
                    self.table = Some(
                        MapGame::read(&tesuji_standard::catalogue(), "t", &Source::new("map", rest)).unwrap().start(),
                    );
                    String::new()
                }
                "Color" => {
                    self.colour = rest.parse().unwrap();
                    String::new()
                }
                "play" => {
                    let table = self.table.as_mut().unwrap();
                    let FieldsMeaning::Actions(actions) = table.read_fields(rest).unwrap() else { panic!("{rest}") };
                    actions.iter().for_each(|action| table.play(action).unwrap());
                    String::new()
                }
                "Genmove" => {
                    asked += 1;
                    if asked == genmoves {
                        return true;
                    }
                    self.action()
                }
                "quit" => return false,
                _ => String::new(),
            };
            self.say(format!("= {answer}\r\n\r\n").as_bytes());
        }
    }

    /// The fields of the first legal action, which is also played here.
    fn action(&mut self) -> String {
        let table = self.table.as_mut().unwrap();
        let action = table.table().legal(Actor::Player(Player(self.colour)))[0].clone();
        let fields = table.fields(&action).unwrap();
        table.play(&action).unwrap();
        fields
    }
}

/// Serves one match of a scripted client, who is red, against one of ours.
fn against_hand(plan: ServerPlan, hand: impl FnOnce(&mut Hand) + Send + 'static) -> (ServedMatch, ServerResult) {
    let (address, server) = serve(plan);
    let mut first = Hand::first(address);
    let ours = our_client(address, "ours", "random");
    let hand = thread::spawn(move || hand(&mut first));
    let result = server.join().unwrap();
    hand.join().unwrap();
    ours.join().unwrap();
    (result.matches[0].clone(), result)
}

#[test]
fn clients_who_misbehave_lose_their_match() {
    let quick = || ServerPlan {
        catalogue: tesuji_standard::catalogue(),
        patience: Duration::from_secs(1),
        turn_time: Duration::from_millis(50),
        margin: Duration::from_millis(20),
        ..plan("meadow", 1)
    };
    let patient = || plan("meadow", 1);
    type Misdeed = fn(&mut Hand);
    let cases: [(&str, ServerPlan, Misdeed, &str); 8] = [
        ("silent", quick(), |hand| drop(hand.reader.read_to_end(&mut Vec::new())), "overtime"),
        (
            "half",
            quick(),
            |hand| {
                hand.say(b"= 0,1,");
                drop(hand.reader.read_to_end(&mut Vec::new()));
            },
            "overtime",
        ),
        ("dies", patient(), |hand| drop(hand.stream.shutdown(std::net::Shutdown::Both)), "hung up"),
        ("garbage", patient(), |hand| hand.say(b"\x00\xffwhat?\r\n"), "invalid answer"),
        ("endless", patient(), |hand| hand.say(&[b'='; 10_000_000]), "without a line break"),
        ("no action", patient(), |hand| hand.say(b"= hello\r\n\r\n"), "11 fields"),
        ("illegal", patient(), |hand| hand.say(b"= 0,9,9,1,1,-1,-1,-1,1,0,0\r\n\r\n"), "illegal action"),
        (
            "another match's action",
            patient(),
            |hand| {
                let action = hand.action();
                hand.say(format!("= {}\r\n\r\n", action.replacen(',', ",7,", 1)).as_bytes());
            },
            "illegal action",
        ),
    ];
    for (name, plan, misdeed, expected) in cases {
        let (played, result) = against_hand(plan, move |hand| {
            assert!(hand.play_until(2));
            misdeed(hand);
        });
        let (colour, foul) = played.foul.unwrap_or_else(|| panic!("{name}: no foul"));
        assert_eq!((colour, &played.payoffs[..]), (0, &[0.0, 1.0][..]), "{name}");
        assert!(foul.contains(expected), "{name}: {foul}");
        assert!(!played.events.is_empty(), "{name}: the event is recorded");
        assert_eq!((result.clients[0].fouls, result.clients[1].fouls), (1, 0), "{name}");
    }
}

#[test]
fn overtime_is_counted_and_the_match_goes_on() {
    // No turn is fast enough for a time of a nanosecond.
    let plan = ServerPlan { turn_time: Duration::from_nanos(1), margin: Duration::from_nanos(1), ..plan("meadow", 1) };
    let (played, result) = against_hand(plan, |hand| assert!(!hand.play_until(usize::MAX)));
    assert_eq!(played.foul, None);
    for client in &result.clients {
        assert_eq!(client.overtime, client.turns, "{client:?}");
    }
    assert!(played.events.iter().any(|event| event.what.contains("ms for a turn")));
}

#[test]
fn an_early_end_of_turn_and_a_surrender_are_understood() {
    let (played, _) = against_hand(plan("meadow", 1), |hand| {
        assert!(hand.play_until(1));
        // Type 3: all units stay.
        hand.say(b"= -1,-1,-1,-1,-1,-1,-1,-1,3,0,0\r\n\r\n");
        let table = hand.table.as_mut().unwrap();
        for action in table.table().end_turn(Player(0)) {
            table.play(&action).unwrap();
        }
        assert!(hand.play_until(1));
        hand.say(b"= -1,-1,-1,-1,-1,-1,-1,-1,0,0,0\r\n\r\n");
    });
    assert_eq!((played.foul, &played.payoffs[..]), (None, &[0.0, 1.0][..]));
    assert!(played.events.iter().any(|event| event.what == "surrendered"), "{:?}", played.events);
}

#[test]
fn who_comes_third_is_turned_away_and_who_speaks_unasked_is_told() {
    let server = TubstapServer::start(plan("meadow", 1)).unwrap();
    let address = server.address();
    let server = thread::spawn(move || server.run(&AtomicBool::new(false), |_| {}).unwrap());
    let mut hand = Hand::first(address);
    let ours = our_client(address, "ours", "random");
    assert!(hand.play_until(1));
    let mut third = TcpStream::connect(address).unwrap();
    let action = hand.action();
    hand.say(format!("= {action}\r\n\r\n= {action}\r\n\r\n").as_bytes());
    hand.play_until(usize::MAX);
    let result = server.join().unwrap();
    ours.join().unwrap();
    let told: Vec<&str> = result.matches[0].events.iter().map(|event| event.what.as_str()).collect();
    assert!(told.contains(&"sent a line without a request"), "{told:?}");
    assert!(told.iter().any(|what| what.starts_with("was refused")), "{told:?}");
    assert_eq!(result.matches[0].foul, None);
    assert_eq!(third.read(&mut [0; 10]).unwrap_or(0), 0, "the third connection is closed");
}

#[test]
fn a_client_that_died_comes_back_for_the_next_match() {
    let (address, server) = serve(plan("meadow", 2));
    let mut hand = Hand::first(address);
    let ours = our_client(address, "ours", "random");
    // It disconnects before its first action.
    assert!(hand.play_until(1));
    drop(hand);
    let mut again = Hand::new(address);
    again.play_until(usize::MAX);
    let result = server.join().unwrap();
    ours.join().unwrap();
    assert_eq!(result.broken_off, None);
    assert_eq!(result.matches.len(), 2);
    assert!(result.matches[0].foul.is_some() && result.matches[1].foul.is_none(), "{:?}", result.matches);
    assert!(result.clients.iter().any(|client| client.name == "hand" && client.fouls == 1));
}

#[test]
fn who_does_not_say_their_name_gets_no_place() {
    let (address, server) = serve(ServerPlan { patience: Duration::from_secs(2), ..plan("one-blow", 1) });
    let silent = TcpStream::connect(address).unwrap();
    let mut rude = TcpStream::connect(address).unwrap();
    rude.write_all(b"GET / HTTP/1.0\r\n\r\n").unwrap();
    let clients = [our_client(address, "ann", "random"), our_client(address, "bob", "random")];
    let result = server.join().unwrap();
    clients.into_iter().for_each(|client| assert_eq!(client.join().unwrap().finished, 1));
    assert_eq!((result.matches.len(), result.broken_off), (1, None));
    drop((silent, rude));
}

#[test]
fn a_series_without_clients_ends() {
    let (_, server) = serve(ServerPlan { wait: Duration::from_millis(60), ..plan("one-blow", 1) });
    let result = server.join().unwrap();
    assert!(result.broken_off.unwrap().contains("no client connected") && result.matches.is_empty());
}

/// The recorded exchange: what a server sends to `tesuji tubstap client --agent random`, and every byte of the answers.
/// `TESUJI_GOLDEN=create` rewrites the answers.
#[test]
fn the_recorded_exchange_repeats() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/tubstap.txt");
    let golden = fs::read_to_string(&path).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = our_client(listener.local_addr().unwrap(), "golden", "random");
    let mut stream = listener.accept().unwrap().0;
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut written: String =
        golden.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    for command in golden.lines().filter_map(|line| line.strip_prefix("> ")) {
        let sent = command.replace("THE-MAP", &map("meadow").map_line());
        stream.write_all(format!("{sent}\r\n").as_bytes()).unwrap();
        written.push_str(&format!("> {command}\n"));
        // An answer is a line and an empty line.
        for _ in 0..2 {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            written.push_str(&format!("< {}\n", line.replace("\r\n", "\\r\\n")));
        }
    }
    stream.write_all(b"quit\r\n").unwrap();
    let result = client.join().unwrap();
    assert_eq!(result.matches, 2);
    if std::env::var("TESUJI_GOLDEN").as_deref() == Ok("create") {
        fs::write(&path, written).unwrap();
        return;
    }
    assert_eq!(written, golden);
}

#[test]
fn a_server_that_is_not_there_is_told() {
    let gone = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let error = play(&client_plan(gone, "a", "random"), &AtomicBool::new(false)).unwrap_err();
    assert!(error.to_string().contains("no server at 127.0.0.1"), "{error}");
    let plan = ClientPlan { connect: "nowhere".to_owned(), ..client_plan(gone, "a", "random") };
    assert!(play(&plan, &AtomicBool::new(false)).unwrap_err().to_string().contains("no server at nowhere"));
}

#[test]
fn our_client_survives_nonsense() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = our_client(listener.local_addr().unwrap(), "c", "faulty(fault=panic,after=0)");
    let mut stream = listener.accept().unwrap().0;
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut ask = |command: &str| {
        stream.write_all(format!("{command}\r\n").as_bytes()).unwrap();
        let mut lines = [String::new(), String::new()];
        for line in &mut lines {
            reader.read_line(line).unwrap();
        }
        assert_eq!(lines[1], "\r\n");
        lines[0].trim().to_owned()
    };
    for command in ["dance", "Genmove", "play 1,2,3", "MAP SIZEX[3", "Color 7", "status"] {
        assert_eq!(ask(command), "=", "{command}");
    }
    assert_eq!(ask("NAME"), "= c");
    ask(&format!("MAP {}", map("one-blow").map_line()));
    ask("color 0");
    // An agent that panics lets a unit stay.
    let fields = ask("genmove");
    assert_eq!(fields.split(',').nth(8), Some("1"), "{fields}");
    drop((stream, reader));
    assert_eq!(client.join().unwrap().actions, 1);
}
