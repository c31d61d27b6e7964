"""The selection analysis on choices whose answer is known."""

import numpy as np
import pandas as pd
import pytest

from injected_frames import SHOWN, shown, surface
from rereview.measures.selection import selection
from rereview.measures.tabulate import Settings
from score_frames import cells, values


def tables(frame):
    return {made.name: made for made in selection(frame, Settings())}


def test_runs_that_chose_everything_are_left_out_and_counted():
    """96 of 222 runs, as in the paper: 43%, and no rate of theirs is left."""
    rng = np.random.default_rng(0)
    rows = [row for p in range(222) for row in surface(f"r{p}", rng, everything=p < 96)]
    made = tables(pd.DataFrame(rows, columns=SHOWN))
    found = cells(made["selection-runs"])
    assert (found["all", "runs"].value, found["all", "everything_chosen"].value) == (222, 96)
    assert round(found["all", "share"].value, 2) == 0.43
    assert cells(made["selection-rates"])["inline-equation", "shown"].value == 126 * 10


def test_quarters_of_length_and_place():
    """1, 2, 2 and 3 of five, in every paper alike: no spread, so no limits."""
    found = values(tables(shown(everything=3))["selection-rates"], "rate")
    names = ("shortest quarter", "second shortest", "second longest", "longest quarter")
    assert [found[name] for name in names] == pytest.approx([0.2, 0.4, 0.4, 0.6])
    assert found["longest quarter − shortest quarter"] == pytest.approx(0.4)
    assert found["latest quarter − earliest quarter"] == pytest.approx(0.4)


def test_named_against_inline_is_a_difference_over_papers():
    """A known difference of 0.2, with limits that hold it, where papers differ."""
    rng = np.random.default_rng(4)
    frame = shown()
    chance = np.where(frame["kind"] == "named-equation", 0.5, 0.3)
    frame["chosen"] = rng.random(len(frame)) < chance
    cell = cells(tables(frame)["selection-rates"])["named-equation − inline-equation", "rate"]
    rates = values(tables(frame)["selection-rates"], "rate")
    assert cell.value == pytest.approx(rates["named-equation"] - rates["inline-equation"])
    assert cell.low < 0.2 < cell.high
    assert cell.n == 8


def test_subtypes_of_the_chosen_equation_spans():
    """7 of 8 operators, 1 of 8 computations; claims are no equations."""
    found = values(tables(shown())["selection-subtypes"], "share")
    assert found == pytest.approx({"operator-or-sign": 7 / 8, "computation": 1 / 8})


def test_a_preference_for_the_first_in_the_prompt_is_seen():
    """Claims choose 1, 2, 3 of ten in eight batches: 3.5 places earlier than by chance, p next to nothing."""
    found = cells(tables(shown())["selection-positions"])
    assert found["claim", "later_by"].value == pytest.approx(2 - 5.5)
    assert found["claim", "p"].value < 1e-6
    assert (found["claim", "p"].n, found["claim", "chosen"].value) == (8, 24)
    assert found["surface", "p"].value > 0.05


def test_batches_that_chose_all_or_nothing_say_nothing_of_position():
    """They are left out of the test and counted, though their run is informative."""
    frame = shown()
    first = frame["run"].eq("p0/surface") & frame["batch"].eq(1)
    frame.loc[first, "chosen"] = True
    before, after = (cells(tables(each)["selection-positions"])["surface", "p"] for each in (shown(), frame))
    assert (after.n, after.dropped) == (before.n - 1, before.dropped + 1)


def test_an_unknown_length_is_counted():
    """The span stays in its kind and is in no quarter of length."""
    frame = shown().astype({"length": "float64"})
    frame.loc[0, "length"] = np.nan
    made = tables(frame)["selection-rates"]
    assert any(note.startswith("1 span has no length and is in none") for note in made.notes)
    assert cells(made)["inline-equation", "shown"].value == 80


def test_nothing_shown_gives_empty_tables():
    """No run at all: shares are undefined, and nothing breaks."""
    made = tables(pd.DataFrame([], columns=SHOWN))
    assert cells(made["selection-runs"])["all", "share"].value is None
    assert cells(made["selection-rates"])["inline-equation", "rate"].value is None
    assert cells(made["selection-positions"])["all", "p"].value is None
