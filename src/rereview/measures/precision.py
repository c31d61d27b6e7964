"""How an adaptive review of one paper ended: which promise was kept, or why none was."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rereview.stats.adaptive import MeanBounds, mean_bounds
from rereview.stats.bounds import hoeffding_budget
from rereview.stats.independence import Answer, Dependence, duplicate_answers, round_trend
from rereview.types.document import Goal, Precision, Stopped
from rereview.types.review import Review

SEED = 0
"""Of the shuffles behind the test for a trend: the same rounds give the same bytes."""


def precision(
    reviews: Sequence[Review],
    goal: Goal,
    *,
    scale: tuple[float, float],
    usd: float | None,
    failure: str | None = None,
) -> Precision:
    """What the rounds of one configuration say of the goal.

    `reviews` are its rounds in order, `usd` what all their calls cost, `failure` what ended the rounds
    from outside. Rounds without a score are no evidence; signs of dependence leave no interval and no
    promise.
    """
    scores = _scores(reviews)
    known = int((~np.isnan(scores)).sum())
    doubts = dependence(reviews).doubts
    bounds = None
    if known and not doubts:
        bounds = mean_bounds(scores, confidence=goal.confidence, scale=scale)
    stopped = _stopped(bounds, doubts, reviews, goal, failure)
    fixed = hoeffding_budget(tolerance=goal.tolerance, success=goal.confidence, scale=scale)
    return Precision(
        goal=goal,
        stopped=stopped,
        why=failure if stopped == "failed" else None,
        scores=known,
        low=None if bounds is None else bounds.low,
        high=None if bounds is None else bounds.high,
        doubts=doubts,
        fixed_rounds=fixed,
        usd=usd,
        fixed_usd=None if usd is None or not known else usd / known * fixed,
    )


def dependence(reviews: Sequence[Review]) -> Dependence:
    """What speaks against the rounds of one paper being independent.

    Calls are not compared: within a ledger each round has its own, and ids that servers give are not
    unique.
    """
    scores = _scores(reviews)
    answers = [
        Answer(review.manuscript_id, review.round, review.draft.words)
        for review, score in zip(reviews, scores, strict=True)
        if review.draft is not None and not np.isnan(score)
    ]
    trend = round_trend(scores[np.newaxis, :], np.random.default_rng(SEED))
    return Dependence(duplicates=duplicate_answers(answers), trend=trend)


def _scores(reviews: Sequence[Review]) -> NDArray[np.float64]:
    """(rounds,), NaN where a round gave no score."""
    given = [None if review.draft is None else review.draft.score for review in reviews]
    return np.array(given, dtype=np.float64)


def _stopped(
    bounds: MeanBounds | None,
    doubts: tuple[str, ...],
    reviews: Sequence[Review],
    goal: Goal,
    failure: str | None,
) -> Stopped:
    if doubts:
        return "not-independent"
    if bounds is not None and bounds.within(goal.tolerance):
        return "precise"
    if failure is not None:
        return "failed"
    return "most-rounds" if len(reviews) >= goal.most_rounds else "silent"
