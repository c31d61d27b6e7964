"""The two arms of an injection study: corrupted versions and clean papers, reviewed and searched for hits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain
from typing import cast

from rereview import plugins
from rereview.errors import RereviewError, StorageError, UsageError
from rereview.ingest.pictures import Images, sendable
from rereview.judge.detect import Judge
from rereview.judge.meeting import Version, pairs
from rereview.judge.validity import Validity
from rereview.models.base import Endpoint, traits
from rereview.models.prices import Price
from rereview.reviewers.base import Reviewer
from rereview.reviewers.issues import at_once
from rereview.study.asking import Asking
from rereview.study.design import NO_JUDGE, Design, Judging, StudyPaper, StudyReviewer
from rereview.study.rounds import Fixed
from rereview.study.run import Configuration, Outcome, Watch, run
from rereview.study.store import Store
from rereview.types.call import Picture
from rereview.types.edit import Opinion, Pair, Perturbation
from rereview.types.manuscript import Figure
from rereview.types.record import Record
from rereview.types.review import Review

SEARCHED = "searched"
"""Kind of record: the pairs of one review."""
JUDGED = "judged"
"""Kind of record: what the judge says of its comments."""


class Judged(Record):
    """What the judge says of every comment of one review; `words` is a digest of these comments."""

    review_id: str
    words: str
    opinions: tuple[Opinion, ...]


class Searched(Record):
    """What a search for hits gave of one review, against the errors with this digest."""

    review_id: str
    errors: str
    pairs: tuple[Pair, ...]


def _no_image(_: Figure) -> None:
    """There are no images."""


@dataclass(frozen=True)
class Copy:
    """A version of a paper as reviewers get it; `run` is "" for the clean paper."""

    paper: StudyPaper
    run: str
    version: Version
    images: Images = _no_image

    @cached_property
    def pictures(self) -> Mapping[str, Picture]:
        """The images of the paper as a request holds them, by the id of their figure."""
        return sendable(self.version.manuscript, self.images).pictures

    def pictures_for(self, limit: int | None) -> Mapping[str, Picture] | None:
        """Those for a model with this limit of images (None: it sees none); None if there are more."""
        seen = {} if limit is None else self.pictures
        return None if limit is not None and len(seen) > limit else seen

    @property
    def id(self) -> str:
        """The manuscript's id."""
        return self.version.manuscript.id


def configurations(design: Design, asking: Asking) -> list[tuple[StudyReviewer, list[Configuration]]]:
    """The configurations of each reviewer under test. Raises UsageError for what cannot run."""
    return [(each, _configurations(each, asking)) for each in design.reviewers]


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
            f"the reviewer {each.label!r} asks a model, or does not say that it asks none",
            expected=f'in study.toml models = ["..."]; or, if it asks none, {_asking_none(reviewer)}',
        )
    return [_asking(each, reviewer, asking.endpoint(model), asking.price(model)) for model in each.models]


def _asking_none(reviewer: Reviewer) -> str:
    """How a reviewer says that it asks no model."""
    return (
        "options = { asks = false } there"
        if hasattr(reviewer, "asks")
        else "needs_model = False in its class"
    )


def _asking(
    each: StudyReviewer, reviewer: Reviewer, endpoint: Endpoint, price: Price | None
) -> Configuration:
    images = each.image_limit if each.images and not traits(endpoint).text_only else None
    return Configuration(each.label, reviewer, Fixed(each.rounds), endpoint, price, images)


async def review_all(
    copies: Sequence[Copy], design: Design, asking: Asking, watch: Watch, *, concurrency: int
) -> tuple[RereviewError, ...]:
    """Review every version by every configuration that reads its paper; what is there is not asked again.

    At most `concurrency` reviews are made at the same time. A review that fails is recorded and the others go
    on. Returns the failures.
    """
    made = configurations(design, asking)
    reviews = asyncio.Semaphore(concurrency)

    async def one(copy: Copy) -> Outcome:
        chosen = [
            configuration
            for reviewer, found in made
            if copy.paper in design.read_by(reviewer)
            for configuration in found
        ]
        return await run(
            copy.version.manuscript,
            chosen,
            asking.store,
            cap=asking.cap,
            gate=asking.gate,
            watch=watch,
            clock=asking.clock,
            concurrency=reviews,
            pictures=copy.pictures if any(each.images is not None for each in chosen) else None,
        )

    # A version is indexed when its turn comes, not all of them at once.
    outcomes = await at_once(one, copies, most=concurrency, first_alone=False)
    return tuple(chain.from_iterable(each.failures for each in outcomes))


def planned(copies: Sequence[Copy], design: Design) -> int:
    """Reviews that a whole run makes."""
    return sum(
        len(reviewer.models) * reviewer.rounds or 1  # without a model once: again it says the same
        for reviewer in design.reviewers
        for copy in copies
        if copy.paper in design.read_by(reviewer)
    )


@dataclass(frozen=True)
class Met:
    """A review with the pairs of an error and a comment whose places may meet.

    `errors` is a digest of the errors that its version carries, so that what was found of others is not
    taken for it.
    """

    review: Review
    errors: str
    pairs: tuple[Pair, ...]


def candidate_pairs(
    copies: Iterable[Copy], errors: Mapping[str, Perturbation], store: Store, judging: Judging
) -> list[Met]:
    """Of every review that is there the pairs whose places may meet, not judged."""
    found = []
    for copy in copies:
        carried = [errors[place.perturbation_id] for place in copy.version.places]
        name = digest_of(carried)
        for review in store.reviews(copy.id):
            met = pairs(carried, review, copy.version, keep_from=min(judging.judged_from, SWEEP))
            found.append(Met(review, name, met))
    return found


SWEEP = 0.5
"""The lowest threshold that tables show; what lies between it and the threshold is kept, and not judged."""


def digest_of(errors: Iterable[Perturbation]) -> str:
    """16 hex digits of what these errors are and where."""
    whole = sha256()
    for each in sorted(errors, key=lambda error: error.id):
        whole.update(
            f"{each.id}\0{each.span.to_json()}\0{each.replacement}\0".encode("utf-8", "surrogatepass")
        )
    return whole.hexdigest()[:16]


async def judge_all(
    found: Sequence[Met],
    errors: Mapping[str, Perturbation],
    asking: Asking,
    judging: Judging,
    *,
    concurrency: int,
) -> tuple[int, tuple[RereviewError, ...]]:
    """Let the judge rate the pairs, where there is one, and keep them. Nothing is judged twice.

    Returns how many pairs are kept, and the failures: a review whose judge failed is not searched yet, and
    the others go on.
    """
    judge = Judge(sweep_from=judging.judged_from)
    failures: list[RereviewError] = []

    async def one(met: Met) -> int:
        rated = met.pairs
        if judging.model != NO_JUDGE and any(map(judge.asks, rated)):
            model = asking.model(judging.model, f"judge/{met.review.id}")
            try:
                rated = await judge(rated, errors.values(), met.review.comments, model)
            except StorageError:
                raise
            except RereviewError as error:
                failures.append(error)
                return 0
        searched = Searched(review_id=met.review.id, errors=met.errors, pairs=rated)
        asking.store.add_records(SEARCHED, {met.review.id: searched})
        return len(rated)

    counts = await at_once(one, found, most=concurrency, first_alone=False)
    return sum(counts), tuple(failures)


async def weigh_all(
    copies: Sequence[Copy], asking: Asking, judging: Judging, *, concurrency: int
) -> tuple[int, tuple[RereviewError, ...]]:
    """Ask of every comment whether it is right, where the study wants its precision.

    Returns how many comments have an opinion, and the failures; the other reviews go on.
    """
    if not judging.precision:
        return 0, ()
    failures: list[RereviewError] = []

    async def one(read: tuple[Copy, Review]) -> int:
        copy, review = read
        try:
            model = asking.model(judging.model, f"precision/{review.id}")
            opinions = await Validity()(review, copy.version.manuscript, model)
        except StorageError:
            raise
        except RereviewError as error:
            failures.append(error)
            return 0
        judged = Judged(review_id=review.id, words=words_of(review), opinions=opinions)
        asking.store.add_records(JUDGED, {review.id: judged})
        return len(opinions)

    reads = [(copy, review) for copy in copies for review in asking.store.reviews(copy.id)]
    counts = await at_once(one, reads, most=concurrency, first_alone=False)
    return sum(counts), tuple(failures)


def words_of(review: Review) -> str:
    """16 hex digits of what the comments of a review say."""
    whole = sha256(
        "\0".join(comment.to_json() for comment in review.comments).encode("utf-8", "surrogatepass")
    )
    return whole.hexdigest()[:16]
