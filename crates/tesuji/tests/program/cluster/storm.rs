//! A storm: workers, collector and server are killed with -9 at random moments and restarted, several times each.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{PATIENCE, Process, Server, alone, collector, in_background, tesuji_at};
use crate::started::{folder, printed};

/// The storm ends when so many were killed: collectors, servers, workers.
const ENOUGH: [u32; 3] = [3, 3, 6];
/// How long one experiment may take in the storm, beside the usual patience.
const STORM: Duration = Duration::from_secs(60);

/// A small generator: the moments of kills need not repeat, the variety matters.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

/// The same command at a low priority: a storm should not slow other tests down.
fn nicely(command: &Command, folder: &Path) -> Command {
    let mut nice = Command::new("nice");
    nice.args(["-n", "15"]).arg(command.get_program()).args(command.get_args()).current_dir(folder);
    nice.stdin(Stdio::null());
    nice
}

struct Storm {
    folder: std::path::PathBuf,
    server: Server,
    workers: Vec<Option<Process>>,
    dice: Dice,
    kills: [u32; 3],
}

impl Storm {
    fn worker(&self, number: usize) -> Process {
        let name = format!("storm-{number}");
        let elsewhere = self.folder.join(format!("at-{name}"));
        fs::create_dir_all(&elsewhere).unwrap();
        let log = fs::File::options().create(true).append(true).open(elsewhere.join("err")).unwrap();
        let plain = in_background(&elsewhere, &name, &["work", &self.server.url(), "--threads", "1", "--name", &name]);
        Process::start(nicely(&plain, &elsewhere).stdout(Stdio::null()).stderr(log))
    }

    fn collector(&self, file: &str) -> Process {
        let plain = collector(&self.folder, &self.server, file, &[]);
        let open = |ending: &str| {
            fs::File::options().create(true).append(true).open(self.folder.join(format!("{file}.{ending}"))).unwrap()
        };
        Process::start(nicely(&plain, &self.folder).stdout(open("out")).stderr(open("err")))
    }

    fn is_over(&self) -> bool {
        self.kills.iter().zip(ENOUGH).all(|(&kills, enough)| kills >= enough)
    }

    /// Starts again what has ended by itself, as an init system would: a worker or collector that met a dead server.
    fn revive(&mut self) {
        for number in 0..self.workers.len() {
            if self.workers[number].as_mut().is_none_or(Process::has_ended) {
                self.workers[number] = Some(self.worker(number));
            }
        }
    }

    /// Collects an experiment in the storm, and returns what the last collector printed.
    fn collect(&mut self, file: &str) -> String {
        let mut process = self.collector(file);
        let begun = Instant::now();
        let mut next = Instant::now() + Duration::from_millis(300);
        loop {
            thread::sleep(Duration::from_millis(20));
            assert!(begun.elapsed() < STORM + PATIENCE, "`{file}` is not collected: {:?} kills", self.kills);
            self.revive();
            if process.has_ended() {
                if process.0.wait().unwrap().success() {
                    break;
                }
                process = self.collector(file);
            }
            if Instant::now() < next || self.is_over() {
                continue;
            }
            next = Instant::now() + Duration::from_millis(200 + self.dice.below(1500));
            let pause = Duration::from_millis(self.dice.below(500));
            match self.dice.below(4) {
                0 => {
                    self.kills[0] += 1;
                    process.kill();
                    thread::sleep(pause);
                    process = self.collector(file);
                }
                1 => {
                    self.kills[1] += 1;
                    self.server.kill();
                    thread::sleep(pause);
                    self.server.start();
                }
                _ => {
                    self.kills[2] += 1;
                    let victim = self.dice.below(self.workers.len() as u64) as usize;
                    self.workers[victim] = None;
                }
            }
        }
        let printed = fs::read_to_string(self.folder.join(format!("{file}.out"))).unwrap();
        printed.lines().last().unwrap_or_default().to_owned() + "\n"
    }
}

#[test]
fn a_storm_changes_nothing() {
    let folder = folder("cluster-storm");
    let Some(server) = Server::new(&folder) else { return };
    let mut storm = Storm { folder: folder.clone(), server, workers: Vec::new(), dice: Dice(11), kills: [0; 3] };
    storm.workers.resize_with(3, || None);
    let mut rounds = 0;
    while !storm.is_over() {
        rounds += 1;
        let file = format!("round-{rounds}.toml");
        let text = format!(
            "title = \"storm {rounds}\"\ngames = [\"connect-four(5,4,3)\"]\nagents = [\"uct\", \"mc\"]\n\
             seed = {rounds}\npairs = 400\nbudget = {{ playouts = 150 }}\n"
        );
        fs::write(folder.join(&file), text).unwrap();
        let collected = storm.collect(&file);
        assert_eq!(collected, alone(&folder, &file), "round {rounds} after {:?} kills", storm.kills);
        let matches = printed(&tesuji_at(&folder, &["export", &format!("{file}.db")])).lines().count();
        assert_eq!(matches, 800, "nothing twice, nothing lost");
        assert!(printed(&tesuji_at(&folder, &["store", "verify", &format!("{file}.db")])).contains("whole"));
    }
    let [collectors, servers, workers] = storm.kills;
    println!("{rounds} rounds; killed: collector {collectors}, server {servers}, workers {workers}");
}
