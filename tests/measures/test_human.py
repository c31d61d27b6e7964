"""Means of all rounds against people and decisions, against plain loops."""

from statistics import mean

import numpy as np
import pytest

from rereview.measures.human import human
from rereview.measures.tabulate import Settings, panel
from score_frames import cells, frame, scores

TABLE = [[5, 6], [4, 4], [7, 5], [3, 4], [6, 6], [5, 8], [2, 2], [9, 9], [4, 5]]
PEOPLE = [5.5, 3.0, 6.25, 4.0, 6.25, 5.0, 2.5, 8.0, None]
ACCEPTED = [True, False, True, False, False, True, False, True, None]
WITHDRAWN = [False, True, False, False, True, False, False, False, False]


def of(**changed):
    facts = [
        {"human": h, "accepted": a, "withdrawn": w, "group": "xy"[i % 2]} | changed
        for i, (h, a, w) in enumerate(zip(PEOPLE, ACCEPTED, WITHDRAWN, strict=True))
    ]
    return panel(frame(scores(TABLE, facts)), Settings(draws=300))


def correlation(x, y):
    dx, dy = [a - mean(x) for a in x], [b - mean(y) for b in y]
    product = sum(a * b for a, b in zip(dx, dy, strict=True))
    return product / (sum(a * a for a in dx) * sum(b * b for b in dy)) ** 0.5


def ranks(x):
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def area(positive, negative):
    return mean((p > n) + 0.5 * (p == n) for p in positive for n in negative)


@pytest.mark.parametrize("group", ["all", "x", "y"])
def test_columns_against_loops(group):
    """Correlations, errors and areas over the papers whose reference is known, by group."""
    found = cells(human(of()))
    papers = [i for i in range(9) if group in ("all", "xy"[i % 2])]
    means = [mean(row) for row in TABLE]
    pairs = [(means[i], PEOPLE[i]) for i in papers if PEOPLE[i] is not None]
    x, y = zip(*pairs, strict=True)
    assert found[group, "pearson"].value == pytest.approx(correlation(x, y))
    assert found[group, "spearman"].value == pytest.approx(correlation(ranks(x), ranks(y)))
    assert found[group, "mae"].value == pytest.approx(mean(abs(a - b) for a, b in pairs))
    assert found[group, "rmse"].value == pytest.approx(mean((a - b) ** 2 for a, b in pairs) ** 0.5)
    assert (found[group, "mae"].n, found[group, "mae"].dropped) == (len(pairs), len(papers) - len(pairs))
    positive = [means[i] for i in papers if ACCEPTED[i]]
    negative = [means[i] for i in papers if ACCEPTED[i] is False]
    stayed = [means[i] for i in papers if ACCEPTED[i] is False and not WITHDRAWN[i]]
    assert found[group, "auc"].value == pytest.approx(area(positive, negative))
    assert found[group, "auc_without_withdrawn"].value == pytest.approx(area(positive, stayed))
    assert found[group, "auc_without_withdrawn"].n == len(positive) + len(stayed)


def test_an_accepted_paper_stays_though_it_was_withdrawn():
    """Withdrawals leave the negatives alone."""
    cell = cells(human(of(withdrawn=True)))["all", "auc_without_withdrawn"]
    assert (cell.value, cell.n) == (None, 4)


def test_limits_are_those_of_drawn_papers():
    """Percentile limits of the Pearson correlation, papers drawn with both numbers."""
    cell = cells(human(of()))["all", "pearson"]
    means = [mean(row) for row in TABLE]
    draws = []
    for picks in np.random.default_rng(0).integers(0, 9, (300, 9)).tolist():
        pairs = [(means[i], PEOPLE[i]) for i in picks if PEOPLE[i] is not None]
        x, y = zip(*pairs, strict=True)
        if len(set(x)) > 1 and len(set(y)) > 1:
            draws.append(correlation(x, y))
    assert (cell.low, cell.high) == pytest.approx(np.quantile(draws, [0.025, 0.975]))


def test_one_class_has_no_area():
    """All accepted: undefined, not one half."""
    assert cells(human(of(accepted=True)))["all", "auc"].value is None


def test_without_people_only_the_areas_are_defined():
    """Errors are unknown and a note says why."""
    made = human(of(human=None))
    assert cells(made)["all", "mae"].value is None
    assert cells(made)["all", "auc"].value is not None
    assert "No column human: correlations and errors are not defined." in made.notes
