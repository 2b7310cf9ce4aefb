//! Positions, actions and the rules of play.

use tesuji_core::{Features, Game, InputError, Player, Rng, Spec, Turn};

use super::map::{Cell, MAX_UNITS, Map, TEAMS};
use super::reach::{Cells, Ground};
use super::units::{Kind, RANGE, Rules};
use crate::bits;

/// The rules of TUBSTAP on one map.
#[derive(Clone, Debug)]
pub struct Tubstap {
    pub(super) spec: Spec,
    pub(super) map: Map,
    pub(super) rules: Rules,
    /// The units of each team, as bits.
    pub(super) teams: [u64; 2],
    pub(super) kinds: [Kind; MAX_UNITS],
    pub(super) stars: Vec<u8>,
    /// The four neighbours of each cell in ascending order; the cell itself stands for those outside the board.
    pub(super) neighbours: Vec<[Cell; 4]>,
    places: Vec<(u8, u8)>,
    pub(super) boards: Boards,
}

/// The terrain, in as many words as the map needs.
#[derive(Clone, Debug)]
pub(super) enum Boards {
    One(Box<Ground<1>>),
    Four(Box<Ground<4>>),
    Sixteen(Box<Ground<16>>),
    SixtyFour(Box<Ground<64>>),
}

/// Calls a function with the ground of the right width.
macro_rules! with_ground {
    ($game:expr, $ground:ident => $body:expr) => {
        match &$game.boards {
            $crate::tubstap::state::Boards::One($ground) => $body,
            $crate::tubstap::state::Boards::Four($ground) => $body,
            $crate::tubstap::state::Boards::Sixteen($ground) => $body,
            $crate::tubstap::state::Boards::SixtyFour($ground) => $body,
        }
    };
}
pub(super) use with_ground;

/// What one unit does in a turn: it moves to a cell (perhaps its own) and may then attack an enemy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action {
    /// The number of the unit.
    pub unit: u8,
    /// The number of the unit it attacks.
    pub target: Option<u8>,
    /// The cell it moves to.
    pub to: Cell,
}

/// A position. Units that are gone have HP 0, cell 0 and no flag.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) cells: [Cell; MAX_UNITS],
    pub(super) hp: [u8; MAX_UNITS],
    pub(super) alive: u64,
    pub(super) finished: u64,
    /// The number of completed turns of both sides together. Red acts when it is even.
    pub(super) turns: u16,
    pub(super) turn: Turn,
}

impl State {
    /// The number of completed turns of both sides together.
    pub fn turns(&self) -> u16 {
        self.turns
    }

    /// The HP of a unit; 0 if it is gone.
    pub fn hp(&self, unit: u8) -> u8 {
        self.hp[usize::from(unit)]
    }

    /// Where a unit stands; `None` if it is gone.
    pub fn cell(&self, unit: u8) -> Option<Cell> {
        (self.alive >> unit & 1 == 1).then(|| self.cells[usize::from(unit)])
    }

    /// Whether the unit has acted in this turn or misses it.
    pub(crate) fn is_finished(&self, unit: u8) -> bool {
        self.finished >> unit & 1 == 1
    }

    /// The unit on a cell.
    pub(crate) fn unit_on(&self, cell: Cell) -> Option<u8> {
        bits::ones(self.alive).map(|unit| unit as u8).find(|&unit| self.cells[usize::from(unit)] == cell)
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, unit: u8) {
        self.alive &= !(1 << unit);
        self.finished &= !(1 << unit);
        self.cells[usize::from(unit)] = 0;
        self.hp[usize::from(unit)] = 0;
    }
}

/// What an action changed besides the position of its unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effect {
    pub target_gone: bool,
    pub unit_gone: bool,
    /// Whether it passed the turn to the other side or ended the match.
    pub turn_passed: bool,
}

impl Tubstap {
    /// The rules on `map`; `name` is the address that opens the same game again.
    ///
    /// A side without units has lost before the first action. A map without any unit is refused.
    pub fn new(name: impl Into<String>, map: Map, rules: Rules) -> Result<Tubstap, InputError> {
        if map.units().is_empty() {
            return Err(InputError::new("the map has no units, so nobody can play on it"));
        }
        let mut teams = [0; 2];
        let mut kinds = [Kind::Infantry; MAX_UNITS];
        for (number, unit) in map.units().iter().enumerate() {
            teams[unit.team.index()] |= 1 << number;
            kinds[number] = unit.kind;
        }
        let cells = 0..map.terrain().len() as Cell;
        let neighbours = |cell| {
            let mut four = [cell; 4];
            for (slot, neighbour) in four.iter_mut().zip(map.neighbours(cell)) {
                *slot = neighbour;
            }
            four
        };
        let boards = if Ground::<1>::fits(&map) {
            Boards::One(Box::new(Ground::new(&map)))
        } else if Ground::<4>::fits(&map) {
            Boards::Four(Box::new(Ground::new(&map)))
        } else if Ground::<16>::fits(&map) {
            Boards::Sixteen(Box::new(Ground::new(&map)))
        } else {
            Boards::SixtyFour(Box::new(Ground::new(&map)))
        };
        let (max_steps, features) = extent(&map);
        Ok(Tubstap {
            spec: Spec::new(name, &TEAMS, features, max_steps),
            rules,
            teams,
            kinds,
            stars: map.terrain().iter().map(|terrain| terrain.stars()).collect(),
            neighbours: cells.clone().map(neighbours).collect(),
            places: cells.map(|cell| map.place(cell)).map(|(column, row)| (column as u8, row as u8)).collect(),
            boards,
            map,
        })
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The rule set.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The actions that end the turn of the side to act: every unit that has not acted stays. Empty when the match is
    /// over.
    pub fn end_turn(&self, state: &State) -> Vec<Action> {
        bits::ones(self.ready(state))
            .map(|unit| Action { unit: unit as u8, target: None, to: state.cells[unit as usize] })
            .collect()
    }

    /// The total HP of a side.
    pub(crate) fn total_hp(&self, state: &State, player: Player) -> u32 {
        bits::ones(state.alive & self.teams[player.index()]).map(|unit| u32::from(state.hp[unit as usize])).sum()
    }

    /// The HP that an action would take from its target, and that the counter-attack would take from its unit.
    #[inline]
    pub(crate) fn battle(&self, state: &State, action: Action) -> (u8, u8) {
        let Some(target) = action.target else { return (0, 0) };
        let attacker = (self.kinds[usize::from(action.unit)], state.hp[usize::from(action.unit)]);
        let defender = (self.kinds[usize::from(target)], state.hp[usize::from(target)]);
        let target_cell = state.cells[usize::from(target)];
        let damage = self.rules.damage(attacker, defender, self.stars[usize::from(target_cell)]);
        let left = defender.1 - damage;
        if left == 0 || attacker.0.is_ranged() || defender.0.is_ranged() {
            return (damage, 0);
        }
        (damage, self.rules.damage((defender.0, left), attacker, self.stars[usize::from(action.to)]))
    }

    /// The units that can act now, as bits.
    #[inline(always)]
    pub(super) fn ready(&self, state: &State) -> u64 {
        match state.turn {
            Turn::Player(player) => state.alive & self.teams[player.index()] & !state.finished,
            _ => 0,
        }
    }

    #[inline(always)]
    pub(super) fn distance(&self, a: Cell, b: Cell) -> u32 {
        let ((ax, ay), (bx, by)) = (self.places[usize::from(a)], self.places[usize::from(b)]);
        u32::from(ax.abs_diff(bx)) + u32::from(ay.abs_diff(by))
    }

    /// Whether a ranged unit on `from` can attack `target`.
    #[inline(always)]
    pub(super) fn in_range(&self, from: Cell, target: Cell) -> bool {
        RANGE.contains(&self.distance(from, target))
    }

    /// The cells of the units in a set.
    #[inline(always)]
    pub(super) fn occupied<const N: usize>(&self, state: &State, units: u64) -> Cells<N> {
        let mut cells = Cells::EMPTY;
        for unit in bits::ones(units) {
            cells.insert(state.cells[unit as usize]);
        }
        cells
    }

    /// Plays an action of the side to act.
    #[inline(always)]
    pub(super) fn resolve(&self, state: &mut State, action: Action) -> Effect {
        let Turn::Player(mover) = state.turn else { unreachable!("nobody acts in {state:?}") };
        let mut effect = Effect { target_gone: false, unit_gone: false, turn_passed: false };
        let unit = usize::from(action.unit);
        if let Some(target) = action.target {
            let (damage, counter) = self.battle(state, action);
            state.hp[usize::from(target)] -= damage;
            state.hp[unit] -= counter;
            effect.target_gone = state.hp[usize::from(target)] == 0;
            effect.unit_gone = state.hp[unit] == 0;
            if effect.target_gone {
                state.remove(target);
            }
        }
        if effect.unit_gone {
            state.remove(action.unit);
        } else {
            state.cells[unit] = action.to;
            state.finished |= 1 << action.unit;
        }
        let own = state.alive & self.teams[mover.index()];
        if own == 0 || effect.target_gone && state.alive & self.teams[1 - mover.index()] == 0 {
            state.turn = Turn::Over;
            effect.turn_passed = true;
        } else if own & !state.finished == 0 {
            self.pass(state, mover);
            effect.turn_passed = true;
        }
        effect
    }

    /// Ends the turn of `mover`, and the turns of sides that have no unit to act.
    #[inline]
    fn pass(&self, state: &mut State, mut mover: Player) {
        loop {
            state.finished &= !self.teams[mover.index()];
            state.turns += 1;
            if state.turns >= self.map.turn_limit() {
                state.turn = Turn::Over;
                return;
            }
            mover = Player(1 - mover.0);
            state.turn = Turn::Player(mover);
            if state.alive & self.teams[mover.index()] & !state.finished != 0 {
                return;
            }
        }
    }

    /// Appends the actions of the units in order: first each cell to move to, then for each enemy each cell to attack
    /// it from.
    fn list<const N: usize>(&self, ground: &Ground<N>, state: &State, player: Player, out: &mut Vec<Action>) {
        let enemies = state.alive & self.teams[1 - player.index()];
        let enemy_cells = self.occupied(state, enemies);
        let occupied: Cells<N> = self.occupied(state, state.alive);
        for unit in bits::ones(self.ready(state)) {
            let (kind, from) = (self.kinds[unit as usize], state.cells[unit as usize]);
            let unit = unit as u8;
            let mut free = ground.reach(kind, from, &enemy_cells).without(&occupied);
            free.insert(from);
            out.extend(free.iter().map(|to| Action { unit, target: None, to }));
            for target in bits::ones(enemies) {
                let cell = state.cells[target as usize];
                let target = Some(target as u8);
                if kind.is_ranged() {
                    if self.in_range(from, cell) {
                        out.push(Action { unit, target, to: from });
                    }
                } else {
                    let beside = self.neighbours[usize::from(cell)].into_iter().filter(|&to| free.contains(to));
                    out.extend(beside.map(|to| Action { unit, target, to }));
                }
            }
        }
    }

    /// The action at a random index of the list, without making the list.
    #[inline]
    fn draw<const N: usize>(&self, ground: &Ground<N>, state: &State, player: Player, rng: &mut Rng) -> Action {
        let enemies = state.alive & self.teams[1 - player.index()];
        let enemy_cells: Cells<N> = self.occupied(state, enemies);
        let occupied = self.occupied(state, state.alive);
        let contact = ground.around(&enemy_cells);
        let ready = self.ready(state);
        let destinations = |unit: u32| {
            let (kind, from) = (self.kinds[unit as usize], state.cells[unit as usize]);
            let mut free = ground.reach(kind, from, &enemy_cells).without(&occupied);
            free.insert(from);
            (kind, from, free)
        };
        let hits = |kind: Kind, from: Cell, free: &Cells<N>, target: u32| {
            let cell = state.cells[target as usize];
            if kind.is_ranged() {
                u32::from(self.in_range(from, cell))
            } else {
                self.neighbours[usize::from(cell)].iter().map(|&beside| free.bit(beside)).sum()
            }
        };
        let mut counts = [0u32; MAX_UNITS];
        let mut total = 0;
        for unit in bits::ones(ready) {
            let (kind, from, free) = destinations(unit);
            let mut count = free.len();
            if kind.is_ranged() || !free.and(&contact).is_empty() {
                count += bits::ones(enemies).map(|target| hits(kind, from, &free, target)).sum::<u32>();
            }
            counts[unit as usize] = count;
            total += count;
        }
        let mut rank = rng.below(total as usize) as u32;
        for unit in bits::ones(ready) {
            if rank >= counts[unit as usize] {
                rank -= counts[unit as usize];
                continue;
            }
            let (kind, from, free) = destinations(unit);
            let moves = free.len();
            let unit = unit as u8;
            if rank < moves {
                return Action { unit, target: None, to: free.select(rank) };
            }
            rank -= moves;
            for target in bits::ones(enemies) {
                let count = hits(kind, from, &free, target);
                if rank < count {
                    let to = if kind.is_ranged() {
                        from
                    } else {
                        self.place_to_hit(&free, state.cells[target as usize], rank)
                    };
                    return Action { unit, target: Some(target as u8), to };
                }
                rank -= count;
            }
        }
        unreachable!("rank beyond the actions of {state:?}")
    }

    /// The `rank`-th of the `free` cells beside `target`.
    #[inline(always)]
    pub(super) fn place_to_hit<const N: usize>(&self, free: &Cells<N>, target: Cell, rank: u32) -> Cell {
        let mut rank = rank;
        for beside in self.neighbours[usize::from(target)] {
            let bit = free.bit(beside);
            if rank < bit {
                return beside;
            }
            rank -= bit;
        }
        unreachable!("rank beyond the cells beside {target}")
    }
}

/// The greatest number of steps of a match, reached when every unit stays, and the features of the game.
///
/// A player acts twice in a row if a turn of its own has two units to act, or if the opponent's turn in between has
/// none. The latter happens only in a side's first turn, to units that begin finished.
fn extent(map: &Map) -> (usize, Features) {
    let count = |team: u8, finished_too: bool| {
        let counts = |unit: &&super::map::Unit| unit.team.0 == team && (finished_too || !unit.finished);
        map.units().iter().filter(counts).count()
    };
    if (0..2).any(|team| count(team, true) == 0) {
        return (0, Features::empty());
    }
    let (mut steps, mut run, mut last, mut longest) = (0, 0, None, 0);
    for turn in 0..map.turn_limit() {
        let team = (turn % 2) as u8;
        let acting = count(team, turn >= 2);
        if acting > 0 {
            run = if last == Some(team) { run + acting } else { acting };
            last = Some(team);
        }
        steps += acting;
        longest = longest.max(run);
    }
    // Blue may lose all but finished units before its first turn; whether red is able to do that is not examined.
    let blue_may_miss = map.turn_limit() > 2 && count(0, false) > 0 && count(1, false) < count(1, true);
    let features = if longest > 1 || blue_may_miss { Features::MULTI_ACTION } else { Features::empty() };
    (steps, features)
}

impl Game for Tubstap {
    type State = State;
    type Action = Action;

    const CLASS: Features = Features::MULTI_ACTION;
    const BATCHES: bool = false;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn start(&self) -> State {
        let mut state = State {
            cells: [0; MAX_UNITS],
            hp: [0; MAX_UNITS],
            alive: 0,
            finished: 0,
            turns: 0,
            turn: Turn::Player(Player(0)),
        };
        for (number, unit) in self.map.units().iter().enumerate() {
            state.cells[number] = unit.cell;
            state.hp[number] = unit.hp;
            state.alive |= 1 << number;
            state.finished |= u64::from(unit.finished) << number;
        }
        if self.teams.contains(&0) {
            state.turn = Turn::Over;
        } else if self.ready(&state) == 0 {
            self.pass(&mut state, Player(0));
        }
        state
    }

    #[inline(always)]
    fn turn(&self, state: &State) -> Turn {
        state.turn
    }

    fn legal(&self, state: &State, player: Player, out: &mut Vec<Action>) {
        with_ground!(self, ground => self.list(ground, state, player, out));
    }

    #[inline]
    fn apply(&self, state: &mut State, joint: &[Action]) {
        self.resolve(state, joint[0]);
    }

    fn payoff(&self, state: &State, player: Player) -> f64 {
        let hp = [0, 1].map(|team| self.total_hp(state, Player(team)));
        let (own, other) = (hp[player.index()], hp[1 - player.index()]);
        let lead = own as i32 - other as i32;
        if other == 0 || own > 0 && self.rules.lead_wins(lead, self.map.threshold()) {
            1.0
        } else if own == 0 || self.rules.lead_wins(-lead, self.map.threshold()) {
            0.0
        } else {
            0.5
        }
    }

    #[inline]
    fn random_action(&self, state: &State, player: Player, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        with_ground!(self, ground => self.draw(ground, state, player, rng))
    }
}
