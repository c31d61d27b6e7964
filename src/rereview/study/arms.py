"""The two arms of an injection study: corrupted versions and clean papers, reviewed and searched for hits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import cast

from rereview import plugins
from rereview.errors import RereviewError, UsageError
from rereview.judge.detect import Judge
from rereview.judge.meeting import Version, pairs
from rereview.reviewers.base import Reviewer
from rereview.study.asking import Asking
from rereview.study.design import NO_JUDGE, Design, Judging, StudyPaper, StudyReviewer
from rereview.study.rounds import Fixed
from rereview.study.run import Configuration, Outcome, Watch, run
from rereview.study.store import Store
from rereview.types.edit import Pair, Perturbation
from rereview.types.review import Comment, Review

PAIR = "pair"
AT_ONCE = 4
"""Versions that are reviewed at the same time; each has rounds at the same time of its own."""


@dataclass(frozen=True)
class Copy:
    """A version of a paper as reviewers get it; `run` is "" for the clean paper."""

    paper: StudyPaper
    run: str
    version: Version

    @property
    def id(self) -> str:
        """The manuscript's id."""
        return self.version.manuscript.id


def configurations(design: Design, asking: Asking) -> dict[str, tuple[StudyReviewer, list[Configuration]]]:
    """The configurations of each reviewer under test, by its label. Raises UsageError for what cannot run."""
    return {each.label: (each, _configurations(each, asking)) for each in design.reviewers}


def _configurations(each: StudyReviewer, asking: Asking) -> list[Configuration]:
    reviewer = cast("Reviewer", plugins.load("reviewers", each.reviewer, **each.options))
    if not getattr(reviewer, "needs_model", True):
        if each.models:
            raise UsageError(
                f"the reviewer {each.label!r} asks no model", expected="leave its models out of study.toml"
            )
        return [Configuration(each.label, reviewer, Fixed(1))]
    if not each.models:
        raise UsageError(
            f"the reviewer {each.label!r} asks a model", expected='name one in study.toml: models = ["..."]'
        )
    return [
        Configuration(each.label, reviewer, Fixed(each.rounds), asking.endpoint(model), asking.price(model))
        for model in each.models
    ]


async def review_all(
    copies: Sequence[Copy], design: Design, asking: Asking, watch: Watch, *, concurrency: int
) -> tuple[RereviewError, ...]:
    """Review every version by every configuration that reads its paper; what is there is not asked again.

    A review that fails is recorded and the others go on. Returns the failures.
    """
    made = configurations(design, asking)
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(copy: Copy) -> Outcome:
        chosen = [
            configuration
            for reviewer, found in made.values()
            if copy.paper in design.read_by(reviewer)
            for configuration in found
        ]
        async with slots:
            return await run(
                copy.version.manuscript,
                chosen,
                asking.store,
                cap=asking.cap,
                gate=asking.gate,
                watch=watch,
                clock=asking.clock,
                concurrency=max(1, concurrency // AT_ONCE),
            )

    outcomes = await asyncio.gather(*map(one, copies))
    return tuple(chain.from_iterable(each.failures for each in outcomes))


def planned(copies: Sequence[Copy], design: Design) -> int:
    """Reviews that a whole run makes."""
    return sum(
        max(1, len(reviewer.models)) * reviewer.rounds
        for reviewer in design.reviewers
        for copy in copies
        if copy.paper in design.read_by(reviewer)
    )


def candidate_pairs(
    copies: Iterable[Copy], errors: Mapping[str, Perturbation], store: Store, judging: Judging
) -> list[tuple[Review, list[Pair]]]:
    """Of every review that is there the pairs whose places may meet, not judged."""
    found = []
    for copy in copies:
        carried = [errors[place.perturbation_id] for place in copy.version.places]
        for review in store.reviews(copy.id):
            met = pairs(carried, review, copy.version, keep_from=min(judging.judged_from, SWEEP))
            found.append((review, list(met)))
    return found


SWEEP = 0.5
"""The lowest threshold that tables show; what lies between it and the threshold is kept, and not judged."""


async def judge_all(
    found: Sequence[tuple[Review, list[Pair]]],
    errors: Mapping[str, Perturbation],
    asking: Asking,
    judging: Judging,
    *,
    concurrency: int,
) -> list[Pair]:
    """The pairs, rated by the judge where there is one, and kept. Nothing is judged twice."""
    slots = asyncio.Semaphore(concurrency)
    judge = Judge(sweep_from=judging.judged_from)

    async def one(review: Review, met: list[Pair]) -> tuple[Pair, ...]:
        if judging.model == NO_JUDGE or not any(map(judge.asks, met)):
            return tuple(met)
        comments: dict[str, Comment] = {comment.id: comment for comment in review.comments}
        async with slots:
            model = asking.model(judging.model, f"judge/{review.id}")
            return await judge(met, errors.values(), comments.values(), model)

    rated = await asyncio.gather(*(one(review, met) for review, met in found))
    made = list(chain.from_iterable(rated))
    asking.store.add_records(PAIR, {f"{pair.perturbation_id} {pair.comment_id}": pair for pair in made})
    return made
