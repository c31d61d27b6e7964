"""The tables there are, what each needs, and the making of those that a frame allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from rereview.errors import UsageError
from rereview.measures.auxiliary import AUXILIARY, CANDIDATES, material, target_role
from rereview.measures.budget import budget
from rereview.measures.cost import cost
from rereview.measures.distribution import distribution
from rereview.measures.granularity import DECIMAL, INTEGER, granularity
from rereview.measures.human import human
from rereview.measures.ranking import close, ranking
from rereview.measures.repeatability import batches, concentration, repeatability, variance_quantiles
from rereview.measures.tabulate import Panel, Settings, panel
from rereview.types.estimate import Table

Frame = pd.DataFrame
TWICE = 2
FOUR_TIMES = 4


@dataclass(frozen=True)
class Measure:
    """How a table is made from a frame, and why it cannot be (None: it can)."""

    make: Callable[[Frame, Settings], Table]
    lacks: Callable[[Frame], str | None]


@dataclass(frozen=True)
class Measured:
    """The tables of one configuration, and the reason for each that is left out."""

    tables: tuple[Table, ...]
    left_out: Mapping[str, str]


def _on_panel(make: Callable[[Panel], Table]) -> Callable[[Frame, Settings], Table]:
    return lambda frame, settings: make(panel(ordinary(frame), settings))


def ordinary(frame: Frame) -> Frame:
    """Scores of the usual kind: integer protocol where there are two, the pilot where roles are named."""
    chosen = frame
    if "protocol" in chosen and "integer" in set(chosen["protocol"]):
        chosen = chosen[chosen["protocol"] == "integer"]
    if "role" in chosen:
        for role in ("pilot", "target", ""):
            if role in set(chosen["role"]):
                chosen = chosen[chosen["role"] == role]
                break
    return chosen[chosen["score"].notna()]


def _rounds(least: int) -> Callable[[Frame], str | None]:
    def lacks(frame: Frame) -> str | None:
        most = ordinary(frame).groupby("paper")["round"].nunique().max()
        if pd.isna(most) or most < least:
            return f"needs {least} rounds of a paper; there is at most {0 if pd.isna(most) else int(most)}"
        return None

    return lacks


def _columns(*names: str) -> Callable[[Frame], str | None]:
    def lacks(frame: Frame) -> str | None:
        absent = [name for name in names if name not in frame]
        return f"needs the columns {', '.join(absent)}" if absent else None

    return lacks


def _human(frame: Frame) -> str | None:
    return _rounds(1)(frame) or (
        None if {"human", "accepted"} & set(frame.columns) else "needs the column human or accepted"
    )


def _protocols(frame: Frame) -> str | None:
    if "protocol" not in frame:
        return "needs the column protocol"
    there = set(frame.loc[frame["score"].notna(), "protocol"])
    if not {INTEGER, DECIMAL} <= there:
        return f"needs scores of the protocols {INTEGER} and {DECIMAL}; there are: {_shown(there)}"
    of = [
        set(frame.loc[frame["score"].notna() & frame["protocol"].eq(name), "paper"])
        for name in (INTEGER, DECIMAL)
    ]
    return None if of[0] & of[1] else "needs papers with scores of both protocols"


def _auxiliary(frame: Frame) -> str | None:
    if "role" not in frame:
        return "needs the column role"
    if not any(name in frame for name in CANDIDATES):
        return f"needs the columns {CANDIDATES[0]} to {CANDIDATES[-1]}"
    if AUXILIARY not in set(frame["role"]):
        return f"needs calls of the role {AUXILIARY}; there are: {_shown(set(frame['role']))}"
    if frame.loc[frame["role"] == target_role(frame), "score"].isna().all():
        return "needs scores of the role target"
    return None


def _tokens(frame: Frame) -> str | None:
    lacking = _columns("input_tokens", "output_tokens")(frame)
    empty = lacking is None and frame[["input_tokens", "output_tokens"]].isna().all(axis=None)
    return "needs counts of tokens; all are empty" if empty else lacking


def _shown(values: set[str]) -> str:
    return ", ".join(repr(value) for value in sorted(values)) or "none"


MEASURES: dict[str, Measure] = {
    "repeatability": Measure(_on_panel(repeatability), _rounds(TWICE)),
    "concentration": Measure(_on_panel(concentration), _rounds(1)),
    "variance-quantiles": Measure(_on_panel(variance_quantiles), _rounds(TWICE)),
    "batches": Measure(_on_panel(batches), _rounds(TWICE)),
    "human": Measure(_on_panel(human), _human),
    "ranking": Measure(_on_panel(ranking), _rounds(TWICE)),
    "close-pairs": Measure(_on_panel(close), _rounds(FOUR_TIMES)),
    "budget": Measure(_on_panel(budget), _rounds(TWICE)),
    "granularity": Measure(granularity, _protocols),
    "distribution": Measure(lambda frame, settings: distribution(material(frame, settings)), _auxiliary),
    "cost": Measure(cost, _tokens),
}


def measure(frame: Frame, names: Sequence[str], settings: Settings) -> Measured:
    """The tables `names` of one configuration, or every table that its columns allow.

    Raises UsageError for a name that no table has.
    """
    for name in names:
        if name not in MEASURES:
            raise UsageError(f"no table is called {name!r}", expected=f"tables: {', '.join(MEASURES)}")
    tables, left_out = [], {}
    for name in names or MEASURES:
        made = _made(MEASURES[name], frame, settings)
        if isinstance(made, Table):
            tables.append(made)
        else:
            left_out[name] = made
    return Measured(tuple(tables), left_out)


def _made(wanted: Measure, frame: Frame, settings: Settings) -> Table | str:
    """The table, or why there is none."""
    try:
        return wanted.lacks(frame) or wanted.make(frame, settings)
    except UsageError as error:
        return f"cannot be made: {error}"
