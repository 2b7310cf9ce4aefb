"""Tesuji's games inside OpenSpiel."""

from __future__ import annotations

import pickle

import numpy as np
import pyspiel
import pytest
import tesuji
import tesuji.openspiel
from catalogue import opened
from open_spiel.python.algorithms import cfr, exploitability, mcts
from open_spiel.python.algorithms.expected_game_score import policy_value

# Every registered game, with parameters that keep matches short: OpenSpiel serialises a state by its whole history, and
# its test does that after every step.
SHORT = {
    "tesuji_oshi_zumo": "tesuji_oshi_zumo(coins=8)",
    "tesuji_pig": "tesuji_pig(target=10)",
    "tesuji_dice7": "tesuji_dice7(limit=30)",
    "tesuji_tubstap": "tesuji_tubstap(map=one-blow)",
    "tesuji_tubstap_random": "tesuji_tubstap_random(width=5,height=4,units=2)",
    "tesuji_breakthrough": "tesuji_breakthrough(rows=5,columns=5)",
}
ALSO = [
    "tesuji_connect_four(rows=6,columns=8)",
    "tesuji_goofspiel(cards=4,prizes=descending,returns=points-difference)",
    "tesuji_matrix(game=prisoners-dilemma,repeat=5)",
    "tesuji_matrix(game=stag-hunt,noise=bernoulli,repeat=3)",
    "tesuji_einstein(setup=_362145/415263,first=black)",
    "tesuji_gdl(sheet=pig-20)",
    "tesuji_gdl(sheet=tron-6x6)",
    "tesuji_gdl(sheet=three-player-tic-tac-toe)",
    "tesuji_tree(file=duel)",
    "tesuji_tree(file=three-players)",
]
GAMES = [SHORT.get(name, name) for name in tesuji.openspiel.NAMES] + ALSO


def test_every_game_for_two_or_more_is_registered() -> None:
    several = {info["name"] for info in tesuji.games() if opened(info["name"]).num_players >= 2}
    assert {tesuji.openspiel.short_name(name) for name in several} == set(tesuji.openspiel.NAMES)
    assert set(tesuji.openspiel.NAMES) <= set(pyspiel.registered_names())


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_own_random_test(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, 1, True, False)


@pytest.mark.parametrize("name", ["tesuji_connect_four(rows=6,columns=8)", "tesuji_goofspiel(cards=4)"])
def test_games_and_states_survive_serialisation(name: str) -> None:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    rng = np.random.default_rng(1)
    for _ in range(4):
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        elif state.is_simultaneous_node():
            state.apply_actions([int(rng.choice(state.legal_actions(p))) for p in range(game.num_players())])
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    text = pyspiel.serialize_game_and_state(game, state)
    read_game, read_state = pyspiel.deserialize_game_and_state(text)
    assert str(read_game) == str(game) and str(read_state) == str(state)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


def test_observations_are_those_of_tesuji() -> None:
    game = pyspiel.load_game("tesuji_connect_four")
    state = game.new_initial_state()
    state.apply_action(3)
    expected = tesuji.open("connect-four").start().child(3).observation_tensor(0)
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    assert (observer.dict["observation"] == expected).all()
    assert state.observation_string(0) == str(state)


def trained(name: str, iterations: int) -> tuple[float, float]:
    """The value of the first player and the exploitability after CFR+ in Python on the game made turn-based."""
    game = pyspiel.convert_to_turn_based(pyspiel.load_game(name))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = policy_value(game.new_initial_state(), [policy, policy])[0]
    return value, exploitability.nash_conv(game, policy)


@pytest.mark.parametrize(
    "name, address, iterations",
    [
        ("tesuji_matrix(game=rock-paper-scissors)", "matrix(rock-paper-scissors)", 200),
        ("tesuji_tree(file=duel)", "tree(duel)", 400),
        ("tesuji_rps_cards(first=rrs,second=pps)", "rps-cards(rrs,pps)", 200),
        ("tesuji_goofspiel(cards=3,prizes=descending)", "goofspiel(3,descending)", 200),
    ],
)
def test_cfr_of_openspiel_agrees_with_our_solver(name: str, address: str, iterations: int) -> None:
    value, gap = trained(name, iterations)
    assert gap < 1e-2
    assert value == pytest.approx(tesuji.solve(address)["value"], abs=1e-3)


def test_cfr_agrees_with_nash_on_a_matrix() -> None:
    value, _ = trained("tesuji_matrix(game=matching-pennies)", 100)
    assert value == pytest.approx(tesuji.nash("matching-pennies")["values"][0], abs=1e-3)


def test_cfr_in_cpp_agrees_too() -> None:
    game = pyspiel.convert_to_turn_based(pyspiel.load_game("tesuji_goofspiel(cards=3,prizes=descending)"))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    values = pyspiel.expected_returns(game.new_initial_state(), solver.average_policy(), -1, False, 0.0)
    assert values[0] == pytest.approx(tesuji.solve("goofspiel(3,descending)")["value"], abs=1e-3)


def test_mcts_of_openspiel_plays_against_ours() -> None:
    game = pyspiel.load_game("tesuji_tic_tac_toe")
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = mcts.MCTSBot(game, 1.4, 100, evaluator, random_state=rng)
    ours = tesuji.agent("uct", "tic-tac-toe", seed=3)
    points = 0.0
    for seat in (0, 1) * 2:
        state = game.new_initial_state()
        while not state.is_terminal():
            mine = state.current_player() == seat
            action = ours.choose(state.tesuji_state, playouts=400).action if mine else bot.step(state)
            state.apply_action(action)
        points += state.returns()[seat]
    # Both play well, and the game is a draw: ours has four times as many playouts.
    assert points >= 1.5
