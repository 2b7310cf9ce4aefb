//! Selection: which edge the search takes at a node where players choose.
//!
//! UCB1: mean + c·√(ln N / n), where the mean is a share in [0, 1], n the visits of the edge and N those of its node or
//! of the whole search. (The form mean + √(2 ln N / n) is c = √2.) If AMAF means are kept (`amaf`), they are mixed into
//! the mean.
//!
//! PUCT: mean + c·P·√N / (1 + n), where P is the prior probability of the edge (Rosin, "Multi-armed Bandits with
//! Episode Context", 2011, in the form of Silver and others, "Mastering the Game of Go without Human Knowledge",
//! 2017). An untried edge has the mean of all tried ones.

use tesuji_core::Rng;

use super::tree::Edge;
use crate::arithmetic::ln_count;

/// Which edge the search takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Selection {
    /// The greatest upper confidence bound; ties at random.
    Ucb1 {
        /// The exploration constant.
        c: f64,
        /// What N counts.
        total: TotalCount,
        /// The value of an untried edge.
        first_play: FirstPlay,
    },
    /// The greatest sum of mean and prior, by PUCT; ties at random. Edges have learned probabilities.
    Puct {
        /// The exploration constant.
        c: f64,
    },
}

/// What N in the formula counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TotalCount {
    /// Visits of the node.
    Node,
    /// Visits of the root: all playouts of the search.
    Search,
}

/// The value of an untried edge (first play).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FirstPlay {
    /// Greater than any other, in random order.
    Random,
    /// Greater than any other, in the game's order.
    Ordered,
    /// This score.
    Urgency(f64),
    /// Its membership in the fuzzy set of good actions (paper 000, equation 7), or its learned value; 1 for all without
    /// either.
    Membership,
}

impl Selection {
    /// The index of the edge to take. `edges` is not empty. `taken` is how often one of them was taken, which equals
    /// `node_visits` unless visits come in batches.
    #[inline]
    pub(super) fn pick<A>(
        &self,
        edges: &[Edge<A>],
        node_visits: u32,
        root_visits: u32,
        taken: u32,
        rng: &mut Rng,
    ) -> usize {
        let (c, total, first_play) = match *self {
            Selection::Ucb1 { c, total, first_play } => (c, total, first_play),
            Selection::Puct { c } => return best(edges, rng, puct(edges, c, node_visits)),
        };
        let log = ln_count(match total {
            TotalCount::Node => node_visits,
            TotalCount::Search => root_visits,
        });
        // While all others wait for the untried, each of the first visits takes a new edge.
        let untried = edges.len().saturating_sub(taken as usize);
        match first_play {
            FirstPlay::Random if untried > 0 => nth_untried(edges, rng.below(untried)),
            FirstPlay::Ordered if untried > 0 => nth_untried(edges, 0),
            FirstPlay::Urgency(urgency) => {
                best(edges, rng, |edge| if edge.visits == 0 { urgency } else { ucb1(edge, c, log) })
            }
            FirstPlay::Membership => {
                best(edges, rng, |edge| if edge.visits == 0 { f64::from(edge.weight) } else { ucb1(edge, c, log) })
            }
            _ => best(edges, rng, |edge| ucb1(edge, c, log)),
        }
    }
}

impl Selection {
    /// Like `pick`, by the visits of the edges alone, where those of the node are others.
    pub(super) fn pick_by_edges<A>(&self, edges: &[Edge<A>], root_visits: u32, rng: &mut Rng) -> usize {
        let visits = edges.iter().map(|edge| edge.visits).sum();
        let tried = edges.iter().filter(|edge| edge.visits > 0).count();
        self.pick(edges, visits, root_visits, tried as u32, rng)
    }

    /// Like `pick`, among the edges taken before; there is at least one.
    pub(super) fn pick_tried<A>(&self, edges: &[Edge<A>], visits: (u32, u32), rng: &mut Rng) -> usize {
        let (c, total) = match *self {
            Selection::Ucb1 { c, total, .. } => (c, total),
            Selection::Puct { c } => {
                let score = puct(edges, c, visits.0);
                return best(edges, rng, |edge| if edge.visits == 0 { f64::NEG_INFINITY } else { score(edge) });
            }
        };
        let log = ln_count(match total {
            TotalCount::Node => visits.0,
            TotalCount::Search => visits.1,
        });
        best(edges, rng, |edge| if edge.visits == 0 { f64::NEG_INFINITY } else { ucb1(edge, c, log) })
    }

    /// An untried edge; there is at least one.
    pub(super) fn pick_untried<A>(&self, edges: &[Edge<A>], rng: &mut Rng) -> usize {
        let first_play = match *self {
            Selection::Ucb1 { first_play, .. } => first_play,
            Selection::Puct { .. } => FirstPlay::Membership,
        };
        if first_play == FirstPlay::Membership {
            return best(edges, rng, |edge| if edge.visits == 0 { f64::from(edge.weight) } else { f64::NEG_INFINITY });
        }
        let untried = edges.iter().filter(|edge| edge.visits == 0).count();
        nth_untried(edges, if first_play == FirstPlay::Ordered { 0 } else { rng.below(untried) })
    }
}

impl Selection {
    /// Like `pick`, with the AMAF visits and mean of each edge's action mixed in with the given weight. An untried edge
    /// is explored as if it had the visits that its first visit will bring. PUCT ignores all that.
    pub(super) fn pick_mixed<A>(
        &self,
        edges: &[Edge<A>],
        visits: (u32, u32),
        rng: &mut Rng,
        (weight, first_visits): (f64, u32),
        amaf: impl Fn(&Edge<A>) -> (u32, f32),
    ) -> usize {
        let Selection::Ucb1 { c, total, first_play } = *self else {
            return self.pick(edges, visits.0, visits.1, visits.0, rng);
        };
        let (node_visits, root_visits) = visits;
        let log = ln_count(match total {
            TotalCount::Node => node_visits,
            TotalCount::Search => root_visits,
        });
        let score = |edge: &Edge<A>| match (edge.visits, amaf(edge)) {
            (0, (0, _)) => match first_play {
                FirstPlay::Random | FirstPlay::Ordered => f64::INFINITY,
                FirstPlay::Urgency(urgency) => urgency,
                FirstPlay::Membership => f64::from(edge.weight),
            },
            (0, (_, mean)) => f64::from(mean) + c * (log / f64::from(first_visits)).sqrt(),
            (_, (0, _)) => ucb1(edge, c, log),
            // A refuted edge stays at −∞.
            (_, (_, mean)) => {
                let once = 1.0 / f64::from(edge.visits);
                (1.0 - weight) * (edge.total * once) + weight * f64::from(mean) + c * (log * once).sqrt()
            }
        };
        if first_play == FirstPlay::Ordered
            && let Some(first) = edges.iter().position(|edge| score(edge) == f64::INFINITY)
        {
            return first;
        }
        best(edges, rng, score)
    }
}

/// The score of an edge of a node by PUCT.
#[inline(always)]
fn puct<A>(edges: &[Edge<A>], c: f64, node_visits: u32) -> impl Fn(&Edge<A>) -> f64 {
    let (visits, total) = edges
        .iter()
        .filter(|edge| edge.visits > 0 && edge.total > f64::NEG_INFINITY)
        .fold((0.0, 0.0), |(visits, total), edge| (visits + f64::from(edge.visits), total + edge.total));
    let mean = if visits > 0.0 { total / visits } else { 0.5 };
    // At the first visit the prior alone decides.
    let scale = c * f64::from(node_visits.max(1)).sqrt();
    move |edge| {
        let value = if edge.visits == 0 { mean } else { edge.total / f64::from(edge.visits) };
        value + scale * f64::from(edge.weight) / (1.0 + f64::from(edge.visits))
    }
}

#[inline(always)]
fn ucb1<A>(edge: &Edge<A>, c: f64, log: f64) -> f64 {
    let once = 1.0 / f64::from(edge.visits);
    edge.total * once + c * (log * once).sqrt()
}

/// The edge with the greatest score, ties at random. If two movers at a joint move both took the first, they would move
/// in lock-step, and each would mistake the other's habit for the value of the game.
#[inline(always)]
fn best<A>(edges: &[Edge<A>], rng: &mut Rng, score: impl Fn(&Edge<A>) -> f64) -> usize {
    let mut best = 0;
    let mut best_score = f64::NEG_INFINITY;
    let mut equal = 1;
    for (index, edge) in edges.iter().enumerate() {
        let score = score(edge);
        if score > best_score {
            (best, best_score, equal) = (index, score, 1);
        } else if score == best_score {
            equal += 1;
            if rng.below(equal) == 0 {
                best = index;
            }
        }
    }
    best
}

fn nth_untried<A>(edges: &[Edge<A>], rank: usize) -> usize {
    let untried = edges.iter().enumerate().filter(|(_, edge)| edge.visits == 0);
    untried.map(|(index, _)| index).nth(rank).unwrap_or(0)
}
