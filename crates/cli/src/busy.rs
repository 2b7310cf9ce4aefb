//! A warning before experiments that depend on a clock, if other programs take the machine's cores.

use std::io::{IsTerminal, stderr};
use std::thread;

/// Says on a terminal that `threads` more threads will not have a core each.
pub(crate) fn warn(threads: usize) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if let Some(load) = load()
        && stderr().is_terminal()
        && let Some(warning) = warning(load, cores, threads)
    {
        eprintln!("{warning}");
    }
}

/// The mean number of threads that ran in the last minute; unknown where the system does not tell it in a file.
fn load() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn warning(load: f64, cores: usize, threads: usize) -> Option<String> {
    // Half a core is what the programs of a desktop take.
    let spare = cores as f64 - load + 0.5;
    (spare < threads as f64).then(|| {
        format!(
            "other programs keep {load:.1} of {cores} core(s) busy, and {threads} thread(s) are to play against the \
             clock: results will differ from those of an idle machine"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_warns_where_threads_outnumber_idle_cores() {
        assert_eq!(warning(0.3, 2, 2), None);
        assert_eq!(warning(1.2, 2, 1), None);
        assert!(warning(1.2, 2, 2).unwrap().starts_with("other programs keep 1.2 of 2 core(s) busy, and 2 thread(s)"));
        assert!(warning(9.0, 8, 1).is_some());
    }
}
