//! Tuning: a search for better parameters of an agent, and a test of what it found on fresh seeds.
//!
//! Parameters with listed values are searched by NTBEA, numbers by SPSA. The winner then plays the agent as it was
//! given, in a sequential test with other seeds and, if wanted, another game. Only what passes is an improvement.

mod ntbea;
mod spsa;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use tesuji_catalogue::Entrant;
use tesuji_core::{Address, InputError, Rng, mix};

use crate::experiment::{EarlyStop, EnteredGame, Experiment, StopModel};
use crate::rounds::round_scores;
use crate::statistics::{SprtDecision, SprtSettings};
use crate::store::Store;
use crate::{AnyGame, Budget, Catalogue, RunPlan, crew, run_experiment, summarise};
use ntbea::Ntbea;
use spsa::Spsa;

/// A parameter to tune.
#[derive(Clone, PartialEq, Debug)]
pub struct TunedParameter {
    /// Its name.
    pub name: String,
    /// What it may be.
    pub range: TunedRange,
}

/// What a parameter may be.
#[derive(Clone, PartialEq, Debug)]
pub enum TunedRange {
    /// One of these texts.
    Values(Vec<String>),
    /// A number from the first to the second.
    Numbers(f64, f64),
}

impl std::str::FromStr for TunedParameter {
    type Err = InputError;

    /// Reads `name=a|b|c` or `name=0.1..1.5`.
    fn from_str(text: &str) -> Result<TunedParameter, InputError> {
        let wrong = |what: &str| {
            InputError::new(format!("`{text}`: {what}"))
                .with_help("values are written as `threshold=0|10|20`, a range of numbers as `c=0.1..1.5`")
        };
        let (name, values) = text.split_once('=').ok_or_else(|| wrong("expected a parameter and its values"))?;
        let name = name.trim().to_owned();
        if let Some((low, high)) = values.split_once("..") {
            let bounds = low.trim().parse().ok().zip(high.trim().parse().ok());
            let bounds = bounds.filter(|(low, high): &(f64, f64)| low < high && low.is_finite() && high.is_finite());
            let (low, high) = bounds.ok_or_else(|| wrong("expected two numbers, the smaller first"))?;
            return Ok(TunedParameter { name, range: TunedRange::Numbers(low, high) });
        }
        let values: Vec<String> = values.split('|').map(|value| value.trim().to_owned()).collect();
        if name.is_empty() || values.len() < 2 {
            return Err(wrong("expected two values or more"));
        }
        Ok(TunedParameter { name, range: TunedRange::Values(values) })
    }
}

/// What to tune and how.
#[derive(Clone, Debug)]
pub struct TuningPlan {
    /// The game.
    pub game: String,
    /// The game of the final test; `game` if absent.
    pub confirm_on: Option<String>,
    /// The agent, with the parameters it keeps.
    pub agent: String,
    /// The parameters to tune.
    pub parameters: Vec<TunedParameter>,
    /// The opponent of NTBEA and of the final test; the agent as it was given if absent.
    pub against: Option<String>,
    /// What a decision may cost, unless an address says so itself.
    pub budget: Budget,
    /// Matches of the search.
    pub matches: u64,
    /// The most matches of the final test.
    pub confirm: u64,
    /// The final test: "this many Elo stronger" against "no stronger".
    pub elo: f64,
    /// The seed.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
}

/// What tuning found.
#[derive(Clone, Debug, Serialize)]
pub struct TuningEnd {
    /// The address of the best agent found.
    pub agent: String,
    /// The opponent of the final test.
    pub against: String,
    /// Matches of the search.
    pub searched: u64,
    /// Matches of the final test.
    pub confirmed_by: u64,
    /// The score of the best agent in the final test, with its interval.
    pub win_rate: Option<f64>,
    /// The 95 % interval of the score.
    pub interval: Option<(f64, f64)>,
    /// Whether the test accepted that it is stronger.
    pub improved: bool,
    /// Whether it ended by itself; otherwise it was interrupted.
    pub complete: bool,
}

/// Rounds that one combination plays at a time. A round is a match from each side with the same dice.
const ROUNDS: u64 = 2;

/// Searches for better parameters and tests what it found. `watch` gets the part of the search that is done, and the
/// best agent so far.
pub fn tune(
    catalogue: &Catalogue,
    plan: &TuningPlan,
    stop: &AtomicBool,
    mut watch: impl FnMut(f64, &str),
) -> Result<TuningEnd, InputError> {
    tune_watched(catalogue, plan, stop, &mut watch)
}

fn tune_watched(
    catalogue: &Catalogue,
    plan: &TuningPlan,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(f64, &str),
) -> Result<TuningEnd, InputError> {
    if plan.parameters.is_empty() {
        return Err(InputError::new("there is no parameter to tune").with_help("--over names one and its values"));
    }
    let game = catalogue.open(&plan.game)?;
    let base: Address = plan.agent.parse()?;
    let against = plan.against.clone().unwrap_or_else(|| plan.agent.clone());
    game.check_agent(&against)?;
    let mut search = Search { game, base, plan, stop, against: against.clone(), rounds: 0 };
    search.check()?;
    let (mut values, mut numbers) = (Vec::new(), Vec::new());
    for parameter in &plan.parameters {
        match &parameter.range {
            TunedRange::Values(texts) => values.push((parameter.name.as_str(), texts.as_slice())),
            TunedRange::Numbers(low, high) => numbers.push((parameter.name.as_str(), *low, *high)),
        }
    }
    let round = search.game.spec().players.len().max(2) as u64;
    let all = (plan.matches / round).max(1);
    let for_values = if numbers.is_empty() { all } else { all / 2 };
    let mut chosen: Vec<(String, String)> =
        numbers.iter().map(|&(name, low, high)| number(name, low, high, 0.5)).collect();
    if !values.is_empty() {
        let found = search.values(&values, &chosen, for_values, &mut |part, agent| {
            watch(part * for_values as f64 / all as f64, agent)
        })?;
        chosen.extend(found);
    }
    if !numbers.is_empty() {
        let rest = all.saturating_sub(search.rounds).max(1);
        let kept: Vec<(String, String)> =
            chosen.into_iter().filter(|(name, _)| !numbers.iter().any(|(other, ..)| other == name)).collect();
        let before = search.rounds;
        let found = search.numbers(&numbers, &kept, rest, &mut |part, agent| {
            watch((before as f64 + part * rest as f64) / all as f64, agent)
        })?;
        chosen = kept.into_iter().chain(found).collect();
    }
    let agent = search.address(&chosen);
    let searched = search.rounds * round;
    let mut end = TuningEnd {
        agent,
        against,
        searched,
        confirmed_by: 0,
        win_rate: None,
        interval: None,
        improved: false,
        complete: !stop.load(Ordering::Relaxed),
    };
    if end.complete && plan.confirm > 0 && end.agent != end.against {
        confirm(catalogue, plan, stop, &mut end)?;
    }
    Ok(end)
}

/// A running search.
struct Search<'a> {
    game: Arc<dyn AnyGame>,
    base: Address,
    plan: &'a TuningPlan,
    stop: &'a AtomicBool,
    against: String,
    rounds: u64,
}

impl Search<'_> {
    /// The agent with these values in place of its own.
    fn address(&self, values: &[(String, String)]) -> String {
        let mut address = self.base.clone();
        address.arguments.retain(|(key, _)| !values.iter().any(|(name, _)| key.as_deref() == Some(name)));
        address.arguments.extend(values.iter().map(|(name, value)| (Some(name.clone()), value.clone())));
        address.to_string()
    }

    /// Refuses parameters and values that the agent does not take, before any match is played.
    fn check(&self) -> Result<(), InputError> {
        for parameter in &self.plan.parameters {
            let ends = match &parameter.range {
                TunedRange::Values(values) => values.clone(),
                &TunedRange::Numbers(low, high) => vec![low.to_string(), high.to_string()],
            };
            for value in ends {
                self.game.check_agent(&self.address(&[(parameter.name.clone(), value)]))?;
            }
        }
        Ok(())
    }

    /// The score of an agent against another in some rounds with fresh seeds, 0 to 1.
    fn score(&mut self, agent: &str, against: &str, rounds: u64) -> Result<f64, InputError> {
        let entrant =
            |address: &str| Entrant { address: address.to_owned(), budget: self.plan.budget, start: None, limit: None };
        let entrants = [entrant(agent), entrant(against)];
        // A wrong agent shows here, not in a thread.
        drop(self.game.ring(&entrants)?);
        let (game, first, seed) = (&self.game, self.rounds, self.plan.seed);
        let play = |ring: &mut Option<Box<dyn crate::Ring>>, round: u64| {
            let ring = ring.as_mut()?;
            let seed = mix(seed, first + round);
            let seatings = ring.seatings().to_vec();
            let payoffs: Vec<Vec<f64>> =
                (0..seatings.len()).map(|seating| ring.play(seating, seed, false).payoffs).collect();
            let scores = round_scores(game.spec(), &seatings, &payoffs);
            Some((round, scores.iter().sum::<f64>() / scores.len().max(1) as f64))
        };
        let mut scores = vec![None; rounds as usize];
        crew::run(
            rounds,
            self.plan.threads,
            self.stop,
            || game.ring(&entrants).ok(),
            play,
            |result| {
                if let Some((round, score)) = result {
                    scores[round as usize] = Some(score);
                }
                Ok::<(), InputError>(())
            },
        )?;
        self.rounds += rounds;
        // In the order of the rounds: the sum must not depend on threads.
        let played: Vec<f64> = scores.into_iter().flatten().collect();
        Ok(if played.is_empty() { 0.5 } else { played.iter().sum::<f64>() / played.len() as f64 })
    }

    fn values(
        &mut self,
        values: &[(&str, &[String])],
        fixed: &[(String, String)],
        rounds: u64,
        watch: &mut dyn FnMut(f64, &str),
    ) -> Result<Vec<(String, String)>, InputError> {
        let named = |point: &[usize]| -> Vec<(String, String)> {
            values.iter().zip(point).map(|((name, texts), &value)| ((*name).to_owned(), texts[value].clone())).collect()
        };
        let mut rng = Rng::new(mix(self.plan.seed, u64::MAX));
        let mut model = Ntbea::new(values.iter().map(|(_, texts)| texts.len()).collect());
        let mut point: Vec<usize> = values.iter().map(|(_, texts)| rng.below(texts.len())).collect();
        let end = self.rounds + rounds;
        while self.rounds < end && !self.stop.load(Ordering::Relaxed) {
            let agent = self.address(&[named(&point), fixed.to_vec()].concat());
            let against = self.against.clone();
            let score = self.score(&agent, &against, ROUNDS)?;
            model.enter(&point, score);
            let best = named(&model.best().unwrap_or_else(|| point.clone()));
            watch(1.0 - end.saturating_sub(self.rounds) as f64 / rounds as f64, &self.address(&best));
            point = model.next(&point, &mut rng);
        }
        Ok(named(&model.best().unwrap_or(point)))
    }

    fn numbers(
        &mut self,
        numbers: &[(&str, f64, f64)],
        fixed: &[(String, String)],
        rounds: u64,
        watch: &mut dyn FnMut(f64, &str),
    ) -> Result<Vec<(String, String)>, InputError> {
        let named = |point: &[f64]| -> Vec<(String, String)> {
            numbers.iter().zip(point).map(|(&(name, low, high), &part)| number(name, low, high, part)).collect()
        };
        // The search begins where the agent is, if it says so.
        let start = numbers.iter().map(|&(name, low, high)| {
            let given = self.base.arguments.iter().find(|(key, _)| key.as_deref() == Some(name));
            let given = given.and_then(|(_, value)| value.parse::<f64>().ok());
            given.map_or(0.5, |value| ((value - low) / (high - low)).clamp(0.0, 1.0))
        });
        let steps = rounds.div_ceil(ROUNDS);
        let mut search = Spsa::new(start.collect(), steps);
        let mut rng = Rng::new(mix(self.plan.seed, u64::MAX - 1));
        for step in 0..steps {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let ([one, two], direction) = search.pair(&mut rng);
            let [one, two] = [one, two].map(|point| self.address(&[fixed.to_vec(), named(&point)].concat()));
            let score = self.score(&one, &two, ROUNDS)?;
            search.enter(&direction, score);
            let best = self.address(&[fixed.to_vec(), named(&search.mean())].concat());
            watch((step + 1) as f64 / steps as f64, &best);
        }
        Ok(named(&search.mean()))
    }
}

/// A number at a part of its range, as text with four digits after the point at most.
fn number(name: &str, low: f64, high: f64, part: f64) -> (String, String) {
    let text = format!("{:.4}", low + part * (high - low));
    (name.to_owned(), text.trim_end_matches('0').trim_end_matches('.').to_owned())
}

/// Plays the best agent against the opponent until a sequential test is decided.
fn confirm(catalogue: &Catalogue, plan: &TuningPlan, stop: &AtomicBool, end: &mut TuningEnd) -> Result<(), InputError> {
    let game = EnteredGame::open(catalogue, plan.confirm_on.as_deref().unwrap_or(&plan.game))?;
    let agents = [end.agent.clone(), end.against.clone()];
    // Fresh seeds: the search has used others.
    let seed = mix(plan.seed, u64::MAX - 2);
    let mut experiment = Experiment::series(game, &agents, plan.budget, plan.confirm, seed)?;
    let settings = SprtSettings::new(0.0, plan.elo);
    if settings.bounds().is_none() {
        return Err(InputError::new(format!("a test of {} Elo is impossible", plan.elo)).with_help("such as 20"));
    }
    experiment.sprt = Some(EarlyStop { settings, model: StopModel::default() });
    let mut store = Store::temporary()?;
    let text = experiment.to_toml()?;
    let run = RunPlan { threads: plan.threads, shard: None };
    let ended = run_experiment(&experiment, ("confirmation", &text), &mut store, run, stop, |_| ())?;
    let summary = summarise(&experiment, &store, ended.run, false)?;
    end.complete = ended.complete;
    end.confirmed_by = summary.matches;
    if let Some(result) = summary.results.first() {
        end.win_rate = result.win_rate;
        end.interval = result.anytime_interval.or(result.pair_interval);
        end.improved = result.sprt.is_some_and(|report| report.decision == SprtDecision::AcceptH1);
    }
    Ok(())
}
