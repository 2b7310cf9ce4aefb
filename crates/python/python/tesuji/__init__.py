"""Tesuji: a laboratory for games that are not like chess.

Turns of many actions, rules as text, dice and simultaneous moves: games, agents, solvers and experiments, compiled.

>>> import tesuji
>>> game = tesuji.open("tic-tac-toe")
>>> state = game.start()
>>> state.apply(4)
>>> tesuji.agent("uct", game).choose(state, playouts=200, seed=1).action in state.legal_actions()
True

`tesuji.openspiel`, `tesuji.pettingzoo` and `tesuji.gymnasium` connect the games to other libraries.
"""

from __future__ import annotations

import functools
import os
import tempfile
from typing import Any, Sequence, Union

from . import _tesuji
from ._results import Results
from ._tesuji import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    Agent,
    Decision,
    Error,
    Game,
    State,
    VectorEnv,
    __version__,
    agent,
    agents,
    games,
    open,
    playouts,
)

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "TERMINAL",
    "Agent",
    "Decision",
    "Error",
    "Game",
    "Results",
    "State",
    "VectorEnv",
    "__version__",
    "agent",
    "agents",
    "games",
    "match",
    "nash",
    "open",
    "playouts",
    "run",
    "solve",
    "tournament",
]


def match(
    game: Union[Game, str],
    *agents: Any,
    matches: int = 100,
    playouts: Union[int, None] = None,
    nodes: Union[int, None] = None,
    time: Union[float, None] = None,
    seed: int = 1,
    threads: Union[int, None] = None,
    store: Union[str, os.PathLike[str], None] = None,
) -> Results:
    """Plays a series of matches between two agents, or between one agent for each player.

    An agent is an address such as ``"uct"``, a function of a state that returns an action, or an object with a method
    ``choose``. The budget of a decision is a number of playouts or nodes, or a time in seconds. Every agent takes every
    seat equally often. The result does not depend on the number of threads.

    >>> import tesuji
    >>> result = tesuji.match("tic-tac-toe", "uct", "random", matches=20, playouts=50)
    >>> result["matches"], result.win_rate > 0.5
    (20, True)
    """
    played = _tesuji.play_match(
        game,
        list(agents),
        matches,
        playouts=playouts,
        nodes=nodes,
        time=time,
        seed=seed,
        threads=threads,
        store=store,
    )
    return Results(played)


def tournament(
    game: Union[Game, str],
    agents: Sequence[Any],
    matches: int = 100,
    *,
    playouts: Union[int, None] = None,
    nodes: Union[int, None] = None,
    time: Union[float, None] = None,
    seed: int = 1,
    threads: Union[int, None] = None,
    store: Union[str, os.PathLike[str], None] = None,
) -> Results:
    """Plays a round robin: each agent meets each other one in ``matches`` matches.

    Agents and budgets are those of `match`.

    >>> import tesuji
    >>> table = tesuji.tournament("tic-tac-toe", ["uct", "mc", "random"], 10, playouts=20)
    >>> len(table.rows())
    3
    """
    played = _tesuji.tournament(
        game,
        list(agents),
        matches,
        playouts=playouts,
        nodes=nodes,
        time=time,
        seed=seed,
        threads=threads,
        store=store,
    )
    return Results(played)


def run(
    experiment: Union[str, os.PathLike[str]],
    *,
    scale: str = "quick",
    threads: Union[int, None] = None,
    store: Union[str, os.PathLike[str], None] = None,
) -> Results:
    """Runs an experiment: the path of a TOML file, or its text.

    With ``store``, matches are kept in that file, and a run that was stopped continues where it was.

    >>> import tesuji
    >>> text = \"\"\"
    ... title = "UCT against random"
    ... games = ["tic-tac-toe"]
    ... agents = ["uct", "random"]
    ... seed = 1
    ... pairs = 5
    ... budget = { playouts = 50 }
    ... \"\"\"
    >>> tesuji.run(text)["matches"]
    10
    """
    text = os.fspath(experiment)
    name = "experiment.toml"
    if "\n" not in text:
        name = text
        with _open_file(text, encoding="utf-8") as file:
            text = file.read()
    return Results(_tesuji.run(text, name, scale=scale, threads=threads, store=store))


def solve(game: Union[Game, State, str], *, nodes: int = 10_000_000, tolerance: float = 1e-9) -> dict[str, Any]:
    """The value of a game, or of a state, under optimal play, with a strategy for the first state.

    Games with simultaneous moves are solved for their equilibrium. A game with more than ``nodes`` states is refused.

    >>> import tesuji
    >>> tesuji.solve("tic-tac-toe")["value"]
    0.5
    """
    solution: dict[str, Any] = _tesuji.solve(game, nodes=nodes, tolerance=tolerance)
    return solution


def nash(table: Any, second: Any = None) -> dict[str, Any]:
    """Equilibria of a table of payoffs.

    ``table`` is the name of a bundled table, the path of a file, or an array with the first player's payoffs: a row for
    each action. ``second`` has those of the second player; without it, the game is zero-sum.

    >>> import tesuji
    >>> tesuji.nash("rock-paper-scissors")["values"]
    [0.0, 0.0]
    >>> tesuji.nash([[1, -1], [-1, 1]])["strategies"]["first"]
    {'0': 0.5, '1': 0.5}
    """
    if isinstance(table, (str, os.PathLike)):
        report: dict[str, Any] = _tesuji.nash(os.fspath(table))
        return report
    rows = [[float(entry) for entry in row] for row in table]
    names = [[str(place) for place in range(count)] for count in (len(rows), len(rows[0]) if rows else 0)]
    text = f'title = "table"\nactions = {_toml(names)}\npayoffs = {_toml(rows)}\n'
    if second is not None:
        text += f"second_payoffs = {_toml([[float(entry) for entry in row] for row in second])}\n"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.toml")
        with _open_file(path, "w", encoding="utf-8") as file:
            file.write(text)
        report = _tesuji.nash(path)
        return report


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_toml(entry) for entry in value) + "]"
    return f'"{value}"' if isinstance(value, str) else repr(value)


_open_file = __import__("builtins").open


@functools.lru_cache(maxsize=64)
def _opened(address: str) -> Game:
    return open(address)


def _restore_state(address: str, text: str) -> State:
    """Makes a state again that was pickled."""
    return _opened(address).state(text)
