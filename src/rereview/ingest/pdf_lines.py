"""Lines of a page of a PDF, put together from its characters, in reading order."""

from __future__ import annotations

import ctypes
import math
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]  # it has no marker of being typed
from numpy.typing import NDArray

from rereview.ingest.pdf_letters import Floats, Letters
from rereview.ingest.pdf_margin import line_numbers
from rereview.ingest.pdf_order import Places, ordered, widest_gap
from rereview.ingest.pdf_text import Line
from rereview.types.manuscript import Box

_HYPHENS = (0x02, 0xFFFE)
_HYPHEN = chr(_HYPHENS[0])
_UPRIGHT = 0.1
"""Radians that a character may lean from the page's main direction; stamps and watermarks lean more."""
_RAISED, _SMALLER = 0.12, 0.88
"""A superscript stands higher by this share of the size before it, and is at most this much of it."""
_SIGNS = "+-−–"
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
_SAME_SIZE = 0.1
_FINE = 100_000
_BOLD = ("bold", "black", "heavy", "cmbx", "medi", "sfbx")

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class _Upright:
    """What runs in the main direction of the page, with coordinates in that direction."""

    texts: list[str]
    places: Indices
    """Indices of the letters of the page."""
    blank: NDArray[np.bool_]
    """Made up, or white."""
    generated: NDArray[np.bool_]
    x: Floats
    y: Floats
    """Of the origin."""
    width: Floats
    size: Floats


@dataclass(frozen=True)
class _Fonts:
    """What is known of the fonts of a page."""

    text: object
    letters: Letters
    bold: dict[int, bool]

    def is_bold(self, place: int) -> bool:
        """By the name of the font; each is asked for its name once."""
        font = int(self.letters.fonts[place])
        if font not in self.bold:
            buffer = ctypes.create_string_buffer(128)
            pdfium.FPDFText_GetFontInfo(self.text, place, buffer, 128, None)
            name = buffer.value.decode(errors="replace").lower()
            self.bold[font] = any(mark in name for mark in _BOLD)
        return self.bold[font]


class Lines(NamedTuple):
    """The lines of a page in reading order, and the numbers of lines in its margin, which are none."""

    lines: tuple[Line, ...]
    numbers: tuple[str, ...]


def lines(page: object, text: object, letters: Letters, kept: Indices) -> Lines:
    """The lines in reading order.

    `page`, `text`: a page and its text page of PDFium. `kept`: indices of letters that are part of the text.
    """
    upright = _turned(letters, kept)
    fonts = _Fonts(text, letters, {})
    drawn, numbers = _without_numbers(upright, _split(upright.texts))
    found = _in_order(upright, drawn)
    gap = widest_gap(_ranges(found), _places(upright, np.concatenate(found))) if found else 0.0
    made = (_line(page, upright, members, fonts, gap) for members in found)
    return Lines(tuple(line for line in made if line is not None), numbers)


def aside(letters: Letters, kept: Indices) -> str:
    """Words that lean: a stamp, a watermark, a label."""
    angles = letters.angles[kept]
    known, which = np.unique(angles, return_inverse=True)
    leans = np.array(
        [abs(math.remainder(angle, 2 * math.pi)) > _UPRIGHT for angle in known.tolist()], dtype=bool
    )
    chosen = letters.codes[kept][letters.generated[kept] | leans[which.reshape(-1)]].tolist()
    return " ".join("".join(["\ufffd" if 0xD800 <= code < 0xE000 else chr(code) for code in chosen]).split())  # noqa: PLR2004  half of a pair


def _turned(letters: Letters, kept: Indices) -> _Upright:
    """Keep what runs in the main direction of the page."""
    generated, angles = letters.generated[kept], letters.angles[kept]
    main = _main_angle(angles[~generated])
    known, which = np.unique(angles, return_inverse=True)
    leans = np.array(
        [abs(math.remainder(angle - main, 2 * math.pi)) > _UPRIGHT for angle in known.tolist()], dtype=bool
    )
    kept = kept[generated | ~leans[which.reshape(-1)]] if len(kept) else kept
    texts, kept = _characters(letters.codes, kept)
    cos, sin = math.cos(main), math.sin(main)
    x, y = letters.origins[kept].T
    left, bottom, right, top = letters.boxes[kept].T
    generated = letters.generated[kept]
    white = np.array([each.isspace() or ord(each) in _HYPHENS for each in texts], dtype=bool)
    return _Upright(
        texts=texts,
        places=kept,
        blank=generated | white,
        generated=generated,
        x=x * cos + y * sin,
        y=y * cos - x * sin,
        width=np.abs((right - left) * cos) + np.abs((top - bottom) * sin),
        size=letters.sizes[kept],
    )


def _main_angle(angles: Floats) -> float:
    """The quarter of a turn that most characters have; of several the first."""
    quarters = Counter((np.round(angles / (math.pi / 2)) % 4).astype(int).tolist())
    return (quarters.most_common(1)[0][0] if quarters else 0) * math.pi / 2


def _characters(codes: NDArray[np.int64], kept: Indices) -> tuple[list[str], Indices]:
    """What the codes say; of two halves of a pair (UTF-16) the second stands for both."""
    mine = codes[kept]
    halves = (mine >= _HIGH.start) & (mine < _LOW.stop)
    if not halves.any():
        return [chr(code) for code in mine.tolist()], kept
    texts: list[str] = []
    places: list[int] = []
    high = 0
    for place, code in zip(kept.tolist(), mine.tolist(), strict=True):
        if code in _HIGH:
            high = code
            continue
        whole = 0x10000 + ((high - _HIGH.start) << 10) + (code - _LOW.start) if high else 0xFFFD
        texts.append(chr(whole if code in _LOW else code))
        places.append(place)
    return texts, np.array(places, dtype=np.intp)


def _split(texts: list[str]) -> list[Indices]:
    """Cut at line ends, and after a hyphen at a line's end, which PDFium reports as a mark of its own."""
    found: list[list[int]] = [[]]
    for at, text in enumerate(texts):
        if text == "\n":
            found.append([])
        elif text in "\x02\ufffe":
            found[-1].append(at)
            found.append([])
        elif text != "\r":
            found[-1].append(at)
    return [np.array(line, dtype=np.intp) for line in found]


def _in_order(upright: _Upright, drawn: list[Indices]) -> list[Indices]:
    """The lines as they are drawn, or on a page of columns as they are read."""
    order = np.concatenate(drawn)
    read = ordered(_ranges(drawn), _places(upright, order))
    if read is None:
        return drawn
    return [_ended(upright, order[list(line)]) for line in read]


def _without_numbers(upright: _Upright, drawn: list[Indices]) -> tuple[list[Indices], tuple[str, ...]]:
    """Leave out numbers of lines in the margin, and say which."""
    order = np.concatenate(drawn)
    texts = [upright.texts[at] for at in order.tolist()]
    numbers = line_numbers(_ranges(drawn), _places(upright, order), texts)
    if not numbers:
        return drawn, ()
    dropped = frozenset(order[list(numbers)].tolist())
    kept = [np.array([at for at in line.tolist() if at not in dropped], dtype=np.intp) for line in drawn]
    return kept, _values(upright, order[sorted(numbers)])


def _values(upright: _Upright, dropped: Indices) -> tuple[str, ...]:
    """The numbers, from the top: digits at one height that stand together."""
    digits = sorted(dropped.tolist(), key=lambda at: (-round(float(upright.y[at]), 1), float(upright.x[at])))
    found: list[list[int]] = []
    for at in digits:
        before = found[-1][-1] if found else at
        apart = abs(float(upright.x[at] - upright.x[before])) > float(upright.size[at])
        if not found or apart or abs(float(upright.y[at] - upright.y[before])) > _SAME_SIZE:
            found.append([])
        found[-1].append(at)
    return tuple("".join(upright.texts[at] for at in number) for number in found)


def _ranges(drawn: list[Indices]) -> list[range]:
    ends = np.cumsum([0, *map(len, drawn)]).tolist()
    return [range(begin, end) for begin, end in pairwise(ends)]


def _places(upright: _Upright, order: Indices) -> Places:
    x = upright.x[order]
    return Places(x, x + upright.width[order], upright.y[order], upright.size[order], ~upright.blank[order])


def _ended(upright: _Upright, line: Indices) -> Indices:
    """A hyphen before the gutter is one at the end of a line, which PDFium could not know."""
    members = line.tolist()
    while members and upright.blank[members[-1]] and ord(upright.texts[members[-1]]) not in _HYPHENS:
        members.pop()
    if len(members) > 1 and upright.texts[members[-1]] == "-" and upright.texts[members[-2]].isalpha():
        upright.texts[members[-1]] = _HYPHEN
    return np.array(members, dtype=np.intp)


def _line(page: object, upright: _Upright, line: Indices, fonts: _Fonts, gap: float) -> Line | None:
    hyphen = bool(line.size) and ord(upright.texts[line[-1]]) in _HYPHENS
    line = line[:-1] if hyphen else line
    drawn = line[[not upright.generated[at] and not upright.texts[at].isspace() for at in line.tolist()]]
    if not drawn.size:
        return None
    readable = line[[not _is_odd(upright.texts[at]) for at in line.tolist()]]
    sizes = upright.size[drawn]
    size = _usual(sizes)
    base = drawn[np.abs(sizes - size) < _SAME_SIZE]
    base = base if base.size else drawn
    x = upright.x[drawn]
    return Line(
        text=" ".join(_with_raised(upright, readable).split()),
        x0=float(x.min()),
        x1=float((x + upright.width[drawn]).max()),
        y=float(np.sort(upright.y[base])[base.size // 2]),
        size=size,
        bold=all(fonts.is_bold(int(upright.places[at])) for at in (base[0], base[-1])),
        hyphen=hyphen,
        box=fractions(page, fonts.letters.boxes[upright.places[drawn]]),
        cells=_cells(x, upright.width[drawn], gap * size),
        odd=len(line) - len(readable),
    )


def _cells(x: Floats, width: Floats, gap: float) -> tuple[tuple[float, float], ...]:
    """From x to x what no such gap parts; none if that is all."""
    order = np.argsort(x, kind="stable")
    x, ends = x[order], np.maximum.accumulate((x + width)[order])
    cuts = np.flatnonzero(x[1:] - ends[:-1] >= gap) + 1
    if not cuts.size:
        return ()
    return tuple(zip(x[[0, *cuts.tolist()]].tolist(), ends[[*(cuts - 1).tolist(), -1]].tolist(), strict=True))


def _usual(sizes: Floats) -> float:
    """To a tenth of a point; of several that come as often the first."""
    if sizes.min() == sizes.max():
        return round(float(sizes[0]), 1)
    rounded: list[float] = [round(size, 1) for size in sizes.tolist()]
    return Counter(rounded).most_common(1)[0][0]


@lru_cache(maxsize=4096)
def _is_odd(character: str) -> bool:
    category = unicodedata.category(character)
    return character == "\ufffd" or (category in ("Cc", "Co", "Cn", "Cs") and not character.isspace())


def _with_raised(upright: _Upright, line: Indices) -> str:
    """Join the characters; digits that stand raised after a digit are an exponent, and get `^`."""
    members = line.tolist()
    sizes = upright.size[line[~upright.generated[line]]]
    if not sizes.size or sizes.min() >= _SMALLER * sizes.max():
        return "".join([upright.texts[at] for at in members])
    parts: list[str] = []
    before = -1
    raised = False
    for place, at in enumerate(members):
        if not upright.generated[at] and before >= 0:
            begins = (
                not raised
                and upright.texts[before].isdecimal()
                and _is_exponent(upright, before, members[place : place + 2])
            )
            if begins:
                while parts and parts[-1].isspace():
                    parts.pop()
                parts.append("^")
            raised = begins or bool(raised and upright.size[at] <= upright.size[before] * 1.05)
        parts.append(upright.texts[at])
        before = before if upright.generated[at] else at
    return "".join(parts)


def _is_exponent(upright: _Upright, before: int, rest: list[int]) -> bool:
    first = rest[0]
    digits = rest[1:2] if upright.texts[first] in _SIGNS else rest[:1]
    size = upright.size[before]
    is_raised = upright.y[first] - upright.y[before] > _RAISED * size
    is_number = bool(digits) and upright.texts[digits[0]].isdecimal()
    return bool(is_number and is_raised and upright.size[first] < _SMALLER * size)


def fractions(page: object, boxes: Floats) -> Box:
    """Turn a union of boxes into fractions of the page as it is shown (cropped and rotated)."""
    left, bottom = boxes[:, :2].min(axis=0).tolist()
    right, top = boxes[:, 2:].max(axis=0).tolist()
    (x0, y0), (x1, y1) = _shown(page, left, bottom), _shown(page, right, top)
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _shown(page: object, x: float, y: float) -> tuple[float, float]:
    across, down = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDF_PageToDevice(page, 0, 0, _FINE, _FINE, 0, x, y, ctypes.byref(across), ctypes.byref(down))
    return min(max(across.value / _FINE, 0.0), 1.0), min(max(down.value / _FINE, 0.0), 1.0)
