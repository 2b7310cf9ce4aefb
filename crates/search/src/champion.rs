//! The general game player's agent: chooses among searches, and lets them compete on the start clock.
//!
//! A list of searches is given, the default first. On the start clock each other search challenges the best so far:
//! they play short matches from the current state in pairs, with seats exchanged and equal budgets. With the score S,
//! the mean share of the payoff range that the challenger gets minus that of the best, the challenger takes its place
//! if
//!
//! > S₁ + … + Sₙ > m·√n
//!
//! after n matches. With m = 0 the majority decides; with m = 1 the challenger must lead by more than luck explains: if
//! two searches are equally strong and every match is won or lost, the sum has the standard deviation √n. The rest of
//! the start clock prepares the winner, which plays the match. Without a start clock the default plays.
//!
//! One of the searches may be a *pupil* (`self-taught`). It learns the game on a part of the start clock, before it
//! challenges the others; for it m = 2.
//!
//! At joint moves a mixed strategy is thresholded: actions with less than a fifth of the greatest probability are left
//! out, and the others keep their proportions (after Ganzfried, Sandholm and Waugh, "Strategy Purification and
//! Thresholding", 2012). A search gives every action some visits; it should not play those that it only tried.

use std::time::Duration;

use tesuji_core::{Game, History, Rng, Turn, final_shares, mix};

use crate::{Agent, Budget, Decision, Failure, Meter, Seat};

/// Matches that a challenge should consist of, and fewer than which are not worth starting.
const MATCHES: (u32, u32) = (10, 4);
/// Standard deviations of the score at which a challenge ends early.
const CLEAR: f64 = 2.0;
/// The least that a decision of such a match may spend.
const LEAST_TIME: Duration = Duration::from_millis(4);
const LEAST_PLAYOUTS: u64 = 50;
/// Random playouts that measure the length of a match.
const LENGTH_SAMPLES: u64 = 4;
/// The fraction of the greatest probability below which an action of a mixed strategy is not played.
const THRESHOLD: f64 = 0.2;

/// The agent `ggp-champion`: the best of several searches for a game.
pub struct Champion<G: Game> {
    /// Its own budget; if it sets no limit, the seat's budget applies.
    budget: Budget,
    /// The fraction of the start clock in which the searches compete.
    trial: f64,
    /// By how many standard deviations a challenger must lead.
    margin: f64,
    searches: Vec<Box<dyn Agent<G>>>,
    /// The last search, which has to learn first, with the fraction of the start clock that it gets.
    pupil: Option<(Box<dyn Pupil<G>>, f64)>,
    /// The number of the search that plays; the pupil has the last one.
    chosen: usize,
    /// Whether it has not thought about the match yet. The searches compete then, not when it thinks ahead later.
    is_fresh: bool,
}

/// A search that learns the game on the start clock ([`prepare`](Agent::prepare)).
pub trait Pupil<G: Game>: Agent<G> {
    /// Whether it has learned anything since the match began.
    fn has_learned(&self) -> bool;

    /// Another match of the trial begins: forgets the last one, but not what it learned.
    fn rematch(&mut self);
}

/// What a challenge may spend, and has spent.
struct Purse {
    whole: Meter,
    /// What each decision may spend.
    decision: Budget,
    playouts: u64,
    nodes: u64,
}

impl Purse {
    fn open(whole: Budget, decision: Budget) -> Purse {
        Purse { whole: Meter::start(whole), decision, playouts: 0, nodes: 0 }
    }

    fn allows_more(&self) -> bool {
        self.whole.allows(self.playouts, self.nodes)
    }

    fn pay<A>(&mut self, decision: &Decision<A>) {
        self.playouts += decision.thought.playouts;
        self.nodes += decision.thought.nodes;
    }
}

impl<G: Game> Champion<G> {
    /// A player with these searches, the default first; there is at least one. `trial` is the fraction of the start
    /// clock in which they compete, `margin` the number of standard deviations by which a challenger must lead.
    pub fn new(searches: Vec<Box<dyn Agent<G>>>, budget: Budget, trial: f64, margin: f64) -> Champion<G> {
        assert!(!searches.is_empty(), "a player needs a search");
        Champion { budget, trial, margin, searches, pupil: None, chosen: 0, is_fresh: true }
    }

    /// The same player with another search, which learns first, in this fraction of the start clock.
    #[must_use]
    pub fn with_pupil(mut self, pupil: Box<dyn Pupil<G>>, learn: f64) -> Champion<G> {
        self.pupil = Some((pupil, learn));
        self
    }

    /// The number of the search that plays, in the given list; the pupil comes after them.
    pub fn chosen(&self) -> usize {
        self.chosen
    }

    fn search(&mut self, number: usize) -> &mut dyn Agent<G> {
        match (self.searches.get_mut(number), &mut self.pupil) {
            (Some(search), _) => &mut **search,
            (None, Some((pupil, _))) => &mut **pupil,
            (None, None) => unreachable!("there is no search {number}"),
        }
    }

    /// The number of searches that can play.
    fn able(&self) -> usize {
        self.searches.len() + usize::from(self.pupil.as_ref().is_some_and(|(pupil, _)| pupil.has_learned()))
    }

    /// The search forgets the last match of the trial.
    fn rematch(&mut self, number: usize) {
        match (self.searches.get_mut(number), &mut self.pupil) {
            (Some(search), _) => search.begin(),
            (None, pupil) => pupil.iter_mut().for_each(|(pupil, _)| pupil.rematch()),
        }
    }

    /// The pupil learns, if there is one.
    fn learn(&mut self, seat: &Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<(), Failure> {
        let Some((pupil, share)) = &mut self.pupil else { return Ok(()) };
        pupil.prepare(Seat { watcher: None, ..*seat }, &part(budget, *share), rng)
    }

    /// Which part of a start clock learning and trial take.
    fn taken(&self) -> f64 {
        self.trial + self.pupil.as_ref().map_or(0.0, |&(_, learn)| learn)
    }

    /// Lets the searches compete from the seat's state.
    fn compete(&mut self, seat: &Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<(), Failure> {
        let able = self.able();
        let whole = part(budget, self.trial / (able - 1).max(1) as f64);
        let seed = rng.bits();
        let Some(decision) = decision_budget(seat, &whole, seed) else { return Ok(()) };
        for challenger in 1..able {
            if self.challenge(seat, challenger, Purse::open(whole, decision), mix(seed, challenger as u64))? {
                self.chosen = challenger;
            }
        }
        (0..able).for_each(|search| self.rematch(search));
        Ok(())
    }

    /// Whether `challenger` is better than the search chosen so far.
    fn challenge(
        &mut self,
        seat: &Seat<'_, G>,
        challenger: usize,
        mut purse: Purse,
        seed: u64,
    ) -> Result<bool, Failure> {
        let (mut lead, mut matches) = (0.0, 0u32);
        let deviation = |matches: u32| f64::from(matches).sqrt();
        while matches < 2 * MATCHES.0 && purse.allows_more() {
            let pair = mix(seed, u64::from(matches / 2));
            let Some(score) = self.play(seat, challenger, matches % 2, &mut purse, pair)? else { break };
            lead += score;
            matches += 1;
            // What is clear after a few matches needs no more.
            if matches >= 6 && matches.is_multiple_of(2) && lead.abs() >= CLEAR * deviation(matches) {
                break;
            }
        }
        // The short decisions of a trial favour what was learned over searches that need playouts.
        let is_pupil = challenger == self.searches.len();
        let margin = if is_pupil { CLEAR } else { self.margin };
        Ok(matches >= MATCHES.1 && lead > margin * deviation(matches))
    }

    /// Plays one match in which the challenger takes every other seat, from `first` on. Returns the challenger's mean
    /// share minus that of the other search; `None` if the budget ended it.
    fn play(
        &mut self,
        seat: &Seat<'_, G>,
        challenger: usize,
        first: u32,
        purse: &mut Purse,
        seed: u64,
    ) -> Result<Option<f64>, Failure> {
        let game = seat.game;
        let sides = [challenger, self.chosen];
        let side = |player: usize| (player + first as usize) % 2;
        sides.iter().for_each(|&search| self.rematch(search));
        let (mut state, mut history) = (seat.state.clone(), History::default());
        let mut rng = Rng::new(seed);
        let mut joint = Vec::new();
        loop {
            joint.clear();
            let turn = game.turn(&state);
            match turn {
                Turn::Over => break,
                Turn::Chance => joint.push(game.random_outcome(&state, &mut rng)),
                Turn::Player(_) | Turn::Simultaneous(_) => {
                    for player in turn.movers() {
                        if !purse.allows_more() {
                            return Ok(None);
                        }
                        let seat = Seat { game, state: &state, player, history: &history, watcher: None };
                        let search = self.search(sides[side(player.index())]);
                        let decision = thresholded(search.choose(seat, &purse.decision, &mut rng)?, turn, &mut rng);
                        purse.pay(&decision);
                        joint.push(decision.action);
                    }
                }
            }
            game.apply(&mut state, &joint);
            history.push(&joint);
        }
        let mut shares = vec![0.0; game.spec().players.len()];
        final_shares(game, &state, &mut shares);
        let mean = |which: usize| {
            let of_side = || shares.iter().enumerate().filter(|(player, _)| side(*player) == which);
            of_side().map(|(_, share)| share).sum::<f64>() / of_side().count().max(1) as f64
        };
        Ok(Some(mean(0) - mean(1)))
    }
}

/// This fraction of a budget.
fn part(budget: &Budget, share: f64) -> Budget {
    let part = |count: u64| ((count as f64 * share) as u64).max(1);
    Budget {
        playouts: budget.playouts.map(part),
        nodes: budget.nodes.map(part),
        time: budget.time.map(|time| time.mul_f64(share)),
    }
}

/// What each decision may spend so that a challenge consists of enough matches; `None` if that is too little.
fn decision_budget<G: Game>(seat: &Seat<'_, G>, whole: &Budget, seed: u64) -> Option<Budget> {
    let game = seat.game;
    let meter = Meter::start(*whole);
    let (mut rng, mut scratch, mut decisions) = (Rng::new(seed), Vec::new(), 0u64);
    for _ in 0..LENGTH_SAMPLES {
        let mut state = seat.state.clone();
        let mut joint = Vec::new();
        loop {
            // Where random play takes that long, there is no time for matches.
            if whole.time.is_some_and(|time| meter.elapsed() > time / 4) {
                return None;
            }
            joint.clear();
            let turn = game.turn(&state);
            match turn {
                Turn::Over => break,
                Turn::Chance => joint.push(game.random_outcome(&state, &mut rng)),
                _ => {
                    joint.extend(turn.movers().map(|player| game.random_action(&state, player, &mut rng, &mut scratch)))
                }
            }
            decisions += turn.movers().len() as u64;
            game.apply(&mut state, &joint);
        }
    }
    let length = decisions.div_ceil(LENGTH_SAMPLES).max(1);
    let (enough, least) = (u64::from(MATCHES.0) * length, u64::from(MATCHES.1) * length);
    // Fewer matches rather than decisions that are not a search at all.
    let time = match whole.time {
        Some(time) if time < LEAST_TIME.saturating_mul(least.try_into().ok()?) => return None,
        time => time.map(|time| (time / enough.try_into().ok().unwrap_or(u32::MAX)).max(LEAST_TIME)),
    };
    let count = |limit: Option<u64>| match limit {
        Some(limit) if limit < LEAST_PLAYOUTS.saturating_mul(least) => Err(()),
        limit => Ok(limit.map(|limit| (limit / enough).max(LEAST_PLAYOUTS))),
    };
    Some(Budget { playouts: count(whole.playouts).ok()?, nodes: count(whole.nodes).ok()?, time })
}

/// A decision at a joint move without the actions that its mixed strategy hardly plays.
fn thresholded<A: Copy + PartialEq>(mut decision: Decision<A>, turn: Turn, rng: &mut Rng) -> Decision<A> {
    if !matches!(turn, Turn::Simultaneous(_)) || decision.policy.len() < 2 {
        return decision;
    }
    let greatest = decision.policy.iter().map(|&(_, probability)| probability).fold(0.0, f64::max);
    decision.policy.retain(|&(_, probability)| probability >= THRESHOLD * greatest);
    let sum: f64 = decision.policy.iter().map(|&(_, probability)| probability).sum();
    decision.policy.iter_mut().for_each(|(_, probability)| *probability /= sum);
    let played = |action: A| decision.policy.iter().find(|(kept, _)| *kept == action).map_or(0.0, |kept| kept.1);
    for candidate in &mut decision.thought.candidates {
        candidate.probability = played(candidate.action);
    }
    if played(decision.action) == 0.0 {
        decision.action = decision.policy[rng.weighted(decision.policy.iter().map(|&(_, share)| share))].0;
        // It belonged to the action drawn before.
        decision.thought.line = vec![];
    }
    decision
}

impl<G: Game> Agent<G> for Champion<G> {
    fn begin(&mut self) {
        (self.chosen, self.is_fresh) = (0, true);
        self.searches.iter_mut().for_each(|search| search.begin());
        self.pupil.iter_mut().for_each(|(pupil, _)| pupil.begin());
    }

    fn prepare(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<(), Failure> {
        if seat.game.turn(seat.state) == Turn::Over {
            return Ok(());
        }
        let meter = Meter::start(*budget);
        let many = self.searches.len() > 1 || self.pupil.is_some();
        let competes = self.is_fresh && many && self.trial > 0.0;
        self.is_fresh = false;
        if competes {
            self.learn(&seat, budget, rng)?;
            self.compete(&seat, budget, rng)?;
        }
        let left = match competes {
            false => *budget,
            true => Budget {
                time: budget.time.map(|time| time.saturating_sub(meter.elapsed())),
                ..part(budget, 1.0 - self.taken())
            },
        };
        match left.time {
            Some(Duration::ZERO) => Ok(()),
            _ => self.search(self.chosen).prepare(seat, &left, rng),
        }
    }

    fn choose(&mut self, seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        self.is_fresh = false;
        let turn = seat.game.turn(seat.state);
        let budget = if self.budget.is_limited() { self.budget } else { *budget };
        let decision = self.search(self.chosen).choose(seat, &budget, rng)?;
        Ok(thresholded(decision, turn, rng))
    }

    fn end(&mut self) {
        self.searches.iter_mut().for_each(|search| search.end());
        self.pupil.iter_mut().for_each(|(pupil, _)| pupil.end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny_games::{Nim, Written, decision_after, first_decision, matrix};
    use crate::{Random, Settings, Simulation, Uct};
    use tesuji_core::Player;

    fn uct() -> Box<dyn Agent<Nim>> {
        Box::new(Uct::new(Settings::default(), Simulation::default()))
    }

    fn prepared(searches: Vec<Box<dyn Agent<Nim>>>, playouts: u64, seed: u64) -> Champion<Nim> {
        let game = Nim::new(11);
        let mut agent = Champion::new(searches, Budget::default(), 0.5, 0.0);
        let (state, history) = (game.start(), History::default());
        let seat = Seat { game: &game, state: &state, player: Player(0), history: &history, watcher: None };
        agent.prepare(seat, &Budget::playouts(playouts), &mut Rng::new(seed)).unwrap();
        agent
    }

    #[test]
    fn the_better_search_is_chosen_on_the_start_clock() {
        for seed in 0..5 {
            assert_eq!(prepared(vec![Box::new(Random), uct()], 100_000, seed).chosen(), 1);
            assert_eq!(prepared(vec![uct(), Box::new(Random)], 100_000, seed).chosen(), 0);
        }
    }

    /// Plays at random before it has learned, and perfectly afterwards.
    struct Student(bool);

    impl Agent<Nim> for Student {
        fn begin(&mut self) {
            self.0 = false;
        }

        fn prepare(&mut self, _: Seat<'_, Nim>, _: &Budget, _: &mut Rng) -> Result<(), Failure> {
            self.0 = true;
            Ok(())
        }

        fn choose(&mut self, seat: Seat<'_, Nim>, _: &Budget, rng: &mut Rng) -> Result<Decision<u8>, Failure> {
            let (heap, _) = *seat.state;
            let known = if self.0 { heap % 4 } else { 0 };
            Ok(Decision::pure(if known > 0 { known } else { 1 + rng.below(heap.min(3).into()) as u8 }))
        }
    }

    impl Pupil<Nim> for Student {
        fn has_learned(&self) -> bool {
            self.0
        }

        fn rematch(&mut self) {}
    }

    #[test]
    fn a_pupil_learns_before_it_competes_and_keeps_it_for_the_match() {
        let game = Nim::new(11);
        let mut agent = Champion::new(vec![Box::new(Random)], Budget::default(), 0.3, 0.0)
            .with_pupil(Box::new(Student(false)), 0.5);
        let (state, history) = (game.start(), History::default());
        let seat = || Seat { game: &game, state: &state, player: Player(0), history: &history, watcher: None };
        agent.prepare(seat(), &Budget::playouts(100_000), &mut Rng::new(1)).unwrap();
        assert_eq!(agent.chosen(), 1);
        let decision = agent.choose(seat(), &Budget::playouts(100), &mut Rng::new(1)).unwrap();
        assert_eq!(decision.action, 3, "of eleven, three");
        agent.begin();
        assert_eq!((agent.chosen(), agent.able()), (0, 1), "a new match, in which nothing was learned yet");
    }

    #[test]
    fn thinking_ahead_in_a_match_changes_no_choice() {
        let game = Nim::new(11);
        let mut agent = Champion::new(vec![uct(), Box::new(Random)], Budget::default(), 0.5, 0.0);
        first_decision(&game, &mut agent, 0, 100, 1);
        agent.searches.swap(0, 1);
        let (state, history) = (game.start(), History::default());
        let seat = Seat { game: &game, state: &state, player: Player(0), history: &history, watcher: None };
        agent.prepare(seat, &Budget::playouts(100_000), &mut Rng::new(1)).unwrap();
        assert_eq!(agent.chosen(), 0, "no new trial, in which the other search would have won");
    }

    #[test]
    fn without_enough_time_the_default_plays() {
        assert_eq!(prepared(vec![Box::new(Random), uct()], 100, 1).chosen(), 0);
        let mut agent = prepared(vec![Box::new(Random), uct()], 100_000, 1);
        agent.begin();
        assert_eq!(agent.chosen(), 0);
    }

    #[test]
    fn decisions_are_those_of_the_chosen_search_and_repeat() {
        let game = Nim::new(7);
        let decide = || {
            let mut agent = prepared(vec![Box::new(Random), uct()], 100_000, 3);
            agent.begin();
            agent.chosen = 1;
            let mut decision = first_decision(&game, &mut agent, 0, 500, 1);
            decision.thought.time = Duration::ZERO;
            decision
        };
        assert_eq!(decide(), decide());
        assert_eq!((decide().action, decide().thought.playouts), (3, 500));
    }

    #[test]
    fn a_start_clock_of_time_is_kept() {
        let game = Nim::new(11);
        let mut agent = Champion::new(vec![uct(), uct()], Budget::default(), 0.5, 0.0);
        let (state, history) = (game.start(), History::default());
        let seat = Seat { game: &game, state: &state, player: Player(0), history: &history, watcher: None };
        agent.prepare(seat, &Budget::time(Duration::from_millis(20)), &mut Rng::new(1)).unwrap();
        let budget = Budget::playouts(2_000);
        let decision = decision_after(&game, &mut agent, &history, 0, &budget, &mut Rng::new(1));
        assert_eq!(decision.action, 3);
    }

    #[test]
    fn rarely_visited_actions_of_a_joint_move_are_not_drawn() {
        // The second row is dominated.
        let game = Written::new(2, (0.0, 1.0), matrix([[0.9, 0.8], [0.1, 0.0]]));
        let search = || Box::new(Uct::new(Settings::default(), Simulation::default())) as Box<dyn Agent<Written>>;
        let plain = first_decision(&game, &mut *search(), 0, 1_000, 1);
        assert!(plain.policy.len() == 2);
        let mut agent = Champion::new(vec![search()], Budget::default(), 0.5, 0.0);
        for seed in 0..50 {
            let decision = first_decision(&game, &mut agent, 0, 1_000, seed);
            assert_eq!(decision.policy, [(decision.action, 1.0)]);
        }
        // Where mixing is needed, it stays.
        let pennies = Written::new(2, (0.0, 1.0), matrix([[1.0, 0.0], [0.0, 1.0]]));
        assert_eq!(first_decision(&pennies, &mut agent, 0, 1_000, 1).policy.len(), 2);
    }
}
