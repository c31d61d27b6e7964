"""Adaptive pilots and adaptive reviews of one paper, against plain loops; and their error rates."""

import importlib.util
from fractions import Fraction
from math import log, prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import UsageError
from rereview.stats.adaptive import (
    FRACTIONS,
    follow,
    further_reviews,
    lattice_rounds,
    mean_bounds,
    reviews_until,
    variance_rounds,
)
from rereview.stats.certify import MIXTURE, tables_for

_spec = importlib.util.spec_from_file_location("draw_scores", Path(__file__).with_name("draw_scores.py"))
draw_scores = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(draw_scores)


def test_wealth_of_the_variance_route_in_fractions():
    """Two rounds of three papers: a plain product of factors for each stake."""
    rows = [[5, 6, 7, 7], [4, 4, 4, 6], [9, 9, 8, 8]]
    test = follow(variance_rounds(33, 0.5), np.array(rows, dtype=float))
    null = 33 * Fraction(1, 20) / 4
    total = Fraction(0)
    for share, weight in MIXTURE:
        theta = Fraction(repr(share)) / Fraction(81, 2)
        gaps = [row[c] - row[c + 1] for row in rows for c in (0, 2)]
        wealth = prod((1 - theta * gap**2 / 2) / (1 - theta * null) for gap in gaps)
        total += Fraction(repr(weight)) * wealth
    assert test.log_evidence == pytest.approx(log(total), abs=1e-12)
    assert (test.rounds, test.reviews, test.certified) == (2, 4, False)


def test_wealth_of_the_lattice_route_in_fractions():
    """One stake, and the table's costs by difference."""
    rows = [[5, 6], [4, 4], [9, 7]]
    table = next(t for t in tables_for(0.5) if t.k == 10)
    theta = Fraction(95, 100) / Fraction(repr(max(table.g)))
    costs = [Fraction(repr(table.g[abs(a - b)])) for a, b in rows]
    wealth = prod((1 - theta * g) / (1 - theta / 20) for g in costs)
    test = follow(lattice_rounds(10, 0.5), np.array(rows, dtype=float))
    assert test.log_evidence == pytest.approx(log(wealth), abs=1e-12)


def test_a_certificate_stays():
    """Once certified, later rounds that speak against it do not take it away, and following stops."""
    quiet = np.full((200, 30), 5.0)
    test = follow(lattice_rounds(10, 0.5), quiet)
    assert test.certified
    assert test.reviews == 8
    loud = test.after(np.full(200, 1.0), np.full(200, 10.0))
    assert loud.log_evidence < log(20)
    assert loud.certified


def test_nothing_is_certified_before_the_first_round():
    """No evidence is a wealth of one."""
    test = variance_rounds(33, 0.5)
    assert test.log_evidence == pytest.approx(0)
    assert not test.certified


def test_a_target_above_every_variance_needs_no_pilot():
    """Chebyshev at the largest variance of the scale is certain."""
    assert variance_rounds(1620, 0.5, scale=(1, 10)).certified is False
    assert variance_rounds(1621, 0.5, scale=(1, 10)).certified is True


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([5.0, np.nan], [5.0, 6.0], "incomplete round"),
        ([5.0], [5.0, 6.0], "incomplete round"),
        ([5.0, 11.0], [5.0, 6.0], "1 to 10"),
        ([5.0, 5.5], [5.0, 6.0], "no integer"),
    ],
)
def test_rounds_that_prove_nothing(first, second, message):
    """A round without all papers, off the scale, or off the lattice is an error."""
    with pytest.raises(UsageError, match=message):
        lattice_rounds(10, 0.5).after(first, second)


def test_there_are_tables_only_for_some_k():
    """An unknown k says which are known."""
    with pytest.raises(UsageError, match=r"one of \[5, 6, 7"):
        lattice_rounds(11, 0.5)


def pilot_lengths(test, laws, replications, seed=5):
    """Reviews a paper until the certificate; 0 where thirty did not suffice."""
    scores = draw_scores.draw(laws, 30, np.random.default_rng(seed), replications)
    tests = [follow(test, pilot) for pilot in scores]
    return np.array([t.reviews if t.certified else 0 for t in tests])


@pytest.mark.parametrize(
    ("test", "longest"),
    [(lattice_rounds(10, 0.5), 10), (lattice_rounds(37, 0.25), 12), (variance_rounds(33, 0.5), 8)],
)
def test_pilots_end_early_where_scores_flip(test, longest):
    """Neighbouring scores certify after about eight reviews, in place of a fixed ten and a budget of 33."""
    lengths = pilot_lengths(test, draw_scores.adjacent(), 40)
    assert lengths.min() > 0
    assert lengths.mean() <= longest


def loud_at(variance):
    """Give the law of 200 papers that jump from 1 to 10 and have this mean variance."""
    p = (1 - np.sqrt(1 - 4 * variance / 81)) / 2
    return draw_scores.jumps(p)


FALSE = {
    "jumps": loud_at(33 * 0.05 / 4),
    "extremes": draw_scores.extremes(4)[::-1],
    "uniform papers": draw_scores.uniform_few(0.035),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_pilots_are_rare(name):
    """Where the variance is at or above the null, few pilots of thirty reviews certify."""
    laws = FALSE[name]
    null = draw_scores.mean_variance(laws)
    target = int(null * 80)
    assert np.mean(pilot_lengths(variance_rounds(target, 0.5), laws, 150) > 0) <= 0.1


@pytest.mark.long
@pytest.mark.parametrize("name", FALSE)
def test_false_pilots_keep_the_level(name):
    """In 2,000 pilots looked at after each round at most .065 certify wrongly."""
    laws = FALSE[name]
    target = int(draw_scores.mean_variance(laws) * 80)
    assert np.mean(pilot_lengths(variance_rounds(target, 0.5), laws, 2000) > 0) <= 0.065


@pytest.mark.long
@pytest.mark.parametrize("size", [5, 7, 9])
def test_false_lattice_pilots_keep_the_level(size):
    """At a true success just below .95 at most .065 of 2,000 pilots certify ten reviews."""
    for probability in np.linspace(0.001, 0.05, 200):
        laws = draw_scores.concentrated_jumps(200, probability, size)
        if draw_scores.success(laws[:1], 10, 0.5) < 0.95:
            break
    assert np.mean(pilot_lengths(lattice_rounds(10, 0.5), laws, 2000) > 0) <= 0.065


def slow_excluded(scores, mean):
    """Whether a mean is excluded, with plain products, for scores from 1 to 10."""
    values = [(Fraction(repr(float(y))) - 1) / 9 for y in scores]
    m = Fraction(repr(mean))
    for ys, centre in ((values, m), ([1 - y for y in values], 1 - m)):
        wealth = sum(
            Fraction(repr(w)) * prod(1 - Fraction(repr(c)) + Fraction(repr(c)) * y / centre for y in ys)
            for c, w in FRACTIONS
        )
        if wealth >= 40:
            return True
    return False


@given(st.lists(st.integers(1, 10), min_size=1, max_size=25))
@settings(max_examples=30, deadline=None)
def test_bounds_of_one_paper_in_fractions(scores):
    """Just inside the bounds a mean is kept, and just outside it is excluded."""
    found = mean_bounds(scores)
    assert found.low <= found.mean <= found.high
    for end, outward in ((found.low, -1), (found.high, 1)):
        inside, outside = (round((end + sign * outward * 1e-8 - 1) / 9, 10) for sign in (-1, 1))
        if 0 < inside < 1:
            assert not slow_excluded(scores, inside)
        if 0 < outside < 1:
            assert slow_excluded(scores, outside)


@pytest.mark.parametrize("low", [3, 7])
@given(flips=st.lists(st.integers(0, 2), min_size=45, max_size=90))
@settings(max_examples=5, deadline=None)
def test_stopping_is_the_first_time_within_the_tolerance(low, flips):
    """The search stops where the bounds first lie within it, low and high on the scale."""
    scores, tolerance = [low + flip for flip in flips], 0.7
    found = reviews_until(scores, tolerance)
    first = next((n for n in range(1, len(scores) + 1) if mean_bounds(scores[:n]).within(tolerance)), None)
    assert (found and found.reviews) == first


def test_order_and_missing_scores_do_not_matter():
    """The bounds are those of the scores that are there."""
    assert mean_bounds([5, 6, np.nan, 5]) == mean_bounds([6, 5, 5])


@pytest.mark.parametrize("scores", [[], [np.nan], [0.0], [11.0]])
def test_scores_that_bound_nothing(scores):
    """No score, or one off the scale, is an error."""
    with pytest.raises(UsageError):
        mean_bounds(scores)


def test_weights_of_the_fractions():
    """The money is spent once, and no stake may lose everything."""
    assert sum(weight for _, weight in FRACTIONS) == pytest.approx(1)
    assert all(0 < fraction < 1 for fraction, _ in FRACTIONS)


def test_quiet_papers_stop_at_about_forty():
    """Constant scores need 40 reviews at half a point, where the range alone needs 598."""
    assert reviews_until(np.full(100, 5.0), 0.5).reviews == 40
    assert reviews_until(np.full(30, 5.0), 0.5) is None


PAPERS = {
    "adjacent flips": (draw_scores.adjacent(), 120),
    "rare jumps": (draw_scores.jumps(0.01), 400),
    "jumps down": (draw_scores.jumps(0.02, start=10, end=1), 400),
    "extremes": (draw_scores.extremes(200), 1500),
    "uniform": (np.full((1, 10), 0.1), 600),
    "Dirichlet": (draw_scores.dirichlet(), 900),
}


def missed(laws, longest, replications, tolerance=0.5, seed=9):
    """Share of stopped papers whose mean is off by the tolerance or more."""
    rng = np.random.default_rng(seed)
    laws = laws[rng.integers(0, len(laws), replications)]
    scores = draw_scores.draw(laws, longest, rng)[0]
    ends = [reviews_until(row, tolerance) for row in scores]
    truth = laws @ draw_scores.VALUES
    wrong = [end and abs(end.mean - mu) >= tolerance - 1e-12 for end, mu in zip(ends, truth, strict=True)]
    return np.mean([bool(w) for w in wrong])


@pytest.mark.parametrize("name", ["adjacent flips", "rare jumps"])
def test_stopped_means_are_rarely_off(name):
    """In a hundred papers at most a tenth are off by the tolerance."""
    assert missed(*PAPERS[name], 100) <= 0.1


@pytest.mark.long
@pytest.mark.parametrize("name", PAPERS)
def test_stopped_means_keep_the_level(name):
    """In 2,000 papers of each kind at most .065 are off by the tolerance."""
    assert missed(*PAPERS[name], 2000) <= 0.065


@given(st.lists(st.integers(1, 10), min_size=1, max_size=40), st.sampled_from([0.5, 1.0, 2.0]))
@settings(max_examples=25, deadline=None)
def test_the_forecast_repeats_the_scores_so_far(scores, tolerance):
    """Where the scores that come scatter exactly like those so far, the forecast is right."""
    found = further_reviews(scores, tolerance, most=10 * len(scores))
    whole = mean_bounds(scores).within(tolerance)
    assert (found == 0) is whole
    copies = -(-(len(scores) + found) // len(scores))
    if 0 < found < 10 * len(scores):
        assert mean_bounds(scores * copies).within(tolerance)
        assert not mean_bounds(scores * (copies - 1)).within(tolerance)


def test_the_forecast_of_equal_scores_is_exact():
    """Eight of forty are there."""
    assert further_reviews(np.full(8, 6.0), 0.5, most=598) == 32
    assert further_reviews(np.full(8, 6.0), 0.5, most=10) == 10
    assert further_reviews(np.full(40, 6.0), 0.5, most=10) == 0
