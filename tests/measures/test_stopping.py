"""When a pilot could have stopped, against rounds fed one after the other."""

import numpy as np
import pytest

from rereview.measures.stopping import stopping, stops
from rereview.measures.tables import MEASURES, measure
from rereview.measures.tabulate import Settings, panel
from rereview.stats.adaptive import follow, lattice_rounds, variance_rounds
from rereview.stats.certify import tables_for
from score_frames import cells, frame, scores

ROUTES = ("first stop", "certified", "last stop", "fewest certified")


def quiet(papers=120, rounds=12, seed=2):
    """Papers that flip between neighbours."""
    rng = np.random.default_rng(seed)
    return 5.0 + (rng.random((papers, rounds)) < rng.uniform(0, 0.4, (papers, 1)))


def made(table, **settings):
    return stopping(panel(frame(scores(table.tolist())), Settings(**settings)))


def row(shown, name):
    found = cells(shown)
    return tuple(found[name, column].value for column in ROUTES)


def slow(tests, table):
    """Round by round: what is certified so far, from the largest target down."""
    first = then = last = fewest = None
    for columns in range(2, table.shape[1] + 1, 2):
        best = None
        for test in sorted(tests, key=lambda each: -each.target):
            if not follow(test, table[:, :columns]).certified:
                break
            best = test.target
        if best is not None and first is None:
            first, then = columns, best
        if best is not None and best != fewest:
            last, fewest = columns, best
    return first, then, last, fewest


def test_each_route_stops_where_a_slow_reading_stops():
    """At both tolerances, by both routes."""
    table = quiet()
    shown = made(table)
    for tolerance, growth in ((0.5, 1), (0.25, 4)):
        lattice = [lattice_rounds(each.k, tolerance) for each in tables_for(tolerance)]
        variance = [variance_rounds(target * growth, tolerance) for target in (16, 24, 33, 48)]
        assert row(shown, f"tolerance {tolerance:g}, lattice") == slow(lattice, table)
        assert row(shown, f"tolerance {tolerance:g}, variance") == slow(variance, table)
    assert row(shown, "tolerance 0.5, lattice")[0] < 12


def test_a_smaller_number_waits_for_all_larger_ones():
    """However the tests end, rounds never fall with the target."""
    table = quiet(seed=5)
    found = stops([lattice_rounds(each.k, 0.5) for each in tables_for(0.5)], table)
    assert [each.target for each in found] == sorted((each.target for each in found), reverse=True)
    assert [each.rounds for each in found] == sorted(each.rounds for each in found)


def test_a_number_that_is_certified_early_waits():
    """The smaller number alone would be certified two rounds before."""
    table = quiet()
    large, small = variance_rounds(200, 0.2), variance_rounds(100, 1.0)
    assert follow(small, table).rounds < follow(large, table).rounds
    assert [each.rounds for each in stops([small, large], table)] == [follow(large, table).rounds] * 2


def test_wild_papers_certify_nothing():
    """The cells are empty, and no number is made up."""
    table = np.random.default_rng(1).choice([1.0, 10.0], (60, 6))
    assert row(made(table), "tolerance 0.5, variance") == (None,) * 4


def test_papers_without_all_rounds_are_no_evidence():
    """They are left out, and counted."""
    table = quiet()
    holes = table.copy()
    holes[::4, 3] = np.nan
    rows = [[None if np.isnan(score) else score for score in line] for line in holes.tolist()]
    shown = stopping(panel(frame(scores(rows)), Settings()))
    cell = cells(shown)["tolerance 0.5, lattice", "first stop"]
    assert (cell.n, cell.dropped) == (90, 30)
    whole = made(table[np.arange(120) % 4 != 0])
    assert row(shown, "tolerance 0.5, lattice") == row(whole, "tolerance 0.5, lattice")


def test_scores_that_drift_certify_nothing():
    """A later model is milder: the reason is given in place of the numbers."""
    table = quiet()
    table[:, 6:] += 1
    shown = made(table)
    assert all(cell.estimate.value is None for cell in shown.cells)
    assert "drift" in shown.notes[0]


@pytest.mark.parametrize(("shift", "scale"), [(0.5, (1.0, 10.0)), (0.0, (0.0, 10.0)), (0.0, (0.5, 9.5))])
def test_the_lattice_is_for_ten_integers(shift, scale):
    """Elsewhere only the variance route is open."""
    shown = made(quiet() + shift, scale=scale)
    assert row(shown, "tolerance 0.5, lattice") == (None,) * 4
    assert row(shown, "tolerance 0.5, variance")[0] is not None


@pytest.mark.parametrize(
    ("unit", "shift", "points"),
    [(1, -1, None), (2, -2, tuple(range(0, 20, 2))), (0.5, 0, tuple(n / 2 for n in range(2, 11)))],
)
def test_scores_in_other_units_stop_where_integers_do(unit, shift, points):
    """From 0 to 9, in even numbers and in half points, with the tolerance in the same unit."""
    low, high = (points[0], points[-1]) if points else (0.0, 9.0)
    chosen = Settings(scale=(low, high), points=points, tolerances=(0.5 * unit,))
    table = unit * quiet() + shift
    assert table.min() >= low
    assert table.max() <= high
    shown = stopping(panel(frame(scores(table.tolist())), chosen))
    plain = row(made(quiet()), "tolerance 0.5, lattice")
    assert plain[0] is not None
    assert row(shown, f"tolerance {0.5 * unit:g}, lattice") == plain


def test_the_table_has_its_name():
    """It is made where a paper has two rounds, and says what it lacks elsewhere."""
    assert "stopping" in MEASURES
    found = measure(frame(scores([[5.0], [6.0]])), ["stopping"], Settings())
    assert "2 rounds" in found.left_out["stopping"]
