"""Folders of papers, as told from the folder of one paper; and how long the papers of one are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import NamedTuple

from rereview.errors import UnusableInput
from rereview.ingest.package import is_package
from rereview.ingest.projects import Heads, heads
from rereview.ingest.sources import Members

ENDINGS = (".pdf", ".tex", ".md", ".docx", ".html", ".htm", ".xhtml", ".zip", ".tar", ".tgz", ".gz")

_ABOUT = ("readme", "license", "licence", "changelog", "contributing")


def holds_papers(path: Path) -> bool:
    """Say whether this is a folder of papers: no package, and not the main LaTeX file of one right in it."""
    with _permitted(path):
        return path.is_dir() and not is_package(path) and len(projects_in(path)) != 1


def projects_in(folder: Path) -> tuple[str, ...]:
    """The main files of papers right in a folder; one for a paper of several files."""
    return _heads(folder).papers


def _heads(folder: Path) -> Heads:
    with _permitted(folder):
        found = {file.name: file.read_bytes() for file in folder.glob("*.tex") if file.is_file()}
    return heads(Members(found))


@contextmanager
def _permitted(path: Path) -> Iterator[None]:
    """What the system refuses is one line."""
    try:
        yield
    except OSError as error:
        raise UnusableInput(
            f"cannot be read: {error.strerror or error}",
            where=str(error.filename or path),
            expected="expected a paper or a folder that may be read",
        ) from error


def beside(folder: Path) -> tuple[str, ...]:
    """Main LaTeX files right in a folder that are taken for a part of a paper there, as a supplement is."""
    return _heads(folder).beside


def papers_in(folder: Path, *, every: bool = False) -> tuple[Path, ...]:
    """The papers right in a folder, by name: files of a known type, and folders. No file beside them.

    Of LaTeX the main files, where there are any; `every`: those too that are `beside` a paper.
    """
    if not folder.is_dir():
        raise UnusableInput("no such folder", where=str(folder), expected="expected a folder with papers")
    found = _heads(folder)
    chosen = (*found.papers, *found.beside) if every else found.papers
    with _permitted(folder):
        return tuple(
            path
            for path in sorted(folder.iterdir())
            if not path.name.startswith(".") and (path.is_dir() or is_paper(path))
            if not chosen or path.suffix != ".tex" or path.name in chosen
        )


def is_paper(path: Path) -> bool:
    """Whether a file is of a known type and its name is not one of those that tell about a folder."""
    return path.suffix.lower() in ENDINGS and path.stem.lower() not in _ABOUT


class Spread(NamedTuple):
    """How a count is spread over papers; `papers` are those of which it is known."""

    papers: int
    total: int | None
    median: float | None
    percentile_90: float | None
    maximum: int | None


def spread(values: Sequence[int | None]) -> Spread:
    """Total, median, 90th percentile (linear between order statistics) and maximum of what is known."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return Spread(0, None, None, None, None)
    return Spread(len(known), sum(known), _quantile(known, 0.5), _quantile(known, 0.9), known[-1])


def _quantile(known: Sequence[int], share: float) -> float:
    place = share * (len(known) - 1)
    low, high = known[int(place)], known[ceil(place)]
    return low + (high - low) * (place - int(place))
