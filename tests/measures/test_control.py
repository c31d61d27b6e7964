"""The control arm on a study whose every comment is known."""

import pandas as pd
import pytest

from injected_frames import pairs, perturbations, readings, study
from rereview.measures.control import background, control, false_alarms_by
from rereview.measures.detections import Rule
from rereview.measures.injected import Injection
from score_frames import cells

PAPERS = 8


def made(clean_status="ok", rated_clean=None):
    """Four errors a paper: 3 located, 2 of these explained; one of the clean places is commented on.

    Reviews of ten comments. Paper p0 has one more false alarm, so that something moves.
    """
    names = [(f"p{p}-e{e}", f"p{p}") for p in range(PAPERS) for e in range(4)]
    errors = perturbations([{"perturbation": name, "paper": paper} for name, paper in names])
    reviews = readings(
        [{"review": f"r-p{p}", "paper": f"p{p}"} for p in range(PAPERS)]
        + [
            {"review": f"clean-p{p}", "paper": f"p{p}", "arm": "clean", "status": clean_status}
            for p in range(PAPERS)
        ]
    )
    met = []
    for name, paper in names:
        at = int(name[-1])
        if at < 3:
            met.append({"perturbation": name, "review": f"r-{paper}", "comment": f"c{at}", "coverage": 1.0})
            met[-1]["rating"] = 4 if at < 2 else 1
        if at < (2 if paper == "p0" else 1):
            met.append(
                {"perturbation": name, "review": f"clean-{paper}", "comment": f"c{at}", "coverage": 0.8}
            )
            met[-1] |= {"arm": "clean", "rating": rated_clean}
    return Injection(errors, reviews, pairs(met))


def test_places_and_explanations_are_counted_apart():
    """Recall 1/2, located 3/4, false alarms 9 of 32, and what the error itself draws is their difference."""
    row = cells(control(made()))
    assert row["zero | m", "recall"].value == pytest.approx(0.5)
    assert row["zero | m", "located"].value == pytest.approx(0.75)
    assert row["zero | m", "false_alarm"].value == pytest.approx(9 / 32)
    assert row["zero | m", "false_alarm"].low < 9 / 32 < row["zero | m", "false_alarm"].high
    assert row["zero | m", "located_minus_false_alarm"].value == pytest.approx(24 / 32 - 9 / 32)
    assert ("zero | m", "explained_clean") not in row


def test_false_alarms_by_kind_of_place_add_up_to_all():
    """Of the first two errors 9 of 16 places drew a comment, of the others none."""
    whole = made()
    first = whole.perturbations["perturbation"].str.endswith(("e0", "e1"))
    errors = whole.perturbations.assign(error=first.map({True: "early", False: "late"}))
    row = cells(false_alarms_by(Injection(errors, whole.readings, whole.pairs), "error"))
    assert row["zero | m", "early"].value == pytest.approx(9 / 16)
    assert row["zero | m", "late"].value == 0


def test_a_clean_review_that_failed_has_no_false_alarm_rate():
    """Unknown, not zero; nor is there a difference."""
    row = cells(control(made(clean_status="failed")))
    assert row["zero | m", "false_alarm"].value is None
    assert row["zero | m", "located_minus_false_alarm"].value is None
    assert row["zero | m", "recall"].value == pytest.approx(0.5)


def test_a_clean_comment_that_the_judge_takes_for_an_explanation_is_shown():
    """Where clean pairs were rated: the share of places whose absent error a comment explains."""
    assert cells(control(made(rated_clean=4)))["zero | m", "explained_clean"].value == pytest.approx(9 / 32)
    assert cells(control(made(rated_clean=2)))["zero | m", "explained_clean"].value == 0


def test_precision_is_that_of_the_judge():
    """Valid of the judged, by arm; what could not be read is left out."""
    rows = [
        {"review": f"{arm}-p{p}", "comment": f"c{c}", "valid": valid}
        for p in range(PAPERS)
        for arm, verdicts in (("r", [True, True, False, None]), ("clean", [True, False, False, None]))
        for c, valid in enumerate(verdicts)
    ]
    row = cells(control(made(), pd.DataFrame(rows)))
    assert row["zero | m", "precision"].value == pytest.approx(2 / 3)
    assert row["zero | m", "precision_clean"].value == pytest.approx(1 / 3)


def test_without_a_judge_precision_is_not_known():
    """No column, and a note says so."""
    table = control(made())
    assert "precision" not in {cell.column for cell in table.cells}
    assert (
        "No judge of all comments: precision is at least the share that explains an error (background)."
        in table.notes
    )


BY_PLACE = "No judge: a comment counts by its place alone, whatever it says; nothing is known of precision."


def test_what_is_found_by_place_alone_bounds_no_precision():
    """A place that fits says nothing of whether the comment is right."""
    whole = made()
    placed = whole.under(Rule(rating=None))
    assert "explaining" not in {cell.column for cell in background(placed).cells}
    for table in (control(placed), background(placed)):
        assert BY_PLACE in table.notes
        assert not any("precision is at least" in note for note in table.notes)
    for table in (control(whole), background(whole)):
        assert BY_PLACE not in table.notes
        assert any("precision is at least" in note for note in table.notes)


def test_background_is_what_meets_no_place():
    """Seven of ten comments in the corrupted paper, nine in the clean one; two explain an error."""
    row = cells(background(made()))
    assert row["zero | m", "comments"].value == 10
    assert row["zero | m", "background"].value == pytest.approx(0.7)
    assert row["zero | m", "background_clean"].value == pytest.approx((8 + 9 * 7) / 80)
    assert row["zero | m", "explaining"].value == pytest.approx(0.2)


def test_a_failed_review_has_no_comments_to_count():
    """The mean is over reviews that were read."""
    whole = made()
    failed = whole.readings.assign(
        status=whole.readings["status"].mask(whole.readings["review"] == "r-p3", "failed"), comments=10
    )
    row = cells(background(Injection(whole.perturbations, failed, whole.pairs)))
    assert (row["zero | m", "comments"].value, row["zero | m", "comments"].n) == (10, 7)


def test_a_plausible_study_has_every_cell():
    """Configurations in rows, and shares inside 0 and 1."""
    drawn = Injection(*study(seed=1, papers=8).frames)
    for table in (control(drawn), background(drawn)):
        assert len({cell.row for cell in table.cells}) == 6
        assert all(cell.estimate.value is not None for cell in table.cells)
