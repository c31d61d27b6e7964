"""The running text of a paper as a reader sees it, for rules that read sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rereview.text.reading import Readable, readable
from rereview.types.manuscript import Block, BlockKind, Manuscript, Span
from rereview.types.review import Remark, Severity

RUNNING: frozenset[BlockKind] = frozenset({"paragraph", "caption", "theorem", "proof"})
_CODE = re.compile(
    r"algorithm|listing|verbatim|minted|code|tikz|pgf|axis|picture|bibliography", re.IGNORECASE
)


class Passage(NamedTuple):
    """A block and what a reader sees of it. Offsets that rules use are those of `text`."""

    block: Block
    readable: Readable

    @property
    def text(self) -> str:
        """What a reader sees."""
        return self.readable.text

    def span(self, start: int, end: int) -> Span:
        """Where `text[start:end]` (not empty) stands in the block."""
        first, last = self.readable.original(start, end)
        return Span(block_id=self.block.id, start=first, end=last)


def passages(paper: Manuscript, kinds: frozenset[BlockKind] = RUNNING) -> Iterator[Passage]:
    """The blocks of these kinds, without listings and drawings."""
    for block in paper.blocks:
        if block.kind in kinds and not _CODE.search(block.environment or ""):
            yield Passage(block, readable(block.text, format=paper.format))


_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bvs)(?<!\bFig)(?<!\bEq)(?<!\bet al)(?<!\bresp)(?<!\bNo)"
    r"[.!?][)”’]?(?=\s|$)"
    r"|\n\s*\n"
)
LONGEST = 2000


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of a passage; a semicolon ends none. What is longer than any sentence is left out."""
    start = 0
    for end in (*(found.end() for found in _END.finditer(text)), len(text)):
        inner = text[start:end]
        if inner.strip() and len(inner) <= LONGEST:
            left = start + len(inner) - len(inner.lstrip())
            yield left, start + len(inner.rstrip())
        start = end


def finding(
    paper: Manuscript,
    *places: Span,
    rule: str,
    title: str,
    body: str,
    arithmetic: str,
    severity: Severity = "moderate",
) -> Remark:
    """A remark on one place, or on one and what contradicts it."""
    first, second = (*places, None)[:2]
    return Remark(
        title=title,
        body=body,
        rule=rule,
        severity=severity,
        quote=paper.text_of(first) if first else None,
        against=paper.text_of(second) if second else None,
        arithmetic=arithmetic,
        places=places,
    )


def around(text: str, start: int, end: int, width: int = 200) -> str:
    """The text from `width` before a place to `width` after it."""
    return text[max(0, start - width) : end + width]
