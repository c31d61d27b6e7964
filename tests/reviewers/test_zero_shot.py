"""One call, the paper whole."""

import re

import pytest

from rereview.models.base import Traits
from rereview.models.journal import Journal
from rereview.models.prices import FREE, Cap
from rereview.models.scripted import ScriptedEndpoint
from rereview.reviewers.base import as_text
from rereview.reviewers.panel import Panel
from rereview.reviewers.zero_shot import ZeroShot
from reviewers.recorded import Ledger, Recorded, issue, paper, user

BEES = paper("We counted 120 bees.", "# Results", "There were 130 bees in all.")


async def test_all_issues_of_one_call_are_remarks():
    """With quote, severity and pages; a quote that is empty is none."""
    answer = {"summary": "Bees.", "issues": [issue("Count", "130 bees", "major", [2]), issue("Season")]}
    recorded = Recorded(lambda request: answer)
    draft = await ZeroShot()(BEES, recorded.model)
    assert draft.summary == "Bees."
    assert [(each.title, each.quote, each.severity, each.pages) for each in draft.remarks] == [
        ("Count", "130 bees", "major", (2,)),
        ("Season", None, "moderate", ()),
    ]
    (request,) = recorded.requests
    assert as_text(BEES) in user(request)
    assert "$" not in user(request) + request.messages[0].text


async def test_a_latex_answer_keeps_its_backslashes():
    """Words of TeX that happen to be escapes of JSON."""
    text = '{"summary": "s", "issues": [{"title": "Sign", "explanation": "use \\theta and \\frac{1}{2}",'
    text += ' "quote": "$\\beta$", "severity": "minor", "pages": []}]}'
    draft = await ZeroShot()(BEES, Recorded(lambda request: text).model)
    assert draft.remarks[0].body == r"use \theta and \frac{1}{2}"
    assert draft.remarks[0].quote == r"$\beta$"


@pytest.mark.parametrize("reviewer", [ZeroShot(), Panel(refute=False)])
async def test_what_a_model_that_reads_little_was_not_given_is_said(reviewer):
    """Nothing is cut in silence."""

    class Little(ScriptedEndpoint):
        traits = Traits(input_tokens=2_000)

    long = paper("# Methods", *(f"Hive {number} held bees in {number} frames. " * 20 for number in range(40)))
    script = Little(lambda request: '{"summary": "s", "issues": []}')
    model = Journal(script, Ledger(), "sample", FREE, Cap(1.0))
    draft = await reviewer(long, model)
    assert len(draft.notes) == 1
    assert re.search(r"tokens|left out|first", draft.notes[0])
