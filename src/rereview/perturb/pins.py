"""Another passage of the paper that an error contradicts, verbatim."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rereview.perturb.proposals import BLANK
from rereview.types.manuscript import SourceSpan

_AROUND = 40
"""Characters on each side of what is found that make the quote readable."""
_LEAST = 6
"""Shorter pieces of a formula stand anywhere."""
_REACH = 24
_LEAST_WORDS = 3
_WORD = re.compile(r"[^\W_]")
_LETTER = re.compile(r"[A-Za-z]")
_LONG_WORD = re.compile(r"[^\W_]{3,}")
_SIGN = re.compile(r"[\\_^=<>]")
_EDGE = re.compile(r"[\s~]")


def pin(files: Mapping[str, str], span: SourceSpan, low: int, high: int) -> str | None:
    """A passage outside of `span` that holds what stands at `low:high` of its file, with its neighbours.

    `files`: as `seen` gives them, so that no comment or preamble is quoted.
    As much of what is around it as stands elsewhere is looked for: at least six characters of a formula, or
    three words; None where nothing does. The passage is verbatim, and within one paragraph.
    """
    text = files[span.file]
    for needle in _needles(text, span, low, high):
        for name, source in files.items():
            at = source.find(needle)
            while at >= 0:
                end = at + len(needle)
                outside = name != span.file or end <= span.start or at >= span.end
                if outside and _whole(source, at, end):
                    return _passage(source, at, end)
                at = source.find(needle, at + 1)
    return None


def _needles(text: str, span: SourceSpan, low: int, high: int) -> list[str]:
    """What is looked for, the longest first: the changed characters with what stands around them."""
    found = []
    for reach in range(_REACH, 1, -2):
        start, end = max(low - reach, span.start), min(high + reach, span.end)
        while start < low and not _edge(text, start):
            start += 1
        while end > high and not _edge(text, end):
            end -= 1
        needle = text[start:end].strip()
        if _says_something(needle):
            found.append(needle)
    return list(dict.fromkeys(found))


def _says_something(needle: str) -> bool:
    """True for a piece of a formula with a letter, and for at least three words."""
    if "\n\n" in needle or BLANK in needle:
        return False
    if _SIGN.search(needle):
        return len(needle) >= _LEAST and _LETTER.search(needle) is not None
    return len(_LONG_WORD.findall(needle)) >= _LEAST_WORDS


def _edge(text: str, at: int) -> bool:
    """True between two tokens."""
    before, after = text[at - 1 : at], text[at : at + 1]
    return not (_WORD.match(before) and _WORD.match(after)) and before not in {"\\", "_", "^", "."}


def _whole(source: str, start: int, end: int) -> bool:
    return _edge(source, start) and _edge(source, end)


def _passage(source: str, start: int, end: int) -> str:
    low, high = max(start - _AROUND, 0), min(end + _AROUND, len(source))
    before = max(source.rfind("\n", low, start) + 1, source.rfind(BLANK, low, start) + 1, low)
    high = min([at for mark in ("\n", BLANK) if (at := source.find(mark, end, high)) >= 0], default=high)
    while before < start and before > 0 and not _EDGE.match(source, before - 1):
        before += 1
    while high > end and high < len(source) and not _EDGE.match(source, high):
        high -= 1
    return source[before:high].strip()
