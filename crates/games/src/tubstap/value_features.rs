//! Features of TUBSTAP for learned evaluations. They name no cell, so one network serves every map and army.
//!
//! The viewer is the side to act. For each unit, by side and kind:
//!
//! - its HP;
//! - the protection of its cell, and whether it has still to act;
//! - the HP that remain if every enemy that can hit it does, and if only the strongest does;
//! - the greatest damage it can do, and whether that removes the target;
//! - the distance of the nearest enemy.
//!
//! An enemy can hit what it can reach now. Of the side to act only units that have not acted count as attackers; of the
//! other side all do, since it acts next.
//!
//! For the position: the turns left with the result if the match ended now, the lead in HP, the HP and the number
//! of units of both sides, and the number of units that have still to act.

use tesuji_core::{FeatureSet, Named, Player, ValueFeatures};

use super::map::MAX_UNITS;
use super::reach::{Cells, Ground};
use super::state::{State, Tubstap, with_ground};
use crate::bits;
use crate::networks::NetworkText;

/// The network that comes with the game.
const NETWORK: Named =
    Named { name: "tubstap", summary: "1714-64-16-1, trained on 160,000 matches of self-play on generated maps" };
static NETWORK_TEXT: NetworkText = NetworkText::of("tubstap.net");

/// The capability.
pub(super) struct TubstapValueFeatures;

/// By side and kind: ten HP.
const HP: usize = 0;
/// By side and kind: four kinds of cover, to act or not.
const COVER: usize = HP + 12 * 10;
/// By side and kind: HP that remain after all hits, by own HP (in pairs).
const AFTER_ALL: usize = COVER + 12 * 8;
/// By side and kind: HP that remain after the strongest hit.
const AFTER_ONE: usize = AFTER_ALL + 12 * 11 * 5;
/// By side and kind: the greatest damage, and whether it removes the target.
const DAMAGE: usize = AFTER_ONE + 12 * 11;
/// By side and kind: eight distances, by whether the unit has still to act.
const DISTANCE: usize = DAMAGE + 12 * 11 * 2;
/// Turns that remain, and the result if the match ended now: lost, drawn, won.
const REMAINING: usize = DISTANCE + 12 * 8 * 2;
/// The lead in HP, −20 to 20.
const LEAD: usize = REMAINING + TURNS * 3;
/// By side: the total HP, in steps of four.
const TOTAL: usize = LEAD + 41;
/// By side: the number of units.
const COUNT: usize = TOTAL + 2 * 32;
/// The number of units that have still to act.
const TO_ACT: usize = COUNT + 2 * 17;
/// By side: the number of units that would fall if all hits fell on them.
const DOOMED: usize = TO_ACT + 17;
const INPUTS: usize = DOOMED + 2 * 17;
/// Numbers of remaining turns that are told apart.
const TURNS: usize = 20;
/// Features of a unit.
const EACH: usize = 6;

impl ValueFeatures<Tubstap> for TubstapValueFeatures {
    fn set(&self, _game: &Tubstap) -> FeatureSet {
        FeatureSet { name: "tubstap".to_owned(), version: 1, inputs: INPUTS, most_active: EACH * MAX_UNITS + 9 }
    }

    fn active(&self, game: &Tubstap, state: &State, player: Player, out: &mut Vec<u32>) {
        with_ground!(game, ground => describe(game, ground, state, player, out));
    }

    fn networks(&self, _game: &Tubstap) -> &'static [Named] {
        &[NETWORK]
    }

    fn network(&self, _game: &Tubstap, name: &str) -> Option<&'static str> {
        (name == NETWORK.name).then(|| NETWORK_TEXT.get())
    }
}

/// What the enemies can do to a unit, and the unit to them.
#[derive(Clone, Copy, Default)]
struct Danger {
    all: u8,
    one: u8,
    damage: u8,
    removes: bool,
    nearest: u8,
}

fn describe<const N: usize>(game: &Tubstap, ground: &Ground<N>, state: &State, player: Player, out: &mut Vec<u32>) {
    let mut dangers = [Danger::default(); MAX_UNITS];
    let occupied: Cells<N> = game.occupied(state, state.alive);
    let to_act = game.ready(state);
    let teams = [player.index(), 1 - player.index()].map(|side| state.alive & game.teams[side]);
    for side in 0..2 {
        let (own, enemies) = (teams[side], teams[1 - side]);
        // The side to act attacks with what is left of its turn, the other with everything in its own turn.
        let attackers = if own & to_act != 0 { own & to_act } else { own };
        examine(game, ground, state, (attackers, own, enemies), &occupied, &mut dangers);
    }
    let mut doomed = [0; 2];
    for (owner, team) in teams.into_iter().enumerate() {
        for unit in bits::ones(team).map(|unit| unit as usize) {
            let (danger, hp) = (dangers[unit], state.hp[unit].clamp(1, 10));
            let who = 6 * owner + game.kinds[unit] as usize;
            let waits = usize::from(to_act >> unit & 1 == 1);
            let cover = [0, 1, 1, 2, 3][usize::from(game.stars[usize::from(state.cells[unit])]).min(4)];
            let after_all = usize::from(hp.saturating_sub(danger.all));
            let after_one = usize::from(hp.saturating_sub(danger.one));
            doomed[owner] += usize::from(after_all == 0);
            out.push((HP + 10 * who + usize::from(hp) - 1) as u32);
            out.push((COVER + 8 * who + 2 * cover + waits) as u32);
            out.push((AFTER_ALL + (11 * who + after_all) * 5 + usize::from(hp - 1) / 2) as u32);
            out.push((AFTER_ONE + 11 * who + after_one) as u32);
            let damage = usize::from(danger.damage.min(10));
            out.push((DAMAGE + (11 * who + damage) * 2 + usize::from(danger.removes)) as u32);
            let distance = match danger.nearest {
                0..=1 => 0,
                near @ 2..=5 => usize::from(near) - 1,
                6..=7 => 5,
                8..=10 => 6,
                _ => 7,
            };
            out.push((DISTANCE + (8 * who + distance) * 2 + waits) as u32);
        }
    }
    let [own, other] = [player, Player(1 - player.0)].map(|side| game.total_hp(state, side) as usize);
    let lead = own as i32 - other as i32;
    let threshold = game.map.threshold();
    let wins = |lead: i32| game.rules.lead_wins(lead, threshold);
    let result = if wins(lead) { 2 } else { usize::from(!wins(-lead)) };
    let remaining = usize::from(game.map.turn_limit().saturating_sub(state.turns));
    let remaining = match remaining {
        0..=12 => remaining,
        13..=16 => 13,
        17..=20 => 14,
        21..=30 => 15,
        31..=50 => 16,
        51..=100 => 17,
        101..=200 => 18,
        _ => TURNS - 1,
    };
    out.push((REMAINING + 3 * remaining + result) as u32);
    out.push((LEAD as i32 + lead.clamp(-20, 20) + 20) as u32);
    for (owner, (hp, team)) in [own, other].into_iter().zip(teams).enumerate() {
        out.push((TOTAL + 32 * owner + (hp / 4).min(31)) as u32);
        out.push((COUNT + 17 * owner + (team.count_ones() as usize).min(16)) as u32);
        out.push((DOOMED + 17 * owner + doomed[owner].min(16)) as u32);
    }
    out.push((TO_ACT + (to_act.count_ones() as usize).min(16)) as u32);
}

/// What `attackers`, some of the units `own`, can do to `enemies`.
fn examine<const N: usize>(
    game: &Tubstap,
    ground: &Ground<N>,
    state: &State,
    (attackers, own, enemies): (u64, u64, u64),
    occupied: &Cells<N>,
    dangers: &mut [Danger; MAX_UNITS],
) {
    let blockers = game.occupied(state, enemies);
    for unit in bits::ones(own).map(|unit| unit as usize) {
        let from = state.cells[unit];
        let distances = bits::ones(enemies).map(|enemy| game.distance(from, state.cells[enemy as usize]));
        dangers[unit].nearest = distances.min().unwrap_or(255).min(255) as u8;
    }
    for unit in bits::ones(attackers).map(|unit| unit as usize) {
        let (kind, from, hp) = (game.kinds[unit], state.cells[unit], state.hp[unit]);
        let far = u32::from(kind.movement()) + 1;
        let mut free = None;
        for enemy in bits::ones(enemies).map(|enemy| enemy as usize) {
            let place = state.cells[enemy];
            let defender = (game.kinds[enemy], state.hp[enemy]);
            let stars = game.stars[usize::from(place)];
            if !game.rules.hurts((kind, hp), defender, stars) {
                continue;
            }
            let hits = if kind.is_ranged() {
                game.in_range(from, place)
            } else {
                // Most are too far away, whatever lies between.
                game.distance(from, place) <= far && {
                    let free = free.get_or_insert_with(|| {
                        let mut free = ground.reach(kind, from, &blockers).without(occupied);
                        free.insert(from);
                        free
                    });
                    game.neighbours[usize::from(place)].iter().any(|&beside| free.contains(beside))
                }
            };
            if hits {
                let damage = game.rules.damage((kind, hp), defender, stars);
                let danger = &mut dangers[enemy];
                danger.all = danger.all.saturating_add(damage);
                danger.one = danger.one.max(damage);
                let own = &mut dangers[unit];
                own.damage = own.damage.max(damage);
                own.removes |= damage == defender.1;
            }
        }
    }
}
