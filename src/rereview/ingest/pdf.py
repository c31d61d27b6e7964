"""Reads a paper in PDF: its text in PDFium's order, with pages and places on them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from rereview.errors import UnusableInput
from rereview.ingest import pdf_layout
from rereview.ingest.identity import manuscript_id, paper_id
from rereview.ingest.notices import Words, confidential, of_hidden, planted
from rereview.ingest.pdf_blocks import blocks
from rereview.ingest.pdf_crops import Crop, images
from rereview.ingest.pdf_fallbacks import gaps, wanting, with_fallbacks
from rereview.ingest.pdf_figures import places
from rereview.ingest.pdf_quality import readable_lines, unreadable
from rereview.ingest.pdf_running import around
from rereview.ingest.pdf_text import MOST_PAGES, Extract, Page, Problem, extract
from rereview.types.manuscript import Block, Figure, Gap, Hidden, Manuscript, Notice, Removed

MOST_BYTES = 200 * 1024**2

_SNIFFED = 1024
_TITLE_WORDS = 30
_STAMP = re.compile(
    r"arXiv:\s?(?:\d{4}\.\d{4,5}|[a-z.-]+/\d{7})(?:v\d+)?(?:\s*\[[\w.-]+\])?(?:\s+\d{1,2}\s+\w{3}\s+\d{4})?"
)
_SOURCE = "expected a PDF whose text can be copied, or the LaTeX source"
_PROBLEMS: dict[Problem, tuple[str, str]] = {
    "password": ("encrypted, it needs a password", "expected a PDF without a password"),
    "damaged": (
        "the PDF is damaged ({detail})",
        "expected a whole file: export it anew, or let pikepdf mend it: pip install 'rereview[repair]'",
    ),
    "beyond-repair": (
        "the PDF is damaged beyond repair ({detail})",
        "expected a whole file: fetch or export it anew",
    ),
    "no-pages": ("the PDF has no pages", "expected a paper"),
    "too-many-pages": ("{detail} pages", f"expected at most {MOST_PAGES} pages"),
}


def read(path: Path) -> Manuscript:
    """Read a PDF. Raises UnusableInput in one line for everything from which no text can be had."""
    return manuscript(path, drawn(path))


def drawn(path: Path) -> Extract:
    """What the file gives, readable or not. Raises UnusableInput if it gives nothing."""
    _check(path)
    found = extract(path)
    if found.problem:
        what, expected = _PROBLEMS[found.problem]
        raise UnusableInput(what.format(detail=found.detail), where=str(path), expected=expected)
    return with_fallbacks(path, found)


def manuscript(path: Path, found: Extract) -> Manuscript:
    """Make the manuscript. Raises UnusableInput for pages that give no language."""
    _check_readable(path, found)
    pages = [readable_lines(page) for page in found.pages]
    made = _typeset(path, found, blocks(pages))
    if all(block.kind == "page-marker" for block in made):
        raise _no_text(path, found.pages)
    figures = _figures(path, found.pages, made)
    return Manuscript(
        id=manuscript_id("pdf", made, figures),
        paper_id=paper_id(path),
        title=_title(made) or paper_id(path),
        format="pdf",
        blocks=made,
        figures=figures,
        sequence=_sequence(made, figures),
        hidden=hidden(found),
        removed=(*stamps(found), *around(pages)),
        notices=notices(found),
        gaps=tuple(_gaps(found)),
    )


def _typeset(path: Path, found: Extract, made: tuple[Block, ...]) -> tuple[Block, ...]:
    """With formulas and cells as the layout has them, where what gives it is installed."""
    formal = any(pdf_layout.is_formal(block.text) for block in made)
    if not formal or not pdf_layout.is_installed() or found.mended:
        return made
    try:
        layout = pdf_layout.pages(path)
    except UnusableInput:  # its text was read: formulas are as the text layer has them
        return made
    # What recognised a scan gives no layout.
    return pdf_layout.typeset(
        made,
        [
            text if page.by == "text" and not page.scan else ""
            for page, text in zip(found.pages, layout, strict=False)
        ],
    )


def image(path: Path, figure: Figure) -> bytes | None:
    """The crop of a figure, drawn anew. Raises UnusableInput."""
    return drawings(path, [figure])[figure.id]


def drawings(path: Path, figures: Sequence[Figure]) -> dict[str, bytes | None]:
    """Of each figure by id its crop, all drawn anew by one process. Raises UnusableInput."""
    crops = {
        figure.id: Crop(page=figure.page, box=figure.bbox)
        for figure in figures
        if figure.path is not None and figure.page is not None and figure.bbox is not None
    }
    drawn_now = dict(zip(crops, images(path, list(crops.values())), strict=True))
    return {figure.id: drawn_now.get(figure.id) for figure in figures}


def _figures(path: Path, pages: tuple[Page, ...], made: tuple[Block, ...]) -> tuple[Figure, ...]:
    """What has a caption, as it looks on the page, before its caption."""
    found = list(places(pages, made))
    before = {block.id: earlier.id for earlier, block in pairwise(made)}
    shown: list[bytes | None] = [None] * len(found)
    with contextlib.suppress(UnusableInput):  # its text was read: a figure that cannot be drawn is listed
        shown = images(path, [Crop(page=place.page, box=place.box) for place in found])
    return tuple(
        Figure(
            id=f"f{number}",
            path=None if content is None else f"page-{place.page}-{number}.png",
            sha256=None if content is None else sha256(content).hexdigest(),
            page=place.page,
            bbox=place.box,
            after=before.get(place.caption),
            caption=place.caption,
            name=place.name,
        )
        for number, (place, content) in enumerate(zip(found, shown, strict=True), start=1)
    )


def _sequence(made: tuple[Block, ...], figures: tuple[Figure, ...]) -> tuple[str, ...]:
    of = {figure.caption: figure.id for figure in figures}
    return tuple(name for block in made for name in (of.get(block.id), block.id) if name is not None)


def hidden(found: Extract) -> tuple[Hidden, ...]:
    """What is not seen, page by page, then what the file says beside its pages."""
    pages = [number for number, page in enumerate(found.pages, start=1) if page.scan and page.by == "text"]
    layer = () if not pages else (Hidden(kind="ocr-layer", text="", page=pages[0], place=_named(pages)),)
    return (*layer, *(each for page in found.pages for each in page.hidden), *found.hidden)


def _named(pages: list[int]) -> str:
    return f"page {pages[0]}" if len(pages) == 1 else f"{len(pages)} pages, {pages[0]} to {pages[-1]}"


def stamps(found: Extract) -> tuple[Removed, ...]:
    """The stamps of an archive at the side of a page, which are never part of the text."""
    aside = [(number, _STAMP.search(page.aside)) for number, page in enumerate(found.pages, start=1)]
    return tuple(
        Removed(kind="stamp", text=match.group(), page=page, place="margin") for page, match in aside if match
    )


def notices(found: Extract) -> tuple[Notice, ...]:
    """Words that bind the reader of this copy, seen or not, and hidden ones that ask to be repeated."""
    words = [each for number, page in enumerate(found.pages, start=1) for each in _words(number, page)]
    seen = confidential(words)
    unseen = [each for page in found.pages for each in page.hidden]
    return (*((seen,) if seen else ()), *of_hidden(unseen), *planted(unseen))


def _words(number: int, page: Page) -> list[Words]:
    aside = [Words(page.aside, number, 0.0, 1.0, "margin")] if page.aside else []
    return [*(Words(line.text, number, line.box[1], line.box[3]) for line in page.lines), *aside]


def _check(path: Path) -> None:
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(_SNIFFED)
    except OSError as error:
        raise UnusableInput(
            f"cannot be read ({error.strerror})", where=str(path), expected="expected a PDF file"
        ) from error
    if not size:
        raise UnusableInput("the file is empty", where=str(path), expected="expected a PDF file")
    if size > MOST_BYTES:
        raise UnusableInput(
            f"{size / 1024**2:.0f} MiB",
            where=str(path),
            expected=f"expected at most {MOST_BYTES // 1024**2} MiB",
        )
    if b"%PDF-" not in start:
        html = re.match(rb"\s*<(?:!doctype|html|\?xml)", start, re.IGNORECASE)
        what = "the content is HTML, not PDF" if html else "the content is not PDF"
        raise UnusableInput(what, where=str(path), expected="expected a file that begins with %PDF-")


def _check_readable(path: Path, found: Extract) -> None:
    reason = unreadable(found.pages)
    if reason:
        raise UnusableInput(reason, where=str(path), expected=_SOURCE + wanting())


def _no_text(path: Path, pages: tuple[Page, ...]) -> UnusableInput:
    what = "no text on any page"
    if any(page.image for page in pages):
        what += ": it is a scan"
    return UnusableInput(what, where=str(path), expected=_SOURCE + wanting())


def _title(made: tuple[Block, ...]) -> str:
    for kind in ("title", None):
        for block in made:
            if block.kind != "page-marker" and kind in (block.kind, None):
                return " ".join(block.text.split()[:_TITLE_WORDS])
    return ""


def _gaps(found: Extract) -> list[Gap]:
    """Name the pages that show something and gave no text, and say if pages may be missing."""
    damaged = [Gap(kind="input", name="the file is damaged and was mended: pages may be missing")]
    empty = [
        Gap(kind="input", name=f"page {number}: an image without text")
        for number, page in enumerate(found.pages, start=1)
        if page.image and not page.lines
    ]
    return [*(damaged if found.mended else ()), *empty, *gaps(found.pages)]
