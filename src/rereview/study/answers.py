"""What the rounds of studies answered to the fields of their forms, a row an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from rereview.models.base import TOYS
from rereview.study.scales import Filled, filled_in
from rereview.study.store import Store
from rereview.types.review import Review

ANSWERS = ("paper", "version", "reviewer", "model", "round", "field", "answer")


def answers(paths: Sequence[Path]) -> pd.DataFrame:
    """Columns `ANSWERS`: numbers and choices of the forms in those of the paths that are studies.

    Those of a toy carry no information, and are left out.
    """
    rows = [row for path in paths if (path / "study.db").is_file() for row in _study(path)]
    return pd.DataFrame(rows, columns=list(ANSWERS))


def _study(folder: Path) -> Iterator[tuple[str, str, str, str, int, str, str]]:
    with Store(folder) as store:
        papers = store.papers()
        reviews = [(paper, each) for version, paper in papers.items() for each in store.reviews(version)]
    reviews = [(paper, each) for paper, each in reviews if each.model not in TOYS]
    known = filled_in(folder)
    for paper, review in reviews:
        for field, answer in _given(review, known(review.reviewer)):
            version, model = review.manuscript_id, review.model or ""
            yield paper, version, review.reviewer, model, review.round, field, answer


def _given(review: Review, filled: Filled | None) -> Iterator[tuple[str, str]]:
    if filled is None or review.draft is None:
        return
    for field in filled.form.fields:
        if field.kind in {"number", "choice"} and field.name in review.draft.fields:
            yield field.name, review.draft.fields[field.name]
