"""Tokens and money of calls, in exact fractions."""

from fractions import Fraction
from statistics import mean

import pytest

from rereview.measures.cost import cost, usd
from rereview.measures.tables import measure
from rereview.measures.tabulate import Settings
from score_frames import cells, frame

PRICE = (4.0, 0.4, 5.0, 20.0)
PAID = Settings(price=PRICE)
NAMES = ("input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens")
CALLS = {
    ("a", 1): (20_131, 0, 15_003, 907),
    ("a", 2): (20_131, 15_003, 0, 801),
    ("a", 3): (20_131, 15_003, 0, 1_000),
    ("b", 1): (9_999, 0, 9_000, 3),
    ("b", 2): (9_999, 9_000, 999, 5),
}


def rows(calls=CALLS, **same):
    return [
        {"paper": paper, "round": number, **dict(zip(NAMES, tokens, strict=True)), **same}
        for (paper, number), tokens in calls.items()
    ]


def exactly(tokens):
    """(4 (I - C - W) + .4 C + 5 W + 20 O) / 10^6."""
    given, cached, written, output = tokens
    parts = (4 * (given - cached - written), Fraction(4, 10) * cached, 5 * written, 20 * output)
    return sum(parts, Fraction(0)) / 10**6


def test_cost_of_a_call_is_exact():
    """E.9 in fractions; .4 is four tenths, not a float near it."""
    for tokens in CALLS.values():
        assert usd(PRICE, *tokens) == exactly(tokens)


def test_rows_against_loops():
    """Calls, tokens and money of all calls, of the first of each paper, and of the later ones."""
    found = cells(cost(frame(reversed(rows())), PAID))
    groups = {
        "all": list(CALLS.values()),
        "first call of a paper": [CALLS["a", 1], CALLS["b", 1]],
        "later calls": [CALLS["a", 2], CALLS["a", 3], CALLS["b", 2]],
    }
    for row, calls in groups.items():
        assert found[row, "calls"].value == len(calls)
        for kind, counts in zip(
            ("input", "cached", "cache_write", "output"), zip(*calls, strict=True), strict=True
        ):
            assert found[row, kind].value == sum(counts)
        total = sum(map(exactly, calls), Fraction(0))
        assert found[row, "usd"].value == float(total)
        assert found[row, "usd_per_call"].value == float(total / len(calls))


def test_without_a_price_money_is_not_known():
    """Tokens are counted, and a note says why there is no money."""
    made = cost(frame(rows()), Settings())
    assert {column for _, column in cells(made)} == {"calls", "input", "cached", "cache_write", "output"}
    assert "No --price: money is not known." in made.notes


def test_more_cached_than_given_is_listed():
    """Such a call is left out of the sums and named, and nothing crashes."""
    bad = {**CALLS, ("c", 7): (1_000, 900, 200, 5), ("d", 1): (1_000, -1, 0, 5), ("e", 1): (1.5, 0, 0, 5)}
    made = cost(frame(rows(bad)), PAID)
    assert cells(made)["all", "calls"].value == 5
    assert cells(made)["all", "calls"].dropped == 3
    (note,) = [note for note in made.notes if note.startswith("Calls left out (3)")]
    assert "c, round 7: 900 cached and 200 written tokens are more than the input of 1,000" in note
    assert "d, round 1: a count of tokens that is no whole number" in note
    papers = len({paper for paper, _ in CALLS})
    lost = "3 rows lost, without usable counts"
    assert f"Sample: {papers} papers with counts of tokens, 5 calls; {lost}." in made.notes


def test_unknown_input_is_no_zero():
    """A call without a count of its output is left out; caches that nobody speaks of count 0."""
    silent = [{"paper": "a", "round": 1, "input_tokens": 100, "output_tokens": None}]
    quiet = [{"paper": "b", "round": 1, "input_tokens": 100, "output_tokens": 7}]
    made = cost(frame(silent + quiet), PAID)
    found = cells(made)
    assert (found["all", "calls"].value, found["all", "calls"].dropped) == (1, 1)
    assert found["all", "usd"].value == float(Fraction(4 * 100 + 20 * 7, 10**6))
    assert "2 calls say nothing of cached tokens: counted as 0." in made.notes
    assert any("no count of output tokens" in note for note in made.notes)


def test_no_usable_call_has_no_sum():
    """Sums of nothing are unknown."""
    made = cost(frame(rows({("a", 1): (1, 2, 0, 0)})), PAID)
    assert cells(made)["all", "calls"].value == 0
    assert cells(made)["all", "input"].value is None
    assert cells(made)["all", "usd_per_call"].value is None


def test_roles_have_first_calls_of_their_own():
    """An auxiliary call and a review of one paper do not share a cache."""
    made = cost(frame([*rows(role="target"), *rows(role="auxiliary")]), PAID)
    found = cells(made)
    assert found["first call of a paper", "calls"].value == 4
    assert found["auxiliary: first call of a paper", "calls"].value == 2
    assert found["target: later calls", "calls"].value == 3


def test_calls_of_a_paper_stand_or_fall_together():
    """Limits of the mean cost come from papers: eight papers of one price each have their spread."""
    calls = {(f"p{i}", t): (1000 * (i + 1), 0, 0, 0) for i in range(8) for t in (1, 2)}
    cell = cells(cost(frame(rows(calls)), PAID))["all", "usd_per_call"]
    assert cell.n == 8
    assert cell.value == pytest.approx(mean(0.004 * (i + 1) for i in range(8)))
    # Student t with 7 degrees of freedom on eight papers, as if each had been called once.
    half = 2.364624 * (sum((0.004 * (i - 3.5)) ** 2 for i in range(8)) / 7 / 8) ** 0.5
    assert cell.high - cell.value == pytest.approx(half, rel=1e-5)


@pytest.mark.parametrize(
    ("drop", "reason"),
    [
        (NAMES[:1], "needs the columns input_tokens"),
        (NAMES[::3], "needs the columns input_tokens, output_tokens"),
    ],
)
def test_why_it_is_left_out(drop, reason):
    """The columns that are absent are named."""
    given = [{k: v for k, v in row.items() if k not in drop} for row in rows()]
    assert measure(frame(given), ("cost",), PAID).left_out == {"cost": reason}
