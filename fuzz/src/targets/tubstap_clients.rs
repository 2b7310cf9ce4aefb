//! TUBSTAP: the answers of a client, to our server.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tesuji_arena::Budget;
use tesuji_peers::tubstap::{ClientPlan, ServerPlan, TubstapServer, play};

use super::tubstap::{a_record, map_game};
use super::{Target, catalogue, size, told};

/// If the server sends no further command for this long, it waits for more of the answer.
const SILENCE: Duration = Duration::from_millis(30);

/// The pieces of an input: each is sent after a command and ends with an empty line.
fn pieces(input: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    let mut begin = 0;
    for end in 1..input.len() {
        let empty_line = input[end] == b'\n' && (input[end - 1] == b'\n' || input[..end].ends_with(b"\n\r"));
        if empty_line {
            pieces.push(&input[begin..=end]);
            begin = end + 1;
        }
    }
    pieces.push(&input[begin..]);
    pieces
}

/// Connects, and sends a piece after each command; collects the commands.
fn answer(address: SocketAddr, input: &[u8], commands: &mut String, connected: impl FnOnce()) -> io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(SILENCE))?;
    let mut buffer = [0; 16 << 10];
    let mut connected = Some(connected);
    for piece in pieces(input) {
        let heard = commands.len();
        while !commands[heard..].ends_with('\n') {
            match stream.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(count) => commands.push_str(&String::from_utf8_lossy(&buffer[..count])),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => break,
                Err(error) => return Err(error),
            }
        }
        if let Some(connected) = connected.take() {
            connected();
        }
        stream.write_all(piece)?;
    }
    Ok(())
}

/// Whatever a client answers, the server ends the match, and the other client loses nothing by it.
pub(super) fn clients(name: &'static str) -> Target {
    let plan = ServerPlan {
        catalogue: catalogue().clone(),
        host: "127.0.0.1".to_owned(),
        port: 0,
        map: map_game("meadow"),
        game: "tubstap".to_owned(),
        matches: 1,
        turn_time: Duration::from_secs(5),
        margin: Duration::from_millis(20),
        patience: Duration::from_secs(5),
        wait: Duration::from_secs(5),
        records: None,
        store: None,
        seed: 1,
    };
    let client = ClientPlan {
        catalogue: catalogue().clone(),
        connect: String::new(),
        agent: "random".to_owned(),
        name: "other".to_owned(),
        turn_time: Duration::from_millis(10),
        budget: Some(Budget::playouts(1)),
        seed: 1,
        log: Arc::new(|_| {}),
    };
    let record = a_record();
    let actions = record.lines().filter_map(|line| line.strip_prefix("ACTION[")?.strip_suffix("];"));
    // Name, opponent, map and colour, then six actions of red.
    let said = ["fuzz", "", "", ""].into_iter().chain(actions.take(6)).map(|text| format!("= {text}\r\n\r\n"));
    let surrender = "= fuzz\n\n=\n\n=\n\n=\n\n= -1,-1,-1,-1,-1,-1,-1,-1,3,0,0\n\n";
    let seeds = vec![said.collect::<String>().into_bytes(), surrender.as_bytes().to_vec()];
    let run = move |input: &[u8]| {
        let server = TubstapServer::start(plan.clone()).unwrap_or_else(|error| panic!("{error}"));
        let address = server.address();
        let other = ClientPlan { connect: address.to_string(), ..client.clone() };
        let stop = AtomicBool::new(false);
        let served = thread::scope(|scope| {
            scope.spawn(|| {
                let mut commands = String::new();
                // The other client comes second, and so plays blue.
                let connected = || drop(scope.spawn(|| drop(play(&other, &stop))));
                // A server that has had enough hangs up.
                drop(answer(address, input, &mut commands, connected));
                if !commands.contains("opponent") {
                    // It has no place: nobody else comes.
                    stop.store(true, Ordering::Relaxed);
                }
            });
            let served = server.run(&stop, |_| {});
            stop.store(true, Ordering::Relaxed);
            served
        });
        told(served, |result| match &result.matches[..] {
            [] => result.broken_off.unwrap_or_default(),
            [played] => {
                assert!((played.payoffs.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{played:?}");
                assert!(
                    played.foul.as_ref().is_none_or(|(player, _)| *player == 0),
                    "the other one is blamed: {played:?}"
                );
                let foul = played.foul.as_ref().map_or("", |(_, foul)| foul);
                format!("{} actions, {} events, {foul}", size(played.actions), size(played.events.len()))
            }
            played => panic!("{} matches instead of one", played.len()),
        })
    };
    let words = &["= ", "=\n\n", "\r\n\r\n", "-1", ",", "? error\n\n", "= -1,-1,-1,-1,-1,-1,-1,-1,0,0,0\n\n", "\0"];
    Target::new(name, Box::new(run), seeds, words).slow(60)
}
