//! Certificates: what somebody who trusts no solver needs in order to check the value of a position.
//!
//! A certificate is a list of *claims*. A claim says that one player gets at least a bound in a position, and with
//! which mixed strategy of the first step: against every legal reply, the mean of what is claimed for the positions
//! behind is at least the bound. Where the match is over the rules decide; a position without a claim is only known to
//! lie within the payoffs of the rules. So every claim can be checked by itself, with nothing but the rules.
//!
//! Where the game's hints bound the value without search ([`SolverHints::bounds`](tesuji_core::SolverHints::bounds)), a
//! claim has no strategy: whoever checks it must know that rule.

use std::collections::HashMap;

use tesuji_core::{Knowledge, Player, Turn};

use super::{Answer, ExactSolver, GaveUp, bounds};
use crate::matrix::Fraction;

/// What one player can get in a position, as a payoff of the first player, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim<S, A> {
    /// The position.
    pub state: S,
    /// Who can enforce the bound: the first player that the value is at least this, or the second that it is at most
    /// this.
    pub player: Player,
    /// The bound.
    pub bound: Fraction,
    /// The strategy of the first step, with shares that add up to 1; empty if the game's hints say so without search,
    /// or if the player does not move here.
    pub mix: Vec<(A, Fraction)>,
}

/// Claims that prove the value of a position; the first two are about the position itself.
pub type Certificate<G> = Vec<Claim<<G as tesuji_core::Game>::State, <G as tesuji_core::Game>::Action>>;

/// Why there is no certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoCertificate {
    /// The solver gave up.
    GaveUp(GaveUp),
    /// A value or a share is not known as a fraction.
    Rounded,
    /// Chance acts in the game.
    Chance,
    /// There would be more claims than allowed.
    TooLong,
}

impl From<GaveUp> for NoCertificate {
    fn from(why: GaveUp) -> NoCertificate {
        NoCertificate::GaveUp(why)
    }
}

/// The claims that are made so far, and those that remain to be made.
struct Claims<G: Knowledge> {
    made: Certificate<G>,
    /// By position and player: the strongest bound claimed.
    strongest: HashMap<(G::State, u8), Fraction>,
    wanted: Vec<(G::State, Player, Fraction)>,
}

impl<G: Knowledge> ExactSolver<'_, G> {
    /// A certificate of the value of `state`, with at most `most` claims.
    pub fn certificate(&mut self, state: &G::State, most: usize) -> Result<Certificate<G>, NoCertificate> {
        let value = self.value(state)?.exact.ok_or(NoCertificate::Rounded)?;
        let mut claims: Claims<G> = Claims { made: Vec::new(), strongest: HashMap::new(), wanted: Vec::new() };
        let start = self.essence(state);
        claims.wanted = vec![(start.clone(), Player(1), value), (start, Player(0), value)];
        while let Some((state, player, bound)) = claims.wanted.pop() {
            let known = claims.strongest.get(&(state.clone(), player.0));
            if known.is_some_and(|known| !stronger(player, &bound, known)) {
                continue;
            }
            if claims.made.len() >= most {
                return Err(NoCertificate::TooLong);
            }
            claims.strongest.insert((state.clone(), player.0), bound);
            let mix = self.justify(&state, player, bound, &mut claims)?;
            claims.made.push(Claim { state, player, bound, mix });
        }
        Ok(claims.made)
    }

    /// The strategy with which `player` enforces `bound`; what it relies on is added to the wanted claims.
    fn justify(
        &mut self,
        state: &G::State,
        player: Player,
        bound: Fraction,
        claims: &mut Claims<G>,
    ) -> Result<Vec<(G::Action, Fraction)>, NoCertificate> {
        let (low, high) = bounds(self.game, state);
        let seen = Fraction::near(if player == Player(0) { low } else { high }).ok_or(NoCertificate::Rounded)?;
        if !stronger(player, &bound, &seen) {
            return Ok(Vec::new());
        }
        let other = Player(1 - player.0);
        let mut replies = Vec::new();
        let mix = match self.game.turn(state) {
            Turn::Chance => return Err(NoCertificate::Chance),
            Turn::Over => Vec::new(),
            Turn::Player(mover) if mover == player => vec![(self.best_action(state, mover)?, Fraction::ONE)],
            Turn::Player(mover) => {
                self.game.legal(state, mover, &mut replies);
                Vec::new()
            }
            Turn::Simultaneous(_) => {
                self.game.legal(state, other, &mut replies);
                self.enforcing_mix(state, player, bound)?
            }
        };
        let is_pure = mix.len() <= 1;
        let own: Vec<Option<G::Action>> =
            if mix.is_empty() { vec![None] } else { mix.iter().map(|(a, _)| Some(*a)).collect() };
        let replies: Vec<Option<G::Action>> =
            if replies.is_empty() { vec![None] } else { replies.into_iter().map(Some).collect() };
        for &action in &own {
            for &reply in &replies {
                let joint: Vec<G::Action> =
                    if player == Player(0) { [action, reply] } else { [reply, action] }.into_iter().flatten().collect();
                if joint.is_empty() {
                    continue;
                }
                let mut next = state.clone();
                self.game.apply(&mut next, &joint);
                if self.game.turn(&next) == Turn::Over {
                    continue;
                }
                // One action alone must keep the bound; several together need all that each of them is worth.
                let needed = if is_pure { bound } else { self.value(&next)?.exact.ok_or(NoCertificate::Rounded)? };
                let (loss, win) = self.game.spec().payoffs;
                let given =
                    Fraction::near(if player == Player(0) { loss } else { win }).ok_or(NoCertificate::Rounded)?;
                if stronger(player, &needed, &given) {
                    claims.wanted.push((self.essence(&next), player, needed));
                }
            }
        }
        Ok(mix)
    }

    /// A strategy of a joint move with which `player` gets at least `bound` against every reply.
    fn enforcing_mix(
        &mut self,
        state: &G::State,
        player: Player,
        bound: Fraction,
    ) -> Result<Vec<(G::Action, Fraction)>, NoCertificate> {
        if let Some(action) = self.forcing_action(state, player.index(), bound.to_f64())? {
            return Ok(vec![(action, Fraction::ONE)]);
        }
        let ([first, second], _) = self.strategies(state)?;
        let shares = if player == Player(0) { first } else { second };
        let exact = |(action, share): (G::Action, super::GameValue)| Some((action, share.exact?));
        shares.into_iter().map(exact).collect::<Option<Vec<_>>>().ok_or(NoCertificate::Rounded)
    }

    fn best_action(&mut self, state: &G::State, mover: Player) -> Answer<G::Action> {
        let solution = self.solve(state)?;
        Ok(solution.strategies[mover.index()][0].0)
    }

    fn essence(&self, state: &G::State) -> G::State {
        self.game.solver_hints().map_or_else(|| state.clone(), |hints| hints.essence(self.game, state))
    }
}

/// Whether `one` says more than `two` for `player`.
fn stronger(player: Player, one: &Fraction, two: &Fraction) -> bool {
    if player == Player(0) { one > two } else { one < two }
}
