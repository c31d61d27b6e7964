"""Acronyms that the paper introduces twice with different words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, NamedTuple

from rapidfuzz.distance import Levenshtein

from rereview.reviewers.checks.base import reading_order
from rereview.reviewers.checks.prose import RUNNING, Passage, finding, passages
from rereview.types.manuscript import Manuscript
from rereview.types.review import Remark


class Introduced(NamedTuple):
    """An acronym with the words that it is introduced by, and the place of both."""

    acronym: str
    words: tuple[str, ...]
    passage: Passage
    start: int
    end: int


@dataclass(frozen=True)
class Acronyms:
    """`convolutional neural network (CNN)` and later `cellular neural network (CNN)`.

    Words are different if more than `spelling` of their letters are: plurals, hyphens, capitals and
    slips of the pen are no second meaning.
    """

    name: ClassVar[str] = "acronyms"

    spelling: int = 2

    def __call__(self, paper: Manuscript) -> Iterator[Remark]:
        """One finding for each acronym, on the first two introductions that differ."""
        order = reading_order(paper)
        known: dict[str, dict[tuple[str, ...], Introduced]] = {}
        for passage in sorted(passages(paper, RUNNING), key=lambda each: order[each.block.id]):
            for each in introduced(passage):
                known.setdefault(each.acronym, {}).setdefault(each.words, each)
        for found in known.values():
            pair = next((two for two in combinations(found.values(), 2) if self._differ(*two)), None)
            if pair:
                yield _remark(paper, *pair)

    def _differ(self, one: Introduced, other: Introduced) -> bool:
        """True if the words mean another thing, and neither leaves out words of the other."""
        first, second = (tuple(map(_stem, each.words)) for each in (one, other))
        if set(first) <= set(second) or set(second) <= set(first):
            return False
        return Levenshtein.distance(" ".join(first), " ".join(second)) > self.spelling + abs(
            len(first) - len(second)
        )


_BRACKET = re.compile(r"\((?P<acronym>[A-Z][A-Za-z]{0,6}[A-Z]|[A-Z]{2,8})s?(?=[),;])")
_WORD = re.compile(r"[^\W\d_][^\W_]*(?:[’'][a-z]+)?")
_SMALL = {"of", "the", "and", "for", "in", "to", "on", "a", "an", "with", "by", "de", "la", "at", "from"}
_FAR = 120


def introduced(passage: Passage) -> Iterator[Introduced]:
    """The acronyms in brackets whose letters begin the words before them."""
    text = passage.text
    for found in _BRACKET.finditer(text):
        left = max(0, found.start() - _FAR)
        before = re.split(r"[.;:()\[\]]|[,]\s(?=\w+ly\b)", text[left : found.start()])[-1]
        words = [*_WORD.finditer(before)]
        if run := _matching(found["acronym"], [word[0] for word in words]):
            start = found.start() - len(before) + words[-run].start()
            said = tuple(word[0] for word in words[-run:])
            yield Introduced(found["acronym"], said, passage, start, found.end() + 1)


def _matching(acronym: str, words: list[str]) -> int:
    """How many of the last words the letters of an acronym begin, each letter one word; 0 if they do not."""
    letters = [letter.lower() for letter in acronym if letter.isupper()]
    for count, word in enumerate(reversed(words), start=1):
        if letters and word[0].lower() == letters[-1]:
            letters.pop()
            if not letters:
                return count
        elif word.lower() not in _SMALL:
            return 0
    return 0


def _stem(word: str) -> str:
    """A word without capitals, plural and common endings, so that variants of one word are the same."""
    return re.sub(r"(?:ies|es|s|ing|ed|al|ic|ion|y|e)$", "", word.lower()) or word.lower()


def _remark(paper: Manuscript, one: Introduced, other: Introduced) -> Remark:
    return finding(
        paper,
        other.passage.span(other.start, other.end),
        one.passage.span(one.start, one.end),
        rule=Acronyms.name,
        title="An acronym is introduced twice with different words",
        body=f"{one.acronym} stands for “{' '.join(one.words)}” and for “{' '.join(other.words)}”.",
        arithmetic=f"{one.acronym}: {' '.join(one.words)} ≠ {' '.join(other.words)}",
        severity="minor",
    )
