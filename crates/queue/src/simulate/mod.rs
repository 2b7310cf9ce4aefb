//! A simulation of a queue with thousands of workers that come and go, by the collector's own `Scheduler` and a
//! virtual clock.
//!
//! What is modelled: workers of unequal speed with one thread each; sessions of exponential length, half of which end
//! without a word; a server that gives a task to another worker when nothing was heard for [`PATIENCE`]; the delay of
//! messages; a collector that takes time for each answer. What is not: the server's own limits, the network's
//! bandwidth, several experiments.

mod page;
mod world;

pub use page::page;

use serde::Serialize;

/// A worker that gives no sign for this many seconds loses its task.
pub const PATIENCE: f64 = 30.0;

/// What to simulate.
#[derive(Clone, Debug)]
pub struct SimulationPlan {
    /// Workers at the same time.
    pub workers: usize,
    /// The spread of their speeds: the standard deviation of the logarithm. 0.5: the fastest of 100 is about ten times
    /// as fast as the slowest.
    pub spread: f64,
    /// The mean length of a session, in seconds.
    pub session: f64,
    /// Seconds that a pair takes on a worker of speed 1.
    pub seconds_per_pair: f64,
    /// How long the experiment would take if nothing were lost, in seconds.
    pub length: f64,
    /// The longest time of a task, in seconds; the queue has 30.
    pub longest_task: f64,
    /// The collector's time for an answer and for each of its pairs, in seconds.
    pub collector: (f64, f64),
    /// Fixes everything random.
    pub seed: u64,
}

impl Default for SimulationPlan {
    fn default() -> SimulationPlan {
        SimulationPlan {
            workers: 10_000,
            spread: 0.5,
            session: 1800.0,
            seconds_per_pair: 1.0,
            length: 1800.0,
            longest_task: crate::schedule::LONGEST_TASK,
            collector: (100e-6, 40e-6),
            seed: 1,
        }
    }
}

/// The result of a simulation.
#[derive(Clone, Debug, Serialize)]
pub struct Simulated {
    /// Workers at the same time.
    pub workers: usize,
    /// The longest time of a task.
    pub longest_task: f64,
    /// Pairs of the experiment.
    pub pairs: u64,
    /// Seconds until all pairs were there.
    pub seconds: f64,
    /// Pairs a second, on average.
    pub pairs_per_second: f64,
    /// The share of the workers' time that became results.
    pub efficiency: f64,
    /// The share of the workers' time that was spent on pairs that were lost or played twice.
    pub wasted: f64,
    /// The share of the workers' time without a task.
    pub idle: f64,
    /// Seconds from 99 % of the pairs to all of them.
    pub tail: f64,
    /// The mean time of a task on its worker, in seconds.
    pub task_seconds: f64,
    /// Messages that the collector sends and receives a second.
    pub messages_per_second: f64,
    /// The share of the time that the collector is busy.
    pub collector_busy: f64,
    /// The collector's memory for tasks and workers, in megabytes; answers that wait are not in it.
    pub megabytes: f64,
}

/// Simulates an experiment.
pub fn simulate(plan: &SimulationPlan) -> Simulated {
    world::World::new(plan).run()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(workers: usize) -> SimulationPlan {
        SimulationPlan { workers, length: 600.0, ..SimulationPlan::default() }
    }

    #[test]
    fn a_simulation_repeats_from_its_seed_and_loses_little() {
        let one = simulate(&small(200));
        assert_eq!(format!("{one:?}"), format!("{:?}", simulate(&small(200))));
        assert!(one.efficiency > 0.85 && one.efficiency <= 1.0, "{one:?}");
        assert!(one.wasted < 0.05 && one.idle < 0.12, "{one:?}");
        assert!(one.efficiency + one.wasted + one.idle < 1.02, "{one:?}");
        let other = simulate(&SimulationPlan { seed: 2, ..small(200) });
        assert_ne!(other.seconds, one.seconds);
    }

    #[test]
    fn tasks_grow_with_the_number_of_workers_and_workers_that_never_leave_waste_nothing() {
        let few = simulate(&small(100));
        let many = simulate(&small(3_000));
        assert!(many.task_seconds > 1.8 * few.task_seconds, "{few:?} {many:?}");
        assert!(many.messages_per_second < 1_800.0, "{many:?}");
        let loyal = simulate(&SimulationPlan { session: 1e9, ..small(100) });
        assert!(loyal.wasted < 0.001, "{loyal:?}");
    }
}
