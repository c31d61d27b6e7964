"""Numbers that "Can We Believe AI Peer Review?" prints and that follow from others it prints.

Those that need a data set of their own stand beside the function they are of.
"""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from rereview.errors import UsageError
from rereview.stats.bounds import chebyshev_budget, hoeffding_budget, kl_upper, split_failure
from rereview.stats.budget import budgets
from rereview.stats.calibration import GRID, OFFSETS, WEIGHTS, direct_risk
from rereview.stats.discrimination import auc, auc_excluding
from rereview.stats.gains import all_fractional
from rereview.stats.heldout import random_halves
from rereview.stats.pilot import PairCounts, Variance, read_pilot
from rereview.stats.ranking import partitions, ranking_agreement
from rereview.stats.reliability import concentration, identical_rate, pairwise_exact_agreement, within_sd

# Papers as (how many, rounds of 5, of 6, of 7): tables that agree with every number printed of a model.
MODELS = {
    "GPT-5.6-Sol": (
        *((60, 10, 0, 0), (13, 1, 7, 2), (63, 9, 1, 0), (2, 8, 2, 0), (1, 7, 3, 0), (1, 6, 4, 0)),
        (60, 5, 5, 0),
    ),
    "GPT-6-Luna": (
        *((65, 10, 0, 0), (13, 2, 6, 2), (4, 1, 6, 3), (57, 9, 1, 0), (2, 8, 2, 0), (1, 7, 3, 0)),
        (58, 5, 5, 0),
    ),
    "GPT-6-Sol": ((113, 10, 0, 0), (52, 9, 1, 0), (1, 8, 2, 0), (1, 6, 4, 0), (33, 5, 5, 0)),
}
VARIANCES = {"GPT-5.6-Sol": "0.140056", "GPT-6-Luna": "0.148889", "GPT-6-Sol": "0.074056"}
PAIRS = {
    "GPT-5.6-Sol": {0: 6557, 1: 2417, 2: 26},
    "GPT-6-Luna": {0: 6512, 1: 2424, 2: 64},
    "GPT-6-Sol": {0: 7667, 1: 1333},
}


def scores(model):
    """200 papers of ten integer scores."""
    rows = [np.repeat([5.0, 6.0, 7.0], kind[1:]) for kind in MODELS[model] for _ in range(kind[0])]
    return np.random.default_rng(1).permuted(np.stack(rows), axis=1)


def statuses():
    """Accepted and withdrawn of the 200 papers, 2025 first (A.3)."""
    counts = [("accepted", 36), ("rejected", 41), ("withdrawn", 23)]
    counts += [("accepted", 27), ("rejected", 43), ("withdrawn", 26), ("desk", 4)]
    return np.array([status for status, count in counts for _ in range(count)])


@pytest.mark.parametrize("model", MODELS)
def test_the_tables_have_the_pairs_behind_the_printed_numbers(model):
    """9,000 pairs of scores, of which 6,557 (6,512, 7,667) are equal: C(10, 2) in each of 200 papers."""
    table = scores(model)
    found = {}
    for row in table.tolist():
        for i in range(10):
            for j in range(i + 1, 10):
                found[abs(row[i] - row[j])] = found.get(abs(row[i] - row[j]), 0) + 1
    assert found == PAIRS[model]
    assert sum(found.values()) == 200 * partitions(10, 1) == 9000
    assert partitions(10, 1) == 45


@pytest.mark.parametrize(
    ("model", "sd", "agreement", "identical"),
    [
        ("GPT-5.6-Sol", 0.374, 72.86, 30.0),
        ("GPT-6-Luna", 0.386, 72.36, 32.5),
        ("GPT-6-Sol", 0.272, 85.19, 56.5),
    ],
)
def test_repeatability(model, sd, agreement, identical):
    """Within-paper SD, exact agreement and the share of identical papers (4.1, C.1)."""
    table = scores(model)
    assert round(within_sd(table).value, 3) == sd
    assert round(float(VARIANCES[model]) ** 0.5, 3) == sd
    assert round(100 * pairwise_exact_agreement(table).value, 2) == agreement
    assert round(100 * identical_rate(table, full=10).value, 1) == identical


def test_agreement_follows_from_the_variance_where_no_range_exceeds_a_point():
    """GPT-6-Sol: 100 (1 - 2 V) is 85.19."""
    assert round(100 * (1 - 2 * float(VARIANCES["GPT-6-Sol"])), 2) == 85.19
    table = scores("GPT-6-Sol")
    assert pairwise_exact_agreement(table).value == pytest.approx(1 - 2 * within_sd(table).value ** 2)


def test_the_variance_of_two_years_is_the_mean_of_theirs():
    """GPT-6-Sol: SDs of .2614 and .2824 over 100 papers each give .074056 (C.1)."""
    # Papers of variance 5/18 (five rounds of one score, five of the next) and constant ones.
    half = np.repeat([5.0, 6.0], 5)

    def year(sd):
        moving = round(100 * sd**2 / (5 / 18))
        spread = sd**2 * 100 / moving / (5 / 18) if moving else 0
        return np.concatenate(
            [5 + (half - 5.5) * spread**0.5 + np.zeros((moving, 1)), np.full((100 - moving, 10), 5.0)]
        )

    first, second = year(0.2614), year(0.2824)
    assert [round(within_sd(table).value, 4) for table in (first, second)] == [0.2614, 0.2824]
    both = within_sd(np.concatenate([first, second])).value ** 2
    assert both == pytest.approx(0.074056, abs=3e-5)


def test_concentration():
    """GPT-6-Sol gives 5 in 1,042 of 2,000 scores, 52.1%; three models give 6,000 (C.3)."""
    found = concentration(np.repeat([5.0, 6.0, 4.0], [1042, 262, 696]).reshape(200, 10))
    assert (found.counts[4], found.n) == (1042, 2000)
    assert round(100 * found.counts[4] / found.n, 1) == 52.1
    assert 3 * found.n == 6000
    assert round(100 * found.shares[0], 2) == 65.20


def test_decimal_scores_are_a_thousand_a_model():
    """200 papers of five scores, none whole (E.1)."""
    assert all_fractional(np.full((200, 5), 4.5)) == (1000, 0)


def test_partitions():
    """Blocks of ten reviews (C.5), and of the last five (C.6)."""
    assert [partitions(10, k) for k in (1, 2, 3, 4, 5)] == [45, 630, 2100, 1575, 126]
    assert [partitions(5, k) for k in (1, 2)] == [10, 15]


def test_pairs_of_papers_and_rates():
    """9,900 pairs within two years; 74.13%, 25.08% and 0.79% make a whole but for rounding (C.5)."""
    (found,) = ranking_agreement(scores("GPT-6-Sol"), np.repeat([2025, 2026], 100), sizes=[5])
    assert found.pairs == 2 * comb(100, 2) == 9900
    assert found.same + found.tie + found.reverse == pytest.approx(1, abs=1e-12)
    assert sum((74.13, 25.08, 0.79)) == pytest.approx(100, abs=0.015)


def test_labels():
    """63 accepted of 200; 49 withdrawn leave 151, 88 of them negative; 77 and 74 by year (A.4, C.2)."""
    status = statuses()
    accepted, withdrawn = status == "accepted", status == "withdrawn"
    found = auc(np.arange(200.0), accepted)
    kept = auc_excluding(np.arange(200.0), accepted, withdrawn)
    assert (found.positives, found.negatives) == (63, 137)
    assert (kept.positives, kept.negatives, kept.dropped) == (63, 88, 49)
    years = [auc_excluding(np.arange(100.0), accepted[part], withdrawn[part]) for part in HALVES]
    assert [year.positives + year.negatives for year in years] == [77, 74]


HALVES = (slice(100), slice(100, 200))


def test_statuses():
    """36 + 41 + 23 in 2025, 27 + 43 + 26 + 4 in 2026, and 63, 84, 49 and 4 over both (A.3)."""
    status = statuses()
    assert [len(status[part]) for part in HALVES] == [100, 100]
    kinds = ("accepted", "rejected", "withdrawn", "desk")
    assert [int((status == kind).sum()) for kind in kinds] == [63, 84, 49, 4]


def test_labels_of_the_calibration_sample():
    """198 papers, one withdrawn and one other negative fewer: 135, 150 and 87 (E.7)."""
    status = statuses()
    keep = np.ones(200, dtype=bool)
    keep[[np.flatnonzero(status == kind)[0] for kind in ("withdrawn", "rejected")]] = False
    accepted, withdrawn = status[keep] == "accepted", status[keep] == "withdrawn"
    whole = auc(np.arange(198.0), accepted)
    kept = auc_excluding(np.arange(198.0), accepted, withdrawn)
    assert (whole.positives, whole.negatives) == (63, 135)
    assert (kept.positives + kept.negatives, kept.negatives) == (150, 87)


@pytest.mark.parametrize(
    ("tolerance", "planning", "certified"), [(0.25, (45, 48, 24), None), (0.5, (12, 12, 6), (33, 35, 24))]
)
def test_planning_and_certified_budgets(tolerance, planning, certified):
    """Ten pilot reviews (D.2, table S16)."""
    found = [budgets(Variance(Fraction(v), 200, 10), tolerance) for v in VARIANCES.values()]
    assert tuple(each.planning for each in found) == planning
    if certified:
        assert tuple(each.certified for each in found) == certified


@pytest.mark.parametrize(("sd", "budget"), [("0.390", 55), ("0.286", 43)])
def test_five_review_pilots(sd, budget):
    """Luna's and Sol's first five reviews (table S18)."""
    assert budgets(Variance(Fraction(sd) ** 2, 200, 5), 0.5).certified == budget


def test_independent_pairs_of_a_pilot():
    """1,000 of ten reviews, 400 of five (D.6)."""
    assert [read_pilot(Variance(0.1, 200, n)).pairs for n in (10, 5)] == [1000, 400]


def test_a_pair_table_has_every_pair():
    """9,000 pairs over 200 papers; one fewer is refused."""
    assert read_pilot(PairCounts({0: 7667, 1: 1333}, 200, 10)).papers == 200
    with pytest.raises(UsageError, match="8999 score pairs"):
        read_pilot(PairCounts({0: 7667, 1: 1332}, 200, 10))


def test_kernel_bound():
    """The cap of a variance on 1 to 10 is 20.25, that of the kernel 40.5 (D.3)."""
    assert kl_upper(20.25, 1000) == 20.25
    # With no spread seen in M pairs the bound is B (1 - alpha^(1/M)).
    assert kl_upper(0, 1) == pytest.approx(min(40.5 * (1 - 0.05), 20.25))
    assert kl_upper(0, 1000) == pytest.approx(40.5 * (1 - 0.05 ** (1 / 1000)))


def test_range_only_budgets():
    """2,391 and 598 reviews (D.7)."""
    assert [hoeffding_budget(tolerance=eps) for eps in (0.25, 0.5)] == [2391, 598]


def test_joint_levels():
    """.95 x .95 = .9025; .99 x .96 = .9504 (D.4)."""
    assert float((1 - Fraction("0.05")) ** 2) == 0.9025
    pilot, future = split_failure(Fraction("0.95"))
    assert (float(pilot), float(future)) == pytest.approx((0.01, 0.04))
    assert float((1 - pilot) * (1 - future)) == pytest.approx(0.9504)


def test_the_grid_and_the_halves():
    """13 offsets make 234 points; 8 weights; 10 partitions of five; 99 of 198 train (E.3); 188 fit (E.8)."""
    assert (len(OFFSETS), len(GRID), len(WEIGHTS)) == (13, 234, 8)
    assert comb(5, 2) == partitions(5, 1) == 10
    halves = random_halves(198, rng=np.random.default_rng(0))
    assert halves.shape == (30, 198)
    assert set(halves.sum(axis=1)) == {99}


def test_direct_risks():
    """.1520 and .0914 average to .1217 within rounding; three reviews have two thirds of it (E.5)."""
    collisions = 1 - 2 * np.repeat([0.1520, 0.0914], 99)
    two, three = (direct_risk(collisions, n).mean() for n in (2, 3))
    assert two == pytest.approx(0.1217, abs=6e-5)
    assert 0.0829 - two == pytest.approx(-0.0388, abs=6e-5)
    assert 0.0829 - three == pytest.approx(0.0018, abs=8e-5)
    assert np.repeat([0.0932, 0.0727], 99).mean() == pytest.approx(0.0829, abs=6e-5)


@pytest.mark.parametrize(
    ("model", "tighter", "lattice"),
    [("GPT-5.6-Sol", (22, 88), (7, 37)), ("GPT-6-Luna", (23, 91), (7, 37)), ("GPT-6-Sol", (17, 67), (6, 37))],
)
def test_budgets_from_pairs(model, tighter, lattice):
    """Not printed: what the pairs behind the printed numbers need by methods that the paper does not use."""
    found = [budgets(PairCounts(PAIRS[model], 200, 10), eps) for eps in (0.5, 0.25)]
    assert tuple(each.certified_tighter for each in found) == tighter
    assert tuple(each.lattice for each in found) == lattice


def test_budgets_are_rounded_in_rationals():
    """V = (0.1 + 0.2) / 2 at 0.5 is 12 reviews; in floats it would be 13."""
    assert chebyshev_budget((Fraction("0.1") + Fraction("0.2")) / 2, tolerance=0.5) == 12
    assert np.ceil((0.1 + 0.2) / 2 / (0.05 * 0.25)) == 13
