//! The laws that every game obeys, checked by playing it.
//!
//! A game that breaks a law is wrong whatever its rules are; the arena's tests check every line of the catalogue, and the
//! command line offers the same check for a game that somebody is writing.

use std::collections::HashSet;
use std::fmt::Debug;

use crate::{
    Actor, BatchPlayouts, Drawing, Evaluation, Features, Game, History, Horizon, Knowledge, Notation, OneByOne, Onward,
    Player, Players, Policy, Prospect, Rng, Turn, Uniform, legal_actions,
};

/// Everything a catalogue entry offers.
pub trait Complete: Game + Notation + Drawing + Knowledge + 'static {}

impl<G: Game + Notation + Drawing + Knowledge + 'static> Complete for G {}

/// What a check has looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Matches played to the end.
    pub matches: usize,
    /// Steps of these matches.
    pub steps: usize,
    /// States whose every action was examined.
    pub states: usize,
    /// The features that showed.
    pub observed: Features,
}

/// A broken law: which, and where.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{law}\n  in state {state}")]
pub struct Violation {
    /// What should hold and does not.
    pub law: String,
    /// The state, as its debug text.
    pub state: String,
}

/// How much to look at: matches for rare features, and states for the costly laws.
const MOST_MATCHES: usize = 2_000;
const LEAST_MATCHES: usize = 30;
const EXAMINED_STATES: usize = 150;

/// Plays random matches of `game` and examines what it meets.
pub fn check<G: Complete>(game: &G, seed: u64) -> Result<Report, Violation> {
    let mut rng = Rng::new(seed);
    let mut report = Report::default();
    let mut sum = None;
    check_spec(game)?;
    while report.matches < LEAST_MATCHES || report.matches < MOST_MATCHES && report.observed != game.spec().features {
        play(game, &mut rng, &mut report, &mut sum)?;
    }
    require(report.observed == game.spec().features, &game.start(), || {
        format!("declared features [{}], observed [{}]", game.spec().features, report.observed)
    })?;
    check_knowledge(game, &mut rng)?;
    check_batch(game, &mut rng)?;
    Ok(report)
}

fn require<S: Debug>(holds: bool, state: &S, law: impl FnOnce() -> String) -> Result<(), Violation> {
    if holds { Ok(()) } else { Err(Violation { law: law(), state: format!("{state:?}") }) }
}

fn check_spec<G: Game>(game: &G) -> Result<(), Violation> {
    let spec = game.spec();
    let start = game.start();
    require((1..=Players::MAX).contains(&spec.players.len()), &start, || "a game has 1 to 32 players".to_owned())?;
    require(spec.payoffs.0 < spec.payoffs.1, &start, || "the payoff range is empty".to_owned())?;
    require(spec.features.contains(Features::MANY_PLAYERS) == (spec.players.len() > 2), &start, || {
        "many-players is declared exactly when there are three or more".to_owned()
    })?;
    require(start == game.start(), &start, || "two starts differ".to_owned())
}

/// One random match under watch.
fn play<G: Complete>(game: &G, rng: &mut Rng, report: &mut Report, sum: &mut Option<f64>) -> Result<(), Violation> {
    let spec = game.spec();
    let mut state = game.start();
    let mut history = History::default();
    let mut texts: Vec<Vec<String>> = Vec::new();
    let mut last_mover: Option<Player> = None;
    // States are examined in the first matches, more sparsely the longer a match is.
    let sparsity = spec.max_steps.div_ceil(20).max(1);
    report.observed |= if spec.players.len() > 2 { Features::MANY_PLAYERS } else { Features::empty() };
    loop {
        let turn = game.turn(&state);
        require(turn == game.turn(&state), &state, || "`turn` is not a function".to_owned())?;
        match turn {
            Turn::Over => break,
            Turn::Chance => report.observed |= Features::CHANCE,
            Turn::Simultaneous(players) => {
                require(players.len() >= 2, &state, || format!("a joint move of {players:?}"))?;
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
        require(in_range, &state, || format!("{turn:?} names a player the game does not have"))?;
        require(history.len() < spec.max_steps, &state, || format!("more than max_steps = {} steps", spec.max_steps))?;
        let examine = report.states < EXAMINED_STATES && (history.len() + report.matches).is_multiple_of(sparsity);
        if examine {
            report.states += 1;
            examine_state(game, &state, turn, rng)?;
        }
        let mut joint = Vec::new();
        let mut written = Vec::new();
        for actor in turn.actors() {
            let actions = legal_actions(game, &state, actor);
            require(!actions.is_empty(), &state, || format!("{actor:?} has no legal action"))?;
            let action = actions[rng.below(actions.len())];
            written.push(game.action_text(&state, actor, action));
            joint.push(action);
        }
        let before = state.clone();
        let mut twin = state.clone();
        game.apply(&mut state, &joint);
        game.apply(&mut twin, &joint);
        require(state == twin, &before, || format!("`apply` of {written:?} is not a function"))?;
        require(before != state, &before, || format!("a step {written:?} that changes nothing"))?;
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
        require((least..=greatest).contains(&payoff), state, || {
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

/// The texts of a match read back, from the start, to the same end.
fn check_replay<G: Complete>(game: &G, end: &G::State, texts: &[Vec<String>]) -> Result<(), Violation> {
    let mut state = game.start();
    for written in texts {
        let mut joint = Vec::new();
        for (actor, text) in game.turn(&state).actors().zip(written) {
            match game.parse_action(&state, actor, text) {
                Ok(action) => joint.push(action),
                Err(error) => return require(false, &state, || format!("`{text}` does not read back: {error}")),
            }
        }
        game.apply(&mut state, &joint);
    }
    require(state == *end, end, || format!("the record replays to another state: {state:?}"))
}

/// The laws about all actions of one state.
fn examine_state<G: Complete>(game: &G, state: &G::State, turn: Turn, rng: &mut Rng) -> Result<(), Violation> {
    for actor in turn.actors() {
        let actions = legal_actions(game, state, actor);
        require(!actions.is_empty(), state, || format!("{actor:?} has no legal action"))?;
        require(actions == legal_actions(game, state, actor), state, || {
            format!("the actions of {actor:?} change order")
        })?;
        let distinct: HashSet<_> = actions.iter().collect();
        require(distinct.len() == actions.len(), state, || format!("{actor:?} has an action twice"))?;
        let mut seen = HashSet::new();
        for &action in &actions {
            let text = game.action_text(state, actor, action);
            let clean =
                text == text.trim() && !text.is_empty() && !text.starts_with('#') && !text.contains(['\t', '\n', '\r']);
            require(clean, state, || {
                format!("the action text `{text}` has blanks, tabs or line breaks at a wrong place")
            })?;
            match game.parse_action(state, actor, &text) {
                Ok(read) => {
                    require(read == action, state, || format!("`{text}` reads back as {read:?}, not {action:?}"))?
                }
                Err(error) => require(false, state, || format!("`{text}` does not read back: {error}"))?,
            }
            require(seen.insert(text.clone()), state, || format!("two actions of {actor:?} are written `{text}`"))?;
        }
        check_draws(game, state, actor, &actions, rng)?;
    }
    check_state_text(game, state)?;
    check_picture(game, state, turn)
}

fn check_state_text<G: Complete>(game: &G, state: &G::State) -> Result<(), Violation> {
    let text = game.state_text(state);
    require(!text.contains('\n'), state, || format!("the state text has several lines: {text}"))?;
    match game.parse_state(&text) {
        Ok(read) => require(read == *state, state, || format!("`{text}` reads back as {read:?}")),
        Err(error) => require(false, state, || format!("`{text}` does not read back: {error}")),
    }
}

/// `random_action` is uniform over the legal actions, `random_outcome` follows `chance`.
fn check_draws<G: Game>(
    game: &G,
    state: &G::State,
    actor: Actor,
    actions: &[G::Action],
    rng: &mut Rng,
) -> Result<(), Violation> {
    let expected: Vec<f64> = match actor {
        Actor::Player(_) => vec![1.0 / actions.len() as f64; actions.len()],
        Actor::Chance => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            let total: f64 = outcomes.iter().map(|&(_, probability)| probability).sum();
            let positive = outcomes.iter().all(|&(_, probability)| probability > 0.0);
            require(positive && (total - 1.0).abs() < 1e-9, state, || format!("chance adds up to {total}"))?;
            outcomes.into_iter().map(|(_, probability)| probability).collect()
        }
    };
    let draws = (20 * actions.len()).min(2_000);
    let mut counts = vec![0u32; actions.len()];
    let mut scratch = Vec::new();
    for _ in 0..draws {
        let drawn = match actor {
            Actor::Player(player) => game.random_action(state, player, rng, &mut scratch),
            Actor::Chance => game.random_outcome(state, rng),
        };
        match actions.iter().position(|&action| action == drawn) {
            Some(index) => counts[index] += 1,
            None => return require(false, state, || format!("{actor:?} drew {drawn:?}, which is not legal")),
        }
    }
    let chi: f64 = counts
        .iter()
        .zip(&expected)
        .map(|(&count, share)| {
            let mean = share * draws as f64;
            (f64::from(count) - mean).powi(2) / mean
        })
        .sum();
    // Mean and variance of chi-square are n and 2n; eight deviations and some room leave no chance to chance.
    let freedom = actions.len() as f64 - 1.0;
    require(chi <= freedom + 8.0 * (2.0 * freedom).sqrt() + 10.0, state, || {
        format!(
            "draws of {actor:?} do not follow their probabilities: chi-square {chi:.1} for {freedom} degrees of freedom"
        )
    })
}

fn check_picture<G: Complete>(game: &G, state: &G::State, turn: Turn) -> Result<(), Violation> {
    let picture = game.draw(state);
    let mut ids = HashSet::new();
    for area in &picture.areas {
        require(ids.insert(area.id), state, || format!("two areas have the id {}", area.id))?;
        let inside = area.x >= 0.0
            && area.y >= 0.0
            && area.width > 0.0
            && area.height > 0.0
            && area.x + area.width <= picture.width + 1e-6
            && area.y + area.height <= picture.height + 1e-6;
        require(inside, state, || format!("the area {area:?} leaves the picture"))?;
        require(!area.label.is_empty(), state, || format!("the area {} has no label", area.id))?;
    }
    for actor in turn.actors() {
        let mut paths: Vec<Vec<u32>> =
            legal_actions(game, state, actor).into_iter().map(|action| game.clicks(state, actor, action)).collect();
        paths.sort();
        for path in &paths {
            let known = !path.is_empty() && path.iter().all(|id| ids.contains(id));
            require(known, state, || format!("clicks {path:?} of {actor:?} are not areas of the picture"))?;
        }
        // In sorted order a path that begins another stands right before some path it begins.
        for pair in paths.windows(2) {
            require(!pair[1].starts_with(&pair[0]), state, || {
                format!("clicks {:?} and {:?} of {actor:?} cannot be told apart", pair[0], pair[1])
            })?;
        }
    }
    Ok(())
}

/// What an evaluation tells of the states behind an action is what it tells of each, and ended ones have their payoffs.
fn check_prospects<G: Complete>(
    game: &G,
    evaluation: &dyn Evaluation<G>,
    state: &G::State,
    player: Player,
) -> Result<(), Violation> {
    let Turn::Player(mover) = game.turn(state) else { return Ok(()) };
    let actions = legal_actions(game, state, Actor::Player(mover));
    let mut told: Vec<Vec<Prospect>> = Vec::new();
    let mut in_order = true;
    let offered = evaluation.prospects(game, state, &actions, player, &mut |outlook| {
        in_order &= outlook.action == told.len();
        if outlook.complete {
            told.push(outlook.prospects.to_vec());
        }
        Onward::State
    });
    if !offered {
        return require(told.is_empty(), state, || "prospects of actions though there are none".to_owned());
    }
    require(in_order && told.len() == actions.len(), state, || {
        format!("prospects of {} of {} actions, or in another order", told.len(), actions.len())
    })?;
    for (wish, most) in [(Onward::Action, actions.len()), (Onward::Enough, 1)] {
        let mut visits = 0;
        evaluation.prospects(game, state, &actions, player, &mut |outlook| {
            visits += outlook.prospects.len();
            wish
        });
        require(visits == most, state, || format!("{visits} states told where {wish:?} was wished at each"))?;
    }
    for (&action, prospects) in actions.iter().zip(told) {
        let mut next = state.clone();
        game.apply(&mut next, &[action]);
        let mut ends = vec![(next.clone(), 1.0)];
        if game.turn(&next) == Turn::Chance {
            let mut outcomes = Vec::new();
            game.chance(&next, &mut outcomes);
            outcomes.sort_by(|one, two| two.1.total_cmp(&one.1));
            let behind = |(outcome, probability): (G::Action, f64)| {
                let mut end = next.clone();
                game.apply(&mut end, &[outcome]);
                (end, probability)
            };
            ends = outcomes.into_iter().map(behind).collect();
        }
        let expected = ends.iter().map(|(end, probability)| {
            let over = game.turn(end) == Turn::Over;
            let value = if over { game.payoff(end, player) } else { evaluation.value(game, end, player) };
            Prospect { probability: *probability, value, over }
        });
        let expected: Vec<Prospect> = expected.collect();
        require(prospects == expected, state, || {
            format!("prospects of {action:?} are {prospects:?}, one by one {expected:?}")
        })?;
    }
    Ok(())
}

/// Named policies play legally and as their `pick` would; evaluations are finite; action features are as many as named.
fn check_knowledge<G: Complete>(game: &G, rng: &mut Rng) -> Result<(), Violation> {
    let start = game.start();
    for named in game.policies() {
        let Some(mut policy) = game.policy(named.name) else {
            return require(false, &start, || format!("the policy `{}` is named but not there", named.name));
        };
        for _ in 0..3 {
            let seed = rng.bits();
            let fast = play_with(game, |state, rng| policy.play_out(game, state, rng, Horizon::END), seed);
            let mut picked = game.start();
            let mut stepper = Rng::new(seed);
            while game.turn(&picked) != Turn::Over {
                let turn = game.turn(&picked);
                let mut joint = Vec::new();
                for actor in turn.actors() {
                    let action = match actor {
                        Actor::Player(player) => policy.pick(game, &picked, player, &mut stepper),
                        Actor::Chance => game.random_outcome(&picked, &mut stepper),
                    };
                    let legal = legal_actions(game, &picked, actor).contains(&action);
                    require(legal, &picked, || format!("the policy `{}` picks the illegal {action:?}", named.name))?;
                    joint.push(action);
                }
                game.apply(&mut picked, &joint);
            }
            require(picked == fast, &fast, || {
                format!("`play_out` of the policy `{}` ends elsewhere than its `pick`: {picked:?}", named.name)
            })?;
        }
    }
    require(game.policy("no such policy").is_none(), &start, || {
        "a policy answers to a name that is not its own".to_owned()
    })?;
    for named in game.evaluations() {
        let Some(evaluation) = game.evaluation(named.name) else {
            return require(false, &start, || format!("the evaluation `{}` is named but not there", named.name));
        };
        let mut uniform = Uniform::default();
        let mut state = game.start();
        for _ in 0..200 {
            for player in game.spec().seats() {
                let value = evaluation.value(game, &state, player);
                require(value.is_finite(), &state, || format!("the evaluation `{}` gives {value}", named.name))?;
                check_prospects(game, &*evaluation, &state, player)?;
            }
            if uniform.play_out(game, &mut state, rng, Horizon::steps(1)) == 0 {
                break;
            }
        }
    }
    check_single_actions(game, rng)?;
    for named in game.membership_tables() {
        require(game.membership_table(named.name).is_some(), &start, || {
            format!("the table `{}` is named but not there", named.name)
        })?;
    }
    if let Turn::Player(player) = game.turn(&start) {
        for action in legal_actions(game, &start, Actor::Player(player)) {
            let mut features = Vec::new();
            game.action_features(&start, action, &mut features);
            require(features.len() == game.action_feature_names().len(), &start, || {
                format!("{action:?} has {} features, {} are named", features.len(), game.action_feature_names().len())
            })?;
            for (index, &value) in features.iter().enumerate() {
                let inside = match game.action_feature_range(index) {
                    Some((least, most)) => {
                        (f64::from(least)..=f64::from(most)).contains(&value) && value.fract() == 0.0
                    }
                    None => value.is_finite(),
                };
                require(inside, &start, || format!("feature {index} of {action:?} is {value}"))?;
            }
        }
    }
    Ok(())
}

/// Along a random match: judgements of actions are complete and finite; the quiet policy attacks nobody; representatives are
/// legal actions of their piece; the parts of a state have the same player to act.
fn check_single_actions<G: Complete>(game: &G, rng: &mut Rng) -> Result<(), Violation> {
    let mut evaluations = Vec::new();
    for named in game.action_evaluations() {
        let evaluation = game.action_evaluation(named.name);
        require(evaluation.is_some(), &game.start(), || format!("`{}` is named but not there", named.name))?;
        evaluations.extend(evaluation.map(|evaluation| (named.name, evaluation)));
    }
    let mut quiet = match game.quiet_policy() {
        None => None,
        Some(name) => {
            let policy = game.policy(name);
            require(policy.is_some(), &game.start(), || format!("the quiet policy `{name}` is not there"))?;
            policy
        }
    };
    let (mut values, mut few) = (Vec::new(), Vec::new());
    let mut uniform = Uniform::default();
    let mut state = game.start();
    for _ in 0..60 {
        if let turn @ Turn::Player(player) = game.turn(&state) {
            let actions = legal_actions(game, &state, Actor::Player(player));
            for (name, evaluation) in &evaluations {
                evaluation.values(game, &state, player, &actions, &mut values);
                let complete = values.len() == actions.len() && values.iter().all(|value| value.is_finite());
                require(complete, &state, || format!("`{name}` judges {} actions: {values:?}", actions.len()))?;
            }
            if let Some(policy) = &mut quiet {
                let action = policy.pick(game, &state, player, rng);
                let calm = game.is_attack(&state, action) != Some(true);
                require(calm, &state, || format!("the quiet policy picks {action:?}"))?;
            }
            if let Some(piece) = game.piece(&state, actions[0]) {
                few.clear();
                let offered = game.representatives(&state, piece, &mut few);
                let own = |action: &G::Action| actions.contains(action) && game.piece(&state, *action) == Some(piece);
                require(offered != few.is_empty() && few.iter().all(own), &state, || {
                    format!("{few:?} do not stand for what piece {piece} can do")
                })?;
            }
            for part in game.fights(&state).into_iter().flatten() {
                require(game.turn(&part) == turn, &state, || format!("another acts in the part {part:?}"))?;
            }
        }
        if uniform.play_out(game, &mut state, rng, Horizon::steps(1)) == 0 {
            break;
        }
    }
    Ok(())
}

/// Playouts of a batch for the comparison with playouts one by one.
const BATCH_PLAYOUTS: u32 = 1_000;

/// A batch repeats with its generator, keeps starts and players apart, and pays on average what uniform playouts pay.
fn check_batch<G: Complete>(game: &G, rng: &mut Rng) -> Result<(), Violation> {
    let Some(mut batch) = game.batch() else { return Ok(()) };
    let start = game.start();
    let players = game.spec().players.len();
    require(batch.width() > 0, &start, || "a batch of no playouts".to_owned())?;
    let mut middle = game.start();
    let mut uniform = Uniform::default();
    let way = Horizon::steps(1 + rng.below(game.spec().max_steps.min(100)) as u32);
    uniform.play_out(game, &mut middle, rng, way);
    let mut end = middle.clone();
    uniform.play_out(game, &mut end, rng, Horizon::END);
    let starts = [start, end, middle];
    let seed = rng.bits();
    let mut run = |each: u32| {
        let mut totals = vec![0.0; starts.len() * players];
        let steps = batch.run(game, &starts, each, &mut Rng::new(seed), &mut totals);
        (totals, steps)
    };
    // Odd numbers leave lanes idle; a second call must not see what the first one left.
    let odd = run(7);
    run(1);
    require(odd == run(7), &starts[0], || "a batch does not repeat with its generator".to_owned())?;
    let (totals, _) = run(BATCH_PLAYOUTS);
    let mut single = OneByOne::default();
    let (least, greatest) = game.spec().payoffs;
    for (index, state) in starts.iter().enumerate() {
        let mut expected = vec![0.0; players];
        single.run(game, std::slice::from_ref(state), BATCH_PLAYOUTS, rng, &mut expected);
        // The difference of two means of so many playouts deviates by at most 0.023 of the payoff range (standard
        // deviation); nothing is left to chance where the match is over.
        let room = if game.turn(state) == Turn::Over { 1e-9 } else { 0.15 };
        for (player, (total, expected)) in totals[index * players..].iter().zip(&expected).enumerate() {
            let difference = (total - expected) / f64::from(BATCH_PLAYOUTS);
            require(difference.abs() <= room * (greatest - least), state, || {
                format!("player {player} gets {difference} more in a batch than in playouts one by one")
            })?;
        }
    }
    Ok(())
}

fn play_with<G: Game>(game: &G, mut play_out: impl FnMut(&mut G::State, &mut Rng) -> u32, seed: u64) -> G::State {
    let mut state = game.start();
    play_out(&mut state, &mut Rng::new(seed));
    state
}
