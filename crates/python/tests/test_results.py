"""Matches, experiments, solvers, and their results as tables."""

from __future__ import annotations

import json
import pathlib

import numpy as np
import pandas
import pyarrow
import pytest
import tesuji

EXPERIMENT = """
title = "A test"
games = ["tic-tac-toe", "pig(10)"]
agents = ["uct", "random"]
seed = 5
pairs = 3
budget = { playouts = 50 }
"""


def test_results_are_plain_and_repeat() -> None:
    one = tesuji.match("connect-four(4,5,3)", "uct", "mc", matches=12, playouts=40, seed=9, threads=2)
    two = tesuji.match("connect-four(4,5,3)", "uct", "mc", matches=12, playouts=40, seed=9, threads=1)
    assert one.rows() == two.rows()
    assert json.loads(json.dumps(one))["matches"] == 12
    assert one.wins + one.draws + one.losses == 12
    assert one.interval[0] <= one.win_rate <= one.interval[1]
    with pytest.raises(AttributeError, match="no `luck`"):
        one.luck


def test_tables() -> None:
    result = tesuji.tournament("tic-tac-toe", ["uct", "mc", "random"], 4, playouts=20)
    frame = result.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 3
    assert {"game", "first", "second", "wins", "win_rate", "interval_low", "interval_high"} <= set(frame.columns)
    table = result.to_arrow()
    assert isinstance(table, pyarrow.Table) and table.num_rows == 3


def test_an_experiment_from_text_and_file(tmp_path: pathlib.Path) -> None:
    try:
        text = tesuji.run(EXPERIMENT)
    except tesuji.Error as error:
        pytest.fail(f"the experiment was refused: {error}")
    path = tmp_path / "test.toml"
    path.write_text(EXPERIMENT)
    store = tmp_path / "test.db"
    stored = tesuji.run(path, store=store)
    assert stored.rows() == text.rows() and store.exists()
    # Everything is stored: running again plays nothing.
    assert tesuji.run(path, store=store).rows() == text.rows()
    with pytest.raises(tesuji.Error):
        tesuji.run("title = \n")
    with pytest.raises(FileNotFoundError):
        tesuji.run("no-such-file.toml")
    with pytest.raises(tesuji.Error, match="expected `quick` or `full`"):
        tesuji.run(EXPERIMENT, scale="huge")


def test_solutions() -> None:
    assert tesuji.solve("tic-tac-toe")["value"] == 0.5
    assert tesuji.solve(tesuji.open("tic-tac-toe").state("xx./oo./..."))["value"] == 1.0
    card = tesuji.solve("rps-cards(rrs,pps)")
    assert card["value"] == pytest.approx(2 / 3) and card["strategy"]["first"]["rock"] == pytest.approx(2 / 3)
    with pytest.raises(tesuji.Error):
        tesuji.solve("connect-four", nodes=1000)
    with pytest.raises(tesuji.Error, match="tolerance"):
        tesuji.solve("tic-tac-toe", tolerance=5)
    with pytest.raises(TypeError):
        tesuji.solve(3)  # type: ignore[arg-type]


def test_equilibria() -> None:
    assert tesuji.nash("matching-pennies")["values"] == [0.0, 0.0]
    dilemma = tesuji.nash(np.array([[3, 0], [5, 1]]), [[3, 5], [0, 1]])
    assert dilemma["values"] == [1.0, 1.0] and dilemma["kind"] == "bimatrix"
    with pytest.raises(tesuji.Error):
        tesuji.nash("no-such-table")
    with pytest.raises(tesuji.Error):
        tesuji.nash([[1, 2], [3]])


def test_wrong_series() -> None:
    with pytest.raises(tesuji.Error, match="0 matches"):
        tesuji.match("tic-tac-toe", "uct", "random", matches=0)
    with pytest.raises(tesuji.Error, match="for 2 player"):
        tesuji.match("tic-tac-toe", "uct")
    with pytest.raises(tesuji.Error, match="did you mean"):
        tesuji.match("tic-tac-toe", "uct", "randm")
