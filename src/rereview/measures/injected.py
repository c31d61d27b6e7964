"""One analysis of injected errors: what was injected, read and paired, and for whom it is measured.

Frames have the columns of `study.frames`: PERTURBATIONS, READINGS and PAIRS.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from rereview.errors import UsageError
from rereview.measures.detections import READ, Rule, carried, judged, units
from rereview.measures.tabulate import Floats, Settings, draws_of, estimate, one_percentile
from rereview.stats.resample import linearised_difference, linearised_ratio, resampled_ratios
from rereview.stats.shares import share_difference, share_interval
from rereview.types.estimate import Estimate

Frame = pd.DataFrame
KEYS = ["system", "model"]
"""What makes a configuration."""


class Totals(NamedTuple):
    """What a ratio is made of, `[paper]` each; papers in the order of `Injection.papers`."""

    above: Floats
    below: Floats


@dataclass(frozen=True)
class Group:
    """Models and systems that are measured together, on papers of their own. None: all of them."""

    name: str
    models: tuple[str, ...] | None = None
    systems: tuple[str, ...] | None = None
    papers: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Injection:
    """The frames of one study, or of one group of it, and how they are measured."""

    perturbations: Frame
    readings: Frame
    pairs: Frame
    rule: Rule = field(default_factory=Rule)
    settings: Settings = field(default_factory=Settings)

    @cached_property
    def papers(self) -> tuple[str, ...]:
        """The papers with an injected error, sorted."""
        return tuple(sorted(set(self.perturbations["paper"].astype(str))))

    @cached_property
    def found(self) -> Frame:
        """`detections` under the rule."""
        return judged(self.carried, self.pairs, self.rule)

    @cached_property
    def carried(self) -> Frame:
        """One row an injected error and a review that read it; no rule changes that."""
        return carried(self.perturbations, self.readings)

    @cached_property
    def units(self) -> Frame:
        """`detections.units` of what was found."""
        return units(self.found)

    @cached_property
    def _parts(self) -> dict[tuple[str, str], tuple[Frame, Frame]]:
        whole = dict(iter(self.units.groupby(KEYS, sort=True)))
        parts = self.found.groupby(KEYS, sort=True)
        return {(str(key[0]), str(key[1])): (rows, whole[key]) for key, rows in parts}

    def own(self, system: str, model: str) -> Frame:
        """Detections of one configuration."""
        return self._parts[system, model][0]

    def own_units(self, system: str, model: str) -> Frame:
        """Units of one configuration."""
        return self._parts[system, model][1]

    @cached_property
    def read(self) -> Frame:
        """Readings that were read: a failed review says nothing."""
        return self.readings[self.readings["status"].isin(READ)]

    @cached_property
    def weights(self) -> Floats:
        """One matrix of draws × papers for every cell that is drawn."""
        return draws_of(len(self.papers), self.settings)

    def under(self, rule: Rule) -> Injection:
        """The same frames under another rule."""
        other = replace(self, rule=rule)
        other.__dict__["carried"] = self.carried
        return other

    def of(self, group: Group) -> Injection:
        """Only what belongs to a group. Raises UsageError where it names what is not there."""
        readings = self.readings
        for column, wanted in (("model", group.models), ("system", group.systems), ("paper", group.papers)):
            readings = _only(readings, column, wanted, group.name)
        perturbations = self.perturbations
        if group.papers is not None:
            perturbations = perturbations[perturbations["paper"].isin(group.papers)]
        pairs = self.pairs[
            self.pairs["review"].isin(readings["review"])
            & self.pairs["perturbation"].isin(perturbations["perturbation"])
        ]
        return replace(self, perturbations=perturbations, readings=readings, pairs=pairs)

    def configurations(self) -> Iterator[tuple[str, str, str]]:
        """Label, system and model of every configuration that read a corrupted version."""
        for system, model in self._parts:
            yield label(system, model), system, model

    def systems(self) -> list[str]:
        """The systems that read a corrupted version, sorted."""
        return list(dict.fromkeys(system for system, _ in self._parts))

    def totals(self, rows: Frame, above: str, below: str | None = None) -> Totals:
        """Sums of two columns over `rows` by paper; without `below` it is the number of rows.

        Rows in which `above` is not known are left out of both.
        """
        over = rows[above].to_numpy(dtype=np.float64, na_value=np.nan)
        under = np.ones(len(rows)) if below is None else rows[below].to_numpy(np.float64, na_value=np.nan)
        known = ~np.isnan(over)
        where = self._index.get_indexer(pd.Index(rows["paper"]))
        kept = known & (where >= 0)
        size = len(self.papers)
        sums = (np.bincount(where[kept], each[kept], size).astype(np.float64) for each in (over, under))
        return Totals(*sums)

    def totals_by(self, rows: Frame, column: str) -> dict[str, Totals]:
        """`totals` of the column `value`, of the rows of each value of `column`."""
        codes, names = pd.factorize(rows[column])
        value = rows["value"].to_numpy(dtype=np.float64, na_value=np.nan)
        where = self._index.get_indexer(pd.Index(rows["paper"]))
        kept = ~np.isnan(value) & (where >= 0) & (codes >= 0)
        shape = len(names), len(self.papers)
        cells = codes[kept] * shape[1] + where[kept]
        above, below = (
            np.bincount(cells, each, shape[0] * shape[1]).reshape(shape)
            for each in (value[kept], np.ones(cells.size))
        )
        return {str(name): Totals(above[at], below[at]) for at, name in enumerate(names)}

    @property
    def nothing(self) -> Totals:
        """Totals of no row."""
        return Totals(np.zeros(len(self.papers)), np.zeros(len(self.papers)))

    @cached_property
    def _index(self) -> pd.Index:
        return pd.Index(self.papers)

    def share(self, totals: Totals, *marks: str) -> Estimate:
        """A share over papers: left out in turn, or drawn where percentile intervals are asked for.

        A paper without a place in the row is not "dropped".
        """
        if self.settings.percentile:
            papers = int((totals.below > 0).sum())
            whole = float(totals.above.sum() / totals.below.sum()) if papers else float("nan")
            draws = resampled_ratios(self.weights, totals.above[:, None], totals.below[:, None])
            found = one_percentile(whole, draws, n=papers, dropped=0, level=self.settings.level)
        else:
            found = replace(share_interval(*totals, level=self.settings.level), dropped=0)
        return estimate(found, *marks)

    def difference(self, first: Totals, second: Totals, *marks: str) -> Estimate:
        """Share of `second` minus share of `first`, paired by paper."""
        found = share_difference(first, second, level=self.settings.level)
        return estimate(replace(found, dropped=0), *marks)

    def ratio(self, totals: Totals, *marks: str) -> Estimate:
        """A mean that is no share: comments or money a review."""
        return estimate(replace(linearised_ratio(*totals, level=self.settings.level), dropped=0), *marks)

    def ratio_difference(self, first: Totals, second: Totals) -> Estimate:
        """Mean of `second` minus mean of `first`, paired by paper."""
        return estimate(replace(linearised_difference(first, second, level=self.settings.level), dropped=0))


def label(*parts: str) -> str:
    """What a configuration is called."""
    return " | ".join(filter(None, parts))


def one(rows: Frame, system: str, model: str) -> Frame:
    """The rows of one configuration."""
    return rows[(rows["system"] == system) & (rows["model"] == model)]


def _only(readings: Frame, column: str, wanted: Sequence[str] | None, name: str) -> Frame:
    if wanted is None:
        return readings
    absent = set(wanted) - set(readings[column])
    if absent:
        raise UsageError(
            f"no review of the {column} {', '.join(repr(each) for each in sorted(absent))}",
            where=f"group {name!r}",
            expected=f"{column}s with reviews: {', '.join(map(repr, sorted(set(readings[column]))))}",
        )
    return readings[readings[column].isin(wanted)]
