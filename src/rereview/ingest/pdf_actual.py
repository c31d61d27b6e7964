"""Text of a PDF that says it says something else: ActualText that differs from the glyphs."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import NamedTuple

import pypdfium2  # type: ignore[import-untyped]  # it has no marker of being typed
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from rereview.ingest.pdf_objects import actual_texts, bounds, key, without_actual_text
from rereview.ingest.pdf_pixels import Frame
from rereview.types.manuscript import Hidden

_LONG = 8
"""Letters and digits: a shorter ActualText is the name of a sign or a ligature, if no digit differs."""
_FOLD = re.compile(r"[\W_]+")


class Plain(NamedTuple):
    """A page whose text is that of its glyphs, and what its ActualText said instead."""

    page: pypdfium2.PdfPage
    text: pypdfium2.PdfTextPage
    hidden: tuple[Hidden, ...]


def as_drawn(document: pypdfium2.PdfDocument, number: int, shown: pypdfium2.PdfPage) -> Plain | None:
    """The page without ActualText; None if none differs from what is drawn."""
    actual = actual_texts(shown.raw)
    if not any(actual):
        return None
    page = document[number]
    places = without_actual_text(page.raw)
    text = page.get_textpage()
    glyphs = _glyphs(text.raw, places)
    hidden = tuple(
        Hidden(kind="actual-text", text=said, page=number + 1, bbox=_box(page, text.raw, places, members))
        for said, members in _groups(actual)
        if _differs(said, "".join(glyphs.get(place, "") for place in members))
    )
    return Plain(page, text, hidden) if hidden else None


def _groups(actual: list[str | None]) -> list[tuple[str, list[int]]]:
    """Neighbouring objects under one ActualText are one passage."""
    runs = groupby(range(len(actual)), lambda place: actual[place])
    return [(said, list(members)) for said, members in runs if said]


def _glyphs(text: object, places: dict[int, int]) -> dict[int, str]:
    found: dict[int, str] = {}
    for index in range(pdfium.FPDFText_CountChars(text)):
        if pdfium.FPDFText_IsGenerated(text, index) != 1:
            place = places.get(key(pdfium.FPDFText_GetTextObject(text, index)), -1)
            found[place] = found.get(place, "") + chr(pdfium.FPDFText_GetUnicode(text, index))
    return found


def _differs(said: str, drawn: str) -> bool:
    """A longer text, or other digits; what cannot be read without ActualText is not compared."""
    a, b = _folded(said), _folded(drawn)
    odd = any(unicodedata.category(c) in {"Co", "Cn", "Cc"} for c in drawn if not c.isspace())
    if a == b or odd or (not b and len(a) < _LONG):
        return False
    return len(a) >= max(_LONG, len(b) // 4) or _digits(a) != _digits(b)


def _folded(text: str) -> str:
    return _FOLD.sub("", unicodedata.normalize("NFKC", text)).lower()


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdecimal())


def _box(
    page: pypdfium2.PdfPage, text: object, places: dict[int, int], members: list[int]
) -> tuple[float, float, float, float] | None:
    rects = []
    for index in range(pdfium.FPDFText_CountChars(text)):
        handle = pdfium.FPDFText_GetTextObject(text, index)
        if places.get(key(handle), -1) in members:
            rects.append(bounds(handle))
    boxes = Frame.of(page).fractions([rect for rect in rects if rect is not None])
    if not len(boxes):
        return None
    x0, y0 = (round(float(value), 4) for value in boxes[:, :2].min(axis=0))
    x1, y1 = (round(float(value), 4) for value in boxes[:, 2:].max(axis=0))
    return x0, y0, x1, y1
