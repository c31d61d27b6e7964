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
_LOGO = re.compile(r"\\(LaTeX|TeX)(?![A-Za-z])(?:\{\})?")
_DEPTH = 3


def plain_title(source: str, macros: Iterable[Macro]) -> str:
    """Write a title as a catalogue would: macros without arguments expanded, accents composed."""
    bodies = {macro.name: macro.body for macro in macros if macro.arguments == 0}
    for _ in range(_DEPTH):
        source = re.sub(
            r"\\[A-Za-z]+(?![A-Za-z@])(?:\{\})?",
            lambda found: bodies.get(found.group().removesuffix("{}"), found.group()),
            source,
        )
    return plain_words(_ACCENT.sub(_accented, _LOGO.sub(r"\1", source)))


def _accented(found: re.Match[str]) -> str:
    letter = found.group(3) or found.group(4)
    return unicodedata.normalize("NFC", letter + _COMBINING[found.group(1) or found.group(2)])
