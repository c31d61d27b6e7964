"""Whether a comment and an injected error speak of the same place: two rules, both always computed.

`quote-coverage` is the paper's (Benchmarking Agentic Review Systems, section on detection, and appendix):
how much of the perturbed text the quote covers. `changed-region` asks for the place instead: the quote
is located, and meets the characters that the edit changed. The first needs no located quote; it misses
whoever quotes exactly the wrong sentence of a long paragraph, and is fooled by scattered letters where
the perturbed text is short.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from rapidfuzz.distance import LCSseq

from rereview.errors import UsageError
from rereview.text.edits import changed
from rereview.text.normalise import fold
from rereview.text.places import Places
from rereview.types.edit import Arm, Pair, Perturbation, Placed
from rereview.types.manuscript import Manuscript, Span
from rereview.types.review import Comment, Review

TAU = 0.75
"""The paper's threshold of coverage."""
SWEEP_FROM = 0.5
"""The lowest threshold of the paper's sweep (table 16). Pairs below it that do not touch are not kept."""


@dataclass(frozen=True)
class Version:
    """A manuscript as it was reviewed, and where the injected errors stand in it.

    `arm` "clean": the paper as it was; the places are then where each edit would be, and the text that
    stands there is the original.
    """

    manuscript: Manuscript
    places: tuple[Placed, ...]
    arm: Arm = "corrupted"

    def region(self, perturbation: Perturbation) -> tuple[Span, ...]:
        """The spans of what the edit changed; empty ones where it took something away.

        () for an edit that this version does not carry, or of which no block shows anything.
        """
        place = self._places.get(perturbation.id)
        if place is None:
            return ()
        start, ranges = self._changed(perturbation, place)
        return tuple(
            span for low, high in ranges for span in self._blocks.spans(place.file, start + low, start + high)
        )

    def text(self, perturbation: Perturbation) -> str:
        """What stands in the place of the edit."""
        return perturbation.replacement if self.arm == "corrupted" else perturbation.original

    def shows(self, perturbation: Perturbation) -> bool:
        """Whether a reviewer can see what the edit changed.

        Not where it lies in a comment, in a label, or in what says who wrote the paper and is left out:
        nobody can find such an error, and not to find it is no miss.
        """
        place = self._places.get(perturbation.id)
        if place is None:
            return False
        start, ranges = self._changed(perturbation, place)
        return any(self._blocks.shows(place.file, start + low, start + high) for low, high in ranges)

    def carries(self, perturbation: Perturbation) -> bool:
        """Whether the manifest places this edit."""
        return perturbation.id in self._places

    def _changed(self, edit: Perturbation, place: Placed) -> tuple[int, Sequence[tuple[int, int]]]:
        if self.arm == "corrupted":
            return place.start, changed(edit.original, edit.replacement)
        return place.clean_start, changed(edit.replacement, edit.original)

    @cached_property
    def _places(self) -> dict[str, Placed]:
        return {place.perturbation_id: place for place in self.places}

    @cached_property
    def _blocks(self) -> Places:
        return Places(self.manuscript)


def pairs(
    perturbations: Sequence[Perturbation], review: Review, version: Version, *, keep_from: float = SWEEP_FROM
) -> tuple[Pair, ...]:
    """Every perturbation with every comment of a review that may be about its place, not yet judged.

    A pair is kept if its coverage is at least `keep_from` or its places touch; one that is absent meets
    by neither rule. Edits that the version does not carry are left out. Raises UsageError for a review
    of another version.
    """
    if review.manuscript_id != version.manuscript.id:
        raise UsageError(
            f"the review {review.id} is of version {review.manuscript_id!r}",
            expected=f"a review of {version.manuscript.id!r}",
        )
    carried = [each for each in perturbations if version.carries(each)]
    return tuple(pair for each in carried for pair in _met(each, review, version, keep_from))


def _met(perturbation: Perturbation, review: Review, version: Version, keep_from: float) -> Iterator[Pair]:
    text, region = version.text(perturbation), version.region(perturbation)
    for comment in review.comments:
        touches = touching(comment, region)
        covered = coverage(text, comment.quote, at_least=0.0 if touches else keep_from)
        if touches or (covered is not None and covered >= keep_from):
            yield Pair(
                perturbation_id=perturbation.id,
                review_id=review.id,
                comment_id=comment.id,
                arm=version.arm,
                coverage=covered,
                touches=touches,
            )


def touching(comment: Comment, region: Sequence[Span]) -> bool | None:
    """Whether the located quote shares a character with the region; None where either has no place.

    Where the region is one of nothing (something was taken away), the quote must reach around it or
    up to it.
    """
    if not comment.spans or not region:
        return None
    return any(span.touches(each) for span in comment.spans for each in region)


def coverage(text: str, quote: str | None, *, at_least: float = 0.0) -> float | None:
    """The share of `text` that `quote` covers, in [0, 1]; None without a quote or without a text.

    Both are folded (`text.normalise.fold`). 1 if the text stands in the quote. Else the characters
    that both have in the same order, divided by those of the text: of the longest run that both
    share, then of the longest to its left and to its right, and so on (Ratcliff and Obershelp's
    matching, every character counting). Below `at_least` an upper bound may be given instead.
    """
    if quote is None or not quote.strip():
        return None
    ours, theirs = _folded(text), _folded(quote)
    if not ours:
        return None
    if ours in theirs:
        return 1.0
    # No way of matching in order finds more than the longest common subsequence, which is fast to find.
    bound = float(LCSseq.similarity(ours, theirs)) / len(ours)
    if bound < at_least:
        return bound
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / len(ours)


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    return fold(text).text
