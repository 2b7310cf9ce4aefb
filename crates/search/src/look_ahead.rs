//! The look-ahead of paper 003 (§3): averages over the dice *and* over the actions.
//!
//! A state's value is the mean over its actions, of each the expectation over the dice, of the values behind them; at the
//! depth, counted in choices, the evaluation decides. Only the root compares actions. So an action is good if what
//! follows is good on the whole, however both sides go on.
//!
//! The tree is cut in stages: every action is read to depth 1; those that reach the standard are read to depth 3, and so
//! on by twos to the full depth. Before all this, *obvious moves* (§4) are played without a search: one that wins at once
//! with a good chance, or one that averts such a win of the other side.
//!
//! Covers every game where one player acts at a time and that offers an evaluation. Choices where the paper is silent:
//! - The standard is the mean of the stage's values, or a number.
//! - The paper adds up (number of faces) × value, which favours states with many actions; `Backup::Sum` does so, the default
//!   divides by the number of actions and faces.
//! - An ended match counts `end` for a win and −`end` for a loss: 200, the size of the paper's penalty for a lost position.
//! - A threat is obvious if on the mean over one's own actions it would win with the chance `obvious`.
//!
//! Equal states met at equal depth are read once. That changes no value: the mean does not depend on the way.

use std::time::Duration;

use rustc_hash::FxHashMap;
use tesuji_core::{Evaluation, Game, Player, Rng, Spec, Turn};

use crate::final_choice::forced;
use crate::pace::Pace;
use crate::{Agent, Budget, Candidate, Decision, Seat, Thought, Watcher};

/// What an action must reach to be read deeper.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Standard {
    /// The mean of the actions that were read as deep.
    Mean,
    /// This value.
    Value(f64),
    /// Nothing: no cut.
    Off,
}

/// How the values of a state's actions become one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Backup {
    /// Their mean.
    Mean,
    /// Their sum, each outcome of the dice counted with its number of faces.
    Sum {
        /// Faces of the die.
        faces: f64,
    },
}

/// The agent.
pub struct LookAhead<G: Game> {
    /// Judges the states at the depth.
    pub evaluation: Box<dyn Evaluation<G>>,
    /// Choices read.
    pub depth: u32,
    /// What must be reached to be read deeper.
    pub standard: Standard,
    /// How values become one.
    pub backup: Backup,
    /// What a won match counts.
    pub end: f64,
    /// The chance to win that makes a move obvious; `None`: every move is searched.
    pub obvious: Option<f64>,
    /// Are equal states read once?
    pub memory: bool,
    /// Its own budget; where it sets no limit, the seat's counts. Leaves count as playouts.
    pub budget: Budget,
}

/// Values remembered at most; what comes later is read again where it is met again.
const MOST_REMEMBERED: usize = 4_000_000;

/// What is known of an action at the root.
#[derive(Clone, Copy)]
struct Read<A> {
    action: A,
    value: f64,
    /// Choices read behind it and itself.
    depth: u32,
    leaves: u64,
}

/// One reading of the tree.
struct Reader<'a, 'w, G: Game> {
    game: &'a G,
    agent: &'a LookAhead<G>,
    player: Player,
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Action, f64)>,
    remembered: FxHashMap<(G::State, u32), f64>,
    leaves: u64,
    nodes: u64,
    pace: Pace,
    watcher: Option<&'w mut dyn Watcher<G::Action>>,
    stopped: bool,
}

impl<G: Game> Reader<'_, '_, G> {
    /// The value of `state` with so many choices to read.
    fn value(&mut self, state: &G::State, depth: u32) -> f64 {
        match self.game.turn(state) {
            Turn::Over => {
                self.leaves += 1;
                let share = self.game.spec().normalise(self.game.payoff(state, self.player));
                (2.0 * share - 1.0) * self.agent.end
            }
            Turn::Chance => self.expectation(state, depth),
            Turn::Player(_) if depth == 0 => {
                self.leaves += 1;
                self.agent.evaluation.value(self.game, state, self.player)
            }
            Turn::Player(mover) => self.mean(state, mover, depth),
            Turn::Simultaneous(_) => unreachable!("several act at once in {state:?}"),
        }
    }

    fn expectation(&mut self, state: &G::State, depth: u32) -> f64 {
        let first = self.outcomes.len();
        self.game.chance(state, &mut self.outcomes);
        let scale = match self.agent.backup {
            Backup::Mean => 1.0,
            Backup::Sum { faces } => faces,
        };
        let mut sum = 0.0;
        for index in first..self.outcomes.len() {
            let (outcome, probability) = self.outcomes[index];
            let mut next = state.clone();
            self.game.apply(&mut next, &[outcome]);
            sum += scale * probability * self.value(&next, depth);
        }
        self.outcomes.truncate(first);
        sum
    }

    fn mean(&mut self, state: &G::State, mover: Player, depth: u32) -> f64 {
        if self.stopped || !self.pace.allows(self.leaves, self.nodes, &mut self.watcher, thought_so_far) {
            self.stopped = true;
            return 0.0;
        }
        let key = self.agent.memory.then(|| (state.clone(), depth));
        if let Some(&known) = key.as_ref().and_then(|key| self.remembered.get(key)) {
            return known;
        }
        self.nodes += 1;
        let first = self.actions.len();
        self.game.legal(state, mover, &mut self.actions);
        let count = self.actions.len() - first;
        let mut sum = 0.0;
        for index in first..self.actions.len() {
            let mut next = state.clone();
            self.game.apply(&mut next, &[self.actions[index]]);
            sum += self.value(&next, depth - 1);
        }
        self.actions.truncate(first);
        let value = match self.agent.backup {
            Backup::Mean => sum / count as f64,
            Backup::Sum { .. } => sum,
        };
        if let Some(key) = key
            && !self.stopped
            && self.remembered.len() < MOST_REMEMBERED
        {
            self.remembered.insert(key, value);
        }
        value
    }

    /// The chance that `state`, a choice just made in it, ends at once with the greatest payoff for `player`.
    fn chance_to_win(&self, state: &G::State, player: Player) -> f64 {
        match self.game.turn(state) {
            Turn::Over => f64::from(u8::from(self.game.payoff(state, player) >= self.game.spec().payoffs.1)),
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chance(state, &mut outcomes);
                let share = |(outcome, probability): (G::Action, f64)| {
                    let mut next = state.clone();
                    self.game.apply(&mut next, &[outcome]);
                    probability * self.chance_to_win(&next, player)
                };
                outcomes.into_iter().map(share).sum()
            }
            _ => 0.0,
        }
    }

    /// The chance that another player, acting next, wins at once with its best action.
    fn danger(&self, state: &G::State) -> f64 {
        match self.game.turn(state) {
            Turn::Player(other) if other != self.player => {
                let mut actions = Vec::new();
                self.game.legal(state, other, &mut actions);
                let chance = |action: G::Action| {
                    let mut next = state.clone();
                    self.game.apply(&mut next, &[action]);
                    self.chance_to_win(&next, other)
                };
                actions.into_iter().map(chance).fold(0.0, f64::max)
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                self.game.chance(state, &mut outcomes);
                let share = |(outcome, probability): (G::Action, f64)| {
                    let mut next = state.clone();
                    self.game.apply(&mut next, &[outcome]);
                    probability * self.danger(&next)
                };
                outcomes.into_iter().map(share).sum()
            }
            _ => 0.0,
        }
    }

    /// The move that needs no search: the likeliest to win at once, or the one that averts the most danger, if it is one.
    fn obvious(&self, state: &G::State, actions: &[G::Action], threshold: f64) -> Option<G::Action> {
        let after = |action: G::Action| {
            let mut next = state.clone();
            self.game.apply(&mut next, &[action]);
            next
        };
        let wins: Vec<f64> = actions.iter().map(|&action| self.chance_to_win(&after(action), self.player)).collect();
        let best = first_greatest(&wins);
        if wins[best] >= threshold {
            return Some(actions[best]);
        }
        let safety: Vec<f64> = actions.iter().map(|&action| -self.danger(&after(action))).collect();
        let mean = -safety.iter().sum::<f64>() / safety.len() as f64;
        let safest = first_greatest(&safety);
        (mean >= threshold && -safety[safest] < threshold).then(|| actions[safest])
    }
}

fn thought_so_far<A>(time: Duration) -> Thought<A> {
    Thought { time, ..Thought::default() }
}

fn first_greatest(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, index| if values[index] > values[best] { index } else { best })
}

impl<G: Game> LookAhead<G> {
    /// The depths read one after the other: 1, 3, 5, …, or 2, 4, …, to the full depth.
    fn stages(&self) -> impl Iterator<Item = u32> {
        let first = if self.depth.is_multiple_of(2) { 2 } else { 1 };
        (first..=self.depth).step_by(2)
    }

    /// Those of `read` that reach the standard; all of them if none does.
    fn survivors(&self, read: &[Read<G::Action>]) -> Vec<bool> {
        let standard = match self.standard {
            Standard::Mean => read.iter().map(|read| read.value).sum::<f64>() / read.len() as f64,
            Standard::Value(value) => value,
            Standard::Off => f64::NEG_INFINITY,
        };
        // A mean of equal values may be rounded above them.
        let slack = 1e-12 * standard.abs().min(f64::MAX);
        let reach: Vec<bool> = read.iter().map(|read| read.value >= standard - slack).collect();
        if reach.contains(&true) { reach } else { vec![true; read.len()] }
    }

    /// A value on the scale of payoffs, for show.
    fn on_payoff_scale(&self, spec: &Spec, value: f64) -> f64 {
        spec.denormalise((0.5 + value / (2.0 * self.end)).clamp(0.0, 1.0))
    }

    fn decision(
        &self,
        spec: &Spec,
        read: &[Read<G::Action>],
        chosen: G::Action,
        thought: Thought<G::Action>,
    ) -> Decision<G::Action> {
        let mut order: Vec<&Read<G::Action>> = read.iter().collect();
        order.sort_by(|a, b| b.depth.cmp(&a.depth).then(b.value.total_cmp(&a.value)));
        let candidate = |read: &&Read<G::Action>| Candidate {
            action: read.action,
            visits: read.leaves,
            value: (read.depth > 0).then(|| self.on_payoff_scale(spec, read.value)),
            prior: None,
            probability: f64::from(u8::from(read.action == chosen)),
        };
        let mut candidates: Vec<Candidate<G::Action>> = order.iter().map(candidate).collect();
        candidates.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let value = candidates[0].value;
        Decision {
            value,
            thought: Thought { candidates, line: vec![vec![chosen]], ..thought },
            ..Decision::pure(chosen)
        }
    }
}

impl<G: Game> Agent<G> for LookAhead<G> {
    fn choose(&mut self, seat: Seat<'_, G>, budget: &Budget, _rng: &mut Rng) -> Decision<G::Action> {
        let spec = seat.game.spec();
        let mut actions = Vec::new();
        seat.game.legal(seat.state, seat.player, &mut actions);
        if let [only] = actions[..] {
            return forced(only);
        }
        let mut reader = Reader {
            game: seat.game,
            agent: self,
            player: seat.player,
            actions: Vec::new(),
            outcomes: Vec::new(),
            remembered: FxHashMap::default(),
            leaves: 0,
            nodes: 0,
            pace: Pace::start(if self.budget.is_limited() { self.budget } else { *budget }),
            watcher: seat.watcher,
            stopped: false,
        };
        let mut read: Vec<Read<G::Action>> =
            actions.iter().map(|&action| Read { action, value: 0.0, depth: 0, leaves: 0 }).collect();
        let obvious = self.obvious.and_then(|threshold| reader.obvious(seat.state, &actions, threshold));
        if let Some(action) = obvious {
            let thought = Thought { depth: 1, time: reader.pace.elapsed(), ..Thought::default() };
            return self.decision(spec, &read, action, thought);
        }
        let mut kept: Vec<usize> = (0..read.len()).collect();
        let mut reached = 0;
        for depth in self.stages() {
            if kept.len() == 1 && reached > 0 {
                break;
            }
            let mut stage = Vec::new();
            for &index in &kept {
                let before = reader.leaves;
                let mut next = seat.state.clone();
                seat.game.apply(&mut next, &[actions[index]]);
                let value = reader.value(&next, depth - 1);
                if reader.stopped {
                    break;
                }
                stage.push(Read { action: actions[index], value, depth, leaves: reader.leaves - before });
            }
            // A stage that was not finished compares nothing.
            if stage.len() < kept.len() {
                break;
            }
            reached = depth;
            let survives = self.survivors(&stage);
            for (&index, stage) in kept.iter().zip(&stage) {
                read[index] = Read { leaves: read[index].leaves + stage.leaves, ..*stage };
            }
            kept = kept.into_iter().zip(survives).filter(|(_, survives)| *survives).map(|(index, _)| index).collect();
        }
        let best =
            kept.iter().copied().reduce(|best, index| if read[index].value > read[best].value { index } else { best });
        let thought = Thought {
            depth: reached,
            nodes: reader.nodes + reader.leaves,
            time: reader.pace.elapsed(),
            ..Thought::default()
        };
        self.decision(spec, &read, actions[best.unwrap_or(0)], thought)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny_games::{Nim, Written, chance, choice, first_decision, over};
    use tesuji_core::Knowledge;

    fn agent(depth: u32) -> LookAhead<Written> {
        LookAhead {
            evaluation: Box::new(|_: &Written, state: &Vec<u8>, player: Player| {
                let sign = if player.0 == 0 { 1.0 } else { -1.0 };
                sign * state.iter().map(|&index| f64::from(index)).sum::<f64>()
            }),
            depth,
            standard: Standard::Mean,
            backup: Backup::Mean,
            end: 100.0,
            obvious: None,
            memory: true,
            budget: Budget::default(),
        }
    }

    fn written(form: crate::tiny_games::Form) -> Written {
        Written::new(2, (0.0, 1.0), form)
    }

    const PLENTY: u64 = 1 << 40;

    #[test]
    fn values_are_means_over_actions_and_dice() {
        // The first action's replies are good and bad, the second's are a little better on the mean: no minimum is taken.
        let uneven = choice(1, [over([1.0, 0.0]), over([0.0, 1.0])]);
        let gamble = chance([(0.75, over([1.0, 0.0])), (0.25, over([0.0, 1.0]))]);
        let better = choice(1, [gamble, over([0.5, 0.5])]);
        let game = written(choice(0, [uneven, better]));
        let mut uncut = LookAhead { standard: Standard::Off, ..agent(3) };
        let decision = first_decision(&game, &mut uncut, 0, PLENTY, 1);
        let value = |action: u8| decision.thought.candidates.iter().find(|other| other.action == action).unwrap().value;
        assert_eq!(decision.action, 1);
        // Means of 0 and 25 on the scale of ±100, shown on the scale of payoffs.
        assert_eq!((value(0), value(1)), (Some(0.5), Some(0.625)));
    }

    #[test]
    fn sums_favour_many_replies() {
        let many = choice(1, [over([0.6, 0.4]), over([0.6, 0.4]), over([0.6, 0.4])]);
        let few = choice(1, [over([0.9, 0.1])]);
        let game = written(choice(0, [few, many]));
        let mut uncut = LookAhead { standard: Standard::Off, ..agent(3) };
        assert_eq!(first_decision(&game, &mut uncut, 0, PLENTY, 1).action, 0);
        let mut literal = LookAhead { backup: Backup::Sum { faces: 6.0 }, standard: Standard::Off, ..agent(3) };
        // 80 against 3 × 20: only the number of replies could turn it, and 5 would.
        assert_eq!(first_decision(&game, &mut literal, 0, PLENTY, 1).action, 0);
        let five = choice(1, [0; 5].map(|_| over([0.6, 0.4])));
        let few = choice(1, [over([0.9, 0.1])]);
        assert_eq!(first_decision(&written(choice(0, [few, five])), &mut literal, 0, PLENTY, 1).action, 1);
    }

    #[test]
    fn what_misses_the_standard_is_not_read_deeper() {
        // At depth 1 the evaluation counts indices: 0, 1, 2. The first hides a certain win behind a poor look.
        let end = |share: f64| choice(1, [choice(0, [over([share, 1.0 - share])])]);
        let form = || choice(0, [end(1.0), end(0.2), end(0.3)]);
        let decision = first_decision(&written(form()), &mut agent(3), 0, PLENTY, 1);
        assert_eq!(decision.action, 2);
        let visits: Vec<u64> = decision.thought.candidates.iter().map(|candidate| candidate.visits).collect();
        assert_eq!((decision.thought.depth, visits), (3, vec![2, 2, 1]), "the poorest look is read once");
        let mut patient = LookAhead { standard: Standard::Off, ..agent(3) };
        assert_eq!(first_decision(&written(form()), &mut patient, 0, PLENTY, 1).action, 0);
        let mut strict = LookAhead { standard: Standard::Value(1.5), ..agent(5) };
        assert_eq!(
            first_decision(&written(form()), &mut strict, 0, PLENTY, 1).thought.depth,
            1,
            "one is left: no more reading"
        );
        let mut unreachable = LookAhead { standard: Standard::Value(99.0), ..agent(3) };
        assert_eq!(
            first_decision(&written(form()), &mut unreachable, 0, PLENTY, 1).action,
            0,
            "if none passes, all do"
        );
    }

    #[test]
    fn obvious_moves_need_no_search() {
        let gamble = chance([(0.6, over([1.0, 0.0])), (0.4, choice(1, [over([0.0, 1.0])]))]);
        let slow = choice(1, [choice(0, [over([1.0, 0.0])])]);
        let game = written(choice(0, [slow, gamble]));
        let mut quick = LookAhead { obvious: Some(0.5), ..agent(3) };
        let decision = first_decision(&game, &mut quick, 0, PLENTY, 1);
        assert_eq!((decision.action, decision.thought.nodes), (1, 0));
        // Two of three actions let the other side win at once; the third averts it, though the evaluation likes it least.
        let lost = || choice(1, [over([0.0, 1.0]), choice(0, [over([1.0, 0.0])])]);
        let saved = choice(1, [choice(0, [over([0.5, 0.5])])]);
        let game = written(choice(0, [saved, lost(), lost()]));
        let decision = first_decision(&game, &mut quick, 0, PLENTY, 1);
        assert_eq!((decision.action, decision.thought.nodes), (0, 0));
        assert_eq!(first_decision(&game, &mut agent(1), 0, PLENTY, 1).action, 2);
    }

    /// The mean once more, plainly: no memory, no buffers.
    fn plainly(
        game: &Nim,
        evaluation: &dyn Evaluation<Nim>,
        state: (u8, u8),
        depth: u32,
        player: Player,
        end: f64,
    ) -> f64 {
        match game.turn(&state) {
            Turn::Over => (2.0 * game.payoff(&state, player) - 1.0) * end,
            Turn::Player(_) if depth == 0 => evaluation.value(game, &state, player),
            Turn::Player(mover) => {
                let mut actions = Vec::new();
                game.legal(&state, mover, &mut actions);
                let values = actions
                    .iter()
                    .map(|&taken| plainly(game, evaluation, (state.0 - taken, 1 - state.1), depth - 1, player, end));
                values.sum::<f64>() / actions.len() as f64
            }
            _ => unreachable!(),
        }
    }

    #[test]
    fn the_optimised_reading_has_the_plain_ones_values_to_the_last_bit() {
        for (heap, depth) in [(7, 1), (9, 3), (14, 5), (15, 6)] {
            let game = Nim::new(heap);
            let evaluation = || game.evaluation("remainder").unwrap();
            let mut agent = LookAhead {
                evaluation: evaluation(),
                depth,
                standard: Standard::Off,
                backup: Backup::Mean,
                end: 3.0,
                obvious: None,
                memory: true,
                budget: Budget::default(),
            };
            let decision = first_decision(&game, &mut agent, 0, PLENTY, 1);
            let value = |taken: u8| plainly(&game, &*evaluation(), (heap - taken, 1), depth - 1, Player(0), 3.0);
            for candidate in &decision.thought.candidates {
                let shown = agent.on_payoff_scale(game.spec(), value(candidate.action));
                assert_eq!(candidate.value, Some(shown), "{heap} {depth}");
            }
            let values = [1, 2, 3].map(value);
            assert_eq!(decision.action, first_greatest(&values) as u8 + 1);
        }
    }

    #[test]
    fn a_budget_that_ends_early_leaves_the_last_finished_stage() {
        let game = Nim::new(30);
        let mut agent = LookAhead {
            evaluation: game.evaluation("remainder").unwrap(),
            depth: 50,
            standard: Standard::Off,
            backup: Backup::Mean,
            end: 3.0,
            obvious: None,
            memory: false,
            budget: Budget::default(),
        };
        let decision = first_decision(&game, &mut agent, 0, 500, 1);
        assert!((2..50).contains(&decision.thought.depth), "{}", decision.thought.depth);
        assert_eq!(first_decision(&game, &mut agent, 0, 1, 1).thought.depth, 0, "nothing was read, yet it answers");
    }
}
