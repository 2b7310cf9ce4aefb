"""Results of matches, tournaments and experiments."""

from __future__ import annotations

from typing import Any


class Results(dict[str, Any]):
    """The result of a run: a plain dictionary, as `tesuji run --json` prints it, with tables.

    `rows` has one entry for each game and pairing. Where there is one pairing, its figures are attributes too, such as
    `win_rate`.
    """

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary for each game and pairing, with the figures that fit a table."""
        plain = (str, int, float, bool, type(None))
        rows = []
        for result in self["results"]:
            row = {key: value for key, value in result.items() if isinstance(value, plain)}
            for name in ("interval", "pair_interval"):
                low, high = result.get(name) or (None, None)
                row[f"{name}_low"], row[f"{name}_high"] = low, high
            row["elo"] = (result.get("elo") or {}).get("elo")
            rows.append(row)
        return rows

    def to_pandas(self) -> Any:
        """The rows as a pandas DataFrame; needs pandas."""
        import pandas

        return pandas.DataFrame(self.rows())

    def to_arrow(self) -> Any:
        """The rows as an Arrow table; needs pyarrow."""
        import pyarrow

        return pyarrow.Table.from_pylist(self.rows())

    def __getattr__(self, name: str) -> Any:
        results = self.get("results", [])
        if name in self:
            return self[name]
        if len(results) == 1 and name in results[0]:
            return results[0][name]
        raise AttributeError(f"the result has no `{name}`")
