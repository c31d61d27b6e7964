"""How far two reviewers agree on the same papers; of the spread of one of them it says nothing.

1. Can We Believe AI Peer Review?, appendices C.1 and C.5 (agreement and ranking, there of one reviewer).
2. Snijders and Borgatti (1999), Connections 22(2), 161-170 (resampling the nodes of pairwise data).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rereview.measures.tabulate import (
    Floats,
    Members,
    Names,
    Settings,
    bare,
    estimate,
    inside,
    known_of,
    mean_of,
    one_percentile,
    panel,
    table,
)
from rereview.stats.association import pearson, resampled_pearson, resampled_spearman, spearman
from rereview.stats.exact import exact_means
from rereview.stats.ranking import PairRates, ranking_draws
from rereview.stats.resample import unit_weights
from rereview.types.estimate import Estimate, Table

Frames = Mapping[str, pd.DataFrame]
"""Rows with a score, by reviewer or model."""

Integers = NDArray[np.int64]

SHOWN = 10
"""Pairs that a note names."""

NOTES = (
    "A ~ B: every round of A with every round of B, within papers first, then over papers.",
    "agreement: equal scores; difference: mean of B minus mean of A, in points.",
    "same, tie, reverse: order of two papers of a group in one review of A and one of B.",
    "Pairs share papers: intervals draw papers, and a pair counts as often as both were drawn.",
    "Differences between reviewers are not the spread of one: this table holds no within-paper variance.",
)


@dataclass(frozen=True)
class _Side:
    """One reviewer: `scores[paper, round]` over the papers of all, NaN where there is none."""

    scores: Floats
    means: Floats


@dataclass(frozen=True)
class _Two:
    """Two reviewers, and what their row shares with the other rows."""

    one: _Side
    other: _Side
    weights: Floats
    groups: Names | None
    settings: Settings
    mixed: bool = False
    """Whether the two stand on different scales, so that points of one are none of the other."""

    @property
    def members(self) -> Members:
        """Papers that one of the two scored."""
        return ~np.isnan(self.one.means) | ~np.isnan(self.other.means)


def partners(frames: Frames) -> Iterator[tuple[str, str]]:
    """Pairs of reviewers that scored the same version of a paper."""
    keys = {name: set(zip(rows["paper"], rows["version"], strict=True)) for name, rows in frames.items()}
    return ((one, other) for one, other in combinations(frames, 2) if keys[one] & keys[other])


def between(frames: Frames, settings: Settings) -> Table:
    """Agreement, difference, correlation and order, a row a pair of reviewers; intervals over papers."""
    everything = pd.concat(frames.values(), ignore_index=True)
    papers = sorted(everything["paper"].unique())
    groups = known_of(everything, papers).groups
    weights = unit_weights(len(papers), rng=np.random.default_rng(settings.seed), draws=settings.draws)
    sides = {name: _side(rows, papers, settings) for name, rows in frames.items()}
    pairs = list(partners(frames))
    rows = {}
    for one, other in pairs:
        mixed = settings.of(one).scale != settings.of(other).scale
        two = _Two(sides[one], sides[other], weights, groups, settings, mixed=mixed)
        rows[f"{one} ~ {other}"] = dict(_row(two))
    notes = (*NOTES, *_mixed(pairs, settings))
    return table("between", "Agreement of two reviewers on the same papers", rows, notes)


def _mixed(pairs: Sequence[tuple[str, str]], settings: Settings) -> Iterator[str]:
    """Which pairs stand on different scales, and which share no more than the ends of theirs."""
    other_ends, other_values = [], []
    for one, other in pairs:
        first, second = settings.of(one), settings.of(other)
        named = f"{one} ~ {other}"
        if first.scale != second.scale:
            other_ends.append(f"{named} ({_ends(first)}, {_ends(second)})")
        elif None not in (first.points, second.points) and first.points != second.points:
            other_values.append(named)
    if other_ends:
        yield (
            "On different scales points are not compared, so agreement and difference are empty; correlations"
            f" and orders do not depend on the scale: {_some(other_ends)}."
        )
    if other_values:
        yield (
            "Forms whose scales have the same ends and other values between them, so that equal scores need"
            f" not mean the same: {_some(other_values)}."
        )


def _ends(settings: Settings) -> str:
    return f"{settings.scale[0]:g} to {settings.scale[1]:g}"


def _some(pairs: Sequence[str]) -> str:
    more = f" and {len(pairs) - SHOWN} more" if len(pairs) > SHOWN else ""
    return ", ".join(pairs[:SHOWN]) + more


def _side(rows: pd.DataFrame, papers: list[str], settings: Settings) -> _Side:
    own = panel(rows, settings)
    scores = np.full((len(papers), len(own.rounds)), np.nan)
    scores[np.searchsorted(papers, own.papers)] = own.scores
    return _Side(scores, exact_means(scores))


def _row(two: _Two) -> Iterator[tuple[str, Estimate]]:
    one, other, level = two.one, two.other, two.settings.level
    n = int((~np.isnan(one.means) & ~np.isnan(other.means)).sum())
    lost = int(two.members.sum()) - n
    yield "papers", bare(float(n), n=n, dropped=lost)
    for name, values in (
        ("agreement", paper_agreement(one.scores, other.scores)),
        ("difference", other.means - one.means),
    ):
        found = estimate(inside(mean_of(values, two.weights, two.settings), two.members))
        yield name, bare(float("nan"), n=found.n or 0, dropped=found.dropped) if two.mixed else found
    for name, measured, draws in (
        ("pearson", pearson, resampled_pearson),
        ("spearman", spearman, resampled_spearman),
    ):
        value, drawn = measured(one.means, other.means).value, draws(two.weights, one.means, other.means)
        yield name, estimate(one_percentile(value, drawn, n=n, dropped=lost, level=level))
    yield from _order(two)


def paper_agreement(one: Floats, other: Floats) -> Floats:
    """Share of equal scores among all pairs of a round of one and a round of the other; `[paper]`.

    `one[paper, round]`, `other[paper, round]`, NaN where missing; NaN for a paper without such a pair.
    """
    pairs = (~np.isnan(one)).sum(axis=1) * (~np.isnan(other)).sum(axis=1)
    equal = (one[:, :, None] == other[:, None, :]).sum(axis=(1, 2))
    shares: Floats = equal / np.where(pairs, pairs, np.nan)
    return shares


def order_rates(one: Floats, other: Floats, groups: Names | None = None) -> PairRates:
    """Rates of Same and Reverse of every pair of papers, over a review of one and a review of the other.

    Arguments as in `paper_agreement`; a round counts for a pair that has both papers in it. Pairs of
    the same group; those without a common round on either side are left out. What is neither is a tie.
    """
    first, second = np.triu_indices(len(one), 1)
    if groups is not None:
        alike = groups[first] == groups[second]
        first, second = first[alike], second[alike]
    (up, down, rounds), (rise, fall, times) = (_signs(scores, first, second) for scores in (one, other))
    pairs = rounds * times
    kept = pairs > 0
    same, reverse = up * rise + down * fall, up * fall + down * rise
    return PairRates(first[kept], second[kept], same[kept] / pairs[kept], reverse[kept] / pairs[kept])


def _signs(scores: Floats, first: Integers, second: Integers) -> tuple[Integers, Integers, Integers]:
    """Rounds that put the first paper above, below, and that have both."""
    a, b = scores[first], scores[second]
    return (a > b).sum(axis=1), (a < b).sum(axis=1), (~np.isnan(a) & ~np.isnan(b)).sum(axis=1)


def _order(two: _Two) -> Iterator[tuple[str, Estimate]]:
    rates = order_rates(two.one.scores, two.other.scores, two.groups)
    n = len(np.union1d(rates.first, rates.second))
    lost = int(two.members.sum()) - n
    # Three rates of sum 1 may leave a tie a rounding below 0.
    draws = np.maximum(ranking_draws(two.weights, rates), 0.0)
    values = np.full(3, np.nan)
    if n:
        same, reverse = rates.same.mean(), rates.reverse.mean()
        values = np.array([same, max(1 - same - reverse, 0.0), reverse])
    for index, name in enumerate(("same", "tie", "reverse")):
        value = float(values[index])
        found = one_percentile(value, draws[:, index], n=n, dropped=lost, level=two.settings.level)
        yield name, estimate(found)
