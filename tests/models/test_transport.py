"""What a failed exchange is put down to; the exchanges themselves are tested through the SDKs."""

import httpx2
import pytest

from rereview.models.transport import unanswered


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (TimeoutError(), "no answer in time"),
        (httpx2.ReadError("reset"), "the connection broke"),
    ],
)
def test_a_late_answer_is_told_from_a_lost_one(error, what):
    """By the error that ended the exchange."""
    assert unanswered(error).what == what
