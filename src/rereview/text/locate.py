"""Where a quote stands in a manuscript. The quote is never rewritten, the place never guessed.

Tried in this order: verbatim (white space aside), folded (`text.normalise`), the fragments of a
quote with ellipses one after the other, and the most similar passage. A passage that is like the
quote but has another digit, sign or relation is `differs`, because that is what reviews are about.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from rapidfuzz.distance import Indel
from rapidfuzz.fuzz import partial_ratio_alignment

from rereview.text.differences import difference, whole_numbers
from rereview.text.normalise import Folded, collapse, fold, mend_escapes
from rereview.text.printed import printed
from rereview.types.manuscript import Block, Manuscript, Span
from rereview.types.review import Match

SHORTEST = 12
"""Folded characters that a quote needs to be found other than verbatim; a symbol or an ideogram
counts as `SYMBOL`, for it says as much as several letters."""
SYMBOL = 3
SHORTEST_FORMULA = 8
"""Printed signs that a formula needs to be found other than verbatim, an operation or relation among them."""
THRESHOLD = 0.75
"""Similarity (1 - normalised insertions and deletions) that a passage needs. The most similar
passage of another paper reached 0.67 in 250 quotes."""
SHORT = 40
THRESHOLD_SHORT = 0.85
"""What a quote of fewer than `SHORT` folded characters needs: few letters are alike by chance."""
FRAGMENT_GAP = 6000
"""Folded characters that an ellipsis may leave out: some two pages."""
NEAR = 600
"""The same where the next fragment is too short to be told from chance."""

_BETWEEN = "\n\n"
_ELLIPSIS = re.compile(r"\[\s*(?:…|\.\s?\.\s?\.)\s*\]|…|\.\s?\.\s?\.+")
_ELLIPSIS_OR_BLOCK = re.compile(rf"{_ELLIPSIS.pattern}|\n\s*\n")
# A position within a word or number. Scripts without spaces have no such thing.
_INSIDE = re.compile(r"(?<=[A-Za-z])(?=[A-Za-z])|(?<=[0-9])(?=[.,]?[0-9])|(?<=[0-9][.,])(?=[0-9])")
_OPERATION = re.compile(
    r"[=<>+\-≤≥≡≈∈∝→*/]"
    r"|\\(?:equiv|leq?|geq?|neq?|approx|in|propto|to|cdot|times|sim)(?![A-Za-z])"
)
_WORD = 30
_WORD_BEFORE = re.compile(r"[A-Za-z0-9]+\Z")
_WORD_AFTER = re.compile(r"[A-Za-z0-9]+")
_SOLID = 6
_STRETCH = 1.2
_SLACK = 2
_RANK: dict[Match, int] = {"normalised": 0, "fuzzy": 1, "differs": 2}

Range = tuple[int, int]


@dataclass(frozen=True)
class Located:
    """Where a quote stands.

    `spans` are ascending, and empty when it was not found. `difference` says what the paper has
    instead, with match `differs`. `ambiguous` counts the other places that hold the same words.
    """

    spans: tuple[Span, ...]
    match: Match
    difference: str | None = None
    ambiguous: int = 0


@dataclass(frozen=True)
class _Quote:
    words: str

    @cached_property
    def folded(self) -> Folded:
        return fold(self.words)

    @cached_property
    def text(self) -> str:
        return self.folded.text

    @cached_property
    def is_telling(self) -> bool:
        weight = sum(1 if character.isascii() else SYMBOL for character in self.text)
        return weight >= SHORTEST


@dataclass(frozen=True)
class Locator:
    """Finds quotes in one manuscript, which it folds once. Page markers are skipped."""

    manuscript: Manuscript

    def locate(self, quote: str | None, *, pages: Collection[int] = ()) -> Located:
        """Find a quote; of several places, one on `pages` goes first, then the first of all."""
        if quote is None or not quote.strip():
            return Located((), "no-quote")
        mended = mend_escapes(quote)
        found = self._firmly(quote, pages)
        if found is None and mended != quote:
            found = self._firmly(mended, pages)
            found = replace(found, match="normalised") if found and found.match == "exact" else found
        return found or self._fuzzy(_Quote(mended)) or Located((), "not-found")

    def _firmly(self, quote: str, pages: Collection[int]) -> Located | None:
        places = self._verbatim(collapse(quote.strip()).text)
        whole = [place for place in places if self._is_whole(place)]
        if whole:
            return self._choose(whole, "exact", pages)
        folded = _Quote(quote)
        if not folded.is_telling:
            return self._formula(quote, pages)
        if places:
            return self._choose(places, "exact", pages)
        return self._normalised(folded, pages) or self._fragments(quote)

    # The paper as one text, of which offsets are mapped back to blocks.

    @cached_property
    def _blocks(self) -> tuple[Block, ...]:
        return tuple(block for block in self.manuscript.blocks if block.kind != "page-marker")

    @cached_property
    def _offsets(self) -> list[int]:
        lengths = (len(block.text) + len(_BETWEEN) for block in self._blocks)
        return list(accumulate(lengths, initial=0))[:-1]

    @cached_property
    def _text(self) -> str:
        return _BETWEEN.join(block.text for block in self._blocks)

    @cached_property
    def _collapsed(self) -> Folded:
        return collapse(self._text)

    @cached_property
    def _folded(self) -> Folded:
        return fold(self._text)

    @cached_property
    def _printed(self) -> Folded:
        return printed(self._text)

    def _spans(self, place: Range) -> Iterator[Span]:
        start, end = place
        for index in range(self._index(start), len(self._blocks)):
            block, offset = self._blocks[index], self._offsets[index]
            low, high = max(start - offset, 0), min(end - offset, len(block.text))
            if low < high:
                yield Span(block_id=block.id, start=low, end=high)
            if offset + len(block.text) >= end:
                return

    def _index(self, position: int) -> int:
        return max(bisect_right(self._offsets, position) - 1, 0)

    def _choose(self, places: list[Range], match: Match, pages: Collection[int]) -> Located:
        here = [place for place in places if self._blocks[self._index(place[0])].page in pages]
        place = (here or places)[0]
        return Located(tuple(self._spans(place)), match, ambiguous=len(places) - 1)

    # Verbatim.

    def _verbatim(self, words: str) -> list[Range]:
        return [self._collapsed.original(*place) for place in _occurrences(words, self._collapsed.text)]

    def _is_whole(self, place: Range) -> bool:
        """Tell if no word or number of the paper is cut at either end."""
        start, end = place
        return not (_INSIDE.match(self._text, start) or _INSIDE.match(self._text, end))

    def _formula(self, quote: str, pages: Collection[int]) -> Located | None:
        """A short formula counts when it is the same sign for sign, whatever it is set in."""
        signs = printed(quote)
        if len(set(signs.starts.tolist())) < SHORTEST_FORMULA or not _OPERATION.search(signs.text):
            return None
        places = [self._printed.original(*place) for place in _occurrences(signs.text, self._printed.text)]
        whole = [place for place in places if self._is_whole(place)]
        return self._choose(whole, "normalised", pages) if whole else None

    # Folded.

    def _normalised(self, quote: _Quote, pages: Collection[int]) -> Located | None:
        paper = self._folded
        places = _occurrences(quote.text, paper.text)
        if not places:
            return None
        whole = [place for place in places if whole_numbers(paper.text, place) == place]
        if whole:
            return self._choose([paper.original(*place) for place in whole], "normalised", pages)
        found = self._choose([paper.original(*place) for place in places], "differs", pages)
        return replace(found, difference=self._difference(quote, places[0]))

    def _difference(self, quote: _Quote, place: Range) -> str | None:
        place = whole_numbers(self._folded.text, place)
        return difference(quote.folded, quote.words, self._folded, self._text, place)

    # Fragments.

    def _fragments(self, quote: str) -> Located | None:
        """Blocks of the quote may stand apart in the paper too; else what is left out is said by it.

        A formula on a line of its own is too short to be found by likeness, but not its paragraph.
        """
        return self._parts(_ELLIPSIS_OR_BLOCK.split(quote)) or self._parts(_ELLIPSIS.split(quote))

    def _parts(self, pieces: list[str]) -> Located | None:
        parts = [part for part in map(_Quote, pieces) if part.text]
        if len(parts) < 2 or not parts[0].is_telling:  # noqa: PLR2004  one part is the whole quote
            return None
        for start, _ in _occurrences(parts[0].text, self._folded.text) or [(0, 0)]:
            found = self._in_order(parts, start)
            if found:
                return found
        return None

    def _in_order(self, parts: list[_Quote], start: int) -> Located | None:
        spans: list[Span] = []
        match: Match = "normalised"
        differences: list[str] = []
        reach = len(self._folded.text)
        for part in parts:
            long = part.is_telling
            window = (
                start,
                start + (reach if not spans else FRAGMENT_GAP if long else NEAR) + len(part.text),
            )
            hit = self._within(part, window)
            if hit is None:
                return None
            place, how, what = hit
            spans += self._spans(self._folded.original(*place))
            match = max(match, how, key=_RANK.__getitem__)
            differences += [what] if what else []
            start = place[1]
        return Located(tuple(spans), match, "; ".join(differences) or None)

    def _within(self, part: _Quote, window: Range) -> tuple[Range, Match, str | None] | None:
        at = self._folded.text.find(part.text, *window)
        if at >= 0:
            place = (at, at + len(part.text))
            what = self._difference(part, place)
            return place, "differs" if what else "normalised", what
        similar = self._similar(part, window)
        if similar is None:
            return None
        what = self._difference(part, similar)
        return similar, "differs" if what else "fuzzy", what

    # The most similar passage.

    def _fuzzy(self, quote: _Quote) -> Located | None:
        place = self._similar(quote, (0, len(self._folded.text)))
        if place is None:
            return None
        what = self._difference(quote, place)
        spans = tuple(self._spans(self._whole_words(self._folded.original(*place))))
        return Located(spans, "differs" if what else "fuzzy", what)

    def _whole_words(self, place: Range) -> Range:
        before = _WORD_BEFORE.search(self._text, max(place[0] - _WORD, 0), place[0])
        cut = _INSIDE.match(self._text, place[0])
        after = _INSIDE.match(self._text, place[1])
        ahead = _WORD_AFTER.match(self._text, place[1])
        start = before.start() if cut and before else place[0]
        return start, ahead.end() if after and ahead else place[1]

    def _similar(self, quote: _Quote, window: Range) -> Range | None:
        text = self._folded.text[slice(*window)]
        size = len(quote.text)
        if size > len(text) or not quote.is_telling:
            return None
        threshold = THRESHOLD if size >= SHORT else THRESHOLD_SHORT
        found = partial_ratio_alignment(quote.text, text, score_cutoff=100 * threshold)
        if found is None:
            return None
        slack = max(size // 5, SHORTEST)
        start = max(found.dest_start - slack, 0)
        low, high = _tight(quote.text, text[start : found.dest_end + slack])
        return window[0] + start + low, window[0] + start + high


def _occurrences(part: str, text: str) -> list[Range]:
    places = []
    at = text.find(part)
    while at >= 0:
        places.append((at, at + len(part)))
        at = text.find(part, at + 1)
    return places


def _tight(quote: str, passage: str) -> Range:
    """Where in the passage the quote begins and ends, by their longest common subsequence.

    Letters that agree by chance far before the first solid stretch, or far after the last, do not count.
    """
    equal = [step for step in Indel.opcodes(quote, passage) if step.tag == "equal"]
    solid = [step for step in equal if step.src_end - step.src_start >= _SOLID] or equal
    src, start = solid[0].src_start, solid[0].dest_start
    while src and start and quote[src - 1] == passage[start - 1]:
        src, start = src - 1, start - 1
    src_end, end = solid[-1].src_end, solid[-1].dest_end
    while src_end < len(quote) and end < len(passage) and quote[src_end] == passage[end]:
        src_end, end = src_end + 1, end + 1
    before = [step.dest_start for step in equal if _belongs(src - step.src_start, start - step.dest_start)]
    after = [step.dest_end for step in equal if _belongs(step.src_end - src_end, step.dest_end - end)]
    return min([start, *before]), max([end, *after])


def _belongs(distance: int, found: int) -> bool:
    return distance > 0 and found <= distance * _STRETCH + _SLACK
