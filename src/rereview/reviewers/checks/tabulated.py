"""The tables of a paper as rules read them: headings, labels, values, caption and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rereview.reviewers.checks.base import reading_order
from rereview.text.cellwords import plain_words
from rereview.text.numbers import Number, number
from rereview.text.tables import Grid, TableCell, grids
from rereview.types.manuscript import Block, Manuscript, Span
from rereview.types.review import Remark, Severity

_SPREAD = re.compile(r"\s*(?:±|\+/[-−–]|[(\[]).*", re.DOTALL)
_NOTE = re.compile(
    r"\W*(?:\\\w+\s*)*\W*(?:notes?\b|sources?\b|standard errors|significan|robust|\*|p\s*<)", re.IGNORECASE
)
MIN_FILLED = 2


def lead(plain: str) -> Number | None:
    """The number of a cell, or the one before its spread or bracket (`0.43 ± 0.02`, `98.1 (0.7)`)."""
    return number(plain) or number(_SPREAD.sub("", plain, count=1))


@dataclass(frozen=True)
class PaperTable:
    """One table of the paper: its block, its grid, and the words around it.

    `caption` and `notes` are plain text; `notes` holds what stands in the block beside the cells
    and the paragraph after it that begins like a note.
    """

    block: Block
    grid: Grid
    caption: str
    notes: str
    labels: tuple[str, ...]
    number: str | None

    @cached_property
    def covering(self) -> dict[tuple[int, int], TableCell]:
        """The cell at each row and column, also where it only reaches."""
        found: dict[tuple[int, int], TableCell] = {}
        for cell in self.grid.cells:
            for down in range(cell.rows):
                for right in range(cell.columns):
                    found.setdefault((cell.row + down, cell.column + right), cell)
        return found

    @cached_property
    def head(self) -> int:
        """How many rows are headings."""
        rule = next((r + 1 for r in self.grid.rules if 0 <= r < self.grid.rows - 1), 0)
        head = rule or 1
        while head < self.grid.rows - 1 and self._is_heading(head):
            head += 1
        return min(head, self.grid.rows)

    def _is_heading(self, row: int) -> bool:
        cells = [c for c in self.grid.cells if c.row == row and c.plain and c.column]
        return len(cells) >= MIN_FILLED and not any(re.search(r"\d|^[–—-]$", c.plain) for c in cells)

    @cached_property
    def values(self) -> dict[tuple[int, int], Number]:
        """The number of each cell below the head that begins with one; spanning cells are left out."""
        found = {}
        for cell in self.grid.cells:
            if cell.row >= self.head and cell.columns == 1 and cell.rows == 1 and (read := lead(cell.plain)):
                found[cell.row, cell.column] = read
        return found

    @cached_property
    def stub(self) -> int:
        """How many columns at the left are labels: the first, and those after it that hold mostly words."""
        width = 1
        while width < self.grid.columns - 1:
            cells = [c for c in self.grid.cells if c.row >= self.head and c.column == width and c.plain]
            if not cells or 2 * sum((c.row, width) in self.values for c in cells) > len(cells):
                break
            width += 1
        return width

    @cached_property
    def body(self) -> tuple[int, ...]:
        """The rows that hold a value right of the labels."""
        return tuple(sorted({row for row, column in self.values if column >= self.stub}))

    @cached_property
    def value_columns(self) -> tuple[int, ...]:
        """The columns that hold a value, right of the labels."""
        return tuple(sorted({column for _, column in self.values if column >= self.stub}))

    @cached_property
    def sections(self) -> dict[int, str]:
        """For each row the words of the last row above that holds one cell alone ("Panel A")."""
        found: dict[int, str] = {}
        current = ""
        for row in range(self.head, self.grid.rows):
            filled = [c for c in self.grid.cells if c.row == row and c.plain]
            if len(filled) == 1 and row not in self.body and filled[0].column == 0:
                current = filled[0].plain
            found[row] = current
        return found

    def heading(self, column: int) -> str:
        """The words above a column, from the top."""
        words = [self.covering.get((row, column)) for row in range(self.head)]
        return " ".join(dict.fromkeys(cell.plain for cell in words if cell and cell.plain))

    def stub_cells(self, row: int) -> list[TableCell]:
        """The label cells of a row; a label that is left blank is the one above it."""
        found = []
        for column in range(self.stub):
            cell = self.covering.get((row, column))
            above = row
            while column < self.stub - 1 and (cell is None or not cell.plain) and above > self.head:
                above -= 1
                cell = self.covering.get((above, column))
            if cell and cell.plain:
                found.append(cell)
        return found

    def label(self, row: int) -> str:
        """The last label of a row, as written."""
        cells = self.stub_cells(row)
        return cells[-1].plain if cells else ""

    def group(self, row: int) -> str:
        """What a row shares with its group: its earlier labels, or the section that it stands in."""
        cells = self.stub_cells(row)
        return " ".join(c.plain for c in cells[:-1]) or self.sections.get(row, "")

    def cell(self, row: int, column: int) -> TableCell:
        """The cell that covers a place. Raises KeyError where the table has none."""
        return self.covering[row, column]

    def span(self, *cells: TableCell) -> Span:
        """From the first to the last of these cells, in the block."""
        start, end = min(c.start for c in cells), max(c.end for c in cells)
        return Span(block_id=self.block.id, start=start, end=end)

    def row_span(self, row: int, upto: int | None = None) -> Span:
        """From the label of a row, where it stands in that row, to the cell in column `upto`, or its last."""
        cells = [
            c for c in self.grid.cells if c.row == row and c.plain and (upto is None or c.column <= upto)
        ]
        return self.span(*cells)


def table_remark(
    place: Span,
    text: str,
    other: Span,
    table: PaperTable,
    *,
    rule: str,
    title: str,
    body: str,
    arithmetic: str,
    severity: Severity,
) -> Remark:
    """A remark on a sentence and a place in a table."""
    return Remark(
        title=title,
        body=body,
        rule=rule,
        severity=severity,
        quote=text[place.start : place.end],
        against=table.block.text[other.start : other.end],
        arithmetic=arithmetic,
        places=(place, other),
    )


def tables(paper: Manuscript) -> tuple[PaperTable, ...]:
    """The tables of a paper, in reading order."""
    order = reading_order(paper)
    blocks = sorted(paper.blocks, key=lambda block: order[block.id])
    return tuple(
        table
        for i, block in enumerate(blocks)
        if block.kind == "table"
        for table in _tables(paper, blocks, i)
    )


def _tables(paper: Manuscript, blocks: list[Block], at: int) -> Iterator[PaperTable]:
    block = blocks[at]
    caption = _caption(blocks, at)
    found = [grid for grid in grids(block.text, format=paper.format) if grid.rows > 1]
    labels = (*block.labels, *(caption.labels if caption else ()))
    words = plain_words(caption.text) if caption else ""
    numbered = block.number or (caption.number if caption else None)
    notes = plain_words(_beside(block, found) + " " + " ".join(_following(blocks, at)))
    for grid in found:
        yield PaperTable(block, grid, words, notes, labels, numbered)


def _caption(blocks: list[Block], at: int) -> Block | None:
    """The caption next to a table: the one that shares its number or label, else the nearer before after."""
    near = [blocks[i] for i in (at - 1, at + 1, at - 2, at + 2) if 0 <= i < len(blocks)]
    captions = [b for b in near if b.kind == "caption" and b.environment != "figure"]
    same = [b for b in captions if set(b.labels) & set(blocks[at].labels)]
    return next(iter(same or captions), None)


def _beside(block: Block, found: list[Grid]) -> str:
    """What stands in the block of a table outside of its cells."""
    pieces, end = [], 0
    for grid in found:
        if grid.cells:
            pieces.append(block.text[end : min(c.start for c in grid.cells)])
            end = max(c.end for c in grid.cells)
    return " ".join([*pieces, block.text[end:]])


def _following(blocks: list[Block], at: int) -> Iterator[str]:
    """The paragraphs right after a table that begin like a note."""
    for block in blocks[at + 1 : at + 6]:
        if block.kind == "caption":
            continue
        if block.kind != "paragraph" or not (
            block.environment in {"tablenotes", "table"} or _NOTE.match(block.text)
        ):
            return
        yield block.text
