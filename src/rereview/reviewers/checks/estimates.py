"""Estimates with what is printed beside them: what of interval, error and p-value cannot go together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import log
from statistics import NormalDist
from typing import NamedTuple

from rereview.reviewers.checks.p_values import shown
from rereview.text.numbers import Number

LEVEL = Fraction(95)


class P(NamedTuple):
    """A printed p-value with its relation."""

    relation: str
    value: float

    def __str__(self) -> str:
        """As papers print it."""
        return f"p {self.relation} {self.value:g}"


@dataclass(frozen=True)
class Estimated:
    """A value with its interval (low, high), standard error and p-value, None for what is not printed.

    `name` is what the words before it call it; `level` of the interval in percent.
    """

    value: Number | None
    low: Number | None
    high: Number | None
    level: Fraction = LEVEL
    error: Number | None = None
    p: P | None = None
    name: str = ""

    @property
    def ratio(self) -> bool:
        """True if the words call it a ratio, whose null is 1."""
        return _RATIO.search(self.name) is not None

    @property
    def nulls(self) -> tuple[int, ...]:
        """The values that may stand for "no effect": 1 of a ratio, 0 of a difference, else both."""
        if self.ratio:
            return (1,)
        negative = any(each is not None and each.value < 0 for each in (self.value, self.low, self.high))
        return (0,) if negative or _DIFFERENCE.search(self.name) else (0, 1)


class Fault(NamedTuple):
    """What is wrong with an estimate."""

    title: str
    body: str
    arithmetic: str
    major: bool


_RATIO = re.compile(
    r"\b[ahi]?(?:OR|HR|RR|IRR|PR)s?\b|\b(?:odds|hazard|risk|rate|prevalence)[ -]ratios?"
    r"|\brelative risks?|\bratio\b"
)
_DIFFERENCE = re.compile(
    r"\b(?:difference|coefficient|slope|change|effect|correlation|reduction|increase|decrease)s?\b"
    r"|[βb]\s*=?\s*$|\bB\s*=?\s*$|\br\s*=\s*$|\bd\s*=\s*$|Δ"
)


def fault(found: Estimated, *, corrected: bool = False, normal: bool = True) -> Fault | None:
    """Why an estimate cannot be as printed; None where it can.

    `corrected`: p-values are adjusted, and may be larger than an interval or error would have them.
    `normal`: intervals may be compared with standard errors (no bootstrap, no posterior).
    """
    return (
        _reversed(found)
        or _outside(found)
        or (_width(found) if normal else None)
        or _against_interval(found, corrected=corrected)
        or _against_error(found, corrected=corrected)
    )


def _reversed(found: Estimated) -> Fault | None:
    """The lower limit above the upper one."""
    if not found.low or not found.high or found.low.low <= found.high.high:
        return None
    return Fault(
        "An interval whose lower limit is above its upper one",
        f"The interval goes from {found.low} to {found.high}.",
        f"{found.low} > {found.high}",
        major=False,
    )


def _outside(found: Estimated) -> Fault | None:
    """An estimate that its own interval does not contain."""
    if not found.value or not found.low or not found.high:
        return None
    below, above = found.value.high < found.low.low, found.value.low > found.high.high
    if not below and not above:
        return None
    relation = f"{found.value} < {found.low}" if below else f"{found.value} > {found.high}"
    return Fault(
        "An interval that does not contain its estimate",
        f"The estimate {found.value} lies outside of its interval, {found.low} to {found.high}.",
        relation,
        major=True,
    )


SLACK = 1.25


def _width(found: Estimated) -> Fault | None:
    """An interval much narrower than its standard error gives, or wider than with 4 degrees of freedom."""
    if not found.error or not found.low or not found.high or found.error.low <= 0 or found.ratio:
        return None
    z = NormalDist().inv_cdf(0.5 + float(found.level) / 200)
    wide = float((found.high.high - found.low.low) / (2 * found.error.low))
    narrow = float((found.high.low - found.low.high) / (2 * found.error.high))
    if (wide * SLACK >= z and narrow <= z * SLACK * SLACK) or _log_width(found, z):
        return None
    half = (found.high.value - found.low.value) / 2
    return Fault(
        "An interval that its standard error does not give",
        f"Half of the interval is {float(half / found.error.value):.2f} standard errors.",
        f"({found.high} − {found.low}) / 2 / {found.error} = {float(half / found.error.value):.2f};"
        f" {float(found.level):g}% needs {z:.2f}, or a little more",
        major=False,
    )


def _log_width(found: Estimated, z: float) -> bool:
    """True if the error is that of the logarithm."""
    if not found.error or not found.low or not found.high or found.low.value <= 0:
        return False
    errors = log(found.high.value / found.low.value) / 2 / float(found.error.value)
    return z / SLACK <= errors <= z * SLACK * SLACK


CLEARLY_NOT, CLEARLY = 0.08, 0.03
"""A test and an interval may be made in two ways, so that p-values between these contradict neither."""


def _against_interval(found: Estimated, *, corrected: bool) -> Fault | None:
    """A 95% interval without the null beside a large p-value, or with it beside a small one."""
    low, high, p = found.low, found.high, found.p
    if not low or not high or not p or found.level != LEVEL:
        return None
    excluded = all(low.low > null or high.high < null for null in found.nulls)
    contained = all(low.high < null < high.low for null in found.nulls)
    if excluded and p.relation != "<" and p.value >= CLEARLY_NOT and not corrected:
        return _contradiction(found, "excludes", _named(found.nulls), p)
    if contained and p.relation != ">" and p.value <= CLEARLY:
        return _contradiction(found, "contains", _named(found.nulls), p)
    return None


def _named(nulls: tuple[int, ...]) -> str:
    return " and ".join(map(str, nulls))


def _contradiction(found: Estimated, verb: str, nulls: str, p: P) -> Fault:
    return Fault(
        "A p-value and an interval that contradict each other",
        f"The 95% interval {verb} {nulls}, so that p is {'below' if verb == 'excludes' else 'above'} 0.05.",
        f"{found.low} to {found.high} {verb} {nulls}; printed: {p}",
        major=True,
    )


FAR = 3.5


def _against_error(found: Estimated, *, corrected: bool) -> Fault | None:
    """A p-value that estimate over standard error cannot have, whatever the degrees of freedom."""
    value, error, p = found.value, found.error, found.p
    if not value or not error or not p or error.low <= 0 or found.ratio:
        return None
    most = float((abs(value.value) + value.half) / error.low)
    least = float(max(abs(value.value) - value.half, Fraction(0)) / error.high)
    smallest = 2 * NormalDist().cdf(-most)
    half = 0.5 * 10 ** -len(f"{p.value}".partition(".")[2]) if p.relation == "=" else 0.0
    too_small = p.relation != ">" and p.value + half < smallest
    too_large = p.relation != "<" and p.value >= 2 * CLEARLY_NOT and least > FAR and not corrected
    if not too_small and not too_large:
        return None
    ratio = float(abs(value.value) / error.value)
    return Fault(
        "A p-value that the estimate and its standard error do not give",
        f"The estimate is {ratio:.2f} standard errors from zero.",
        f"|{value}| / {error} = {ratio:.2f}, p ≈ {shown(2 * NormalDist().cdf(-ratio))}"
        f" ({'at least' if too_small else 'about'} {shown(smallest)} by rounding); printed: {p}",
        major=True,
    )
