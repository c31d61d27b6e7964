"""What means and standard deviations whole numbers can have: GRIM and GRIMMER, by exact arithmetic.

The sum S of n whole numbers is whole, and so is the sum Q of their squares; Q is odd exactly if S is;
and Q is least where the numbers are as equal as they can be. A printed mean and SD are possible if some
S and Q give them. Brown and Heathers (2017), The GRIM test, Soc. Psychol. Personal. Sci. 8; Anaya
(2016), PeerJ Preprints 2400; Allard (2018), Analytic-GRIMMER.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor, sqrt

from rereview.text.numbers import Number

LARGEST = 10**6
"""More answers than this are not counted through; every printed mean is then possible."""


def grim(mean: Number, n: int, items: int = 1) -> bool:
    """True if `n` means of `items` whole numbers can have this mean, rounded up or down from 5."""
    return next(_sums(mean, n * items), None) is not None or n * items > LARGEST


def grimmer(mean: Number, sd: Number, n: int, *, population: bool = False) -> bool:
    """True if `n` whole numbers can have this mean and this SD together.

    The SD is that of a sample (the sum of squares over n − 1), or of a `population` (over n).
    """
    if n > LARGEST or sd.low < 0:
        return True
    degrees = n if population else n - 1
    if degrees < 1:
        return True
    return any(_has_squares(total, sd, n, degrees) for total in _sums(mean, n))


def nearest_means(mean: Number, n: int) -> tuple[Fraction, Fraction]:
    """The possible means next below and above."""
    below = floor(mean.value * n)
    return Fraction(below, n), Fraction(below + 1, n)


def greatest_sd(mean: Number, low: int, high: int, n: int | None) -> float:
    """The greatest sample SD of values from `low` to `high` that have this mean, rounded as printed.

    Reached where all values lie at the ends (Bhatia and Davis, 2000, Am. Math. Mon. 107).
    """
    inside = min(max(mean.value, Fraction(low)), Fraction(high))
    spread = max((each - low) * (high - each) for each in (inside, *_edges(mean, low, high)))
    return sqrt(spread * (Fraction(n, n - 1) if n and n > 1 else 2))


def _edges(mean: Number, low: int, high: int) -> tuple[Fraction, ...]:
    middle = Fraction(low + high, 2)
    known = (mean.low, mean.high, min(max(mean.low, middle), mean.high))
    return tuple(edge for edge in known if low <= edge <= high)


def _sums(mean: Number, n: int) -> Iterator[int]:
    """The sums of `n` whole numbers whose mean is printed so."""
    if n <= LARGEST:
        yield from range(ceil(mean.low * n), floor(mean.high * n) + 1)


def _has_squares(total: int, sd: Number, n: int, degrees: int) -> bool:
    """True if some sum of squares of numbers with this sum gives the SD."""
    square = Fraction(total * total, n)
    low, high = ceil(sd.low**2 * degrees + square), floor(sd.high**2 * degrees + square)
    whole, more = divmod(total, n)
    least = more * (whole + 1) ** 2 + (n - more) * whole**2
    first = max(low, least)
    first += (first - total) % 2
    return first <= high
