//! Hundreds of uniform random playouts at once, one bit each.
//!
//! Covers every game that has a [`Network`]. Every value of the network is a block of lanes, a bit a lane, and every lane
//! is in the middle of a playout of its own; a pass takes all of them one step further. A lane that ends adds its payoffs
//! and takes the next playout with the same pass. Exactly the playouts that were asked for are begun and all are played to
//! their end, so that short ones are not favoured.

mod program;
mod block;
mod choose;
mod playouts;
mod single;

use pulp::{Arch, Simd, WithSimd};
use tesuji_core::Rng;

use crate::Network;
use playouts::Playouts;
pub use single::Lane;

/// What playouts came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The sum of payoffs, by start, then by role.
    pub sums: Vec<Vec<i64>>,
    /// The playouts that ended.
    pub playouts: u64,
    /// Their steps together.
    pub steps: u64,
    /// Playouts that ended because a role had no legal move.
    pub stuck: u64,
    /// Playouts that ended because they had taken the most steps.
    pub cut: u64,
    /// Payoffs that were undefined or defined twice, and count as 0.
    pub undefined: u64,
}

/// Bits of a network's state in many lanes.
pub struct Lanes {
    engine: Engine,
    words: usize,
    arch: Arch,
    vectors: bool,
    instructions: usize,
    slots: usize,
}

enum Engine {
    Eight(Box<Playouts<8>>),
    Sixteen(Box<Playouts<16>>),
}

impl Lanes {
    /// Lanes for a network, as many as are fastest for its size.
    ///
    /// # Panics
    /// If a role has more than 2²⁴ moves.
    pub fn new(network: &Network) -> Lanes {
        let program = program::compile(network);
        // Measured: a block of 1,024 lanes is best while all slots stay in the second cache.
        let words = match program.slots {
            0..=2_500 => 16,
            _ => 8,
        };
        Lanes::with_program(network, program, words)
    }

    /// Lanes for a network, 64 for each word: 8 or 16 words.
    ///
    /// # Panics
    /// If there is no such width, or a role has more than 2²⁴ moves.
    pub fn with_words(network: &Network, words: usize) -> Lanes {
        Lanes::with_program(network, program::compile(network), words)
    }

    fn with_program(network: &Network, program: program::Program, words: usize) -> Lanes {
        assert!((0..network.roles()).all(|role| network.moves(role) < 1 << choose::MOST_PLANES), "too many moves");
        let (instructions, slots) = (program.instructions(), program.slots);
        let engine = match words {
            8 => Engine::Eight(Box::new(Playouts::new(program))),
            16 => Engine::Sixteen(Box::new(Playouts::new(program))),
            _ => panic!("lanes come in 8 or 16 words, not {words}"),
        };
        Lanes { engine, words, arch: Arch::new(), vectors: true, instructions, slots }
    }

    /// The same lanes, compiled for the plainest machine: the results are the same.
    pub fn without_vectors(self) -> Lanes {
        Lanes { vectors: false, ..self }
    }

    /// The same lanes in vectors of 256 bits (AVX2), even where the machine has wider ones; `None` where it has not even
    /// these. The results are the same.
    pub fn with_avx2(self) -> Option<Lanes> {
        #[cfg(target_arch = "x86_64")]
        let lanes = pulp::x86::V3::try_new().map(|simd| Lanes { arch: Arch::V3(simd), ..self });
        #[cfg(not(target_arch = "x86_64"))]
        let lanes = None;
        lanes
    }

    /// How many playouts go on at once.
    pub fn lanes(&self) -> usize {
        64 * self.words
    }

    /// How many instructions a pass takes at most, and how many values it keeps.
    pub fn program_size(&self) -> (usize, usize) {
        (self.instructions, self.slots)
    }

    /// Plays `playouts` uniform random playouts from each of `starts`, none longer than `most_steps`.
    ///
    /// A start is a state as a [`Network`] writes it. Equal starts, numbers and random numbers give equal results on every
    /// machine.
    pub fn run(&mut self, starts: &[&[u64]], playouts: u64, most_steps: u32, rng: &mut Rng) -> Tally {
        let (arch, vectors) = (self.arch, self.vectors);
        match &mut self.engine {
            Engine::Eight(engine) => Order { engine, starts, playouts, most_steps, rng }.run(arch, vectors),
            Engine::Sixteen(engine) => Order { engine, starts, playouts, most_steps, rng }.run(arch, vectors),
        }
    }
}

/// What is to be played, to be handed to the code for the machine's vectors.
struct Order<'a, const W: usize> {
    engine: &'a mut Playouts<W>,
    starts: &'a [&'a [u64]],
    playouts: u64,
    most_steps: u32,
    rng: &'a mut Rng,
}

impl<const W: usize> Order<'_, W> {
    fn run(self, arch: Arch, vectors: bool) -> Tally {
        if vectors { arch.dispatch(self) } else { self.with_simd(pulp::Scalar::new()) }
    }
}

impl<const W: usize> WithSimd for Order<'_, W> {
    type Output = Tally;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Tally {
        self.engine.run(simd, self.starts, self.playouts, self.most_steps, self.rng)
    }
}
