//! TUBSTAP: maps, records, the fields of actions, and the commands of a server.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use tesuji_arena::tubstap::{FieldsMeaning, MapGame};
use tesuji_arena::{Budget, Source};
use tesuji_games::tubstap::{Map, Record};
use tesuji_peers::tubstap::{ClientPlan, play};

use super::{Target, catalogue, file, files, size, text, told};

const WORDS: &[&str] = &[
    "SIZEX[",
    "SIZEY[",
    "TURNLIMIT[",
    "HPTHRESHOLD[",
    "UNITNUMRED[",
    "UNITNUMBLUE[",
    "AUTHER[",
    "MAP[",
    "UNIT[",
    "];",
    "ACTION[",
    "TURNINFO[",
    "PLAYEDRULE[",
    "fighter",
    "infantry",
    "-1,-1,-1,-1,-1,-1,-1,-1,0,0,0",
    ",",
];

/// A map reads back as it is written.
pub(super) fn maps(name: &'static str) -> Target {
    let run = |input: &[u8]| {
        told(Map::from_bytes("fuzz.tbsmap", input), |map| {
            let written = map.write();
            let again = Map::read(&Source::new("again.tbsmap", &written));
            let again = again.unwrap_or_else(|error| panic!("the written map is refused: {error}"));
            assert_eq!(again.write(), written, "the map is written in two ways");
            "a map".to_owned()
        })
    };
    Target::new(name, Box::new(run), files("data/maps", ".tbsmap"), WORDS)
}

/// The text of a short match on a bundled map.
pub(super) fn a_record() -> String {
    let game = map_game("meadow");
    let mut table = game.start();
    for _ in 0..12 {
        let Some(mover) = table.mover() else { break };
        let legal = table.table().legal(tesuji_arena::Actor::Player(mover));
        let Some(action) = legal.get(legal.len() / 2) else { break };
        table.play(action).unwrap_or_else(|error| panic!("{error}"));
    }
    table.record(["a".to_owned(), "b".to_owned()], "today").unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn map_game(name: &str) -> MapGame {
    let map = Source::new(name, text(&file(&format!("data/maps/{name}.tbsmap"))));
    MapGame::read(catalogue(), name, &map).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A record that is read can be written again.
pub(super) fn records(name: &'static str) -> Target {
    let run = |input: &[u8]| {
        told(Record::from_bytes("fuzz.txt", input), |record| {
            let written = record.write().unwrap_or_else(|error| panic!("a record that was read: {error}"));
            format!("a record of {} actions", size(record.actions.len() + usize::from(written.is_empty())))
        })
    };
    Target::new(name, Box::new(run), vec![a_record().into_bytes()], WORDS)
}

/// Each line holds the fields of an action, as clients and servers send them.
pub(super) fn fields(name: &'static str) -> Target {
    let game = map_game("meadow");
    let record = a_record();
    let actions = record.lines().filter_map(|line| line.strip_prefix("ACTION[")?.strip_suffix("];"));
    let seed = actions.collect::<Vec<_>>().join("\n").into_bytes();
    let run = move |input: &[u8]| {
        let mut table = game.start();
        let mut outcome = String::new();
        for line in text(input).lines().take(20) {
            outcome = told(table.read_fields(line), |meaning| match meaning {
                FieldsMeaning::Surrender => "surrender".to_owned(),
                FieldsMeaning::Actions(actions) => {
                    for action in &actions {
                        table.play(action).unwrap_or_else(|error| panic!("`{line}` means `{action}`: {error}"));
                    }
                    format!("{} actions", size(actions.len()))
                }
            });
        }
        outcome
    };
    Target::new(name, Box::new(run), vec![seed, b"-1,-1,-1,-1,-1,-1,-1,-1,3,0,0".to_vec()], &["-1", "0", "3", ","])
}

/// The bytes of a server, to our client.
pub(super) fn network(name: &'static str) -> Target {
    let map: String = text(&file("data/maps/one-blow.tbsmap")).lines().collect();
    let seeds = vec![
        format!("name\r\nopponent x\r\nMAP {map}\r\nColor 0\r\nGenmove\r\nGenmove\r\ngameover\r\nquit\r\n")
            .into_bytes(),
        format!("MAP {map}\r\nColor 1\r\nplay 0,1,1,1,2,-1,-1,-1,1,0,0\r\nstatus\r\nGenmove\r\n").into_bytes(),
    ];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap_or_else(|error| panic!("no socket: {error}"));
    let address = listener.local_addr().unwrap_or_else(|error| panic!("no address: {error}"));
    let plan = ClientPlan {
        catalogue: catalogue().clone(),
        connect: address.to_string(),
        agent: "random".to_owned(),
        name: "fuzz".to_owned(),
        turn_time: Duration::from_millis(10),
        budget: Some(Budget::playouts(1)),
        seed: 1,
        log: Arc::new(|_| {}),
    };
    let run = move |input: &[u8]| {
        let played = thread::scope(|scope| {
            let playing = scope.spawn(|| play(&plan, &AtomicBool::new(false)));
            if let Ok((mut stream, _)) = listener.accept() {
                // A client that has had enough hangs up.
                drop(stream.write_all(input));
                drop(stream.shutdown(Shutdown::Write));
                drop(stream.read_to_end(&mut Vec::new()));
            }
            playing.join().unwrap_or_else(|_| panic!("the client panicked"))
        });
        told(played, |result| {
            let [matches, actions, finished] =
                [result.matches, result.actions, result.finished].map(|count| size(count as usize));
            format!("{matches} matches, {actions} actions, {finished} finished")
        })
    };
    let words = &["name", "opponent ", "MAP ", "Color 0", "Color 1", "Genmove", "play ", "status", "gameover", "\r\n"];
    Target::new(name, Box::new(run), seeds, words)
}
