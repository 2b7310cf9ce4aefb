//! TUBSTAP in numbers: a unit, its destination and its target; and planes of terrain and units.
//!
//! Units are counted within their side, in the order of the map, whether or not they are still there. So a number means
//! the same action in every state of a match.

use tesuji_core::{ActionField, ActionIndex, Actor, Observation, ObservationLayout, Planes, Player, Turn};

use super::map::{Cell, TEAMS, Terrain};
use super::state::{Action, State, Tubstap};
use super::units::{Kind, MAX_HP};
use crate::bits;

/// Both capabilities.
pub(super) struct Numbers;

/// The sizes of the three fields: units of the larger side, cells, and targets (none, or a unit of the larger side).
struct Sizes {
    units: u32,
    cells: u32,
    targets: u32,
}

impl Sizes {
    #[inline]
    fn of(game: &Tubstap) -> Sizes {
        let units = game.teams[0].count_ones().max(game.teams[1].count_ones());
        Sizes { units, cells: game.stars.len() as u32, targets: units + 1 }
    }
}

/// The place of a unit within its side.
#[inline]
fn rank(game: &Tubstap, side: usize, unit: u8) -> u32 {
    (game.teams[side] & ((1 << unit) - 1)).count_ones()
}

/// The unit at a place within its side.
#[inline]
fn unit_at(game: &Tubstap, side: usize, rank: u32) -> Option<u8> {
    let team = game.teams[side];
    (rank < team.count_ones()).then(|| bits::select(team, rank as usize) as u8)
}

fn side_of(actor: Actor) -> usize {
    if let Actor::Player(player) = actor { player.index() } else { 0 }
}

impl ActionIndex<Tubstap> for Numbers {
    /// The unit, the cell it goes to, and the enemy it attacks: 0 for none, or its place in its side plus one.
    fn fields(&self, game: &Tubstap) -> Vec<ActionField> {
        let Sizes { units, cells, targets } = Sizes::of(game);
        vec![
            ActionField::new("unit", units as usize),
            ActionField::new("destination", cells as usize),
            ActionField::new("target", targets as usize),
        ]
    }

    #[inline]
    fn number(&self, game: &Tubstap, actor: Actor, action: Action) -> u32 {
        let Sizes { cells, targets, .. } = Sizes::of(game);
        let side = side_of(actor);
        let target = action.target.map_or(0, |target| rank(game, 1 - side, target) + 1);
        (rank(game, side, action.unit) * cells + u32::from(action.to)) * targets + target
    }

    #[inline]
    fn action(&self, game: &Tubstap, actor: Actor, number: u32) -> Option<Action> {
        let Sizes { cells, targets, .. } = Sizes::of(game);
        let side = side_of(actor);
        let (rest, target) = (number / targets, number % targets);
        let unit = unit_at(game, side, rest / cells)?;
        let target = match target {
            0 => None,
            place => Some(unit_at(game, 1 - side, place - 1)?),
        };
        Some(Action { unit, target, to: (rest % cells) as Cell })
    }

    fn legal(&self, game: &Tubstap, state: &State, player: Player, actions: &mut Vec<Action>, numbers: &mut Vec<u32>) {
        actions.clear();
        numbers.clear();
        tesuji_core::Game::legal(game, state, player, actions);
        let Sizes { cells, targets, .. } = Sizes::of(game);
        // Places within the sides, by unit: looked up for every action.
        let mut ranks = [0; super::MAX_UNITS];
        for team in game.teams {
            for (place, unit) in bits::ones(team).enumerate() {
                ranks[unit as usize] = place as u32;
            }
        }
        numbers.extend(actions.iter().map(|action| {
            let target = action.target.map_or(0, |target| ranks[usize::from(target) % super::MAX_UNITS] + 1);
            let unit = ranks[usize::from(action.unit) % super::MAX_UNITS];
            (unit * cells + u32::from(action.to)) * targets + target
        }));
    }
}

/// The planes before those of terrain.
const OWN_HP: usize = 0;
const OTHER_HP: usize = OWN_HP + Kind::ALL.len();
const OWN_PLACE: usize = OTHER_HP + Kind::ALL.len();
const OTHER_PLACE: usize = OWN_PLACE + 1;
const TO_ACT: usize = OTHER_PLACE + 1;
const TO_MOVE: usize = TO_ACT + 1;
const TURNS: usize = TO_MOVE + 1;
const RED_LOOKS: usize = TURNS + 1;
const TERRAIN: usize = RED_LOOKS + 1;

impl Observation<Tubstap> for Numbers {
    /// HP by side and kind, the places of units within their sides, and the terrain.
    fn layout(&self, game: &Tubstap) -> ObservationLayout {
        let hp = |whose: &'static str| Kind::ALL.into_iter().map(move |kind| format!("{whose} {} hp", kind.name()));
        let rest = [
            "own unit number".to_owned(),
            "other unit number".to_owned(),
            "has still to act".to_owned(),
            "to move".to_owned(),
            "turns made".to_owned(),
            format!("{} looks", TEAMS[0]),
        ];
        let terrain = Terrain::ALL.into_iter().map(|terrain| terrain.name().to_owned());
        let names = hp("own").chain(hp("other")).chain(rest).chain(terrain);
        ObservationLayout::planes(names, game.map.height(), game.map.width())
    }

    fn fill(&self, game: &Tubstap, state: &State, player: Player, out: &mut [f32]) {
        let mut planes = Planes::new(out, game.stars.len());
        let most = Sizes::of(game).units as f32;
        for (owner, side) in [player.index(), 1 - player.index()].into_iter().enumerate() {
            for (place, unit) in bits::ones(game.teams[side]).enumerate() {
                if state.alive >> unit & 1 == 0 {
                    continue;
                }
                let (unit, cell) = (unit as usize, usize::from(state.cells[unit as usize]));
                let plane = [OWN_HP, OTHER_HP][owner] + game.kinds[unit] as usize;
                planes.set(plane, cell, f32::from(state.hp[unit]) / f32::from(MAX_HP));
                planes.set([OWN_PLACE, OTHER_PLACE][owner], cell, (place + 1) as f32 / most);
                if state.finished >> unit & 1 == 0 {
                    planes.set(TO_ACT, cell, 1.0);
                }
            }
        }
        planes.fill_if(TO_MOVE, state.turn == Turn::Player(player));
        planes.fill(TURNS, f32::from(state.turns) / f32::from(game.map.turn_limit().max(1)));
        planes.fill_if(RED_LOOKS, player == Player(0));
        for (cell, &terrain) in game.map.terrain().iter().enumerate() {
            planes.set(TERRAIN + usize::from(terrain.code()), cell, 1.0);
        }
    }
}
