//! Root parallelism: one decision on several cores.
//!
//! Each thread grows a tree of its own with its part of the budget, from its own stream of random numbers; at the end
//! the statistics of their roots are added up. Nothing is shared while they search, so that a decision by a budget of
//! playouts is the same on every machine, for a given number of threads. A tree grown by all threads together would be
//! deeper, but every descent would wait for memory that another has written.
//!
//! The watcher sees the first search. If it is told to stop, so are the others; under a time limit also if it has found
//! all there is to know.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tesuji_core::{Game, Rng, cancel};
use tesuji_play::guard;

use super::Uct;
use crate::final_choice::{Tried, decide};
use crate::{Agent, Budget, Decision, Failure, FinalChoice, Seat, Thought};

/// The agent `uct` on several threads.
pub struct ParallelUct<G: Game> {
    searches: Vec<Uct<G>>,
}

impl<G: Game> ParallelUct<G> {
    /// A search with a thread for each of these, which are alike; at least one.
    pub fn new(searches: Vec<Uct<G>>) -> ParallelUct<G> {
        assert!(!searches.is_empty(), "a search needs a thread");
        ParallelUct { searches }
    }

    /// Lets all search from `seat`; returns what each of them thought.
    fn search(
        &mut self,
        seat: &mut Seat<'_, G>,
        budget: &Budget,
        choice: Option<FinalChoice>,
        rng: &mut Rng,
    ) -> Vec<Thought<G::Action>> {
        let parts = parts(budget, self.searches.len() as u64);
        let streams: Vec<Rng> = self.searches.iter().map(|_| Rng::new(rng.bits())).collect();
        let stop = Arc::new(AtomicBool::new(false));
        let (game, state, player, history) = (seat.game, seat.state, seat.player, seat.history);
        let mut tasks = self.searches.iter_mut().zip(parts).zip(streams);
        let Some(((first, part), mut stream)) = tasks.next() else { return Vec::new() };
        thread::scope(|scope| {
            let others: Vec<_> = tasks
                .map(|((search, part), mut stream)| {
                    let flag = Some(Arc::clone(&stop));
                    scope.spawn(move || {
                        let mut seat = Seat { game, state, player, history, watcher: None };
                        let think = || search.search(&mut seat, &part, choice, &mut stream);
                        guard(|| cancel::with(flag, think))
                    })
                })
                .collect();
            let thought = first.search(seat, &part, choice, &mut stream);
            // Under a budget of playouts alone the others continue after a proof, or their trees would depend on the
            // machine.
            let told_to_stop = !first.knows_best();
            if thought.limit.is_none() && (told_to_stop || budget.time.is_some()) {
                stop.store(true, Ordering::Relaxed);
            }
            // The panic of a search is that of the agent.
            let others = others.into_iter().map(|other| match other.join() {
                Ok(Ok(thought)) => thought,
                Ok(Err(message)) => panic!("{message}"),
                Err(_) => unreachable!("a thread whose panics are caught"),
            });
            std::iter::once(thought).chain(others).collect()
        })
    }
}

/// The budget of each of `count` threads. Numbers are shared out, the first get what does not divide; time passes for
/// all at once.
fn parts(budget: &Budget, count: u64) -> Vec<Budget> {
    let share = |limit: u64, rank: u64| (limit / count + u64::from(rank < limit % count)).max(1);
    let part = |rank: u64| Budget {
        playouts: budget.playouts.map(|limit| share(limit, rank)),
        nodes: budget.nodes.map(|limit| share(limit, rank)),
        time: budget.time,
    };
    (0..count).map(part).collect()
}

/// The statistics of all searches together. A search that has proven the root is right alone.
fn merged<G: Game>(searches: &[Uct<G>], seat: &Seat<'_, G>) -> (Vec<G::Action>, Vec<Tried>) {
    let proven = searches.iter().find(|search| search.has_proof());
    let (actions, mut tried) = proven.unwrap_or(&searches[0]).tree.tried(seat.player);
    if proven.is_some() {
        return (actions, tried);
    }
    for search in &searches[1..] {
        let (others, more) = search.tree.tried(seat.player);
        for (action, more) in others.iter().zip(more) {
            // The order is the same but where attacks come first in random order.
            let Some(place) = actions.iter().position(|known| known == action) else { continue };
            let sum = &mut tried[place];
            (sum.visits, sum.total) = (sum.visits + more.visits, sum.total + more.total);
            sum.refuted |= more.refuted;
        }
    }
    (actions, tried)
}

/// What all searches thought, as one.
fn together<A>(thoughts: Vec<Thought<A>>) -> Thought<A> {
    let add = |all: Thought<A>, one: Thought<A>| Thought {
        depth: all.depth.max(one.depth),
        nodes: all.nodes + one.nodes,
        playouts: all.playouts + one.playouts,
        time: all.time.max(one.time),
        limit: all.limit.or(one.limit),
        ..all
    };
    thoughts.into_iter().reduce(add).unwrap_or_default()
}

impl<G: Game> Agent<G> for ParallelUct<G> {
    fn begin(&mut self) {
        self.searches.iter_mut().for_each(Agent::begin);
    }

    fn prepare(&mut self, mut seat: Seat<'_, G>, budget: &Budget, rng: &mut Rng) -> Result<(), Failure> {
        if self.searches[0].keeps_its_tree(&seat) {
            self.search(&mut seat, budget, None, rng);
        }
        Ok(())
    }

    fn choose(
        &mut self,
        mut seat: Seat<'_, G>,
        budget: &Budget,
        rng: &mut Rng,
    ) -> Result<Decision<G::Action>, Failure> {
        let (first, legal) = (&mut self.searches[0], super::legal(&seat));
        if let Some(decision) = first.without_search(&seat, &legal) {
            return Ok(decision);
        }
        let (budget, choice) = (first.share(budget, &seat), first.choice(&seat));
        let thought = together(self.search(&mut seat, &budget, Some(choice), rng));
        let (actions, tried) = merged(&self.searches, &seat);
        let mut decision = decide(seat.game.spec(), choice, &actions, &tried, thought, rng);
        let visits = |search: &&Uct<G>| {
            let (actions, tried) = search.tree.tried(seat.player);
            let place = actions.iter().position(|action| *action == decision.action);
            place.map_or(0, |place| tried[place].visits)
        };
        // Of equal ones the first, here and below.
        if let Some(deepest) = self.searches.iter().rev().max_by_key(visits) {
            decision.thought.line = deepest.tree.line(seat.player, decision.action);
        }
        let bests = self.searches.iter().rev().filter_map(|search| search.best.as_ref());
        if let Some(best) = bests.max_by(|a, b| a.share.total_cmp(&b.share)) {
            best.replace(seat.game.spec(), &actions, &tried, &mut decision);
        }
        super::report_the_rest(legal, &actions, &mut decision);
        Ok(decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiny_games::{Nim, first_decision};
    use crate::{Settings, Simulation};

    fn parallel(threads: usize, settings: Settings) -> ParallelUct<Nim> {
        ParallelUct::new((0..threads).map(|_| Uct::new(settings, Simulation::default())).collect())
    }

    #[test]
    fn decisions_by_playouts_do_not_depend_on_the_machine() {
        let game = Nim::new(23);
        for (threads, solver) in [(1, false), (2, false), (3, false), (5, false), (2, true), (3, true)] {
            let settings = Settings { solver, ..Settings::default() };
            let decide = || first_decision(&game, &mut parallel(threads, settings), 0, 10_001, 7);
            let (mut first, mut again) = (decide(), decide());
            if !solver {
                assert_eq!(first.thought.playouts, 10_001);
                let visits: u64 = first.thought.candidates.iter().map(|candidate| candidate.visits).sum();
                assert_eq!(visits, 10_001, "{threads} threads");
            }
            (first.thought.time, again.thought.time) = Default::default();
            assert_eq!(first, again, "{threads} threads");
        }
    }

    #[test]
    fn what_is_proven_is_played() {
        let settings = Settings { solver: true, ..Settings::default() };
        let decision = first_decision(&Nim::new(7), &mut parallel(3, settings), 0, u64::MAX, 1);
        assert_eq!((decision.action, decision.value), (3, Some(1.0)));
    }

    #[test]
    fn a_panic_in_another_thread_is_the_agents() {
        let mut agent = parallel(2, Settings::default());
        agent.searches[1].simulation.policy = Box::new(Failing);
        let game = Nim::new(23);
        let outcome = guard(|| first_decision(&game, &mut agent, 0, 100, 1).action);
        assert_eq!(outcome, Err("on purpose".to_owned()));
    }

    struct Failing;

    impl tesuji_core::Policy<Nim> for Failing {
        fn pick(&mut self, _: &Nim, _: &<Nim as Game>::State, _: tesuji_core::Player, _: &mut Rng) -> u8 {
            panic!("on purpose")
        }
    }

    #[test]
    fn what_does_not_divide_goes_to_the_first() {
        let playouts = |count| parts(&Budget::playouts(count), 3).into_iter().map(|part| part.playouts.unwrap());
        assert_eq!(playouts(8).collect::<Vec<_>>(), [3, 3, 2]);
        assert_eq!(playouts(1).collect::<Vec<_>>(), [1, 1, 1]);
    }
}
