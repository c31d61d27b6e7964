"""The characters of a page of a PDF as arrays: what they are, where they stand, and what draws them.

A page has some thousand characters, and PDFium is asked about each of them one by one. The calls are made
by `map`, without a line of Python a character, and write into the arrays.
"""

from __future__ import annotations

import ctypes
import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]  # it has no marker of being typed
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_FLOAT = 8
"""Bytes."""


def _fast(function: object, result: type | None, *arguments: type) -> Callable[..., Any]:
    """The same function of PDFium, which takes addresses as numbers."""
    address = ctypes.cast(function, ctypes.c_void_p).value  # type: ignore[arg-type]  # a function is a pointer
    return ctypes.CFUNCTYPE(result, *arguments)(address)  # type: ignore[arg-type]  # the same


_PAGE, _INDEX, _TO = ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
_unicode = _fast(pdfium.FPDFText_GetUnicode, ctypes.c_uint, _PAGE, _INDEX)
_is_generated = _fast(pdfium.FPDFText_IsGenerated, ctypes.c_int, _PAGE, _INDEX)
_text_object = _fast(pdfium.FPDFText_GetTextObject, ctypes.c_void_p, _PAGE, _INDEX)
_origin = _fast(pdfium.FPDFText_GetCharOrigin, ctypes.c_int, _PAGE, _INDEX, _TO, _TO)
_box = _fast(pdfium.FPDFText_GetCharBox, ctypes.c_int, _PAGE, _INDEX, _TO, _TO, _TO, _TO)
_font = _fast(pdfium.FPDFTextObj_GetFont, ctypes.c_void_p, ctypes.c_void_p)


@dataclass(frozen=True)
class Letters:
    """The n characters of a page in PDFium's order; lengths in points of the unturned page."""

    codes: NDArray[np.int64]
    """Of UTF-16, shape (n,)."""
    generated: NDArray[np.bool_]
    """Made up by PDFium: a space between words, the end of a line. Such have no place and no object."""
    origins: Floats
    """Shape (n, 2)."""
    boxes: Floats
    """Shape (n, 4): left, bottom, right, top."""
    angles: Floats
    """Radians, 0 for what runs to the right."""
    sizes: Floats
    """Font sizes after all scaling."""
    small: Floats
    """The smaller of width and height to which a font of one point is set."""
    objects: NDArray[np.int64]
    """Of each character the index of its text object in `handles`; -1 for what is made up."""
    handles: tuple[object, ...]
    fonts: NDArray[np.int64]
    """Of each character a number of its font; 0 for what is made up."""

    def __len__(self) -> int:
        """How many."""
        return len(self.codes)

    def without(self, dropped: frozenset[int]) -> NDArray[np.intp]:
        """The indices of all others."""
        kept = np.ones(len(self), dtype=bool)
        kept[list(dropped)] = False
        return np.flatnonzero(kept)


def letters(text: object) -> Letters:
    """Ask for all characters of a text page of PDFium."""
    count = max(pdfium.FPDFText_CountChars(text), 0)
    page = ctypes.cast(text, ctypes.c_void_p).value  # type: ignore[arg-type]  # a pointer of pdfium
    each = range(count)
    codes = np.fromiter(map(_unicode, repeat(page), each), dtype=np.int64, count=count)
    generated = np.fromiter(map(_is_generated, repeat(page), each), dtype=np.int64, count=count) == 1
    origins, boxes = np.zeros((count, 2)), np.zeros((count, 4))
    _fill(_origin, page, origins, (0, 1))
    _fill(_box, page, boxes, (0, 2, 1, 3))
    origins[generated] = 0.0
    boxes[generated] = 0.0
    found = list(map(_text_object, repeat(page), each))
    addresses = np.array([address or 0 for address in found], dtype=np.int64)
    addresses[generated] = 0
    known, first, objects = _objects(addresses)
    angles, sizes, small = (np.zeros(len(known) + 1) for _ in range(3))
    for at, place in enumerate(first):
        angles[at], sizes[at], small[at] = _scaling(text, int(place))
    numbers = np.zeros(len(known) + 1, dtype=np.int64)
    numbers[:-1] = [_font(int(address)) or 0 for address in known]
    return Letters(
        codes=codes,
        generated=generated,
        origins=origins,
        boxes=boxes,
        angles=angles[objects],
        sizes=sizes[objects],
        small=small[objects],
        objects=objects,
        handles=tuple(ctypes.cast(int(address), pdfium.FPDF_PAGEOBJECT) for address in known),
        fonts=numbers[objects],
    )


def _fill(function: Callable[..., Any], page: int | None, into: Floats, order: tuple[int, ...]) -> None:
    """Call for each row, with the addresses of its columns in this order."""
    base, width = into.ctypes.data, _FLOAT * into.shape[1]
    end = base + width * len(into)
    columns = (range(base + _FLOAT * at, end + _FLOAT * at, width) for at in order)
    deque(map(function, repeat(page), range(len(into)), *columns), maxlen=0)


def _objects(addresses: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.int64]]:
    """Text objects in the order of their first characters, those, and of each character its object."""
    known, first, which = np.unique(addresses, return_index=True, return_inverse=True)
    real = known != 0
    order = np.argsort(np.where(real, first, np.iinfo(np.int64).max), kind="stable")[: int(real.sum())]
    rank = np.full(len(known), -1, dtype=np.int64)
    rank[order] = np.arange(len(order))
    return known[order], first[order], rank[which.reshape(-1)]


def _scaling(text: object, place: int) -> tuple[float, float, float]:
    """Angle, font size, and the smaller of its two scales: all are those of the text object."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text, place, ctypes.byref(matrix))
    a, b, c, d = matrix.a, matrix.b, matrix.c, matrix.d
    operand = float(pdfium.FPDFText_GetFontSize(text, place))
    # The font size alone is the raw operand, 1.0 where the matrix does all the scaling.
    size = operand * math.sqrt(abs(a * d - b * c))
    return math.atan2(b, a), size, operand * min(math.hypot(a, b), math.hypot(c, d))
