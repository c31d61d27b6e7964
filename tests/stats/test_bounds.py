"""The closed-form budgets against the numbers printed in the paper."""

import json
from fractions import Fraction
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import UsageError
from rereview.stats.bounds import (
    chebyshev_budget,
    first_true,
    hoeffding_budget,
    joint_success,
    kernel_range,
    kl_upper,
    share_upper,
    simultaneous_alpha,
    split_failure,
    success_lower_bound,
    variance_cap,
)
from rereview.stats.pilot import Variance, read_pilot

PRINTED = Path(__file__).resolve().parents[2] / ".." / "shared" / "data" / "printed-numbers.json"
VARIANCES = (Fraction(2521, 18000), Fraction(2680, 18000), Fraction(1333, 18000))


@pytest.fixture(scope="module")
def printed():
    """Relations between printed numbers, by id."""
    if not PRINTED.exists():
        pytest.skip("the printed numbers of the papers are not beside this checkout")
    return {relation["id"]: relation for relation in json.loads(PRINTED.read_text())}


@pytest.mark.parametrize("name", ["planning-0.25", "planning-0.5"])
def test_planning_budgets_are_the_printed_ones(printed, name):
    """The printed variances give the printed planning budgets."""
    relation = printed[name]
    eps = relation["inputs"]["eps"]
    assert [chebyshev_budget(v, tolerance=eps) for v in relation["inputs"]["V_hat"]] == relation["printed"]


def test_planning_budgets_of_the_exact_variances():
    """45, 48, 24 at a quarter of a point and 12, 12, 6 at half a point."""
    assert [chebyshev_budget(v, tolerance=0.25) for v in VARIANCES] == [45, 48, 24]
    assert [chebyshev_budget(v, tolerance=0.5) for v in VARIANCES] == [12, 12, 6]


@pytest.mark.parametrize(
    ("name", "tolerance", "alpha", "success"),
    [
        ("certified-0.5-ten", 0.5, 0.05, 0.95),
        ("certified-025", 0.25, 0.05, 0.95),
        ("simultaneous-05", 0.5, Fraction(1, 60), 0.95),
        ("joint-05", 0.5, 0.01, 0.96),
    ],
)
def test_certified_budgets_are_the_known_ones(printed, name, tolerance, alpha, success):
    """The bounds of a thousand pairs give the budgets printed, or found by two other programs."""
    relation = printed[name]
    bounds = [kl_upper(v, 1000, alpha=alpha) for v in relation["inputs"]["V_hat"]]
    found = [chebyshev_budget(u, tolerance=tolerance, success=success) for u in bounds]
    assert found == (relation["printed"] or relation["computed"])


@pytest.mark.parametrize(("sd", "budget"), [(0.390, 55), (0.286, 43)])
def test_five_review_pilots(sd, budget):
    """A pilot of five reviews has 400 pairs and needs 55 and 43 reviews at the printed deviations."""
    variance = Fraction(str(sd)) ** 2
    assert chebyshev_budget(kl_upper(variance, 400), tolerance=0.5) == budget


@pytest.mark.parametrize("sd", [0.370, 0.378])
def test_five_review_pilot_whose_variance_is_not_printed(printed, sd):
    """Deviations from .3698 to .3784 give the printed 53."""
    budget = printed["certified-0.5-five-56sol"]["inputs"]["budget"]
    assert chebyshev_budget(kl_upper(Fraction(str(sd)) ** 2, 400), tolerance=0.5) == budget


def test_range_only_budgets(printed):
    """2,391 reviews at a quarter of a point and 598 at half a point."""
    assert [hoeffding_budget(tolerance=e) for e in (0.25, 0.5)] == printed["hoeffding-range-only"]["printed"]


def test_joint_levels(printed):
    """.95 twice gives .9025, and .99 with .96 gives .9504."""
    relation = printed["joint-levels"]
    found = [float(joint_success(a, b)) for a, b in relation["inputs"]["pairs"]]
    assert found == pytest.approx(relation["printed"], abs=1e-12)


@given(st.floats(0.5, 0.999))
@settings(deadline=None)
def test_split_failure_reaches_its_joint_success(success):
    """The two failures, one to four, together leave at least the success asked for."""
    pilot, future = split_failure(success)
    assert future == 4 * pilot
    assert joint_success(pilot, future) >= Fraction(repr(success))


def test_split_failure_of_the_paper():
    """.95 is split into .01 for the pilot and .04 for the future."""
    assert split_failure(0.95) == (Fraction(1, 100), Fraction(1, 25))


def test_kernel_range_and_cap(printed):
    """Scores from 1 to 10 have kernel range 40.5 and variance at most 20.25."""
    assert [float(kernel_range((1, 10))), float(variance_cap((1, 10)))] == printed["kernel-bound"]["printed"]


def test_success_curve_crosses_at_the_planning_budget(printed):
    """The lower bound is at least .95 at the printed budget and below it one review earlier."""
    inputs = printed["lower-bound-curve"]["inputs"]
    for variance, k in zip(inputs["V_hat"], inputs["k"], strict=True):
        before, at = success_lower_bound(variance, [k - 1, k], tolerance=0.5)
        assert before < 0.95 <= at


def test_success_curve_is_never_negative():
    """One review of a loud paper promises nothing, not less than nothing."""
    assert success_lower_bound(20, [1], tolerance=0.25).tolist() == [0.0]


def test_ceilings_are_taken_on_decimals_as_written():
    """The mean of 0.1 and 0.2 needs 12 reviews; in floats it would be 13."""
    pilot = read_pilot(Variance([0.1, 0.2], papers=2, reviews=10))
    assert chebyshev_budget(pilot.variance, tolerance=0.5) == 12
    assert chebyshev_budget((0.1 + 0.2) / 2, tolerance=0.5) == 13


def test_no_variance_needs_one_review():
    """A budget is at least one review."""
    assert chebyshev_budget(0, tolerance=0.5) == 1


def test_halving_the_tolerance_takes_four_times_the_reviews(printed):
    """In whole multiples of the tolerance, exactly."""
    for variance in printed["halving"]["inputs"]["V_hat"]:
        whole = Fraction(repr(variance)) * 1_000_000
        assert chebyshev_budget(whole, tolerance=0.25) == 4 * chebyshev_budget(whole, tolerance=0.5)


def test_bound_without_any_spread():
    """A thousand pairs of equal scores leave a variance of B (1 - alpha^(1/1000))."""
    assert kl_upper(0, 1000) == pytest.approx(40.5 * (1 - 0.05 ** (1 / 1000)), rel=1e-12)
    assert kl_upper(0, 1000) == pytest.approx(0.12115, abs=5e-6)


@pytest.mark.parametrize("variance", [20.25, 22.5, 40.5])
def test_bound_never_passes_the_cap(variance):
    """Sample variances above what any law can have give the cap, not an error."""
    assert kl_upper(variance, 10) == 20.25


@given(st.fractions(0, 20, max_denominator=10_000), st.integers(1, 5000), st.sampled_from([0.05, 0.01]))
@settings(deadline=None)
def test_bound_solves_its_equation(variance, pairs, alpha):
    """Below the cap the divergence at U, in plain logarithms, is log(1 / alpha) / pairs."""
    upper = kl_upper(variance, pairs, alpha=alpha)
    assert float(variance) < upper <= 20.25
    if upper < 20.25:
        p, q = float(variance) / 40.5, upper / 40.5
        divergence = (p * log(p / q) if p else 0.0) + (1 - p) * log((1 - p) / (1 - q))
        assert divergence == pytest.approx(log(1 / alpha) / pairs, rel=1e-6, abs=1e-12)


def test_simultaneous_alpha_is_shared():
    """Three models share .05 exactly, and no model is an error."""
    assert simultaneous_alpha(0.95, 3) == Fraction(1, 60)
    with pytest.raises(UsageError, match="0 models"):
        simultaneous_alpha(0.95, 0)


@given(st.floats(0.01, 0.99))
@settings(deadline=None)
def test_first_true_errs_upwards(threshold):
    """The value found passes the test, and the float before it does not."""
    found = first_true(lambda x: x >= threshold, 0.0, 1.0)
    assert found >= threshold > np.nextafter(found, 0)


def test_first_true_at_an_end():
    """A test that never holds gives the upper end."""
    assert first_true(lambda _: False, 0.0, 1.0) == 1.0


def test_pairs_of_a_pilot(printed):
    """Two hundred papers of ten and of five reviews have 1,000 and 400 independent pairs."""
    relation = printed["M-effective"]
    pilots = [read_pilot(Variance(0.1, relation["inputs"]["N"], n)) for n in relation["inputs"]["n"]]
    assert [pilot.pairs for pilot in pilots] == relation["printed"]


@given(st.fractions(0, 1, max_denominator=1000), st.integers(1, 2000))
@settings(deadline=None)
def test_share_bound_solves_its_equation(share, trials):
    """The bound of a share is that of a variance on its own scale."""
    upper = share_upper(share, trials)
    assert share <= upper <= 1
    assert kl_upper(share * Fraction(81, 2) / 4, trials) / 40.5 == pytest.approx(
        min(share_upper(share / 4, trials), 0.5), rel=1e-9
    )


def test_share_bound_without_a_hit():
    """Twenty trials without a hit leave 1 - .05^(1/20); all hits leave everything."""
    assert share_upper(0, 20) == pytest.approx(1 - 0.05 ** (1 / 20), rel=1e-12)
    assert share_upper(1, 20) == 1.0


@pytest.mark.parametrize(
    ("share", "trials", "upper"), [(0.057, 200, 0.107), (0.001, 200, 0.019), (0.266, 1000, 0.301)]
)
def test_bounds_of_differing_repetitions(share, trials, upper):
    """Shares of repeated means that differ, with their bounds as found by another program."""
    assert share_upper(share, trials) == pytest.approx(upper, abs=0.0015)
