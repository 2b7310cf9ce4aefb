//! What a strong agent thinks of the choices of a match: what was better, by how much, and how sure that is.
//!
//! The judge searches the position before each choice several times, independently: each search has its own seed. The
//! cost of a choice is what the best action was worth more than the one played, by the same search; over the searches
//! these differences have a mean and, as independent samples, an interval by Student's distribution.
//!
//! Where players choose at the same time, values are those against what the judge expects of the others. So the cost is
//! what the choice gave away against a good opponent, not against the choice that was made.

use serde::{Deserialize, Serialize};
use tesuji_core::{Actor, InputError, Player, Rng, mix};
use tesuji_play::Budget;

use crate::statistics::mean_interval;
use crate::{AnyMatch, CandidateText, DecisionText, Listener};

/// How the choices of a match are judged.
#[derive(Clone, Debug)]
pub struct ReviewPlan {
    /// The judge's address.
    pub agent: String,
    /// What each of its searches may cost.
    pub budget: Budget,
    /// Searches of each position.
    pub searches: u32,
    /// What the searches draw from.
    pub seed: u64,
}

/// The confidence of intervals.
const CONFIDENCE: f64 = 0.95;

/// The least share of the visits that makes an action a candidate for the best one.
const LEAST_SHARE: f64 = 0.05;

/// What the judge thinks of one choice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// The steps before it.
    pub step: usize,
    /// Who chose.
    pub player: u8,
    /// What was chosen.
    pub action: String,
    /// What it is worth to the player; `None` if no search looked at it.
    pub value: Option<f64>,
    /// The best action.
    pub best: String,
    /// What the best action is worth to the player.
    pub best_value: Option<f64>,
    /// What the choice cost: 0 for the best action, `None` if no search looked at it.
    pub cost: Option<f64>,
    /// The 95 % interval of the cost.
    pub interval: Option<(f64, f64)>,
    /// The expected line after the best action.
    pub line: Vec<Vec<String>>,
    /// Searches that had values for both.
    pub searches: u32,
}

/// Judges what `player` chose after `step` steps of a match: its action in the step that was made there. The listener
/// can end the searches early. `None` if the player did not act, or had no choice.
pub fn judge(
    played: &dyn AnyMatch,
    step: usize,
    player: Player,
    plan: &ReviewPlan,
    listener: &mut dyn Listener,
) -> Result<Option<Judgement>, InputError> {
    let Some(made) = played.made().get(step) else { return Ok(None) };
    let mut table = played.branch(step);
    let actors = table.actors();
    let Some(place) = actors.iter().position(|(actor, _)| *actor == Actor::Player(player)) else { return Ok(None) };
    let action = made.joint[place].clone();
    if table.legal(actors[place].0).len() < 2 {
        return Ok(None);
    }
    let mut searches = Vec::new();
    for search in 0..plan.searches.max(1) {
        // Each search is a new agent: nothing is carried over from the last one.
        table.seat(player, &plan.agent)?;
        let mut rng = Rng::new(mix(mix(plan.seed, step as u64), u64::from(search)));
        let mut ending = Ending { listener: &mut *listener, ended: false };
        searches.push(table.think_aloud(player, &plan.budget, &mut rng, Some(&mut ending))?);
        if ending.ended {
            break;
        }
    }
    Ok(Some(verdict(step, player, action, &searches)))
}

/// Remembers that a listener wants no more.
struct Ending<'a> {
    listener: &'a mut dyn Listener,
    ended: bool,
}

impl Listener for Ending<'_> {
    fn hear(&mut self, thought: &DecisionText) -> bool {
        self.ended |= !self.listener.hear(thought);
        !self.ended
    }
}

fn value_of(search: &DecisionText, action: &str) -> Option<f64> {
    let found = search.candidates.iter().find(|candidate| candidate.action == action)?;
    found.value.filter(|value| value.is_finite())
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The best action by the mean of its values, among those that were looked at often enough; the most frequent decision
/// if there are no values.
fn best_action(searches: &[DecisionText]) -> String {
    let all = |candidate: &CandidateText| -> u64 {
        let same = searches.iter().flat_map(|search| &search.candidates);
        same.filter(|other| other.action == candidate.action).map(|other| other.visits).sum()
    };
    let visits: u64 = searches.iter().flat_map(|search| &search.candidates).map(|candidate| candidate.visits).sum();
    let often = |candidate: &&CandidateText| all(candidate) as f64 >= LEAST_SHARE * visits as f64;
    let by_value = |candidate: &CandidateText| {
        let values: Vec<f64> = searches.iter().filter_map(|search| value_of(search, &candidate.action)).collect();
        mean(&values).map(|value| (value, candidate.action.clone()))
    };
    let candidates = searches.iter().flat_map(|search| &search.candidates).filter(often);
    let best = candidates.filter_map(by_value).max_by(|one, other| one.0.total_cmp(&other.0));
    best.map_or_else(|| searches[0].action.clone(), |(_, action)| action)
}

fn verdict(step: usize, player: Player, action: String, searches: &[DecisionText]) -> Judgement {
    let best = best_action(searches);
    let both = |search: &DecisionText| Some((value_of(search, &best)?, value_of(search, &action)?));
    let values: Vec<(f64, f64)> = searches.iter().filter_map(both).collect();
    let costs: Vec<f64> = values.iter().map(|(best, played)| best - played).collect();
    let own: Vec<f64> = searches.iter().filter_map(|search| value_of(search, &action)).collect();
    let of_best: Vec<f64> = searches.iter().filter_map(|search| value_of(search, &best)).collect();
    let line = searches.iter().find(|search| search.action == best).map(|search| search.line.clone());
    let is_best = best == action;
    Judgement {
        step,
        player: player.0,
        value: mean(&own),
        best_value: mean(&of_best),
        cost: if is_best { Some(0.0) } else { mean(&costs) },
        interval: if is_best { Some((0.0, 0.0)) } else { mean_interval(&costs, CONFIDENCE) },
        line: line.unwrap_or_default(),
        searches: if is_best { searches.len() } else { costs.len() } as u32,
        action,
        best,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Patient;
    impl Listener for Patient {
        fn hear(&mut self, _thought: &DecisionText) -> bool {
            true
        }
    }

    fn plan(agent: &str, playouts: u64) -> ReviewPlan {
        let budget = Budget { playouts: Some(playouts), ..Budget::default() };
        ReviewPlan { agent: agent.to_owned(), budget, searches: 4, seed: 1 }
    }

    #[test]
    fn a_missed_win_costs_half_a_point_or_more_and_the_best_action_nothing() {
        let game = tesuji_standard::catalogue().open("connect-four").unwrap();
        // Red has three in a column: the fourth wins at once.
        let mut played = game.new_match(None).unwrap();
        for action in ["d", "a", "d", "a", "d", "b", "g"] {
            played.step(&[action.to_owned()]).unwrap();
        }
        let plan = plan("uct", 400);
        let missed = judge(played.as_ref(), 6, Player(0), &plan, &mut Patient).unwrap().unwrap();
        assert_eq!((missed.action.as_str(), missed.best.as_str()), ("g", "d"));
        let (low, high) = missed.interval.unwrap();
        assert!(missed.cost.unwrap() > 0.2 && low > 0.0 && low <= high, "{missed:?}");
        assert_eq!(missed.searches, 4);
        // Nothing to judge: blue did not act there.
        assert_eq!(judge(played.as_ref(), 6, Player(1), &plan, &mut Patient).unwrap(), None);
        let mut won = game.new_match(None).unwrap();
        for action in ["d", "a", "d", "a", "d", "b", "d"] {
            won.step(&[action.to_owned()]).unwrap();
        }
        let best = judge(won.as_ref(), 6, Player(0), &plan, &mut Patient).unwrap().unwrap();
        assert_eq!((best.cost, best.interval), (Some(0.0), Some((0.0, 0.0))));
    }

    #[test]
    fn a_simultaneous_choice_is_judged_by_what_it_gives_away() {
        // Prizes 2 and 1, cards 1 and 2: whoever does not bid 2 for the first prize gives the match away.
        let game = tesuji_standard::catalogue().open("goofspiel(2,descending)").unwrap();
        let mut played = game.new_match(None).unwrap();
        let legal = played.legal(Actor::Player(Player(0)));
        assert_eq!(legal, ["1", "2"]);
        played.step(&[legal[0].clone(), legal[0].clone()]).unwrap();
        let judged = judge(played.as_ref(), 0, Player(0), &plan("joint-tree", 500), &mut Patient).unwrap().unwrap();
        // Against the bid that was made it cost nothing; against a good opponent it gives half a point away.
        assert_eq!(judged.best, legal[1]);
        assert!(judged.cost.unwrap() > 0.3, "{judged:?}");
    }
}
