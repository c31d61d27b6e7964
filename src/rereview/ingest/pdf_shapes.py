"""Text whose letters are drawn in other shapes: a font with a table of letters that says what nobody reads.

What the table says is held against what is drawn, by height alone: an x that reaches as high as a k, or
an h that is as low as an x, is none. One letter says nothing; a passage in which many letters are too
tall and many too low for what they are called says something else than it shows. Capitals in the place
of small letters, and ornaments, are all of one height, and are left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rereview.ingest.pdf_objects import Rect

_LOW = frozenset(map(ord, "acemnorsuvwxz"))
_TALL = frozenset(map(ord, "bdhkl"))
_DEEP = frozenset(map(ord, "gpqy"))
_ABOVE, _BELOW = 0.62, -0.12
"""Font sizes from the baseline: small letters end between, and others go beyond one of them."""
_SLACK = 0.04
_FEWEST_LOW, _FEWEST_OTHERS = 10, 2
"""Letters that can be judged, and others that are wrong."""
_WRONG = 0.15
"""Share of low letters in other shapes; drawn at random it is about 0.3, in real papers 0."""
_ALL = 0.85
_UPRIGHT = 0.1


class Placed(Protocol):
    """A character: its code, what it leans in radians, its baseline, font size and box in points."""

    @property
    def code(self) -> int:
        """Of UTF-16."""

    @property
    def generated(self) -> bool:
        """Made up by PDFium."""

    @property
    def angle(self) -> float:
        """0 for what runs to the right."""

    @property
    def y(self) -> float:
        """Of the baseline."""

    @property
    def size(self) -> float:
        """After all scaling."""

    @property
    def box(self) -> Rect:
        """Around the glyph."""


def remapped(characters: Sequence[Placed], fonts: Sequence[int]) -> list[range]:
    """Passages (indices) that are drawn in other shapes: in one font, or in a line of many fonts.

    `fonts`: of each character a number that is that of its font; 0 for a space that PDFium made up.
    """
    if not characters:
        return []
    wrong, others = _shapes(characters)
    if not wrong.any():
        return []
    found = [part for part in _runs(np.array(fonts)) if _differs(part, wrong, others)]
    if not found:
        lines = np.array([round(character.y) for character in characters])
        found = [part for part in _runs(lines) if _differs(part, wrong, others)]
    return found


def _shapes(characters: Sequence[Placed]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Of low letters, and of others, 1 where the shape is another, 0 where it fits, -1 where it is none."""
    low, others = (np.full(len(characters), -1, dtype=np.int8) for _ in range(2))
    for at, each in enumerate(characters):
        if each.generated or each.size <= 0 or abs(each.angle) > _UPRIGHT:
            continue
        top, bottom = (each.box[3] - each.y) / each.size, (each.box[1] - each.y) / each.size
        if each.code in _LOW:
            low[at] = top > _ABOVE or bottom < _BELOW
        elif each.code in _TALL:
            others[at] = top < _ABOVE - _SLACK
        elif each.code in _DEEP:
            others[at] = bottom > _BELOW + _SLACK
    return low, others


def _runs(keys: NDArray[np.int64]) -> list[range]:
    """Stretches of one key; a space that was made up belongs to what is before it."""
    places = np.where(keys != 0, np.arange(len(keys)), 0)
    filled = keys[np.maximum.accumulate(places)]
    cuts = [0, *(np.flatnonzero(np.diff(filled)) + 1).tolist(), len(keys)]
    return [range(begin, end) for begin, end in pairwise(cuts)]


def _differs(part: range, low: NDArray[np.int8], others: NDArray[np.int8]) -> bool:
    here, rest = low[part.start : part.stop], others[part.start : part.stop]
    here = here[here >= 0]
    if len(here) < _FEWEST_LOW or np.count_nonzero(rest == 1) < _FEWEST_OTHERS:
        return False
    return bool(_WRONG < here.mean() < _ALL)
