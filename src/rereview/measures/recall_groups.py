"""Recall by system inside a group of models: by model, by type of error, by domain, and with the best model.

A group is a set of models that read the same papers (`Injection.of`). Here, and only here, the models of the
group are pooled: each counts as often as the errors that it was asked about.

1. Benchmarking Agentic Review Systems, tables 17 (best model), 18 (by model), 19 (by type), 20 (by domain).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from rereview.measures.injected import Injection, Totals
from rereview.measures.recall import NOBODY, ROUNDS, by_value, said, values_of
from rereview.measures.tabulate import ALL, Floats, bare, estimate, table
from rereview.stats.resample import resampled_ratios
from rereview.stats.shares import drawn_interval
from rereview.types.estimate import Estimate, Table

Frame = pd.DataFrame
UNSEEN = f"{ALL}, on papers outside the draw"


def by_model(injection: Injection) -> Table:
    """Rows are models and all of them together, columns systems [1, table 18]."""
    models = sorted(set(injection.found["model"]))
    return _pooled(injection, "by-model", "model", {model or NOBODY: ("model", model) for model in models})


def by_type(injection: Injection) -> Table:
    """Rows are families, each with its subtypes below [1, table 19]."""
    rows: dict[str, tuple[str, str]] = {}
    for family in values_of(injection, "family"):
        rows[family] = ("family", family)
        own = injection.perturbations[injection.perturbations["family"] == family]
        errors = sorted(set(own["error"].dropna().astype(str)))
        rows |= {f"{family}: {error}": ("error", error) for error in errors if len(errors) > 1}
    return _pooled(injection, "by-type", "type of error", rows)


def by_domain(injection: Injection) -> Table:
    """Rows are domains of papers [1, table 20]."""
    rows = {domain: ("domain", domain) for domain in values_of(injection, "domain")}
    return _pooled(injection, "by-domain", "domain", rows)


def _pooled(injection: Injection, name: str, words: str, rows: Mapping[str, tuple[str, str]]) -> Table:
    whole = injection.units
    parts = {system: whole[whole["system"] == system] for system in injection.systems()}
    made = {ALL: {name: injection.share(injection.totals(own, "value")) for name, own in parts.items()}}
    for column in dict.fromkeys(column for column, _ in rows.values()):
        values = {value: row for row, (each, value) in rows.items() if each == column}
        for system, own in parts.items():
            for value, found in by_value(injection, own, column, list(values)).items():
                made.setdefault(values[value], {})[system] = found
    made = {row: made[row] for row in (ALL, *rows)}
    models = len(set(injection.found["model"]))
    notes = [ROUNDS, *([f"Systems are pooled over the {models} models of the group."] if models > 1 else [])]
    return table(f"systems-{name}", f"Recall of each system by {words} ({said(injection.rule)})", made, notes)


# -- the best model of each system ------------------------------------------------------------


@dataclass(frozen=True)
class Chosen:
    """The models of one system, the best on the papers as they are, and the best in each draw.

    `picked[draw]` is a place in `models`. Of models with equal recall the first by name is best.
    """

    system: str
    models: tuple[str, ...]
    best: int
    picked: np.ndarray[tuple[int, ...], np.dtype[np.intp]]

    @property
    def mark(self) -> str:
        """What a reader must know of the choice."""
        share = float((self.picked == self.best).mean())
        name = f"{self.system} with {self.models[self.best]}"
        return f"{name}: best on these papers, and in {share:.0%} of the draws"


def best_by_domain(injection: Injection) -> Table:
    """Each system with its best model, by domain [1, table 17]; the choice is made anew in every draw.

    The choice is by recall of all errors. The last row is what the model chosen on the drawn papers recalls
    on the papers that were not drawn: what the choice is worth on new papers.
    """
    whole = injection.units
    rows: dict[str, dict[str, Estimate]] = {ALL: {}}
    domains = values_of(injection, "domain")
    for system in injection.systems():
        own = whole[whole["system"] == system]
        by_model = _totals(injection, own)
        chosen = _choose(injection, system, by_model)
        if chosen is None:
            continue
        rows[ALL][system] = _cell(injection, by_model, chosen, chosen.mark)
        for domain in domains:
            totals = _totals(injection, own[own["domain"] == domain])
            rows.setdefault(domain, {})[system] = _cell(injection, totals, chosen)
        rows.setdefault(UNSEEN, {})[system] = _outside(injection, by_model, chosen)
    rows[UNSEEN] = rows.pop(UNSEEN, {})
    caption = f"Recall of each system with its best model, by domain ({said(injection.rule)})"
    return table("best-model", caption, rows, _best_notes())


def _best_notes() -> Iterator[str]:
    yield "The best model is chosen on the errors on which it is shown: such a recall is too high."
    yield "Intervals hold the choice: it is made anew in every draw of papers."
    yield (
        "They are no 95% intervals of the recall on new papers, held less often the more models"
        " are alike: of 2,000 simulated studies 0.91 with four equal models, 0.84 with eight."
    )
    yield f"{UNSEEN}: recall of the model chosen in a draw, on the papers that the draw left out."


def _totals(injection: Injection, rows: Frame) -> dict[str, Totals]:
    models = sorted(set(injection.found["model"]))
    there = injection.totals_by(rows, "model")
    return {model or NOBODY: there.get(model, injection.nothing) for model in models}


def _choose(injection: Injection, system: str, by_model: Mapping[str, Totals]) -> Chosen | None:
    """None for a system without a known error."""
    above, below = _stacked(by_model)
    whole = np.ones((1, len(injection.papers)))
    shares = resampled_ratios(whole, above, below)[0]
    if np.isnan(shares).all():
        return None
    drawn = resampled_ratios(injection.weights, above, below)
    picked = np.where(np.isnan(drawn), -np.inf, drawn).argmax(axis=1)
    return Chosen(system, tuple(by_model), int(np.nanargmax(shares)), picked)


def _stacked(by_model: Mapping[str, Totals]) -> tuple[Floats, Floats]:
    """Numerators and denominators, `[paper, model]` each."""
    return (
        np.column_stack([totals.above for totals in by_model.values()]),
        np.column_stack([totals.below for totals in by_model.values()]),
    )


def _cell(injection: Injection, by_model: Mapping[str, Totals], chosen: Chosen, *marks: str) -> Estimate:
    above, below = _stacked(by_model)
    drawn = resampled_ratios(injection.weights, above, below)
    own = drawn[np.arange(len(drawn)), chosen.picked]
    totals = Totals(above[:, chosen.best], below[:, chosen.best])
    share = float(totals.above.sum() / totals.below.sum()) if totals.below.sum() else float("nan")
    found = drawn_interval(share, own, totals.below, level=injection.settings.level)
    # A draw without a paper of a small domain says nothing of it; where there are limits, that is counted.
    return estimate(found if found.low is not None else replace(found, undefined=0), *marks)


def _outside(injection: Injection, by_model: Mapping[str, Totals], chosen: Chosen) -> Estimate:
    """Recall of the model picked in each draw on the papers that the draw left out, over all draws."""
    above, below = _stacked(by_model)
    outside = injection.weights == 0
    draws = np.arange(len(outside))
    found = float((outside @ above)[draws, chosen.picked].sum())
    asked = float((outside @ below)[draws, chosen.picked].sum())
    papers = int((below.sum(axis=1) > 0).sum())
    return bare(found / asked if asked else float("nan"), n=papers)
