"""Recall at equal numbers of comments, and paired differences."""

from itertools import combinations

import pytest

from injected_frames import pairs, perturbations, readings, study
from rereview.measures.detections import units
from rereview.measures.injected import Injection
from rereview.measures.lengths import (
    differences,
    equal_comments,
    equal_comments_by,
    found_curves,
    shortest,
)
from rereview.measures.recall import recall
from score_frames import cells, values

DRAWN = Injection(*study(seed=5, papers=8, rounds=2, models=("m1", "m2"), each=4).frames)
PAPERS = 7


def two_systems():
    """Both find one of two errors a paper: `terse` with one of 4 comments, `wordy` with two of 12."""
    errors = perturbations(
        [{"perturbation": f"p{p}-e{e}", "paper": f"p{p}"} for p in range(PAPERS) for e in (0, 1)]
    )
    reviews = readings(
        [
            {"review": f"{system}-p{p}", "paper": f"p{p}", "system": system, "comments": count}
            for p in range(PAPERS)
            for system, count in (("terse", 4), ("wordy", 12))
        ]
    )
    met = [
        {
            "perturbation": f"p{p}-e0",
            "review": f"{system}-p{p}",
            "comment": f"c{c}",
            "coverage": 1,
            "rating": 5,
        }
        for p in range(PAPERS)
        for system, hits in (("terse", 1), ("wordy", 2))
        for c in range(hits)
    ]
    return Injection(errors, reviews, pairs(met))


def test_equal_length_takes_the_advantage_of_length_away():
    """Alike with all comments; at four each the wordy one finds half of 1 - C(10,4)/C(12,4)."""
    found = cells(equal_comments(two_systems()))
    assert shortest(two_systems()) == 4
    assert found["terse | m", "at_equal"].value == found["terse | m", "all"].value == 0.5
    choices = list(combinations(range(12), 4))
    share = sum(min(chosen) < 2 for chosen in choices) / len(choices)
    assert found["wordy | m", "at_equal"].value == pytest.approx(share / 2)
    assert found["wordy | m", "all"].value == 0.5


def test_equal_length_by_kind_of_error():
    """What is found at four comments is all of one kind."""
    whole = two_systems()
    kinds = whole.perturbations["perturbation"].str[-2:]
    parted = Injection(whole.perturbations.assign(error=kinds), whole.readings, whole.pairs)
    found, together = cells(equal_comments_by(parted, "error")), cells(equal_comments(whole))
    assert found["wordy | m", "e0"].value == pytest.approx(2 * together["wordy | m", "at_equal"].value)
    assert found["wordy | m", "e1"].value == 0


def test_a_shorter_review_gives_all_it_has():
    """At ten comments the terse system is at its whole recall, and no column is missing."""
    found = cells(equal_comments(two_systems()))
    assert found["terse | m", "n=10"] == found["terse | m", "all"]
    assert [c for r, c in found if r == "terse | m"] == [c for r, c in found if r == "wordy | m"]


def test_all_comments_give_the_recall_of_the_main_table():
    """The last column is the recall, limits included."""
    lengths, main = cells(equal_comments(DRAWN)), cells(recall(DRAWN))
    for name in {cell.row for cell in recall(DRAWN).cells}:
        assert lengths[name, "all"] == main[name, "all"]


def test_a_curve_rises_from_nothing_to_the_recall():
    """More comments never find less."""
    main = values(recall(DRAWN), "all")
    for curve in found_curves(DRAWN):
        assert (curve.x[0], curve.y[0]) == (0, 0)
        assert list(curve.y) == sorted(curve.y)
        assert curve.y[-1] == pytest.approx(main[curve.configuration])


def test_a_difference_is_of_what_both_know():
    """Second minus first on errors known of both, by hand."""
    once = Injection(*study(seed=2, papers=8, models=("m1", "m2"), each=4).frames)
    found = cells(differences(once))
    whole = units(once.found).set_index(["system", "model", "perturbation"])["value"].dropna().sort_index()
    partly = 0
    for row in {row for row, _ in found}:
        names, model = row.split(" | ")
        second, first = (whole[name, model] for name in names.split(" − "))
        both = first.index.intersection(second.index)
        partly += len(both) < max(len(first), len(second))
        assert found[row, "recall"].value == pytest.approx(second[both].mean() - first[both].mean())
    assert partly > 0
    assert len({row for row, _ in found}) == 6  # three pairs of systems, two models


def test_systems_that_are_equal_at_length_differ_in_comments_alone():
    """Recall and false alarms do not differ; comments do, by eight."""
    row = cells(differences(two_systems()))
    assert row["wordy − terse | m", "recall"].value == 0
    assert row["wordy − terse | m", "comments"].value == 8
    assert row["wordy − terse | m", "false_alarm"].value is None  # no clean arm
    assert row["wordy − terse | m", "recall_at_equal"].value < 0


def test_a_system_without_a_model_is_compared_with_every_one():
    """Checks ask no model: they are paired with each configuration."""
    made = two_systems()
    named = made.readings.assign(model=made.readings["model"].mask(made.readings["system"] == "terse", ""))
    rows = values(differences(Injection(made.perturbations, named, made.pairs)), "recall")
    assert list(rows) == ["wordy − terse | m"]


def test_reviews_that_all_failed_have_no_length():
    """No curve, no column of equal length, no recall; nothing breaks."""
    made = two_systems()
    failed = Injection(made.perturbations, made.readings.assign(status="failed", comments=0), made.pairs)
    assert found_curves(failed) == ()
    assert shortest(failed) is None
    assert set(values(equal_comments(failed), "all").values()) == {None}
