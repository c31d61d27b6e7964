"""Which of the hidden words of a PDF are news: some are seen elsewhere, or were told before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rereview.types.manuscript import Hidden

_BY_PLACE = frozenset({"covered", "clipped"})


def news(hidden: Sequence[Hidden], seen: frozenset[str]) -> tuple[Hidden, ...]:
    """Leave out what lies under or outside of something, and is seen on another page: a watermark."""
    known = sorted(map(_solid, seen), key=len, reverse=True)
    return tuple(each for each in hidden if each.kind not in _BY_PLACE or _rest(_solid(each.text), known))


def _rest(text: str, known: Sequence[str]) -> str:
    for piece in known:
        text = text.replace(piece, "")
    return text


def _solid(text: str) -> str:
    # Spaces are made up by PDFium from the distances of words, and so are not the same everywhere.
    return "".join(text.split())


def once(hidden: Iterable[Hidden], told: set[str]) -> tuple[Hidden, ...]:
    """Leave out annotations that say what an earlier one has said: each link may be called "Link"."""
    kept: list[Hidden] = []
    for each in hidden:
        if each.kind != "annotation" or each.text not in told:
            kept.append(each)
        if each.kind == "annotation":
            told.add(each.text)
    return tuple(kept)
