//! `outside`: who played a match that was refereed from outside, such as a general game player over HTTP.
//!
//! Stores name both sides of every match by addresses, and results are read again through them. A player that this
//! program only met over a network has such an address too; it cannot be seated.

use tesuji_core::laws::Complete;
use tesuji_core::{Arguments, Features, InputError, Parameter, Rng};
use tesuji_play::{Agent, Budget, Decision, Failure, Seat};

use tesuji_play::{AgentKind, Trust};

/// The kind `outside`.
pub struct OutsideKind;

impl AgentKind for OutsideKind {
    const NAME: &'static str = "outside";
    const SUMMARY: &'static str = "Somebody met over a network, as stores name them; cannot be seated";
    const HANDLES: Features = Features::all();
    const TRUST: Trust = Trust::Outside;
    const SEARCHES: bool = false;
    const PARAMETERS: &'static [Parameter] =
        &[Parameter::required("peer", "who it was, such as a host and a port, or the name it gave")];

    fn build<G: Complete>(arguments: &Arguments, _: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        Ok(Box::new(OutsideAgent { peer: arguments.text("peer").to_owned() }))
    }
}

struct OutsideAgent {
    peer: String,
}

impl<G: Complete> Agent<G> for OutsideAgent {
    fn choose(&mut self, _: Seat<'_, G>, _: &Budget, _: &mut Rng) -> Result<Decision<G::Action>, Failure> {
        Err(Failure::Broken(format!(
            "`{}` was met over a network and cannot be seated here; `tesuji ggp referee` and `tesuji tubstap server` \
             play against such peers",
            self.peer
        )))
    }
}
