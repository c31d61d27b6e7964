"""Sizes and overlaps on a page of a PDF."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rereview.ingest.hidden import is_unseen_character
from rereview.ingest.pdf_objects import Rect

SPACE = 0x20
"""Codes below are control characters; PDFium has one of them, and the next, for a hyphen at a line's end."""
_HYPHEN = 0xFFFE
_HALVES, _LOW = range(0xD800, 0xE000), 0xDC00


def shared(rect: Rect, other: Rect) -> float:
    """Share of a rectangle that lies in another."""
    width = min(rect[2], other[2]) - max(rect[0], other[0])
    height = min(rect[3], other[3]) - max(rect[1], other[1])
    area = (rect[2] - rect[0]) * (rect[3] - rect[1])
    return max(width, 0.0) * max(height, 0.0) / area if area > 0 else 1.0


def decoded(codes: Sequence[int]) -> str:
    """The text of UTF-16 code units, without control characters and hyphens at line ends."""
    units = array("H", [code for code in codes if SPACE <= code < _HYPHEN])
    return units.tobytes().decode(
        "utf-16" + ("-le" if sys.byteorder == "little" else "-be"), errors="replace"
    )


def without_ink(codes: NDArray[np.int64]) -> Iterator[int]:
    """Places of zero-width, direction and tag characters among UTF-16 code units."""
    for code in np.unique(codes).tolist():
        if code in _HALVES or is_unseen_character(code):
            for at in np.flatnonzero(codes == code).tolist():
                if is_unseen_character(_whole(codes, at, code)):
                    yield at


def _whole(codes: NDArray[np.int64], at: int, code: int) -> int:
    """Of half of a pair the code of the whole."""
    if code not in _HALVES:
        return code
    first = at if code < _LOW else at - 1
    pair = decoded(codes[max(first, 0) : first + 2].tolist())
    return ord(pair) if len(pair) == 1 else code
