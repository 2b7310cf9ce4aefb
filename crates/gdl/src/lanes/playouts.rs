//! The main loop over passes: evaluate, settle finished playouts, choose moves, advance.

use pulp::Simd;
use tesuji_core::Rng;

use crate::lanes::Tally;
use crate::lanes::block::{Block, Dice, Values};
use crate::lanes::choose::{Counts, choose, count};
use crate::lanes::program::{Choice, Program};
use crate::lanes::taken::{Taken, TakenMove};

/// The most bits of a step count.
const STEP_PLANES: usize = 32;

/// Words in a cache line.
const LINE: usize = 8;

/// Lanes in the middle of their playouts.
pub(crate) struct Playouts<const W: usize> {
    program: Program,
    /// The words of all slots, with an offset that aligns them to a cache line.
    words: Vec<u64>,
    counts: Vec<Counts<W>>,
    /// The start that each lane's playout belongs to.
    start_of: Vec<u32>,
    /// Which lanes restart from which start.
    begun: Vec<(u32, Block<W>)>,
    /// The moves of the playouts, once they were asked for.
    taken: Option<Taken<W>>,
    /// By role.
    preferred: Vec<Preferred>,
}

/// The moves of a role in counted playouts.
struct Preferred {
    /// Better moves first.
    choices: Vec<Choice>,
    /// How many moves are drawn; the first of them in `choices` is made.
    draws: u32,
}

/// No preferences.
fn uniform(program: &Program) -> Vec<Preferred> {
    program.choices.iter().map(|choices| Preferred { choices: choices.clone(), draws: 1 }).collect()
}

/// What a run does from each start.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) playouts: u64,
    pub(crate) most_steps: u32,
    /// Whether moves are counted.
    pub(crate) counting: bool,
}

/// The playouts that have not started yet.
struct Queue {
    start: usize,
    starts: usize,
    left: u64,
    playouts: u64,
}

impl<const W: usize> Playouts<W> {
    pub(crate) fn new(program: Program) -> Playouts<W> {
        let words = vec![0; program.slots * W + LINE - 1];
        let counts = vec![Counts::EMPTY; program.choices.len()];
        let preferred = uniform(&program);
        Playouts { program, words, counts, start_of: vec![0; 64 * W], begun: Vec::new(), taken: None, preferred }
    }

    /// A role draws `draws` moves in counted playouts, and makes the one with the highest score, by number. Equal
    /// scores stay in the order of the moves.
    pub(crate) fn prefer(&mut self, role: usize, draws: u32, score: impl Fn(u32) -> f32) {
        let moves = self.program.choices[role].iter().zip(&self.program.numbers[role]);
        let mut ranked: Vec<(f32, Choice)> = moves.map(|(&choice, &number)| (score(number), choice)).collect();
        ranked.sort_by(|one, two| two.0.total_cmp(&one.0));
        self.preferred[role] =
            Preferred { draws: draws.max(1), choices: ranked.iter().map(|ranked| ranked.1).collect() };
    }

    /// All legal moves are equally likely again.
    pub(crate) fn make_uniform(&mut self) {
        self.preferred = uniform(&self.program);
    }

    /// The moves of the last run that counted them, by start.
    pub(crate) fn taken(&self) -> &[Vec<TakenMove>] {
        self.taken.as_ref().map_or(&[], |taken| &taken.moves)
    }

    #[inline(always)]
    pub(crate) fn run<S: Simd>(&mut self, simd: S, starts: &[&[u64]], limits: Limits, rng: &mut Rng) -> Tally {
        let Limits { playouts, most_steps, counting } = limits;
        let program = &self.program;
        let mut taken = if counting { Some(self.taken.get_or_insert_with(|| Taken::new(program))) } else { None };
        if let Some(taken) = &mut taken {
            taken.begin(starts.len());
        }
        let offset = self.words.as_ptr().align_offset(8 * LINE).min(LINE - 1);
        let words = &mut self.words[offset..offset + program.slots * W];
        // Earlier playouts must leave no trace, not even in idle lanes: they draw random numbers too.
        words.fill(0);
        words[..W].fill(!0);
        let values = &mut Values::new(simd, words, W);
        let mut tally = Tally { sums: vec![vec![0; program.choices.len()]; starts.len()], ..Tally::default() };
        let mut queue = Queue { start: 0, starts: starts.len(), left: playouts, playouts };
        let mut dice: Dice<W> = Dice::new(rng);
        let mut steps = [Block::NONE; STEP_PLANES];
        let step_planes = (u32::BITS - most_steps.leading_zeros()) as usize;
        let mut active = queue.begin(Block::ALL, &mut self.begun, &mut self.start_of);
        refill(program, values, &mut self.begun, starts);
        while active.any() {
            values.evaluate(&program.state);
            let mut stuck = Block::NONE;
            for (choices, counts) in program.choices.iter().zip(&mut self.counts) {
                count(values, choices, counts);
                stuck = stuck.or(counts.none);
            }
            let terminal = values.block(program.terminal);
            let mut cut = Block::ALL;
            for (plane, steps) in steps[..step_planes].iter().enumerate() {
                let sign = 0u64.wrapping_sub(u64::from(most_steps >> plane & 1));
                cut = cut.map(*steps, |cut, steps| cut & !(steps ^ sign));
            }
            let ended = active.and(terminal.or(stuck).or(cut));
            tally.steps += u64::from(active.without(ended).count());
            if ended.any() {
                values.evaluate(&program.goal);
                stuck = stuck.and(active).without(terminal);
                tally.stuck += u64::from(stuck.count());
                tally.cut += u64::from(active.and(cut).without(terminal).without(stuck).count());
                settle(program, values, ended, &self.start_of, &mut tally, taken.as_deref_mut());
                if let Some(taken) = &mut taken {
                    taken.add_up(program, ended.first(queue.waiting()), &self.start_of);
                }
                let begun = queue.begin(ended, &mut self.begun, &mut self.start_of);
                active = active.without(ended).or(begun);
            }
            for ((role, counts), preferred) in self.counts.iter().enumerate().zip(&self.preferred) {
                match counting {
                    false => choose(values, &program.choices[role], counts, 1, &mut dice),
                    true => choose(values, &preferred.choices, counts, preferred.draws, &mut dice),
                }
            }
            if let Some(taken) = &mut taken {
                // The lanes that start again have drawn moves in the state that is over.
                let going = active.without(ended);
                for (role, counts) in self.counts.iter().enumerate() {
                    let choosing = counts.choosing().and(going);
                    if choosing.any() {
                        taken.note(values, program, role, choosing);
                    }
                }
            }
            values.evaluate(&program.next);
            for &(from, to) in program.spare.iter().chain(&program.moved) {
                for vector in 0..values.each {
                    let value = values.read(from, vector);
                    values.write(to, vector, value);
                }
            }
            let mut carry = Block::ALL;
            for steps in &mut steps[..step_planes] {
                let sum = steps.xor(carry).without(ended);
                carry = steps.and(carry);
                *steps = sum;
            }
            refill(program, values, &mut self.begun, starts);
        }
        if let Some(taken) = taken {
            taken.end(program, &self.start_of);
        }
        tally
    }
}

impl Queue {
    /// The number of playouts that have not started yet.
    fn waiting(&self) -> u64 {
        let whole = self.starts.saturating_sub(self.start + 1) as u64;
        if self.start < self.starts { self.left + whole * self.playouts } else { 0 }
    }

    /// Assigns the next playouts to free lanes.
    fn begin<const W: usize>(
        &mut self,
        free: Block<W>,
        begun: &mut Vec<(u32, Block<W>)>,
        start_of: &mut [u32],
    ) -> Block<W> {
        let mut rest = free;
        while rest.any() && self.start < self.starts {
            if self.left == 0 {
                self.start += 1;
                self.left = self.playouts;
                continue;
            }
            let taken = rest.first(self.left);
            self.left -= u64::from(taken.count());
            rest = rest.without(taken);
            if self.starts > 1 {
                taken.lanes().for_each(|lane| start_of[lane] = self.start as u32);
            }
            begun.push((self.start as u32, taken));
        }
        free.without(rest)
    }
}

/// Sets starting lanes to their start states.
#[inline(always)]
fn refill<S: Simd, const W: usize>(
    program: &Program,
    values: &mut Values<S>,
    begun: &mut Vec<(u32, Block<W>)>,
    starts: &[&[u64]],
) {
    let simd = values.simd;
    for (start, lanes) in begun.drain(..) {
        let state = starts[start as usize];
        let (lanes, _) = S::as_simd_u64s(&lanes.0);
        for &(fact, slot) in &program.facts {
            let bit = state[fact as usize / 64] >> (fact % 64) & 1;
            let bit = simd.splat_u64s(0u64.wrapping_sub(bit));
            for (vector, &lanes) in lanes.iter().enumerate() {
                let value = values.read(slot << 1, vector);
                let changed = simd.and_u64s(lanes, simd.xor_u64s(value, bit));
                values.write(slot, vector, simd.xor_u64s(value, changed));
            }
        }
    }
}

/// Adds the payoffs of finished lanes.
#[inline(always)]
fn settle<S: Simd, const W: usize>(
    program: &Program,
    values: &Values<S>,
    ended: Block<W>,
    start_of: &[u32],
    tally: &mut Tally,
    mut taken: Option<&mut Taken<W>>,
) {
    tally.playouts += u64::from(ended.count());
    if let Some(taken) = &mut taken {
        taken.finish(ended);
    }
    for (role, goals) in program.goals.iter().enumerate() {
        let (mut one, mut more) = (Block::NONE, Block::NONE);
        for &(_, when) in goals {
            let holds = values.block(when).and(ended);
            more = more.or(one.and(holds));
            one = one.or(holds);
        }
        let sound = one.without(more);
        tally.undefined += u64::from(ended.without(sound).count());
        for (goal, &(value, when)) in goals.iter().enumerate() {
            let holds = values.block(when).and(sound);
            if let Some(taken) = &mut taken {
                taken.pay(role, goal, holds);
            }
            if tally.sums.len() == 1 {
                tally.sums[0][role] += i64::from(value) * i64::from(holds.count());
            } else {
                holds.lanes().for_each(|lane| tally.sums[start_of[lane] as usize][role] += i64::from(value));
            }
        }
    }
}
