//! Local fights: parts of a position, as paper 002, section 8, suggests for large maps. Also representatives: a few
//! actions that stand for all actions of a unit, so that a search of whole turns can look at the reply.

use super::map::{Cell, MAX_UNITS};
use super::reach::{Cells, Ground};
use super::state::{Action, State, Tubstap, with_ground};
use super::units::{Class, Kind, RANGE};
use crate::bits;

impl Kind {
    /// The distance from which the unit can attack with its next action over open ground; for a ranged unit also how
    /// far it can move.
    fn danger_distance(self) -> u32 {
        let movement = u32::from(self.movement());
        if self.is_ranged() { movement.max(*RANGE.end()) } else { movement + 1 }
    }
}

impl Tubstap {
    /// Divides a position into local fights.
    ///
    /// Two enemies are in the same fight if one is near enough to attack the other with its next action, whatever
    /// stands between. A fight with more than `most` units that can act is split into several parts. Units that can act
    /// but are not in the part stay where they are, as if they had acted.
    pub(super) fn parts(&self, state: &State, most: u32) -> Vec<State> {
        let ready = self.ready(state);
        let mut parts = Vec::new();
        let mut open = ready;
        while open != 0 {
            let first = open.trailing_zeros();
            let part = self.part_of(state, first, open, most);
            open &= !(part | 1 << first);
            if part != 0 {
                let mut local = state.clone();
                local.finished |= ready & !part;
                parts.push(local);
            }
        }
        parts
    }

    /// The units of `open` that are linked with `first`, directly or through others, including `first`: at most `most`.
    /// Empty if no enemy is near.
    fn part_of(&self, state: &State, first: u32, open: u64, most: u32) -> u64 {
        let mut linked = 1u64 << first;
        let mut border = linked;
        while border != 0 {
            let unit = border.trailing_zeros();
            border &= border - 1;
            let enemies = state.alive & self.teams[usize::from(self.teams[0] >> unit & 1 == 1)];
            for enemy in bits::ones(enemies & !linked) {
                let distance = self.distance(state.cells[unit as usize], state.cells[enemy as usize]);
                let kinds = [unit, enemy].map(|unit| self.kinds[unit as usize].danger_distance());
                let full = (linked & open).count_ones() >= most && open >> enemy & 1 == 1;
                if distance <= kinds[0].max(kinds[1]) && !full {
                    linked |= 1 << enemy;
                    border |= 1 << enemy;
                }
            }
        }
        if linked.count_ones() > 1 { linked & open } else { 0 }
    }

    /// Appends one attack for each enemy that the unit can damage, from the cell that the fewest enemies can attack.
    /// Then appends one move for each set of enemies that could attack the unit after it, to the cell that the movement
    /// routine rates best.
    pub(super) fn few_actions(&self, state: &State, unit: u8, out: &mut Vec<Action>) {
        with_ground!(self, ground => self.list_few(ground, state, unit, out));
    }

    fn list_few<const N: usize>(&self, ground: &Ground<N>, state: &State, unit: u8, out: &mut Vec<Action>) {
        let kind = self.kinds[usize::from(unit)];
        let from = state.cells[usize::from(unit)];
        let own = usize::from(self.teams[1] >> unit & 1 == 1);
        let enemies = state.alive & self.teams[1 - own];
        let free = self.destinations(ground, state, unit);
        let exposure = self.exposure(ground, state, unit);
        let ground_unit = kind.class() != Class::Air;
        for enemy in bits::ones(enemies) {
            let cell = state.cells[enemy as usize];
            let defender = (self.kinds[enemy as usize], state.hp[enemy as usize]);
            let hurts = self.rules.hurts((kind, state.hp[usize::from(unit)]), defender, self.stars[usize::from(cell)]);
            if !hurts {
                continue;
            }
            let target = Some(enemy as u8);
            if kind.is_ranged() {
                if self.in_range(from, cell) {
                    out.push(Action { unit, target, to: from });
                }
                continue;
            }
            let cover = |to: Cell| if ground_unit { self.stars[usize::from(to)] } else { 0 };
            let places = self.neighbours[usize::from(cell)].into_iter().filter(|&to| to != cell && free.contains(to));
            let best = places.min_by_key(|&to| (exposure.of(self, to).count_ones(), u8::MAX - cover(to)));
            out.extend(best.map(|to| Action { unit, target, to }));
        }
        let moves = out.len();
        let mut sets: [(u64, i32); 64] = [(0, 0); 64];
        for to in free.iter() {
            let set = exposure.of(self, to);
            let value = self.place_value(state, unit, to);
            let known = out.len() - moves;
            match sets[..known].iter().position(|&(seen, _)| seen == set) {
                Some(place) if value > sets[place].1 => {
                    sets[place].1 = value;
                    out[moves + place].to = to;
                }
                Some(_) => {}
                None if known < sets.len() => {
                    sets[known] = (set, value);
                    out.push(Action { unit, target: None, to });
                }
                None => {}
            }
        }
    }

    /// The cells where enemies could damage `unit` in their next turn if all others stayed where they are.
    fn exposure<const N: usize>(&self, ground: &Ground<N>, state: &State, unit: u8) -> Exposure<N> {
        let own = usize::from(self.teams[1] >> unit & 1 == 1);
        let blockers = self.occupied(state, state.alive & self.teams[own] & !(1 << unit));
        let occupied = self.occupied(state, state.alive & !(1 << unit));
        let mut exposure =
            Exposure { direct: [(0, Cells::EMPTY); MAX_UNITS], count: 0, ranged: [(0, 0); MAX_UNITS], guns: 0 };
        for enemy in bits::ones(state.alive & self.teams[1 - own]) {
            let (kind, from) = (self.kinds[enemy as usize], state.cells[enemy as usize]);
            if self.rules.power(kind, self.kinds[usize::from(unit)]) == 0 {
                continue;
            }
            if kind.is_ranged() {
                exposure.ranged[exposure.guns] = (enemy as u8, from);
                exposure.guns += 1;
            } else {
                let mut free = ground.reach(kind, from, &blockers).without(&occupied);
                free.insert(from);
                exposure.direct[exposure.count] = (enemy as u8, ground.around(&free));
                exposure.count += 1;
            }
        }
        exposure
    }
}

/// The cells that enemies can attack.
struct Exposure<const N: usize> {
    direct: [(u8, Cells<N>); MAX_UNITS],
    count: usize,
    ranged: [(u8, Cell); MAX_UNITS],
    guns: usize,
}

impl<const N: usize> Exposure<N> {
    /// The enemies that can attack a cell, as bits.
    #[inline]
    fn of(&self, game: &Tubstap, cell: Cell) -> u64 {
        let direct = self.direct[..self.count].iter().map(|(enemy, cells)| u64::from(cells.bit(cell)) << enemy);
        let guns = self.ranged[..self.guns].iter().map(|&(enemy, from)| u64::from(game.in_range(from, cell)) << enemy);
        direct.chain(guns).fold(0, |set, bit| set | bit)
    }
}
