"""Which error a review found, case by case."""

import pandas as pd
import pytest

from injected_frames import pairs, perturbations, readings, study
from rereview.errors import UsageError
from rereview.measures.detections import Rule, detections, union, units

ONE = perturbations([{"perturbation": "e"}])
READ = readings([{"review": "r"}])


def found(*given, rule=None, errors=ONE, reviews=READ):
    made = [{"perturbation": "e", "review": "r"} | pair for pair in given]
    rows = detections(errors, reviews, pairs(made), rule or Rule())
    return [(None if pd.isna(row.found) else bool(row.found), row.why) for row in rows.itertuples()]


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ({"coverage": 0.75, "rating": 3}, (True, "")),
        ({"coverage": 0.74, "rating": 5}, (False, "")),
        ({"coverage": 0.75, "rating": 2}, (False, "")),
        ({"coverage": None, "touches": True, "rating": 5}, (False, "")),
        ({"coverage": 1.0, "unreadable": True}, (None, "rating unreadable")),
        ({"coverage": 1.0}, (None, "not judged")),
        ({"coverage": 0.5, "unreadable": True}, (False, "")),
        ({"coverage": 1.0, "rating": 5, "arm": "clean"}, (False, "")),
    ],
)
def test_one_pair_decides(pair, expected):
    """Place first, then rating; what is not rated is not known, unless it does not meet."""
    assert found(pair) == [expected]


def test_the_changed_region_needs_a_located_quote():
    """Under that rule coverage says nothing, and a quote that was not located does not meet."""
    region = Rule(location="changed-region")
    assert found({"touches": True, "rating": 3}, rule=region) == [(True, "")]
    assert found({"coverage": 1.0, "touches": None, "rating": 5}, rule=region) == [(False, "")]
    assert found({"coverage": 1.0, "touches": False, "rating": 5}, rule=region) == [(False, "")]


def test_one_comment_that_explains_the_error_is_enough():
    """A second comment with an unreadable rating takes nothing away; without the first it is not known."""
    unreadable = {"comment": "c2", "coverage": 1.0, "unreadable": True}
    low = {"comment": "c1", "coverage": 1.0, "rating": 1}
    assert found({"coverage": 0.9, "rating": 4}, unreadable) == [(True, "")]
    assert found(low, unreadable) == [(None, "rating unreadable")]


def test_a_failed_review_is_no_miss():
    """Neither found nor missed; nor is a review of another run or of the clean paper a row at all."""
    reviews = readings(
        [
            {"review": "r", "status": "failed"},
            {"review": "other", "run": "p1/claim"},
            {"review": "clean", "arm": "clean"},
        ]
    )
    assert found(reviews=reviews) == [(None, "review failed")]


def test_no_comment_is_a_miss():
    """A review that was read and says nothing has not found it."""
    assert found() == [(False, "")]


def test_a_version_that_carries_several_runs_is_read_for_all_of_them():
    """The reading's run may be the version of the errors."""
    errors = perturbations(
        [{"perturbation": name, "run": f"p1/{name}", "version": "p1@all"} for name in ("e", "f")]
    )
    rows = detections(errors, readings([{"review": "r", "run": "p1@all"}]), pairs([]), Rule())
    assert sorted(rows["perturbation"]) == ["e", "f"]


def test_hits_count_comments_not_pairs():
    """Two quotes of one comment are one hit."""
    twice = [{"perturbation": "e", "review": "r", "coverage": 1.0, "rating": 4}] * 2
    assert detections(ONE, READ, pairs(twice), Rule())["hits"].tolist() == [1]


@pytest.mark.parametrize("wrong", [{"tau": 0}, {"tau": 1.2}, {"rating": 6}, {"location": "nearby"}])
def test_a_rule_that_cannot_be_is_refused(wrong):
    """The message names the value."""
    with pytest.raises(UsageError):
        Rule(**wrong)


def three_rounds():
    """One error: found in the first round, missed in the second, the third failed."""
    reviews = readings(
        [{"review": f"r{n}", "round": n, "status": "failed" if n == 3 else "ok"} for n in (1, 2, 3)]
    )
    met = pairs([{"perturbation": "e", "review": "r1", "coverage": 1.0, "rating": 5}])
    return detections(ONE, reviews, met, Rule())


def test_a_unit_is_the_mean_over_known_rounds():
    """One of two known rounds: a half, with one unknown."""
    (row,) = units(three_rounds()).itertuples()
    assert (row.value, row.known, row.unknown) == (0.5, 2, 1)


def two_models(*status, rated=()):
    """One error, read by models m1, m2, ...; `rated` of them found it."""
    reviews = readings(
        [{"review": f"r{n}", "model": f"m{n}", "status": each} for n, each in enumerate(status, start=1)]
    )
    met = pairs([{"perturbation": "e", "review": f"r{n}", "coverage": 1.0, "rating": 5} for n in rated])
    return detections(ONE, reviews, met, Rule())


@pytest.mark.parametrize(
    ("status", "rated", "expected"),
    [(("ok", "ok"), (2,), True), (("ok", "ok"), (), False), (("failed", "ok"), (2,), True)],
)
def test_a_union_is_found_by_any_member(status, rated, expected):
    """One member is enough, even beside one that failed."""
    (row,) = union(two_models(*status, rated=rated), "model").itertuples()
    assert (row.model, bool(row.found)) == ("union", expected)


def test_a_union_without_a_finder_and_with_a_failed_member_is_not_known():
    """The failed one might have found it."""
    (row,) = union(two_models("failed", "ok"), "model").itertuples()
    assert pd.isna(row.found)


def test_a_union_leaves_out_what_a_member_never_read():
    """An error that only one of the models was asked about is no part of it."""
    made = study(papers=2, systems=("zero",))
    reads = made.readings[~((made.readings["model"] == "m1") & (made.readings["paper"] == "p00"))]
    rows = union(detections(made.perturbations, reads, made.pairs, Rule()), "model")
    assert set(rows["paper"]) == {"p01"}


def test_without_a_judge_the_place_decides():
    """A pair that meets is a hit though nobody rated it; one that does not meet is none."""
    reviews = readings([{"review": "r1"}, {"review": "r2", "round": 2}])
    met = pairs(
        [
            {"perturbation": "e", "review": "r1", "coverage": 0.8},
            {"perturbation": "e", "review": "r2", "coverage": 0.7},
        ]
    )
    found = detections(ONE, reviews, met, Rule(rating=None)).set_index("review")["found"]
    assert found.to_dict() == {"r1": True, "r2": False}
