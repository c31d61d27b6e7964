"""What a page of a PDF draws, in the order of drawing, with the state that can make text unseen."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import NamedTuple

import pypdfium2.raw as pdfium  # type: ignore[import-untyped]  # it has no marker of being typed

Rect = tuple[float, float, float, float]
"""Left, bottom, right, top in points of the unturned page."""

MOST_OBJECTS = 60_000
"""A page with more is a drawing; what lies after these is not asked whether it covers text."""
_MOST_NESTED = 8
_GRAPHICS = (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_SHADING)
_OPAQUE = 230
_BUFFER = 1 << 16
# Where PDFium writes numbers: it is asked about thousands of objects, one after the other.
_PARTS = tuple(ctypes.c_uint() for _ in range(4))
_EDGES = tuple(ctypes.c_float() for _ in range(4))
_PARTS_AT, _EDGES_AT = (tuple(map(ctypes.byref, numbers)) for numbers in (_PARTS, _EDGES))


class Matrix(NamedTuple):
    """x' = ax + cy + e, y' = bx + dy + f."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def then(self, outer: Matrix) -> Matrix:
        """First this, then the other."""
        a, b, c, d, e, f = self
        return Matrix(
            a * outer.a + b * outer.c,
            a * outer.b + b * outer.d,
            c * outer.a + d * outer.c,
            c * outer.b + d * outer.d,
            e * outer.a + f * outer.c + outer.e,
            e * outer.b + f * outer.d + outer.f,
        )

    def of(self, rect: Rect) -> Rect:
        """The rectangle around the turned rectangle."""
        left, bottom, right, top = rect
        corners = [(x, y) for x in (left, right) for y in (bottom, top)]
        xs = [self.a * x + self.c * y + self.e for x, y in corners]
        ys = [self.b * x + self.d * y + self.f for x, y in corners]
        return min(xs), min(ys), max(xs), max(ys)


class Cover(NamedTuple):
    """An image or a filled shape without transparency; `order`: when it is drawn."""

    order: int
    rect: Rect
    image: bool
    handle: object


class Drawn(NamedTuple):
    """`texts`: of each text object when it is drawn and with what matrix of the forms around it."""

    covers: tuple[Cover, ...]
    texts: dict[int, tuple[int, Matrix]]


class State(NamedTuple):
    """How a text object is painted; `fill` is None where it is a pattern."""

    mode: int
    fill: tuple[int, int, int] | None
    alpha: int
    """0 to 255, of what the mode paints."""
    layered: bool


def key(handle: object) -> int:
    """The address of an object: two handles of the same object are equal in it."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0  # type: ignore[arg-type]  # a pointer of pdfium


def drawn(page: object) -> Drawn:
    """Walk over all objects of a page, also of forms in it."""
    covers: list[Cover] = []
    texts: dict[int, tuple[int, Matrix]] = {}
    for order, (handle, kind, matrix) in enumerate(_walk(page)):
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            texts[key(handle)] = (order, matrix)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE or _fills(handle, kind):
            rect = bounds(handle)
            if rect is not None:
                covers.append(Cover(order, matrix.of(rect), kind == pdfium.FPDF_PAGEOBJ_IMAGE, handle))
        if order >= MOST_OBJECTS:
            break
    return Drawn(tuple(covers), texts)


def graphics(page: object) -> list[Rect]:
    """Where images, paths and shadings stand, also those of forms, which have a space of their own."""
    found = []
    for order, (handle, kind, matrix) in enumerate(_walk(page)):
        rect = bounds(handle) if kind in _GRAPHICS else None
        if rect is not None:
            found.append(matrix.of(rect))
        if order >= MOST_OBJECTS:
            break
    return found


def _walk(page: object) -> Iterator[tuple[object, int, Matrix]]:
    for index in range(max(pdfium.FPDFPage_CountObjects(page), 0)):
        yield from _inside(pdfium.FPDFPage_GetObject(page, index), Matrix(), 0)


def _inside(handle: object, matrix: Matrix, depth: int) -> Iterator[tuple[object, int, Matrix]]:
    kind = pdfium.FPDFPageObj_GetType(handle)
    yield handle, kind, matrix
    if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MOST_NESTED:
        own = pdfium.FS_MATRIX()
        pdfium.FPDFPageObj_GetMatrix(handle, ctypes.byref(own))
        inner = Matrix(own.a, own.b, own.c, own.d, own.e, own.f).then(matrix)
        for index in range(max(pdfium.FPDFFormObj_CountObjects(handle), 0)):
            yield from _inside(pdfium.FPDFFormObj_GetObject(handle, index), inner, depth + 1)


def _fills(handle: object, kind: int) -> bool:
    if kind == pdfium.FPDF_PAGEOBJ_SHADING:
        return True
    if kind != pdfium.FPDF_PAGEOBJ_PATH:
        return False
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(handle, ctypes.byref(fill), ctypes.byref(stroke))
    if not fill.value:
        return False
    colour = _colour(pdfium.FPDFPageObj_GetFillColor, handle)
    return colour is None or colour[3] >= _OPAQUE


def bounds(handle: object) -> Rect | None:
    """The rectangle around an object, in the space of the form that holds it."""
    if not pdfium.FPDFPageObj_GetBounds(handle, *_EDGES_AT):
        return None
    left, bottom, right, top = (edge.value for edge in _EDGES)
    return left, bottom, right, top


def clip(handle: object) -> Rect | None:
    """The rectangle around what the clip path lets through; None without a clip."""
    path = pdfium.FPDFPageObj_GetClipPath(handle)
    count = pdfium.FPDFClipPath_CountPaths(path) if path else -1
    left = bottom = float("-inf")
    right = top = float("inf")
    for index in range(max(count, 0)):
        points = list(_points(path, index))
        if points:
            xs, ys = zip(*points, strict=True)
            left, bottom = max(left, min(xs)), max(bottom, min(ys))
            right, top = min(right, max(xs)), min(top, max(ys))
    return None if left == float("-inf") else (left, bottom, right, top)


def _points(path: object, index: int) -> Iterator[tuple[float, float]]:
    x, y = ctypes.c_float(), ctypes.c_float()
    for at in range(max(pdfium.FPDFClipPath_CountPathSegments(path, index), 0)):
        segment = pdfium.FPDFClipPath_GetPathSegment(path, index, at)
        if pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y)):
            yield x.value, y.value


def state(handle: object) -> State:
    """How a text object is painted."""
    mode = pdfium.FPDFTextObj_GetTextRenderMode(handle)
    strokes = mode in (pdfium.FPDF_TEXTRENDERMODE_STROKE, pdfium.FPDF_TEXTRENDERMODE_STROKE_CLIP)
    ask = pdfium.FPDFPageObj_GetStrokeColor if strokes else pdfium.FPDFPageObj_GetFillColor
    colour = _colour(ask, handle)
    return State(
        mode=mode,
        fill=None if colour is None else colour[:3],
        alpha=255 if colour is None else colour[3],
        layered=any(_name(mark) == "OC" for mark in _marks(handle)),
    )


def _colour(ask: object, handle: object) -> tuple[int, int, int, int] | None:
    if not ask(handle, *_PARTS_AT):  # type: ignore[operator]  # a function of pdfium
        return None
    red, green, blue, alpha = (part.value for part in _PARTS)
    return red, green, blue, alpha


def _marks(handle: object) -> Iterator[object]:
    for index in range(max(pdfium.FPDFPageObj_CountMarks(handle), 0)):
        yield pdfium.FPDFPageObj_GetMark(handle, index)


def _name(mark: object) -> str:
    length = ctypes.c_ulong()
    buffer = (ctypes.c_ushort * 64)()
    pdfium.FPDFPageObjMark_GetName(mark, buffer, ctypes.sizeof(buffer), ctypes.byref(length))
    return wide(bytes(buffer), min(length.value, ctypes.sizeof(buffer)))


def _actual(mark: object) -> str | None:
    length = ctypes.c_ulong()
    if not pdfium.FPDFPageObjMark_GetParamStringValue(mark, b"ActualText", None, 0, ctypes.byref(length)):
        return None
    size = min(length.value, _BUFFER)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    pdfium.FPDFPageObjMark_GetParamStringValue(mark, b"ActualText", buffer, size, ctypes.byref(length))
    return wide(bytes(buffer), size)


def wide(data: bytes, size: int) -> str:
    """Text that PDFium gives as UTF-16 with a zero at its end."""
    return data[:size].decode("utf-16-le", errors="replace").split("\0", 1)[0]


def actual_texts(page: object) -> list[str | None]:
    """What each text object of a page, in order, says that it says; None if it does not."""
    return [
        next((text for text in map(_actual, _marks(handle)) if text is not None), None)
        for handle in _text_objects(page)
    ]


def without_actual_text(page: object) -> dict[int, int]:
    """Take the ActualText off all text objects of a page; gives each object's place among them."""
    places = {}
    for place, handle in enumerate(_text_objects(page)):
        places[key(handle)] = place
        for mark in reversed(list(_marks(handle))):
            if _actual(mark) is not None:
                pdfium.FPDFPageObj_RemoveMark(handle, mark)
    return places


def _text_objects(page: object) -> list[object]:
    return [handle for handle, kind, _ in _walk(page) if kind == pdfium.FPDF_PAGEOBJ_TEXT]
