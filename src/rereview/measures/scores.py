"""What the rounds of one paper say together: mean, agreement, spread."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from rereview.stats.reliability import pairwise_exact_agreement, within_sd
from rereview.stats.resample import t_interval
from rereview.types.document import RoundScore, ScoreSummary
from rereview.types.estimate import Estimate
from rereview.types.record import Record

LEVEL = 0.95
FEWEST = 3
"""Below this many scored rounds there is no interval: with two the t factor is 12.7."""


class Scored(Record):
    """The form behind a configuration's scores: its name, legal values, venue values, anchors."""

    form: str
    protocol_values: tuple[float, ...]
    venue_values: tuple[float, ...]
    anchors: tuple[tuple[float, str], ...]


def summaries(scores: pd.DataFrame, forms: Mapping[str, Scored]) -> tuple[ScoreSummary, ...]:
    """One summary a configuration of a single version, in the order of the frame.

    `scores` has the columns `study.frames.SCORES`; `forms` gives the form of each reviewer that
    scores. Rounds without a score are shown and counted as dropped.
    """
    groups = scores[scores["reviewer"].isin(list(forms))].groupby(["reviewer", "model"], sort=False)
    return tuple(_summary(str(reviewer), str(model), rows, forms[str(reviewer)]) for (reviewer, model), rows in groups)


def _summary(reviewer: str, model: str, rows: pd.DataFrame, scored: Scored) -> ScoreSummary:
    known = rows["score"].dropna().to_numpy(dtype=float)
    dropped = len(rows) - len(known)
    return ScoreSummary(
        reviewer=reviewer,
        model=model,
        form=scored.form,
        scale=scored.protocol_values,
        anchors=scored.anchors,
        rounds=tuple(_round(row.round, row.score, row.status, scored) for row in rows.itertuples(index=False)),
        mean=mean(known, low=min(scored.protocol_values), high=max(scored.protocol_values), dropped=dropped),
        agreement=_one(pairwise_exact_agreement(known[np.newaxis, :]), known, dropped),
        within_sd=_one(within_sd(known[np.newaxis, :]), known, dropped),
    )


def mean(scores: np.ndarray, *, low: float, high: float, dropped: int = 0) -> Estimate:
    """Mean of the scores of one paper with its Student t interval, cut at the ends of the scale.

    `scores`: shape (K,), no NaN. The interval needs three rounds and some spread; otherwise the
    marks say why there is none.
    """
    if not len(scores):
        return Estimate(value=None, n=0, dropped=dropped, marks=("no round gave a score",))
    value = float(np.mean(scores))
    if len(scores) < FEWEST:
        rounds = "1 round" if len(scores) == 1 else f"{len(scores)} rounds"
        return Estimate(
            value=value,
            n=len(scores),
            dropped=dropped,
            marks=(f"no interval: {rounds} cannot show how far the mean moves; run {FEWEST} or more",),
        )
    if np.ptp(scores) == 0:
        return Estimate(value=value, n=len(scores), dropped=dropped, marks=(f"no spread seen in {len(scores)} rounds",))
    interval = t_interval(scores, low=low, high=high, level=LEVEL)
    marks = tuple(
        mark
        for mark, cut in (
            ("cut at the low end of the scale", interval.cut_low),
            ("cut at the high end of the scale", interval.cut_high),
        )
        if cut
    )
    return Estimate(
        value=value, low=interval.low, high=interval.high, level=LEVEL, n=len(scores), dropped=dropped, marks=marks
    )


def _one(value: float, known: np.ndarray, dropped: int) -> Estimate:
    return Estimate(value=None if np.isnan(value) else float(value), n=len(known), dropped=dropped)


def _round(number: int, score: float, status: str, scored: Scored) -> RoundScore:
    known = None if np.isnan(score) else float(score)
    return RoundScore(
        round=int(number),
        score=known,
        status=status,  # type: ignore[arg-type]  # the frame's strings are the statuses of Review
        off_scale=known is not None and known not in scored.venue_values,
    )
