//! The evaluation of single actions and the movement routine of the platform's default agent (paper 000, section 3.1),
//! with which paper 002, section 4.2, moves its remaining units.
//!
//! - The value of an attack is damage × (10 + threat of the target) − counter × (10 + own HP). The threat is the most
//!   damage that the target can now do to a unit of the acting side that has already acted. Attacks that take no HP
//!   have the least value of all actions.
//! - The value of a move is just above −20, the minimum that the default agent demands of an attack. Among the moves of
//!   one unit a better cell to go to has a greater value, by less than 1. The best cells of all units have equal
//!   values, so which unit moves first is random, as in the default agent.
//! - The value of a cell to go to is 5 × stars + ⌊power / (distance + 5)⌋, maximised over the enemies: good ground,
//!   near an enemy against which the unit is strong. Stars count for ground units only.

use tesuji_core::{ActionEvaluation, Player, Policy, Rng};

use super::map::{Cell, MAX_UNITS};
use super::reach::{Cells, Ground};
use super::state::{Action, State, Tubstap, with_ground};
use super::units::Class;
use crate::bits;

/// The least value of an attack that the default agent makes.
const LEAST_EXCHANGE: f64 = -20.0;
/// The value of an attack that takes no HP; no exchange is worse than −10 × (10 + 10).
const NO_EXCHANGE: f64 = -1000.0;
/// Values of cells are 0 to 4 × 5 + 115 / 6, so two of them differ by less than this.
const PLACE_RANGE: i32 = 40;

/// The action evaluation `exchange`.
pub(super) struct Exchange;

impl ActionEvaluation<Tubstap> for Exchange {
    fn values(&self, game: &Tubstap, state: &State, player: Player, actions: &[Action], out: &mut Vec<f64>) {
        out.clear();
        let threats = if actions.iter().any(|action| action.target.is_some()) {
            with_ground!(game, ground => game.threats(ground, state, player))
        } else {
            [0; MAX_UNITS]
        };
        let mut best_place = [i32::MIN; MAX_UNITS];
        for action in actions {
            out.push(match action.target {
                Some(target) => {
                    let (damage, counter) = game.battle(state, *action);
                    let (damage, counter) = (f64::from(damage), f64::from(counter));
                    let threat = f64::from(10 + threats[usize::from(target)]);
                    let own = f64::from(10 + state.hp[usize::from(action.unit)]);
                    if damage == 0.0 { NO_EXCHANGE } else { damage * threat - counter * own }
                }
                None => {
                    let place = game.place_value(state, action.unit, action.to);
                    let best = &mut best_place[usize::from(action.unit)];
                    *best = place.max(*best);
                    f64::from(place)
                }
            });
        }
        for (action, value) in actions.iter().zip(out) {
            if action.target.is_none() {
                let behind = *value - f64::from(best_place[usize::from(action.unit)]);
                *value = LEAST_EXCHANGE + (behind + f64::from(PLACE_RANGE)) / f64::from(PLACE_RANGE + 2);
            }
        }
    }
}

/// The policy `march`: a random unit that has not acted goes to its best cell. Among equals it stays where it is, or
/// takes the first.
pub(super) struct March;

impl Policy<Tubstap> for March {
    fn pick(&mut self, game: &Tubstap, state: &State, _player: Player, rng: &mut Rng) -> Action {
        let ready = game.ready(state);
        let unit = bits::select(ready, rng.below(ready.count_ones() as usize)) as u8;
        let to = with_ground!(game, ground => {
            let mut best = state.cells[usize::from(unit)];
            let mut most = game.place_value(state, unit, best);
            for cell in game.destinations(ground, state, unit).iter() {
                let value = game.place_value(state, unit, cell);
                if value > most {
                    (best, most) = (cell, value);
                }
            }
            best
        });
        Action { unit, target: None, to }
    }
}

impl Tubstap {
    /// The value of a cell to go to, for a unit.
    #[inline]
    pub(super) fn place_value(&self, state: &State, unit: u8, cell: Cell) -> i32 {
        let kind = self.kinds[usize::from(unit)];
        let stars = if kind.class() == Class::Air { 0 } else { i32::from(self.stars[usize::from(cell)]) };
        let enemies = state.alive & self.teams[usize::from(self.teams[0] >> unit & 1 == 1)];
        let pull = |enemy: u32| {
            let power = u32::from(self.rules.power(kind, self.kinds[enemy as usize]));
            (power / (self.distance(cell, state.cells[enemy as usize]) + 5)) as i32
        };
        5 * stars + bits::ones(enemies).map(pull).max().unwrap_or(0)
    }

    /// The cells that a unit can move to, including its own.
    #[inline]
    pub(super) fn destinations<const N: usize>(&self, ground: &Ground<N>, state: &State, unit: u8) -> Cells<N> {
        let own = usize::from(self.teams[1] >> unit & 1 == 1);
        let enemies = self.occupied(state, state.alive & self.teams[1 - own]);
        let from = state.cells[usize::from(unit)];
        let occupied = self.occupied(state, state.alive);
        let mut free = ground.reach(self.kinds[usize::from(unit)], from, &enemies).without(&occupied);
        free.insert(from);
        free
    }

    /// By enemy of `player`: the most damage it can now do to a unit of `player` that has acted.
    fn threats<const N: usize>(&self, ground: &Ground<N>, state: &State, player: Player) -> [u8; MAX_UNITS] {
        let mut threats = [0; MAX_UNITS];
        let moved = state.alive & self.teams[player.index()] & state.finished;
        if moved == 0 {
            return threats;
        }
        for enemy in bits::ones(state.alive & self.teams[1 - player.index()]) {
            let attacker = (self.kinds[enemy as usize], state.hp[enemy as usize]);
            let free = self.destinations(ground, state, enemy as u8);
            for unit in bits::ones(moved) {
                let cell = state.cells[unit as usize];
                let hits = if attacker.0.is_ranged() {
                    self.in_range(state.cells[enemy as usize], cell)
                } else {
                    self.neighbours[usize::from(cell)].iter().any(|&beside| free.contains(beside))
                };
                if hits {
                    let defender = (self.kinds[unit as usize], state.hp[unit as usize]);
                    let damage = self.rules.damage(attacker, defender, self.stars[usize::from(cell)]);
                    threats[enemy as usize] = damage.max(threats[enemy as usize]);
                }
            }
        }
        threats
    }
}
