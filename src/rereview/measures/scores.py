"""What the rounds of one paper say together: mean, agreement, spread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rereview.stats.reliability import Summary, pairwise_exact_agreement, within_sd
from rereview.stats.resample import FEWEST_ROUNDS, Interval, t_interval
from rereview.types.document import Precision, RoundScore, Scored, ScoreSummary
from rereview.types.estimate import Estimate

LEVEL = 0.95
Scores = NDArray[np.float64]


def summaries(
    scores: pd.DataFrame, forms: Mapping[str, Scored], precise: Mapping[str, Precision] | None = None
) -> tuple[ScoreSummary, ...]:
    """One summary a configuration of a single version, in the order of the frame.

    `scores` has the columns `study.frames.SCORES`; `forms` gives the form of each reviewer that
    scores, `precise` how each adaptive one ended. Rounds without a score are shown and counted as
    dropped.
    """
    ended = precise or {}
    scoring = [name for name, scored in forms.items() if scored.protocol_values]
    groups = scores[scores["reviewer"].isin(scoring)].groupby(["reviewer", "model"], sort=False)
    return tuple(
        _summary(str(reviewer), str(model), rows, forms[str(reviewer)], ended.get(str(reviewer)))
        for (reviewer, model), rows in groups
    )


def _summary(
    reviewer: str, model: str, rows: pd.DataFrame, scored: Scored, precise: Precision | None
) -> ScoreSummary:
    known = rows["score"].dropna().to_numpy(dtype=float)
    dropped = len(rows) - len(known)
    low, high = min(scored.protocol_values), max(scored.protocol_values)
    return ScoreSummary(
        reviewer=reviewer,
        model=model,
        form=scored.form,
        protocol=scored.protocol,
        scale=scored.protocol_values,
        anchors=scored.anchors,
        rounds=tuple(_rounds(rows, scored)),
        mean=mean(known, low=low, high=high, dropped=dropped)
        if precise is None
        else stopped_mean(known, precise, dropped=dropped),
        agreement=_one(pairwise_exact_agreement(known[np.newaxis, :]), known, dropped),
        within_sd=_one(within_sd(known[np.newaxis, :]), known, dropped),
        precision=precise,
    )


def mean(scores: Scores, *, low: float, high: float, dropped: int = 0) -> Estimate:
    """Mean of the scores of one paper with its Student t interval, cut at the ends of the scale.

    `scores`: shape (K,), no NaN. The interval needs three rounds and some spread; otherwise the
    marks say why there is none.
    """
    found = t_interval(scores, low=low, high=high, level=LEVEL)
    return Estimate(
        value=found.value,
        low=found.low,
        high=found.high,
        level=None if found.low is None else LEVEL,
        n=found.n,
        dropped=dropped,
        marks=tuple(_marks(found)),
    )


def stopped_mean(scores: Scores, ended: Precision, *, dropped: int = 0) -> Estimate:
    """Mean of rounds that ended when the scores said so, with the interval that holds at any time.

    `scores`: shape (K,), no NaN. Student's interval would not hold here: it is for a number of rounds
    that no score has a say in.
    """
    marks = ("holds at every number of rounds together",)
    if ended.low is None:
        marks = ("no round gave a score",)
    if ended.doubts:
        marks = ("no interval: the rounds are not independent",)
    return Estimate(
        value=float(scores.mean()) if len(scores) else None,
        low=ended.low,
        high=ended.high,
        level=None if ended.low is None else ended.goal.confidence,
        n=len(scores),
        dropped=dropped,
        marks=marks,
    )


def _marks(found: Interval) -> Iterator[str]:
    if found.n == 0:
        yield "no round gave a score"
    elif found.reason == "too-few-units":
        rounds = "1 round" if found.n == 1 else f"{found.n} rounds"
        yield f"no interval: {rounds} cannot show how far the mean moves; run {FEWEST_ROUNDS} or more"
    elif found.reason == "no-spread":
        yield f"no spread seen in {found.n} rounds"
    if found.cut_low:
        yield "cut at the low end of the scale"
    if found.cut_high:
        yield "cut at the high end of the scale"


def _one(found: Summary, known: Scores, dropped: int) -> Estimate:
    value = None if np.isnan(found.value) else found.value
    return Estimate(value=value, n=len(known), dropped=dropped)


def _rounds(rows: pd.DataFrame, scored: Scored) -> Iterator[RoundScore]:
    for number, score, status in zip(rows["round"], rows["score"], rows["status"], strict=True):
        known = None if np.isnan(score) else float(score)
        off_scale = known is not None and known not in scored.venue_values
        yield RoundScore(round=int(number), score=known, status=status, off_scale=off_scale)
