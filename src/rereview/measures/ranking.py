"""Would other reviews of the same papers put them in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np
from numpy.typing import NDArray

from rereview.errors import UsageError
from rereview.measures.tabulate import Floats, Panel, bare, estimate, one_percentile, table
from rereview.stats.ranking import (
    MOST_BLOCKS,
    Agreement,
    PairRates,
    close_pairs,
    pair_rates,
    ranking_agreement,
)
from rereview.stats.resample import resampled_pairs
from rereview.text.plurals import many
from rereview.types.estimate import Table

Codes = NDArray[np.intp]

DEPENDENT = "Pairs share papers: intervals draw papers, and a pair counts as often as both were drawn."


def ranking(panel: Panel) -> Table:
    """Same, tie and reverse for blocks of 1 to n/2 rounds, exactly over all disjoint blocks (C.5)."""
    groups = _codes(panel)
    sizes = _sizes(panel.scores.shape[1])
    draws = _draws(panel, groups, sizes)
    rows = {}
    for found, drawn in zip(ranking_agreement(panel.scores, groups, sizes=sizes), draws, strict=True):
        papers = len(panel.papers) - found.dropped
        rows[f"k={found.k}"] = {
            name: estimate(
                one_percentile(
                    value, drawn[:, index], n=papers, dropped=found.dropped, level=panel.settings.level
                )
            )
            for index, (name, value) in enumerate(_rates(found))
        }
    return table(
        "ranking",
        "Order of two papers in two disjoint blocks of k reviews",
        rows,
        [
            "same: strictly the same order in both blocks; tie: a tie in at least one; reverse: opposite.",
            "Pairs of papers of the same group; complete papers only.",
            DEPENDENT,
        ],
    )


def _sizes(rounds: int) -> list[int]:
    """Block sizes whose partitions can be enumerated. Raises UsageError where there is none."""
    sizes = [k for k in range(1, rounds // 2 + 1) if comb(rounds, k) <= MOST_BLOCKS]
    if not sizes:
        raise UsageError(
            f"{many(rounds, 'round')} to be parted in blocks", expected=f"2 to {MOST_BLOCKS:,} rounds"
        )
    return sizes


def _draws(panel: Panel, groups: Codes | None, sizes: list[int]) -> Iterator[Floats]:
    """Same, tie and reverse in every draw, a size at a time; the pairs of all sizes are drawn together."""
    rates = [pair_rates(panel.scores, groups, k=k) for k in sizes]
    strict = np.column_stack([rate for each in rates for rate in (each.same, each.reverse)])
    drawn = _grouped(panel.weights, rates[0], strict, groups)
    for same, reverse in zip(drawn.T[::2], drawn.T[1::2], strict=True):
        yield np.column_stack([same, 1 - same - reverse, reverse])


def _grouped(weights: Floats, pairs: PairRates, values: Floats, groups: Codes | None) -> Floats:
    """`resampled_pairs` a group at a time: no pair joins two groups, and matrices are squares of papers."""
    codes = np.zeros(weights.shape[1], dtype=np.intp) if groups is None else groups
    total, counted = np.zeros((len(weights), values.shape[1])), np.zeros(len(weights))
    for code in np.unique(codes[pairs.first]):
        inside = codes[pairs.first] == code
        papers, place = np.unique(
            np.concatenate([pairs.first[inside], pairs.second[inside]]), return_inverse=True
        )
        own = np.ascontiguousarray(weights[:, papers])
        first, second = np.split(place, 2)
        n = (own.sum(axis=1) ** 2 - np.vecdot(own, own)) / 2
        means = resampled_pairs(own, first, second, values[inside])
        total += np.where(n > 0, n, 0.0)[:, None] * np.nan_to_num(means)
        counted += n
    return total / np.where(counted > 0, counted, np.nan)[:, None]


def close(panel: Panel) -> Table:
    """Order reproduced by how close two papers are; the grouping rounds are kept apart (C.6)."""
    grouping = panel.scores.shape[1] // 2
    first = f"The first {many(grouping, 'round groups', 'rounds group')}"
    sizes = _sizes(panel.scores.shape[1] - grouping)
    rows = {}
    for groups in close_pairs(panel.scores, _codes(panel), grouping=grouping, sizes=sizes):
        for found in groups:
            n = found.agreement.pairs
            rows[f"{_gap(found.above, found.at_most)}, k={found.agreement.k}"] = {
                **{
                    name: bare(value, n=n, dropped=found.agreement.dropped)
                    for name, value in _rates(found.agreement)
                },
                "pairs": bare(float(n), n=n, dropped=found.agreement.dropped),
            }
    return table(
        "close-pairs",
        f"Order of two papers by the gap of their means over the first {many(grouping, 'round')}",
        rows,
        [
            f"{first} the pairs, the others are compared: no score does both.",
            "n counts pairs; they share papers, so no binomial interval is given.",
        ],
    )


def _rates(found: Agreement) -> Iterator[tuple[str, float]]:
    yield "same", found.same
    yield "tie", found.tie
    yield "reverse", found.reverse


def _gap(above: float, at_most: float) -> str:
    if at_most == 0:
        return "gap 0"
    return f"gap >{above:g}" if np.isinf(at_most) else f"gap ({above:g}, {at_most:g}]"


def _codes(panel: Panel) -> Codes | None:
    return None if panel.groups is None else np.unique(panel.groups, return_inverse=True)[1]
