//! Information-set Monte Carlo tree search, for games with hidden information.
//!
//! Cowling, Powley and Whitehouse 2012, "Information Set Monte Carlo Tree Search", §IV: multiple-observer ISMCTS. Each
//! playout draws one of the states that the player considers possible and descends from there. The statistics belong to
//! *information sets*: everything that one player has chosen and perceived since the start of the match. A player in
//! the tree chooses by the statistics of its own information set, so it never acts on what it cannot know. Among the
//! actions that are legal in the drawn state it takes the one with the greatest
//!
//! ```text
//! mean + c·√(ln available / visits)
//! ```
//!
//! where `available` counts how often the action was legal when its information set was visited. Actions that were
//! never tried come first, in random order; a playout follows.
//!
//! It covers every class of game that offers perception: chance is sampled, and players who act at once choose
//! independently (decoupled UCT).
//!
//! Deviations from the paper:
//!
//! - The states are weighted by the probabilities of chance, with opponents who choose uniformly ([`belief`]). The
//!   paper draws from all states of the information set alike.
//! - Opponents have the information sets of the whole match, not only of the part below the root. In the paper all
//!   their information sets at the root are one.
//!
//! What remains is the known weakness of the method: every drawn state agrees with what the searching player knows, so
//! the opponents' statistics are those of matches in which, for example, this player has this card.

use rustc_hash::FxHashMap;
use tesuji_core::{Game, Perception, Player, Rng, Turn};
use tesuji_play::belief::{self, Belief, Moment, Possible, view_after};

use crate::arithmetic::ln_count;
use crate::final_choice::{Tried, candidates, decide, forced};
use crate::pace::Pace;
use crate::{Agent, Budget, Decision, Failure, FinalChoice, Seat, Simulation, Thought};

/// The agent `ismcts`.
pub struct Ismcts<G: Game> {
    /// What players perceive.
    pub perception: &'static dyn Perception<G>,
    /// The exploration constant.
    pub c: f64,
    /// The most states that the player considers possible.
    pub states: usize,
    /// How a state is evaluated, without learning: that would follow the hidden history of the match.
    pub simulation: Simulation<G>,
    /// How the final action is chosen.
    pub choice: FinalChoice,
    /// Its own budget; if it sets no limit, the seat's budget applies.
    pub budget: Budget,
    /// What it believes in this match.
    pub belief: Option<Belief<G, Moment<G::Action>>>,
}

impl<G: Game> Ismcts<G> {
    /// The states that the player of a seat considers possible. Looks at nothing but the player's own view of the
    /// match. A state that the history does not lead to was set up, so everybody knows it.
    fn possible(&mut self, seat: &Seat<'_, G>, stop: &dyn Fn() -> bool) -> Vec<Possible<G>> {
        let (game, player) = (seat.game, seat.player);
        let Some(known) = belief::memory(game, self.perception, player, seat.history, seat.state) else {
            self.belief = None;
            return vec![Possible::certain(game, seat.state.clone())];
        };
        let kept = self.belief.take().filter(|belief| belief.is_of(player) && known.starts_with(belief.known()));
        let mut belief = kept.unwrap_or_else(|| Belief::new(game, self.perception, player, self.states));
        let learned = belief.known().len();
        for moment in known.into_iter().skip(learned) {
            belief.learn(game, moment, stop);
        }
        // A player knows its own legal actions.
        let legal = |state: &G::State| {
            let mut legal = Vec::new();
            if game.turn(state).movers().any(|mover| mover == player) {
                game.legal(state, player, &mut legal);
            }
            legal
        };
        let own = legal(seat.state);
        let states = belief.states().iter().filter(|possible| legal(&possible.state) == own).cloned().collect();
        self.belief = Some(belief);
        states
    }
}

/// The statistics of an information set.
struct Node<A> {
    actions: Vec<Arm<A>>,
}

struct Arm<A> {
    action: A,
    visits: u32,
    total: f64,
    /// How often it was legal.
    available: u32,
}

/// The information sets of all players.
struct Forest<A> {
    nodes: FxHashMap<(Player, u64), Node<A>>,
    c: f64,
}

impl<A: Copy + PartialEq> Forest<A> {
    /// The place of the action that a player takes in an information set, and whether it was never tried before.
    fn select(&mut self, player: Player, view: u64, legal: &[A], rng: &mut Rng) -> (usize, bool) {
        let node = self.nodes.entry((player, view)).or_insert_with(|| Node { actions: Vec::new() });
        let mut best: Option<(usize, f64)> = None;
        let mut untried = 0;
        let mut chosen = 0;
        for &action in legal {
            let place = node.actions.iter().position(|arm| arm.action == action).unwrap_or_else(|| {
                node.actions.push(Arm { action, visits: 0, total: 0.0, available: 0 });
                node.actions.len() - 1
            });
            let arm = &mut node.actions[place];
            arm.available += 1;
            if arm.visits == 0 {
                untried += 1;
                // Each of those seen so far is kept with equal probability.
                if rng.below(untried) == 0 {
                    chosen = place;
                }
            } else if untried == 0 {
                let visits = f64::from(arm.visits);
                let score = arm.total / visits + self.c * (ln_count(arm.available) / visits).sqrt();
                if best.is_none_or(|(_, most)| score > most) {
                    best = Some((place, score));
                }
            }
        }
        match best {
            Some((place, _)) if untried == 0 => (place, false),
            _ => (chosen, true),
        }
    }

    fn action(&self, player: Player, view: u64, place: usize) -> Option<A> {
        self.nodes.get(&(player, view)).map(|node| node.actions[place].action)
    }

    fn add(&mut self, player: Player, view: u64, place: usize, share: f64) {
        if let Some(node) = self.nodes.get_mut(&(player, view)) {
            node.actions[place].visits += 1;
            node.actions[place].total += share;
        }
    }

    /// The statistics of `actions` in an information set.
    fn tried(&self, player: Player, view: u64, actions: &[A]) -> Vec<Tried> {
        let node = self.nodes.get(&(player, view));
        let of = |action: &A| {
            let arm = node?.actions.iter().find(|arm| arm.action == *action)?;
            Some(Tried { visits: u64::from(arm.visits), total: arm.total, ..Tried::default() })
        };
        actions.iter().map(|action| of(action).unwrap_or_default()).collect()
    }
}

/// One descent: what was chosen in which information set.
struct Descent<G: Game> {
    path: Vec<(Player, u64, usize)>,
    views: Vec<u64>,
    /// By player: what it chose since the last moment.
    chosen: Vec<Option<G::Action>>,
    legal: Vec<G::Action>,
    joint: Vec<G::Action>,
}

impl<G: Game> Ismcts<G> {
    /// Descends from a possible state to the first action that was never tried, and returns the depth.
    fn descend(
        &self,
        game: &G,
        state: &mut G::State,
        forest: &mut Forest<G::Action>,
        descent: &mut Descent<G>,
        rng: &mut Rng,
    ) -> u32 {
        let mut depth = 0;
        loop {
            let turn = game.turn(state);
            let mut new = false;
            descent.joint.clear();
            match turn {
                Turn::Over => return depth,
                Turn::Chance => descent.joint.push(game.random_outcome(state, rng)),
                Turn::Player(_) | Turn::Simultaneous(_) => {
                    for player in turn.movers() {
                        descent.legal.clear();
                        game.legal(state, player, &mut descent.legal);
                        if let [only] = descent.legal[..] {
                            descent.joint.push(only);
                            continue;
                        }
                        let view = descent.views[player.index()];
                        let (place, untried) = forest.select(player, view, &descent.legal, rng);
                        new |= untried;
                        let action = forest.action(player, view, place).unwrap_or(descent.legal[0]);
                        descent.chosen[player.index()] = Some(action);
                        descent.path.push((player, view, place));
                        descent.joint.push(action);
                    }
                }
            }
            let moment = self.perception.moment(game, state);
            game.apply(state, &descent.joint);
            depth += 1;
            if new {
                return depth;
            }
            if self.perception.moment(game, state) > moment {
                for player in game.spec().seats() {
                    let percept = self.perception.percept(game, state, player);
                    let view = &mut descent.views[player.index()];
                    *view = view_after(*view, descent.chosen[player.index()].take(), &percept);
                }
            }
        }
    }
}

impl<G: Game> Agent<G> for Ismcts<G> {
    fn begin(&mut self) {
        self.belief = None;
    }

    fn choose(
        &mut self,
        mut seat: Seat<'_, G>,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<Decision<G::Action>, Failure> {
        let (game, player) = (seat.game, seat.player);
        let mut actions = Vec::new();
        game.legal(seat.state, player, &mut actions);
        if let [only] = actions[..] {
            return Ok(forced(only));
        }
        let spec = game.spec();
        let budget = if self.budget.is_limited() { self.budget } else { *budget };
        let mut pace = Pace::start(budget);
        // At most half of the time is for finding out what is possible.
        let late = |pace: &Pace| budget.time.is_some_and(|time| pace.elapsed() > time / 2);
        let possible = self.possible(&seat, &|| late(&pace));
        if possible.is_empty() {
            // No history was found that explains what the player perceived.
            return crate::Random.choose(seat, &budget, rng);
        }
        let view = possible[0].views[player.index()];
        let mut forest = Forest { nodes: FxHashMap::default(), c: self.c };
        let mut descent = Descent {
            path: Vec::new(),
            views: Vec::new(),
            chosen: vec![None; spec.players.len()],
            legal: Vec::new(),
            joint: Vec::new(),
        };
        let mut shares = vec![0.0; spec.players.len()];
        let (mut playouts, mut depth) = (0, 0);
        while pace.allows(playouts, forest.nodes.len() as u64, &mut seat.watcher, |time| {
            let tried = forest.tried(player, view, &actions);
            let candidates = candidates(spec, &actions, &tried, &self.choice.policy(&tried));
            Thought { candidates, depth, nodes: forest.nodes.len() as u64, playouts, time, ..Thought::default() }
        }) {
            let drawn = &possible[rng.weighted(possible.iter().map(|possible| possible.weight))];
            let mut state = drawn.state.clone();
            descent.path.clear();
            descent.views.clone_from(&drawn.views);
            descent.chosen.fill(None);
            depth = depth.max(self.descend(game, &mut state, &mut forest, &mut descent, rng));
            self.simulation.run(game, &mut state, rng, &mut shares);
            for &(player, view, place) in &descent.path {
                forest.add(player, view, place, shares[player.index()]);
            }
            playouts += 1;
        }
        let tried = forest.tried(player, view, &actions);
        let nodes = forest.nodes.len() as u64;
        let thought = Thought { depth, nodes, playouts, time: pace.elapsed(), ..Thought::default() };
        let mut decision = decide(spec, self.choice, &actions, &tried, thought, rng);
        decision.thought.limit = pace.limit();
        Ok(decision)
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::tiny_games::Kuhn;
    use tesuji_core::{History, Knowledge};

    use super::*;
    use crate::tiny_games::decision_after;

    fn agent(states: usize) -> Ismcts<Kuhn> {
        Ismcts {
            perception: Kuhn::default().perception().unwrap(),
            c: 0.7,
            states,
            simulation: Simulation::default(),
            choice: FinalChoice::Visits,
            budget: Budget::default(),
            belief: None,
        }
    }

    /// The decision after a deal and these choices.
    fn decision(states: usize, steps: &[u8], playouts: u64, seed: u64) -> Decision<u8> {
        let mut history = History::default();
        steps.iter().for_each(|&action| history.push(&[action]));
        let player = if matches!(steps[1..], [] | [0, 1]) { 0 } else { 1 };
        let budget = Budget::playouts(playouts);
        let mut decision =
            decision_after(&Kuhn::default(), &mut agent(states), &history, player, &budget, &mut Rng::new(seed));
        decision.thought.time = std::time::Duration::ZERO;
        decision
    }

    #[test]
    fn it_decides_alike_where_the_player_cannot_tell_the_states_apart() {
        for states in [1, 3, 500] {
            for seed in 1..5 {
                for choices in [&[][..], &[0, 1], &[0], &[1]] {
                    let player = usize::from(choices.len() == 1);
                    for card in 0..3 {
                        let alike = (0..6u8).filter(|&deal| Kuhn::DEALS[usize::from(deal)][player] == card);
                        let decided: Vec<Decision<u8>> =
                            alike.map(|deal| decision(states, &[&[deal], choices].concat(), 60, seed)).collect();
                        assert_eq!(decided.len(), 2);
                        assert_eq!(decided[0], decided[1], "card {card} after {choices:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn it_never_plays_dominated_actions_of_kuhn_poker() {
        for seed in 1..6 {
            for (deal, [first, second]) in (0..).zip(Kuhn::DEALS) {
                let chosen = |choices: &[u8]| decision(500, &[&[deal], choices].concat(), 400, seed).action;
                // Facing a bet, the king calls and the jack folds. After a check the king bets.
                for choices in [&[1][..], &[0, 1]] {
                    let card = if choices.len() == 1 { second } else { first };
                    if card != 1 {
                        assert_eq!(chosen(choices), card / 2, "card {card} after {choices:?}, seed {seed}");
                    }
                }
                if second == 2 {
                    assert_eq!(chosen(&[0]), 1, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn its_value_of_a_sure_loss_and_a_sure_win_is_right() {
        let folds = decision(500, &[0, 0, 1], 400, 1);
        assert_eq!(folds.value, Some(-1.0), "a folded jack");
        let calls = decision(500, &[4, 0, 1], 400, 1);
        assert_eq!(calls.value, Some(2.0), "a called king");
    }
}
