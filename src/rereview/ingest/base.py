"""Reads a paper, whatever it is."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from rereview.errors import UnusableInput
from rereview.ingest.identity import without_ending
from rereview.types.manuscript import Figure, Manuscript

Kind = Literal["pdf", "latex", "markdown", "archive", "docx", "html"]

_KNOWN = (
    "expected a .tex, .md, .docx, .html or .pdf file, a folder or archive with LaTeX source, or an arXiv id"
)
_SNIFFED = 1024


def local(path: Path, *, offline: bool = False, kept: Path | None = None) -> Path:
    """The file or folder of a paper; what is no path and names a paper of arXiv is fetched first.

    `kept`: the folder for what is fetched; None: one in the user's cache.

    Raises ConsentError for one that is not here when `offline` forbids to fetch it, and UnusableInput.
    """
    if _exists(path):
        return path
    from rereview.ingest import arxiv  # noqa: PLC0415  most papers are on disk

    typed = str(path)
    paper = arxiv.parse(typed)
    if paper is not None:
        return arxiv.fetched(paper, kept or arxiv.cache_folder(), offline=offline, arxiv=arxiv.Arxiv())
    if arxiv.looks_like_address(typed):
        raise UnusableInput("no paper of arXiv, and nothing else is fetched", where=typed, expected=_KNOWN)
    return path


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # too long for a name, or in a folder that may not be read
        return False


def stem_of(path: Path) -> str:
    """The name of a paper's file without its ending, or that of its folder."""
    name = path.resolve().name
    return name if path.is_dir() else without_ending(name)


def read(path: Path) -> Manuscript:
    """Read a paper; what the path is decides how. Raises UnusableInput in one line."""
    try:
        return _read(path)
    except OSError as error:
        raise _refused(error, path) from error


def _refused(error: OSError, path: Path) -> UnusableInput:
    what = f"cannot be read: {error.strerror or error}"
    return UnusableInput(what, where=str(error.filename or path), expected=_KNOWN)


def _read(path: Path) -> Manuscript:
    if path.is_dir():
        return _folder(path)
    if not path.exists():
        raise UnusableInput("no such file or folder", where=str(path), expected=_KNOWN)
    start = _start(path)
    kind = _kind(path, start)
    if kind == "pdf":
        return _pdf(path, start)
    if kind in ("latex", "markdown"):
        _check_text(path, start)
    if kind == "docx" and not start.startswith(b"PK"):
        raise UnusableInput(
            f"the content is {_what(start) or 'no ZIP archive'}, not DOCX as the name says",
            where=str(path),
            expected=_KNOWN,
        )
    readers = {
        "latex": _latex,
        "markdown": _markdown,
        "archive": _archive,
        "docx": _docx,
        "html": _html,
    }
    if kind is None:
        raise UnusableInput(
            f"files of type {path.suffix.lower() or 'unknown'!r} are not read",
            where=str(path),
            expected=_KNOWN,
        )
    return readers[kind](path)


def image_of(path: Path, figure: Figure) -> bytes | None:
    """The image of a figure of the paper that `read(path)` gave; None where there is none to show.

    Raises UnusableInput for one that has gone since.
    """
    try:
        return None if figure.path is None else _image_of(path, figure, figure.path)
    except OSError as error:
        raise _refused(error, path) from error


def _image_of(path: Path, figure: Figure, name: str) -> bytes | None:
    if path.is_dir():
        return _image_in(path, figure, name)
    match _kind(path, _start(path)):
        case "archive":
            from rereview.ingest import archive  # noqa: PLC0415  a reader is loaded when its files are read

            return archive.image(path, name)
        case "docx":
            from rereview.ingest import docx  # noqa: PLC0415  the same

            return docx.image(path, name)
        case "html":
            from rereview.ingest import html  # noqa: PLC0415  the same

            return html.image(path, name)
        case "pdf":
            from rereview.ingest import pdf  # noqa: PLC0415  the same

            return pdf.image(path, figure)
    return (path.parent / name).read_bytes()


def images_of(path: Path, figures: Sequence[Figure]) -> dict[str, bytes | None]:
    """Of each figure by id its image, as `image_of` gives it; those of a PDF are drawn in one go."""
    if path.is_file() and figures and _kind(path, _start(path)) == "pdf":
        from rereview.ingest import pdf  # noqa: PLC0415  a reader is loaded when its files are read

        return pdf.drawings(path, figures)
    return {figure.id: image_of(path, figure) for figure in figures}


_ENDINGS: dict[str, Kind] = {
    ".pdf": "pdf",
    ".tex": "latex",
    ".md": "markdown",
    ".zip": "archive",
    ".tar": "archive",
    ".tgz": "archive",
    ".gz": "archive",
    ".docx": "docx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
}


def _kind(path: Path, start: bytes) -> Kind | None:
    """Which reader reads this: the ending says it; an e-print of arXiv has none, or a wrong one.

    What says "%PDF-" further in is a member of an archive.
    """
    kind = _ENDINGS.get(path.suffix.lower())
    if kind == "archive":
        return "pdf" if start.startswith(b"%PDF-") else kind
    if kind is None and start.startswith(b"\x1f\x8b"):
        return "archive"
    return "pdf" if kind is None and b"%PDF-" in start and not start.startswith(b"PK") else kind


def _start(path: Path) -> bytes:
    if not path.is_file():  # to read from a pipe or a device might never end
        raise UnusableInput("a pipe or a device is not read", where=str(path), expected=_KNOWN)
    with path.open("rb") as file:
        start = file.read(_SNIFFED)
    if not start:
        raise UnusableInput("the file is empty", where=str(path), expected=_KNOWN)
    return start


def _check_text(path: Path, start: bytes) -> None:
    what = _what(start)
    if what is not None:
        raise UnusableInput(
            f"the content is {what}, not text as the name says", where=str(path), expected=_KNOWN
        )
    if start.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise UnusableInput("text in UTF-16", where=str(path), expected="expected text in UTF-8")
    if b"\0" in path.read_bytes():
        raise UnusableInput("binary content (a NUL byte)", where=str(path), expected="expected text in UTF-8")


def _what(start: bytes) -> str | None:
    """Name the content that these first bytes show, if it is none that has no mark."""
    if b"%PDF-" in start[:_SNIFFED]:
        return "PDF"
    head = start.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype html", b"<html")):
        return "HTML"
    if start.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return "an old Word file, or one with a password"
    if start.startswith(b"PK\x03\x04"):
        return "a ZIP archive (.docx is one)"
    return "gzip data" if start.startswith(b"\x1f\x8b") else None


def _folder(path: Path) -> Manuscript:
    from rereview.ingest.package import is_package  # noqa: PLC0415  a reader is loaded when its files are read

    if not is_package(path):
        return _latex(path)
    from rereview.ingest import package_faults  # noqa: PLC0415  the same

    return package_faults.read(path)


def _image_in(folder: Path, figure: Figure, name: str) -> bytes:
    from rereview.ingest import package, package_faults, projects  # noqa: PLC0415  the same

    if package.is_package(folder):
        return package_faults.image(folder, figure)
    return projects.open_project(folder).content(name)


def _latex(path: Path) -> Manuscript:
    from rereview.ingest import latex  # noqa: PLC0415  a reader is loaded when its files are read

    return latex.read(path)


def _archive(path: Path) -> Manuscript:
    from rereview.ingest import archive  # noqa: PLC0415  a reader is loaded when its files are read

    return archive.read(path)


def _docx(path: Path) -> Manuscript:
    from rereview.ingest import docx  # noqa: PLC0415  a reader is loaded when its files are read

    return docx.read(path)


def _html(path: Path) -> Manuscript:
    from rereview.ingest import html  # noqa: PLC0415  a reader is loaded when its files are read

    return html.read(path)


def _markdown(path: Path) -> Manuscript:
    from rereview.ingest import plain  # noqa: PLC0415  a reader is loaded when its files are read

    return plain.read(path)


def _pdf(path: Path, start: bytes) -> Manuscript:
    what = _what(start)
    if what != "PDF":
        raise UnusableInput(
            f"the content is {what or 'no PDF'}, not PDF as the name says", where=str(path), expected=_KNOWN
        )
    from rereview.ingest import pdf  # noqa: PLC0415  a reader is loaded when its files are read

    return pdf.read(path)
