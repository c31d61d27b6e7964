"""Claims of change and share, against their own numbers and against the table that they speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rereview.reviewers.checks.changes import APPROXIMATE, Change, Place, changes
from rereview.reviewers.checks.claimed_tables import against_tables
from rereview.reviewers.checks.for_all import not_for_all
from rereview.reviewers.checks.tabulated import tables
from rereview.text.numbers import Number, numbers
from rereview.types.manuscript import Block, Manuscript, Span
from rereview.types.review import Remark, Severity

_READ = {"paragraph", "caption", "theorem", "proof"}


@dataclass(frozen=True)
class Claims:
    """A percentage, direction, multiple or share that its numbers contradict.

    `slack` is how far a percentage may be off, in units of its last printed place, besides what the
    rounding of the two numbers allows: at 1, cutting instead of rounding is no finding.
    """

    name: ClassVar[str] = "claims"

    slack: Fraction = Fraction(1)

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings in reading order, and then those against tables."""
        blocks = [block for block in paper.blocks if block.kind in _READ]
        told = [(block, change) for block in blocks for change in changes(block.text)]
        for block, change in told:
            yield from self._own_numbers(block, change)
        for block in blocks:
            yield from self._shares(block)
        printed = tables(paper)
        for block in blocks:
            yield from not_for_all(block, printed)
        yield from against_tables(printed, told)

    def _own_numbers(self, block: Block, change: Change) -> Iterator[Remark]:
        """The change that two numbers give, against the one that is claimed."""
        if contradicts_direction(block.text, change):
            yield _direction_remark(block, change)
        elif change.percent and not percent_holds(change, self.slack):
            yield _percent_remark(block, change)
        elif multiple := _multiple(block.text, change):
            yield _multiple_remark(block, change, multiple)

    def _shares(self, block: Block) -> Iterator[Remark]:
        """Counts with their percentage."""
        for part, whole, percent, place in shares(block.text):
            low, high = 100 * part.value / whole.value, 100 * part.value / (whole.value + part.value)
            unit = 2 * percent.half * self.slack
            about = APPROXIMATE.search(block.text[: percent.start])
            near = max(unit, percent.value / 20 if about else Fraction(0))
            if any(abs(percent.value - share) < near for share in (low, high)):
                continue
            computed = _shown(low, percent.decimals + 1)
            yield _remark(
                block,
                place,
                Place(part.start, whole.end),
                title="A percentage does not follow from its counts",
                body=f"{part} of {whole} is {computed}%, not {percent}.",
                arithmetic=f"100 × {part} / {whole} = {computed}; printed: {percent}",
                severity="moderate",
            )


def contradicts_direction(text: str, change: Change) -> bool:
    """True if the word says up and the numbers go down, or the other way round.

    Going up from a small number to a larger one is also how axes are read, so "decreases from 20
    to 80" is taken for a contradiction only where both numbers are printed as values.
    """
    before, after = change.before, change.after
    if not change.direction or before.value == after.value or min(before.value, after.value) < 0:
        return False
    if (after.value > before.value) == (change.direction > 0) or not (change.tight or change.percent):
        return False
    if _REVERSED.search(text, change.sentence.start, change.place.end) or _is_year(before) or _is_year(after):
        return False
    if change.percent and change.percent.value > 0:
        return not (before.unit == after.unit == "%" and change.percent.start < before.start)
    if change.direction > 0:
        return True
    alike = before.decimals == after.decimals > 0 or before.unit == after.unit == "%"
    return alike and _ENDS.match(text, after.end) is not None


_REVERSED = re.compile(
    r"\b(?:resolution|rank\w*|positions?|places?|orders?|scale|magnitude|bright\w*|altitude|height|elevation|acid\w*"
    r"|pH|significance|levels?|grades?|class|spacing|precision|p-values?)\b"
)
_ENDS = re.compile(
    r"[\s$}\\%]*(?:[,;:.)(]|$|(?:in|for|with|after|when|compared|and|during|under|among|while|whereas)\b)"
)
_SPEED = re.compile(r"\b(?:speed\w*|fast\w*|quick\w*|improv\w*|gain\w*|throughput)\b", re.IGNORECASE)
_EARLIEST_YEAR, _LATEST_YEAR = 1500, 2100


def _is_year(number: Number) -> bool:
    return number.decimals == 0 and not number.unit and _EARLIEST_YEAR <= number.value <= _LATEST_YEAR


def percent_holds(change: Change, slack: Fraction = Fraction(1)) -> bool:
    """True if the stated percentage is one that the two numbers allow, or cannot be computed.

    The base is the first number. Where both numbers are percentages the difference in points is
    allowed as well, and for gains of speed the second number as base.
    """
    before, after, percent = change.before, change.after, change.percent
    if percent is None or before.value <= 0 or after.value <= 0 or before.low <= 0 or after.low <= 0:
        return True
    if before.unit != after.unit and before.unit and after.unit:
        return True
    allowed = [_relative(before, after)]
    if before.unit == after.unit == "%" or after.unit == "%":
        gap = abs(after.value - before.value)
        allowed.append((gap - before.half - after.half, gap + before.half + after.half))
        if percent.start < before.start and min(before.value, after.value) <= percent.value:
            return True
    if _SPEED.search(change.word):
        allowed.append(_relative(after, before))
    near = 2 * percent.half * slack + change.tolerance
    return any(low - near < abs(percent.value) < high + near for low, high in allowed)


def _relative(base: Number, other: Number) -> tuple[Fraction, Fraction]:
    """Least and greatest |other/base - 1| in percent that the printed digits allow."""
    corners = [100 * (o / b - 1) for o in (other.low, other.high) for b in (base.low, base.high)]
    low, high = min(corners), max(corners)
    return (min(abs(low), abs(high)) if low * high > 0 else Fraction(0)), max(abs(low), abs(high))


_MULTIPLES = (
    (re.compile(r"\bdoubl(?:e[sd]?|ing)\b", re.IGNORECASE), Fraction(2)),
    (re.compile(r"\b(?:tripl(?:e[sd]?|ing)|trebled)\b", re.IGNORECASE), Fraction(3)),
    (re.compile(r"\bquadrupl(?:e[sd]?|ing)\b", re.IGNORECASE), Fraction(4)),
    (re.compile(r"\bhalv(?:e[sd]|ing)\b", re.IGNORECASE), Fraction(1, 2)),
)
_NEAR, _ROUGHLY = Fraction(15, 100), Fraction(25, 100)


def _multiple(text: str, change: Change) -> Fraction | None:
    """The multiple that a word claims and the numbers are far from; None where they are near."""
    clause = text[change.place.start : change.before.start]
    factor = next((factor for word, factor in _MULTIPLES if word.search(clause)), None)
    if factor is None or change.before.value <= 0:
        return None
    before = text[change.sentence.start : change.place.start]
    if re.search(r"\b(?:more than|over|at least|less than|not quite)\s*$", before):
        return None
    near = _ROUGHLY if APPROXIMATE.search(before) else _NEAR
    ratio = change.after.value / change.before.value
    return None if abs(ratio / factor - 1) <= near else factor


_OF = re.compile(r"\s*(?:/|(?:out )?of(?: the| all)?)\s*")
_SHARE = re.compile(r"(?:\s+[a-z-]+){0,3}\s*\(\s*\$?\s*(?:about |approximately |~|∼|\\sim\s*)?")
_SHARE_ENDS = re.compile(r"\s*\$?\s*(?:\)|[;,]\s*(?:\d+\\?% )?(?:CI|confidence|p\b|P\b|\$?[pP]\s*[<=]))")


def shares(text: str) -> Iterator[tuple[Number, Number, Number, Place]]:
    """Part, whole, percentage and place of each `37 of 120 (31%)` and `31% (37/120)`."""
    found = list(numbers(text))
    for one, two, three in zip(found, found[1:], found[2:], strict=False):
        gaps = text[one.end : two.start], text[two.end : three.start]
        if three.unit == "%" and _is_count(one) and _is_count(two):
            if _OF.fullmatch(gaps[0]) and _SHARE.fullmatch(gaps[1]) and _SHARE_ENDS.match(text, three.end):
                part, whole, percent = one, two, three
            else:
                continue
        elif one.unit == "%" and _is_count(two) and _is_count(three):
            if (
                re.fullmatch(r"\s*\$?\s*\(\s*", gaps[0])
                and _OF.fullmatch(gaps[1])
                and re.match(r"\s*\)", text[three.end :])
            ):
                part, whole, percent = two, three, one
            else:
                continue
        else:
            continue
        if 0 <= part.value <= whole.value and whole.value > 0:
            yield part, whole, percent, Place(percent.start, percent.end)


def _is_count(number: Number) -> bool:
    return number.decimals == 0 and not number.unit and number.value >= 0


def _shown(value: Fraction, decimals: int) -> str:
    return f"{float(value):.{max(decimals, 1)}f}"


def _remark(
    block: Block, quote: Place, against: Place, *, title: str, body: str, arithmetic: str, severity: Severity
) -> Remark:
    """A remark on two places of one block."""
    return Remark(
        title=title,
        body=body,
        rule=Claims.name,
        severity=severity,
        quote=block.text[slice(*quote)],
        against=block.text[slice(*against)],
        arithmetic=arithmetic,
        places=(
            Span(block_id=block.id, start=quote.start, end=quote.end),
            Span(block_id=block.id, start=against.start, end=against.end),
        ),
    )


def _pair(change: Change) -> Place:
    return Place(change.before.start, change.after.end)


def _direction_remark(block: Block, change: Change) -> Remark:
    sign = ">" if change.before.value > change.after.value else "<"
    return _remark(
        block,
        change.place,
        _pair(change),
        title="The numbers go the other way than the words",
        body=f"“{change.word}” is said of a change from {change.before} to {change.after}.",
        arithmetic=f"{change.before} {sign} {change.after}",
        severity="moderate",
    )


def _percent_remark(block: Block, change: Change) -> Remark:
    percent = change.percent
    if percent is None:
        raise ValueError("a change without a percentage has no percentage to doubt")
    size = 100 * (change.after.value / change.before.value - 1)
    computed = _shown(size, percent.decimals + 1)
    return _remark(
        block,
        change.place,
        _pair(change),
        title="A percentage does not follow from its two numbers",
        body=f"From {change.before} to {change.after} is a change of {computed}%, not {percent}.",
        arithmetic=f"100 × ({change.after} / {change.before} − 1) = {computed}; printed: {percent}",
        severity="moderate",
    )


def _multiple_remark(block: Block, change: Change, factor: Fraction) -> Remark:
    ratio = _shown(change.after.value / change.before.value, 2)
    return _remark(
        block,
        change.place,
        _pair(change),
        title="A multiple does not follow from its two numbers",
        body=f"“{change.word}” is said of {change.before} to {change.after}, a factor of {ratio}.",
        arithmetic=f"{change.after} / {change.before} = {ratio}; “{change.word}”: {float(factor):g}",
        severity="moderate",
    )
