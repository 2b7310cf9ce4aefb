//! The result of a run. Nothing in it depends on threads, time, machine, shards or restarts; timings are a section of
//! their own.

mod totals;

use serde::Serialize;
use tesuji_core::{ErrorKind, InputError, Rng, cancel, mix};

use crate::experiment::{Competitor, EarlyStop, Experiment, Published, Scale, Unit};
use crate::models::{Conduct, conducts};
use crate::root_exploitability;
use crate::run::{Field, Prefix, pair_print};
use crate::statistics::{
    self, Agreement, BootstrapSettings, CrossTable, DEFAULT_TOLERANCE, Duplicates, EloDifference, Estimate, Evidence,
    NormalisedElo, Pairs, Ratings, Sample, SprtReport, Tally, Verdict,
};
use crate::store::{Store, StoredMatch};
use crate::thinking::{Sums, Thinking, Timing};
use crate::{ExploitabilityReport, WholeGameReport};
use totals::Totals;

/// The confidence of every interval.
pub const CONFIDENCE: f64 = 0.95;

/// The result of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The experiment's title.
    pub title: String,
    /// More about it.
    pub about: String,
    /// Which published table it repeats.
    pub reproduces: Option<String>,
    /// The scale it was run at.
    pub scale: Scale,
    /// Fixes everything random. In JSON a string if it is 2⁵³ or more.
    #[serde(serialize_with = "crate::export::exact_number")]
    pub seed: u64,
    /// Pairs asked for in each pairing.
    pub pairs: u64,
    /// What the full run costs, in hours of one core; absent if the file does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_hours: Option<f64>,
    /// Whether the agents kept their seats, so that a pair is a single match; absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fixed_seats: bool,
    /// What every agent could spend before the first step of a match; absent if nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The games.
    pub games: Vec<crate::identity::GameIdentity>,
    /// The agents: label, address, budget.
    pub agents: Vec<AgentSummary>,
    /// Is every pair there?
    pub complete: bool,
    /// Matches counted, early-stopped pairs left out.
    pub matches: u64,
    /// Matches forfeited by a failure of an agent.
    pub fouls: u64,
    /// One for each game and pairing.
    pub results: Vec<PairingSummary>,
    /// Ratings of all agents in each game, and over all games where there are several.
    pub ratings: Vec<RatingSummary>,
    /// The exploitability of the agents' first decisions, where the experiment measures it.
    #[serde(rename = "gaps", skip_serializing_if = "Vec::is_empty")]
    pub root_exploitability: Vec<ExploitabilityReport>,
    /// The exploitability of the agents in whole games, where the experiment measures it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exploitability: Vec<WholeGameReport>,
    /// The machines that played under time budgets, where a queue collected the results: their speeds matter then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<WorkerSummary>,
    /// How the language models among the agents conducted themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<Conduct>,
    /// Times, by the machines that played; only if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timings: Option<Vec<Timing>>,
}

/// A machine that played a part of a run.
#[derive(Clone, Debug, Serialize)]
pub struct WorkerSummary {
    /// Its name.
    pub name: String,
    /// Its speed: playouts a second in a game that all workers measure.
    pub speed: f64,
}

/// Speeds that differ by more than this share make results under time budgets hard to compare.
pub const SPEED_TOLERANCE: f64 = 0.10;

/// How much faster the fastest machine is than the slowest: 0.1 for a tenth. 0 without machines.
pub fn speed_spread(speeds: impl IntoIterator<Item = f64>) -> f64 {
    let (least, most) =
        speeds.into_iter().fold((f64::MAX, 0.0f64), |(low, high), speed| (low.min(speed), high.max(speed)));
    if most > 0.0 { most / least.max(f64::MIN_POSITIVE) - 1.0 } else { 0.0 }
}

/// An agent of a run.
#[derive(Clone, Debug, Serialize)]
pub struct AgentSummary {
    /// The name in tables.
    pub label: String,
    /// Its address.
    pub address: String,
    /// What a decision may cost.
    pub budget: String,
}

/// The result of the agents that met in one game, from the first one's view.
#[derive(Clone, Debug, Serialize)]
pub struct PairingSummary {
    /// The label of the game.
    pub game: String,
    /// The label of the first agent.
    pub first: String,
    /// The label of the second agent; of all others, if more than two agents met.
    pub second: String,
    /// The labels of all agents that met.
    pub agents: Vec<String>,
    /// Finished pairs.
    pub pairs: u64,
    /// Wins, draws and losses.
    #[serde(flatten)]
    pub tally: Tally,
    /// How many pairs brought 0, 1/2, 1, 1 1/2 and 2 points.
    pub pentanomial: Pairs,
    /// Score per match.
    pub win_rate: Option<f64>,
    /// Wilson's interval, taken over the effective number of matches.
    pub interval: Option<(f64, f64)>,
    /// The interval over pairs. After a sequential test has stopped it is biased: see `anytime_interval`.
    pub pair_interval: Option<(f64, f64)>,
    /// The interval over pairs that stays valid whenever the series stops, where the experiment has a sequential test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anytime_interval: Option<(f64, f64)>,
    /// The Elo difference, by pairs.
    pub elo: Option<EloDifference>,
    /// The normalised Elo difference, by pairs.
    pub normalised_elo: Option<NormalisedElo>,
    /// How likely the first is the stronger one.
    pub superiority: Option<f64>,
    /// The sequential test, where the experiment has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtReport>,
    /// Did the test end the pairing early?
    pub stopped_early: bool,
    /// Copies among the matches, and what the sample is really worth.
    pub duplicates: Duplicates,
    /// The number of independent pairs that the pairs are worth, with copies taken into account; the interval over
    /// pairs, Elo, superiority, the sequential test and the ratings use it.
    pub effective_pairs: f64,
    /// Wins, draws and losses of each agent in each seat. A seat's match is won if nobody got a greater or equal
    /// payoff.
    pub by_seat: Vec<Vec<Tally>>,
    /// Mean payoff of each agent.
    pub mean_payoffs: Vec<Option<f64>>,
    /// Mean steps of a match.
    pub mean_steps: Option<f64>,
    /// Steps of a match: the shortest, the quartiles (lower, median, upper; each the length of a match) and the
    /// longest.
    pub step_quantiles: Option<[u32; 5]>,
    /// Matches forfeited by a failure of an agent.
    pub forfeited: u64,
    /// What the fouls were, in words, at most a few.
    pub fouls: Vec<String>,
    /// Means over the decisions of each agent.
    pub thinking: Vec<Thinking>,
    /// What was published, and whether it agrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Comparison>,
}

/// A published result beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// What was published.
    pub result: Published,
    /// Whether it agrees; absent if the number of published matches is unknown.
    pub agreement: Option<Agreement>,
}

impl PairingSummary {
    /// The pairs as evidence, copies taken into account.
    pub fn evidence(&self) -> Evidence {
        Evidence::worth(self.pentanomial, self.effective_pairs)
    }
}

impl Comparison {
    /// The verdict in words.
    pub fn verdict_text(&self) -> String {
        let verdict = match self.agreement.map(|agreement| agreement.verdict) {
            Some(Verdict::Agrees) => "agrees",
            Some(Verdict::Differs) => "differs",
            Some(Verdict::NotEnoughMatches) => "not enough games",
            None => "not determinable: the number of published games is not known",
        };
        verdict.to_owned()
    }
}

/// Ratings over the pairings of one game, or of all.
#[derive(Clone, Debug, Serialize)]
pub struct RatingSummary {
    /// The label of the game; absent over all games.
    pub game: Option<String>,
    /// The ratings.
    pub ratings: Option<Ratings>,
}

/// Sums up what `store` holds of an experiment. Matches are read one after the other and not kept.
pub fn summarise(experiment: &Experiment, store: &Store, run: i64, timings: bool) -> Result<Summary, InputError> {
    let field = Field::new(experiment)?;
    let mut stops = EarlyStops::new(experiment, &field);
    let mut totals: Vec<Totals> =
        (0..field.pairings.len() as u32).map(|pairing| Totals::new(&field, pairing)).collect();
    let mut tables = CrossTables::new(&field);
    each_round(experiment, &field, store, run, |matches| {
        let unit = matches[0].unit;
        let pairing = unit.pairing as usize;
        if !stops.stopped(pairing) {
            let scores = totals[pairing].add(matches, &field, unit.pairing);
            tables.add(pairing, &scores);
            stops.add(unit, &scores, matches);
        }
    })?;
    let mut times: Vec<Sums> = experiment.agents.iter().map(|_| Sums::default()).collect();
    for (pairing, totals) in field.pairings.iter().zip(&totals) {
        for (&agent, sums) in pairing.agents.iter().zip(totals.sums()) {
            times[agent].merge(sums);
        }
    }
    let measured = root_exploitability::reports(experiment, store, run, timings)?;
    let all_played =
        totals.iter().enumerate().all(|(index, totals)| stops.stopped(index) || totals.rounds() == experiment.pairs);
    let results: Vec<PairingSummary> = totals
        .into_iter()
        .enumerate()
        .map(|(index, totals)| totals.summarise(experiment, &field, index, stops.stopped(index)))
        .collect();
    let timing = |(sums, agent): (&Sums, &Competitor)| sums.timing(&agent.name.label);
    Ok(Summary {
        title: experiment.title.clone(),
        about: experiment.about.clone(),
        reproduces: experiment.reproduces.clone(),
        scale: experiment.scale,
        seed: experiment.seed,
        core_hours: experiment.core_hours,
        fixed_seats: experiment.fixed_seats,
        start: experiment.start.map(|start| start.to_string()),
        pairs: experiment.pairs,
        games: crate::identity::game_identities(experiment)?,
        agents: experiment.agents.iter().map(AgentSummary::of).collect(),
        complete: all_played && measured.complete,
        matches: results.iter().map(|result| result.duplicates.matches).sum(),
        fouls: results.iter().map(|result| result.forfeited).sum(),
        ratings: tables.rate(experiment, &field, &results),
        root_exploitability: measured.root,
        exploitability: measured.whole,
        workers: if experiment.time_budgets().is_empty() { Vec::new() } else { workers(store, run)? },
        models: conducts(experiment, &field, store, run)?,
        timings: timings.then(|| times.iter().zip(&experiment.agents).map(timing).collect()),
        results,
    })
}

fn workers(store: &Store, run: i64) -> Result<Vec<WorkerSummary>, InputError> {
    Ok(store.workers(run)?.into_iter().map(|(name, speed)| WorkerSummary { name, speed }).collect())
}

/// Shows the matches of every finished round that the experiment asks for: those of a pairing in the order of pairs.
fn each_round(
    experiment: &Experiment,
    field: &Field,
    store: &Store,
    run: i64,
    mut see: impl FnMut(&[StoredMatch]),
) -> Result<(), InputError> {
    // Rows come in the order of pairs, so the matches of a round follow each other.
    let mut round: Vec<StoredMatch> = Vec::new();
    store.each_match(run, true, |row| {
        if round.first().is_some_and(|first| first.unit != row.unit) {
            round.clear();
        }
        if cancel::requested() {
            return Err(InputError::new("reading the results was cancelled").of_kind(ErrorKind::Cancelled));
        }
        field.check(&row).map_err(|error| error.in_file(store.path().display()))?;
        if u64::from(row.unit.pair) < experiment.pairs {
            let seatings = field.seatings[row.unit.pairing as usize].len();
            round.push(row);
            if round.len() == seatings {
                see(&round);
                round.clear();
            }
        }
        Ok(())
    })
}

/// The sequential test of each pairing, if the experiment has one: judged in the order of pairs, up to the first gap.
struct EarlyStops {
    early: Option<EarlyStop>,
    prefixes: Vec<Prefix>,
    stopped: Vec<bool>,
}

impl EarlyStops {
    fn new(experiment: &Experiment, field: &Field) -> EarlyStops {
        let pairings = field.pairings.len();
        EarlyStops {
            early: experiment.sprt,
            prefixes: vec![Prefix::default(); pairings],
            stopped: vec![false; pairings],
        }
    }

    /// Has the test of a pairing stopped? Further pairs do not count.
    fn stopped(&self, pairing: usize) -> bool {
        self.stopped[pairing]
    }

    /// Counts the next pair of a pairing.
    fn add(&mut self, unit: Unit, scores: &[f64], matches: &[StoredMatch]) {
        let pairing = unit.pairing as usize;
        if let Some(early) = self.early
            && self.prefixes[pairing].pairs == unit.pair
        {
            let print = pair_print(matches.iter().map(StoredMatch::print));
            self.stopped[pairing] = self.prefixes[pairing].add(scores, print, early);
        }
    }
}

impl AgentSummary {
    fn of(agent: &Competitor) -> AgentSummary {
        AgentSummary {
            label: agent.name.label.clone(),
            address: agent.name.address.clone(),
            budget: agent.budget.to_string(),
        }
    }
}

/// The published result of this pairing, also if it was published the other way round.
fn compare(
    experiment: &Experiment,
    game: &str,
    first: &str,
    second: &str,
    ours: Option<Estimate>,
) -> Option<Comparison> {
    let result = experiment.published.iter().filter(|result| result.game == game).find_map(|result| {
        if result.first == first && result.second == second {
            Some(result.clone())
        } else if result.first == second && result.second == first {
            Some(result.reversed())
        } else {
            None
        }
    })?;
    let agreement = result
        .matches
        .map(|matches| statistics::agrees(Sample::of_rate(result.win_rate, matches), ours, DEFAULT_TOLERANCE));
    Some(Comparison { result, agreement })
}

impl Published {
    fn reversed(&self) -> Published {
        Published {
            first: self.second.clone(),
            second: self.first.clone(),
            win_rate: 1.0 - self.win_rate,
            counts: self.counts.map(|[wins, draws, losses]| [losses, draws, wins]),
            ..self.clone()
        }
    }
}

/// The rounds of each pairing of two agents, as a table of the two.
struct CrossTables(Vec<CrossTable>);

impl CrossTables {
    fn new(field: &Field) -> CrossTables {
        CrossTables(vec![CrossTable::new(2); field.pairings.len()])
    }

    /// Adds a round by the first agent's scores.
    fn add(&mut self, pairing: usize, scores: &[f64]) {
        let table = &mut self.0[pairing];
        if let [one, two] = *scores {
            table.add_pair(0, 1, [one, two]);
        } else {
            let mut tally = Tally::default();
            scores.iter().for_each(|&score| tally.count(score));
            table.add_matches(0, 1, tally);
        }
    }

    /// The ratings in each game, and over all. They compare two agents: pairings of more or fewer are left out.
    fn rate(&self, experiment: &Experiment, field: &Field, results: &[PairingSummary]) -> Vec<RatingSummary> {
        let rate = |game: Option<usize>| {
            let mut table = CrossTable::new(experiment.agents.len());
            for ((pairing, own), result) in field.pairings.iter().zip(&self.0).zip(results) {
                if let ([first, second], true) = (&pairing.agents[..], game.is_none_or(|game| game == pairing.game)) {
                    // Rounds of more than two matches enter the table match by match.
                    let paired = own.units() == result.pairs;
                    let effective = if paired { result.effective_pairs } else { result.duplicates.effective };
                    table.add_worth(*first, *second, own, effective);
                }
            }
            let mut rng = Rng::new(mix(experiment.seed, u64::MAX));
            let ratings = statistics::bootstrap_ratings(&table, &BootstrapSettings::default(), &mut rng);
            RatingSummary { game: game.map(|game| experiment.games[game].label.clone()), ratings }
        };
        let mut all: Vec<RatingSummary> = (0..experiment.games.len()).map(|game| rate(Some(game))).collect();
        if experiment.games.len() > 1 {
            all.push(rate(None));
        }
        all
    }
}
