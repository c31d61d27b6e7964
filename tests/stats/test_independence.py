"""Signs of dependence between repeated reviews."""

from itertools import permutations, product

import numpy as np
import pytest

from rereview.stats.budget import budgets
from rereview.stats.independence import (
    MANY_PAPERS,
    Answer,
    Dependence,
    Trend,
    duplicate_answers,
    replayed_calls,
    round_trend,
)

LONG = (
    "The proof of the second lemma uses a bound that only holds for convex losses, as the authors say later."
)


def test_equal_long_answers_are_counted():
    """Three equal answers are two repeats; case and spaces do not hide them."""
    answers = [Answer("p", 1, LONG), Answer("p", 2, LONG.upper()), Answer("p", 3, LONG.replace(" ", "  \n"))]
    assert duplicate_answers(answers) == 2


def test_answers_that_are_not_repeats():
    """The same words on another paper, other words, and short answers are no repeats."""
    answers = [
        Answer("p", 1, LONG),
        Answer("q", 1, LONG),
        Answer("p", 2, LONG + " Indeed."),
        Answer("p", 3, "Score: 6"),
        Answer("p", 4, "Score: 6"),
    ]
    assert duplicate_answers(answers) == 0
    assert duplicate_answers(answers, shortest=1) == 1


def test_a_call_that_answers_two_rounds_is_a_replay():
    """One call may stand for one round; an unknown call is not a replay."""
    answers = [Answer("p", 1, "a", "x"), Answer("p", 2, "b", "x"), Answer("q", 1, "c", "x")]
    assert replayed_calls(answers) == 2
    assert replayed_calls([Answer("p", 1, "a", "x"), Answer("p", 1, "a", "x")]) == 0
    assert replayed_calls([Answer("p", 1, "a"), Answer("p", 2, "b")]) == 0


def test_trend_against_enumeration():
    """The chance of the slope is that over all orders of each paper's rounds."""
    scores = np.array([[5.0, 6.0, 7.0, 7.0], [4.0, np.nan, 5.0, 6.0], [5.0, 5.0, 5.0, 5.0]])
    kept = [row[~np.isnan(row)] for row in scores]
    times = [np.flatnonzero(~np.isnan(row)) for row in scores]
    sums = [
        sum(np.dot(row, t - t.mean()) for row, t in zip(order, times, strict=True))
        for order in product(*(permutations(row) for row in kept))
    ]
    observed = sum(np.dot(row, t - t.mean()) for row, t in zip(kept, times, strict=True))
    expected = np.mean(np.abs(sums) >= abs(observed) - 1e-9)
    found = round_trend(scores, np.random.default_rng(0), draws=20_000)
    assert found.p == pytest.approx(expected, abs=0.01)
    assert found.slope == pytest.approx(observed / sum(np.sum((t - t.mean()) ** 2) for t in times))


def test_drift_is_found():
    """A quarter of a point over ten rounds of 200 papers leaves no doubt."""
    rng = np.random.default_rng(0)
    scores = np.rint(rng.normal(5, 0.4, (200, 10)) + np.linspace(0, 0.25, 10))
    found = round_trend(scores, rng)
    assert found.slope > 0
    assert Dependence(trend=found).doubts[0].startswith("scores drift by +0.0")


def test_a_chance_is_never_nought():
    """No shuffle as far off as the rounds themselves still leaves the one that was seen."""
    found = round_trend(np.tile(np.arange(1.0, 11.0), (20, 1)), np.random.default_rng(0), draws=99)
    assert found == Trend(pytest.approx(1.0), 0.01)


def test_chance_is_uniform_without_drift():
    """Independent scores are called drifting about as often as the level says."""
    rng = np.random.default_rng(1)
    chances = [round_trend(rng.integers(4, 7, (8, 6)).astype(float), rng, draws=199).p for _ in range(200)]
    assert np.mean(np.array(chances) <= 0.1) == pytest.approx(0.1, abs=0.06)


@pytest.mark.parametrize("scores", [[[5.0, 5.0], [6.0, 6.0]], [[5.0, np.nan]], np.empty((0, 4))])
def test_no_trend_without_movement(scores):
    """Where no paper has two different scores there is no slope, and not a slope of 0."""
    assert round_trend(scores, np.random.default_rng(0)) == Trend(None, None)


def test_each_sign_is_a_doubt():
    """Every sign has its line, one answer in the singular, and with none there is no doubt."""
    doubts = Dependence(duplicates=1, replays=3, trend=Trend(0.05, 0.0002)).doubts
    assert doubts[0].startswith("1 answer is word for word")
    assert doubts[1].startswith("3 rounds are answered")
    assert doubts[2] == "scores drift by +0.050 a round (p = 0.0002)"
    assert Dependence().doubts == Dependence(trend=Trend(0.05, 0.01)).doubts == ()


def test_doubts_reach_the_budgets():
    """What was found takes the certificate away."""
    scores = np.tile([5.0, 6.0], (20, 2))
    found = budgets(scores, 0.5, doubts=Dependence(replays=1).doubts)
    assert found.certified is None
    assert "another round already used" in found.notes["certified"]


def test_the_trend_of_many_papers_is_normal():
    """Above the limit p comes from the normal law: close to the shuffles of the same papers."""
    rng = np.random.default_rng(11)
    scores = rng.integers(4, 7, (MANY_PAPERS + 100, 6)).astype(float)
    scores[: len(scores) // 3, 5] += 0.2
    many = round_trend(scores, rng)
    moving = scores[np.ptp(scores, axis=1) > 0]
    times = np.arange(6) - 2.5
    observed = sum(float((row - row.mean()) @ times) for row in moving)
    shuffled = [
        sum(float(rng.permutation(row - row.mean()) @ times) for row in moving[:700]) for _ in range(400)
    ]
    share = np.mean(np.abs(shuffled) >= abs(observed))
    assert len(moving) > MANY_PAPERS
    assert many.p == pytest.approx(share, abs=0.06)
    assert many.slope == pytest.approx(observed / (len(scores) * float(times @ times)))
