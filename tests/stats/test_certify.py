"""Certificates against slow references, and the coverage they promise."""

import importlib.util
from fractions import Fraction
from math import exp, log
from pathlib import Path

import numpy as np
import pytest

from rereview.stats.bounds import chebyshev_budget, kl_upper
from rereview.stats.budget import budgets
from rereview.stats.certify import (
    MIXTURE,
    lattice_budget,
    lattice_holds,
    lattice_step,
    lattice_tables,
    tables_for,
    tighter_upper,
)
from rereview.stats.matching import half_square, matched
from rereview.stats.pilot import PairCounts, read_pilot

_spec = importlib.util.spec_from_file_location("draw_scores", Path(__file__).with_name("draw_scores.py"))
draw_scores = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(draw_scores)

REGIMES = {
    "adjacent flips": draw_scores.adjacent(),
    "flips of half the papers": draw_scores.adjacent(constant=0.5, seed=1),
    "jumps of .001": draw_scores.jumps(0.001),
    "jumps of .0015": draw_scores.jumps(0.0015),
    "jumps of .002": draw_scores.jumps(0.002),
    "jumps of .003": draw_scores.jumps(0.003),
    "two papers of extremes": draw_scores.extremes(2),
    "four papers of extremes": draw_scores.extremes(4),
    "extremes last": draw_scores.extremes(4)[::-1],
    "3% uniform papers": draw_scores.uniform_few(),
    "Dirichlet papers": draw_scores.dirichlet(),
}
SHORT = ("adjacent flips", "jumps of .0015", "four papers of extremes")


def pair_table(row):
    """Evidence of one row of the paper's tables."""
    return matched(read_pilot(PairCounts(row, 200, 10)))


def log_mixture(evidence, variance):
    """Weigh the three e-values in plain floats."""
    total = 0.0
    for share, weight in ((0.99, 0.7), (0.6, 0.2), (0.3, 0.1)):
        theta = share / 40.5
        total += weight * exp(
            evidence.log_product(half_square, theta) - evidence.pairs * log(1 - theta * variance)
        )
    return log(total)


def test_upper_bound_is_the_root_of_the_mixture():
    """At U the e-value is 1 / alpha; U is at most the cap."""
    evidence = pair_table({0: 6557, 1: 2417, 2: 26})
    for alpha in (0.05, 0.01):
        upper = tighter_upper(evidence, alpha=alpha)
        assert log_mixture(evidence, upper) == pytest.approx(log(1 / alpha), abs=1e-9)
    loud = matched(read_pilot(np.tile([1.0, 10.0], (3, 5))))
    assert tighter_upper(loud) == 20.25


def test_weights_of_the_mixture():
    """Weights of e-values sum to one and every stake is below the largest."""
    assert sum(weight for _, weight in MIXTURE) == pytest.approx(1)
    assert all(0 < share < 1 for share, _ in MIXTURE)


def test_fixed_stake_is_a_little_tighter_without_jumps():
    """The mixture costs a few per cent of U where no jump is seen."""
    evidence = pair_table({0: 7667, 1: 1333})
    theta = 0.99 / 40.5
    fixed = (1 - exp((log(0.05) + evidence.log_product(half_square, theta)) / evidence.pairs)) / theta
    assert 1 < tighter_upper(evidence) / fixed < 1.1


@pytest.mark.parametrize(("table", "k"), [(t, t.k) for t in lattice_tables()])
def test_lattice_tables_grow_from_zero(table, k):
    """Equal scores cost nothing, and a larger difference never costs less."""
    assert table.g[0] == 0
    assert len(table.g) == 10
    assert all(a <= b for a, b in zip(table.g, table.g[1:], strict=False))
    assert table.theta * max(table.g) == pytest.approx(0.95)


def test_lattice_tables_that_there_are():
    """Ten tables at half a point, six at a quarter."""
    assert [t.k for t in tables_for(0.5)] == [5, 6, 7, 8, 9, 10, 12, 14, 16, 20]
    assert [t.k for t in tables_for(0.25)] == [37, 40, 44, 48, 56, 64]
    assert tables_for(0.2) == ()


@pytest.mark.parametrize("table", lattice_tables(), ids=lambda t: f"{t.eps}-{t.k}")
def test_lattice_tables_bound_the_failure(table):
    """For laws of two and three scores, the failure of k reviews is at most the expected g."""
    rng = np.random.default_rng(table.k)
    for _ in range(40):
        law = np.zeros(10)
        support = rng.choice(10, rng.integers(2, 4), replace=False)
        law[support] = rng.dirichlet(rng.choice([0.05, 0.3, 1.0], len(support)))
        failure = 1 - draw_scores.success(law[None], table.k, table.eps)
        steps = np.abs(np.arange(10)[:, None] - np.arange(10))
        assert failure <= law @ np.array(table.g)[steps] @ law + 1e-12


def slow_lattice(counts, table, success, alpha):
    """Test one k in exact fractions, without logarithms."""
    g = [Fraction(repr(value)) for value in table.g]
    theta = Fraction(95, 100) / max(g)
    total = sum(counts.values())
    value = sum(Fraction(c, total) * Fraction(log(1 - theta * g[d])) for d, c in counts.items())
    return 1000 * (value - Fraction(log(1 - theta * (1 - success)))) >= Fraction(-log(alpha))


@pytest.mark.parametrize("counts", [{0: 6557, 1: 2417, 2: 26}, {0: 6512, 1: 2424, 2: 64}, {0: 7667, 1: 1333}])
def test_lattice_test_by_hand(counts):
    """Every table certifies exactly what the formula says."""
    for table in lattice_tables():
        expected = slow_lattice(counts, table, Fraction(95, 100), 0.05)
        assert lattice_holds(pair_table(counts), table) == expected


def test_fixed_sequence_stops_at_the_first_failure():
    """A k below one that fails is not certified, even where it would hold alone."""
    first, *rest = tables_for(0.5)
    hopeless = rest[2].model_copy(update={"g": (0.0, *[50.0] * 9)})
    tables = (first, *rest[:2], hopeless, *rest[3:])
    evidence = pair_table({0: 8990, 1: 10})
    assert lattice_holds(evidence, first)
    assert not lattice_holds(evidence, hopeless)
    assert lattice_budget(evidence, tables) == rest[3].k
    assert lattice_budget(evidence, (first, hopeless)) is None
    assert lattice_budget(evidence, ()) is None


def test_which_scores_are_on_the_lattice():
    """Integers on a scale of at most ten whole numbers, where the form is not known."""
    assert lattice_step(read_pilot([[5, 6]]), (1, 10)) == 1
    assert lattice_step(read_pilot(PairCounts({1: 1}, 1, 2)), (1, 10)) == 1
    assert lattice_step(read_pilot([[5, 6.5]]), (1, 10)) is None
    assert lattice_step(read_pilot([[5, 6]], (0, 9)), (0, 9)) == 1
    assert lattice_step(read_pilot([[5, 6]], (0, 10)), (0, 10)) is None
    assert lattice_step(read_pilot([[5, 6]], (0.5, 9)), (0.5, 9)) is None
    assert lattice_step(read_pilot([[5, 6]], (1, 9.5)), (1, 9.5)) is None
    assert lattice_step(read_pilot(PairCounts({0.5: 1}, 1, 2)), (1, 10)) is None


@pytest.mark.parametrize(
    ("points", "scores", "step"),
    [
        ((1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5), (3, 4), 0.5),
        ((0, 2, 4, 6, 8, 10), (4, 10), 2),
        ((1, 3, 5, 6, 8, 10), (5, 6), 1),
        ((1, 2, 3, 4, 5, 6), (1, 6), 1),
        ((0, 2, 4, 6, 8, 10), (4, 5), None),
        ((1, 1.25, 5), (1, 5), None),
        (tuple(range(11)), (5, 6), None),
    ],
)
def test_the_points_of_a_form_give_the_step(points, scores, step):
    """Not the scores that happened to come: half points that nobody gave yet can still come."""
    scale = (points[0], points[-1])
    assert lattice_step(read_pilot([scores], scale), scale, points) == step


def test_scores_in_other_units_have_the_budgets_of_integers():
    """Half points at a tolerance of 0.25 are integers at 0.5, and even numbers at 1 are too."""
    rng = np.random.default_rng(3)
    whole = np.clip(rng.integers(3, 6, (200, 1)) + (rng.random((200, 10)) < 0.15), 1, 6).astype(float)
    plain = budgets(whole, 0.5, scale=(1, 6), points=(1, 2, 3, 4, 5, 6))
    halves = budgets(whole / 2, 0.25, scale=(0.5, 3), points=(0.5, 1, 1.5, 2, 2.5, 3))
    even = budgets(2 * whole - 2, 1, scale=(0, 10), points=(0, 2, 4, 6, 8, 10))
    assert plain.lattice is not None
    assert halves.lattice == even.lattice == plain.lattice
    assert halves.reuse == even.reuse == plain.reuse
    assert budgets(whole / 2, 0.25, scale=(0.5, 3)).lattice is None


def coverage(laws, replications, seed=7):
    """Share of pilots of ten whose bound holds: classic, tighter; and the mean budgets at half a point."""
    rng = np.random.default_rng(seed)
    truth = draw_scores.mean_variance(laws)
    pilots = [read_pilot(draw_scores.draw(laws, 10, rng)[0]) for _ in range(replications)]
    classic = np.array([kl_upper(pilot.variance, pilot.pairs) for pilot in pilots])
    tighter = np.array([tighter_upper(matched(pilot)) for pilot in pilots])
    budget = [np.mean([chebyshev_budget(u, tolerance=0.5) for u in bounds]) for bounds in (classic, tighter)]
    return np.mean(classic >= truth), np.mean(tighter >= truth), *budget


@pytest.mark.parametrize("name", SHORT)
def test_bounds_cover(name):
    """In a few hundred pilots the bounds hold about as often as they say."""
    classic, tighter, *_ = coverage(REGIMES[name], 150)
    assert min(classic, tighter) >= 0.9


@pytest.mark.long
@pytest.mark.parametrize("name", REGIMES)
def test_bounds_cover_at_their_level(name):
    """In 2,000 pilots of each regime both bounds hold in at least .935."""
    classic, tighter, *_ = coverage(REGIMES[name], 2000)
    assert min(classic, tighter) >= 0.935


def test_tighter_is_tighter_where_scores_flip():
    """Budgets from the matching e-value are about two thirds of the classic ones."""
    *_, classic, tighter = coverage(REGIMES["adjacent flips"], 50)
    assert 0.6 < tighter / classic < 0.75


def stakes_that_follow_the_data(values, mean, alpha=0.05):
    """Capital of predictable plug-in stakes [Waudby-Smith & Ramdas 2024] against a mean of `mean`."""
    count = len(values)
    seen = np.arange(1, count + 1)
    running = (0.5 + np.cumsum(values)) / (seen + 1)
    spread = (0.25 + np.cumsum((values - running) ** 2)) / (seen + 1)
    before = np.concatenate([[0.25], spread[:-1]])
    stakes = np.minimum(np.sqrt(2 * log(1 / alpha) / (count * before)), 0.75 / (1 - mean))
    return np.sum(np.log1p(-stakes * (values - mean)))


def test_stakes_that_follow_the_data_do_not_cover():
    """Over unequal papers loud ones meet small stakes and quiet ones large stakes: coverage is lost.

    This is why the product's stakes are fixed; the same pilots are covered by its bound.
    """
    laws = REGIMES["four papers of extremes"]
    truth = draw_scores.mean_variance(laws)
    scores = draw_scores.draw(laws, 10, np.random.default_rng(0), 200)
    values = (scores[..., ::2] - scores[..., 1::2]) ** 2 / 81
    followed = [stakes_that_follow_the_data(pilot.ravel(), truth / 40.5) < log(20) for pilot in values]
    fixed = [tighter_upper(matched(read_pilot(pilot))) >= truth for pilot in scores]
    assert np.mean(followed) < 0.6
    assert np.mean(fixed) >= 0.935


def boundary(table, papers_loud, size):
    """Give the law whose true success at k is just below .95, by bisection over the probability of a jump."""
    low, high = 0.0, 0.5
    for _ in range(40):
        middle = (low + high) / 2
        one = draw_scores.concentrated_jumps(1, middle, size, papers=1)
        failing = papers_loud / 200 * (1 - draw_scores.success(one, table.k, table.eps))
        low, high = (low, middle) if failing > 0.0505 else (middle, high)
    return draw_scores.concentrated_jumps(papers_loud, high, size)


def wrong_certificates(laws, table, replications, seed=3):
    """Share of pilots of ten that certify this k."""
    scores = draw_scores.draw(laws, 10, np.random.default_rng(seed), replications)
    return np.mean([lattice_holds(matched(read_pilot(pilot)), table) for pilot in scores])


def test_wrong_lattice_certificates_are_rare():
    """Where the success at ten reviews is just below .95, hardly a pilot certifies it."""
    table = next(t for t in tables_for(0.5) if t.k == 10)
    laws = boundary(table, 200, 9)
    assert 0.9 < draw_scores.success(laws, 10, 0.5) < 0.95
    assert wrong_certificates(laws, table, 100) <= 0.1


@pytest.mark.long
@pytest.mark.parametrize("size", [5, 9])
@pytest.mark.parametrize("papers_loud", [30, 200])
@pytest.mark.parametrize("k", [5, 7, 10, 20])
def test_wrong_lattice_certificates_keep_the_level(k, papers_loud, size):
    """In 2,000 pilots at the boundary at most .065 certify wrongly."""
    table = next(t for t in tables_for(0.5) if t.k == k)
    laws = boundary(table, papers_loud, size)
    assert draw_scores.success(laws, k, 0.5) < 0.95
    assert wrong_certificates(laws, table, 2000) <= 0.065


@pytest.mark.long
@pytest.mark.parametrize("name", REGIMES)
def test_lattice_budgets_are_not_wrong(name):
    """The k that the sequence chooses has the success it promises in at least .935 of 1,000 pilots."""
    laws = REGIMES[name]
    true = {t.k: draw_scores.success(laws, t.k, 0.5) for t in tables_for(0.5)}
    scores = draw_scores.draw(laws, 10, np.random.default_rng(11), 1000)
    found = [lattice_budget(matched(read_pilot(pilot)), tables_for(0.5)) for pilot in scores]
    wrong = np.mean([k is not None and true[k] < 0.95 for k in found])
    assert wrong <= 0.065


def reused(laws, table, replications, seed=13):
    """Share of papers whose mean of k is off although the same k reviews carry the certificate."""
    truth = laws @ draw_scores.VALUES
    scores = draw_scores.draw(laws, table.k, np.random.default_rng(seed), replications)
    held = np.array([lattice_holds(matched(read_pilot(pilot)), table) for pilot in scores])
    off = np.abs(scores.mean(axis=2) - truth) >= table.eps - 1e-12
    return np.mean(off * held[:, None]), np.mean(off)


def test_reviews_that_certify_may_be_used():
    """At a success just below .95 certified means are off in fewer than .05, all means in more."""
    table = next(t for t in tables_for(0.5) if t.k == 10)
    certified, all_means = reused(boundary(table, 200, 5), table, 100)
    assert certified <= 0.05 < all_means + 0.005


@pytest.mark.long
@pytest.mark.parametrize("papers_loud", [30, 200])
@pytest.mark.parametrize("k", [7, 10, 20])
def test_reuse_keeps_its_promise(k, papers_loud):
    """In 2,000 pilots at the boundary, certified and off in at most .05 of the papers."""
    table = next(t for t in tables_for(0.5) if t.k == k)
    assert reused(boundary(table, papers_loud, 9), table, 2000)[0] <= 0.05
