"""Capture-recapture against hand arithmetic, and against errors whose number is known."""

import numpy as np
import pytest

from rereview.stats.overlap import chao


def test_the_bound_is_the_formula():
    """Ten items by one pass alone, four by two, six by more, in five passes: worked by hand."""
    found = chao([1] * 10 + [2] * 4 + [3, 3, 4, 4, 5, 5], 5)
    assert (found.found, found.once, found.twice, found.passes) == (20, 10, 4, 5)
    # 20 + 4/5 · 10 · 9 / (2 · 5) = 27.2
    assert found.total.value == pytest.approx(27.2)
    assert found.unseen.value == pytest.approx(7.2)
    # 4/5 · 90/10 + 16/25 · 10 · 361/100 + 16/25 · 100 · 4 · 81 / (4 · 625)
    variance = 7.2 + 23.104 + 8.2944
    factor = np.exp(1.959963984540054 * np.sqrt(np.log(1 + variance / 7.2**2)))
    assert found.unseen.low == pytest.approx(7.2 / factor)
    assert found.total.high == pytest.approx(20 + 7.2 * factor)
    assert found.total.low > 20


def test_without_an_item_found_twice_there_is_still_a_bound():
    """Q2 = 0 has its own variance: 3/4 · 6 · 5/2 unseen beside six found, in four passes."""
    found = chao([1] * 6, 4)
    assert found.unseen.value == pytest.approx(11.25)
    variance = 11.25 + 9 / 16 * (6 * 121 / 4 - 6**4 / (4 * 17.25))
    factor = np.exp(1.959963984540054 * np.sqrt(np.log(1 + variance / 11.25**2)))
    assert found.unseen.high == pytest.approx(11.25 * factor)


@pytest.mark.parametrize(("counts", "passes"), [([], 3), ([0, 0], 3), ([1, 1], 1)])
def test_nothing_is_known_of_the_unseen_without_evidence(counts, passes):
    """Nothing found, or one pass: undefined, not zero."""
    found = chao(counts, passes)
    assert (found.total.value, found.unseen.value, found.total.low) == (None, None, None)


def test_items_that_all_found_leave_nothing_unseen_and_no_interval():
    """No item by one pass alone: the bound is what was found, without limits."""
    found = chao([3, 3, 2], 3)
    assert (found.total.value, found.unseen.value) == (3, 0)
    assert (found.unseen.low, found.unseen.reason) == (None, "no-spread")


def test_items_listed_as_never_found_change_nothing():
    """A zero is no finding."""
    assert chao([1, 1, 2, 0, 0], 3) == chao([1, 1, 2], 3)


@pytest.mark.parametrize("count", [-1, 4, 1.5, float("nan")])
def test_a_count_that_is_no_number_of_passes_is_refused(count):
    """The message quotes it."""
    with pytest.raises(ValueError, match=r"a count of .*; whole numbers from 0 to the 3 passes"):
        chao([1, count], 3)


def _drawn(rng, chances, passes):
    return rng.binomial(passes, chances)


def test_equally_easy_items_are_estimated_without_much_bias():
    """200 items, each found with chance 0.3 by each of five passes: within 3%, and the limits cover."""
    rng = np.random.default_rng(2)
    found = [chao(_drawn(rng, np.full(200, 0.3), 5), 5) for _ in range(400)]
    assert np.mean([each.total.value for each in found]) == pytest.approx(200, rel=0.03)
    assert np.mean([each.total.holds(200) for each in found]) >= 0.92


def test_unequal_items_give_a_lower_bound():
    """Half of the items hard: below the true number on average, and above what was found."""
    rng = np.random.default_rng(3)
    chances = np.repeat([0.05, 0.6], 100)
    found = [chao(_drawn(rng, chances, 5), 5) for _ in range(200)]
    assert np.mean([each.found for each in found]) < np.mean([each.total.value for each in found]) < 200


def test_one_pass_that_finds_far_more_makes_the_estimate_too_high():
    """Chances 0.5, 0.03 and 0.03 for each of 200 items: the bound is no bound, and the page says so."""
    rng = np.random.default_rng(4)
    found = [chao((rng.random((200, 3)) < [0.5, 0.03, 0.03]).sum(axis=1), 3) for _ in range(50)]
    assert np.mean([each.total.value for each in found]) > 300


def test_nothing_unseen_is_zero_and_not_minus_zero():
    """A person reads it: "-0.0 unseen" is no number of errors."""
    assert str(chao([2, 2, 3], 3).unseen.value) == "0.0"
