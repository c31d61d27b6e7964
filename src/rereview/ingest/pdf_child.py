"""The child process of `pdf_text`: all that is read of a PDF, page by page.

Arguments: a path, a limit of address space in bytes, a limit of pages, and "names" where the letters
are to be told by the names of the glyphs. Writes an `Extract` as JSON.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pypdfium2  # type: ignore[import-untyped]  # it has no marker of being typed
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from rereview.ingest import pdf_lines
from rereview.ingest.pdf_actual import as_drawn
from rereview.ingest.pdf_blocks import is_caption
from rereview.ingest.pdf_extras import metadata, notes
from rereview.ingest.pdf_hidden import SCAN, unseen
from rereview.ingest.pdf_letters import Letters, letters
from rereview.ingest.pdf_measures import decoded
from rereview.ingest.pdf_names import spelt
from rereview.ingest.pdf_news import news, once
from rereview.ingest.pdf_objects import graphics
from rereview.ingest.pdf_pixels import Frame
from rereview.ingest.pdf_quality import bad_pages
from rereview.ingest.pdf_repair import is_installed, mended
from rereview.ingest.pdf_shapes import remapped
from rereview.ingest.pdf_text import CHILD_SECONDS, Extract, Page
from rereview.types.manuscript import Box, Hidden


def main(path: str, memory: str, most_pages: str, names: str = "") -> None:
    """Read the file and write the answer."""
    limit(int(memory))
    sys.stdout.write(read(Path(path), int(most_pages), names=bool(names)).to_json())


def limit(memory: int) -> None:
    """Take no more address space and processor time than this, where the platform can tell a process so."""
    # Not honoured everywhere: the time limit of the parent holds in any case.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415  not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        if seconds := int(os.environ.get(CHILD_SECONDS, "0")):
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


class Opened(NamedTuple):
    """A document; `mended` if it was damaged and had to be written anew."""

    document: pypdfium2.PdfDocument
    mended: bool


def opened(data: bytes) -> Opened:
    """Open a file, also a damaged one or one with junk before its header. Raises PdfiumError."""
    content = data[_start(data) :]
    try:
        return Opened(pypdfium2.PdfDocument(content), mended=False)
    except pypdfium2.PdfiumError as error:
        anew = None if _needs_password(error) else mended(content)
        if anew is None:
            raise
        return Opened(pypdfium2.PdfDocument(anew), mended=True)


def _start(data: bytes) -> int:
    return max(data.find(b"%PDF-", 0, 1100), 0)


def _needs_password(error: pypdfium2.PdfiumError) -> bool:
    return pdfium.FPDF_GetLastError() == pdfium.FPDF_ERR_PASSWORD or "assword" in str(error)


def read(path: Path, most_pages: int, *, names: bool = False) -> Extract:
    """Read all pages, or say why not. `names`: by the names of the glyphs; no pages if they tell nothing."""
    data = path.read_bytes()
    if names:
        anew = spelt(data[_start(data) :])
        if anew is None:
            return Extract()
        data = anew
    try:
        document, repaired = opened(data)
    except pypdfium2.PdfiumError as error:
        if _needs_password(error):
            return Extract(problem="password", detail=str(error))
        return Extract(problem="beyond-repair" if is_installed() else "damaged", detail=str(error))
    if len(document) == 0:
        return Extract(problem="no-pages")
    if len(document) > most_pages:
        return Extract(problem="too-many-pages", detail=str(len(document)))
    made = [_page(document, number) for number in range(len(document))]
    seen = frozenset().union(*(words for _, words in made))
    told: set[str] = set()
    return Extract(
        pages=tuple(
            page.but(hidden=once(news(page.hidden, seen), told)) if page.hidden else page for page, _ in made
        ),
        hidden=metadata(document, data),
        mended=repaired,
    )


def _page(document: pypdfium2.PdfDocument, number: int) -> tuple[Page, frozenset[str]]:
    """One page, and what is seen on it."""
    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return Page(lines=(), image=False), frozenset()
    plain = as_drawn(document, number, page)
    beside = notes(page, number + 1)
    text = page.get_textpage()
    if plain is not None:
        page, text = plain.page, plain.text
        beside = (*plain.hidden, *beside)
    read = letters(text.raw)
    found = unseen(page, read, number + 1)
    other = () if found.scan else _remapped(page, read, number + 1)
    beside = (*(hidden for hidden, _ in other), *beside)
    kept = read.without(found.dropped.union(*(places for _, places in other)))
    lines, numbers = pdf_lines.lines(page.raw, text.raw, read, kept)
    # Walking the objects is slow on pages full of vector graphics, and only asked about scans.
    image = not lines and any(True for _ in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=2))
    aside = pdf_lines.aside(read, kept)
    hidden = (*found.hidden, *beside)
    made = Page(lines=lines, image=image, hidden=hidden, scan=found.scan, aside=aside, numbers=numbers)
    # Of a page that says nothing the captions are not known yet.
    if any(is_caption(line.text) for line in lines) or bad_pages([made]):
        made = made.but(graphics=_graphics(page))
    return made, found.seen


def _remapped(page: pypdfium2.PdfPage, read: Letters, number: int) -> list[tuple[Hidden, frozenset[int]]]:
    """Passages that are drawn in other letters, each with the places of its characters."""
    return [
        (
            Hidden(
                kind="remapped",
                text=decoded(read.codes[part.start : part.stop].tolist()).strip(),
                page=number,
                bbox=pdf_lines.fractions(page.raw, read.boxes[[at for at in part if not read.generated[at]]]),
            ),
            frozenset(part),
        )
        for part in remapped(read)
    ]


def _graphics(page: pypdfium2.PdfPage) -> tuple[Box, ...]:
    """Images and lines, each once, to a thousandth of the page."""
    found = graphics(page.raw)
    if not found:
        return ()
    boxes = np.clip(Frame.of(page).fractions(found), 0, 1).round(3)
    sizes = boxes[:, 2:] - boxes[:, :2]
    kept = np.unique(boxes[(sizes.prod(axis=1) < SCAN) & (sizes.max(axis=1) > 0)], axis=0)
    return tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in kept)


if __name__ == "__main__":
    main(*sys.argv[1:])
