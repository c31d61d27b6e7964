"""How far repeated reviews of the same paper agree.

Scores come as `scores[paper, round]`, NaN where a round has none. A statistic of one paper is NaN
where it does not exist; means over papers leave such papers out and count them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class Summary(NamedTuple):
    """A number over papers: its value (NaN if no paper has one), papers used, papers left out."""

    value: float
    n: int
    dropped: int


def paper_variance(scores: ArrayLike) -> Floats:
    """Unbiased variance of each paper's rounds, in squared points; shape `[paper]`.

    S_i² = Σ_t (Y_it - Ȳ_i)² / (n_i - 1) over the n_i observed rounds (1); NaN for n_i < 2.

    1. Can We Believe AI Peer Review?, appendix C.1.
    """
    table = _table(scores)
    seen = ~np.isnan(table)
    n = seen.sum(axis=1)
    filled = np.where(seen, table, 0.0)
    centred = np.where(seen, table - (filled.sum(axis=1) / np.maximum(n, 1))[:, None], 0.0)
    squares = (centred**2).sum(axis=1)
    squares[_all_equal(table)] = 0.0
    return np.where(n >= 2, squares / np.maximum(n - 1, 1), np.nan)  # noqa: PLR2004 two make a variance


def within_sd(scores: ArrayLike) -> Summary:
    """Within-paper SD in points: the root of the mean of the papers' variances.

    √V̂ with V̂ = mean_i S_i² (1): averaged first, rooted second. Papers with fewer than two rounds
    are left out. 0 if no paper's score ever moved.

    1. Can We Believe AI Peer Review?, appendix C.1.
    """
    mean = mean_over_papers(paper_variance(scores))
    return mean._replace(value=float(np.sqrt(mean.value)))


def paper_agreement(scores: ArrayLike) -> Floats:
    """Share of each paper's pairs of rounds that gave the very same score; shape `[paper]`, 0 to 1.

    Equal unordered pairs over C(n_i, 2) (1); NaN for n_i < 2.

    1. Can We Believe AI Peer Review?, appendix C.1.
    """
    table = _table(scores)
    n = (~np.isnan(table)).sum(axis=1)
    # NaN equals nothing, so a missing round makes no pair; each round equals itself once.
    equal = (table[:, :, None] == table[:, None, :]).sum(axis=(1, 2)) - n
    return np.where(n >= 2, equal / np.maximum(n * (n - 1), 1), np.nan)  # noqa: PLR2004 two make a pair


def pairwise_exact_agreement(scores: ArrayLike) -> Summary:
    """Mean over papers of the share of equal pairs of rounds, 0 to 1.

    Within a paper first, then over papers (1). Papers with fewer than two rounds are left out.

    1. Can We Believe AI Peer Review?, appendix C.1.
    """
    return mean_over_papers(paper_agreement(scores))


def mean_over_papers(values: ArrayLike) -> Summary:
    """Mean of `values[paper]` without the NaN, and how many those were."""
    given = np.asarray(values, dtype=np.float64)
    seen = given[~np.isnan(given)]
    value = float(seen.mean()) if seen.size else float("nan")
    return Summary(value, seen.size, given.size - seen.size)


def _table(scores: ArrayLike) -> Floats:
    table = np.asarray(scores, dtype=np.float64)
    return table[None, :] if table.ndim == 1 else table


def _all_equal(table: Floats) -> NDArray[np.bool_]:
    some: Floats = np.fmax.reduce(table, axis=1, initial=-np.inf)
    same: NDArray[np.bool_] = (np.isnan(table) | (table == some[:, None])).all(axis=1)
    return same
