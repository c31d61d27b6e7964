"""What a reviewer is, what it reads, and how its draft becomes a review."""

from __future__ import annotations

import inspect
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol

from rereview.errors import Unreadable, UsageError
from rereview.models.base import Model
from rereview.text.answers import ReadStatus
from rereview.text.locate import Locator
from rereview.types.call import Call, Picture, Request
from rereview.types.manuscript import Block, Figure, Manuscript, Span
from rereview.types.review import Comment, Draft, Match, Remark, Review, ReviewStatus


class Reviewer(Protocol):
    """A frozen dataclass whose fields are its options, and which is callable.

    It sees no ids of a study, no other review, no score of anybody, and no failure: what a model
    call raises passes through it. A reviewer that asks no model has a class attribute
    `needs_model = False` and is given None.
    """

    async def __call__(self, paper: Manuscript, model: Model) -> Draft:
        """Read the paper and say what there is to say."""


def expected_calls(reviewer: Reviewer, paper: Manuscript, *, models: int = 1) -> tuple[int, int | None]:
    """Calls of one round, at least and at most (None: not known); 1 of a reviewer that does not say.

    `models`: how many it is given; one that asks several (`asks_peers`) counts with them.
    """
    said = getattr(reviewer, "expected_calls", None)
    if said is None:
        return 1, 1
    several = getattr(reviewer, "asks_peers", False)
    found: tuple[int, int | None] = said(paper, models=models) if several else said(paper)
    return found


class Recorded(Model, Protocol):
    """A model that remembers what was asked through it."""

    @property
    def call_ids(self) -> tuple[str, ...]:
        """Ids of the calls, in the order in which they were answered."""

    @property
    def repaired(self) -> bool:
        """True if an answer had to be repaired before it could be read."""


@dataclass(frozen=True)
class NoModel:
    """What a reviewer that asks no model is given; asking it is an error of the reviewer."""

    reviewer: str
    name: str = ""
    call_ids: tuple[str, ...] = ()
    repaired: bool = False
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    reads: int | None = None

    async def __call__(self, request: Request) -> Call:  # noqa: ARG002  whatever is asked
        """Refuse."""
        raise UsageError(
            f"the reviewer {self.reviewer!r} asks a model and none is given", expected="name one with --model"
        )

    def read(self, status: ReadStatus) -> None:
        """Nothing is ever read."""


@dataclass(frozen=True)
class Cell:
    """One round of one configuration on one version of a manuscript."""

    manuscript: Manuscript
    reviewer: str
    """The configuration, as a person reads it."""
    model: str | None
    round: int

    @property
    def id(self) -> str:
        """12 hex digits; the same cell has the same id on every machine."""
        parts = (self.manuscript.id, self.reviewer, self.model or "", str(self.round))
        return sha256("\0".join(parts).encode()).hexdigest()[:12]


async def review(reviewer: Reviewer, cell: Cell, model: Recorded, locator: Locator) -> Review:
    """Run one cell: ask the reviewer, then name and locate its remarks.

    An answer that cannot be read is a review with that status. A `ProviderError`, a
    `BudgetError` or a defect of the reviewer is raised; no `Draft` is a `UsageError`.
    """
    try:
        draft = await _drafted(reviewer, cell, model)
    except Unreadable as problem:
        return _record(cell, model, problem.status, error=str(problem))
    status: ReviewStatus = "repaired" if model.repaired else "ok"
    return _record(cell, model, status, draft=draft, comments=comments(draft, cell, locator))


async def _drafted(reviewer: Reviewer, cell: Cell, model: Recorded) -> Draft:
    """What the reviewer says. A reviewer may come from anywhere, so that its types are promises."""
    said: object = reviewer(cell.manuscript, model)
    if not inspect.isawaitable(said):
        raise UsageError(
            "the reviewer cannot be awaited", where=cell.reviewer, expected="async def __call__(...) -> Draft"
        )
    draft: object = await said
    if not isinstance(draft, Draft):
        raise UsageError(
            f"the reviewer returned {type(draft).__name__}",
            where=cell.reviewer,
            expected="a reviewer returns a Draft",
        )
    return draft


def comments(draft: Draft, cell: Cell, locator: Locator) -> tuple[Comment, ...]:
    """The remarks of a draft with ids and places; quotes stay as they are."""
    return tuple(
        _comment(remark, f"{cell.id}-{number}", cell.manuscript, locator)
        for number, remark in enumerate(draft.remarks, start=1)
    )


def _comment(remark: Remark, name: str, paper: Manuscript, locator: Locator) -> Comment:
    first, second = (*remark.places, None, None)[:2]
    spans, match, difference = _place(remark.quote, first, remark, paper, locator)
    against_spans, against_match, _ = _place(remark.against, second, remark, paper, locator)
    return Comment(
        **{name: getattr(remark, name) for name in Remark.model_fields},
        id=name,
        spans=spans,
        match=match,
        difference=difference,
        against_spans=against_spans,
        against_match=None if remark.against is None else against_match,
    )


def _place(
    quote: str | None, place: Span | None, remark: Remark, paper: Manuscript, locator: Locator
) -> tuple[tuple[Span, ...], Match, str | None]:
    if quote is None:
        return (), "no-quote", None
    if place is not None and place.block_id in paper.by_id and paper.text_of(place) == quote:
        return (place,), "exact", None
    found = locator.locate(quote, pages=remark.pages)
    return found.spans, found.match, found.difference


def _record(
    cell: Cell,
    model: Recorded,
    status: ReviewStatus,
    *,
    error: str | None = None,
    draft: Draft | None = None,
    comments: tuple[Comment, ...] = (),
) -> Review:
    return Review(
        id=cell.id,
        manuscript_id=cell.manuscript.id,
        reviewer=cell.reviewer,
        model=cell.model,
        round=cell.round,
        status=status,
        error=error,
        call_ids=model.call_ids,
        draft=None if draft is None else draft.but(remarks=()),
        comments=comments,
    )


def as_text(paper: Manuscript) -> str:
    """The whole paper as one text in reading order: what a model is given.

    Without its images; `illustrated.given` has them too. Headings are marked by their depth, pages and
    figures by a line in brackets. What a reader cannot see (`paper.hidden`) is not in it, and what says
    who wrote it (`paper.removed`) is left out: a passage leaves the mark of an omission, with which a
    quote across it is still found.
    """
    return BETWEEN.join(text for _, text in pieces(paper))


def pieces(paper: Manuscript, shown: Container[str] = ()) -> Iterator[tuple[str, str]]:
    """Id and text of what a model is given, in reading order. `shown`: figures whose image it is given."""
    figures = {figure.id: figure for figure in paper.figures}
    for name in paper.sequence:
        text = (
            _figure_text(figures[name], shown=name in shown)
            if name in figures
            else _block_text(_given(paper, name), paper.number_before(paper.by_id[name]))
        )
        if text is not None:
            yield name, text


BETWEEN = "\n\n"
OMITTED = "[…]"


def _given(paper: Manuscript, name: str) -> Block | None:
    """A block without what is left out of it; None if nothing else is in it."""
    block = paper.by_id[name]
    ranges = paper.left_out.get(name, ())
    if not ranges:
        return block
    starts = (0, *(end for _, end in ranges))
    ends = (*(start for start, _ in ranges), len(block.text))
    kept = [block.text[start:end] for start, end in zip(starts, ends, strict=True)]
    return block.but(text=OMITTED.join(kept)) if any(part.strip() for part in kept) else None


def _block_text(block: Block | None, before: str | None) -> str | None:
    if block is None:
        return None
    if block.kind == "page-marker":
        return f"[page {block.page}]"
    if block.kind in ("title", "heading"):
        number = f"{before} " if before else ""
        return f"{'#' * (1 + (block.level or 0))} {number}{block.text}"
    if block.kind == "caption":
        kind = (block.environment or "caption").capitalize()
        return f"[{kind} {block.number or ''}] {block.text}".replace(" ]", "]")
    if block.environment == "abstract":
        return f"Abstract. {block.text}"
    return block.text


def _figure_text(figure: Figure, *, shown: bool) -> str:
    name = figure.name or figure.id
    called = name if name.lower().startswith(("figure ", "table ")) else f"figure {name}"
    return f"[{called}{'' if shown else ': image not included'}]"
