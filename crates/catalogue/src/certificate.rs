//! Certificates of exact values as text: written by the solver, checked claim by claim with the rules.
//!
//! The text has a header and one line a claim, its fields separated by tabs:
//!
//! ```text
//! tesuji certificate 1
//! game<TAB>sync-triomineering(rows=8,columns=4)
//! state<TAB>..../..../..../..../..../..../..../....
//! value<TAB>3/4
//! >=<TAB>3/4<TAB>..../…<TAB>1/2 b1<TAB>1/2 b6
//! <=<TAB>3/4<TAB>..../…<TAB>1/2 a3<TAB>1/2 a6
//! ```
//!
//! `>=` is a claim of the first player (its value is at least this), `<=` one of the second (the first player's value
//! is at most this). The strategy follows, a share and an action in each field. Without a strategy, the claim follows
//! from the bounds that the game's page explains, or the player does not move there.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{Actor, ErrorKind, Features, InputError, Player, Turn};
use tesuji_solve::matrix::Fraction;
use tesuji_solve::simultaneous::{ExactSolver, Limits, Memory, NoCertificate, bounds, check_solvable};

use crate::solve::SolvePlan;
use crate::solve_simultaneous::{deep, most_positions, unsolved};

const FIRST_LINE: &str = "tesuji certificate 1";

/// A certificate whose claims all hold.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CheckedCertificate {
    /// The address of the game.
    pub game: String,
    /// The position whose value is certified.
    pub state: String,
    /// What the first player gets there under best play.
    pub value: String,
    /// The number of claims.
    pub claims: usize,
}

fn refused(message: String) -> InputError {
    InputError::new(message).of_kind(ErrorKind::Refused)
}

/// Whether games of a type can have certificates: those with joint moves, which the solver of this module's claims is
/// for. Other types do not compile it.
const fn has_certificates<G: Complete>() -> bool {
    G::CLASS.contains(Features::SIMULTANEOUS) && G::READS_STATES
}

/// Solves a position and writes the certificate of its value.
pub(crate) fn certificate<G: Complete>(game: &G, start: &G::State, plan: &SolvePlan<'_>) -> Result<String, InputError> {
    let name = &game.spec().name;
    if !const { has_certificates::<G>() } {
        return Err(refused(format!("there are no certificates for `{name}`"))
            .with_help("they are for games of joint moves whose states can be written"));
    }
    check_solvable(game)?;
    let found = deep(|| {
        let mut go_on = |_| !plan.is_stopped();
        let limits = Limits { positions: most_positions(plan), go_on: Some(&mut go_on) };
        ExactSolver::new(game, Memory::new(), limits).certificate(start, most_positions(plan))
    })?;
    let claims = found.map_err(|why| match why {
        NoCertificate::GaveUp(why) => unsolved(name, plan, why),
        NoCertificate::Rounded => refused(format!("the value of `{name}` is not known as a fraction")),
        NoCertificate::Chance => refused(format!("chance acts in `{name}`: certificates are for games without it")),
        NoCertificate::TooLong => {
            InputError::new(format!("the certificate of `{name}` has more than {} claims", most_positions(plan)))
                .of_kind(ErrorKind::TooLarge)
                .with_help("`--nodes` allows more; `--state` certifies a later position")
        }
    })?;
    let value = claims.first().map_or(Fraction::ZERO, |claim| claim.bound);
    let mut text = format!("{FIRST_LINE}\ngame\t{name}\nstate\t{}\nvalue\t{value}\n", game.state_text(start));
    for claim in &claims {
        let sign = if claim.player == Player(0) { ">=" } else { "<=" };
        let _ = write!(text, "{sign}\t{}\t{}", claim.bound, game.state_text(&claim.state));
        for (action, share) in &claim.mix {
            let _ = write!(text, "\t{share} {}", game.action_text(&claim.state, Actor::Player(claim.player), *action));
        }
        text.push('\n');
    }
    Ok(text)
}

/// The address of the game that a certificate is about.
pub fn certified_game(text: &str) -> Result<&str, InputError> {
    let mut lines = text.lines();
    if lines.next() != Some(FIRST_LINE) {
        return Err(InputError::new(format!("line 1: expected `{FIRST_LINE}`")));
    }
    field(lines.next(), 2, "game")
}

/// A field of the header.
fn field<'a>(line: Option<&'a str>, number: usize, key: &str) -> Result<&'a str, InputError> {
    let value = line.and_then(|line| line.strip_prefix(key)?.strip_prefix('\t'));
    value.ok_or_else(|| InputError::new(format!("line {number}: expected `{key}`, a tab and a value")))
}

/// A claim as it is written.
struct Written<G: Complete> {
    line: usize,
    state: G::State,
    player: Player,
    bound: Fraction,
    mix: Vec<(G::Action, Fraction)>,
}

/// Checks every claim of a certificate of `game`.
pub(crate) fn check_certificate<G: Complete>(game: &G, text: &str) -> Result<CheckedCertificate, InputError> {
    if !const { has_certificates::<G>() } {
        return Err(refused(format!("there are no certificates for `{}`", game.spec().name)));
    }
    check_solvable(game)?;
    certified_game(text)?;
    let mut header = text.lines().skip(2);
    let (state, value) = (field(header.next(), 3, "state")?, field(header.next(), 4, "value")?);
    let start = game.parse_state(state)?;
    let value_of = |text: &str, line: usize| {
        text.parse::<Fraction>().map_err(|why| InputError::new(format!("line {line}: `{text}`: {why}")))
    };
    let claimed = value_of(value, 4)?;
    let mut checker = Checker { game, known: [HashMap::new(), HashMap::new()] };
    let mut claims = Vec::new();
    for (index, line) in text.lines().enumerate().skip(4) {
        claims.push(checker.read(line, index + 1)?);
    }
    for claim in &claims {
        checker.check(claim)?;
    }
    for player in [Player(0), Player(1)] {
        if checker.worth(&start, player)? != claimed {
            return Err(InputError::new(format!("no claim of {} reaches the value", game.spec().player_name(player))));
        }
    }
    Ok(CheckedCertificate {
        game: game.spec().name.clone(),
        state: state.to_owned(),
        value: claimed.to_string(),
        claims: claims.len(),
    })
}

struct Checker<'a, G: Complete> {
    game: &'a G,
    /// By player: the strongest bound claimed for a position.
    known: [HashMap<G::State, Fraction>; 2],
}

impl<G: Complete> Checker<'_, G> {
    /// Reads a claim and enters its bound.
    fn read(&mut self, line: &str, number: usize) -> Result<Written<G>, InputError> {
        let wrong = |what: &str| InputError::new(format!("line {number}: {what}"));
        let fields: Vec<&str> = line.split('\t').collect();
        let [sign, bound, state, shares @ ..] = &fields[..] else {
            return Err(wrong("expected a sign, a bound and a state, separated by tabs"));
        };
        let player = match *sign {
            ">=" => Player(0),
            "<=" => Player(1),
            _ => return Err(wrong("expected `>=` or `<=`")),
        };
        let fraction = |text: &str| text.parse::<Fraction>().map_err(|why| wrong(&format!("`{text}`: {why}")));
        let bound = fraction(bound)?;
        let state = self.game.parse_state(state)?;
        let mut mix = Vec::new();
        for share in shares {
            let (share, action) = share.split_once(' ').ok_or_else(|| wrong("expected a share and an action"))?;
            mix.push((self.game.parse_action(&state, Actor::Player(player), action)?, fraction(share)?));
        }
        let known = self.known[player.index()].entry(state.clone()).or_insert(bound);
        *known = if player == Player(0) { bound.max(*known) } else { bound.min(*known) };
        Ok(Written { line: number, state, player, bound, mix })
    }

    /// What the claims and the rules give a player in a position.
    fn worth(&self, state: &G::State, player: Player) -> Result<Fraction, InputError> {
        let fraction = |value: f64| Fraction::near(value).ok_or_else(|| refused("a payoff is no fraction".to_owned()));
        if self.game.turn(state) == Turn::Over {
            return fraction(self.game.payoff(state, Player(0)));
        }
        let essence = match self.game.solver_hints() {
            Some(hints) => hints.essence(self.game, state),
            None => state.clone(),
        };
        let (loss, win) = self.game.spec().payoffs;
        match self.known[player.index()].get(&essence) {
            Some(bound) => Ok(*bound),
            None => fraction(if player == Player(0) { loss } else { win }),
        }
    }

    fn check(&self, claim: &Written<G>) -> Result<(), InputError> {
        let Written { line, state, player, bound, mix } = claim;
        let player = *player;
        let wrong = |what: &str| InputError::new(format!("line {line}: {what}"));
        let is_reached = |worth: Fraction| if player == Player(0) { worth >= *bound } else { worth <= *bound };
        let (low, high) = bounds(self.game, state);
        if let Some(seen) = Fraction::near(if player == Player(0) { low } else { high })
            && is_reached(seen)
        {
            return Ok(());
        }
        let turn = self.game.turn(state);
        let moves = turn.movers().any(|mover| mover == player);
        let shares = mix.iter().try_fold(Fraction::ZERO, |sum, (_, share)| sum.plus(share));
        if moves && (shares != Some(Fraction::ONE) || mix.iter().any(|(_, share)| *share < Fraction::ZERO)) {
            return Err(wrong("the shares are not those of a strategy"));
        }
        let mut replies = Vec::new();
        for other in turn.movers().filter(|mover| *mover != player) {
            self.game.legal(state, other, &mut replies);
        }
        let own: Vec<(Option<G::Action>, Fraction)> = match moves {
            true => mix.iter().map(|(action, share)| (Some(*action), *share)).collect(),
            false => vec![(None, Fraction::ONE)],
        };
        let replies: Vec<Option<G::Action>> = match replies.is_empty() {
            true => vec![None],
            false => replies.into_iter().map(Some).collect(),
        };
        for reply in replies {
            let mut mean = Some(Fraction::ZERO);
            for (action, share) in &own {
                let joint = if player == Player(0) { [*action, reply] } else { [reply, *action] };
                let joint: Vec<G::Action> = joint.into_iter().flatten().collect();
                if joint.is_empty() || turn == Turn::Chance {
                    return Err(wrong("nothing shows this claim"));
                }
                let mut next = state.clone();
                self.game.apply(&mut next, &joint);
                let part = share.times(&self.worth(&next, player)?);
                mean = mean.zip(part).and_then(|(mean, part)| mean.plus(&part));
            }
            if !mean.is_some_and(is_reached) {
                let reply = reply.map_or(String::new(), |reply| {
                    let other = Actor::Player(Player(1 - player.0));
                    format!(" against {}", self.game.action_text(state, other, reply))
                });
                return Err(wrong(&format!("the strategy does not reach the bound{reply}")));
            }
        }
        Ok(())
    }
}
