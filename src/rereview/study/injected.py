"""The frames of an injection study: its errors, the reviews of every version, and what may be a detection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from rereview.study.frames import PAIRS, PERTURBATIONS, READINGS, SHOWN
from rereview.types.edit import Arm, Batch, Candidate, Pair, Perturbation
from rereview.types.review import Review


@dataclass(frozen=True)
class Injected:
    """An injected error with what is known of its paper."""

    perturbation: Perturbation
    version: str
    paper_kind: str
    domain: str


@dataclass(frozen=True)
class Read:
    """A review with the version that it read: the run of the corrupted one, "" for the clean paper."""

    review: Review
    paper: str
    run: str
    arm: Arm
    usd: float | None


@dataclass(frozen=True)
class Frames:
    """Everything that the tables of an injection study are made of."""

    perturbations: pd.DataFrame
    readings: pd.DataFrame
    pairs: pd.DataFrame
    shown: pd.DataFrame


def perturbations(errors: Iterable[Injected]) -> pd.DataFrame:
    """One row an injected error, columns `PERTURBATIONS`."""
    rows = [
        (
            each.perturbation.id,
            each.perturbation.paper_id,
            each.perturbation.run,
            each.version,
            each.perturbation.family,
            each.perturbation.error,
            each.perturbation.kind,
            each.paper_kind,
            each.domain,
            each.perturbation.pinned,
        )
        for each in errors
    ]
    return pd.DataFrame(rows, columns=list(PERTURBATIONS)).astype({"pinned": "object"})


def readings(reviews: Iterable[Read]) -> pd.DataFrame:
    """One row a review, columns `READINGS`."""
    rows = [
        (
            each.review.id,
            each.paper,
            each.run,
            each.arm,
            each.review.reviewer,
            each.review.model or "",
            each.review.round,
            each.review.status,
            len(each.review.comments),
            each.usd,
        )
        for each in reviews
    ]
    return pd.DataFrame(rows, columns=list(READINGS)).astype(
        {"round": "int64", "comments": "int64", "usd": "float64"}
    )


def pairs(found: Iterable[Pair]) -> pd.DataFrame:
    """One row a pair, columns `PAIRS`."""
    rows = [
        (
            each.perturbation_id,
            each.review_id,
            each.comment_id,
            each.arm,
            each.coverage,
            each.touches,
            each.rating,
            each.unreadable,
        )
        for each in found
    ]
    frame = pd.DataFrame(rows, columns=list(PAIRS))
    return frame.astype(
        {"coverage": "float64", "touches": "object", "rating": "float64", "unreadable": "bool"}
    )


def shown(
    batches: Iterable[Batch],
    candidates: Mapping[str, Sequence[Candidate]],
    errors: Mapping[tuple[str, str], str],
) -> pd.DataFrame:
    """One row a candidate that the generator was shown, columns `SHOWN`.

    `candidates` are those of each paper in reading order: a candidate's place is its rank among them.
    `errors` gives the subtype that was written, by run and candidate.
    """
    known = {
        (paper, each.id): (each, rank / len(found))
        for paper, found in candidates.items()
        for rank, each in enumerate(found)
    }
    rows = []
    for batch in batches:
        paper, _, family = batch.run.rpartition("/")
        chosen = set(batch.chosen)
        for position, name in enumerate(batch.shown, start=1):
            each, place = known[paper, name]
            row = (batch.run, paper, family, batch.number, position, name, each.kind, len(each.text), place)
            rows.append((*row, name in chosen, errors.get((batch.run, name))))
    return pd.DataFrame(rows, columns=list(SHOWN))
