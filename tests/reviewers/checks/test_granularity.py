"""GRIM and GRIMMER against published examples and against every sample there is."""

from __future__ import annotations

from itertools import combinations_with_replacement
from statistics import mean, pstdev, stdev

import pytest

from rereview.reviewers.checks.granularity import greatest_sd, grim, grimmer
from rereview.text.numbers import Number, number


def num(text: str) -> Number:
    read = number(text)
    assert read
    return read


@pytest.mark.parametrize(
    ("x", "n", "items", "possible"),
    [
        # Brown and Heathers (2017): the mean of their introduction.
        ("5.19", 28, 1, False),
        ("5.18", 28, 1, True),
        # scrutiny's manual.
        ("5.21", 28, 1, True),
        ("2.74", 63, 2, True),
        ("5.20", 25, 1, True),
        # So many values that any two decimals can be.
        ("5.19", 100, 1, True),
    ],
)
def test_means_of_published_examples(x, n, items, possible) -> None:
    """Possible and impossible means, as their sources say."""
    assert grim(num(x), n, items) is possible


@pytest.mark.parametrize(
    ("x", "sd", "n", "possible"),
    [
        # Allard (2018), from the article on pizza at a buffet.
        ("3.44", "2.47", 18, False),
        # scrutiny's manual: the wrong parity, and the same with another n.
        ("5.23", "2.55", 35, False),
        ("5.23", "2.55", 31, True),
        # Ten numbers of mean 0.5 are at best five ones: their SD is 0.53.
        ("0.50", "0.24", 10, False),
        ("0.50", "0.53", 10, True),
        # One to eight.
        ("4.5", "2.449", 8, True),
    ],
)
def test_deviations_of_published_examples(x, sd, n, possible) -> None:
    """Possible and impossible SDs of samples, as their sources say."""
    assert grimmer(num(x), num(sd), n) is possible


@pytest.mark.parametrize("n", [2, 5, 7])
def test_no_real_sample_is_impossible(n) -> None:
    """Every sample on a scale of six points passes both tests, as sample and as population."""
    for values in combinations_with_replacement(range(6), n):
        x, sample, population = (num(f"{each:.2f}") for each in (mean(values), stdev(values), pstdev(values)))
        assert grim(x, n)
        assert grimmer(x, sample, n), values
        assert grimmer(x, population, n, population=True), values
        assert float(sample.low) <= greatest_sd(x, 0, 5, n)


def test_some_pairs_are_impossible() -> None:
    """Of all SDs to two places most cannot belong to five whole numbers with mean 2.4."""
    passed = [sd for sd in range(300) if grimmer(num("2.40"), num(f"{sd / 100:.2f}"), 5)]
    assert 0 < len(passed) < 60
