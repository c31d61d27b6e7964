"""The child process of `pdf_text`: PDFium's characters put together to lines.

Arguments: a path, a limit of address space in bytes, a limit of pages, and "names" where the letters
are to be told by the names of the glyphs. Writes an `Extract` as JSON.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import math
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pypdfium2  # type: ignore[import-untyped]  # it has no marker of being typed
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from rereview.ingest.pdf_actual import as_drawn
from rereview.ingest.pdf_blocks import is_caption
from rereview.ingest.pdf_extras import metadata, notes
from rereview.ingest.pdf_hidden import SCAN, news, unseen
from rereview.ingest.pdf_letters import letters
from rereview.ingest.pdf_margin import line_numbers
from rereview.ingest.pdf_measures import decoded
from rereview.ingest.pdf_names import spelt
from rereview.ingest.pdf_objects import graphics, key
from rereview.ingest.pdf_order import Glyph, ordered
from rereview.ingest.pdf_pixels import Frame
from rereview.ingest.pdf_quality import bad_pages
from rereview.ingest.pdf_repair import is_installed, mended
from rereview.ingest.pdf_shapes import remapped
from rereview.ingest.pdf_text import Extract, Line, Page
from rereview.types.manuscript import Box, Hidden

_HYPHENS = (0x02, 0xFFFE)
_UPRIGHT = 0.1
"""Radians that a character may lean from the page's main direction; stamps and watermarks lean more."""
_RAISED, _SMALLER = 0.12, 0.88
"""A superscript stands higher by this share of the size before it, and is at most this much of it."""
_SIGNS = "+-−–"
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
_SAME_SIZE = 0.1
_FINE = 100_000
_BOLD = ("bold", "black", "heavy", "cmbx", "medi", "sfbx")


class _Character(NamedTuple):
    text: str
    generated: bool
    x: float
    y: float
    """Of the origin, in reading direction."""
    size: float
    box: tuple[float, float, float, float]
    """Left, bottom, right, top in points of the unturned page."""
    place: int
    width: float
    """In reading direction."""


def main(path: str, memory: str, most_pages: str, names: str = "") -> None:
    """Read the file and write the answer."""
    limit(int(memory))
    sys.stdout.write(read(Path(path), int(most_pages), names=bool(names)).to_json())


def limit(memory: int) -> None:
    """Take no more address space than this, where the platform can tell a process so."""
    # Not honoured everywhere: the time limit of the parent holds in any case.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415  not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


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
            page.but(hidden=_once(news(page.hidden, seen), told)) if page.hidden else page for page, _ in made
        ),
        hidden=metadata(document, data),
        mended=repaired,
    )


def _once(hidden: Iterable[Hidden], told: set[str]) -> tuple[Hidden, ...]:
    """Leave out annotations that say what an earlier one has said: each link may be called "Link"."""
    kept = []
    for each in hidden:
        if each.kind != "annotation" or each.text not in told:
            kept.append(each)
        if each.kind == "annotation":
            told.add(each.text)
    return tuple(kept)


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
    glyphs = list(_characters(text.raw))
    found = unseen(page, letters(text.raw), number + 1)
    other = () if found.scan else _remapped(page, text.raw, glyphs, number + 1)
    beside = (*(hidden for hidden, _ in other), *beside)
    dropped = found.dropped.union(*(places for _, places in other))
    glyphs = [glyph for glyph in glyphs if glyph.place not in dropped]
    characters = _turned(glyphs)
    lines = tuple(filter(None, (_line(page, text.raw, line) for line in _in_order(characters))))
    # Walking the objects is slow on pages full of vector graphics, and only asked about scans.
    image = not lines and any(True for _ in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=2))
    aside = _aside(glyphs)
    hidden = (*found.hidden, *beside)
    made = Page(lines=lines, image=image, hidden=hidden, scan=found.scan, aside=aside)
    # Of a page that says nothing the captions are not known yet.
    if any(is_caption(line.text) for line in lines) or bad_pages([made]):
        made = made.but(graphics=_graphics(page))
    return made, found.seen


def _remapped(
    page: pypdfium2.PdfPage, text: pdfium.FPDF_TEXTPAGE, glyphs: Sequence[_Glyph], number: int
) -> list[tuple[Hidden, frozenset[int]]]:
    """Passages that are drawn in other letters, each with the places of its characters."""
    fonts = [0 if glyph.generated else _font(text, glyph.place) for glyph in glyphs]
    return [
        (
            Hidden(
                kind="remapped",
                text=decoded([glyph.code for glyph in found]).strip(),
                page=number,
                bbox=_fractions(page, [glyph.box for glyph in found if not glyph.generated]),
            ),
            frozenset(glyph.place for glyph in found),
        )
        for found in (glyphs[part.start : part.stop] for part in remapped(glyphs, fonts))
    ]


def _font(text: pdfium.FPDF_TEXTPAGE, place: int) -> int:
    return key(pdfium.FPDFTextObj_GetFont(pdfium.FPDFText_GetTextObject(text, place)))


def _graphics(page: pypdfium2.PdfPage) -> tuple[Box, ...]:
    """Images and lines, each once, to a thousandth of the page."""
    found = graphics(page.raw)
    if not found:
        return ()
    boxes = np.clip(Frame.of(page).fractions(found), 0, 1).round(3)
    sizes = boxes[:, 2:] - boxes[:, :2]
    kept = np.unique(boxes[(sizes.prod(axis=1) < SCAN) & (sizes.max(axis=1) > 0)], axis=0)
    return tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in kept)


def _aside(glyphs: Iterable[_Glyph]) -> str:
    """Words that lean: a stamp, a watermark, a label."""
    leaning = (
        chr(glyph.code) if glyph.code not in range(0xD800, 0xE000) else "\ufffd"
        for glyph in glyphs
        if glyph.generated or abs(math.remainder(glyph.angle, 2 * math.pi)) > _UPRIGHT
    )
    return " ".join("".join(leaning).split())


class _Glyph(NamedTuple):
    code: int
    generated: bool
    angle: float
    x: float
    y: float
    size: float
    box: tuple[float, float, float, float]
    place: int


def _characters(text: pdfium.FPDF_TEXTPAGE) -> Iterator[_Glyph]:
    numbers = [ctypes.c_double() for _ in range(6)]
    x, y, left, right, bottom, top = (ctypes.byref(number) for number in numbers)
    matrix = pdfium.FS_MATRIX()
    drawn: object = None
    size = angle = 0.0
    for index in range(pdfium.FPDFText_CountChars(text)):
        code = pdfium.FPDFText_GetUnicode(text, index)
        if pdfium.FPDFText_IsGenerated(text, index) == 1:
            yield _Glyph(code, True, 0.0, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0, 0.0), index)  # noqa: FBT003  a field of a tuple
            continue
        pdfium.FPDFText_GetCharOrigin(text, index, x, y)
        pdfium.FPDFText_GetCharBox(text, index, left, right, bottom, top)
        pdfium.FPDFText_GetMatrix(text, index, ctypes.byref(matrix))
        scaled = (matrix.a, matrix.b, matrix.c, matrix.d, pdfium.FPDFText_GetFontSize(text, index))
        if scaled != drawn:
            drawn, size, angle = scaled, _size(*scaled), math.atan2(matrix.b, matrix.a)
        box = (numbers[2].value, numbers[4].value, numbers[3].value, numbers[5].value)
        yield _Glyph(code, False, angle, numbers[0].value, numbers[1].value, size, box, index)  # noqa: FBT003


def _size(a: float, b: float, c: float, d: float, operand: float) -> float:
    # The font size alone is the raw operand, 1.0 where the matrix does all the scaling.
    return operand * math.sqrt(abs(a * d - b * c))


def _turned(glyphs: list[_Glyph]) -> list[_Character]:
    """Keep what runs in the main direction of the page, with coordinates in that direction."""
    angles = Counter(round(glyph.angle / (math.pi / 2)) % 4 for glyph in glyphs if not glyph.generated)
    main_angle = (angles.most_common(1)[0][0] if angles else 0) * math.pi / 2
    cos, sin = math.cos(main_angle), math.sin(main_angle)
    kept: list[_Character] = []
    high = 0
    for glyph in glyphs:
        lean = math.remainder(glyph.angle - main_angle, 2 * math.pi)
        if not glyph.generated and abs(lean) > _UPRIGHT:
            continue
        code = glyph.code
        if code in _HIGH:
            high = code
            continue
        if code in _LOW:
            code = 0x10000 + ((high - _HIGH.start) << 10) + (code - _LOW.start) if high else 0xFFFD
        x, y = glyph.x * cos + glyph.y * sin, glyph.y * cos - glyph.x * sin
        left, bottom, right, top = glyph.box
        width = abs((right - left) * cos) + abs((top - bottom) * sin)
        kept.append(_Character(chr(code), glyph.generated, x, y, glyph.size, glyph.box, glyph.place, width))
    return kept


def _split(characters: list[_Character]) -> Iterator[list[_Character]]:
    """Cut at line ends, and after a hyphen at a line's end, which PDFium reports as a mark of its own."""
    line: list[_Character] = []
    for character in characters:
        if character.text == "\n":
            yield line
            line = []
        elif ord(character.text) in _HYPHENS:
            yield [*line, character]
            line = []
        elif character.text != "\r":
            line.append(character)
    yield line


def _in_order(characters: list[_Character]) -> list[list[_Character]]:
    """The lines as they are drawn, or on a page of two columns as they are read."""
    lines = _without_numbers(list(_split(characters)))
    places, glyphs = _places(lines)
    read = ordered(places, glyphs)
    if read is None:
        return lines
    flat = [character for line in lines for character in line]
    return [_ended([flat[index] for index in line]) for line in read]


def _without_numbers(lines: list[list[_Character]]) -> list[list[_Character]]:
    """Leave out numbers of lines in the margin."""
    places, glyphs = _places(lines)
    numbers = line_numbers(places, glyphs, [character.text for line in lines for character in line])
    if not numbers:
        return lines
    return [
        [character for index, character in zip(place, line, strict=True) if index not in numbers]
        for place, line in zip(places, lines, strict=True)
    ]


def _places(lines: list[list[_Character]]) -> tuple[list[range], list[Glyph | None]]:
    """Of each line the indices of its characters among those of all lines, and where they stand."""
    ends = list(itertools.accumulate(map(len, lines), initial=0))
    glyphs = [_glyph(character) for line in lines for character in line]
    return [range(begin, end) for begin, end in itertools.pairwise(ends)], glyphs


def _glyph(character: _Character) -> Glyph | None:
    if character.generated or character.text.isspace() or ord(character.text) in _HYPHENS:
        return None
    return Glyph(character.x, character.x + character.width, character.y, character.size)


def _ended(line: list[_Character]) -> list[_Character]:
    """A hyphen before the gutter is one at the end of a line, which PDFium could not know."""
    while line and (line[-1].generated or line[-1].text.isspace()) and ord(line[-1].text) not in _HYPHENS:
        line = line[:-1]
    divides = len(line) > 1 and line[-1].text == "-" and line[-2].text.isalpha()
    return [*line[:-1], line[-1]._replace(text=chr(_HYPHENS[0]))] if divides else line


def _line(page: pypdfium2.PdfPage, text: pdfium.FPDF_TEXTPAGE, line: list[_Character]) -> Line | None:
    hyphen = bool(line) and ord(line[-1].text) in _HYPHENS
    line = line[:-1] if hyphen else line
    drawn = [character for character in line if not character.generated and not character.text.isspace()]
    if not drawn:
        return None
    readable = [character for character in line if not _is_odd(character.text)]
    sizes = Counter(round(character.size, 1) for character in drawn)
    size = sizes.most_common(1)[0][0]
    base = [character for character in drawn if abs(character.size - size) < _SAME_SIZE] or drawn
    return Line(
        text=" ".join(_with_raised(readable).split()),
        x0=min(character.x for character in drawn),
        x1=max(character.x + character.width for character in drawn),
        y=sorted(character.y for character in base)[len(base) // 2],
        size=size,
        bold=_is_bold(text, base[0].place) and _is_bold(text, base[-1].place),
        hyphen=hyphen,
        box=_fractions(page, [character.box for character in drawn]),
        odd=len(line) - len(readable),
    )


def _is_odd(character: str) -> bool:
    category = unicodedata.category(character)
    return character == "\ufffd" or (category in ("Cc", "Co", "Cn", "Cs") and not character.isspace())


def _with_raised(line: list[_Character]) -> str:
    """Join the characters; digits that stand raised after a digit are an exponent, and get `^`."""
    parts: list[str] = []
    before: _Character | None = None
    raised = False
    for place, character in enumerate(line):
        if not character.generated and before is not None:
            begins = not raised and before.text.isdecimal() and _is_exponent(before, line[place:])
            if begins:
                while parts and parts[-1].isspace():
                    parts.pop()
                parts.append("^")
            raised = begins or (raised and character.size <= before.size * 1.05)
        parts.append(character.text)
        before = before if character.generated else character
    return "".join(parts)


def _is_exponent(before: _Character, rest: list[_Character]) -> bool:
    first = rest[0]
    digits = rest[1:2] if first.text in _SIGNS else rest[:1]
    is_number = bool(digits) and digits[0].text.isdecimal()
    is_raised = first.y - before.y > _RAISED * before.size and first.size < _SMALLER * before.size
    return is_number and is_raised


def _is_bold(text: pdfium.FPDF_TEXTPAGE, index: int) -> bool:
    buffer = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(text, index, buffer, 128, None)
    name = buffer.value.decode(errors="replace").lower()
    return any(mark in name for mark in _BOLD)


def _fractions(page: pypdfium2.PdfPage, boxes: list[tuple[float, float, float, float]]) -> Box:
    """Turn a union of boxes into fractions of the page as it is shown (cropped and rotated)."""
    corners = (
        _shown(page, min(box[0] for box in boxes), min(box[1] for box in boxes)),
        _shown(page, max(box[2] for box in boxes), max(box[3] for box in boxes)),
    )
    (x0, y0), (x1, y1) = corners
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _shown(page: pypdfium2.PdfPage, x: float, y: float) -> tuple[float, float]:
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page.raw, 0, 0, _FINE, _FINE, 0, x, y, ctypes.byref(across), ctypes.byref(down))
    return min(max(across.value / _FINE, 0.0), 1.0), min(max(down.value / _FINE, 0.0), 1.0)


if __name__ == "__main__":
    main(*sys.argv[1:])
