//! Every agent, on every example it can play, obeys the laws of agents.

use tesuji_arena::{AgentInfo, AnyGame, AnyMatch, Budget, Rng, Turn};

/// Enough to go through selection, expansion and playouts several times.
const PLAYOUTS: u64 = 24;
/// Decisions looked at in each match.
const DECISIONS: usize = 2;

fn examples() -> impl Iterator<Item = &'static str> {
    let games = tesuji_standard::catalogue().games().to_vec();
    games.into_iter().flat_map(|info| info.examples).copied()
}

/// The agent, held to the test's budget even if it carries its own. A playout of `self-taught` is a match of self-play:
/// it gets two rounds of two matches each.
fn modest(info: &AgentInfo) -> String {
    let has = |name: &str| info.parameters.iter().any(|parameter| parameter.name == name);
    match (has("playouts"), has("round")) {
        (true, true) => format!("{}(playouts=8,round=2)", info.name),
        (true, false) => format!("{}(playouts={PLAYOUTS})", info.name),
        _ => info.name.to_owned(),
    }
}

fn seated(game: &dyn AnyGame, agent: &str) -> Box<dyn AnyMatch> {
    let mut table = game.new_match(None).unwrap();
    for player in game.spec().seats() {
        table.seat(player, agent).unwrap_or_else(|error| panic!("{agent} at {}: {error}", game.spec().name));
    }
    table
}

/// Plays a few steps, checks each decision, and returns all of them as text without their times.
fn decisions(game: &dyn AnyGame, agent: &str, seed: u64) -> Vec<String> {
    let mut table = seated(game, agent);
    let mut rng = Rng::new(seed);
    let mut texts = Vec::new();
    while texts.len() < DECISIONS {
        let movers = match table.turn() {
            Turn::Over => break,
            Turn::Chance => {
                table.draw_outcome(&mut rng);
                continue;
            }
            Turn::Player(_) | Turn::Simultaneous(_) => table.actors(),
        };
        let mut joint = Vec::new();
        for (player, (actor, _)) in table.turn().movers().zip(movers) {
            let place = || format!("{agent} at {} in {}", game.spec().name, table.state_text());
            let place = place();
            let mut decision = table.think(player, &Budget::playouts(PLAYOUTS), &mut rng).unwrap();
            let legal = table.legal(actor);
            assert!(legal.contains(&decision.action), "{place}: `{}` is not legal", decision.action);
            assert!(decision.playouts <= PLAYOUTS, "{place}: {} playouts", decision.playouts);
            if !decision.candidates.is_empty() {
                let total: f64 = decision.candidates.iter().map(|candidate| candidate.probability).sum();
                assert!((total - 1.0).abs() < 1e-9, "{place}: the policy adds up to {total}");
                assert!(decision.candidates.iter().all(|candidate| legal.contains(&candidate.action)), "{place}");
            }
            let (least, greatest) = game.spec().payoffs;
            let sane = |value: Option<f64>| value.is_none_or(|value| (least - 1e-9..=greatest + 1e-9).contains(&value));
            assert!(sane(decision.value), "{place}: value {:?}", decision.value);
            assert!(decision.candidates.iter().all(|candidate| sane(candidate.value)), "{place}");
            decision.time = std::time::Duration::ZERO;
            texts.push(format!("{decision:?}"));
            joint.push(decision.action);
        }
        table.step(&joint).unwrap();
    }
    texts
}

/// The agents that are tried on the example with this number: all kinds, and every third preset, which differ from
/// their kinds in parameters only. Each preset is tried on several examples.
fn tried(game: &dyn AnyGame, number: usize) -> Vec<AgentInfo> {
    let mut agents = game.able_agents();
    let mut presets = number;
    agents.retain(|info| {
        presets += usize::from(info.preset_of.is_some());
        info.preset_of.is_none() || presets.is_multiple_of(3)
    });
    agents
}

fn check_decisions(part: usize) {
    for (number, address) in examples().enumerate().filter(|(number, _)| number % 2 == part) {
        let game = tesuji_standard::catalogue().open(address).unwrap();
        for info in tried(game.as_ref(), number / 2) {
            let agent = modest(&info);
            let first = decisions(game.as_ref(), &agent, 7);
            assert_eq!(first, decisions(game.as_ref(), &agent, 7), "{agent} at {address}");
        }
    }
}

#[test]
fn decisions_are_legal_within_budget_and_repeat_with_their_seed() {
    check_decisions(0);
}

/// A test of its own, so that two threads share the work.
#[test]
fn decisions_are_legal_within_budget_and_repeat_with_their_seed_in_every_other_example() {
    check_decisions(1);
}

#[test]
fn able_agents_handle_the_features_and_generic_ones_need_nothing_else() {
    for address in examples() {
        let game = tesuji_standard::catalogue().open(address).unwrap();
        let able: Vec<&str> = game.able_agents().iter().map(|info| info.name).collect();
        for info in tesuji_standard::catalogue().agents() {
            let handles = info.handles.contains(game.spec().features);
            assert!(handles || !able.contains(&info.name), "{} at {address}", info.name);
            if ["random", "mc", "mc-ucb", "uct", "faulty"].contains(&info.name) {
                assert_eq!(handles, able.contains(&info.name), "{} at {address}", info.name);
            }
        }
    }
}

#[test]
fn wrong_agents_are_refused_with_what_was_expected() {
    let game = tesuji_standard::catalogue().open("tic-tac-toe").unwrap();
    for (address, expected) in [
        ("utc", "did you mean `uct`?"),
        ("uct(playuots=3)", "did you mean `playouts`?"),
        ("uct(c=-1)", "expected a number"),
        ("uct(choice=best)", "one of"),
        ("uct(playout=clever)", "clever"),
        ("mc(playouts=0)", "playouts"),
    ] {
        let error = game.check_agent(address).unwrap_err();
        assert!(error.to_string().contains(expected), "{address}: {error}");
    }
}

#[test]
fn a_missing_feature_is_named_in_the_refusal() {
    let catalogue = tesuji_standard::catalogue();
    let info = catalogue.agent("expectimax").unwrap();
    let game = tesuji_standard::catalogue().open("goofspiel(5)").unwrap();
    let missing = game.spec().features - info.handles;
    assert!(!missing.is_empty());
    let error = game.check_agent("expectimax").unwrap_err().to_string();
    let expected = format!("`expectimax` cannot play `{}`: it does not handle {missing}", game.spec().name);
    assert!(error.contains(&expected), "{error}");
}

#[test]
fn every_preset_plays_some_example_and_names_its_kind() {
    let catalogue = tesuji_standard::catalogue();
    let infos = catalogue.agents();
    let games: Vec<_> = examples().map(|address| tesuji_standard::catalogue().open(address).unwrap()).collect();
    let presets: Vec<&AgentInfo> = infos.iter().filter(|info| info.preset_of.is_some()).collect();
    assert!(!presets.is_empty());
    for info in presets {
        assert!(
            infos.iter().any(|kind| Some(kind.name) == info.preset_of && kind.preset_of.is_none()),
            "{}",
            info.name
        );
        assert!(games.iter().any(|game| game.check_agent(info.name).is_ok()), "`{}` plays no example", info.name);
    }
}

#[test]
fn the_games_evaluation_replaces_playouts_where_there_is_one() {
    let catalogue = tesuji_standard::catalogue();
    let decided = |game: &str, agent: &str| decisions(&*catalogue.open(game).unwrap(), agent, 3);
    let by_evaluation = decided("goofspiel(5)", "joint-tree(leaves=evaluation)");
    assert_eq!(by_evaluation, decided("goofspiel(5)", "joint-tree(steps=0,evaluation=random-play)"));
    assert_ne!(by_evaluation, decided("goofspiel(5)", "joint-tree"));
    assert_eq!(decided("oshi-zumo(10,3)", "joint-tree(leaves=evaluation)"), decided("oshi-zumo(10,3)", "joint-tree"));
}
