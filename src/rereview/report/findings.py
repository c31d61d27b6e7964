"""The comments of a document in the order in which a person should read them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from rereview.report.marks import Mark
from rereview.types.document import ReviewDocument
from rereview.types.manuscript import Manuscript, Span
from rereview.types.review import Comment, Review

SEVERITIES = ("major", "moderate", "minor", "unrated")
SHAPES = {"major": "▲", "moderate": "◆", "minor": "●", "unrated": "○"}


@dataclass(frozen=True)
class Place:
    """One end of a comment: what was quoted, where that stands, and the id of the mark there."""

    quote: str | None
    spans: tuple[Span, ...]
    anchor: str
    match: str | None


@dataclass(frozen=True)
class Finding:
    """A comment with its number in this report and the review that it comes from."""

    number: int
    comment: Comment
    review: Review
    again: tuple[tuple[Comment, Review], ...] = ()
    """The same place in later rounds of the same reviewer and model."""
    of: int = 1
    """How many rounds of this reviewer and model could be read."""

    @property
    def severity(self) -> str:
        """A word of `SEVERITIES`."""
        return self.comment.severity or "unrated"

    @property
    def located(self) -> bool:
        """True if at least one of its places was found in the paper."""
        return bool(self.comment.spans or self.comment.against_spans)

    @property
    def places(self) -> tuple[Place, ...]:
        """The place and, of a comment that compares, the second place."""
        comment, anchor = self.comment, f"m{self.number}"
        first = Place(comment.quote, comment.spans, f"{anchor}a", comment.match)
        second = Place(comment.against, comment.against_spans, f"{anchor}b", comment.against_match)
        return tuple(place for place in (first, second) if place.quote is not None or place.spans)

    @property
    def by(self) -> str:
        """Who raised it, and of a reviewer with several passes how many of them."""
        passes = () if self.review.draft is None else self.review.draft.passes
        raised = self.comment.raised_by
        support = f", raised by {len(raised)} of {len(passes)} passes" if passes and raised else ""
        return self._who + support

    @property
    def _who(self) -> str:
        if self.review.model is None:
            return self.review.reviewer
        rounds = sorted({self.review.round, *(review.round for _, review in self.again)})
        if len(rounds) == 1:
            return f"{self.review.reviewer}, {self.review.model}, round {rounds[0]}"
        shown = f"{', '.join(str(number) for number in rounds[:-1])} and {rounds[-1]}"
        return f"{self.review.reviewer}, {self.review.model}, rounds {shown} ({len(rounds)} of {self.of})"


def is_checks(review: Review) -> bool:
    """Whether the rules made it, and not somebody who asks no model here: a review that was imported, say."""
    return review.model is None and review.reviewer.partition("[")[0] == "checks"


def findings(document: ReviewDocument) -> tuple[Finding, ...]:
    """All comments: located first, then by severity, without a model before with one, as in the paper.

    Comments of one reviewer and model that mark exactly the same place in several rounds are one
    finding, the first of a round with the first of another; those of one round are not merged, nor
    those at neighbouring places, whatever they say.
    """
    order = {block.id: at for at, block in enumerate(document.manuscript.blocks)}

    def rank(pair: tuple[Comment, Review]) -> tuple[bool, int, bool, int, int]:
        comment, review = pair
        spans = comment.spans or comment.against_spans
        first = spans[0] if spans else None
        return (
            first is None,
            SEVERITIES.index(comment.severity or "unrated"),
            review.model is not None,
            order.get(first.block_id, len(order)) if first else 0,
            first.start if first else 0,
        )

    pairs = [(comment, review) for review in document.informative for comment in review.comments]
    groups: dict[tuple[object, ...], list[tuple[Comment, Review]]] = {}
    seen: Counter[tuple[object, ...]] = Counter()
    for comment, review in sorted(pairs, key=rank):
        same = _same(comment, review)
        seen[review.id, same] += 1  # what one round says twice of a place are two findings
        groups.setdefault((seen[review.id, same], same), []).append((comment, review))
    readable = Counter((review.reviewer, review.model) for review in document.informative if review.draft)
    return tuple(
        Finding(number, *group[0], tuple(group[1:]), readable[group[0][1].reviewer, group[0][1].model])
        for number, group in enumerate(groups.values(), start=1)
    )


def _same(comment: Comment, review: Review) -> tuple[object, ...]:
    """What comments share that are one finding; a comment without a place is one of its own."""
    if review.model is None or not comment.spans:
        return (comment.id,)
    return (review.reviewer, review.model, comment.severity, comment.spans)


def marks_of(found: tuple[Finding, ...], manuscript: Manuscript) -> dict[str, list[Mark]]:
    """The marks of each block. Spans of other versions of the paper are left out."""
    marks: dict[str, list[Mark]] = {}
    for finding in found:
        for place in finding.places:
            known = [span for span in place.spans if span.block_id in manuscript.by_id]
            for part, span in enumerate(known):
                anchor = place.anchor if part == 0 else f"{place.anchor}{part + 1}"
                mark = Mark(finding.number, anchor, span.start, span.end, finding.severity)
                marks.setdefault(span.block_id, []).append(mark)
    return marks
