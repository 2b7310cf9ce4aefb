//! Heuristics for TUBSTAP: the evaluation of paper 002, the playout policy of all papers, the default agent's
//! evaluation of actions and movement routine, and the action features of paper 000.

use tesuji_core::{
    ActionEvaluation, ActionFeatures, ActionIndex, Attacks, Capabilities, Evaluation, Game, Heuristics, Knowledge,
    Named, Observation, Player, Policy, Tactics, ValueFeatures,
};

use super::learned;
use super::numbers::Numbers;
use super::playout::{ATTACK_80, AttackPolicy};
use super::reach::{Cells, Ground};
use super::state::{Action, State, Tubstap, with_ground};
use super::tactics::{Exchange, March};
use super::units::{Kind, MAX_HP};
use super::value_features::TubstapValueFeatures;
use crate::bits;

/// The weight of an infantry's HP (paper 002, section 4.3.1): infantry attacks too weakly to count in full.
const INFANTRY_WEIGHT: f64 = 0.2;
/// The factor when a side is gone (same section).
const DECIDED: f64 = 2.0;

impl Knowledge for Tubstap {
    const OFFERS: Capabilities = Capabilities::HEURISTICS
        .union(Capabilities::ATTACKS)
        .union(Capabilities::TACTICS)
        .union(Capabilities::ACTION_FEATURES)
        .union(Capabilities::VALUE_FEATURES)
        .union(Capabilities::NUMBERS);

    fn heuristics(&self) -> Option<&'static dyn Heuristics<Self>> {
        Some(&TubstapHeuristics)
    }

    fn tactics(&self) -> Option<&'static dyn Tactics<Self>> {
        Some(&TubstapTactics)
    }

    fn action_features(&self) -> Option<&'static dyn ActionFeatures<Self>> {
        Some(&TubstapFeatures)
    }

    fn value_features(&self) -> Option<&'static dyn ValueFeatures<Self>> {
        Some(&TubstapValueFeatures)
    }

    fn action_index(&self) -> Option<&'static dyn ActionIndex<Self>> {
        Some(&Numbers)
    }

    fn observation(&self) -> Option<&'static dyn Observation<Self>> {
        Some(&Numbers)
    }
}

struct TubstapHeuristics;

impl Heuristics<Tubstap> for TubstapHeuristics {
    fn evaluations(&self, _game: &Tubstap) -> &'static [Named] {
        &[Named {
            name: "hp",
            summary: "own HP minus the opponent's, infantry at 0.2, doubled when a side is gone (paper 002, 4.3.1)",
        }]
    }

    fn evaluation(&self, _game: &Tubstap, name: &str) -> Option<Box<dyn Evaluation<Tubstap>>> {
        (name == "hp").then(|| Box::new(hit_points) as Box<dyn Evaluation<Tubstap>>)
    }

    fn policies(&self, _game: &Tubstap) -> &'static [Named] {
        &[
            Named {
                name: "attack80",
                summary: "with probability 0.8 a random attack that takes HP, if there is one; otherwise any action \
                    (all papers)",
            },
            Named {
                name: "attack-first",
                summary: "a random attack that takes HP while there is one, then any action (the program of \
                    paper 002's line)",
            },
            Named {
                name: "march",
                summary: "a random unit moves to good ground near an enemy it is strong against; never attacks (paper \
                    002, 4.2)",
            },
        ]
    }

    fn policy(&self, game: &Tubstap, name: &str) -> Option<Box<dyn Policy<Tubstap>>> {
        match name {
            "attack80" => Some(Box::new(AttackPolicy::new(game, ATTACK_80))),
            "attack-first" => Some(Box::new(AttackPolicy::new(game, 1.0))),
            "march" => Some(Box::new(March)),
            _ => None,
        }
    }

    /// All the papers' agents use it for playouts.
    fn customary_policy(&self, _game: &Tubstap) -> Option<&'static str> {
        Some("attack80")
    }

    fn action_evaluations(&self, _game: &Tubstap) -> &'static [Named] {
        &[Named {
            name: "exchange",
            summary: "damage dealt against damage taken; for moves, the value of the cell (the default agent, paper \
                000, 3.1)",
        }]
    }

    fn action_evaluation(&self, _game: &Tubstap, name: &str) -> Option<Box<dyn ActionEvaluation<Tubstap>>> {
        (name == "exchange").then(|| Box::new(Exchange) as Box<dyn ActionEvaluation<Tubstap>>)
    }
}

struct TubstapTactics;

impl Attacks<Tubstap> for TubstapTactics {
    /// An attack that takes no HP is not forcing.
    #[inline]
    fn is_attack(&self, game: &Tubstap, state: &State, action: Action) -> bool {
        game.battle(state, action).0 > 0
    }
}

impl Tactics<Tubstap> for TubstapTactics {
    #[inline]
    fn piece(&self, _game: &Tubstap, _state: &State, action: Action) -> u32 {
        u32::from(action.unit)
    }

    fn representatives(&self, game: &Tubstap, state: &State, piece: u32, out: &mut Vec<Action>) {
        game.few_actions(state, piece as u8, out);
    }

    fn quiet_policy(&self, _game: &Tubstap) -> Box<dyn Policy<Tubstap>> {
        Box::new(March)
    }

    fn fights(&self, game: &Tubstap, state: &State, most: u32) -> Vec<State> {
        game.parts(state, most)
    }

    #[inline]
    fn ended_by_limit(&self, game: &Tubstap, state: &State) -> bool {
        game.teams.iter().all(|team| state.alive & team != 0)
    }
}

struct TubstapFeatures;

impl ActionFeatures<Tubstap> for TubstapFeatures {
    fn names(&self, _game: &Tubstap) -> &'static [Named] {
        &[
            Named { name: "unit", summary: "v0: the kind of the unit that acts, 1 to 6 in the order F A P U R I" },
            Named { name: "hp", summary: "v1: its HP before it acts" },
            Named { name: "target", summary: "v2: the kind of the unit it attacks, 0 if none" },
            Named { name: "damage", summary: "v3: the HP it takes" },
            Named { name: "risk", summary: "v4: the HP it may lose in the opponent's next turn" },
        ]
    }

    fn values(&self, game: &Tubstap, state: &State, action: Action, out: &mut Vec<f64>) {
        let unit = usize::from(action.unit);
        let kind = |unit: usize| f64::from(game.kinds[unit] as u8 + 1);
        let target = action.target.map_or(0.0, |target| kind(usize::from(target)));
        let (damage, _) = game.battle(state, action);
        let risk = with_ground!(game, ground => game.risk(ground, state, action));
        out.extend([kind(unit), f64::from(state.hp[unit]), target, f64::from(damage), f64::from(risk)]);
    }

    fn range(&self, _game: &Tubstap, feature: usize) -> Option<(i32, i32)> {
        let (kinds, hp) = (Kind::ALL.len() as i32, i32::from(MAX_HP));
        [(1, kinds), (1, hp), (0, kinds), (0, hp), (0, hp)].get(feature).copied()
    }

    fn tables(&self, _game: &Tubstap) -> &'static [Named] {
        &learned::TABLES
    }

    fn table(&self, _game: &Tubstap, name: &str) -> Option<&'static str> {
        learned::find(name)
    }
}

/// Paper 002, 4.3.1: g = (M − E) × B, where M and E are the HP of both sides, and B is 2 when M or E is 0, else 1.
fn hit_points(game: &Tubstap, state: &State, player: Player) -> f64 {
    let sum = |team: u64| -> f64 {
        let weight = |unit: u32| if game.kinds[unit as usize] == Kind::Infantry { INFANTRY_WEIGHT } else { 1.0 };
        bits::ones(state.alive & team).map(|unit| f64::from(state.hp[unit as usize]) * weight(unit)).sum()
    };
    let (own, other) = (sum(game.teams[player.index()]), sum(game.teams[1 - player.index()]));
    let bonus = if own == 0.0 || other == 0.0 { DECIDED } else { 1.0 };
    (own - other) * bonus
}

impl Tubstap {
    /// The HP that the acting unit may lose in the opponent's next turn (paper 000, 7.1, v4). The most damaging enemy
    /// attack is applied, that enemy is removed, and so on; at most the unit's HP.
    ///
    /// Each enemy is judged by where it can go right after the action, ignoring that two of them may need the same
    /// cell. A unit that falls to the counter-attack loses nothing more.
    fn risk<const N: usize>(&self, ground: &Ground<N>, state: &State, action: Action) -> u8 {
        let unit = action.unit;
        let own = usize::from(self.teams[1] >> unit & 1 == 1);
        let mut after = state.clone();
        self.apply(&mut after, &[action]);
        let Some(place) = after.cell(unit) else { return 0 };
        let kind = self.kinds[usize::from(unit)];
        let stars = self.stars[usize::from(place)];
        let occupied: Cells<N> = self.occupied(&after, after.alive);
        let blockers = self.occupied(&after, after.alive & self.teams[own]);
        let can_hit = |enemy: u32| {
            let (kind, from) = (self.kinds[enemy as usize], after.cells[enemy as usize]);
            if kind.is_ranged() {
                return self.in_range(from, place);
            }
            // Most are too far away, whatever lies between.
            if self.distance(from, place) > u32::from(kind.movement()) + 1 {
                return false;
            }
            let mut free = ground.reach(kind, from, &blockers).without(&occupied);
            free.insert(from);
            self.neighbours[usize::from(place)].iter().any(|&beside| free.contains(beside))
        };
        let mut enemies = bits::ones(after.alive & self.teams[1 - own])
            .filter(|&enemy| can_hit(enemy))
            .fold(0u64, |set, enemy| set | 1 << enemy);
        let before = after.hp(unit);
        let mut left = before;
        while left > 0 {
            let damage = |enemy: u32| {
                self.rules.damage((self.kinds[enemy as usize], after.hp[enemy as usize]), (kind, left), stars)
            };
            let Some(worst) = bits::ones(enemies).max_by_key(|&enemy| damage(enemy)) else { break };
            left -= damage(worst);
            enemies &= !(1 << worst);
        }
        before - left
    }
}
