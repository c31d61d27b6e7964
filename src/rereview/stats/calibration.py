"""Estimates of one reviewer's score distribution from few reviews: Quick, Standard and direct sampling.

A distribution is an array whose last axis is the probability of the scores: 1 to 10, or the `points` of
another scale, ascending, wherever these are given.

[1] Can We Believe AI Peer Review?, section 5.2 and appendices E.2 to E.4.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rereview.errors import UsageError
from rereview.stats.exact import Floats
from rereview.stats.pilot import exact

Integers = NDArray[np.int64]
Points = tuple[float, ...]
"""The scores of a scale, ascending."""

POINTS = tuple(float(score) for score in range(1, 11))
"""The scores of [1]."""
SCORES: Floats = np.array(POINTS)

TEMPERATURES = (1.0, 2.0, 3.0, 5.0, 8.0, 12.0)
OFFSETS = tuple(i / 5 for i in range(-10, 3))
SLOPES = (0.9, 1.0, 1.1)
WEIGHTS = tuple(i / 10 for i in range(3, 11))
"""Weights of the reviews in Standard."""

TIE = 1e-12
"""Losses this near to the smallest are equal to it; the first in the order of the grid is taken."""

FLOOR = 1e-9
"""Smallest probability of a returned candidate before its temperature is applied."""

FEWEST_TARGETS = 4
"""Two reviews go in, and a collision needs two more."""


class Shape(NamedTuple):
    """Parameters of Quick: temperature, and the map of a score s to offset + slope s."""

    temperature: float
    offset: float
    slope: float


class Fit(NamedTuple):
    """Parameters of Quick, and the weight of the reviews in Standard."""

    shape: Shape
    weight: float


GRID = tuple(Shape(*parameters) for parameters in product(TEMPERATURES, OFFSETS, SLOPES))


def answered(probabilities: ArrayLike) -> NDArray[np.bool_]:
    """Whether a candidate came back, (..., 10) to (...): without one there is no Quick."""
    total: Floats = np.nansum(np.asarray(probabilities, dtype=np.float64), axis=-1)
    answers: NDArray[np.bool_] = np.greater(total, 0)
    return answers


def first_answers(calls: ArrayLike) -> Floats:
    """First call of each paper with a candidate, (papers, calls, 10) to (papers, 10); NaN where none has."""
    table = np.asarray(calls, dtype=np.float64)
    answers = answered(table)
    first: Floats = table[np.arange(len(table)), np.argmax(answers, axis=1)]
    first[~np.any(answers, axis=1)] = np.nan
    return first


def quick(probabilities: ArrayLike, shape: Shape, points: Points = POINTS) -> Floats:
    """Quick's distribution from the token probabilities of one call [1, E.2]; (..., 10) to (..., 10).

    `probabilities` of the `points`, NaN for a candidate that did not come back: it gets no
    mass before the map. Raises UsageError where no candidate came back.
    """
    mapped: Floats = _tempered(_returned(probabilities, points), shape.temperature) @ _transport(
        shape.offset, shape.slope, points
    )
    return mapped


def quick_grid(probabilities: ArrayLike, points: Points = POINTS) -> Floats:
    """Quick at every point of the grid, (papers, 10) to (papers, grid, 10)."""
    returned = _returned(probabilities, points)
    tempered = np.stack([_tempered(returned, t) for t in TEMPERATURES], axis=1)
    maps = np.concatenate([_transport(a, b, points) for a, b in product(OFFSETS, SLOPES)], axis=1)
    mapped: Floats = (tempered @ maps).reshape(len(returned), len(GRID), len(points))
    return mapped


def _returned(probabilities: ArrayLike, points: Points) -> Floats:
    table = np.asarray(probabilities, dtype=np.float64)
    total = np.nansum(table, axis=-1, keepdims=True)
    if table.shape[-1] != len(points) or not answered(table).all():
        where = np.argwhere(~answered(table)).ravel().tolist()
        raise UsageError(
            f"no candidate score came back in call {where}" if where else f"{table.shape[-1]} candidates",
            expected=f"probabilities of the scores {listed(points)}, NaN where a candidate did not come back",
        )
    returned: Floats = table / total
    return returned


def _tempered(returned: Floats, temperature: float) -> Floats:
    raised = np.nan_to_num(np.maximum(returned, FLOOR) ** (1 / temperature))
    normalised: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return normalised


@lru_cache
def _transport(offset: float, slope: float, points: Points) -> Floats:
    """Matrix that moves the mass of score s to offset + slope s, inside the scale, split linearly."""
    scores = [exact(point) for point in points]
    matrix = np.zeros((len(scores), len(scores)))
    for row, score in enumerate(scores):
        place = min(max(exact(offset) + exact(slope) * score, scores[0]), scores[-1])
        above = bisect_left(scores, place)
        below = above if scores[above] == place else above - 1
        share = (place - scores[below]) / (scores[above] - scores[below]) if above > below else Fraction(0)
        matrix[row, below] += float(1 - share)
        matrix[row, above] += float(share)
    return matrix


def listed(points: Points) -> str:
    """`1 to 10` where they are whole and without a gap; `0, 2, 4` else."""
    whole = all(other - one == 1 for one, other in pairwise(points))
    return f"{points[0]:g} to {points[-1]:g}" if whole else ", ".join(f"{point:g}" for point in points)


def frequencies(scores: ArrayLike, points: Points = POINTS) -> Floats:
    """Shares of the `points`, (..., reviews) to (..., points). UsageError off them."""
    table = np.asarray(scores, dtype=np.float64)
    hits: NDArray[np.bool_] = table[..., None] == np.array(points)
    if not hits.any(axis=-1).all():
        wrong = float(table[~hits.any(axis=-1)].flat[0])
        kind = "integer scores from" if points == POINTS else "scores out of"
        raise UsageError(f"score {wrong!r}", expected=f"complete {kind} {listed(points)}")
    shares: Floats = hits.mean(axis=-2)
    return shares


def standard(probabilities: ArrayLike, reviews: ArrayLike, fit: Fit) -> Floats:
    """Standard's distribution: Quick's and two reviews, weighted; (..., 10) and (..., 2) to (..., 10)."""
    return fit.weight * frequencies(reviews) + (1 - fit.weight) * quick(probabilities, fit.shape)


def collision(targets: ArrayLike, points: Points = POINTS) -> Floats:
    """Share of equal pairs among the targets, unbiased for norm2(p); (..., m) to (...). NaN for m < 2."""
    m = np.shape(targets)[-1]
    if m < len(("one", "other")):
        return np.full(np.shape(targets)[:-1], np.nan)
    counts = m * frequencies(targets, points)
    shares: Floats = (counts * (counts - 1)).sum(axis=-1) / (m * (m - 1))
    return shares


def debiased_risk(predicted: ArrayLike, targets: ArrayLike) -> Floats:
    """Unbiased estimate of norm2(q - p) from independent targets [1, E.4]; may be negative, NaN for m < 2.

    `predicted` (..., 10), `targets` (..., m). norm2(q) - 2 mean q(Z) + collision.
    """
    q = np.asarray(predicted, dtype=np.float64)
    risk: Floats = (q * q).sum(axis=-1) - 2 * (q * frequencies(targets)).sum(axis=-1) + collision(targets)
    return risk


def direct_risk(collisions: ArrayLike, reviews: int) -> Floats:
    """Risk to expect of the frequencies of `reviews` direct samples, (1 - norm2(p)) / reviews [1, E.4]."""
    risk: Floats = (1 - np.asarray(collisions, dtype=np.float64)) / reviews
    return risk


class Losses(NamedTuple):
    """All that fitting and evaluation need of the papers.

    With m = phat q and n = norm2(q), the mean over all partitions of the targets into two inputs and
    the rest is, for every paper, the Brier loss of Standard less one

        w^2 (1 + c) / 2 - 2 w c + (1 - w)^2 (n - 2 m),

    so partitions need not be enumerated. Adding c gives the debiased risk,
    w^2 (1 - c) / 2 + (1 - w)^2 (n - 2 m + c).
    """

    quick: Floats
    """(papers, grid): n - 2 m, the Brier loss of Quick less one."""
    collision: Floats
    """(papers,): c."""


def losses(distributions: Floats, targets: ArrayLike, points: Points = POINTS) -> Losses:
    """Reduce Quick's distributions (papers, grid, 10) and targets (papers, m), m >= 4, to their losses."""
    if np.shape(targets)[-1] < FEWEST_TARGETS:
        raise UsageError(f"targets a paper: {np.shape(targets)[-1]}", expected=f"at least {FEWEST_TARGETS}")
    norms = np.einsum("pgs,pgs->pg", distributions, distributions)
    matches = (distributions @ frequencies(targets, points)[:, :, None])[:, :, 0]
    return Losses(norms - 2 * matches, collision(targets, points))


def standard_loss(quick_loss: ArrayLike, collisions: ArrayLike, weight: ArrayLike) -> Floats:
    """Brier loss of Standard less one, averaged over partitions; the arguments broadcast."""
    w, c = np.asarray(weight, dtype=np.float64), np.asarray(collisions, dtype=np.float64)
    loss: Floats = w * w * (1 + c) / 2 - 2 * w * c + (1 - w) ** 2 * np.asarray(quick_loss, dtype=np.float64)
    return loss


def first_smallest(values: Floats) -> Integers:
    """Index along the last axis of the first value within `TIE` of the smallest."""
    found: Integers = np.argmax(values <= values.min(axis=-1, keepdims=True) + TIE, axis=-1)
    return found


def fit(known: Losses, papers: ArrayLike | None = None) -> Fit:
    """Choose Quick's parameters, then Standard's weight, by the mean loss over training papers [1, E.3].

    `papers` (papers,) are their weights, all one by default.
    """
    weights = np.ones(len(known.collision)) if papers is None else np.asarray(papers, dtype=np.float64)
    weights = weights / weights.sum()
    quick_losses = weights @ known.quick
    point = int(first_smallest(quick_losses))
    mixed = standard_loss(quick_losses[point], weights @ known.collision, WEIGHTS)
    return Fit(GRID[point], WEIGHTS[int(first_smallest(mixed))])
