"""Agents, from Tesuji and from Python."""

from __future__ import annotations

import os
import pickle
import random
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
import tesuji
from catalogue import FIRST, opened


@pytest.mark.parametrize("address", FIRST)
def test_an_agent_for_every_game(address: str) -> None:
    game = opened(address)
    state = game.start()
    state.draw(1)
    player = state.movers()[0]
    agent = tesuji.agent("mc", game)
    decision = agent.choose(state, player, playouts=30, seed=5)
    assert decision.action in state.legal_actions(player)
    assert decision.text == state.action_to_string(decision.action, player)
    assert abs(sum(decision.policy.values()) - 1) < 1e-9
    again = agent.choose(state, player, playouts=30, seed=5)
    assert (again.action, again.visits) == (decision.action, decision.visits)


def test_a_decision_has_its_search() -> None:
    game = tesuji.open("connect-four")
    state = game.start()
    decision = tesuji.agent("uct", game).choose(state, playouts=500, seed=1)
    assert sum(decision.visits.values()) >= 499
    assert decision.playouts == 500 and decision.depth > 1 and decision.nodes > 1 and decision.seconds > 0
    assert 0 <= (decision.value or 0) <= 1
    assert decision.line[0] == (decision.action,) and decision.line_text[0] == [decision.text]
    assert decision.candidates[0]["visits"] == max(decision.visits.values())


def test_budgets() -> None:
    agent = tesuji.agent("uct", "connect-four")
    begun = time.monotonic()
    decision = agent.choose(agent.game.start(), time=0.2)
    assert 0.15 < time.monotonic() - begun < 2 and decision.playouts > 100
    for wrong in ({"time": 0.0}, {"time": -1.0}, {"time": float("nan")}, {"playouts": 0}, {"nodes": 0}):
        with pytest.raises(tesuji.Error):
            agent.choose(agent.game.start(), **wrong)  # type: ignore[arg-type]


def test_agents_pickle_and_refuse() -> None:
    agent = pickle.loads(pickle.dumps(tesuji.agent("uct(c=0.2)", "tic-tac-toe")))
    assert agent.name == "uct(c=0.2)"
    with pytest.raises(tesuji.Error, match="it does not handle chance, simultaneous"):
        tesuji.agent("dlmc", "goofspiel(3)")
    with pytest.raises(tesuji.Error, match="did you mean `uct`"):
        tesuji.agent("utc", "tic-tac-toe")
    over = tesuji.open("tic-tac-toe").state("xxx/oo./...")
    with pytest.raises(tesuji.Error, match="the match is over"):
        tesuji.agent("uct", over.game).choose(over)


def test_two_threads_search_at_the_same_time() -> None:
    """The interpreter lock is released: the searches overlap, whatever the number of cores."""
    game = tesuji.open("connect-four")
    spans: list[tuple[float, float]] = []

    def search() -> None:
        begun = time.monotonic()
        tesuji.agent("uct", game).choose(game.start(), time=0.4)
        spans.append((begun, time.monotonic()))

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (begin_one, end_one), (begin_two, end_two) = spans
    assert min(end_one, end_two) - max(begin_one, begin_two) > 0.2


def test_one_agent_in_two_threads_is_refused() -> None:
    game = tesuji.open("connect-four")
    agent = tesuji.agent("uct", game)
    thread = threading.Thread(target=lambda: agent.choose(game.start(), time=0.5))
    thread.start()
    time.sleep(0.15)
    with pytest.raises(RuntimeError, match="in another thread"):
        agent.choose(game.start(), playouts=1)
    thread.join()
    assert agent.choose(game.start(), playouts=10).playouts == 10


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on Unix")
@pytest.mark.parametrize("work", ["search", "match", "solve"])
def test_ctrl_c_stops_long_work(work: str) -> None:
    game = tesuji.open("connect-four")
    agent = tesuji.agent("uct", game)
    # A shell starts programs in the background with this signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        if work == "search":
            agent.choose(game.start(), time=60)
        elif work == "match":
            tesuji.match(game, "uct", "uct", matches=2000, playouts=20_000)
        else:
            tesuji.solve("goofspiel(8)")
    assert time.monotonic() - begun < 10
    # The agent can be used again.
    assert agent.choose(game.start(), playouts=10).playouts == 10


class Leftmost:
    """Always takes the first legal action."""

    name = "leftmost"
    begun = 0

    def begin(self) -> None:
        Leftmost.begun += 1

    def choose(self, state: tesuji.State, player: int) -> int:
        assert state.movers() == [player]
        return state.legal_actions()[0]


def uniform(state: tesuji.State, seed: int) -> int:
    return random.Random(seed).choice(state.legal_actions())


def test_python_agents_in_a_tournament() -> None:
    game = tesuji.open("connect-four(4,5,3)")
    table = tesuji.tournament(game, ["uct", Leftmost(), uniform], 10, playouts=50, threads=2)
    assert [agent["label"] for agent in table["agents"]] == ["uct", "leftmost", "uniform"]
    assert table["matches"] == 30 and table["fouls"] == 0 and Leftmost.begun > 0
    scores = {row["first"] + row["second"]: row["win_rate"] for row in table.rows()}
    assert scores["uctleftmost"] > 0.5 and scores["uctuniform"] > 0.5
    # Equal seeds give equal results, on any number of threads.
    again = tesuji.tournament(game, ["uct", Leftmost(), uniform], 10, playouts=50, threads=1)
    assert again.rows() == table.rows()


def test_python_agents_play_simultaneous_games() -> None:
    result = tesuji.match("goofspiel(4)", lambda state, player: max(state.legal_actions(player)), "random", matches=10)
    assert result["matches"] == 10


def test_exceptions_of_python_agents_are_raised() -> None:
    def broken(state: tesuji.State) -> int:
        raise ZeroDivisionError("my bug")

    with pytest.raises(ZeroDivisionError, match="my bug"):
        tesuji.match("tic-tac-toe", broken, "random", matches=10)
    for wrong, message in ((lambda state: "a1", "number of a legal action"), (lambda state: None, "not None")):
        with pytest.raises(tesuji.Error, match=message):
            tesuji.match("tic-tac-toe", wrong, "random", matches=2)
    # An illegal action loses the match.
    lost = tesuji.match("tic-tac-toe", lambda state: 99, "random", matches=4)
    assert lost.losses == 4 and lost["fouls"] == 4
    with pytest.raises(TypeError, match="an agent is an address"):
        tesuji.match("tic-tac-toe", 3, "random")


def test_a_python_evaluation_guides_a_search_in_batches() -> None:
    game = tesuji.open("tic-tac-toe")
    sizes: list[int] = []

    def evaluation(observations: Any, players: Any) -> Any:
        sizes.append(len(observations))
        assert observations.shape[1:] == game.observation_shape and players.shape == (len(observations),)
        return np.full(len(observations), 0.5)

    def policy(observations: Any, masks: Any, players: Any) -> Any:
        assert masks.shape == (len(observations), game.num_actions)
        return masks / masks.sum(axis=1, keepdims=True)

    agent = tesuji.agent("guided", game, evaluation=evaluation, policy=policy, batch=8)
    # x wins at once with c1; o must not be let alone.
    state = game.state("xx./oo./...")
    decision = agent.choose(state, playouts=200, seed=1)
    assert decision.action == 2 and (decision.value or 0) > 0.8
    assert max(sizes) > 1 and max(sizes) <= 8 and decision.playouts == 200
    assert abs(sum(c["prior"] for c in decision.candidates) - 1) < 1e-6
    # A policy alone: leaves are played out at random.
    assert tesuji.agent("guided", game, policy=policy).choose(state, playouts=100).action == 2


def test_guided_search_with_dice_and_long_turns() -> None:
    for address in ("pig(20)", "einstein(fixed)", "tubstap(map=one-blow)", "gdl(three-player-tic-tac-toe)"):
        game = opened(address)
        agent = tesuji.agent("guided", game, evaluation=lambda o, p: np.zeros(len(o)) + game.payoffs[0])
        state = game.start()
        state.draw(1)
        decision = agent.choose(state, playouts=64)
        assert decision.action in state.legal_actions()


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda o, p: np.full(len(o), np.nan), "finite numbers.*got NaN"),
        (lambda o, p: np.zeros(len(o) + 1), "got the shape"),
        (lambda o, p: None, "finite numbers"),
        (lambda o, p: ["x"] * len(o), "finite numbers"),
        (lambda o: o, "positional argument"),
    ],
)
def test_wrong_evaluations_are_refused(function: Any, message: str) -> None:
    agent = tesuji.agent("guided", "tic-tac-toe", evaluation=function)
    for _ in range(2):
        with pytest.raises((tesuji.Error, TypeError), match=message):
            agent.choose(agent.game.start(), playouts=50)


def test_functions_need_the_guided_agent() -> None:
    with pytest.raises(tesuji.Error, match="the agent `guided` does"):
        tesuji.agent("uct", "tic-tac-toe", evaluation=lambda o, p: o)
    with pytest.raises(TypeError, match="must be functions"):
        tesuji.agent("guided", "tic-tac-toe", evaluation=3)  # type: ignore[arg-type]
    with pytest.raises(tesuji.Error, match="it does not handle simultaneous"):
        tesuji.agent("guided", "goofspiel(3)", evaluation=lambda o, p: o)


def test_work_in_a_forked_process() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    game = tesuji.open("tic-tac-toe")
    tesuji.agent("uct", game).choose(game.start(), playouts=10)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if tesuji.agent("uct", game).choose(game.start(), playouts=10).playouts == 10 else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
