"""Frames become arrays, intervals become estimates, estimates become tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, floor
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rereview.stats.resample import (
    Interval,
    linearised_mean,
    percentile_intervals,
    resampled_means,
    unit_weights,
)
from rereview.types.estimate import Cell, Estimate, Table
from rereview.types.scale import ScoreScale

Floats = NDArray[np.float64]
Names = NDArray[np.str_]
Members = NDArray[np.bool_]
"""Which papers belong to a row of a table."""

MOST_WEIGHTS = 20_000_000
FEWEST_DRAWS = 200

SHOWN = 10

ALL = "all"
"""The row of all papers together."""


@dataclass(frozen=True)
class Settings:
    """What a person may choose about every table.

    `percentile`: print the papers' own percentile intervals in place of the linearised ones.
    """

    scale: tuple[float, float] = (1.0, 10.0)
    points: tuple[float, ...] | None = None
    """All scores that the form allows, ascending; None: not known."""
    scales: Mapping[str, ScoreScale] = field(default_factory=dict)
    """By configuration, where a form says its scale."""
    level: float = 0.95
    seed: int = 0
    draws: int = 10_000
    percentile: bool = False
    tolerances: tuple[float, ...] = (0.5, 0.25)
    success: float = 0.95
    confidence: float = 0.95
    models: int = 1
    price: tuple[float, float, float, float] | None = None
    """USD per million input, cached, cache-write and output tokens."""

    def of(self, name: str) -> Settings:
        """The settings for one configuration: on its own scale, where that is known."""
        own = self.scales.get(name)
        return self if own is None else replace(self, scale=own.ends, points=own.points)

    @property
    def legal(self) -> tuple[float, ...]:
        """The scores that have a column: those of the form, or the whole numbers of the scale."""
        low, high = self.scale
        return self.points or tuple(float(score) for score in range(ceil(low), floor(high) + 1))


@dataclass(frozen=True)
class Panel:
    """One configuration as arrays: a row a paper, a column a round; labels stay here."""

    papers: tuple[str, ...]
    rounds: tuple[int, ...]
    scores: Floats
    """`[paper, round]`, NaN where there is none."""
    groups: Names | None = None
    human: Floats | None = None
    accepted: Floats | None = None
    """1, 0 or NaN."""
    withdrawn: Floats | None = None
    settings: Settings = field(default_factory=Settings)

    @cached_property
    def weights(self) -> Floats:
        """One matrix of draws × papers for all tables, so that cells share their draws."""
        return draws_of(len(self.papers), self.settings)

    def rows(self) -> Iterator[tuple[str, Members]]:
        """All papers, and each group where there are several: the label and the papers in it."""
        yield ALL, np.ones(len(self.papers), dtype=np.bool_)
        if self.groups is not None and len(set(self.groups)) > 1:
            for group in sorted(set(self.groups)):
                yield str(group), self.groups == group


def range_of(settings: Settings) -> str:
    """What a bound that rests on the range of the scale says of it."""
    low, high = settings.scale
    return f"Scores can be from {low:g} to {high:g}."


def draws_of(papers: int, settings: Settings) -> Floats:
    """Draws × papers; fewer draws where so many papers would fill the memory."""
    rng = np.random.default_rng(settings.seed)
    most = max(FEWEST_DRAWS, MOST_WEIGHTS // max(papers, 1))
    return unit_weights(papers, rng=rng, draws=min(settings.draws, most))


def panel(frame: pd.DataFrame, settings: Settings) -> Panel:
    """The scores of one configuration. Papers are sorted by id, rounds ascending.

    What is known of a paper (group, human score, decision) is the first value its rows give.
    """
    wide = frame.pivot_table(index="paper", columns="round", values="score", aggfunc="first", sort=True)
    wide = wide.reindex(sorted(frame["paper"].unique()))
    facts = known_of(frame, wide.index)
    return Panel(
        papers=tuple(str(paper) for paper in wide.index),
        rounds=tuple(int(number) for number in wide.columns),
        scores=wide.to_numpy(dtype=np.float64),
        groups=facts.groups,
        human=facts.human,
        accepted=facts.accepted,
        withdrawn=facts.withdrawn,
        settings=settings,
    )


class Facts(NamedTuple):
    """What is known of each paper, None where nothing is said of any."""

    groups: Names | None
    human: Floats | None
    accepted: Floats | None
    withdrawn: Floats | None


def known_of(frame: pd.DataFrame, papers: list[str] | pd.Index) -> Facts:
    """The first value that the rows of each paper give."""
    names = [name for name in ("group", "human", "accepted", "withdrawn") if name in frame]
    told = frame[["paper", *names]]
    if "group" in told:
        told = told.assign(group=told["group"].replace("", None))
    facts = told.groupby("paper", sort=True).first().reindex(papers)
    groups = facts["group"].fillna("").astype(str) if "group" in facts else None
    return Facts(
        None if groups is None or groups.eq("").all() else np.asarray(groups),
        *(_column(facts, name) for name in ("human", "accepted", "withdrawn")),
    )


def _column(facts: pd.DataFrame, name: str) -> Floats | None:
    if name not in facts or facts[name].isna().all():
        return None
    return (
        facts[name]
        .map(lambda value: np.nan if value is None or pd.isna(value) else float(value))
        .to_numpy(float)
    )


def estimate(found: Interval, *marks: str) -> Estimate:
    """An interval as it is printed: undefined is None, and the marks say why limits are missing."""
    reason = () if found.reason is None or found.value is None else (REASONS[found.reason],)
    cut = ("cut at the end of the scale",) if found.cut_low or found.cut_high else ()
    lost = (_left_out(found.undefined),) if found.undefined else ()
    return Estimate(
        value=found.value,
        low=found.low,
        high=found.high,
        level=None if found.low is None else found.level,
        n=found.n,
        dropped=found.dropped,
        marks=(*marks, *reason, *lost, *cut),
    )


def _left_out(draws: int) -> str:
    return (
        f"{draws} draws without a value are left out" if draws > 1 else "1 draw without a value is left out"
    )


REASONS = {
    "too-few-units": "no interval: too few papers",
    "no-spread": "no interval: nothing moved",
    "undefined": "no interval: undefined",
}


def bare(value: float, *, n: int, dropped: int = 0, marks: tuple[str, ...] = ()) -> Estimate:
    """A value without an interval; NaN becomes None."""
    return Estimate(value=None if np.isnan(value) else float(value), n=n, dropped=dropped, marks=marks)


def mean_of(values: Floats, weights: Floats, settings: Settings) -> Interval:
    """Mean over papers of `values[paper]`: linearised with Student t, or percentile where that is asked."""
    if not settings.percentile:
        return linearised_mean(values, level=settings.level)
    seen = ~np.isnan(values)
    draws = resampled_means(weights, values[:, None])
    centre = float(values[seen].mean()) if seen.any() else float("nan")
    return one_percentile(centre, draws, n=int(seen.sum()), dropped=int((~seen).sum()), level=settings.level)


def rooted(found: Interval) -> Interval:
    """Limits of a mean of squares as limits of its root; a limit below 0 becomes 0."""

    def root(value: float | None) -> float | None:
        return None if value is None else float(np.sqrt(max(value, 0.0)))

    return replace(found, value=root(found.value), low=root(found.low), high=root(found.high))


def inside(found: Interval, members: Members) -> Interval:
    """Papers of other groups are not dropped: they never belonged to the row."""
    return replace(found, dropped=found.dropped - int((~members).sum()))


def as_share(found: Interval) -> Interval:
    """Limits of a share, cut at 0 and 1 and marked so."""
    low, high = found.low, found.high
    if low is None or high is None:
        return found
    return replace(found, low=max(low, 0.0), high=min(high, 1.0), cut_low=low < 0.0, cut_high=high > 1.0)


def one_percentile(value: float, draws: Floats, *, n: int, dropped: int, level: float) -> Interval:
    """Percentile limits of a single statistic from `draws[draw]`."""
    (found,) = percentile_intervals([value], draws.reshape(-1, 1), n=n, dropped=dropped, level=level)
    return found


def table(
    name: str, caption: str, rows: Mapping[str, Mapping[str, Estimate]], notes: Iterable[str] = ()
) -> Table:
    """A table from rows of columns, in their order; a note says which cells bear which mark."""
    cells = tuple(
        Cell(row=row, column=column, estimate=value)
        for row, columns in rows.items()
        for column, value in columns.items()
    )
    return Table(name=name, caption=caption, cells=cells, notes=(*notes, *_marked(cells)))


def _marked(cells: Sequence[Cell]) -> Iterator[str]:
    rows: dict[str, dict[str, None]] = {}
    for cell in cells:
        for mark in cell.estimate.marks:
            rows.setdefault(mark, {})[cell.row] = None
    for mark, those in rows.items():
        shown = list(those)[:SHOWN] + (["…"] if len(those) > SHOWN else [])
        yield f"{mark}: {', '.join(shown)}."


def columns_of(shown: Table) -> Sequence[str]:
    """The columns of a table in the order in which they first appear."""
    return list(dict.fromkeys(cell.column for cell in shown.cells))
