//! `tesuji rank`

use serde_json::{Value, json};
use tesuji_arena::experiment::{EnteredGame, Experiment};
use tesuji_arena::statistics::Tally;
use tesuji_arena::{Catalogue, Summary};

use super::run::{duplicates, judge};
use super::series::{Terms, carry_out, mark_interrupted};
use crate::arguments::RankOptions;
use crate::failure::{Outcome, about};
use crate::output::{Output, table};
use crate::table::Cell;
use crate::times;

pub(crate) fn run(catalogue: &Catalogue, options: &RankOptions, threads: usize, output: &mut Output) -> Outcome {
    let terms = Terms::of(&options.conditions)?;
    let game = EnteredGame::open(catalogue, &options.game).map_err(|error| about(&options.game, error))?;
    let seed = options.conditions.seed;
    let experiment = Experiment::round_robin(game, &options.agents, terms.budget, options.matches, seed);
    let experiment = experiment.map_err(|error| about(&options.agents.join(" "), error))?;
    let name = experiment.games[0].game.spec().name.clone();
    let (end, summary) = carry_out(experiment, &terms, &options.conditions, threads, output)?;
    let ranking = ranking(&summary);
    if output.is_json() {
        let mut value = json!(summary);
        value["ranking"] = ranking.iter().map(Ranked::json).collect();
        mark_interrupted(&mut value, &end);
        output.value(&value);
    } else {
        let budget = times::budget(&terms.budget);
        output.line(format!("{name}: {} matches, seed {seed}, budget {budget}", summary.matches));
        print(&ranking, output);
        if ranking.len() > 2 {
            print_meetings(&ranking, &summary, output);
        }
        summary.results.iter().for_each(|result| duplicates(result, output));
        for result in &summary.results {
            result.fouls.iter().for_each(|foul| {
                output.line(format!("forfeit: {} against {}: {foul}", result.first, result.second));
            });
        }
        if let Some(file) = &options.conditions.save {
            output.hint(format!("`tesuji run {}` plays it again", file.display()));
        }
    }
    judge(&end, options.conditions.store.as_deref())
}

/// An agent of the ranking.
struct Ranked<'a> {
    /// Its place among the agents of the summary.
    index: usize,
    label: &'a str,
    elo: Option<f64>,
    interval: Option<(f64, f64)>,
    tally: Tally,
    milliseconds: f64,
}

impl Ranked<'_> {
    fn json(&self) -> Value {
        json!({
            "agent": self.label,
            "elo": self.elo,
            "interval": self.interval,
            "matches": self.tally.matches(),
            "wins": self.tally.wins,
            "draws": self.tally.draws,
            "losses": self.tally.losses,
            "win_rate": self.tally.rate(),
            "milliseconds_per_decision": self.milliseconds,
        })
    }
}

/// The agents, the best first: by rating, or by win rate where ratings are not determinable.
fn ranking(summary: &Summary) -> Vec<Ranked<'_>> {
    let ratings = summary.ratings.first().and_then(|rated| rated.ratings.as_ref());
    let tally = |label: &str| {
        let mut total = Tally::default();
        for result in &summary.results {
            let Tally { wins, draws, losses } = result.tally;
            let (wins, losses) = if result.first == label { (wins, losses) } else { (losses, wins) };
            if result.agents.iter().any(|agent| agent == label) {
                total = Tally { wins: total.wins + wins, draws: total.draws + draws, losses: total.losses + losses };
            }
        }
        total
    };
    let times = summary.timings.as_deref().unwrap_or_default();
    let mut ranking: Vec<Ranked<'_>> = summary
        .agents
        .iter()
        .enumerate()
        .map(|(index, agent)| {
            let rated = ratings.and_then(|ratings| ratings.agents.get(index));
            Ranked {
                index,
                label: &agent.label,
                elo: rated.and_then(|rated| rated.elo),
                interval: rated.and_then(|rated| rated.interval),
                tally: tally(&agent.label),
                milliseconds: times.get(index).map_or(0.0, |timing| timing.milliseconds),
            }
        })
        .collect();
    let merit = |agent: &Ranked<'_>| (agent.elo.unwrap_or(f64::NEG_INFINITY), agent.tally.rate().unwrap_or(0.0));
    ranking.sort_by(|one, two| merit(two).partial_cmp(&merit(one)).unwrap_or(std::cmp::Ordering::Equal));
    ranking
}

fn print(ranking: &[Ranked<'_>], output: &mut Output) {
    let header = [
        "rank",
        "agent",
        "Elo",
        "95 %|elo low|elo high",
        "matches",
        "W-D-L",
        "win rate",
        "time a decision|seconds a decision",
    ];
    let mut lines = table(&header);
    for (place, agent) in ranking.iter().enumerate() {
        let Tally { wins, draws, losses } = agent.tally;
        lines.add_row([
            Cell::count(place as u64 + 1),
            Cell::from(agent.label),
            Cell::elo(agent.elo),
            Cell::elos(agent.interval.map(|(low, _)| low), agent.interval.map(|(_, high)| high)),
            Cell::count(agent.tally.matches()),
            Cell::from(format!("{wins}-{draws}-{losses}")),
            Cell::share(agent.tally.rate()),
            Cell::time(agent.milliseconds / 1e3),
        ]);
    }
    output.table(&lines);
    output.hint("Elo is relative to the mean of these agents.");
}

/// Win rates of each agent against each other one.
fn print_meetings(ranking: &[Ranked<'_>], summary: &Summary, output: &mut Output) {
    let mut header = vec!["win rate against".to_owned()];
    header.extend((1..=ranking.len()).map(|place| place.to_string()));
    let mut lines = table(&header);
    for (place, agent) in ranking.iter().enumerate() {
        let mut row = vec![Cell::from(format!("{} {}", place + 1, agent.label))];
        row.extend(ranking.iter().map(|other| {
            let rate = summary.results.iter().find_map(|result| match (&result.first, &result.second) {
                (first, second) if first == agent.label && second == other.label => result.win_rate,
                (first, second) if first == other.label && second == agent.label => {
                    result.win_rate.map(|rate| 1.0 - rate)
                }
                _ => None,
            });
            if agent.index == other.index { Cell::from("") } else { Cell::share(rate) }
        }));
        lines.add_row(row);
    }
    output.table(&lines);
}
