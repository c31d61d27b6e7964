"""Numbers with their noun."""

import pytest

from rereview.text.plurals import many


@pytest.mark.parametrize(
    ("count", "words", "said"),
    [
        (0, ("paper",), "0 papers"),
        (1, ("injected error",), "1 injected error"),
        (1200, ("paper",), "1,200 papers"),
        (1, ("review of it", "reviews of it"), "1 review of it"),
        (2, ("review of it", "reviews of it"), "2 reviews of it"),
    ],
)
def test_one_and_many(count, words, said):
    """An s, or the plural that is given."""
    assert many(count, *words) == said
