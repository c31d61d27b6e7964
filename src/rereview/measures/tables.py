"""The tables there are, what each needs, and the making of those that a frame allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb
from typing import Generic, TypeVar

import numpy as np
import pandas as pd

from rereview.errors import UsageError
from rereview.measures.auxiliary import (
    AUXILIARY,
    MOST_CANDIDATES,
    candidates,
    material,
    target_role,
)
from rereview.measures.between import Frames, between, partners
from rereview.measures.budget import budget
from rereview.measures.cost import cost
from rereview.measures.distribution import distribution
from rereview.measures.granularity import DECIMAL, INTEGER, granularity
from rereview.measures.human import human
from rereview.measures.ranking import close, ranking
from rereview.measures.repeatability import batches, concentration, repeatability, variance_quantiles
from rereview.measures.shared import Shared, Told, pairs_stated, samples, stated
from rereview.measures.stopping import dependence, stopping
from rereview.measures.tabulate import Names, Panel, Settings, known_of, panel
from rereview.measures.usual import ordinary, scored
from rereview.text.plurals import many
from rereview.types.estimate import Table

Frame = pd.DataFrame
TWICE = 2
FOUR_TIMES = 4
MOST_PAIRS = 3_000_000
"""Pairs of papers of which every partition is enumerated."""


@dataclass(frozen=True)
class Configuration:
    """The rows of one configuration; what several tables need is made once."""

    frame: Frame
    settings: Settings

    @cached_property
    def usual(self) -> Frame:
        """`ordinary` scores."""
        return ordinary(self.frame)

    @cached_property
    def panel(self) -> Panel:
        """`usual` as arrays."""
        return panel(self.usual, self.settings)


@dataclass(frozen=True)
class Configurations:
    """The rows of all configurations, by name."""

    frames: Frames
    settings: Settings
    told: Told = field(default_factory=Told)

    @cached_property
    def shared(self) -> Shared:
        """Who is in the tables and who is not."""
        return Shared(self.usual, self.told)

    @cached_property
    def usual(self) -> Frames:
        """`ordinary` scores of those that have any."""
        found = {name: ordinary(rows) for name, rows in self.frames.items()}
        return {name: rows for name, rows in found.items() if len(rows)}


Given = TypeVar("Given", Configuration, Configurations)
Why = Callable[[Configuration], str | None]


@dataclass(frozen=True)
class Measure(Generic[Given]):
    """How a table is made from one configuration, or from all, and why it cannot be (None: it can)."""

    make: Callable[[Given], Table]
    lacks: Callable[[Given], str | None]


@dataclass(frozen=True)
class Measured:
    """The tables of one configuration, or over all, and the reason for each that is left out."""

    tables: tuple[Table, ...]
    left_out: Mapping[str, str]


def _on_panel(make: Callable[[Panel], Table], *lacks: Why) -> Measure[Configuration]:
    return Measure(lambda given: make(given.panel), lambda given: _first(given, lacks))


def _on_frame(make: Callable[[Frame, Settings], Table], *lacks: Why) -> Measure[Configuration]:
    return Measure(lambda given: make(given.frame, given.settings), lambda given: _first(given, lacks))


def _first(given: Configuration, lacks: Sequence[Why]) -> str | None:
    return next((reason for why in lacks if (reason := why(given)) is not None), None)


def _rounds(least: int) -> Why:
    def lacks(given: Configuration) -> str | None:
        if given.usual.empty:
            return "needs a score"
        most = int(given.usual.groupby("paper")["round"].nunique().max())
        return f"needs {many(least, 'round')} of a paper; there is at most {most}" if most < least else None

    return lacks


def _pairs(given: Configuration) -> str | None:
    return _too_many(given.panel.papers, given.panel.groups)


def _too_many(papers: Sequence[str], groups: Names | None) -> str | None:
    sizes = [len(papers)] if groups is None else np.unique(groups, return_counts=True)[1].tolist()
    pairs = sum(comb(size, 2) for size in sizes)
    if pairs > MOST_PAIRS:
        return f"enumerates at most {MOST_PAIRS:,} pairs of papers; there are {pairs:,}"
    return None if pairs else "needs two papers of one group"


def _human(given: Configuration) -> str | None:
    there = {"human", "accepted"} & set(given.frame.columns)
    return None if there else "needs the column human or accepted"


def _protocols(given: Configuration) -> str | None:
    if "protocol" not in given.frame:
        return "needs the column protocol"
    rows = scored(given.frame)
    of = {name: set(rows.loc[rows["protocol"].eq(name), "paper"]) for name in (INTEGER, DECIMAL)}
    if not all(of.values()):
        there = _shown(set(rows["protocol"]))
        return f"needs scores of the protocols {INTEGER} and {DECIMAL}; there are: {there}"
    return None if of[INTEGER] & of[DECIMAL] else "needs papers with scores of both protocols"


def _auxiliary(given: Configuration) -> str | None:
    frame = given.frame
    if "role" not in frame:
        return "needs the column role"
    if len(given.settings.legal) > MOST_CANDIDATES:
        return f"is for scales of at most {MOST_CANDIDATES} scores"
    named = candidates(given.settings)
    if not any(name in frame for name in named):
        return f"needs the columns {named[0]} to {named[-1]}"
    if AUXILIARY not in set(frame["role"]):
        return f"needs calls of the role {AUXILIARY}; there are: {_shown(set(frame['role']))}"
    if frame.loc[frame["role"] == target_role(frame), "score"].isna().all():
        return "needs scores of the role target"
    return None


def _tokens(given: Configuration) -> str | None:
    names = ["input_tokens", "output_tokens"]
    absent = [name for name in names if name not in given.frame]
    if absent:
        return f"needs the columns {', '.join(absent)}"
    return "needs counts of tokens; all are empty" if given.frame[names].isna().all(axis=None) else None


def _shown(values: set[str]) -> str:
    return ", ".join(repr(value) for value in sorted(values)) or "none"


MEASURES: dict[str, Measure[Configuration]] = {
    "repeatability": _on_panel(repeatability, _rounds(TWICE)),
    "concentration": _on_panel(concentration, _rounds(1)),
    "variance-quantiles": _on_panel(variance_quantiles, _rounds(TWICE)),
    "batches": _on_panel(batches, _rounds(TWICE)),
    "human": _on_panel(human, _rounds(1), _human),
    "ranking": _on_panel(ranking, _rounds(TWICE), _pairs),
    "close-pairs": _on_panel(close, _rounds(FOUR_TIMES), _pairs),
    "budget": _on_panel(lambda panel: budget(panel, dependence(panel).doubts), _rounds(TWICE)),
    "stopping": _on_panel(stopping, _rounds(TWICE)),
    "granularity": _on_frame(granularity, _protocols),
    "distribution": _on_frame(lambda frame, settings: distribution(material(frame, settings)), _auxiliary),
    "cost": _on_frame(cost, _tokens),
}


def _between(given: Configurations) -> str | None:
    if len(given.usual) < TWICE:
        return f"needs two reviewers or models; there is {len(given.usual)}"
    if not any(partners(given.usual)):
        return "needs papers that two reviewers scored"
    everything = pd.concat(given.usual.values())
    papers = sorted(everything["paper"].unique())
    return _too_many(papers, known_of(everything, papers).groups)


def _scores(given: Configurations) -> str | None:
    return None if given.usual else "needs a score"


COMPARISONS: dict[str, Measure[Configurations]] = {
    "between": Measure(
        lambda given: pairs_stated(between(given.usual, given.settings), given.shared), _between
    ),
    "samples": Measure(lambda given: samples(given.shared), _scores),
}
"""Tables over several configurations."""
TABLES = (*MEASURES, *COMPARISONS)


def measure_all(
    frames: Frames, names: Sequence[str], settings: Settings, told: Told | None = None
) -> dict[str, Measured]:
    """The tables `names`, or all, of each configuration; those that compare configurations under "".

    Each says the sample that it rests on; `told` is what is known of rounds without a score. Raises
    UsageError for a name that no table has.
    """
    for name in names:
        if name not in TABLES:
            raise UsageError(f"no table is called {name!r}", expected=f"tables: {', '.join(TABLES)}")
    chosen = tuple(dict.fromkeys(names)) or TABLES
    own = [name for name in chosen if name in MEASURES]
    given = Configurations(frames, settings, told or Told())
    found = {
        label: _stated(measure(rows, own, settings.of(label)), label, given) for label, rows in frames.items()
    }
    alone = found.pop("", Measured((), {}))
    over_all = _collected({name: _made(COMPARISONS[name], given) for name in chosen if name in COMPARISONS})
    together = Measured(alone.tables + over_all.tables, {**alone.left_out, **over_all.left_out})
    return {**found, "": together}


def _stated(made: Measured, label: str, given: Configurations) -> Measured:
    if label not in given.usual:
        return made
    return Measured(tuple(stated(each, label, given.shared) for each in made.tables), made.left_out)


def measure(frame: Frame, names: Sequence[str], settings: Settings) -> Measured:
    """The tables `names`, keys of `MEASURES`, of one configuration."""
    given = Configuration(frame, settings)
    return _collected({name: _made(MEASURES[name], given) for name in names})


def _collected(made: Mapping[str, Table | str]) -> Measured:
    return Measured(
        tuple(each for each in made.values() if isinstance(each, Table)),
        {name: each for name, each in made.items() if isinstance(each, str)},
    )


def _made(wanted: Measure[Given], given: Given) -> Table | str:
    """The table, or why there is none."""
    try:
        return wanted.lacks(given) or wanted.make(given)
    except UsageError as error:
        return f"cannot be made: {error}"
