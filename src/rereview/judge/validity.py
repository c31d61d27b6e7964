"""Whether a comment is right about the paper that it was made on, injected errors or not: precision.

The judge sees the passage and what the paper says of the same things elsewhere, in the version that was
reviewed. It does not see what was injected, nor that anything was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rereview import prompts
from rereview.errors import Unreadable
from rereview.models.base import Model, ask_for
from rereview.text.related import related_spans
from rereview.types.call import Message
from rereview.types.edit import Opinion
from rereview.types.manuscript import Manuscript, Span
from rereview.types.record import Record
from rereview.types.review import Comment, Review

MAX_OUTPUT_TOKENS = 4_000
LONGEST = 4_000
"""Characters of a passage that are shown."""


class Right(Record):
    """What the judge says of a comment."""

    right: Literal["yes", "no", "unclear"]
    reason: str


@dataclass(frozen=True)
class Validity:
    """Asks about every comment of a review by itself."""

    async def __call__(self, review: Review, paper: Manuscript, model: Model) -> tuple[Opinion, ...]:
        """One opinion a comment, in order. What is unclear, or cannot be read, is not known."""
        return tuple([await self._one(review, comment, paper, model) for comment in review.comments])

    async def _one(self, review: Review, comment: Comment, paper: Manuscript, model: Model) -> Opinion:
        known: dict[str, object] = {"review_id": review.id, "comment_id": comment.id}
        try:
            answer = await ask_for(
                model, messages=messages(comment, paper), shape=Right, max_output_tokens=MAX_OUTPUT_TOKENS
            )
        except Unreadable as problem:
            return Opinion(**known, valid=None, unreadable=True, call_ids=problem.calls)
        said = answer.value.right
        valid = None if said == "unclear" else said == "yes"
        return Opinion(**known, valid=valid, call_ids=tuple(call.id for call in answer.calls))


def messages(comment: Comment, paper: Manuscript) -> tuple[Message, ...]:
    """What the judge is sent about one comment."""
    blocks = list(dict.fromkeys(span.block_id for span in comment.spans))
    passage = "\n\n".join(paper.by_id[name].text for name in blocks)[:LONGEST]
    shown = {
        "title": comment.title,
        "quote": comment.quote or "(none)",
        "body": comment.body,
        "passage": passage or "(the quote was not found in the manuscript)",
        "elsewhere": "\n".join(f"- {text}" for text in _elsewhere(comment, paper, blocks)) or "(nothing)",
    }
    system, user = prompts.load("validity").fill(mark=prompts.mark_of("\0".join(shown.values())), **shown)
    return Message(role="system", text=system), Message(role="user", text=user)


def _elsewhere(comment: Comment, paper: Manuscript, blocks: Sequence[str]) -> list[str]:
    spoken = f"{comment.quote or ''} {comment.body}"
    own = Span(block_id=blocks[0], start=0, end=len(paper.by_id[blocks[0]].text)) if blocks else None
    found = related_spans(spoken, paper, own=own)
    return [" ".join(paper.text_of(span).split()) for span in found]
