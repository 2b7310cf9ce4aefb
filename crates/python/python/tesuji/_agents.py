"""How Tesuji calls agents that are written in Python."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable

from ._tesuji import State


@functools.lru_cache(maxsize=256)
def _wanted(function: Callable[..., Any]) -> tuple[str, ...]:
    """Which of `player` and `seed` a function takes by name."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return ()
    return tuple(name for name in ("player", "seed") if name in parameters)


def call_agent(choose: Callable[..., Any], state: State, player: int, seed: int) -> Any:
    """Calls an agent with the state, and with the player and a seed if it takes them."""
    try:
        wanted = _wanted(choose)
    except TypeError:
        # It cannot be hashed.
        wanted = _wanted.__wrapped__(choose)
    given = {"player": player, "seed": seed}
    return choose(state, **{name: given[name] for name in wanted})
