"""Which digits, signs and relations of a quote differ from the passage that it resembles."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from rereview.text.normalise import Folded

Range = tuple[int, int]

# A minus counts before a number and between symbols; beside words it is a dash.
_MARK = re.compile(
    r"[0-9]+(?:[.:/·][0-9]+|\^[+-]?[0-9]+)*"
    r"|[+<>=≤≥≠≈∼≃≡∝≪≫±∓%×÷∈∉⊂⊆⊃⊇→⇒⇔↔∞]"
    r"|-(?=[0-9])|(?<![^\W\d_]{3})-(?![^\W\d_]{3})"
)
_NUMBER = re.compile(r"[0-9]+(?:[.:/·][0-9]+|\^[+-]?[0-9]+)*")
_AROUND = 60
"""Longer numbers than this many digits are not looked for at the edge of a passage."""
_CONTEXT = 8
_MOST = 3
"""Differences that are named; a passage with more is hardly the one that was meant."""


def whole_numbers(text: str, place: Range) -> Range:
    """Widen a place of folded text so that it cuts no number."""
    start, end = place
    low = max(start - _AROUND, 0)
    for found in _NUMBER.finditer(text, low, min(end + _AROUND, len(text))):
        if found.start() >= end:
            break
        if found.start() < place[0] < found.end():
            start = found.start()
        if found.start() < place[1] < found.end():
            end = found.end()
    return start, end


def difference(quote: Folded, quoted: str, paper: Folded, original: str, place: Range) -> str | None:
    """Say what the paper has and what the quote, or None where all marks agree.

    `place` is a range of `paper.text`; `quoted` and `original` are the texts that were folded.
    """
    ours = [found.span() for found in _MARK.finditer(paper.text, *place)]
    theirs = [found.span() for found in _MARK.finditer(quote.text)]
    steps = SequenceMatcher(
        None,
        [paper.text[slice(*at)] for at in ours],
        [quote.text[slice(*at)] for at in theirs],
        autojunk=False,
    ).get_opcodes()
    said = [
        _sentence(_shown(paper, original, ours[low:high]), _shown(quote, quoted, theirs[first:last]))
        for tag, low, high, first, last in steps
        if tag != "equal"
    ]
    return "; ".join(said[:_MOST]) + ("; and more" if len(said) > _MOST else "") if said else None


def _sentence(paper: str, quote: str) -> str:
    if not quote:
        return f'the paper has "{paper}", the quote does not'
    if not paper:
        return f'the quote has "{quote}", the paper does not'
    return f'the paper has "{paper}", the quote "{quote}"'


def _shown(folded: Folded, original: str, marks: list[Range]) -> str:
    """The marks as they were written; a lone sign with what stands beside it."""
    if not marks:
        return ""
    start, end = folded.original(marks[0][0], marks[-1][1])
    if not any(character.isdigit() for character in original[start:end]):
        before = re.search(r"\S*\s?$", original[max(start - _CONTEXT, 0) : start])
        after = re.match(r"\s?\S*", original[end : end + _CONTEXT])
        start -= len(before[0]) if before else 0
        end += len(after[0]) if after else 0
    return " ".join(original[start:end].split())
