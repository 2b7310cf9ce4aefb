//! How language models conducted themselves: answers that count and answers that do not, tokens, time and cost.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::Serialize;
use tesuji_core::InputError;
use tesuji_models::{Transcript, Verdict};

use crate::experiment::Experiment;
use crate::run::Field;
use crate::statistics::round_interval;
use crate::store::Store;
use crate::summary::CONFIDENCE;

/// How an agent that is a language model conducted itself in the matches of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Conduct {
    /// The label of the agent.
    pub agent: String,
    /// The name of the model at its endpoint.
    pub model: String,
    /// Whether prompts listed the legal actions.
    pub legal_listed: bool,
    /// The seed by which names were scrambled, if they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scramble: Option<u64>,
    /// Matches with a transcript.
    pub matches: u64,
    /// Decisions that it was asked for.
    pub decisions: u64,
    /// Requests, the repeated ones included.
    pub requests: u64,
    /// Decisions whose first answer named one legal action in the agreed form.
    pub at_once: u64,
    /// Answers that named something that is not legal.
    pub not_legal: u64,
    /// Answers that did not name exactly one action in the agreed form.
    pub unreadable: u64,
    /// Requests that the endpoint did not answer.
    pub failed: u64,
    /// Matches that it forfeited: no answer counted.
    pub forfeited: u64,
    /// The share of decisions whose first answer did not count; those that the endpoint failed to answer are left out.
    pub illegal_rate: Option<f64>,
    /// The interval of that share, over matches.
    pub illegal_interval: Option<(f64, f64)>,
    /// Tokens of all requests, as the endpoint counted them.
    pub input_tokens: u64,
    /// Tokens of all answers.
    pub output_tokens: u64,
    /// Requests whose tokens the endpoint did not count.
    pub uncounted: u64,
    /// The time of all requests, in seconds.
    pub seconds: f64,
    /// The longest time of one request, in seconds.
    pub slowest: f64,
    /// Why answers did not count, in words, the most frequent first; at most a few.
    pub reasons: Vec<(String, u64)>,
}

/// The most reasons that are listed.
const REASONS: usize = 10;

/// What a million tokens cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Price {
    /// The model that has this price.
    pub model: String,
    /// A million tokens of requests.
    pub input: f64,
    /// A million tokens of answers.
    pub output: f64,
}

impl FromStr for Price {
    type Err = InputError;

    /// Reads `MODEL=INPUT/OUTPUT`.
    fn from_str(text: &str) -> Result<Price, InputError> {
        let read = || {
            let (model, prices) = text.rsplit_once('=')?;
            let (input, output) = prices.split_once('/')?;
            let number = |text: &str| text.trim().parse().ok().filter(|price: &f64| price.is_finite() && *price >= 0.0);
            Some(Price { model: model.trim().to_owned(), input: number(input)?, output: number(output)? })
        };
        read().ok_or_else(|| {
            InputError::new(format!("`{text}` is not a price"))
                .with_help("expected the prices of a million tokens, such as `my-model=0.15/0.60`")
        })
    }
}

impl Conduct {
    /// What its tokens cost at these prices; `None` if the model has no price or tokens were not counted.
    pub fn cost(&self, prices: &[Price]) -> Option<f64> {
        let price = prices.iter().find(|price| price.model == self.model)?;
        let cost = (self.input_tokens as f64 * price.input + self.output_tokens as f64 * price.output) / 1e6;
        (self.uncounted == 0).then_some(cost)
    }

    /// The mean time of a request in seconds.
    pub fn seconds_a_request(&self) -> Option<f64> {
        (self.requests > 0).then(|| self.seconds / self.requests as f64)
    }
}

/// How the language models of a run conducted themselves, in the order of its agents.
pub(crate) fn conducts(
    experiment: &Experiment,
    field: &Field,
    store: &Store,
    run: i64,
) -> Result<Vec<Conduct>, InputError> {
    let mut sums: BTreeMap<usize, Sum> = BTreeMap::new();
    store.each_transcript(run, |(unit, seating, seat, text)| {
        let agent = field.pairings.get(unit.pairing as usize).and_then(|pairing| {
            let plan = field.seatings.get(unit.pairing as usize)?.get(seating)?;
            pairing.agents.get(*plan.get(seat)?).copied()
        });
        let agent = agent.ok_or_else(|| InputError::new("a transcript does not fit its experiment"))?;
        sums.entry(agent).or_default().add(&Transcript::read(&text)?);
        Ok(())
    })?;
    Ok(sums.into_iter().map(|(agent, sum)| sum.conduct(&experiment.agents[agent].name.label)).collect())
}

/// What is collected over transcripts.
#[derive(Default)]
struct Sum {
    conduct: Conduct,
    /// Decisions whose first answer did not count.
    wrong: u64,
    /// By match: the share of its decisions whose first answer did not count.
    rates: Vec<f64>,
    reasons: BTreeMap<String, u64>,
}

impl Sum {
    fn add(&mut self, transcript: &Transcript) {
        let Sum { conduct, wrong: all_wrong, rates, reasons } = self;
        let settings = &transcript.header.settings;
        conduct.model.clone_from(&settings.model);
        (conduct.legal_listed, conduct.scramble) = (settings.legal, settings.scramble);
        conduct.matches += 1;
        let (mut firsts, mut wrong) = (0u64, 0u64);
        for exchange in &transcript.exchanges {
            let first = exchange.attempt == 1;
            conduct.decisions += u64::from(first);
            conduct.requests += 1;
            conduct.seconds += exchange.seconds;
            conduct.slowest = conduct.slowest.max(exchange.seconds);
            match (exchange.input_tokens, exchange.output_tokens) {
                (Some(input), Some(output)) => {
                    conduct.input_tokens += input;
                    conduct.output_tokens += output;
                }
                _ => conduct.uncounted += 1,
            }
            let (counted, reason, answered) = match &exchange.verdict {
                Verdict::Accepted { .. } => {
                    conduct.at_once += u64::from(first);
                    firsts += u64::from(first);
                    continue;
                }
                Verdict::NotLegal { reason } => (&mut conduct.not_legal, reason, true),
                Verdict::Unreadable { reason } => (&mut conduct.unreadable, reason, true),
                Verdict::Failed { reason, .. } => (&mut conduct.failed, reason, false),
            };
            *counted += 1;
            *reasons.entry(reason.clone()).or_default() += 1;
            firsts += u64::from(first && answered);
            wrong += u64::from(first && answered);
        }
        let accepted = |last: &tesuji_models::Exchange| matches!(last.verdict, Verdict::Accepted { .. });
        conduct.forfeited += u64::from(transcript.exchanges.last().is_some_and(|last| !accepted(last)));
        if firsts > 0 {
            rates.push(wrong as f64 / firsts as f64);
            *all_wrong += wrong;
        }
    }

    fn conduct(self, label: &str) -> Conduct {
        let Sum { mut conduct, wrong, rates, reasons } = self;
        conduct.agent = label.to_owned();
        let answered = conduct.at_once + wrong;
        conduct.illegal_rate = (answered > 0).then(|| wrong as f64 / answered as f64);
        conduct.illegal_interval = round_interval(&rates, rates.len() as f64, CONFIDENCE);
        let mut reasons: Vec<(String, u64)> = reasons.into_iter().collect();
        reasons.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
        reasons.truncate(REASONS);
        conduct.reasons = reasons;
        conduct
    }
}
