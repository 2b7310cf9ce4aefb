//! The network as an engine: each thread has its own machine, which moves from state to state.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tesuji_core::Rng;

use super::engine::{Engine, EngineKind, Facts, Move, Survey};
use crate::lanes::Lanes;
use crate::machine::Machine;
use crate::{Ground, GroundTerm, Network, Symbols, keyword, place_of};

/// The most machines that a thread keeps. With more games than this, machines are rebuilt.
const MACHINES_A_THREAD: usize = 6;

thread_local! {
    /// The machines of this thread, most recently used first, each with the number of its engine.
    static MACHINES: RefCell<Vec<(u64, Machine)>> = const { RefCell::new(Vec::new()) };
}

/// Numbers the engines of the program, so that a machine is never used for another engine.
static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);

/// A network with the texts of its facts and moves.
pub(super) struct Networked {
    number: u64,
    network: Arc<Network>,
    /// The machine that threads copy theirs from.
    machine: Machine,
    facts: Vec<String>,
    /// The number of a fact by its lower-case text.
    fact_numbers: FxHashMap<String, usize>,
    moves: Vec<Vec<String>>,
    /// By role: the numbers of the facts that are its percepts.
    percepts: Vec<Vec<u32>>,
    /// Idle lanes: compiling them takes longer than many a search.
    lanes: LanePool,
}

/// A pool of idle lanes.
pub(super) type LanePool = Arc<Mutex<Vec<Lanes>>>;

impl Networked {
    pub(super) fn new(ground: &Ground, symbols: &Symbols, network: Network) -> Networked {
        let text = |&term: &GroundTerm| ground.terms.text(term, symbols);
        let facts: Vec<String> = ground.facts.iter().map(text).collect();
        let fact_numbers = facts.iter().enumerate().map(|(number, text)| (text.clone(), number)).collect();
        let moves = ground.moves.iter().map(|moves| moves.iter().map(text).collect()).collect();
        let percepts = ground.roles.iter().map(|role| {
            let is_percept = |&fact: &GroundTerm| {
                ground.terms.name(fact) == keyword::SEES && ground.terms.arguments(fact).first() == Some(role)
            };
            (0..).zip(&ground.facts).filter(|(_, fact)| is_percept(fact)).map(|(number, _)| number).collect()
        });
        let percepts = percepts.collect();
        let network = Arc::new(network);
        let machine = Machine::new(Arc::clone(&network));
        let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
        Networked { number, network, machine, facts, fact_numbers, moves, percepts, lanes: LanePool::default() }
    }

    /// Lanes from the pool, or new ones. They return to the pool after use.
    fn take_lanes(&self) -> Lanes {
        let mut pool = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        pool.pop().unwrap_or_else(|| Lanes::new(&self.network))
    }

    /// Calls `work` with this thread's machine, in whatever state it is.
    #[inline]
    fn with_machine<R>(&self, work: impl FnOnce(&mut Machine) -> R) -> R {
        MACHINES.with_borrow_mut(|machines| {
            match machines.iter().position(|(number, _)| *number == self.number) {
                Some(0) => {}
                Some(place) => machines.swap(0, place),
                None => {
                    machines.truncate(MACHINES_A_THREAD - 1);
                    machines.insert(0, (self.number, self.machine.clone()));
                }
            }
            work(&mut machines[0].1)
        })
    }
}

fn survey_machine(machine: &Machine, roles: usize, survey: &mut Survey) {
    survey.terminal = machine.is_terminal();
    survey.roles.clear();
    if survey.terminal {
        return;
    }
    for role in 0..roles {
        let count = machine.legal_count(role) as u32;
        let first = if count == 0 { 0 } else { machine.legal(role).next().unwrap_or(0) };
        survey.roles.push((count, Move(first as u32)));
    }
}

impl Engine for Networked {
    fn kind(&self) -> EngineKind {
        EngineKind::Network
    }

    fn start(&self) -> Facts {
        SmallVec::from_slice(self.network.initial())
    }

    fn fact_count(&self) -> Option<usize> {
        Some(self.facts.len())
    }

    fn all_facts(&self) -> &[String] {
        &self.facts
    }

    fn move_count(&self, role: usize) -> Option<usize> {
        self.moves.get(role).map(Vec::len)
    }

    fn survey(&self, facts: &[u64], survey: &mut Survey) {
        self.with_machine(|machine| {
            machine.load(facts);
            survey_machine(machine, self.moves.len(), survey);
        });
    }

    fn legal(&self, facts: &[u64], role: usize, out: &mut Vec<Move>) {
        self.with_machine(|machine| {
            machine.load(facts);
            out.extend(machine.legal(role).map(|number| Move(number as u32)));
        });
    }

    fn legal_at(&self, facts: &[u64], role: usize, rank: usize) -> Move {
        self.with_machine(|machine| {
            machine.load(facts);
            Move(machine.legal(role).nth(rank).unwrap_or(0) as u32)
        })
    }

    fn advance(&self, facts: &mut Facts, joint: &[Move], survey: &mut Survey) {
        let joint: SmallVec<[usize; 4]> = joint.iter().map(|number| number.0 as usize).collect();
        self.with_machine(|machine| {
            machine.load(facts);
            machine.advance(&joint);
            facts.copy_from_slice(machine.facts());
            survey_machine(machine, self.moves.len(), survey);
        });
    }

    fn goals(&self, facts: &[u64], out: &mut Vec<Option<i32>>) {
        self.with_machine(|machine| {
            machine.load(facts);
            machine.payoffs(out);
        });
    }

    fn fact_texts(&self, facts: &[u64]) -> Vec<String> {
        let holds = |number: usize| facts[number / 64] >> (number % 64) & 1 == 1;
        let mut texts: Vec<String> =
            (0..self.facts.len()).filter(|&number| holds(number)).map(|number| self.facts[number].clone()).collect();
        texts.sort_unstable();
        texts
    }

    fn percepts(&self, facts: &[u64], role: usize) -> Vec<u32> {
        let holds = |number: &u32| facts[*number as usize / 64] >> (number % 64) & 1 == 1;
        self.percepts[role].iter().copied().filter(holds).collect()
    }

    fn facts_of(&self, texts: &[String]) -> Result<Facts, String> {
        let mut facts = Facts::from_elem(0, self.network.words());
        for text in texts {
            let known = self.fact_numbers.get(text).copied().or_else(|| place_of(text, &self.facts));
            let number = known.ok_or_else(|| format!("`{text}` is no fact that this game can come to"))?;
            facts[number / 64] |= 1 << (number % 64);
        }
        Ok(facts)
    }

    fn move_text(&self, role: usize, number: Move) -> String {
        self.moves[role].get(number.0 as usize).cloned().unwrap_or_default()
    }

    fn play_out(&self, facts: &mut Facts, rng: &mut Rng, limit: u32) -> Option<u32> {
        Some(self.with_machine(|machine| {
            machine.load(facts);
            let steps = machine.play_out(limit, rng);
            facts.copy_from_slice(machine.facts());
            steps
        }))
    }

    fn lanes(&self) -> Option<(LanePool, Lanes)> {
        Some((Arc::clone(&self.lanes), self.take_lanes()))
    }
}
