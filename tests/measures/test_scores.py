"""The score panel's numbers."""

import numpy as np
import pytest

from rereview.measures.scores import mean, summaries
from rereview.study import frames
from rereview.types.document import Scored
from rereview.types.review import Draft, Review

FORM = Scored(
    form="f", title="F", protocol_values=tuple(range(1, 11)), venue_values=(1, 3, 5, 6, 8, 10), anchors=()
)


def rounds(*scores):
    return [
        Review(
            id=f"r{number}",
            manuscript_id="m",
            reviewer="scorecard",
            model="a:b",
            round=number,
            status="ok" if score is not None else "refused",
            draft=None if score is None else Draft(score=score),
        )
        for number, score in enumerate(scores, start=1)
    ]


def summary(*scores):
    (found,) = summaries(frames.scores(rounds(*scores), {"m": "p"}), {"scorecard": FORM})
    return found


def test_the_mean_has_the_interval_of_student():
    """4, 5, 5, 6, 7: mean 5.4, t(4) = 2.776, SD 1.140, so ± 1.416."""
    found = summary(4.0, 5.0, 5.0, 6.0, 7.0).mean
    assert found.value == pytest.approx(5.4)
    assert (found.low, found.high) == pytest.approx((5.4 - 1.41571, 5.4 + 1.41571), abs=1e-4)
    assert (found.n, found.level, found.marks) == (5, 0.95, ())


def test_agreement_and_spread_are_within_the_paper():
    """Of the ten pairs of 4, 5, 5, 6, 7 one is equal; the SD is that of the five."""
    found = summary(4.0, 5.0, 5.0, 6.0, 7.0)
    assert found.agreement.value == pytest.approx(0.1)
    assert found.within_sd.value == pytest.approx(np.std([4, 5, 5, 6, 7], ddof=1))


def test_equal_rounds_have_no_interval():
    """No spread seen is said, and no zero-width interval is printed."""
    found = summary(6.0, 6.0, 6.0).mean
    assert (found.low, found.high) == (None, None)
    assert found.marks == ("no spread seen in 3 rounds",)


@pytest.mark.parametrize(("scores", "word"), [((6.0,), "1 round "), ((6.0, 7.0), "2 rounds ")])
def test_fewer_than_three_rounds_have_no_interval(scores, word):
    """The reason is given, and what would be right."""
    found = summary(*scores).mean
    assert found.low is None
    assert found.value is not None
    assert word in found.marks[0]
    assert "run 3 or more" in found.marks[0]


def test_an_interval_stays_on_the_scale():
    """It is cut at 10, and the cut is marked."""
    found = mean(np.array([10.0, 10.0, 7.0]), low=1, high=10)
    assert found.high == 10
    assert found.marks == ("cut at the high end of the scale",)


def test_a_round_without_a_score_is_shown_and_counted():
    """It is neither 0 nor gone."""
    found = summary(6.0, None, 7.0, 8.0)
    assert [each.score for each in found.rounds] == [6, None, 7, 8]
    assert (found.mean.n, found.mean.dropped) == (3, 1)


def test_a_score_off_the_venue_s_scale_is_kept_and_marked():
    """4 is no ICLR score; it stays 4."""
    assert [(each.score, each.off_scale) for each in summary(4.0, 5.0).rounds] == [(4, True), (5, False)]


def test_no_score_at_all_is_unknown():
    """Then the mean, the agreement and the spread are None."""
    found = summary(None, None)
    assert (found.mean.value, found.agreement.value, found.within_sd.value) == (None, None, None)
