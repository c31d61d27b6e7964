"""Pages of a PDF recognised from their image by RapidOCR, in a process of its own.

Optional: the extra `ocr` installs it. Its models are part of its package, and the process may not open
a connection. Run as a module it is the child. Arguments: a path, a limit of address space in bytes, a
`Wanted` as JSON. Writes a `Recognised` as JSON.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from rereview.ingest.pdf_order import Glyph, ordered
from rereview.ingest.pdf_text import Line, answer
from rereview.types.record import Record

SECONDS = 120.0
SECONDS_A_PAGE = 90.0
"""A page takes some ten seconds on one idle core."""
MEMORY = 6 * 1024**3
SCALE = 1.8
"""Pixels a point: larger images take longer, and are recognised worse."""
MOST_PIXELS = 4e6
_FEWEST_SURE = 0.5
_BASELINE = 0.22
"""Of the height of a line: what reaches below its baseline."""
_EM = 0.8
"""Font size as a share of the height of a line."""
_INSET = 0.25
"""Font sizes: what is recognised as a line reaches so far into the white beside it, also into a gutter."""
_USUAL = (0.7, 1.4)
"""Of the median: lines without tall letters are lower, those with fractions higher, and of the same size."""
_NO_CONNECTION = frozenset({"socket.connect", "socket.getaddrinfo", "socket.gethostbyname"})


class Wanted(Record):
    """Numbers of pages, from 1."""

    pages: tuple[int, ...]


class Recognised(Record):
    """Of each wanted page its lines; none where nothing was recognised."""

    pages: tuple[tuple[Line, ...], ...]


class Strip(NamedTuple):
    """A recognised line, in points of the page as it is shown, `y` upwards: left, bottom, right, top."""

    text: str
    box: tuple[float, float, float, float]


def is_installed() -> bool:
    """True if pages can be recognised here."""
    return all(importlib.util.find_spec(name) is not None for name in ("rapidocr", "onnxruntime"))


def recognised(path: Path, numbers: Sequence[int]) -> dict[int, tuple[Line, ...]]:
    """The lines of these pages. Raises UnusableInput if the process crashes or takes too long."""
    arguments = (str(path), str(MEMORY), Wanted(pages=tuple(numbers)).to_json())
    seconds = SECONDS + SECONDS_A_PAGE * len(numbers)
    found = answer(Recognised, "rereview.ingest.pdf_ocr", arguments, path=path, seconds=seconds)
    return dict(zip(numbers, found.pages, strict=True))


def lines(strips: Sequence[Strip], size: tuple[float, float]) -> tuple[Line, ...]:
    """The lines in reading order. `size`: width and height of the page in points."""
    placed = sorted(strips, key=lambda strip: (-strip.box[3], strip.box[0]))
    usual = median([strip.box[3] - strip.box[1] for strip in placed]) if placed else 1.0
    places: list[range] = []
    glyphs: list[Glyph] = []
    for strip in placed:
        places.append(range(len(glyphs), len(glyphs) + len(strip.text)))
        glyphs += _glyphs(strip, usual)
    letters = [letter for strip in placed for letter in strip.text]
    return tuple(_line(members, letters, glyphs, size) for members in ordered(places, glyphs) or places)


def _glyphs(strip: Strip, usual: float) -> list[Glyph]:
    """Each letter in its share of the width: RapidOCR gives the place of a line."""
    left, bottom, right, top = strip.box
    height = top - bottom
    em = _EM * (usual if _USUAL[0] * usual < height < _USUAL[1] * usual else height)
    inset = min(_INSET * em, (right - left) / 4)
    left += inset
    step = (right - inset - left) / max(len(strip.text), 1)
    base = bottom + _BASELINE * height
    # Spaces too have a place: white within a strip is no gutter.
    return [Glyph(left + step * at, left + step * (at + 1), base, em) for at in range(len(strip.text))]


def _line(
    members: Sequence[int], letters: Sequence[str], glyphs: Sequence[Glyph], size: tuple[float, float]
) -> Line:
    drawn = [glyphs[member] for member in members]
    text = "".join(letters[member] for member in members).strip()
    divided = len(text) > 1 and text[-1] == "-" and text[-2].isalpha()
    x0, x1, y, em = drawn[0].x0, drawn[-1].x1, drawn[0].y, drawn[0].size
    width, height = size
    top, bottom = 1 - (y + _EM * em) / height, 1 - (y - _BASELINE * em) / height
    return Line(
        text=text[:-1] if divided else text,
        x0=x0,
        x1=x1,
        y=y,
        size=round(em, 1),
        bold=False,
        hyphen=divided,
        box=(max(x0 / width, 0.0), max(top, 0.0), min(x1 / width, 1.0), min(bottom, 1.0)),
    )


def main(path: str, memory: str, wanted: str) -> None:
    """Recognise and write the answer."""
    from rereview.ingest.pdf_child import limit, opened  # noqa: PLC0415  PDFium is loaded in the child only

    limit(int(memory))
    sys.addaudithook(_refuse)
    document = opened(Path(path).read_bytes()).document
    engine = _engine()
    made = [_page(document, number, engine) for number in Wanted.model_validate_json(wanted).pages]
    sys.stdout.write(Recognised(pages=tuple(made)).to_json())


def _refuse(event: str, _: object) -> None:
    if event in _NO_CONNECTION:
        raise PermissionError("recognition opens no connection: its models are part of its package")


def _engine() -> object:
    from rapidocr import RapidOCR  # type: ignore[import-untyped,import-not-found,unused-ignore]  # noqa: PLC0415  optional, slow

    threads = dict.fromkeys(
        (f"EngineConfig.onnxruntime.{kind}_op_num_threads" for kind in ("intra", "inter")), 1
    )
    # Turned lines are stamps: not looking for them saves a model.
    return RapidOCR(params={"Global.use_cls": False, "Global.log_level": "critical", **threads})


def _page(document: object, number: int, engine: object) -> tuple[Line, ...]:
    import pypdfium2  # type: ignore[import-untyped]  # noqa: PLC0415  as above; it has no marker of being typed

    try:
        page = document[number - 1]  # type: ignore[index]  # a document of PDFium
    except pypdfium2.PdfiumError:
        return ()
    width, height = page.get_size()
    scale = min(SCALE, (MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
    found = engine(page.render(scale=scale, prefer_bgrx=True).to_numpy()[:, :, :3])  # type: ignore[operator]
    if not found.txts:
        return ()
    strips = [
        Strip(" ".join(text.split()), _upright(corners, scale, height))
        for text, corners, sure in zip(found.txts, found.boxes.tolist(), found.scores, strict=True)
        if sure >= _FEWEST_SURE and text.strip()
    ]
    return lines(strips, (width, height))


def _upright(
    corners: Sequence[Sequence[float]], scale: float, height: float
) -> tuple[float, float, float, float]:
    xs, ys = zip(*corners, strict=True)
    return min(xs) / scale, height - max(ys) / scale, max(xs) / scale, height - min(ys) / scale


if __name__ == "__main__":
    main(*sys.argv[1:])
