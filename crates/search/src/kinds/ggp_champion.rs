//! The agent kind `ggp-champion`: the general game player, which chooses its search by the game.

use tesuji_core::laws::Complete;
use tesuji_core::{Arguments, Features, InputError, Parameter};
use tesuji_play::{can_ever_play, refusal};

use super::parameters::{BUDGET, budget, joined};
use super::self_taught::self_taught;
use super::uct::MOST_THREADS;
use super::{AgentKind, IsmctsKind, JointTreeKind, PuzzleKind, SelfTaughtKind, UctKind};
use crate::{Agent, Champion, Pupil, is_puzzle};

/// The kind `ggp-champion`.
pub struct GgpChampionKind;

/// GRAVE with proofs and playouts that learn: in batches with MAST; where there are none, or where playouts are
/// counted, with NST. docs/agents/kinds/ggp-champion.md has what else was tried.
const GUIDED: &str = "uct(draws=4,c=0.3,solver=true,rave=grave,reference=50,equivalence=250,playout=uniform,leaves=64,\
                      learn=nst,grams=3,least=7,history=joint,epsilon=0.4,decay=0.2)";
/// The same with playouts that learn less, for games with few actions: in Connect Four (6×7) at 60 ms a decision it
/// beats `GUIDED` 11-3-2, and UCT with uniform playouts in batches 7-3-6.
const LOOSELY_GUIDED: &str = "uct(draws=2,c=0.3,solver=true,rave=grave,reference=50,equivalence=250,playout=uniform,\
                              leaves=64,decay=0.2)";
/// `joint-best`.
const JOINT: &str = "joint-tree(selection=uct,c=0.5,backup=value,choice=equilibrium,solve=0.5,hedge=8)";
/// For joint moves of three or more players.
const DECOUPLED: &str = "uct(c=0.5,playout=uniform)";
/// For joint moves that hardly need mixed strategies: at 80 ms it beats `joint-best` 13-1-2 in simultaneous Connect
/// Four, and loses 0-0-16 to it in bidding Tic-Tac-Toe.
const UNMIXED: &str = "uct(c=0.5,choice=visits,leaves=32,playout=uniform)";

/// Look-ahead with what was learned on the start clock.
const TAUGHT: &str = "self-taught()";
/// For hidden information.
const HIDDEN: &str = "ismcts(playout=uniform)";

/// The greatest part of a start clock for learning and trial: the rest is for their last match, which may end late.
const MOST_PREPARATION: f64 = 0.95;

impl AgentKind for GgpChampionKind {
    const NAME: &'static str = "ggp-champion";
    const SUMMARY: &'static str =
        "The general game player: a search chosen by the game's features and by matches on the start clock";
    const HANDLES: Features = Features::all();
    const PARAMETERS: &'static [Parameter] = &joined::<6>(&[
        &BUDGET,
        &[
            Parameter::new("trial", "0.4", "the fraction of the start clock in which its searches compete; 0: none"),
            Parameter::new("learn", "0.4", "the fraction of the start clock in which a network is trained; 0: none"),
            Parameter::new("threads", "1", "threads of its tree searches, except those for joint moves"),
        ],
    ]);

    fn build<G: Complete>(arguments: &Arguments, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
        let features = game.spec().features;
        let threads = arguments.integer("threads", 1..=MOST_THREADS)?;
        let threaded = |address: &str| {
            let address = address.trim_end_matches(')');
            format!("{address}{}threads={threads})", if address.ends_with('(') { "" } else { "," })
        };
        let trial = arguments.number("trial", 0.0..=0.9)?;
        let learn = arguments.number("learn", 0.0..=0.9)?;
        if trial + learn > MOST_PREPARATION {
            let most = MOST_PREPARATION - trial;
            return Err(arguments.wrong("learn", format!("at most {most:.2} beside `trial={trial}`")));
        }
        let (mut searches, mut pupil) = (Vec::new(), None);
        if features.contains(Features::HIDDEN) {
            if const { can_ever_play::<IsmctsKind, G>() } {
                searches.push(made::<IsmctsKind, G>(HIDDEN, game)?);
            } else {
                return Err(refusal::<IsmctsKind, G>(game));
            }
        } else if const { can_ever_play::<PuzzleKind, G>() } && is_puzzle(game.spec()) {
            searches.push(made::<PuzzleKind, G>("puzzle", game)?);
        } else if features.contains(Features::SIMULTANEOUS) {
            searches.push(
                if const { can_ever_play::<JointTreeKind, G>() } && !features.contains(Features::MANY_PLAYERS) {
                    made::<JointTreeKind, G>(JOINT, game)?
                } else {
                    made::<UctKind, G>(&threaded(DECOUPLED), game)?
                },
            );
            searches.push(made::<UctKind, G>(&threaded(UNMIXED), game)?);
        } else {
            searches.push(made::<UctKind, G>(&threaded(GUIDED), game)?);
            searches.push(made::<UctKind, G>(&threaded(LOOSELY_GUIDED), game)?);
            if const { can_ever_play::<SelfTaughtKind, G>() } && learn > 0.0 {
                pupil = taught(&threaded(TAUGHT), game)?;
            }
        }
        // At joint moves an agent that never mixes can be exploited, even if it wins these matches by luck.
        let margin = f64::from(u8::from(features.contains(Features::SIMULTANEOUS)));
        let champion = Champion::new(searches, budget(arguments)?, trial, margin);
        Ok(Box::new(match pupil {
            Some(pupil) => champion.with_pupil(pupil, learn),
            None => champion,
        }))
    }
}

/// A search that learns the game; `None` if training does not cover it.
fn taught<G: Complete>(address: &str, game: &G) -> Result<Option<Box<dyn Pupil<G>>>, InputError> {
    let covered = SelfTaughtKind::HANDLES.contains(game.spec().features) && game.value_features().is_some();
    let arguments = Arguments::bind(&address.parse()?, SelfTaughtKind::PARAMETERS)?;
    Ok(if covered { Some(Box::new(self_taught(&arguments, game)?)) } else { None })
}

/// The agent of kind `K` at `address`.
fn made<K: AgentKind, G: Complete>(address: &str, game: &G) -> Result<Box<dyn Agent<G>>, InputError> {
    K::build(&Arguments::bind(&address.parse()?, K::PARAMETERS)?, game)
}
