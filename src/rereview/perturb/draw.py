"""Which candidates a generator is shown: all, or a sample of each kind from the whole of a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from rereview.types.edit import Candidate, CandidateKind

Draw = Literal["spread", "first"]
"""From every part of the paper alike, or as the authors' code does: the first ones."""
CAP = 20
"""Candidates of a kind, as in the authors' code; their paper shows all."""


def drawn(
    candidates: Sequence[Candidate], *, cap: int | None = CAP, how: Draw = "spread", seed: int = 0
) -> tuple[Candidate, ...]:
    """At most `cap` candidates of each kind (None: all), in reading order.

    "spread": the candidates of a kind are cut into `cap` stretches of as near as possible the same
    number, and one is drawn from each, so that no part of the paper crowds out another. The same seed
    and candidates give the same draw, whatever else the paper holds.
    """
    if cap is None:
        return tuple(candidates)
    kept: set[str] = set()
    for kind, own in _by_kind(candidates).items():
        if how == "first" or len(own) <= cap:
            kept.update(each.id for each in own[:cap])
        else:
            # Each kind has a stream of its own: one more theorem must not move the draw of formulas.
            rng = np.random.default_rng([seed, *kind.encode()])
            edges = np.linspace(0, len(own), cap + 1).astype(int)
            chosen = rng.integers(edges[:-1], edges[1:])
            kept.update(own[index].id for index in chosen)
    return tuple(each for each in candidates if each.id in kept)


def _by_kind(candidates: Sequence[Candidate]) -> Mapping[CandidateKind, list[Candidate]]:
    found: dict[CandidateKind, list[Candidate]] = {}
    for each in candidates:
        found.setdefault(each.kind, []).append(each)
    return found
