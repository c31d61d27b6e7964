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
from numpy.typing import ArrayLike, NDArray

from rereview.errors import UsageError

Floats = NDArray[np.float64]
Number = int | float | Decimal | Fraction


def exact(value: Number) -> Fraction:
    """The rational number that the shortest decimal of `value` writes; 0.1 gives 1/10."""
    if isinstance(value, int | Decimal | Fraction):
        return Fraction(value)
    return Fraction(repr(float(value)))


def exact_integers(scores: Floats) -> tuple[NDArray[np.int64] | NDArray[np.object_], int]:
    """Finite scores of any shape as integers over one common denominator, ties and sums exact.

    The integers are int64 where a sum of a million of them still fits, Python integers otherwise.
    """
    values, where = np.unique(scores, return_inverse=True)
    fractions = [exact(v) for v in values.tolist()]
    denominator = lcm(*(f.denominator for f in fractions)) if fractions else 1
    numerators = [int(f * denominator) for f in fractions]
    small = all(abs(v) < 2**40 for v in numerators)
    table = np.array(numerators, dtype=np.int64 if small else object)
    return table[where.reshape(scores.shape)], denominator


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
    """The pilot in one form; None when no paper has two scores.

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
    if scores.ndim != 2:
        raise UsageError(
            f"scores of shape {scores.shape}", expected="an array papers x reviews, NaN where missing"
        )
    low, high = scale
    outside = scores[(scores < low) | (scores > high)]
    if outside.size:
        raise UsageError(f"score {float(outside.flat[0])!r}", expected=f"scores from {low} to {high}")
    observed = np.sum(~np.isnan(scores), axis=1)
    kept = scores[observed >= 2]
    if not len(kept):
        return None
    variances = [_paper_variance(row[~np.isnan(row)]) for row in kept]
    return Pilot(
        variance=sum(variances, Fraction(0)) / len(kept),
        papers=len(kept),
        reviews=int(observed[observed >= 2].min()),
        dropped=len(scores) - len(kept),
        scores=kept,
    )


def _paper_variance(scores: Floats) -> Fraction:
    values = [exact(v) for v in scores.tolist()]
    n = len(values)
    return (n * sum(v * v for v in values) - sum(values) ** 2) / Fraction(n * (n - 1))


def _from_variance(given: Variance, scale: tuple[float, float]) -> Pilot:
    _check_size(given.papers, given.reviews)
    values = [exact(v) for v in given.value] if isinstance(given.value, Sequence) else [exact(given.value)]
    if isinstance(given.value, Sequence) and len(values) != given.papers:
        raise UsageError(f"{len(values)} variances for {given.papers} papers", expected="one variance a paper")
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
        raise UsageError(
            f"{total} score pairs", expected=f"{given.papers} papers of {given.reviews} give {expected}"
        )
    reach = exact(scale[1]) - exact(scale[0])
    if any(not 0 <= d <= reach for d in counts):
        raise UsageError(
            f"differences {sorted(map(float, counts))}", expected=f"absolute differences from 0 to {float(reach):g}"
        )
    shares = {d: Fraction(c, total) for d, c in counts.items()}
    return Pilot(
        variance=sum((share * d * d for d, share in shares.items()), Fraction(0)) / 2,
        papers=given.papers,
        reviews=given.reviews,
        differences=shares,
    )


def _check_size(papers: int, reviews: int) -> None:
    if papers < 1 or reviews < 2:
        raise UsageError(f"{papers} papers of {reviews} reviews", expected="at least one paper of two reviews")
