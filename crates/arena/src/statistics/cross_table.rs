//! The cross table: the results of all agents against each other.

use serde::Serialize;

use super::tally::Tally;

/// The results of matches between several agents, by pair of agents and by unit (match or pair of matches).
///
/// Unlike [`Pairs`](super::Pairs) it distinguishes two draws from a win and a loss, since ratings with a draw term need
/// the number of drawn matches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CrossTable {
    agents: usize,
    /// One entry for each two agents with first < second, in lexicographic order.
    meetings: Vec<Meeting>,
}

/// The kinds of pair by their matches (won, drawn, lost), from the first agent's view.
pub(super) const PAIR_KINDS: [[u64; 3]; 6] = [[0, 0, 2], [0, 1, 1], [0, 2, 0], [1, 0, 1], [1, 1, 0], [2, 0, 0]];

/// The kinds of single match in the same form.
pub(super) const MATCH_KINDS: [[u64; 3]; 3] = [[0, 0, 1], [0, 1, 0], [1, 0, 0]];

/// The results between two agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(super) struct Meeting {
    /// Pairs by [`PAIR_KINDS`].
    pub(super) pairs: [u64; 6],
    /// Single matches by [`MATCH_KINDS`].
    #[serde(rename = "games")]
    pub(super) matches: [u64; 3],
}

impl Meeting {
    /// All matches, won, drawn and lost by the first agent. In floating point, so that no count overflows.
    pub(super) fn results(&self) -> [f64; 3] {
        let mut results = [0.0; 3];
        let kinds = self.pairs.iter().zip(&PAIR_KINDS).chain(self.matches.iter().zip(&MATCH_KINDS));
        for (&count, kind) in kinds {
            for (result, &matches) in results.iter_mut().zip(kind) {
                *result += count as f64 * matches as f64;
            }
        }
        results
    }

    /// The mean score of each kind of unit that occurred, with its number.
    pub(super) fn scores(&self) -> impl Iterator<Item = (f64, f64)> {
        let kinds = self.pairs.iter().zip(&PAIR_KINDS).chain(self.matches.iter().zip(&MATCH_KINDS));
        kinds.filter(|(count, _)| **count > 0).map(|(&count, [won, drawn, lost])| {
            let score = (*won as f64 + *drawn as f64 / 2.0) / (won + drawn + lost) as f64;
            (score, count as f64)
        })
    }

    /// As many units as `units`, rounded to a whole number above 0, in the same proportions (largest remainders).
    fn worth(&self, units: f64) -> Meeting {
        let counts: Vec<u64> = self.pairs.iter().chain(&self.matches).copied().collect();
        let total: f64 = counts.iter().map(|&count| count as f64).sum();
        if !(total > 0.0 && units >= 0.0 && units < total) {
            return *self;
        }
        let whole = units.round().max(1.0);
        let shares: Vec<f64> = counts.iter().map(|&count| count as f64 * whole / total).collect();
        let mut kept: Vec<u64> = shares.iter().map(|share| share.floor() as u64).collect();
        let mut order: Vec<usize> = (0..counts.len()).collect();
        order.sort_by(|&a, &b| shares[b].fract().total_cmp(&shares[a].fract()));
        let missing = whole as u64 - kept.iter().sum::<u64>().min(whole as u64);
        order.iter().take(missing as usize).for_each(|&kind| kept[kind] += 1);
        let mut thinned = Meeting::default();
        thinned.pairs.copy_from_slice(&kept[..6]);
        thinned.matches.copy_from_slice(&kept[6..]);
        thinned
    }

    fn reversed(&self) -> Meeting {
        let [ll, ld, dd, wl, wd, ww] = self.pairs;
        let [lost, drawn, won] = self.matches;
        Meeting { pairs: [ww, wd, dd, wl, ld, ll], matches: [won, drawn, lost] }
    }

    fn add(&mut self, other: &Meeting) {
        let own = self.pairs.iter_mut().chain(&mut self.matches);
        for (own, other) in own.zip(other.pairs.iter().chain(&other.matches)) {
            *own = own.saturating_add(*other);
        }
    }
}

impl CrossTable {
    /// A table of `agents` agents who have not met.
    pub fn new(agents: usize) -> CrossTable {
        CrossTable { agents, meetings: vec![Meeting::default(); agents * agents.saturating_sub(1) / 2] }
    }

    /// The number of agents.
    pub fn agents(&self) -> usize {
        self.agents
    }

    /// The number of units: pairs, and matches that do not come in pairs.
    pub fn units(&self) -> u64 {
        let counts = self.meetings.iter().flat_map(|meeting| meeting.pairs.iter().chain(&meeting.matches));
        counts.fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Counts a pair of matches between `first` and `second` by the scores (0, 1/2 or 1) of `first`.
    ///
    /// # Panics
    /// If the two are the same agent, or one is not in the table.
    pub fn add_pair(&mut self, first: usize, second: usize, scores: [f64; 2]) {
        let mut tally = Tally::default();
        scores.into_iter().for_each(|score| tally.count(score));
        let kind = [tally.wins, tally.draws, tally.losses];
        let mut meeting = Meeting::default();
        for (count, pair) in meeting.pairs.iter_mut().zip(PAIR_KINDS) {
            *count = u64::from(pair == kind);
        }
        self.add(first, second, meeting);
    }

    /// Adds matches between `first` and `second` that do not come in pairs, from the view of `first`.
    ///
    /// # Panics
    /// If the two are the same agent, or one is not in the table.
    pub fn add_matches(&mut self, first: usize, second: usize, tally: Tally) {
        let meeting = Meeting { matches: [tally.losses, tally.draws, tally.wins], ..Meeting::default() };
        self.add(first, second, meeting);
    }

    /// Adds the results between agents 0 and 1 of another table as those of `first` and `second`, worth as much as
    /// `units` independent units: fewer than were played where some are copies of others.
    ///
    /// # Panics
    /// If the two are the same agent, or one is not in the table.
    pub(crate) fn add_worth(&mut self, first: usize, second: usize, other: &CrossTable, units: f64) {
        for meeting in &other.meetings[..other.meetings.len().min(1)] {
            self.add(first, second, meeting.worth(units));
        }
    }

    /// All matches between two agents, from the view of `first`.
    ///
    /// # Panics
    /// If the two are the same agent, or one is not in the table.
    pub fn tally(&self, first: usize, second: usize) -> Tally {
        let meeting = &self.meetings[self.index(first.min(second), first.max(second))];
        let [wins, draws, losses] = meeting.results().map(|matches| matches as u64);
        let tally = Tally { wins, draws, losses };
        if first < second { tally } else { tally.reversed() }
    }

    /// All matches of one agent.
    pub fn total(&self, agent: usize) -> Tally {
        let mut total = Tally::default();
        (0..self.agents).filter(|&other| other != agent).for_each(|other| total.add(self.tally(agent, other)));
        total
    }

    /// All two agents with their results, as (first, second, results), first < second.
    pub(super) fn meetings(&self) -> impl Iterator<Item = (usize, usize, &Meeting)> {
        let couples = (0..self.agents).flat_map(|first| (first + 1..self.agents).map(move |second| (first, second)));
        couples.zip(&self.meetings).map(|((first, second), meeting)| (first, second, meeting))
    }

    /// The same agents with the results of each two replaced.
    pub(super) fn mapped(&self, change: impl FnMut(&Meeting) -> Meeting) -> CrossTable {
        CrossTable { agents: self.agents, meetings: self.meetings.iter().map(change).collect() }
    }

    fn add(&mut self, first: usize, second: usize, meeting: Meeting) {
        let index = self.index(first.min(second), first.max(second));
        self.meetings[index].add(&if first < second { meeting } else { meeting.reversed() });
    }

    fn index(&self, first: usize, second: usize) -> usize {
        assert!(first < second && second < self.agents, "{first} and {second} are not two of {} agents", self.agents);
        first * (2 * self.agents - first - 1) / 2 + second - first - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_kept_from_either_view() {
        let mut table = CrossTable::new(4);
        table.add_pair(2, 1, [1.0, 0.5]);
        table.add_pair(1, 2, [0.0, 0.0]);
        table.add_pair(1, 2, [1.0, 0.0]);
        table.add_matches(0, 3, Tally { wins: 1, draws: 2, losses: 3 });
        table.add_matches(3, 0, Tally { wins: 10, draws: 20, losses: 30 });
        assert_eq!(table.tally(2, 1), Tally { wins: 4, draws: 1, losses: 1 });
        assert_eq!(table.tally(1, 2), table.tally(2, 1).reversed());
        assert_eq!(table.tally(0, 3), Tally { wins: 31, draws: 22, losses: 13 });
        assert_eq!(table.tally(0, 1), Tally::default());
        assert_eq!(table.total(2), Tally { wins: 4, draws: 1, losses: 1 });
        let seen: Vec<(usize, usize)> = table.meetings().map(|(first, second, _)| (first, second)).collect();
        assert_eq!(seen, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        assert_eq!(table.meetings().nth(3).unwrap().2.pairs, [1, 1, 0, 1, 0, 0]);
    }

    #[test]
    fn copies_are_added_as_what_they_are_worth() {
        let mut copies = CrossTable::new(2);
        (0..99).for_each(|_| copies.add_pair(0, 1, [1.0, 0.0]));
        copies.add_pair(0, 1, [1.0, 1.0]);
        let mut table = CrossTable::new(3);
        table.add_worth(2, 1, &copies, 1.02);
        assert_eq!(table.tally(2, 1), Tally { wins: 1, draws: 0, losses: 1 });
        table.add_worth(0, 1, &copies, 60.0);
        assert_eq!(table.tally(0, 1), Tally { wins: 61, draws: 0, losses: 59 });
        table.add_worth(0, 2, &copies, 1e9);
        assert_eq!(table.tally(0, 2), copies.tally(0, 1));
    }

    #[test]
    #[should_panic(expected = "1 and 1 are not two of 2 agents")]
    fn nobody_meets_himself() {
        CrossTable::new(2).add_matches(1, 1, Tally::default());
    }
}
