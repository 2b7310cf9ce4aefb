"""Random calls across the boundary: an exception or a result, never a crash, and everything still works afterwards."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import tesuji

ADDRESSES = [
    "tic-tac-toe",
    "pig(10)",
    "goofspiel(3)",
    "tubstap(map=one-blow)",
    "matrix(stag-hunt,bernoulli,2)",
    "gdl(tron-6x6)",
    "tree(three-players)",
]
# What Tesuji may raise for wrong input.
EXPECTED = (ValueError, TypeError, IndexError, OverflowError, RuntimeError, AttributeError, MemoryError)


def anything(rng: random.Random) -> Any:
    return rng.choice(
        [
            lambda: rng.randrange(-3, 12),
            lambda: rng.choice([2**31, 2**32, 2**63, 2**64, -(2**63), 10**30]),
            lambda: rng.choice([0.0, 1.5, float("nan"), float("inf"), -0.0]),
            lambda: rng.choice(["", "a1", "x" * 1000, "\0", "(((", "uct(playouts=1)", "tic-tac-toe", "\ud800"]),
            lambda: None,
            lambda: True,
            lambda: [],
            lambda: [rng.randrange(-2, 9) for _ in range(rng.randrange(5))],
            lambda: {0: rng.randrange(9), "x": 1},
            lambda: np.array(rng.choice([[0], [[0, 1]], [1.5], ["a"], [True], [], [2**40]]), dtype=None),
            lambda: np.zeros((3, 3, 3), np.float32),
            lambda: np.int8(rng.randrange(9)),
            lambda: object(),
            lambda: lambda *a, **k: rng.choice([0, None, "x", float("nan"), np.zeros(3), a]),
            lambda: b"bytes",
            lambda: tesuji.Game,
        ]
    )()


def call(target: Any, name: str, arguments: list[Any], options: dict[str, Any]) -> Any:
    try:
        return getattr(target, name)(*arguments, **options)
    except EXPECTED:
        return None


def test_random_calls() -> None:
    rng = random.Random(20)
    names = {
        tesuji.State: [name for name in dir(tesuji.State) if not name.startswith("__")],
        tesuji.Game: ["action_parts", "state", "start", "able_agents"],
        tesuji.VectorEnv: ["reset", "step", "sample", "close", "masks", "players"],
        tesuji.Agent: ["choose"],
    }
    for _ in range(400):
        game = tesuji.open(rng.choice(ADDRESSES))
        targets: list[Any] = [game, game.start(), tesuji.VectorEnv(game, 2, seed=1), tesuji.agent("random", game)]
        for _ in range(12):
            target = rng.choice(targets)
            name = rng.choice(names[type(target)])
            if rng.random() < 0.4 and isinstance(target, tesuji.State):
                # Now and then something sensible, so that states move on.
                if target.is_chance_node():
                    target.apply(rng.choice(target.chance_outcomes())[0])
                elif not target.is_terminal():
                    target.apply([rng.choice(target.legal_actions(player)) for player in target.movers()])
                continue
            arguments = [rng.choice([anything(rng), *targets]) for _ in range(rng.randrange(3))]
            options = {"seed": anything(rng)} if rng.random() < 0.1 else {}
            made = call(target, name, arguments, options)
            if isinstance(made, (tesuji.State, tesuji.Game)):
                targets.append(made)


def test_random_functions() -> None:
    rng = random.Random(21)
    functions = ["open", "agent", "VectorEnv", "solve", "nash", "match", "playouts", "run", "tournament"]
    for _ in range(300):
        arguments = [anything(rng) for _ in range(rng.randrange(1, 4))]
        try:
            options = {"matches": 2, "playouts": 2} if (name := rng.choice(functions)) == "match" else {}
            getattr(tesuji, name)(*arguments, **options)
        except (*EXPECTED, OSError):
            pass


def test_random_evaluations() -> None:
    rng = random.Random(22)
    game = tesuji.open("tic-tac-toe")
    for _ in range(60):
        answers = [anything(rng) for _ in range(3)]
        agent = tesuji.agent(
            "guided", game, evaluation=lambda o, p: rng.choice([*answers, np.zeros(len(o))]), batch=rng.randrange(1, 9)
        )
        for _ in range(3):
            try:
                agent.choose(game.start(), playouts=20)
            except EXPECTED:
                pass
    # Nothing is left locked or broken.
    assert tesuji.match(game, "mc", "random", matches=2, playouts=5)["matches"] == 2
    assert tesuji.agent("uct", game).choose(game.start(), playouts=5).playouts == 5
