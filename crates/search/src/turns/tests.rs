//! Searches of turns compared with plain recursions on small skirmishes.

use tesuji_core::{Game, History, Player, Rng, Tactics, Turn, Uniform};

use super::*;
use crate::tiny_games::skirmish::{Everything, Fight, Hit, Skirmish, Wait, hit_points};
use crate::tiny_games::{decision_after, first_decision};

pub(super) const ME: Player = Player(0);

fn judge(turns: u32) -> Judge<Skirmish> {
    Judge { policy: Box::new(Uniform::default()), turns, evaluation: Box::new(hit_points) }
}

fn attack_search(length: u32, states: usize) -> AttackSearch<Skirmish> {
    AttackSearch::new(&Everything, length, states, Box::new(hit_points), Box::new(Wait))
}

pub(super) fn sampling(samples: u32, simulations: u32, turns: u32) -> Dlmc<Skirmish> {
    Dlmc {
        samples,
        simulations,
        sampler: Box::new(Uniform::default()),
        judge: judge(turns),
        allocation: TurnAllocation::Equal,
        attacks: None,
        add_attack_turn: false,
        adjustment: None,
    }
}

fn plan<P: Planner<Skirmish>>(planner: &mut P, game: &Skirmish, budget: &Budget, seed: u64) -> Plan<Hit> {
    let (state, history) = (game.start(), History::default());
    let mut seat = Seat { game, state: &state, player: ME, history: &history, watcher: None };
    let plan = planner.plan(&mut seat, budget, &mut Rng::new(seed));
    let end = after(game, &plan.actions);
    assert_ne!(game.turn(&end), Turn::Player(ME), "{:?} is not a whole turn", plan.actions);
    plan
}

/// Plays actions that must be legal.
fn after(game: &Skirmish, actions: &[Hit]) -> Fight {
    let mut state = game.start();
    for &action in actions {
        tesuji_core::step(game, &mut state, &[action]).unwrap();
    }
    state
}

fn legal(game: &Skirmish, state: &Fight, player: Player) -> Vec<Hit> {
    let mut legal = Vec::new();
    game.legal(state, player, &mut legal);
    legal
}

/// The best value of at most `length` attacks, by trying all sequences.
fn most_by_attacks(game: &Skirmish, state: &Fight, length: u32) -> f64 {
    let mut most = hit_points(game, state, ME);
    if length > 0 && game.turn(state) == Turn::Player(ME) {
        for action in legal(game, state, ME).into_iter().filter(|action| action.1.is_some()) {
            let mut next = *state;
            game.apply(&mut next, &[action]);
            most = most.max(most_by_attacks(game, &next, length - 1));
        }
    }
    most
}

/// The best value of a turn, by trying all.
fn most_by_turns(game: &Skirmish, state: &Fight) -> f64 {
    if game.turn(state) != Turn::Player(ME) {
        return hit_points(game, state, ME);
    }
    let values = legal(game, state, ME).into_iter().map(|action| {
        let mut next = *state;
        game.apply(&mut next, &[action]);
        most_by_turns(game, &next)
    });
    values.fold(f64::NEG_INFINITY, f64::max)
}

const NO_LIMIT: Budget = Budget::playouts(u64::MAX);

#[test]
fn attack_search_finds_what_trying_all_sequences_finds() {
    let mut rng = Rng::new(1);
    for seed in 0..60 {
        let game = Skirmish::random(&mut rng);
        for length in 0..4 {
            let plan = plan(&mut attack_search(length, 100_000), &game, &NO_LIMIT, seed);
            assert_eq!(plan.value, most_by_attacks(&game, &game.start(), length), "{:?} {length}", game.hp);
            assert_eq!(hit_points(&game, &after(&game, &plan.actions), ME), plan.value);
            assert!(plan.actions.iter().filter(|action| action.1.is_some()).count() <= length as usize);
        }
    }
}

#[test]
fn attack_search_opens_the_way_first() {
    // Only when the first piece is gone can the strong one hit the one behind it.
    let game = Skirmish::new([[5, 5, 5], [1, 1, 9]], [[1, 9, 1], [1, 1, 1]]);
    let plan = plan(&mut attack_search(3, 1000), &game, &NO_LIMIT, 1);
    assert_eq!(after(&game, &plan.actions).hp[1], [0, 0, 0]);
}

#[test]
fn attack_search_keeps_to_its_states_and_waits_for_the_rest() {
    let game = Skirmish::new([[5, 5, 5], [5, 5, 5]], [[1, 1, 1], [1, 1, 1]]);
    let plan = plan(&mut attack_search(3, 1), &game, &NO_LIMIT, 1);
    assert_eq!(plan.actions, [(0, None), (1, None), (2, None)]);
    let few = Budget::playouts(5);
    assert_eq!(super::tests::plan(&mut attack_search(3, 1000), &game, &few, 1).playouts, 5);
}

#[test]
fn many_samples_find_the_best_turn() {
    let mut rng = Rng::new(2);
    for seed in 0..20 {
        let game = Skirmish::random(&mut rng);
        let plan = plan(&mut sampling(3000, 1, 0), &game, &NO_LIMIT, seed);
        assert_eq!(plan.value, most_by_turns(&game, &game.start()), "{:?} {:?}", game.hp, game.strength);
        assert_eq!(plan.playouts, 3000);
    }
}

#[test]
fn sampling_makes_its_playouts_and_no_more_than_the_budget() {
    let game = Skirmish::random(&mut Rng::new(3));
    assert_eq!(plan(&mut sampling(20, 7, 2), &game, &NO_LIMIT, 1).playouts, 140);
    for limit in [1, 5, 20, 21, 139] {
        assert_eq!(plan(&mut sampling(20, 7, 2), &game, &Budget::playouts(limit), 1).playouts, limit);
    }
    let improved = |limit| {
        let adjustment = Some(Adjustment { turns: 4, actions: 2 });
        let attacks = Some(attack_search(3, 1000));
        let mut planner = Dlmc { attacks, add_attack_turn: true, adjustment, ..sampling(20, 7, 2) };
        plan(&mut planner, &game, &Budget::playouts(limit), 1).playouts
    };
    assert!((141..=175).contains(&improved(10_000)), "20 turns, then 1 to 5 more, 7 playouts each");
    assert!((1..=60).all(|limit| improved(limit) <= limit));
}

#[test]
fn halving_finds_the_best_turn() {
    let mut rng = Rng::new(2);
    for seed in 0..20 {
        let game = Skirmish::random(&mut rng);
        let mut planner = Dlmc { allocation: TurnAllocation::Halving, ..sampling(3000, 1, 0) };
        let plan = plan(&mut planner, &game, &Budget::playouts(6000), seed);
        assert_eq!(plan.value, most_by_turns(&game, &game.start()), "{:?} {:?}", game.hp, game.strength);
    }
}

/// Whether each action is the best for the first piece that can act, considered alone.
fn is_best_piece_by_piece(game: &Skirmish, actions: &[Hit]) -> bool {
    let mut state = game.start();
    actions.iter().all(|&action| {
        let value = |action: Hit| {
            let mut end = state;
            game.apply(&mut end, &[action]);
            hit_points(game, &end, ME)
        };
        let all = legal(game, &state, ME);
        let own = all.iter().filter(|other| other.0 == all[0].0);
        let best = action.0 == all[0].0 && own.into_iter().all(|&other| value(other) <= value(action));
        game.apply(&mut state, &[action]);
        best
    })
}

#[test]
fn a_divided_turn_is_planned_part_by_part_and_a_single_part_is_the_whole() {
    let mut rng = Rng::new(6);
    let mut apart = 0;
    for seed in 0..20 {
        let game = Skirmish::random(&mut rng);
        let divided = |most| Divided { tactics: &Everything, planner: sampling(3000, 1, 0), most };
        let whole = plan(&mut sampling(3000, 1, 0), &game, &NO_LIMIT, seed);
        assert_eq!(plan(&mut divided(3), &game, &NO_LIMIT, seed).actions, whole.actions);
        let single = plan(&mut divided(1), &game, &NO_LIMIT, seed);
        assert!(is_best_piece_by_piece(&game, &single.actions), "{single:?} {:?} {:?}", game.hp, game.strength);
        assert_eq!(single.playouts, 3000 * single.actions.len() as u64);
        apart += u32::from(single.value < whole.value);
        for limit in [1, 2, 3, 10, 100] {
            assert!(plan(&mut divided(2), &game, &Budget::playouts(limit), seed).playouts <= limit + 1);
        }
    }
    assert!(apart > 0, "nothing was lost by planning pieces apart");
}

#[test]
fn one_sample_becomes_good_by_attacks_and_by_adjustment() {
    let mut rng = Rng::new(4);
    for seed in 0..20 {
        let game = Skirmish::random(&mut rng);
        let best = most_by_turns(&game, &game.start());
        let attacks = || Some(attack_search(3, 10_000));
        let mut added = Dlmc { attacks: attacks(), add_attack_turn: true, ..sampling(1, 1, 0) };
        assert_eq!(plan(&mut added, &game, &NO_LIMIT, seed).value, best);
        let mut adjusted =
            Dlmc { attacks: attacks(), adjustment: Some(Adjustment { turns: 1, actions: 3 }), ..sampling(1, 1, 0) };
        assert_eq!(plan(&mut adjusted, &game, &NO_LIMIT, seed).value, best);
        // An adjustment of the last action keeps the actions before it.
        let plain = plan(&mut sampling(1, 1, 0), &game, &NO_LIMIT, seed);
        let adjustment = Some(Adjustment { turns: 1, actions: 1 });
        let mut tail = Dlmc { attacks: attacks(), adjustment, ..sampling(1, 1, 0) };
        let tail = plan(&mut tail, &game, &NO_LIMIT, seed);
        assert_eq!(tail.actions[..plain.actions.len() - 1], plain.actions[..plain.actions.len() - 1]);
        assert!(tail.value >= plain.value);
    }
}

fn small_evolution() -> Evolution<Skirmish> {
    Evolution {
        population: 20,
        survivors: 0.5,
        mutation: 0.2,
        simulations: 1,
        sampler: Box::new(Uniform::default()),
        judge: judge(0),
        replies: 0,
    }
}

#[test]
fn evolution_finds_the_best_turn() {
    let mut rng = Rng::new(5);
    for seed in 0..10 {
        let game = Skirmish::random(&mut rng);
        let mut evolution = small_evolution();
        let found = plan(&mut evolution, &game, &Budget::playouts(4000), seed);
        assert_eq!(found.value, most_by_turns(&game, &game.start()), "{:?} {:?}", game.hp, game.strength);
        assert_eq!(found.playouts, 4000);
        for limit in [1, 7, 20, 33] {
            assert_eq!(plan(&mut evolution, &game, &Budget::playouts(limit), seed).playouts, limit);
        }
    }
}

/// The value for the searcher after the other side's best reply, by trying all.
fn after_best_reply(game: &Skirmish, state: &Fight) -> f64 {
    let Turn::Player(other) = game.turn(state) else { return hit_points(game, state, ME) };
    if other == ME {
        return hit_points(game, state, ME);
    }
    let values = legal(game, state, other).into_iter().map(|action| {
        let mut next = *state;
        game.apply(&mut next, &[action]);
        after_best_reply(game, &next)
    });
    values.fold(f64::INFINITY, f64::min)
}

#[test]
fn replies_choose_the_turn_that_the_best_reply_harms_least() {
    let mut rng = Rng::new(8);
    let mut better = 0;
    for seed in 0..20 {
        let game = Skirmish::random(&mut rng);
        let mut evolution = small_evolution();
        let plain = plan(&mut evolution, &game, &Budget::playouts(2000), seed);
        evolution.replies = 20;
        let judged = plan(&mut evolution, &game, &Budget::playouts(100_000), seed);
        let [plain, exact] = [&plain, &judged].map(|plan| after_best_reply(&game, &after(&game, &plan.actions)));
        assert_eq!(judged.value, exact, "{:?} {:?}", game.hp, game.strength);
        assert!(exact >= plain, "{:?} {:?}", game.hp, game.strength);
        better += u32::from(exact > plain);
        for limit in [2, 7, 20, 33, 500] {
            assert!(plan(&mut evolution, &game, &Budget::playouts(limit), seed).playouts <= limit);
        }
    }
    assert!(better > 0, "replies never changed the choice");
}

/// The active pieces of `player`: those with the best hit first, then in order.
fn fixed_order(game: &Skirmish, state: &Fight, player: Player) -> Vec<u8> {
    let mut pieces: Vec<u8> = legal(game, state, player).into_iter().map(|action| action.0).collect();
    pieces.dedup();
    let best = |piece: u8| {
        let own = legal(game, state, player).into_iter().filter(|action| action.0 == piece && action.1.is_some());
        own.map(|action| game.harm(state, action) + 1).max().unwrap_or(0)
    };
    pieces.sort_by_key(|&piece| (std::cmp::Reverse(best(piece)), piece));
    pieces
}

/// The value of the best turn in the fixed order against the best reply in its fixed order, by trying all.
fn two_turns(game: &Skirmish, state: &Fight, order: &[u8], player: Player) -> f64 {
    let acts = game.turn(state) == Turn::Player(player);
    if !acts || order.is_empty() {
        return match game.turn(state) {
            Turn::Player(next) if player == ME && next != ME => {
                two_turns(game, state, &fixed_order(game, state, next), next)
            }
            _ => hit_points(game, state, ME),
        };
    }
    let values = legal(game, state, player).into_iter().filter(|action| action.0 == order[0]).map(|action| {
        let mut next = *state;
        game.apply(&mut next, &[action]);
        two_turns(game, &next, &order[1..], player)
    });
    if player == ME { values.fold(f64::NEG_INFINITY, f64::max) } else { values.fold(f64::INFINITY, f64::min) }
}

#[test]
fn alpha_beta_finds_what_trying_all_finds() {
    let mut rng = Rng::new(6);
    for seed in 0..40 {
        let game = Skirmish::random(&mut rng);
        let mut planner =
            Satisficing { tactics: &Everything, active: 3, evaluation: Box::new(hit_points), routine: Box::new(Wait) };
        let found = plan(&mut planner, &game, &NO_LIMIT, seed);
        let start = game.start();
        let expected = two_turns(&game, &start, &fixed_order(&game, &start, ME), ME);
        assert_eq!(found.value, expected, "{:?} {:?}", game.hp, game.strength);
        for limit in [1, 2, 10, 50] {
            assert!(plan(&mut planner, &game, &Budget::playouts(limit), seed).playouts <= limit);
        }
        let mut lazy = Satisficing { active: 1, ..planner };
        let waits = plan(&mut lazy, &game, &NO_LIMIT, seed).actions;
        assert!(waits[1..].iter().all(|action| action.1.is_none()), "{waits:?}");
    }
}

#[test]
fn a_plan_is_followed_for_nothing_and_dropped_where_play_differs() {
    let game = Skirmish::new([[5, 5, 5], [5, 5, 5]], [[1, 1, 1], [1, 1, 1]]);
    let budget = Budget::playouts(100);
    let mut agent = TurnAgent::new(sampling(10, 10, 2), Budget::default(), 10.0);
    let first = first_decision(&game, &mut agent, 0, 100, 1);
    assert_eq!((first.thought.playouts, first.thought.line.len()), (100, 3));
    let mut history = History::default();
    history.push(&[first.action]);
    let second = decision_after(&game, &mut agent, &history, 0, &budget, &mut Rng::new(2));
    assert_eq!((second.thought.playouts, vec![second.action]), (0, first.thought.line[1].clone()));
    // The same query again is not a step further, so it is searched again.
    let again = decision_after(&game, &mut agent, &history, 0, &budget, &mut Rng::new(2));
    assert_eq!(again.thought.playouts, 100);
    let mut other = History::default();
    let different = legal(&game, &game.start(), ME).into_iter().find(|&action| action != first.action).unwrap();
    agent.begin();
    first_decision(&game, &mut agent, 0, 100, 1);
    other.push(&[different]);
    assert_eq!(decision_after(&game, &mut agent, &other, 0, &budget, &mut Rng::new(2)).thought.playouts, 100);
    agent.begin();
    let mut anew = first_decision(&game, &mut agent, 0, 100, 1);
    anew.thought.time = first.thought.time;
    assert_eq!(anew, first);
}

#[test]
fn knowledge_counts_the_pieces_that_can_act() {
    let game = Skirmish::new([[5, 0, 5], [5, 5, 5]], [[1, 1, 1], [1, 1, 1]]);
    let mut state = game.start();
    assert_eq!(count_pieces(&Everything, &game, &state, ME), 2);
    game.apply(&mut state, &[(0, None)]);
    assert_eq!(count_pieces(&Everything, &game, &state, ME), 1);
    assert_eq!(Everything.piece(&game, &state, (2, None)), 2);
}

#[test]
fn a_wide_beam_finds_the_best_turn() {
    let mut rng = Rng::new(11);
    for round in 0..40 {
        let game = Skirmish::random(&mut rng);
        let mut beam = Beam { evaluation: Box::new(hit_points), width: 1024, replies: 0, narrower: 1 };
        let found = plan(&mut beam, &game, &NO_LIMIT, round);
        assert_eq!(found.value, most_by_turns(&game, &game.start()), "{:?} {:?}", game.hp, game.strength);
    }
}

#[test]
fn a_beam_that_sees_all_replies_finds_the_best_of_them() {
    /// The least value that the other side can reach with its turn.
    fn least(game: &Skirmish, state: &Fight) -> f64 {
        let Turn::Player(mover) = game.turn(state) else { return hit_points(game, state, ME) };
        if mover == ME {
            return hit_points(game, state, ME);
        }
        let values = legal(game, state, mover).into_iter().map(|action| {
            let mut next = *state;
            game.apply(&mut next, &[action]);
            least(game, &next)
        });
        values.fold(f64::INFINITY, f64::min)
    }
    fn most(game: &Skirmish, state: &Fight) -> f64 {
        if game.turn(state) != Turn::Player(ME) {
            return least(game, state);
        }
        let values = legal(game, state, ME).into_iter().map(|action| {
            let mut next = *state;
            game.apply(&mut next, &[action]);
            most(game, &next)
        });
        values.fold(f64::NEG_INFINITY, f64::max)
    }
    let mut rng = Rng::new(12);
    for round in 0..15 {
        let game = Skirmish::random(&mut rng);
        let evaluation = Box::new(ByResult { evaluation: Box::new(hit_points), won: 1000.0 });
        let mut beam = Beam { evaluation: Box::new(hit_points), width: 256, replies: 10_000, narrower: 1 };
        let found = plan(&mut beam, &game, &NO_LIMIT, round);
        let end = after(&game, &found.actions);
        if game.turn(&end) != Turn::Over {
            assert_eq!(found.value, most(&game, &game.start()), "{:?} {:?}", game.hp, game.strength);
        }
        let mut short = Beam { evaluation, width: 256, replies: 8, narrower: 2 };
        let cut = plan(&mut short, &game, &Budget::playouts(10), round);
        assert!(cut.playouts <= 10, "a budget of 10 took {}", cut.playouts);
    }
}
