"""The title of a LaTeX paper as plain words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from rereview.text.cellwords import plain_words
from rereview.types.manuscript import Macro

_COMBINING = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "c": "\u0327",
    "k": "\u0328",
}
_ACCENT = re.compile(r"\\(?:([`'^~=.\"])\s*|([urHvck])(?:\s+|(?=\{)))(?:\{\\?([^\W\d_])\}|\\?([^\W\d_]))")
_MACRO = re.compile(r"\\[A-Za-z]+(?![A-Za-z@])(?:\{\})?")
_LOGO = re.compile(r"\\(LaTeX|TeX)(?![A-Za-z])(?:\{\})?")
_DEPTH = 3
_LONGEST = 2000
"""Characters; macros may make more of a title at each step, and what is longer is no title."""


def plain_title(source: str, macros: Iterable[Macro]) -> str:
    """Write a title as a catalogue would: macros without arguments expanded, accents composed.

    "" for one that is too long.
    """
    bodies = {m.name: m.body for m in macros if m.arguments == 0 and len(m.body) <= _LONGEST}
    for _ in range(_DEPTH):
        if len(source) <= _LONGEST:
            source = _MACRO.sub(
                lambda found: bodies.get(found.group().removesuffix("{}"), found.group()), source
            )
    if len(source) > _LONGEST:
        return ""
    return plain_words(_ACCENT.sub(_accented, _LOGO.sub(r"\1", source)))


def _accented(found: re.Match[str]) -> str:
    letter = found.group(3) or found.group(4)
    return unicodedata.normalize("NFC", letter + _COMBINING[found.group(1) or found.group(2)])
