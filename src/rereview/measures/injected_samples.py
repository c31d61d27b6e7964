"""The samples of the tables of injected errors: who read what, and what all have read alike.

Source: "Can We Believe AI Peer Review?", appendix A.5 (table S5), where every analysis states its sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from rereview.measures.detections import UNIT
from rereview.measures.injected import Injection
from rereview.text.plurals import many
from rereview.types.estimate import Table

Frame = pd.DataFrame
BOTH_ARMS = ("control", "background", "differences", "false-alarms-by-")
"""Tables, or beginnings of their names, that rest on reviews of the clean papers too."""
NAMED = {
    "corrupted": ("review of a corrupted version", "reviews of corrupted versions"),
    "clean": ("review of a clean paper", "reviews of clean papers"),
}
SHOWN = 10
TWICE = 2


@dataclass(frozen=True)
class Sampled:
    """The sample of one analysis: an error is in it with who knows whether it was found."""

    injection: Injection

    def stated(self, made: Table) -> Table:
        """A table with the sample that it rests on, and what its configurations share."""
        arms = ("corrupted", "clean") if made.name.startswith(BOTH_ARMS) else ("corrupted",)
        return made.but(notes=(*made.notes, self._note(arms)))

    def _note(self, arms: Sequence[str]) -> str:
        known, read = self._known, self.injection.read
        there = read[read["paper"].isin(self.injection.papers)]
        reviews = [many(int(there["arm"].eq(arm).sum()), *NAMED[arm]) for arm in arms]
        return f"Sample: {size_of(known)}, {' and '.join(reviews)}{self._shared}."

    @cached_property
    def _known(self) -> Frame:
        """Detections that are known."""
        return self.injection.found[self.injection.found["found"].notna()]

    @cached_property
    def _shared(self) -> str:
        """What all configurations know, where that is less, and who lacks which paper."""
        known = self._known
        own = {
            name: set(rows["perturbation"])
            for name, rows in known.groupby(known["system"].astype(str) + "\n" + known["model"].astype(str))
        }
        if len(own) < TWICE:
            return ""
        alike = set.intersection(*own.values())
        if all(len(each) == len(alike) for each in own.values()):
            return f"; the same for all {len(own)} configurations"
        shared = known[known["perturbation"].isin(alike)]
        lost = sorted(set(known["paper"]) - set(shared["paper"]))
        named = f", not {_listed(lost)}" if lost else ""
        return f"; all {len(own)} configurations know {size_of(shared)}{named}; a row rests on all of its own"


def shared_by(sides: Mapping[str, Sequence[Frame]]) -> Iterator[str]:
    """Of each row of two sides the errors that are known of both; `value` is what is known of an error."""
    for name, (one, other) in list(sides.items())[:SHOWN]:
        both = one[
            one["value"].notna() & one["perturbation"].isin(other.loc[other["value"].notna(), UNIT[0]])
        ]
        yield f"{name}: Sample: {size_of(both)} known of both."
    if len(sides) > SHOWN:
        yield f"{len(sides) - SHOWN} further rows: as much as both have in common."


def size_of(rows: Frame) -> str:
    """How many papers and errors the rows are of."""
    papers, errors = rows["paper"].nunique(), rows["perturbation"].nunique()
    return f"{many(papers, 'paper')} with {many(errors, 'injected error')}"


def _listed(papers: Sequence[str]) -> str:
    return ", ".join(papers[:SHOWN]) + (f" and {len(papers) - SHOWN} more" if len(papers) > SHOWN else "")
