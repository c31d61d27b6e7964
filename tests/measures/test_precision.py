"""How adaptive rounds ended."""

import numpy as np
import pytest

from rereview.measures.precision import dependence, precision
from rereview.measures.scores import stopped_mean
from rereview.stats.adaptive import mean_bounds
from rereview.types.document import Goal, Precision
from rereview.types.review import Draft, Review

GOAL = Goal(tolerance=0.5, most_rounds=60)


def rounds(scores, words=None):
    return [
        Review(
            id=f"r{number}",
            manuscript_id="m",
            reviewer="scorecard",
            model="a:b",
            round=number,
            status="failed" if score is None else "ok",
            draft=None if score is None else Draft(score=score, summary=words),
        )
        for number, score in enumerate(scores, start=1)
    ]


def ended(scores, words=None, **more):
    return precision(rounds(scores, words), GOAL, scale=(1.0, 10.0), **{"usd": 3.0} | more)


def test_a_promise_that_was_kept():
    """The interval of all times, and what Hoeffding's number would cost at this price a score."""
    found = ended([6.0] * 40 + [None])
    assert (found.stopped, found.scores, found.fixed_rounds) == ("precise", 40, 598)
    assert (found.low, found.high) == mean_bounds([6.0] * 40)[1:3]
    assert found.fixed_usd == pytest.approx(3.0 / 40 * 598)


@pytest.mark.parametrize(
    ("scores", "failure", "stopped", "why"),
    [
        ([6.0] * 20, "the cap", "failed", "the cap"),
        ([6.0] * 40, "the cap", "precise", None),
        ([1.0, 10.0] * 30, None, "most-rounds", None),
        ([6.0] * 8 + [None] * 8, None, "silent", None),
    ],
)
def test_why_the_rounds_ended(scores, failure, stopped, why):
    """A promise that is kept needs no excuse."""
    found = ended(scores, failure=failure)
    assert (found.stopped, found.why) == (stopped, why)


def test_unknown_money_is_unknown():
    """Neither nought nor a guess."""
    assert ended([6.0] * 40, usd=None).fixed_usd is None


def test_no_score_is_no_evidence():
    """There is no interval, no price a score, and no mean."""
    found = ended([None] * 8)
    assert (found.stopped, found.scores, found.low, found.fixed_usd) == ("silent", 0, None, None)
    assert dependence([]).doubts == ()


def test_doubts_come_before_a_promise():
    """Forty equal reviews would be precise; they are one review."""
    found = ended([6.0] * 40, "Word for word the same review, as a cache gives it. " * 3)
    assert (found.stopped, found.low, found.high) == ("not-independent", None, None)
    assert "39 answers" in found.doubts[0]


def test_a_trend_is_a_doubt():
    """Rounds without a score keep their place in it."""
    scores = [4.0] * 20 + [None] * 5 + [5.0] * 20
    assert "drift" in dependence(rounds(scores)).doubts[0]
    assert dependence(rounds([4.0, 5.0] * 20)).doubts == ()


def test_the_same_rounds_give_the_same_bytes():
    """The test for a trend has a seed of its own."""
    scores = [4.0, 5.0, 5.0, 6.0] * 5
    assert ended(scores).to_json() == ended(scores).to_json()
    assert Precision.model_validate_json(ended(scores).to_json()) == ended(scores)


@pytest.mark.parametrize(
    ("scores", "words", "mark"),
    [
        ([6.0] * 40, None, "every number of rounds"),
        ([6.0] * 40, "Equal. " * 20, "not independent"),
        ([None] * 8, None, "no round gave a score"),
    ],
)
def test_the_mean_of_adaptive_rounds(scores, words, mark):
    """It never has Student's interval, and says what its interval is or why there is none."""
    found = ended(scores, words)
    known = [score for score in scores if score is not None]
    shown = stopped_mean(np.array(known, dtype=float), found, dropped=len(scores) - len(known))
    assert (shown.low, shown.high) == (found.low, found.high)
    assert (shown.level is None) is (found.low is None)
    assert mark in shown.marks[0]
