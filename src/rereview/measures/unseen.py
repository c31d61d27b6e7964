"""Capture-recapture beside the true number of errors: the one place where it can be checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from rereview.measures.detections import as_numbers
from rereview.measures.injected import Injection, one
from rereview.measures.recall import NOBODY, said
from rereview.measures.tabulate import bare, estimate, table
from rereview.stats.overlap import FEWEST_PASSES, chao
from rereview.types.estimate import Estimate, Table

Frame = pd.DataFrame


class Counts(NamedTuple):
    """How many passes found each error that is known of all passes: columns `paper` and `count`."""

    errors: Frame
    passes: int


def unseen(injection: Injection) -> Table:
    """One row a set of passes: the number of errors, what was found, and what Chao's bound makes of it.

    Passes are the rounds of a configuration, the models of a system, the systems of a model, or all
    configurations (of these the first round each). `bias` is the bound of all errors together over their
    number, less 1; `bias_by_paper` the same with a bound for each paper, as for a single paper in practice.
    """
    made = {
        name: _row(injection, counted)
        for name, rows, label in _sets(injection)
        if (counted := _counts(rows, label)).passes >= FEWEST_PASSES and len(counted.errors)
    }
    notes = [
        "errors: injected errors that are known of all passes; they are the truth.",
        "total: Chao's lower bound of their number from what the passes found, all papers together.",
        "bias: total / errors − 1. It is below 0 where passes agree more than chance or errors are hard,",
        "and above 0 where one pass finds far more than the others: then the bound is none.",
        "bias_by_paper: over papers in which something was found; the others are left out.",
    ]
    caption = f"Errors that no pass found: the estimate and the truth ({said(injection.rule)})"
    return table("unseen", caption, made, notes)


def _sets(injection: Injection) -> Iterator[tuple[str, Frame, str]]:
    """Name, detections and the column that tells the passes apart, of every set of passes."""
    found = injection.found
    for name, system, model in injection.configurations():
        yield f"{name}: rounds", one(found, system, model), "round"
    first = found[found["round"] == found.groupby(["system", "model"])["round"].transform("min")]
    for system in injection.systems():
        yield f"{system}: models", first[first["system"] == system], "model"
    for model in sorted(set(found["model"])):
        yield f"{model or NOBODY}: systems", first[first["model"] == model], "system"
    if min(first["system"].nunique(), first["model"].nunique()) == 1:
        return
    names = first["system"].astype(str) + " | " + first["model"].astype(str)
    yield "all configurations", first.assign(configuration=names), "configuration"


def _counts(rows: Frame, label: str) -> Counts:
    passes = int(rows[label].nunique())
    numbers = rows.assign(value=as_numbers(rows["found"]))
    grouped = numbers.groupby(["paper", "perturbation"], as_index=False, sort=True)
    each = grouped.agg(count=("value", "sum"), known=("value", "count"))
    return Counts(each.loc[each["known"] == passes, ["paper", "count"]], passes)


def _row(injection: Injection, counted: Counts) -> dict[str, Estimate]:
    errors, passes = counted
    level = injection.settings.level
    papers = errors["paper"].nunique()
    whole = chao(errors["count"], passes, level=level)
    total = estimate(whole.total).model_copy(update={"n": papers})
    bias = float("nan") if total.value is None else total.value / len(errors) - 1
    return {
        "passes": bare(passes, n=papers),
        "errors": bare(len(errors), n=papers),
        "found": bare(whole.found, n=papers),
        "total": total.model_copy(update={"marks": tuple(map(_reworded, total.marks))}),
        "bias": bare(bias, n=papers),
        "bias_by_paper": _by_paper(injection, errors, passes),
    }


def _reworded(mark: str) -> str:
    return "no interval: no error was found by one pass alone" if "nothing moved" in mark else mark


def _by_paper(injection: Injection, errors: Frame, passes: int) -> Estimate:
    """Sum of the papers' bounds over the sum of their errors, less 1; the unit is the paper."""
    bounds = errors.groupby("paper")["count"].agg(lambda counts: _bound(counts.to_numpy(), passes))
    known = errors.assign(value=errors["paper"].map(bounds))
    per_paper = known.groupby("paper", as_index=False).agg(value=("value", "first"), size=("count", "size"))
    found = injection.ratio(injection.totals(per_paper, "value", "size"))
    lost = int(per_paper["value"].isna().sum())

    def less(value: float | None) -> float | None:
        return None if value is None else value - 1

    moved = {"value": less(found.value), "low": less(found.low), "high": less(found.high), "dropped": lost}
    return found.model_copy(update=moved)


def _bound(counts: np.ndarray[tuple[int, ...], np.dtype[np.float64]], passes: int) -> float:
    total = chao(counts, passes).total.value
    return float("nan") if total is None else total
