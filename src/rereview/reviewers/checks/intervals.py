"""Intervals, standard errors and p-values against the estimates that they are printed with."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rereview.reviewers.checks.estimates import LEVEL, Estimated, Fault, P, fault
from rereview.reviewers.checks.p_values import CORRECTED, ONE_SIDED
from rereview.reviewers.checks.prose import Passage, finding, passages
from rereview.reviewers.checks.tabulated import PaperTable, table_remark, tables
from rereview.text.numbers import Number, number
from rereview.text.tables import TableCell
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark


@dataclass(frozen=True)
class Intervals:
    """An estimate that its own interval, standard error or p-value contradicts.

    An interval must be called one: `95% CI`, `confidence interval`, a heading of a table.
    """

    name: ClassVar[str] = "intervals"

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings in the text, and then those in tables."""
        read = list(passages(paper))
        corrected = any(CORRECTED.search(passage.text) for passage in read)
        one_sided = any(ONE_SIDED.search(passage.text) for passage in read)
        normal = not any(_RESAMPLED.search(passage.text) for passage in read)
        for passage in read:
            for estimate, start, end in estimates(passage.text):
                told = _without_p(estimate) if one_sided else estimate
                if (wrong := fault(told, corrected=corrected, normal=normal)) and not _NEGATED.search(
                    passage.text, max(0, start - 80), end
                ):
                    yield self._remark(paper, passage, wrong, (start, end))
        for table in tables(paper):
            for told, first, last in tabulated(table):
                if wrong := fault(told, corrected=corrected or one_sided, normal=False):
                    yield _table_remark(table, first, last, wrong)

    def _remark(self, paper: Manuscript, passage: Passage, wrong: Fault, place: tuple[int, int]) -> Remark:
        return finding(
            paper,
            passage.span(*place),
            rule=self.name,
            title=wrong.title,
            body=wrong.body,
            arithmetic=wrong.arithmetic,
            severity="major" if wrong.major else "moderate",
        )


_RESAMPLED = re.compile(r"bootstrap|\bBayes\w*|posterior|credible|\bHPD\b|profile likelihood", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:prediction interval|not contain|outside|misreport|erroneous)", re.IGNORECASE)


def _without_p(found: Estimated) -> Estimated:
    return Estimated(found.value, found.low, found.high, found.level, found.error, None, found.name)


# In sentences.

_N = r"(?:[-−–+]\s?)?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?<=\d)%?"
_UNIT = r"(?:\s?(?!to\b|vs?\b|and\b|or\b|SE\b|CI\b|SD\b)[A-Za-zµ°/²³·]{1,12}\.?){0,3}"
_LEVEL = r"(?P<level>\d{2}(?:\.\d)?)\s?%[\s-]?"
_CALLED = (
    rf"(?:{_LEVEL})?(?:confidence[\s-]intervals?|CIs?|C\.I\.)"
    rf"(?:\s?\((?:CI|{_LEVEL.replace('level', 'level2')})\))?"
)
_RANGE = (
    rf"[\s:,=of]*[\[(]?\s?(?:from\s)?(?P<low>{_N})\s?(?:to|[–—-]|,|;|and)\s?(?P<high>{_N})(?![\d.]\d|\s?[×^])"
)
_VALUE = rf"(?<![\w.,–^_×-])(?<![\d=]\s[-−–])(?P<value>{_N})(?!\d|\.\d){_UNIT}"
_P = r"[pP](?:\s?[- ]values?)?\s?(?P<rel>[=<>])\s?(?P<p>0?\.\d+|1\.0+)(?!\d|\s?[×·]\s?10|[eE])"
_SE = rf"(?:SE|S\.E\.|s\.e\.|[Ss]tandard error)(?:\s?(?:=|:|of|was))?\s?(?P<error>{_N})"
_GAP = r"\s?[,;:(\[]+\s?"
_WITH_INTERVAL = re.compile(
    rf"{_VALUE}(?:{_GAP}{_SE})?{_GAP}{_CALLED}{_RANGE}[\])]?+(?!\s?[/×*+=^])(?:\s?[,;(]+\s?{_P})?"
)
_WITH_ERROR = re.compile(rf"{_VALUE}{_GAP}{_SE}\s?\)?[,;(]*\s?(?:[tz]\s?=\s?{_N}[,;]\s?)?{_P}")
_BARE = re.compile(
    rf"(?=\d{{2}}(?:\.\d)?\s?%|confidence){_CALLED}{_RANGE}[\])]?+(?!\s?[/×*+=^])(?:\s?[,;(]+\s?{_P})?"
)
_BEFORE = 60
_CALLS = ("CI", "C.I.", "onfidence", "SE", "S.E.", "s.e.", "tandard error")


def estimates(text: str) -> Iterator[tuple[Estimated, int, int]]:
    """The estimates of a passage that are printed with an interval, or with error and p-value."""
    if not any(call in text for call in _CALLS):
        return
    done: list[tuple[int, int]] = []  # apart and ascending
    for form in (_WITH_INTERVAL, _WITH_ERROR, _BARE):
        for found in form.finditer(text):
            at = bisect_left(done, (found.end(), 0))
            if at and found.start() < done[at - 1][1]:
                continue
            done.insert(at, found.span())
            if estimate := _estimate(found, text[max(0, found.start() - _BEFORE) : found.start()]):
                yield estimate, found.start(), found.end()


_OTHER_STATISTIC = re.compile(
    r"(?:(?<![\w])(?:[pP](?:_\w+)?|[tFzZQUWHVGdgfDnNk]|SD|SE|df|LRT|BF\w*|Cohen[’']s d|Hedges[’']s? g)"
    r"|[χηωφτε](?:_p)?\s?(?:\^?\s?2|²)?|[RIS]\s?(?:\^\s?2|²)|AIC|BIC)\s?(?:[(\[][^()\[\]]*[)\]])?\s?[=<>≈]\s?$"
)
"""Statistics that stand before an interval which is that of the estimate before them."""


def _estimate(found: re.Match[str], before: str) -> Estimated | None:
    """The numbers of one match; None where they do not fit each other (units, decimals, a date)."""
    groups = found.groupdict()
    read = {name: _read(groups.get(name)) for name in ("value", "low", "high", "error")}
    value, low, high = read["value"], read["low"], read["high"]
    if groups.get("low") and (not low or not high):
        return None
    if value and (_OTHER_STATISTIC.search(before) or (low and high and not _alike(value, low, high))):
        value = None
    level = groups.get("level") or groups.get("level2")
    name = re.split(r"[.;]\s|\d", before)[-1]
    return Estimated(value, low, high, Fraction(level) if level else LEVEL, read["error"], _p(groups), name)


def _read(text: str | None) -> Number | None:
    return number(re.sub(r"(?<=[-−–+])\s", "", text)) if text else None


def _p(groups: dict[str, str | None]) -> P | None:
    value, relation = groups.get("p"), groups.get("rel")
    return P(relation, float(value)) if value and relation else None


def _alike(value: Number, low: Number, high: Number) -> bool:
    """True if the three are of one kind: all or none in per cent, all or none with decimals."""
    units = {each.unit for each in (value, low, high)} - {""}
    if (
        value.unit != high.unit
        and "%" in units
        and not (value.unit == "%" and not low.unit and not high.unit)
    ):
        return False
    return (value.decimals > 0) == (high.decimals > 0 or low.decimals > 0)


# In tables.

_CI_HEADING = re.compile(r"\bCIs?\b|confidence interval|\bC\.I\.", re.IGNORECASE)
_P_HEADING = re.compile(r"^\W*p\W*(?:val\w*)?\W*$|\bp[- ]values?$", re.IGNORECASE)
_CELL_RANGE = rf"[\[(]?\s?(?P<low>{_N})\s?(?:to|[–—]|,|;|(?<=\d)-)\s?(?P<high>{_N})\s?[\])]?"
_CELL_ALONE = re.compile(_CELL_RANGE)
_CELL_BOTH = re.compile(rf"(?P<value>{_N})\s?[*]*\s?(?=[\[(]){_CELL_RANGE}[*]*")
_CELL_P = re.compile(r"(?P<rel>[<>=])?\s?(?P<p>0?\.\d+|1\.0+)[*]*")


def tabulated(table: PaperTable) -> Iterator[tuple[Estimated, TableCell, TableCell]]:
    """The estimates of a table whose heading speaks of intervals, with the first and last of their cells."""
    columns = [c for c in range(table.stub, table.grid.columns) if _CI_HEADING.search(table.heading(c))]
    p_columns = [c for c in range(table.stub, table.grid.columns) if _P_HEADING.search(_last(table, c))]
    for column in columns:
        after = next((c for c in p_columns if c > column and not any(column < d < c for d in columns)), None)
        for row in range(table.head, table.grid.rows):
            cell = table.covering.get((row, column))
            if cell and cell.row == row and cell.columns == 1:
                yield from _in_row(table, cell, after)


def _last(table: PaperTable, column: int) -> str:
    cell = table.covering.get((table.head - 1, column))
    return cell.plain if cell else ""


def _in_row(
    table: PaperTable, cell: TableCell, p_column: int | None
) -> Iterator[tuple[Estimated, TableCell, TableCell]]:
    both, alone = _CELL_BOTH.fullmatch(cell.plain), _CELL_ALONE.fullmatch(cell.plain)
    found = both or alone
    if not found:
        return
    left = table.covering.get((cell.row, cell.column - 1)) if cell.column > table.stub else None
    value = _read(both["value"]) if both else number(left.plain) if left and left.row == cell.row else None
    low, high = _read(found["low"]), _read(found["high"])
    if not low or not high:
        return
    if value and not _alike(value, low, high):
        value = None
    name = f"{table.heading(cell.column)} {table.heading(cell.column - 1)} {table.caption}"
    level = re.search(r"(\d{2})\s?%", table.heading(cell.column))
    ends = table.covering.get((cell.row, p_column)) if p_column is not None else None
    said = _CELL_P.fullmatch(ends.plain) if ends else None
    p = P(said["rel"] or "=", float(said["p"])) if said else None
    estimate = Estimated(value, low, high, Fraction(level[1]) if level else LEVEL, None, p, name)
    yield estimate, left if left and value and not both else cell, ends if ends and said else cell


def _table_remark(table: PaperTable, first: TableCell, last: TableCell, wrong: Fault) -> Remark:
    label = table.label(first.row)
    cells: Sequence[TableCell] = (first, last) if first.start <= last.start else (last, first)
    return table_remark(
        table.span(*cells),
        table.block.text,
        table.span(cells[1]),
        table,
        rule=Intervals.name,
        title=wrong.title,
        body=f"{label}: {wrong.body}" if label else wrong.body,
        arithmetic=wrong.arithmetic,
        severity="major" if wrong.major else "moderate",
    )
