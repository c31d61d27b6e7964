"""What a pilot tells of the spread within papers: scores, their pair differences, or the variance alone.

Decimals are taken as written (0.1 is one tenth), so that equal decimals tie and ceilings do not
jump by one through rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import comb, lcm

import numpy as np
from numpy.typing import ArrayLike

from rereview.errors import UsageError
from rereview.stats.exact import Floats, as_written

Number = int | float | Decimal | Fraction

FEWEST_SCORES = 2
"""Scores of a paper without which there is no variance."""

_TABLE = 2  # dimensions: papers, reviews


def exact(value: Number) -> Fraction:
    """Rational number that the shortest decimal of `value` writes; 0.1 gives 1/10."""
    if isinstance(value, int | Decimal | Fraction):
        return Fraction(value)
    return as_written(value)


@dataclass(frozen=True, slots=True)
class Variance:
    """The within-paper variance alone: its mean over papers, or one value a paper."""

    value: Number | Sequence[Number]
    papers: int
    reviews: int
    """Pilot reviews of each paper."""


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How many of the papers x C(reviews, 2) pairs of scores differ by how much."""

    counts: Mapping[Number, int]
    papers: int
    reviews: int


@dataclass(frozen=True, slots=True)
class Pilot:
    """A pilot in the form that every bound reads; papers with fewer than two scores are left out."""

    variance: Fraction
    """Mean over papers of the unbiased within-paper variance."""
    papers: int
    reviews: int
    """Smallest number of scores among the papers kept."""
    dropped: int = 0
    scores: Floats | None = None
    """(papers, reviews), NaN where missing; None when only a summary is known."""
    differences: Mapping[Fraction, Fraction] | None = None
    """Share of score pairs by absolute difference; only where every paper has the same number of scores."""

    @property
    def pairs_per_paper(self) -> int:
        """Disjoint pairs that every paper can give."""
        return self.reviews // 2

    @property
    def pairs(self) -> int:
        """Independent kernel values of the whole pilot, the paper's M."""
        return self.papers * self.pairs_per_paper


Evidence = ArrayLike | Variance | PairCounts | Pilot


def read_pilot(evidence: Evidence, scale: tuple[float, float] = (1, 10)) -> Pilot | None:
    """Bring a pilot into one form; None when no paper has two scores.

    Scores are (papers, reviews) with NaN for missing. Raises UsageError for scores off the scale
    and for summaries that no scores on the scale could give.
    """
    if isinstance(evidence, Pilot):
        return evidence
    if isinstance(evidence, Variance):
        return _from_variance(evidence, scale)
    if isinstance(evidence, PairCounts):
        return _from_pairs(evidence, scale)
    return _from_scores(np.asarray(evidence, dtype=np.float64), scale)


def _from_scores(scores: Floats, scale: tuple[float, float]) -> Pilot | None:
    if scores.ndim != _TABLE:
        raise UsageError(
            f"scores of shape {scores.shape}", expected="an array papers x reviews, NaN where missing"
        )
    low, high = scale
    outside = scores[(scores < low) | (scores > high)]
    if outside.size:
        raise UsageError(f"score {float(outside.flat[0])!r}", expected=f"scores from {low} to {high}")
    observed = np.sum(~np.isnan(scores), axis=1)
    kept = scores[observed >= FEWEST_SCORES]
    if not len(kept):
        return None
    return Pilot(
        variance=_mean_variance([row[~np.isnan(row)].tolist() for row in kept]),
        papers=len(kept),
        reviews=int(observed[observed >= FEWEST_SCORES].min()),
        dropped=len(scores) - len(kept),
        scores=kept,
    )


def _mean_variance(papers: list[list[float]]) -> Fraction:
    """Mean of the unbiased variances, in integers over the common denominator of all scores."""
    written = {value: exact(value) for value in set().union(*papers)}
    unit = lcm(*(fraction.denominator for fraction in written.values()))
    units = {value: int(fraction * unit) for value, fraction in written.items()}
    by_size: dict[int, int] = {}
    for paper in papers:
        values = [units[value] for value in paper]
        spread = len(values) * sum(v * v for v in values) - sum(values) ** 2
        by_size[len(values)] = by_size.get(len(values), 0) + spread
    total = sum((Fraction(spread, n * (n - 1)) for n, spread in by_size.items()), Fraction(0))
    return total / (len(papers) * unit * unit)


def _from_variance(given: Variance, scale: tuple[float, float]) -> Pilot:
    _check_size(given.papers, given.reviews)
    values = [exact(v) for v in given.value] if isinstance(given.value, Sequence) else [exact(given.value)]
    if isinstance(given.value, Sequence) and len(values) != given.papers:
        raise UsageError(
            f"{_many(len(values), 'variance')} for {_many(given.papers, 'paper')}",
            expected="one variance a paper",
        )
    mean = sum(values, Fraction(0)) / len(values)
    # The unbiased variance of n scores is largest when half of them stand at each end.
    half = given.reviews // 2
    n = given.reviews
    largest = (exact(scale[1]) - exact(scale[0])) ** 2 * Fraction(half * (n - half), n * (n - 1))
    if not 0 <= mean <= largest:
        raise UsageError(f"variance {float(mean)!r}", expected=f"0 to {float(largest):g} on this scale")
    return Pilot(variance=mean, papers=given.papers, reviews=given.reviews)


def _from_pairs(given: PairCounts, scale: tuple[float, float]) -> Pilot:
    _check_size(given.papers, given.reviews)
    counts = {exact(d): int(c) for d, c in given.counts.items()}
    total, expected = sum(counts.values()), given.papers * comb(given.reviews, 2)
    if total != expected or min(counts.values()) < 0:
        papers = "1 paper gives" if given.papers == 1 else f"{given.papers} papers give"
        raise UsageError(
            _many(total, "score pair"), expected=f"{papers} {expected}, of {given.reviews} reviews each"
        )
    reach = exact(scale[1]) - exact(scale[0])
    if any(not 0 <= d <= reach for d in counts):
        raise UsageError(
            f"differences {sorted(map(float, counts))}",
            expected=f"absolute differences from 0 to {float(reach):g}",
        )
    shares = {d: Fraction(c, total) for d, c in counts.items()}
    return Pilot(
        variance=sum((share * d * d for d, share in shares.items()), Fraction(0)) / 2,
        papers=given.papers,
        reviews=given.reviews,
        differences=shares,
    )


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _check_size(papers: int, reviews: int) -> None:
    if papers < 1 or reviews < FEWEST_SCORES:
        raise UsageError(
            f"{_many(papers, 'paper')} of {_many(reviews, 'review')}",
            expected="at least one paper of two reviews",
        )
