//! Speed on one thread: playouts, steps, and UCT playouts a second of processor time.
//!
//! A figure takes about the time that was asked for, as on a wall clock. Rates are by the [`Clock`]: other programs on
//! the machine make a figure less precise, not lower.

use std::time::Duration;

use serde::Serialize;
use tesuji_core::laws::Complete;
use tesuji_core::{Game, Horizon, InputError, Player, Policy, Rng, Uniform};
use tesuji_play::{Agent, Budget, Ending, Failure, Limit, Match, Seated, Streams, Thought, Trust, Waiting};

use crate::erased::Erased;
use crate::games::unknown;
use crate::gdl::LANES;
use crate::playable::Playable;
use crate::stopwatch::{Clock, Stopwatch, within};

/// What to measure.
#[derive(Clone, Debug)]
pub struct BenchPlan {
    /// How long each figure is measured.
    pub time: Duration,
    /// The playout policy; the game's customary one if absent.
    pub policy: Option<String>,
    /// Playouts a move of the UCT figure.
    pub uct_playouts: u64,
    /// Measure the game's batch playouts, many at once, instead of one after the other.
    pub batch: bool,
    /// Agents to measure, by address, each playing whole matches against itself.
    pub agents: Vec<String>,
}

/// Figures of one game.
#[derive(Clone, Debug, Serialize)]
pub struct BenchResult {
    /// The address of the game.
    pub game: String,
    /// What executes its rules.
    pub engine: &'static str,
    /// What playouts and UCT are measured by.
    pub clock: Clock,
    /// How long opening the game took: reading, grounding and building, for rules that are data.
    pub load_seconds: f64,
    /// The playout policy of all figures.
    pub policy: String,
    /// Playouts from the start to the end.
    pub playouts_per_second: f64,
    /// Steps of these playouts, outcomes of nature included.
    pub steps_per_second: f64,
    /// The mean number of steps of a playout.
    pub steps_per_playout: f64,
    /// Playouts of UCT playing whole matches against itself.
    pub uct_playouts_per_second: f64,
    /// Playouts a move of that UCT.
    pub uct_playouts_per_move: u64,
    /// The agents asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<AgentBench>,
}

/// Figures of one agent.
#[derive(Clone, Debug, Serialize)]
pub struct AgentBench {
    /// Its address.
    pub agent: String,
    /// What its times are measured by.
    pub clock: Clock,
    /// Decisions measured.
    pub decisions: u64,
    /// Nodes a second: states read, leaves included; for agents with a tree, those held.
    pub nodes_per_second: f64,
    /// Playouts a second; 0 for agents that make none.
    pub playouts_per_second: f64,
    /// Mean time of a decision.
    pub milliseconds_per_decision: f64,
    /// The longest time of a decision.
    pub milliseconds_of_slowest_decision: f64,
    /// Mean time of a turn: all decisions of a player until another one decides.
    pub milliseconds_per_turn: f64,
    /// The longest time of a turn.
    pub milliseconds_of_slowest_turn: f64,
    /// Mean depth of a decision.
    pub depth_per_decision: f64,
    /// Decisions whose search was ended by a limit other than the time of the bench.
    pub limited_decisions: u64,
    /// The first such limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
}

/// Measures a game; `erased` is the same game, for the agents.
pub(crate) fn bench<G: Complete>(
    game: &G,
    erased: &Playable<Erased>,
    load_seconds: f64,
    plan: &BenchPlan,
) -> Result<BenchResult, InputError> {
    let heuristics = game.heuristics();
    let customary = heuristics.and_then(|heuristics| heuristics.customary_policy(game));
    let name = plan.policy.as_deref().or(customary).unwrap_or("uniform");
    let (playouts, steps, seconds) = if plan.batch {
        measure_batch(game, plan.time)?
    } else if name == "uniform" {
        // Called by its type, as an agent's inner loop would be compiled.
        let mut uniform = Uniform::default();
        measure(game, plan.time, |state, rng| uniform.play_out(game, state, rng, Horizon::END))
    } else {
        let Some(mut policy) = heuristics.and_then(|heuristics| heuristics.policy(game, name)) else {
            let offered = heuristics.map_or(&[][..], |heuristics| heuristics.policies(game));
            let names: Vec<&str> = offered.iter().map(|named| named.name).chain(["uniform"]).collect();
            return Err(unknown(
                "playout policy",
                name,
                &names,
                &format!("`{}` offers {}", game.spec().name, names.join(", ")),
            ));
        };
        measure(game, plan.time, |state, rng| policy.play_out(game, state, rng, Horizon::END))
    };
    Ok(BenchResult {
        game: game.spec().name.clone(),
        engine: if plan.batch { LANES } else { game.engine() },
        clock: Clock::best(),
        load_seconds,
        policy: if plan.batch { "uniform" } else { name }.to_owned(),
        playouts_per_second: playouts as f64 / seconds,
        steps_per_second: steps as f64 / seconds,
        steps_per_playout: steps as f64 / playouts as f64,
        uct_playouts_per_second: within(patience(plan), || measure_uct(erased, name, plan))?,
        uct_playouts_per_move: plan.uct_playouts,
        agents: plan
            .agents
            .iter()
            .map(|address| within(patience(plan), || measure_agent(erased, address, plan)))
            .collect::<Result<_, _>>()?,
    })
}

/// After this long a decision is cut short. It may take longer than the time of a figure, because an agent with a
/// budget of its own is measured by whole decisions.
fn patience(plan: &BenchPlan) -> Duration {
    4 * plan.time
}

/// What an agent is measured by: the work of an agent that is another program is not this thread's.
fn clock_of(playable: &Playable<Erased>, address: &str) -> Clock {
    let name = address.split('(').next().unwrap_or(address).trim();
    match playable.agent_infos().iter().find(|info| info.name == name) {
        Some(info) if info.trust != Trust::Contained => Clock::Wall,
        _ => Clock::best(),
    }
}

/// An agent against itself until its thinking took the time.
fn measure_agent(playable: &Playable<Erased>, address: &str, plan: &BenchPlan) -> Result<AgentBench, InputError> {
    let game: &Erased = playable;
    let mut agents =
        game.spec().seats().map(|_| playable.build_agent(address)).collect::<Result<Vec<_>, InputError>>()?;
    let watch = clock_of(playable, address);
    let budget = Budget::time(plan.time);
    let (mut decisions, mut nodes, mut playouts, mut depth) = (0u64, 0, 0, 0u64);
    let mut clock = TurnClock::default();
    let (mut thinking, mut waited, mut matches) = (Duration::ZERO, Duration::ZERO, 0);
    let (mut limited_decisions, mut limit) = (0, None);
    while waited < plan.time && matches < MOST_MATCHES {
        clock.end_turn();
        self_play(game, &mut agents, (address, watch), budget, matches, |decision| {
            thinking += decision.time;
            waited += decision.waited;
            clock.count(decision.player, decision.time);
            decisions += 1;
            nodes += decision.nodes;
            playouts += decision.playouts;
            depth += u64::from(decision.depth);
            // Time is what is measured here, so it is no surprise.
            if let Some(other) = decision.limit.filter(|limit| !matches!(limit, Limit::Time(_))) {
                (limited_decisions, limit) = (limited_decisions + 1, limit.or(Some(other)));
            }
            waited < plan.time
        })?;
        matches += 1;
    }
    clock.end_turn();
    let seconds = seconds(thinking);
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let each = |sum: f64| if decisions == 0 { 0.0 } else { sum / decisions as f64 };
    Ok(AgentBench {
        agent: address.to_owned(),
        clock: watch,
        decisions,
        nodes_per_second: nodes as f64 / seconds,
        playouts_per_second: playouts as f64 / seconds,
        milliseconds_per_decision: each(milliseconds(thinking)),
        milliseconds_of_slowest_decision: milliseconds(clock.slowest_decision),
        milliseconds_per_turn: milliseconds(thinking) / clock.turns.max(1) as f64,
        milliseconds_of_slowest_turn: milliseconds(clock.slowest_turn),
        depth_per_decision: each(depth as f64),
        limited_decisions,
        limit: limit.map(|limit| limit.to_string()),
    })
}

/// What one decision cost.
struct Cost {
    player: Player,
    /// By the clock of the measurement.
    time: Duration,
    /// As on a wall clock.
    waited: Duration,
    nodes: u64,
    playouts: u64,
    depth: u32,
    limit: Option<Limit>,
}

/// One match of an agent against itself. `count` is called with every decision; the match ends early when it returns
/// `false`.
fn self_play(
    game: &Erased,
    agents: &mut [Box<dyn Agent<Erased>>],
    (address, clock): (&str, Clock),
    budget: Budget,
    number: u64,
    mut count: impl FnMut(Cost) -> bool,
) -> Result<(), InputError> {
    let mut seated: Vec<Seated<'_, Erased>> =
        agents.iter_mut().map(|agent| Seated { agent: &mut **agent, budget, start: None, limit: None }).collect();
    let mut machine = Match::new(game, Streams::new(number, 0, seated.len()));
    machine.begin(&mut seated);
    let mut goes_on = true;
    while goes_on {
        match machine.waiting() {
            Waiting::Nothing => break,
            Waiting::Chance => drop(machine.draw()),
            Waiting::Choices(players) => {
                for player in players {
                    let agent = &mut *seated[player.index()].agent;
                    let watch = Stopwatch::start(clock);
                    let decided = machine.think(player, agent, &budget, None, None);
                    let (time, waited) = (watch.elapsed(), watch.waited());
                    let Thought { depth, nodes, playouts, limit, .. } =
                        decided.map_err(|failure| failed(address, &failure))?.thought;
                    goes_on &= count(Cost { player, time, waited, nodes, playouts, depth, limit });
                }
            }
        }
    }
    machine.end(&mut seated);
    match machine.ending() {
        Some(Ending::Foul { foul, .. }) => Err(failed(address, foul)),
        _ => Ok(()),
    }
}

/// The error of an agent that failed while it was measured.
pub(crate) fn failed(address: &str, failure: &Failure) -> InputError {
    InputError::new(format!("`{address}` failed: {failure}"))
}

/// Times of decisions and of turns, which are the decisions of a player until another one decides.
#[derive(Default)]
struct TurnClock {
    player: Option<Player>,
    turn: Duration,
    turns: u64,
    slowest_turn: Duration,
    slowest_decision: Duration,
}

impl TurnClock {
    fn count(&mut self, player: Player, decision: Duration) {
        if self.player != Some(player) {
            self.end_turn();
            self.player = Some(player);
            self.turns += 1;
        }
        self.turn += decision;
        self.slowest_decision = self.slowest_decision.max(decision);
    }

    fn end_turn(&mut self) {
        self.slowest_turn = self.slowest_turn.max(self.turn);
        (self.player, self.turn) = (None, Duration::ZERO);
    }
}

/// Playouts, steps and seconds of batches from the start until `time` is over.
fn measure_batch<G: Complete>(game: &G, time: Duration) -> Result<(u64, u64, f64), InputError> {
    let mut batch = game.batch().ok_or_else(|| {
        let name = &game.spec().name;
        InputError::new(format!("`{name}` plays no batches of playouts"))
            .with_help("`lanes` runs rule sheets that have been made a network")
    })?;
    let start = [game.start()];
    let width = batch.width() as u32;
    let mut rng = Rng::new(1);
    let mut totals = vec![0.0; game.spec().players.len()];
    // The first call warms up. It is not counted, unless it took all the time.
    let first = Stopwatch::start(Clock::best());
    let first_steps = batch.run(game, &start, width, &mut rng, &mut totals);
    if first.waited() >= time {
        return Ok((u64::from(width), first_steps, seconds(first.elapsed())));
    }
    // Several times the width keeps all lanes busy.
    let each = if 8 * first.waited() < time { 8 * width } else { width };
    let (mut playouts, mut steps) = (0, 0);
    let watch = Stopwatch::start(Clock::best());
    while watch.waited() < time {
        steps += batch.run(game, &start, each, &mut rng, &mut totals);
        playouts += u64::from(each);
    }
    Ok((playouts, steps, seconds(watch.elapsed())))
}

/// Seconds to divide by, above 0.
fn seconds(time: Duration) -> f64 {
    time.as_secs_f64().max(f64::MIN_POSITIVE)
}

/// Playouts, steps and seconds until `time` is over. Looks at the clock between batches, which are single playouts
/// where those are slow.
fn measure<G: Complete>(
    game: &G,
    time: Duration,
    mut play_out: impl FnMut(&mut G::State, &mut Rng) -> u32,
) -> (u64, u64, f64) {
    const LARGEST_BATCH: u64 = 64;
    let mut rng = Rng::new(1);
    let start = game.start();
    let mut run =
        |playouts: u64| -> u64 { (0..playouts).map(|_| u64::from(play_out(&mut start.clone(), &mut rng))).sum() };
    // The first playouts warm up. They are not counted, unless they took all the time.
    let first = Stopwatch::start(Clock::best());
    let (mut warm, mut warm_steps) = (0, 0);
    while warm == 0 || warm < LARGEST_BATCH && first.waited() < time / 10 {
        (warm, warm_steps) = (warm + 1, warm_steps + run(1));
    }
    if first.waited() >= time {
        return (warm, warm_steps, seconds(first.elapsed()));
    }
    let (mut playouts, mut steps, mut batch) = (0, 0, 1);
    let watch = Stopwatch::start(Clock::best());
    while watch.waited() < time {
        let before = watch.waited();
        steps += run(batch);
        playouts += batch;
        if batch < LARGEST_BATCH && watch.waited() - before < time / 100 {
            batch *= 2;
        }
    }
    (playouts, steps, seconds(watch.elapsed()))
}

/// UCT against itself until its thinking took the time; a decision ends early rather than go far beyond.
fn measure_uct(playable: &Playable<Erased>, policy: &str, plan: &BenchPlan) -> Result<f64, InputError> {
    let game: &Erased = playable;
    let seats = game.spec().players.len();
    let address =
        format!("uct(playouts={},playout={policy},time={}us)", plan.uct_playouts, plan.time.as_micros().max(1));
    let mut agents = (0..seats).map(|_| playable.build_agent(&address)).collect::<Result<Vec<_>, _>>()?;
    let budget = Budget::playouts(plan.uct_playouts);
    let (mut playouts, mut thinking, mut waited, mut matches) = (0, Duration::ZERO, Duration::ZERO, 0);
    while waited < plan.time && matches < MOST_MATCHES {
        self_play(game, &mut agents, (&address, Clock::best()), budget, matches, |decision| {
            playouts += decision.playouts;
            thinking += decision.time;
            waited += decision.waited;
            waited < plan.time
        })?;
        matches += 1;
    }
    Ok(if thinking.is_zero() { 0.0 } else { playouts as f64 / thinking.as_secs_f64() })
}

/// Games without a real choice cost no thinking time: stop after this many.
const MOST_MATCHES: u64 = 1_000;
