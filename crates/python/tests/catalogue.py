"""The games that tests run on: every example of the catalogue."""

from __future__ import annotations

import functools

import tesuji

EXAMPLES = [example for info in tesuji.games() for example in info["examples"]]


@functools.lru_cache(maxsize=None)
def opened(address: str) -> tesuji.Game:
    return tesuji.open(address)


def is_over_at_once(address: str) -> bool:
    return opened(address).start().is_terminal()


PLAYABLE = [address for address in EXAMPLES if not is_over_at_once(address)]
SEVERAL = [address for address in PLAYABLE if opened(address).num_players >= 2]
SIMULTANEOUS = [address for address in SEVERAL if "simultaneous" in opened(address).features]
# One example of each game of the catalogue.
FIRST = [
    next(address for address in info["examples"] if address in PLAYABLE) for info in tesuji.games()
]
