"""Counts with their percentages in the columns of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from rereview.reviewers.checks.tabulated import PaperTable, table_remark
from rereview.text.numbers import Number, number
from rereview.text.tables import TableCell
from rereview.types.review import Remark


class Share(NamedTuple):
    """A part, the whole that it is of, and the percentage that is printed for it."""

    part: Number
    whole: Number
    percent: Number

    @property
    def low(self) -> Fraction:
        """The percentage that part of whole is; less where the whole leaves the part out."""
        return 100 * self.part.value / self.whole.value

    @property
    def high(self) -> Fraction:
        """The same as `low`: counts are exact."""
        return self.low


class Counted(NamedTuple):
    """A cell with a count and a percentage, `12 (25.0)`."""

    cell: TableCell
    row: int
    part: Number
    percent: Number


_CELL = re.compile(r"(?P<part>\d{1,3}(?:,\d{3})+|\d+)\s*[(\[]\s*(?P<percent>\d{1,3}(?:\.\d+)?)\s*%?\s*[)\]]")
_BASE = re.compile(r"\b[nN]\s*=\s*(?P<base>\d{1,3}(?:,\d{3})+|\d+)\b")
_SAYS_PERCENT = re.compile(r"%|per ?cent", re.IGNORECASE)
_OTHER = re.compile(r"weight|missing|available|imput|mean|median|row percent|± ?SD", re.IGNORECASE)
MIN_HOLDS = 3


def percentage_remarks(printed: Sequence[PaperTable]) -> Iterator[Remark]:
    """Cells whose percentage is that of another count, where the other cells of the column are right.

    The whole is that of the heading (`n = 48`). At least three cells must be right, and three for each
    that is wrong; a cell that is right for some other count of its row or column is left alone.
    """
    for table in printed:
        words = f"{table.caption} {table.notes}"
        for column in range(table.stub, table.grid.columns):
            heading = table.heading(column)
            base = _BASE.search(heading)
            said = _SAYS_PERCENT.search(f"{heading} {words} {table.heading(0)}")
            if base and said and not _OTHER.search(words):
                whole = number(base["base"])
                if whole and whole.value > 0:
                    yield from _column(table, column, whole)


def _column(table: PaperTable, column: int, whole: Number) -> Iterator[Remark]:
    cells = list(_counted(table, column))
    wrong = [each for each in cells if not _is_share(each, whole)]
    if len(cells) - len(wrong) < MIN_HOLDS * max(1, len(wrong)):
        return
    for each in wrong:
        others = {c.part.value for c in cells} | _row_counts(table, each.row)
        if not any(_is_share(each, other) for other in map(_whole, others) if other.value >= each.part.value):
            yield _remark(table, column, each, whole)


def _counted(table: PaperTable, column: int) -> Iterator[Counted]:
    for row in range(table.head, table.grid.rows):
        cell = table.covering.get((row, column))
        found = (
            _CELL.fullmatch(cell.plain.strip()) if cell and cell.row == row and cell.columns == 1 else None
        )
        if cell and found:
            part, percent = number(found["part"]), number(found["percent"])
            if part and percent and part.value > 0:
                yield Counted(cell, row, part, percent)


def _row_counts(table: PaperTable, row: int) -> set[Fraction]:
    """The whole numbers of a row, its label included, and their sum."""
    cells = [cell.plain for cell in table.grid.cells if cell.row == row]
    counts = [
        Fraction(each.replace(",", ""))
        for plain in cells
        for each in re.findall(r"\d[\d,]*(?![\d.%])", plain)
    ]
    return {*counts, sum(counts, Fraction(0))}


def _whole(value: Fraction) -> Number:
    return Number(value, 0, "", 0, 0)


def _is_share(each: Counted, whole: Number) -> bool:
    if whole.value <= 0:
        return False
    return abs(100 * each.part.value / whole.value - each.percent.value) < 2 * each.percent.half


def _remark(table: PaperTable, column: int, each: Counted, whole: Number) -> Remark:
    computed = f"{float(100 * each.part.value / whole.value):.{max(each.percent.decimals, 0) + 1}f}"
    head = next(
        cell
        for row in range(table.head)
        if (cell := table.covering.get((row, column))) and _BASE.search(cell.plain)
    )
    return table_remark(
        table.span(each.cell),
        table.block.text,
        table.span(head),
        table,
        rule="percentages",
        title="A percentage of a table does not follow from its count",
        body=f"{table.label(each.row)}: {each.part} of {whole} is {computed}%, not {each.percent}%.",
        arithmetic=f"100 × {each.part} / {whole} = {computed}; printed: {each.percent}",
        severity="moderate",
    )
