//! A plain evaluation of ground rules, and the network's engines followed beside it.

use std::sync::Arc;

use tesuji_core::Rng;
use tesuji_gdl::{Ground, Lane, Machine, Network, Signal};

/// Ground rules evaluated stratum by stratum, again and again until nothing changes.
struct Naive<'a> {
    ground: &'a Ground,
    strata: Vec<Vec<(u32, &'a [Signal])>>,
}

impl<'a> Naive<'a> {
    fn new(ground: &'a Ground) -> Naive<'a> {
        let mut stratum = vec![0usize; (ground.first_derived() + ground.derived) as usize];
        loop {
            let mut changed = false;
            for (head, body) in ground.rules.iter() {
                let needs = body.iter().map(|part| stratum[part.atom() as usize] + usize::from(part.is_negated()));
                let least = needs.max().unwrap_or(0);
                if stratum[head as usize] < least {
                    stratum[head as usize] = least;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let mut strata = vec![Vec::new(); stratum.iter().max().map_or(0, |most| most + 1)];
        ground.rules.iter().for_each(|(head, body)| strata[stratum[head as usize]].push((head, body)));
        Naive { ground, strata }
    }

    /// Every atom's value in a state, with the moves that are done.
    fn values(&self, facts: &[bool], done: &[u32]) -> Vec<bool> {
        let mut values = vec![false; (self.ground.first_derived() + self.ground.derived) as usize];
        values[0] = true;
        values[1..=facts.len()].copy_from_slice(facts);
        done.iter().for_each(|&number| values[number as usize] = true);
        for rules in &self.strata {
            loop {
                let mut changed = false;
                for (head, body) in rules {
                    if !values[*head as usize] && body.iter().all(|&part| holds(&values, part)) {
                        values[*head as usize] = true;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
        values
    }
}

fn holds(values: &[bool], signal: Signal) -> bool {
    values[signal.atom() as usize] != signal.is_negated()
}

fn bits(words: &[u64], count: usize) -> Vec<bool> {
    (0..count).map(|index| words[index / 64] >> (index % 64) & 1 == 1).collect()
}

/// Plays one match at random and compares every state.
pub(crate) fn follow(ground: &Ground, network: Network, name: &str) {
    let naive = Naive::new(ground);
    let mut lane = Lane::new(&network);
    let mut machine = Machine::new(Arc::new(network));
    let mut rng = Rng::new(5);
    let mut facts = ground.initial.clone();
    for step in 0..25 {
        let wrong = (0..facts.len()).find(|&fact| bits(machine.facts(), facts.len())[fact] != facts[fact]);
        assert_eq!(wrong, None, "{name}, step {step}: a fact");
        assert_eq!(lane.facts(), machine.facts(), "{name}, step {step}: the lane's facts");
        let values = naive.values(&facts, &[]);
        assert_eq!(lane.is_terminal(), machine.is_terminal(), "{name}, step {step}: the lane's end");
        assert_eq!(machine.is_terminal(), holds(&values, ground.terminal), "{name}, step {step}: end");
        let mut goals: Vec<(usize, i32)> = machine.goals().collect();
        let due = ground.goals.iter().filter(|goal| holds(&values, goal.when));
        let mut due: Vec<(usize, i32)> = due.map(|goal| (goal.role as usize, goal.value)).collect();
        goals.sort_unstable();
        due.sort_unstable();
        due.dedup();
        assert_eq!(goals, due, "{name}, step {step}: goals");
        let mut goals: Vec<(usize, i32)> = lane.goals().collect();
        goals.sort_unstable();
        assert_eq!(goals, due, "{name}, step {step}: the lane's goals");
        let mut joint = Vec::new();
        for (role, legal) in ground.legal.iter().enumerate() {
            let due: Vec<usize> = (0..legal.len()).filter(|&number| holds(&values, legal[number])).collect();
            assert_eq!(machine.legal(role).collect::<Vec<_>>(), due, "{name}, step {step}: moves of {role}");
            assert_eq!(lane.legal(role).collect::<Vec<_>>(), due, "{name}, step {step}: the lane's moves of {role}");
            joint.extend(machine.random_move(role, &mut rng));
        }
        if machine.is_terminal() || joint.len() < ground.roles.len() {
            return;
        }
        let done: Vec<u32> = joint.iter().enumerate().map(|(role, &number)| ground.move_atom(role, number)).collect();
        let values = naive.values(&facts, &done);
        facts = ground.next.iter().map(|&next| holds(&values, next)).collect();
        machine.advance(&joint);
        lane.advance(&joint);
    }
}
