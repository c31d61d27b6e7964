"""Passages of a paper that speak of the same things as a given one.

The evidence of the verifier of injected errors (benchmarking paper, appendix: up to five snippets of 100
characters to each side) and of whoever else must judge a passage against the rest of its paper.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rereview.text.probes import probes
from rereview.types.manuscript import Manuscript, Span

LIMIT = 5
REACH = 100

_MOST = 400
"""Places of one pattern that are looked at: what stands everywhere tells nothing."""
_LOWER = re.compile(r"(?<!\w)[^\W\d_A-Z][^\W\d_]+")


Own = tuple[int, int, int] | None
"""Piece, start and end of the passage itself; None: it stands in none of them."""


class Passage(NamedTuple):
    """`pieces[piece][start:end] == text`."""

    piece: int
    start: int
    end: int
    text: str


class _Hit(NamedTuple):
    piece: int
    start: int
    end: int
    probe: int


def related(
    text: str,
    pieces: Sequence[str],
    *,
    own: Own = None,
    limit: int = LIMIT,
    reach: int = REACH,
) -> tuple[Passage, ...]:
    """At most `limit` passages about what `text` names, in the order in which they stand, apart.

    `pieces` are the parts of the paper (files, blocks, or one text) over whose edges no passage goes;
    `own` is the place of `text` itself (piece, start, end), which no passage enters. A thing that is
    named at few places counts for more than one that stands everywhere; of equals the first goes first.
    """
    hits = _hits(text, tuple(pieces), own)
    chosen = _chosen(hits, own, reach, limit)
    windows = sorted(_window(hit, pieces, own, reach) for hit in chosen)
    return tuple(
        Passage(piece, start, end, pieces[piece][start:end]) for piece, start, end in _merged(windows)
    )


def related_spans(
    text: str,
    paper: Manuscript,
    *,
    own: Span | None = None,
    limit: int = LIMIT,
    reach: int = REACH,
) -> tuple[Span, ...]:
    """The same in the blocks of a manuscript; headings and what says who wrote it are searched too."""
    order = {block.id: number for number, block in enumerate(paper.blocks)}
    place = None if own is None else (order[own.block_id], own.start, own.end)
    found = related(text, [block.text for block in paper.blocks], own=place, limit=limit, reach=reach)
    return tuple(Span(block_id=paper.blocks[each.piece].id, start=each.start, end=each.end) for each in found)


def _hits(text: str, pieces: tuple[str, ...], own: Own) -> list[_Hit]:
    hits: list[_Hit] = []
    for number, probe in enumerate(probes(text, _ordinary(pieces))):
        pattern = re.compile(probe)
        places = [
            _Hit(piece, match.start(), match.end(), number)
            for piece, body in enumerate(pieces)
            for match in pattern.finditer(body)
            if not _inside(piece, match.start(), match.end(), own)
        ]
        hits += places if len(places) <= _MOST else []
    return sorted(hits)


@lru_cache(maxsize=4)
def _ordinary(pieces: tuple[str, ...]) -> frozenset[str]:
    """The words that stand in lower case somewhere."""
    return frozenset(word for piece in pieces for word in _LOWER.findall(piece) if word[0].islower())


def _inside(piece: int, start: int, end: int, own: Own) -> bool:
    return own is not None and piece == own[0] and start < own[2] and own[1] < end


def _chosen(hits: list[_Hit], own: Own, reach: int, limit: int) -> list[_Hit]:
    """The hits whose surroundings tell most; what is near a chosen one is seen with it."""
    keys = [(hit.piece, hit.start) for hit in hits]
    counts: dict[int, int] = {}
    for hit in hits:
        counts[hit.probe] = counts.get(hit.probe, 0) + 1

    def weight(hit: _Hit) -> float:
        low = bisect_left(keys, (hit.piece, hit.start - reach))
        high = bisect_right(keys, (hit.piece, hit.end + reach))
        return sum(1 / counts[probe] for probe in sorted({each.probe for each in hits[low:high]}))

    ranked = sorted(hits, key=lambda hit: (-weight(hit), hit.piece, hit.start))
    chosen: list[_Hit] = []
    for hit in ranked:
        if len(chosen) == limit:
            break
        if not any(_near(hit, other, own, reach) for other in chosen):
            chosen.append(hit)
    return chosen


def _near(hit: _Hit, other: _Hit, own: Own, reach: int) -> bool:
    if own is not None and hit.piece == own[0] and (hit.start < own[1]) != (other.start < own[1]):
        return False
    return hit.piece == other.piece and hit.start < other.end + reach and other.start - reach < hit.end


def _window(hit: _Hit, pieces: Sequence[str], own: Own, reach: int) -> tuple[int, int, int]:
    start, end = max(hit.start - reach, 0), min(hit.end + reach, len(pieces[hit.piece]))
    if own is not None and own[0] == hit.piece:
        if own[2] <= hit.start:
            start = max(start, own[2])
        else:
            end = min(end, own[1])
    return hit.piece, start, end


def _merged(windows: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    merged: list[tuple[int, int, int]] = []
    for piece, start, end in windows:
        last = merged[-1] if merged else None
        if last and last[0] == piece and start <= last[2]:
            merged[-1] = (piece, last[1], max(last[2], end))
        else:
            merged.append((piece, start, end))
    return merged
