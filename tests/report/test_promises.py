"""Sentences on how adaptive rounds ended."""

import pytest

from rereview.report.promises import comparison, promise
from rereview.types.document import Goal, Precision

KEPT = Precision(
    goal=Goal(tolerance=0.5, most_rounds=598),
    stopped="precise",
    scores=44,
    low=5.4,
    high=6.3,
    fixed_rounds=598,
    usd=1.2345,
    fixed_usd=16.78,
)


def test_a_promise_names_its_terms():
    """Tolerance, confidence, stopping time and assumption."""
    words = promise(KEPT)
    for part in ("44 scores", "within 0.5", "95% confidence", "chosen by the data", "independent"):
        assert part in words


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"stopped": "failed", "why": "the cap of $5.00"}, "Not within 0.5 yet: the cap of $5.00."),
        ({"stopped": "silent"}, "the last rounds gave no score"),
        ({"stopped": "most-rounds"}, "598 rounds, the most that were asked for"),
        ({"stopped": "not-independent", "doubts": ("scores drift", "x")}, "certified: scores drift; x."),
    ],
)
def test_no_promise_without_its_reason(changes, said):
    """And no word of confidence."""
    words = promise(KEPT.but(low=None, high=None, **changes))
    assert said in words
    assert "confidence" not in words


def test_what_a_fixed_number_costs():
    """In scores, and in money where that is known and not nothing."""
    assert comparison(KEPT) == (
        "44 scores, $1.23; fixed in advance, the same promise takes 598 scores, $16.78."
    )
    for usd in (None, 0.0):
        assert "$" not in comparison(KEPT.but(usd=usd, fixed_usd=usd))
