"""Pieces of the pages of a PDF as images, drawn by PDFium in a process of its own.

Run as a module it is the child. Arguments: a path, a limit of address space in bytes, a `Wanted` as
JSON. Writes a `Crops` as JSON.
"""

from __future__ import annotations

import base64
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from rereview.ingest.images import LONGEST
from rereview.ingest.pdf_text import MEMORY, answer
from rereview.types.manuscript import Box
from rereview.types.record import Record

_MOST_SCALE = 3.0
"""Pixels a point: small figures are not enlarged without end."""

MOST = 300
"""Crops of one paper: what a process is told has an end."""


class Crop(Record):
    """A page, counted from 1, and a part of it."""

    page: int
    box: Box


class Wanted(Record):
    """What is to be drawn."""

    crops: tuple[Crop, ...]


class Crops(Record):
    """Of each crop the PNG in base64; None for a page that cannot be drawn."""

    images: tuple[str | None, ...]


def images(path: Path, crops: Sequence[Crop]) -> list[bytes | None]:
    """A PNG of each crop, at most `LONGEST` pixels a side; None after the first `MOST`.

    Raises UnusableInput if PDFium crashes.
    """
    if not crops:
        return []
    arguments = (str(path), str(MEMORY), Wanted(crops=tuple(crops[:MOST])).to_json())
    found = answer(Crops, "rereview.ingest.pdf_crops", arguments, path=path)
    drawn = [None if image is None else base64.b64decode(image) for image in found.images]
    return drawn + [None] * (len(crops) - len(drawn))


def main(path: str, memory: str, wanted: str) -> None:
    """Draw and write the answer."""
    from rereview.ingest.pdf_child import limit, opened  # noqa: PLC0415  PDFium is loaded in the child only

    limit(int(memory))
    document = opened(Path(path).read_bytes()).document
    made = [_drawn(document, crop) for crop in Wanted.model_validate_json(wanted).crops]
    sys.stdout.write(Crops(images=tuple(made)).to_json())


def _drawn(document: object, crop: Crop) -> str | None:
    import pypdfium2  # type: ignore[import-untyped]  # noqa: PLC0415  as above; it has no marker of being typed

    try:
        page = document[crop.page - 1]  # type: ignore[index]  # a document of PDFium
    except pypdfium2.PdfiumError:
        return None
    width, height = page.get_size()
    x0, y0, x1, y1 = crop.box
    longest = max((x1 - x0) * width, (y1 - y0) * height, 1.0)
    margins = (x0 * width, (1 - y1) * height, (1 - x1) * width, y0 * height)
    bitmap = page.render(scale=min(_MOST_SCALE, (LONGEST - 2) / longest), crop=margins)
    out = io.BytesIO()
    bitmap.to_pil().convert("RGB").save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


if __name__ == "__main__":
    main(*sys.argv[1:])
