"""Counts and shares in a sentence that do not add up."""

from __future__ import annotations

import pytest

from rereview.reviewers.checks.sample_sizes import SampleSizes
from rereview.types.manuscript import Block, Manuscript
from rereview.types.review import Remark


def found(text: str) -> list[Remark]:
    blocks = (Block(id="b", text=text, kind="paragraph"),)
    manuscript = Manuscript(id="m", paper_id="p", title="", format="latex", blocks=blocks)
    remarks = list(SampleSizes()(manuscript))
    for remark in remarks:
        quoted = [remark.quote, remark.against][: len(remark.places)]
        assert [manuscript.text_of(place) for place in remark.places] == quoted
        assert remark.rule == "sample-sizes"
    return remarks


@pytest.mark.parametrize(
    ("text", "arithmetic"),
    [
        # Medicine, zoology, language technology, trials, farming, imaging.
        ("We enrolled 120 patients (70 men and 60 women).", "70 + 60 = 130; printed: 120"),
        ("The herd had 1,250 animals (640 males, 660 females).", "640 + 660 = 1300; printed: 1250"),
        (
            "The corpus has 10,000 sentences (8,000 for training, 2,000 for validation, 500 for test).",
            "8000 + 2000 + 500 = 10500; printed: 10000",
        ),
        ("We studied 84 wards: 40 treated and 32 control wards.", "40 + 32 = 72; printed: 84"),
        (
            "We visited 95 farms, consisting of 40 dairy farms, 30 orchards, and 20 vineyards.",
            "40 + 30 + 20 = 90; printed: 95",
        ),
        (
            "There were 8,412 nests on the islands (3,120 on Oland, 2,205 on Gotland, and 3,187 on Faro).",
            "3120 + 2205 + 3187 = 8512; printed: 8412",
        ),
        (
            r"Images were divided into 70\% training, 20\% validation and 20\% test data.",
            "70% + 20% + 20% = 110%",
        ),
        (r"We use a 80/10/20 train/validation/test split.", "80% + 10% + 20% = 110%; printed: 100%"),
    ],
)
def test_parts_that_do_not_add_up_are_found(text: str, arithmetic: str) -> None:
    """Groups that exclude each other, divisions, and shares of data."""
    (remark,) = found(text)
    assert remark.arithmetic
    assert remark.arithmetic.startswith(arithmetic)


@pytest.mark.parametrize(
    "text",
    [
        "We enrolled 120 patients (60 men and 60 women).",
        # Not all of them, or some twice.
        "We enrolled 120 patients (including 40 men and 60 women).",
        "We enrolled 120 patients (70 men, 40 women, and others who did not say).",
        "We saw 120 symptoms (70 coughs and 60 fevers).",
        "We enrolled 120 patients (mean age 60, 40 men).",
        "Of the 120 patients (40 men and 60 women were seen twice) most came back.",
        "There were 8,412 nests on the islands (3,120 on Oland, 2,205 on Gotland, and 1,187 on Faro).",
        # A few did not say.
        "We enrolled 16 people (6 women and 9 men).",
        # About.
        "We enrolled about 120 patients (about 70 men and about 60 women).",
        # Other numbers in brackets.
        "We enrolled 120 patients (70 men aged 20 to 40 and 50 women).",
        "In 2015 schools (12 public and 9 private) took part.",
        # Shares: right, of a part, cross-validation, a ratio of two things.
        r"Images were divided into 70\% training, 10\% validation and 20\% test data.",
        r"We hold out 20\% of training data for validation, and 10\% for test.",
        "A 60/40 split and a 1:3 split were tried; the 16:9 ratio is of the screen.",
        "The 2010/12 split of the party followed.",
    ],
)
def test_what_need_not_add_up_is_left_alone(text: str) -> None:
    """Right sums, subsets, overlaps, rounded numbers."""
    assert found(text) == []
