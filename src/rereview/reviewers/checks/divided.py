"""Tables that divide all things of a kind: counts with their totals, which add up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from rereview.reviewers.checks.tabulated import PaperTable
from rereview.reviewers.checks.wording import names, same, words
from rereview.text.numbers import Number
from rereview.text.tables import TableCell

_MARGIN = {"total", "totals", "all", "overall", "sum"}
_COUNTS = {"n", "no", "number", "numbers", "count", "counts", "freq", "frequency", "of"}
_FEWEST = 2
_MOST_ROWS, _MOST_COLUMNS = 200, 60


class Division(NamedTuple):
    """A part of a whole: two counts of one table, and their cells."""

    table: PaperTable
    part: Number
    whole: Number
    cells: tuple[TableCell, TableCell]
    beside: tuple[Fraction, ...]
    """The other counts of the row and the column of the part."""

    @property
    def percent(self) -> Fraction:
        """The part in per cent of the whole."""
        return 100 * self.part.value / self.whole.value

    def gives(self, share: Number) -> bool:
        """True if a percentage is right for another pair of counts that the part stands among."""
        part = self.part.value
        pairs = [(part, each) for each in self.beside] + [(each, part) for each in self.beside]
        return any(big > 0 and abs(100 * small / big - share.value) < 2 * share.half for small, big in pairs)


def divisions(table: PaperTable, whole: str, part: Sequence[str]) -> Iterator[Division]:
    """The parts of this name in a table of all `whole`, where the totals are the sums of their columns."""
    if len(table.body) > _MOST_ROWS or len(table.value_columns) > _MOST_COLUMNS:
        return
    columns = [c for c in table.value_columns if _is_count(table, c)]
    bottom = [r for r in table.body if _is_margin(table.label(r), whole)]
    right = [c for c in columns if _is_margin(table.heading(c), whole)]
    if len(columns) == 1:
        right = columns
    if len(bottom) != 1 or len(right) != 1 or not _speaks_of(table, whole):
        return
    row, column = bottom[0], right[0]
    if not _adds_up(table, row, column) or not table.values[row, column].value > 0:
        return
    for other in columns:
        if other != column and names(_bare(table.heading(other)), part) and _adds_up(table, row, other):
            yield _division(table, (row, other), (row, column), columns)
    for other in table.body:
        if other != row and names(_bare(table.label(other)), part):
            yield _division(table, (other, column), (row, column), columns)


def _is_count(table: PaperTable, column: int) -> bool:
    """True if a column holds whole numbers alone."""
    values = [table.values[row, column] for row in table.body if (row, column) in table.values]
    plain = all(v.decimals == 0 and v.unit == "" and v.value >= 0 for v in values)
    return plain and len(values) > _FEWEST and "%" not in table.heading(column)


def _bare(heading: str) -> str:
    return " ".join(word for word in words(heading) if word not in _COUNTS)


def _is_margin(heading: str, whole: str) -> bool:
    """True if a heading says that all is meant, and nothing else but the kind of things."""
    told = words(_bare(heading))
    rest = [word for word in told if word not in _MARGIN]
    return len(rest) < len(told) and all(same(word, whole) for word in rest)


def _speaks_of(table: PaperTable, whole: str) -> bool:
    headings = " ".join(table.heading(c) for c in range(table.grid.columns))
    return any(same(word, whole) for word in words(f"{table.caption} {headings}"))


def _adds_up(table: PaperTable, row: int, column: int) -> bool:
    """True if the count of a row is the sum of those of the other rows."""
    rows = [r for r in table.body if r != row]
    places = [(r, column) for r in (*rows, row)]
    if len(rows) < _FEWEST or any(place not in table.values for place in places):
        return False
    return sum(table.values[r, column].value for r in rows) == table.values[row, column].value


def _division(
    table: PaperTable, part: tuple[int, int], whole: tuple[int, int], columns: Sequence[int]
) -> Division:
    places = {(part[0], c) for c in columns} | {(r, part[1]) for r in table.body}
    beside = tuple(table.values[p].value for p in sorted(places - {part, whole}) if p in table.values)
    cells = (table.cell(*part), table.cell(*whole))
    return Division(table, table.values[part], table.values[whole], cells, beside)
