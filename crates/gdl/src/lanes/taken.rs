//! The moves taken in playouts: for every move the lanes that chose it, added up by start when playouts end.
//!
//! A choice costs one operation on the move's block. Moves are added up only when lanes start another playout, and at
//! the end.

use pulp::Simd;

use crate::lanes::block::{Block, Values};
use crate::lanes::program::Program;

/// A move of a role in the playouts from one start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TakenMove {
    /// The role.
    pub role: u32,
    /// The number of the move.
    pub number: u32,
    /// The number of playouts in which the role chose it among two or more.
    pub playouts: u32,
    /// The sum of the role's payoffs over these playouts.
    pub total: i64,
}

/// Lanes of one start within a word.
#[derive(Clone, Copy)]
struct Group {
    start: u32,
    word: u32,
    lanes: u64,
}

/// The moves of the playouts that are being run.
pub(crate) struct Taken<const W: usize> {
    /// By role and move: the lanes whose playout has chosen it.
    chosen: Vec<Vec<Block<W>>>,
    /// By role and goal: the lanes whose last finished playout paid it.
    paid: Vec<Vec<Block<W>>>,
    /// Finished playouts whose moves are not added up yet.
    finished: Block<W>,
    /// The lanes that are being added up.
    groups: Vec<Group>,
    /// By start.
    pub(crate) moves: Vec<Vec<TakenMove>>,
}

impl<const W: usize> Taken<W> {
    pub(crate) fn new(program: &Program) -> Taken<W> {
        Taken {
            chosen: program.choices.iter().map(|choices| vec![Block::NONE; choices.len()]).collect(),
            paid: program.goals.iter().map(|goals| vec![Block::NONE; goals.len()]).collect(),
            finished: Block::NONE,
            groups: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Starts a run from that many states.
    pub(crate) fn begin(&mut self, starts: usize) {
        self.chosen.iter_mut().for_each(|chosen| chosen.fill(Block::NONE));
        self.finished = Block::NONE;
        self.moves.iter_mut().for_each(Vec::clear);
        self.moves.resize_with(starts, Vec::new);
    }

    /// Notes what a role has just chosen in `lanes`.
    #[inline(always)]
    pub(crate) fn note<S: Simd>(&mut self, values: &Values<S>, program: &Program, role: usize, lanes: Block<W>) {
        let simd = values.simd;
        let (lanes, _) = S::as_simd_u64s(&lanes.0);
        for (choice, chosen) in program.choices[role].iter().zip(&mut self.chosen[role]) {
            if let Some(done) = choice.done {
                let (chosen, _) = S::as_mut_simd_u64s(&mut chosen.0);
                for vector in 0..values.each {
                    let made = simd.and_u64s(values.read(done << 1, vector), lanes[vector]);
                    chosen[vector] = simd.or_u64s(chosen[vector], made);
                }
            }
        }
    }

    /// Notes that the playouts of these lanes are finished; their payoffs follow.
    pub(crate) fn finish(&mut self, lanes: Block<W>) {
        self.finished = self.finished.or(lanes);
        self.paid.iter_mut().flatten().for_each(|paid| *paid = paid.without(lanes));
    }

    /// Notes that a role gets the payoff of this goal in these lanes.
    pub(crate) fn pay(&mut self, role: usize, goal: usize, lanes: Block<W>) {
        let paid = &mut self.paid[role][goal];
        *paid = paid.or(lanes);
    }

    /// Adds up the finished playouts of these lanes, which belong to the starts `start_of`, and forgets them.
    pub(crate) fn add_up(&mut self, program: &Program, lanes: Block<W>, start_of: &[u32]) {
        let lanes = lanes.and(self.finished);
        if !lanes.any() {
            return;
        }
        self.finished = self.finished.without(lanes);
        self.group(lanes, start_of);
        for (role, chosen) in self.chosen.iter_mut().enumerate() {
            let goals = || program.goals[role].iter().zip(&self.paid[role]).filter(|((value, _), _)| *value != 0);
            for (chosen, &number) in chosen.iter_mut().zip(&program.numbers[role]) {
                let taken = chosen.and(lanes);
                if !taken.any() {
                    continue;
                }
                *chosen = chosen.without(taken);
                for &Group { start, word, lanes } in &self.groups {
                    let word = word as usize;
                    let taken = taken.0[word] & lanes;
                    if taken == 0 {
                        continue;
                    }
                    let pays = goals()
                        .map(|(&(value, _), paid)| i64::from(value) * i64::from((taken & paid.0[word]).count_ones()));
                    let (playouts, total) = (taken.count_ones(), pays.sum::<i64>());
                    let (moves, role) = (&mut self.moves[start as usize], role as u32);
                    match moves.last_mut() {
                        Some(last) if (last.role, last.number) == (role, number) => {
                            last.playouts += playouts;
                            last.total += total;
                        }
                        _ => moves.push(TakenMove { role, number, playouts, total }),
                    }
                }
            }
        }
    }

    /// Groups lanes by start and word.
    fn group(&mut self, lanes: Block<W>, start_of: &[u32]) {
        // With a single start nobody writes which start a lane belongs to.
        let several = self.moves.len() > 1;
        self.groups.clear();
        for lane in lanes.lanes() {
            let (start, word) = (if several { start_of[lane] } else { 0 }, lane as u32 / 64);
            match self.groups.last_mut() {
                Some(group) if (group.start, group.word) == (start, word) => group.lanes |= 1 << (lane % 64),
                _ => self.groups.push(Group { start, word, lanes: 1 << (lane % 64) }),
            }
        }
    }

    /// Adds up all finished playouts and lists each move of a start once, by role and number.
    pub(crate) fn end(&mut self, program: &Program, start_of: &[u32]) {
        self.add_up(program, Block::ALL, start_of);
        for moves in &mut self.moves {
            let place = |taken: &TakenMove| (taken.role, taken.number);
            if moves.is_sorted_by(|one, two| place(one) < place(two)) {
                continue;
            }
            moves.sort_by_key(place);
            moves.dedup_by(|later, first| {
                let same = place(later) == place(first);
                if same {
                    first.playouts += later.playouts;
                    first.total += later.total;
                }
                same
            });
        }
    }
}
