"""The example scripts run, and so does the notebook that is made of them."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples" / "python"
SCRIPTS = sorted(path for path in EXAMPLES.glob("*.py") if path.name[0].isdigit())


def test_there_are_four() -> None:
    assert len(SCRIPTS) == 4


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_runs(script: pathlib.Path, tmp_path: pathlib.Path) -> None:
    environment = {**os.environ, "MPLBACKEND": "Agg", "TESUJI_QUICK": "1"}
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_notebook_has_the_scripts_and_runs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = nbformat.read(EXAMPLES / "tesuji.ipynb", as_version=4)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    for script in SCRIPTS:
        body = re.sub(r'\A""".*?"""\n', "", script.read_text(), flags=re.DOTALL).strip()
        assert body in code, f"{script.name} has changed: run examples/python/make_notebook.py"
    monkeypatch.setenv("TESUJI_QUICK", "1")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/svg+xml" in output.get("data", {}) for output in shown), "no board was drawn"
