"""Reviews that somebody else wrote become records of a study, with their quotes located; each once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rereview.reviewers.base import Cell, comments
from rereview.reviewers.imported import ReadReview
from rereview.study.store import Store
from rereview.text.locate import Locator
from rereview.types.manuscript import Manuscript
from rereview.types.review import Draft, Remark, Review

NOT_STATED = "not stated"
"""The model of a review that does not name one."""


@dataclass(frozen=True)
class Landed:
    """A review that was read, and the record that it is. `new`: False if the study held it before."""

    read: ReadReview
    record: Review
    new: bool


def land(
    store: Store, paper: Manuscript, read: Iterable[tuple[ReadReview, str]], *, name: str | None = None
) -> tuple[Landed, ...]:
    """Add reviews of one paper; each comes with the name of its source.

    A review of a system that names no model is told from others by its source. Several reviews of one
    reviewer and model are rounds 1, 2, ... in the order in which they come. `name` is the reviewer of
    all of them. The same review again changes nothing. Raises StorageError.
    """
    store.add_version(paper)
    locator = Locator(paper)
    held = list(store.reviews(paper.id))
    landed = []
    for given, source in read:
        each = given.but(draft=given.draft.but(notes=(*given.draft.notes, *given.notes)))
        reviewer = name or (each.system if each.model else f"{each.system} ({source})")
        model = each.model or NOT_STATED
        same = next((review for review in held if _is_same(review, each, model)), None)
        record = same or _record(each, _next(paper, reviewer, model, held), locator)
        if same is None:
            store.add_review(record, f"{reviewer} {model}")
            held.append(record)
        landed.append(Landed(each, record, new=same is None))
    return tuple(landed)


def _next(paper: Manuscript, reviewer: str, model: str, held: Sequence[Review]) -> Cell:
    """The round after those that the study holds."""
    rounds = [each.round for each in held if (each.reviewer, each.model) == (reviewer, model)]
    return Cell(paper, reviewer, model, max(rounds, default=0) + 1)


def _record(read: ReadReview, cell: Cell, locator: Locator) -> Review:
    """One that says nothing is no review with nothing to say: it is kept as invalid, with the reason."""
    said = read.says_something
    return Review(
        id=cell.id,
        manuscript_id=cell.manuscript.id,
        reviewer=cell.reviewer,
        model=cell.model,
        round=cell.round,
        status="ok" if said else "invalid",
        error=None if said else "; ".join(read.notes) or "there is nothing in it",
        draft=read.draft.but(remarks=()) if said else None,
        comments=comments(read.draft, cell, locator),
    )


def _is_same(held: Review, read: ReadReview, model: str) -> bool:
    """Whether a review says the same in all its words and numbers; a review without words is no other."""
    draft = read.draft
    if not read.says_something:
        return held.model == model and held.status == "invalid" and held.reviewer.startswith(read.system)
    return (
        held.model == model
        and held.draft == draft.but(remarks=())
        and tuple(_remark(each) for each in held.comments) == draft.remarks
        and _telling(draft)
    )


def _remark(comment: Remark) -> Remark:
    return Remark(**{name: getattr(comment, name) for name in Remark.model_fields})


def _telling(draft: Draft) -> bool:
    """False for a bare score: two of the same are two rounds."""
    return bool(draft.words or draft.remarks)
