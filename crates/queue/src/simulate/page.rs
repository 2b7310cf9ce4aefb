//! The page about simulations: tables, plots, and the limits that they show.

use tesuji_arena::{ReportPage, grouped};

use super::Simulated;

/// A figure of a simulation.
type Figure = fn(&Simulated) -> f64;

/// A page about simulations with different numbers of workers and bounds of a task's time.
pub fn page(results: &[Simulated]) -> ReportPage {
    let mut page = ReportPage::new("A queue with thousands of workers");
    page.paragraph(
        "Virtual workers with one thread each, the scheduling code of the collector, and a virtual clock: the command \
         “tesuji queue simulate” makes this page. Speeds of workers differ (log-normal, standard deviation 0.5 of the \
         logarithm). Sessions have exponential lengths, half an hour on average unless told otherwise, and half of \
         them end without a word. A pair takes one second on a worker of speed 1.",
    );
    page.section("Results");
    let columns = [
        "Workers",
        "Longest task",
        "Pairs a second",
        "Efficiency",
        "Wasted",
        "Idle",
        "Tail",
        "Mean task",
        "Messages a second",
        "Collector busy",
        "Memory",
    ];
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let row = |found: &Simulated| {
        vec![
            grouped(found.workers as u64),
            format!("{:.0} s", found.longest_task),
            grouped(found.pairs_per_second as u64),
            percent(found.efficiency),
            percent(found.wasted),
            percent(found.idle),
            format!("{:.0} s", found.tail),
            format!("{:.1} s", found.task_seconds),
            grouped(found.messages_per_second as u64),
            percent(found.collector_busy),
            format!("{:.1} MB", found.megabytes),
        ]
    };
    page.table("Simulations", &columns, results.iter().map(row).collect());
    page.paragraph(
        "Efficiency is the share of the workers' time that became results. Wasted time went into pairs that were lost \
         with a worker, played twice, or not needed any more at the end. The tail is the time from 99 % of the pairs \
         to all of them. Messages are those of the collector: tasks, answers, acknowledgements and signs of life.",
    );
    let plots: [(&str, &str, Figure); 4] = [
        ("Efficiency by the number of workers", "% of the workers' time", |found| found.efficiency * 100.0),
        ("Messages of the collector by the number of workers", "messages a second", |found| found.messages_per_second),
        ("Time that the collector is busy", "% of one core", |found| found.collector_busy * 100.0),
        ("The last hundredth of an experiment", "seconds", |found| found.tail),
    ];
    let mut bounds: Vec<f64> = results.iter().map(|found| found.longest_task).collect();
    bounds.sort_by(f64::total_cmp);
    bounds.dedup();
    for (caption, unit, value) in plots {
        let line = |bound: &f64| {
            let mut points: Vec<(f64, f64)> = results
                .iter()
                .filter(|found| found.longest_task == *bound)
                .map(|found| (found.workers as f64, value(found)))
                .collect();
            points.sort_by(|one, two| one.0.total_cmp(&two.0));
            (format!("tasks up to {bound:.0} s"), points)
        };
        page.logarithmic_plot(caption, "workers", unit, bounds.iter().map(line).collect());
    }
    limits(&mut page, results);
    page
}

/// Names what limits a queue, as far as the simulations show it.
fn limits(page: &mut ReportPage, results: &[Simulated]) {
    page.section("Limits");
    let largest = results.iter().filter(|found| found.collector_busy > 0.0);
    let largest =
        largest.max_by(|one, two| one.workers.cmp(&two.workers).then(one.longest_task.total_cmp(&two.longest_task)));
    if let Some(found) = largest {
        let most = found.workers as f64 / found.collector_busy;
        page.paragraph(&format!(
            "One collector is busy for {:.0} % of the time with {} workers and tasks of up to {:.0} s. It would be \
             fully busy with about {} of them, at pairs of one second. Shorter pairs need more of it: the number of \
             threads divided by the seconds of a pair must stay below what one collector takes a second.",
            found.collector_busy * 100.0,
            grouped(found.workers as u64),
            found.longest_task,
            grouped(most as u64)
        ));
    }
    page.paragraph(
        "Beyond that, split an experiment by its pairings: each part has its own collector and store, and “tesuji \
         merge” joins the stores. Longer tasks relieve collector and server, and cost a longer tail: so the queue \
         has tasks of 5 s for few workers, and lets them grow to 30 s from 1,000 threads to 6,000. The server is not \
         modelled: each worker holds a connection, gives a sign of life every ten seconds, and polls while it has \
         nothing to play.",
    );
}
