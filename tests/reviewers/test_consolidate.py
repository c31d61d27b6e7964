"""Merging and dropping: every issue is in the list or aside."""

import json

import pytest

from rereview.reviewers.consolidate import Consolidation, applied, consolidated, faulty
from rereview.types.review import Remark
from reviewers.recorded import Recorded, user


def remarks(*titles):
    return tuple(
        Remark(title=each, body="b", quote=None if each.islower() else f"q{each}", raised_by=(each,))
        for each in titles
    )


def given(merge=(), drop=()):
    words = {"title": "One", "explanation": "Both.", "severity": "major"}
    return Consolidation.model_validate(
        {
            "merge": [words | {"numbers": each} for each in merge],
            "drop": [{"number": n, "reason": "r"} for n in drop],
        }
    )


def test_merged_issues_are_one_and_the_others_stay():
    """At the first place, with the quote of the first that has one, and all who raised it."""
    kept, aside = applied(given([[3, 1]], [2]), remarks("a", "B", "C", "D"))
    assert [(each.title, each.quote, each.raised_by) for each in kept] == [
        ("One", "qC", ("a", "C")),
        ("D", "qD", ("D",)),
    ]
    assert [(each.remark.title, each.why) for each in aside] == [
        ("a", "merged into “One”"),
        ("B", "dropped: r"),
        ("C", "merged into “One”"),
    ]


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (given([[1, 5]]), "there is no issue 5"),
        (given([[1, 2]], [2]), "issue 2 stands in two places"),
        (given([[0]]), "there is no issue 0"),
        (given([[1, 2]], [3]), None),
    ],
)
def test_numbers_that_cannot_be_are_asked_again(answer, wrong):
    """They would lose an issue or invent one."""
    assert faulty(answer, 4) == wrong


async def test_an_answer_that_nobody_can_read_changes_nothing():
    """The list is worth more than its order."""
    recorded = Recorded(lambda request: "no")
    kept, aside = await consolidated(recorded.model, remarks("A", "B"), "", max_output_tokens=100)
    assert (kept, aside) == (remarks("A", "B"), ())
    assert len(recorded.requests) == 3


async def test_one_issue_is_no_list():
    """And costs no call."""
    recorded = Recorded(lambda request: "no")
    assert await consolidated(recorded.model, remarks("A"), "", max_output_tokens=1) == (remarks("A"), ())
    assert recorded.requests == []


async def test_the_issues_are_shown_with_their_numbers():
    """From 1, with quote and severity, and the notes."""
    recorded = Recorded(lambda request: json.dumps({"merge": [], "drop": []}))
    await consolidated(recorded.model, remarks("A", "b"), "N is a count", max_output_tokens=100)
    text = user(recorded.requests[0])
    assert "[1] A (unrated)\nb\nQuote: qA" in text
    assert "[2] b (unrated)" in text
    assert "N is a count" in text
