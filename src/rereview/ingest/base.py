"""Reads a paper, whatever it is."""

from __future__ import annotations

from pathlib import Path

from rereview.errors import UnusableInput
from rereview.types.manuscript import Manuscript

_KNOWN = "expected a .tex, .md or .pdf file, or a folder with LaTeX source"
_SNIFFED = 1024


def read(path: Path) -> Manuscript:
    """Read a paper; what the path is decides how. Raises UnusableInput in one line."""
    try:
        return _read(path)
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise UnusableInput(what, where=str(error.filename or path), expected=_KNOWN) from error


def _read(path: Path) -> Manuscript:
    if path.is_dir():
        return _latex(path)
    if not path.exists():
        raise UnusableInput("no such file or folder", where=str(path), expected=_KNOWN)
    start = _start(path)
    ending = path.suffix.lower()
    if ending == ".pdf":
        return _pdf(path, start)
    if ending in {".tex", ".md"}:
        _check_text(path, start)
        return _latex(path) if ending == ".tex" else _markdown(path)
    raise UnusableInput(
        f"files of type {ending or 'unknown'!r} are not read", where=str(path), expected=_KNOWN
    )


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
    if b"\0" in path.read_bytes():
        raise UnusableInput("binary content (a NUL byte)", where=str(path), expected="expected text in UTF-8")


def _what(start: bytes) -> str | None:
    """Name the content that these first bytes show, if it is none that has no mark."""
    if b"%PDF-" in start[:_SNIFFED]:
        return "PDF"
    head = start.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype html", b"<html")):
        return "HTML"
    if start.startswith(b"PK\x03\x04"):
        return "a ZIP archive (.docx is one)"
    return "gzip data" if start.startswith(b"\x1f\x8b") else None


def _latex(path: Path) -> Manuscript:
    from rereview.ingest import latex  # noqa: PLC0415  a reader is loaded when its files are read

    return latex.read(path)


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


def root_of(path: Path) -> Path:
    """The folder to which the paths of a manuscript's figures are relative."""
    if not path.is_dir():
        return path.parent
    from rereview.ingest.projects import open_project  # noqa: PLC0415  it reads LaTeX only

    return open_project(path).folder
