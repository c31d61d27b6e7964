"""Passes with lenses: one prefix, m of k, refuted ones aside, and how much is unseen."""

import re
from itertools import takewhile

import pytest

from rereview.errors import Unreadable, UsageError
from rereview.plugins import load
from rereview.reviewers.base import expected_calls
from rereview.reviewers.panel import ISSUES, Panel, lenses, unseen
from rereview.types.review import Remark
from reviewers.recorded import Recorded, issue, paper, user

PAPER = paper(
    "A catalyst of 3 g gives a yield of 82 %.",
    "The yield is 28 % at 300 K.",
    "Each run was repeated five times, so that the spread is known.",
)
SAID = {
    "surface": [issue("Yield is swapped", "The yield is 28 %"), issue("Mass is missing")],
    "claims": [issue("82 or 28", "a yield of 82 %", "major")],
    "reasoning": [],
    "empirical": [issue("No repeats", "Each run"), issue("Yield disagrees", "The yield is 28 %")],
}

PANEL = Panel()
SAME = ("Yield is swapped", "82 or 28", "Yield disagrees")


def lens_of(request):
    end = user(request).rsplit("end\n\n", 1)[-1]
    return next((name for name, words in lenses().items() if words in end), None)


def answering(request):
    lens = lens_of(request)
    if lens:
        return {"issues": SAID[lens]}
    if "Find those that are the same issue" in request.messages[0].text:
        found = re.findall(r"^\[(\d+)\] (.+) \(", user(request), re.MULTILINE)
        return {"same": [{"numbers": [int(number) for number, title in found if title in SAME]}]}
    refuted = "No repeats" in user(request)
    return {
        "verdict": "refuted" if refuted else "stands",
        "evidence": "Each run was repeated five times" if refuted else "",
        "reason": "They are there.",
        "severity": "minor" if "Mass" in user(request) else "major",
    }


async def reviewed(reviewer=PANEL, answer=answering):
    recorded = Recorded(answer)
    draft = await reviewer(PAPER, recorded.model)
    return draft, recorded.requests


def prefix_of(requests):
    """What all of them begin with, character by character."""
    texts = [user(request) for request in requests]
    same = takewhile(lambda characters: len(set(characters)) == 1, zip(*texts, strict=False))
    return "".join(characters[0] for characters in same)


async def test_the_prefix_is_byte_identical_across_passes():
    """Rules and paper whole; only the lens at the end differs, and the answer's schema does not."""
    _, requests = await reviewed()
    passes = [request for request in requests if lens_of(request)]
    assert sorted(map(lens_of, passes)) == sorted(lenses())
    assert len({request.messages[0].to_json().encode() for request in passes}) == 1
    assert len({request.answer_schema for request in passes}) == 1
    shared = prefix_of(passes)
    assert all(block.text in shared for block in PAPER.blocks)
    for request in passes:
        assert user(request)[len(shared) :] in lenses()[lens_of(request)]


async def test_the_same_issue_is_one_with_the_passes_that_raised_it():
    """The gravest and quoted words stand for it; the others are set aside as the same."""
    draft, _ = await reviewed()
    first, second = draft.remarks
    assert (first.title, first.raised_by) == ("82 or 28", ("claims", "surface", "empirical"))
    assert first.quote == "a yield of 82 %"
    assert draft.passes == ("surface", "claims", "reasoning", "empirical")
    assert (second.title, second.raised_by, second.severity) == ("Mass is missing", ("surface",), "minor")
    merged = [each for each in draft.aside if each.why.startswith("the same issue")]
    assert [each.remark.title for each in merged] == ["Yield is swapped", "Yield disagrees"]


async def test_what_is_refuted_is_kept_aside():
    """With the reason and the words of the paper."""
    draft, _ = await reviewed()
    (refuted,) = [each for each in draft.aside if each.why.startswith("refuted")]
    assert refuted.remark.title == "No repeats"
    assert "Each run was repeated five times" in refuted.why
    assert "No repeats" not in [each.title for each in draft.remarks]


async def test_no_issue_is_lost():
    """Whatever a pass said stands in the list or aside, once."""
    draft, _ = await reviewed()
    titles = [each.title for each in draft.remarks] + [each.remark.title for each in draft.aside]
    assert sorted(titles) == sorted(each["title"] for said in SAID.values() for each in said)


async def test_the_review_says_how_much_is_unseen_and_on_what_that_rests():
    """From the issues that stand: one by three passes, one by one."""
    draft, _ = await reviewed()
    said = draft.fields["issues not seen"]
    assert said.startswith(
        "at least 0.0 beside the 2 that stand, of which 1 were raised by one of 4 passes alone"
    )
    assert "independent" in said


def test_unseen_is_chaos_bound():
    """Worked by hand: t=4, five found once and two twice give 3/4 · 5·4 / (2·3) = 2.5."""
    kept = [Remark(title="t", body="b", raised_by=("a",))] * 5 + [
        Remark(title="t", body="b", raised_by=("a", "b"))
    ] * 2
    assert re.match(r"at least 2\.5 \[\d+\.\d, \d+\.\d\] beside the 7 that stand", unseen(kept, 4))
    one = [Remark(title="t", body="b", raised_by=("a",))]
    assert unseen([], 4) == unseen(one, 1) == "not estimated: that needs at least two passes and an issue"


async def test_without_an_answer_on_what_is_the_same_nothing_is_merged_or_estimated():
    """Five issues would be five unseen ones too many."""

    def answer(request):
        return "hm" if "Find those" in request.messages[0].text else answering(request)

    draft, _ = await reviewed(answer=answer)
    assert len(draft.remarks) == 4
    assert draft.fields["issues not seen"].startswith("not estimated: no answer said which")


async def test_more_passes_than_lenses_read_again():
    """The second reading of a lens has a name and words of its own, so that no cache answers for it."""
    draft, requests = await reviewed(Panel(lenses=("surface", "claims"), passes=3))
    assert draft.passes == ("surface", "claims", "surface #2")
    texts = [user(request) for request in requests if lens_of(request)]
    assert len(set(texts)) == 3
    assert sum(each.endswith("(Reading 2.)") for each in texts) == 1


class Named:
    """A model that is never asked, and the others beside it."""

    def __init__(self, name, peers=()):
        self.name = name
        self.peers = peers


async def test_several_models_take_turns():
    """A pass and the next have different ones; lenses that come again change theirs."""
    two = Named("a", (Named("b"),))
    names = [(each.lens, each.model.name) for each in Panel(passes=8).planned(two)]
    assert names[:4] == [("surface", "a"), ("claims", "b"), ("reasoning", "a"), ("empirical", "b")]
    assert len(set(names)) == 8


def test_a_wrong_lens_lists_the_lenses():
    """One line."""
    with pytest.raises(
        UsageError, match="no lens 'style'; lenses out of surface, claims, reasoning, empirical"
    ):
        load("reviewers", "panel", lenses=("style",))
    with pytest.raises(UsageError, match="passes=0; at least one"):
        Panel(passes=0)


async def test_without_a_refuter_severity_is_that_of_the_passes():
    """And nothing is refuted."""
    draft, requests = await reviewed(Panel(refute=False))
    assert len(requests) == 5
    assert [each.severity for each in draft.remarks] == ["major", "moderate", "moderate"]


async def test_a_pass_that_nobody_can_read_is_left_out_and_named():
    """The others are worth what they were; k is the number of those that were read."""

    def answer(request):
        return "hm" if lens_of(request) == "reasoning" else answering(request)

    draft, _ = await reviewed(answer=answer)
    assert draft.passes == ("surface", "claims", "empirical")
    assert draft.notes == ("passes that could not be read: reasoning",)
    assert "3 passes" in draft.fields["issues not seen"]
    with pytest.raises(Unreadable):
        await reviewed(answer=lambda request: "hm")


async def test_issues_that_the_refuter_did_not_answer_on_are_counted():
    """One is one."""

    def answer(request):
        return (
            "hm"
            if "Mass" in user(request) and "speak for its authors" in request.messages[0].text
            else (answering(request))
        )

    draft, _ = await reviewed(answer=answer)
    assert draft.notes == ("1 issue was not defended: no answer of the refuter could be read",)


@pytest.mark.parametrize("models", [1, 2, 4, 5, 7])
@pytest.mark.parametrize("panel", [Panel(), Panel(lenses=("claims",)), Panel(passes=2), Panel(refute=False)])
def test_the_calls_that_are_announced_are_those_of_the_passes_that_are_planned(panel, models):
    """Where there are more models than lenses each has a pass, and each pass its call."""
    first, *others = map(Named, "abcdefg"[:models])
    first.peers = tuple(others)
    passes = len(panel.planned(first))
    fewest, most = expected_calls(panel, PAPER, models=models)
    assert fewest == passes
    assert most == passes + 1 + (ISSUES * passes if panel.refute else 0)
