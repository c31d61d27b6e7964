"""What a paper hides and who it names, finding by finding, without a model; also where it cannot be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from rereview.errors import RereviewError, UnusableInput
from rereview.ingest.anonymise import anonymous
from rereview.ingest.base import image_of, read
from rereview.ingest.folders import ENDINGS, projects_in
from rereview.ingest.package import is_package
from rereview.ingest.pictures import metadata
from rereview.types.manuscript import Box, Hidden, Manuscript, Notice, Removed
from rereview.types.record import Record

SEVERAL = 2
_AROUND = ("running", "line-numbers")
"""What stands around the text names nobody as such."""
FindingKind = Literal["hidden", "names", "notice", "not-read", "unreadable"]


class Finding(Record):
    """One row: `technique` is how it is hidden, what it names, or what kind of notice it is."""

    paper: str
    page: int | None
    kind: FindingKind
    technique: str
    text: str
    place: str
    bbox: Box | None = None


def papers(path: Path, above: frozenset[Path] = frozenset()) -> Iterator[Path]:
    """The papers that a path means: itself, or those of a folder.

    One with a LaTeX project is one paper, and so is a package; one that cannot be looked into stands for
    its papers. A link to a folder `above` is not followed.
    """
    try:
        children = None if not path.is_dir() or is_package(path) else sorted(path.iterdir())
    except OSError:
        children = None
    if children is None:
        yield path
    elif path.resolve() not in above:
        yield from _inside(path, children, above | {path.resolve()})


def _inside(folder: Path, children: Sequence[Path], above: frozenset[Path]) -> Iterator[Path]:
    try:
        heads = projects_in(folder)
    except UnusableInput:  # a file may not be read: each is a paper of its own, and that one is not read
        yield from (paper for child in children if _is_one(child) for paper in papers(child, above))
        return
    if len(heads) < SEVERAL and any(child.suffix.lower() == ".tex" for child in children):
        yield folder
        return
    for child in children:
        if heads and child.suffix == ".tex" and child.name not in heads:
            continue
        if _is_one(child):
            yield from papers(child, above)


def _is_one(child: Path) -> bool:
    """Whether it may be a paper, or a folder with papers."""
    try:
        return child.suffix.lower() in ENDINGS or child.is_dir()
    except OSError:
        return False


def screen(path: Path, name: str) -> Iterator[Finding]:
    """All findings of one paper, called `name`. A paper that cannot be read is a finding with the reason."""
    try:
        yield from _drawn(path, name) if _is_pdf(path) else _source(path, name)
    except (RereviewError, OSError) as error:
        yield _unreadable(error, name)


def _is_pdf(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() == ".pdf"


def _drawn(path: Path, name: str) -> Iterator[Finding]:
    # A page without words to read may well have words to hide.
    from rereview.ingest import pdf  # noqa: PLC0415  a reader is loaded when its files are read

    found = pdf.drawn(path)
    try:
        paper = pdf.manuscript(path, found)
    except UnusableInput as error:
        yield from map_findings(pdf.notices(found), pdf.hidden(found), pdf.stamps(found), name)
        yield _unreadable(error, name)
    else:
        yield from _read(paper, name)


def _source(path: Path, name: str) -> Iterator[Finding]:
    """Of a PDF the pages are drawn; all others have the files of their images, which may say more."""
    paper = read(path)
    yield from _read(paper, name)
    yield from map_findings((), (), metadata(paper, lambda figure: image_of(path, figure)), name)


def _read(paper: Manuscript, name: str) -> Iterator[Finding]:
    paper = anonymous(paper)
    yield from map_findings(paper.notices, paper.hidden, paper.removed, name)
    for gap in paper.gaps:
        if gap.kind == "main-file":
            yield Finding(paper=name, page=None, kind="not-read", technique=gap.kind, text=gap.name, place="")


def map_findings(
    notices: tuple[Notice, ...], hidden: tuple[Hidden, ...], removed: tuple[Removed, ...], name: str
) -> Iterator[Finding]:
    """The records of a paper as rows."""
    for notice in notices:
        yield Finding(
            paper=name,
            page=notice.page,
            kind="notice",
            technique=notice.kind,
            text=notice.text,
            place=notice.place,
        )
    named = tuple(each for each in removed if each.kind not in _AROUND)
    for kind, items in (("hidden", hidden), ("names", named)):
        for item in items:
            yield Finding(
                paper=name,
                page=item.page,
                kind="hidden" if kind == "hidden" else "names",
                technique=item.kind,
                text=item.text,
                place=_place(item),
                bbox=item.bbox,
            )


def _place(item: Hidden | Removed) -> str:
    if isinstance(item, Hidden) and item.source is not None:
        return f"{item.source.file}:{item.source.start}-{item.source.end}"
    if item.bbox is not None and item.page is not None:
        corners = " ".join(f"{value:.2f}" for value in item.bbox)
        return f"{item.place}, {corners}" if item.place else corners
    if isinstance(item, Removed) and item.at is not None and not item.place:
        return f"{item.at.block_id}:{item.at.start}-{item.at.end}"
    return item.place


def _unreadable(error: Exception, name: str) -> Finding:
    what = error.what if isinstance(error, RereviewError) else str(error)
    expected = error.expected if isinstance(error, RereviewError) else ""
    return Finding(paper=name, page=None, kind="unreadable", technique="", text=what, place=expected)
