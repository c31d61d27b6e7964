"""A manuscript as blocks of text in reading order.

Offsets are Python code points. `Span` speaks of the text of a block, `SourceSpan` of a source
file; `Block.source` maps the one to the other.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import model_validator

from rereview.types.record import Record

Format = Literal["latex", "markdown", "pdf"]
BlockKind = Literal[
    "title",
    "heading",
    "paragraph",
    "equation",
    "theorem",
    "proof",
    "table",
    "caption",
    "reference",
    "page-marker",
]
HiddenKind = Literal[
    "comment",
    "dead-branch",
    "after-end",
    "no-contrast",
    "tiny",
    "off-page",
    "clipped",
    "covered",
    "invisible",
    "transparent",
    "layer-off",
    "not-drawn",
    "actual-text",
    "remapped",
    "characters",
    "annotation",
    "metadata",
    "ocr-layer",
]
RemovedKind = Literal[
    "authors",
    "email",
    "acknowledgements",
    "url",
    "stamp",
    "image-metadata",
    "running",
    "line-numbers",
]
NoticeKind = Literal["confidential", "planted-instruction"]
GapKind = Literal["input", "figure", "bibliography", "main-file"]
Box = tuple[float, float, float, float]


class Span(Record):
    """`block.text[start:end]` of the block `block_id`; empty where start equals end."""

    block_id: str
    start: int
    end: int

    @model_validator(mode="after")
    def _ordered(self) -> Span:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"span {self.start}:{self.end} of {self.block_id!r}: need 0 <= start <= end")
        return self

    def touches(self, other: Span) -> bool:
        """True if both share a code point of one block, or one is empty and lies in the other."""
        if self.block_id != other.block_id:
            return False
        if self.start == self.end or other.start == other.end:
            return self.start <= other.end and other.start <= self.end
        return self.start < other.end and other.start < self.end


class SourceSpan(Record):
    """`source[start:end]` of the file `file` (relative to the folder of the main file)."""

    file: str
    start: int
    end: int


class SourceRun(Record):
    """`block.text[text_start : text_start + (end - start)] == source_of(file)[start:end]`.

    Runs are ascending in `text_start`. Text between runs was made by the reader (a space for a
    line break of another file, say) and stands nowhere in the source.
    """

    file: str
    start: int
    end: int
    text_start: int


class Block(Record):
    """A heading, paragraph, equation, ...: the unit that spans refer to.

    `text` of a LaTeX manuscript is LaTeX with comments and dead branches removed (what TeX would
    read); of Markdown it is Markdown; of a PDF plain text.
    """

    id: str
    text: str
    kind: BlockKind
    level: int | None = None
    """Depth of a heading: 1 section, 2 subsection, ..."""
    environment: str | None = None
    """What the block stands in: "abstract", "itemize", "align", "Lemma"; of a caption "table" or "figure"."""
    labels: tuple[str, ...] = ()
    """The names by which the text refers to it; of a reference its citation key."""
    number: str | None = None
    """Its printed number ("2.1", "3"), where the reader knows it."""
    page: int | None = None
    bbox: Box | None = None
    """x0, y0, x1, y1 as fractions of the page, origin top left."""
    source: tuple[SourceRun, ...] = ()


class Figure(Record):
    """An image; `path` is relative to the folder of the main file, None if it could not be shown."""

    id: str
    path: str | None
    sha256: str | None = None
    page: int | None = None
    bbox: Box | None = None
    after: str | None = None
    """Id of the block after which it stands; None: before all blocks."""
    caption: str | None = None
    """Id of its caption block."""
    name: str = ""
    """What the source calls it: a file name, or "TikZ picture"."""


class Hidden(Record):
    """Text that no reader of the paper sees; never sent to a model. Nothing is said about intent.

    `no-contrast`: white, or else the colour of what is behind it; `invisible`: a render mode that
    paints nothing; `not-drawn`: the page shows nothing in its place, for a reason that is not known;
    `remapped`: a font whose table of letters says something else than its glyphs draw;
    `characters`: zero-width, direction and tag characters. The one exception is `ocr-layer`: the
    recognised text of a scan is what the paper says, so it stays in the blocks, and `text` is "".
    """

    kind: HiddenKind
    text: str
    source: SourceSpan | None = None
    at: Span | None = None
    """Where it would stand: an empty span."""
    page: int | None = None
    bbox: Box | None = None
    """As that of a block; it may lie outside of the page, where the text does."""
    place: str = ""
    """Where it stands, if that is no place on a page: "Info Author", "highlight annotation"."""


class Removed(Record):
    """What says who wrote the paper: kept in the blocks, and left out of what a model is given.

    Also what stands around the text and is in no block: `running` heads and feet with the numbers of
    pages, and `line-numbers` in the margin. One entry is for all pages on which it comes.
    """

    kind: RemovedKind
    text: str
    at: Span | None = None
    """The passage of a block that is left out; None if it never stood in one."""
    page: int | None = None
    bbox: Box | None = None
    place: str = ""


class Notice(Record):
    """Words that bind whoever holds this copy, or that seem to test them: a run stops at them."""

    kind: NoticeKind
    text: str
    page: int | None = None
    place: str = ""


class Gap(Record):
    """Something that the source refers to and that could not be read, or a main file beside the one taken."""

    kind: GapKind
    name: str
    source: SourceSpan | None = None


class Macro(Record):
    """A macro of the paper: `name` with backslash, number of arguments, default of the first, body."""

    name: str
    arguments: int
    default: str | None
    body: str


class Manuscript(Record):
    """One version of a paper. `id` is derived from the content, `paper_id` from its name."""

    id: str
    paper_id: str
    title: str
    format: Format
    blocks: tuple[Block, ...]
    figures: tuple[Figure, ...] = ()
    sequence: tuple[str, ...] = ()
    """Ids of blocks and figures in reading order."""
    hidden: tuple[Hidden, ...] = ()
    removed: tuple[Removed, ...] = ()
    notices: tuple[Notice, ...] = ()
    gaps: tuple[Gap, ...] = ()
    macros: tuple[Macro, ...] = ()

    @cached_property
    def by_id(self) -> dict[str, Block]:
        """The blocks by their id."""
        return {block.id: block for block in self.blocks}

    @cached_property
    def left_out(self) -> dict[str, tuple[tuple[int, int], ...]]:
        """Of each block by id the ranges that say who wrote the paper, ascending and apart."""
        found: dict[str, list[tuple[int, int]]] = {}
        for each in self.removed:
            if each.at:
                found.setdefault(each.at.block_id, []).append((each.at.start, each.at.end))
        return {name: _apart(sorted(ranges)) for name, ranges in found.items()}

    def number_before(self, block: Block) -> str | None:
        """The number that stands before the text of a heading; None where it is the text's own beginning."""
        number = block.number or ""
        rest = block.text.removeprefix(number)
        told = self.format != "latex" and rest != block.text and not rest[:1].isalnum()
        return None if told else block.number

    def text_of(self, span: Span) -> str:
        """The text that a span covers. Raises KeyError for a block that is not of this version."""
        return self.by_id[span.block_id].text[span.start : span.end]


def _apart(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in ranges:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
