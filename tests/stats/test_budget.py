"""Every budget of one pilot."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rereview.errors import UsageError
from rereview.stats.budget import budgets, half_and_whole, success_targets
from rereview.stats.pilot import PairCounts, Variance

VARIANCES = (Fraction(2521, 18000), Fraction(2680, 18000), Fraction(1333, 18000))
PAIRS = ({0: 6557, 1: 2417, 2: 26}, {0: 6512, 1: 2424, 2: 64}, {0: 7667, 1: 1333})


def of_pairs(tolerance, **options):
    """Budgets of the three models, in the order of the tables."""
    return [budgets(PairCounts(table, 200, 10), tolerance, **options) for table in PAIRS]


def test_pair_tables_hold_the_variances():
    """The variance from the pair counts is the printed one, exactly."""
    assert [found.variance for found in of_pairs(0.5)] == [float(v) for v in VARIANCES]


@pytest.mark.parametrize(
    ("tolerance", "field", "expected"),
    [
        (0.5, "planning", [12, 12, 6]),
        (0.25, "planning", [45, 48, 24]),
        (0.5, "certified", [33, 35, 24]),
        (0.25, "certified", [132, 137, 96]),
        (0.5, "certified_tighter", [22, 23, 17]),
        (0.25, "certified_tighter", [88, 91, 67]),
        (0.5, "lattice", [7, 7, 6]),
        (0.25, "lattice", [37, 37, 37]),
        (0.5, "simultaneous", [39, 40, 29]),
        (0.25, "simultaneous", [153, 158, 114]),
        (0.5, "joint", [51, 52, 39]),
        (0.25, "joint", [202, 208, 153]),
        (0.5, "hoeffding", [598] * 3),
        (0.25, "hoeffding", [2391] * 3),
    ],
)
def test_budgets_of_the_three_models(tolerance, field, expected):
    """The pair tables of three models over 200 papers of ten reviews give the known budgets."""
    assert [getattr(found, field) for found in of_pairs(tolerance, models=3)] == expected


def test_the_variance_alone_gives_no_tighter_and_no_lattice_budget():
    """Without differences of pairs the two are None and the notes say why; the others stand."""
    found = budgets(Variance(VARIANCES[0], 200, 10), 0.5)
    assert (found.planning, found.certified) == (12, 33)
    assert found.certified_tighter is None
    assert found.lattice is None
    assert found.upper_bound_tighter is None
    assert "pair differences" in found.notes["lattice"]
    assert "pair differences" in found.notes["certified_tighter"]


@pytest.mark.parametrize(
    ("tolerance", "certified"),
    [
        (0.5, [(9, 17, 33, 165), (9, 18, 35, 171), (6, 12, 24, 120)]),
        (0.25, [(33, 66, 132, 659), (35, 69, 137, 682), (24, 48, 96, 477)]),
    ],
)
def test_success_targets(tolerance, certified):
    """Certified budgets at 80, 90, 95 and 99 percent, one variance bound throughout."""
    for table, expected in zip(PAIRS, certified, strict=True):
        rows = success_targets(PairCounts(table, 200, 10), tolerance)
        assert [row.success for row in rows] == [0.8, 0.9, 0.95, 0.99]
        assert tuple(row.certified for row in rows) == expected


def adjacent(rng, papers=200, reviews=10, flips=0.3):
    """Scores of 5 or 6, each paper with its own share of sixes."""
    share = rng.uniform(0, flips, papers)
    return 5.0 + (rng.random((papers, reviews)) < share[:, None])


def test_scores_and_their_pair_counts_agree():
    """Scores give the budgets of their pair counts; matching can only tighten the Jensen form."""
    scores = adjacent(np.random.default_rng(3))
    left, right = np.triu_indices(10, 1)
    values, counts = np.unique(np.abs(scores[:, left] - scores[:, right]), return_counts=True)
    table = PairCounts(dict(zip(values.tolist(), counts.tolist(), strict=True)), 200, 10)
    full, summary = budgets(scores, 0.5), budgets(table, 0.5)
    assert full.variance == summary.variance
    assert full.upper_bound == summary.upper_bound
    assert 0.99 * summary.upper_bound_tighter < full.upper_bound_tighter <= summary.upper_bound_tighter


def test_papers_with_one_score_are_left_out_and_counted():
    """A paper without a pair carries no variance; the bound counts the pairs of the others."""
    scores = np.array([[5, 6, np.nan, np.nan], [7, np.nan, np.nan, np.nan], [4, 4, 5, 5]])
    found = budgets(scores, 0.5)
    assert (found.papers, found.dropped, found.reviews, found.pairs) == (2, 1, 2, 2)
    assert found.variance == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_no_paper_with_two_scores():
    """Only the budget from the range is left, and each other one says why it is not there."""
    found = budgets([[5.0], [6.0]], 0.5)
    assert (found.hoeffding, found.planning, found.certified, found.dropped) == (598, None, None, 2)
    assert found.notes["planning"] == found.notes["lattice"] == "no paper has two scores"


def test_decimal_scores_have_no_lattice():
    """The tables are for integers; a scale of more than ten of them is refused as well."""
    scores = np.round(np.random.default_rng(0).normal(5, 0.2, (200, 10)), 1)
    assert budgets(scores, 0.5).lattice is None
    assert budgets(scores, 0.5).certified_tighter is not None
    assert budgets(np.full((200, 10), 50.0), 0.5, scale=(0, 100)).lattice is None


def test_a_shorter_scale_has_smaller_budgets():
    """On five points the kernel range is 8, and the lattice tables hold as well."""
    scores = adjacent(np.random.default_rng(1)) - 3
    short, long = budgets(scores, 0.5, scale=(1, 5)), budgets(scores, 0.5)
    assert short.certified < long.certified
    assert short.certified_tighter < long.certified_tighter
    assert short.hoeffding < long.hoeffding
    assert short.lattice == long.lattice


def test_tables_of_a_smaller_tolerance_serve_a_larger_one():
    """A tolerance between two tables uses the smaller one; below all tables there is none."""
    scores = adjacent(np.random.default_rng(1))
    assert budgets(scores, 0.4).lattice == budgets(scores, 0.25).lattice == 37
    assert budgets(scores, 1).lattice == budgets(scores, 0.5).lattice
    assert budgets(scores, 0.1).lattice is None


def test_loud_scores_are_refused_by_the_lattice():
    """Uniform scores carry no lattice budget, and the note says that it was refused."""
    found = budgets(np.random.default_rng(0).integers(1, 11, (200, 10)), 0.5)
    assert found.lattice is None
    assert found.notes["lattice"].startswith("refused")


def test_doubts_take_every_certificate_away():
    """Scores that are not independent keep their planning budget and lose what is certified."""
    found = budgets(adjacent(np.random.default_rng(0)), 0.5, doubts=["12 answers are word for word equal"])
    assert found.planning is not None
    assert found.upper_bound is found.upper_bound_tighter is found.reuse is None
    for name in ("certified", "certified_tighter", "lattice", "simultaneous", "joint", "reuse"):
        assert getattr(found, name) is None
        assert "word for word" in found.notes[name]


def test_each_budget_has_its_promise():
    """The notes name tolerance, success and confidence as they were asked for."""
    notes = of_pairs(0.5, models=3)[0].notes
    assert set(notes) == {
        "planning",
        "certified",
        "certified_tighter",
        "lattice",
        "simultaneous",
        "joint",
        "hoeffding",
        "reuse",
    }
    assert "at most 5%" in notes["reuse"]
    assert "no confidence level" in notes["planning"]
    assert "95% confidence over pilots; proven" in notes["certified"]
    assert "computer-verified" in notes["lattice"]
    assert "all 3 models" in notes["simultaneous"]
    assert "pilot failure 1%, future failure 4%" in notes["joint"]


def test_joint_follows_the_success_asked_for():
    """A joint success of .9 leaves .02 to the pilot and .08 to the future."""
    found = budgets(PairCounts(PAIRS[0], 200, 10), 0.5, success=0.9)
    assert "pilot failure 2%, future failure 8%" in found.notes["joint"]
    assert found.joint < of_pairs(0.5)[0].joint


def test_one_model_is_its_own_simultaneous_budget():
    """Control over one model is the certified budget."""
    found = of_pairs(0.5)[0]
    assert found.simultaneous == found.certified


def test_half_of_no_table():
    """One row of scores is an error that says what would be right."""
    with pytest.raises(UsageError, match="papers x reviews"):
        half_and_whole([5.0, 6.0, 5.0, 6.0], 0.5)


def test_first_half_against_the_whole_pilot():
    """The half is the budget of the first rounds alone; with fewer pairs its bound is higher."""
    scores = adjacent(np.random.default_rng(5))
    half, whole = half_and_whole(scores, 0.5)
    assert half == budgets(scores[:, :5], 0.5)
    assert whole == budgets(scores, 0.5)
    assert (half.pairs, whole.pairs) == (400, 1000)
    assert half.certified > whole.certified


def test_reuse_of_the_three_models():
    """Ten reviews fixed in advance carry the lattice certificate; the variance routes need more."""
    for found in of_pairs(0.5):
        assert found.reuse.lattice is True
        assert found.reuse.lattice_reviews == 10
        assert found.reuse.certified is False
        assert found.reuse.certified_tighter is False


def test_reuse_of_a_long_pilot():
    """A pilot longer than its certified budget carries it, and the tables of its length are used."""
    scores = adjacent(np.random.default_rng(0), reviews=40, flips=0.1)
    found = budgets(scores, 0.5)
    assert found.certified <= 40
    assert found.reuse.certified is True
    assert found.reuse.lattice_reviews == 20


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ([[0.0, 5.0]], "score 0.0; scores from 1 to 10"),
        ([[5.0, 11.0]], "score 11.0"),
        ([5.0, 6.0], "papers x reviews"),
        (Variance(-0.1, 200, 10), "variance -0.1"),
        (Variance(22.6, 200, 10), "0 to 22.5 on this scale"),
        (Variance([0.1, 0.2], 3, 10), "2 variances for 3 papers"),
        (Variance(0.1, 200, 1), "200 papers of 1 review;"),
        (PairCounts({0: 10}, 200, 10), "10 score pairs; 200 papers give 9000, of 10 reviews each"),
        (PairCounts({0: 44, 10: 1}, 1, 10), "absolute differences from 0 to 9"),
        (PairCounts({0: 46, 1: -1}, 1, 10), "45 score pairs"),
    ],
)
def test_evidence_that_cannot_be(evidence, message):
    """What no scores on the scale could give is an error that says what would be right."""
    with pytest.raises(UsageError, match=message):
        budgets(evidence, 0.5)


@pytest.mark.parametrize("wrong", [{"tolerance": 0}, {"success": 1}, {"confidence": 0}, {"success": 95}])
def test_terms_that_cannot_be(wrong):
    """A share is between 0 and 1 and a tolerance is positive."""
    with pytest.raises(UsageError):
        budgets(PairCounts(PAIRS[0], 200, 10), **{"tolerance": 0.5, **wrong})


tables = st.integers(2, 12).flatmap(
    lambda reviews: st.lists(
        st.lists(
            st.decimals(1, 10, places=1).map(float) | st.just(float("nan")),
            min_size=reviews,
            max_size=reviews,
        ),
        min_size=1,
        max_size=5,
    )
)


@given(tables, st.sampled_from([0.2, 0.25, 0.5, 1, 2.5]), st.sampled_from([0.8, 0.95, 0.99]))
@settings(max_examples=60, deadline=None)
def test_budgets_are_in_order(scores, tolerance, success):
    """Any scores: planning <= certified <= simultaneous, and a wider tolerance never needs more."""
    found = budgets(scores, tolerance, success=success, models=3)
    wider = budgets(scores, 2 * tolerance, success=success, models=3)
    if found.planning is None:
        assert found.dropped == len(scores)
        return
    # Sample variances may pass the cap, which the certified budget uses.
    assert found.variance > 20.25 or 1 <= found.planning <= found.certified
    assert found.certified <= found.simultaneous
    assert 0 < found.upper_bound_tighter <= 20.25
    for name in ("planning", "certified", "certified_tighter", "simultaneous", "joint", "hoeffding"):
        assert getattr(wider, name) <= getattr(found, name)


@given(st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_order_of_papers_and_reflection_do_not_matter(seed):
    """Papers in another order, and the scale upside down, have the same budgets."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(3, 7, (8, 10)).astype(float)
    found = budgets(scores, 0.5)
    for other in (rng.permutation(scores), 11 - scores, rng.permuted(scores, axis=1)):
        same = budgets(other, 0.5)
        assert same.upper_bound_tighter == pytest.approx(found.upper_bound_tighter, rel=1e-12)
        assert same.variance == found.variance
        assert same.lattice == found.lattice
