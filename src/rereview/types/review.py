"""What a reviewer says, and what is kept of it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rereview.types.manuscript import Span
from rereview.types.record import Record

Severity = Literal["major", "moderate", "minor"]
Match = Literal["exact", "normalised", "fuzzy", "differs", "not-found", "no-quote"]
ReviewStatus = Literal["ok", "repaired", "invalid", "refused", "truncated", "failed"]


class Remark(Record):
    """One comment of a reviewer, as the reviewer made it.

    A check that compares two places fills `against` (the second place, verbatim), `rule` and
    `arithmetic`. `places` are spans whose text is `quote` (first) and `against` (second): only
    for a reviewer that has computed them; otherwise quotes are located by their words.
    """

    title: str
    body: str
    quote: str | None = None
    severity: Severity | None = None
    pages: tuple[int, ...] = ()
    rule: str | None = None
    against: str | None = None
    arithmetic: str | None = None
    places: tuple[Span, ...] = Field(default=(), max_length=2)
    raised_by: tuple[str, ...] = ()
    """Of a reviewer with several passes those that raised it, out of `Draft.passes`."""


class Aside(Record):
    """A remark that a reviewer raised and did not keep: merged into another, dropped or refuted, and why."""

    remark: Remark
    why: str


class ScoreProbability(Record):
    """Probability of one score, and how it was read from the tokens."""

    score: int
    probability: float
    how: str


class Draft(Record):
    """What a reviewer returns. Any system that writes this as JSON can be measured."""

    summary: str | None = None
    score: float | None = None
    score_probabilities: tuple[ScoreProbability, ...] = ()
    confidence: float | None = None
    strengths: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()
    rationale: str | None = None
    fields: dict[str, str] = Field(default={})
    """Further answers of a venue form, by the name of the field."""
    remarks: tuple[Remark, ...] = ()
    passes: tuple[str, ...] = ()
    """What read the paper independently, where that was several times."""
    aside: tuple[Aside, ...] = ()
    """What was raised and not kept: the list before consolidation is these and the remarks."""
    notes: tuple[str, ...] = ()
    """What a reader of this draft must know: what of the paper did not fit, how probabilities were read."""

    @property
    def words(self) -> str:
        """All that was written in words, without numbers; remarks left out. "" for a bare score."""
        written = (self.summary, *self.strengths, *self.concerns, *self.fields.values(), self.rationale)
        return "\n".join(text for text in written if text)


class Comment(Remark):
    """A remark that has been named and located. The quote is never altered."""

    id: str
    spans: tuple[Span, ...] = ()
    """Where the quote stands; several when it crosses blocks."""
    match: Match
    difference: str | None = None
    """With match "differs": what the paper says instead of what the quote says."""
    against_spans: tuple[Span, ...] = ()
    against_match: Match | None = None


class Review(Record):
    """What is kept of one round of one reviewer."""

    id: str
    manuscript_id: str
    reviewer: str
    model: str | None
    """None: the reviewer asks no model."""
    round: int
    status: ReviewStatus
    error: str | None = None
    call_ids: tuple[str, ...] = ()
    draft: Draft | None = None
    """As the reviewer gave it, without its remarks; None where nothing could be read."""
    comments: tuple[Comment, ...] = ()


class Exclusion(Record):
    """A paper that a model was not given, and why: it is no part of any comparison with that model."""

    paper: str
    model: str
    why: str
