//! The random numbers of one match.

use tesuji_core::{Player, Rng, mix};

/// The random streams of one match: that of chance, and those of the agents.
#[derive(Clone, Debug)]
pub struct Streams(Kind);

#[derive(Clone, Debug)]
enum Kind {
    /// Streams that continue from decision to decision, one for each seat.
    Seats { nature: Rng, seats: Vec<Rng> },
    /// Streams that continue from decision to decision, one for all seats.
    Shared { nature: Rng, agents: Rng },
    /// A new stream for each decision.
    Steps { seed: u64 },
}

impl Streams {
    /// The streams of match `index` of the round with `seed`: one for chance, and one for each seat.
    ///
    /// The matches of a round share the stream of chance but not the agents', so that dice are the same for all sides.
    pub fn new(seed: u64, index: u64, seats: usize) -> Streams {
        let own = mix(mix(seed, 1), index);
        Streams(Kind::Seats {
            nature: Rng::new(mix(seed, 0)),
            seats: (0..seats as u64).map(|seat| Rng::new(mix(own, seat))).collect(),
        })
    }

    /// Two given streams: one for chance, and one that all agents draw from in the order of their decisions.
    pub fn shared(nature: Rng, agents: Rng) -> Streams {
        Streams(Kind::Shared { nature, agents })
    }

    /// A new stream for each decision, derived from the seed, the player and the step number. A match resumed from its
    /// record continues as it would have.
    pub fn by_step(seed: u64) -> Streams {
        Streams(Kind::Steps { seed })
    }

    /// Has chance drawn a number since `start`, the streams that the match began with? `None` if streams are made anew
    /// for each decision, which leaves no trace.
    pub fn chance_drew(&self, start: &Streams) -> Option<bool> {
        match (&self.0, &start.0) {
            (
                Kind::Seats { nature, .. } | Kind::Shared { nature, .. },
                Kind::Seats { nature: first, .. } | Kind::Shared { nature: first, .. },
            ) => Some(nature != first),
            _ => None,
        }
    }

    /// Has the agent in this seat drawn a number since `start`? `None` if streams are made anew for each decision or
    /// shared by all seats.
    pub fn seat_drew(&self, start: &Streams, seat: usize) -> Option<bool> {
        match (&self.0, &start.0) {
            (Kind::Seats { seats, .. }, Kind::Seats { seats: first, .. }) => Some(seats.get(seat)? != first.get(seat)?),
            _ => None,
        }
    }

    /// Calls `draw` with the stream of chance at a step.
    pub(crate) fn nature<T>(&mut self, step: usize, draw: impl FnOnce(&mut Rng) -> T) -> T {
        match &mut self.0 {
            Kind::Seats { nature, .. } | Kind::Shared { nature, .. } => draw(nature),
            Kind::Steps { seed } => draw(&mut Rng::new(mix(mix(*seed, 0), step as u64))),
        }
    }

    /// Calls `think` with the stream of a player at a step.
    pub(crate) fn seat<T>(&mut self, player: Player, step: usize, think: impl FnOnce(&mut Rng) -> T) -> T {
        match &mut self.0 {
            Kind::Seats { seats, .. } => think(&mut seats[player.index()]),
            Kind::Shared { agents, .. } => think(agents),
            Kind::Steps { seed } => think(&mut of_step(*seed, player, step)),
        }
    }

    /// The stream of a player at a step, for a decision made elsewhere.
    pub(crate) fn lend(&self, player: Player, step: usize) -> Rng {
        match &self.0 {
            Kind::Seats { seats, .. } => seats[player.index()].clone(),
            Kind::Shared { agents, .. } => agents.clone(),
            Kind::Steps { seed } => of_step(*seed, player, step),
        }
    }

    /// Takes a stream back, advanced as far as it was used.
    pub(crate) fn give_back(&mut self, player: Player, rng: Rng) {
        match &mut self.0 {
            Kind::Seats { seats, .. } => seats[player.index()] = rng,
            Kind::Shared { agents, .. } => *agents = rng,
            Kind::Steps { .. } => {}
        }
    }
}

/// Chance has the number 0.
fn of_step(seed: u64, player: Player, step: usize) -> Rng {
    Rng::new(mix(mix(seed, player.index() as u64 + 1), step as u64))
}
