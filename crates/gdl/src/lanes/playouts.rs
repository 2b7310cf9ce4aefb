//! The loop over passes: evaluate, settle what ended, choose, go on.

use tesuji_core::Rng;

use crate::lanes::Tally;
use crate::lanes::block::{Block, Dice, evaluate, read};
use crate::lanes::choose::{Counts, choose, count};
use crate::lanes::program::Program;

/// The most bits of the number of steps.
const STEP_PLANES: usize = 32;

/// Lanes in the middle of their playouts.
pub(crate) struct Playouts<const W: usize> {
    program: Program,
    values: Vec<Block<W>>,
    counts: Vec<Counts<W>>,
    /// The start that each lane's playout belongs to.
    start_of: Vec<u32>,
    /// Which lanes begin anew from which start.
    begun: Vec<(u32, Block<W>)>,
}

/// The playouts that are still to be begun.
struct Queue {
    start: usize,
    starts: usize,
    left: u64,
    playouts: u64,
}

impl<const W: usize> Playouts<W> {
    pub(crate) fn new(program: Program) -> Playouts<W> {
        let mut values = vec![Block::NONE; program.slots];
        values[0] = Block::ALL;
        let counts = vec![Counts::EMPTY; program.choices.len()];
        Playouts { program, values, counts, start_of: vec![0; 64 * W], begun: Vec::new() }
    }

    #[inline(always)]
    pub(crate) fn run(&mut self, starts: &[&[u64]], playouts: u64, most_steps: u32, rng: &mut Rng) -> Tally {
        let roles = self.program.choices.len();
        let mut tally = Tally { sums: vec![vec![0; roles]; starts.len()], ..Tally::default() };
        let mut queue = Queue { start: 0, starts: starts.len(), left: playouts, playouts };
        let mut dice: Dice<W> = Dice::new(rng);
        let mut steps = [Block::NONE; STEP_PLANES];
        let step_planes = (u32::BITS - most_steps.leading_zeros()) as usize;
        let mut active = self.begin(Block::ALL, &mut queue);
        self.refill(starts);
        while active.any() {
            evaluate(&mut self.values, &self.program.state);
            let mut stuck = Block::NONE;
            for (choices, counts) in self.program.choices.iter().zip(&mut self.counts) {
                count(&self.values, choices, counts);
                stuck = stuck.or(counts.none);
            }
            let terminal = read(&self.values, self.program.terminal);
            let mut cut = Block::ALL;
            for (plane, steps) in steps[..step_planes].iter().enumerate() {
                let sign = 0u64.wrapping_sub(u64::from(most_steps >> plane & 1));
                cut = cut.map(*steps, |cut, steps| cut & !(steps ^ sign));
            }
            let ended = active.and(terminal.or(stuck).or(cut));
            tally.steps += u64::from(active.without(ended).count());
            if ended.any() {
                evaluate(&mut self.values, &self.program.goal);
                stuck = stuck.and(active).without(terminal);
                tally.stuck += u64::from(stuck.count());
                tally.cut += u64::from(active.and(cut).without(terminal).without(stuck).count());
                self.settle(ended, &mut tally);
                let begun = self.begin(ended, &mut queue);
                active = active.without(ended).or(begun);
            }
            for (choices, counts) in self.program.choices.iter().zip(&self.counts) {
                choose(&mut self.values, choices, counts, &mut dice);
            }
            evaluate(&mut self.values, &self.program.next);
            self.advance();
            let mut carry = Block::ALL;
            for steps in &mut steps[..step_planes] {
                let sum = steps.xor(carry).without(ended);
                carry = steps.and(carry);
                *steps = sum;
            }
            self.refill(starts);
        }
        tally
    }

    /// Gives the next playouts to lanes that are free.
    fn begin(&mut self, free: Block<W>, queue: &mut Queue) -> Block<W> {
        let mut rest = free;
        while rest.any() && queue.start < queue.starts {
            if queue.left == 0 {
                queue.start += 1;
                queue.left = queue.playouts;
                continue;
            }
            let taken = rest.first(queue.left);
            queue.left -= u64::from(taken.count());
            rest = rest.without(taken);
            if queue.starts > 1 {
                for lane in taken.lanes() {
                    self.start_of[lane] = queue.start as u32;
                }
            }
            self.begun.push((queue.start as u32, taken));
        }
        free.without(rest)
    }

    /// Puts lanes that begin into their start states.
    #[inline(always)]
    fn refill(&mut self, starts: &[&[u64]]) {
        for (start, lanes) in self.begun.drain(..) {
            let state = starts[start as usize];
            for &(fact, slot) in &self.program.facts {
                let bit = state[fact as usize / 64] >> (fact % 64) & 1;
                let bit = 0u64.wrapping_sub(bit);
                let value = &mut self.values[slot as usize];
                *value = value.map(lanes, |value, lanes| (value & !lanes) | (lanes & bit));
            }
        }
    }

    /// Makes the next facts the facts.
    #[inline(always)]
    fn advance(&mut self) {
        for &(from, to) in self.program.spare.iter().chain(&self.program.moved) {
            self.values[to as usize] = read(&self.values, from);
        }
    }

    /// Adds the payoffs of lanes that ended.
    #[inline(always)]
    fn settle(&mut self, ended: Block<W>, tally: &mut Tally) {
        tally.playouts += u64::from(ended.count());
        for (role, goals) in self.program.goals.iter().enumerate() {
            let (mut one, mut more) = (Block::NONE, Block::NONE);
            for &(_, when) in goals {
                let holds = read(&self.values, when).and(ended);
                more = more.or(one.and(holds));
                one = one.or(holds);
            }
            let sound = one.without(more);
            tally.undefined += u64::from(ended.without(sound).count());
            for &(value, when) in goals {
                let holds = read(&self.values, when).and(sound);
                if tally.sums.len() == 1 {
                    tally.sums[0][role] += i64::from(value) * i64::from(holds.count());
                } else {
                    for lane in holds.lanes() {
                        tally.sums[self.start_of[lane] as usize][role] += i64::from(value);
                    }
                }
            }
        }
    }
}
