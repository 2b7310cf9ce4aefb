//! The laws that every game obeys, checked by playing random matches.
//!
//! A game that breaks a law is wrong, whatever its rules are. The arena's tests check every entry of the catalogue;
//! `tesuji laws` runs the same check on a game under development.

mod action_features;
mod batch;
mod heuristics;
mod numbers;
mod perception;
mod solver_hints;
mod state;
mod tactics;
mod value_features;

use std::fmt::Debug;

use self::action_features::check_features;
use self::batch::check_batch;
use self::heuristics::check_heuristics;
use self::numbers::{check_numbers, check_observation};
use self::perception::check_perception;
use self::solver_hints::{check_clock, check_hints};
use self::state::{check_picture, check_state_text, examine_state};
use self::tactics::check_tactics;
use self::value_features::check_value_features;
use crate::{
    Actor, Capabilities, Drawing, Features, Game, History, Horizon, Knowledge, Notation, Player, Players, Policy, Rng,
    Turn, Uniform, legal_actions,
};

/// Everything that a game in the catalogue implements.
pub trait Complete: Game + Notation + Drawing + Knowledge + 'static {}

impl<G: Game + Notation + Drawing + Knowledge + 'static> Complete for G {}

/// What a check has covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Matches played to the end.
    pub matches: usize,
    /// The steps of these matches.
    pub steps: usize,
    /// States in which every action was examined.
    pub states: usize,
    /// The features that were observed.
    pub observed: Features,
}

/// A broken law and the state that breaks it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{law}\n  in state {state}")]
pub struct Violation {
    /// The law that does not hold.
    pub law: String,
    /// The debug text of the state.
    pub state: String,
}

/// Limits of a check: matches to find rare features, and states for the expensive laws.
const MOST_MATCHES: usize = 2_000;
const LEAST_MATCHES: usize = 30;
const EXAMINED_STATES: usize = 150;

/// Checks the laws on random matches of `game`.
pub fn check<G: Complete>(game: &G, seed: u64) -> Result<Report, Violation> {
    let mut rng = Rng::new(seed);
    let mut report = Report::default();
    let mut sum = None;
    check_spec(game)?;
    while report.matches < LEAST_MATCHES || report.matches < MOST_MATCHES && report.observed != game.spec().features {
        play(game, &mut rng, &mut report, &mut sum)?;
    }
    require(report.observed == game.spec().features, &game.start(), &|| {
        format!("declared features [{}], observed [{}]", game.spec().features, report.observed)
    })?;
    check_knowledge(game, &mut rng)?;
    if const { G::BATCHES } {
        check_batch(game, &mut rng)?;
    } else {
        require(game.batch().is_none(), &game.start(), &|| "batches, though `BATCHES` is false".to_owned())?;
    }
    Ok(report)
}

fn require(holds: bool, state: &dyn Debug, law: &dyn Fn() -> String) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(Violation { law: law(), state: format!("{state:?}") }) }
}

fn check_spec<G: Game>(game: &G) -> Result<(), Violation> {
    let spec = game.spec();
    let start = game.start();
    require((1..=Players::MAX).contains(&spec.players.len()), &start, &|| "a game has 1 to 32 players".to_owned())?;
    require(spec.payoffs.0 < spec.payoffs.1, &start, &|| "the payoff range is empty".to_owned())?;
    require(spec.features.contains(Features::MANY_PLAYERS) == (spec.players.len() > 2), &start, &|| {
        "many-players is declared exactly when there are three or more".to_owned()
    })?;
    require(G::CLASS.contains(spec.features), &start, &|| {
        format!("the features [{}] are not among those of `CLASS`, [{}]", spec.features, G::CLASS)
    })?;
    require(spec.features.contains(G::ALWAYS), &start, &|| {
        format!("the features [{}] do not hold those of `ALWAYS`, [{}]", spec.features, G::ALWAYS)
    })?;
    require(start == game.start(), &start, &|| "two starts differ".to_owned())
}

/// Checks that each capability keeps its promises and is declared by the type.
fn check_knowledge<G: Complete>(game: &G, rng: &mut Rng) -> Result<(), Violation> {
    let (offered, declared) = (Capabilities::of(game), G::OFFERS);
    require(declared.contains(offered), &game.start(), &|| {
        format!("the capabilities [{offered}] are not among those of `OFFERS`, [{declared}]")
    })?;
    require(offered.contains(Capabilities::ATTACKS) || game.tactics().is_none(), &game.start(), &|| {
        "tactics without attacks".to_owned()
    })?;
    // What games of a type never offer is not compiled for it.
    if const { G::OFFERS.contains(Capabilities::HEURISTICS) } {
        game.heuristics().map_or(Ok(()), |heuristics| check_heuristics(game, heuristics, rng))?;
    }
    if const { G::OFFERS.contains(Capabilities::TACTICS) } {
        game.tactics().map_or(Ok(()), |tactics| check_tactics(game, tactics, rng))?;
    }
    if const { G::OFFERS.contains(Capabilities::CLOCK) } {
        game.clock().map_or(Ok(()), |clock| check_clock(game, clock, rng))?;
    }
    if const { G::OFFERS.contains(Capabilities::SOLVER_HINTS) } {
        game.solver_hints().map_or(Ok(()), |hints| check_hints(game, hints, rng))?;
    }
    if const { G::OFFERS.contains(Capabilities::ACTION_FEATURES) } {
        game.action_features().map_or(Ok(()), |features| check_features(game, features, rng))?;
    }
    if const { G::OFFERS.contains(Capabilities::VALUE_FEATURES) } {
        game.value_features().map_or(Ok(()), |features| check_value_features(game, features, rng))?;
    }
    if const { G::OFFERS.contains(Capabilities::ACTION_INDEX) } {
        game.action_index().map_or(Ok(()), |index| check_numbers(game, index, rng))?;
    }
    if const { G::OFFERS.contains(Capabilities::OBSERVATION) } {
        game.observation().map_or(Ok(()), |observation| check_observation(game, observation, rng))?;
    }
    if const { G::OFFERS.contains(Capabilities::PERCEPTION) } {
        game.perception().map_or(Ok(()), |perception| check_perception(game, perception, rng))?;
    }
    Ok(())
}

/// Visits up to 60 states of a random match in which a single player chooses, with the legal actions there.
fn along_a_match<G: Complete>(
    game: &G,
    rng: &mut Rng,
    mut visit: impl FnMut(&G::State, Player, &[G::Action], &mut Rng) -> Result<(), Violation>,
) -> Result<(), Violation> {
    let mut uniform = Uniform::default();
    let mut state = game.start();
    for _ in 0..60 {
        if let Turn::Player(player) = game.turn(&state) {
            let actions = legal_actions(game, &state, Actor::Player(player));
            visit(&state, player, &actions, rng)?;
        }
        if uniform.play_out(game, &mut state, rng, Horizon::steps(1)) == 0 {
            break;
        }
    }
    Ok(())
}

/// Plays one random match and checks it.
fn play<G: Complete>(game: &G, rng: &mut Rng, report: &mut Report, sum: &mut Option<f64>) -> Result<(), Violation> {
    let spec = game.spec();
    let mut state = game.start();
    let mut history = History::default();
    let mut texts: Vec<Vec<String>> = Vec::new();
    let mut last_mover: Option<Player> = None;
    // States are examined only in the first matches, and more sparsely in longer matches.
    let sparsity = spec.max_steps.div_ceil(20).max(1);
    report.observed.set(Features::MANY_PLAYERS, spec.players.len() > 2);
    report.observed.set(Features::HIDDEN, game.perception().is_some());
    loop {
        let turn = game.turn(&state);
        require(turn == game.turn(&state), &state, &|| "`turn` is not a function".to_owned())?;
        match turn {
            Turn::Over => break,
            Turn::Chance => report.observed |= Features::CHANCE,
            Turn::Simultaneous(players) => {
                require(players.len() >= 2, &state, &|| format!("a joint move of {players:?}"))?;
                report.observed |= Features::SIMULTANEOUS;
                last_mover = None;
            }
            Turn::Player(player) => {
                if last_mover == Some(player) {
                    report.observed |= Features::MULTI_ACTION;
                }
                last_mover = Some(player);
            }
        }
        let in_range = turn.movers().all(|player| player.index() < spec.players.len());
        require(in_range, &state, &|| format!("{turn:?} names a player the game does not have"))?;
        require(history.len() < spec.max_steps, &state, &|| format!("more than max_steps = {} steps", spec.max_steps))?;
        let examine = report.states < EXAMINED_STATES && (history.len() + report.matches).is_multiple_of(sparsity);
        if examine {
            report.states += 1;
            examine_state(game, &state, turn, rng)?;
        }
        let mut joint = Vec::new();
        let mut written = Vec::new();
        for actor in turn.actors() {
            let actions = legal_actions(game, &state, actor);
            require(!actions.is_empty(), &state, &|| format!("{actor:?} has no legal action"))?;
            let action = actions[rng.below(actions.len())];
            written.push(game.action_text(&state, actor, action));
            joint.push(action);
        }
        let before = state.clone();
        let mut twin = state.clone();
        game.apply(&mut state, &joint);
        game.apply(&mut twin, &joint);
        require(state == twin, &before, &|| format!("`apply` of {written:?} is not a function"))?;
        require(before != state, &before, &|| format!("a step {written:?} that changes nothing"))?;
        history.push(&joint);
        texts.push(written);
    }
    check_payoffs(game, &state, report, sum)?;
    if report.matches < LEAST_MATCHES {
        check_replay(game, &state, &texts)?;
        check_picture(game, &state, Turn::Over)?;
        check_state_text(game, &state)?;
    }
    report.matches += 1;
    report.steps += history.len();
    Ok(())
}

fn check_payoffs<G: Game>(
    game: &G,
    state: &G::State,
    report: &mut Report,
    sum: &mut Option<f64>,
) -> Result<(), Violation> {
    let spec = game.spec();
    let mut total = 0.0;
    for player in spec.seats() {
        let payoff = game.payoff(state, player);
        let (least, greatest) = spec.payoffs;
        require((least..=greatest).contains(&payoff), state, &|| {
            format!("payoff {payoff} of {player:?} outside {least}..{greatest}")
        })?;
        total += payoff;
    }
    if spec.players.len() == 1 || sum.is_some_and(|sum| (sum - total).abs() > 1e-9) {
        report.observed |= Features::GENERAL_SUM;
    }
    sum.get_or_insert(total);
    Ok(())
}

/// Checks that the texts of a match, parsed from the start, lead to the same final state.
fn check_replay<G: Complete>(game: &G, end: &G::State, texts: &[Vec<String>]) -> Result<(), Violation> {
    let mut state = game.start();
    for written in texts {
        let mut joint = Vec::new();
        for (actor, text) in game.turn(&state).actors().zip(written) {
            match game.parse_action(&state, actor, text) {
                Ok(action) => joint.push(action),
                Err(error) => return require(false, &state, &|| format!("`{text}` does not read back: {error}")),
            }
        }
        game.apply(&mut state, &joint);
    }
    require(state == *end, end, &|| format!("the record replays to another state: {state:?}"))
}
