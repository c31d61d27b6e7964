"""Text whose letters are drawn in other shapes: a font with a table of letters that says what nobody reads.

What the table says is held against what is drawn, by height alone: an x that reaches as high as a k, or
an h that is as low as an x, is none. One letter says nothing; a passage in which many letters are too
tall and many too low for what they are called says something else than it shows. Capitals in the place
of small letters, and ornaments, are all of one height, and are left alone.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rereview.ingest.pdf_letters import Letters

_LOW, _TALL, _DEEP = 1, 2, 3
_CLASS = np.zeros(128, dtype=np.int8)
"""Of each character of ASCII; the last stands for all others."""
for _kind, _letters in ((_LOW, "acemnorsuvwxz"), (_TALL, "bdhkl"), (_DEEP, "gpqy")):
    _CLASS[list(map(ord, _letters))] = _kind
_ABOVE, _BELOW = 0.62, -0.12
"""Font sizes from the baseline: small letters end between, and others go beyond one of them."""
_SLACK = 0.04
_FEWEST_LOW, _FEWEST_OTHERS = 10, 2
"""Letters that can be judged, and others that are wrong."""
_WRONG = 0.15
"""Share of low letters in other shapes; drawn at random it is about 0.3, in real papers 0."""
_ALL = 0.85
_UPRIGHT = 0.1


def remapped(letters: Letters) -> list[range]:
    """Passages (indices) that are drawn in other shapes: in one font, or in a line of many fonts."""
    low, others = _shapes(letters)
    if not (low == 1).any():
        return []
    found = [part for part in _runs(letters.fonts) if _differs(part, low, others)]
    if not found:
        lines = np.round(letters.origins[:, 1]).astype(np.int64)
        found = [part for part in _runs(lines) if _differs(part, low, others)]
    return found


def _shapes(letters: Letters) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Of low letters, and of others, 1 where the shape is another, 0 where it fits, -1 where it is none."""
    codes = np.clip(letters.codes, 0, len(_CLASS) - 1)
    judged = ~letters.generated & (letters.sizes > 0) & (np.abs(letters.angles) <= _UPRIGHT)
    kind = np.where(judged, _CLASS[codes], 0)
    size = np.where(judged, letters.sizes, 1.0)
    bottom, top = ((letters.boxes[:, side] - letters.origins[:, 1]) / size for side in (1, 3))
    low = np.where(kind == _LOW, (top > _ABOVE) | (bottom < _BELOW), -1)
    others = np.where(kind == _TALL, top < _ABOVE - _SLACK, -1)
    others = np.where(kind == _DEEP, bottom > _BELOW + _SLACK, others)
    return low.astype(np.int8), others.astype(np.int8)


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
