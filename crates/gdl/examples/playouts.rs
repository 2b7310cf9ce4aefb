//! Measures uniform random playouts on the network engine, one at a time, without the rest of the program.
//!
//! `cargo run --release -p tesuji-gdl --example playouts -- SECONDS SHEET…`; a sheet is a bundled one or a file. A
//! second is one of processor time where Linux reports it, else one of the clock. `checksum` depends on the first
//! playouts' results: it must not change when the engine becomes faster.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tesuji_core::{Rng, Source};
use tesuji_gdl::{GroundingLimits, Machine, SHEETS, Sheet, compile};

/// Playouts that the checksum covers, and the most steps of each.
const CHECKED: u64 = 200;
const MOST_STEPS: u32 = 1_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().ok_or("usage: playouts SECONDS SHEET…")?.parse()?;
    println!(
        "{:24} {:>12} {:>8} {:>9} {:>9} {:>9} {:>16}",
        "sheet", "playouts/s", "steps", "ns/step", "network s", "machine s", "checksum"
    );
    for name in arguments {
        let text = match SHEETS.iter().find(|(bundled, _)| *bundled == name) {
            Some((_, text)) => (*text).to_owned(),
            None => String::from_utf8_lossy(&std::fs::read(&name)?).into_owned(),
        };
        let sheet = Sheet::read(Source::new(name.clone(), text))?;
        let started = Stopwatch::start();
        let compiled = match compile(&sheet, &GroundingLimits::default(), &|| false)? {
            Ok(compiled) => compiled,
            Err(obstacle) => {
                println!("{name}: no network: {obstacle}");
                continue;
            }
        };
        let network = started.seconds();
        let started = Stopwatch::start();
        let mut machine = Machine::new(Arc::new(compiled.network));
        let wired = started.seconds();
        let start = machine.facts().to_vec();
        let mut rng = Rng::new(1);
        let mut payoffs = Vec::new();
        let (mut playouts, mut steps, mut checksum) = (0u64, 0u64, 0u64);
        let started = Stopwatch::start();
        while playouts < CHECKED || started.seconds() < seconds {
            for _ in 0..CHECKED {
                machine.load(&start);
                steps += u64::from(machine.play_out(MOST_STEPS, &mut rng));
                machine.payoffs(&mut payoffs);
                if playouts < CHECKED {
                    let results = payoffs.iter().map(|payoff| payoff.map_or(u64::MAX, |payoff| payoff as u64));
                    checksum = results.fold(checksum.wrapping_mul(31) ^ steps, |sum, result| {
                        sum.wrapping_mul(31).wrapping_add(result)
                    });
                }
                playouts += 1;
            }
        }
        let elapsed = started.seconds();
        let short = name.rsplit('/').next().unwrap_or(&name);
        println!(
            "{short:24} {:>12.0} {:>8.1} {:>9.0} {network:>9.2} {wired:>9.2} {checksum:016x}",
            playouts as f64 / elapsed,
            steps as f64 / playouts as f64,
            elapsed / steps as f64 * 1e9,
        );
    }
    Ok(())
}

/// Measures the processor time of this thread, or the time of the clock if that is unknown.
struct Stopwatch {
    processor: Option<Duration>,
    clock: Instant,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch { processor: processor_time(), clock: Instant::now() }
    }

    fn seconds(&self) -> f64 {
        let processor = self.processor.zip(processor_time()).map(|(started, now)| now.saturating_sub(started));
        processor.unwrap_or_else(|| self.clock.elapsed()).as_secs_f64()
    }
}

/// The processor time of this thread so far: the first number that Linux reports.
fn processor_time() -> Option<Duration> {
    let report = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(report.split_whitespace().next()?.parse().ok()?))
}
