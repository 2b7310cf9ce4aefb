//! The machine: runs one match at a time by propagating changes.
//!
//! This covers every game that has a [`Network`]. The machine stores the value of every gate for its current state. To
//! reach another state, it receives the facts that differ; the changes propagate through the gates, and what does not
//! change costs nothing (`values`). If one move decides a step, its effects are precomputed (`effects`); otherwise
//! moves propagate through the gates like facts. What only payoffs need is computed when they are requested (`late`).
//!
//! Several plans compute the same with fewer changes; a trial finds the fastest (`trial`):
//! - most legal moves are conjunctions that nothing else needs: they are combined 64 at a time (`leaves`);
//! - the gates of one line of a board are looked up in a table (`tables`);
//! - the end of the match is evaluated from the top, if no legal move refutes it (`ending`).
//!
//! What runs in every step is inlined everywhere, for each kind of agenda, wiring and processor. Development builds
//! leave that to the compiler: it took half the time to compile this crate.

mod agenda;
mod circuit;
mod effects;
mod ending;
mod guards;
mod late;
mod leaves;
mod plan;
mod tables;
mod trial;
mod values;
mod wiring;

use std::sync::Arc;

use pulp::{Arch, Simd, WithSimd};
use tesuji_core::Rng;

use crate::{Goal, Network};
use agenda::{Agenda, Queue, Sorted};
use effects::Effects;
use ending::Ending;
use guards::Arrangement;
use late::Late;
use plan::{LegalSpan, Plan};
use tables::Tables;
use values::{Run, Values, Work};
use wiring::Wiring;

/// A network with a current state.
#[derive(Clone, Debug)]
pub struct Machine {
    shared: Arc<Shared>,
    network: Arc<Network>,
    values: Values,
    pending: Pending,
    late: Late,
    facts: Vec<u64>,
    next: Vec<u64>,
    /// The legal moves of all roles, without their guards.
    legal: Vec<u64>,
    joint: Vec<usize>,
    /// A state to return to.
    kept: Option<Box<Kept>>,
    arch: Arch,
}

/// What machines of one network share.
#[derive(Debug)]
struct Shared {
    wiring: Wiring,
    tables: Tables,
    effects: Option<Effects>,
    /// One bit for each fact that stays as it is, or flips.
    steady: Vec<u64>,
    /// One bit for each fact that flips.
    flipping: Vec<u64>,
    legal: Vec<LegalSpan>,
    /// The first word of outputs that is of legal moves.
    first_legal: usize,
    terminal_bit: usize,
    ending: Option<Ending>,
    /// How many different facts cost as much as a copy of all values.
    facts_a_copy: u32,
}

impl Shared {
    /// Computes the next facts: those that stay as they are or flip, and the others from the outputs.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read_next(&self, outputs: &[u64], facts: &[u64], next: &mut [u64]) {
        let masks = self.steady.iter().zip(&self.flipping);
        for (((next, &output), &fact), (&steady, &flipping)) in next.iter_mut().zip(outputs).zip(facts).zip(masks) {
            *next = output & !steady | (fact ^ flipping) & steady;
        }
    }
}

/// Changes that are not yet passed on.
#[derive(Clone, Debug)]
enum Pending {
    Queue(Queue),
    Sorted(Sorted),
}

/// Evaluates an expression with the agenda, for each type of agendas.
macro_rules! with_agenda {
    ($pending:expr, $agenda:ident => $body:expr) => {
        match $pending {
            Pending::Queue($agenda) => $body,
            Pending::Sorted($agenda) => $body,
        }
    };
}
use with_agenda;

/// The values of an earlier state.
#[derive(Clone, Debug)]
struct Kept {
    facts: Vec<u64>,
    values: Values,
}

impl Machine {
    /// A machine in the initial state of the network's game.
    pub fn new(network: Arc<Network>) -> Machine {
        let plan = Plan::new(&network);
        trial::best(&network, &plan)
    }

    fn wired(network: &Arc<Network>, plan: &Plan, arrangement: Arrangement<'_>) -> Machine {
        let wiring = Wiring::new(&plan.circuit, arrangement);
        let places = &wiring.places;
        let end = plan.circuit.end();
        let effects = plan.effects.as_ref().map(|effects| effects.renumbered(places, end + 1));
        let legal =
            plan.legal.iter().map(|span| LegalSpan { guard: circuit::placed(span.guard, places), ..span.clone() });
        let sources = plan.sources.iter().map(|&number| places[number as usize]).collect();
        let values = Values::new(&wiring, plan.tables.start(), effects.as_ref().map_or(0, |effects| effects.slots));
        let pending = match arrangement.by_level {
            false => Pending::Queue(Queue::default()),
            true => Pending::Sorted(Sorted::new(end as usize + 1)),
        };
        let shared = Shared {
            legal: legal.collect(),
            first_legal: plan.moves.start,
            effects,
            tables: plan.tables.clone(),
            steady: plan.steady.clone(),
            flipping: plan.flipping.clone(),
            terminal_bit: plan.terminal_bit,
            ending: plan.ending.as_ref().map(|ending| ending.renumbered(places, end)),
            facts_a_copy: trial::facts_a_copy(&values, plan, arrangement.heat),
            wiring,
        };
        let mut machine = Machine {
            network: Arc::clone(network),
            values,
            pending,
            shared: Arc::new(shared),
            late: Late::new(plan.late.clone(), sources),
            facts: vec![0; network.words()],
            next: vec![0; network.words()],
            legal: vec![0; plan.moves.len()],
            joint: Vec::with_capacity(network.roles()),
            kept: None,
            arch: Arch::new(),
        };
        machine.go_to(network.initial());
        machine
    }

    /// The network that the machine runs.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Goes to a state, one bit per fact. The state must be reachable from the initial one.
    pub fn load(&mut self, facts: &[u64]) {
        let most = self.shared.facts_a_copy;
        let mut distance = distance(&self.facts, facts);
        if let Some(kept) = &self.kept
            && distance > most
            && distance > most + self::distance(&kept.facts, facts)
        {
            distance = self::distance(&kept.facts, facts);
            self.facts.copy_from_slice(&kept.facts);
            self.values.copy_from(&kept.values);
        }
        self.go_to(facts);
        // Far from everything known: playouts from here will come back.
        if distance > 2 * most {
            let Machine { facts, values, kept, .. } = self;
            match kept {
                Some(kept) => {
                    kept.facts.copy_from_slice(facts);
                    kept.values.copy_from(values);
                }
                None => *kept = Some(Box::new(Kept { facts: facts.clone(), values: values.clone() })),
            }
        }
    }

    fn go_to(&mut self, facts: &[u64]) {
        let Machine { shared, values, pending, facts: current, legal, .. } = self;
        with_agenda!(pending, agenda => {
            values.run(&shared.wiring, agenda, Replace { shared, facts: current, new: facts, legal });
        });
    }

    /// The current state, one bit per fact.
    pub fn facts(&self) -> &[u64] {
        &self.facts
    }

    /// Whether the match is over.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_terminal(&self) -> bool {
        if let Some(ending) = &self.shared.ending {
            return ending.is_over(&self.values.holds, &self.legal);
        }
        let bit = self.shared.terminal_bit;
        self.values.outputs[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The legal moves of a role as words, one bit per move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn legal_words(&self, role: usize) -> impl Iterator<Item = u64> + '_ {
        let span = &self.shared.legal[role];
        let closed = 0u64.wrapping_sub(u64::from(self.is_closed(span)));
        let words = &self.legal[span.first_word..span.first_word + span.words];
        words.iter().zip(&span.guarded).map(move |(&word, &guarded)| word & !(guarded & closed))
    }

    /// Whether the guarded moves of a role are not legal.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_closed(&self, span: &LegalSpan) -> bool {
        (self.values.holds[span.guard.atom() as usize] == 1) == span.guard.is_negated()
    }

    /// The legal moves of a role, ascending.
    pub fn legal(&self, role: usize) -> impl Iterator<Item = usize> + '_ {
        self.legal_words(role).enumerate().flat_map(|(index, word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(index * 64 + bit)
            })
        })
    }

    /// The number of legal moves of a role.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn legal_count(&self, role: usize) -> usize {
        self.legal_words(role).map(|word| word.count_ones() as usize).sum()
    }

    /// A uniformly random legal move of a role; `None` if there is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn random_move(&self, role: usize, rng: &mut Rng) -> Option<usize> {
        let span = &self.shared.legal[role];
        let words = &self.legal[span.first_word..span.first_word + span.words];
        if self.is_closed(span) {
            return draw(span.free.iter().map(|&(word, free)| (word as usize, words[word as usize] & free)), rng);
        }
        draw(words.iter().copied().enumerate(), rng)
    }

    /// Makes one legal move for each role, in order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn advance(&mut self, joint: &[usize]) {
        let Machine { shared, network, values, pending, facts, next, legal, .. } = self;
        with_agenda!(pending, agenda => {
            values.run(&shared.wiring, agenda, Advance { shared, network, facts, next, legal, joint });
        });
    }

    /// The goals that hold in the current state, as role and value.
    pub fn goals(&mut self) -> impl Iterator<Item = (usize, i32)> + '_ {
        let holds = self.late.goals(&self.values.holds);
        let goals = self.network.goals().iter().enumerate().filter(move |&(number, _)| holds(number));
        goals.map(|(_, &Goal { role, value, .. })| (role as usize, value))
    }

    /// The payoff of each role; `None` if it is undefined or not unique.
    pub fn payoffs(&mut self, payoffs: &mut Vec<Option<i32>>) {
        let roles = self.network.roles();
        payoffs.clear();
        payoffs.resize(roles, None);
        let mut several = 0u64;
        for (role, value) in self.goals() {
            if payoffs[role].replace(value).is_some() {
                several |= 1 << (role % 64);
            }
        }
        for (role, payoff) in payoffs.iter_mut().enumerate() {
            if several >> (role % 64) & 1 == 1 {
                *payoff = None;
            }
        }
    }

    /// Plays uniformly at random from the current state to the end, for at most `most_steps` steps; returns the number
    /// of steps.
    pub fn play_out(&mut self, most_steps: u32, rng: &mut Rng) -> u32 {
        self.arch.dispatch(PlayOut { machine: self, most_steps, rng })
    }

    /// Draws a legal move for every role; false if one has none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn draw_joint(&mut self, rng: &mut Rng) -> bool {
        self.joint.clear();
        for role in 0..self.network.roles() {
            let Some(number) = self.random_move(role, rng) else { return false };
            self.joint.push(number);
        }
        true
    }
}

/// A uniformly random bit of words that have a place each, counted from the first word's place 0.
#[cfg_attr(not(debug_assertions), inline(always))]
fn draw(words: impl Iterator<Item = (usize, u64)> + Clone, rng: &mut Rng) -> Option<usize> {
    let count: usize = words.clone().map(|(_, word)| word.count_ones() as usize).sum();
    if count == 0 {
        return None;
    }
    let mut left = if count == 1 { 0 } else { rng.below(count) as u32 };
    for (place, mut word) in words {
        let here = word.count_ones();
        if left < here {
            for _ in 0..left {
                word &= word - 1;
            }
            return Some(place * 64 + word.trailing_zeros() as usize);
        }
        left -= here;
    }
    None
}

/// A playout, compiled for each kind of processor: newer ones count bits in one instruction.
struct PlayOut<'a> {
    machine: &'a mut Machine,
    most_steps: u32,
    rng: &'a mut Rng,
}

impl WithSimd for PlayOut<'_> {
    type Output = u32;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn with_simd<S: Simd>(self, _: S) -> u32 {
        let PlayOut { machine, most_steps, rng } = self;
        let mut steps = 0;
        while steps < most_steps && !machine.is_terminal() && machine.draw_joint(rng) {
            let joint = std::mem::take(&mut machine.joint);
            machine.advance(&joint);
            machine.joint = joint;
            steps += 1;
        }
        steps
    }
}

/// A joint move.
struct Advance<'a> {
    shared: &'a Shared,
    network: &'a Network,
    facts: &'a mut [u64],
    next: &'a mut [u64],
    legal: &'a mut [u64],
    joint: &'a [usize],
}

impl Work for Advance<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn go<A: Agenda, const GUARDED: bool, const FIRST: bool, const COUNTED: bool>(
        self,
        run: &mut Run<'_, A, GUARDED, FIRST, COUNTED>,
    ) {
        let Advance { shared, network, facts, next, legal, joint } = self;
        let moves = joint.iter().enumerate().map(|(role, &number)| (role, network.move_number(role, number)));
        if let Some(effects) = &shared.effects {
            let deciding = moves.into_iter().find(|&(_, number)| effects.decides(number));
            shared.read_next(run.outputs, facts, next);
            effects.apply(deciding, run.holds, next);
        } else {
            moves.clone().for_each(|(_, number)| run.flip(number as usize));
            run.settle();
            // Facts that copy other facts of the previous step change their outputs at once, so all are read first.
            shared.read_next(run.outputs, facts, next);
            moves.for_each(|(_, number)| run.flip(number as usize));
        }
        Replace { shared, facts, new: next, legal }.go(run);
    }
}

/// The replacement of all facts.
struct Replace<'a> {
    shared: &'a Shared,
    facts: &'a mut [u64],
    new: &'a [u64],
    legal: &'a mut [u64],
}

impl Work for Replace<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn go<A: Agenda, const GUARDED: bool, const FIRST: bool, const COUNTED: bool>(
        self,
        run: &mut Run<'_, A, GUARDED, FIRST, COUNTED>,
    ) {
        let Replace { shared, facts, new, legal } = self;
        let tables = &shared.tables;
        let with_tables = !tables.is_empty();
        for (word, (fact, &new)) in facts.iter_mut().zip(new).enumerate() {
            let different = *fact ^ new;
            *fact = new;
            run.flip_facts(word, different, |entries, number| {
                if with_tables {
                    tables.toggle(number, entries);
                }
            });
        }
        if with_tables {
            tables.settle(
                run,
                |run| run.entries,
                |run, number, is_needed| match is_needed {
                    true => run.flip(number),
                    false => run.holds[number] ^= 1,
                },
            );
        }
        run.settle();
        run.read_legal(shared.first_legal, legal);
    }
}

/// The number of facts in which two states differ.
fn distance(one: &[u64], other: &[u64]) -> u32 {
    one.iter().zip(other).map(|(one, other)| (one ^ other).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use tesuji_core::Source;

    use super::values::Heat;
    use super::*;
    use crate::{Grounding, GroundingLimits, SHEETS, Sheet, ground};

    fn network(name: &str) -> Arc<Network> {
        let text = SHEETS.iter().find(|(bundled, _)| *bundled == name).unwrap().1;
        let sheet = Sheet::read(Source::new(name, text)).unwrap();
        let Ok(Grounding::Done(ground, _)) = ground(&sheet, &GroundingLimits::default(), &|| false) else {
            panic!("{name} does not ground")
        };
        Arc::new(Network::new(&ground).unwrap())
    }

    #[test]
    fn all_plans_and_agendas_go_through_the_same_states() {
        let mut with_guards = 0;
        let names = "tic-tac-toe breakthrough reversi tron-6x6 hex-9x9 eight-puzzle skirmish-6x6 checkers \
                     peg-solitaire isolation-5x5 amazons-5x5";
        let (mut leaves, mut tables, mut endings) = (0, 0, 0);
        for name in names.split(' ') {
            let network = network(name);
            let plan = Plan::new(&network);
            // Everything is equally hot: whatever has enough gates becomes a guard.
            let heat = Heat { changes: vec![1; plan.circuit.end() as usize], steps: 1 };
            let mut machines = vec![Machine::new(Arc::clone(&network))];
            for by_level in [false, true] {
                for heat in [None, Some(&heat)] {
                    machines.push(Machine::wired(&network, &plan, Arrangement { by_level, heat, fewest: 3 }));
                }
            }
            for plan in trial::rewritten(&network, &plan) {
                leaves += plan.circuit.leaves.len();
                tables += usize::from(!plan.tables.is_empty());
                endings += usize::from(plan.ending.is_some());
                let heat = Heat { changes: vec![1; plan.circuit.end() as usize], steps: 1 };
                for by_level in [false, true] {
                    let arrangement = Arrangement { by_level, heat: Some(&heat), fewest: 3 };
                    machines.push(Machine::wired(&network, &plan, arrangement));
                }
            }
            with_guards += machines.iter().filter(|machine| !machine.shared.wiring.guarded.is_empty()).count();
            let mut rng = Rng::new(5);
            for _ in 0..3 {
                machines.iter_mut().for_each(|machine| machine.load(network.initial()));
                while !machines[0].is_terminal() && machines[0].draw_joint(&mut rng) {
                    let joint = machines[0].joint.clone();
                    machines.iter_mut().for_each(|machine| machine.advance(&joint));
                    let (first, rest) = machines.split_first_mut().unwrap();
                    for other in rest {
                        assert_eq!(first.facts(), other.facts(), "{name}");
                        assert_eq!(first.is_terminal(), other.is_terminal(), "{name}");
                        assert!((0..network.roles()).all(|role| first.legal(role).eq(other.legal(role))), "{name}");
                        assert!(first.goals().eq(other.goals()), "{name}");
                    }
                }
            }
        }
        assert!(with_guards >= 6, "{with_guards}");
        assert!(leaves > 100 && tables > 0 && endings > 0, "{leaves} leaves, {tables} tables, {endings} endings");
    }

    #[test]
    fn a_machine_returns_to_kept_states() {
        let network = network("reversi");
        let plan = Plan::new(&network);
        let heat = trial::heat(&network, &plan, 200);
        let queue = Arrangement { by_level: false, heat: Some(&heat), fewest: usize::MAX };
        let mut machine = Machine::wired(&network, &plan, queue);
        let sorted = Arrangement { by_level: true, heat: None, fewest: 1 };
        let mut plain = Machine::wired(&network, &plan, sorted);
        let mut rng = Rng::new(7);
        let mut starts = vec![network.initial().to_vec()];
        for step in 0..40 {
            let start = starts[rng.below(starts.len())].clone();
            machine.load(&start);
            plain.load(&start);
            assert_eq!(machine.values.outputs.len(), plain.values.outputs.len());
            assert!((0..network.roles()).all(|role| machine.legal(role).eq(plain.legal(role))));
            machine.play_out(1 + step, &mut rng);
            starts.push(machine.facts().to_vec());
        }
        assert!(machine.kept.is_some());
    }
}
