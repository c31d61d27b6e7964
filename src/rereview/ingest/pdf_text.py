"""Lines of text of a PDF with their place, by PDFium, in a process of its own.

PDFium is a large C++ library that reads what strangers send: it may crash, hang, or ask for all
memory. `extract` runs this module as a child process with limits, which answers with JSON.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import Literal, TypeVar

from rereview.errors import UnusableInput
from rereview.types.manuscript import Box, Hidden
from rereview.types.record import Record

SECONDS = 180.0
CHILD_SECONDS = "REREVIEW_CHILD_SECONDS"
"""Where a child finds its bound on processor time."""
PATIENCE = 4
"""So many times as long it may take by the clock."""
SIGXCPU = 24
"""What ends a process that has used up its processor time; Windows has no name for it."""
MEMORY = 2 * 1024**3
"""Bytes of address space, where the platform can limit it."""
MOST_PAGES = 400

Answer = TypeVar("Answer", bound=Record)
Problem = Literal["password", "damaged", "beyond-repair", "no-pages", "too-many-pages"]


class Line(Record):
    """A line as PDFium orders them; lengths in points, `x` to the right and `y` up in reading direction."""

    text: str
    x0: float
    x1: float
    y: float
    """Of the baseline."""
    size: float
    """Font size of most of its characters."""
    bold: bool
    hyphen: bool
    """Ends inside a word; the mark itself is not part of the text."""
    box: Box
    """Fractions of the page, origin top left."""
    cells: tuple[tuple[float, float], ...] = ()
    """Pieces from x to x that are parted by more white than words are; none where it is one piece."""
    odd: int = 0
    """Control, private and unassigned characters that the font gave instead of letters (left out)."""


class Page(Record):
    """The lines of one page, and whether it shows an image."""

    lines: tuple[Line, ...]
    image: bool
    hidden: tuple[Hidden, ...] = ()
    """What stands on the page and is not seen; it is not in the lines."""
    scan: bool = False
    """The lines are recognised text under an image of the page."""
    aside: str = ""
    """Words that do not stand upright; they are not in the lines, unless the whole page is turned."""
    numbers: tuple[str, ...] = ()
    """Numbers of lines in its margin, from the top, which are not in the lines."""
    by: Literal["text", "names", "image"] = "text"
    """What gave the lines: the text layer, the names of its glyphs, or recognition of the page's image."""
    graphics: tuple[Box, ...] = ()
    """Images and lines drawn on a page that has captions; what covers all of it is left out."""


class Extract(Record):
    """What the child answers: pages, or why there are none."""

    pages: tuple[Page, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    """What the file says beside its pages."""
    mended: bool = False
    """The file was damaged and written anew: pages may be missing."""
    problem: Problem | None = None
    detail: str = ""


def extract(path: Path, *, seconds: float = SECONDS, memory: int = MEMORY, names: bool = False) -> Extract:
    """Read the lines of a PDF in a child process. Raises UnusableInput if it crashes or takes too long.

    `names`: by the names of the glyphs (see `pdf_names`); without pages where those tell nothing.
    """
    arguments = (str(path), str(memory), str(MOST_PAGES), *(("names",) if names else ()))
    return answer(Extract, "rereview.ingest.pdf_child", arguments, path=path, seconds=seconds)


def answer(
    kind: type[Answer], module: str, arguments: Sequence[str], *, path: Path, seconds: float = SECONDS
) -> Answer:
    """Run a module on a PDF as a process of its own, which answers with a record as JSON.

    `seconds` are of processor time, where the platform can bound it: a busy machine is no fault of the paper.
    Raises UnusableInput if it crashes or takes too long.
    """
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        # Of numpy in the child: threads take address space, of which it has little, and have no work.
        "OPENBLAS_NUM_THREADS": "1",
        CHILD_SECONDS: str(max(1, ceil(seconds))),
    }
    try:
        done = subprocess.run(  # noqa: S603  our own module; the path is an argument, not a command
            [sys.executable, "-m", module, *arguments],
            capture_output=True,
            check=False,
            timeout=seconds * PATIENCE,
            env=environment,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired as error:
        raise _too_long(path, seconds) from error
    if done.returncode == -SIGXCPU:
        raise _too_long(path, seconds)
    if done.returncode == 0:
        with contextlib.suppress(ValueError):
            return kind.model_validate_json(done.stdout)
    raise UnusableInput(_why(done), where=str(path), expected=_OTHER)


def _too_long(path: Path, seconds: float) -> UnusableInput:
    return UnusableInput(f"reading took more than {seconds:g} s", where=str(path), expected=_OTHER)


_OTHER = "expected a PDF that PDFium can read: export or print it anew, or give the LaTeX source"


def _why(done: subprocess.CompletedProcess[bytes]) -> str:
    if b"MemoryError" in done.stderr or b"std::bad_alloc" in done.stderr:
        return "reading needs more memory than a paper may"
    if done.returncode < 0:
        return f"PDFium crashed (signal {-done.returncode})"
    last = done.stderr.decode(errors="replace").strip().splitlines()
    return f"reading failed with code {done.returncode} ({last[-1] if last else 'no message'})"
