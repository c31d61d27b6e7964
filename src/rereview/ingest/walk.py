"""A pass over the tokens of a document that collects paragraphs and pieces."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from rereview.ingest.pieces import (
    BlockPiece,
    Document,
    Float,
    Piece,
    Range,
    balanced,
    says_something,
    trimmed,
)
from rereview.text import environments as env
from rereview.text.latex import Token
from rereview.text.modes import Region
from rereview.types.manuscript import BlockKind

Step = Callable[[Token], int]
"""Takes a token; returns the position from which to go on."""


class Walk:
    """The state of a pass: what has been found, the open paragraph, and what encloses this place."""

    def __init__(self, document: Document, before: Sequence[Piece]) -> None:
        self.document = document
        self.text = document.flat.text
        self.tokens = document.tokens
        self.starts = [token.start for token in document.tokens]
        self.pieces: list[Piece] = list(before)
        self.pending: list[str] = []
        """Labels of the next block that stand before it in the source."""
        self.ranges: list[Range] = []
        self.context: list[str] = []
        self.floats: list[Float] = []
        self.groups: list[bool] = []
        """Of each open brace, whether it opens an argument, in which a paragraph does not end."""
        self.arguments = 0
        """How many of them do."""
        self.closed = False
        self.steps: dict[str, Step] = {}
        """What is to be done with a token, by its kind; other tokens belong to the paragraph."""

    def run(self, start: int, stop: int) -> list[Piece]:
        """Cut; returns all pieces found so far."""
        index = start
        while index < stop:
            token = self.tokens[index]
            position = self._step(index, token)
            index = index + 1 if position <= token.end else self.index(position)
        self.flush()
        return self.pieces

    def index(self, position: int) -> int:
        """Index of the first token that starts at or after a position."""
        return bisect_left(self.starts, position)

    def _step(self, index: int, token: Token) -> int:
        if token.kind in self.steps:
            return self.steps[token.kind](token)
        if token.kind == "open":
            self.groups.append(self._opens_argument(index))
            self.arguments += self.groups[-1]
        elif token.kind == "close":
            self.closed = self.groups.pop() if self.groups else False
            self.arguments -= self.closed
        return self.keep(token.start, token.end)

    def _opens_argument(self, index: int) -> bool:
        before = self.tokens[index - 1] if index else None
        if before is None:
            return False
        if before.kind == "command":
            return (
                before.name not in env.SWITCHES and before.name not in env.BOXES and before.name[1:].isalpha()
            )
        if before.kind == "close":
            return self.closed
        return before.kind == "text" and self.text[before.end - 1] == "]"

    def forget_groups(self) -> None:
        """What is open here is not closed any more: so a missing brace does not swallow the paper."""
        self.groups.clear()
        self.arguments = 0

    def keep(self, start: int, end: int) -> int:
        """Let this range belong to the paragraph that is being read."""
        if self.ranges and self.ranges[-1][1] == start:
            self.ranges[-1] = (self.ranges[-1][0], end)
        elif start < end:
            self.ranges.append((start, end))
        return end

    def flush(self) -> None:
        """End the paragraph that is being read."""
        ranges, self.ranges = self.ranges, []
        text = self.document.flat.cut_text(ranges)
        drawn = bool(self.floats) and self.floats[-1].kind != "algorithm"
        if not says_something(text, in_float=drawn):
            return
        environment = next((name for name in reversed(self.context) if name not in env.LAYOUT), None)
        if self.floats:
            environment = self.floats[-1].kind
        self.emit("paragraph", balanced(self.text, ranges), environment=environment)

    def emit(
        self,
        kind: BlockKind,
        ranges: Sequence[Range],
        *,
        level: int | None = None,
        environment: str | None = None,
        labels: Sequence[str] = (),
        number: str | None = None,
    ) -> int:
        """Add a block; returns its index, or -1 for one without text."""
        ranges = trimmed(self.text, ranges)
        if not ranges:
            return -1
        text, runs = self.document.flat.cut(ranges)
        labels = tuple(dict.fromkeys((*self.pending, *labels, *self.document.labels.within(text))))
        self.pending.clear()
        self.pieces.append(BlockPiece(kind, text, runs, tuple(ranges), level, environment, labels, number))
        return len(self.pieces) - 1

    def inside(self, region: Region) -> Sequence[Token]:
        """Tokens between the delimiters of a region."""
        return self.tokens[self.index(region.body_start) : self.index(region.body_end)]

    def within(self, region: Region) -> list[Region]:
        """Regions between the delimiters of a region, at any depth."""
        regions = self.document.regions
        return [regions[token.start] for token in self.inside(region) if token.start in regions]
