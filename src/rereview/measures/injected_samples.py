"""The samples of the tables of injected errors: who read what, and what all have read alike.

Source: "Can We Believe AI Peer Review?", appendix A.5 (table S5), where every analysis states its sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from rereview.measures.detections import UNIT
from rereview.measures.injected import Injection
from rereview.measures.tabulate import ALL
from rereview.text.plurals import many
from rereview.types.estimate import Table

Frame = pd.DataFrame
BOTH_ARMS = ("control", "background", "differences", "false-alarms-by-")
"""Tables, or beginnings of their names, that rest on reviews of the clean papers too."""
BY_DOMAIN = ("by-domain", "best-model")
"""Ends of the names of tables with a row or a column for each domain."""
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
    with_domain: bool = False
    """Only papers that name a domain."""

    def stated(self, made: Table) -> Table:
        """A table with the sample that it rests on, and what its configurations share."""
        arms = ("corrupted", "clean") if made.name.startswith(BOTH_ARMS) else ("corrupted",)
        lost = self._nameless if made.name.endswith(BY_DOMAIN) else 0
        if not lost:
            return made.but(notes=(*made.notes, self.note(arms)))
        whole = any(cell.row == ALL for cell in made.cells)
        where = f"in no row but {ALL}" if whole else "in no column"
        names = many(lost, "paper names no domain and is", "papers name no domain and are")
        return made.but(
            notes=(*made.notes, f"{names} {where}.", (self if whole else self._domains).note(arms))
        )

    def note(self, arms: Sequence[str]) -> str:
        """The line of the sample: papers, errors, reviews of these arms."""
        known, read = self.known, self.injection.read
        errors = self.injection.perturbations
        there = read[read["paper"].isin(errors.loc[self._among(errors), "paper"])]
        reviews = [many(int(there["arm"].eq(arm).sum()), *NAMED[arm]) for arm in arms]
        return f"Sample: {size_of(known)}, {' and '.join(reviews)}{self._shared}."

    @cached_property
    def _domains(self) -> Sampled:
        """The sample of a table that has a column for each domain, and no other."""
        return replace(self, with_domain=True)

    @cached_property
    def _nameless(self) -> int:
        """How many papers of the sample name no domain, where others do."""
        papers, named = (each.known["paper"].nunique() for each in (self, self._domains))
        return papers - named if named else 0

    @cached_property
    def known(self) -> Frame:
        """Detections that are known."""
        found = self.injection.found
        return found[found["found"].notna() & self._among(found)]

    def _among(self, rows: Frame) -> pd.Series[bool]:
        """Which rows are of papers of this sample."""
        nameless = rows["domain"].isna() | rows["domain"].eq("")
        return ~(nameless & self.with_domain)

    @cached_property
    def _shared(self) -> str:
        """What all configurations know, where that is less, and who lacks which paper."""
        known = self.known
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
