"""Stars of significance in tables of estimates, against the error, statistic or p-value beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import ClassVar, Literal, NamedTuple

from rereview.reviewers.checks.tabulated import PaperTable, table_remark, tables
from rereview.text.numbers import Number, number
from rereview.text.tables import TableCell
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark

Kind = Literal["error", "statistic", "p-value"]
Levels = Mapping[int, float]

CONVENTIONAL: Levels = {1: 0.10, 2: 0.05, 3: 0.01}
"""The most liberal meaning in common use, for a table that does not say."""


class Estimate(NamedTuple):
    """A coefficient, its stars, and the number beside or below it. `kind` None: not known what that is."""

    cell: TableCell
    value: Number
    stars: int
    beside: TableCell
    other: Number
    kind: Kind | None


@dataclass(frozen=True)
class Stars:
    """A star that the printed coefficient and error contradict whatever their rounding was.

    The normal distribution is used, so that fewer degrees of freedom only make a finding surer.
    `far` is how many times the critical value a coefficient without its star must reach to be a
    finding; `agreeing` how many estimates must agree with their stars before parentheses that
    nobody explains are taken for standard errors.
    """

    name: ClassVar[str] = "stars"

    far: float = 3.0
    agreeing: int = 5

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings, table by table."""
        printed = tables(paper)
        defined = [known for table in printed if (known := levels(_words(table)))]
        shared = defined[0] if defined and all(known == defined[0] for known in defined) else None
        for table in printed:
            if not _OTHER_TEST.search(_words(table)):
                own = levels(_words(table)) or shared
                yield from self._table(table, own or CONVENTIONAL, said=own is not None)

    def _table(self, table: PaperTable, meaning: Levels, *, said: bool) -> Iterator[Remark]:
        """The findings of one table, under one meaning of its stars."""
        one_sided = _ONE_SIDED.search(_words(table)) is not None
        found = [
            e for e in self._believed(list(_estimates(table)), meaning) if e.stars or e.kind != "p-value"
        ]
        wrong = [
            e for e in found if e.stars in meaning and _p_range(e, one_sided=one_sided)[0] > meaning[e.stars]
        ]
        for estimate in {e.cell: e for e in reversed(wrong)}.values():
            yield _overstated(table, estimate, meaning[estimate.stars], said=said, one_sided=one_sided)
        if said and not wrong:
            yield from self._missing(table, found, meaning)

    def _believed(self, found: list[Estimate], meaning: Levels) -> list[Estimate]:
        """The estimates whose second number is known, or can be believed to be an error."""
        known = [e for e in found if e.kind]
        open_ = [e for e in found if e.kind is None]
        if not open_:
            return known
        errors = [e._replace(kind="error") for e in open_]
        right = sum(_agrees(e, meaning) for e in errors)
        as_statistics = sum(_agrees(e._replace(kind="statistic"), meaning) for e in open_)
        if right >= self.agreeing and 5 * right >= 4 * len(errors) and right > as_statistics:
            return [*known, *errors]
        return known

    def _missing(self, table: PaperTable, found: list[Estimate], meaning: Levels) -> Iterator[Remark]:
        """The one coefficient of a table that is far beyond the first level and has no star."""
        starred = {e.cell.column for e in found if e.stars}
        count = sum(e.stars > 0 for e in found)
        critical = NormalDist().inv_cdf(1 - meaning[min(meaning)] / 2)
        bare = [
            e
            for e in found
            if not e.stars and e.kind == "error" and _t_range(e)[0] > self.far * critical
            and not _CONSTANT.search(table.label(e.cell.row))
        ]  # fmt: skip
        if len(bare) == 1 and count >= _MIN_STARRED and bare[0].cell.column in starred:
            yield _understated(table, bare[0], meaning)


_MIN_STARRED = 2
_OTHER_TEST = re.compile(
    r"bootstrap|permutation|randomi[sz]ation inference|romano|sharpened|\bFDR\b|bonferroni|\bholm\b"
    r"|adjusted p|odds[- ]ratio|hazard[- ]ratio|incidence[- ]rate|\bI?RRs?\b|\bORs?\b|\bHRs?\b|exponentiat|relative risk"
    r"|bias[- ]corrected|standardi[sz]ed (?:coefficient|beta)|credible|posterior|standard deviation",
    re.IGNORECASE,
)
_OTHER_ROW = re.compile(r"bootstrap|permutation|randomi[sz]ation|wild|exact|ratio", re.IGNORECASE)
_ONE_SIDED = re.compile(r"one[- ](?:sided|tailed)", re.IGNORECASE)
_CONSTANT = re.compile(r"constant|intercept|cut|threshold|\bobs|\bn\b", re.IGNORECASE)


def _words(table: PaperTable) -> str:
    headings = " ".join(table.heading(column) for column in range(table.grid.columns))
    inside = " ".join(c.plain for c in table.grid.cells if c.columns > 1 and c.row >= table.head)
    return f"{table.caption} {headings} {inside} {table.notes}"


# What the stars mean.

_STAR = r"[*∗⋆]"
_LEVEL = r"(?:0?\.\d+)"
_MEANS = r"\s*[:=]?\s*(?:indicates?\s|denotes?\s|for\s|significant at\s)?\s*"
_P = rf"{_MEANS}[pP](?:[- ]?values?)?\s*[<≤⩽]\s*({_LEVEL})"
_STAR_P = re.compile(rf"({_STAR}+){_P}")
_P_STAR = re.compile(rf"[pP]\s*[<≤⩽]\s*({_LEVEL})\s*[:(,=]?\s*({_STAR}+)")
_STAR_PERCENT = re.compile(
    rf"({_STAR}+)\s*[:=]?\s*(?:(?:is |are |denotes? |indicates? )?signifi\w+ (?:at|level)(?: the)?)?"
    r"\s*(\d+(?:\.\d+)?)\s*(?:%|per ?cent)"
)
_LISTED = re.compile(
    rf"({_STAR}+)[\s,/]{{1,3}}(?:and |or )?({_STAR}+)(?:[\s,/]{{1,3}}(?:and |or )?({_STAR}+))?[^*∗⋆.]{{0,90}}?"
    r"\b(\d*\.?\d+)\s*%?[\s,/]{1,3}(?:and |or )?(\d*\.?\d+)\s*%?(?:[\s,/]{1,3}(?:and |or )?(\d*\.?\d+)\s*%?)?"
)


def levels(text: str) -> dict[int, float]:
    """Stars -> level of significance, as a note defines them; empty where it does not."""
    if listed := _listed(text):
        return listed
    first_star = re.search(_STAR, text)
    first_p = _P_STAR.search(text)
    if first_p and first_star and first_p.start() < first_star.start():
        return {len(stars): float(level) for level, stars in _P_STAR.findall(text)}
    if found := _STAR_P.findall(text):
        return {len(stars): float(level) for stars, level in found}
    if found := _STAR_PERCENT.findall(text):
        return {len(stars): float(level) / 100 for stars, level in found}
    return {}


def _listed(text: str) -> dict[int, float]:
    """The levels of "***, ** and * denote significance at the 1%, 5% and 10% levels"."""
    found = _LISTED.search(text)
    if not found:
        return {}
    stars = [len(s) for s in found.groups()[:3] if s]
    printed = [float(v) for v in found.groups()[3:] if v]
    shares = [v / 100 if v >= 1 else v for v in printed]
    if len(stars) != len(shares) or not all(0 < share < 0.5 for share in shares):  # noqa: PLR2004 - a level
        return {}
    return dict(zip(stars, shares, strict=True))


# Which numbers belong together.

_ERROR = re.compile(
    r"standard[- ]errors?|std\.?[- ]err|\bs\.?e\.?s?\b|robust errors|clustered errors", re.IGNORECASE
)
_STATISTIC = re.compile(r"\b[tz][- ]?(?:stat\w*|values?|ratios?|scores?)\b|^\W*[tz]\W*$", re.IGNORECASE)
_P_VALUE = re.compile(r"\bp[- ]?val\w*|^\W*[pP]\W*$|\bprob\.?\b|p\s*>\s*\|", re.IGNORECASE)
_IN = re.compile(
    r"\b(?:in|within|inside|between)\s+(?:the\s+)?(?P<which>\w+ )?(?P<what>parenthes\w+|brackets?)"
)
_WITH_BOTH = re.compile(r"(?P<value>[^()\[\]]*?)\s*(?P<other>[(\[][^()\[\],;]*[)\]])\s*(?P<stars>[*∗⋆]*)")
_ABBREVIATED = re.compile(r"^\W*(?:S\.?E\.?|s\.e\.)\W*$")


def _kind_of(words: str) -> Kind | None:
    """What these words name, if they name one thing."""
    named: list[Kind] = []
    if _ERROR.search(words):
        named.append("error")
    if _STATISTIC.search(words):
        named.append("statistic")
    if _P_VALUE.search(words):
        named.append("p-value")
    return named[0] if len(named) == 1 else None


def _enclosed_kind(table: PaperTable, bracket: str) -> Kind | None:
    """What stands in this kind of bracket, as the notes say: next to "in parentheses", else anywhere."""
    text = f"{table.caption} {table.notes} " + " ".join(table.heading(c) for c in range(table.grid.columns))
    for found in _IN.finditer(text):
        square = found["what"].startswith("bracket") and not (found["which"] or "").startswith("round")
        if square == (bracket == "["):
            clause = re.split(r"[.;]\s|\band\b|\bbrackets?\b|parenthes\w+", text[: found.start()])[-1]
            return _kind_of(clause)
    return None if _IN.search(text) else _kind_of(re.sub(r"[pP]\s*[<≤].*", "", text))


def _estimates(table: PaperTable) -> Iterator[Estimate]:
    """The coefficients of a table with the number that belongs to each."""
    for cell in table.grid.cells:
        if cell.row < table.head or cell.column < table.stub or _OTHER_ROW.search(table.label(cell.row)):
            continue
        read = number(cell.plain)
        if read is None:
            yield from _in_one_cell(table, cell)
        elif not read.enclosed:
            yield from _below(table, cell, read)
            yield from _beside(table, cell, read)


def _in_one_cell(table: PaperTable, cell: TableCell) -> Iterator[Estimate]:
    """`0.66*** (0.30)`, or with the stars behind."""
    found = _WITH_BOTH.fullmatch(cell.plain)
    value, other = (number(found["value"]), number(found["other"])) if found else (None, None)
    if found and value and other:
        stars = value.stars or len(found["stars"])
        yield Estimate(cell, value, stars, cell, other, _enclosed_kind(table, other.enclosed))


def _below(table: PaperTable, cell: TableCell, value: Number) -> Iterator[Estimate]:
    """The bracket in the next row of the column."""
    under = table.covering.get((cell.row + 1, cell.column))
    other = number(under.plain) if under and under.row == cell.row + 1 and under.columns == 1 else None
    if under and other and other.enclosed:
        yield Estimate(
            cell, value, value.stars or other.stars, under, other, _enclosed_kind(table, other.enclosed)
        )


def _beside(table: PaperTable, cell: TableCell, value: Number) -> Iterator[Estimate]:
    """The columns to the right whose headings say that they hold errors, statistics or p-values."""
    for column in range(cell.column + 1, min(cell.column + 4, table.grid.columns)):
        heading = table.heading(column)
        kind: Kind | None = "error" if _ABBREVIATED.match(heading) else _kind_of(heading)
        beside = table.covering.get((cell.row, column))
        other = number(beside.plain) if beside else None
        if kind is None or other is None or beside is None:
            return
        if other.value >= 0 or kind == "statistic":
            yield Estimate(cell, value, value.stars, beside, other, kind)


# What the numbers allow.


def _t_range(estimate: Estimate) -> tuple[float, float]:
    """Least and greatest |t| that round to what is printed."""
    value, other = estimate.value, estimate.other
    if estimate.kind == "statistic":
        size = abs(other.value)
        return float(max(size - other.half, Fraction(0))), float(size + other.half)
    size = abs(value.value)
    greatest = (size + value.half) / other.low if other.low > 0 else None
    return (
        float(max(size - value.half, Fraction(0)) / other.high) if other.high > 0 else 0.0,
        float(greatest) if greatest is not None else float("inf"),
    )


def _p_range(estimate: Estimate, *, one_sided: bool = False) -> tuple[float, float]:
    """Least and greatest p that the printed digits allow."""
    if estimate.kind == "p-value":
        return max(float(estimate.other.low), 0.0), float(estimate.other.high)
    low, high = _t_range(estimate)
    sides = 1 if one_sided else 2
    return sides * NormalDist().cdf(-high), sides * NormalDist().cdf(-low)


def _agrees(estimate: Estimate, meaning: Levels) -> bool:
    """True if the stars are those that the numbers call for, rounding allowed."""
    low, high = _p_range(estimate)

    def due(p: float) -> int:
        return max((count for count, level in meaning.items() if p < level), default=0)

    return due(high) <= estimate.stars <= due(low)


_NAMES: Mapping[Kind, str] = {"error": "standard error", "statistic": "t statistic", "p-value": "p-value"}


def _overstated(
    table: PaperTable, estimate: Estimate, level: float, *, said: bool, one_sided: bool
) -> Remark:
    stars, kind = "*" * estimate.stars, estimate.kind or "error"
    source = "as the table defines it" if said else "in the most liberal common meaning"
    return table_remark(
        table.span(estimate.cell),
        table.block.text,
        table.span(estimate.beside),
        table,
        rule=Stars.name,
        title="A significance star contradicts the numbers beside it",
        body=(
            f"{table.label(estimate.cell.row)}: “{stars}” says p < {level:g} {source}, "
            f"but the {_NAMES[kind]} does not."
        ),
        arithmetic=_arithmetic(estimate, level, one_sided=one_sided),
        severity="major",
    )


def _arithmetic(estimate: Estimate, level: float, *, one_sided: bool = False) -> str:
    """One line: t, its greatest value under rounding, and p; or the printed p."""
    value, other = estimate.value, estimate.other
    if estimate.kind == "p-value":
        return f"p = {other}, not below {level:g}"
    sides = 1 if one_sided else 2
    critical = NormalDist().inv_cdf(1 - level / sides)
    t = abs(float(other.value)) if estimate.kind == "statistic" else abs(float(value.value / other.value))
    p = sides * NormalDist().cdf(-t)
    shown = f"t = {t:.2f}" if estimate.kind == "statistic" else f"|{value}| / {other} = {t:.2f}"
    most = _t_range(estimate)[1]
    return f"{shown}, p ≈ {p:.2f}; at most {most:.2f} by rounding; p < {level:g} needs {critical:.2f}"


def _understated(table: PaperTable, estimate: Estimate, meaning: Levels) -> Remark:
    value, other = estimate.value, estimate.other
    t = abs(float(value.value / other.value))
    return table_remark(
        table.span(estimate.cell),
        table.block.text,
        table.span(estimate.beside),
        table,
        rule=Stars.name,
        title="A coefficient far beyond significance has no star",
        body=f"{table.label(estimate.cell.row)}: others of the table are starred by these levels.",
        arithmetic=f"|{value}| / {other} = {t:.1f}; p < {meaning[max(meaning)]:g} is starred",
        severity="minor",
    )
