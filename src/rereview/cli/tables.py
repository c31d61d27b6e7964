"""Tables as text, JSON, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence

from rereview.cli.main import printable
from rereview.report.grid import grid_of, inert
from rereview.types.estimate import Estimate, Table

CELL = ("row", "column", "value", "low", "high", "n", "dropped")
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
                writer.writerow([inert(value) for value in (name, each.name, *fields)])
    return out.getvalue()


def as_text(made: Table, configuration: str = "") -> str:
    """A table with aligned columns, its notes below it."""
    grid = grid_of(made)
    widths = [max(len(row[index]) for row in grid) for index in range(len(grid[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in grid
    ]
    head = f"{made.name}: {made.caption}" + (f" ({configuration})" if configuration else "")
    return "\n".join(map(printable, [head, *lines, *(f"  {note}" for note in made.notes)]))


def as_latex(made: Table, configuration: str = "") -> str:
    """A `tabular` with booktabs rules; text of a file cannot become a command."""
    grid = [[_latex(cell) for cell in row] for row in grid_of(made)]
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
