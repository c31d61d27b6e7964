"""What the rounds of one paper answer to the fields of a form that are no score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

import numpy as np
import pandas as pd

from rereview.measures.samples import said
from rereview.measures.tabulate import as_share, estimate, table
from rereview.stats.resample import linearised_mean
from rereview.text.plurals import many
from rereview.types.document import ChoiceSummary, Scored
from rereview.types.estimate import Estimate, Table
from rereview.types.review import Review


def choices(reviews: Iterable[Review], forms: Mapping[str, Scored]) -> tuple[ChoiceSummary, ...]:
    """One summary a field with legal answers, by configuration, fields in the form's order."""
    asked = [review for review in reviews if review.reviewer in forms]
    groups = groupby(asked, key=lambda review: (review.reviewer, review.model or ""))
    return tuple(
        summary
        for (reviewer, model), group in groups
        for summary in _summaries(list(group), forms[reviewer], (reviewer, model))
    )


def _summaries(reviews: list[Review], scored: Scored, asked: tuple[str, str]) -> Iterator[ChoiceSummary]:
    for field, legal in scored.choices:
        given = tuple(None if each.draft is None else each.draft.fields.get(field) for each in reviews)
        found = Counter(answer for answer in given if answer is not None)
        others = sorted(set(found) - set(legal))
        if found:
            yield ChoiceSummary(
                reviewer=asked[0],
                model=asked[1],
                form=scored.form,
                field=field,
                legal=legal,
                given=given,
                counts=tuple((answer, found[answer]) for answer in (*legal, *others)),
                agreement=_agreement(found, dropped=len(given) - found.total()),
            )


def _agreement(found: Counter[str], *, dropped: int) -> Estimate:
    """Equal pairs of all pairs of rounds; undefined below two."""
    count = found.total()
    pairs = count * (count - 1) // 2
    equal = sum(each * (each - 1) // 2 for each in found.values())
    return Estimate(value=equal / pairs if pairs else None, n=count, dropped=dropped)


def answers(frame: pd.DataFrame, *, level: float) -> Table:
    """Agreement of rounds on each field of their forms, a row a configuration and field.

    `frame` has the columns `study.answers.ANSWERS`. The unit is the paper, a version counting as one: of
    its rounds the share of pairs with exactly the same answer, then the mean over papers.
    """
    rows = {}
    for (reviewer, model, field), given in frame.groupby(["reviewer", "model", "field"], sort=False):
        papers = given.groupby(["paper", "version"], sort=True)["answer"]
        shares = np.array([_share(Counter(each)) for _, each in papers], dtype=np.float64)
        found = as_share(linearised_mean(shares, level=level))
        rows[f"{reviewer} | {model} | {field}"] = {"agreement": estimate(found)}
    return table(
        "answers",
        "Agreement of repeated reviews of the same paper on the fields of a form that are no score",
        rows,
        [
            "agreement: equal pairs of rounds, within papers first, then over papers with two or more.",
            "Each version of a paper counts as one.",
            said(frame["paper"].nunique(), "with an answer", many(len(frame), "answer")),
        ],
    )


def _share(found: Counter[str]) -> float:
    value = _agreement(found, dropped=0).value
    return float("nan") if value is None else value
