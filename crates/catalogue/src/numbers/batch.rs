//! Many matches of one game side by side, stepped together.

use std::sync::Arc;

use tesuji_core::laws::Complete;
use tesuji_core::{Actor, Features, Game, InputError, Player, Rng, Turn, mix};

use super::{Numbers, NumbersInfo};

/// What a batch is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchPlan {
    /// The number of matches.
    pub matches: usize,
    /// The seed of everything random: chance, sampled actions and the moves of the other seats.
    pub seed: u64,
    /// The only seat whose actions come from outside; the other players choose uniformly at random. `None`: all seats.
    pub seat: Option<Player>,
}

/// The arrays that a batch writes after each step. Each is either empty, and then not written, or has its full size.
///
/// A match has one *row*, the player to move. In a game with simultaneous moves it has a row for each player.
pub struct BatchArrays<'a> {
    /// By row and action: is it legal?
    pub masks: &'a mut [bool],
    /// By row: what its player sees.
    pub observations: &'a mut [f32],
    /// By row: what its player saw at the end of a match that ended in this step; other rows are not written.
    pub finals: &'a mut [f32],
    /// By match and player: the payoffs of a match that ended in this step, else 0.
    pub rewards: &'a mut [f32],
    /// By match: did it end in this step? A new match has begun then.
    pub ended: &'a mut [bool],
    /// By row: the player whose row it is; −1 if that player does not act now.
    pub players: &'a mut [i32],
}

/// Many matches of one game, whatever its type.
pub trait AnyBatch: Send + Sync {
    /// The numbers of the game.
    fn info(&self) -> &NumbersInfo;

    /// Rows of a match: 1, or the number of players where they act simultaneously.
    fn rows(&self) -> usize;

    /// Begins every match anew. A seed restarts everything random.
    fn reset(&mut self, seed: Option<u64>, arrays: BatchArrays<'_>);

    /// Makes one step in every match: an action for each row, which is ignored for players who do not act. A match that
    /// ends begins anew at once. If an action is not legal, no match changes.
    fn step(&mut self, actions: &[i64], arrays: BatchArrays<'_>) -> Result<(), InputError>;

    /// Draws a uniformly random legal action for each row; 0 for players who do not act.
    fn sample(&mut self, actions: &mut [i64]);
}

/// The typed matches behind an [`AnyBatch`].
pub(crate) struct TypedBatch<G: Complete> {
    game: Arc<G>,
    numbers: Numbers<G>,
    info: NumbersInfo,
    rows: usize,
    seat: Option<Player>,
    matches: Vec<OneMatch<G>>,
    /// By row: the legal actions and their numbers.
    legal: Vec<Legal<G>>,
    /// Buffers of `step`.
    chosen: Vec<G::Action>,
    joint: Vec<G::Action>,
    scratch: Vec<G::Action>,
    sampler: Rng,
}

struct OneMatch<G: Game> {
    state: G::State,
    rng: Rng,
}

struct Legal<G: Game> {
    actions: Vec<G::Action>,
    numbers: Vec<u32>,
}

/// A seat that does not act in this many matches is taken to never act.
const MOST_STARTS: usize = 1_000;

/// The streams of random numbers: one for each match, and one for sampled actions.
fn streams(seed: u64, matches: usize) -> (impl Iterator<Item = Rng>, Rng) {
    ((0..matches as u64).map(move |place| Rng::new(mix(seed, place))), Rng::new(mix(seed, u64::MAX)))
}

impl<G: Complete> TypedBatch<G> {
    /// Refuses a game without numbers, and a seat that the game does not have.
    pub(crate) fn new(game: Arc<G>, plan: BatchPlan) -> Result<TypedBatch<G>, InputError> {
        let numbers = Numbers::of(&*game)?;
        let players = game.spec().players.len();
        if plan.matches == 0 {
            return Err(InputError::new("a batch of 0 matches: expected at least 1"));
        }
        if let Some(Player(seat)) = plan.seat.filter(|seat| seat.index() >= players) {
            return Err(InputError::new(format!("there is no seat {seat}: expected 0 to {}", players - 1)));
        }
        let joint = game.spec().features.contains(Features::SIMULTANEOUS);
        let rows = if joint && plan.seat.is_none() { players } else { 1 };
        let (rngs, sampler) = streams(plan.seed, plan.matches);
        let matches: Vec<OneMatch<G>> = rngs.map(|rng| OneMatch { state: game.start(), rng }).collect();
        if game.turn(&matches[0].state) == Turn::Over {
            let name = &game.spec().name;
            return Err(InputError::new(format!("a match of `{name}` is over before the first step")));
        }
        let legal = (0..plan.matches * rows).map(|_| Legal { actions: Vec::new(), numbers: Vec::new() }).collect();
        let mut batch = TypedBatch {
            info: numbers.info(&*game),
            numbers,
            rows,
            seat: plan.seat,
            matches,
            legal,
            chosen: Vec::new(),
            joint: Vec::new(),
            scratch: Vec::new(),
            sampler,
            game,
        };
        if !(0..MOST_STARTS).any(|_| batch.start(0)) {
            let name = &batch.game.spec().name;
            let seat = batch.game.spec().player_name(plan.seat.unwrap_or(Player(0)));
            return Err(InputError::new(format!("{seat} does not act in `{name}` if the others choose at random")));
        }
        Ok(batch)
    }

    /// The player of a row, if that player acts in `turn`.
    #[inline]
    fn actor(&self, turn: Turn, row: usize) -> Option<Player> {
        match (turn, self.seat) {
            (_, Some(seat)) => turn.movers().contains(seat).then_some(seat),
            (Turn::Player(player), None) if self.rows == 1 => Some(player),
            _ => Some(Player(row as u8)).filter(|&player| turn.movers().contains(player)),
        }
    }

    /// The player from whose side a row is seen.
    #[inline]
    fn viewer(&self, turn: Turn, row: usize) -> Player {
        match (self.seat, turn) {
            (Some(seat), _) => seat,
            (None, Turn::Player(player)) if self.rows == 1 => player,
            _ => Player(row as u8),
        }
    }

    /// Lets chance and the other seats act until somebody outside must choose, or the match is over.
    #[inline]
    fn settle(
        game: &G,
        seat: Option<Player>,
        one: &mut OneMatch<G>,
        joint: &mut Vec<G::Action>,
        scratch: &mut Vec<G::Action>,
    ) {
        loop {
            match game.turn(&one.state) {
                Turn::Chance => {
                    let outcome = game.random_outcome(&one.state, &mut one.rng);
                    game.apply(&mut one.state, &[outcome]);
                }
                Turn::Over => return,
                turn => {
                    let Some(seat) = seat else { return };
                    if turn.movers().contains(seat) {
                        return;
                    }
                    joint.clear();
                    for mover in turn.movers() {
                        joint.push(game.random_action(&one.state, mover, &mut one.rng, scratch));
                    }
                    game.apply(&mut one.state, joint);
                }
            }
        }
    }

    /// Begins a match anew, once; returns whether somebody outside must choose. Otherwise the others have finished it.
    fn start(&mut self, place: usize) -> bool {
        let one = &mut self.matches[place];
        one.state = self.game.start();
        Self::settle(&self.game, self.seat, one, &mut self.joint, &mut self.scratch);
        self.game.turn(&one.state) != Turn::Over
    }

    /// Begins a match anew, until somebody outside must choose.
    fn restart(&mut self, place: usize) {
        while !self.start(place) {}
    }

    /// Finds the legal actions of a match, and writes masks, observations and players.
    #[inline]
    fn show(&mut self, place: usize, arrays: &mut BatchArrays<'_>) {
        let (actions, size) = (self.info.actions, self.numbers.layout.size());
        let turn = self.game.turn(&self.matches[place].state);
        for row in 0..self.rows {
            let at = place * self.rows + row;
            let actor = self.actor(turn, row);
            let Legal { actions: legal, numbers } = &mut self.legal[at];
            let state = &self.matches[place].state;
            match actor {
                Some(player) => self.numbers.index.legal(&self.game, state, player, legal, numbers),
                None => {
                    legal.clear();
                    numbers.clear();
                }
            }
            if !arrays.masks.is_empty() {
                let mask = &mut arrays.masks[at * actions..][..actions];
                mask.fill(false);
                for &number in numbers.iter() {
                    mask[number as usize] = true;
                }
            }
            if !arrays.observations.is_empty() {
                let out = &mut arrays.observations[at * size..][..size];
                self.numbers.observation.fill(&self.game, state, self.viewer(turn, row), out);
            }
            if !arrays.players.is_empty() {
                arrays.players[at] = actor.map_or(-1, |player| i32::from(player.0));
            }
        }
    }

    /// Reads the actions of all matches into `chosen`: one for each row whose player acts.
    fn read(&mut self, actions: &[i64]) -> Result<(), InputError> {
        let expected = self.matches.len() * self.rows;
        if actions.len() != expected {
            return Err(InputError::new(format!("got {} actions, expected {expected}", actions.len())));
        }
        self.chosen.clear();
        for (at, (&number, legal)) in actions.iter().zip(&self.legal).enumerate() {
            let turn = self.game.turn(&self.matches[at / self.rows].state);
            let Some(player) = self.actor(turn, at % self.rows) else { continue };
            let action = u32::try_from(number)
                .ok()
                .and_then(|number| self.numbers.index.action(&self.game, Actor::Player(player), number));
            let Some(action) = action.filter(|action| legal.actions.contains(action)) else {
                let (place, name) = (at / self.rows, self.game.spec().player_name(player));
                let some: Vec<String> = legal.numbers.iter().take(8).map(u32::to_string).collect();
                return Err(InputError::new(format!("action {number} of {name} is not legal in match {place}"))
                    .with_help(format!("{} legal, such as: {}", legal.numbers.len(), some.join("  "))));
            };
            self.chosen.push(action);
        }
        Ok(())
    }
}

impl<G: Complete> AnyBatch for TypedBatch<G> {
    fn info(&self) -> &NumbersInfo {
        &self.info
    }

    fn rows(&self) -> usize {
        self.rows
    }

    fn reset(&mut self, seed: Option<u64>, mut arrays: BatchArrays<'_>) {
        if let Some(seed) = seed {
            let (rngs, sampler) = streams(seed, self.matches.len());
            self.matches.iter_mut().zip(rngs).for_each(|(one, rng)| one.rng = rng);
            self.sampler = sampler;
        }
        arrays.rewards.fill(0.0);
        arrays.ended.fill(false);
        for place in 0..self.matches.len() {
            self.restart(place);
            self.show(place, &mut arrays);
        }
    }

    fn step(&mut self, actions: &[i64], mut arrays: BatchArrays<'_>) -> Result<(), InputError> {
        self.read(actions)?;
        let players = self.game.spec().players.len();
        let size = self.numbers.layout.size();
        let mut next = 0;
        for place in 0..self.matches.len() {
            let one = &mut self.matches[place];
            let turn = self.game.turn(&one.state);
            self.joint.clear();
            for mover in turn.movers() {
                if self.seat.is_some_and(|seat| seat != mover) {
                    self.joint.push(self.game.random_action(&one.state, mover, &mut one.rng, &mut self.scratch));
                } else {
                    self.joint.push(self.chosen[next]);
                    next += 1;
                }
            }
            self.game.apply(&mut one.state, &self.joint);
            Self::settle(&self.game, self.seat, one, &mut self.joint, &mut self.scratch);
            let ended = self.game.turn(&one.state) == Turn::Over;
            if !arrays.rewards.is_empty() {
                for player in self.game.spec().seats() {
                    let payoff = if ended { self.game.payoff(&one.state, player) } else { 0.0 };
                    arrays.rewards[place * players + player.index()] = payoff as f32;
                }
            }
            if !arrays.ended.is_empty() {
                arrays.ended[place] = ended;
            }
            if ended {
                for row in 0..if arrays.finals.is_empty() { 0 } else { self.rows } {
                    let out = &mut arrays.finals[(place * self.rows + row) * size..][..size];
                    let viewer = self.viewer(turn, row);
                    self.numbers.observation.fill(&self.game, &self.matches[place].state, viewer, out);
                }
                self.restart(place);
            }
            self.show(place, &mut arrays);
        }
        Ok(())
    }

    fn sample(&mut self, actions: &mut [i64]) {
        for (action, legal) in actions.iter_mut().zip(&self.legal) {
            *action = match legal.numbers.len() {
                0 => 0,
                count => i64::from(legal.numbers[self.sampler.below(count)]),
            };
        }
    }
}
