"""Tables of a PDF by their rows: cells that stand below each other, next to a caption, with rules or without.

A row is what stands at one height, cut where the white is wider than between words. Rows are those of a
table if white runs down through most of them at one place. Text that is set in columns, that is spaced
widely, or that is a list or numbered formulas has such white too, and is told apart row by row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from rereview.ingest.pdf_text import Line
from rereview.types.manuscript import Box

# "Figure 2 Growth of yeast" is a caption, "Figure 2 shows" is a sentence.
CAPTION = re.compile(
    r"(?P<what>Table|TABLE|Figure|FIGURE|Fig\.|FIG\.)\s+(?P<number>[A-Z]?\d+(?:\.\d+)*|[IVX]+)"
    r"(?:\s*(?:[.:|]|$)|\s+(?=[A-Z]\w))"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_LABEL = re.compile(r"(?:[•◦▪‣·∙*–—-]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})[.)]|\[\w{1,12}\])\s")
_FORMULA = re.compile(r"\((?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})*[a-z]?\)\s*\Z")
_MIDDLE = 0.5
_SLACK = 0.03
"""Of the width of the page: what reaches so little over the middle is still in its column."""
_BODY_WORDS = 5
# In font sizes.
_SAME_ROW = 0.5
_GAP = 0.75
_STEP = 4.0
"""Rows that are further apart than double spacing and a rule are not of one table."""
_CAPTION_STEP = 3.0
_EVEN, _LOOSE = 1.3, 2.0
"""White that is so even and no wider is that of a line drawn out to its full width."""
_MOST_SKIPPED = 6
"""Lines of a caption, of units or of notes that may stand between its first line and the table."""
_FEWEST_ROWS = 3
_AGREE = 0.6
_PROSE_WORDS, _PROSE_WIDTH = 5, 0.55
_LIKE = 0.7
_COLUMN_WORDS = 4
"""Words a cell, if all are about as wide: then it is text in columns."""
_LEADING = 1.6


class Row(NamedTuple):
    """What stands at one height: cells from left to right, and the lines (indices) that they are of."""

    y: float
    size: float
    cells: tuple[tuple[float, float], ...]
    words: int
    lines: tuple[int, ...]
    labelled: bool
    """A label and a text, or a formula and its number."""


class Aligned(NamedTuple):
    """The rows of a table: the line (index) with which its caption begins, and its own lines."""

    caption: int
    lines: tuple[int, ...]
    skipped: int
    below: bool


def column(lines: Sequence[Line], caption: Box) -> tuple[float, float]:
    """The column in which a caption stands; the whole page, if none has text beside it."""
    aside = [line.box for line in lines if len(_WORD.findall(line.text)) >= _BODY_WORDS]
    if caption[2] <= _MIDDLE + _SLACK and any(box[0] >= _MIDDLE - _SLACK for box in aside):
        return 0.0, _MIDDLE + _SLACK
    if caption[0] >= _MIDDLE - _SLACK and any(box[2] <= _MIDDLE + _SLACK for box in aside):
        return _MIDDLE - _SLACK, 1.0
    return 0.0, 1.0


def is_in(box: Box, left: float, right: float) -> bool:
    """Tell if a box stands in a column."""
    return left <= (box[0] + box[2]) / 2 <= right and box[0] >= left - _SLACK and box[2] <= right + _SLACK


def aligned(lines: Sequence[Line]) -> tuple[Aligned, ...]:
    """The tables of a page, on either side of a caption: of both, which is whose is for the paper to tell."""
    captions = {place: found for place, line in enumerate(lines) if (found := CAPTION.match(line.text))}
    return tuple(
        found
        for at, caption in captions.items()
        if caption["what"].lower() == "table"
        for below in (True, False)
        for found in _beside(lines, frozenset(captions), at, below=below)
    )


def _beside(lines: Sequence[Line], captions: frozenset[int], at: int, *, below: bool) -> Iterator[Aligned]:
    caption = lines[at]
    left, right = column(lines, caption.box)
    inside = [
        place
        for place, line in enumerate(lines)
        if place != at and is_in(line.box, left, right) and (line.y < caption.y) == below
    ]
    rows = list(_near(caption, rows_of(lines, inside), captions, below=below))
    skipped = len(list(takewhile(lambda row: not _is_tabular(row), rows)))
    before, table = rows[:skipped], rows[skipped:]
    widest = max((_width(row) for row in rows), default=0.0)
    if skipped > _MOST_SKIPPED or _steps_over(caption, before) or not table:
        return
    if not below and any(_is_prose(row, widest) for row in before):
        return
    found = _table(table, widest)
    if found:
        yield Aligned(at, tuple(sorted(place for row in found for place in row.lines)), skipped, below)


def _near(caption: Line, rows: Sequence[Row], captions: frozenset[int], *, below: bool) -> Iterator[Row]:
    """The rows from a caption on, until one is far from the one before, or another caption comes."""
    y = caption.y
    for row in rows if below else reversed(rows):
        if abs(row.y - y) > _STEP * max(row.size, caption.size) or not captions.isdisjoint(row.lines):
            return
        y = row.y
        yield row


def _steps_over(caption: Line, rows: Sequence[Row]) -> bool:
    """Tell if some of the lines between a caption and a table stand apart: they are the text then."""
    heights = [caption.y, *(row.y for row in rows)]
    return any(abs(one - other) > _CAPTION_STEP * caption.size for one, other in pairwise(heights))


def rows_of(lines: Sequence[Line], places: Sequence[int]) -> list[Row]:
    """The rows of some lines (indices), from the top."""
    found: list[list[int]] = []
    for place in sorted(places, key=lambda each: -lines[each].y):
        line = lines[place]
        if not found or lines[found[-1][0]].y - line.y > _SAME_ROW * line.size:
            found.append([])
        found[-1].append(place)
    return [_row(lines, row) for row in found]


def _row(lines: Sequence[Line], row: Sequence[int]) -> Row:
    members = sorted(row, key=lambda place: lines[place].x0)
    size = max(lines[place].size for place in members)
    cells: list[tuple[float, float]] = []
    for cell in sorted(cell for place in members for cell in lines[place].cells or (_whole(lines[place]),)):
        if cells and cell[0] - cells[-1][1] < _GAP * size:
            cells[-1] = (cells[-1][0], max(cell[1], cells[-1][1]))
        else:
            cells.append(cell)
    text = " ".join(lines[place].text for place in members)
    labelled = len(cells) == 2 and bool(_LABEL.match(text) or _FORMULA.search(text))  # noqa: PLR2004  it and the rest
    return Row(
        lines[members[0]].y, size, tuple(cells), len(_WORD.findall(text)), tuple(members), labelled=labelled
    )


def _whole(line: Line) -> tuple[float, float]:
    return line.x0, line.x1


def _width(row: Row) -> float:
    return row.cells[-1][1] - row.cells[0][0]


def _gaps(row: Row) -> list[tuple[float, float]]:
    return [(before[1], after[0]) for before, after in pairwise(row.cells)]


def _is_tabular(row: Row) -> bool:
    """Tell cells from a line drawn out to its full width, from columns of text, and from labels."""
    if len(row.cells) < 2 or row.labelled:  # noqa: PLR2004  cells have others beside them
        return False
    white = [end - begin for begin, end in _gaps(row)]
    even = len(white) >= _FEWEST_ROWS and max(white) <= min(_EVEN * min(white), _LOOSE * row.size)
    if (even and row.words > _LIKE * len(row.cells)) or (
        max(white) <= _EVEN * row.size and row.words >= 2 * len(row.cells)
    ):
        return False
    widths = [end - begin for begin, end in row.cells]
    return min(widths) < _LIKE * max(widths) or row.words < _COLUMN_WORDS * len(row.cells)


def _is_prose(row: Row, widest: float) -> bool:
    return not _is_tabular(row) and row.words >= _PROSE_WORDS and _width(row) >= _PROSE_WIDTH * widest


def _table(rows: Sequence[Row], widest: float) -> list[Row]:
    """The rows, from the first on, between which white runs down; none if there are too few."""
    kept: list[Row] = []
    for row in rows:
        if kept and _is_prose(row, widest) and _is_prose(kept[-1], widest):
            kept.pop()
            break
        kept.append(row)
    white = _white([row for row in kept if _is_tabular(row)])
    agree = [at for at, row in enumerate(kept) if _is_tabular(row) and _runs_through(white, row)]
    few = len(agree) < _FEWEST_ROWS and (len(agree) < 2 or len(white) < 2)  # noqa: PLR2004  two rows with three cells
    if few or len(agree) < _AGREE * (agree[-1] + 1):
        return []
    end = agree[-1] + 1
    while end < len(kept) and _goes_on(white, kept[end - 1], kept[end]):
        end += 1
    return kept[:end]


def _white(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Where most of the rows have white between cells, from the left."""
    steps = sorted(
        (edge, change)
        for row in rows
        for gap in _gaps(row)
        for edge, change in zip(gap, (1, -1), strict=True)
    )
    needed = max(2.0, _AGREE * len(rows))
    found: list[tuple[float, float]] = []
    count, begin = 0, None
    for edge, change in steps:
        count += change
        if begin is None and count >= needed:
            begin = edge
        elif begin is not None and count < needed:
            found.append((begin, edge))
            begin = None
    return found


def _runs_through(white: Sequence[tuple[float, float]], row: Row) -> bool:
    return any(begin < high and low < end for begin, end in _gaps(row) for low, high in white)


def _goes_on(white: Sequence[tuple[float, float]], before: Row, row: Row) -> bool:
    """Tell a cell that needs another line: it stays within its column, close to the row before."""
    apart = any(begin <= low and high <= end for begin, end in row.cells for low, high in white)
    return abs(before.y - row.y) <= _LEADING * row.size and not apart
