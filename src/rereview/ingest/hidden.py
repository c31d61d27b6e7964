"""What every format can hide: characters that leave no ink, and what hidden words ask for."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

TAGS = range(0xE0000, 0xE0080)
_ZERO_WIDTH = frozenset({0x200B, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x180E, 0xFEFF})
_JOINERS = frozenset({0x200C, 0x200D})
_DIRECTIONS = frozenset({0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A)})
_SELECTORS = range(0xE0100, 0xE01F0)
_UNSEEN = "".join(map(re.escape, map(chr, sorted(_ZERO_WIDTH | _JOINERS | _DIRECTIONS))))
_CLASS = f"[{_UNSEEN}\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
_RUN = re.compile(f"{_CLASS}+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_PARAGRAPH = re.compile(r"\n(?=\n)")
_CONTEXT = 30
_FLAG = "\U0001f3f4"


class Stretch(NamedTuple):
    """Unseen characters: `text[start:end]`, and what they are."""

    start: int
    end: int
    shown: str


def is_unseen_character(code: int) -> bool:
    """True for zero-width, direction and tag characters."""
    return code in _ZERO_WIDTH or code in _DIRECTIONS or code in TAGS or code in _SELECTORS


def unseen_characters(text: str) -> Iterator[Stretch]:
    """Stretches of characters that leave no ink and have no work to do where they stand.

    Joiners between letters of a script that joins, and in emoji; marks of direction in a paragraph
    with letters that run to the left; and the byte-order mark at the beginning have work to do.
    """
    paragraphs = _Paragraphs(text)
    for found in _RUN.finditer(text):
        idle = [c for c in found.group() if not _works(c, text, found, paragraphs)]
        if idle:
            yield Stretch(*found.span(), _shown(found.group()))


class _Paragraphs:
    """Knows of each paragraph whether letters of it run to the left; each is looked at once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.known: dict[int, bool] = {}

    @cached_property
    def breaks(self) -> list[int]:
        return [match.start() for match in _PARAGRAPH.finditer(self.text)]

    def to_the_left(self, start: int, end: int) -> bool:
        """Say so of the paragraph around `text[start:end]`."""
        first = bisect_right(self.breaks, start - 2)
        if first not in self.known:
            last = bisect_left(self.breaks, end)
            begin = self.breaks[first - 1] + 1 if first else 0
            around = self.text[begin : self.breaks[last] if last < len(self.breaks) else len(self.text)]
            self.known[first] = any(unicodedata.bidirectional(c) in {"R", "AL"} for c in around)
        return self.known[first]


def _works(character: str, text: str, found: re.Match[str], paragraphs: _Paragraphs) -> bool:
    code = ord(character)
    before, after = text[max(found.start() - 1, 0) : found.start()], text[found.end() : found.end() + 1]
    if code == 0xFEFF:  # noqa: PLR2004  the byte-order mark
        return found.start() == 0
    if code in _JOINERS:
        return bool(before) and (_joins(before) or (code == 0x200D and _is_picture(before, after)))  # noqa: PLR2004
    if code in _DIRECTIONS:
        return paragraphs.to_the_left(*found.span())
    return code in TAGS and before == _FLAG


def _joins(character: str) -> bool:
    return ord(character) > 0x0590 and unicodedata.category(character) in {"Lo", "Mn", "Mc"}  # noqa: PLR2004


def _is_picture(before: str, after: str) -> bool:
    return unicodedata.category(before) in {"So", "Sk", "Mn"} and unicodedata.category(after or " ") == "So"


def _shown(run: str) -> str:
    """What unseen characters say: tags are ASCII in disguise, the others have names only."""
    tags = "".join(chr(ord(c) - TAGS.start) for c in run if 0x20 <= ord(c) - TAGS.start < 0x7F)  # noqa: PLR2004
    names = Counter(f"U+{ord(c):04X}" for c in run if not (tags and ord(c) in TAGS))
    counts = ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in names.items())
    return "; ".join(filter(None, (tags, counts)))


def without_unseen(text: str) -> str:
    """The text without the stretches of `unseen_characters`."""
    parts, begin = [], 0
    for stretch in unseen_characters(text):
        parts.append(text[begin : stretch.start])
        begin = stretch.end
    return "".join((*parts, text[begin:]))


def says_something(text: str, fewest: int) -> bool:
    """True if there are so many letters or digits, of any script."""
    return sum(character.isalnum() for character in text) >= fewest


def words(text: str) -> int:
    """Words of two letters and more; of a script without spaces, pairs of characters."""
    return sum(max(1, len(word) // 2) if _is_dense(word) else 1 for word in _WORD.findall(text))


def _is_dense(word: str) -> bool:
    return unicodedata.east_asian_width(word[0]) in {"W", "F"}
