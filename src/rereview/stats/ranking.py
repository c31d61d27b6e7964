"""Whether independent reviews put papers in the same order.

Two disjoint blocks of k rounds each rank every pair of papers by block mean. The same rounds form a
block for both papers. Over all C(n,k) C(n-k,k) / 2 unordered partitions of n rounds, a pair is Same
(both blocks order it strictly and alike), Reverse (strictly and oppositely), or Tie (equal in at
least one block). Block sums are compared as exact integers.

1. Can We Believe AI Peer Review?, appendices C.5 and C.6.
2. Snijders and Borgatti (1999), Non-parametric standard errors and tests for network statistics,
   Connections 22(2), 161-170 (resampling the nodes of pairwise data).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rereview.errors import UsageError
from rereview.stats.exact import Integers, exact_scores, exact_units
from rereview.stats.resample import resampled_pairs

Floats = NDArray[np.float64]
Signs = NDArray[np.float32]

GAP_BOUNDS = (0.0, 0.4, 1.0, 2.0)
"""Upper ends of the groups of close pairs in points, each included; a last group has none (C.6 of 1)."""

MOST_BLOCKS = 4_000
"""Largest C(n, k) that is enumerated. Up to it, counts of partitions are exact in single precision."""

_EXACT_SINGLE, _EXACT_DOUBLE, _EXACT_KEY = 2**24, 2**53, 2**63
_CHUNK = 2**19
"""Signs held at once, in numbers: two such arrays lie in a second-level cache."""


class Agreement(NamedTuple):
    """Rates of Same, Tie and Reverse, 0 to 1, NaN without pairs; and what they were counted over."""

    k: int
    same: float
    tie: float
    reverse: float
    partitions: int
    pairs: int
    dropped: int


class PairRates(NamedTuple):
    """Rates of each pair over partitions: `same[pair]`, `reverse[pair]`, of papers `first`, `second`."""

    first: Integers
    second: Integers
    same: Floats
    reverse: Floats


class _Pairs(NamedTuple):
    """Pairs of complete papers of one group: rows of the scores, and `differences[pair, round]`."""

    first: Integers
    second: Integers
    differences: Integers
    denominator: int
    dropped: int


class GapGroup(NamedTuple):
    """Pairs whose gap in the grouping rounds is above `above` (0: equal to 0) and at most `at_most`."""

    above: float
    at_most: float
    agreement: Agreement


def partitions(n: int, k: int) -> int:
    """Count the unordered pairs of disjoint blocks of k out of n: C(n,k) C(n-k,k) / 2 (C.5 of 1)."""
    return comb(n, k) * comb(n - k, k) // 2


def ranking_agreement(
    scores: ArrayLike, groups: ArrayLike | None = None, *, sizes: Sequence[int] | None = None
) -> tuple[Agreement, ...]:
    """Rate Same, Tie and Reverse for blocks of k = 1 to n // 2 rounds, or of `sizes` (C.5 of 1).

    `scores[paper, round]` with NaN where missing; papers that lack a round are left out and
    counted. `groups[paper]` (such as years) limits pairs to papers of the same group. Averaged over
    partitions and pairs. The pairs share papers, so there is no binomial interval: see
    `ranking_draws`. NaN rates without a pair; UsageError if blocks are too many to enumerate.
    """
    pairs = _pairs(scores, groups)
    n = pairs.differences.shape[1]
    distinct, copies = _distinct(pairs.differences)
    return tuple(_agreement(_counts(distinct, k), copies, n, k, pairs.dropped) for k in _sizes(n, sizes))


def close_pairs(
    scores: ArrayLike,
    groups: ArrayLike | None = None,
    *,
    grouping: int,
    sizes: Sequence[int] | None = None,
    bounds: Sequence[float] = GAP_BOUNDS,
) -> tuple[tuple[GapGroup, ...], ...]:
    """Agreement by how close two papers are, one tuple of groups a block size (C.6 of 1).

    The first `grouping` rounds group the pairs by the absolute difference of their means, in points
    with upper ends `bounds` included, compared exactly; the remaining rounds are compared with
    blocks of `sizes`. `scores` and `groups` as in `ranking_agreement`. A group without pairs has
    NaN rates and 0 pairs.
    """
    pairs = _pairs(scores, groups)
    early, later = pairs.differences[:, :grouping], pairs.differences[:, grouping:]
    ends = [int(exact_units(bound, grouping * pairs.denominator) // 1) for bound in bounds]
    label = np.searchsorted(ends, np.abs(early.sum(axis=1)))
    masks = [(label == j).astype(np.int64) for j in range(len(bounds) + 1)]
    n = later.shape[1]
    return tuple(
        tuple(
            GapGroup(above, at_most, _agreement(counts, mask, n, k, pairs.dropped))
            for above, at_most, mask in zip((0.0, *bounds), (*bounds, np.inf), masks, strict=True)
        )
        for k in _sizes(n, sizes)
        for counts in [_counts(later, k)]
    )


def pair_rates(scores: ArrayLike, groups: ArrayLike | None = None, *, k: int) -> PairRates:
    """Rates of Same and Reverse of every pair of papers over partitions (C.5 of 1).

    As `ranking_agreement`; arrays of shape `[pair]`, 0 to 1, papers by their row in `scores`.
    """
    pairs = _pairs(scores, groups)
    n = pairs.differences.shape[1]
    _sizes(n, (k,))
    same, reverse = _counts(pairs.differences, k)
    return PairRates(pairs.first, pairs.second, same / partitions(n, k), reverse / partitions(n, k))


def ranking_draws(weights: Floats, rates: PairRates) -> Floats:
    """Rate Same, Tie and Reverse in bootstrap draws of papers; shape `[draw, 3]`, 0 to 1 (2).

    `weights[draw, paper]` from `unit_weights`, a paper for each row of the scores. A pair counts
    m_i m_j times; NaN where a draw holds no pair.
    """
    strict = resampled_pairs(weights, rates.first, rates.second, np.column_stack([rates.same, rates.reverse]))
    return np.column_stack([strict[:, 0], 1 - strict.sum(axis=1), strict[:, 1]])


def _pairs(scores: ArrayLike, groups: ArrayLike | None) -> _Pairs:
    table = np.asarray(scores, dtype=np.float64)
    labels = np.zeros(len(table), dtype=np.int64) if groups is None else np.asarray(groups)
    units, denominator = exact_scores(table)
    complete = np.flatnonzero(~np.isnan(table).any(axis=1))
    left, right = np.triu_indices(len(complete), 1)
    alike = labels[complete[left]] == labels[complete[right]]
    first, second = complete[left[alike]], complete[right[alike]]
    return _Pairs(first, second, units[first] - units[second], denominator, len(table) - len(complete))


def _sizes(n: int, sizes: Sequence[int] | None) -> Sequence[int]:
    wanted = range(1, n // 2 + 1) if sizes is None else sizes
    for k in wanted:
        if not 1 <= k <= n // 2:
            raise UsageError(f"two disjoint blocks of {k} need {2 * k} rounds, there are {n}")
        if comb(n, k) > MOST_BLOCKS:
            raise UsageError(
                f"{comb(n, k):,} blocks of {k} out of {n} rounds are too many to enumerate",
                expected="smaller blocks, or fewer rounds",
            )
    return wanted


def _distinct(differences: Integers) -> tuple[Integers, Integers]:
    """Difference vectors that are not permutations or negatives of each other, and their numbers.

    The counts over all partitions do not depend on the order of rounds or the order of the two
    papers. Integer scores give few distinct vectors; where a vector does not fit one key (long
    decimals) there is nothing to gain, and all stay.
    """
    n = differences.shape[1]
    reach = int(np.abs(differences).max(initial=0))
    base = 2 * reach + 1
    if base**n >= _EXACT_KEY:
        return differences, np.ones(len(differences), dtype=np.int64)
    ordered = np.sort(differences, axis=1)
    powers = np.array([base**j for j in range(n)], dtype=np.int64)
    keys = np.minimum((ordered + reach) @ powers, (reach - ordered[:, ::-1]) @ powers)
    _, where, copies = np.unique(keys, return_index=True, return_counts=True)
    return ordered[where], copies.astype(np.int64)


def _counts(differences: Integers, k: int) -> tuple[Integers, Integers]:
    """Partitions in which each pair is Same and Reverse; two arrays of shape `[pair]`."""
    n = differences.shape[1]
    blocks = list(combinations(range(n), k))
    member = np.zeros((n, len(blocks)))
    for column, block in enumerate(blocks):
        member[list(block), column] = 1
    disjoint = (member.T @ member == 0).astype(np.float32)
    step = max(1, _CHUNK // len(blocks))
    parts = [
        _count_signs(_signs(differences[start : start + step], member, k), disjoint)
        for start in range(0, len(differences), step)
    ]
    if not parts:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    strict, balance = (np.concatenate(column) for column in zip(*parts, strict=True))
    return (strict + balance) // 2, (strict - balance) // 2


def _signs(differences: Integers, member: Floats, k: int) -> Signs:
    """Which paper each block puts first, -1, 0 or 1; shape `[pair, block]`, exactly."""
    reach = k * int(np.abs(differences).max(initial=0))
    kind = np.float32 if reach < _EXACT_SINGLE else np.float64 if reach < _EXACT_DOUBLE else np.int64
    signs: Signs = np.sign(differences.astype(kind) @ member.astype(kind)).astype(np.float32)
    return signs


def _count_signs(signs: Signs, disjoint: Signs) -> tuple[Integers, Integers]:
    """Partitions with two strict orders, and Same minus Reverse among them, of each pair.

    Both are half of sᵀDs over ordered pairs of disjoint blocks, for |s| and for s.
    """
    balance = _quadratic(signs, disjoint)
    strict = np.full(len(signs), int(disjoint.sum()) // 2, dtype=np.int64)
    tied = (signs == 0).any(axis=1)
    if tied.any():
        strict[tied] = _quadratic(np.abs(signs[tied]), disjoint)
    return strict, balance


def _quadratic(signs: Signs, disjoint: Signs) -> Integers:
    # Blocks of half the rounds have one disjoint block each, and lexicographic order mirrors it.
    halves = len(disjoint) == disjoint.sum()
    others = signs[:, ::-1] if halves else signs @ disjoint
    doubled: Integers = np.einsum("pb,pb->p", others, signs).astype(np.int64)
    return doubled // 2


def _agreement(
    counts: tuple[Integers, Integers], copies: Integers, n: int, k: int, dropped: int
) -> Agreement:
    """Rates over partitions and pairs, from whole numbers."""
    each, pairs = partitions(n, k), int(copies.sum())
    same, reverse = (int(count @ copies) for count in counts)
    total = each * pairs
    same_rate, tie_rate, reverse_rate = (
        part / total if total else float("nan") for part in (same, total - same - reverse, reverse)
    )
    return Agreement(k, same_rate, tie_rate, reverse_rate, each, pairs, dropped)
