"""Means and SDs that no whole numbers can have (GRIM, GRIMMER), or no answers on their scale."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from rereview.reviewers.checks.granularity import greatest_sd, grim, grimmer, nearest_means
from rereview.reviewers.checks.prose import Passage, finding, passages, sentences
from rereview.reviewers.checks.tabulated import PaperTable, table_remark, tables
from rereview.text.numbers import Number, number
from rereview.types.manuscript import Manuscript, Span
from rereview.types.review import Remark, Severity


class Sample(NamedTuple):
    """A printed mean with its SD (None: not given) and how many values it is of."""

    mean: Number
    sd: Number | None
    n: int


class Verdict(NamedTuple):
    """Why a sample is impossible."""

    title: str
    body: str
    arithmetic: str
    severity: Severity


@dataclass(frozen=True)
class Grim:
    """A mean or SD of whole numbers that no whole numbers give.

    Whole numbers are those that the sentence, or the caption and headings of the table, say to be: a
    number of things, a count, a rating on a scale of points. Means of several items, rates and
    estimates are left out. An SD is a finding only if it is neither that of a sample nor that of a
    population.
    """

    name: ClassVar[str] = "grim"

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings in the text, and then those in tables."""
        for passage in passages(paper):
            if not _WHOLE.search(passage.text):
                continue
            yield from self._in_text(paper, passage)
        for table in tables(paper):
            if whole_numbers(f"{table.caption} {table.notes}"):
                yield from self._in_table(table)

    def _in_text(self, paper: Manuscript, passage: Passage) -> Iterator[Remark]:
        """The samples of the sentences that speak of whole numbers."""
        for start, end in sentences(passage.text):
            said = passage.text[start:end]
            if not whole_numbers(said):
                continue
            for sample, first, last in samples(said):
                if verdict := judged(sample, scale(said)):
                    place = passage.span(start + first, start + last)
                    yield finding(paper, place, rule=self.name, **verdict._asdict())

    def _in_table(self, table: PaperTable) -> Iterator[Remark]:
        """The rows with columns for n, mean and SD."""
        columns = {_meaning(table.heading(c)): c for c in table.value_columns}
        if "n" not in columns or "mean" not in columns:
            return
        for row in table.body:
            n, mean, sd = (table.values.get((row, columns.get(name, -1))) for name in ("n", "mean", "sd"))
            if n and mean and n.decimals == 0 and n.value > 1:
                verdict = judged(Sample(mean, sd, int(n.value)), None)
                if verdict:
                    cells = [table.cell(row, columns["mean"]), table.cell(row, columns["n"])]
                    place: Span = table.span(cells[0])
                    yield table_remark(
                        place,
                        table.block.text,
                        table.span(cells[1]),
                        table,
                        rule=self.name,
                        **verdict._asdict(),
                    )


_WHOLE = re.compile(
    r"\bnumbers? of\b|\bcounts?\b|\bhow (?:many|often)\b|\blikert\b|\b\d{1,2}[- ]point\b|\bwhole numbers?\b"
    r"|\bintegers?\b|\bon a scale\b|\bscale (?:of|from)\b",
    re.IGNORECASE,
)
_BROKEN = re.compile(
    r"\baverag\w+|\bcomposite|\bind(?:ex|ices)\b|\bitems?\b|\bsub-?scales?\b|\bquestionnaires?\b|\blog\w*"
    r"|\bpercent\w*|%|\bproportions?\b|\brates?\b|\bper\b|\bweight\w*|\bimput\w*|\badjusted|\bmarginal"
    r"|\bestimat\w+|\bmodel\w*|\bpredict\w*|\bnormali[sz]ed|\bmedian|\bdensit\w+|\bsimulat\w+|\bslider"
    r"|\bvisual analog\w*|\bhalf[- ]points?|\btransform\w*|\bscores? (?:across|over)|\bmean of\b|\bmillions?"
    r"|\bthousands?|\bdifferences?\b|\bchanges?\b|\bMSE\b|\bseeds?\b|\bruns\b",
    re.IGNORECASE,
)


def whole_numbers(text: str) -> bool:
    """True if the words say that each value is a whole number, and nothing says that it may not be."""
    return _WHOLE.search(text) is not None and _BROKEN.search(text) is None


_NUMBER = r"[-−–]?\d+\.\d+"
_BE = r"\s?(?:=|:|of|was|is)?\s?"
_ITEMS = {
    "mean": rf"(?:\bM|\b[Mm]ean){_BE}(?P<mean>{_NUMBER})",
    "sd": rf"(?:\bSDs?|\b[Ss]\.[Dd]\.|\b[Ss]tandard deviation){_BE}(?P<sd>\d*\.\d+)",
    "n": r"\b[nN]\s?=\s?(?P<n>\d+)",
}
_ITEM = re.compile("|".join(_ITEMS.values()))
_BETWEEN = re.compile(r"[\s,;()]*(?:and\s|with\s)?[\s,;()]*")


def samples(text: str) -> Iterator[tuple[Sample, int, int]]:
    """The samples of one sentence with their places: mean, SD and n side by side, in any order."""
    run: list[re.Match[str]] = []
    for found in _ITEM.finditer(text):
        apart = run and (
            found.lastgroup in {each.lastgroup for each in run}
            or not _BETWEEN.fullmatch(text, run[-1].end(), found.start())
        )
        if apart:
            yield from _sample(run)
            run = []
        run.append(found)
    yield from _sample(run)


def _sample(run: list[re.Match[str]]) -> Iterator[tuple[Sample, int, int]]:
    parts = {each.lastgroup: each[each.lastgroup or 0] for each in run}
    mean = number(parts["mean"]) if "mean" in parts else None
    n = int(parts.get("n", 0))
    if mean and n > 1:
        yield Sample(mean, number(parts["sd"]) if "sd" in parts else None, n), run[0].start(), run[-1].end()


_FROM_TO = re.compile(
    r"\bscale\b[^.;]{0,40}?\b(?P<low>[01])\b(?:\s?\([^()]{0,60}\)|\s?=\s?[\w\s]{0,30})?[,\s]*(?:to|–|-|through)\s?"
    r"(?P<high>\d{1,3})\b"
)


def scale(text: str) -> tuple[int, int] | None:
    """The ends of the scale that a sentence gives ("on a scale from 1 to 7"); None where it gives none."""
    found = _FROM_TO.search(text)
    return (int(found["low"]), int(found["high"])) if found else None


def judged(sample: Sample, ends: tuple[int, int] | None) -> Verdict | None:
    """Why a sample cannot be; None where it can."""
    mean, sd, n = sample
    if ends and (verdict := _off_scale(sample, ends)):
        return verdict
    if not grim(mean, n):
        below, above = nearest_means(mean, n)
        return Verdict(
            "A mean that whole numbers cannot have",
            f"{n} whole numbers have a whole sum, so that no mean rounds to {mean}.",
            f"{_sum(below, n)} / {n} = {_shown(below, mean)} and {_sum(above, n)} / {n} ="
            f" {_shown(above, mean)}; printed: {mean}",
            "moderate",
        )
    if sd and not grimmer(mean, sd, n) and not grimmer(mean, sd, n, population=True):
        return Verdict(
            "A standard deviation that whole numbers with this mean cannot have",
            f"The squares of {n} whole numbers have a whole sum, odd if their own sum is; none gives {sd}.",
            f"n = {n}, mean = {mean}: the sum is {_total(sample)}, and no {_parity(sample)} sum of squares"
            f" lies between {_squares(sample, sd.low)} and {_squares(sample, sd.high)}; printed SD: {sd}",
            "moderate",
        )
    return None


def _off_scale(sample: Sample, ends: tuple[int, int]) -> Verdict | None:
    """A mean beyond the ends of its scale, or an SD that is too large for them."""
    mean, sd, n = sample
    low, high = ends
    if mean.high < low or mean.low > high:
        side = f"{mean} > {high}" if mean.value > high else f"{mean} < {low}"
        return Verdict("A mean beyond its scale", f"The scale goes from {low} to {high}.", side, "major")
    if sd and float(sd.low) > (most := greatest_sd(mean, low, high, n)):
        return Verdict(
            "A standard deviation that is too large for its scale",
            f"On a scale from {low} to {high} with mean {mean} the SD is at most {most:.2f}.",
            f"√(({mean} − {low}) × ({high} − {mean}) × {n} / {n - 1}) = {most:.2f}; printed: {sd}",
            "moderate",
        )
    return None


def _sum(mean: Fraction, n: int) -> int:
    return int(mean * n)


def _shown(value: Fraction, like: Number) -> str:
    return f"{float(value):.{like.decimals + 1}f}"


def _squares(sample: Sample, sd: Fraction) -> str:
    return f"{float(sd**2 * (sample.n - 1) + Fraction(_total(sample) ** 2, sample.n)):.2f}"


def _total(sample: Sample) -> int:
    return round(sample.mean.value * sample.n)


def _parity(sample: Sample) -> str:
    return "odd" if _total(sample) % 2 else "even"


def _meaning(heading: str) -> str:
    """What a column of a table holds: "n", "mean", "sd", or its own heading."""
    last = heading.rsplit(" ", maxsplit=1)[-1].strip("().,").lower() if heading else ""
    return {"m": "mean", "mean": "mean", "sd": "sd", "n": "n", "s.d": "sd"}.get(last, heading)
