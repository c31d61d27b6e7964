"""Other ways to read the pages whose text layer says nothing: the names of glyphs, then their image.

Each is tried on the pages that are still bad, only where its extra is installed, and its reading of a
page is taken only if that is not bad in turn. What was read so is named among the gaps of the paper.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from rereview.errors import UnusableInput
from rereview.ingest import pdf_ocr, pdf_repair
from rereview.ingest.pdf_quality import bad_pages
from rereview.ingest.pdf_text import Extract, Line, Page, extract
from rereview.text.plurals import many
from rereview.types.manuscript import Gap


def with_fallbacks(path: Path, found: Extract) -> Extract:
    """The same, with bad pages read in another way where that can be done."""
    for read in (_by_names, _by_image):
        bad = bad_pages(found.pages)
        if bad:
            # What was read stays if another reader crashes: these are second attempts.
            with contextlib.suppress(UnusableInput):
                found = _instead(found, read(path, found.pages, bad))
    return found


def wanting() -> str:
    """What can be installed to read such pages; empty if all is there."""
    wanted = [
        extra
        for extra, there in (("ocr", pdf_ocr.is_installed()), ("repair", pdf_repair.is_installed()))
        if not there
    ]
    return f"; or install what reads such pages: pip install 'rereview[{','.join(wanted)}]'" if wanted else ""


def gaps(pages: Sequence[Page]) -> list[Gap]:
    """Say of which pages the text is not that of their text layer."""
    named = [number for number, page in enumerate(pages, start=1) if page.by == "names"]
    seen = [number for number, page in enumerate(pages, start=1) if page.by == "image"]
    lost = sum(line.odd for number in named for line in pages[number - 1].lines)
    names = (
        f"{_listed(named)}: letters told by the names of glyphs;"
        f" {many(lost, 'sign is', 'signs, most of formulas, are')} missing"
    )
    image = f"{_listed(seen)}: text recognised from the image of the page (OCR), with its errors"
    return [Gap(kind="input", name=name) for name, of in ((names, named), (image, seen)) if of]


def _by_names(path: Path, pages: Sequence[Page], bad: Sequence[int]) -> dict[int, Page]:
    if not pdf_repair.is_installed() or not any(pages[number - 1].lines for number in bad):
        return {}
    spelt = extract(path, names=True).pages
    return {number: spelt[number - 1].but(by="names") for number in bad if number <= len(spelt)}


def _by_image(path: Path, pages: Sequence[Page], bad: Sequence[int]) -> dict[int, Page]:
    if not pdf_ocr.is_installed():
        return {}
    lines: Mapping[int, tuple[Line, ...]] = pdf_ocr.recognised(path, bad)
    return {
        number: pages[number - 1].but(lines=found, by="image", scan=pages[number - 1].image)
        for number, found in lines.items()
    }


def _instead(found: Extract, other: Mapping[int, Page]) -> Extract:
    better = {
        number: page
        for number, page in other.items()
        if page.lines and (page.by == "names" or not bad_pages([page]))
    }
    pages = tuple(better.get(number, page) for number, page in enumerate(found.pages, start=1))
    return found.but(pages=pages) if better else found


def _listed(numbers: Sequence[int]) -> str:
    """`pages 2, 5 to 9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if not runs or runs[-1][-1] != number - 1:
            runs.append([])
        runs[-1].append(number)
    parts = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return f"page{'s' if len(numbers) > 1 else ''} {', '.join(parts)}"
