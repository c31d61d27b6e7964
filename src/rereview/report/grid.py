"""Tables as a grid of words: what a reader sees of an estimate, in a terminal, a paper or a page."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log10

from rereview.measures.tabulate import columns_of
from rereview.types.estimate import Estimate, Table

FEWEST, MOST = 2, 6
"""Decimals of an estimate with its interval."""
BARE = 4
"""Decimals of what has no interval to show how many it bears."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def grid_of(made: Table) -> list[list[str]]:
    """A table as lines of words, the first with the columns, each with its row in front."""
    columns = columns_of(made)
    rows = list(dict.fromkeys(cell.row for cell in made.cells))
    found = {(cell.row, cell.column): cell.estimate for cell in made.cells}
    places = {
        column: digits([cell.estimate for cell in made.cells if cell.column == column]) for column in columns
    }
    lines = [[shown(found.get((row, column)), places[column]) for column in columns] for row in rows]
    return [["", *columns], *([row, *line] for row, line in zip(rows, lines, strict=True))]


def digits(column: Sequence[Estimate]) -> int:
    """Decimals of a column: none for counts; else so many that its narrowest interval shows."""
    known = [each for each in column if each.value is not None]
    widths = [each.high - each.low for each in known if each.low is not None and each.high is not None]
    if not widths:
        return 0 if all(each.value == int(each.value or 0) for each in known) else BARE
    narrow = min((width for width in widths if width > 0), default=1.0)
    return min(max(FEWEST, ceil(1 - log10(narrow))), MOST)


def shown(found: Estimate | None, places: int) -> str:
    """A value with its interval; no cell is "", an undefined one a dash."""
    if found is None:
        return ""
    if found.value is None:
        return str(found)
    value = f"{found.value:,.{places}f}"
    if found.low is None or found.high is None:
        return value
    return f"{value} [{found.low:,.{places}f}, {found.high:,.{places}f}]"


def inert(value: object) -> object:
    """A cell of CSV that no spreadsheet runs: text that looks like a formula gets a quotation mark."""
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value
