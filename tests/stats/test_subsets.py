"""The chance that some of the comments hold a hit, against all choices of them."""

from itertools import combinations

import numpy as np
import pytest

from rereview.stats.subsets import chance_of_a_hit


@pytest.mark.parametrize("drawn", range(8))
def test_it_is_the_share_of_all_choices(drawn):
    """For every number of hits of up to six comments; a shorter review gives all it has."""
    for comments in range(7):
        for hits in range(comments + 1):
            choices = list(combinations(range(comments), min(drawn, comments)))
            share = sum(any(at < hits for at in chosen) for chosen in choices) / len(choices)
            assert chance_of_a_hit([hits], [comments], drawn)[0] == pytest.approx(share)


def test_it_takes_many_reviews_at_once():
    """One chance a review, from none to certain."""
    assert chance_of_a_hit([0, 1, 10], [10, 10, 10], 5) == pytest.approx([0, 0.5, 1])


@pytest.mark.parametrize(("hits", "comments", "drawn"), [([3], [2], 1), ([-1], [2], 1), ([1], [2], -1)])
def test_impossible_numbers_are_refused(hits, comments, drawn):
    """More hits than comments, or a negative number."""
    with pytest.raises(ValueError, match="hits are at most the comments"):
        chance_of_a_hit(np.array(hits), np.array(comments), drawn)
