"""A paper cut into passages and frames of passages: nothing is lost, no passage is in no frame."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rereview.reviewers.base import pieces
from rereview.reviewers.illustrated import Given, alone, together
from rereview.types.call import Picture
from rereview.types.manuscript import Manuscript

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n|(?<=[。！？])")


@dataclass(frozen=True)
class Frame:
    """What is in sight at once: passages to check, `before` and `after` them others to read with.

    Numbers count passages from 0; `checked` is half open.
    """

    first: int
    checked: tuple[int, int]
    last: int

    @property
    def numbers(self) -> range:
        """All that is in sight."""
        return range(self.first, self.last)


def passages(paper: Manuscript, size: int, shown: Mapping[str, Picture] | None = None) -> tuple[Given, ...]:
    """The paper in passages of whole blocks, about `size` characters each, in reading order.

    A heading begins a passage rather than ends one. A block of more than `size` is cut between
    sentences, or where there are none, at `size`. `shown`: the images that stand in them, by the id of
    their figure; the cuts are the same with and without.
    """
    known = shown or {}
    made: list[list[Given]] = [[]]
    held = 0
    lengths = (len(text) for _, text in pieces(paper))
    for (name, text), length in zip(pieces(paper, known), lengths, strict=True):
        for part in [alone(text, known[name])] if name in known else map(alone, _pieces(text, size)):
            long = length if name in known else len(part.text)
            heading = part.text.startswith("#")
            if made[-1] and (held + long > size or (heading and held > size * 2 // 3)):
                made.append([])
                held = 0
            made[-1].append(part)
            held += long
    return tuple(together(each) for each in made if each)


def _pieces(text: str, size: int) -> Iterator[str]:
    if len(text) <= size:
        yield text
        return
    held = ""
    for sentence in _sentences(text, size):
        if held and len(held) + len(sentence) > size:
            yield held.strip()
            held = ""
        held += sentence
    if held.strip():
        yield held.strip()


def _sentences(text: str, size: int) -> Iterator[str]:
    start = 0
    for match in _SENTENCE.finditer(text):
        yield from _cut(text[start : match.end()], size)
        start = match.end()
    yield from _cut(text[start:], size)


def _cut(sentence: str, size: int) -> Iterator[str]:
    for start in range(0, len(sentence), size):
        yield sentence[start : start + size]


def frames(given: Sequence[object], *, checked: int, before: int, after: int) -> tuple[Frame, ...]:
    """Frames of at most `checked` passages to check each, as even as can be, in order."""
    count = len(given)
    number = -(-count // checked)
    ends = [round(count * part / number) for part in range(number + 1)] if number else []
    return tuple(
        Frame(max(0, start - before), (start, end), min(count, end + after)) for start, end in pairwise(ends)
    )
