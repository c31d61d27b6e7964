"""Scores as exact integers, so that ties, signs and groups never hang on a rounding."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rereview.errors import UsageError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MISSING = int(np.iinfo(np.int64).min)
"""Stands where a score is NaN: a sum that forgets to leave it out is absurd, not plausible."""

_ROOM = 2**62
"""A difference of two sums over all rounds stays within int64."""

_DOUBLE = 2**53
"""Integers up to it are floats, and their quotient is the float nearest to the fraction."""


class ExactScores(NamedTuple):
    """`units / denominator` are the scores as written; `units` has their shape, MISSING for NaN."""

    units: Integers
    denominator: int


def exact_scores(scores: ArrayLike) -> ExactScores:
    """Finite scores as integers over their least common denominator.

    A float stands for the shortest decimal that reads back as it, which is the decimal that was
    written: 0.1 is 1/10 and 0.1 + 0.2 ties with 0.3. UsageError for an infinite score, and for
    scores with so many decimals that a sum over the last axis would leave int64 (more than 16 for
    40 scores up to 10).
    """
    table = np.asarray(scores, dtype=np.float64)
    values, where = np.unique(table[~np.isnan(table)], return_inverse=True)
    units = np.full(table.shape, MISSING, dtype=np.int64)
    integers, denominator = _common(values, max(1, *table.shape[-1:]))
    units[~np.isnan(table)] = integers[where]
    return ExactScores(units, denominator)


def exact_means(scores: ArrayLike) -> Floats:
    """Mean of each paper's `scores[paper, round]`, NaN left out; shape `[paper]`, NaN without a score.

    Each is the float nearest to the exact mean of the decimals as written, so that papers whose
    means are equal compare equal, whatever their numbers of rounds.
    """
    table = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    units, denominator = exact_scores(table)
    seen = ~np.isnan(table)
    sums = np.where(seen, units, 0).sum(axis=1)
    return nearest(sums, seen.sum(axis=1) * denominator)


def nearest(above: Integers | NDArray[np.object_], below: Integers | NDArray[np.object_]) -> Floats:
    """Divide integers to the nearest float; equal fractions give equal floats, x / 0 gives NaN."""
    if max(int(np.abs(side).max(initial=0)) for side in (above, below)) <= _DOUBLE:
        parts, wholes = above.astype(np.float64), below.astype(np.float64)
        return parts / np.where(wholes == 0, np.nan, wholes)
    pairs = zip(above.tolist(), below.tolist(), strict=True)
    return np.array([a / b if b else np.nan for a, b in pairs], dtype=np.float64)


def exact_units(value: float, denominator: int) -> Fraction:
    """Put a threshold into the units of `exact_scores`, exactly: 0.4 over 10 is 4."""
    return as_written(value) * denominator


def average_ranks(values: ArrayLike) -> Floats:
    """Ranks from 1 of `values[paper]`, without NaN; equal values share the mean of their ranks."""
    _, place, copies = np.unique(
        np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True
    )
    ranks: Floats = (np.cumsum(copies) - (copies - 1) / 2)[place]
    return ranks


def as_written(value: float) -> Fraction:
    """Read a float as the fraction that its shortest decimal stands for."""
    return Fraction(repr(float(value)))


def _common(values: Floats, terms: int) -> tuple[Integers, int]:
    if not np.isfinite(values).all():
        raise UsageError("a score is infinite", expected="finite scores, NaN where there is none")
    if (values == np.rint(values)).all() and (np.abs(values) * terms < _ROOM).all():
        return values.astype(np.int64), 1
    fractions = [as_written(value) for value in values.tolist()]
    denominator = lcm(*(fraction.denominator for fraction in fractions))
    units = [int(fraction * denominator) for fraction in fractions]
    if max(denominator, *map(abs, units)) * terms >= _ROOM:
        longest = max(values.tolist(), key=lambda value: as_written(value).denominator)
        raise UsageError(
            f"{longest!r} has too many decimals to compare sums exactly", expected="fewer decimals"
        )
    return np.array(units, dtype=np.int64), denominator
