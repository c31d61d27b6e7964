"""Arithmetic that a paper prints: `120 + 80 = 250`, `⌈0.70 × 61⌉ = 35`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from operator import add, mul, sub, truediv
from typing import ClassVar, NamedTuple

from rereview.reviewers.checks.prose import RUNNING, Passage, around, finding, passages
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark


class Amount(NamedTuple):
    """Least and greatest value that printed digits allow; a whole number is exact."""

    low: Fraction
    high: Fraction


class Side(NamedTuple):
    """One side of an equation: its text, place, value, and half a unit of its last place (0: whole)."""

    text: str
    start: int
    end: int
    value: Amount
    exact: Fraction
    half: Fraction
    computed: bool


@dataclass(frozen=True)
class Arithmetic:
    """An equation or inequality of numbers alone that does not hold, whatever the rounding of its digits.

    `about` is how far the sides of `≈` may be apart, as a share of the larger.
    """

    name: ClassVar[str] = "arithmetic"

    about: Fraction = Fraction(1, 10)

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings in reading order."""
        for passage in passages(paper, RUNNING | {"equation"}):
            for left, relation, right in equations(passage):
                near = around(passage.text, left.start, right.end, 160)
                if not self._holds(left, relation, right) and not _OTHER.search(near):
                    yield self._remark(paper, passage, left, relation, right)

    def _holds(self, left: Side, relation: str, right: Side) -> bool:
        slack = 2 * max(left.half, right.half)
        if relation in "<≤>≥":
            small, large = (left, right) if relation in "<≤" else (right, left)
            return small.value.low <= large.value.high + slack
        if relation != "=":
            slack += self.about * max(abs(left.value.high), abs(right.value.high))
        gap = max(left.value.low - right.value.high, right.value.low - left.value.high, Fraction(0))
        return gap == 0 or gap < slack

    def _remark(self, paper: Manuscript, passage: Passage, left: Side, relation: str, right: Side) -> Remark:
        sides = [side for side in (left, right) if side.computed]
        results = "; ".join(f"{side.text} = {_shown(side.exact)}" for side in sides)
        printed = "" if left.computed and right.computed else (right if left.computed else left).text
        if relation not in "=≈":
            printed = f"{left.text} {relation} {right.text}"
        return finding(
            paper,
            passage.span(left.start, right.end),
            rule=self.name,
            title="Arithmetic that does not hold",
            body="The two sides are not related as printed.",
            arithmetic=f"{results}; printed: {printed}" if printed else results,
        )


_OTHER = re.compile(
    r"\bmod(?:ulo|ular)?\b|\bmod\s?\d|\bbinary\b|\bhexadecimal|\boctal\b|\bbase[- ]\d|\bXOR\b|\bGF\b"
    r"|\bfinite field|\\bmod|characteristic|\bwrong|\bincorrect|\berroneous|\berrors?\b|hallucinat"
    r"|\bprompt|\bpuzzle|\bstring|\bconcatenat|\bZ_|ℤ"
    r"|\bmistake|\btropical|\bnim\b|\banswers?\b|\bcarry\b|\bclock",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,3}(?:[,\u2009]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+")
_TOKEN = re.compile(rf"\s*(?:(?P<number>{_NUMBER.pattern})|(?P<sign>[-+−–×·*/÷^()⌈⌉⌊⌋%]))")
_SIGNS = r"\d.,\u2009\s+\-−–×·*/÷^()⌈⌉⌊⌋%"
_RELATIONS = "=≈<>≤≥"
_RUN = re.compile(rf"(?<![{_SIGNS}{_RELATIONS}])[{_SIGNS}]*[{_RELATIONS}][{_SIGNS}{_RELATIONS}]*")
_OPERATOR = re.compile(r"(?<=[\d)%⌉⌋])\s*[-+−–×·*/÷^]\s*(?=[\d(⌈⌊.])")
_GROUPED = re.compile(
    r"\\(?:[dtc]?frac|sqrt|binom|overline)\s?\{|[\^_]\s?\{[^{}]*[^\d{}\s][^{}]*\}|\\[dtc]?frac\s?\d"
)
_SIMPLE = re.compile(r"\\[dtc]?frac\s?(?:\{\d+\}|\d)\s?(?:\{\d+\}|\d)")


def equations(passage: Passage) -> Iterator[tuple[Side, str, Side]]:
    """Neighbouring sides of the equations of numbers alone; at least one side has something to compute."""
    text = passage.text
    for run in _RUN.finditer(text):
        start, end = _trimmed(text, run.start(), run.end())
        cut = text[run.start() : start] + text[end : run.end()]
        if end - start < _SHORTEST or re.search(r"[-+−–]", cut) or not _stands_alone(passage, start, end):
            continue
        pieces = [*re.finditer(rf"[^{_RELATIONS}]+", text[start:end])]
        sides = [_side(text, start + piece.start(), start + piece.end()) for piece in pieces]
        for (one, piece), (other, following) in pairwise(zip(sides, pieces, strict=True)):
            between = text[start + piece.end() : start + following.start()]
            if one and other and (one.computed or other.computed) and len(between) == 1:
                yield one, between, other


_SHORTEST = 5


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without space and closing punctuation, and without brackets that are not of the equation."""
    while start < end and text[start] in " \n\t.,\u2009)%–-":
        start += 1
    while start < end and text[end - 1] in " \n\t.,\u2009(–-−+":
        end -= 1
    while text[start:end].count(")") > text[start:end].count("(") and text[end - 1] == ")":
        end -= 1
    while text[start:end].count("(") > text[start:end].count(")") and text[start] == "(":
        start += 1
    return start, end


def _stands_alone(passage: Passage, start: int, end: int) -> bool:
    """True if no letter or operator belongs to the run at either end, and all its grouping is seen."""
    text = passage.text
    before, after = text[max(0, start - 3) : start], text[end : end + 3]
    opens = text[start] not in _RELATIONS
    if (
        opens
        and re.search(r"[\w^_+×·*/=≈<>≤≥|√!\\\]}−-]\s?$", before)
        and not re.search(r"[A-Za-z,;:]\s$", before)
    ):
        return False
    if re.match(r"\s?[A-Za-zα-ω_^{\\|!+×·*/(\[√]", after) and not re.match(r"\s[A-Za-z]{2}|\s[(a-z]", after):
        return False
    first, last = passage.readable.original(start, end)
    source = passage.block.text[max(0, first - _OPENS) : last]
    if re.search(r"\w-\d", source) and "$" not in source[: _OPENS + 1]:
        return False
    if source == text[max(0, start - _OPENS) : end] and not _WIDE.fullmatch(text, start, end):
        return False
    return not _GROUPED.search(_SIMPLE.sub("", source))


_OPENS = 8
"""As far before an equation the grouping that it stands in may open."""
_WIDE = re.compile(r"(?:[\d.,%]{2,}+|[()]|\s|(?<=\s)[-+−–×·*/÷=≈](?=\s))+")
"""Text without markup, as of a PDF, has lost its raised digits: `1+12 = 2` was |1 + i|² = 2."""


def _side(text: str, start: int, end: int) -> Side | None:
    written = text[start:end]
    left = start + len(written) - len(written.lstrip())
    written = written.strip()
    value, exact = evaluated(written), evaluated(written, exact=True)
    if value is None or exact is None:
        return None
    decimals = [len(each.partition(".")[2]) for each in _NUMBER.findall(written)]
    half = Fraction(1, 2 * 10 ** decimals[0]) if len(decimals) == 1 and decimals[0] else Fraction(0)
    return Side(
        written, left, left + len(written), value, exact.low, half, _OPERATOR.search(written) is not None
    )


def evaluated(text: str, *, exact: bool = False) -> Amount | None:
    """The value of an expression of numbers; None where it is none, or has an open bracket.

    `exact`: decimals are what is printed, and not what is rounded to it.
    """
    tokens: list[str] = []
    at = 0
    while at < len(text) and (found := _TOKEN.match(text, at)):
        tokens.append(found[0].strip())
        at = found.end()
    if text[at:].strip() or not tokens or not _is_printed(tokens):
        return None
    parser = _Parser(tokens, exact=exact)
    try:
        value = parser.sum()
    except (ZeroDivisionError, _Odd):
        return None
    return value if parser.at == len(tokens) else None


_MOST_TOKENS = 500
_MOST_NESTED = 30
_MOST_DIGITS = 100


def _is_printed(tokens: list[str]) -> bool:
    """True if an expression is one that a paper prints, in length, depth and digits."""
    before = ["(", *tokens]
    nested = sum(
        token in set("(⌈⌊") or (token in set("-−–") and last in set("(⌈⌊+-−–×·*/÷^"))
        for last, token in zip(before, tokens, strict=False)
    )
    return len(tokens) <= _MOST_TOKENS and nested <= _MOST_NESTED and max(map(len, tokens)) <= _MOST_DIGITS


class _Odd(Exception):
    """The tokens are no expression."""


_MOST_POWER = 64
_MOST_DIGITS = 40
"""Of a number that is worked out: more are those of a constant, a prime, a key."""


class _Parser:
    """Sums of products of powers, with interval arithmetic."""

    def __init__(self, tokens: list[str], *, exact: bool) -> None:
        self.tokens = tokens
        self.exact = exact
        self.at = 0

    def _next(self, among: str) -> str:
        if self.at < len(self.tokens) and self.tokens[self.at] in tuple(among):
            self.at += 1
            return self.tokens[self.at - 1]
        return ""

    def sum(self) -> Amount:
        value = self._product()
        while sign := self._next("+-−–"):
            other = self._product()
            value = _both(value, other, add if sign == "+" else sub)
        return value

    def _product(self) -> Amount:
        value = self._power()
        while sign := self._next("×·*/÷"):
            other = self._power()
            if sign in "/÷" and other.low <= 0 <= other.high:
                raise ZeroDivisionError
            value = _both(value, other, truediv if sign in "/÷" else mul)
        return value

    def _power(self) -> Amount:
        value = self._atom()
        if self._next("^"):
            power = self._atom()
            if power.low != power.high or power.low.denominator != 1 or abs(power.low) > _MOST_POWER:
                raise _Odd
            whole = int(power.low)
            ends = (value.low**whole, value.high**whole)
            value = Amount(min(ends), max(ends))
        while self._next("%"):
            pass
        return value

    def _atom(self) -> Amount:
        if self._next("-−–"):
            value = self._power()
            return Amount(-value.high, -value.low)
        if opened := self._next("(⌈⌊"):
            value = self.sum()
            if not self._next({"(": ")", "⌈": "⌉", "⌊": "⌋"}[opened]):
                raise _Odd
            return _rounded(value, opened)
        if self.at >= len(self.tokens) or not _NUMBER.fullmatch(self.tokens[self.at]):
            raise _Odd
        self.at += 1
        return _amount(self.tokens[self.at - 1], exact=self.exact)


def _amount(token: str, *, exact: bool) -> Amount:
    digits = re.sub(r"[,\u2009]", "", token)
    if len(digits) > _MOST_DIGITS:
        raise _Odd
    decimals = len(digits.partition(".")[2])
    half = Fraction(1, 2 * 10**decimals) if decimals and not exact else Fraction(0)
    value = Fraction(digits if digits[0] != "." else f"0{digits}")
    return Amount(value - half, value + half)


def _rounded(value: Amount, opened: str) -> Amount:
    if opened == "(":
        return value
    step = ceil if opened == "⌈" else floor
    return Amount(Fraction(step(value.low)), Fraction(step(value.high)))


def _both(one: Amount, other: Amount, work: Callable[[Fraction, Fraction], Fraction]) -> Amount:
    ends = [work(a, b) for a in one for b in other]
    return Amount(min(ends), max(ends))


def _shown(value: Fraction) -> str:
    return str(int(value)) if value.denominator == 1 else f"{float(value):.6g}"
