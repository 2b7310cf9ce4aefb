//! `tesuji soak`

use std::env;
use std::path::absolute;
use std::process;
use std::time::{Duration, Instant};

use serde_json::json;
use tesuji_arena::{Catalogue, InputError, grouped};

use crate::arguments::SoakOptions;
use crate::interrupt;
use crate::output::Output;
use crate::soak::{Round, SoakPlan, examples, soak};

/// The length of a soak that names no limit.
const USUAL_MINUTES: f64 = 10.0;

pub(crate) fn run(catalogue: &Catalogue, options: &SoakOptions, output: &mut Output) -> Result<(), InputError> {
    let begun = Instant::now();
    let minutes = options.minutes.or(options.rounds.is_none().then_some(USUAL_MINUTES));
    let program = env::current_exe()
        .map_err(|error| InputError::new(format!("cannot find this program, to start it again: {error}")))?;
    let folder = match &options.folder {
        Some(folder) => absolute(folder)
            .map_err(|error| InputError::new(format!("cannot use the folder: {error}")).in_file(folder.display()))?,
        None => env::temp_dir().join(format!("tesuji-soak-{}", process::id())),
    };
    let games = if options.game.is_empty() { examples(catalogue) } else { options.game.clone() };
    for game in &options.game {
        catalogue.open(game)?;
    }
    let plan = SoakPlan {
        catalogue,
        games,
        program,
        folder: folder.clone(),
        seed: options.seed,
        rounds: options.rounds,
        until: minutes.map(|minutes| begun + Duration::from_secs_f64(60.0 * minutes)),
        stop: interrupt::flag(),
    };
    let mut totals = Totals::default();
    soak(&plan, &mut |round| {
        totals.add(round);
        print(round, output);
    })?;
    totals.print(begun.elapsed(), output);
    if totals.faults == 0 {
        // Empty if every round was without a fault.
        drop(std::fs::remove_dir(&folder));
        return Ok(());
    }
    Err(InputError::new(format!("{} of {} rounds found a fault", totals.faults, totals.rounds))
        .with_help("`tesuji soak --seed SEED --rounds 1` repeats the round with that seed"))
}

fn print(round: &Round, output: &mut Output) {
    if output.is_json() {
        return output.value(&json!(round));
    }
    let mut parts = vec![format!("seed {}: {:.1} s", round.seed, round.seconds)];
    if let Some(run) = &round.experiment {
        parts.push(format!("{} ({}): {} matches, {} kills", run.game, run.agents.join(", "), run.matches, run.kills));
    }
    if let Some(lab) = &round.lab {
        parts.push(format!("lab: {} requests, {} matches, {} kills", lab.requests, lab.matches, lab.kills));
    }
    output.line(parts.join("; "));
    for fault in &round.faults {
        output.line(format!("FAULT with seed {}: {fault}", round.seed));
    }
}

/// The figures of all rounds.
#[derive(Default)]
struct Totals {
    rounds: usize,
    faults: usize,
    matches: usize,
    run_kills: usize,
    run_kills_in_the_middle: usize,
    lab_kills: usize,
    lab_kills_in_flight: usize,
    lab_matches: usize,
    requests: usize,
    refused: usize,
    steps: usize,
}

impl Totals {
    fn add(&mut self, round: &Round) {
        self.rounds += 1;
        self.faults += usize::from(!round.faults.is_empty());
        if let Some(run) = &round.experiment {
            self.matches += run.matches;
            self.run_kills += run.kills;
            self.run_kills_in_the_middle += run.kills_in_the_middle;
        }
        if let Some(lab) = &round.lab {
            self.lab_kills += lab.kills;
            self.lab_kills_in_flight += lab.kills_in_flight;
            self.lab_matches += lab.matches;
            self.requests += lab.requests;
            self.refused += lab.refused;
            self.steps += lab.steps_compared;
        }
    }

    fn print(&self, time: Duration, output: &mut Output) {
        if output.is_json() {
            return output.value(&json!({
                "rounds": self.rounds, "faults": self.faults, "seconds": time.as_secs_f64(),
                "experiments": {
                    "matches": self.matches, "kills": self.run_kills,
                    "kills_in_the_middle": self.run_kills_in_the_middle,
                },
                "lab": {
                    "requests": self.requests, "refused": self.refused, "matches": self.lab_matches,
                    "kills": self.lab_kills, "kills_in_flight": self.lab_kills_in_flight, "steps_compared": self.steps,
                },
            }));
        }
        let number = |number: usize| grouped(number as u64);
        output.line(format!(
            "{} rounds in {:.0} s, {} with a fault",
            number(self.rounds),
            time.as_secs_f64(),
            self.faults
        ));
        output.line(format!(
            "experiments: {} matches compared, {} kills, {} of them with a part of the matches stored",
            number(self.matches),
            number(self.run_kills),
            number(self.run_kills_in_the_middle)
        ));
        output.line(format!(
            "lab: {} requests ({} refused), {} matches, {} steps compared, {} kills, {} of them during a request",
            number(self.requests),
            number(self.refused),
            number(self.lab_matches),
            number(self.steps),
            number(self.lab_kills),
            number(self.lab_kills_in_flight)
        ));
    }
}
