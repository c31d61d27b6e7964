"""Where a candidate stands, before it has an id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rereview.perturb.taxonomy import admissible, family_of
from rereview.types.edit import CandidateKind, Family

MARKDOWN = (".md", ".markdown", ".mmd", ".txt")
"""Endings of what is read as Markdown; all else is LaTeX."""


class Place(NamedTuple):
    """A candidate before it has an id; `order` is its place in the reading."""

    order: tuple[int, int]
    kind: CandidateKind
    file: str
    start: int
    end: int
    environment: str | None
    section: str | None


def apart(places: Iterable[Place]) -> list[Place]:
    """In reading order; of places of one family that share characters the outermost."""
    kept: list[Place] = []
    reached: dict[tuple[str, Family], int] = {}
    for place in sorted(places, key=lambda place: (*place.order, -place.end)):
        family = place.file, family_of(admissible(place.kind)[0])
        if place.start >= reached.get(family, 0):
            reached[family] = place.end
            kept.append(place)
    return kept
