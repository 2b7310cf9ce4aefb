//! `tesuji-fuzz`: runs fuzz targets for a given time.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use clap::Parser;
use tesuji_fuzz::{NAMES, Plan, current_input, fuzz, target};

/// How many seconds longer than planned a target may take: for its seeds, and for shortening what it found.
const PATIENCE: f64 = 90.0;

/// Feeds changed inputs to every parser, protocol and store reader, and reports panics, hangs and broken properties.
///
/// Each target runs in a process of its own, so that a crash does not end the others. An input that breaks a target is
/// shortened and saved in `fuzz/found`, where every later run tries it first.
#[derive(Parser)]
struct Options {
    /// The targets; all if absent.
    targets: Vec<String>,
    /// Seconds in all, divided evenly among the targets.
    #[arg(long, default_value_t = 60.0)]
    seconds: f64,
    /// Changed inputs for each target, at most.
    #[arg(long)]
    inputs: Option<u64>,
    /// The seed of all changes: equal seeds try equal inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// List the targets and end.
    #[arg(long)]
    list: bool,
    /// Write the seeds of the targets to this folder, as a corpus for other fuzzers, and end.
    #[arg(long, value_name = "FOLDER")]
    write_seeds: Option<PathBuf>,
    /// Run in this process, and keep the current input in this file.
    #[arg(long, hide = true, value_name = "FILE")]
    inside: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let names: Vec<&str> =
        if options.targets.is_empty() { NAMES.to_vec() } else { options.targets.iter().map(String::as_str).collect() };
    if let Some(unknown) = names.iter().find(|name| !NAMES.contains(name)) {
        eprintln!("there is no target `{unknown}`; the targets are {}", NAMES.join(", "));
        return ExitCode::from(2);
    }
    if options.list {
        names.iter().for_each(|name| println!("{name}"));
        return ExitCode::SUCCESS;
    }
    let mut broken = 0;
    for name in &names {
        let held = match (&options.write_seeds, &options.inside) {
            (Some(folder), _) => write_seeds(name, folder),
            (None, Some(current)) => run(name, &options, current),
            (None, None) => start(name, &options, options.seconds / names.len() as f64),
        };
        broken += usize::from(!held);
    }
    if broken > 0 {
        eprintln!("{broken} of {} targets broke", names.len());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Runs a target in a process of its own. If the process crashes, its last input is saved.
fn start(name: &str, options: &Options, seconds: f64) -> bool {
    let current = std::env::temp_dir().join(format!("tesuji-fuzz-{}-{name}", std::process::id()));
    let mut command = match std::env::current_exe() {
        Ok(program) => Command::new(program),
        Err(error) => {
            eprintln!("cannot find this program: {error}");
            return false;
        }
    };
    command.arg(name).arg("--inside").arg(&current);
    command.args(["--seconds", &seconds.to_string(), "--seed", &options.seed.to_string()]);
    if let Some(inputs) = options.inputs {
        command.args(["--inputs", &inputs.to_string()]);
    }
    let held = match command.spawn().and_then(|child| wait(child, seconds)) {
        Ok(Some(status)) if matches!(status.code(), Some(0 | 1)) => status.success(),
        Ok(ended) => {
            let what = ended.map_or("the input never ends".to_owned(), |status| format!("the process ended: {status}"));
            report(name, &current_input(&current), &what);
            false
        }
        Err(error) => {
            eprintln!("{name}: cannot start: {error}");
            false
        }
    };
    drop(fs::remove_file(&current));
    held
}

/// Waits until a process ends; kills it if an input never ends.
fn wait(mut child: Child, seconds: f64) -> io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed().as_secs_f64() > seconds + PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn run(name: &str, options: &Options, current: &Path) -> bool {
    let Some(target) = target(name) else { return false };
    let plan = Plan {
        seconds: Some(options.seconds),
        inputs: options.inputs,
        seed: options.seed,
        current: Some(current.to_owned()),
    };
    let found = fuzz(&target, &plan);
    println!(
        "{name:<18} {:>9} inputs  {:>4} outcomes  slowest {:>7.1} ms  {} findings",
        found.inputs,
        found.outcomes,
        found.slowest.as_secs_f64() * 1e3,
        found.findings.len()
    );
    for finding in &found.findings {
        report(name, &finding.input, &finding.what);
    }
    found.findings.is_empty()
}

/// Prints a finding and saves its input.
fn report(name: &str, input: &[u8], what: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("found").join(name);
    // FNV-1a: a name for the file that is the same for the same input.
    let hash = input
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let path = folder.join(format!("{hash:016x}"));
    let saved = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, input));
    let place = saved.map_or_else(|error| format!("not saved: {error}"), |()| path.display().to_string());
    let shown: String = String::from_utf8_lossy(input).chars().take(200).collect();
    eprintln!("FOUND {name}: {what}\n  input: {shown:?}\n  file: {place}");
}

fn write_seeds(name: &str, folder: &Path) -> bool {
    let Some(target) = target(name) else { return false };
    let folder = folder.join(name);
    let written = fs::create_dir_all(&folder).and_then(|()| {
        target.seeds().iter().enumerate().try_for_each(|(index, seed)| fs::write(folder.join(index.to_string()), seed))
    });
    if let Err(error) = &written {
        eprintln!("{}: {error}", folder.display());
    }
    written.is_ok()
}
