//! The agents for games with dice on boards of the dice game: the look-ahead against a plain twin, everybody against
//! the exact values of small boards, and what is asked of them in odd corners.

use tesuji_core::{Address, Arguments, Evaluation, Game, History, InputError, Knowledge, Notation, Player, Rng, Turn};
use tesuji_games::dice::{Action, Dice, ENTRY, State};
use tesuji_play::AgentKind;
use tesuji_play::{Agent, Budget, Decision, Seat};
use tesuji_search::kinds::{ExpectimaxKind, LookAheadKind, McKind, NominateKind, UctKind};
use tesuji_solve::Solved;

fn open(address: &str) -> Dice {
    (ENTRY.open)(&Arguments::bind(&address.parse().unwrap(), ENTRY.parameters).unwrap()).unwrap()
}

fn of<K: AgentKind>(address: &Address, game: &Dice) -> Option<Result<Box<dyn Agent<Dice>>, InputError>> {
    let resolved = match K::PRESETS.iter().find(|preset| preset.name == address.name) {
        Some(preset) => preset.resolve(address, K::NAME, K::PARAMETERS).unwrap(),
        None if address.name == K::NAME => address.clone(),
        None => return None,
    };
    Some(K::build(&Arguments::bind(&resolved, K::PARAMETERS).unwrap(), game))
}

fn build(agent: &str, game: &Dice) -> Result<Box<dyn Agent<Dice>>, InputError> {
    let address: Address = agent.parse().unwrap();
    of::<LookAheadKind>(&address, game)
        .or_else(|| of::<ExpectimaxKind>(&address, game))
        .or_else(|| of::<UctKind>(&address, game))
        .or_else(|| of::<McKind>(&address, game))
        .or_else(|| of::<NominateKind>(&address, game))
        .unwrap()
}

fn decide(game: &Dice, agent: &str, state: &State, budget: &Budget) -> Decision<Action> {
    let Turn::Player(player) = game.turn(state) else { panic!("nobody chooses in {state:?}") };
    let history = History::default();
    let seat = Seat { game, state, player, history: &history, watcher: None };
    build(agent, game).unwrap().choose(seat, budget, &mut Rng::new(1)).unwrap()
}

fn legal(game: &Dice, state: &State) -> Vec<Action> {
    let Turn::Player(player) = game.turn(state) else { return Vec::new() };
    let mut actions = Vec::new();
    game.legal(state, player, &mut actions);
    actions
}

fn after(game: &Dice, state: &State, action: Action) -> State {
    let mut next = state.clone();
    game.apply(&mut next, &[action]);
    next
}

/// States of random matches in which somebody chooses, one after so many moves each.
fn positions(game: &Dice, moves: &[usize], seed: u64) -> Vec<State> {
    let mut rng = Rng::new(seed);
    let mut walk = |moves: usize| loop {
        let mut state = game.start();
        for _ in 0..moves {
            let Turn::Player(player) = game.turn(&state) else { break };
            let action = game.random_action(&state, player, &mut rng, &mut Vec::new());
            state = after(game, &state, action);
            let outcome = game.random_outcome(&state, &mut rng);
            state = after(game, &state, outcome);
        }
        if game.turn(&state) != Turn::Over {
            return state;
        }
    };
    moves.iter().map(|&moves| walk(moves)).collect()
}

/// The look-ahead of paper 003 straight from its description: no memory, no buffers, every state made. Expectations add
/// up the likeliest first, as the agent does, since actions that are worth the same are told apart by rounding.
struct Plain<'a> {
    game: &'a Dice,
    evaluation: Box<dyn Evaluation<Dice>>,
    player: Player,
}

impl Plain<'_> {
    fn value(&self, before: &State, state: &State, depth: u32) -> f64 {
        match self.game.turn(state) {
            Turn::Over => (2.0 * self.game.payoff(state, self.player) - 1.0) * 200.0,
            Turn::Player(_) if depth == 0 => self.evaluation.value_after(self.game, before, state, self.player),
            Turn::Player(_) => {
                let actions = legal(self.game, state);
                let next = |action| after(self.game, state, action);
                let values = actions.iter().map(|&action| self.value(state, &next(action), depth - 1));
                values.sum::<f64>() / actions.len() as f64
            }
            _ => {
                let mut outcomes = Vec::new();
                self.game.chance(state, &mut outcomes);
                outcomes.sort_by(|one, two| two.1.total_cmp(&one.1));
                let next = |outcome| after(self.game, state, outcome);
                let shares = outcomes
                    .iter()
                    .map(|&(outcome, probability)| probability * self.value(before, &next(outcome), depth));
                shares.sum()
            }
        }
    }

    /// Depths 1, 3, … : what reaches the mean goes on; of the last stage the first of the best is chosen.
    fn choose(&self, state: &State, depth: u32) -> Action {
        let mut kept: Vec<(Action, f64)> = legal(self.game, state).into_iter().map(|action| (action, 0.0)).collect();
        for depth in (1..=depth).step_by(2) {
            if depth > 1 && kept.len() == 1 {
                break;
            }
            for (action, value) in &mut kept {
                *value = self.value(state, &after(self.game, state, *action), depth - 1);
            }
            let mean = kept.iter().map(|(_, value)| value).sum::<f64>() / kept.len() as f64;
            kept.retain(|(_, value)| *value >= mean - 1e-12 * mean.abs());
        }
        let greatest = kept.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        kept.iter().find(|(_, value)| *value == greatest).unwrap().0
    }
}

const PLENTY: Budget = Budget::playouts(1 << 40);

/// The boards on which five plies are few enough to read plainly.
const SMALL: &str = "dice7(layout=\"k.m/m../.MK\")";
const WALLED: &str = "dice7(layout=\"k#mM/..../.#../mM.K\",limit=30)";

#[test]
fn the_look_ahead_chooses_what_its_plain_twin_chooses() {
    let late = [0, 6, 9, 13];
    for (address, depth, moves) in [("dice7", 3, &late[..]), (SMALL, 5, &late[..2]), (WALLED, 5, &late[..3])] {
        let game = open(address);
        for state in positions(&game, moves, 4) {
            let Turn::Player(player) = game.turn(&state) else { unreachable!() };
            for name in ["typeA", "typeB", "typeAB", "typeA-chance", "typeB-any", "typeAB-chance-any"] {
                let plain = Plain {
                    game: &game,
                    evaluation: game.heuristics().unwrap().evaluation(&game, name).unwrap(),
                    player,
                };
                let agent = format!("look-ahead(evaluation={name},depth={depth},obvious=off)");
                let decision = decide(&game, &agent, &state, &PLENTY);
                assert_eq!(decision.action, plain.choose(&state, depth), "{name}\n{}", game.board_text(&state));
            }
        }
    }
}

/// Expectiminimax straight from the definition, by the share of the one who searches.
fn expectiminimax(game: &Dice, evaluation: &dyn Evaluation<Dice>, state: &State, depth: u32, searcher: Player) -> f64 {
    let behind = |action, depth| expectiminimax(game, evaluation, &after(game, state, action), depth, searcher);
    match game.turn(state) {
        Turn::Over => game.payoff(state, searcher),
        Turn::Player(_) if depth == 0 => (0.5 + evaluation.value(game, state, searcher) / 2.0).clamp(0.001, 0.999),
        Turn::Player(mover) => {
            let shares = legal(game, state).into_iter().map(|action| behind(action, depth - 1));
            if mover == searcher { shares.fold(0.0, f64::max) } else { shares.fold(1.0, f64::min) }
        }
        _ => {
            let mut outcomes = Vec::new();
            game.chance(state, &mut outcomes);
            outcomes.into_iter().map(|(outcome, probability)| probability * behind(outcome, depth)).sum()
        }
    }
}

#[test]
fn every_pruning_has_the_values_of_the_definition() {
    let late = [0, 1, 5, 9];
    for (address, depth, moves) in [("dice7", 2, &late[..]), (SMALL, 4, &late[..2]), (WALLED, 3, &late[..3])] {
        let game = open(address);
        let race = game.heuristics().unwrap().evaluation(&game, "race").unwrap();
        for state in positions(&game, moves, 11) {
            let Turn::Player(player) = game.turn(&state) else { unreachable!() };
            let share = |action| expectiminimax(&game, &*race, &after(&game, &state, action), depth - 1, player);
            let best = legal(&game, &state).into_iter().map(share).fold(0.0, f64::max);
            for agent in ["pruning=off", "pruning=star1", "pruning=star2", "table=0", "table=64"] {
                let agent = format!("expectimax(depth={depth},evaluation=race,{agent})");
                let decision = decide(&game, &agent, &state, &PLENTY);
                let place = format!("{agent}\n{}", game.board_text(&state));
                assert!((decision.value.unwrap() - best).abs() < 1e-9, "{:?}, not {best}: {place}", decision.value);
                assert!((share(decision.action) - best).abs() < 1e-9, "{place}");
            }
        }
    }
}

/// Three choices deep, at the start and in ten positions of random matches.
#[test]
fn star2_reads_at_most_a_tenth_of_the_leaves() {
    let game = open("dice7");
    let mut states = positions(&game, &[1, 2, 3, 4, 5, 6, 7, 8, 10, 12], 20);
    states.insert(0, game.start());
    for state in states {
        let [plain, pruned] = ["off", "star2"].map(|pruning| {
            let decision = decide(&game, &format!("expectimax(depth=3,pruning={pruning})"), &state, &PLENTY);
            let leaves: u64 = decision.thought.candidates.iter().map(|candidate| candidate.visits).sum();
            (decision.value.unwrap(), leaves)
        });
        let place = game.board_text(&state);
        assert!((plain.0 - pruned.0).abs() < 1e-9, "{plain:?} {pruned:?}\n{place}");
        assert!(10 * pruned.1 <= plain.1, "{} of {} leaves\n{place}", pruned.1, plain.1);
    }
}

/// What the exact values say of an action: how much less than the best it is worth.
fn loss(game: &Dice, solved: &Solved<Dice>, state: &State, action: Action) -> f64 {
    let worth = solved.actions(game, state).unwrap();
    let best = worth.iter().map(|(_, value)| value.value).fold(f64::NEG_INFINITY, f64::max);
    best - worth.iter().find(|(other, _)| *other == action).unwrap().1.value
}

#[test]
fn small_boards_are_played_as_value_iteration_says() {
    let game = open("dice7(layout=\"k.m/m.M/M.K\")");
    let solved = Solved::new(&game, &game.start(), 100_000, 1e-9).unwrap();
    let mut choices = 0;
    for state in positions(&game, &[0, 1, 2, 4], 7) {
        let worth = solved.actions(&game, &state).unwrap();
        let worst = worth.iter().map(|&(action, _)| loss(&game, &solved, &state, action)).fold(0.0, f64::max);
        choices += usize::from(worst > 0.05);
        for (agent, most) in [("expectimax(depth=6)", 0.005), ("uct(playouts=5000)", 0.05), ("dpw(playouts=5000)", 0.1)]
        {
            let decision = decide(&game, agent, &state, &PLENTY);
            let lost = loss(&game, &solved, &state, decision.action);
            assert!(lost <= most, "{agent} gives {lost} away\n{}", game.board_text(&state));
        }
    }
    assert!(choices >= 3, "in only {choices} states a choice matters");
}

/// King and one man can make no line: whatever is played, the match is a draw, and everybody has an answer. With the
/// king alone the board is refused when it is opened. Nor is anybody lost where a move leaves the other without one.
#[test]
fn every_agent_answers_in_odd_corners() {
    let pair = open("dice7(layout=\"k..m/..../..../M..K\",limit=8)");
    let crowded = open("dice7(layout=\"km.M./M##../##.../...../...K.\",ban=off,first=white)");
    let agents = [
        "typeA",
        "typeAB(depth=50,playouts=200)",
        "look-ahead(depth=50)",
        "expectimax(depth=50)",
        "expectimax(depth=1)",
        "uct",
        "dpw",
        "mc003",
        "nominate",
    ];
    for game in [&pair, &crowded, &open("dice7")] {
        let state = game.start();
        for agent in agents {
            for budget in ["playouts=50", "nodes=1", "time=1ms"] {
                let decision = decide(game, agent, &state, &budget.parse().unwrap());
                assert!(
                    legal(game, &state).contains(&decision.action),
                    "{agent} with {budget} at {}",
                    game.spec().name
                );
            }
        }
    }
    let decision = decide(&pair, "expectimax(depth=50)", &pair.start(), &PLENTY);
    assert!((decision.value.unwrap() - 0.5).abs() < 1e-9, "{:?}", decision.value);
    let stuck = crowded.parse_state("kmM../M##../##.../...../...K. black 1").unwrap();
    assert_eq!((crowded.turn(&stuck), crowded.payoff(&stuck, Player(0))), (Turn::Over, 0.5));
    let alone = Arguments::bind(&"dice7(layout=\"k../.../M.K\")".parse().unwrap(), ENTRY.parameters).unwrap();
    assert!((ENTRY.open)(&alone).unwrap_err().to_string().contains("expected 1 to 4 men of black, found 0"));
}

#[test]
fn depth_0_is_refused() {
    let game = open("dice7");
    for agent in ["typeA(depth=0)", "look-ahead(depth=0)", "expectimax(depth=0)", "look-ahead(depth=100)"] {
        let Err(error) = build(agent, &game) else { panic!("{agent} was built") };
        assert!(error.to_string().contains("from 1 to"), "{agent}: {error}");
    }
}
