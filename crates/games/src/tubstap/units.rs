//! Units and terrain: the tables of the rules.

use super::map::Terrain;

/// A kind of unit, in the order of the tables of the papers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// F: an aircraft against aircraft.
    Fighter,
    /// A: an aircraft against ground units.
    Attacker,
    /// P: a tank.
    Panzer,
    /// U: artillery; shoots two or three cells far, without moving.
    Cannon,
    /// R: a tank against aircraft.
    Antiair,
    /// I: infantry, weak but able to climb.
    Infantry,
}

/// How a unit moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// F and A.
    Air,
    /// P, U and R.
    Vehicle,
    /// I.
    Foot,
}

/// The two published rule sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rules {
    /// The platform's version 1.08: R attacks I with power 105, and a judged win needs a lead above the threshold.
    V0108,
    /// Paper 000 and the rule page: R attacks I with power 115, and a lead equal to the threshold is enough.
    Paper,
}

/// The greatest HP of a unit.
pub(crate) const MAX_HP: u8 = 10;

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Kind; 6] =
        [Kind::Fighter, Kind::Attacker, Kind::Panzer, Kind::Cannon, Kind::Antiair, Kind::Infantry];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Fighter => "fighter",
            Kind::Attacker => "attacker",
            Kind::Panzer => "panzer",
            Kind::Cannon => "cannon",
            Kind::Antiair => "antiair",
            Kind::Infantry => "infantry",
        }
    }

    /// The kind called `name`.
    pub(crate) fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The letter of the papers.
    pub const fn letter(self) -> char {
        ['F', 'A', 'P', 'U', 'R', 'I'][self as usize]
    }

    /// The class of movement.
    #[inline]
    pub const fn class(self) -> Class {
        match self {
            Kind::Fighter | Kind::Attacker => Class::Air,
            Kind::Panzer | Kind::Cannon | Kind::Antiair => Class::Vehicle,
            Kind::Infantry => Class::Foot,
        }
    }

    /// Move points per turn.
    #[inline]
    pub const fn movement(self) -> u8 {
        [9, 7, 6, 5, 6, 3][self as usize]
    }

    /// Whether it is a ranged unit. Such a unit attacks at distance [`RANGE`] instead of 1, does not move and attack in
    /// one action, never counter-attacks and is never counter-attacked.
    #[inline]
    pub(crate) const fn is_ranged(self) -> bool {
        matches!(self, Kind::Cannon)
    }
}

/// The Manhattan distances at which a ranged unit attacks.
pub(crate) const RANGE: std::ops::RangeInclusive<u32> = 2..=3;

/// Attack power in the version 1.08, row attacks column, both in the order of [`Kind`].
const POWER: [[u8; 6]; 6] = [
    [55, 65, 0, 0, 0, 0],
    [0, 0, 105, 105, 85, 115],
    [0, 0, 55, 70, 75, 75],
    [0, 0, 60, 75, 65, 90],
    [70, 70, 15, 50, 45, 105],
    [0, 0, 5, 10, 3, 55],
];

/// Attack power in paper 000, table 1: one entry differs.
const PAPER_POWER: [[u8; 6]; 6] = {
    let mut power = POWER;
    power[Kind::Antiair as usize][Kind::Infantry as usize] = 115;
    power
};

impl Rules {
    /// The names of the rule sets as users write them, in the order of the variants.
    pub const NAMES: [&'static str; 2] = ["v0108", "paper"];

    /// The name as users write it.
    pub const fn name(self) -> &'static str {
        Rules::NAMES[self as usize]
    }

    /// The power of `attacker` against `defender`.
    #[inline]
    pub const fn power(self, attacker: Kind, defender: Kind) -> u8 {
        let table = match self {
            Rules::V0108 => &POWER,
            Rules::Paper => &PAPER_POWER,
        };
        table[attacker as usize][defender as usize]
    }

    /// The HP that an attack takes: floor((power × attacker's HP + 70) / (100 + stars × defender's HP)), at most the
    /// defender's HP.
    #[inline]
    pub const fn damage(self, attacker: (Kind, u8), defender: (Kind, u8), stars: u8) -> u8 {
        let damage = self.strength(attacker, defender.0) / resistance(defender, stars);
        if damage < defender.1 as u32 { damage as u8 } else { defender.1 }
    }

    /// Whether an attack would take at least 1 HP. The same as `damage(…) > 0`, without the division.
    #[inline]
    pub(super) const fn hurts(self, attacker: (Kind, u8), defender: (Kind, u8), stars: u8) -> bool {
        self.strength(attacker, defender.0) >= resistance(defender, stars)
    }

    /// The numerator of the damage. Without power it is 70, which never reaches the least resistance, 100.
    #[inline]
    pub(super) const fn strength(self, (attacker, hp): (Kind, u8), defender: Kind) -> u32 {
        self.power(attacker, defender) as u32 * hp as u32 + 70
    }

    /// Whether a lead of `lead` HP wins when the turn limit is reached.
    pub(crate) const fn lead_wins(self, lead: i32, threshold: u32) -> bool {
        let threshold = threshold as i32;
        match self {
            Rules::V0108 => lead > threshold,
            Rules::Paper => lead >= threshold && lead > 0,
        }
    }
}

/// The denominator of the damage: terrain protects ground units only.
#[inline]
pub(super) const fn resistance((kind, hp): (Kind, u8), stars: u8) -> u32 {
    match kind.class() {
        Class::Air => 100,
        _ => 100 + stars as u32 * hp as u32,
    }
}

impl Terrain {
    /// The cost for `class` to enter; `None` if it cannot.
    pub const fn cost(self, class: Class) -> Option<u8> {
        match (self, class) {
            (Terrain::NoEntry, _) => None,
            (_, Class::Air) => Some(1),
            (Terrain::Sea, _) | (Terrain::Mountain, Class::Vehicle) => None,
            (Terrain::Mountain, Class::Foot) | (Terrain::Wood, Class::Vehicle) => Some(2),
            _ => Some(1),
        }
    }

    /// The protection of a ground unit that stands on it, in stars.
    pub(crate) const fn stars(self) -> u8 {
        match self {
            Terrain::NoEntry | Terrain::Sea | Terrain::Road => 0,
            Terrain::Plain => 1,
            Terrain::Wood => 3,
            Terrain::Mountain | Terrain::Fortress => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attacker, its HP, defender, its HP, stars under the attacker, stars under the defender, damage, counter:
    /// computed on the original platform.
    #[test]
    fn known_fights() {
        use Kind::*;
        let fights = [
            (Attacker, 10, Panzer, 10, 0, 1, 10, 0),
            (Panzer, 10, Panzer, 10, 1, 1, 5, 3),
            (Panzer, 4, Panzer, 4, 1, 1, 2, 1),
            (Panzer, 10, Infantry, 10, 1, 1, 7, 0),
            (Infantry, 10, Infantry, 10, 1, 1, 5, 3),
            (Infantry, 10, Infantry, 10, 3, 4, 4, 3),
            (Antiair, 10, Infantry, 10, 1, 3, 8, 0),
            (Fighter, 10, Antiair, 10, 1, 1, 0, 7),
            (Cannon, 10, Panzer, 10, 1, 1, 6, 0),
            (Antiair, 6, Panzer, 6, 3, 3, 1, 3),
            (Fighter, 10, Attacker, 10, 0, 0, 7, 0),
            (Attacker, 5, Antiair, 10, 1, 1, 4, 4),
        ];
        for (attacker, hp, defender, defender_hp, under_attacker, under_defender, damage, counter) in fights {
            let rules = Rules::V0108;
            let hit = rules.damage((attacker, hp), (defender, defender_hp), under_defender);
            let left = defender_hp - hit;
            let counters = left > 0 && !attacker.is_ranged() && !defender.is_ranged();
            let back = if counters { rules.damage((defender, left), (attacker, hp), under_attacker) } else { 0 };
            assert_eq!((hit, back), (damage, counter), "{attacker:?} {hp} on {defender:?} {defender_hp}");
        }
        assert_eq!(Rules::Paper.damage((Antiair, 10), (Infantry, 10), 3), 9);
    }

    #[test]
    fn hurting_is_a_damage_above_zero() {
        for (attacker, defender) in Kind::ALL.into_iter().flat_map(|a| Kind::ALL.map(|d| (a, d))) {
            for (hp, defender_hp, stars) in
                (1..=10).flat_map(|a| (1..=10).flat_map(move |d| (0..=4).map(move |s| (a, d, s))))
            {
                let (a, d) = ((attacker, hp), (defender, defender_hp));
                assert_eq!(
                    Rules::V0108.hurts(a, d, stars),
                    Rules::V0108.damage(a, d, stars) > 0,
                    "{a:?} {d:?} {stars}"
                );
            }
        }
    }

    #[test]
    fn the_rule_sets_judge_a_lead_differently() {
        assert!(!Rules::V0108.lead_wins(10, 10) && Rules::V0108.lead_wins(11, 10));
        assert!(Rules::Paper.lead_wins(10, 10) && !Rules::Paper.lead_wins(9, 10));
        assert!(!Rules::Paper.lead_wins(0, 0), "equal armies are a draw whatever the threshold");
    }
}
