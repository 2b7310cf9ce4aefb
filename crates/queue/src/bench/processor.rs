//! Processor time of child processes and of the server, where the system tells it (Linux).

use std::fs;

/// Ticks of processor time in a second: what Linux tells programs on every machine (`USER_HZ`).
const TICKS: f64 = 100.0;

/// The fields of `/proc/PID/stat` behind the name of the program, which may contain anything.
fn fields(text: &str) -> Option<Vec<u64>> {
    let (_, rest) = text.rsplit_once(')')?;
    // The first field is a letter; some are negative.
    Some(rest.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect())
}

/// The sum of two neighbouring fields in seconds: time in the program, and in the system for it.
fn seconds(process: &str, first: usize) -> Option<f64> {
    let fields = fields(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?)?;
    Some((fields.get(first)? + fields.get(first + 1)?) as f64 / TICKS)
}

/// The processor time of all children of this process that have ended and were awaited, in seconds.
pub(super) fn of_ended_children() -> Option<f64> {
    // Fields 16 and 17 of proc(5): cutime and cstime.
    seconds("self", 13)
}

/// The process of a server on this machine.
pub(super) struct ServerTime(String);

impl ServerTime {
    /// The process that listens at an address on loopback; `None` if it is elsewhere or cannot be found.
    pub(super) fn find(url: &str) -> Option<ServerTime> {
        let address = url.split_once("://").map_or(url, |(_, address)| address);
        let (host, port) = address.rsplit_once(':').unwrap_or((address, "4222"));
        if !["127.0.0.1", "localhost", "[::1]"].contains(&host) {
            return None;
        }
        let port: u16 = port.parse().ok()?;
        let sockets: Vec<String> = ["/proc/net/tcp", "/proc/net/tcp6"]
            .iter()
            .filter_map(|path| fs::read_to_string(path).ok())
            .flat_map(|text| listening(&text, port))
            .map(|inode| format!("socket:[{inode}]"))
            .collect();
        let processes = fs::read_dir("/proc").ok()?.flatten().map(|entry| entry.file_name());
        processes
            .filter_map(|name| name.into_string().ok())
            .filter(|name| name.bytes().all(|letter| letter.is_ascii_digit()))
            .find(|name| holds(name, &sockets))
            .map(ServerTime)
    }

    /// Its processor time so far, in seconds.
    pub(super) fn seconds(&self) -> Option<f64> {
        // Fields 14 and 15 of proc(5): utime and stime.
        seconds(&self.0, 11)
    }
}

/// The numbers of sockets that listen at a port, in the table of `/proc/net/tcp`.
fn listening(table: &str, port: u16) -> Vec<String> {
    /// The state of a socket that listens.
    const LISTEN: &str = "0A";
    let ending = format!(":{port:04X}");
    let lines = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let found = lines.filter(|line| line.len() > 9 && line[1].ends_with(&ending) && line[3] == LISTEN);
    found.map(|line| line[9].to_owned()).collect()
}

/// Has a process one of these sockets open?
fn holds(process: &str, sockets: &[String]) -> bool {
    let Ok(files) = fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    let mut targets = files.flatten().filter_map(|file| fs::read_link(file.path()).ok());
    targets.any(|target| sockets.iter().any(|socket| target.as_os_str() == socket.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_may_be_named_like_anything() {
        let found = fields("7 (a) b) (c) S 1 2 -3 4").unwrap();
        assert_eq!(found, [0, 1, 2, 0, 4]);
        assert_eq!(fields("nothing"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_process_that_listens_is_found() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let found = ServerTime::find(&format!("nats://127.0.0.1:{port}")).unwrap();
        assert_eq!(found.0, std::process::id().to_string());
        assert!(found.seconds().is_some() && of_ended_children().is_some());
        assert!(ServerTime::find(&format!("nats://example.org:{port}")).is_none());
        drop(listener);
        assert!(ServerTime::find(&format!("nats://127.0.0.1:{port}")).is_none());
    }
}
