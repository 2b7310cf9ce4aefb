//! The playout policy of the papers' agents: mostly attacks.
//!
//! If some unit that has not acted can take at least 1 HP from an enemy, then with probability 0.8 one of all these
//! attacks (unit, cell to attack from, target) is drawn uniformly; otherwise one of all legal actions is. Attacks that
//! take no HP are never among the 80 %, but stay among the rest: the papers do not exclude them there. With probability
//! 1 it is the policy of the program that survives from paper 002's line.
//!
//! A playout updates the counts of actions instead of recomputing them. Where a unit can go depends only on the
//! enemies' positions, so it is computed once per turn and again when an enemy falls. A unit that moves frees one cell
//! and occupies another, which affects only the counts of enemies beside these two.

use tesuji_core::{Horizon, Player, Policy, Rng, Turn};

use super::map::{Cell, MAX_UNITS};
use super::reach::{Cells, Ground};
use super::state::{Action, Boards, State, Tubstap};
use super::units::{Kind, resistance};
use crate::bits;

/// The probability of an attack, in all the papers: the policy `attack80`.
pub(crate) const ATTACK_80: f64 = 0.8;

/// The policies `attack80` and `attack-first`. The buffers have the width of the last game played.
pub(crate) struct AttackPolicy {
    /// The probability of an attack where there is one.
    attacks: f64,
    workspace: Workspace,
}

enum Workspace {
    One(Box<Options<1>>),
    Four(Box<Options<4>>),
    Sixteen(Box<Options<16>>),
    SixtyFour(Box<Options<64>>),
}

impl AttackPolicy {
    /// The policy with buffers for `game`. It can play other games as well.
    pub(super) fn new(game: &Tubstap, attacks: f64) -> AttackPolicy {
        let workspace = match &game.boards {
            Boards::One(_) => Workspace::One(Box::default()),
            Boards::Four(_) => Workspace::Four(Box::default()),
            Boards::Sixteen(_) => Workspace::Sixteen(Box::default()),
            Boards::SixtyFour(_) => Workspace::SixtyFour(Box::default()),
        };
        AttackPolicy { attacks, workspace }
    }
}

/// Calls a function with the ground of the game and the buffers that fit it.
macro_rules! with_options {
    ($policy:expr, $game:expr, ($ground:ident, $options:ident) => $body:expr) => {
        loop {
            match (&$game.boards, &mut $policy.workspace) {
                (Boards::One($ground), Workspace::One($options)) => break $body,
                (Boards::Four($ground), Workspace::Four($options)) => break $body,
                (Boards::Sixteen($ground), Workspace::Sixteen($options)) => break $body,
                (Boards::SixtyFour($ground), Workspace::SixtyFour($options)) => break $body,
                _ => *$policy = AttackPolicy::new($game, $policy.attacks),
            }
        }
    };
}

impl Policy<Tubstap> for AttackPolicy {
    fn pick(&mut self, game: &Tubstap, state: &State, _player: Player, rng: &mut Rng) -> Action {
        with_options!(self, game, (ground, options) => {
            options.begin(game, ground, state);
            options.draw(game, state, self.attacks, rng)
        })
    }

    fn play_out(&mut self, game: &Tubstap, state: &mut State, rng: &mut Rng, horizon: Horizon) -> u32 {
        with_options!(self, game, (ground, options) => {
            options.play_out(game, ground, state, self.attacks, rng, horizon)
        })
    }
}

/// The counts of actions of the side to act.
struct Options<const N: usize> {
    /// The units that can act, and the enemies.
    ready: u64,
    enemies: u64,
    occupied: Cells<N>,
    enemy_cells: Cells<N>,
    /// The cells beside enemies.
    contact: Cells<N>,
    /// Sums over all ready units: actions, and attacks that take HP.
    actions: u32,
    attacks: u32,
    units: [UnitOptions<N>; MAX_UNITS],
    foes: [Foe; MAX_UNITS],
}

/// What every unit needs to know about an enemy.
#[derive(Clone, Copy)]
struct Foe {
    number: u8,
    kind: Kind,
    cell: Cell,
    beside: [Cell; 4],
    resistance: u32,
}

/// The counts of actions of one unit.
#[derive(Clone, Copy)]
struct UnitOptions<const N: usize> {
    reach: Cells<N>,
    /// Cells to go to, including its own.
    moves: u32,
    /// All attacks, and those that take HP.
    hits: u32,
    attacks: u32,
    /// The enemies that it can damage; all of them if it can attack none in this turn.
    hurts: u64,
    /// By enemy: the number of cells from which it can be attacked. Valid for living enemies, if the unit can attack
    /// any in this turn.
    places: [u8; MAX_UNITS],
}

impl<const N: usize> Default for Options<N> {
    fn default() -> Self {
        let unit = UnitOptions { reach: Cells::EMPTY, moves: 0, hits: 0, attacks: 0, hurts: 0, places: [0; MAX_UNITS] };
        Options {
            ready: 0,
            enemies: 0,
            occupied: Cells::EMPTY,
            enemy_cells: Cells::EMPTY,
            contact: Cells::EMPTY,
            actions: 0,
            attacks: 0,
            units: [unit; MAX_UNITS],
            foes: [Foe { number: 0, kind: Kind::Infantry, cell: 0, beside: [0; 4], resistance: 0 }; MAX_UNITS],
        }
    }
}

impl<const N: usize> Options<N> {
    /// Counts everything for the side to act.
    #[inline]
    fn begin(&mut self, game: &Tubstap, ground: &Ground<N>, state: &State) {
        let Turn::Player(player) = state.turn else { return };
        self.ready = game.ready(state);
        self.enemies = state.alive & game.teams[1 - player.index()];
        self.enemy_cells = game.occupied(state, self.enemies);
        self.occupied = game.occupied::<N>(state, state.alive & !self.enemies).or(&self.enemy_cells);
        self.contact = ground.around(&self.enemy_cells);
        self.actions = 0;
        self.attacks = 0;
        let mut count = 0;
        for number in bits::ones(self.enemies) {
            let cell = state.cells[number as usize];
            let (kind, hp) = (game.kinds[number as usize], state.hp[number as usize]);
            let resistance = resistance((kind, hp), game.stars[usize::from(cell)]);
            self.foes[count] =
                Foe { number: number as u8, kind, cell, beside: game.neighbours[usize::from(cell)], resistance };
            count += 1;
        }
        let foes = &self.foes[..count];
        for number in bits::ones(self.ready) {
            let (kind, from) = (game.kinds[number as usize], state.cells[number as usize]);
            let hp = state.hp[number as usize];
            let unit = &mut self.units[number as usize];
            unit.reach = ground.reach(kind, from, &self.enemy_cells);
            let mut free = unit.reach.without(&self.occupied);
            free.insert(from);
            unit.moves = free.len();
            unit.hits = 0;
            unit.attacks = 0;
            if !kind.is_ranged() && unit.reach.and(&self.contact).is_empty() {
                // Nothing in this turn except a fallen enemy brings an enemy within its reach.
                unit.hurts = self.enemies;
            } else {
                unit.hurts = 0;
                for foe in foes {
                    let places = if kind.is_ranged() {
                        u32::from(game.in_range(from, foe.cell))
                    } else {
                        foe.beside.iter().map(|&beside| free.bit(beside)).sum()
                    };
                    let hurts = u32::from(game.rules.strength((kind, hp), foe.kind) >= foe.resistance);
                    unit.places[usize::from(foe.number)] = places as u8;
                    unit.hits += places;
                    unit.attacks += places * hurts;
                    unit.hurts |= u64::from(hurts) << foe.number;
                }
            }
            self.actions += unit.moves + unit.hits;
            self.attacks += unit.attacks;
        }
    }

    /// Chooses an action by the policy; an attack, if there is one, with probability `attacks`.
    #[inline]
    fn draw(&self, game: &Tubstap, state: &State, attacks: f64, rng: &mut Rng) -> Action {
        if self.attacks > 0 && rng.chance(attacks) {
            let mut rank = rng.below(self.attacks as usize) as u32;
            for number in bits::ones(self.ready) {
                let unit = &self.units[number as usize];
                if rank < unit.attacks {
                    return self.hit(game, state, number, self.enemies & unit.hurts, rank);
                }
                rank -= unit.attacks;
            }
        } else {
            let mut rank = rng.below(self.actions as usize) as u32;
            for number in bits::ones(self.ready) {
                let unit = &self.units[number as usize];
                if rank < unit.moves {
                    let to = self.free(state, number).select(rank);
                    return Action { unit: number as u8, target: None, to };
                }
                rank -= unit.moves;
                if rank < unit.hits {
                    return self.hit(game, state, number, self.enemies, rank);
                }
                rank -= unit.hits;
            }
        }
        unreachable!("rank beyond the actions of {state:?}")
    }

    /// The cells that a unit can go to.
    #[inline(always)]
    fn free(&self, state: &State, number: u32) -> Cells<N> {
        let mut free = self.units[number as usize].reach.without(&self.occupied);
        free.insert(state.cells[number as usize]);
        free
    }

    /// The `rank`-th attack of a unit on the enemies in a set.
    #[inline(always)]
    fn hit(&self, game: &Tubstap, state: &State, number: u32, enemies: u64, rank: u32) -> Action {
        let unit = &self.units[number as usize];
        let mut rank = rank;
        for enemy in bits::ones(enemies) {
            let places = u32::from(unit.places[enemy as usize]);
            if rank < places {
                let to = if game.kinds[number as usize].is_ranged() {
                    state.cells[number as usize]
                } else {
                    game.place_to_hit(&self.free(state, number), state.cells[enemy as usize], rank)
                };
                return Action { unit: number as u8, target: Some(enemy as u8), to };
            }
            rank -= places;
        }
        unreachable!("rank beyond the attacks of unit {number} in {state:?}")
    }

    /// Removes the unit that acted from the counts. The turn continues, and no enemy fell.
    #[inline]
    fn advance(&mut self, game: &Tubstap, state: &State, action: Action, from: Cell, unit_gone: bool) {
        self.ready &= !(1 << action.unit);
        let unit = &self.units[usize::from(action.unit)];
        self.actions -= unit.moves + unit.hits;
        self.attacks -= unit.attacks;
        if unit_gone {
            self.occupied.remove(from);
            self.change::<1>(game, state, from);
        } else if action.to != from {
            self.occupied.remove(from);
            self.occupied.insert(action.to);
            self.change::<1>(game, state, from);
            self.change::<-1>(game, state, action.to);
        }
        if let Some(target) = action.target {
            self.weigh(game, state, u32::from(target));
        }
    }

    /// Updates the counts for a cell that became free (`BY` = 1) or occupied (-1).
    #[inline]
    fn change<const BY: i32>(&mut self, game: &Tubstap, state: &State, cell: Cell) {
        let mut beside = 0;
        if self.contact.contains(cell) {
            for enemy in bits::ones(self.enemies) {
                beside |= u64::from(game.distance(cell, state.cells[enemy as usize]) == 1) << enemy;
            }
        }
        for number in bits::ones(self.ready) {
            let unit = &mut self.units[number as usize];
            let by = if unit.reach.contains(cell) { BY } else { 0 };
            unit.moves = unit.moves.wrapping_add_signed(by);
            self.actions = self.actions.wrapping_add_signed(by);
            if beside == 0 || by == 0 || game.kinds[number as usize].is_ranged() {
                continue;
            }
            for enemy in bits::ones(beside) {
                unit.places[enemy as usize] = unit.places[enemy as usize].wrapping_add_signed(BY as i8);
            }
            let hits = BY * beside.count_ones() as i32;
            let attacks = BY * (beside & unit.hurts).count_ones() as i32;
            unit.hits = unit.hits.wrapping_add_signed(hits);
            unit.attacks = unit.attacks.wrapping_add_signed(attacks);
            self.actions = self.actions.wrapping_add_signed(hits);
            self.attacks = self.attacks.wrapping_add_signed(attacks);
        }
    }

    /// Updates the counts for an enemy that lost HP: more units may be able to damage it.
    #[inline]
    fn weigh(&mut self, game: &Tubstap, state: &State, enemy: u32) {
        let defender = (game.kinds[enemy as usize], state.hp[enemy as usize]);
        let stars = game.stars[usize::from(state.cells[enemy as usize])];
        for number in bits::ones(self.ready) {
            let unit = &mut self.units[number as usize];
            let attacker = (game.kinds[number as usize], state.hp[number as usize]);
            if unit.hurts >> enemy & 1 == 0 && game.rules.hurts(attacker, defender, stars) {
                unit.hurts |= 1 << enemy;
                let attacks = u32::from(unit.places[enemy as usize]);
                unit.attacks += attacks;
                self.attacks += attacks;
            }
        }
    }

    /// Plays out by the policy, step by step as the default of [`Policy::play_out`] would.
    #[inline]
    fn play_out(
        &mut self,
        game: &Tubstap,
        ground: &Ground<N>,
        state: &mut State,
        attacks: f64,
        rng: &mut Rng,
        horizon: Horizon,
    ) -> u32 {
        let mut steps = 0;
        let mut turns = 0;
        let mut owner = state.turn;
        self.begin(game, ground, state);
        while steps < horizon.steps && state.turn != Turn::Over {
            if state.turn != owner {
                owner = state.turn;
                turns += 1;
                if turns >= horizon.turns {
                    break;
                }
            }
            let action = self.draw(game, state, attacks, rng);
            let from = state.cells[usize::from(action.unit)];
            let effect = game.resolve(state, action);
            steps += 1;
            if effect.turn_passed || effect.target_gone {
                self.begin(game, ground, state);
            } else {
                self.advance(game, state, action, from, effect.unit_gone);
            }
        }
        steps
    }
}
