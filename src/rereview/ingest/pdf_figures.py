"""Where the figures and tables of a PDF stand: what is drawn between a caption and the text around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from rereview.ingest.pdf_tables import Aligned, aligned, column, is_in
from rereview.ingest.pdf_text import Line, Page
from rereview.types.manuscript import Block, Box

_WORD = re.compile(r"[^\W\d_]{2,}")
_PART = re.compile(r"\([a-z]\)")
"""How the caption of a part of a figure begins, which stands within the figure."""
_BODY_WORDS = 5
_BODY_WIDTH = 0.6
"""Of the width of the column: a line of the text takes so much, a label of a figure less."""
_THIN = 0.0045
"""Of the page: a rule of a point or two."""
_LONG = 0.15
_TALLEST = 0.4
"""Of the height of the page: rules that are further apart are those of the running head and foot."""
_MOST_RULED = 500
_NEXT_ROW = 0.03
"""Of the height of the page: a row of a table without rules stands so near to the one before."""
_FEWEST_ROWS = 3
_NEAR = 0.03
"""Of the height of the page: labels that stand so near to what is drawn belong to it."""
_EDGE = 0.006
_FLAT = 0.02
"""Of the height of the page: what is no higher has no two rows."""
_RULE = 0.012
"""Of the height of the page: the last rule stands so near to the last row."""
_WHOLE: Box = (0.0, 0.0, 1.0, 1.0)


class Place(NamedTuple):
    """A caption's block, and the part of its page that it is about."""

    caption: str
    page: int
    box: Box
    name: str


def places(pages: Sequence[Page], blocks: Sequence[Block]) -> Iterator[Place]:
    """The figures and tables that have a caption and show something, in the order of the captions."""
    captions = [block for block in blocks if block.kind == "caption"]
    tables = _tables(pages, captions)
    first = {block.id: tables.get(block.id) or _of(pages, block, captions, usual=True) for block in captions}
    for block in captions:
        box = first[block.id]
        if box is None:
            taken = [first[other.id] for other in captions if other.page == block.page]
            box = _of(pages, block, captions, usual=False)
            if box is None or any(other is not None and _meet(box, other) for other in taken):
                continue
        name = f"{block.environment} {block.number or ''}".strip()
        yield Place(block.id, block.page or 0, box, name)


def _tables(pages: Sequence[Page], captions: Sequence[Block]) -> dict[str, Box]:
    """Of captions of tables the rows that stand below each other beside them, by the caption's block.

    Where there are some on both sides, those on the side on which most tables of the paper stand.
    """
    claims = [
        (block, rows)
        for block in captions
        if block.environment == "table" and block.page and not pages[block.page - 1].scan
        for rows in aligned(pages[block.page - 1].lines)
        if block.bbox and _holds(block.bbox, pages[block.page - 1].lines[rows.caption].box)
    ]
    sides = Counter(block.id for block, _ in claims)
    vote = sum(1 if rows.below else -1 for block, rows in claims if sides[block.id] == 1)
    found: dict[str, Box] = {}
    taken: set[tuple[int, int]] = set()
    for block, rows in sorted(
        claims, key=lambda claim: (vote * (-1 if claim[1].below else 1), claim[1].skipped)
    ):
        mine = {(block.page or 0, place) for place in rows.lines}
        if block.id not in found and taken.isdisjoint(mine):
            taken |= mine
            found[block.id] = _of_rows(pages[(block.page or 0) - 1], block.bbox or _WHOLE, rows)
    return found


def _of_rows(page: Page, caption: Box, rows: Aligned) -> Box:
    """Around rows, the rules above and below them, and what stands between them and their caption."""
    first = page.lines[rows.caption].box
    box = _around([page.lines[place].box for place in rows.lines])
    left, right = column(page.lines, first)
    graphics = [each for each in page.graphics if is_in(each, left, right)]
    # A head that is taken for a line of the caption stands below the first rule.
    head = [each[1] for each in graphics if _is_rule(each) and first[3] <= each[1] <= box[1]]
    low = min(caption[3], box[1], *head) if rows.below else box[1] - _RULE
    high = box[3] + _RULE if rows.below else max(caption[1], box[3])
    lines = [line.box for line in page.lines if is_in(line.box, left, right)]
    drawn = [each for each in graphics if each[3] - each[1] <= high - low]
    # Beyond its far end a table has a rule, and the next line is the text.
    top, bottom = (low, box[3]) if rows.below else (box[1], high)
    near = [each for each in lines if top <= (each[1] + each[3]) / 2 <= bottom]
    near += [each for each in drawn if low <= (each[1] + each[3]) / 2 <= high]
    x0, y0, x1, y1 = _around([box, *near])
    return max(x0 - _EDGE, 0.0), max(y0 - _EDGE, low), min(x1 + _EDGE, 1.0), min(y1 + _EDGE, high, 1.0)


def _is_rule(box: Box) -> bool:
    return box[3] - box[1] <= _THIN and box[2] - box[0] >= _LONG


def _of(pages: Sequence[Page], block: Block, captions: Sequence[Block], *, usual: bool) -> Box | None:
    if block.bbox is None or block.page is None:
        return None
    page = pages[block.page - 1]
    if page.scan:
        return _WHOLE
    others = [other.bbox for other in captions if other.page == block.page and other.bbox]
    return _shown(page, block.bbox, others, is_table=block.environment == "table", usual=usual)


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _shown(page: Page, caption: Box, captions: Sequence[Box], *, is_table: bool, usual: bool) -> Box | None:
    """A figure usually stands above its caption, a table below; else on the other side."""
    left, right = column(page.lines, caption)
    lines = [line for line in page.lines if is_in(line.box, left, right)]
    graphics = [box for box in page.graphics if is_in(box, left, right)]
    inside = [*graphics, *_ruled(graphics, caption)] if is_table else graphics
    ends = [*_body(lines, inside), *(box for box in captions if is_in(box, left, right))]
    above, below = (_above(ends, caption), caption[1]), (caption[3], _below(ends, caption))
    low, high = below if is_table == usual else above
    drawn = [box for box in graphics if low <= (box[1] + box[3]) / 2 <= high]
    shown = drawn if is_table else _without_rules(drawn)
    if is_table and not shown:
        shown = _rows(lines, caption, low, high)
    box = _with_labels(_around(shown), lines, low, high) if shown else None
    return None if box is None or (is_table and box[3] - box[1] < _FLAT) else box


def _rows(lines: Sequence[Line], caption: Box, low: float, high: float) -> list[Box]:
    """Rows of a table without rules: the lines next to its caption that are none of the text."""
    between = [line.box for line in lines if low <= (line.box[1] + line.box[3]) / 2 <= high]
    found: list[Box] = []
    edge = caption
    for box in sorted(between, key=lambda box: max(box[1] - caption[3], caption[1] - box[3])):
        if max(box[1] - edge[3], edge[1] - box[3]) > _NEXT_ROW:
            break
        found.append(box)
        edge = _around([edge, box])
    heights = {round(box[1] / _THIN) for box in found}
    return found if len(heights) >= _FEWEST_ROWS else []


def _without_rules(drawn: Sequence[Box]) -> list[Box]:
    """Leave out lines apart from all else: a rule under a running head is no part of a figure."""
    solid = [box for box in drawn if min(box[3] - box[1], box[2] - box[0]) > _THIN]
    if not solid:
        return []
    _, top, _, bottom = _around(solid)
    return [box for box in drawn if box[3] >= top - _EDGE and box[1] <= bottom + _EDGE]


def _ruled(graphics: Sequence[Box], caption: Box) -> list[Box]:
    """What stands between two rules of the same width on one side of a caption: rows of a table."""
    rules = sorted(
        filter(_is_rule, graphics),
        key=lambda box: box[1],
    )
    pairs = (
        _around([upper, lower])
        for upper, lower in combinations(rules, 2)
        if abs(upper[0] - lower[0]) <= _EDGE
        and abs(upper[2] - lower[2]) <= _EDGE
        and lower[3] - upper[1] <= _TALLEST
        and (lower[3] <= caption[1] or upper[1] >= caption[3])
    )
    return list(islice(pairs, _MOST_RULED))


def _above(ends: Sequence[Box], caption: Box) -> float:
    return max((box[3] for box in ends if box[3] <= caption[1]), default=0.0)


def _below(ends: Sequence[Box], caption: Box) -> float:
    return min((box[1] for box in ends if box[1] >= caption[3]), default=1.0)


def _body(lines: Sequence[Line], graphics: Sequence[Box]) -> list[Box]:
    """Lines of the text: as wide as the others, of words, and not inside of anything drawn.

    And the line after one, which may be short.
    """
    widths = sorted(line.box[2] - line.box[0] for line in lines)
    usual = widths[int(len(widths) * 0.8)] if widths else 1.0
    found: list[Box] = []
    before: Box | None = None
    for line in lines:
        box, words = line.box, len(_WORD.findall(line.text))
        full = box[2] - box[0] >= _BODY_WIDTH * usual and words >= _BODY_WORDS and not _PART.match(line.text)
        is_body = full or (before is not None and _follows(before, box))
        before = box if is_body and not any(_holds(drawn, box) for drawn in graphics) else None
        found += [] if before is None else [before]
    return found


def _follows(before: Box, box: Box) -> bool:
    height = before[3] - before[1]
    return abs(box[0] - before[0]) <= _EDGE and -height < box[1] - before[3] <= height


def _holds(outer: Box, inner: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]


def _with_labels(box: Box, lines: Sequence[Line], low: float, high: float) -> Box:
    near = [
        line.box
        for line in lines
        if low < (line.box[1] + line.box[3]) / 2 < high
        and line.box[3] >= box[1] - _NEAR
        and line.box[1] <= box[3] + _NEAR
    ]
    x0, y0, x1, y1 = _around([box, *near])
    return (
        max(x0 - _EDGE, 0.0),
        max(y0 - _EDGE, low, 0.0),
        min(x1 + _EDGE, 1.0),
        min(y1 + _EDGE, high, 1.0),
    )


def _around(boxes: Sequence[Box]) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)
