//! Beliefs: the states that a player with hidden information considers possible, with their probabilities.
//!
//! A belief starts at the initial state and follows the match moment by moment. Each possible state is continued by
//! every action of the others and every outcome of chance; what contradicts the player's own choices or percepts is
//! dropped. Chance has the probabilities of the rules, and the others are assumed to choose uniformly.
//!
//! While there are few possible states, the belief is exact. Beyond its size it is a particle filter: continuations are
//! sampled and states resampled by weight. If too few states are left, whole histories that agree with everything
//! perceived are looked for from the start, by a random depth-first search with backtracking.
//!
//! A belief depends on the rules and on what the player perceived, never on the true state: its random numbers come
//! from a seed of its own.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use tesuji_core::{Actor, Game, History, Percept, Perception, Player, Rng, Turn, legal_actions, mix, step};

/// What a player knows of one moment: what it chose before, and what it perceived then.
pub trait Evidence<G: Game>: Clone + PartialEq {
    /// Whether the player may have done this in `state`; `None` if it had no choice there.
    fn allows(&self, game: &G, state: &G::State, player: Player, choice: Option<G::Action>) -> bool;

    /// Whether the player may have perceived this at the moment that led to `state`.
    fn agrees(&self, game: &G, perception: &dyn Perception<G>, state: &G::State, player: Player) -> bool;
}

/// What a player knows of one moment, in the game's own terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment<A> {
    /// What it chose; `None` if it had no choice.
    pub choice: Option<A>,
    /// What it perceived.
    pub percept: Percept,
}

impl<G: Game> Evidence<G> for Moment<G::Action> {
    fn allows(&self, _: &G, _: &G::State, _: Player, choice: Option<G::Action>) -> bool {
        self.choice == choice
    }

    fn agrees(&self, game: &G, perception: &dyn Perception<G>, state: &G::State, player: Player) -> bool {
        self.percept == perception.percept(game, state, player)
    }
}

/// What `player` knows of a match, moment by moment. `None` if the history does not lead from the initial state to
/// `state`.
pub fn memory<G: Game>(
    game: &G,
    perception: &dyn Perception<G>,
    player: Player,
    history: &History<G::Action>,
    state: &G::State,
) -> Option<Vec<Moment<G::Action>>> {
    let mut at = game.start();
    let mut moments = Vec::new();
    let mut choice = None;
    for joint in history.steps() {
        let place = game.turn(&at).movers().position(|mover| mover == player);
        if let Some(place) = place
            && legal_actions(game, &at, Actor::Player(player)).len() > 1
        {
            choice = joint.get(place).copied();
        }
        let before = perception.moment(game, &at);
        step(game, &mut at, joint).ok()?;
        if perception.moment(game, &at) > before {
            moments.push(Moment { choice: choice.take(), percept: perception.percept(game, &at, player) });
        }
    }
    (at == *state).then_some(moments)
}

/// A number for everything that one player has chosen and perceived so far. Equal views have equal numbers.
pub fn view_after<A: Hash>(view: u64, choice: Option<A>, percept: &Percept) -> u64 {
    let mut hasher = DefaultHasher::new();
    (view, choice, percept).hash(&mut hasher);
    hasher.finish()
}

/// A state that a player considers possible.
pub struct Possible<G: Game> {
    /// The state.
    pub state: G::State,
    /// Its weight, relative to the others.
    pub weight: f64,
    /// By player: a number for what it has chosen and perceived on the way; see [`view_after`].
    pub views: Vec<u64>,
    /// The last step of a history that leads to the state.
    trail: Option<Arc<Trail<G::Action>>>,
}

impl<G: Game> Clone for Possible<G> {
    fn clone(&self) -> Self {
        let Possible { state, weight, views, trail } = self;
        Possible { state: state.clone(), weight: *weight, views: views.clone(), trail: trail.clone() }
    }
}

struct Trail<A> {
    joint: Vec<A>,
    before: Option<Arc<Trail<A>>>,
}

impl<G: Game> Possible<G> {
    /// A state that all players know.
    pub fn certain(game: &G, state: G::State) -> Possible<G> {
        Possible { state, weight: 1.0, views: vec![0; game.spec().players.len()], trail: None }
    }

    /// A history that leads to the state.
    pub fn history(&self) -> History<G::Action> {
        let mut steps = Vec::new();
        let mut last = self.trail.as_ref();
        while let Some(trail) = last {
            steps.push(&trail.joint);
            last = trail.before.as_ref();
        }
        let mut history = History::default();
        steps.into_iter().rev().for_each(|joint| history.push(joint));
        history
    }
}

/// The states that one player considers possible.
pub struct Belief<G: Game, E> {
    perception: &'static dyn Perception<G>,
    player: Player,
    /// The greatest number of states.
    size: usize,
    /// What the player knows, by moment.
    known: Vec<E>,
    states: Vec<Possible<G>>,
    /// Whether all possible states are there.
    exact: bool,
}

/// Continuations examined at one moment, in multiples of the belief's size.
const CONTINUATIONS: usize = 4;
/// Below this fraction of its size, a belief that is not exact looks for more states from the start.
const FEW: f64 = 0.1;
/// The fraction of its size to which it is then filled.
const REFILLED: f64 = 0.25;
/// Continuations of one state that the search from the start looks at.
const TRIED: usize = 32;
/// The seed of all random numbers here.
const SEED: u64 = 0x9e1f_b311_ef5e;

impl<G: Game, E: Evidence<G>> Belief<G, E> {
    /// The belief of `player` at the start of a match, with at most `size` states.
    pub fn new(game: &G, perception: &'static dyn Perception<G>, player: Player, size: usize) -> Belief<G, E> {
        let start = Possible::certain(game, game.start());
        Belief { perception, player, size: size.max(1), known: Vec::new(), states: vec![start], exact: true }
    }

    /// Whether it is the belief of this player.
    pub fn is_of(&self, player: Player) -> bool {
        self.player == player
    }

    /// The possible states. Their weights add up to 1. Empty if none was found.
    pub fn states(&self) -> &[Possible<G>] {
        &self.states
    }

    /// What the player knows, by moment.
    pub fn known(&self) -> &[E] {
        &self.known
    }

    /// Whether these are all possible states, with exact probabilities.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Takes in what the player did and perceived at the next moment. `stop` is asked now and then; `true` leaves out
    /// what has not been examined.
    pub fn learn(&mut self, game: &G, evidence: E, stop: &dyn Fn() -> bool) {
        let mut rng = Rng::new(mix(SEED, self.known.len() as u64));
        let share = (CONTINUATIONS * self.size / self.states.len().max(1)).max(1);
        let mut next = Vec::new();
        for possible in &self.states {
            if !next.is_empty() && stop() {
                self.exact = false;
                break;
            }
            self.exact &= self.continuations(game, possible, &evidence, share, &mut rng, &mut next);
        }
        self.known.push(evidence);
        let mut next = merged(next);
        if next.len() > self.size {
            next = merged(resampled(next, self.size, &mut rng));
            self.exact = false;
        }
        if !self.exact && (next.len() as f64) < FEW * self.size as f64 {
            let wanted = (REFILLED * self.size as f64).ceil() as usize;
            next = merged(self.refilled(game, next, wanted, &mut rng, stop));
        }
        let total: f64 = next.iter().map(|possible| possible.weight).sum();
        next.iter_mut().for_each(|possible| possible.weight /= total);
        self.states = next;
    }

    /// Adds the states at the next moment that may follow `from`. Returns whether these are all of them.
    fn continuations(
        &self,
        game: &G,
        from: &Possible<G>,
        evidence: &E,
        most: usize,
        rng: &mut Rng,
        out: &mut Vec<Possible<G>>,
    ) -> bool {
        let moment = self.perception.moment(game, &from.state);
        let mut complete = true;
        let mut open = vec![(from.clone(), vec![None; from.views.len()])];
        while let Some((at, chosen)) = open.pop() {
            if game.turn(&at.state) == Turn::Over {
                continue;
            }
            let acting = self.acting(game, &at.state, evidence);
            let joints = Joints::new(&acting, most);
            complete &= joints.are_all;
            for index in 0..joints.number {
                let (joint, factor) = joints.get(index, rng);
                let (mut possible, mut chosen) = (at.clone(), chosen.clone());
                possible.weight *= factor;
                for (acting, &action) in acting.iter().zip(&joint) {
                    if let (Actor::Player(player), true) = (acting.actor, acting.has_choice) {
                        chosen[player.index()] = Some(action);
                    }
                }
                game.apply(&mut possible.state, &joint);
                possible.trail = Some(Arc::new(Trail { joint, before: possible.trail.take() }));
                if self.perception.moment(game, &possible.state) == moment {
                    open.push((possible, chosen));
                    continue;
                }
                let had_choice = chosen[self.player.index()].is_some();
                if (had_choice || evidence.allows(game, &at.state, self.player, None))
                    && evidence.agrees(game, self.perception, &possible.state, self.player)
                {
                    for (player, choice) in game.spec().seats().zip(chosen) {
                        let percept = self.perception.percept(game, &possible.state, player);
                        let view = &mut possible.views[player.index()];
                        *view = view_after(*view, choice, &percept);
                    }
                    out.push(possible);
                }
            }
        }
        complete
    }

    /// Those who act in a state, with the actions that the player considers possible.
    fn acting(&self, game: &G, state: &G::State, evidence: &E) -> Vec<Acting<G::Action>> {
        let mut outcomes = Vec::new();
        let acting = game.turn(state).actors().map(|actor| match actor {
            Actor::Chance => {
                game.chance(state, &mut outcomes);
                Acting { actor, has_choice: true, actions: std::mem::take(&mut outcomes) }
            }
            Actor::Player(player) => {
                let legal = legal_actions(game, state, actor);
                let has_choice = legal.len() > 1;
                let share = if player == self.player { 1.0 } else { 1.0 / legal.len() as f64 };
                let known = |action: &G::Action| {
                    player != self.player || !has_choice || evidence.allows(game, state, player, Some(*action))
                };
                let actions = legal.into_iter().filter(known).map(|action| (action, share)).collect();
                Acting { actor, has_choice, actions }
            }
        });
        acting.collect()
    }

    /// Looks for histories from the start that agree with everything known, until there are `wanted` states.
    fn refilled(
        &self,
        game: &G,
        mut states: Vec<Possible<G>>,
        wanted: usize,
        rng: &mut Rng,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Possible<G>> {
        // Found in this way, a state has no weight of its own: all count the same.
        states.iter_mut().for_each(|possible| possible.weight = 1.0);
        let mut work = CONTINUATIONS * self.size.max(self.known.len() * TRIED);
        while states.len() < wanted && work > 0 && (states.is_empty() || !stop()) {
            let mut path = vec![vec![Possible::certain(game, game.start())]];
            while !path.is_empty() {
                let depth = path.len() - 1;
                let Some(mut possible) = path[depth].pop() else {
                    path.pop();
                    continue;
                };
                if depth == self.known.len() {
                    possible.weight = 1.0;
                    states.push(possible);
                    break;
                }
                if work == 0 {
                    break;
                }
                let mut next = Vec::new();
                self.continuations(game, &possible, &self.known[depth], TRIED, rng, &mut next);
                work = work.saturating_sub(next.len().max(1));
                rng.shuffle(&mut next);
                path.push(next);
            }
            if path.is_empty() {
                // The search was complete, or sampled nothing that fits.
                work = work.saturating_sub(TRIED);
            }
        }
        states
    }
}

/// One who acts, with the actions to consider and their probabilities.
struct Acting<A> {
    actor: Actor,
    /// Whether there are several legal actions.
    has_choice: bool,
    actions: Vec<(A, f64)>,
}

/// Joint actions: all of them, or a sample.
struct Joints<'a, A> {
    acting: &'a [Acting<A>],
    number: usize,
    are_all: bool,
}

impl<'a, A: Copy> Joints<'a, A> {
    fn new(acting: &'a [Acting<A>], most: usize) -> Joints<'a, A> {
        let all = acting.iter().try_fold(1usize, |product, acting| product.checked_mul(acting.actions.len()));
        match all.filter(|&all| all <= most) {
            Some(number) => Joints { acting, number, are_all: true },
            None => Joints { acting, number: most, are_all: false },
        }
    }

    /// A joint action and the factor for its weight: its probability, or its share of the sample.
    fn get(&self, index: usize, rng: &mut Rng) -> (Vec<A>, f64) {
        let (mut rest, mut factor) = (index, 1.0);
        let mut pick = |acting: &Acting<A>| {
            let weights = acting.actions.iter().map(|&(_, probability)| probability);
            if !self.are_all {
                factor *= weights.clone().sum::<f64>();
                return acting.actions[rng.weighted(weights)].0;
            }
            let (action, probability) = acting.actions[rest % acting.actions.len()];
            rest /= acting.actions.len();
            factor *= probability;
            action
        };
        let joint = self.acting.iter().map(&mut pick).collect();
        (joint, if self.are_all { factor } else { factor / self.number as f64 })
    }
}

/// Equal states with equal views as one, in the order in which they first appear.
fn merged<G: Game>(states: Vec<Possible<G>>) -> Vec<Possible<G>> {
    let mut places: HashMap<(G::State, Vec<u64>), usize> = HashMap::new();
    let mut merged: Vec<Possible<G>> = Vec::new();
    for possible in states {
        let place = *places.entry((possible.state.clone(), possible.views.clone())).or_insert(merged.len());
        match merged.get_mut(place) {
            Some(known) => known.weight += possible.weight,
            None => merged.push(possible),
        }
    }
    merged
}

/// A sample of `size` states, drawn by weight at equal distances (systematic resampling).
fn resampled<G: Game>(states: Vec<Possible<G>>, size: usize, rng: &mut Rng) -> Vec<Possible<G>> {
    let total: f64 = states.iter().map(|possible| possible.weight).sum();
    let distance = total / size as f64;
    let mut next = distance * rng.unit();
    let (mut sum, mut sample) = (0.0, Vec::new());
    for possible in states {
        sum += possible.weight;
        while next < sum && sample.len() < size {
            sample.push(Possible { weight: distance, ..possible.clone() });
            next += distance;
        }
    }
    sample
}

#[cfg(test)]
mod tests {
    use tesuji_core::Knowledge;
    use tesuji_core::tiny_games::Kuhn;

    use super::*;

    type Known = Moment<u8>;

    fn history(steps: &[u8]) -> History<u8> {
        let mut history = History::default();
        steps.iter().for_each(|&action| history.push(&[action]));
        history
    }

    fn believed(size: usize, player: u8, steps: &[u8]) -> Belief<Kuhn, Known> {
        let game = Kuhn::default();
        let perception = game.perception().unwrap();
        let state = steps.to_vec();
        let known = memory(&game, perception, Player(player), &history(steps), &state).unwrap();
        assert_eq!(known.len(), steps.len());
        let mut belief = Belief::new(&game, perception, Player(player), size);
        known.into_iter().for_each(|moment| belief.learn(&game, moment, &|| false));
        belief
    }

    fn states(belief: &Belief<Kuhn, Known>) -> Vec<(Vec<u8>, f64)> {
        belief.states().iter().map(|possible| (possible.state.clone(), possible.weight)).collect()
    }

    #[test]
    fn a_player_considers_every_card_that_the_other_may_have() {
        // The first player has the king: deals 4 and 5.
        for deal in [4, 5] {
            let belief = believed(100, 0, &[deal, 0, 1]);
            assert!(belief.is_exact());
            assert_eq!(states(&belief), [(vec![4, 0, 1], 0.5), (vec![5, 0, 1], 0.5)]);
        }
        assert_eq!(states(&believed(100, 1, &[0, 1])), [(vec![0, 1], 0.5), (vec![5, 1], 0.5)]);
    }

    #[test]
    fn every_possible_state_has_a_history_and_the_views_of_all() {
        let (one, other) = (believed(100, 0, &[4, 0, 1]), believed(100, 1, &[4, 0, 1]));
        for belief in [&one, &other] {
            for possible in belief.states() {
                let steps: Vec<u8> = possible.history().steps().map(|joint| joint[0]).collect();
                assert_eq!(steps, possible.state);
            }
            let true_state = belief.states().iter().find(|possible| possible.state == [4, 0, 1]).unwrap();
            assert!(
                belief
                    .states()
                    .iter()
                    .all(|p| p.views[belief.player.index()] == true_state.views[belief.player.index()])
            );
        }
        let views =
            |belief: &Belief<Kuhn, Known>| belief.states().iter().find(|p| p.state == [4, 0, 1]).unwrap().views.clone();
        assert_eq!(views(&one), views(&other));
        assert_ne!(one.states()[0].views[1], one.states()[1].views[1], "the other player knows its card");
    }

    #[test]
    fn a_small_belief_still_finds_a_state_that_agrees() {
        for deal in 0..6 {
            let belief = believed(1, 1, &[deal, 0, 1]);
            assert!(!belief.is_exact());
            let [(state, weight)] = &states(&belief)[..] else { panic!("{:?}", states(&belief)) };
            assert_eq!(Kuhn::DEALS[usize::from(state[0])][1], Kuhn::DEALS[usize::from(deal)][1]);
            assert_eq!((&state[1..], *weight), (&[0, 1][..], 1.0));
        }
    }

    #[test]
    fn a_state_that_was_set_up_has_no_memory() {
        let game = Kuhn::default();
        let perception = game.perception().unwrap();
        assert_eq!(memory(&game, perception, Player(0), &history(&[]), &vec![3]), None);
        assert_eq!(memory(&game, perception, Player(0), &history(&[9]), &vec![9]), None);
    }
}
