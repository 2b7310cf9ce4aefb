//! Random rules without variables: plain evaluation, network, machine and lanes agree on every state.
//!
//! Half of the programs have turns of a kind that networks are simplified by; in some of those a role may pass.

use super::plain::follow;
use proptest::prelude::*;
use tesuji_gdl::{Goal, Ground, GroundRules, GroundTerm, Network, Signal, Terms};

/// Where a random program takes its choices from; after the end everything is 0.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        usize::from(*self.0.next().unwrap_or(&0)) % bound.max(1)
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 1
    }
}

/// How many derived atoms share a stratum: within it, rules may go in circles.
const WIDTH: u32 = 3;

/// Writes rules for derived atoms one after the other.
struct Writer<'a, 'b> {
    choices: &'a mut Choices<'b>,
    first_derived: u32,
    derived: u32,
    rules: GroundRules,
}

impl Writer<'_, '_> {
    /// A condition on a fact, on a move if they are allowed, or on a derived atom that does not stand above `head`.
    fn condition(&mut self, head: u32, facts: u32, moves: Option<(u32, u32)>) -> Signal {
        let stratum = |atom: u32| (atom - self.first_derived) / WIDTH;
        let kind = self.choices.below(4);
        let (atom, free) = match (kind, moves) {
            (0, _) | (1, None) => (1 + self.choices.below(facts as usize) as u32, true),
            (1, Some((first, end))) => (first + self.choices.below((end - first) as usize) as u32, true),
            _ => {
                let count = ((stratum(head) + 1) * WIDTH).min(self.derived);
                let atom = self.first_derived + self.choices.below(count as usize) as u32;
                (atom, stratum(atom) < stratum(head))
            }
        };
        // No circle may go through a negation.
        if free && self.choices.flip() { Signal::of(atom).negated() } else { Signal::of(atom) }
    }

    fn rule(&mut self, head: u32, given: &[Signal], facts: u32, moves: Option<(u32, u32)>) {
        let mut body = given.to_vec();
        for _ in 0..self.choices.below(4) {
            let condition = self.condition(head, facts, moves);
            body.push(condition);
        }
        self.rules.push(head, body);
    }
}

/// A game of random rules. Derived atoms come in two blocks: those about states, then those about steps.
fn random_ground(bytes: &[u8]) -> Ground {
    let mut choices = Choices(bytes.iter());
    let turns = choices.flip();
    let passing = choices.flip();
    let roles = if turns { 2 } else { 1 + choices.below(3) };
    let facts = 2 + choices.below(5) as u32;
    let moves: Vec<u32> = (0..roles).map(|_| 2 + choices.below(3) as u32).collect();
    let first_move = 1 + facts;
    let first_derived = first_move + moves.iter().sum::<u32>();
    // In order: some atoms of states; legality; the end; goals; some atoms of steps; the next facts.
    let some = WIDTH * (1 + choices.below(3) as u32);
    let legal_at = first_derived + some;
    let end_at = legal_at + moves.iter().sum::<u32>();
    let goals_at = end_at + 1;
    let state_end = goals_at + 2 * roles as u32;
    let step_end = state_end + WIDTH * (1 + choices.below(2) as u32);
    let derived = step_end + facts - first_derived;
    let mut initial: Vec<bool> = (0..facts).map(|_| choices.flip()).collect();
    if turns {
        (initial[0], initial[1]) = (true, false);
    }
    let mut writer = Writer { choices: &mut choices, first_derived, derived: some, rules: GroundRules::default() };
    for head in first_derived..legal_at {
        for _ in 0..writer.choices.below(3) {
            writer.rule(head, &[], facts, None);
        }
    }
    let mut head = legal_at;
    let mut legal = Vec::new();
    for (role, &moves) in moves.iter().enumerate() {
        let own = Signal::of(1 + role as u32);
        for number in 0..moves {
            match (turns, number) {
                (true, 0) => {
                    writer.rules.push(head, [own.negated()]);
                    if passing {
                        writer.rule(head, &[], facts, None);
                    }
                }
                (true, _) => writer.rule(head, &[own], facts, None),
                (false, 0) => writer.rules.push(head, []),
                (false, _) => writer.rule(head, &[], facts, None),
            }
            head += 1;
        }
        legal.push((head - moves..head).map(Signal::of).collect());
    }
    writer.rule(end_at, &[Signal::of(1 + facts - 1)], facts, None);
    let mut goals = Vec::new();
    for role in 0..roles as u32 {
        for (place, value) in [(0, 100), (1, if writer.choices.flip() { 100 } else { 0 })] {
            let head = goals_at + 2 * role + place;
            writer.rule(head, &[], facts, None);
            goals.push(Goal { role, value, when: Signal::of(head) });
        }
    }
    goals.sort_by_key(|goal| (goal.role, -goal.value));
    // From here on moves count, and every atom may use all that stand before the steps.
    writer.derived = step_end - first_derived;
    for head in state_end..step_end {
        for _ in 0..1 + writer.choices.below(2) {
            writer.rule(head, &[], facts, Some((first_move, first_derived)));
        }
    }
    let mut next = Vec::new();
    for fact in 0..facts {
        let head = step_end + fact;
        next.push(Signal::of(head));
        match fact {
            0 | 1 if turns => writer.rules.push(head, [Signal::of(2 - fact)]),
            _ => {
                let kept = Signal::of(1 + fact);
                writer.rule(head, &[kept], facts, Some((first_move, first_derived)));
                writer.rule(head, &[], facts, Some((first_move, first_derived)));
            }
        }
    }
    Ground {
        terms: Terms::default(),
        roles: vec![GroundTerm(0); roles],
        facts: vec![GroundTerm(0); facts as usize],
        moves: moves.iter().map(|&count| vec![GroundTerm(0); count as usize]).collect(),
        initial,
        derived,
        rules: writer.rules,
        legal,
        next,
        terminal: Signal::of(end_at),
        goals,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn all_engines_agree_on_random_programs(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let ground = random_ground(&bytes);
        let plain = Network::plain(&ground).expect("small circles are unrolled");
        follow(&ground, plain, "plain");
        let network = Network::new(&ground).expect("small circles are unrolled");
        follow(&ground, network, "simplified");
    }
}
