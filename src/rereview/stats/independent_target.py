"""Predicted score distributions against further scores that no prediction has seen.

[1] Can We Believe AI Peer Review?, section 5.3 and appendix E.8.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rereview.errors import UsageError
from rereview.stats.calibration import SCORES, TIE, Fit, Integers, answered, frequencies, quick
from rereview.stats.exact import Floats
from rereview.stats.heldout import DIRECT

TAIL = 6
"""The tail is P(score >= 6)."""


class Metrics(NamedTuple):
    """Mean losses of predicted distributions."""

    brier: float
    """Squared distance to each one-hot target, averaged over targets: holds the targets' own noise."""
    w1: float
    """Wasserstein distance to the targets' distribution, in score points."""
    modal_accuracy: float
    """Share of predictions whose most likely score is that of the targets; the smaller score in a tie."""
    mean_error: float
    """Absolute difference of the means, in score points."""
    tail_error: float
    """Absolute difference of P(score >= 6)."""


def metrics(predicted: ArrayLike, targets: ArrayLike) -> Metrics:
    """Mean losses of the predictions of one paper, (combinations, 10), against its targets, (m,) [1, E.8]."""
    q, observed = np.atleast_2d(np.asarray(predicted, dtype=np.float64)), frequencies(targets)
    gaps = q - observed
    brier = (q * q).sum(axis=1) - 2 * q @ observed + 1
    return Metrics(
        brier=float(brier.mean()),
        w1=float(np.abs(gaps.cumsum(axis=1)[:, :-1]).sum(axis=1).mean()),
        modal_accuracy=float((_mode(q) == _mode(observed)).mean()),
        mean_error=float(np.abs(gaps @ SCORES).mean()),
        tail_error=float(np.abs(gaps[:, TAIL - 1 :].sum(axis=1)).mean()),
    )


def _mode(q: Floats) -> Integers:
    """Index of the smallest score within `TIE` of the most likely."""
    modes: Integers = np.argmax(q >= q.max(axis=-1, keepdims=True) - TIE, axis=-1)
    return modes


def mean_metrics(papers: Sequence[Metrics]) -> Metrics:
    """Average over papers, each counted once. Raises UsageError without papers."""
    if not papers:
        raise UsageError("no paper", expected="at least one paper with independent targets")
    return Metrics(*np.mean(papers, axis=0).tolist())


def independent_target(
    found: Fit, calls: Sequence[ArrayLike], reviews: ArrayLike, targets: Sequence[ArrayLike]
) -> dict[str, Metrics]:
    """Quick, Standard and direct sampling, combinations averaged within a paper, then papers [1, E.8].

    `found` is fitted on other papers. `calls[paper]` (calls, 10) are its auxiliary calls: the first that
    answers is used by Standard, each that answers alone by Quick. `reviews` (papers, n) are the scores
    that predictions may use, `targets[paper]` (m,) the further scores. Raises UsageError for a paper
    without an answer.
    """
    scores = np.asarray(reviews, dtype=np.float64)
    rows = [
        _paper(found, np.atleast_2d(np.asarray(call, dtype=np.float64)), row, target)
        for call, row, target in zip(calls, scores, targets, strict=True)
    ]
    return {name: mean_metrics([row[name] for row in rows]) for name in (rows[0] if rows else ())}


def _paper(found: Fit, calls: Floats, reviews: Floats, targets: ArrayLike) -> dict[str, Metrics]:
    predictions = quick(calls[answered(calls)], found.shape)
    if not len(predictions):
        raise UsageError("a paper without a candidate in any call", expected="at least one call that answers")
    direct = {n: _frequencies_of(reviews, n) for n in DIRECT}
    mixed = found.weight * direct[2] + (1 - found.weight) * predictions[0]
    named = {"quick": predictions, "standard": mixed} | {f"direct-{n}": q for n, q in direct.items()}
    return {name: metrics(q, targets) for name, q in named.items()}


def _frequencies_of(reviews: Floats, number: int) -> Floats:
    """Frequencies of every subset of so many reviews, (subsets, 10)."""
    return frequencies(reviews[list(combinations(range(len(reviews)), number))])
