"""Sizes and overlaps on a page of a PDF."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence

from rereview.ingest.pdf_objects import Rect

SPACE = 0x20
"""Codes below are control characters; PDFium has one of them, and the next, for a hyphen at a line's end."""
_HYPHEN = 0xFFFE


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
