"""Pilots and reviews that stop as soon as the evidence allows.

For a set of papers: rounds of two fresh reviews of each paper feed an e-process with fixed stakes; by
Ville's inequality it may be looked at after each round. For one paper: a betting confidence sequence,
which may be looked at after each review.

[1] Ville 1939. [2] Waudby-Smith & Ramdas 2024, arXiv 2010.09686 (confidence sequences by betting).
[3] Howard et al. 2021, arXiv 1810.08240 (mixtures over stakes).
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rereview.errors import UsageError
from rereview.stats.bounds import Scale, first_true, kernel_range, variance_cap
from rereview.stats.certify import MIXTURE, tables_for
from rereview.stats.exact import Floats
from rereview.stats.matching import Kernel, half_square
from rereview.stats.pilot import Number, exact

FRACTIONS = ((0.99, 0.6), (0.6, 0.08), (0.4, 0.08), (0.25, 0.08), (0.15, 0.08), (0.08, 0.08))
"""Fractions of the largest stake on one paper, with weights: most on quiet scores, the rest for wild ones."""

_FRACTIONS = np.array([fraction for fraction, _ in FRACTIONS])
_LOG_WEIGHTS = np.log([weight for _, weight in FRACTIONS])


class Stake(NamedTuple):
    """One bet, fixed before any score is seen."""

    kernel: Kernel
    theta: float
    weight: float


@dataclass(frozen=True, slots=True)
class RoundTest:
    """Evidence, round by round, that k new reviews of each paper are enough.

    Against "the mean of the kernel over papers is `null` or more", each round multiplies the wealth of a
    stake by prod over papers (1 - theta g(|y - y'|)) / (1 - theta null)^papers: a test supermartingale for
    papers that differ in any way. Once certified, always certified.
    """

    target: int
    """The k that is certified."""
    null: float
    stakes: tuple[Stake, ...]
    alpha: float
    scale: Scale
    integers: bool = False
    rounds: int = 0
    log_wealth: tuple[float, ...] = ()
    certified: bool = False

    @property
    def reviews(self) -> int:
        """Reviews of each paper so far."""
        return 2 * self.rounds

    @property
    def log_evidence(self) -> float:
        """Logarithm of the weighted wealth; certified at log(1 / alpha)."""
        weights = np.log([stake.weight for stake in self.stakes])
        return float(np.logaddexp.reduce(weights + np.array(self.log_wealth or [0.0] * len(self.stakes))))

    def after(self, first: ArrayLike, second: ArrayLike) -> RoundTest:
        """Add one round to the test: two fresh scores of every paper, (papers,) each.

        Raises UsageError when a score is missing: a round without all papers proves nothing of them.
        """
        one, other = _complete_round(first, second, self.scale, integers=self.integers)
        gaps, wealth = np.abs(one - other), self.log_wealth or (0.0,) * len(self.stakes)
        grown = tuple(
            before
            + float(np.log1p(-stake.theta * stake.kernel(gaps)).sum())
            - len(gaps) * float(np.log1p(-stake.theta * self.null))
            for before, stake in zip(wealth, self.stakes, strict=True)
        )
        moved = replace(self, rounds=self.rounds + 1, log_wealth=grown)
        return replace(moved, certified=self.certified or moved.log_evidence >= -log(self.alpha))


def _complete_round(
    first: ArrayLike, second: ArrayLike, scale: Scale, *, integers: bool
) -> tuple[Floats, Floats]:
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    both = np.concatenate([one, other])
    if one.shape != other.shape or np.isnan(both).any():
        raise UsageError("an incomplete round", expected="two scores of every paper")
    if ((both < scale[0]) | (both > scale[1])).any():
        raise UsageError(f"scores {both.min():g} to {both.max():g}", expected=f"{scale[0]} to {scale[1]}")
    if integers and (both != np.rint(both)).any():
        raise UsageError("a score that is no integer", expected="integers, for the lattice certificate")
    return one, other


def variance_rounds(
    target: int,
    tolerance: Number,
    *,
    success: Number = 0.95,
    confidence: Number = 0.95,
    scale: Scale = (1, 10),
) -> RoundTest:
    """Test whether `target` reviews suffice by Chebyshev's inequality; proven."""
    null = target * (1 - exact(success)) * exact(tolerance) ** 2
    bound = float(kernel_range(scale))
    stakes = tuple(Stake(half_square, share / bound, weight) for share, weight in MIXTURE)
    cap = variance_cap(scale)
    # No law on the scale has more variance than the cap: such a target needs no evidence.
    return RoundTest(
        target, float(min(null, cap)), stakes, float(1 - exact(confidence)), scale, certified=null > cap
    )


def lattice_rounds(
    target: int, tolerance: Number, *, success: Number = 0.95, confidence: Number = 0.95
) -> RoundTest:
    """Test whether `target` reviews suffice for integer scores from 1 to 10; computer-verified, not proven.

    Raises UsageError when there is no table of this k.
    """
    tables = {table.k: table for table in tables_for(tolerance)}
    if target not in tables:
        raise UsageError(f"no table for k={target} at tolerance {tolerance}", expected=f"one of {[*tables]}")
    table = tables[target]
    stake = Stake(table.kernel, table.theta, 1.0)
    return RoundTest(
        target, float(1 - exact(success)), (stake,), float(1 - exact(confidence)), (1, 10), integers=True
    )


def follow(test: RoundTest, scores: ArrayLike) -> RoundTest:
    """Feed the test with `scores` (papers, reviews), two columns a round, up to its certificate."""
    table = np.asarray(scores, dtype=np.float64)
    for column in range(0, table.shape[1] - 1, 2):
        if test.certified:
            break
        test = test.after(table[:, column], table[:, column + 1])
    return test


class MeanBounds(NamedTuple):
    """What is known of one paper's expected score."""

    mean: float
    low: float
    high: float
    reviews: int

    def within(self, tolerance: Number) -> bool:
        """Whether the mean of the reviews is certainly nearer to the expected score than the tolerance."""
        eps = float(exact(tolerance))
        return self.mean - self.low < eps and self.high - self.mean < eps


def mean_bounds(scores: ArrayLike, *, confidence: Number = 0.95, scale: Scale = (1, 10)) -> MeanBounds:
    """Bounds of one paper's expected score that hold at all times together with this confidence.

    `scores` are the reviews so far, at least one, NaN left out, in any order. Two gamblers, one against low
    means and one against high means, spread their money over constant fractions of the largest stake; a
    mean is excluded when either has multiplied it by 2 / alpha [2]. For independent and identically
    distributed scores. Raises UsageError without a score and for scores off the scale.
    """
    values, counts = np.unique(_on_unit(scores, scale), return_counts=True)
    tally = _Tally(values, counts.astype(np.float64))
    needed = log(2 / float(1 - exact(confidence)))
    # The wealth against low means falls as the mean rises; the high side is the same from the other end.
    below = first_true(lambda mean: tally.wealth(mean) < needed, 0.0, 1.0)
    above = first_true(lambda mean: tally.flipped().wealth(mean) < needed, 0.0, 1.0)
    low, width = float(exact(scale[0])), float(exact(scale[1]) - exact(scale[0]))
    return MeanBounds(low + width * tally.mean, low + width * below, low + width * (1 - above), tally.reviews)


def reviews_until(
    scores: ArrayLike, tolerance: Number, *, confidence: Number = 0.95, scale: Scale = (1, 10)
) -> MeanBounds | None:
    """Bounds after the first review at which one paper's mean is certainly within the tolerance.

    `scores` is (reviews,) in order, NaN left out; None when they do not suffice. For each paper the mean
    at that time is off by the tolerance or more with probability at most 1 - confidence.
    """
    values, order = np.unique(_on_unit(scores, scale), return_inverse=True)
    needed = log(2 / float(1 - exact(confidence)))
    eps = float(exact(tolerance) / (exact(scale[1]) - exact(scale[0])))
    counts = np.zeros(len(values))
    for review, value in enumerate(order.tolist(), 1):
        counts[value] += 1
        if _Tally(values, counts).within(eps, needed):
            given = np.asarray(scores, dtype=np.float64)
            return mean_bounds(given[~np.isnan(given)][:review], confidence=confidence, scale=scale)
    return None


def further_reviews(
    scores: ArrayLike,
    tolerance: Number,
    *,
    most: int,
    confidence: Number = 0.95,
    scale: Scale = (1, 10),
) -> int:
    """How many more reviews of one paper it takes, if they scatter like those so far; at most `most`.

    0: the mean of `scores`, at least one, NaN left out, is certainly within the tolerance now. A forecast
    of where to look next, which no guarantee rests on: `mean_bounds` may be looked at any time.
    """
    values, counts = np.unique(_on_unit(scores, scale), return_counts=True)
    needed = log(2 / float(1 - exact(confidence)))
    eps = float(exact(tolerance) / (exact(scale[1]) - exact(scale[0])))

    def suffices(further: int) -> bool:
        return _Tally(values, counts * (1 + further / counts.sum())).within(eps, needed)

    # The bounds decide; the test before them is as good but for rounding, and a hundred times cheaper.
    if suffices(0) and mean_bounds(scores, confidence=confidence, scale=scale).within(tolerance):
        return 0
    return min(most, 1 + bisect_left(range(1, most + 1), x=True, key=suffices))


@dataclass(frozen=True, slots=True)
class _Tally:
    """Scores of one paper on [0, 1], equal ones together."""

    values: Floats
    counts: Floats

    @property
    def reviews(self) -> int:
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        return float(self.values @ self.counts / self.counts.sum())

    def flipped(self) -> _Tally:
        return _Tally(1 - self.values, self.counts)

    def wealth(self, mean: float) -> float:
        """Logarithm of the weighted sum over fractions c of prod (1 - c + c y / mean)."""
        logs = np.log1p(_FRACTIONS[:, None] * (self.values / mean - 1)) @ self.counts
        return float(np.logaddexp.reduce(_LOG_WEIGHTS + logs))

    def excludes(self, mean: float, needed: float) -> bool:
        """Whether this mean, which is below the observed one, and all below it are excluded."""
        return mean <= 0 or self.wealth(mean) >= needed

    def within(self, eps: float, needed: float) -> bool:
        """Whether all means that are `eps` or more away from the observed one are excluded."""
        return all(side.excludes(side.mean - eps, needed) for side in (self, self.flipped()))


def _on_unit(scores: ArrayLike, scale: Scale) -> Floats:
    """Bring the scores that are there to [0, 1]."""
    low, high = (float(exact(end)) for end in scale)
    given = np.asarray(scores, dtype=np.float64)
    given = given[~np.isnan(given)]
    if not given.size:
        raise UsageError("no score", expected="at least one")
    if given.min() < low or given.max() > high:
        raise UsageError(f"scores {given.min():g} to {given.max():g}", expected=f"{low:g} to {high:g}")
    return (given - low) / (high - low)
