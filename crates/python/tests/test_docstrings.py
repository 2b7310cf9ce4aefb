"""The examples in the docstrings of compiled objects run."""

from __future__ import annotations

import doctest
from typing import Any

import pytest
import tesuji

COMPILED = {name: getattr(tesuji, name) for name in tesuji.__all__ if getattr(tesuji, name).__doc__}


@pytest.mark.parametrize("name", sorted(name for name in COMPILED if hasattr(tesuji._tesuji, name)))
def test_docstring(name: str) -> None:
    value: Any = COMPILED[name]
    if isinstance(value, (int, str)):
        return
    test = doctest.DocTestParser().get_doctest(value.__doc__, {}, name, None, None)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    runner.run(test)
    assert runner.failures == 0
    if name != "Error":
        assert test.examples, f"`{name}` has no example"


def test_everything_public_is_documented() -> None:
    for value in COMPILED.values():
        if isinstance(value, type):
            for name, member in vars(value).items():
                if not name.startswith("_"):
                    assert member.__doc__, f"{value.__name__}.{name}"
