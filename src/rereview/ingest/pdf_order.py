"""The order in which a page of columns is read: by where its characters stand, not when they are drawn.

Characters of a row that stand close together are a run. A gutter is the place in the middle of
the text that few runs cross and that has runs on both sides at most heights. Columns are read from the
left, all of them up to each row that crosses every gutter. Each side of a gutter may have another one, if
all columns are then of one width: that is three columns or four, and not a table in one of two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

GAP = 0.75
"""Of the font size: white between columns is at least so wide."""
_SAME_ROW = 0.5
_MIDDLE = (0.3, 0.7)
"""Shares of the width of the text between which a gutter may be."""
_FEWEST_ROWS = 6
_FILLED = 0.6
"""Lines of columns take so much of their width; cells of a table take less."""
_ABOVE, _BELOW = 0.9, 0.25
"""Font sizes that a line takes, from its baseline."""
_BACK = 6.0
"""Font sizes: a line so much higher than the one before is drawn out of order; in formulas it is less."""
_STEP = 0.75
"""Font sizes: a character that stands so much higher or lower than the one before is in another row."""

_FINE = 2000
"""Places and heights that a page is divided into at most: text may stand far off the page."""

_ACROSS = 9
"""Sides are counted from the left; what crosses comes after them."""
_EQUAL = 0.8
"""Columns of a page are of one width, to so much."""
_BESIDE = 0.1
"""Of the width of the text: another gutter is at least so far away."""
_MOST_TRIED = 2
_TITLE_SIZE, _CENTRED = 1.2, 0.05

Floats = NDArray[np.float64]


class Glyph(NamedTuple):
    """Where a character stands, in points, in reading direction: `y` is the baseline, upwards."""

    x0: float
    x1: float
    y: float
    size: float


@dataclass(frozen=True)
class Places:
    """Glyphs as arrays of one length; `drawn` is false for one that has no place of its own."""

    x0: Floats
    x1: Floats
    y: Floats
    size: Floats
    drawn: NDArray[np.bool_]

    @classmethod
    def of(cls, glyphs: Sequence[Glyph | None]) -> Places:
        """The same as arrays."""
        rows = np.array([each or (0.0, 0.0, 0.0, 0.0) for each in glyphs], dtype=float).reshape(-1, 4)
        x0, x1, y, size = rows.T
        return cls(x0, x1, y, size, np.array([each is not None for each in glyphs], dtype=bool))

    def glyphs(self) -> list[Glyph | None]:
        """One by one."""
        columns = (column.tolist() for column in (self.x0, self.x1, self.y, self.size, self.drawn))
        return [
            Glyph(x0, x1, y, size) if drawn else None for x0, x1, y, size, drawn in zip(*columns, strict=True)
        ]


class Piece(NamedTuple):
    """Characters `members` (indices) that are drawn one after the other on one side of the gutter."""

    side: int
    x: float
    y: float
    members: tuple[int, ...]


class Run(NamedTuple):
    """Characters `members` of one row that stand close together, from `x0` to `x1`."""

    x0: float
    x1: float
    y: float
    size: float
    members: tuple[int, ...]


def ordered(
    lines: Sequence[Sequence[int]], given: Places | Sequence[Glyph | None]
) -> list[tuple[int, ...]] | None:
    """Lines in reading order, cut at the gutter; None if the page has one column.

    `lines`: indices of what is given, as they are drawn. A glyph that is None has no place of its own (a
    space that PDFium made up) and stays with the one before it.
    """
    found = runs(lines, given)
    gutters = _gutters(found)
    if not gutters:
        return None
    glyphs = given.glyphs() if isinstance(given, Places) else given
    sides = _sides(found, gutters)
    pieces = [piece for line in lines for piece in _pieces(line, glyphs, sides)]
    return [piece.members for piece in _read(pieces, glyphs)]


def _sides(found: Sequence[Run], gutters: Sequence[float]) -> dict[int, int]:
    """Of each character; what stands in a row that crosses belongs to it: the marks at a name, say.

    Of several gutters a run that crosses only some belongs to the column in which it begins.
    """
    across = [run for run in found if run.x0 < gutters[0] and gutters[-1] < run.x1]
    if len(gutters) > 1:
        across += _titles(found)
    sides: dict[int, int] = {}
    for run in found:
        crosses = any(abs(run.y - other.y) < _SAME_ROW * other.size for other in across)
        side = _ACROSS if crosses else sum(gutter <= run.x0 for gutter in gutters)
        sides |= dict.fromkeys(run.members, side)
    return sides


def _titles(found: Sequence[Run]) -> list[Run]:
    """Larger words in the middle of the page, alone at their height: they may be within the middle column."""
    usual = float(np.median([run.size for run in found]))
    left, right = min(run.x0 for run in found), max(run.x1 for run in found)
    return [
        run
        for run in found
        if run.size >= _TITLE_SIZE * usual
        and abs(run.x0 + run.x1 - left - right) <= 2 * _CENTRED * (right - left)
        and not any(other is not run and abs(run.y - other.y) < run.size for other in found)
    ]


def runs(lines: Sequence[Sequence[int]], given: Places | Sequence[Glyph | None]) -> list[Run]:
    """The runs of a page from the top, and from the left; the arguments are those of `ordered`."""
    places = given if isinstance(given, Places) else Places.of(given)
    drawn = np.flatnonzero(places.drawn)
    if not drawn.size:
        return []
    gap = widest_gap(lines, places)
    placed = drawn[np.argsort(-places.y[drawn], kind="stable")]
    return [run for row in _rows(placed, places) for run in _runs_of(row, places, gap)]


def _rows(placed: NDArray[np.intp], places: Places) -> Iterator[NDArray[np.intp]]:
    """What stands at one height, from the left. `placed`: from the top."""
    heights = places.y[placed]
    cuts = [0, *(np.flatnonzero(np.diff(heights)) + 1).tolist()]
    begin = 0
    for cut in cuts:
        if heights[begin] - heights[cut] > _SAME_ROW * places.size[placed[begin]]:
            yield _from_left(placed[begin:cut], places)
            begin = cut
    yield _from_left(placed[begin:], places)


def _from_left(row: NDArray[np.intp], places: Places) -> NDArray[np.intp]:
    return row[np.argsort(places.x0[row], kind="stable")]


def widest_gap(lines: Sequence[Sequence[int]], places: Places) -> float:
    """White of so many font sizes parts columns and cells, and not words."""
    return max(GAP, 2 * _word_gap(lines, places))


def _word_gap(lines: Sequence[Sequence[int]], places: Places) -> float:
    """The usual white between words, in font sizes: it is wide in the type of a typewriter."""
    order = np.concatenate([np.asarray(line, dtype=np.intp) for line in lines])
    number = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    at = np.flatnonzero(places.drawn[order])
    before, after = order[at[:-1]], order[at[1:]]
    spaced = (np.diff(at) > 1) & (np.diff(number[at]) == 0) & (places.size[after] != 0)
    before, after = before[spaced], after[spaced]
    found = (places.x0[after] - places.x1[before]) / places.size[after]
    return float(np.median(found)) if found.size else 0.0


def _runs_of(row: NDArray[np.intp], places: Places, gap: float) -> list[Run]:
    x0, x1, size = places.x0[row], places.x1[row], places.size[row]
    ends = np.maximum.accumulate(x1)
    begins = [0, *(np.flatnonzero(x0[1:] - ends[:-1] >= gap * size[1:]) + 1).tolist()]
    left, right, largest = (
        np.minimum.reduceat(x0, begins),
        np.maximum.reduceat(x1, begins),
        np.maximum.reduceat(size, begins),
    )
    members = row.tolist()
    return [
        Run(*edges, float(places.y[members[begin]]), high, tuple(members[begin:end]))
        for begin, end, edges, high in zip(
            begins,
            [*begins[1:], len(members)],
            zip(left.tolist(), right.tolist(), strict=True),
            largest.tolist(),
            strict=True,
        )
    ]


def _gutters(found: Sequence[Run]) -> list[float]:
    """From the left; none if the page has one column."""
    candidates = list(islice(_candidates(found), _MOST_TRIED))
    # Where the last column ends early, the best place may have a side that is not filled.
    for gutter, _ in candidates:
        several = _split(found, gutter)
        if len(several) > 1:
            return several
    return [gutter for gutter, is_filled in candidates[:1] if is_filled]


def _split(found: Sequence[Run], gutter: float) -> list[float]:
    """The gutter, and those of its sides if that makes columns of one width."""
    sides = ([run for run in found if run.x1 <= gutter], [run for run in found if run.x0 >= gutter])
    inner = [next(_candidates(side), (0.0, False)) for side in sides]
    gutters = sorted([gutter, *(place for place, is_filled in inner if is_filled)])
    edges = [float("-inf"), *gutters, float("inf")]
    columns = [[run for run in found if low <= run.x0 and run.x1 <= high] for low, high in pairwise(edges)]
    if not all(columns):
        return [gutter]
    widths = [max(run.x1 for run in column) - min(run.x0 for run in column) for column in columns]
    return gutters if min(widths) >= _EQUAL * max(widths) else [gutter]


def _candidates(found: Sequence[Run]) -> Iterator[tuple[float, bool]]:
    """Where a gutter may be, the best first, and if the sides are filled as by lines."""
    if not found:
        return
    left, right = min(run.x0 for run in found), max(run.x1 for run in found)
    unit = max(1.0, (right - left) / _FINE, _extent(found) / _FINE)
    grid = _grid(found, left, right, unit)
    width = grid.shape[1]
    before = np.cumsum(grid, axis=1)
    after: NDArray[np.intp] = before[:, -1:] - before
    both = ((before > 0) & (after > 0) & ~grid).sum(axis=0)
    begin, end = (int(share * width) for share in _MIDDLE)
    score = (both - grid.sum(axis=0))[begin:end]
    height = (_ABOVE + _BELOW) * float(np.median([run.size for run in found]))
    while score.size and score.max() > 0:
        best = np.flatnonzero(score == score.max())
        place = int(best[len(best) // 2])
        if both[place + begin] < _FEWEST_ROWS * height / unit:
            return
        yield left + (place + begin + 0.5) * unit, _is_filled(grid, place + begin)
        score[max(0, place - int(_BESIDE * width)) : place + int(_BESIDE * width) + 1] = 0


def _extent(found: Sequence[Run]) -> float:
    return max(run.y + run.size for run in found) - min(run.y - run.size for run in found)


def _grid(found: Sequence[Run], left: float, right: float, unit: float) -> NDArray[np.bool_]:
    """Shape (heights, places), `unit` points each: where runs stand."""
    low = min(run.y - _BELOW * run.size for run in found)
    high = max(run.y + _ABOVE * run.size for run in found)
    grid = np.zeros((int((high - low) / unit) + 2, int((right - left) / unit) + 2), dtype=bool)
    for run in found:
        bottom = int((run.y - _BELOW * run.size - low) / unit)
        top = max(bottom + 1, int((run.y + _ABOVE * run.size - low) / unit))
        grid[bottom:top, int((run.x0 - left) / unit) : int((run.x1 - left) / unit) + 1] = True
    return grid


def _is_filled(grid: NDArray[np.bool_], column: int) -> bool:
    """Tell two columns of lines from the cells of a table."""
    free = ~grid[:, column]
    for side in (grid[free, :column], grid[free, column:]):
        used = side[side.any(axis=1)]
        if not len(used) or float(np.median(used.mean(axis=1))) < _FILLED:
            return False
    return True


def _pieces(line: Sequence[int], glyphs: Sequence[Glyph | None], sides: dict[int, int]) -> list[Piece]:
    """Cut where the side changes, and at a new row: PDFium takes some that are drawn upwards for one."""
    cut: list[tuple[int, list[int]]] = []
    waiting: list[int] = []
    before: Glyph | None = None
    for index in line:
        glyph = glyphs[index]
        if glyph is None:
            (cut[-1][1] if cut else waiting).append(index)
            continue
        steps = before is not None and abs(glyph.y - before.y) > _STEP * max(glyph.size, before.size)
        if not cut or steps or cut[-1][0] != sides[index]:
            cut.append((sides[index], waiting))
            waiting = []
        cut[-1][1].append(index)
        before = glyph
    return [_piece(side, members, glyphs) for side, members in cut]


def _piece(side: int, members: Sequence[int], glyphs: Sequence[Glyph | None]) -> Piece:
    placed = [glyph for glyph in (glyphs[member] for member in members) if glyph is not None]
    heights = sorted(glyph.y for glyph in placed)
    return Piece(side, min(glyph.x0 for glyph in placed), heights[len(heights) // 2], tuple(members))


def _size(piece: Piece, glyphs: Sequence[Glyph | None]) -> float:
    return max(glyph.size for glyph in (glyphs[member] for member in piece.members) if glyph is not None)


def _read(pieces: Sequence[Piece], glyphs: Sequence[Glyph | None]) -> list[Piece]:
    """Left, right, and what crosses, from the top."""
    sizes = [_size(piece, glyphs) for piece in pieces]
    stops = sorted(
        {
            piece.y - _SAME_ROW * size
            for piece, size in zip(pieces, sizes, strict=True)
            if piece.side == _ACROSS
        },
        reverse=True,
    )
    bands: dict[tuple[int, int], list[tuple[Piece, float]]] = {}
    for piece, size in zip(pieces, sizes, strict=True):
        above = sum(stop > piece.y for stop in stops)
        bands.setdefault((above, piece.side), []).append((piece, size))
    return [piece for band in sorted(bands) for piece in _column(bands[band])]


def _column(pieces: list[tuple[Piece, float]]) -> list[Piece]:
    """As they are drawn, which keeps formulas together, unless that goes back up the page."""
    steps = [(after.y - before.y) / (size or 1.0) for (before, _), (after, size) in pairwise(pieces)]
    up, down = sum(step > _STEP for step in steps), sum(step < -_STEP for step in steps)
    if up <= down and not any(step > _BACK for step in steps):
        return [piece for piece, _ in pieces]
    return _by_rows(pieces)


def _by_rows(pieces: list[tuple[Piece, float]]) -> list[Piece]:
    rows: list[list[tuple[Piece, float]]] = []
    for piece, size in sorted(pieces, key=lambda each: -each[0].y):
        if not rows or rows[-1][0][0].y - piece.y > _SAME_ROW * size:
            rows.append([])
        rows[-1].append((piece, size))
    return [piece for row in rows for piece, _ in sorted(row, key=lambda each: each[0].x)]
