"""Measured scores for tests of figures and of their page: names, frames, tables, curves, charts."""

from dataclasses import dataclass

import numpy as np

import score_frames
from rereview.measures.curves import curves
from rereview.measures.tables import measure_all
from rereview.measures.tabulate import Settings
from rereview.report.series import charts

SETTINGS = Settings(draws=200)
HOSTILE = (
    "</svg><script>alert(1)</script> & \"q\" '$\\frac{1}{0}$' =1+1 {{ 7*7 }} 日本 \u202eabc " + "long_" * 40
)


@dataclass(frozen=True)
class Measured:
    """Everything from one set of scores."""

    frames: dict
    tables: dict
    curves: tuple
    charts: tuple

    def chart(self, name):
        return next(chart for chart in self.charts if chart.name == name)

    def table(self, configuration, name):
        return next(table for table in self.tables[configuration] if table.name == name)


def frame(seed, papers=10, rounds=6, **columns):
    """Integer scores of `papers` in two groups with human scores, some of them unknown."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(5, 1.5, papers)
    table = np.clip(np.rint(quality[:, None] + rng.normal(0, 0.7, (papers, rounds))), 1, 10).tolist()
    facts = [
        {"group": "2025" if at % 2 else "2026", "human": None if at == 0 else round(float(value), 2)}
        for at, value in enumerate(quality)
    ]
    return score_frames.frame(score_frames.scores(table, facts), **columns)


def measured(names=("A", "B"), settings=SETTINGS, **shape):
    """Measure made-up scores of one configuration a name."""
    frames = {name: frame(seed, **shape) for seed, name in enumerate(names)}
    tables = {name: each.tables for name, each in measure_all(frames, (), settings).items()}
    made = curves(frames, tables, settings)
    return Measured(frames, tables, made, charts(tables, made, success=settings.success))
