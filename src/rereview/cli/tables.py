"""Tables as text, JSON, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from math import ceil, log10

from rereview.cli.main import printable
from rereview.measures.tabulate import columns_of
from rereview.types.estimate import Estimate, Table

CELL = ("row", "column", "value", "low", "high", "n", "dropped")
FEWEST, MOST = 2, 6
"""Decimals of an estimate with its interval."""
BARE = 4
"""Decimals of what has no interval to show how many it bears."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
LATEX = str.maketrans(
    {
        **{c: f"\\{c}" for c in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        # Without T1 fonts these three print as other signs.
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        # A row that begins with one of these would be an argument of the line end before it.
        "[": "{[}",
        "*": "{*}",
        # What our own notes use, and LaTeX does not know as text.
        "–": "--",
        "−": "$-$",
        "π": r"$\pi$",
    }
)


def as_json(tables: Mapping[str, Sequence[Table]], extra: Mapping[str, object]) -> str:
    """`{"tables": {NAME: {"cells", "notes"}}}`; where there are several configurations, those of each apart.

    `tables` has them under the name of their configuration, under "" where there is one or for all.
    """
    nested = {name: {"tables": {each.name: _table(each) for each in made}} for name, made in tables.items()}
    content = nested.pop("", {})
    configurations = {"configurations": nested} if nested else {}
    return json.dumps({**content, **configurations, **extra}, ensure_ascii=False, allow_nan=False)


def _table(made: Table) -> dict[str, object]:
    cells = [
        dict(zip(CELL, _fields(cell.row, cell.column, cell.estimate), strict=True)) for cell in made.cells
    ]
    return {"cells": cells, "notes": list(made.notes)}


def _fields(row: str, column: str, found: Estimate) -> tuple[object, ...]:
    return (row, column, found.value, found.low, found.high, found.n, found.dropped)


def as_csv(tables: Mapping[str, Sequence[Table]]) -> str:
    """One row a cell, with configuration and table in front; text that a spreadsheet would run is quoted."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("configuration", "table", *CELL))
    for name, made in tables.items():
        for each in made:
            for cell in each.cells:
                fields = _fields(cell.row, cell.column, cell.estimate)
                writer.writerow([_inert(value) for value in (name, each.name, *fields)])
    return out.getvalue()


def _inert(value: object) -> object:
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value


def as_text(made: Table, configuration: str = "") -> str:
    """A table with aligned columns, its notes below it."""
    grid = _grid(made)
    widths = [max(len(row[index]) for row in grid) for index in range(len(grid[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in grid
    ]
    head = f"{made.name}: {made.caption}" + (f" ({configuration})" if configuration else "")
    return "\n".join(map(printable, [head, *lines, *(f"  {note}" for note in made.notes)]))


def as_latex(made: Table, configuration: str = "") -> str:
    """A `tabular` with booktabs rules; text of a file cannot become a command."""
    grid = [[_latex(cell) for cell in row] for row in _grid(made)]
    caption = _latex(made.caption + (f" ({configuration})" if configuration else ""))
    body = [" & ".join(row) + r" \\" for row in grid]
    notes = [f"\\par\\footnotesize {_latex(note)}" for note in made.notes]
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(grid[0]) - 1)}}}",
            r"\toprule",
            body[0],
            r"\midrule",
            *body[1:],
            r"\bottomrule",
            r"\end{tabular}",
            *notes,
            r"\end{table}",
        ]
    )


def _latex(text: str) -> str:
    return printable(text).translate(LATEX)


def _grid(made: Table) -> list[list[str]]:
    columns = columns_of(made)
    rows = list(dict.fromkeys(cell.row for cell in made.cells))
    found = {(cell.row, cell.column): cell.estimate for cell in made.cells}
    digits = {
        column: _digits([found[row, column] for row in rows if (row, column) in found]) for column in columns
    }
    lines = [[_shown(found.get((row, column)), digits[column]) for column in columns] for row in rows]
    return [["", *columns], *([row, *line] for row, line in zip(rows, lines, strict=True))]


def _digits(column: Sequence[Estimate]) -> int:
    """Decimals of a column: none for counts; else so many that its narrowest interval shows."""
    known = [each for each in column if each.value is not None]
    widths = [each.high - each.low for each in known if each.low is not None and each.high is not None]
    if not widths:
        return 0 if all(each.value == int(each.value or 0) for each in known) else BARE
    narrow = min((width for width in widths if width > 0), default=1.0)
    return min(max(FEWEST, ceil(1 - log10(narrow))), MOST)


def _shown(found: Estimate | None, digits: int) -> str:
    if found is None:
        return ""
    if found.value is None:
        return str(found)
    value = f"{found.value:,.{digits}f}"
    if found.low is None or found.high is None:
        return value
    return f"{value} [{found.low:,.{digits}f}, {found.high:,.{digits}f}]"
