//! Sums over the matches of one pairing, and the figures made from them.

use super::{CONFIDENCE, PairingSummary, compare};
use crate::experiment::Experiment;
use crate::rounds::round_scores;
use crate::run::{Field, early_evidence, pair_points, pair_print};
use crate::statistics::{self, Estimate, Evidence, Pairs, Tally};
use crate::store::StoredMatch;
use crate::thinking::Sums;

/// At most this many forfeits of a pairing are described in words.
const FOULS_TOLD: usize = 5;

/// Sums over the finished rounds of one pairing.
pub(super) struct Totals {
    rounds: u64,
    tally: Tally,
    pentanomial: Pairs,
    /// The first agent's score per match in each round, where rounds have more than two matches.
    rates: Vec<f64>,
    agents: Vec<AgentTotals>,
    sums: Vec<Sums>,
    /// The length of each match.
    steps: Vec<u32>,
    /// One for each match, to find copies.
    prints: Vec<u64>,
    /// One for each round.
    round_prints: Vec<u64>,
    forfeited: u64,
    fouls: Vec<String>,
}

/// Sums over the matches of one agent.
#[derive(Clone)]
struct AgentTotals {
    by_seat: Vec<Tally>,
    /// The sum of its payoffs, and over how many seats.
    payoffs: (f64, u64),
}

impl Totals {
    /// Nothing yet.
    pub(super) fn new(field: &Field, pairing: u32) -> Totals {
        let agents = field.pairings[pairing as usize].agents.len();
        let by_seat = vec![Tally::default(); field.spec(pairing).players.len()];
        Totals {
            rounds: 0,
            tally: Tally::default(),
            pentanomial: Pairs::default(),
            rates: Vec::new(),
            agents: vec![AgentTotals { by_seat, payoffs: (0.0, 0) }; agents],
            sums: vec![Sums::default(); agents],
            steps: Vec::new(),
            prints: Vec::new(),
            round_prints: Vec::new(),
            forfeited: 0,
            fouls: Vec::new(),
        }
    }

    /// Rounds counted.
    pub(super) fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The sums over each agent's decisions.
    pub(super) fn sums(&self) -> &[Sums] {
        &self.sums
    }

    /// Counts a round; returns the first agent's scores in it.
    pub(super) fn add(&mut self, matches: &[StoredMatch], field: &Field, pairing: u32) -> Vec<f64> {
        let (spec, seatings) = (field.spec(pairing), &field.seatings[pairing as usize]);
        let payoffs: Vec<Vec<f64>> = matches.iter().map(|row| row.payoffs.clone()).collect();
        let scores = round_scores(spec, seatings, &payoffs);
        self.rounds += 1;
        scores.iter().for_each(|&score| self.tally.count(score));
        self.pentanomial.count(pair_points(&scores));
        if scores.len() > 2 {
            self.rates.push(scores.iter().sum::<f64>() / scores.len() as f64);
        }
        self.round_prints.push(pair_print(matches.iter().map(StoredMatch::print)));
        // Two agents who play alone are compared with each other, not with the game.
        let contest = if matches.len() > scores.len() { scores.first() } else { None };
        for row in matches {
            let seating = &seatings[row.seating];
            for (seat, &agent) in seating.iter().enumerate() {
                let score = match contest {
                    Some(&first) if agent == 0 => first,
                    Some(&first) => 1.0 - first,
                    None => statistics::score(spec, &row.payoffs, seat),
                };
                let totals = &mut self.agents[agent];
                totals.by_seat[seat].count(score);
                totals.payoffs.0 += row.payoffs[seat];
                totals.payoffs.1 += 1;
            }
            self.add_decisions(row, seating);
            self.steps.push(row.steps);
            self.prints.push(row.print());
            if let Some((seat, what)) = &row.foul {
                self.forfeited += 1;
                if self.fouls.len() < FOULS_TOLD {
                    let agent = match seating[*seat] {
                        0 => "first agent".to_owned(),
                        1 => "second agent".to_owned(),
                        other => format!("agent {}", other + 1),
                    };
                    self.fouls.push(format!("{agent}, pair {}, match {}: {what}", row.unit.pair, row.seating));
                }
            }
        }
        scores
    }

    fn add_decisions(&mut self, row: &StoredMatch, seating: &[usize]) {
        let mut places = vec![0; seating.len()];
        for decision in &row.decisions {
            let seat = decision.player.index();
            self.sums[seating[seat]].add(places[seat], decision);
            places[seat] += 1;
        }
    }

    /// The figures of the pairing with this index.
    pub(super) fn summarise(
        self,
        experiment: &Experiment,
        field: &Field,
        index: usize,
        stopped_early: bool,
    ) -> PairingSummary {
        let pairing = &field.pairings[index];
        let Totals { tally, pentanomial, .. } = self;
        let duplicates = statistics::duplicates(&self.prints);
        let effective_pairs = statistics::duplicates(&self.round_prints).effective;
        let evidence = Evidence::worth(pentanomial, effective_pairs);
        let pair_interval = if self.rates.is_empty() {
            statistics::pair_interval(evidence, CONFIDENCE)
        } else {
            statistics::round_interval(&self.rates, effective_pairs, CONFIDENCE)
        };
        // Rounds of more than two matches are not pairs.
        let anytime_interval = experiment
            .sprt
            .filter(|_| self.rates.is_empty())
            .and_then(|_| statistics::anytime_interval(evidence, CONFIDENCE));
        let valid_interval = if stopped_early { anytime_interval } else { pair_interval };
        let ours = tally.rate().zip(valid_interval).map(|(rate, interval)| Estimate { rate, interval });
        let game = experiment.games[pairing.game].label.clone();
        let agents: Vec<String> =
            pairing.agents.iter().map(|&agent| experiment.agents[agent].name.label.clone()).collect();
        let first = agents.first().cloned().unwrap_or_default();
        let second = agents.get(1..).unwrap_or_default().join(", ");
        let published = compare(experiment, &game, &first, &second, ours);
        let mean_payoff = |totals: &AgentTotals| {
            let (total, count) = totals.payoffs;
            (count > 0).then(|| total / count as f64)
        };
        PairingSummary {
            pairs: self.rounds,
            win_rate: tally.rate(),
            interval: tally
                .rate()
                .and_then(|rate| statistics::wilson_effective(rate, duplicates.effective, CONFIDENCE)),
            pair_interval,
            anytime_interval,
            elo: statistics::elo_difference(evidence, CONFIDENCE),
            normalised_elo: statistics::normalised_elo(evidence, CONFIDENCE),
            superiority: statistics::superiority(evidence),
            sprt: experiment.sprt.and_then(|early| {
                let seen = early_evidence(early.model, pentanomial, tally, effective_pairs);
                statistics::sprt(seen, &early.settings)
            }),
            stopped_early,
            mean_payoffs: self.agents.iter().map(mean_payoff).collect(),
            by_seat: self.agents.into_iter().map(|totals| totals.by_seat).collect(),
            mean_steps: mean(&self.steps),
            step_quantiles: quantiles(self.steps),
            forfeited: self.forfeited,
            fouls: self.fouls,
            thinking: self.sums.iter().map(Sums::thinking).collect(),
            game,
            first,
            second,
            agents,
            tally,
            pentanomial,
            duplicates,
            effective_pairs,
            published,
        }
    }
}

/// The mean of some lengths.
fn mean(lengths: &[u32]) -> Option<f64> {
    let total: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
    (!lengths.is_empty()).then(|| total as f64 / lengths.len() as f64)
}

/// The smallest, the quartiles and the largest of some lengths, each one of them (the nearest rank).
fn quantiles(mut lengths: Vec<u32>) -> Option<[u32; 5]> {
    lengths.sort_unstable();
    let last = lengths.len().checked_sub(1)?;
    Some([0, 1, 2, 3, 4].map(|quarters| lengths[(last * quarters + 2) / 4]))
}

#[cfg(test)]
mod tests {
    use super::quantiles;

    #[test]
    fn quantiles_are_lengths_of_matches() {
        assert_eq!(quantiles(vec![]), None);
        assert_eq!(quantiles(vec![7]), Some([7; 5]));
        assert_eq!(quantiles(vec![9, 5]), Some([5, 5, 9, 9, 9]));
        assert_eq!(quantiles((0..=100).rev().collect()), Some([0, 25, 50, 75, 100]));
    }
}
