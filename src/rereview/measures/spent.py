"""What reviews of injected errors cost, and what the rest of the papers would cost at that price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
from scipy import special

from rereview.measures.detections import READ
from rereview.measures.injected import label, one
from rereview.measures.samples import said
from rereview.measures.tabulate import Floats, Settings, bare, estimate, table
from rereview.stats.resample import FEWEST_PAPERS, linearised_mean
from rereview.text.plurals import many
from rereview.types.estimate import Estimate, Table

Frame = pd.DataFrame
Left = Mapping[tuple[str, str], int]

TWICE = 2


def spent(readings: Frame, settings: Settings, left: Left | None = None) -> Table:
    """One row a configuration: reviews, those that failed, money, money a paper, and what is still to come.

    `readings` has the columns READINGS, of both arms. `left` says how many papers each (system, model) has
    still to read. A review whose cost is not known makes the cost of its paper unknown, not 0.
    """
    made: dict[str, dict[str, Estimate]] = {}
    for system, model in sorted(set(zip(readings["system"], readings["model"], strict=True))):
        rows = one(readings, system, model)
        costs = _by_paper(rows)
        known = rows["usd"].dropna()
        papers = len(costs)
        made[label(system, model)] = {
            "reviews": bare(len(rows), n=papers),
            "failed": bare(int((~rows["status"].isin(READ)).sum()), n=papers),
            "unknown": bare(int(rows["usd"].isna().sum()), n=papers),
            "usd": bare(float(known.sum()) if len(known) else float("nan"), n=papers),
            "usd_per_paper": estimate(linearised_mean(costs, level=settings.level)),
            **({} if left is None else _to_come(costs, left.get((system, model), 0), settings.level)),
        }
    unknown = int(readings["usd"].isna().sum())
    sample = said(
        readings["paper"].nunique(),
        "of both arms",
        many(len(readings), "review"),
        f"{unknown} without a known cost" if unknown else "",
    )
    return table("injection-cost", "What the reviews cost, in USD", made, [*_notes(left), sample])


def _by_paper(rows: Frame) -> Floats:
    """All reviews of a paper together; NaN where one is not known."""
    totals = rows.groupby("paper", sort=True)["usd"].agg(lambda usd: usd.sum(skipna=False))
    return np.asarray(totals, dtype=np.float64)


def _to_come(costs: Floats, papers: int, level: float) -> dict[str, Estimate]:
    """Cost of so many further papers, as a prediction: the mean may be off, and the papers will differ."""
    seen = costs[~np.isnan(costs)]
    count = {"papers_left": bare(papers, n=seen.size)}
    if not papers:
        return count | {"usd_to_come": bare(0.0, n=seen.size)}
    if not seen.size:
        return count | {"usd_to_come": bare(float("nan"), n=0, marks=("no paper has a known cost",))}
    value = papers * float(seen.mean())
    if seen.size < FEWEST_PAPERS:
        if seen.size < TWICE:
            return count | {"usd_to_come": bare(value, n=seen.size, marks=("from one paper",))}
        ends = {"low": papers * float(seen.min()), "high": papers * float(seen.max()), "level": None}
        mark = "from the cheapest to the dearest paper seen"
        return count | {"usd_to_come": Estimate(value=value, n=seen.size, marks=(mark,), **ends)}
    half = float(special.stdtrit(seen.size - 1, (1 + level) / 2)) * float(seen.std(ddof=1))
    half *= papers * (1 / seen.size + 1 / papers) ** 0.5
    return count | {
        "usd_to_come": Estimate(
            value=value, low=max(value - half, 0.0), high=value + half, level=level, n=seen.size
        )
    }


def _notes(left: Left | None) -> Iterator[str]:
    yield "usd: reviews whose cost is known. unknown: reviews whose cost is not known; never counted as 0."
    yield "usd_per_paper: all reviews of a paper, both arms and all rounds; n counts papers."
    if left is not None:
        yield "usd_to_come: the papers left at the price of those that were read; limits of a prediction."
