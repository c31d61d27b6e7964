"""A page of a PDF as pixels: whether anything can be seen in the place of a character."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pypdfium2  # type: ignore[import-untyped]  # it has no marker of being typed
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]
from numpy.typing import NDArray

from rereview.ingest.pdf_objects import Rect

SCALE = 2.0
"""Pixels a point."""
MOST_PIXELS = 16e6
"""A larger page is drawn smaller."""
CONTRAST = 24
"""Of 255: what differs by less in all three colours cannot be seen."""
_FAR = 1000.0
_FINE = 1_000_000
_DOWN, _ACROSS = 8, 6
_MOST = 0.8
_ALIKE = 0.5
"""Correlation of the brightness of pixels: other words in the same place reach about 0.2."""


@dataclass(frozen=True)
class Frame:
    """Where points of the unturned page stand on the page as it is shown, cropped and turned."""

    size: tuple[float, float]
    """Width and height as shown, in points."""
    origin: tuple[float, float]
    right: tuple[float, float]
    up: tuple[float, float]

    @classmethod
    def of(cls, page: pypdfium2.PdfPage) -> Frame:
        """Asked of PDFium point by point: the boxes that a page inherits are not always given."""
        width, height = page.get_size()
        origin = _shown(page, 0.0, 0.0)
        along, above = _shown(page, _FAR, 0.0), _shown(page, 0.0, _FAR)
        return cls(
            (width, height),
            origin,
            ((along[0] - origin[0]) / _FAR, (along[1] - origin[1]) / _FAR),
            ((above[0] - origin[0]) / _FAR, (above[1] - origin[1]) / _FAR),
        )

    def fractions(self, boxes: Sequence[Rect] | NDArray[np.float64]) -> NDArray[np.float64]:
        """Shape (n, 4): x0, y0, x1, y1 of each box as fractions of the page, origin top left."""
        given = np.asarray(boxes, dtype=float).reshape(-1, 4)
        corners = []
        for x, y in ((0, 1), (2, 3)):
            across = self.origin[0] + given[:, x] * self.right[0] + given[:, y] * self.up[0]
            down = self.origin[1] + given[:, x] * self.right[1] + given[:, y] * self.up[1]
            corners.append((across, down))
        (x0, y0), (x1, y1) = corners
        return np.stack(
            [np.minimum(x0, x1), np.minimum(y0, y1), np.maximum(x0, x1), np.maximum(y0, y1)], axis=1
        )


def _shown(page: pypdfium2.PdfPage, x: float, y: float) -> tuple[float, float]:
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page.raw, 0, 0, _FINE, _FINE, 0, x, y, ctypes.byref(across), ctypes.byref(down))
    return across.value / _FINE, down.value / _FINE


@dataclass(frozen=True)
class Picture:
    """A drawn page. `pixels`: shape (height, width, 4), blue, green, red, nothing."""

    pixels: NDArray[np.uint8]

    @classmethod
    def of(cls, page: pypdfium2.PdfPage) -> Picture:
        """Draw a page, with its annotations, as it would be shown."""
        width, height = page.get_size()
        scale = min(SCALE, math.sqrt(MOST_PIXELS / max(width * height, 1.0)))
        return cls(page.render(scale=scale, prefer_bgrx=True).to_numpy())

    def cells(self, boxes: NDArray[np.float64]) -> NDArray[np.intp]:
        """Shape (n, 4): first column and row, and those after the last, of each box; at least a pixel."""
        height, width = self.pixels.shape[:2]
        scaled = boxes * np.array([width, height, width, height])
        low = np.floor(scaled[:, :2])
        high = np.maximum(np.ceil(scaled[:, 2:]), low + 1)
        most = np.array([width, height])
        return np.concatenate([np.clip(low, 0, most), np.clip(high, 0, most)], axis=1).astype(np.intp)

    def contrast(self, boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Of each box whether something in it can be seen."""
        cells = self.cells(boxes)
        seen = np.zeros(len(cells), dtype=bool)
        rows, columns = _samples(cells, self.pixels.shape)
        green = self.pixels[rows, columns, 1].astype(np.int16)
        seen[:] = np.ptp(green, axis=1) >= CONTRAST
        for index in np.flatnonzero(~seen):
            x0, y0, x1, y1 = cells[index]
            seen[index] = _spread(self.pixels[y0:y1, x0:x1, :3]) >= CONTRAST
        return seen

    def differs(self, other: Picture, boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Of each box whether the two pictures can be told apart in it."""
        cells = self.cells(boxes)
        rows, columns = _samples(cells, self.pixels.shape)
        mine = self.pixels[rows, columns, 1].astype(np.int16)
        apart: NDArray[np.bool_] = (np.abs(mine - other.pixels[rows, columns, 1]) >= CONTRAST).any(axis=1)
        for index in np.flatnonzero(~apart):
            x0, y0, x1, y1 = cells[index]
            here = self.pixels[y0:y1, x0:x1, :3].astype(np.int16)
            there = other.pixels[y0:y1, x0:x1, :3]
            apart[index] = bool(here.size) and int(np.abs(here - there).max()) >= CONTRAST
        return apart

    def resembles(self, other: Picture, box: NDArray[np.float64]) -> bool:
        """Whether both pictures have their ink at the same places of one box."""
        x0, y0, x1, y1 = self.cells(box.reshape(1, 4))[0]
        here, there = (picture.pixels[y0:y1, x0:x1, 1].astype(float).ravel() for picture in (self, other))
        if here.size < 2 or not here.std() or not there.std():  # noqa: PLR2004  a correlation needs two
            return False
        return float(np.corrcoef(here, there)[0, 1]) >= _ALIKE

    def resemble_colour(self, colour: tuple[int, int, int], boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Of each box whether most of it cannot be told from a colour (red, green, blue)."""
        rows, columns = _samples(self.cells(boxes), self.pixels.shape)
        apart = np.abs(self.pixels[rows, columns, :3].astype(np.int16) - np.array(colour[::-1]))
        return np.asarray((apart.max(axis=2) < CONTRAST).mean(axis=1) > _MOST)


def _samples(cells: NDArray[np.intp], shape: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns, each of shape (n, points), of a grid of points in each box.

    Most glyphs show at these: only the others are looked at pixel by pixel.
    """
    x0, y0, x1, y1 = cells.T
    down = y0[:, None] + (y1 - y0)[:, None] * (np.arange(_DOWN) + 0.5) / _DOWN
    across = x0[:, None] + (x1 - x0)[:, None] * (np.arange(_ACROSS) + 0.5) / _ACROSS
    rows = np.minimum(np.repeat(down, _ACROSS, axis=1), shape[0] - 1)
    columns = np.minimum(np.tile(across, (1, _DOWN)), shape[1] - 1)
    return rows.astype(np.intp), columns.astype(np.intp)


def _spread(pixels: NDArray[np.uint8]) -> int:
    if not pixels.size:
        return 0
    flat = pixels.reshape(-1, 3)
    return int((flat.max(axis=0).astype(int) - flat.min(axis=0)).max())
