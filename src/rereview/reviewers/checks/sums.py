"""Totals, means and differences of tables, and averages that the text takes from one column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, NamedTuple

from rereview.reviewers.checks.averages import average_remarks
from rereview.reviewers.checks.tabulated import PaperTable, table_remark, tables
from rereview.text.numbers import Number
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark

Relation = Literal["sum", "mean", "difference"]
Place = tuple[int, int]
"""Row and column."""


class Line(NamedTuple):
    """One equation of a table: the cell that is labelled, and the cells it should follow from."""

    result: Place
    parts: tuple[Place, ...]


@dataclass(frozen=True)
class Sums:
    """A total, mean or difference that its parts contradict, where the table shows that it is one.

    What a label means is taken from the rest of the table: the same relation must hold in other
    rows or columns. `columns` and `rows` are how many times at least, for a labelled column (checked
    row by row) and a labelled row (checked column by column); `share` is the greatest number of
    failures for each time that it holds.
    """

    name: ClassVar[str] = "sums"

    columns: int = 3
    rows: int = 2
    share: Fraction = Fraction(1, 3)

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings in tables, and then those in the text."""
        printed = tables(paper)
        for table in printed:
            if not _ROUNDED.search(f"{table.caption} {table.notes}"):
                yield from self._in_columns(table)
                yield from self._in_rows(table)
        yield from average_remarks(paper, printed)

    def _in_columns(self, table: PaperTable) -> Iterator[Remark]:
        """Columns that are labelled as a total, mean or difference of others."""
        for column in table.value_columns:
            relation = _relation(table.heading(column).split(" ")[-1] if column else "", table, column)
            if relation is None:
                continue
            choices = [
                [Line((row, column), tuple((row, part) for part in parts)) for row in table.body]
                for parts in _part_columns(table, column, relation)
            ]
            yield from self._judge(table, relation, choices, least=self.columns, share=self.share)

    def _in_rows(self, table: PaperTable) -> Iterator[Remark]:
        """Rows that are labelled as a total or mean of the rows above them."""
        for row in table.body:
            relation = _named(table.label(row))
            if relation in {None, "difference"}:
                continue
            for columns in _alike(table, row):
                choices = [
                    [Line((row, column), tuple((part, column) for part in parts)) for column in columns]
                    for parts in _part_rows(table, row)
                ]
                most = max((len(lines[0].parts) for lines in choices if lines), default=0)
                least = 1 if relation == "sum" and most >= _MANY_PARTS else self.rows
                yield from self._judge(
                    table, relation or "sum", choices, least=least, share=Fraction(1, least)
                )

    def _judge(
        self, table: PaperTable, relation: Relation, choices: list[list[Line]], *, least: int, share: Fraction
    ) -> Iterator[Remark]:
        """The failures of the choice of parts that holds most often, if it holds often enough.

        If some choice of parts never fails, the label is right under that reading.
        """
        judged = [_Judged.of(table, relation, lines) for lines in choices]
        judged = [j for j in judged if j.holds]
        if not judged or any(not j.fails for j in judged if len(j.holds) >= min(least, _MIN_HOLDS)):
            return
        best = max(judged, key=lambda j: (len(j.holds), -len(j.fails)))
        if len(best.holds) < least or len(best.fails) > share * len(best.holds):
            return
        exact = _counts(table, best)
        for line in best.fails:
            if _cannot_be_right(table, relation, line, exact=exact):
                yield _line_remark(table, relation, line, len(best.holds))


_MIN_HOLDS = 2
_MANY_PARTS = 3
_ROUNDED = re.compile(
    r"\brounding\b|\brounded\b|\bweighted\b|do(?:es)? not (?:add|sum)|may not (?:add|sum)", re.IGNORECASE
)
_SUM = re.compile(r"\W*(?:grand |sub-?|over-?all )?(?:totals?|sum|all|overall|(?-i:Σ))\W*", re.IGNORECASE)
_MEAN = re.compile(r"\W*(?:over-?all )?(?:mean|average|avg|ave)\W*", re.IGNORECASE)
_DIFFERENCE = re.compile(r"\W*(?:differences?|diff|delta|Δ|change)\W*", re.IGNORECASE)
_AGGREGATE = re.compile(
    r"\b(?:sub-?)?total\w*|\bsum\b|\bmean\b|\baverage\b|\bavg\b|\bdiff\w*|\bΔ|\boverall\b|\ball\b",
    re.IGNORECASE,
)
_SPREAD = re.compile(r"\b(?:sd|std|s\.d\.|se|median|min|max|range|iqr|var|cv)\b", re.IGNORECASE)


def _named(label: str) -> Relation | None:
    """What a label says, if it says nothing else."""
    if _SUM.fullmatch(label):
        return "sum"
    if _MEAN.fullmatch(label):
        return "mean"
    return "difference" if _DIFFERENCE.fullmatch(label) else None


def _relation(last: str, table: PaperTable, column: int) -> Relation | None:
    """What the heading right above a column says; a mean beside a spread describes a sample."""
    cell = table.covering.get((table.head - 1, column))
    relation = _named(cell.plain if cell and cell.columns == 1 else last)
    around = " ".join(table.heading(c) for c in table.value_columns)
    return None if relation == "mean" and _SPREAD.search(around) else relation


def _part_columns(table: PaperTable, column: int, relation: Relation) -> Iterator[tuple[int, ...]]:
    """The columns that a labelled one may follow from: runs next to it, without other results."""
    left = _run([c for c in reversed(table.value_columns) if c < column], table)
    right = _run([c for c in table.value_columns if c > column], table)
    for run in (left, right):
        lengths = (2,) if relation == "difference" else range(2, len(run) + 1)
        for length in lengths:
            if length <= len(run):
                yield tuple(sorted(run[:length]))


def _run(columns: Sequence[int], table: PaperTable) -> list[int]:
    """The columns up to the first that is a result itself."""
    found: list[int] = []
    for column in columns:
        if _AGGREGATE.search(table.heading(column)):
            break
        found.append(column)
    return found


def _part_rows(table: PaperTable, row: int) -> Iterator[tuple[int, ...]]:
    """The rows that a labelled one may follow from: runs above it, or below, and the subtotals."""
    results = {r for r in table.body if _AGGREGATE.search(table.label(r))}
    above = [r for r in reversed(table.body) if r < row]
    below = [r for r in table.body if r > row]
    for side in (above, below):
        parts = [r for r in side if r not in results]
        last = next((r for r in side if r in results), None)
        if last is not None:
            yield tuple(r for r in parts if min(last, row) < r < max(last, row))
        yield tuple(parts)
        yield tuple(r for r in side if r in results)
        rule = _section(table, row, parts)
        yield rule


def _alike(table: PaperTable, row: int) -> list[list[int]]:
    """The columns by how a row prints them: whole numbers, decimals, per cent."""
    kinds: dict[tuple[bool, str], list[int]] = {}
    for column in table.value_columns:
        if value := table.values.get((row, column)):
            kinds.setdefault((value.decimals > 0, value.unit), []).append(column)
    return list(kinds.values())


def _section(table: PaperTable, row: int, parts: Sequence[int]) -> tuple[int, ...]:
    """The parts between the labelled row and the rule beyond the one that sets it off."""
    cuts = sorted(r for r in table.grid.rules if table.head <= r + 1 < row)
    if cuts and cuts[-1] == row - 1:
        cuts.pop()
    first = cuts[-1] + 1 if cuts else table.head
    return tuple(r for r in parts if first <= r < row)


@dataclass(frozen=True)
class _Judged:
    """The lines that hold and that fail, without those that say nothing."""

    holds: tuple[Line, ...]
    fails: tuple[Line, ...]

    @classmethod
    def of(cls, table: PaperTable, relation: Relation, lines: Sequence[Line]) -> _Judged:
        told = [line for line in lines if _tells(table, relation, line)]
        holds = tuple(
            line for line in told if _gap(table, relation, line) <= _rounding(table, relation, line)
        )
        return cls(holds, tuple(line for line in told if line not in holds))


def _tells(table: PaperTable, relation: Relation, line: Line) -> bool:
    """True if all cells hold a number of one unit, and the line would not hold of any numbers."""
    if len(line.parts) < 2 or any(place not in table.values for place in (line.result, *line.parts)):  # noqa: PLR2004
        return False
    values = [table.values[place] for place in (line.result, *line.parts)]
    if len({v.unit for v in values}) > 1:
        return False
    parts = [v.value for v in values[1:]]
    if relation == "sum":
        return sum(p != 0 for p in parts) > 1 and min(parts) >= 0
    return len(set(parts)) > 1


def _computed(table: PaperTable, relation: Relation, line: Line) -> Fraction:
    parts = [table.values[place].value for place in line.parts]
    if relation == "difference":
        return abs(parts[1] - parts[0])
    total = sum(parts, Fraction(0))
    return total / len(parts) if relation == "mean" else total


def _printed(table: PaperTable, relation: Relation, line: Line) -> Fraction:
    value = table.values[line.result].value
    return abs(value) if relation == "difference" else value


def _gap(table: PaperTable, relation: Relation, line: Line) -> Fraction:
    return abs(_printed(table, relation, line) - _computed(table, relation, line))


def _rounding(table: PaperTable, relation: Relation, line: Line) -> Fraction:
    """How far a result may be off by the rounding of all numbers; a mean may also be cut."""
    halves = sum((table.values[place].half for place in line.parts), Fraction(0))
    own = table.values[line.result].half
    return halves / len(line.parts) + 2 * own if relation == "mean" else halves + own


_SCALED = re.compile(r"%|thousand|million|billion|'000|000s|share|per cent|percent", re.IGNORECASE)
_MANY_EXACT = 4


def _counts(table: PaperTable, judged: _Judged) -> bool:
    """True if the numbers are whole and add up to the last digit so often that they are counts."""
    words = f"{table.caption} {' '.join(table.heading(c) for c in table.value_columns)}"
    whole = all(table.values[p].decimals == 0 for line in judged.holds for p in (line.result, *line.parts))
    exact = sum(_gap(table, "sum", line) == 0 for line in judged.holds)
    return whole and exact == len(judged.holds) >= _MANY_EXACT and not _SCALED.search(words)


def _cannot_be_right(table: PaperTable, relation: Relation, line: Line, *, exact: bool) -> bool:
    """True if no common reading of the label makes the printed number right.

    A total that lies among its parts can be a weighted mean, and one below their sum can count what
    they share once; there only a slip of one digit is taken for an error.
    """
    gap, printed = _gap(table, relation, line), table.values[line.result]
    if gap <= (Fraction(0) if exact else _rounding(table, relation, line)):
        return False
    if relation != "sum":
        return True
    computed = _computed(table, relation, line)
    most = max(table.values[place].value for place in line.parts)
    if printed.value <= most or _is_hundred(computed, line, table) != _is_hundred(printed.value, line, table):
        return False
    return printed.value > computed or _one_slip(printed, computed)


def _is_hundred(value: Fraction, line: Line, table: PaperTable) -> bool:
    return abs(value - 100) <= _rounding(table, "sum", line)


def _one_slip(printed: Number, computed: Fraction) -> bool:
    """True if the two differ in one digit, or in two neighbours that changed places."""
    scale = 10 ** max(printed.decimals, 0)
    one, other = str(int(printed.value * scale)), str(int(computed * scale))
    if len(one) != len(other):
        return False
    apart = [i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(apart) == 1:
        return True
    return len(apart) == 2 and apart[1] == apart[0] + 1 and sorted(one) == sorted(other)  # noqa: PLR2004


_TITLES = {
    "sum": "A total does not follow from its parts",
    "mean": "A mean does not follow from its parts",
    "difference": "A difference does not follow from its two numbers",
}


def _line_remark(table: PaperTable, relation: Relation, line: Line, holds: int) -> Remark:
    cells = [table.cell(*place) for place in line.parts]
    parts = [table.values[place] for place in line.parts]
    result = table.cell(*line.result)
    printed = table.values[line.result]
    computed = _shown(_computed(table, relation, line), printed.decimals + (relation == "mean"))
    where = f"{table.label(line.result[0])}, {table.heading(line.result[1])}"
    return table_remark(
        table.span(result),
        table.block.text,
        table.span(*cells),
        table,
        rule=Sums.name,
        title=_TITLES[relation],
        body=(
            f"{where}: printed {printed}, computed {computed}. "
            f"The same relation holds {holds} times in this table."
        ),
        arithmetic=f"{_equation(relation, parts)} = {computed}; printed: {printed}",
        severity="moderate",
    )


def _equation(relation: Relation, parts: Sequence[Number]) -> str:
    if relation == "difference":
        return f"|{parts[1]} − {parts[0]}|"
    total = " + ".join(map(str, parts))
    return f"({total}) / {len(parts)}" if relation == "mean" else total


def _shown(value: Fraction, decimals: int) -> str:
    return f"{float(value):.{max(decimals, 0)}f}"
