"""Sizes and overlaps on a page of a PDF."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence

import pypdfium2.raw as pdfium  # type: ignore[import-untyped]  # it has no marker of being typed

from rereview.ingest.pdf_objects import Rect

SPACE = 0x20
"""Codes below are control characters; PDFium has one of them, and the next, for a hyphen at a line's end."""
_HYPHEN = 0xFFFE


def size_of(text: pdfium.FPDF_TEXTPAGE, place: int) -> float:
    """The smaller of width and height to which a font of one point is set, in points."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text, place, ctypes.byref(matrix))
    along, above = math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d)
    return float(pdfium.FPDFText_GetFontSize(text, place)) * min(along, above)


def shared(rect: Rect, other: Rect) -> float:
    """Share of a rectangle that lies in another."""
    width = min(rect[2], other[2]) - max(rect[0], other[0])
    height = min(rect[3], other[3]) - max(rect[1], other[1])
    area = (rect[2] - rect[0]) * (rect[3] - rect[1])
    return max(width, 0.0) * max(height, 0.0) / area if area > 0 else 1.0


def decoded(codes: Sequence[int]) -> str:
    """The text of UTF-16 code units, without control characters and hyphens at line ends."""
    units = b"".join(code.to_bytes(2, "little") for code in codes if SPACE <= code < _HYPHEN)
    return units.decode("utf-16-le", errors="replace")
