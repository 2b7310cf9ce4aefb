//! The evaluation of actions, the movement routine, representatives and local fights compared with plain versions.

use std::collections::{BTreeMap, BTreeSet};

use tesuji_core::{Actor, Drawing, Game, Horizon, Knowledge, Note, Player, Policy, Rng, Turn, Uniform, legal_actions};

use super::*;
use crate::tubstap::units::Class;

/// Positions from random play, with the player to act.
fn positions(game: &Tubstap, seed: u64) -> Vec<(State, Player)> {
    let mut rng = Rng::new(seed);
    let mut policy = AttackPolicy::new(game, ATTACK_80);
    let mut state = game.start();
    let mut positions = Vec::new();
    for _ in 0..25 {
        if let Turn::Player(player) = game.turn(&state) {
            positions.push((state.clone(), player));
        }
        policy.play_out(game, &mut state, &mut rng, Horizon::steps(3));
    }
    positions
}

/// The legal actions of `player` if it were its turn and no unit had acted.
fn as_if_to_act(game: &Tubstap, state: &State, player: Player) -> Vec<Action> {
    let mut state = state.clone();
    state.turn = Turn::Player(player);
    state.finished &= !game.teams[player.index()];
    legal_actions(game, &state, Actor::Player(player))
}

fn other(player: Player) -> Player {
    Player(1 - player.0)
}

#[test]
fn the_note_of_an_attack_has_the_hp_it_deals_and_takes() {
    let game = bundled("six-arms");
    let mut attacks = 0;
    for (state, player) in positions(&game, 5) {
        for action in legal_actions(&game, &state, Actor::Player(player)) {
            let mut after = state.clone();
            game.apply(&mut after, &[action]);
            let lost = |player| game.total_hp(&state, player) - game.total_hp(&after, player);
            let values = || [("dealt", i64::from(lost(other(player)))), ("taken", i64::from(lost(player)))];
            let expected = action.target.map(|_| Note::new("damage", values()));
            assert_eq!(game.note(&state, Actor::Player(player), action), expected);
            attacks += usize::from(action.target.is_some());
        }
    }
    assert!(attacks > 20, "{attacks}");
}

#[test]
fn exchanges_are_worth_what_a_plain_recount_says() {
    let mut attacks = 0;
    for game in [bundled("meadow"), bundled("six-arms"), bundled("late-guard")] {
        for (state, player) in (0..6).flat_map(|seed| positions(&game, seed)) {
            let actions = legal_actions(&game, &state, Actor::Player(player));
            let mut values = Vec::new();
            game.heuristics().unwrap().action_evaluation(&game, "exchange").unwrap().values(
                &game,
                &state,
                player,
                &actions,
                &mut values,
            );
            let replies = as_if_to_act(&game, &state, other(player));
            for (action, value) in actions.iter().zip(&values) {
                let Some(target) = action.target else {
                    assert!((-20.0..-19.0).contains(value), "a move is worth {value}");
                    continue;
                };
                let on_moved =
                    |reply: &&Action| reply.unit == target && reply.target.is_some_and(|hit| state.is_finished(hit));
                let threat = replies.iter().filter(on_moved).map(|&reply| game.battle(&state, reply).0).max();
                let (damage, counter) = game.battle(&state, *action);
                let (damage, counter) = (i32::from(damage), i32::from(counter));
                let exchange =
                    damage * (10 + i32::from(threat.unwrap_or(0))) - counter * (10 + i32::from(state.hp(action.unit)));
                assert_eq!(*value, f64::from(if damage == 0 { -1000 } else { exchange }), "{action:?}");
                attacks += u32::from(damage > 0 && threat > Some(0));
            }
        }
    }
    assert!(attacks > 100, "{attacks} attacks on enemies that threaten somebody");
}

#[test]
fn the_movement_routine_goes_to_the_best_place_and_the_judgement_agrees() {
    let mut rng = Rng::new(1);
    for game in [bundled("meadow"), bundled("six-arms"), bundled("river-front")] {
        for (state, player) in positions(&game, 3) {
            let chosen =
                game.heuristics().unwrap().policy(&game, "march").unwrap().pick(&game, &state, player, &mut rng);
            let place = |action: &Action| {
                let kind = game.map().units()[usize::from(action.unit)].kind;
                let stars = i32::from(game.map().terrain()[usize::from(action.to)].stars());
                let near = game.map().units().iter().enumerate().filter(|(_, unit)| unit.team != player);
                let pull = near.filter_map(|(enemy, unit)| {
                    let (column, row) = game.map().place(state.cell(enemy as u8)?);
                    let (to_column, to_row) = game.map().place(action.to);
                    let distance = column.abs_diff(to_column) + row.abs_diff(to_row);
                    Some(i32::from(game.rules().power(kind, unit.kind)) / (distance as i32 + 5))
                });
                pull.max().unwrap_or(0) + if kind.class() == Class::Air { 0 } else { 5 * stars }
            };
            let actions = legal_actions(&game, &state, Actor::Player(player));
            let moves: Vec<Action> =
                actions.into_iter().filter(|action| action.unit == chosen.unit && action.target.is_none()).collect();
            assert_eq!(moves.iter().map(place).max(), Some(place(&chosen)), "{chosen:?}");
            let mut values = Vec::new();
            game.heuristics().unwrap().action_evaluation(&game, "exchange").unwrap().values(
                &game,
                &state,
                player,
                &moves,
                &mut values,
            );
            for (one, value) in moves.iter().zip(&values) {
                for (two, than) in moves.iter().zip(&values) {
                    assert_eq!(place(one).cmp(&place(two)), value.total_cmp(than), "{one:?} {two:?}");
                }
            }
        }
    }
}

#[test]
fn representatives_are_one_attack_a_target_and_one_move_a_set_of_dangers() {
    for game in [bundled("meadow"), bundled("six-arms"), bundled("hill-fort")] {
        for (state, player) in (0..3).flat_map(|seed| positions(&game, seed)) {
            let actions = legal_actions(&game, &state, Actor::Player(player));
            let unit = actions[actions.len() / 2].unit;
            let own: Vec<Action> = actions.into_iter().filter(|action| action.unit == unit).collect();
            let mut few = Vec::new();
            game.tactics().unwrap().representatives(&game, &state, u32::from(unit), &mut few);
            // The cells where enemies could go if the unit were not there.
            let mut without = state.clone();
            without.remove(unit);
            let mut places: BTreeMap<u8, BTreeSet<Cell>> = BTreeMap::new();
            for reply in as_if_to_act(&game, &without, other(player)) {
                places.entry(reply.unit).or_default().insert(reply.to);
            }
            let kind = |unit: u8| game.map().units()[usize::from(unit)].kind;
            let dangers = |cell: Cell| -> BTreeSet<u8> {
                let hits = |(&enemy, places): (&u8, &BTreeSet<Cell>)| {
                    let from = state.cell(enemy).unwrap();
                    let reaches = if kind(enemy).is_ranged() {
                        RANGE.contains(&game.distance(from, cell))
                    } else {
                        places.iter().any(|&place| game.distance(place, cell) == 1)
                    };
                    (reaches && game.rules().power(kind(enemy), kind(unit)) > 0).then_some(enemy)
                };
                places.iter().filter_map(hits).collect()
            };
            let targets = |actions: &[Action]| -> BTreeSet<u8> {
                let hurting = actions.iter().filter(|&&action| game.battle(&state, action).0 > 0);
                hurting.filter_map(|action| action.target).collect()
            };
            let (attacks, moves): (Vec<Action>, Vec<Action>) = few.iter().partition(|action| action.target.is_some());
            assert_eq!((targets(&attacks), attacks.len()), (targets(&own), targets(&own).len()));
            for attack in attacks {
                let rivals = own.iter().filter(|action| action.target == attack.target);
                let least = rivals.map(|action| dangers(action.to).len()).min();
                assert_eq!(Some(dangers(attack.to).len()), least, "{attack:?}");
            }
            let sets = |actions: &[Action]| -> BTreeSet<BTreeSet<u8>> {
                let moves = actions.iter().filter(|action| action.target.is_none());
                moves.map(|action| dangers(action.to)).collect()
            };
            assert_eq!((sets(&moves), moves.len()), (sets(&own), sets(&own).len()));
        }
    }
}

#[test]
fn fights_hold_those_who_may_meet_soon_and_keep_others_apart() {
    let mut parts_seen = 0;
    for name in ["river-front", "wide-war", "meadow"] {
        let game = bundled(name);
        let mut state = game.start();
        let mut uniform = Uniform::default();
        let mut rng = Rng::new(5);
        for _ in 0..20 {
            let Turn::Player(player) = game.turn(&state) else { break };
            let units: Vec<u8> =
                (0..game.map().units().len() as u8).filter(|&unit| state.cell(unit).is_some()).collect();
            let team = |unit: u8| game.map().units()[usize::from(unit)].team;
            let near = |a: u8, b: u8| {
                let kinds = [a, b].map(|unit| game.map().units()[usize::from(unit)].kind);
                let danger = kinds.map(|kind| u32::from(kind.movement()) + u32::from(!kind.is_ranged()));
                team(a) != team(b)
                    && game.distance(state.cell(a).unwrap(), state.cell(b).unwrap()) <= danger[0].max(danger[1])
            };
            // A fight by repeated union: the least number of a linked unit.
            let mut fight: Vec<u8> = units.clone();
            for _ in 0..units.len() {
                for (a, b) in (0..units.len()).flat_map(|a| (0..units.len()).map(move |b| (a, b))) {
                    if near(units[a], units[b]) {
                        fight[a] = fight[a].min(fight[b]);
                    }
                }
            }
            let fight_of = |unit: u8| fight[units.iter().position(|&known| known == unit).unwrap()];
            let can_act = |part: &State| -> Vec<u8> {
                units.iter().copied().filter(|&unit| team(unit) == player && !part.is_finished(unit)).collect()
            };
            let meets = |unit: &u8| units.iter().any(|&enemy| near(*unit, enemy));
            for most in [1, 4, u32::MAX] {
                let parts = game.tactics().unwrap().fights(&game, &state, most);
                let mut seen = BTreeSet::new();
                for part in &parts {
                    assert!(
                        units
                            .iter()
                            .all(|&unit| (part.cell(unit), part.hp(unit)) == (state.cell(unit), state.hp(unit)))
                    );
                    let inside = can_act(part);
                    assert!(!inside.is_empty() && inside.len() as u32 <= most);
                    assert!(inside.iter().all(|&unit| fight_of(unit) == fight_of(inside[0]) && seen.insert(unit)));
                }
                assert_eq!(seen, can_act(&state).into_iter().filter(meets).collect::<BTreeSet<u8>>());
                let fights: BTreeSet<u8> = seen.iter().map(|&unit| fight_of(unit)).collect();
                assert!(parts.len() >= fights.len() && (most < u32::MAX || parts.len() == fights.len()));
                parts_seen = parts_seen.max(fights.len());
            }
            uniform.play_out(&game, &mut state, &mut rng, Horizon::turns(1));
        }
    }
    assert!(parts_seen > 1, "a large map falls apart");
}
