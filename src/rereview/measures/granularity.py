"""Integer against decimal scores of the same papers.

1. Can We Believe AI Peer Review?, section 5.1 and appendix E.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from rereview.measures.human import associations
from rereview.measures.samples import said
from rereview.measures.tabulate import (
    ALL,
    Floats,
    Members,
    Panel,
    Settings,
    estimate,
    inside,
    mean_of,
    panel,
    rooted,
    table,
)
from rereview.measures.usual import one_role, scored
from rereview.stats.exact import exact_means
from rereview.stats.gains import all_fractional, paired_mae_change, paired_shift
from rereview.stats.reliability import paper_variance
from rereview.text.plurals import many
from rereview.types.estimate import Estimate, Table

INTEGER, DECIMAL = "integer", "decimal"
DIFFERENCE = "decimal minus integer"

TWO_POINTS = (
    "Two-point model: scores that switch between s and s + 1, the latter with probability π, have variance"
    " π(1 − π) and differ with probability 2π(1 − π): frequent disagreement needs no large spread."
)
NOTES = (
    TWO_POINTS,
    "A smaller variance of a moved target is not accuracy: the protocols need not estimate one score.",
    f"{DIFFERENCE}: the shift of the mean and the change of the MAE, both scores of a paper drawn together.",
)


@dataclass(frozen=True)
class Paired:
    """Both protocols over the same papers and rounds."""

    integer: Panel
    decimal: Panel
    notes: tuple[str, ...]


def granularity(frame: pd.DataFrame, settings: Settings) -> Table:
    """Spread, location, and association with people under both protocols, and their paired difference.

    `frame` has scores of both protocols. The integer side is the first m rounds, m the number of decimal
    rounds; the j-th round of one side goes with the j-th of the other, and a paper's round counts where
    both sides have it [1].
    """
    both = _paired(frame, settings)
    weights = both.decimal.weights
    rows: dict[str, dict[str, Estimate]] = {}
    for name, side in ((INTEGER, both.integer), (DECIMAL, both.decimal)):
        for label, members in both.decimal.rows():
            rows[_row(name, label)] = dict(_protocol(side, members, weights))
    for label, members in both.decimal.rows():
        rows[_row(DIFFERENCE, label)] = dict(_difference(both, members, weights))
    return table("granularity", "Integer against decimal scores", rows, (*both.notes, *NOTES))


def _row(protocol: str, label: str) -> str:
    return protocol if label == ALL else f"{protocol}, {label}"


def _paired(frame: pd.DataFrame, settings: Settings) -> Paired:
    rows = scored(frame)
    sides = [one_role(rows[rows["protocol"] == name]) for name in (INTEGER, DECIMAL)]
    shared = set(sides[0]["paper"]) & set(sides[1]["paper"])
    lost = len(set(sides[0]["paper"]) | set(sides[1]["paper"])) - len(shared)
    integer, decimal = (panel(side[side["paper"].isin(shared)], settings) for side in sides)
    m = min(len(decimal.rounds), len(integer.rounds))
    first, other = integer.scores[:, :m], decimal.scores[:, :m]
    alone = np.isnan(first) | np.isnan(other)
    # What is known of a paper may stand on the rows of either protocol.
    facts = panel(rows[rows["paper"].isin(shared)], settings)
    known = replace(facts, rounds=decimal.rounds[:m])
    return Paired(
        replace(known, scores=np.where(alone, np.nan, first)),
        replace(known, scores=np.where(alone, np.nan, other)),
        (*_lost(lost, np.isnan(first) != np.isnan(other), decimal), _sample(~alone, lost)),
    )


def _sample(matched: Members, lost: int) -> str:
    """`matched[paper, round]`; `lost` papers have one protocol only."""
    papers = int(matched.any(axis=1).sum())
    lost += len(matched) - papers
    return said(
        papers,
        "with a round of both protocols",
        many(2 * int(matched.sum()), "score"),
        f"{lost} lost, without such a round" if lost else "",
    )


def _lost(papers: int, unmatched: Members, decimal: Panel) -> Iterator[str]:
    yield f"Rounds of each protocol: {unmatched.shape[1]}, the first ones, matched in order."
    if papers:
        yield f"{many(papers, 'paper has', 'papers have')} scores of one protocol only; left out."
    if unmatched.any():
        lone = many(int(unmatched.sum()), "score")
        yield f"{lone} without one of the other protocol in the same round; left out."
    whole = all_fractional(decimal.scores).whole
    if whole:
        odd = many(whole, "whole number")
        yield f"The decimal protocol has {odd} among its scores."


def _protocol(side: Panel, members: Members, weights: Floats) -> Iterator[tuple[str, Estimate]]:
    means = exact_means(side.scores)

    def mean(values: Floats) -> Estimate:
        return estimate(inside(mean_of(np.where(members, values, np.nan), weights, side.settings), members))

    spread = np.where(members, paper_variance(side.scores), np.nan)
    yield "within_sd", estimate(rooted(inside(mean_of(spread, weights, side.settings), members)))
    yield "mean", mean(means)
    yield from associations(side, means, members, weights)


def _difference(both: Paired, members: Members, weights: Floats) -> Iterator[tuple[str, Estimate]]:
    old, new = both.integer.scores, both.decimal.scores
    human = both.decimal.human
    reference = np.full(len(old), np.nan) if human is None else human
    for column, values in (
        ("mean", paired_shift(old, new)),
        ("mae", paired_mae_change(old, new, reference)),
    ):
        found = mean_of(np.where(members, values, np.nan), weights, both.decimal.settings)
        yield column, estimate(inside(found, members))
