//! Beam search over whole turns, judged by the best reply.
//!
//! The own turn is built action by action. After each action only the most valuable states are kept (the beam), by an
//! evaluation that can judge the middle of a turn: a network does, since it learns from every action. Orders of actions
//! that lead to the same state are kept once. The best complete turns are then judged by what the other side can make
//! of them: its turn is found by a narrower beam, and the state after it is evaluated.
//!
//! The search is repeated with a beam of twice the width until the budget ends, so that it can be stopped at any time.
//! A turn that wins the match at once is played without further search.
//!
//! For two players with opposite interests: the searcher maximises the evaluation, the other minimises it.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};
use tesuji_core::{Evaluation, Game, Player, Rng, Turn};

use super::{Plan, Planner, acts};
use crate::cold_sort::cold_sort_descending;
use crate::pace::Pace;
use crate::{Budget, Seat, Thought};

/// The planner of `beam`.
pub struct Beam<G: Game> {
    /// Evaluates states; finished matches by their result.
    pub evaluation: Box<dyn Evaluation<G>>,
    /// The greatest width of the beam.
    pub width: usize,
    /// The most turns that are judged by the reply, in each repetition; 0: turns are judged by their end.
    pub replies: usize,
    /// The width of the own beam is this many times that of the reply.
    pub narrower: usize,
}

/// A turn, or a part of one.
struct Line<G: Game> {
    actions: Vec<G::Action>,
    state: G::State,
    /// The value of its end for the side that acts.
    value: f64,
}

impl<G: Game> Clone for Line<G> {
    fn clone(&self) -> Self {
        Line { actions: self.actions.clone(), state: self.state.clone(), value: self.value }
    }
}

/// A running search.
struct Search<'a, 's, G: Game> {
    game: &'a G,
    seat: &'s mut Seat<'a, G>,
    evaluation: &'s dyn Evaluation<G>,
    pace: Pace,
    evaluated: u64,
    stopped: bool,
    legal: Vec<G::Action>,
    seen: FxHashSet<u64>,
}

impl<G: Game> Planner<G> for Beam<G> {
    fn plan(&mut self, seat: &mut Seat<'_, G>, budget: &Budget, _rng: &mut Rng) -> Plan<G::Action> {
        let (player, start) = (seat.player, seat.state.clone());
        let mut own = Seat { watcher: seat.watcher.take(), ..*seat };
        let mut search = Search::new(&mut own, &*self.evaluation, budget);
        let mut best: Option<Line<G>> = None;
        let mut first: Vec<(G::Action, u64, f64)> = Vec::new();
        let mut width = 1;
        while width <= self.width && !search.stopped {
            let mut turns = search.turns(&start, player, width, width.max(self.replies));
            if search.stopped && best.is_some() {
                break;
            }
            let wins = turns.first().is_some_and(|turn| search.is_won(&turn.state, player));
            if wins || self.replies == 0 {
                turns.truncate(1);
                // A wider beam can miss what a narrower one has found.
                turns.extend(best.clone().filter(|_| !wins));
            } else {
                turns.truncate(self.replies.min(width.max(4)));
                // The best turn so far is judged again, before the others: a wider reply may refute it.
                if let Some(best) = &best {
                    turns.retain(|turn| turn.state != best.state);
                    turns.insert(0, best.clone());
                }
                search.judge(&mut turns, player, (width / self.narrower.max(1)).max(1));
            }
            for turn in &turns {
                let action = turn.actions[0];
                match first.iter_mut().find(|(known, ..)| *known == action) {
                    Some((_, seen, value)) => (*seen, *value) = (*seen + 1, turn.value),
                    None => first.push((action, 1, turn.value)),
                }
            }
            // A turn that was not judged completely has lost its place in the list.
            let found = turns.into_iter().reduce(|best, turn| if turn.value > best.value { turn } else { best });
            best = found.or(best);
            if wins {
                break;
            }
            width *= 2;
        }
        let Search { evaluated, pace, .. } = search;
        let best = best.unwrap_or_else(|| unreachable!("the first beam finishes a turn whatever the budget"));
        Plan {
            actions: best.actions,
            value: best.value,
            first,
            playouts: evaluated,
            nodes: evaluated,
            time: pace.elapsed(),
            limit: pace.limit(),
        }
    }
}

/// The best of some complete turns, by the value after the other side's best reply.
pub(super) struct BestAfterReply {
    /// The index of the turn.
    pub best: usize,
    /// The value after the reply.
    pub value: f64,
    /// The number of states evaluated.
    pub evaluated: u64,
}

/// Judges complete turns, given by their ends, by the other side's best reply. Replies are found by a beam of twice the
/// width in each pass, until the budget ends; a pass that is not finished counts only if it is the first.
pub(super) fn best_after_reply<G: Game>(
    seat: &Seat<'_, G>,
    evaluation: &dyn Evaluation<G>,
    ends: &[G::State],
    budget: &Budget,
) -> BestAfterReply {
    let player = seat.player;
    let mut own = Seat { watcher: None, ..*seat };
    let mut search = Search::new(&mut own, evaluation, budget);
    let mut found = BestAfterReply { best: 0, value: f64::NEG_INFINITY, evaluated: 0 };
    let mut width = 1;
    while width <= WIDEST_REPLY && !search.stopped {
        // What ends the match keeps this value; the others are judged by the reply.
        let line = |end: &G::State| {
            let value = evaluation.value(seat.game, end, player);
            Line { actions: Vec::new(), state: end.clone(), value }
        };
        let mut turns: Vec<Line<G>> = ends.iter().map(line).collect();
        search.judge(&mut turns, player, width);
        let best = (1..turns.len()).fold(0, |best, i| if turns[i].value > turns[best].value { i } else { best });
        if turns.len() == ends.len() || width == 1 {
            (found.best, found.value) = (best, turns[best].value);
        }
        width *= 2;
    }
    BestAfterReply { evaluated: search.evaluated, ..found }
}

/// The widest beam of a reply: a bound set by hand, which budgets below a second hardly reach.
const WIDEST_REPLY: usize = 64;

impl<'a, 's, G: Game> Search<'a, 's, G> {
    fn new(seat: &'s mut Seat<'a, G>, evaluation: &'s dyn Evaluation<G>, budget: &Budget) -> Search<'a, 's, G> {
        Search {
            game: seat.game,
            seat,
            evaluation,
            pace: Pace::start(*budget),
            evaluated: 0,
            stopped: false,
            legal: Vec::new(),
            seen: FxHashSet::default(),
        }
    }

    fn is_won(&self, state: &G::State, player: Player) -> bool {
        let spec = self.game.spec();
        self.game.turn(state) == Turn::Over && spec.normalise(self.game.payoff(state, player)) >= 1.0
    }

    /// The best complete turns of `player` from `state`, at most `most`, the best first. If the budget ends before the
    /// first is complete, the best part of one is completed by the first legal actions.
    fn turns(&mut self, state: &G::State, player: Player, width: usize, most: usize) -> Vec<Line<G>> {
        let mut beam = vec![Line { actions: Vec::new(), state: state.clone(), value: f64::NEG_INFINITY }];
        let mut complete: Vec<Line<G>> = Vec::new();
        while !beam.is_empty() {
            let mut next: Vec<Line<G>> = Vec::new();
            self.seen.clear();
            for line in &beam {
                self.extend(line, player, &mut next);
            }
            cold_sort_descending(&mut next, |line| line.value);
            if self.stopped && complete.is_empty() {
                let best = next.into_iter().next().unwrap_or_else(|| beam.swap_remove(0));
                return vec![self.completed(best, player)];
            }
            beam.clear();
            for line in next {
                match acts(self.game, &line.state, player) {
                    true if beam.len() < width && !self.stopped => beam.push(line),
                    true => {}
                    false => complete.push(line),
                }
            }
            cold_sort_descending(&mut complete, |line| line.value);
            complete.truncate(most.max(1));
        }
        complete
    }

    /// Appends every new state that an action of `player` leads to, until the budget ends.
    fn extend(&mut self, line: &Line<G>, player: Player, out: &mut Vec<Line<G>>) {
        let mut legal = std::mem::take(&mut self.legal);
        legal.clear();
        self.game.legal(&line.state, player, &mut legal);
        for &action in &legal {
            let mut state = line.state.clone();
            self.game.apply(&mut state, &[action]);
            let mut hasher = FxHasher::default();
            state.hash(&mut hasher);
            // Two states with the same hash are so rare that losing one does not matter.
            if !self.seen.insert(hasher.finish()) {
                continue;
            }
            if self.is_stopped() {
                break;
            }
            let value = self.evaluate(&state, player);
            let mut actions = Vec::with_capacity(line.actions.len() + 1);
            actions.extend_from_slice(&line.actions);
            actions.push(action);
            out.push(Line { actions, state, value });
        }
        self.legal = legal;
    }

    /// The line with the rest of its turn: the first legal action of each state.
    fn completed(&mut self, mut line: Line<G>, player: Player) -> Line<G> {
        while acts(self.game, &line.state, player) {
            self.legal.clear();
            self.game.legal(&line.state, player, &mut self.legal);
            let action = self.legal[0];
            self.game.apply(&mut line.state, &[action]);
            line.actions.push(action);
        }
        line
    }

    /// Replaces the value of each turn by that after the other side's best reply. Turns that the budget leaves out are
    /// removed, except the first.
    fn judge(&mut self, turns: &mut Vec<Line<G>>, player: Player, width: usize) {
        let mut judged = 0;
        for (index, turn) in turns.iter_mut().enumerate() {
            if let Turn::Player(other) = self.game.turn(&turn.state) {
                let replies = self.turns(&turn.state, other, width, 1);
                if self.is_stopped() {
                    break;
                }
                if let Some(reply) = replies.first() {
                    turn.value = self.evaluate(&reply.state, player);
                }
            }
            judged = index + 1;
        }
        turns.truncate(judged.max(1));
    }

    fn evaluate(&mut self, state: &G::State, player: Player) -> f64 {
        self.evaluated += 1;
        self.evaluation.value(self.game, state, player)
    }

    fn is_stopped(&mut self) -> bool {
        let evaluated = self.evaluated;
        self.stopped = self.stopped
            || !self.pace.allows(evaluated, evaluated, &mut self.seat.watcher, |time| Thought {
                playouts: evaluated,
                time,
                ..Thought::default()
            });
        self.stopped
    }
}
