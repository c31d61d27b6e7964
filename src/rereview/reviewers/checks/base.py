"""What a rule is, and what several rules need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Protocol

from rereview.types.manuscript import Block, Manuscript, Span
from rereview.types.review import Remark


class Rule(Protocol):
    """A frozen dataclass whose fields are its options; calling it yields what it found.

    A remark states the rule, both places verbatim with their exact spans, and the arithmetic.
    A false alarm costs more than a miss: what could be right is not flagged.
    """

    name: ClassVar[str]

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """The findings, in any order."""


def reading_order(paper: Manuscript) -> dict[str, int]:
    """Position of each block and figure; blocks that `sequence` leaves out follow in their own order."""
    ids = dict.fromkeys((*paper.sequence, *(block.id for block in paper.blocks)))
    return {name: position for position, name in enumerate(ids)}


def before(block: Block, end: int, width: int = 60) -> Span:
    """At most `width` code points that end at `end`, from the start of a word on."""
    start = max(0, end - width)
    if start:
        while start < end and not block.text[start - 1].isspace():
            start += 1
    while start < end and block.text[start].isspace():
        start += 1
    if start == end:
        start = max(0, end - width)
    return Span(block_id=block.id, start=start, end=end)


def shortened(text: str, longest: int = 300) -> str:
    """The text, or its first `longest` code points with an ellipsis."""
    return text if len(text) <= longest else f"{text[:longest].rstrip()} …"
