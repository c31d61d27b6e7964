"""Percentages against the counts that are printed with them, and changes against what they compare with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from rereview.reviewers.checks.changes import is_about
from rereview.reviewers.checks.percentage_tables import Share, percentage_remarks
from rereview.reviewers.checks.prose import Passage, finding, passages, sentences
from rereview.reviewers.checks.tabulated import tables
from rereview.text.numbers import Number, number
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark


class Told(NamedTuple):
    """A share in a sentence, with the place of the percentage and of the counts."""

    share: Share
    percent: tuple[int, int]
    counts: tuple[int, int]


class Comparison(NamedTuple):
    """`new` is compared with `base`; `percent` is how much it is said to have gone up (1) or down (-1)."""

    new: Number
    base: Number
    percent: Number
    sign: int
    place: tuple[int, int]
    numbers: tuple[int, int]


@dataclass(frozen=True)
class Percentages:
    """A percentage that its part and whole, or the two numbers that it compares, do not give.

    `slack` is how far it may be off, in units of its last printed place, besides rounding: at 1, cutting
    is no finding. What is said to be about right may be off by twice that, or by a twentieth if the
    percentage is printed without decimals.
    """

    name: ClassVar[str] = "percentages"

    slack: Fraction = Fraction(1)

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings in the text, and then those in tables."""
        for passage in passages(paper):
            for told in shares(passage.text):
                if not self._allows(passage.text, told.share.percent, told.share.low, told.share.high):
                    yield _share_remark(paper, passage, told)
            for compared in comparisons(passage.text):
                low, high = _change(compared)
                if not self._allows(passage.text, compared.percent, low, high):
                    yield _change_remark(paper, passage, compared)
        yield from percentage_remarks(tables(paper))

    def _allows(self, text: str, percent: Number, low: Fraction, high: Fraction) -> bool:
        """True if a percentage may be printed so for a value from `low` to `high`."""
        unit = 2 * percent.half * self.slack
        if is_about(text, percent.start):
            unit = 2 * unit if percent.decimals > 0 else max(2 * unit, abs(percent.value) / 20)
        return low - unit < abs(percent.value) < high + unit


_COUNT = r"(?<![\w.,–-])(?P<{0}>\d{{1,3}}(?:,\d{{3}})+|\d+)(?![\w%]|[.,]\d)"
_PART, _WHOLE = _COUNT.format("part"), _COUNT.format("whole")
_PERCENT = r"(?P<percent>\d{1,3}(?:\.\d+)?)\s?(?:%|per\s?cent)"
_OF = r"\s?(?:/|(?:out )?of(?: the| all| a total of)?)\s?"
_ABOUT = r"(?:about |approximately |approx\. |roughly |∼\s?|~\s?|≈\s?)?"
_NOUN = r"(?:\s[a-z][a-z-]*){0,3}?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        # 12/48, 25%    12 of the 48 patients; 25%    12 out of 48, or 25%
        (
            rf"{_PART}{_OF}{_WHOLE}{_NOUN}\s?[,;=:]\s?(?:or |i\.e\.,? |which is |that is,? )?{_ABOUT}"
            rf"{_PERCENT}(?=\s?[),.;]|\s?$)"
        ),
        # 12 (25%) of the 48 patients
        (
            rf"{_PART}{_NOUN}\s?\(\s?{_ABOUT}{_PERCENT}\s?\){_NOUN}\s(?:out )?of(?: the| all)?\s{_WHOLE}"
            r"(?!\s?(?:studies|centres|centers|sites|groups))"
        ),
        # 25% (n = 12/48)    25%, 12/48
        (
            rf"{_PERCENT}\s?(?:\(\s?[nN]\s?=\s?|[;,]\s?\(?(?:[nN]\s?=\s?)?)"
            rf"{_PART}\s?(?:/|of|out of)\s?{_WHOLE}(?=\s?[),.;])"
        ),
        # 25% of the 48 patients (n = 12)    25% of 48 patients (12)
        rf"{_PERCENT}\sof(?: the| all)?\s{_WHOLE}{_NOUN}\s?\((?:[nN]\s?=\s?)?{_PART}\)",
        # of the 48 patients, 12 (25%) ...
        (
            rf"\b[Oo]f(?: the| all| these)?\s{_WHOLE}{_NOUN}(?:\s\([^()\d]*\))?,\s"
            rf"(?:only |just )?{_PART}{_NOUN}\s?\(\s?{_ABOUT}{_PERCENT}\s?\)"
        ),
    )
)
_SAYS_PERCENT = re.compile(r"\d\s?%|\d\s?per\s?cent")
_COMPARES = re.compile(r"\bcompared\b|\brelative (?:to|with)\b|\bas (?:against|opposed)\b|\bthan\b")
_INTERVAL = re.compile(r"\s?(?:CI|confidence|credible|HPD|level|power|interval)")


def shares(text: str) -> Iterator[Told]:
    """The shares that are printed with part and whole, each once."""
    if not _SAYS_PERCENT.search(text):
        return
    seen: set[int] = set()
    for form in _FORMS:
        for found in form.finditer(text):
            start, end = found.span("percent")
            share = _share(found)
            if share and start not in seen and not _INTERVAL.match(text, text.find("%", start) + 1):
                seen.add(start)
                ends = (found.span("part"), found.span("whole"))
                counts = (min(each[0] for each in ends), max(each[1] for each in ends))
                yield Told(share, (start, end + text[end:].startswith("%")), counts)


def _share(found: re.Match[str]) -> Share | None:
    part, whole = (number(found[name]) for name in ("part", "whole"))
    percent = number(found["percent"] + "%")
    if not part or not whole or not percent or not whole.value > 0 or part.value > whole.value:
        return None
    return Share(part, whole, _at(percent, found.start("percent")))


def _at(read: Number, start: int) -> Number:
    return Number(read.value, read.decimals, read.unit, start + read.start, start + read.end)


def _share_remark(paper: Manuscript, passage: Passage, told: Told) -> Remark:
    part, whole, percent = told.share
    computed = f"{float(told.share.low):.{max(percent.decimals, 0) + 1}f}"
    return finding(
        paper,
        passage.span(*told.percent),
        passage.span(*told.counts),
        rule=Percentages.name,
        title="A percentage does not follow from its counts",
        body=f"{part} of {whole} is {computed}%, not {percent}.",
        arithmetic=f"100 × {part} / {whole} = {computed}; printed: {percent}",
    )


# Changes against what they compare with.

_VALUE = (
    r"(?<![\w.,–^_-])(?P<{0}>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?P<{0}unit>\s?%)?(?![\w]|[.,]\d|\s?[×–]\s?\d)"
)
_NEW, _BASE = _VALUE.format("new"), _VALUE.format("base")
_DOWN = r"decreas\w*|reduc\w*|drop\w*|declin\w*|fall\w*|fewer|lower|less|smaller|shorter"
_UP = r"increas\w*|rise|rose|growth|gains?|higher|more|larger|greater|longer"
_WORDS = r"(?:[^.;:?!\d%()]|\([^()]*\)|\.(?=\d))"
_COMPARED = re.compile(
    rf"{_NEW}{_WORDS}{{0,90}}?\b(?:compared|relative|as against|as opposed)\s(?:to|with)\s(?:the\s)?{_BASE}"
    rf"(?:{_WORDS}|(?<=in\s)\d{{4}}\b){{0,80}}?"
    r"(?:[,(;–—]|\.\s(?:This|It|That)\s[^.;\d]{0,60}?)\s?"
    r"(?:(?:which|that) (?:is|represents|corresponds to|means)\s|representing\s|corresponding to\s)?"
    rf"(?:an?\s|the\s)?(?:[a-z]+\s){{0,2}}?(?P<word>{_DOWN}|{_UP})\sof\s{_ABOUT}{_PERCENT}(?!\s?(?:points?|CI))"
)
_THAN = re.compile(
    rf"{_NEW}{_WORDS}{{0,60}}?[,(]\s?(?:or |which is |that is |i\.e\.,? )?{_ABOUT}{_PERCENT}\s"
    rf"(?P<word>{_DOWN}|{_UP})"
    rf"\sthan\s(?:in |for |that of |with )?(?:the\s)?{_WORDS}{{0,40}}?\(?{_BASE}"
)
_HEDGED = re.compile(
    r"\b(?:not|would|could|might|if|range|between|from|relative (?:risk|error)|odds|points?)\b"
)


def comparisons(text: str) -> Iterator[Comparison]:
    """The comparisons of two numbers with the percentage between them."""
    if not _SAYS_PERCENT.search(text) or not _COMPARES.search(text):
        return
    bounds = [end for _, end in sentences(text)]
    for form in (_COMPARED, _THAN):
        for found in form.finditer(text):
            new, base = (_with_unit(found, name) for name in ("new", "base"))
            percent = number(found["percent"] + "%")
            if not new or not base or not percent or base.value <= 0 or new.unit != base.unit:
                continue
            first = max((end for end in bounds if end <= found.start()), default=0)
            if _HEDGED.search(text, first, found.end()) or _crossed(bounds, found) > 1:
                continue
            sign = -1 if re.fullmatch(_DOWN, found["word"]) else 1
            starts = (found.start("new"), found.start("base"))
            place = (min(starts), max(found.end("new"), found.end("base")))
            start = found.start("percent")
            yield Comparison(new, base, _at(percent, start), sign, (start, found.end()), place)


def _crossed(bounds: list[int], found: re.Match[str]) -> int:
    """How many sentences end inside of a match."""
    return sum(found.start() < end < found.end() for end in bounds)


def _with_unit(found: re.Match[str], name: str) -> Number | None:
    return number(found[name] + ("%" if found[f"{name}unit"] else ""))


def _change(compared: Comparison) -> tuple[Fraction, Fraction]:
    """Least and greatest change in percent that the printed digits allow; points where both are shares."""
    new, base = compared.new, compared.base
    corners = [
        compared.sign * 100 * (n / b - 1) for n in (new.low, new.high) for b in (base.low, base.high) if b > 0
    ]
    if new.unit == "%":
        corners += [compared.sign * (new.value - base.value)]
    return min(corners), max(corners)


def _change_remark(paper: Manuscript, passage: Passage, compared: Comparison) -> Remark:
    new, base, percent = compared.new, compared.base, compared.percent
    computed = f"{float(100 * (new.value / base.value - 1)):.{max(percent.decimals, 0) + 1}f}"
    start, end = compared.place
    end = min(end, passage.text.find("%", start) + 1 or end)
    return finding(
        paper,
        passage.span(start, end),
        passage.span(*compared.numbers),
        rule=Percentages.name,
        title="A percentage does not follow from the two numbers that it compares",
        body=f"{new} compared with {base} is a change of {computed}%; printed: {percent}.",
        arithmetic=f"100 × ({new} / {base} − 1) = {computed}; printed: {'−' * (compared.sign < 0)}{percent}",
    )
