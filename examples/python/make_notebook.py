"""Makes `tesuji.ipynb` of the four scripts."""

import pathlib
import re

import nbformat

folder = pathlib.Path(__file__).resolve().parent
notebook = nbformat.v4.new_notebook()
notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
intro = "# Tesuji from Python\n\nFour short programs; `docs/python.md` is the manual."
notebook.cells = [nbformat.v4.new_markdown_cell(intro)]
for script in sorted(folder.glob("[0-9]_*.py")):
    title, body = re.match(r'\A"""(.*?)"""\n(.*)\Z', script.read_text(), re.DOTALL).groups()
    notebook.cells.append(nbformat.v4.new_markdown_cell(f"## {title.strip().splitlines()[0]}"))
    notebook.cells.append(nbformat.v4.new_code_cell(body.strip()))
for number, cell in enumerate(notebook.cells):
    cell["id"] = f"cell-{number}"
nbformat.write(notebook, folder / "tesuji.ipynb")
