"""Capture-recapture beside the truth, on studies whose findings are placed by hand or drawn."""

import numpy as np
import pytest

from injected_frames import pairs, perturbations, readings
from rereview.measures.injected import Injection
from rereview.measures.unseen import unseen
from rereview.stats.overlap import chao
from score_frames import cells


def made(counts, models=3, failed=()):
    """`counts[paper][error]`: how many of the models found it; the first ones do."""
    errors = [(f"p{p}-e{e}", f"p{p}", n) for p, row in enumerate(counts) for e, n in enumerate(row)]
    reviews = [
        {"review": f"m{m}-p{p}", "paper": f"p{p}", "model": f"m{m}"}
        for p in range(len(counts))
        for m in range(models)
    ]
    for row in reviews:
        row["status"] = "failed" if row["review"] in failed else "ok"
    met = [
        {"perturbation": name, "review": f"m{m}-{paper}", "coverage": 1.0, "rating": 5}
        for name, paper, n in errors
        for m in range(n)
    ]
    return Injection(
        perturbations([{"perturbation": name, "paper": paper} for name, paper, _ in errors]),
        readings(reviews),
        pairs(met),
    )


COUNTS = [[1, 1, 2, 0], [1, 3, 0], [2, 1, 1, 1, 0], [1, 2], [0, 1, 1], [3, 1, 2, 1], [0, 0]]


def test_the_bound_of_all_errors_and_of_each_paper():
    """Seven papers, 23 errors; the paper in which nothing was found is left out of the second."""
    row = cells(unseen(made(COUNTS)))
    name = "zero: models"
    flat = [n for paper in COUNTS for n in paper]
    whole = chao(flat, 3)
    assert row[name, "errors"].value == 23
    assert row[name, "found"].value == sum(n > 0 for n in flat)
    assert row[name, "total"].value == pytest.approx(whole.total.value)
    assert (row[name, "total"].low, row[name, "total"].high) == (whole.total.low, whole.total.high)
    assert row[name, "bias"].value == pytest.approx(whole.total.value / 23 - 1)
    bounds = [chao(paper, 3).total.value for paper in COUNTS[:-1]]
    assert row[name, "bias_by_paper"].value == pytest.approx(sum(bounds) / 21 - 1)
    assert (row[name, "bias_by_paper"].n, row[name, "bias_by_paper"].dropped) == (6, 1)


def test_an_error_that_a_pass_could_not_read_is_no_part_of_it():
    """A failed review of one model takes that paper's errors away."""
    row = cells(unseen(made(COUNTS, failed=("m2-p0",))))
    assert row["zero: models", "errors"].value == 23 - 4


def test_one_pass_is_no_set():
    """One model, one system, one round: no row."""
    assert unseen(made(COUNTS, models=1)).cells == ()


def test_rounds_are_passes_too():
    """Two rounds of one configuration."""
    whole = made(COUNTS, models=2)
    rounds = whole.readings.assign(round=whole.readings["model"].map({"m0": 1, "m1": 2}), model="m")
    made_of_rounds = Injection(whole.perturbations, rounds, whole.pairs)
    found = cells(unseen(made_of_rounds))
    assert found["zero | m: rounds", "passes"].value == 2


def test_systems_that_ask_no_model_are_passes():
    """Two of them, of no model."""
    whole = made(COUNTS, models=2)
    alone = whole.readings.assign(system=whole.readings["model"], model="")
    found = cells(unseen(Injection(whole.perturbations, alone, whole.pairs)))
    assert found["no model: systems", "passes"].value == 2


def test_the_bias_is_small_for_independent_passes_and_negative_for_hard_errors():
    """Five passes over 40 papers: chance 0.4 for all errors, or 0.05 for half of them."""
    rng = np.random.default_rng(8)
    easy = rng.binomial(5, 0.4, (40, 12)).tolist()
    mixed = rng.binomial(5, np.tile([0.02, 0.7], 6), (40, 12)).tolist()
    assert cells(unseen(made(easy, models=5)))["zero: models", "bias"].value == pytest.approx(0, abs=0.04)
    hard = cells(unseen(made(mixed, models=5)))["zero: models", "bias_by_paper"]
    assert hard.high < 0
