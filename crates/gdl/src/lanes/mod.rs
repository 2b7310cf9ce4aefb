//! Lanes: hundreds of uniform random playouts at once, one bit each.
//!
//! This covers every game that has a [`Network`]. Every value of the network is a block with one bit per lane, and
//! every lane is in the middle of its own playout; a pass advances all of them by one step. A lane whose playout ends
//! adds its payoffs and starts the next playout in the same pass. Exactly the requested number of playouts is started,
//! and all are played to their end, so that short ones are not favoured.

mod program;
mod block;
mod choose;
mod taken;
mod playouts;
mod single;

use pulp::{Arch, Simd, WithSimd};
use tesuji_core::Rng;

use crate::Network;
use playouts::{Limits, Playouts};
pub use single::Lane;
pub use taken::TakenMove;

/// The results of a batch of playouts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The sums of payoffs, by start, then by role.
    pub sums: Vec<Vec<i64>>,
    /// The number of finished playouts.
    pub playouts: u64,
    /// Their total number of steps.
    pub steps: u64,
    /// Playouts that ended because a role had no legal move.
    pub stuck: u64,
    /// Playouts that ended at the step limit.
    pub cut: u64,
    /// Payoffs that were undefined or not unique, and count as 0.
    pub undefined: u64,
}

/// The lanes of a network: runs many playouts at once.
pub struct Lanes {
    engine: Engine,
    words: usize,
    arch: Arch,
    vectors: bool,
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
        // Measured: a block of 1,024 lanes is best while all slots fit the second-level cache.
        let words = match program.slots {
            0..=2_500 => 16,
            _ => 8,
        };
        Lanes::with_program(network, program, words)
    }

    /// Lanes for a network, 64 per word: 8 or 16 words.
    ///
    /// # Panics
    /// If the width is not supported, or a role has more than 2²⁴ moves.
    pub fn with_words(network: &Network, words: usize) -> Lanes {
        Lanes::with_program(network, program::compile(network), words)
    }

    fn with_program(network: &Network, program: program::Program, words: usize) -> Lanes {
        assert!((0..network.roles()).all(|role| network.moves(role) < 1 << choose::MOST_PLANES), "too many moves");
        let engine = match words {
            8 => Engine::Eight(Box::new(Playouts::new(program))),
            16 => Engine::Sixteen(Box::new(Playouts::new(program))),
            _ => panic!("lanes come in 8 or 16 words, not {words}"),
        };
        Lanes { engine, words, arch: Arch::new(), vectors: true }
    }

    /// The same lanes without vector instructions: the results are the same.
    pub fn without_vectors(self) -> Lanes {
        Lanes { vectors: false, ..self }
    }

    /// The same lanes in 256-bit vectors (AVX2), even if the machine has wider ones; `None` if it does not have AVX2.
    /// The results are the same.
    pub fn with_avx2(self) -> Option<Lanes> {
        #[cfg(target_arch = "x86_64")]
        let lanes = pulp::x86::V3::try_new().map(|simd| Lanes { arch: Arch::V3(simd), ..self });
        #[cfg(not(target_arch = "x86_64"))]
        let lanes = None;
        lanes
    }

    /// The number of playouts that run at once.
    pub fn lanes(&self) -> usize {
        64 * self.words
    }

    /// Runs `playouts` uniform random playouts from each of `starts`, of at most `most_steps` steps.
    ///
    /// A start is a state as stored by a [`Network`]. Equal starts, numbers and seeds give equal results on every
    /// machine.
    pub fn run(&mut self, starts: &[&[u64]], playouts: u64, most_steps: u32, rng: &mut Rng) -> Tally {
        self.run_within(starts, Limits { playouts, most_steps, counting: false }, rng)
    }

    /// Like [`Lanes::run`], with the same results if no moves are preferred, and counts the moves; see
    /// [`Lanes::taken`].
    pub fn run_counting(&mut self, starts: &[&[u64]], playouts: u64, most_steps: u32, rng: &mut Rng) -> Tally {
        self.run_within(starts, Limits { playouts, most_steps, counting: true }, rng)
    }

    fn run_within(&mut self, starts: &[&[u64]], limits: Limits, rng: &mut Rng) -> Tally {
        let (arch, vectors) = (self.arch, self.vectors);
        match &mut self.engine {
            Engine::Eight(engine) => Order { engine, starts, limits, rng }.run(arch, vectors),
            Engine::Sixteen(engine) => Order { engine, starts, limits, rng }.run(arch, vectors),
        }
    }

    /// In counted playouts a role draws `draws` of its legal moves and makes the one with the highest score, by number.
    /// Other roles are not affected.
    pub fn prefer(&mut self, role: usize, draws: u32, score: impl Fn(u32) -> f32) {
        match &mut self.engine {
            Engine::Eight(engine) => engine.prefer(role, draws, score),
            Engine::Sixteen(engine) => engine.prefer(role, draws, score),
        }
    }

    /// All legal moves are equally likely again.
    pub fn make_uniform(&mut self) {
        match &mut self.engine {
            Engine::Eight(engine) => engine.make_uniform(),
            Engine::Sixteen(engine) => engine.make_uniform(),
        }
    }

    /// The moves taken in the last run that counted them, by start, then by role and number. Moves on which nothing
    /// depends are missing.
    pub fn taken(&self) -> &[Vec<TakenMove>] {
        match &self.engine {
            Engine::Eight(engine) => engine.taken(),
            Engine::Sixteen(engine) => engine.taken(),
        }
    }
}

/// The name of the vector instructions that lanes use on this machine; `none` if it has none that they use.
pub fn vectors() -> &'static str {
    match Arch::new() {
        #[cfg(target_arch = "x86_64")]
        Arch::V4(_) => "AVX-512",
        #[cfg(target_arch = "x86_64")]
        Arch::V3(_) => "AVX2",
        #[cfg(target_arch = "aarch64")]
        Arch::Neon(_) => "NEON",
        _ => "none",
    }
}

/// The arguments of a run, passed to the code for the machine's vectors.
struct Order<'a, const W: usize> {
    engine: &'a mut Playouts<W>,
    starts: &'a [&'a [u64]],
    limits: Limits,
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
        self.engine.run(simd, self.starts, self.limits, self.rng)
    }
}
