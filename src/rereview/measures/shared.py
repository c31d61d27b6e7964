"""The samples of the tables: what each needs of a paper, and which papers have it on every side.

Source: "Can We Believe AI Peer Review?", appendix A.5 (table S5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import pandas as pd

from rereview.measures.between import Frames
from rereview.measures.samples import Analysis, Configuration, Sample, said, sample
from rereview.measures.samples import table as samples_table
from rereview.text.plurals import many
from rereview.types.estimate import Table
from rereview.types.review import Exclusion

NEEDED = {
    1: ("concentration", "human"),
    2: ("repeatability", "variance-quantiles", "batches", "ranking", "budget"),
    4: ("close-pairs",),
}
"""Scored rounds of a paper without which a table does without the paper."""
WHOLE = ("stopping",)
"""Tables that do without a paper that lacks a round."""
NOT_KNOWN = "inputs not known"
TWICE = 2
UNNAMED = "scores"
COLUMNS = ["paper", "version", "reviewer", "model", "round", "score", "status"]
MOST_PAIRS = 45
"""Pairs of configurations that are listed: those of ten."""
MOST_SAID = 10
"""Pairs whose samples stand below the table of pairs itself."""


@dataclass(frozen=True)
class Told:
    """What is known of rounds beside those that have a score.

    `tried`: columns `study.frames.SCORES`, of rounds that ended without a score too; None: there are
    none. `inputs`: what each model was given, "text" or "text and images", where that is known.
    """

    tried: pd.DataFrame | None = None
    excluded: tuple[Exclusion, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Shared:
    """The samples of all configurations, made from one frame of all rounds."""

    frames: Frames
    told: Told

    def of(self, name: str, least: int) -> Sample:
        """The papers of one configuration with so many scored rounds; its tables use every round."""
        return self._sample(f"{name or 'all'}: {_rounds(least)}", (name,), least)

    def rounds(self, name: str) -> int:
        """Rounds of a configuration in which any paper has a score."""
        return int(self.frames[name]["round"].nunique())

    def between(self) -> tuple[Sample, ...]:
        """Of each pair the papers that both have scored, and where there are more, those of all."""
        pairs = list(combinations(self.frames, 2))[:MOST_PAIRS]
        found = [self._sample(f"{one} ~ {other}", (one, other), 1) for one, other in pairs]
        if len(self.frames) > TWICE:
            found.append(self._sample("all configurations", tuple(self.frames), 1))
        return tuple(each for each in found if each.papers or len(self.frames) == TWICE)

    def _sample(self, name: str, labels: Sequence[str], least: int) -> Sample:
        sides = tuple(self._sides[label] for label in labels)
        inputs = dict.fromkeys(self.told.inputs.get(side.model, NOT_KNOWN) for side in sides)
        analysis = Analysis(
            name=name, configurations=sides, rounds=least, every_round=True, inputs=" against ".join(inputs)
        )
        return sample(self._rows, analysis, self.told.excluded)

    @cached_property
    def _whole(self) -> dict[str, pd.DataFrame]:
        return {label: _completed(rows) for label, rows in self.frames.items()}

    @cached_property
    def _versioned(self) -> bool:
        versions = pd.concat(list(self._whole.values())).groupby("paper")["version"].nunique()
        return bool(versions.gt(1).any())

    @cached_property
    def _sides(self) -> dict[str, Configuration]:
        sides = {label: self._side(rows.iloc[0]) for label, rows in self._whole.items()}
        told_apart = len(set(sides.values())) == len(sides)
        return sides if told_apart else {label: side.but(reviewer=label) for label, side in sides.items()}

    def _side(self, row: pd.Series) -> Configuration:
        """Two versions of a paper are two configurations."""
        named = (row["reviewer"], row["version"] if self._versioned else "")
        return Configuration(reviewer=" ".join(filter(None, named)) or UNNAMED, model=row["model"])

    @cached_property
    def _rows(self) -> pd.DataFrame:
        """Every round, under the name of its configuration."""
        named = [(self._sides[label].reviewer, rows) for label, rows in self._whole.items()]
        if self.told.tried is not None:
            groups = self.told.tried.groupby(["reviewer", "model", "version"])
            named += [(self._side(rows.iloc[0]).reviewer, rows[COLUMNS]) for _, rows in groups]
        return pd.concat([rows.assign(reviewer=name) for name, rows in named], ignore_index=True)


def _completed(rows: pd.DataFrame) -> pd.DataFrame:
    """The columns of a study; what a frame from elsewhere does not have is empty, and its rounds are ok."""
    whole = rows.reindex(columns=COLUMNS)
    empty = {"version": "", "reviewer": "", "model": "", "status": "ok"}
    return whole.astype(dict.fromkeys(empty, "object")).fillna(empty)


def _rounds(least: int) -> str:
    return "1 scored round" if least == 1 else f"{least} scored rounds"


def samples(shared: Shared) -> Table:
    """The table of samples: a row for each need of each configuration, and for each pair of them."""
    found = [shared.of(name, least) for name in shared.frames for least in NEEDED]
    return samples_table([*(each for each in found if each.papers), *shared.between()])


def stated(made: Table, name: str, shared: Shared) -> Table:
    """A table of the configuration `name` with the sample that it rests on; some say it themselves."""
    if made.name in WHOLE:
        rounds = shared.rounds(name)
        return _with(made, _said(shared.of(name, rounds), f"with a score in each of {many(rounds, 'round')}"))
    least = next((least for least, tables in NEEDED.items() if made.name in tables), None)
    return (
        made
        if least is None
        else _with(made, _said(shared.of(name, least), f"with {_rounds(least)} or more"))
    )


def pairs_stated(made: Table, shared: Shared) -> Table:
    """A table of pairs of configurations with the sample of each."""
    rows = {cell.row for cell in made.cells}
    found = [each for each in shared.between() if each.analysis.name in rows]
    further = len(rows) - MOST_SAID
    more = f"{many(further, 'further pair')}: see the table samples." if further > 0 else ""
    notes = (f"{each.analysis.name}: {_said(each, 'that both scored')}" for each in found[:MOST_SAID])
    return _with(made, *notes, *filter(None, [more]))


def _said(found: Sample, having: str) -> str:
    lost = f"{len(found.lost)} lost, see the table samples" if found.lost else ""
    return said(len(found.papers), having, many(found.scores, "score"), lost)


def _with(made: Table, *notes: str) -> Table:
    return made.but(notes=(*made.notes, *notes))
