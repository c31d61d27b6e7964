"""Which candidates a generator chose to perturb: by length, place and kind, and by position in the prompt.

The frame has the columns SHOWN of `study.frames`. Runs in which everything shown was chosen say nothing of
preference: they are left out and counted.

1. Benchmarking Agentic Review Systems, appendix (selection analysis).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from rereview.measures.samples import said
from rereview.measures.tabulate import ALL, Settings, bare, estimate, table
from rereview.stats.positions import QUARTILES, position_exact_p, within_run_quartiles
from rereview.stats.shares import share_difference, share_interval
from rereview.text.plurals import many
from rereview.types.estimate import Estimate, Table

Frame = pd.DataFrame
Row = dict[str, Estimate]
Chosen = NDArray[np.bool_]
Pair = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Chosen and shown, `[paper]`."""

INLINE, DISPLAY, NAMED = "inline-equation", "display-equation", "named-equation"
EQUATIONS = (INLINE, DISPLAY, NAMED)
FAMILIES = ("surface", "claim", "reasoning", "empirical")
QUARTERS = {
    "length": ("shortest quarter", "second shortest", "second longest", "longest quarter"),
    "at": ("earliest quarter", "second earliest", "second latest", "latest quarter"),
}
EQUATION = "with an equation span in a run that left something"
LEFT_OUT = "Runs in which everything shown was chosen are left out."


@dataclass(frozen=True)
class Shown:
    """What was shown, without the runs in which everything was chosen."""

    frame: Frame
    settings: Settings

    @cached_property
    def informative(self) -> Frame:
        """Rows of runs in which something was left."""
        refused = ~self.frame["chosen"].astype(bool)
        return self.frame[refused.groupby(self.frame["run"]).transform("any")]

    @cached_property
    def equations(self) -> Frame:
        """The equation spans among them."""
        return self.informative[self.informative["kind"].isin(EQUATIONS)]

    @cached_property
    def papers(self) -> list[str]:
        """Papers of the equation spans, sorted."""
        return sorted(set(self.equations["paper"]))

    def pair(self, rows: Frame) -> Pair:
        """Chosen and shown by paper."""
        grouped = rows.assign(chosen=rows["chosen"].astype(int)).groupby("paper")["chosen"]
        counts = grouped.agg(["sum", "size"]).reindex(self.papers, fill_value=0)
        return counts["sum"].to_numpy(dtype=np.int64), counts["size"].to_numpy(dtype=np.int64)

    def rate(self, pair: Pair) -> Row:
        """Selection rate with what it is made of."""
        papers = int((pair[1] > 0).sum())
        found = replace(share_interval(*pair, level=self.settings.level), dropped=0)
        return {
            "rate": estimate(found),
            "chosen": bare(int(pair[0].sum()), n=papers),
            "shown": bare(int(pair[1].sum()), n=papers),
        }

    def difference(self, first: Pair, second: Pair) -> Row:
        """Rate of `second` minus rate of `first`, paired by paper."""
        found = share_difference(first, second, level=self.settings.level)
        return {"rate": estimate(replace(found, dropped=0))}


def selection(shown: Frame, settings: Settings) -> tuple[Table, ...]:
    """All tables of the selection analysis [1]."""
    given = Shown(shown, settings)
    return runs(given), rates(given), subtypes(given), prompt_positions(given)


def _sample(rows: Frame, what: str) -> str:
    """What a table rests on: papers, their runs, and the spans that were shown."""
    shown = f"{many(rows['run'].nunique(), 'run')}, {many(len(rows), 'span')} shown"
    return said(rows["paper"].nunique(), what, shown)


def runs(given: Shown) -> Table:
    """How many runs chose everything they were shown."""
    made: dict[str, Row] = {}
    for name, rows in _families(given.frame):
        everything = rows["chosen"].astype(bool).groupby(rows["run"]).all()
        n = len(everything)
        made[name] = {
            "runs": bare(n, n=n),
            "everything_chosen": bare(int(everything.sum()), n=n),
            "share": bare(float(everything.mean()) if n else float("nan"), n=n),
        }
    sample = _sample(given.frame, "with a span that was shown")
    notes = ["A run is one paper and one family; n counts runs.", LEFT_OUT, sample]
    return table("selection-runs", "Runs in which there was nothing to prefer", made, notes)


def rates(given: Shown) -> Table:
    """Selection rate of equation spans by quarter of length and of place within the run, and by kind."""
    made: dict[str, Row] = {}
    for column, names in QUARTERS.items():
        known = given.equations[given.equations[column].notna()]
        quartiles = within_run_quartiles(known[column], known["run"].astype(str))
        pairs = [given.pair(known[quartiles == at]) for at in range(QUARTILES)]
        made |= {name: given.rate(pair) for name, pair in zip(names, pairs, strict=True)}
        made[f"{names[-1]} − {names[0]}"] = given.difference(pairs[0], pairs[-1])
    kinds = {kind: given.pair(given.equations[given.equations["kind"] == kind]) for kind in EQUATIONS}
    made |= {kind: given.rate(pair) for kind, pair in kinds.items()}
    made[f"{NAMED} − {INLINE}"] = given.difference(kinds[INLINE], kinds[NAMED])
    return table("selection-rates", "Share of the equation spans shown that were chosen", made, _notes(given))


def subtypes(given: Shown) -> Table:
    """Which errors the chosen equation spans were given."""
    picked = given.equations[given.equations["chosen"].astype(bool) & given.equations["error"].notna()]
    made: dict[str, Row] = {}
    for error in sorted(set(picked["error"])):
        marked = picked.assign(chosen=picked["error"] == error)
        found = given.rate(given.pair(marked))
        made[error] = {"share": found["rate"], "count": found["chosen"]}
    made = dict(sorted(made.items(), key=lambda item: -(item[1]["count"].value or 0)))
    return table(
        "selection-subtypes",
        "Errors of the chosen equation spans",
        made,
        [LEFT_OUT, _sample(given.equations, EQUATION)],
    )


def prompt_positions(given: Shown) -> Table:
    """Whether candidates early or late in the prompt are preferred: permuted within batches, by family."""
    made: dict[str, Row] = {}
    for name, rows in _families(given.informative):
        ordered = rows.sort_values(["run", "batch", "position"], kind="stable")
        batches = ordered["run"].astype(str) + "\n" + ordered["batch"].astype(str)
        found = position_exact_p(ordered["chosen"].astype(bool), batches)
        chosen = _in_mixed(ordered["chosen"].astype(bool), batches)
        later = (found.total - found.expected) / chosen if chosen else float("nan")
        made[name] = {
            "p": bare(found.p, n=found.runs, dropped=found.dropped),
            "later_by": bare(later, n=found.runs, dropped=found.dropped),
            "chosen": bare(chosen, n=found.runs, dropped=found.dropped),
        }
    notes = [
        "p: two-sided, over all permutations of the choice within each batch, exactly.",
        "later_by: mean position of the chosen minus its expectation without preference, in places.",
        "n counts batches; batches in which everything or nothing was chosen are left out.",
        _sample(given.informative, "with a run that left something"),
    ]
    return table("selection-positions", "Position in the prompt, within batches", made, notes)


def _in_mixed(chosen: pd.Series, batches: pd.Series) -> int:
    """How many were chosen in batches that chose some and left some."""
    grouped = chosen.groupby(batches)
    mixed = grouped.transform("any") & ~grouped.transform("all")
    return int((chosen & mixed).sum())


def _families(frame: Frame) -> Iterator[tuple[str, Frame]]:
    yield ALL, frame
    there = set(frame["family"])
    known = [family for family in FAMILIES if family in there]
    for family in (*known, *sorted(there - set(known))):
        yield family, frame[frame["family"] == family]


def _notes(given: Shown) -> Iterator[str]:
    yield LEFT_OUT
    yield "Quarters are those of the run's own equation spans; equal values share a quarter."
    yield _sample(given.equations, EQUATION)
    for column in QUARTERS:
        lost = int(given.equations[column].isna().sum())
        if lost:
            without = many(lost, "span has", "spans have")
            yield f"{without} no {column} and {'is' if lost == 1 else 'are'} in none of its quarters."
