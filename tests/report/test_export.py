"""review.md."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from report import documents, hostile
from rereview.report.export import prose, review_markdown, verbatim
from rereview.report.page import page

HEADINGS = re.compile(r"^#{1,6} .*$", re.MULTILINE)


@pytest.fixture(scope="module")
def text():
    return review_markdown(documents.document())


def test_summary_checks_and_one_form_a_round(text):
    """In this order, and nothing else on the two upper levels."""
    upper = [line for line in HEADINGS.findall(text) if not line.startswith("###")]
    assert upper == [
        "# Review of On the Shape of Things: 12% Better",
        "## Findings of the checks",
        "## Round 1: scorecard, openai:m-1",
        "## Round 2: scorecard, openai:m-1",
        "## Round 3: scorecard, openai:m-1",
    ]


def test_no_form_is_an_average(text):
    """Each round has its own score; the mean stands in the summary, with its interval, and nowhere else."""
    assert re.findall(r"### Score\n\n(.*)", text) == [
        "6: marginally above the acceptance threshold",
        "8: accept, good paper",
    ]
    summary, rest = text.split("## Findings", 1)
    assert "7.00 [5.10, 8.90] (mean of 2 rounds, 1 without a score, 95% interval)" in summary
    assert "7.00" not in rest


def test_the_worst_finding_comes_first_with_its_arithmetic(text):
    """Rule, both quotes verbatim, arithmetic."""
    major = text.index("### 1. “Three times as long” is twice as long (major)")
    assert major < text.index("### 2. The stated reduction")
    for part in (
        "Rule: `ratio`",
        "```text\nthree times as long\n```",
        "Arithmetic: 25.1 / 12.5 = 2.01, not 3",
    ):
        assert part in text


def test_a_round_that_failed_says_so(text):
    """No form is made up for it."""
    assert "Status: failed. the endpoint gave &lt;no> answer\n\nNothing could be read in this round." in text


def test_the_same_document_gives_the_same_text(text):
    assert review_markdown(documents.document()) == text
    assert text.endswith("\n")
    assert "\n\n\n" not in text


def test_a_quote_cannot_close_its_fence():
    """It is longer than any run of backticks inside."""
    assert verbatim("a\n````\nb")[0] == "`````text"


@pytest.mark.parametrize(
    "words", ["# x", "  ## x", "> x", "```\nx", "~~~\nx", "x\n===", "x\n---", "<b>x</b>"]
)
def test_words_of_a_reviewer_change_no_structure(words):
    """Rendered, they are paragraphs."""
    html = MarkdownIt().render(prose(words))
    assert re.findall(r"<(?!/?p>|br)[a-z]", html) == []


def test_hostile_text_adds_no_heading_and_no_element():
    """Whatever stands in the fields, the headings of the two upper levels are ours."""
    for part in range(0, len(hostile.STRINGS), 50):
        strings = hostile.STRINGS[part : part + 50]
        html = MarkdownIt().render(review_markdown(hostile.document("latex", strings)))
        assert html.count("<h1>") == 1
        assert html.count("<h2>") == len(strings)
        assert re.findall(r"<(?:script|img|svg|iframe|style)\b[^>]*>", html) == []


def test_a_review_of_somebody_else_is_not_called_a_finding_of_the_checks():
    """It has a heading of its own, in words and on the page."""
    whole = documents.document()
    (checked,) = (review for review in whole.reviews if review.reviewer == "checks")
    other = checked.but(
        id="other",
        reviewer="imported:their.md",
        comments=tuple(each.but(id=f"o-{each.id}", rule=None) for each in checked.comments[:1]),
    )
    both = review_markdown(whole.but(reviews=(other, *whole.reviews)))
    mine = both.index("## Findings of the checks")
    theirs = both.index("## Comments of imported:their.md")
    assert both[theirs:mine].count("### ") == 1
    assert both[mine : both.index("## Round 1")].count("### ") == len(checked.comments)
    alone = review_markdown(whole.but(reviews=(other,)))
    assert "of the checks" not in alone
    assert "The checks ask no model" in page(whole, images=lambda _: None)
    assert "The checks" not in page(whole.but(reviews=(other,), scores=(), costs=()), images=lambda _: None)
